"""Loops and comprehensions: their variables, the passes that they are, and what one pass leaves to the next (havoc)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce

from loopcheck import words as kinds
from loopcheck.loop import Leave, Region, Repeat, Role, Seq, Told, tests
from loopcheck.read.domain.conditions import Condition
from loopcheck.read.domain.counting import literal
from loopcheck.read.domain.counts import number, remainder
from loopcheck.read.domain.filenames import is_path
from loopcheck.read.domain.generators import is_spent, spend
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.here import Landing, Pass, Way
from loopcheck.read.domain.jumps import fall, joined_ways, landing
from loopcheck.read.domain.modes import forget_modes
from loopcheck.read.domain.parts import keys_of, leaves_of, names_of, parts_of, role_of, tensor_in, term_of
from loopcheck.read.domain.terms import LONGEST, Term, constant
from loopcheck.read.domain.values import (
    NO_ARGUMENTS,
    NONE,
    UNKNOWN_PARAMS,
    Bound,
    Choice,
    Const,
    Function,
    Grad,
    Instance,
    Items,
    Object,
    Params,
    Stream,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.bound import targets_of
from loopcheck.read.interpret.alike import done_to_all, is_done_to
from loopcheck.read.interpret.batches import batches, begin, exhausted, whole
from loopcheck.read.interpret.binding import assign, last_name
from loopcheck.read.interpret.budget import MOST_CLAUSES, MOST_KEYS, MOST_UNROLLED
from loopcheck.read.interpret.conditions import condition
from loopcheck.read.interpret.havoc import carry, havoc, may_switch
from loopcheck.read.interpret.lengths import tell_lengths
from loopcheck.read.interpret.lineage import method_of
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.interpret.members import begun_from, is_repeated, is_some, some_of
from loopcheck.read.interpret.names import lookup
from loopcheck.read.interpret.operators import comparison, gathered, outcome
from loopcheck.read.interpret.rates import of_group
from loopcheck.read.objects.evidence import uses_of
from loopcheck.read.objects.passes import hand_out, settle_pass
from loopcheck.read.vocabulary import mode_of


def for_each(m: Machine, node: ir.For) -> None:
    _for_each(m, node, _handed_out(_begun_by_hand(m, node, m.evaluate(node.iterable))))


def _begun_by_hand(m: Machine, node: ir.For, iterable: Value) -> Value:
    """What an object of the project hands out, where its `__iter__` is a generator: that is run as if it were called by name."""
    if isinstance(iterable, Instance) and iterable.role is None:
        method = method_of(m, iterable.cls, "__iter__", iterable)
        if isinstance(method, Function) and method.frame.source.index.of(method.code).yields:
            return m.invoke(node, method, NO_ARGUMENTS)
    return iterable


def _handed_out(iterable: Value) -> Value:
    """What a loop over a value runs over: of a dict, its keys."""
    return Items(keys_of(iterable)) if isinstance(iterable, Items) and iterable.keys else iterable


def _for_each(m: Machine, node: ir.For, iterable: Value) -> None:
    iterable = m.state.settled(iterable)
    _note_entries(m, node)
    if isinstance(iterable, Choice) and _all_unrollable(node, iterable):
        then, other = iterable.then, iterable.other
        m.state.branch(iterable.test, lambda: _arm(m, node, then), lambda: _arm(m, node, other))
        return
    if isinstance(iterable, Items) and _unrollable(node, iterable) and m.budget.allows(len(iterable.values)):
        with m.budget.unrolled(len(iterable.values)):
            for index, value in enumerate(iterable.values):
                with m.state.inside((node, index)):
                    assign(m, node.target, value)
                    m.execute(node.body)
        m.execute(node.orelse)
        return
    if (asked := _has_passes(m, node.iterable)) is not None:
        m.state.branch(asked, lambda: _each_pass(m, node, iterable))
    else:
        _each_pass(m, node, iterable)


def _note_entries(m: Machine, node: ir.For) -> None:
    """What the entries of a dictionary are, by what that is called: `for name, value in losses.items()`."""
    match node:
        case ir.For(
            target=ir.Sequence(elements=(_, ir.Name(name=name))), iterable=ir.Call(function=ir.Attribute(base=base, name="items"))
        ):
            m.state.frame.written[name] = m.code(base)
            m.state.frame.parted.discard(name)


def _arm(m: Machine, node: ir.For, iterable: Value) -> None:
    """The loop over what it is over on one way: nothing, where nothing was put into the list on that."""
    if iterable == Items(()):
        m.execute(node.orelse)
    else:
        _for_each(m, node, iterable)


def _has_passes(m: Machine, counts: ir.Expression) -> Condition | None:
    """Whether `range(n)` has passes, where the program asks for it besides, `if n > 0: …`: what stands under that test and in the
    loop happens together, or not at all."""
    match counts:
        case ir.Call(function=ir.Name(name="range"), arguments=(ir.Argument(value=number, star=""),)):
            value = m.evaluate(number)
        case _:
            return None
    if not isinstance(value, Symbol) or Term(">", value.term, Term("constant", constant(0))) not in m.state.conditions:
        return None
    return comparison(m.state, value, ">", Const(0))


def _each_pass(m: Machine, node: ir.For, iterable: Value) -> None:
    written = _chosen(m, node.iterable)
    turn = _pass(m, node, node.target, iterable, written)
    containers = _containers(node.target, iterable)
    at_once = any(done_to_all(node.body, name) for name in containers)
    each_object = at_once or _over_objects(m, node.target, iterable)

    def once() -> None:
        _bind_element(m, turn, node.target, iterable, each_object, at_once)
        m.execute(node.body)

    _loop(m, node.body, turn, once, each_object, node.orelse, layers=containers)


def as_long_as(m: Machine, node: ir.While) -> None:
    if isinstance(node.test, ir.Literal) and not node.test.value:
        m.execute(node.orelse)
        return

    def once() -> None:
        m.evaluate(node.test)
        m.execute(node.body)

    endless = isinstance(node.test, ir.Literal)
    _loop(m, node.body, Pass(node, m.code(node.test), _function(m), _code(m)), once, orelse=node.orelse, endless=endless)


def comprehension(m: Machine, node: ir.Comprehension) -> Value:
    clause = node.clauses[0]
    inner = _inner_comprehension(node)
    iterable = _handed_out(m.evaluate(clause.iterable))
    asks_mode = all(any(mode_of("model", name) for name in ir.identifiers(test)) for test in clause.tests)
    if isinstance(iterable, Items) and 0 < len(iterable.values) <= MOST_UNROLLED and asks_mode and iterable.keys is None:
        keys, values = [], []
        for index, value in enumerate(iterable.values):
            with m.state.inside((node, index)):
                assign(m, clause.target, value)
                if all(condition(m, test) is not False for test in clause.tests):  # of a mode not known, as if it were train mode
                    keys.append(NONE if node.key is None or inner else m.evaluate(node.key))
                    values.append(m.evaluate(inner or node.element))
        if inner:
            return _one_after_another(m, values) if node.key is None else m.state.fresh("dict")
        if node.key is None:
            return gathered(m.state, tuple(values))
        named: list[object] = [key.value for key in keys if isinstance(key, Const) and isinstance(key.value, str)]
        known = named or [key for key in keys if isinstance(key, (Object, Instance))]  # numbers are data
        return gathered(m.state, tuple(values), tuple(known)) if len({*known}) == len(keys) else m.state.fresh("dict")
    keys, made = [], []
    turn = _pass(m, node, clause.target, iterable, clause.iterable)
    whole = not clause.tests and len(node.clauses) == 1
    at_once = whole and any(is_done_to(node.element, name) for name in _containers(clause.target, iterable))

    def once() -> None:
        _bind_element(m, turn, clause.target, iterable, at_once=at_once)
        for test in clause.tests:
            m.evaluate(test)
        if node.key is not None and not inner:
            keys.append(m.evaluate(node.key))
        made.append(m.evaluate(inner or node.element))

    _loop(m, (), turn, once, each_object=at_once or isinstance(iterable, Params))
    if len(keys) == 1 and isinstance(keys[0], Symbol) and role_of(keys[0]):
        return gathered(m.state, tuple(made), tuple(keys))  # each that the loop hands out has one like this
    return iterable if _same_tensors(node, iterable) else _gathered(m, node, made[0])


@lru_cache(maxsize=1 << 12)
def _inner_comprehension(node: ir.Comprehension) -> ir.Comprehension | None:
    """What each pass over the first clause hands on, where there are more: `[p for p in net.parameters()]` of
    `[p for net in nets for p in net.parameters()]`.
    """
    inner = node.clauses[1:MOST_CLAUSES]
    return ir.Comprehension(node.span, node.element, inner, node.key) if inner else None


def _one_after_another(m: Machine, lists: Sequence[Value]) -> Value:
    """The elements of several lists, as one list."""
    params = [each for each in lists if isinstance(each, Params)]
    if params and len(params) == len(lists):
        return reduce(Params.merged, params)
    parts = [each.values for each in lists if isinstance(each, Items) and each.keys is None]
    return gathered(m.state, sum(parts, ()) if len(parts) == len(lists) else tuple(lists))


def _same_tensors(node: ir.Comprehension, iterable: Value) -> bool:
    """Whether it is a dictionary of the very tensors of a state, `{k: v for k, v in model.state_dict().items()}`, or the pairs
    to make one of.
    """
    role, target, element = role_of(iterable), node.clauses[0].target, node.element
    if role is None or role.kind != "state" or not isinstance(target, ir.Sequence) or node.clauses[1:]:
        return False
    if node.key is None:
        if not isinstance(element, ir.Sequence):
            return False  # a list of the tensors alone is no state
        element = element.elements[-1]
    value = target.elements[-1]
    return isinstance(value, ir.Name) and _of_same_memory(element, value.name)


def _of_same_memory(node: ir.Expression, name: str) -> bool:
    """Whether it is a tensor of this name, or another one of the same memory."""
    match node:
        case ir.Attribute(base=base, name="data") | ir.Call(function=ir.Attribute(base=base, name="detach")):
            return _of_same_memory(base, name)
        case _:
            return isinstance(node, ir.Name) and node.name == name


def _gathered(m: Machine, node: ir.Comprehension, element: Value) -> Value:
    """What a comprehension over values like this is worth."""
    if isinstance(element, Grad):
        return element
    if isinstance(element, Params):
        tests = node.clauses[0].tests
        if any("requires_grad" in ir.identifiers(test) for test in tests):
            m.state.stilled.update(element.models)
        split = any("requires_grad" not in ir.identifiers(each) for test in tests for each in _conjuncts(test))
        taken = Params(element.models, element.whole and not split, split or element.grouped, element.open)
        return replace(taken, trainable=bool(tests) and not split)
    return tensor_in(element) or (element if role_of(element) else m.state.fresh("list"))


def _conjuncts(test: ir.Expression) -> list[ir.Expression]:
    """What must all hold where a test does."""
    if isinstance(test, ir.Logical) and test.word == "and":
        return [*_conjuncts(test.left), *_conjuncts(test.right)]
    return [test]


# the pass that a loop is


def _pass(m: Machine, node: ir.Place, target: ir.Expression, iterable: Value, written: ir.Expression) -> Pass:
    """A loop before its body is read; where it runs over a loader, that pass begins here."""
    empty = is_spent(m.state, iterable)
    spent = spend(m.state, iterable)
    counts = iterable if isinstance(iterable, Stream) and iterable.counts else None
    counter = target.name if counts and isinstance(target, ir.Name) else ""
    bound = counts.bound if counts and counts.start == 0 else ""  # so many passes
    begun = begin(m, node, iterable, m.code(_inner(written)))
    ends = begun if whole(m.state.settled(iterable)) else []
    taken = batches(m, ends)
    end = counts.end if bound and counts else None
    around = _over(m, written), _function(m), _code(m)
    return Pass(node, *around, counter, bound, begun, exhausts=ends[:], batches=taken, end=end, spent=spent, empty=empty)


def _chosen(m: Machine, node: ir.Expression) -> ir.Expression:
    """Of `train_loader if train else val_loader` the one that is meant, where that is known."""
    if isinstance(node, ir.Conditional) and not any(isinstance(each, ir.Call) for each in ir.walk(node.test)):
        found: Condition = condition(m, node.test)
        if isinstance(found, bool):
            return _chosen(m, node.then if found else node.other)
    return node


def _inner(node: ir.Expression) -> ir.Expression:
    """What is iterated, without tqdm, enumerate and their like."""
    while isinstance(node, ir.Call) and node.arguments and last_name(node.function) in kinds.ITERATORS:
        node = node.arguments[0].value
    return node


def _function(m: Machine) -> str:
    """The name of the function around; of a unit test, which holds nothing out, none."""
    frame = m.state.frame
    return "" if kinds.is_unit_test(frame.name, frame.source.path) else frame.name


def _code(m: Machine) -> Hashable:
    """The code around, whoever called it."""
    return m.state.frame.source.path, m.active[-1].code if m.active else None


def _over(m: Machine, iterable: ir.Expression) -> str:
    """What a loop runs over, as written, with the words that its variables stand for: `loaders[phase]` and `val`."""
    names = _variables(iterable)
    values = [m.state.settled(lookup(m, name)) for name in names]
    told = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
    written = {name: text for name, text in m.state.frame.written.items() if name != "self"}
    own = " ".join([*m.code(iterable).split(), *told])
    return "\n".join([own, *(written[name] for name in names if name in written)])


@lru_cache(maxsize=4096)
def _variables(node: ir.Expression) -> tuple[str, ...]:
    """The names in an expression that are no constants or classes."""
    return tuple(each.name for each in ir.walk(node) if isinstance(each, ir.Name) and re.match(r"[a-z_]", each.name))


def _over_objects(m: Machine, target: ir.Expression, iterable: Value) -> bool:
    """A loop over objects: each has its body done to it once, however many there are."""
    if not isinstance(target, ir.Name):
        return False
    if kinds.words(target.name) & (kinds.OPTIMIZER | kinds.SCALER):
        return True
    kind = kinds.of_use(target.name, uses_of(m.state, target.name))
    return (kind is not None and kind[0] in ("optimizer", "scheduler", "scaler")) or (
        _element(iterable) is not None and not is_repeated(iterable)
    )


# one pass


def _loop(
    m: Machine,
    body: ir.Block,
    turn: Pass,
    once: Callable[[], None],
    each_object: bool = False,
    orelse: ir.Block = (),
    endless: bool = False,
    layers: Collection[str] = (),
) -> None:
    """Read a loop. once: reads a pass of it. orelse: what comes after its end, unless it is broken off. layers: the variables
    that it binds to parts of a model."""
    state = m.state
    first = turn.first = len(state.made)
    turn.arm = state.here.arm
    label = state.new("loop")
    switches = may_switch(m, body, layers)
    turn.variables = havoc(m, body)
    carry(m, body)
    if switches:
        forget_modes(state)
    around = state.here.passes
    leads = landing(state, once=each_object)
    jumps = leaves_loop(body)

    def to_its_end() -> None:
        once()
        if state.live:
            fall(state, leads)

    with state.within(loops=state.here.loops | {label}, passes=(*around, turn), guards=(), landing=leads):
        if jumps:
            with state.heap.arm({}):
                region = state.block(to_its_end)
        else:
            region = state.block(once)
    state.live = True
    over = _landed(m, leads, lambda: exhausted(m, turn, region), orelse, endless) if jumps else exhausted(m, turn, region)
    if switches:
        forget_modes(state)
    turn.leaves = {key: state.heap.get(key) for key in turn.variables}
    for event, begun in turn.asked:
        event.also = tuple(_states_left(m, turn, begun))
    turn.through = _through(m, turn)
    if around:
        around[-1].inner.append(turn)
    if not each_object:
        turn.binds = frozenset(state.made[first:]).difference(*turn.through.values())
        given = frozenset(turn.given if turn.count is None else (*turn.given, turn.count))
        brings, of_one = tuple(_brings(m, turn, region)), tuple(_windows_of_one(region))
        tells, begins = (*_tells(turn, region), *of_one), (*_begins(m, turn, region), *of_one)
        passes = Seq((region, Leave("break"))) if _has_one_pass(turn) and not jumps else region
        state.out.append(Repeat(passes, turn.binds | turn.running, state.site(turn.node), over, given, brings, tells, begins))
        state.unread |= settle_pass(turn, region, around, state.held_out.keys())
        tell_lengths(m, turn, region, around)
    else:
        state.out.append(Repeat(Seq((region, Leave("break"))), at=state.site(turn.node)) if jumps else region)
        hand_out(turn, around)
    if not leads.broken:
        m.execute(orelse)


def _states_left(m: Machine, turn: Pass, begun: Term) -> Iterator[Role]:
    """The states that a pass leaves in a variable, of which none takes others' place."""
    left = next(turn.leaves[key] for key, term in turn.variables.items() if term is begun)
    for leaf in () if left is None else leaves_of(left):
        for part in parts_of(leaf):
            role = role_of(part)
            if role is not None and role.kind == "state" and not m.state.kept.get(role, {}).get("mixed"):
                yield role


def _landed(m: Machine, at: Landing, exhaust: Callable[[], Region], orelse: ir.Block, endless: bool) -> Region:
    """Go on after a loop that jumps may have left; what comes of it where it is not broken off."""
    state = m.state
    end = joined_ways(state, at.ended)
    if not at.broken:
        state.take(end)
        return exhaust()
    after: dict[Key, Value | None] = {}
    with state.heap.arm(after):
        state.take(end)
        over = Seq((exhaust(), state.block(lambda: m.execute(orelse))))
    through = state.live and not endless
    state.live = True
    state.take(joined_ways(state, [*at.broken, Way((), after)] if through else at.broken, end))
    return over


def _through(m: Machine, turn: Pass) -> dict[Key, frozenset[Term]]:
    """Of each variable that one loop in the body alone binds, what it is there: where that begins again, it goes on."""
    state = m.state
    found: dict[Key, frozenset[Term]] = {}
    for inner in turn.inner:
        for key, begun in inner.variables.items():
            entered = state.entered.get(begun)
            begins = isinstance(entered, Symbol) and entered.term is turn.variables.get(key)
            if begins and turn.leaves[key] == inner.leaves[key]:
                terms = {begun, *inner.through.get(key, ())}
                for each in state.made[inner.first :]:
                    if state.before.get(each) in terms:
                        terms.add(each)
                found[key] = frozenset(terms)
    return found


def _brings(m: Machine, turn: Pass, region: Region) -> Iterator[tuple[Term, Term]]:
    """What a pass says of the next one's tests by what it makes of a variable: a count that goes on, or begins again at a number.

    Where it begins again under a test, `if n == k: n = 0`, that alone says whether it is that number, and one more once counted.
    """
    keys = (test.key for test in tests(region)) if turn.variables else ()
    asked = {key for key in keys if isinstance(key, Term) and key.size < LONGEST}
    for variable, begun in turn.variables.items():
        match turn.leaves[variable]:
            case Symbol(term=counted) if _follows(m, counted, begun):
                pairs = [(each.replaced(begun, counted), each) for each in asked]
            case Choice(test, anew, Symbol(term=counted)) if _follows(m, counted, begun):
                start, key = literal(m.state, anew), test.key
                if start is None or not isinstance(key, Term):
                    continue
                pairs = [(key, Term("==", number, _number(value))) for number, value in ((begun, start), (counted, start + 1))]
                if start == 0 and (window := remainder(key)) and window[2] is _number(0):
                    pairs.append((key, key.replaced(counted, begun)))
            case _:
                continue
        yield from ((test, other) for test, other in pairs if test is not other and asked.issuperset((test, other)))


def _tells(turn: Pass, region: Region) -> Iterator[Told]:
    """What a pass says of the next one by the flags that it sets, `first = False`: by what the flag was, and where that does not
    decide it, or is forgotten, by the tests that lead to what it is then."""
    for begun, value in _flags(turn, region):
        for was in (None, True, False):
            own = () if was is None else ((begun, was),)
            left = _left(value, begun, was)
            yield from (((*own, *outcomes), begun, is_then) for outcomes, is_then in left if is_then is not None)


def _begins(m: Machine, turn: Pass, region: Region) -> Iterator[Told]:
    """What the flags that a loop sets are on its first pass."""
    for begun, _ in _flags(turn, region):
        entered = m.state.entered[begun]
        yield from ((outcomes, begun, is_then) for outcomes, is_then in _left(entered, begun, None) if is_then is not None)
        if isinstance(entered, Symbol):
            yield from ((((entered.term, holds),), begun, holds) for holds in (True, False))
    yield from _begins_within(m, turn, region)


def _windows_of_one(region: Region) -> Iterator[Told]:
    """What counts of a window come to where another test says that it has one pass, `k == 1`: each number is divisible by one."""
    asked = dict.fromkeys(test.key for test in tests(region))
    for key in asked:
        if isinstance(key, Term) and (window := remainder(key)):
            ones = (Term(head, window[1], _number(1)) for head in ("==", "<="))
            yield from ((((one, True),), key, window[2] is _number(0)) for one in ones if one in asked)


def _begins_within(m: Machine, turn: Pass, region: Region) -> Iterator[Told]:
    """What the tests of a loop inside come to where it begins for the first time, of variables that go on from there: on the
    first of all its passes, `global_step > 0` does not hold."""
    asked = {test.key for test in tests(region)} if turn.through else ()
    for variable in turn.through:
        value = m.state.entered.get(turn.variables[variable], NONE)
        if (number := literal(m.state, value)) is not None:
            value = Const(number)
        for begun, key in itertools.product(_begun_within(turn, variable), asked):
            if (holds := outcome(key, begun, value)) is not None:
                yield (), key, holds


def _begun_within(turn: Pass, variable: Key) -> Iterator[Term]:
    """What a variable is where a pass of a loop inside begins."""
    for inner in turn.inner:
        if variable in inner.variables:
            yield inner.variables[variable]
            yield from _begun_within(inner, variable)


def _flags(turn: Pass, region: Region) -> Iterator[tuple[Term, Value]]:
    """The variables that a loop sets and asks for: what each is where a pass begins, and where it ends."""
    asked = {test.key for test in tests(region)} if turn.variables else ()
    for variable, begun in turn.variables.items():
        left = turn.leaves[variable]
        if begun in asked and left is not None:
            yield begun, left


def _left(value: Value, begun: Term, was: bool | None) -> list[tuple[tuple[tuple[Hashable, bool], ...], bool | None]]:
    """Whether a flag is set where a pass leaves it, on each way, with the outcomes of the tests that lead there.

    was: whether it was set where the pass began. That, as what it is then, is None where it is not known.
    """
    match value:
        case Const(value=held):
            return [((), bool(held))]
        case Choice(test=test) if test.key is begun and was is not None:
            return _left(value.then if was else value.other, begun, was)
        case Choice(test=test) if test.key is begun:
            either = [_left(value.then, begun, True), _left(value.other, begun, False)]
            return either[0] if either[0] == either[1] else [((), None)]
        case Choice(test=test, then=then, other=other):
            arms = (True, _left(then, begun, was)), (False, _left(other, begun, was))
            found = [(((test.key, outcome), *outcomes), is_then) for outcome, arm in arms for outcomes, is_then in arm]
            return [((), found[0][1])] if len({is_then for _, is_then in found}) == 1 else found
        case _:
            return [((), was if term_of(value) is begun else None)]


def _follows(m: Machine, counted: Term, begun: Term) -> bool:
    """Whether a number is the next after another, by `n += 1` or by `n = n + 1`."""
    return m.state.before.get(counted) is begun or counted is Term("+", begun, _number(1))


def _has_one_pass(turn: Pass) -> bool:
    """Whether a loop counts to one, `for epoch in range(1)`: nothing in it comes round again.

    It is asked of one that no jump leaves: to break off at its end would keep a pass that is left early, and its `else`, from it.
    """
    end = None if turn.end is None else number(turn.end)
    return end is not None and turn.start is not None and end - turn.start == 1


def _number(value: int) -> Term:
    return term_of(Const(value))


def _bind_element(
    m: Machine, turn: Pass, target: ir.Expression, iterable: Value, each_object: bool = False, at_once: bool = False
) -> None:
    """The values of a loop's variables on one pass; of objects in an unknown collection, one that stands for them all.

    at_once: what is done to each model is done to what holds them.
    """
    state = m.state
    pair = target.elements if isinstance(target, ir.Sequence) and len(target.elements) == 2 else None
    containers, columns = _containers(target, iterable), _columns(m, target, iterable)
    while isinstance(iterable, Stream) and iterable.of:
        if iterable.numbered and pair:
            _count(m, turn, pair[0], iterable)
            target, pair = pair[1], None
        iterable = state.settled(iterable.of[0]) if len(iterable.of) == 1 else NONE
    element = _element(iterable)
    if turn.spent and isinstance(element, Params) and isinstance(iterable, Params):
        element = replace(element, once=iterable.once)
    if isinstance(element, Params) and isinstance(target, ir.Sequence) and len(target.elements) == 2:
        target = target.elements[1]  # named_parameters()
    if element is not None:
        assign(m, target, element)
    elif isinstance(iterable, Stream):
        _count(m, turn, target, iterable)
    else:
        for each in targets_of(target):
            if isinstance(each, ir.Name) and each.name in columns:
                assign(m, each, columns[each.name])
                continue
            if at_once and isinstance(each, ir.Name) and each.name in containers:
                assign(m, each, containers[each.name])
                continue
            if each_object and isinstance(iterable, Symbol):
                assign(m, each, state.symbol(Term("each", iterable.term), names_of(iterable)))
                continue
            given = state.fresh(f"{state.frame.name}.{last_name(each)}")
            turn.given.add(given.term)
            of_group(m, given, iterable)
            whole = containers.get(each.name) if isinstance(each, ir.Name) else None
            whole = iterable if whole is None and is_some(m, iterable) else whole
            assign(m, each, given if whole is None else some_of(m, given, whole))


def _containers(target: ir.Expression, iterable: Value) -> dict[str, Value]:
    """The containers of models that a loop's variables take their values from."""
    match target, iterable:
        case ir.Name(name=name), Object(Role(kind="model")) | Instance(role=Role(kind="model")):
            return {name: iterable}
        case ir.Sequence(elements=(_, inner)), Stream((of,), numbered=True):
            return _containers(inner, of)
        case ir.Sequence(elements=elements), Stream(of) if len(of) == len(elements):
            found = [_containers(each, one) for each, one in zip(elements, of, strict=True)]
            return dict(pair for each in found for pair in each.items())
        case _, Stream((of,), numbered=False):
            return _containers(target, of)
        case ir.Name(name=name), Choice():  # a layer of one or the other: none of them is the whole
            return {name: iterable} if all(_containers(target, each) for each in leaves_of(iterable)) else {}
        case _:
            return {}


def _columns(m: Machine, target: ir.Expression, iterable: Value) -> dict[str, Value]:
    """The gradients among what a loop's variables take from several values at once: `for sum, grad in zip(sums, gradients)`."""
    match target, iterable:
        case ir.Sequence(elements=(_, inner)), Stream((of,), numbered=True):
            return _columns(m, inner, of)
        case ir.Sequence(elements=elements), Stream(of) if len(of) == len(elements):
            pairs = zip(elements, map(m.state.settled, of), strict=True)
            return {each.name: one for each, one in pairs if isinstance(each, ir.Name) and isinstance(one, Grad)}
        case _:
            return {}


def _count(m: Machine, turn: Pass, target: ir.Expression, counted: Stream) -> None:
    counter, start = m.state.fresh(f"{m.state.frame.name}.{last_name(target)}", counter=True), counted.start
    if start is None and counted.first is not None:
        m.state.entered[counter.term] = counted.first
        begun_from(m, counted.first)
        start = 0 if any(each == Const(0) for each in leaves_of(counted.first)) else None  # of the run that goes on from no other
    if start is not None:
        m.state.begins.update(dict.fromkeys(counter.names, start))
    if counted.rises:
        m.state.least[counter.term] = 0 if start is None else start  # nobody counts up from below 0 by an option
    turn.count, turn.start = counter.term, counted.start
    turn.number = target.name if isinstance(target, ir.Name) else ""
    assign(m, target, counter)


def _element(iterable: Value) -> Value | None:
    """What each of the elements is worth, where they are all alike."""
    if isinstance(iterable, Choice):
        leaves = list(leaves_of(iterable))
        params = [each for each in map(_element, leaves) if isinstance(each, Params)]
        unknown = [UNKNOWN_PARAMS for leaf in leaves if isinstance(leaf, Symbol) and leaf.role is None]
        told = params and len(params) + len(unknown) == len(leaves)
        return reduce(Params.merged, [*params, *unknown]) if told else None
    match iterable:
        case Params():
            return replace(iterable, once=None, each=True)
        case Grad() | Tensor():
            return iterable
        case Object(Role(kind=kind)) if kind not in ("loader", "model"):
            return iterable
        case Items(values) if values and all(isinstance(value, Params) or role_of(value) for value in values):
            return values[0] if len(values) == 1 or is_repeated(iterable) else None
        case _:
            return None


def _all_unrollable(node: ir.For, iterable: Choice) -> bool:
    """Whether whichever list a loop is over is worth passes of its own, or has none, for nothing was appended on such a pass: by
    settings alone nobody would loop over nothing."""
    filled = [leaf for leaf in leaves_of(iterable) if not (iterable.test.counter and leaf == Items(()))]
    return bool(filled) and all(isinstance(leaf, Items) and _unrollable(node, leaf) for leaf in filled)


def _unrollable(node: ir.For, iterable: Items) -> bool:
    """Whether a loop is over so few known objects that each is worth a pass of its own."""
    of_keys = all(isinstance(value, Const) for value in iterable.values)
    most = MOST_KEYS if of_keys else MOST_UNROLLED
    if not 0 < len(iterable.values) <= most or iterable.keys is not None or is_repeated(iterable):
        return False
    among = any(role_of(value) for value in iterable.values)  # `vars(self).values()`: beside networks, numbers that it has
    worth = all(
        (among and isinstance(value, Const))
        or _is_object(value)
        or isinstance(value, (Function, Instance, Params, Items))
        or (isinstance(value, Bound) and role_of(value.base) is not None)
        or (isinstance(value, Symbol) and (value.term.head == "copy" or is_path(value.term)))
        or (isinstance(value, Const) and isinstance(value.value, str) and " " not in value.value)  # a key, and no prompt
        for value in iterable.values
    )
    return worth and not leaves_loop(node.body)


def _is_object(value: Value) -> bool:
    """Whether a value is an object, whichever it is, or none where a test leaves it out."""
    found = [leaf for leaf in leaves_of(value) if leaf != NONE]
    return bool(found) and all(role_of(leaf) is not None for leaf in found)


@lru_cache(maxsize=4096)
def leaves_loop(block: ir.Block) -> bool:
    """Whether code breaks or continues the loop that it stands in."""
    for statement in block:
        match statement:
            case ir.Jump():
                return True
            case ir.If(then=then, other=other):
                inner: tuple[ir.Block, ...] = (then, other)
            case ir.With(body=body):
                inner = (body,)
            case ir.Try(body=body, handlers=handlers, orelse=orelse, final=final):
                inner = (body, *(each.body for each in handlers), orelse, final)
            case ir.Match(cases=cases):
                inner = tuple(each.body for each in cases)
            case ir.For(orelse=orelse) | ir.While(orelse=orelse):
                inner = (orelse,)
            case _:
                continue
        if any(map(leaves_loop, inner)):
            return True
    return False


INSTRUCTIONS: Mapping[type, Instruction] = {ir.For: for_each, ir.While: as_long_as, ir.Comprehension: comprehension}
