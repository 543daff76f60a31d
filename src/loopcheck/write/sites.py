"""Where a fix is addressed: from the witness's events to statements, expressions and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile

import libcst as cst

from loopcheck.bug import Match
from loopcheck.fix import Address, Around, Maker
from loopcheck.loop import UNWRITABLE, Event, Role
from loopcheck.read.front import ir
from loopcheck.read.front.source import Entered, Site, Source
from loopcheck.rule import Witness
from loopcheck.write.effects import bound, unknown
from loopcheck.write.names import device_of_autocast, free_beside, metric_before, only_made, target_of
from loopcheck.write.reach import calls, calls_in, reached
from loopcheck.write.statements import (
    NoLoop,
    NoPlan,
    Statement,
    code,
    dotted,
    function_of,
    quotes,
    statement_of,
    statements,
    unit_at,
    walk,
    within,
)

_WORD = re.compile(r"\{(\w+)\}")
_METHOD = re.compile(r"(\{(\w+)\}((?:\.\w+)*))\.(\w+)\([^\n]*$")
"""One call of a method: what it is called on, the object that this begins with, the attributes after it, and the method."""


@dataclass(frozen=True)
class Level:
    """One level of the calls through which an event is reached: the event itself, or the call that leads to it.

    words: what a text may name, as written there. unsure: what names of objects stand for in other runs: see `Event.unsure`.
    """

    event: Event
    source: Source
    node: cst.CSTNode
    words: Mapping[str, str]
    unsure: Mapping[str, str]

    def format(self, text: str, guarded: bool = False) -> str:
        """The text with the names of this level.

        Raises NoPlan where an object has no name, or one that stands for other things in other runs.
        guarded: a call of a method, where the object is one that may lack it, is put under a test.
        """
        mark = quotes(self.source) if '"' in text or guarded else '"'
        kinds = set(_WORD.findall(text))
        said = _METHOD.match(text) if guarded else None
        whole = said[2] if said else ""
        tested = ("None", "another") if said and not said[3] else ("another", "unbound")  # which it is not where it is used
        for kind in sorted(kinds):
            if self.unsure.get(kind) and (kind != whole or self.unsure[kind] not in tested):
                raise NoPlan(f"`{self.words.get(kind, kind)}` is something else, or nothing, in other runs")
        try:
            told = text.replace('"', mark).format_map({word: name for word, name in self.words.items() if name.strip("_")})
            receiver = said[1].format_map(self.words) if said else ""
        except KeyError as error:
            own = self.words.get(error.args[0]) == UNWRITABLE
            named = f"the {error.args[0].removeprefix('new_')} has no name there"
            raise NoPlan("it is written in a way of its own" if own else named) from None
        part = said[3].removeprefix(".") if said else ""
        if said is None or not (self.unsure.get(part or whole) or self.unsure.get(whole)):
            return told
        absent = not part and self.unsure[whole] == "None"
        if part and self.unsure.get(whole):  # the other may be no such object
            receiver = f"getattr({self.words[whole]}, {mark}{part}{mark}, None)"
        test = f"{receiver} is not None" if absent else f"hasattr({receiver}, {mark}{said[4]}{mark})"
        return f"if {test}:\n{unit_at(self.source, self.node)}{told}"

    def place(self, address: Address) -> Statement:
        """The statement of an address. Raises NoPlan where there is none, or it is a pass over held-out data that trains, too."""
        place = statement_at(self.source, self.node, address)
        if isinstance(address, Around) and self.event.evaluates:
            if _trains(place):
                raise NoPlan("the same loop trains, too")
            return over_arms(place, self.words.get("model", "")) if address.part == "loop" else place
        return place

    def missing(self, place: Statement, names: set[str], requires: str = "") -> frozenset[str]:
        """Those of the names that are not known at a statement of this level, with an import that is brought along."""
        imported = bound(cst.parse_module(requires)) if requires else set()
        return frozenset(unknown(self.source, place.node, place.first, names - imported))


def found(witness: Witness, address: Address) -> Event:
    """The witness's event of an address. Raises NoPlan where it has none in a source."""
    match = address if isinstance(address, Match) else address.event
    try:
        event = witness[match]
    except KeyError:
        raise NoPlan from None
    if isinstance(address, Maker):
        event = _making(address.kind, event, witness.role)
    site_of(event)
    return event


def _making(kind: str, event: Event, judged: Role) -> Event:
    """The event in which the object of a kind was made."""
    made = [role for role in (*event.on, *judged.made_from) if role.kind == kind]
    if not made or made[0].built is None:
        raise NoPlan(f"where the {kind} is made is out of sight")
    return made[0].built


def where(event: Event) -> Site:
    """The place of an event in the program: of what a framework does, where it is called. Raises NoPlan where there is none."""
    if not isinstance(event.at, Site) or event.at.span is None:
        raise NoPlan("its place cannot be told")
    return event.at


def site_of(event: Event) -> Site:
    """The place of an event that the program itself makes happen, which can be mended. Raises NoPlan of any other."""
    if not isinstance(event.at, Site) or event.at.inner or event.at.span is None:
        raise NoPlan("it happens in a framework's own code")
    return event.at


def levels(witness: Witness, event: Event, across: bool = False) -> Iterator[Level]:
    """The levels of an event from the inside out, as far as they are in its own file. across: in any file."""
    site = site_of(event)
    level = Level(event, site.source, node_of(event), *_words(witness, event))
    yield level
    for entered in reversed([call for call in site.calls if isinstance(call, Entered)]):
        if not entered.source.path or (entered.source is not site.source and not across):
            return  # it is called by code that stands in no file, or by that of a file that need not be parsed
        call = entered.source.tree_node(entered.node)
        if isinstance(call, cst.Call):
            if _hands_over(call, level):
                return
            level = Level(event, entered.source, call, _outer_words(level, call), level.unsure)
            yield level


def _hands_over(call: cst.Call, level: Level) -> bool:
    """Whether a call hands the function of a level to code out of sight as an option, or as a lambda, which is called when that
    likes: `command=lambda: show(net)`."""
    function = function_of(level.source, level.node)
    name = function.name.value if isinstance(function, cst.FunctionDef) else None
    options = [arg.value for arg in call.args if arg.keyword is not None]
    return any(arg.value is function for arg in call.args) or any(
        isinstance(each, cst.Name) and each.value == name for each in options
    )


def path(event: Event) -> tuple[cst.CSTNode, ...]:
    """The calls that lead to an event, the outermost first, and its own node. Raises NoPlan where that is not in the tree."""
    entered = [call.source.tree_node(call.node) for call in site_of(event).calls if isinstance(call, Entered)]
    return (*(call for call in entered if isinstance(call, cst.Call)), node_of(event))


def node_of(event: Event) -> cst.CSTNode:
    """The node of the tree where an event happens. Raises NoPlan where there is none."""
    site = where(event)
    node = site.source.tree_node(site.node)
    if node is None:
        raise NoPlan("its place cannot be told")
    return node


def meeting(one: Event, other: Event) -> tuple[cst.CSTNode, cst.CSTNode]:
    """The nodes of two events, or the calls that lead to them, in the function that they have in common."""
    source, mine, theirs = site_of(one).source, path(one), path(other)
    depth = 0
    while depth < min(len(mine), len(theirs)) - 1 and mine[depth] is theirs[depth]:
        depth += 1
    here, there = mine[depth], theirs[depth]
    in_source = source is site_of(other).source and here in source.parents and there in source.parents
    if not in_source or function_of(source, here) is not function_of(source, there):
        raise NoPlan("the two stand in different functions")
    return here, there


def left_out(witness: Witness, event: Event, other: Event) -> str:
    """The test by which some runs come to the other event without this one; nothing where all go through both, as far as is told.

    It is that of an `if` around this one and not the other, or of one before it whose function is over then.
    """
    there = [*levels(witness, other, across=True)]
    asked = {test for level in there for test, _ in _asked(level)}
    functions = [function_of(level.source, level.node) for level in there]
    for level in levels(witness, event, across=True):
        shared = function_of(level.source, level.node) in functions
        for test, passed in _asked(level):
            if test not in asked and not (passed and shared):
                return test
    return ""


def _asked(level: Level) -> Iterator[tuple[str, bool]]:
    """The tests that decide whether a function gets to a level, and of each whether it ends the function: `if …: return`."""
    place = statement_of(level.source, level.node)
    for each in (place, *place.around):
        if isinstance(each.node, cst.If):
            yield code(each.node.test), False
        for before in each.siblings[: each.position]:
            if isinstance(before.node, cst.If) and any(isinstance(node, cst.Return) for node in walk(before.node)):
                yield code(before.node.test), True
    node = level.node
    while node is not place.node:
        node = level.source.parents[node]
        if isinstance(node, cst.IfExp):
            yield code(node.test), False


def holds(place: Statement, event: Event) -> bool:
    """Whether an event happens in a statement, or in what it calls, in whichever file that is, or in a framework."""
    site = where(event)
    reached = [(call.source, call.node) for call in site.calls if isinstance(call, Entered)] + [(site.source, site.node)]
    nodes = (source.tree_node(node) for source, node in reached if source is place.source)
    return any(within(place.source, node, place.node) for node in nodes if node is not None)


def statement_at(source: Source, node: cst.CSTNode, address: Address) -> Statement:
    """The statement of an address, or the one around it. Raises NoPlan where there is none in this function."""
    if isinstance(address, (Match, Maker)):
        return statement_of(source, node)
    if address.part == "loop":
        return pass_around(source, node)
    if address.part == "top":
        return _top(pass_around(source, node))
    return statement_of(source, guard(source, node))


def pass_around(source: Source, node: cst.CSTNode) -> Statement:
    """The innermost loop around a node or that it is, with the `with` that holds nothing else."""
    statement = Statement(source, node) if isinstance(node, cst.For) else statement_of(source, node)
    loops = (each for each in (statement, *statement.around) if isinstance(each.node, (cst.For, cst.While)))
    loop = next(loops, None)
    if loop is None and _comprehends(source, node):
        loop = statement
    if loop is None:
        raise NoLoop
    while loop.parent and isinstance(loop.parent.node, cst.With) and len(loop.siblings) == 1:
        loop = loop.parent
    return loop


def over_arms(place: Statement, model: str) -> Statement:
    """The `if` around a pass whose other arms apply the model as well, and train nothing: it is one pass, whatever is asked."""
    for outer in takewhile(lambda each: isinstance(each.node, cst.If), place.around):
        if len([arm for arm in arms(outer.node) if calls(arm, model)]) > 1 and not _trains(outer):
            place = outer
    return place


def arms(node: cst.CSTNode | None) -> Iterator[cst.CSTNode]:
    """The blocks of an `if`, those of each `elif` among them."""
    while isinstance(node, cst.If):
        yield node.body
        node = node.orelse
    if isinstance(node, cst.Else):
        yield node.body


def past_skips(place: Statement, moved: Statement | None = None) -> Statement:
    """What a statement may be skipped with and still belongs to the window that ends there: `if finite:` under `if i % k == 0:`.

    moved: what is not to be left behind by it.
    """
    inside = [outer for outer in place.around if moved is None or not within(moved.source, moved.node, outer.node)]
    windows = [number for number, outer in enumerate(inside) if is_window(outer)]
    skips = inside[: windows[0]] if windows else []
    return skips[-1] if skips and all(isinstance(outer.node, cst.If) for outer in skips) else place


def is_window(outer: Statement) -> bool:
    """Whether an `if` says how often something happens: `if (i + 1) % k == 0:`, or by the name of such a test."""
    if not isinstance(outer.node, cst.If):
        return False
    tests: list[cst.CSTNode] = [outer.node.test]
    if isinstance(outer.node.test, cst.Name):
        around = function_of(outer.source, outer.node) or outer.source.module
        named = (each for each in walk(around) if isinstance(each, cst.Assign) and len(each.targets) == 1)
        tests += [each.value for each in named if code(each.targets[0].target) == outer.node.test.value]
    return any(isinstance(node, cst.Modulo) for test in tests for node in walk(test))


def _top(whole: Statement) -> Statement:
    """The first statement in a loop."""
    node = whole.node
    while isinstance(node, cst.With):
        node = statements(whole.source, node.body)[0].node
    if not isinstance(node, (cst.For, cst.While)):
        raise NoLoop
    return statements(whole.source, node.body)[0]


def guard(source: Source, node: cst.CSTNode) -> cst.If:
    """The innermost `if` or `elif` that a node is under."""
    block = statement_of(source, node).block
    while block in source.parents and not isinstance(block, (cst.FunctionDef, cst.ClassDef)):
        outer = source.parents[block]
        if isinstance(outer, cst.If) and outer.body is block:
            return outer
        block = outer
    raise NoPlan("there is no `if` around it")


def _trains(place: Statement) -> bool:
    parts = [place.node, *reached(place.source, place.node)]
    return any(name == "backward" for part in parts for _, name in calls_in(part))


def _comprehends(source: Source, node: cst.CSTNode) -> bool:
    while not isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
        if isinstance(node, cst.BaseComp):
            return True
        node = source.parents[node]
    return False


def _words(witness: Witness, at: Event) -> tuple[dict[str, str], dict[str, str]]:
    """What a text may name at an event, and of which names it is not sure what they stand for."""
    objects: list[Role] = [role for event in witness.events for role in event.on]
    objects += [*witness.role.made_from, *at.on, witness.role]
    own = {role.kind for role in objects}
    others = {(role.kind, text) for role, text in at.spelled.items() if role.kind in own and role not in objects}
    words = {role.kind: role.name for role in witness.role.made_from}
    words.update(pair for pair in (*witness.words.items(), *at.names.items()) if pair not in others)
    named: dict[str, Role] = {}
    for role in objects:
        if role in at.spelled:
            words[role.kind] = at.spelled[role]
            named[role.kind] = role
    if "loader" in named:
        words["loader"] = _behind_bar(at, words["loader"])
    if at.verb == "forward" and not named.keys() & {role.kind for role in at.on} and (element := _element(at)):
        words.update({role.kind: element for role in at.on})
    unsure = {role.kind: why for role, why in at.unsure.items() if named.get(role.kind, role) is role}
    return {**words, **_new_words(witness, at, words)}, unsure


def _behind_bar(at: Event, name: str) -> str:
    """The loader that a progress bar goes over, `batches = tqdm(loader)`, where a name is that of the bar: a bar has nothing of a
    loader but its batches. The name itself of what is none; empty where the loader has no name."""
    source, node = site_of(at).source, node_of(at)
    function = function_of(source, node)
    for made in walk(function or source.module):
        match made:
            case cst.Assign(value=value) if any(code(target.target) == name for target in made.targets):
                pass
            case cst.WithItem(item=value, asname=cst.AsName(name=bound)) if code(bound) == name:
                pass
            case _:
                continue
        match value:
            case cst.Call(func=func, args=[cst.Arg(value=over, keyword=None), *_]) if "tqdm" in code(func):
                return code(over) if isinstance(over, (cst.Name, cst.Attribute)) and code(over) != name else ""
    return name


def _new_words(witness: Witness, at: Event, words: Mapping[str, str]) -> dict[str, str]:
    """What no object of the witness is: the device of an autocast, the metric of a schedule, a scaler that is to be made."""
    new: dict[str, str] = {}
    source, node = site_of(at).source, node_of(at)
    halved = [event for event in witness.events if event.verb == "forward" and "precision" in event.facts]
    if halved:
        new["device"] = device_of_autocast(site_of(halved[0]).source, node_of(halved[0]))
    if at.verb == "schedule":
        made = next((role.built for role in at.on), None)
        sure = made is not None and only_made(site_of(made).source, node_of(made), words.get("scheduler", ""))
        new["metric"] = metric_before(source, node, str(made.facts.get("mode", "min"))) if made and sure else ""
    if "scaler" not in words and "optimizer" in words:
        new["new_scaler"] = _new_scaler(witness, at, words["optimizer"])
    return new


def _new_scaler(witness: Witness, at: Event, optimizer: str) -> str:
    """A name beside the optimizer's, where that is written the same way where it was made: as a variable, or as an attribute."""
    made = next((role.built for event in witness.events for role in event.on if role.kind == "optimizer"), None)
    if made is None:
        return ""
    first = target_of(site_of(made).source, node_of(made))
    own = first or optimizer if at is made else optimizer
    if at is not made and ("." in own) != ("." in first):
        return ""
    return free_beside(site_of(at).source, node_of(at), own, "scaler")


def _element(forward: Event) -> str | None:
    """How a model is written that is taken out of a list right where it is called: `models[0]` of `models[0](x)`."""
    site = site_of(forward)
    match site.node:
        case ir.Call(function=ir.Subscript() as called):
            return site.source.code(called)
        case _:
            return None


def _outer_words(level: Level, call: cst.CSTNode) -> dict[str, str]:
    """The words of a function in the terms of its caller: what it calls `net`, the caller may call `model`."""
    function = function_of(level.source, level.node)
    if not isinstance(function, cst.FunctionDef) or not isinstance(call, cst.Call):
        return dict(level.words)
    names = [param.name.value for param in (*function.params.posonly_params, *function.params.params)]
    given: dict[str, str] = {}
    if names[:1] == ["self"] and isinstance(call.func, cst.Attribute):
        names = names[1:]
        receiver = "self" if code(call.func.value).startswith("super(") else dotted(call.func.value)
        given["self"] = "" if "…" in receiver else receiver
    given |= {name: code(arg.value) for name, arg in zip(names, call.args, strict=False) if not (arg.keyword or arg.star)}
    given |= {arg.keyword.value: code(arg.value) for arg in call.args if arg.keyword}
    words = {}
    for word, text in level.words.items():
        root, dot, rest = text.partition(".")
        if outer := given.get(root, root):  # else nothing there stands for it: the receiver of `nets[0].loss_of(x)`
            words[word] = outer + dot + rest
    return words
