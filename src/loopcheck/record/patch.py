"""Thin wrappers around functions of torch and of frameworks, which have no hooks for most of what a training loop does."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import sys
from collections.abc import Callable, Generator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

Call: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]
Around: TypeAlias = Callable[..., Generator[Call | None, Any, None]]
"""What to do around a call: a generator that is given the call's arguments, yields once while the call runs (other
arguments for it, or None), and is sent its result."""

_UNSEEN = "<loopcheck importlib._bootstrap>"
"""A file name that `warnings` takes for the import system's, whose frames `stacklevel` does not count. A wrapper of this
name leaves torch's warnings on the user's line."""


def wrap(owner: Any, name: str, around: Around) -> None:
    """Put a wrapper in place of a function that a class or module holds."""
    original = vars(owner)[name]

    @functools.wraps(original)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        hook = around(*args, **kwargs)
        changed = next(hook)
        if changed is not None:
            args, kwargs = changed
        try:
            result = original(*args, **kwargs)
        except BaseException:
            hook.close()
            raise
        with contextlib.suppress(StopIteration):
            hook.send(result)
        return result

    setattr(owner, name, unseen(wrapper))


def unseen(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take a wrapper's frame out of what the stack levels of warnings count."""
    assert isinstance(function, FunctionType)
    function.__code__ = function.__code__.replace(co_filename=_UNSEEN)
    return function


def wrap_family(base: type[Any], name: str, make: Callable[[Any], Around | None]) -> None:
    """Wrap a function wherever a class or one of its subclasses defines it, subclasses still to come included.

    make: from the function to what is done around it; None leaves it alone.
    """

    def adopt(kind: type[Any]) -> None:
        if name in vars(kind) and (around := make(vars(kind)[name])):
            wrap(kind, name, around)

    told: Any = vars(base).get("__init_subclass__")  # by another family of this base

    def init_subclass(cls: type[Any], /, **kwargs: Any) -> None:
        (told.__get__(None, cls) if told else super(base, cls).__init_subclass__)(**kwargs)
        adopt(cls)

    for kind in [base, *_below(base)]:
        adopt(kind)
    setattr(base, "__init_subclass__", classmethod(init_subclass))  # noqa: B010


def _below(base: type[Any]) -> list[type[Any]]:
    below: dict[type[Any], None] = {}
    for child in base.__subclasses__():
        below |= dict.fromkeys([child, *_below(child)])
    return list(below)


def when_imported(name: str, do: Callable[[ModuleType], None]) -> None:
    """Do this with a module as soon as the program has imported it."""
    if name in sys.modules:
        do(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Awaited(name, do))


class _Awaited(MetaPathFinder):
    """Finds one module as Python would, and has something done once it is there."""

    def __init__(self, name: str, do: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._do = do

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                self._do(module)

            setattr(spec.loader, "exec_module", exec_module)  # noqa: B010
        return spec
