"""Imports: a module of the project is read when a name of it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import libcst as cst

from loopcheck.loop import Region
from loopcheck.read.hints import acting, calls, functions, options
from loopcheck.read.inlining import name_of
from loopcheck.read.project import Module, imported_names
from loopcheck.read.source import Source
from loopcheck.read.statements import Statements
from loopcheck.read.values import Api, Class, Const, Frame, Function, Later, Value
from loopcheck.read.vocabulary import function, pure


class Files(Protocol):
    """Where a reader finds the other files of a project."""

    def locate(self, name: str, importer: Path) -> Module | None:
        """What `import name` in a file leads to; None where that is not of the project."""

    def follow(self, file: Path, name: str) -> Source | None:
        """A file to look a name up in; None where that cannot matter to training, or the file is not Python."""

    def text(self, file: Path) -> str:
        """What a file holds, empty where it cannot be read."""

    def harmless(self, file: Path) -> bool:
        """Nothing in this file trains, clears, steps, or changes a mode."""


class Imports(Statements):
    """The layer that reads other modules."""

    def __init__(self, frame: Frame, files: Files | None) -> None:
        super().__init__(frame)
        self.files = files
        self.modules: dict[Path, Frame] = {frame.source.file: frame} if frame.source.file else {}
        self.acting: dict[Source, frozenset[str]] = {}
        self.options = dict(options(frame.source.text))
        self.without_effect: set[str] = set()
        self.preamble: list[Region] = []

    def module(self, name: str) -> Value:
        return self._found(name) or Api(name)

    def imported(self, module: str, name: str) -> Value:
        found = None if function(f"{module}.{name}") else self._found(module)
        return Later(found, name) if found else Api(f"{module}.{name}")

    def starred(self, module: str) -> None:
        found = self._found(module)
        frame = self._executed(found, "*") if found else None
        if frame is not None:
            for name, value in list(self.store.of(frame).items()):
                if not name.startswith("_"):
                    self.store[(self.frame, name)] = value

    def fetched(self, value: Value) -> Value:
        while isinstance(value, Later):
            value = self.member(value.module, value.name)
        return value

    def member(self, module: Module, name: str) -> Value:
        full_name = f"{module.name}.{name}"
        if function(full_name):
            return Api(full_name)  # a library that is read itself is known better by its page
        frame = self._executed(module, name)
        found = self.store.get((frame, name)) if frame else None
        if isinstance(found, Later) and found.module == module and found.name == name:
            found = None  # `from . import name` in the package itself
        if found is not None:
            return self.fetched(found)
        inner = module.submodule(name)
        if inner is not None:
            return inner
        if module.file and frame is None and self.files and self.files.harmless(module.file):
            self.without_effect.add(full_name)
        return Api(full_name)

    def acts(self, function: Function) -> bool:
        source = function.frame.source
        return isinstance(function.node, cst.Lambda) or not source.path or name_of(function) in self._acting(source)

    def _acting(self, source: Source) -> frozenset[str]:
        """The functions of a file that can do something to training, by themselves or through any others."""
        if source not in self.acting:
            self.acting[source] = frozenset(functions(source.text))  # for a file that this one calls, and that calls it back
            module = self.modules.get(source.file) if source.file else None
            names = self.store.of(module) if module else {}
            leading = {name for name, value in names.items() if self._leads_to_action(value, source)}
            code = functions(source.text)
            seeds = {name for name in code if calls(code[name]) & leading or self._imports_action(code[name], source)}
            self.acting[source] = acting(source.text, frozenset(seeds))
        return self.acting[source]

    def _leads_to_action(self, value: Value, source: Source) -> bool:
        """Whether a name leads out of a file, to code that can do something to training."""
        match value:
            case Later(module=Module(file=file)) | Module(file=file):
                return file is None or self.files is None or not self.files.harmless(file)
            case Function() if value.frame.source is not source:
                return self.acts(value)
            case Class():
                return value.frame.source is not source
            case _:
                return False

    def _imports_action(self, code: str, source: Source) -> bool:
        """Whether a function imports such code for itself."""
        if self.files is None or source.file is None or "import" not in code:
            return False
        located = [self.files.locate(name, source.file) for name in imported_names(code)]
        return any(module and module.file and not self.files.harmless(module.file) for module in located)

    def harmless(self, name: str) -> bool:
        return any(name == each or name.startswith(f"{each}.") for each in self.without_effect)

    def default_of(self, name: str) -> Const | None:
        return self.options.get(name)

    def _found(self, name: str) -> Module | None:
        importer = self.frame.source.file
        if importer is None or self.files is None or name.partition(".")[0] in pure():
            return None
        return self.files.locate(name, importer)

    def _executed(self, module: Module, name: str) -> Frame | None:
        """The names of a module, after everything at its top level; None where the name need not be looked up in it."""
        file = module.file
        if file is None or self.files is None:
            return None
        if file in self.modules:
            return self.modules[file]
        self.options = {**options(self.files.text(file)), **self.options}
        source = self.files.follow(file, name)
        if source is None:
            return None
        frame = self.modules[file] = Frame(source, "module", module=len(self.modules))
        with self._elsewhere(frame), self.store.whichever_arm():
            self.preamble.append(self.block(lambda: self.execute(source.module)))
        return frame

    @contextmanager
    def _elsewhere(self, frame: Frame) -> Iterator[None]:
        """Read on in another module, whatever is being read here."""
        here = {name: getattr(self, name) for name in _HERE}
        self.frame, self.stack, self.assumed, self.guards, self.live = frame, (), {}, (), True
        self.returns, self.finals, self.passes, self.resumes = [], [], [], []
        try:
            yield
        finally:
            vars(self).update(here)


_HERE = ("frame", "stack", "assumed", "guards", "live", "returns", "finals", "passes", "resumes", "edited")
