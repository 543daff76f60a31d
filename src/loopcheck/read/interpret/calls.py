"""Calls: what is called, what it is given, and how each kind of value is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat

from loopcheck import words as kinds
from loopcheck.api import EXCHANGES, OF_PROBABILITIES, TAKES
from loopcheck.loop import Role
from loopcheck.read.domain.choices import Activation, Each, Entries, Limited, Perhaps
from loopcheck.read.domain.graphs import list_graphs
from loopcheck.read.domain.parts import entries_of, leaves_of, names_of, parts_of, role_of, tensor_in, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
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
    Later,
    Object,
    Params,
    Partial,
    Scope,
    Stream,
    Super,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.relevance import stands_alone
from loopcheck.read.interpret.backwards import computed_of, outputs
from loopcheck.read.interpret.binding import assign, joined, last_name
from loopcheck.read.interpret.classes import construct
from loopcheck.read.interpret.comparing import filled
from loopcheck.read.interpret.comprehensions import drained
from loopcheck.read.interpret.forwards import as_forward, forward
from loopcheck.read.interpret.functions import inline, own_step
from loopcheck.read.interpret.keeping import use_best_in_call
from loopcheck.read.interpret.lineage import bases_of, following, method_of, steps_itself
from loopcheck.read.interpret.logits import activated, as_before, of_their_logarithms
from loopcheck.read.interpret.machine import Callee, Instruction, Machine
from loopcheck.read.interpret.members import ask, attribute, copied
from loopcheck.read.interpret.methods import CASES, called_method
from loopcheck.read.interpret.moded import pure_forward
from loopcheck.read.interpret.operators import operated
from loopcheck.read.interpret.recording import may_spare, recorded
from loopcheck.read.interpret.retained import appended
from loopcheck.read.interpret.rows import SOURCES, asked, without_effects
from loopcheck.read.interpret.scoping import is_manager
from loopcheck.read.interpret.surroundings import handed_over, in_sight
from loopcheck.read.interpret.tables import networks_of, one_of, variant_of
from loopcheck.read.interpret.tallies import averaged, metered, updates
from loopcheck.read.interpret.unseen import drawn, function_kept, unseen
from loopcheck.read.objects.evidence import adopt, graph_of, held, is_whole_file, part
from loopcheck.read.project import Module
from loopcheck.read.vocabulary import (
    assumed_of,
    bases,
    criterion_of,
    differentiable,
    function,
    gradient_method,
    methods,
    operator_of,
    part_facts,
    pure,
    summing,
)


def call(m: Machine, node: ir.Call) -> Value:
    """The value of a call, after its events."""
    state = m.state
    callee = state.settled(_callee(m, node.function))
    if state.tallies:
        averaged(m, node)
    if state.here.passes and updates(node):
        metered(m, node)
    if isinstance(callee, Choice):
        return state.settled(_one_called(m, node, callee))
    given = _drawn(m, node, callee, _given(m, node, callee))
    if _is_of_network(callee) and not _takes(m, callee, _shape(node)):
        if state.frame.source.path:
            return state.fresh("refused")  # no network is applied where it raises
        given = _as_asked(callee, given)
    if isinstance(node.function, ir.Attribute) and node.function.name.endswith("_"):  # of a tensor that is written in place
        for each in given.values:
            copied(m, each)
        if node.function.name == "copy_" and given.values and isinstance(node.function.base, ir.Subscript):
            filled(m, node, m.evaluate(node.function.base), given.values[0])
    return state.settled(m.invoke(node, callee, given))


def _as_asked(callee: Value, given: Arguments) -> Arguments:
    """What a framework hands a hook of the program: as much of it as that asks for, `validation_step(batch, batch_idx)`."""
    if not isinstance(callee, Function):
        return given
    asked = callee.code.parameters.positional[callee.method :]
    return replace(given, values=given.values[: len(asked)])


def _one_called(m: Machine, node: ir.Call, callee: Choice) -> Value:
    """What is called is one of several. Where some take what they are given, one of those it is: the others would fail."""
    shape = _shape(node)
    some = any(_takes(m, each, shape) for each in leaves_of(callee))

    def one(value: Value) -> Value:
        given = _given(m, node, value)
        if some and not _takes(m, value, shape):
            m.state.leave("raise")
            return NONE
        return m.invoke(node, value, given)

    return m.state.each(callee, one)


def _shape(node: ir.Call) -> Arguments:
    """How many arguments a call gives, and by which names: what they are stays open."""
    return Arguments(
        tuple(NONE for each in node.arguments if not each.keyword),
        {each.keyword: NONE for each in node.arguments if each.keyword},
        not any(each.star for each in node.arguments),
    )


def _is_of_network(callee: Value) -> bool:
    """Whether what is called is a network of the project, or a method of one."""
    of = callee.me if isinstance(callee, Function) else callee
    return isinstance(of, Instance) and of.role is not None and of.role.kind == "model"


def _takes(m: Machine, callee: Value, given: Arguments) -> bool:
    """Whether a function of the project, or the forward of a network of it, can be called so, as far as is known."""
    match callee:
        case Instance(cls, role=Role(kind="model")):
            called = method_of(m, cls, "forward", callee)
        case _:
            called = callee
    return not isinstance(called, Function) or called.takes(given)


def _drawn(m: Machine, node: ir.Call, callee: Value, given: Arguments) -> Arguments:
    """What a callee is given, of which one out of sight draws what is put through functions, `sum(map(step, loader))`."""
    if isinstance(callee, (Function, Partial)) or last_name(node.function) in kinds.LAZY:
        return given
    if not any(isinstance(each, Stream) for each in given.values):
        return given  # as most are
    written = chain((each.value for each in node.arguments if not each.keyword), repeat(node))
    return replace(given, values=tuple(drained(m, node, *each) for each in zip(given.values, written, strict=False)))


def _given(m: Machine, node: ir.Call, callee: Value) -> Arguments:
    """What a callee is given, where it may be told that this is the best model."""
    given = arguments(m, node)
    if m.state.bests:
        use_best_in_call(m, node, callee, given)
    return given


def _callee(m: Machine, node: ir.Expression) -> Value:
    if not isinstance(node, ir.Attribute):
        return m.evaluate(node)
    base = m.evaluate(node.base)
    folded = node.name in CASES and any(isinstance(each, Const) for each in leaves_of(base))
    opaque = not assumed_of(node.name) and not folded
    if isinstance(base, Choice) and opaque and all(_is_data(m, each) for each in parts_of(base)):
        base = m.state.symbol(term_of(base), names_of(base))  # whichever it is, nothing more comes of it
    return _mapped(m, base, node.name, last_name(node.base) if isinstance(node.base, (ir.Name, ir.Attribute)) else "")


def _is_data(m: Machine, value: Value) -> bool:
    """Nothing that events happen to, or that a training loop is made of: a path, an option, a number."""
    if isinstance(value, Symbol):
        return adopt(m.state, value) is None and not m.state.heap.of(value)
    return isinstance(value, Const)


def _mapped(m: Machine, base: Value, name: str, here: str) -> Value:
    if isinstance(base, Choice):
        return replace(base, then=_mapped(m, base.then, name, here), other=_mapped(m, base.other, name, here))
    return method(m, base, name, here)


def method(m: Machine, base: Value, name: str, here: str = "") -> Value:
    """`base.name`, to be called: of an unknown object, its method says what it is. here: what it is called here."""
    if name in TAKES or (operator_of(name) and not name.endswith("_")):
        copied(m, base)
    if isinstance(base, Symbol) and (base, name) not in m.state.heap:
        role = adopt(m.state, base, here=here)
        if role is not None and ((role.kind, name) in methods() or role.kind == "model"):
            return Bound(base, name)
        assumed = assumed_of(name)
        if assumed == "tensor" or (role is None and assumed):
            return Bound(base, name)
    found = attribute(m, base, name)
    if isinstance(base, Instance) and isinstance(found, Symbol) and _is_out_of_sight(m, base, name, found):
        handed_over(m, base)
    return found


def _is_out_of_sight(m: Machine, base: Instance, name: str, found: Symbol) -> bool:
    """A method that no base in sight has is one of those out of sight, and has the object."""
    known = (base, name) in m.state.heap or found.role is not None
    return not known and not in_sight(m, base.cls) and not kinds.words(name) & kinds.HARMLESS


def arguments(m: Machine, node: ir.Call) -> Arguments:
    """What a call is given."""
    values: list[Value] = []
    keywords: dict[str, Value] = {}
    complete = True
    for arg in node.arguments:
        value = m.evaluate(arg.value)
        if arg.star == "*" and isinstance(value, Items):
            values += value.values
        elif arg.star == "**" and isinstance(value, Items) and value.keys is not None:
            keywords.update({str(key): each for key, each in entries_of(value).items()})
        elif arg.star:
            complete = False
            keywords[f"{arg.star}{len(keywords)}"] = value
        elif arg.keyword:
            keywords[arg.keyword] = value
        else:
            values.append(value)
    return Arguments(tuple(values), keywords, complete)


# each kind of callee


def of_partial(m: Machine, node: ir.Place, callee: Partial, args: Arguments) -> Value:
    given = Arguments((*callee.args, *args.values), {**dict(callee.keywords), **args.keywords}, args.complete)
    return m.invoke(node, callee.function, given)


def of_function(m: Machine, node: ir.Place, callee: Function, args: Arguments) -> Value:
    match callee:
        case Function() if is_manager(callee):
            return Partial(callee, args.values, tuple(args.keywords.items()))
        case Function(ir.Code(name="forward"), me=Instance(role=Role(kind="model") as role) as module) if (
            isinstance(node, ir.Call) and _inlined_forward(m, module) is None
        ):
            return forward(m, node, role, args, recorded=lambda: recorded(m, node, module, args))
        case Function(ir.Code(name="step"), me=Instance(role=Role(kind="optimizer"))):
            return own_step(m, node, callee, args)
        case Function(me=Instance(role=Role(kind="model") as role) as module) if not any(each.me is module for each in m.active):
            return as_forward(m, node, role, args, callee.code.name, lambda: inline(m, node, callee, args))
        case _:
            return inline(m, node, callee, args)


def of_bound(m: Machine, node: ir.Place, callee: Bound, args: Arguments) -> Value:
    if (inner := _borrowed(m, node, callee)) is not None:
        return of_object(m, node, inner, args)
    return called_method(m, node, callee.base, callee.name, args)


def _borrowed(m: Machine, node: ir.Place, callee: Bound) -> Object | None:
    """A part of one module that another holds, `self.vgg = vgg19().features`, and is in the mode that this one is put in."""
    match node, callee:
        case ir.Call(function=ir.Attribute(base=ir.Name() as owner, name=name)), Bound(Object() as whole, inner):
            holder = m.evaluate(owner)
        case _:
            return None
    if not isinstance(holder, Instance) or holder.role is None or whole.role.kind != "model" or ("model", inner) in methods():
        return None
    stored = m.state.heap.get((holder, name))
    if stored is None or not any(each is callee for each in leaves_of(stored)):
        return None
    if m.trials:
        m.state.shared()  # whose it is, the call site knows
    found = part(m.state, whole, inner)
    known = part_facts(m.state.kept.get(whole.role, {}), inner)
    m.state.kept[found.role] = {**known, **m.state.kept.get(found.role, {})}
    joined(m, role_of(holder), found)
    return found


def of_object(m: Machine, node: ir.Place, callee: Object, args: Arguments) -> Value:
    role = callee.role
    if {**callee.facts, **m.state.kept.get(role, {})}.get("empty"):  # a container may hold more by now
        tensor = tensor_in(args.all)
        made = computed_of(m, tensor, args.all.values) if tensor else None
        if made is None or tensor is None:
            return without_effects(m, role.name, args.all)
        return activated(m, node, callee, tensor, made)
    row = methods().get((role.kind, "__call__"))
    if row is not None:
        return asked(m, node, row, "__call__", callee, args)
    return forward(m, node, role, args) if role.kind == "model" else unseen(m, node, "", args)


def of_instance(m: Machine, node: ir.Place, callee: Instance, args: Arguments) -> Value:
    if callee.role and callee.role.kind == "model":
        inner = _inlined_forward(m, callee)
        if inner is not None:
            return m.invoke(node, inner, args)
        return forward(m, node, callee.role, args, recorded=lambda: recorded(m, node, callee, args))
    inner = method_of(m, callee.cls, "__call__", callee)
    return unseen(m, node, "", args) if inner is None else m.invoke(node, inner, args)


def _inlined_forward(m: Machine, module: Instance) -> Value | None:
    """The forward of a module that is interpreted in place: it has no layers, or takes a step of its own training."""
    inner = pure_forward(m, module)
    return method_of(m, module.cls, "forward", module) if inner is None and steps_itself(m, module.cls) else inner


def of_symbol(m: Machine, node: ir.Place, callee: Symbol, args: Arguments) -> Value:
    drawn(m, node, callee)
    networks = networks_of(m, callee.among)
    if networks:
        return one_of(m, node, unseen(m, node, callee.term.text, args, callee), networks)
    variant = variant_of(m, callee.among)
    if variant is not None:
        return construct(m, node, variant, args)
    if any(_is_command(each) for each in callee.among) and all(isinstance(each, Function) for each in callee.among):
        return _of_table(m, node, callee, callee.among, args)
    if _makes(m, callee):
        return m.state.fresh("made")
    if _is_registered(m, callee, args):
        return _registered(m, node, args.values[0])
    called = last_name(node.function) if isinstance(node, ir.Call) else ""
    here = called if isinstance(node, ir.Call) and isinstance(node.function, ir.Name) else ""
    role = adopt(m.state, callee, "model" if _must_be_network(callee, called) else "", here)
    used = role is not None and role.kind == "model" and role.evidence == "used"  # `self.L2Tag`, whose mode is set
    if (kinds.is_class_name(callee.name) and not used) or any(isinstance(each, Function) for each in args.values):
        return of_library(m, node, callee.name, args)
    if role is not None and role.kind == "model":
        return forward(m, node, role, args, recorded=lambda: not (role in m.state.arms and may_spare(m, role)) or None)
    match callee.term.operands, args.values:
        case (Term() as whole, "get" | "pop"), (Const(str(key)), *_):
            ask(m, whole, key)
        case (Term() as whole, "append"), (Tensor() as value,) if _is_new_list(m, whole):
            return _listed(m, node, value)
    return unseen(m, node, callee.term.origin or callee.term.text, args, callee)


def _must_be_network(callee: Symbol, called: str) -> bool:
    """Whether an unknown value that is called is a network: functions are not copied, nor is one the whole of a checkpoint.

    called: its name at the call.
    """
    said = kinds.words(callee.name) | kinds.words(called)
    return callee.term.head == "copy" or (is_whole_file(callee.term) and not said & (kinds.NO_MODEL | kinds.PREPARING))


def _listed(m: Machine, node: ir.Place, value: Tensor) -> Value:
    """A list under a key gets a tensor, `losses["train"].append(loss)`."""
    list_graphs(m.state, value)
    if isinstance(node, ir.Call) and isinstance(node.function, ir.Attribute):
        appended(m, node.function.base, node.arguments[0].value, value)
    return NONE


def _is_registered(m: Machine, callee: Symbol, args: Arguments) -> bool:
    """Whether a list under a key, that nobody has put anything into, gets what is to be called, `hooks["epoch"].append(test)`."""
    match callee.term.operands, args.values:
        case (Term() as whole, "append"), (Function() | Bound() | Partial() | Instance(role=None),):
            return _is_new_list(m, whole)
        case _:
            return False


def _registered(m: Machine, node: ir.Place, value: Value) -> Value:
    """The list has it from here on; of a list that is not in sight, as in a summary, it may be what is called."""
    function_kept(m)
    match node:
        case ir.Call(function=ir.Attribute(base=ir.Subscript() as where)):
            assign(m, where, Items((value,)))
    return NONE


def _is_new_list(m: Machine, term: Term) -> bool:
    """Whether a value is what a `defaultdict(list)` has under a key, a `deque()` without a length, or a field of a dataclass that
    `list` makes: a list, empty where nobody has put anything into it."""
    match term:
        case Term(head="name") if (field := m.state.symbols.get(term)) is not None:
            return field.typed == Api("builtins.list")
        case Term(head="call", operands=("collections.deque", Term(head="items", operands=()), *_)):
            return True
        case Term(head="item", operands=(Term(head="call", operands=("collections.defaultdict", Term() as given, *_)), _)):
            return given == Term("items", Term("api", "builtins.list"))
        case _:
            return False


def _is_command(value: Value) -> bool:
    """Whether this is a function that trains or evaluates, and none that only makes something."""
    if not isinstance(value, Function):
        return False
    index = value.frame.source.index
    return stands_alone(index.of(value.code), index)


def _of_table(m: Machine, node: ir.Place, callee: Symbol, functions: Sequence[Value], args: Arguments) -> Value:
    """`COMMANDS[name](args)`: any of the functions that a table has runs here, under the gradients and modes that are here."""
    first, *others = functions
    if not others:
        return m.invoke(node, first, args)
    test = m.state.test(Term("is", callee.term, term_of(first)), callee.names)
    results: list[Value] = []
    m.state.branch(
        test,
        lambda: results.append(m.invoke(node, first, args)),
        lambda: results.append(_of_table(m, node, callee, others, args)),
    )
    return m.state.choice(test, results[0], results[1]) if len(results) == 2 else results[0]


def _makes(m: Machine, callee: Symbol) -> bool:
    """Whether a test around says that it is a class: `if inspect.isclass(model): model = model(width)`."""
    alone, beside = Term.met("items", callee.term), Term.met("items", callee.term, Term("api", "builtins.type"))
    asked = alone and Term.met("call", "inspect.isclass", alone), beside and Term.met("call", "builtins.isinstance", beside)
    return any(each is not None and m.state.assumed.get(each) for each in asked)


def of_choice(m: Machine, node: ir.Place, callee: Choice, args: Arguments) -> Value:
    return m.state.each(callee, lambda value: m.invoke(node, value, args))


def of_tensor(m: Machine, node: ir.Place, callee: Tensor, args: Arguments) -> Value:
    """What code out of sight made of models is no tensor after all, if it is called like a model."""
    name = m.code(node.function) if isinstance(node, ir.Call) else ""
    if not kinds.words(name) & kinds.MODEL:
        return unseen(m, node, "", args)
    return outputs([forward(m, node, model, args) for model in callee.models]) or unseen(m, node, "", args)


def of_literal(m: Machine, node: ir.Place, callee: Const, args: Arguments) -> Value:
    """`None(…)` fails; where that is what a name is worth, it has another value by then that nobody in sight gives it."""
    unseen(m, node, "", args)
    return m.state.fresh("value")


def of_scope(m: Machine, node: ir.Place, callee: Scope, args: Arguments) -> Value:
    """A context manager that a function is handed to decorates it."""
    match args.values:
        case (Function() as function,):
            inner = function.under is not None or callee.grad is None
            return function if inner else replace(function, under=callee)
        case _:
            return unseen(m, node, "", args)


def of_anything(m: Machine, node: ir.Place, callee: Value, args: Arguments) -> Value:
    return unseen(m, node, "", args)


# code out of sight that is known by its name


def of_api(m: Machine, node: ir.Place, callee: Api, args: Arguments) -> Value:
    return of_library(m, node, callee.name, args)


def of_library(m: Machine, node: ir.Place, name: str, args: Arguments) -> Value:
    """A function or class of a library, or of a file out of sight."""
    row = function(name)
    if row is not None:
        return asked(m, node, row, name, None, args)
    if name == "builtins.super":
        return _super(m)
    owner, _, method_name = name.rpartition(".")
    if args.values and (bases().get(owner), method_name) in methods():  # `nn.Module.eval(model)`
        return called_method(m, node, args.values[0], method_name, replace(args, values=args.values[1:]))
    given = args.all
    operator = operator_of(name) if len(given.values) == 2 else None
    if operator is not None:
        return operated(m, node, operator, *given.values)
    tensor = graph_of(m.state, given)
    if tensor and _criterion(name):
        tensor = tensor.undivided
    if tensor and summing(args.keywords):  # over samples, so over a window as well
        tensor = tensor.made("total")
    _told_probabilities(m, node, name, args)
    if tensor and criterion_of(name) in OF_PROBABILITIES:
        tensor = of_their_logarithms(m, node, tensor, args.keywords.get("input") or (args.values[0] if args.values else NONE))
    if _criterion(name):  # it makes a loss also of outputs of unknown origin, and nobody has divided it yet
        if tensor:
            return computed_of(m, tensor, given.values)
        whole = not summing(args.keywords) and m.state.records is not False
        return Tensor(m.state.new("loss"), open=True) if whole else m.state.fresh("value")
    package = name.partition(".")[0]
    if package in differentiable():
        _in_place(m, node, name, args)
        made = computed_of(m, tensor, given.values) if tensor else without_effects(m, name, given)
        return as_before(name, args.values[0] if args.values else args.keywords.get("input"), made)
    if package in pure():
        return without_effects(m, name, given)
    return _of_class_name(m, node, name, given) or unseen(m, node, name, args)


def _criterion(name: str) -> bool:
    """Whether a library's function computes a loss: a criterion that was made, `torch.nn.MSELoss()`, or `F.mse_loss`."""
    package, _, last = name.rpartition(".")
    return last.endswith("()") or (package == "torch.nn.functional" and bool(kinds.words(last) & kinds.LOSSES))


def _told_probabilities(m: Machine, node: ir.Place, name: str, args: Arguments) -> None:
    """A loss of probabilities is given a network's outputs, of which it is known what they were put through last."""
    loss = criterion_of(name)
    given = args.keywords.get("input") or (args.values[0] if args.values else NONE)
    if loss and m.trials and isinstance(given, Tensor) and given.term.head == "formal":
        m.state.shared()  # what a loss function of the project is given, the call site knows
    models = given.models or given.lost if isinstance(given, Tensor) else frozenset()
    if loss and isinstance(given, Tensor) and models and not given.open:
        match given.activation:
            case Perhaps(how=how, under=under):  # the loss may be chosen to fit, by another test
                known = under.keys() <= m.state.conditions.keys() and m.state.assumed.keys() <= under.keys()
                certain = replace(given, activation=how)
                told = partial(_told_probabilities, m, node, name, replace(args, values=(certain, *args.values[1:])))
                if known and "input" not in args.keywords:
                    m.state.under(under, told)
            case Entries() | Each():  # a dictionary or a list, and no tensor
                pass
            case Limited() if loss in OF_PROBABILITIES:  # their logarithms are limited by that
                pass
            case str(how) if how:
                origins = ((str(how), how.site),) if isinstance(how, Activation) and how.site else ()
                each = args.keywords.get("reduction") == Const("none")
                m.state.emit("criterion", models, node, {"loss": loss, "given": str(how), "each": each}, origins=origins)


def _in_place(m: Machine, node: ir.Place, name: str, args: Arguments) -> None:
    """Gradients that a function changes in place: its first argument where its name ends in `_`, or processes add that up, or its
    `out`."""
    exchanged = name.rpartition(".")[2] in EXCHANGES
    changed = args.keywords.get("out") or (args.values[0] if args.values and (exchanged or name.endswith("_")) else NONE)
    how = "add_" if exchanged else "zero_" if name.endswith("_zero_") else "_"
    for each in parts_of(changed):
        if isinstance(each, Grad):
            asked(m, node, gradient_method, how, each, args)


def _super(m: Machine) -> Value:
    me, owner = m.state.frame.me, m.state.frame.owner
    if not isinstance(me, Instance) or owner is None:
        return Api("object()")
    after = following(m, owner, me)
    unseen_base = next((base for each in (owner, *after) for base in bases_of(m, each) if isinstance(base, Api)), None)
    return Super(me, tuple(after), unseen_base)


def _of_class_name(m: Machine, node: ir.Place, name: str, given: Items) -> Value | None:
    """An object of a class out of sight, whose name says what it is."""
    state = m.state
    held_roles = tuple(dict.fromkeys(role for value in parts_of(given) for role in held(state, value)))
    kind = kinds.of_class_name(name)
    if kind == "model" and m.modules.harmless(name):  # `BoxTransformer` of a file of the project that has no networks
        return None
    if name.rpartition(".")[2] in kinds.WRAPPERS:
        return next((value for value in given.values if role_of(value) is not None), None)
    of = tuple(role for role in held_roles if role.kind == SOURCES.get(kind or ""))
    params = any(isinstance(part, Params) for part in parts_of(given))
    if kind == "scheduler" and not of and {role.kind for value in parts_of(given) for role in held(state, value)} == {"model"}:
        return Object(Role("module_scheduler", "", held_roles))  # of batch norm's momentum, say
    if kind is None or (kind == "optimizer" and held_roles and not params) or (kind == "scheduler" and not of):
        return None
    evidence = "used" if kind in ("model", "scaler") else "named"
    role = Role(kind, "", of, open=kind == "loader" or (kind == "optimizer" and not of), evidence=evidence, anew=state.here.loops)
    if kind == "optimizer":
        state.emit("build", [role], node, {}, {"class": name.rpartition(".")[2]})
    if kind == "model" and held_roles:
        state.kept[role] = {"given": held_roles}
    return Object(role)


INSTRUCTIONS: Mapping[type, Instruction] = {ir.Call: call}
CALLEES: Mapping[type, Callee] = {
    Partial: of_partial,
    Function: of_function,
    Class: construct,
    Api: of_api,
    Bound: of_bound,
    Object: of_object,
    Instance: of_instance,
    Symbol: of_symbol,
    Choice: of_choice,
    Tensor: of_tensor,
    Const: of_literal,
    Scope: of_scope,
    **dict.fromkeys((Module, Later, Params, Grad, Items, Super, Stream), of_anything),
}
