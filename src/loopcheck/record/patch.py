"""Thin wrappers around functions of torch and of frameworks, which have no hooks for most of what a training loop does."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable, Generator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any, TypeAlias

from torch.compiler import is_compiling

Call: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]
Around: TypeAlias = Callable[..., Generator[Call | None, Any, None]]
"""What to do around a call: a generator that is given the call's arguments, yields once while the call runs (other
arguments for it, or None), and is sent its result."""

UNSEEN = "<loopcheck importlib._bootstrap>"
"""A file name that `warnings` takes for the import system's, whose frames `stacklevel` does not count. A wrapper of this
name leaves torch's warnings on the user's line."""


class Patches:
    """What has been put in place, and how to take it away again.

    live: the wrappers do something. One that somebody still holds after the release calls the original and nothing else.
    tell: who is told of an error in a hook, after which no hook does anything and the program goes on; None raises it.
    """

    def __init__(self) -> None:
        self.live = True
        self.tell: Callable[[Exception], None] | None = None
        self._undo: list[Callable[[], None]] = []
        self._functions: dict[int, tuple[Any, Any]] = {}

    def put(self, owner: Any, name: str, function: Any) -> None:
        """Put something in place of what a class or module holds."""
        original = vars(owner).get(name, _NOTHING)
        setattr(owner, name, function)
        self._undo.append(functools.partial(_restore, owner, name, function, original))
        if isinstance(owner, ModuleType):
            self._functions[id(original)] = original, function

    def adopt(self) -> None:
        """Reach modules that have imported a function by its name, before it was wrapped."""
        for module in [*sys.modules.values()]:
            if isinstance(module, ModuleType) and not module.__name__.startswith(("torch", "loopcheck")):
                for name, held in [*vars(module).items()]:
                    original, function = self._functions.get(id(held), (None, None))
                    if original is held and function is not None:
                        self.put(module, name, function)

    def later(self, undo: Callable[[], None]) -> None:
        """Something else to be done on release."""
        self._undo.append(undo)

    def release(self) -> None:
        """Leave torch as it was found; where a program has compiled what it saw, in place, and doing nothing."""
        self.live = False
        while self._undo and not _compiled():
            self._undo.pop()()

    def failed(self, error: Exception) -> None:
        """A hook has failed: raise, or where somebody wants to be told, tell and let the program go on without hooks."""
        if self.tell is None:
            raise error
        self.live = False
        self.tell(error)


patches = Patches()
"""Those of this process: a function of torch is there once."""

_NOTHING = object()


def _compiled() -> bool:
    """Something was compiled with these functions in place, and would be again without."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    return dynamo is not None and bool(dynamo.counters["stats"]["unique_graphs"])


def _restore(owner: Any, name: str, function: Any, original: Any) -> None:
    """Give back what was there, unless somebody has put something of his own on top."""
    held = vars(owner).get(name)
    if held is not function and getattr(held, "__func__", held) is not getattr(function, "__func__", function):
        return
    if original is _NOTHING:
        delattr(owner, name)
    else:
        setattr(owner, name, original)


def begin() -> Patches:
    """Patches of a new recording; those of the one before have been released, or stay."""
    global patches
    patches = Patches()
    return patches


def wrap(owner: Any, name: str, around: Around) -> None:
    """Put a wrapper in place of a function that a class or module holds."""
    original = vars(owner)[name]
    own = patches

    @functools.wraps(original)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if is_compiling() or not own.live:  # in this order, so that what is compiled does not depend on whether it lives
            return original(*args, **kwargs)
        hook = around(*args, **kwargs)
        try:
            changed = next(hook)
        except Exception as error:
            own.failed(error)
            return original(*args, **kwargs)
        if changed is not None:
            args, kwargs = changed
        try:
            result = original(*args, **kwargs)
        except BaseException:
            hook.close()
            raise
        try:
            hook.send(result)
        except StopIteration:
            pass
        except Exception as error:
            own.failed(error)
        return result

    own.put(owner, name, unseen(wrapper))


def replace(owner: Any, name: str, make: Callable[[Any, Patches], Callable[..., Any]]) -> None:
    """Put a function of another shape in place of one, for what is called too often to be wrapped.

    make: from the function that is there, and the patches whose life it has to heed.
    """
    patches.put(owner, name, unseen(make(vars(owner)[name], patches)))


def guarded(hook: Callable[..., None]) -> Callable[..., None]:
    """A hook that torch itself calls, to be heeded while the patches live."""
    own = patches

    def call(*args: Any, **kwargs: Any) -> None:
        if not is_compiling() and own.live:
            try:
                hook(*args, **kwargs)
            except Exception as error:
                own.failed(error)

    return call


def unseen(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take a wrapper's frame out of what the stack levels of warnings count."""
    assert isinstance(function, FunctionType)
    function.__code__ = function.__code__.replace(co_filename=UNSEEN)
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
    patches.put(base, "__init_subclass__", classmethod(init_subclass))


def _below(base: type[Any]) -> list[type[Any]]:
    below: dict[type[Any], None] = {}
    for child in base.__subclasses__():
        below |= dict.fromkeys([child, *_below(child)])
    return list(below)


def when_imported(name: str, do: Callable[[ModuleType], None]) -> None:
    """Do this with a module as soon as the program has imported it."""
    module = sys.modules.get(name)
    if module is not None and not _unfinished(module):
        do(module)
        return
    finder = _Awaited(name, do) if module is None else _Begun(module, do)
    sys.meta_path.insert(0, finder)
    patches.later(finder.forget)


def _unfinished(module: ModuleType) -> bool:
    """It is being imported, and what it imports is at work."""
    return bool(getattr(module.__spec__, "_initializing", False))


class _Finder(MetaPathFinder):
    """One that can be taken away again."""

    def forget(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)


class _Begun(_Finder):
    """Finds nothing; whenever something is imported it looks whether a module has come to its end since."""

    def __init__(self, module: ModuleType, do: Callable[[ModuleType], None]) -> None:
        self._module = module
        self._do = do

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not _unfinished(self._module):
            self.forget()
            self._do(self._module)
        return None


class _Awaited(_Finder):
    """Finds one module as Python would, and has something done once it is there."""

    def __init__(self, name: str, do: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._do = do

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        self.forget()
        spec = importlib.util.find_spec(fullname)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                self._do(module)

            setattr(spec.loader, "exec_module", exec_module)  # noqa: B010
        return spec
