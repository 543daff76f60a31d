"""The values of names, with what a branch changes of them kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from loopcheck.read.values import Value

Key: TypeAlias = tuple[object, str]
"""A frame or an object, and the name of a variable or an attribute."""


class Store(dict[Key, Value]):
    """Values by owner and name. Branches do not copy it: they note what they change, and it is put back."""

    def __init__(self, values: Mapping[Key, Value]) -> None:
        super().__init__(values)
        self._notes: list[dict[Key, Value | None]] = []

    def __setitem__(self, key: Key, value: Value) -> None:
        if self._notes:
            self._notes[-1].setdefault(key, self.get(key))
        super().__setitem__(key, value)

    def forget(self, key: Key) -> None:
        """The name has no value any more."""
        if self._notes and key in self:
            self._notes[-1].setdefault(key, self[key])
        self.pop(key, None)

    @contextmanager
    def arm(self, changed: dict[Key, Value | None]) -> Iterator[None]:
        """Read an arm of a branch: afterwards `changed` holds what it made of each name, and the store is as before."""
        self._notes.append({})
        try:
            yield
        finally:
            before = self._notes.pop()
            for key, value in before.items():
                changed[key] = self.get(key)
                if value is None:
                    self.pop(key, None)
                else:
                    super().__setitem__(key, value)
