"""Dropout that a network calls as a function, or makes where it applies it, and does not tell whether it trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loopcheck.api import ATTENTION, DROPOUT_LAYERS, DROPOUTS
from loopcheck.loop import Role
from loopcheck.read.domain.values import Api, Class, Const, Frame, Function, Symbol, leaves_of
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.lineage import kind_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.words import HELD_OUT, INFERENCE, NOISY, TRAINING, words


def tell_dropout(m: Machine, cls: Class) -> None:
    """A network drops activations in either mode, as its class is written: that needs no object of it."""
    index = cls.frame.source.index
    methods = {each.code: index.of(each.code) for each in cls.methods.values()}
    dropping = [code for code, facts in methods.items() if _hands_share(facts) or not facts.calls.isdisjoint(_asked_of(code))]
    if not dropping or words(cls.name) & NOISY or kind_of(m, cls) != "model":
        return
    role = Role("class", cls.name)
    for code in dropping:
        callers = [facts for facts in methods.values() if code.name in facts.members]
        if code.parameters.names[:1] != ("self",) or words(code.name) & _WANTED or any(map(_knows_when, callers)):
            continue
        reached = _in_both_modes(code.body) if _knows_when(methods[code]) else ir.walk(*code.body)
        idle, flagged = _on_demand(code) | _without_share(cls, code), _flagged(code)
        nodes = [each for each in reached if each not in idle]
        told = [(call, by, "") for call, by in _ungated(m, cls, code, nodes)]
        told += [(call, "helper", share) for call, share in _handed_on(m, cls, code, nodes)]
        for call, by, share in told:
            always = None if call in flagged else True
            m.state.emit("drop", [role], call, {"gated": False, "by": by, "always": always}, {"share": share} if share else None)


_DROPPING = frozenset({*DROPOUTS, ATTENTION})
_WANTED = TRAINING | NOISY
_MODES = _WANTED | HELD_OUT | INFERENCE
_DROP = frozenset({"drop", "dropout"})


def _asked_of(code: ir.Code) -> frozenset[str]:
    """What code may drop by; layers are made in a constructor to be kept."""
    return _DROPPING if code.name == "__init__" else _DROPPING | DROPOUT_LAYERS


def _knows_when(facts: Facts) -> bool:
    """Code that speaks of training, or of noise, may drop when it is meant to."""
    return any(words(name) & _WANTED for name in (facts.name, *facts.mentions))


def _in_both_modes(body: ir.Block) -> Iterator[ir.Node]:
    """The calls that code comes to whether a network trains or not, with a share that it was made with or that is written out."""
    for statement in body:
        match statement:
            case ir.If(test=test, then=then, other=other):
                if not _asks_mode(test):
                    yield from _in_both_modes((*then, *other))
            case ir.For(body=inner) | ir.While(body=inner) | ir.With(body=inner) | ir.Try(body=inner):
                yield from _in_both_modes(inner)
            case ir.Define() | ir.Class() | ir.Match():
                pass
            case _ if not _asks_mode(statement):
                yield from (each for each in ir.walk(statement) if isinstance(each, ir.Call) and _is_settled(each))
        if any(isinstance(each, ir.If) and _asks_mode(each.test) and _leaves(each) for each in ir.walk(statement)):
            return


def _on_demand(code: ir.Code) -> frozenset[ir.Node]:
    """What a network does where its caller asks for it: `forward(x, need_perturbed=False)`."""
    given = (*code.parameters.positional, *code.parameters.keyword)
    flags = {each.name for each in given if isinstance(each.default, ir.Literal) and each.default.value is False}
    return frozenset(inside for test, inside in _guarded(code) if isinstance(test, ir.Name) and test.name in flags)


def _guarded(code: ir.Code) -> Iterator[tuple[ir.Expression, ir.Node]]:
    """What stands under a test, with the test."""
    return ((each.test, inside) for each in ir.walk(*code.body) if isinstance(each, ir.If) for inside in ir.walk(*each.then))


def _without_share(cls: Class, code: ir.Code) -> frozenset[ir.Node]:
    """What a network does with a share of 0: the tests around say so, `if self.flash` of `self.flash = self.dropout == 0.0`."""
    return frozenset(
        inside
        for test, inside in _guarded(code)
        if isinstance(inside, ir.Call) and not _zeroed(cls, test).isdisjoint(_path(each.value) for each in inside.arguments)
    )


def _zeroed(cls: Class, test: ir.Expression, through: frozenset[str] = frozenset()) -> frozenset[tuple[str, str]]:
    """The attributes that are 0 where a test holds. through: attributes that what they were made of was looked at already."""
    match test:
        case ir.Logical(word="and", left=left, right=right):
            return _zeroed(cls, left, through) | _zeroed(cls, right, through)
        case (
            ir.Compare(left=ir.Attribute(base=ir.Name()) as share, operators=("==",), others=(ir.Literal(value=0),))
            | ir.Not(operand=ir.Attribute(base=ir.Name()) as share)
        ):
            return frozenset([_path(share)])
        case ir.Attribute(base=ir.Name(name="self"), name=name) if name not in through and (made := _made_of(cls, name)):
            return _zeroed(cls, made, through | {name})
        case _:
            return frozenset()


def _flagged(code: ir.Code) -> frozenset[ir.Node]:
    """What stands under a flag that says whether to drop, `if self.use_dropout`: who sets that may know when."""
    return frozenset(inside for test, inside in _guarded(code) if any(words(flag.name) & _DROP for flag in _flags(test)))


def _flags(test: ir.Expression) -> Iterator[ir.Name | ir.Attribute]:
    """The names that a test asks for their truth alone."""
    match test:
        case ir.Name() | ir.Attribute():
            yield test
        case ir.Logical(left=left, right=right):
            yield from (*_flags(left), *_flags(right))
        case ir.Not(operand=operand):
            yield from _flags(operand)
        case ir.Compare(left=left, others=(ir.Literal(value=True),)):
            yield from _flags(left)
        case _:
            pass


def _asks_mode(node: ir.Node) -> bool:
    return any(isinstance(each, (ir.Name, ir.Attribute)) and words(each.name) & _MODES for each in ir.walk(node))


def _leaves(node: ir.If) -> bool:
    return any(isinstance(each, (ir.Return, ir.Raise, ir.Jump)) for each in ir.walk(*node.then, *node.other))


def _is_settled(call: ir.Call) -> bool:
    """Whether nothing but the tensor comes from a variable, which may say the mode."""
    return all(isinstance(each.value, ir.Literal) or _is_attribute(each.value) for each in call.arguments[1:])


def _made_here(m: Machine, code: ir.Code) -> frozenset[str]:
    """The variables that are dropout layers, made in this function to be applied in it."""
    nodes = [*ir.walk(*code.body)]
    used = [each.function.name for each in nodes if isinstance(each, ir.Call) and isinstance(each.function, ir.Name)]
    named = [each.name for each in nodes if isinstance(each, ir.Name)]
    return frozenset(
        name
        for each in nodes
        if isinstance(each, ir.Assign) and isinstance(each.value, ir.Call) and _is_layer(m, each.value)
        for target in each.targets
        if isinstance(target, ir.Name) and named.count(name := target.name) == used.count(name) + 1
    )


def _is_layer(m: Machine, node: ir.Expression) -> bool:
    """`nn.Dropout(0.5)`, and not of a share of 0."""
    match node:
        case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name), arguments=given) if name in DROPOUT_LAYERS:
            made = m.evaluate(node.function)
            off = any(isinstance(each.value, ir.Literal) and not each.value.value for each in given)
            return isinstance(made, Api) and made.name.startswith("torch.nn.") and not off
        case _:
            return False


def _ungated(m: Machine, cls: Class, code: ir.Code, nodes: Iterable[ir.Node]) -> Iterator[tuple[ir.Call, str]]:
    """Those of these nodes of a function that drop with whatever probability they are told, and are not told when."""
    made = frozenset[str]() if code.name == "__init__" else _made_here(m, code)
    for node in nodes:
        match node:
            case ir.Call(function=ir.Name(name=name)) if name in made:
                yield node, "layer"
            case ir.Call(function=ir.Call() as maker) if _is_layer(m, maker):
                yield node, "layer"
            case ir.Call(function=ir.Attribute(name=name) | ir.Name(name=name)) if name in _DROPPING:
                callee = m.evaluate(node.function)
                if isinstance(callee, Api) and callee.name.startswith("torch.nn.functional.") and _drops(m, cls, node, name):
                    yield node, "attention" if name == ATTENTION else "dropout"


def _drops(m: Machine, cls: Class, node: ir.Call, name: str) -> bool:
    if _is_told(node, name):
        return False
    share = _share_in(node, name)
    if name == ATTENTION:
        if _is_attribute(share):
            return not _is_unset(cls, share)
        return isinstance(share, ir.Literal) and m.evaluate(share) not in (Const(0), Const(0.0))
    return not (isinstance(share, ir.Literal) and not share.value) and not _is_unset(cls, share)


def _is_told(node: ir.Call, name: str) -> bool:
    """Whether a function of torch may be told the mode."""
    placed = [each for each in node.arguments if not each.keyword]
    hidden = any(each.star or each.keyword == "training" for each in node.arguments)
    return hidden or (name != ATTENTION and len(placed) > 2)


def _share_in(node: ir.Call, name: str) -> ir.Expression | None:
    """The share that a function of torch is given."""
    keyword, place = ("dropout_p", 4) if name == ATTENTION else ("p", 1)
    named = next((each.value for each in node.arguments if each.keyword == keyword), None)
    placed = [each.value for each in node.arguments if not each.keyword]
    return placed[place] if named is None and len(placed) > place else named


def _hands_share(facts: Facts) -> bool:
    """Whether code gives a share of dropout to anything, by its name: `self.attn_dropout`, `self.drop.p`."""
    return any(name == "p" or words(name) & _DROP for name in facts.handed)


def _handed_on(m: Machine, cls: Class, code: ir.Code, nodes: Iterable[ir.Node]) -> Iterator[tuple[ir.Call, str]]:
    """Those of these nodes of a method that hand the network's share of dropout to a function of the project which drops by it,
    and are not told when; with the keyword or the position of the share."""
    for node in nodes:
        if not isinstance(node, ir.Call) or any(each.star for each in node.arguments) or _asks_mode(node):
            continue
        for place, given in enumerate(node.arguments):
            if _is_share(given.value) and not _is_unset(cls, given.value):
                helpers = _helpers(m, cls, code, node.function)
                if helpers and all(_drops_by(m, helper, given.keyword, place) for helper in helpers):
                    yield node, given.keyword or str(place)


def _is_share(node: ir.Expression) -> bool:
    """`self.attn_dropout`, `self.drop.p`."""
    inner = node.base if isinstance(node, ir.Attribute) and node.name == "p" else node
    return _is_attribute(node) and isinstance(inner, ir.Attribute) and bool(words(inner.name) & _DROP)


def _helpers(m: Machine, cls: Class, code: ir.Code, function: ir.Expression) -> list[Function]:
    """The functions of the project that a method calls by a name, or by an attribute that its constructor keeps one in; none
    where it may be another."""
    init = cls.methods.get("__init__")
    match function:
        case ir.Attribute(base=ir.Name(name="self"), name=name):
            kept = _made_of(cls, name) if name not in cls.methods else None
            if init is None or kept is None:
                return []
            if not isinstance(kept, ir.Call):
                return _functions_called(m, cls, init.code, kept)
            makers = _functions_called(m, cls, init.code, kept.function)
            returned = [_returned(each) for each in makers]
            return [each for found in returned for each in found] if all(returned) else []
        case _:
            return _functions_called(m, cls, code, function)


def _functions_called(m: Machine, cls: Class, code: ir.Code, node: ir.Expression) -> list[Function]:
    """The functions that an expression of a method stands for; none where it may stand for anything else."""
    root = node
    while isinstance(root, ir.Attribute):
        root = root.base
    if not isinstance(root, ir.Name) or root.name == "self" or root.name in _bound(code):
        return []
    found = list(leaves_of(m.evaluate(node)))
    known = [each for each in found if isinstance(each, Function) and not each.method]
    if len(known) == len(found):
        return known
    unbound = node is root and all(isinstance(each, Symbol) for each in found)
    return _defined_below(cls.frame, root.name) if unbound and cls.frame.name == "module" else []


def _defined_below(module: Frame, name: str) -> list[Function]:
    """The function of this name of a module, which has not come to it yet."""
    body = module.source.body
    found = [each.code for each in body if isinstance(each, ir.Define) and each.code.name == name]
    return [] if name in _assigned(ir.walk(*body)) else [Function(each, module) for each in found]


def _returned(maker: Function) -> list[Function]:
    """The functions that a function defines and returns one of; none where it may return anything else."""
    nodes = [*ir.walk(*maker.code.body)]
    names = [each.value.name if isinstance(each.value, ir.Name) else "" for each in nodes if isinstance(each, ir.Return)]
    inner = [each.code for each in nodes if isinstance(each, ir.Define)]
    if maker.code.decorators or not {each.name for each in inner}.issuperset(names) or not _assigned(nodes).isdisjoint(names):
        return []
    return [Function(each, maker.frame) for each in inner if each.name in names]


def _drops_by(m: Machine, helper: Function, keyword: str, place: int) -> bool:
    """Whether a function drops by a share that it is given at this place, whatever else it is given."""
    code, known = helper.code, helper.code.parameters
    names = [each.name for each in (*known.positional, *known.keyword)]
    name = keyword if keyword in names else known.names[place] if not keyword and place < len(known.names) else ""
    facts = helper.frame.source.index.of(code)
    nodes = [*ir.walk(*code.body)]
    if (
        not name
        or code.decorators
        or name in _assigned(nodes)
        or any(words(each) & _MODES for each in (code.name, *facts.mentions))
    ):
        return False
    if any(_may_ask(each.test, name) for each in nodes if isinstance(each, (ir.If, ir.Conditional))):
        return False
    with m.state.within(frame=helper.frame):
        return any(isinstance(each, ir.Call) and _drops_so(m, each, name) for each in nodes)


def _drops_so(m: Machine, node: ir.Call, share: str) -> bool:
    """Whether a call is one of torch's that drop, by the share of this name."""
    match node.function:
        case ir.Attribute(name=name) | ir.Name(name=name) if name in _DROPPING and not _is_told(node, name):
            given, callee = _share_in(node, name), m.evaluate(node.function)
            by_share = isinstance(given, ir.Name) and given.name == share
            return by_share and isinstance(callee, Api) and callee.name.startswith("torch.nn.functional.")
        case _:
            return False


def _may_ask(test: ir.Expression, share: str) -> bool:
    """Whether a test may be of the mode: a flag, or a word that says what is wanted."""
    flags = {each.name for each in _flags(test)}
    return bool(flags - {share}) or any(isinstance(each, ir.Literal) and isinstance(each.value, str) for each in ir.walk(test))


def _bound(code: ir.Code) -> frozenset[str]:
    """The names that are a function's own."""
    known = code.parameters
    given = (*known.names, *(each.name for each in known.keyword), known.rest, known.options)
    nodes = [*ir.walk(*code.body)]
    defined = (each.code.name for each in nodes if isinstance(each, ir.Define))
    imported = (
        bound or name for each in nodes if isinstance(each, (ir.Import, ir.ImportFrom)) for name, bound in each.names or ()
    )
    return frozenset((*given, *defined, *imported)) | _assigned(nodes)


def _assigned(nodes: Iterable[ir.Node]) -> frozenset[str]:
    """The names that statements give another worth."""
    targets: list[ir.Node | None] = []
    for each in nodes:
        match each:
            case ir.Assign(targets=found):
                targets += found
            case ir.Annotate(target=target) | ir.Augment(target=target) | ir.For(target=target) | ir.With(target=target):
                targets.append(target)
            case ir.Walrus(name=name):
                targets.append(ir.Name(each.span, name))
            case _:
                pass
    return frozenset(
        each.name for target in targets if target is not None for each in ir.walk(target) if isinstance(each, ir.Name)
    )


def _is_unset(cls: Class, share: ir.Expression | None) -> bool:
    """Whether a share is that which a network was made with, `self.drop.p`, and nobody in sight makes it with one."""
    match share:
        case (
            ir.Attribute(base=ir.Name(name="self"), name=name)
            | ir.Attribute(base=ir.Attribute(base=ir.Name(name="self"), name=name), name="p")
        ):
            made = _made_of(cls, name)
            return made is not None and _is_zero(cls.frame.source.body, cls.name, _share_of(made), ())
        case _:
            return False


def _made_of(cls: Class, name: str) -> ir.Expression | None:
    """What a constructor binds to an attribute, where it does so once."""
    made = cls.methods.get("__init__")
    kept = [each for each in ir.walk(*made.code.body) if isinstance(each, ir.Assign)] if made else []
    values = [each.value for each in kept for target in each.targets if _path(target) == ("self", name)]
    return values[0] if len(values) == 1 else None


def _path(node: ir.Expression) -> tuple[str, str]:
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
    functions = list(_functions(file))
    made = next((each for each in functions if each.owner == cls and each.name == "__init__"), None)
    given = [*made.parameters.positional, *made.parameters.keyword] if made else []
    place = next((place for place, each in enumerate(given) if each.name == share.name), None)
    if made is None or place is None:
        return False
    bodies = [("", file), *((each.owner if each.name == "__init__" else "", each.body) for each in functions)]
    calls = [
        (owner, call)
        for owner, body in bodies
        for call in ir.walk(*body)
        if isinstance(call, ir.Call) and isinstance(call.function, ir.Name) and call.function.name == cls
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


def _functions(block: ir.Block) -> Iterator[ir.Code]:
    """Every function of a file, methods among them."""
    for node in ir.walk(*block):
        if isinstance(node, ir.Define):
            yield node.code
            yield from _functions(node.code.body)


def _is_attribute(node: ir.Expression | None) -> bool:
    """`self.dropout`, `self.attn_drop.p`: what the network was made with."""
    while isinstance(node, ir.Attribute):
        if isinstance(node.base, ir.Name):
            return node.base.name == "self"
        node = node.base
    return False
