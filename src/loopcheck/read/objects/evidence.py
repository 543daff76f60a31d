"""What an object is that was not made in sight: judged by its use and its name."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from loopcheck import words as kinds
from loopcheck.api import TENSOR_MAKERS
from loopcheck.loop import Role
from loopcheck.read.domain.parts import parts_of, role_of, roles_in, tensor_in, term_of
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import BY_ITSELF, Term
from loopcheck.read.domain.values import DETACHED, Bound, Const, Grad, Instance, Items, Object, Symbol, Tensor, Value
from loopcheck.read.vocabulary import handed, methods, of_tensors, reads_file

_UNUSED: frozenset[str] = frozenset()


def uses_of(state: State, name: str) -> frozenset[str]:
    """What the file that is read here does with a name. Of what has none, nothing is known: others have none, too."""
    return state.frame.source.index.uses.get(name, _UNUSED) if name else _UNUSED


def roles(state: State, value: Value, kind: str) -> list[Role]:
    """The objects in a value; a symbol becomes the object of `kind` that it must be."""
    found: list[Role] = []
    for each in parts_of(state.settled(value)):
        if isinstance(each, Symbol) and each.role is None and kind:
            adopt(state, each, kind)
        if isinstance(each, Bound) and isinstance(each.base, Object) and each.base.role.kind == "model" and kind == "model":
            each = part(state, each.base, each.name)
        if not isinstance(each, Tensor):
            found += roles_in(each)
    return list(dict.fromkeys(found))


def adopt(state: State, symbol: Symbol, kind: str = "", here: str = "") -> Role | None:
    """Judge what an unknown object is; with `kind`, that is what it is if nothing speaks against it.

    here: what it is called where it is used, `model` of a function that is given `networks[name]`.
    """
    if symbol.role is None:
        name = symbol.name.rpartition(".")[2].split("[")[0]
        guess = _guess(name, uses_of(state, name)) or (_guess(here, uses_of(state, here)) if here else None)
        if guess == "parameters":
            return None
        if guess is None or (kind and guess[0] != kind):
            guess = (kind, "named") if kind and (guess is None or guess[1] == "named") else guess
        if guess is None or (kind and guess[0] != kind):
            return None
        whole = holder(state, symbol) if guess[0] == "model" else None
        kind, evidence = guess
        alone = symbol.term.operands[:1] == (BY_ITSELF,)
        symbol.role = Role(kind, symbol.name, (), whole, kind != "model", "built" if alone else evidence, _made_of(symbol))
        if kind == "model" and whole is None and not alone and _may_be_any(symbol.term):
            state.kept[symbol.role] = {**state.kept.get(symbol.role, {}), "some": True}
        if kind == "model" and _of_file(symbol.term):
            state.kept[symbol.role] = {**state.kept.get(symbol.role, {}), "filled": "read"}
        if alone and kind == "model":
            before_and_since = symbol.term, term_of(Object(symbol.role))
            state.trained |= dict.fromkeys(before_and_since, symbol.role)
    return symbol.role


@lru_cache(maxsize=8192)
def _guess(name: str, done: frozenset[str]) -> tuple[str, str] | Literal["parameters"] | None:
    """What an object is, with the evidence, by its name and what is done with it."""
    named = kinds.words(name)
    if named & kinds.PARAMETERS:
        return "parameters"
    handed_kind = handed(named, done)
    return (handed_kind, "used") if handed_kind else kinds.of_use(name, done)


def _made_of(symbol: Symbol) -> frozenset[Term]:
    """What an object depends on that a call out of sight returned, or a loop handed out; what has a name only is there before."""
    root: object = symbol.term
    while isinstance(root, Term) and root.head in ("attribute", "item"):
        root = root.operands[0]
    return symbol.names if isinstance(root, Term) and root.head in ("call", "copy", "new") else frozenset()


def _may_be_any(term: Term) -> bool:
    """Whether a value may be any object in sight: one that a loop hands out, or that stands under a key that nobody knows."""
    if term.head == "item":
        return not (isinstance(term.operands[1], Term) and term.operands[1].head == "constant")
    return term.head == "each" or (term.head == "new" and term.operands[0] != "made")


def _of_file(term: Term) -> bool:
    """Whether a value is what a file holds, an entry of it, or what a method of that gives: `torch.load(path)["net"].cuda()`."""
    while True:
        match term.head, term.operands:
            case "attribute" | "item", (Term() as base, *_):
                term = base
            case "call", (str(name), Term(operands=(Term(head="attribute") as bound, *_))) if _last(name) == bound.operands[1]:
                term = bound
            case "call", (str(name), *_):
                return reads_file(name)
            case _:
                return False


def is_whole_file(term: Term) -> bool:
    """Whether a value is all that a file holds, on whichever device, and no entry of it. Called, that is a network."""
    while True:
        match term.head, term.operands:
            case "call", (str(name), Term(operands=(Term(head="attribute", operands=(Term() as base, method)), *_))) if (
                _last(name) == method
            ):
                if ("model", method) not in methods():
                    return False
                term = base
            case "call", (str(name), *_):
                return reads_file(name)
            case _:
                return False


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def made_by_itself(term: Term) -> bool:
    """Whether a tensor was made as one by itself, `torch.zeros(1, device=device).requires_grad_()`: no network has it."""
    while True:
        match term.head, term.operands:
            case "call", (Term(head="attribute", operands=(Term() as base, *_)), *_):
                term = base
            case "call", (str(path), *_):
                return ".".join(path.split(".")[:2]) in TENSOR_MAKERS  # whatever is called on what it gives: `torch.zeros.cuda`
            case _, operands:
                return operands[:1] == (BY_ITSELF,)


def trained_by_itself(state: State, value: Value) -> frozenset[Role]:
    """The tensors by themselves that an optimizer has and a value is computed of: a loss of it goes back to those."""
    if not state.trained or state.records is False or isinstance(value, (Const, Tensor)):
        return frozenset()
    met = {term_of(value)}
    stack = list(met)
    while stack:
        term = stack.pop()
        if _is_cut(term):
            continue
        inner = {each for each in term.operands if isinstance(each, Term)} - met
        met |= inner
        stack += inner
    return frozenset(role for term, role in state.trained.items() if term in met)


def graph_of(state: State, value: Value) -> Tensor | None:
    """All that a gradient goes back through from a value, as one: its tensors, and what is computed of those that an optimizer
    has by themselves."""
    whole = tensor_in(value)
    for each in parts_of(value) if state.trained else ():
        if isinstance(each, Symbol) and (trained := trained_by_itself(state, each)):
            own = Tensor(each.term, trained)
            whole = whole.merged(own) if whole else own
    return whole


def taken_alone(state: State, given: Value) -> None:
    """An optimizer is given tensors, `[image]`: whatever is an element of its list is a leaf, to which a loss that is computed of
    it goes back."""
    for each in given.values if isinstance(given, Items) and given.keys is None else ():
        match each:
            case Symbol(term, role=Role(kind="model", evidence="named") as role):
                role.evidence = "used"
                state.trained[term] = role


def as_tensor(state: State, value: Value) -> Value:
    """The value; a tensor that an optimizer has by itself as one that may be differentiated."""
    role = role_of(value)
    own = role is not None and role in state.trained.values() and state.records is not False
    return Tensor(term_of(value), frozenset([role])) if own and role else value


def _is_cut(term: Term) -> bool:
    """What `x.item()`, `x.detach()` and `x.data` hand out, which has no graph."""
    match term.head, term.operands:
        case "attribute", (_, str(name)):
            return name == "grad" or of_tensors(name) is not None
        case "call", (Term(head="attribute", operands=(_, str(name))), *_):
            return name in _CUTS
        case _:
            return term.head == DETACHED


_CUTS = frozenset({"detach", "item", "numpy", "tolist"})


def holder(state: State, symbol: Symbol) -> Role | None:
    """The module that has this as an attribute."""
    term = symbol.term
    base = term.operands[0] if term.head in ("attribute", "item") else None
    outer = state.symbols.get(base) if isinstance(base, Term) else None
    whole = adopt(state, outer) if outer else None
    if whole and whole.kind == "model":
        return whole
    holders = (owner.role for owner in state.heap.owners_of(symbol, Instance))
    return next((role for role in holders if role is not None and role.kind == "model"), None)


def part(state: State, whole: Value, name: str) -> Object:
    """A submodule that was not seen when the module was made."""
    role = role_of(whole)
    assert role
    known = state.heap.get((role, name))
    if not isinstance(known, Object):
        inner = Role("model", f"{role.name}.{name}", part_of=role, open=role.open, evidence=role.evidence, anew=role.anew)
        known = Object(inner)
        state.heap[(role, name)] = known
    return known


def held(state: State, value: Value, within: tuple[Value, ...] = ()) -> list[Role]:
    """The objects that whoever has this value can reach."""
    match value:
        case Symbol():
            role = adopt(state, value)
            return [role] if role else []
        case Instance(role=None) if not any(value is each for each in within):
            stored = list(state.heap.of(value).values())
            return [role for each in stored for inner in parts_of(each) for role in held(state, inner, (*within, value))]
        case Bound(base) if not isinstance(base, Bound):
            return held(state, base, within)
        case Grad(of):
            return list(of.models)
        case Tensor() if value.holds:
            return list(value.models)
        case _:
            return roles_in(value)
