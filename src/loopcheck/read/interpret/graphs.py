"""Whether the graph of a forward is kept: autograd may be off, its model frozen, or its inputs' gradients wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loopcheck.api import FORWARD_HOOKS
from loopcheck.loop import Role
from loopcheck.read.domain.parts import names_of, parts_of, role_of, tensor_in
from loopcheck.read.domain.state import GRAD
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Choice, Const, Function, Instance, Items, Scope, Symbol, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts, Index
from loopcheck.read.interpret.lineage import facts_of, lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import lookup
from loopcheck.read.interpret.parameters import may_be_frozen
from loopcheck.read.vocabulary import without_grad, wrapping
from loopcheck.read.vocabulary.layers import is_layer
from loopcheck.words import explains


def keeps_graph(m: Machine, role: Role, records: bool | None, inputs: Items) -> bool | None:
    """Whether the graph of a forward is kept: not where its inputs' gradients may be wanted, or it is frozen. inputs: what it is
    applied to; where that comes of a model that takes gradients itself, it has a graph already."""
    given = tensor_in(inputs)
    if may_be_frozen(m.state, role) or _freezes_its_own(m, role):
        return None if records else records
    models = given.models if given else ()
    if records and (
        _wants_gradients(m, inputs)
        or any(_differentiates(m, each) for each in (role, *models))
        or (
            hears_volatile(m, m.state.frame.source.index.volatile or m.modules.says("volatile"))
            and not _comes_without(m, role, inputs)
        )
    ):
        return None
    if records and ((_is_handed_out(m) and m.modules.says("takes gradients")) or _is_hooked(m)):
        return None
    if records and m.state.kept.get(role, {}).get("rows"):
        return None  # the graph of a lookup holds the numbers of its rows, and nothing that was computed
    if records and role.evidence != "built" and _does_without(m, role):
        return None  # its forward may take gradients itself
    return records


def hears_volatile(m: Machine, said: bool) -> bool:
    """Whether data may do without graphs because it was told so, which was `no_grad` before torch 0.4 and is nothing since."""
    return said and not m.modules.says("torch 0.4")


def _comes_without(m: Machine, role: Role, inputs: Items) -> bool:
    """Whether it is known of all that a network is applied to that nobody told it to do without graphs: one that was told so was
    enough."""
    around = [each.frame.source.index.of(each.code) for each in m.active]
    if any("volatile" in each.mentions for each in (*around, *_reached(m, modules_of(m, role)))):
        return False
    told = not around and m.state.frame.source.index.volatile
    return not told and role.evidence == "built" and all(_made_without(m, each) for each in inputs.values)


def _made_without(m: Machine, value: Value) -> bool:
    """Whether a value is data that was made without `volatile`: here, by a function that does not speak of it, or by networks of
    which a graph was recorded."""
    match value:
        case Const():
            return True
        case Choice(then=then, other=other):
            return _made_without(m, then) and _made_without(m, other)
        case Tensor():
            forwards = [m.state.applied[term] for term in value.forwards if term in m.state.applied]
            return all(each.facts.get("grad") is True for each in forwards)
        case Symbol(term=term):
            return _wrapped_without(m, term)
        case _:
            return False


def _wrapped_without(m: Machine, term: Term) -> bool:
    """Whether data come of what wraps them, `Variable(x).cuda()`, or of a function that does, and nobody speaks of `volatile`."""
    match term.head, term.operands:
        case "call", (str(name), *_) if name in wrapping():
            return True
        case "call", (_, Term(head="items", operands=(Term(head="attribute", operands=(Term() as base, _)), *_))):
            return _wrapped_without(m, base)
        case "part" | "item" | "attribute", (Term() as base, *_):
            return _wrapped_without(m, base)
        case "call", (str(name), *_):
            said = _said_by(m, name, frozenset(each.rpartition(".")[2] for each in wrapping()) | {"volatile"})
            return bool(said) and "volatile" not in said
        case _:
            return False


def _said_by(m: Machine, name: str, words: frozenset[str]) -> frozenset[str]:
    """Which of these words a function of the project says, or the other file that has it; none where it is out of sight."""
    if "." in name:
        return m.modules.words_of(name, words)
    match lookup(m, name):
        case Function(code=code, frame=frame):
            return words & frame.source.index.of(code).mentions
        case _:
            return frozenset()


def _is_handed_out(m: Machine) -> bool:
    """Whether the code around is a function within another, `def energy(z)`: who is given it may take gradients of what it
    computes."""
    return bool(m.active) and m.active[-1].frame.parent is not None


def _is_hooked(m: Machine) -> bool:
    """Whether a function around hangs hooks into a network, which are given what its parts put out on the way, and cuts nothing
    from its graph: of that gradients may be taken."""
    said = (each.frame.source.index.of(each.code).mentions for each in m.active)
    return any(each & FORWARD_HOOKS and "detach" not in each for each in said)


def _freezes_its_own(m: Machine, role: Role) -> bool:
    """Whether a network has parameters alone, and itself says which of them need a gradient: it may be none."""
    made = m.made_of.get(role)
    if made is None or "requires_grad" not in (facts := facts_of(lineage(m, made.cls))).mentions:
        return False
    layers = {name for of, name in facts.taken if of == "nn" and is_layer(name)} - {"Parameter"}
    held = (role_of(part) for value in m.state.heap.of(made).values() for part in parts_of(value))
    return not layers and not any(each is not None and each.kind == "model" for each in held)


def _does_without(m: Machine, role: Role) -> bool:
    """The function around turns autograd off for other things than this, and cuts what it was given by this."""
    if not m.active:
        return False
    code, source = m.active[-1].code, m.active[-1].frame.source
    said = source.index.of(code).mentions
    if "detach" not in said or without_grad().isdisjoint(said):
        return False
    without = (
        each
        for each in ir.walk(*code.body)
        if isinstance(each, ir.With) and not without_grad().isdisjoint(ir.identifiers(each.context))
    )
    applied = (call for each in without for call in ir.walk(*each.body) if isinstance(call, ir.Call))
    return m.state.spelled().get(role) not in {source.code(call.function) for call in applied}


def _wants_gradients(m: Machine, inputs: Items) -> bool:
    """A function around asks for gradients by hand, of inputs or of adapted weights, or a choice to do without was not taken."""
    scope = m.state.heap[GRAD]
    asked = any(each.frame.source.index.of(each.code).asks for each in _around(m, inputs))
    return asked or (isinstance(scope, Scope) and scope.wanted)


def _around(m: Machine, inputs: Items) -> list[Function]:
    """The functions around, the innermost last, from the one with the loop in which the data for a forward is drawn: who calls
    that has other data in hand."""
    numbers = [name.operands[-1] for name in names_of(inputs) if name.head == "new"]
    for turn in reversed(m.state.here.passes if numbers else ()):
        if all(isinstance(number, int) and number >= turn.first for number in numbers):
            inside = [place for place, each in enumerate(m.active) if turn.function == (each.frame.source.path, each.code)]
            return m.active[inside[-1] :] if inside else m.active
    return m.active


def _differentiates(m: Machine, role: Role) -> bool:
    """A model whose forward takes gradients itself, the forces of an energy say, or may well: it explains another one."""
    made = m.made_of.get(role)
    if made is None and role in m.state.arms:
        return any(_differentiates(m, each) for each in m.state.arms[role])
    if made is None:
        return role.evidence != "built" and m.modules.says("differentiates")
    if any(explains(cls.name) for cls in lineage(m, made.cls)):
        return True
    modules = modules_of(m, role)
    sources = {cls.frame.source for each in modules for cls in lineage(m, each.cls)}
    return any(source.index.asks for source in sources) and any(facts.asks for facts in _reached(m, modules))


def _reached(m: Machine, modules: Iterable[Instance]) -> Iterator[Facts]:
    """What the forwards of modules say, what the functions and methods say that they call by their names, and so on: those of the
    modules, and those of the file that the call stands in."""
    methods: dict[str, list[tuple[Index, Facts]]] = {}
    for cls in (cls for each in modules for cls in lineage(m, each.cls)):
        for name, method in cls.methods.items():
            index = method.frame.source.index
            methods.setdefault(name, []).append((index, index.of(method.code)))
    work = [*methods.get("forward", ())]
    seen = set[Facts]()
    while work:
        index, facts = work.pop()
        if facts in seen:
            continue
        seen.add(facts)
        yield facts
        for name in facts.calls - {"forward"}:
            named = index.named.get(name, ())
            work += [(index, each) for each in named if bool(each.owner) is (name not in facts.bare)]
            work += methods.get(name, ())


def modules_of(m: Machine, role: Role) -> list[Instance]:
    """The modules of the project that a model is made of, itself among them; of one that is any of several, all of them."""
    parts = {role, *(arm for each, arms in m.state.arms.items() if role in each.wholes for arm in arms)}
    return [made for each, made in m.made_of.items() if not parts.isdisjoint(each.wholes)]


def reached_by_forward(m: Machine, module: Instance) -> list[Facts]:
    """What a module's forward says, and what those of its methods say that it calls."""
    return reached_by(m, module, "forward")


def reached_by(m: Machine, module: Instance, method: str) -> list[Facts]:
    """What a method of a module says, and what those of its methods say that it calls."""
    methods = {name: method for cls in reversed(lineage(m, module.cls)) for name, method in cls.methods.items()}
    facts = {name: method.frame.source.index.of(method.code) for name, method in methods.items()}
    reached, new = set[str](), {method} & facts.keys()
    while new:
        reached |= new
        new = {called for name in new for called in facts[name].members & facts.keys()} - reached
    return [facts[name] for name in reached]
