"""`store` and `load`: states that belong into a checkpoint, and back out of it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.fix import Load, Store
from loopcheck.read.front.source import Source
from loopcheck.rule import Witness
from loopcheck.structs import dataclass
from loopcheck.write.edits import Change, Passage, insertion, newline_at, put
from loopcheck.write.effects import names_in, unknown
from loopcheck.write.expressions import argument_of, called, own_level
from loopcheck.write.names import may_lack
from loopcheck.write.sites import Level, found, levels
from loopcheck.write.statements import NoPlan, Statement, code, function_of, margin, statement_of, unit_at, walk

SAVED, LOADED = "state_dict", "load_state_dict"


@dataclass(frozen=True)
class _Entry:
    """A state in a checkpoint: its key, and what it is the state of. node: of a dictionary or a call, or an assignment."""

    key: cst.SimpleString | cst.Name
    of: str
    node: cst.DictElement | cst.Arg | cst.Assign

    @property
    def name(self) -> str:
        return self.key.value if isinstance(self.key, cst.Name) else str(self.key.evaluated_value)

    @property
    def value(self) -> cst.BaseExpression:
        return self.node.value

    def key_of(self, other: str) -> str:
        """The key under which another object's state stands beside this one."""
        own, new = (name.rpartition(".")[2].strip("_") for name in (self.of, other))
        if not new.isidentifier():
            raise NoPlan(f"`{other}` has no name of its own")
        common = next((each for each in (own, "optimizer") if each in self.name), None)
        return self.name.replace(common, new) if common else new

    def quoted(self, key: str) -> str:
        mark = self.key.quote if isinstance(self.key, cst.SimpleString) else '"'
        return f"{mark}{key}{mark}"


def plan_store(fix: Store, witness: Witness) -> Change:
    """The states are saved under keys like the optimizer's, and where that is loaded in this file, they are."""
    event = found(witness, fix.what)
    saved = {event.spelled.get(role) or role.name for role in event.on if role.kind == "optimizer"}
    for level in levels(witness, event, across=True):
        entry = _last_before(level, saved | {level.words.get("optimizer", "")})
        if entry is None:
            continue
        objects = level.format(fix.of).split(", ")
        if doubtful := [name for role, name in event.spelled.items() if name in objects and role in event.unsure]:
            raise NoPlan(f"`{doubtful[0]}` is something else, or nothing, in other runs")
        keys = {each: entry.key_of(each) for each in objects}
        taken = {each.name for each in _entries(level.source, level.source.module)}
        if len({*keys.values()}) < len(keys) or not taken.isdisjoint(keys.values()):
            raise NoPlan("another state has that key")
        place = statement_of(level.source, entry.node)
        _known(level.source, place, objects)
        quoted = {each: entry.quoted(key) for each, key in keys.items()}
        loaded = [
            _loads_too(level.source, statement_of(level.source, call), _file(call), quoted) for call in _loads(level, entry)
        ]
        told = "`, `".join(f"{each}.{SAVED}()" for each in objects)
        return Change((_beside(level.source, entry, keys), *loaded), f"save `{told}`, too{', and load it' * bool(loaded)}")
    raise NoPlan("what is saved is put together out of sight")


def plan_load(fix: Load, witness: Witness) -> Change:
    """The states are loaded after the others of the same file."""
    level = own_level(witness, fix.what)
    source, call = level.source, called(level.node)
    objects = level.format(fix.of).split(", ")
    saved = {entry.of: entry for entry in _entries(source, source.module)}
    if out_of_sight := [each for each in objects if each not in saved]:
        raise NoPlan(f"where `{out_of_sight[0]}` is saved is out of sight")
    file = _file(call)
    last = [each for each in statement_of(source, call).siblings if any(_file(node) == file for node in walk(each.node))]
    keys = {each: saved[each].quoted(saved[each].name) for each in objects}
    edit = _loads_too(source, last[-1], file, keys)
    told = "`, `".join(f"{each}.{LOADED}(…)" for each in objects)
    return Change((edit,), f"call `{told}` after `{last[-1].title}`")


def _entries(source: Source, scope: cst.CSTNode) -> Iterator[_Entry]:
    """The states that are put into dictionaries, by their keys."""
    for node in walk(scope):
        key: cst.SimpleString | cst.Name | None
        match node:
            case cst.DictElement(key=cst.SimpleString() as key, value=value):
                pass
            case cst.Arg(keyword=cst.Name() as key, value=value) if _is_dict(source.parents[node]):
                pass
            case cst.Assign(targets=[cst.AssignTarget(cst.Subscript() as item)], value=value) if key := _key(item):
                pass
            case _:
                continue
        match value:
            case cst.Call(func=cst.Attribute(value=of, attr=cst.Name("state_dict")), args=[]) if key:
                yield _Entry(key, code(of), node)


def _key(item: cst.Subscript) -> cst.SimpleString | None:
    """The literal of `item["key"]`."""
    match item.slice:
        case [cst.SubscriptElement(cst.Index(cst.SimpleString() as key))]:
            return key
        case _:
            return None


def _is_dict(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and code(node.func) == "dict"


def _last_before(level: Level, objects: set[str]) -> _Entry | None:
    """The state of one of the objects that was put down last before the checkpoint was written."""
    source = level.source
    end = source.span_of(level.node)
    scope = function_of(source, level.node) or source.module
    before = [each for each in _entries(source, scope) if each.of in objects and source.span_of(each.value).row <= end.end_row]
    return max(before, key=lambda each: source.span_of(each.value), default=None)


def _known(source: Source, place: Statement, objects: list[str]) -> None:
    if lost := unknown(source, place.node, place.first, set().union(*map(names_in, objects))):
        raise NoPlan(f"`{min(lost)}` is not known there")


def _beside(source: Source, entry: _Entry, keys: dict[str, str]) -> TextEdit:
    """The edit that puts states beside another."""
    states = {key: f"{of}.{SAVED}()" + f" if {of} is not None else None" * may_lack(source, of) for of, key in keys.items()}
    if isinstance(entry.node, cst.Assign):
        place = statement_of(source, entry.node)
        file = code(entry.node.targets[0].target).partition("[")[0]
        lines = [f"{file}[{entry.quoted(key)}] = {state}" for key, state in states.items()]
        return put(place, "after", Passage.of("\n".join(lines)))
    named = isinstance(entry.node, cst.Arg)
    items = [f"{key}={state}" if named else f"{entry.quoted(key)}: {state}" for key, state in states.items()]
    end, line = source.span_of(entry.value), source.lines[source.span_of(entry.key).row - 1]
    alone = not line[: source.span_of(entry.key).column - 1].strip()
    tail = source.lines[end.end_row - 1][end.end_column - 1 :].strip()
    newline, indent = newline_at(source, end.end_row), margin(line)
    if alone and (tail == "," or tail.partition("#")[0].strip() == ","):
        return insertion(source, end.end_row + 1, 1, "".join(f"{indent}{item},{newline}" for item in items))
    between = f",{newline}{indent}" if alone and tail[:1] in ("", "}", ")") else ", "
    return insertion(source, end.end_row, end.end_column, "".join(between + item for item in items))


def _loads(level: Level, entry: _Entry) -> list[cst.Call]:
    """The calls that load what stands under a key."""
    calls = (node for node in walk(level.source.module) if isinstance(node, cst.Call))
    return [call for call in calls if (read := _read(call)) is not None and read[1] == entry.name]


def _loads_too(source: Source, place: Statement, file: str, keys: dict[str, str]) -> TextEdit:
    _known(source, place, [*keys])
    calls = {of: f"{of}.{LOADED}({file}[{key}])" for of, key in keys.items()}
    unit = unit_at(source, place.node)
    lines = [f"if {of} is not None:\n{unit}{call}" if may_lack(source, of) else call for of, call in calls.items()]
    return put(place, "after", Passage.of("\n".join(lines)))


def _file(node: cst.CSTNode) -> str:
    """What a state is loaded out of: `checkpoint` of `model.load_state_dict(checkpoint["model"])`."""
    read = _read(node) if isinstance(node, cst.Call) else None
    return read[0] if read else ""


def _read(call: cst.Call) -> tuple[str, str] | None:
    """A call that loads an entry of a dictionary: the dictionary, and the key."""
    given = argument_of(call, 0) if isinstance(call.func, cst.Attribute) and call.func.attr.value == LOADED else None
    match given.value if given else None:
        case cst.Subscript(value=file) as item if key := _key(item):
            return code(file), str(key.evaluated_value)
        case cst.Call(func=cst.Attribute(value=file, attr=cst.Name("get")), args=[cst.Arg(cst.SimpleString() as key), *_]):
            return code(file), str(key.evaluated_value)
        case _:
            return None
