"""Checkpoints: what objects hold, taken, written and loaded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from loopcheck.api import WRAPPING
from loopcheck.loop import Fact, Role
from loopcheck.read.domain.filenames import opened
from loopcheck.read.domain.parts import entries_of, leaves_of, parts_of, role_of, roles_in, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Choice, Items, Object, Symbol, Value
from loopcheck.read.vocabulary import Call, Row, Same, worth
from loopcheck.words import spoken_of

_OWNERS = ("model", "optimizer", "scheduler", "scaler")


def taken(call: Call) -> Value:
    """`model.state_dict()`: a dictionary of the tensors that the object itself has."""
    owner = next(iter(call.roles(call.me, "")), None)
    if owner is None:
        return call.pure()
    state = Role("state", "", of=(owner,), anew=owner.anew)  # another model's is another state
    if call.keeps(call.me, "flat"):  # of shards a whole is put together, which is a copy
        return Object(state)
    if worth(call.get(2, "keep_vars"), False) is not False:  # who asks for the parameters themselves wants no copy
        return Object(state)
    call.emit("snapshot", [state], {"of": owner.kind, "wrapped": call.wrapper or None})
    call.keep(Object(state), loops=call.loops)
    return Object(state)


def loaded(call: Call) -> Value:
    """`model.load_state_dict(state)`."""
    given = call.get(0, "state_dict")
    recalled(call, given)
    file = call.file_of(given) or call.keeps(given, "file")
    files = [file] if isinstance(file, Role) else []
    if call.keeps(given, "mixed") or not any(role.kind == "state" for role in roles_in(given or NONE)):
        call.keep(call.me, filled="restore")  # by what is no state of this program's models, whoever has read it from where
    call.emit("restore", [*call.roles(call.me, ""), *files], {"wrapped": _into_wrapper(call)})
    return call.pure()


def mixed(call: Call) -> Value:
    """`own.update(pretrained)`: what is loaded then is meant to be others' weights, and for the rest those that the model has."""
    call.keep(call.me, mixed=True, file=call.file_of(call.get(0, "other")))
    return NONE


def _into_wrapper(call: Call) -> bool | None:
    """Whether a state is loaded into a wrapper; not known of what was wrapped before, under a name that tells nothing."""
    bare = call.receiver.rpartition(".")[2] in WRAPPING.values() or not call.keeps(call.me, "wrapped")
    return True if call.wrapper else False if bare else None


def saved(call: Call) -> Value:
    """`torch.save({"model": state, "epoch": epoch}, path)`."""
    written = call.get(0, "obj") or NONE
    recalled(call, written, saved=True)
    call.each(written, lambda what: _written(call, what))
    return NONE


def _written(call: Call, what: Value) -> Value:
    """What is in a checkpoint: the states that were taken, objects themselves, and what its keys say of others."""
    owners = _owners(what)
    besides = {key for part in parts_of(what) for key, each in entries_of(part).items() if not _owners(each)}
    if owners:
        kinds = {role.kind for role in owners}
        facts: dict[str, Fact | None] = {"holds": ", ".join(sorted(kinds)), "besides": ", ".join(spoken_of(besides)) or None}
        file = call.get(1, "f") or NONE
        facts |= _of_ranks(call, owners, file)
        facts["lasting"] = call.lasts(file)
        written, name = call.text(1, "f"), opened(term_of(file))
        named = name is term_of(file) and _NAMES_A_FILE.fullmatch(written) is not None
        call.emit("save", owners, facts, names={"file": written} if named else {})
        call.goes_on_with(name)
        for owner in owners:
            call.keep(Object(owner), written=_written_to(call, owner) | {name})
    return NONE


def _of_ranks(call: Call, owners: list[Role], file: Value) -> dict[str, Fact | None]:
    """Of objects that several processes have, whether all of these write them, and what that rests on."""
    wholes = [Object(whole) for role in owners for whole in role.wholes]
    kept = {name: found for whole in wholes for name in ("joined", "flat", "trainer") if (found := call.keeps(whole, name))}
    by_launcher = kept.keys() == {"trainer"}
    if not kept or (by_launcher and not call.launched):
        return {}
    together = kept.get("trainer")
    facts: dict[str, Fact | None] = {"ranks": call.by_every_rank(file, together if isinstance(together, frozenset) else ())}
    gathered = any(call.keeps(Object(role), "flat") for role in owners)
    return {**facts, "launched": by_launcher or None, "unasked": call.unasked or None, "gathered": gathered or None}


def exported(call: Call) -> Value:
    """`model.save_pretrained(folder)`: the weights alone. Who names the main process, or a way to write, minds the ranks."""
    owners = call.roles(call.me, "model")
    told = not call.complete or len(call.args) > 1 or not {"is_main_process", "save_function"}.isdisjoint(call.keywords)
    facts = {} if told else _of_ranks(call, owners, call.get(0, "save_directory") or NONE)
    if facts.get("ranks"):
        call.emit("save", owners, {**facts, "lasting": "folder"})
    return call.pure()


_NAMES_A_FILE = re.compile(r"(?:(?:os\.path\.join|Path)\(|[\w.]+(?![\w.(])|[\"'][^\"'{}]*[\"']|[ /+,)])+")
"""Names and literals, put together: what can be asked for twice."""


def _written_to(call: Call, owner: Role) -> frozenset[Term]:
    """The files that checkpoints of an object were written to."""
    known = call.keeps(Object(owner), "written")
    return known if isinstance(known, frozenset) else frozenset()


def renamed(call: Call) -> Value:
    """`os.replace(written, name)`: what was written to the one file is found under the other name from here on."""
    file = term_of(call.get(0, "src") or NONE)
    owners = [role for role in call.known if file in _written_to(call, role)]
    if owners:
        call.emit("rename", owners)
    return NONE


def _owners(value: Value) -> list[Role]:
    """The objects that a value has the states of, or has themselves."""
    roles = (role for part in parts_of(value) if (role := role_of(part)) is not None)
    owners = dict.fromkeys(role.of[0] if role.kind == "state" and role.of else role for role in roles)
    return [role for role in owners if role.kind in _OWNERS]


def _is_copy(value: Value) -> bool:
    """Whether a value is a copy, of a state or of what is out of sight: what it was made of has no hold on it."""
    match value:
        case Object(Role(kind="state", of=())):
            return True
        case Symbol(term):
            return term.head == "copy"
    return False


def recalled(call: Call, given: Value | None, saved: bool = False) -> Value:
    """States that were taken are used, such as they are by now. One that was taken before the loop in which another one is put in
    its place was there before any was better: nobody wants it back."""
    match given:
        case Object(Role(kind="state") as state) if not call.keeps(given, "mixed"):
            call.emit("recall", [state], {"saved": saved})
        case Choice():
            ways = {leaf: taken for leaf in leaves_of(given) if (taken := _Taken.of(call, leaf))}
            early = {one for one, own in ways.items() if any(own.is_before(other) for other in ways.values())}
            call.each(given, lambda one: NONE if one in early else recalled(call, one, saved))
        case Items(values):
            for each in values:
                recalled(call, each, saved)
        case Symbol():
            call.emit_of_left("recall", given, {"saved": saved})
    return NONE


@dataclass(frozen=True)
class _Taken:
    """When the states of one alternative were taken: in these loops, and copied there or not."""

    loops: frozenset[object]
    copied: bool

    @classmethod
    def of(cls, call: Call, value: Value) -> _Taken | None:
        """None where a value has no states, by itself or in a dictionary."""
        states = [part for part in parts_of(value) if _is_copy(part) or _is_state(part)]
        loops = frozenset[object]().union(*(_loops_of(call, each) for each in states))
        return cls(loops, all(map(_is_copy, states))) if states else None

    def is_before(self, other: _Taken) -> bool:
        """In fewer loops, or in the same where the other is a copy."""
        return self.loops < other.loops or (self.loops == other.loops and other.copied and not self.copied)


def _is_state(value: Value) -> bool:
    return isinstance(value, Object) and value.role.kind == "state"


def _loops_of(call: Call, state: Value) -> frozenset[object]:
    """The loops in which a state was taken or copied."""
    found = call.keeps(state, "loops") if isinstance(state, Object) and state.role.of else getattr(role_of(state), "anew", None)
    return found if isinstance(found, frozenset) else frozenset()


FUNCTIONS: Mapping[str, Row] = {"torch.save": saved, **dict.fromkeys(["os.replace", "os.rename", "shutil.move"], renamed)}
METHODS: Mapping[tuple[str, str], Row] = {
    **{(owner, "state_dict"): taken for owner in _OWNERS},
    **{(owner, "load_state_dict"): loaded for owner in _OWNERS},
    ("state", "copy"): Same(),
    ("state", "update"): mixed,
    ("state", "items"): Same(),
}
READERS = {"torch.load"}
