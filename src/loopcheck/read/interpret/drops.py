"""What drops activations: torch's functions, the share that they are given, and whether they may be told the mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

from loopcheck.api import ATTENTIONS, DROPOUT_LAYERS, DROPOUTS
from loopcheck.read.domain.values import Class
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.words import HELD_OUT, INFERENCE, NOISY, TRAINING, words

DROPPING = frozenset({*DROPOUTS, *ATTENTIONS})
"""The functions that drop with the share that they are given, unless they are told not to."""
DROPPING_NAMES = DROPPING | {"dropout_p"}
"""What code that drops by one of them says."""
DROP = frozenset({"drop", "dropout"})
_TOLD: Mapping[str, tuple[int, bool]] = {**dict.fromkeys(DROPOUTS, (2, True)), "batch_norm": (5, False)}
"""The functions that are told whether to train: the place of that among their arguments, and what holds where nothing is said."""
WANTED = TRAINING | NOISY
"""Words of code that means to drop."""
MODES = WANTED | HELD_OUT | INFERENCE
"""Words of code that knows the mode."""


def asks_mode(node: ir.Node) -> bool:
    return any(isinstance(each, (ir.Name, ir.Attribute)) and words(each.name) & MODES for each in ir.walk(node))


def flags_of(test: ir.Expression) -> Iterator[ir.Name | ir.Attribute]:
    """The names that a test asks for their truth alone."""
    match test:
        case ir.Name() | ir.Attribute():
            yield test
        case ir.Logical(left=left, right=right):
            yield from (*flags_of(left), *flags_of(right))
        case ir.Not(operand=operand):
            yield from flags_of(operand)
        case ir.Compare(left=left, others=(ir.Literal(value=True),)):
            yield from flags_of(left)
        case _:
            pass


def is_told(node: ir.Call, name: str) -> bool:
    """Whether a function of torch may be told the mode."""
    placed = [each for each in node.arguments if not each.keyword]
    hidden = any(each.star or each.keyword == "training" for each in node.arguments)
    return hidden or (name not in ATTENTIONS and len(placed) > 2)


def told_one_mode(code: ir.Code, by_caller: bool) -> Iterator[tuple[str, bool]]:
    """The functions of torch that a method calls and that are told the mode, each with whether it is always the same, or what who
    calls the method says: in either case the network's own makes no difference. by_caller: who calls it does not say that one."""
    given = frozenset(code.parameters.names) - bound_names(code.body) if by_caller else frozenset[str]()
    for node in ir.calls_in(code.body):
        match node.function:
            case ir.Attribute(name=name) | ir.Name(name=name) if name in _TOLD:
                place, by_default = _TOLD[name]
                placed = [each.value for each in node.arguments if not each.keyword]
                named = next((each.value for each in node.arguments if each.keyword == "training"), None)
                told = named or (placed[place] if len(placed) > place else None)
                fixed = isinstance(told, ir.Literal) and isinstance(told.value, bool)
                same = not by_default if told is None else fixed or (isinstance(told, ir.Name) and told.name in given)
                yield name, same and not any(each.star for each in node.arguments)


def share_in(node: ir.Call, name: str) -> ir.Expression | None:
    """The share that a function is given."""
    keyword, place = ATTENTIONS.get(name, ("p", 1))
    named = next((each.value for each in node.arguments if each.keyword == keyword), None)
    placed = [each.value for each in node.arguments if not each.keyword]
    return placed[place] if named is None and len(placed) > place else named


def shares_in(block: ir.Block) -> Iterator[ir.Expression | None]:
    """The share of each call in a block that drops; None where the default of a function stands that drops by default."""
    for node in ir.calls_in(block):
        match node.function:
            case ir.Attribute(name=name) | ir.Name(name=name) if name in DROPPING:
                share = share_in(node, name)
                if share is not None or name not in ATTENTIONS:
                    yield share


def is_attribute(node: ir.Expression | None) -> bool:
    """`self.dropout`, `self.attn_drop.p`: what the network was made with."""
    while isinstance(node, ir.Attribute):
        if isinstance(node.base, ir.Name):
            return node.base.name == "self"
        node = node.base
    return False


def is_unset(cls: Class, share: ir.Expression | None) -> bool:
    """Whether a share is that which a network was made with, `self.drop.p`, and nobody in sight makes it with one."""
    match share:
        case (
            ir.Attribute(base=ir.Name(name="self"), name=name)
            | ir.Attribute(base=ir.Attribute(base=ir.Name(name="self"), name=name), name="p")
        ):
            made = made_of(cls, name)
            return made is not None and _is_zero(cls.frame.source.body, cls.name, _share_of(made), ())
        case _:
            return False


def made_of(cls: Class, name: str) -> ir.Expression | None:
    """What a constructor binds to an attribute, where it does so once."""
    made = cls.methods.get("__init__")
    kept = [each for each in ir.walk(*made.code.body) if isinstance(each, ir.Assign)] if made else []
    values = [each.value for each in kept for target in each.targets if path_of(target) == ("self", name)]
    return values[0] if len(values) == 1 else None


def path_of(node: ir.Expression) -> tuple[str, str]:
    """`self.share`; of anything else, nothing."""
    match node:
        case ir.Attribute(base=ir.Name(name=base), name=name):
            return base, name
        case _:
            return "", ""


def _share_of(node: ir.Expression) -> ir.Expression:
    """The share of a dropout layer; anything else is one itself."""
    match node:
        case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name), arguments=(given,)) if name in DROPOUT_LAYERS:
            return given.value
        case _:
            return node


def _is_zero(file: ir.Block, cls: str, share: ir.Expression, around: tuple[str, ...]) -> bool:
    """Whether a share that a constructor is written with is 0: a literal, or a parameter that all calls in the file leave at 0.

    around: the classes whose constructors hand on what they are given.
    """
    if isinstance(share, ir.Literal):
        return type(share.value) in (int, float) and not share.value
    if not isinstance(share, ir.Name) or cls in around:
        return False
    functions = _functions(file)
    made = next((each for each in functions if each.owner == cls and each.name == "__init__"), None)
    given = [*made.parameters.positional, *made.parameters.keyword] if made else []
    place = next((place for place, each in enumerate(given) if each.name == share.name), None)
    if made is None or place is None:
        return False
    bodies = [("", file), *((each.owner if each.name == "__init__" else "", each.body) for each in functions)]
    calls = [
        (owner, call)
        for owner, body in bodies
        for call in ir.calls_in(body)
        if isinstance(call.function, ir.Name) and call.function.name == cls
    ]
    told = [(owner, _told(call, made.parameters, place, given[place])) for owner, call in calls]
    return bool(told) and all(each is not None and _is_zero(file, owner, each, (*around, cls)) for owner, each in told)


def _told(call: ir.Call, parameters: ir.Parameters, place: int, parameter: ir.Parameter) -> ir.Expression | None:
    """What a call of a class hands its constructor for a parameter, or its default; None where nobody can tell."""
    if any(each.star for each in call.arguments):
        return None
    named = {each.keyword: each.value for each in call.arguments if each.keyword}
    placed = [each.value for each in call.arguments if not each.keyword]
    by_place = 0 < place <= len(placed) and place < len(parameters.positional)
    return placed[place - 1] if by_place else named.get(parameter.name, parameter.default)


@lru_cache(maxsize=256)
def _functions(block: ir.Block) -> tuple[ir.Code, ...]:
    """Every function of a file, methods among them."""
    defined = [node.code for node in ir.walk(*block) if isinstance(node, ir.Define)]
    return tuple(chain.from_iterable((code, *_functions(code.body)) for code in defined))
