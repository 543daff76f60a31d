"""Terms, conditions, the heap and the state: what an abstract interpreter stands on, each by itself."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from typing import TypeAlias

import pytest

from loopcheck.loop import Either, Event, Fork, Leave, Region, Role, Seq, alike, events
from loopcheck.loop import Test as Condition
from loopcheck.read.domain.choices import MOST_WAYS, Chosen
from loopcheck.read.domain.conditions import And, Not, both, decision, either_of, either_way, negate
from loopcheck.read.domain.conditions import tests_of as conditions_of
from loopcheck.read.domain.heap import Heap, Key
from loopcheck.read.domain.parts import arms_of, hidden, names_of, parts_of, roles_in, tensor_in, term_of
from loopcheck.read.domain.state import DEEPEST_CHOICE, State
from loopcheck.read.domain.terms import LONGEST, Term, constant
from loopcheck.read.domain.values import (
    MOST_PARTS,
    MOST_STEPS,
    NONE,
    Choice,
    Const,
    Frame,
    Instance,
    Items,
    Made,
    Object,
    Params,
    Symbol,
    Tensor,
    Value,
    weight,
)
from loopcheck.read.front import ir
from loopcheck.read.front.source import Entered, Source
from loopcheck.read.objects.evidence import trained_by_itself

SOURCE = Source.parse("script.py", b"a\nb\n")
PLACE, OTHER_PLACE = SOURCE.body[0], SOURCE.body[1]
A, B = Condition("a"), Condition("b")
Changes: TypeAlias = "dict[Key, Value | None]"
MODEL, OPTIMIZER = Role("model", "model"), Role("optimizer", "optimizer")


# terms


def name(text: str) -> Term:
    return Term("name", "module", text)


def test_equal_terms_are_one() -> None:
    x, one = name("x"), Term("constant", constant(1))
    assert Term("+", x, one) is Term("+", name("x"), Term("constant", constant(1)))
    assert Term("+", x, one) is not Term("+", one, x)
    assert Term("+", x, one) is not Term("-", x, one)


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), (0, False), ("a", b"a"), (None, "None"), ("a" * 100, "a" * 101)])
def test_unequal_literals_are_two_terms(one: object, other: object) -> None:
    assert Term("constant", constant(one)) is not Term("constant", constant(other))


def test_a_term_is_itself_after_copying() -> None:
    term = Term("+", name("x"), Term("constant", constant(1)))
    assert copy.deepcopy(term) is term
    assert pickle.loads(pickle.dumps(term)) is term


def test_doubling_thirty_times_makes_thirty_terms() -> None:
    term = x = name("x")
    for _ in range(30):
        term = Term("+", term, term)
    assert len([*term.parts()]) == 31
    assert x.size < term.size <= 10**6
    assert term.text == "…"
    assert repr(term) == "Term(…)"


def test_text_is_bounded() -> None:
    term = x = name("x")
    while term.size <= LONGEST:
        assert "…" not in term.text
        term = Term("+", term, x)
    assert term.text == "…"
    assert len(Term("constant", constant("a" * 10**6)).text) < 100


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (Term("new", "fit.step", 3), "step"),
        (Term("attribute", name("x"), "y"), "x.y"),
        (Term("attribute", Term("instance", "Trainer", 1), "model"), "model"),
        (Term("item", name("x"), Term("constant", constant(0))), "x[0]"),
        (Term("item", Term("call", "f"), name("i")), "f()[i]"),
        (Term("part", name("x"), 0, "first"), "first"),
        (Term("call", "f", name("x")), "f(…)"),
        (Term("attribute", Term("call", "f"), "y"), "f().y"),
        (Term("+", name("x"), Term("constant", constant(1))), "x + 1"),
        (Term("-", name("x")), "-(x)"),
        (Term("api", "torch.inf"), "torch.inf"),
    ],
)
def test_text(term: Term, text: str) -> None:
    assert term.text == text


def test_a_term_mentions_the_attributes_in_it() -> None:
    term = Term("==", Term("call", "f", Term("attribute", name("model"), "training")), name("y"))
    assert term.mentions("training")
    assert not term.mentions("model")
    assert not Term("item", name("x"), Term("constant", constant("training"))).mentions("training")


# conditions


def test_conditions_are_as_simple_as_they_can_be() -> None:
    assert negate(True) is False
    assert negate(negate(A)) is A
    assert both(True, A) is A
    assert both(A, True) is A
    assert both(False, A) is False
    assert both(A, False) is False
    assert both(A, B) == And(A, B)
    assert either_of(True, A) is True
    assert either_of(A, False) is A
    assert either_of(A, B) == Not(And(Not(A), Not(B)))
    assert either_way(A, B, B) is B
    assert either_way(A, True, False) is A
    assert either_way(A, False, True) == Not(A)
    assert either_way(A, A, Not(A)) is True
    assert either_way(A, A, False) is A
    assert either_way(A, B, A) == And(A, B)


@pytest.mark.parametrize("a", [True, False])
@pytest.mark.parametrize("b", [True, False])
@pytest.mark.parametrize("c", [True, False])
def test_conditions_mean_what_they_say(a: bool, b: bool, c: bool) -> None:
    third = Condition("c")
    given = {"a": a, "b": b, "c": c}

    def holds(condition: object) -> bool:
        match condition:
            case Not(of):
                return not holds(of)
            case And(left, right):
                return holds(left) and holds(right)
            case Condition(key):
                return given[str(key)]
            case _:
                return bool(condition)

    assert holds(both(A, negate(B))) == (a and not b)
    assert holds(either_of(A, both(B, third))) == (a or (b and c))
    for then in (A, B, Not(A), Not(B), True, False):
        for other in (A, third, Not(A), True, False):
            assert holds(either_way(A, then, other)) == holds(then if a else other)


def test_the_tests_of_a_condition() -> None:
    assert conditions_of(either_of(A, both(B, negate(A)))) == (A, B, A)
    assert conditions_of(True) == ()


# the heap


def test_an_arm_leaves_nothing_but_what_it_changed() -> None:
    heap = Heap()
    changed: Changes = {}
    heap["f", "kept"] = heap["f", "set"] = heap["f", "gone"] = Const(1)
    with heap.arm(changed):
        heap["f", "set"] = Const(2)
        heap["f", "new"] = Const(3)
        heap.forget(("f", "gone"))
        heap.forget(("f", "never"))
        heap["f", "brief"] = Const(4)
        heap.forget(("f", "brief"))
        assert heap["f", "set"] == Const(2)
        assert ("f", "gone") not in heap
    assert changed == {("f", "set"): Const(2), ("f", "new"): Const(3), ("f", "gone"): None, ("f", "brief"): None}
    assert heap.of("f") == {"kept": Const(1), "set": Const(1), "gone": Const(1)}


def test_an_inner_arm_is_undone_before_the_outer_one() -> None:
    heap = Heap()
    outer: Changes = {}
    inner: Changes = {}
    heap["f", "x"] = Const(1)
    with heap.arm(outer):
        heap["f", "x"] = Const(2)
        with heap.arm(inner):
            heap["f", "x"] = Const(3)
            heap["f", "y"] = Const(3)
        assert heap["f", "x"] == Const(2)
        assert ("f", "y") not in heap
        heap["f", "x"] = Const(4)
    assert inner == {("f", "x"): Const(3), ("f", "y"): Const(3)}
    assert outer == {("f", "x"): Const(4)}
    assert heap["f", "x"] == Const(1)


def test_what_objects_are_called_is_kept_until_a_name_is_bound() -> None:
    """Each way in which a name comes to another value, or to none."""
    heap = Heap()
    one, other = Object(Role("model", "one")), Object(Role("model", "other"))
    test = Condition(Term("call", "ready"), frozenset())
    heap["f", "model"] = one
    heap["f", "longer"] = one
    heap["f", "either"] = Choice(test, one, other)
    heap["g", "elsewhere"] = other
    assert heap.spoken("f") == ({one.role: "model"}, (("either", heap["f", "either"]),))
    heap["f", "net"] = one
    assert heap.spoken("f").names == {one.role: "net"}
    with heap.arm({}):
        heap["f", "net"] = other
        assert heap.spoken("f").names == {one.role: "model", other.role: "net"}
    assert heap.spoken("f").names == {one.role: "net"}
    heap.forget(("f", "net"))
    assert heap.spoken("f").names == {one.role: "model"}
    heap.forget_all("f")
    assert heap.spoken("f") == ({}, ())
    assert heap.spoken("g").names == {other.role: "elsewhere"}


def test_an_arm_is_undone_where_reading_fails() -> None:
    heap = Heap()
    with pytest.raises(LookupError):
        _binds_and_fails(heap, {})
    assert heap.get(("f", "x")) is None


def _binds_and_fails(heap: Heap, changed: Changes) -> None:
    with heap.arm(changed):
        heap["f", "x"] = Const(1)
        raise LookupError


def test_what_holds_whichever_arm_is_taken_stays() -> None:
    heap = Heap()
    changed: Changes = {}
    with heap.arm(changed):
        with heap.whichever_arm():
            heap["module", "x"] = Const(1)
        heap["f", "x"] = Const(2)
    assert changed == {("f", "x"): Const(2)}
    assert heap["module", "x"] == Const(1)


def test_what_nobody_can_ask_for_is_left_by_no_arm() -> None:
    heap = Heap()
    changed: Changes = {}
    heap["f", "x"] = Const(1)
    with heap.arm(changed):
        heap["f", "x"] = Const(2)
        heap["call", "x"] = heap["call", "y"] = Const(3)
        heap.forget_all("call")
        heap.forget_all("never")
        assert heap.of("call") == {}
    assert changed == {("f", "x"): Const(2)}
    assert heap.of("f") == {"x": Const(1)}


def test_who_has_a_value() -> None:
    heap, value = Heap(), Symbol(name("x"))
    heap["one", "x"] = value
    heap["two", "list"] = Items((Const(1), Items((value,))))
    heap["three", "x"] = Symbol(name("x"))
    assert list(heap.owners_of(value, str)) == ["one", "two"]
    assert list(heap.owners_of(value, Instance)) == []


# values


def test_a_history_is_bounded() -> None:
    tensor = Tensor(name("x"))
    for at in range(2 * MOST_STEPS):
        tensor = tensor.made("divided", Const(at))
    assert len(tensor.history) == MOST_STEPS
    assert len(tensor.merged(tensor.made("shared")).history) == MOST_STEPS
    other = Tensor(name("y"), history=tuple(Made("divided", Const(-at - 1)) for at in range(MOST_STEPS)))
    assert len(tensor.merged(other).history) == MOST_STEPS


def test_one_operation_twice_is_one() -> None:
    tensor = Tensor(name("x")).made("divided", Const(2))
    assert tensor.made("divided", Const(2)) is tensor
    assert len(tensor.made("divided", Const(3)).history) == 2


@pytest.mark.parametrize(
    ("made", "divided"),
    [
        ([], False),
        (["divided"], True),
        (["shared"], None),
        (["hidden"], None),
        (["hidden", "divided"], True),
        (["summed"], False),
    ],
)
def test_whether_a_tensor_was_divided(made: list[str], divided: bool | None) -> None:
    tensor = Tensor(name("x"), history=tuple(map(Made, made)))
    assert tensor.divided is divided
    assert tensor.merged(tensor).divided is divided


def test_of_parts_of_which_one_was_hidden_nobody_knows() -> None:
    assert Tensor(name("x")).made("divided", Const(2)).merged(Tensor(name("y")).made("hidden")).divided is None


def test_of_networks_that_tests_have_chosen() -> None:
    """What is computed besides is there on each way, one of them among it."""
    one, other, third = (frozenset([Role("model", each)]) for each in "abc")
    chosen = Chosen(Condition("t"), one, other)
    tensor = Tensor(name("x"), one | other, chosen=chosen)
    for beside, ways in ((third, (one | third, other | third)), (other, (one | other, other))):
        added = Tensor(name("y"), beside)
        assert tensor.merged(added).chosen == added.merged(tensor).chosen == Chosen(Condition("t"), *ways)
    assert tensor.merged(tensor).chosen == chosen


def test_of_networks_that_several_tests_have_chosen() -> None:
    """By the same test, or by another; beyond so many ways the outermost are told apart."""
    roles = [frozenset([Role("model", str(each))]) for each in range(12)]
    made = [
        Tensor(name(f"x{at}"), roles[at] | roles[at + 1], chosen=Chosen(Condition(str(at)), roles[at], roles[at + 1]))
        for at in range(0, 10, 2)
    ]
    both = made[0].merged(made[1]).chosen
    assert both is not None
    assert both.ways == tuple(one | other for one in roles[:2] for other in roles[2:4])
    same = replace(made[1], chosen=Chosen(Condition("0"), roles[2], roles[3]))
    assert made[0].merged(same).chosen == Chosen(Condition("0"), roles[0] | roles[2], roles[1] | roles[3])
    four = reduce(Tensor.merged, made[:4])
    assert four.chosen is not None
    assert len(four.chosen.ways) == MOST_WAYS
    five = four.merged(made[4]).chosen
    assert five is not None
    assert len(five.ways) <= MOST_WAYS
    assert five.ways[0] == frozenset[Role]().union(*roles[:1], *roles[2:3], *roles[4:8], roles[8])


def test_merged_parameters_are_whole_where_both_are() -> None:
    assert Params(frozenset([MODEL])).merged(Params(frozenset([OPTIMIZER]))) == Params(frozenset([MODEL, OPTIMIZER]))
    assert not Params(frozenset()).merged(Params(frozenset(), whole=False)).whole
    assert Params(frozenset()).merged(Params(frozenset(), grouped=True)).grouped
    assert Params(frozenset()).merged(Params(frozenset(), open=True)).open


def test_weight_counts_what_is_inside() -> None:
    pair = Items((Const(1), Const(2)))
    assert weight(pair) == 3
    assert weight(Items((pair, pair))) == 7
    assert weight(Choice(A, pair, Const(1))) == 4


def test_parts_names_and_terms() -> None:
    x, y = Symbol(name("x"), frozenset([name("x")])), Tensor(name("y"), frozenset([MODEL]))
    value = Choice(Condition(name("t"), frozenset([name("t")])), Items((x, Const(1))), y)
    assert [*parts_of(value)] == [Items((x, Const(1))), x, Const(1), y]
    assert names_of(value) == {name("x"), name("y"), name("t")}
    assert tensor_in(value) is y
    assert term_of(value) is term_of(value)
    assert hidden(Items((y,))) == Items((y.made("hidden"),))
    assert arms_of(value, {name("t"): False}) == [({name("t"): False}, y)]
    assert len(arms_of(Choice(A, value, NONE), {})) == 3


# the state


@pytest.fixture
def state() -> State:
    return State(Frame(SOURCE, "module"))


def flag(state: State, text: str) -> Condition:
    return state.test(name(text), frozenset([name(text)]))


def binds(state: State, text: str, literal: object) -> Callable[[], None]:
    def run() -> None:
        state.heap[state.frame, text] = Const(literal)

    return run


def happens(state: State, place: ir.Place = PLACE) -> Callable[[], object]:
    return lambda: state.emit("step", [OPTIMIZER], place)


def worth(state: State, text: str) -> object:
    return state.settled(state.heap[state.frame, text])


def verbs(region: Region) -> list[str]:
    return [event.verb for event in events(region)]


def test_within_is_undone(state: State) -> None:
    before, inner = state.here, Frame(SOURCE, "inner")
    with state.within(frame=inner, guards=(PLACE,)):
        assert state.frame is inner
        with state.inside("call"):
            assert state.here.calls == ("call",)
            assert state.frame is inner
    assert state.here is before
    with pytest.raises(ZeroDivisionError), state.within(frame=inner):
        raise ZeroDivisionError
    assert state.here is before


def test_elsewhere_knows_nothing_of_here(state: State) -> None:
    inner = Frame(SOURCE, "other", module=1)

    def read() -> None:
        with state.elsewhere(inner):
            assert state.assumed == {}
            assert state.live
            assert state.here.calls == ()
            state.heap[inner, "x"] = Const(1)
            state.leave("return")
        assert state.live
        state.heap[state.frame, "y"] = Const(1)

    with state.inside("call"):
        state.branch(flag(state, "t"), read)
    assert state.heap[inner, "x"] == Const(1)
    assert state.frame.name == "module"
    state.live = False
    with state.elsewhere(inner):
        assert state.live
    assert not state.live


def test_a_fork_reads_both_arms_and_joins_them(state: State) -> None:
    state.heap[state.frame, "x"] = Const(0)
    test = flag(state, "t")
    state.branch(test, binds(state, "x", 1), binds(state, "y", 2))
    assert worth(state, "x") == Choice(test, Const(1), Const(0))
    assert worth(state, "y") == Const(2)
    assert state.assumed == {}
    assert state.forked == 1


def test_what_both_arms_bind_alike_is_no_choice(state: State) -> None:
    state.branch(flag(state, "t"), binds(state, "x", 1), binds(state, "x", 1))
    assert worth(state, "x") == Const(1)


def test_a_test_goes_one_way_inside_its_arms(state: State) -> None:
    test, met = flag(state, "t"), []

    def inner() -> None:
        state.branch(test, lambda: met.append("then"), lambda: met.append("other"))
        state.branch(negate(test), lambda: met.append("not then"), lambda: met.append("not other"))

    state.branch(test, inner, inner)
    assert met == ["then", "not other", "other", "not then"]
    assert state.forked == 1


@pytest.mark.parametrize("condition", [True, False])
def test_a_known_condition_does_not_fork(state: State, condition: bool) -> None:
    state.branch(condition, binds(state, "x", 1), binds(state, "x", 2))
    assert worth(state, "x") == Const(1 if condition else 2)
    assert state.forked == 0


def test_each_arm_of_two_tests_is_read_once(state: State) -> None:
    met: list[dict[str, bool]] = []

    def note() -> None:
        met.append({key.text: outcome for key, outcome in state.assumed.items() if key.head != "and"})

    state.branch(both(flag(state, "a"), flag(state, "b")), note, note)
    assert met == [{"a": True, "b": True}, {}]
    state.branch(either_of(flag(state, "a"), flag(state, "b")), note, note)
    assert met[2:] == [{"a": False, "b": False}, {}]  # where neither holds comes first: it is what `and` says
    assert state.forked == 2


def test_what_was_assumed_of_two_tests_decides_the_one_once_the_other_is_known(state: State) -> None:
    met: list[str] = []
    one, other = flag(state, "a"), flag(state, "b")

    def inner() -> None:
        state.branch(one, lambda: state.branch(other, lambda: met.append("both"), lambda: met.append("a alone")))
        state.branch(other, lambda: met.append("b"))

    state.branch(both(one, other), lambda: None, inner)
    assert met == ["a alone", "b"]
    assert state.assumed == {}


def test_where_two_tests_hold_is_left_out_once_that_arm_has_left(state: State) -> None:
    met: list[str] = []
    one, other = flag(state, "a"), flag(state, "b")

    def read() -> None:
        state.branch(both(one, other), lambda: state.leave("return"))
        state.branch(other, lambda: state.branch(one, lambda: met.append("both"), lambda: met.append("b alone")))

    state.block(read)
    assert met == ["b alone"]


def test_every_node_of_a_decision_tree_leads_to_either_arm(state: State) -> None:
    one, other = flag(state, "a"), flag(state, "b")
    assert decision(both(one, negate(one))) is False
    assert decision(either_of(both(one, other), both(one, negate(other)))) == Fork(one, True, False)
    state.branch(both(one, both(other, negate(one))), happens(state))
    assert state.out == []


def test_a_choice_by_two_tests_asks_each_of_them(state: State) -> None:
    one, other = flag(state, "a"), flag(state, "b")
    value = state.choice(both(one, other), Const(1), Const(2))
    assert value == Choice(one, Choice(other, Const(1), Const(2)), Const(2))
    assert state.choice(either_of(one, other), Const(1), Const(2)) == Choice(one, Const(1), Choice(other, Const(1), Const(2)))
    known = state.choice(one, Const(1), Const(3))
    assert state.choice(both(one, other), known, Const(2)) == value


def test_arms_of_like_events_are_no_branch(state: State) -> None:
    state.branch(flag(state, "t"), happens(state), happens(state))
    assert [type(part) for part in state.out] == [Seq]
    state.branch(flag(state, "t"), happens(state), happens(state, place=OTHER_PLACE))
    assert [type(part) for part in state.out] == [Seq, Either]


def test_after_an_arm_left_the_other_outcome_holds(state: State) -> None:
    test = flag(state, "t")
    state.heap[state.frame, "x"] = Const(0)

    def leaves() -> None:
        state.heap[state.frame, "x"] = Const(1)
        state.leave("return")

    state.branch(test, leaves)
    assert state.live
    assert state.assumed == {test.key: False}
    assert worth(state, "x") == Const(0)
    state.branch(test, happens(state))
    assert verbs(state.out[-1]) == []


def test_where_both_arms_leave_nothing_goes_on(state: State) -> None:
    state.branch(flag(state, "t"), lambda: state.leave("return"), lambda: state.leave("break"))
    assert not state.live
    happens(state)()
    state.leave("raise")
    assert state.emitted == 0
    (only,) = state.out
    assert isinstance(only, Either)
    assert alike(only.then, Seq((Leave("return"),)))
    assert alike(only.other, Seq((Leave("break"),)))


def test_a_block_keeps_what_it_assumed_to_itself(state: State) -> None:
    test = flag(state, "t")

    def read() -> None:
        happens(state)()
        state.branch(test, lambda: state.leave("return"))

    region = state.block(read)
    assert verbs(region) == ["step"]
    assert state.out == []
    assert state.assumed == {}
    with pytest.raises(ZeroDivisionError):
        state.block(lambda: 1 / 0)
    assert state.out == []


def test_under_a_path_condition(state: State) -> None:
    first, second = flag(state, "a"), flag(state, "b")
    assumed = {first.key: True, second.key: False}
    met: list[dict[str, bool]] = []

    def run() -> None:
        met.append({key.text: outcome for key, outcome in state.assumed.items()})

    state.under(assumed, run)  # type: ignore[arg-type]
    assert met == [{"a": True, "b": False}]
    state.assumed[first.key] = False  # type: ignore[index]
    state.under(assumed, run)  # type: ignore[arg-type]
    assert len(met) == 1
    state.assumed.clear()
    state.live = False
    state.under({}, run)
    assert len(met) == 1


def test_each_arm_of_a_choice_is_used_under_its_test(state: State) -> None:
    test = flag(state, "t")
    value = state.choice(test, Const(1), Const(2))
    used = state.each(value, lambda one: Const((one.value, state.assumed[test.key])))  # type: ignore[union-attr, index]
    assert used == Choice(test, Const((1, True)), Const((2, False)))
    state.assumed[test.key] = False  # type: ignore[index]
    assert state.each(value, lambda one: one) == Const(2)


def test_choices_are_as_simple_as_they_can_be(state: State) -> None:
    test, other = flag(state, "t"), flag(state, "u")
    assert state.choice(test, Const(1), Const(1)) == Const(1)
    inner = state.choice(test, Const(1), Const(2))
    assert state.choice(test, inner, Const(3)) == Choice(test, Const(1), Const(3))
    assert state.choice(test, Const(3), inner) == Choice(test, Const(3), Const(2))
    assert state.choice(other, inner, Const(3)) == Choice(other, inner, Const(3))
    one, two = Tensor(name("x"), frozenset([MODEL])), Tensor(name("y")).made("divided", Const(2))
    assert state.choice(test, one, two, "x") == one.merged(two).doubted("x")  # of which one has a graph
    three = Tensor(name("z"), frozenset([MODEL]))
    assert state.choice(test, one, three) == one.merged(three)
    scaled = Tensor(name("x"), scaler=Symbol(name("s")))
    assert state.choice(test, scaled, two) == Choice(test, scaled, two)


def test_a_value_depends_on_so_many_tests(state: State) -> None:
    value: object = Const(0)
    for at in range(DEEPEST_CHOICE):
        value = state.choice(flag(state, f"t{at}"), value, Const(at + 1))  # type: ignore[arg-type]
    assert isinstance(value, Choice)
    deeper = state.choice(flag(state, "last"), value, Const(-1), "x")
    assert isinstance(deeper, Symbol)
    assert deeper.name == "x"


def one_of_many(state: State, kind: str, default: bool = False) -> Symbol:
    """An object that one test after the other decides; default: the last was made before any of them."""
    tests = [f"t{at}" for at in range(DEEPEST_CHOICE + 1)]
    made = state.emit("build", [], PLACE)
    below = [Role(kind, "", built=made, under={**dict.fromkeys(tests[:at], False), test: True}) for at, test in enumerate(tests)]
    value: Value = Object(Role(kind, "", built=made, under={} if default else dict.fromkeys(tests, False)))
    for test, role in zip(reversed(tests), reversed(below), strict=True):
        value = state.choice(flag(state, test), Object(role), value)
    assert isinstance(value, Symbol)
    return value


def test_an_event_on_an_object_in_place_of_many_is_on_each(state: State) -> None:
    """Unless a run makes two of them, one has parts of its own, or a value in place of many is asked for."""
    values = one_of_many(state, "optimizer"), one_of_many(state, "optimizer", default=True), one_of_many(state, "model")
    found = [state.emit("escape", roles_in(value), PLACE).also for value in values]
    assert [len(also) for also in found] == [DEEPEST_CHOICE + 2, 0, 0]


def test_how_many_alternatives_an_object_in_place_of_many_is_one_of(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    for most, told in ((DEEPEST_CHOICE + 2, DEEPEST_CHOICE + 2), (DEEPEST_CHOICE + 1, 0)):
        monkeypatch.setattr("loopcheck.read.domain.state.MOST_ALTERNATIVES", most)
        assert len(state.emit("escape", roles_in(one_of_many(state, "optimizer")), PLACE).also) == told


def test_a_test_of_a_value_in_place_of_many_may_tell_alternatives_apart(state: State) -> None:
    """One of the object itself does not: it only says that there is one."""
    told: Value = Const(0)
    for at in range(DEEPEST_CHOICE + 1):
        told = state.choice(flag(state, f"t{at}"), Const(at + 1), told)
    many = one_of_many(state, "optimizer")
    assert isinstance(told, Symbol)
    assert many.role is not None
    for asked, known in ((told, False), (many, True)):
        region = state.block(
            partial(state.branch, state.test(asked.term, asked.names), partial(state.emit, "step", [many.role], PLACE))
        )
        assert [bool(each.also) for each in events(region)] == [known]


def test_a_choice_holds_so_many_values(state: State) -> None:
    half = Items((Const(0),) * (MOST_PARTS // 2 - 1))
    by_key = Items(half.values, tuple(range(len(half.values))))
    assert isinstance(state.choice(flag(state, "t"), half, by_key), Choice)
    assert isinstance(state.choice(flag(state, "t"), half, Items((*half.values, Const(1)))), Symbol)


def test_of_two_lists_of_one_length_each_place_is_a_choice(state: State) -> None:
    """Where one holds objects. Of others, of lists of lists, of outputs, and of dictionaries, the whole is."""
    test, held = flag(state, "t"), Object(Role("optimizer", ""))
    one, other = Items((held, Const(1))), Items((held, Const(2)))
    assert state.choice(test, one, other) == Items((held, state.choice(test, Const(1), Const(2))))
    assert isinstance(state.choice(test, Items((Const(0), Const(1))), Items((Const(0), Const(2)))), Choice)
    assert isinstance(state.choice(test, one, Items(other.values[1:])), Choice)
    assert isinstance(state.choice(test, one, Items((one, Const(1)))), Choice)
    assert isinstance(state.choice(test, one, Items((Tensor(Term("output", 0)), Const(1)))), Choice)
    assert isinstance(state.choice(test, one, Items(other.values, ("a", "b"))), Choice)
    assert isinstance(state.choice(test, Items(one.values, ("a", "b")), Items(other.values, ("a", "b"))), Choice)


def test_equal_terms_are_one_symbol_and_one_test(state: State) -> None:
    assert state.symbol(name("x")) is state.symbol(name("x"))
    assert state.symbol(name("x"), [name("loop")]).names == {name("loop")}
    assert flag(state, "t") is flag(state, "t")
    assert state.fresh("x") is not state.fresh("x")
    assert state.fresh("x").term is not state.fresh("x").term


def test_a_test_of_a_counter_is_one(state: State) -> None:
    counter = state.fresh("i", counter=True)
    assert state.test(Term("%", counter.term, name("k")), counter.names).counter
    assert not flag(state, "t").counter


def test_an_event_has_its_call_string(state: State) -> None:
    call = Entered(SOURCE, PLACE)
    with state.inside(call):
        first = state.emit("step", [OPTIMIZER], PLACE)
    second = state.emit("step", [OPTIMIZER, OPTIMIZER], PLACE)
    assert first.at != second.at
    assert first.at.place is second.at.place
    assert second.on == (OPTIMIZER,)
    assert second.at == state.emit("step", [OPTIMIZER], PLACE).at


@pytest.mark.parametrize(("verb", "facts"), [("stp", {}), ("step", {"scald": True})])
def test_the_glossary_is_kept_to(state: State, verb: str, facts: dict[str, bool]) -> None:
    with pytest.raises(TypeError, match="glossary"):
        state.emit(verb, [OPTIMIZER], PLACE, facts)


def test_an_unknown_fact_is_absent(state: State) -> None:
    event: Event = state.emit("step", [OPTIMIZER], PLACE, {"scaled": None, "closure": False})
    assert event.facts == {"closure": False}


@pytest.mark.parametrize(
    ("computed", "found"),
    [
        (Term("*", name("x"), constant(2)), True),
        (Term("call", Term("attribute", name("x"), "sum")), True),
        (Term("call", Term("attribute", Term("*", name("x"), constant(2)), "item")), False),
        (Term("-", Term("call", Term("attribute", name("x"), "detach")), name("x")), True),
    ],
)
def test_what_is_computed_of_a_tensor_that_is_trained_by_itself(state: State, computed: Term, found: bool) -> None:
    """Its numbers are not: they have no graph."""
    state.trained[name("x")] = MODEL
    assert trained_by_itself(state, Symbol(computed)) == ({MODEL} if found else frozenset())
