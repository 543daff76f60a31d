"""Whether a model's layers differ between train and eval mode, and what else the code of its class tells of its layers."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Hashable, Iterable

from loopcheck.api import MODED
from loopcheck.loop import Role
from loopcheck.read.domain.modes import all_of, in_eval_by_itself
from loopcheck.read.domain.parts import leaves_of, parts_of, role_of, term_of
from loopcheck.read.domain.terms import BUFFER, Term
from loopcheck.read.domain.values import (
    NONE,
    Bound,
    Choice,
    Class,
    Const,
    Function,
    Instance,
    Items,
    Object,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.applied import (
    behind_what_is_off,
    is_off,
    is_plain_module,
    methods_of,
    never_applied,
    replaced_layers,
    said_beside_constructor,
)
from loopcheck.read.interpret.drops import DROPPING_NAMES, shares_in, told_one_mode
from loopcheck.read.interpret.lineage import facts_of, lineage, method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.evidence import held, made_by_itself
from loopcheck.read.project import Module
from loopcheck.read.vocabulary import methods, part_facts, switched_by
from loopcheck.read.vocabulary.layers import (
    asks_for_share,
    is_layer,
    makes_data,
    makes_densities,
    moded_by_name,
    modeless,
    only_computes,
)
from loopcheck.read.vocabulary.python import is_number
from loopcheck.words import CRITERION, GIVEN_WEIGHTS, OF_LEARNING, SWITCHES, words


def moded(m: Machine, role: Role) -> bool | None:
    """Whether a model's layers differ between train and eval mode; None where some are out of sight."""
    known = m.state.kept.get(role, {})
    if "moded" in known:
        return None if known["moded"] is None else bool(known["moded"])
    made = m.made_of.get(role)
    if made is None and role in m.state.arms:
        modes = {moded(m, each) for each in m.state.arms[role]}
        return modes.pop() if len(modes) == 1 else None
    if made is None:
        return False if words(role.name.rpartition(".")[2]) & CRITERION else None
    if _keeps_its_mode(m, made) or _sets_its_mode(m, made):
        return False
    bound = m.state.heap.of(made).items()
    held = {name: value for name, value in bound if not m.state.may_be_unbound((made, name)) or _by_share(m, made, name)}
    plain = frozenset(name for name, value in held.items() if isinstance(name, str) and _holds_plain(m, value, role))
    idle = never_applied(m, made.cls) if plain != held.keys() else frozenset()
    usual = not held and role.built is None  # one of several of which nobody has read the making: nothing speaks of layers given
    found = any(_holds_moded(m, value, role) for name, value in held.items() if name not in idle) or _moded(
        m, lineage(m, made.cls), frozenset(), plain, usual
    )
    if found is False and any(_may_differ(m, value, role) for value in held.values()):
        found = None
    if found is not False and _came_out_plain(m, made, role):
        return False
    layers = [value for value in m.state.heap.of(made).values() if not _is_number(value)]
    if found is None and layers and all(_holds_plain(m, value, role) for value in layers):
        return False  # no layer came of a test that its code has
    if words(made.cls.name) & CRITERION:  # a network that it holds may be there to be asked, in a mode of its own
        return None if found else False
    return found


def _came_out_plain(m: Machine, made: Instance, role: Role) -> bool:
    """Whether a module holds nothing but layers that are the same in both modes, and its other methods speak of no more: what its
    constructor says besides has come to nothing, a share of 0 say.
    """
    held = {name: value for name, value in m.state.heap.of(made).items() if isinstance(name, str)}
    methods, unreached = methods_of(m, made.cls), behind_what_is_off(m, made)
    said = said_beside_constructor(methods)
    own = {name for each, method in methods.items() if each != "__init__" for name in bound_names(method.code.body)}
    used = (said.members | said.over | said.handed) - _sizes(m, made.cls)  # what nobody knows, and nothing applies, is no layer
    layers = {name for name, value in held.items() if not _is_number(value) and (name in used or _may_be_layer(value))}
    layers -= unreached
    off = {name for name, value in held.items() if isinstance(value, Const) and not value.value}
    if not layers and not (held and all(map(_is_number, held.values()))):
        return False
    if not all(_holds_plain(m, held[name], role) for name in layers) or not is_plain_module(m, made.cls):
        return False
    # `for dropout in self.dropouts` binds one that it holds
    applied = {name for of, name in said.taken if of not in ("self", "")} | (said.bare - own)
    spoken = (
        said.mentions
        - off
        - unreached
        - ((layers | own) - applied)
        - _in_any_mode(said)
        - _dropping_nothing(methods.values(), off)
    )
    return "forward" in methods and not any(map(moded_by_name, spoken))


def _sizes(m: Machine, cls: Class) -> set[str]:
    """The attributes that a constructor is given numbers for, `heads=4`: whichever it is given, they are no layers."""
    makers = [each.methods["__init__"] for each in lineage(m, cls) if "__init__" in each.methods]
    given = (each for maker in makers for each in (*maker.code.parameters.positional, *maker.code.parameters.keyword))
    numbers = {each.name for each in given if isinstance(each.default, ir.Literal) and type(each.default.value) in (int, float)}
    return {name for name, source in facts_of(lineage(m, cls)).sets.items() if source in numbers}


def _dropping_nothing(methods: Iterable[Function], off: set[str]) -> frozenset[str]:
    """Names by which methods drop, `dropout_p=self.dropout`, where each share is 0. off: the attributes that are."""
    shares = [share for method in methods for share in shares_in(method.code.body)]
    return DROPPING_NAMES if all(is_off(share, off) for share in shares) else frozenset()


def _is_number(value: Value) -> bool:
    """Whether a value is a constant, or a tensor, as a parameter is that a module has beside its layers; of several, each."""
    match value:
        case Items(values=values):
            return bool(values) and all(map(_is_number, values))
        case Choice(then=then, other=other):
            return _is_number(then) and _is_number(other)
        case Const() | Tensor():
            return True
        case _:
            return made_by_itself(term := term_of(value)) or _is_buffer(term) or is_number(term)


def _is_buffer(term: Term) -> bool:
    return term.head == "new" and term.operands[:1] == (BUFFER,)


def _may_be_layer(value: Value) -> bool:
    """Whether a value is one that layers are in; of those out of sight nothing says so but a name, which may be that of a kind,
    `self.model == "gcn"`, and what is done with others of that name."""
    roles = (role_of(each) for each in parts_of(value) if isinstance(each, Symbol))
    built = any(not isinstance(each, (Const, Items, Symbol)) for each in parts_of(value))
    return built or any(role is not None and role.evidence in ("built", "annotated") for role in roles)


def _keeps_its_mode(m: Machine, made: Instance) -> bool:
    """Its own `train` switches nothing, or always to eval mode: it is in the mode that it was put in when it was made."""
    for cls in lineage(m, made.cls):
        for name, method in cls.methods.items():
            if switched_by("model", name):
                switched = cls.frame.source.index.of(method.code).calls & {name, "eval"}
                return not switched or (switched == {"train"} and _always_to_eval(method.code.body))
    return False


def _always_to_eval(block: ir.Block) -> bool:
    """Whether a method switches to eval mode whatever it is asked for: `super().train(False)`."""
    asked = [node for node in ir.calls_in(block) if isinstance(node.function, ir.Attribute) and node.function.name == "train"]
    modes = [node.arguments[-1].value if node.arguments else None for node in asked]
    return bool(modes) and all(isinstance(mode, ir.Literal) and mode.value is False for mode in modes)


def _sets_its_mode(m: Machine, made: Instance) -> bool:
    """Its own forward puts what it holds into the mode that it wants."""
    methods = [cls.methods["forward"] for cls in lineage(m, made.cls) if "forward" in cls.methods]
    return any("eval" in method.frame.source.index.of(method.code).calls for method in methods)


def given_mode(m: Machine, cls: Class, given: Items) -> bool | None:
    """Whether a module of the project is in train mode once made: where it has no modes of its own, as what it is given is."""
    models = [role for value in parts_of(given) for role in held(m.state, value) if role.kind == "model"]
    switched = any(role.evidence != "built" or not role.wholes.isdisjoint(m.state.toggled) for role in models)
    return None if switched and not _moded(m, lineage(m, cls), frozenset()) else True


def _borrowed(m: Machine, value: Value) -> bool | None:
    """Whether a part that one module has taken of another, `self.body = resnet18().layer1`, differs between the modes; of what
    is none it is False."""
    match value:
        case Bound(Object(role=Role(kind="model") as of), name) if ("model", name) not in methods():
            known = part_facts(m.state.kept.get(of, {}), name).get("moded")
            return known if isinstance(known, bool) else False if moded(m, of) is False else None
        case _:
            return False


def _holds_moded(m: Machine, value: Value, whole: Role) -> bool:
    """Whether a submodule that a module was seen to be given differs between the modes; of a choice, whichever it is."""
    if isinstance(value, Choice):
        arms = [each for each in (value.then, value.other) if _holds_moded(m, each, whole)]
        return len(arms) == 2 or any(_asks_share(m, value.test.key, each) for each in arms)
    if isinstance(value, Items):
        return any(_holds_moded(m, each, whole) for each in value.values)
    inner = role_of(value)
    own = inner is not None and inner.kind == "model" and inner.is_part_of(whole) and bool(moded(m, inner))
    return own or bool(_borrowed(m, value))


def _may_differ(m: Machine, value: Value, whole: Role) -> bool:
    """Whether what a module was seen to be given may differ between the modes: a part of another one, or one of two networks."""
    chosen = isinstance(value, Choice) and any(_holds_moded(m, each, whole) for each in (value.then, value.other))
    return chosen or any(_borrowed(m, part) is None for part in leaves_of(value))


def _by_share(m: Machine, made: Instance, name: Hashable) -> bool:
    """Whether a module holds a layer where there is something for it to drop, and nothing in its place else."""
    layer, test, _ = m.state.unbound[made][name]
    return _asks_share(m, test, layer)


def _asks_share(m: Machine, test: Hashable, layer: Value) -> bool:
    role = role_of(layer)
    return role is not None and asks_for_share(test, m.state.kept.get(role, {}).get("share"))


def has_moded_left(m: Machine, role: Role) -> bool | None:
    """Whether a model's layers differ between train and eval mode, but for parts that were put in eval mode by themselves."""
    in_eval = _parts_in_eval(m, role)
    return moded(m, role) if in_eval is False else False if in_eval else None


def _parts_in_eval(m: Machine, role: Role) -> bool | None:
    """Whether every part of a network that differs between the modes was put in eval mode by itself: whichever mode the network
    is in asks for something else, for weights that it draws, say. None where all of them were put in a mode by themselves, and
    nobody knows by now which it is.
    """
    made = m.made_of.get(role)
    if made is None and role in m.state.arms:
        return all_of(_parts_in_eval(m, each) for each in m.state.arms[role])
    if made is None:
        return False
    classes = lineage(m, made.cls)
    if any(map(moded_by_name, filter(str.islower, facts_of(classes).calls - _told_one_mode(classes)))):
        return False
    parts = {part for value in m.state.heap.of(made).values() for part in parts_of(value)}
    held = {inner for part in parts if (inner := role_of(part)) is not None and inner.kind == "model" and inner.is_part_of(role)}
    differ = [inner for inner in held if moded(m, inner)]
    return bool(differ) and all_of(in_eval_by_itself(m.state, inner) for inner in differ)


def _holds_plain(m: Machine, value: Value, whole: Role) -> bool:
    """Whether a submodule that a module was seen to be given is the same in both modes."""
    if isinstance(value, Choice):
        return _holds_plain(m, value.then, whole) and _holds_plain(m, value.other, whole)
    if isinstance(value, Items):  # a list registers nothing: its activations are no parts of the module
        return bool(value.values) and all(_holds_plain(m, each, whole) for each in value.values)
    inner = role_of(value)
    if inner is None or inner.kind != "model":
        return isinstance(value, Bound) and isinstance(value.base, Object) and _borrowed(m, value) is False
    return (inner.is_part_of(whole) or "moded" in m.state.kept.get(inner, {})) and moded(m, inner) is False


def _moded(
    m: Machine, classes: list[Class], seen: frozenset[str], plain_ones: frozenset[str] = frozenset(), usual: bool = False
) -> bool | None:
    """What the code of a module tells. plain_ones: the attributes that are known to hold what is the same in both modes. usual:
    it is made with no layers of somebody else's."""
    facts = facts_of(classes)
    of_project = classes[0].frame.source.index.classes
    spoken = {name for name in facts.mentions if name not in of_project and not words(name) & SWITCHES}
    differ = {name for name in spoken if moded_by_name(name)}
    made_so = {name for name, given in facts.made if name not in of_project and moded_by_name(name, given)}
    differ |= {name for name in made_so if not isinstance(_class_named(m, classes[0], name), Function)}
    replaced = replaced_layers(m, classes)
    differ -= _in_any_mode(facts) | _told_one_mode(classes) | replaced
    of_torch = {name for of, name in facts.taken if of == "nn" and name[:1].isupper()}
    layers = of_torch - {"Module", "Parameter"} - replaced
    if differ or not all(map(modeless, layers)):
        idle = never_applied(m, classes[0])
        differ, layers = differ - idle, layers - idle
    if not (differ - (_options(classes) - facts.calls)).isdisjoint(facts.usual if usual else facts.sure):
        return True
    made = {name for name, _ in facts.made if not _is_pythons(classes, name)} - of_torch - {each.name for each in classes}
    made -= _densities(classes, facts)
    around, made = {name for name in made & seen if name[:1].isupper()}, made - seen  # those are asked by who has asked this
    named = {name: found for name in made if isinstance(found := _class_named(m, classes[0], name), Class)}
    own = {name for name in made if name[:1].isupper() and not makes_data(name)} | named.keys()
    inner = {name: _moded(m, lineage(m, each), seen | own) for name, each in named.items()}
    known = inner.values()
    plain_beside = None not in known and not differ  # a part that is out of sight is like those that are not
    if any(found and (name in facts.sure or not plain_beside) for name, found in inner.items()):
        return True
    if differ or any(known):
        return None  # under a test: who makes it decides
    plain = all(map(modeless, layers)) and not _handed_layers(facts, plain_ones)
    applied = facts.sets.keys() & (facts.members | facts.over)
    if not layers and not applied:
        return False  # what it holds is not applied: an estimator that is no network, say
    return False if (layers or own or around) and plain and len(known) == len(own) and None not in known else None


def _in_any_mode(facts: Facts) -> set[str]:
    """Functions of torch that drop whatever the mode, as nothing tells them which it is, `F.dropout(x, p=self.dropout)`: they are
    no difference between the modes."""
    if "training" in facts.mentions or any(name in MODED for name, _ in facts.made):
        return set()
    return {name for of, name in facts.taken if of in ("F", "functional") and name.islower()} - facts.members


def _told_one_mode(classes: Iterable[Class]) -> set[str]:
    """Functions of torch that are told one mode wherever they are called, `F.dropout(x, training=False)`: whichever it is, the
    network's makes no difference to them."""
    found: dict[str, bool] = {}
    for method in (each for cls in classes for each in cls.methods.values()):
        asked = method.frame.source.index.uses.get("self", ())  # `self.attention(x, training=self.training)`
        for name, same in told_one_mode(method.code, by_caller="training" not in asked):
            found[name] = found.get(name, True) and same
    return {name for name, same in found.items() if same}


def _options(classes: Iterable[Class]) -> frozenset[str]:
    """What constructors are given by name: an option that is handed on, `Encoder(dropout=dropout)`, makes no layer by itself."""
    makers = (cls.methods["__init__"] for cls in classes if "__init__" in cls.methods)
    return frozenset(name for maker in makers for name in maker.code.parameters.names)


def _densities(classes: Iterable[Class], facts: Facts) -> set[str]:
    """What a class makes of densities, imported by their names or with their module."""
    named = {name: found for each in classes for name, found in each.frame.source.index.imported.items()}
    densities = {name for name, (module, _) in named.items() if makes_densities(module)}
    return densities | {name for of, name in facts.taken if of in densities or makes_densities(of)}


def _is_pythons(classes: list[Class], name: str) -> bool:
    """Whether what a class makes is of Python's own library, and no layer: an exception, a dict in order."""
    froms = [each.frame.source.index.imported[name][0] for each in classes if name in each.frame.source.index.imported]
    known = froms and all(each.partition(".")[0] in sys.stdlib_module_names for each in froms)
    return bool(known) or (not froms and isinstance(getattr(builtins, name, None), type))


def _class_named(m: Machine, cls: Class, name: str) -> Value:
    return m.fetched(m.state.heap.get((cls.frame, name)) or NONE)


def _class_taken(m: Machine, cls: Class, name: str, facts: Facts) -> Value:
    """The same of one that is taken of a module as well, `filters.LowPass()`."""
    of = [m.fetched(m.state.heap.get((cls.frame, each)) or NONE) for each, taken in facts.taken if taken == name]
    found = [m.fetched(m.modules.member(each, name)) for each in of if isinstance(each, Module)]
    return found[0] if len(found) == 1 else _class_named(m, cls, name)


def _handed_layers(facts: Facts, known: frozenset[str]) -> bool:
    """It is handed its layers: what they are is not in sight, but of those that are known."""
    handed = {name for name, given in facts.sets.items() if given and given[:1].islower() and name not in known}
    return not handed.isdisjoint(facts.members) or not handed.isdisjoint(facts.over)


def learns_with_whole(m: Machine, part: Role) -> bool:
    """Whether a part that comes in eval mode with its weights is one of a network like any other: no code of a network around it
    speaks of modes, or of what learns."""
    around = [m.made_of.get(whole) for whole in part.wholes if whole is not part]
    classes = [cls for made in around if made is not None for cls in lineage(m, made.cls)]
    said = facts_of(classes)
    return not any(words(name) & OF_LEARNING for name in said.mentions | said.calls)


def starts_blank(m: Machine, cls: Class) -> bool:
    """Whether an object of this class has random weights once made: nothing in its code speaks of weights that are there."""
    classes = lineage(m, cls)
    return not any(words(name) & GIVEN_WEIGHTS for name in facts_of(classes).mentions)


def layerless(m: Machine, cls: Class, within: tuple[Class, ...] = ()) -> bool:
    """It computes and holds nothing that is trained, nor does what it makes: a criterion, say."""
    classes = lineage(m, cls)
    facts = facts_of(classes)
    layers = {name for of, name in facts.taken if of == "nn" and is_layer(name)}
    idle = {name for name in layers if only_computes(name)}
    if layers != idle or "Parameter" in facts.mentions:
        return False
    named = {name for name, _ in facts.made if name.lstrip("_")[:1].isupper() and name not in idle}
    makes = {name for name in named if not makes_data(name) and not _is_pythons(classes, name)}
    made = [_class_taken(m, cls, name, facts) for name in makes]
    return all(isinstance(each, Class) and (each in within or layerless(m, each, (*within, cls))) for each in made)


def pure_forward(m: Machine, module: Instance) -> Value | None:
    """The forward of a module that has no layers, a criterion say, to be interpreted in place; some are written as `__call__`."""
    if not layerless(m, module.cls):
        return None
    return method_of(m, module.cls, "__call__", module) or method_of(m, module.cls, "forward", module)
