"""What can be told of a file at a glance: what functions call and mention, what classes are made of, what is done with names.

One pass over Python's own tree, and nothing is interpreted. Comments, docstrings and blank lines are not there.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from loopcheck.api import MODELESS_OPTIONS
from loopcheck.read.front import ir
from loopcheck.read.text import DEEPEST, too_deep


@dataclass(eq=False)
class Facts:
    """What a piece of code says, functions and classes inside it among it.

    mentions: every identifier. sure: those that stand under no `if` and are no parameter's default; usual: or under one that asks
    whether an argument was given, `if norm is None: norm = nn.BatchNorm2d`. calls: the last names of what
    is called, `run` of `engine.run()`. bare: those without a dot.
    heads: what methods are called on, `engine`. members: attributes of self that are called, also by index. made: calls by their
    last name, with the number of positional arguments. taken: attributes by what they are taken of, ("nn", "Linear"), of
    nothing where that has no name.
    sets: attributes of self that are bound, each with the name that it is bound to, empty where that is no name.
    over: the identifiers of what is looped over. imports: modules and names that it imports. asks: it asks for gradients by hand.
    counts: it asks whether a number is divisible by another, as of every k-th pass. shared: variables that are not its own.
    edits: the dicts and lists that it changes and did not make, `given` and `self.kept`, each with the key that it sets, empty of
    any. hands: what it is given and gives to other functions, by their last names. handed: all that it gives to others.
    """

    name: str = ""
    owner: str = ""
    statements: int = 0
    parameters: frozenset[str] = frozenset()
    mentions: set[str] = field(default_factory=set)
    sure: set[str] = field(default_factory=set)
    usual: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    bare: set[str] = field(default_factory=set)
    heads: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    made: set[tuple[str, int]] = field(default_factory=set)
    taken: set[tuple[str, str]] = field(default_factory=set)
    sets: dict[str, str] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)
    imports: list[str] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    edits: set[tuple[str, str]] = field(default_factory=set)
    hands: set[tuple[str, str]] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    yields: bool = False
    returns: bool = False
    asks: bool = False
    counts: bool = False

    @property
    def edits_around(self) -> Set[tuple[str, str]]:
        """What it edits of others without being given it."""
        return {each for each in self.edits if each[0].partition(".")[0] not in self.parameters}

    def absorb(self, other: Facts) -> None:
        """What stands in a piece of code stands in what is around it."""
        self.statements += other.statements
        for name in (
            "mentions",
            "sure",
            "usual",
            "calls",
            "bare",
            "heads",
            "members",
            "made",
            "taken",
            "over",
            "shared",
            "handed",
        ):
            getattr(self, name).update(getattr(other, name))
        self.sets.update(other.sets)
        self.edits |= other.edits_around
        self.imports += other.imports
        self.yields |= other.yields
        self.returns |= other.returns
        self.asks |= other.asks
        self.counts |= other.counts


@dataclass(eq=False)
class Index:
    """uses: what is done with each name, the attributes taken of it, `()` where it is called, and `step=` where what its `step`
    gives is bound; by the empty name, the attributes taken of what has none. counted: names that are counted with, `+=`.
    defaults: the literals that an argument parser's options have by themselves. fixed: those of its flags that can only be set to
    what they are. functions: every function and method by the row of its head. classes: the same by name, methods and all.
    bodies: classes by the row of their head, for a name may be given to another class further down. held: the attributes that its
    classes set. imported: what names are imported from: a module and its name there, empty of a module itself. shared: the
    variables that functions bind though they are not their own. given: the strings and flags that variables, attributes, keyword
    arguments, and parameters by themselves are given, each with the name. guarded: it says what is
    done where it is run as a script."""

    uses: Mapping[str, frozenset[str]]
    counted: Set[str]
    defaults: Mapping[str, object]
    fixed: Mapping[str, bool]
    functions: Mapping[int, Facts]
    classes: Mapping[str, Facts]
    bodies: Mapping[int, Facts]
    held: Set[str]
    imports: list[str]
    imported: Mapping[str, tuple[str, str]]
    shared: Set[str]
    given: Set[tuple[str, str | bool]]
    volatile: bool
    guarded: bool
    _edits: dict[Facts, frozenset[str]] = field(default_factory=dict)

    def of(self, code: ir.Code) -> Facts:
        """What a function says; nothing of a lambda."""
        return self.functions.get(code.span[0], _NOTHING) if code.name != "lambda" else _NOTHING

    def within(self, node: ir.Class) -> Facts:
        """What a class says."""
        return self.bodies.get(node.span[0], _NOTHING)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that something is done with, and every attribute that is taken or bound."""
        return frozenset(self.uses).union(*self.uses.values())

    @cached_property
    def edited(self) -> Mapping[str, Set[str]]:
        """The dicts and lists that functions edit though they are not their own, each with the keys, an empty one for any."""
        found: dict[str, set[str]] = defaultdict(set)
        for facts in self.functions.values():
            for name, key in facts.edits_around:
                found[name].add(key)
        return found

    def edits_of(self, facts: Facts) -> frozenset[str]:
        """The parameters of a function that it changes, by itself or through what it gives them to; code of other files may."""
        if facts not in self._edits:
            self._edits[facts] = self._edits_of(facts)
        return self._edits[facts]

    def _edits_of(self, facts: Facts) -> frozenset[str]:
        through = {name for name, called in facts.hands if called in self.imported or called in self._editing}
        return frozenset(through | {name for name, _ in facts.edits} & facts.parameters)

    @cached_property
    def _editing(self) -> frozenset[str]:
        """The functions that change what they are given, by themselves or through others."""
        found = {each for each in self.functions.values() if any(name in each.parameters for name, _ in each.edits)}
        return frozenset(each.name for each in self.reaching(found) if each in found or each.hands)

    @cached_property
    def tests(self) -> bool:
        """Whether it is a file of unit tests."""
        return any(name.partition(".")[0] in ("unittest", "pytest") for name in self.imports)

    @cached_property
    def asks(self) -> bool:
        """Whether any of its functions asks for gradients by hand."""
        return any(facts.asks for facts in self.functions.values())

    @cached_property
    def named(self) -> Mapping[str, Sequence[Facts]]:
        """What may be called by a name: functions, methods, and of a class what runs when an object of it is made or used."""
        found: dict[str, list[Facts]] = defaultdict(list)
        for facts in self.functions.values():
            found[facts.name].append(facts)
            if facts.owner and facts.name.startswith("__"):
                found[facts.owner].append(facts)
        return found

    @cached_property
    def switching(self) -> frozenset[str]:
        """The functions that call `train` or `eval`, by themselves or through others."""
        own = [facts for facts in self.functions.values() if not facts.calls.isdisjoint({"train", "eval"})]
        return frozenset(facts.name for facts in self.reaching(own))

    def reaching(self, seeds: Iterable[Facts]) -> frozenset[Facts]:
        """The functions that reach one of these, by the names that they call."""
        callers: dict[str, list[Facts]] = defaultdict(list)
        for facts in self.functions.values():
            for name in facts.calls | facts.heads:
                callers[name].append(facts)
        found = set(seeds)
        work = list(found)
        while work:
            facts = work.pop()
            names = [facts.name, facts.owner] if facts.name.startswith("__") else [facts.name]
            new = {caller for name in names if name for caller in callers.get(name, ())} - found
            found |= new
            work += new
        return frozenset(found)


_NOTHING = Facts()


def _spares_modes(option: str, value: ast.expr) -> bool:
    """Whether a layer that is told this is the same in both modes, or may be meant to be: `dropout=0.0`."""
    return isinstance(value, ast.Constant) and option in MODELESS_OPTIONS and value.value == MODELESS_OPTIONS[option]


def _is_main_guard(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":`."""
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False


def index(tree: ast.Module) -> Index:
    """The index of a file. Raises SourceError where it is nested too deeply to be lowered."""
    return _Indexer().run(tree)


class _Indexer:
    def __init__(self) -> None:
        self.uses: dict[str, set[str]] = defaultdict(set)
        self.counted: set[str] = set()
        self.defaults: dict[str, object] = {}
        self.flags: dict[str, set[bool | None]] = defaultdict(set)
        self.functions: dict[int, Facts] = {}
        self.classes: dict[str, Facts] = {}
        self.bodies: dict[int, Facts] = {}
        self.held: set[str] = set()
        self.names: dict[str, tuple[str, str]] = {}
        self.given: set[tuple[str, str | bool]] = set()
        self.facts = Facts()
        self.own: set[str] = set()
        self.weights: set[str] = set()
        self.owner = ""
        self.depth = 0
        self.choices = 0
        self.not_given = 0

    def run(self, tree: ast.Module) -> Index:
        for statement in tree.body:
            self.visit(statement)
        facts = self.facts
        return Index(
            uses={name: frozenset(done) for name, done in self.uses.items()},
            counted=self.counted,
            defaults=self.defaults,
            fixed=_fixed(self.flags),
            functions=self.functions,
            classes=self.classes,
            bodies=self.bodies,
            held=self.held,
            imports=facts.imports,
            imported=self.names,
            shared=facts.shared,
            given=self.given,
            volatile="volatile" in facts.mentions,
            guarded=any(map(_is_main_guard, tree.body)),
        )

    def visit(self, node: Any) -> None:
        """A node and all below it."""
        method = _VISITS.get(type(node), _Indexer.inside)
        if method is None:
            return
        self.depth += 1
        if self.depth > DEEPEST:
            raise too_deep(next((each.lineno for each in ast.walk(node) if hasattr(each, "lineno")), 1))
        method(self, node)
        self.depth -= 1

    def inside(self, node: ast.AST, without: str = "") -> None:
        """What a node is made of, but for the field `without`."""
        kind: Any = type(node)
        self.facts.statements += kind in _COUNTED
        for name in _parts(kind):
            if name != without:
                value = getattr(node, name, None)
                if isinstance(value, list):
                    for each in value:
                        if isinstance(each, ast.AST):
                            self.visit(each)
                elif isinstance(value, ast.AST):
                    self.visit(value)

    def expression(self, node: ast.Expr) -> None:
        """A docstring, or `...`, is no statement."""
        if not isinstance(node.value, ast.Constant):
            self.inside(node)

    def logical(self, node: ast.BoolOp) -> None:
        """`a or b or c` is as deep as it is long: it is lowered to pairs."""
        self.depth += len(node.values)
        self.inside(node)
        self.depth -= len(node.values)

    def name(self, node: ast.Name) -> None:
        if node.id in self.facts.parameters:  # `dropout`: whether there is a layer, who calls decides
            self.facts.mentions.add(node.id)
        else:
            self.mentioned(node.id)

    def target(self, node: ast.AST | None) -> None:
        """What stands there is bound, or an item of it is."""
        match node:
            case ast.Name(id=name):
                self.own.add(name)
            case ast.Subscript(value=base, slice=ast.Constant(value=str(key))):
                self.edited(base, key)
            case ast.Subscript(value=base):
                self.edited(base, "")
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for each in elements:
                    self.target(each)
            case ast.Starred(value=inner):
                self.target(inner)

    def binds(self, node: Any) -> None:
        """`with … as x`, `(x := …)`."""
        self.target(node.optional_vars if isinstance(node, ast.withitem) else node.target)
        self.inside(node)

    def delete(self, node: ast.Delete) -> None:
        for each in node.targets:
            self.target(each)
        self.inside(node)

    def edited(self, base: ast.expr, key: str) -> None:
        match base:
            case ast.Name(id=name):
                self.facts.edits.add((name, key))
            case ast.Attribute(value=ast.Name(id=of), attr=name):
                self.facts.edits.add((f"{of}.{name}", key))

    def mentioned(self, name: str) -> None:
        self.facts.mentions.add(name)
        if not self.choices:
            self.facts.sure.add(name)
        if self.choices == self.not_given:
            self.facts.usual.add(name)

    def chosen(self, node: ast.AST) -> None:
        """What stands under a test, or for an argument that is not given, may not come about."""
        self.choices += 1
        match node:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]), orelse=[]
            ) if name in self.facts.parameters:
                self.not_given += 1
                self.inside(node)
                self.not_given -= 1
            case _:
                self.inside(node)
        self.choices -= 1

    def attribute(self, node: ast.Attribute) -> None:
        facts, base = self.facts, node.value
        self.mentioned(node.attr)
        of = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
        self.uses[of].add(node.attr)
        facts.taken.add((of, node.attr))
        self.visit(base)

    def call(self, node: ast.Call) -> None:
        facts, function = self.facts, node.func
        if isinstance(function, ast.Name):
            last = function.id
            facts.bare.add(last)
        elif isinstance(function, ast.Attribute):
            last = function.attr
            if isinstance(function.value, ast.Name):
                facts.heads.add(function.value.id)
                if function.value.id == "self":
                    facts.members.add(last)
            self.asked(last, node)
            if last in EDITING:
                self.edited(function.value, "")
        else:
            last = ""
            if isinstance(function, ast.Subscript) and isinstance(function.value, ast.Attribute):
                facts.members.add(function.value.attr)
        if last:
            facts.calls.add(last)
            facts.made.add((last, len(node.args)))
            self.uses[last].add("()")
            if last == "add_argument":
                self.option(node)
            elif last == "set_defaults":
                for keyword in node.keywords:
                    self.flags[str(keyword.arg)].add(None)
        spared = {each.arg for each in node.keywords if each.arg and _spares_modes(each.arg, each.value)}
        (self.chosen if spared else self.visit)(function)
        for value in (*node.args, *(each.value for each in node.keywords)):
            if isinstance(value, ast.Name):
                facts.hands.add((value.id, last))
            facts.handed.add(_last_name(value))
        for each in node.args:
            self.visit(each)
        for keyword in node.keywords:
            if keyword.arg in spared:
                self.facts.mentions.add(keyword.arg)
            elif keyword.arg:
                self.mentioned(keyword.arg)
                self.gives(keyword.arg, keyword.value)
            self.visit(keyword.value)

    def asked(self, last: str, node: ast.Call) -> None:
        """Gradients of inputs or of adapted weights are asked for by hand."""
        if last == "requires_grad_":
            on = not node.args or getattr(node.args[0], "value", None) is True
            self.facts.asks |= on and not self.unfreezes(node.func)
        else:
            given = any(each.arg == "requires_grad" and getattr(each.value, "value", None) is True for each in node.keywords)
            self.facts.asks |= last in ("grad", "enable_grad") or (given and last != "Parameter")

    def unfreezes(self, switched: ast.expr) -> bool:
        """Whether what is told to have a gradient is a weight, as a loop over parameters hands them out."""
        match switched:
            case ast.Attribute(value=ast.Name(id=name)):
                return name in self.weights
            case ast.Attribute(value=ast.Attribute(attr=name)):
                return name in _WEIGHTS
            case _:
                return False

    def option(self, node: ast.Call) -> None:
        names = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        given = {each.arg: each.value for each in node.keywords}
        default = given.get("default")
        dest = given.get("dest")
        named = next((each for each in names if each.startswith("--")), names[0] if names else "")  # the first long one
        name = dest.value if isinstance(dest, ast.Constant) else named.lstrip("-").replace("-", "_")
        sets = _SETS.get(str(getattr(given.get("action"), "value", "")))
        self.flags[str(name)].add(sets if sets is not None and getattr(default, "value", None) is sets else None)
        if isinstance(default, ast.UnaryOp) and isinstance(default.op, ast.USub) and isinstance(default.operand, ast.Constant):
            value: object = -default.operand.value  # type: ignore[operator]
        elif isinstance(default, ast.Constant):
            value = default.value
        else:
            return
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.defaults[str(name)] = value

    def assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self.target(target)
            self.bound(target, node.value)
            self.gives(_last_name(target), node.value)
            match node.value:
                case ast.BinOp(left=before, right=ast.Constant()) if _last_name(target) == _last_name(before) != "":
                    self.counted.add(_last_name(target))  # `step = step + 1`
                case ast.Call(func=ast.Attribute(value=of, attr=method)) if name := _last_name(of):
                    self.uses[name].add(f"{method}=")
        if isinstance(node.value, ast.Constant) and node.value.value is True:
            switched = (each for each in node.targets if isinstance(each, ast.Attribute) and each.attr == "requires_grad")
            self.facts.asks |= not all(map(self.unfreezes, switched))
        self.inside(node)

    def bound(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                self.bound(each, None)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            self.held.add(target.attr)
            self.facts.sets[target.attr] = _named(value)

    def annotate(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.target(node.target)
            self.bound(node.target, node.value)
            self.gives(_last_name(node.target), node.value)
        self.inside(node)

    def gives(self, name: str, value: ast.expr) -> None:
        self.given.update((name, literal) for literal in _literals(value))

    def augment(self, node: ast.AugAssign) -> None:
        if name := _last_name(node.target):
            self.counted.add(name)
        self.target(node.target)
        self.inside(node)

    def loop(self, node: Any) -> None:
        self.target(node.target)
        if any(isinstance(each, ast.Attribute) and each.attr in _OF_WEIGHTS for each in ast.walk(node.iter)):
            self.weights |= {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
        before = self.facts.mentions
        over: set[str] = set()
        self.facts.mentions = over
        self.visit(node.iter)
        self.facts.mentions = before
        before |= over
        self.facts.over |= over
        self.inside(node, without="iter")

    def yielded(self, node: ast.Yield | ast.YieldFrom) -> None:
        self.facts.yields = True
        self.inside(node)

    def compared(self, node: ast.Compare) -> None:
        self.facts.counts |= isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Mod)
        self.inside(node)

    def declared(self, node: ast.Global | ast.Nonlocal) -> None:
        self.facts.shared.update(node.names)

    def returned(self, node: ast.Return) -> None:
        self.facts.returns |= node.value is not None
        self.inside(node)

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        facts = self.facts
        facts.statements += 1
        module = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        if module:
            facts.imports.append(module)
        for alias in node.names:
            facts.mentions.update(alias.name.split("."))
            joint = "" if not module or module.endswith(".") else "."
            self.names[alias.asname or alias.name] = (module, alias.name) if module else (alias.name, "")
            facts.imports.append(f"{module}{joint}{alias.name}")

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        args = node.args
        names = [*args.posonlyargs, *args.args, *args.kwonlyargs, *(each for each in (args.vararg, args.kwarg) if each)]
        inner = Facts(node.name, self.owner, parameters=frozenset(each.arg for each in names))
        outer, self.own, self.weights = (self.own, self.weights), set(), set()
        self.within(inner, node, "")
        self.own, self.weights = outer
        self.functions[node.lineno] = inner
        positional = [*args.posonlyargs, *args.args]
        for each, default in (
            *zip(reversed(positional), reversed(args.defaults), strict=False),
            *zip(args.kwonlyargs, args.kw_defaults, strict=True),
        ):
            if default is not None:
                self.gives(each.arg, default)
        # a parameter is a name of the function, and a keyword of its callers
        inner.mentions.update(each.arg for each in names)

    def klass(self, node: ast.ClassDef) -> None:
        inner = Facts(node.name)
        self.within(inner, node, node.name)
        self.bodies[node.lineno] = inner
        named = self.classes.setdefault(node.name, Facts(node.name))
        named.absorb(inner)

    def within(self, inner: Facts, node: ast.AST, owner: str) -> None:
        """A function or a class, with its decorators and defaults. owner: the class that the functions in it belong to."""
        outer = self.facts, self.owner, self.choices, self.not_given
        self.facts, self.owner, self.choices, self.not_given = inner, owner, 0, 0
        self.inside(node)
        self.facts, self.owner, self.choices, self.not_given = outer
        inner.edits = {each for each in inner.edits if each[0].partition(".")[0] not in self.own - inner.shared}
        inner.hands = {each for each in inner.hands if each[0] in inner.parameters - self.own}
        self.facts.absorb(inner)


EDITING = frozenset({
    "add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update",
})  # fmt: skip
"""Methods that change a list, a dict or a set."""
_OF_WEIGHTS = {"named_parameters", "parameters"}
_WEIGHTS = {"bias", "weight"}
_SETS = {"store_true": True, "store_false": False}
"""What a flag of an argument parser sets its option to."""


def _fixed(flags: Mapping[str, Set[bool | None]]) -> Mapping[str, bool]:
    """The options that every flag sets to what they are by themselves."""
    return {name: True in sets for name, sets in flags.items() if len(sets) == 1 and None not in sets}


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _literals(value: ast.expr) -> Iterator[str | bool]:
    """The strings and flags that an expression may be, on either way of a condition."""
    match value:
        case ast.Constant(value=str() | bool() as literal):
            yield literal
        case ast.IfExp(body=then, orelse=other):
            yield from (*_literals(then), *_literals(other))


def _named(value: ast.expr | None) -> str:
    """The name that a value is, in a list of modules or without one: `layers` of `nn.ModuleList(layers)`."""
    match value:
        case ast.Call(func=ast.Attribute(attr="ModuleList" | "ModuleDict"), args=[inner]):
            value = inner
    return value.id if isinstance(value, ast.Name) else ""


@cache
def _parts(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that say something."""
    return tuple(name for name in kind._fields if name not in ("ctx", "op", "ops", "type_params"))


_SILENT = [
    ast.Constant, ast.Pass, ast.Break, ast.Continue, getattr(ast, "TypeAlias", ast.Pass),
]  # fmt: skip
_COUNTED = frozenset(ast.stmt.__subclasses__()) - {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}
"""The statements that a function has so many of."""
_VISITS: dict[type, Any] = {
    **dict.fromkeys(_SILENT),
    ast.Expr: _Indexer.expression,
    ast.Name: _Indexer.name,
    ast.Attribute: _Indexer.attribute,
    ast.BoolOp: _Indexer.logical,
    ast.Call: _Indexer.call,
    ast.Assign: _Indexer.assign,
    ast.AnnAssign: _Indexer.annotate,
    ast.AugAssign: _Indexer.augment,
    ast.For: _Indexer.loop,
    ast.AsyncFor: _Indexer.loop,
    ast.comprehension: _Indexer.loop,
    ast.Delete: _Indexer.delete,
    ast.withitem: _Indexer.binds,
    ast.NamedExpr: _Indexer.binds,
    ast.Global: _Indexer.declared,
    ast.Nonlocal: _Indexer.declared,
    ast.Yield: _Indexer.yielded,
    ast.YieldFrom: _Indexer.yielded,
    ast.Compare: _Indexer.compared,
    ast.Return: _Indexer.returned,
    ast.Import: _Indexer.imported,
    ast.ImportFrom: _Indexer.imported,
    **dict.fromkeys((ast.If, ast.IfExp, ast.arguments), _Indexer.chosen),
    ast.FunctionDef: _Indexer.define,
    ast.AsyncFunctionDef: _Indexer.define,
    ast.ClassDef: _Indexer.klass,
}
