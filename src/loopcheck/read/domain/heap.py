"""The values of names and attributes, with what a branch changes of them kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, TypeAlias, TypeVar

from loopcheck.loop import Role
from loopcheck.read.domain.parts import parts_of, role_of
from loopcheck.read.domain.values import Choice, Value

Owner = TypeVar("Owner")
Key: TypeAlias = tuple[object, Any]
"""A frame or an object, and the name of a variable or an attribute; of an item the term of its index."""


class Certain:
    """An owner of what is known only where it holds on both ways of a branch: the mode of each model, say."""

    def __init__(self, of: str) -> None:
        self.of = of

    def __repr__(self) -> str:
        return f"Certain({self.of!r})"


class Spoken(NamedTuple):
    """How an owner speaks of objects: the shortest name that it has for each, and the names of which a test decides."""

    names: Mapping[Role, str]
    decided: tuple[tuple[str, Choice], ...]


class Heap:
    """Values by owner and name. Branches do not copy it: they note what they change, and it is put back."""

    def __init__(self) -> None:
        self._values: dict[object, dict[Any, Value]] = {}
        self._notes: list[dict[Key, Value | None]] = []
        self._spoken: dict[object, Spoken] = {}

    def __getitem__(self, key: Key) -> Value:
        return self._values[key[0]][key[1]]

    def __contains__(self, key: Key) -> bool:
        return key[1] in self._values.get(key[0], ())

    def get(self, key: Key) -> Value | None:
        """The value of a name, None where it has none."""
        owned = self._values.get(key[0])
        return owned.get(key[1]) if owned else None

    def of(self, owner: object) -> Mapping[Any, Value]:
        """All names of one owner."""
        return self._values.get(owner, {})

    def spoken(self, owner: object) -> Spoken:
        """What objects are called by an owner; kept until it binds a name, for every event asks."""
        if owner not in self._spoken:
            self._spoken[owner] = _spoken(self.of(owner))
        return self._spoken[owner]

    def everything(self) -> Iterator[Value]:
        """Every value that some name has."""
        return (value for owned in self._values.values() for value in owned.values())

    def owners_of(self, value: Value, kind: type[Owner]) -> Iterator[Owner]:
        """All of a kind that have a value under some name, by itself or inside a tuple, list or dict."""
        return (
            owner
            for owner, owned in self._values.items()
            if isinstance(owner, kind) and any(value is part for each in owned.values() for part in parts_of(each))
        )

    def names_of(self, value: Value, kinds: tuple[type, ...]) -> list[Key]:
        """The names that have a value, of owners of these kinds."""
        return [
            (owner, name)
            for owner, owned in self._values.items()
            if isinstance(owner, kinds)
            for name, each in owned.items()
            if each is value or each == value
        ]

    def __setitem__(self, key: Key, value: Value) -> None:
        owner, name = key
        owned = self._values.get(owner)
        if owned is None:
            owned = self._values[owner] = {}
        if self._notes:
            notes = self._notes[-1]
            if key not in notes:
                notes[key] = owned.get(name)
        owned[name] = value
        self._spoken.pop(owner, None)

    def forget(self, key: Key) -> None:
        """The name has no value any more."""
        if self._notes and key in self:
            self._notes[-1].setdefault(key, self[key])
        self._drop(key)

    def forget_all(self, owner: object) -> None:
        """Nobody can ask for the names of this owner any more, which were all bound in the arm that is read."""
        owned = self._values.pop(owner, None)
        self._spoken.pop(owner, None)
        if self._notes and owned:
            notes = self._notes[-1]
            for name in owned:
                notes.pop((owner, name), None)

    def arm(self, changed: dict[Key, Value | None]) -> AbstractContextManager[None]:
        """Read an arm of a branch: afterwards `changed` holds what it made of each name, and the store is as before."""
        return _Arm(self, changed)

    def is_new_in_arm(self, key: Key) -> bool:
        """Whether a name that has a value had none before one of the arms that are read."""
        return any(key in notes and notes[key] is None for notes in self._notes)

    @property
    def arms(self) -> int:
        """How many arms are being read, one inside the other."""
        return len(self._notes)

    def changed(self, outer: int) -> dict[Key, Value | None]:
        """What the arms inside the first so many have made of each name so far."""
        return {key: self.get(key) for notes in self._notes[outer:] for key in notes}

    def _begin(self) -> None:
        self._notes.append({})

    def _end(self, changed: dict[Key, Value | None]) -> None:
        values = self._values
        for key, before in self._notes.pop().items():
            owner, name = key
            owned = values.get(owner)
            if owned is None:
                changed[key] = None
                continue
            self._spoken.pop(owner, None)
            changed[key] = owned.get(name)
            if before is not None:
                owned[name] = before
            elif name in owned:
                del owned[name]

    @contextmanager
    def whichever_arm(self) -> Iterator[None]:
        """What is set here holds in every arm of every branch: a module is executed once, whoever imports it first."""
        notes, self._notes = self._notes, []
        try:
            yield
        finally:
            self._notes = notes

    def _drop(self, key: Key) -> None:
        self._values.get(key[0], {}).pop(key[1], None)
        self._spoken.pop(key[0], None)


def _spoken(owned: Mapping[Any, Value]) -> Spoken:
    names: dict[Role, str] = {}
    for name, value in owned.items():
        role = role_of(value)
        if role and isinstance(name, str) and len(names.get(role, name + "+")) > len(name):
            names[role] = name
    decided = ((name, value) for name, value in owned.items() if isinstance(value, Choice) and isinstance(name, str))
    return Spoken(names, tuple(decided))


class _Arm:
    """An arm of a branch. A class of its own, for there are two at every test."""

    __slots__ = ("_changed", "_heap")

    def __init__(self, heap: Heap, changed: dict[Key, Value | None]) -> None:
        self._heap, self._changed = heap, changed

    def __enter__(self) -> None:
        self._heap._begin()

    def __exit__(self, *error: object) -> None:
        self._heap._end(self._changed)
