"""Attributes and items: what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from loopcheck.loop import Role
from loopcheck.read.domain.choices import NUMBER
from loopcheck.read.domain.filenames import opened
from loopcheck.read.domain.graphs import take_numbers
from loopcheck.read.domain.modes import known_mode
from loopcheck.read.domain.parts import leaves_of, names_of, role_of, tensor_in, term_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    UNKNOWN_PARAMS,
    Api,
    Arguments,
    Bound,
    Choice,
    Class,
    Const,
    Function,
    Grad,
    Instance,
    Items,
    Made,
    Object,
    Params,
    Partial,
    Stream,
    Super,
    Symbol,
    Tensor,
    Value,
    taken_up,
)
from loopcheck.read.front import ir
from loopcheck.read.interpret.backwards import asked_for_inputs
from loopcheck.read.interpret.budget import MOST_MAKERS
from loopcheck.read.interpret.lineage import bases_of, derives, lineage, method_among, method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.evidence import made_by_itself, part
from loopcheck.read.project import Module
from loopcheck.read.vocabulary import attributes, function, methods, mode_of, of_tensors, reads_file
from loopcheck.words import PROGRESS, TOOLS, words


def fields_of(m: Machine, value: Value | None) -> Items | None:
    """What an object of a dataclass holds, by its fields; None of what is none, or may have more than is in sight."""
    if not isinstance(value, Instance) or any(
        isinstance(base, Api) for each in lineage(m, value.cls) for base in bases_of(m, each)
    ):
        return None
    names = dict.fromkeys(
        each.target.name
        for cls in reversed(lineage(m, value.cls))
        for each in cls.node.body
        if isinstance(each, ir.Annotate) and isinstance(each.target, ir.Name)
    )
    return Items(tuple(attribute(m, value, name) for name in names), tuple(names)) if names else None


def attribute(m: Machine, base: Value, name: str) -> Value:
    """`base.name`."""
    state, heap = m.state, m.state.heap
    if name == "grad" and isinstance(base, (Symbol, Tensor)) and not _steps(m):
        asked_for_inputs(state, base.term)
    match base:
        case Choice(_, then, other):
            return _either(m, base, "attribute", name, attribute(m, then, name), attribute(m, other, name))
        case Class() if name == "__name__":
            return Const(base.name)
        case Instance(cls) if name == "__class__":
            return cls
        case Object() if name == "__class__":
            return state.symbol(Term("attribute", term_of(base), name))
        case Api(path):
            return heap.get((base, name)) or Api(f"{path}.{name}")
        case Module():
            return m.modules.member(base, name)
        case Instance():
            return _of_instance(m, base, name)
        case Object(role):
            return heap.get((role, name)) or _known(m, base, role, name) or Bound(base, name)
        case Symbol(term, role=None) if name == "grad" and made_by_itself(term):
            return Tensor(Term("gradient"))
        case Symbol(term):
            if name.endswith("_") and _is_gradient(term):
                return Bound(Grad(UNKNOWN_PARAMS), name)
            found = heap.get((base, name)) or (_known(m, base, base.role, name) if base.role else None)
            if found is None and _is_parsed(term):
                found = m.modules.fixed(name)
            if found is None and base.role and (base.role.kind, name) in methods():
                return Bound(base, name)
            if found is None and base.role and _is_ready_made(m, base.role):
                return Bound(Object(base.role), name)
            return found or _unknown(m, base, name)
        case Tensor(history=history) if name == "grad" and any(each.how == "hidden" for each in history):
            return Grad(UNKNOWN_PARAMS)  # what code out of sight gives of a model may be its parameters
        case Tensor(history=(*_, Made(how="packed"))) if name == "data":
            return base
        case Tensor():
            known = of_tensors(name)
            if name == "data":
                take_numbers(state, base)
            if known is not None:
                return known(base) or state.symbol(Term("attribute", base.term, name), [base.term])
            return Bound(base, name)
        case Params() if name == "grad":
            return Grad(base)
        case Params() | Grad() if of_tensors(name) and name not in ("data", "requires_grad"):
            return state.symbol(Term("attribute", term_of(base), name))
        case Grad():
            return base if name == "data" else Bound(base, name)
        case Bound(Object(Role(kind="model") as layer), "weight" | "bias" as which):
            return attribute(m, Tensor(Term("attribute", layer.name, which), frozenset([layer])), name)
        case Bound(Object(Role(kind="model")) | Instance() as whole, inner) if role_of(whole) and not words(inner) & TOOLS:
            return attribute(m, part(state, whole, inner), name)
        case Items(values, tuple() as keys) if name in keys:
            return values[keys.index(name)]
        case Super(me, after):
            return method_among(m, after, name, me) or Bound(base, name)
        case Class():
            stored = heap.get((base, name))
            return stored or method_of(m, base, name, None) or state.symbol(Term("attribute", term_of(base), name))
        case _:
            return Bound(base, name)


def _is_ready_made(m: Machine, role: Role) -> bool:
    """Whether a model is one of many, none of which the project has made itself: what it has as parts is that of a library's."""
    arms = m.state.arms.get(role, ())
    return role.kind == "model" and bool(arms) and all(arm.built is not None and arm not in m.made_of for arm in arms)


def _steps(m: Machine) -> bool:
    """Whether the code around steps an optimizer itself: it uses the gradients of the weights as well as that of its input."""
    return not m.active or "step" in m.active[-1].frame.source.index.of(m.active[-1].code).calls


def _unknown(m: Machine, base: Symbol, name: str) -> Symbol:
    """An attribute of which no more is known than what its class says of such a field, or a program's options of such a name."""
    cls = m.fetched(base.typed) if base.typed is not None else None
    fields = (m.state.heap.get((each, name)) for each in lineage(m, cls)) if isinstance(cls, Class) else ()
    field = next((each for each in fields if each is not None), None)
    default = field if isinstance(field, Const) else field.default if isinstance(field, Symbol) else m.modules.default_of(name)
    found = m.state.symbol(Term("attribute", base.term, name), base.names, default)
    if isinstance(field, Symbol) and found.typed is None:
        found.typed = field.typed
    return found


def _is_parsed(term: Term) -> bool:
    """`parser.parse_args()`: the options of a program."""
    return term.head == "call" and str(term.operands[0]).rpartition(".")[2] == "parse_args"


def _either(m: Machine, base: Choice, part: str, of: Term | str, then: Value, other: Value) -> Value:
    """A part of one value or another: of two of which nothing is known, nothing is known but that it is a part of theirs."""
    if isinstance(then, Symbol) and isinstance(other, Symbol) and then is not other and then.role is other.role is None:
        default = then.default if then.default == other.default else None
        return m.state.symbol(Term(part, term_of(base), of), then.names | other.names | names_of(base), default)
    return m.state.choice(base.test, then, other)


def copied(m: Machine, value: Value) -> None:
    """The numbers of a gradient are taken, whatever becomes of it. Raises Eventful in a summary: which loop that is in, the call
    site knows."""
    if isinstance(value, Grad) or (isinstance(value, Symbol) and _is_gradient(value.term)):
        m.state.shared()
        for turn in m.state.here.passes[-1:]:
            turn.copied = True


def _is_gradient(term: Term) -> bool:
    """`p.grad`, `p.grad.data`."""
    match term.head, term.operands:
        case "attribute", (_, "grad"):
            return True
        case "attribute", (Term() as base, "data"):
            return _is_gradient(base)
        case _:
            return False


def _known(m: Machine, base: Value, role: Role, name: str) -> Value | None:
    """What the vocabulary says of an object's attribute: the object itself, one that it was built from, or a value."""
    state = m.state
    if mode_of(role.kind, name):
        own = base.term if isinstance(base, Symbol) else Term("mode", id(role), role.name)  # as before it was known to be a model
        return known_mode(state, role) or state.symbol(Term("attribute", own, name))
    found = attributes().get((role.kind, name))
    if found is None:
        return None
    if callable(found):
        return found(state.kept.get(role, {})) or state.symbol(Term("attribute", term_of(base), name))
    return next((Object(source, state.kept.get(source, {})) for source in role.of if source.kind == found), base)


def _of_instance(m: Machine, base: Instance, name: str) -> Value:
    heap = m.state.heap
    found = heap.get((base, name)) or method_of(m, base.cls, name, base)
    if found is not None:
        return found
    for cls in lineage(m, base.cls):
        if (stored := heap.get((cls, name))) is not None:
            return stored
    if name == "__dict__" and base.role is None:
        held = {key: value for key, value in heap.of(base).items() if isinstance(key, str)}
        return Items(tuple(held.values()), tuple(held))
    known = _known(m, base, base.role, name) if base.role else None
    if known is not None:
        return known
    handed_on = None if derives(m, base.cls) else method_of(m, base.cls, "__getattr__", base)
    if isinstance(handed_on, Function) and not any(each.code is handed_on.code for each in m.active):
        return m.invoke(handed_on.code, handed_on, Arguments((Const(name),)))
    if base.role:
        return Bound(base, name)
    return m.state.symbol(Term("attribute", base.term, name), (), m.modules.default_of(name))


def item(m: Machine, base: Value, index: Value) -> Value:
    """`base[index]`."""
    state = m.state
    match base, index:
        case Choice(_, then, other), _:
            return _either(m, base, "item", term_of(index), item(m, then, index), item(m, other, index))
        case Items((only, *_), None), _ if role_of(only) and (is_repeated(base) or len(base.values) == 1):
            return only  # of a list that holds one, or one in place of all that a loop has put there
        case Items(values, None), Const(int() as at) if -len(values) <= at < len(values):
            return values[at]
        case Items(values, tuple() as keys), Const(key) if key in keys:
            return values[keys.index(key)]
        case Items(values, tuple() as keys), Object() | Instance() | Symbol() if index in keys:
            return values[keys.index(index)]
        case Items(values, _), _ if values and (tensor := tensor_in(base)):
            return tensor.doubted(str(term_of(index))) if tensor.models and not all(map(_has_graph, values)) else tensor
        case Tensor(), Const(int() as at):
            return output(m, base, at)
        case Tensor(term), Const(str() as key):
            return state.heap.get((term, key)) or base.entry(key)
        case Tensor(), _:
            return base.masked
        case Params() | Grad(), _:
            return base
        case Items((first, *others), tuple()), Symbol() | Choice() | Api() | Instance() if _makes(first) and all(
            each == first for each in others
        ):
            return first
        case Items(values, tuple()), Symbol() | Choice() | Api() | Instance() if _are_makers(values):
            which = state.symbol(Term("item", term_of(base), term_of(index)), names_of(base) | names_of(index))
            which.among = values if which.among in ((), values) else ()
            return which
        case Items(values, tuple()), Symbol() | Choice() | Api() | Instance() if (some := some_class(values)) is not None:
            return some
        case Items((Items() as row, *_) as values, tuple() as keys), Symbol() | Choice() | Api() | Instance() if all(
            isinstance(each, Items) and each.keys == row.keys and len(each.values) == len(row.values) for each in values
        ):
            columns = zip(*(each.values for each in values if isinstance(each, Items)), strict=True)
            return replace(row, values=tuple(item(m, Items(column, keys), index) for column in columns))
        case ((Symbol() | Instance()), _) if (stored := state.heap.get((base, term_of(index)))) is not None:
            return stored
        case Object(Role(kind="model") as whole), Const(which) if (found := state.heap.get((whole, which))) is not None:
            return found  # of a ModuleDict
        case Object(Role(kind="model")), Const(str() as which):
            return part(state, base, which)
        case (Object(Role(kind="model") as whole), Symbol() | Const(int())) | (Instance(role=Role(kind="model") as whole), _):
            return one_of(m, state.symbol(Term("item", term_of(base), term_of(index)), names_of(base) | names_of(index)), whole)
        case Api(table), _ if (entry := _some_entry(table)) is not None:
            return entry
        case Symbol(term), Const("params") if owners := state.groups.get(term):
            return taken_up(owners)
        case Symbol(term, names), _:
            name = index.value if isinstance(index, Const) and isinstance(index.value, str) else ""
            ask(m, term, name)
            return state.symbol(Term("item", term, term_of(index)), names | names_of(index), m.modules.default_of(name))
        case _:
            return state.symbol(Term("item", term_of(base), term_of(index)), names_of(base) | names_of(index))


def _has_graph(value: Value) -> bool:
    tensor = tensor_in(value)
    return tensor is not None and bool(tensor.models)


def some_class(values: Sequence[Value]) -> Api | None:
    """One of several classes of a module, where a page says what they have in common: nobody knows which."""
    modules = [*dict.fromkeys(each.name.rpartition(".")[0] if isinstance(each, Api) else "" for each in values)]
    return _some_entry(modules[0]) if len(values) > 1 == len(modules) else None


def _some_entry(table: str) -> Api | None:
    """What a package's table has under a key, where a page says what all that is in it is."""
    name = f"{table}.*"
    return Api(name) if function(name) else None


def _are_makers(values: Sequence[Value]) -> bool:
    """Whether these are several classes or functions, few enough to follow each."""
    return 1 < len(values) <= MOST_MAKERS and all(map(_makes, values))


def _makes(value: Value) -> bool:
    """Whether an entry of a table is code of the project, to be called."""
    return isinstance(value.function if isinstance(value, Partial) else value, (Function, Class))


def part_of(m: Machine, base: Value) -> Value:
    """`base[1:]`: of a container of models as many as nobody knows."""
    which = m.state.fresh("slice")
    match base:
        case (
            Object(Role(kind="model") as whole)
            | Instance(role=Role(kind="model") as whole)
            | Stream(of=((Object(Role(kind="model") as whole) | Instance(role=Role(kind="model") as whole)),))
        ):
            return one_of(m, m.state.symbol(Term("item", term_of(base), which.term), names_of(base) | which.names), whole)
        case Items() if is_repeated(base):
            return base
        case Tensor():
            return base.some
        case _:
            return item(m, base, which)


def is_repeated(value: Value) -> bool:
    """Whether it is one object several times: `[loader, loader]`, which a loop passes over again, or replicas of a model; no
    function, which is called as often as it stands there."""
    match value:
        case Items((only, *others)) if not isinstance(only, Function):
            return bool(others) and all(each is only for each in others)
        case _:
            return False


def one_of(m: Machine, element: Symbol, whole: Role) -> Symbol:
    """An element of a container of models, or of what stands for many that were made alike, which is what they are."""
    if element.role is None:
        role = element.role = Role("model", element.name, (), whole, whole.open, whole.evidence, element.names)
        if whole in m.made_of:
            m.made_of[role] = m.made_of[whole]
        alike = {name: fact for name, fact in m.state.kept.get(whole, {}).items() if name in ("moded", "by_batch")}
        m.state.kept[role] = {**alike, "element": True}
        m.state.symbols.setdefault(element.term, element)  # what it has is its own
    return element


def is_some(m: Machine, value: Value) -> bool:
    """Whether a value stands for some of the layers of a network, and nobody knows for which."""
    role = role_of(value) if isinstance(value, Symbol) else None
    return role is not None and m.state.kept.get(role, {}).get("some") is True


def some_of(m: Machine, element: Symbol, whole: Value) -> Symbol:
    """What stands for some of the layers of a network, and nobody knows for which: what is done to them may be done to any."""
    role = role_of(next(iter(leaves_of(whole))))
    if role is not None and role.kind == "model" and (some := one_of(m, element, role).role) is not None:
        m.state.kept[some] = {**m.state.kept[some], "some": True}
    return element


def output(m: Machine, tensor: Tensor, index: int) -> Value:
    """One of what a network puts out, which may be a number about the others."""
    found = tensor.output(index)
    return m.state.fresh(NUMBER) if found.activation == NUMBER else found


def ask(m: Machine, term: Term, key: str) -> None:
    """A value is taken out of another by its key: out of a file, perhaps how far training had come."""
    if words(key) & PROGRESS and (file := file_of(m.state, term)) is not None:
        m.state.asked.add(file)


def begun_from(m: Machine, start: Value) -> None:
    """A loop begins there: where a file says so, training goes on from the file, whatever the key is called."""
    says = [file for term in term_of(start).parts() if (file := m.state.files.get(term)) is not None]
    m.state.asked.update(says)
    m.state.goes_on.update(says)


def file_of(state: State, term: Term) -> Role | None:
    """The file that a value was read from: it is what reading returned, a part of that, or filled with parts of it."""
    read = _read(state, term)
    return None if read is None else state.files.setdefault(read, Role("file", ""))


def _read(state: State, term: Term) -> Term | None:
    """The call that has read what a value is a part of; of two by a test, where they read the same file, the one."""
    while not _reads(term):
        match term.head, term.operands:
            case _ if term in state.filled:
                term = state.filled[term]
            case (("item" | "attribute" | "part"), (Term() as inner, *_)):
                term = inner
            case "call", (str(name), Term(operands=(Term() as inner, *_))) if name.rpartition(".")[2] in _PARTS:
                term = inner
            case "choice", (_, Term() as then, Term() as other):
                one, two = _read(state, then), _read(state, other)
                same = one is not None and two is not None and (one is two or None is not name_of(one) is name_of(two))
                return one if same else None
            case _:
                return None
    return term


_PARTS = frozenset({"copy", "get", "items", "pop", "values"})
"""Methods of a dictionary that hand out what is in it."""


def fill(state: State, whole: Value, part: Value) -> None:
    """A dictionary or a list gets a part of what was read from a file: it is of that file from here on."""
    if isinstance(whole, Symbol) and _read(state, term_of(part)) is not None:
        state.filled[whole.term] = term_of(part)


def name_of(read: Term) -> Term | None:
    """The name of the file that a call reads, `torch.load("last.pt")`; None of what is read in another way."""
    match read.operands:
        case (_, Term(head="items", operands=(Term() as file, *_)), *_):
            return opened(file)
        case _:
            return None


def of_file(value: Value) -> bool:
    """Whether a value was computed of what a file holds."""
    return any(map(_reads, term_of(value).parts()))


def _reads(term: Term) -> bool:
    return term.head == "call" and isinstance(term.operands[0], str) and reads_file(term.operands[0])
