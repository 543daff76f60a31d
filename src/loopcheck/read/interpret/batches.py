"""Batches: where a pass over a loader begins, and which loop takes what it hands out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from loopcheck.loop import Event, Region, Role, Seq, events
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.parts import role_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Api, Class, Const, Function, Instance, Object, Stream, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.source import Site
from loopcheck.read.interpret.lineage import bases_of, lineage, method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.evidence import adopt, roles
from loopcheck.read.vocabulary.torch import DATASETS, STREAMS
from loopcheck.said.mixing import in_order, mixes
from loopcheck.said.sharding import hands_out_all


def begin(m: Machine, node: ir.Place, iterable: Value, written: str) -> list[Event]:
    """A pass over a loader begins; where it has one sampler or another, under the test that decides.

    written: the loader as it is written. Of an iterator the pass has begun where that was made.
    """
    if isinstance(iterable, Stream) and (drawn := _begun(iterable)):
        return drawn
    begun: list[Event] = []

    def each(value: Value) -> Value:
        loader = _loader(m, value)
        if loader is not None:
            begun.extend(_begin(m, node, loader, written))
        return NONE

    m.state.each(_source(m, iterable), each)
    return begun


def _begin(m: Machine, node: ir.Place, loader: Role, written: str) -> list[Event]:
    """The pass over one loader."""
    epoch = next((each.counter for each in reversed(m.state.here.passes) if each.counter), "")
    names = {"loader": written} | ({"epoch": epoch} if epoch else {})
    begun: list[Event] = []
    kept = m.state.kept.get(loader, {})

    def under(sampler: Value) -> Value:
        role = role_of(sampler)
        order = m.state.kept.get(role, {}) if role else {}
        if sampler == NONE and "sampler" in kept:
            order = {"distributed": False, "shuffled": kept.get("shuffled")}
        distributed = fact if isinstance(fact := order.get("distributed"), bool) else None

        def meant(shuffled: Value) -> Value:
            told = shuffled.value if isinstance(shuffled, Const) and isinstance(shuffled.value, bool) else None
            facts = {"distributed": distributed, "shuffled": told}
            if kept.get("stored") is True and sampler == NONE and told is False:
                facts["stored"] = True
                names["shuffling"] = str(kept["shuffling"])
            begun.append(m.state.emit("iterate", [loader], node, facts, names))
            return NONE

        return m.state.each(order.get("shuffled") or NONE, meant)  # type: ignore[arg-type]

    m.state.each(kept.get("sampler", NONE), under)  # type: ignore[arg-type]
    return begun


def stored(m: Machine, dataset: Value | None) -> bool | None:
    """Whether a data set has its samples in an order that nobody has mixed; None where that cannot be told.

    That is one of torchvision's, which are sorted by class or recorded, or one of the program's. Where anything in their files is
    mixed, that may be the samples.
    """
    match dataset:
        case Symbol(Term(head="call", operands=(str(name), *_))) if name.startswith("torchvision.datasets."):
            sources, called = [m.state.frame.source], name
        case Instance(cls=cls) if _derives(m, cls, DATASETS, "__getitem__"):
            sources, called = [m.state.frame.source, cls.frame.source], cls.name
        case _:
            return None
    return None if in_order(called) or any(mixes(each.text) for each in sources) else True


def stream(m: Machine, dataset: Value | None) -> str:
    """Of a data set that is a stream, and the same in every process, its class; else empty."""
    if not isinstance(dataset, Instance) or not _derives(m, dataset.cls, STREAMS, "__iter__"):
        return ""
    family = lineage(m, dataset.cls)
    return dataset.cls.name if all(hands_out_all(each.frame.source.text, each.name) for each in family) else ""


def computed_here(m: Machine, dataset: Value | None) -> bool:
    """Whether a data set is of the project's, and says itself how a sample is made."""
    return isinstance(dataset, Instance) and _derives(m, dataset.cls, DATASETS, "__getitem__")


def _derives(m: Machine, cls: Class, of: Set[str], method: str) -> bool:
    """Whether a class is one of torch's, and says itself what it hands out."""
    bases = {base.name for each in lineage(m, cls) for base in bases_of(m, each) if isinstance(base, Api)}
    return not bases.isdisjoint(of) and any(method in each.methods for each in lineage(m, cls))


def _source(m: Machine, iterable: Value, within: tuple[Value, ...] = ()) -> Value:
    """What a loop takes its batches from, through whatever hands them on: of several the first that is a loader.

    within: the objects of the project that hand it on.
    """
    iterable = m.state.settled(iterable)
    match iterable:
        case Stream(of=of):
            inner: Iterable[Value] = of
        case Instance(role=None) if not any(each is iterable for each in within):
            inner, within = _iterated(m, iterable), (*within, iterable)
        case _:
            return iterable
    return next((each for each in (_source(m, one, within) for one in inner) if _loader(m, each)), NONE)


def _iterated(m: Machine, hands_on: Instance) -> Iterator[Value]:
    """What an object of the project speaks of, of all that it holds, where it is iterated: `iter(self.batches)`. Nothing of one
    that tells a sampler the epoch there."""
    method = method_of(m, hands_on.cls, "__iter__", hands_on)
    if not isinstance(method, Function) or "set_epoch" in method.frame.source.index.of(method.code).calls:
        return
    me = method.code.parameters.names[:1]
    for each in ir.walk(*method.code.body):
        if isinstance(each, ir.Attribute) and isinstance(each.base, ir.Name) and (each.base.name,) == me:
            held = m.state.heap.get((hands_on, each.name))
            if held is not None:
                yield held


def _loader(m: Machine, value: Value) -> Role | None:
    """The loader in a value."""
    if isinstance(value, Symbol):
        adopt(m.state, value)
    return next((role for role in roles(m.state, value, "") if role.kind == "loader"), None)


def exhausted(m: Machine, turn: Pass, region: Region) -> Region:
    """What happens when a loop over a loader has come to its end, to all that was trained in it."""
    trained = [event for event in events(region) if event.verb == "backward"]
    if not turn.exhausts or not trained:
        return Seq()
    loaders = dict.fromkeys(role for event in turn.exhausts for role in event.on)
    objects = [role for event in trained for role in event.on if role.kind in ("model", "optimizer")]
    unseen = any(event.open for event in trained)
    names = dict(turn.exhausts[0].names)
    if turn.number and turn.start is not None:
        counted = f"{turn.number} + {1 - turn.start}" if turn.start < 1 else turn.number
        names["last"] = f"{counted} == len({names['loader']})"
    return m.state.block(lambda: m.state.emit("exhaust", [*loaders, *objects], turn.node, names=names, open=unseen))


def whole(iterable: Value) -> bool:
    """Whether a loop over this goes on until a loader has no more: over the loader, or over what hands out all its batches."""
    while isinstance(iterable, Stream):
        if not iterable.whole or len(iterable.of) != 1:
            return False
        iterable = iterable.of[0]
    return not (isinstance(iterable, Instance) and iterable.role is None)  # which may stop before


def batches(m: Machine, begun: Sequence[Event]) -> int | None:
    """How many batches the loader of a pass has, where the program says so."""
    known = {m.state.kept.get(role, {}).get("batches") for event in begun for role in event.on}
    (number,) = known if len(known) == 1 else (None,)
    return number if isinstance(number, int) else None


def _begun(stream: Stream) -> list[Event]:
    """The passes that began when an iterator was made, through whatever hands on what it yields."""
    inner = [each for value in stream.of if isinstance(value, Stream) for each in _begun(value)]
    return [*stream.begun, *inner]


def iterator(m: Machine, node: ir.Place, over: Value, written: str) -> Stream:
    """`iter(loader)`: a pass begins."""
    around = m.state.here.passes[-1] if m.state.here.passes else None
    return Stream((over,), begun=tuple(begin(m, node, over, written)), around=around)


def handed_on(m: Machine, code: ir.Code, region: Region) -> Stream | None:
    """What a generator hands out of the loaders that it passes over, `while True: for batch in loader: yield batch`: passes that
    whoever draws from it is in. None of one that hands out anything else.

    region: what happens in it.
    """
    begun = tuple(event for event in events(region) if event.verb == "iterate")
    loops = [event.at.node for event in begun if isinstance(event.at, Site)]
    inside = {each for loop in loops if isinstance(loop, ir.For) for each in _yields(loop.body)}
    if not begun or not inside.issuperset(_yields(code.body)):
        return None
    m.state.handed_on.update(begun)
    loaders = dict.fromkeys(role for event in begun for role in event.on)
    around = m.state.here.passes[-1] if m.state.here.passes else None
    return Stream(tuple(map(Object, loaders)), begun=begun, around=around, whole=False)


def _yields(body: ir.Block) -> Iterator[ir.Yield]:
    return (each for each in ir.walk(*body) if isinstance(each, ir.Yield))


def draw(m: Machine, stream: Stream, written: str) -> None:
    """`next(batches)`: the loop around is a pass over what they are batches of, unless each of its passes begins anew.

    An iterator that is made in the loop may follow on one that has come to its end.
    """
    turn = m.state.here.passes[-1] if m.state.here.passes else None
    if turn is None:
        return
    loaders = {role for each in turn.iterates for role in each.on}
    if turn is stream.around and loaders.isdisjoint(role for each in stream.begun for role in each.on):
        return
    turn.over = "\n".join([turn.over, written, m.state.frame.written.get(written, "")])
    turn.iterates += [each for each in stream.begun if each not in turn.iterates]
