"""Loops and comprehensions: their variables, the passes that they are, and what one pass leaves to the next (havoc)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import lru_cache

from loopcheck import words as kinds
from loopcheck.api import CHUNKS
from loopcheck.loop import Leave, Region, Repeat, Role, Seq
from loopcheck.read.domain.conditions import Condition
from loopcheck.read.domain.counts import from_zero, shifted
from loopcheck.read.domain.generators import is_spent, spend
from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.here import Landing, Pass, Way
from loopcheck.read.domain.jumps import fall, joined_ways, landing
from loopcheck.read.domain.modes import forget_modes
from loopcheck.read.domain.parts import entries_of, leaves_of, parts_of, role_of
from loopcheck.read.domain.terms import Term, constant
from loopcheck.read.domain.values import (
    NONE,
    Choice,
    Const,
    Items,
    Stream,
    Symbol,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.alike import done_to_all
from loopcheck.read.interpret.batches import batches, begin, exhausted, whole
from loopcheck.read.interpret.binding import assign, last_name
from loopcheck.read.interpret.conditions import condition
from loopcheck.read.interpret.elements import bind_element, containers_of, element_of
from loopcheck.read.interpret.havoc import carry, havoc, may_switch
from loopcheck.read.interpret.induction import (
    brought,
    flags_begun,
    flags_left,
    gone_through,
    left_on_second,
    refilled,
    windows_of_one,
)
from loopcheck.read.interpret.lengths import tell_lengths
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.interpret.members import is_repeated
from loopcheck.read.interpret.names import lookup
from loopcheck.read.interpret.operators import comparison
from loopcheck.read.interpret.unrolling import all_unrollable, begun_by_hand, counted_through, handed_out, leaves_loop, unrollable
from loopcheck.read.objects.evidence import uses_of
from loopcheck.read.objects.passes import doubt, hand_out, settle_pass


def for_each(m: Machine, node: ir.For) -> None:
    _for_each(m, node, handed_out(begun_by_hand(m, node, m.evaluate(node.iterable))))


def _for_each(m: Machine, node: ir.For, iterable: Value) -> None:
    iterable = m.state.settled(iterable)
    counted = counted_through(m, node, iterable)
    iterable = counted or iterable
    _note_entries(m, node)
    if isinstance(iterable, Choice) and all_unrollable(node, iterable):
        then, other = iterable.then, iterable.other
        m.state.branch(iterable.test, lambda: _arm(m, node, then), lambda: _arm(m, node, other))
        return
    if isinstance(iterable, Items) and (counted or unrollable(node, iterable)) and m.budget.allows(len(iterable.values)):
        with m.budget.unrolled(len(iterable.values)):
            for index, value in enumerate(iterable.values):
                with m.state.inside((node, index)):
                    _note_entry(m, node.target, value)
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


def _note_entry(m: Machine, target: ir.Expression, value: Value) -> None:
    """What an entry is that a dictionary has under a known key, by that key as well, and by what a call has written for it."""
    match target, value:
        case ir.Sequence(elements=(_, ir.Name(name=name))), Items(values=(Const(str(key)), _)):
            written = m.state.frame.written
            said = [*written.get(name, "").splitlines()[:1], key, written.get(key, "")]
            written[name] = "\n".join(filter(None, said))


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
    turn = begun_pass(m, node, node.target, iterable, written)
    containers = containers_of(node.target, iterable)
    at_once = any(done_to_all(node.body, name) for name in containers)
    each_object = at_once or _over_objects(m, node.target, iterable)

    def once() -> None:
        bind_element(m, turn, node.target, iterable, each_object, at_once)
        m.execute(node.body)

    repeat(m, node.body, turn, once, each_object, node.orelse, layers=containers)


def as_long_as(m: Machine, node: ir.While) -> None:
    if isinstance(node.test, ir.Literal) and not node.test.value:
        m.execute(node.orelse)
        return

    def once() -> None:
        m.evaluate(node.test)
        m.execute(node.body)

    endless = isinstance(node.test, ir.Literal)
    repeat(m, node.body, Pass(node, m.code(node.test), _function(m), _code(m)), once, orelse=node.orelse, endless=endless)


# the pass that a loop is


def begun_pass(m: Machine, node: ir.Place, target: ir.Expression, iterable: Value, written: ir.Expression) -> Pass:
    """A loop before its body is read; where it runs over a loader, that pass begins here."""
    empty = is_spent(m.state, iterable)
    spent = spend(m.state, iterable, _draws_all(node, iterable))
    counts = iterable if isinstance(iterable, Stream) and iterable.counts else None
    counter = target.name if counts and isinstance(target, ir.Name) else ""
    bound = (counts.bound if counts.start == 0 else "") if counts else _chunks(m, written)  # so many passes
    begun = begin(m, node, iterable, m.code(_inner(written)))
    ends = begun if whole(m.state.settled(iterable)) else []
    taken = batches(m, ends)
    end = counts.end if bound and counts else None
    times = _times(m, counts) if counts else None
    around = _over(m, written), _function(m), _code(m)
    return Pass(
        node, *around, counter, bound, begun, exhausts=ends[:], batches=taken, end=end, times=times, spent=spent, empty=empty
    )


def _draws_all(node: ir.Place, iterable: Value) -> bool:
    """Whether a loop ends with nothing left of what it runs over: it cannot be left before, nor is it one over several at once,
    of which the shortest ends it, nor a generator expression, which draws nothing yet."""
    match node:
        case ir.For(body=body):
            all_of_it = not any(isinstance(each, (ir.Raise, ir.Return)) or _is_break(each) for each in ir.walk(*body))
        case ir.Comprehension(once=once):
            all_of_it = not once
        case _:
            all_of_it = False
    return all_of_it and whole(iterable)


def _is_break(node: ir.Node) -> bool:
    return isinstance(node, ir.Jump) and node.how == "break"


def _chunks(m: Machine, written: ir.Expression) -> str:
    """In how many parts of a batch a loop is, as written: `zip(x.chunk(k), y.chunk(k))`; empty of any other, and of parts along
    another dimension than the samples'."""
    match written:
        case ir.Call(function=ir.Name(name="zip"), arguments=each):
            of = {_chunks(m, argument.value) for argument in each}
            return of.pop() if len(of) == 1 else ""
        case ir.Call(function=ir.Name(name="enumerate"), arguments=(ir.Argument(value=inner), *_)):
            return _chunks(m, inner)
        case ir.Call(function=ir.Attribute(base=ir.Name(name="torch"), name=name), arguments=(_, ir.Argument(value=number))) if (
            name in CHUNKS
        ):
            return m.code(number)
        case ir.Call(function=ir.Attribute(name=name), arguments=(ir.Argument(value=number),)) if name in CHUNKS:
            return m.code(number)
        case _:
            return ""


def _times(m: Machine, counts: Stream) -> Term | None:
    """How many numbers a range hands out, `range(1, epochs + 1)`; None where that begins elsewhere than a whole run."""
    start = _begun_anew(m, counts)
    if counts.end is None or start not in (0, 1):
        return None
    base, beyond = from_zero(counts.end)
    return Term("constant", constant(beyond - start)) if base is None else shifted(base, beyond - start)


def _begun_anew(m: Machine, counts: Stream) -> int | None:
    """Where a range begins in a run that goes on from no other: it is told nothing, and reads no number of passes from a file."""
    if counts.first is None:
        return counts.start
    leaves = [leaf.default if isinstance(leaf, Symbol) else leaf for leaf in leaves_of(m.state.settled(counts.first))]
    known = {leaf.value for leaf in leaves if isinstance(leaf, Const)}
    start = known.pop() if len(known) == 1 else None
    return start if type(start) is int else None


def _chosen(m: Machine, node: ir.Expression) -> ir.Expression:
    """Of `train_loader if train else val_loader` the one that is meant, where that is known."""
    if isinstance(node, ir.Conditional) and not any(isinstance(each, ir.Call) for each in ir.walk(node.test)):
        found: Condition = condition(m, node.test)
        if isinstance(found, bool):
            return _chosen(m, node.then if found else node.other)
    return mapped_over(node)


def mapped_over(node: ir.Expression) -> ir.Expression:
    """What the elements are of that `map` puts through a function, as written; of anything else, itself."""
    match node:
        case ir.Call(function=ir.Name(name="map"), arguments=(_, ir.Argument(value=over))):
            return mapped_over(over)
        case _:
            return node


def _inner(node: ir.Expression) -> ir.Expression:
    """What is iterated, without tqdm, enumerate and their like."""
    while isinstance(node, ir.Call) and node.arguments and last_name(node.function) in kinds.ITERATORS:
        node = node.arguments[0].value
    return node


def _function(m: Machine) -> str:
    """The name of the function around; of a unit test, which holds nothing out, none."""
    frame = m.state.frame
    return "" if kinds.is_unit_test(frame.name, frame.source.path, frame.owner is not None) else frame.name


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
        element_of(iterable) is not None and not is_repeated(iterable)
    )


# one pass


def repeat(
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
    turn.variables, turn.entries = havoc(m, body)
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
    for event, begun, of in turn.asked:
        event.also = tuple(state for state in _states_left(m, turn, begun) if not of or of == {*state.of})
    turn.through, turn.refilled = gone_through(m, turn), refilled(m, turn)
    if around:
        around[-1].inner.append(turn)
    if not each_object:
        turn.binds = frozenset(state.made[first:]).difference(*turn.through.values())
        given = frozenset(turn.given if turn.count is None else (*turn.given, turn.count))
        brings, of_one = tuple(brought(m, turn, region)), tuple(windows_of_one(region))
        tells = (*flags_left(turn, region), *left_on_second(turn, region), *of_one)
        begins = (*flags_begun(m, turn, region), *of_one)
        ends = turn.alone and not jumps  # to break off at its end would keep a pass that is left early, and its `else`, from it
        passes = Seq((region, Leave("break"))) if ends else region
        state.out.append(Repeat(passes, turn.binds | turn.running, state.site(turn.node), over, given, brings, tells, begins))
        unread = settle_pass(turn, region, around, state.held_out.keys())
        state.unread |= unread
        state.searching |= {event for event in unread if {"read", "inside"} <= turn.fates[event] <= {"read", "inside", "cut"}}
        tell_lengths(m, turn, region, around)
    else:
        state.out.append(Repeat(Seq((region, Leave("break"))), at=state.site(turn.node)) if jumps else region)
        hand_out(turn, around)
    for event in turn.tallied if leads.broken else ():
        doubt(event, "ragged")  # what limits a pass may leave out the last batch, which alone is smaller
    if not leads.broken:
        m.execute(orelse)


def _states_left(m: Machine, turn: Pass, begun: Term) -> Iterator[Role]:
    """The states that a pass leaves in a variable, or in an entry of a dict, of which none takes others' place."""
    if begun in turn.entries:
        at, under = turn.entries[begun]
        dicts = leaves_of(m.state.heap.get(at) or NONE)
        left = [leaf for each in dicts for leaf in leaves_of(entries_of(each).get(under, NONE))]
    else:
        left = [*leaves_of(next(turn.leaves[key] for key, term in turn.variables.items() if term is begun) or NONE)]
    for leaf in left:
        for part in parts_of(leaf):
            role = role_of(part)
            role = role if role is None else m.state.bests.get(role, role)
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


INSTRUCTIONS: Mapping[type, Instruction] = {ir.For: for_each, ir.While: as_long_as}
