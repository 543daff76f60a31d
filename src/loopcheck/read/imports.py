"""The other modules of a program: each is interpreted when a name of it is asked for."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from loopcheck.asked import Asked
from loopcheck.loop import Region
from loopcheck.read.domain.parts import leaves_of, role_of
from loopcheck.read.domain.values import Api, Class, Const, Frame, Function, Items, Later, Value
from loopcheck.read.front.index import Facts
from loopcheck.read.front.relevance import SHORT, acting, hands_on, is_unit_test, makes, stands_alone
from loopcheck.read.front.source import Source
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.tables import networks_of
from loopcheck.read.project import Module
from loopcheck.read.vocabulary import function, pure


class Files(Protocol):
    """Where a reader finds the other files of a project.

    summaries: those that were made, while the files were as they are. noted: what was asked, for the program that is read.
    """

    summaries: MutableMapping[object, dict[Any, Any]]

    @property
    def noted(self) -> Asked | None: ...

    def locate(self, name: str, importer: Path) -> Module | None:
        """What `import name` in a file leads to; None where that is not of the project."""

    def follow(self, file: Path, name: str) -> Source | None:
        """A file to look a name up in; None where that cannot matter to training, or the file is not Python."""

    def importers(self, file: Path, name: str) -> Sequence[Path]:
        """The files that import a file and mention a name of it."""

    def mentions(self, file: Path, name: str) -> bool:
        """Whether a file has a word in it."""

    def says(self, fact: str, file: Path) -> bool:
        """Whether a fact holds of a program, in its file or in what that imports of the project, here and in turn."""

    def harmless(self, file: Path, name: str = "") -> bool:
        """Nothing that this file has under a name trains, clears, steps, or changes a mode, here or where it leads.

        name: empty of everything in it.
        """


class Imports:
    """The modules of one program: see `interpret.machine.Modules`."""

    def __init__(self, m: Machine, files: Files | None) -> None:
        self._m, self._files = m, files
        source = m.source
        self.frames: dict[Path, Frame] = {source.file: m.state.frame} if source.file else {}
        self.preamble: list[Region] = []
        self._acting: dict[Source, frozenset[Facts]] = {}
        self._acting_names: dict[tuple[Path | None, str], bool] = {}
        self._training: dict[Source, frozenset[str]] = {}
        self._defaults: dict[str, object] = dict(source.index.defaults)
        self._without_effect: set[str] = set()
        self._sought: set[str] = set()
        self._located: dict[tuple[Path, str], Module | None] = {}
        self.summaries = files.summaries if files else {}
        self.noted = files.noted if files else None

    def bound(self, name: str) -> Value:
        """`import name`."""
        return self._found(name) or Api(name)

    def imported(self, module: str, name: str) -> Value:
        """`from module import name`: not looked at before somebody asks."""
        found = None if function(f"{module}.{name}") else self._found(module)
        return Later(found, name) if found else Api(f"{module}.{name}")

    def starred(self, module: str) -> None:
        """`from module import *`."""
        heap = self._m.state.heap
        found = self._found(module)
        frame = self._executed(found, "*") if found else None
        if frame is not None:
            for name, value in list(heap.of(frame).items()):
                if isinstance(name, str) and not name.startswith("_"):
                    heap[(self._m.state.frame, name)] = value

    def member(self, module: Module, name: str) -> Value:
        """`module.name` of a module of the project."""
        full_name = f"{module.name}.{name}"
        if name == "__dict__":
            return self._makers(module) or Api(full_name)
        if function(full_name):
            return Api(full_name)  # a library that is read itself is known better by its page
        frame = self._executed(module, name)
        found = self._m.state.heap.get((frame, name)) if frame else None
        if isinstance(found, Later) and found.module == module and found.name == name:
            found = None  # `from . import name` in the package itself
        if isinstance(found, Later):
            found = self._handed_on(full_name, found)
        if found is not None:
            return found
        inner = module.submodule(name)
        if inner is not None:
            return inner
        if module.file and frame is None and self._files and self._files.harmless(module.file, name):
            self._without_effect.add(full_name)
        return Api(full_name)

    def _makers(self, module: Module) -> Items | None:
        """What of a module makes networks, by its name: functions where it has some, for their classes are parts then, and else
        classes."""
        frame = self._executed(module, "*")
        names = self._m.state.heap.of(frame) if frame else {}
        public = {name: value for name, value in names.items() if isinstance(name, str) and not name.startswith("_")}
        found = {name: self._m.fetched(value) for name, value in public.items() if isinstance(value, (Class, Function, Later))}
        makers = {name: value for name, value in found.items() if networks_of(self._m, [value])}
        functions = {name: value for name, value in makers.items() if isinstance(value, Function)}
        told = functions or makers
        return Items(tuple(told.values()), tuple(told)) if told else None

    def says(self, fact: str) -> bool:
        """Whether a fact holds of the program, in whatever file."""
        file = self._m.source.file
        return file is not None and self._files is not None and self._files.says(fact, file)

    def _handed_on(self, full_name: str, value: Later) -> Value | None:
        """What an imported name is worth that a module has from another one; None where the modules have it from each other."""
        if full_name in self._sought:
            return None
        self._sought.add(full_name)
        try:
            return self._m.fetched(value)
        finally:
            self._sought.remove(full_name)

    def harmless(self, name: str) -> bool:
        """A function of the project in a file without a word of training."""
        return any(name == each or name.startswith(f"{each}.") for each in self._without_effect)

    def default_of(self, name: str) -> Const | None:
        """What an option of this name is worth where the user says nothing."""
        own = self._m.state.frame.source.index.defaults
        found = own if name in own else self._defaults
        return Const(found[name]) if name in found else None

    def fixed(self, name: str) -> Const | None:
        """What a flag of this name always is."""
        found = self._m.state.frame.source.index.fixed
        return Const(found[name]) if name in found else None

    # which functions matter

    def acts(self, called: Function, short: bool = True) -> bool:
        """Whether a function can do something to training, by itself or through what it calls.

        short: so may one that costs little to interpret, by what it returns.
        """
        source = called.frame.source
        facts = source.index.of(called.code)
        if called.code.name == "lambda" or not source.path or (short and facts.statements <= SHORT):
            return True
        return facts in self._acting_in(source) or self._applies(called.frame, facts)

    def _applies(self, around: Frame, facts: Facts) -> bool:
        """Whether a function that is defined in another one, the variables of which are `around`, calls a network of that."""
        heap = self._m.state.heap
        own = () if around.parent is None else facts.calls | facts.heads
        return any(_is_network(value) for name in own if (value := heap.get((around, name))) is not None)

    def _acting_in(self, source: Source) -> frozenset[Facts]:
        """The functions of a file that can do something to training, by themselves or through any others."""
        if source not in self._acting:
            functions = source.index.functions.values()
            self._acting[source] = frozenset(functions)  # for a file that this one calls, and that calls it back
            frame = self.frames.get(source.file) if source.file else self._m.main
            names = self._m.state.heap.of(frame) if frame else {}
            leading = {name for name, value in names.items() if self._leads_to_action(value, source)}
            seeds = {
                facts
                for facts in functions
                if not (facts.calls.isdisjoint(leading) and facts.heads.isdisjoint(leading))
                or self._imports_action(facts, source)
            }
            self._acting[source] = acting(source.index, seeds)
        return self._acting[source]

    def _leads_to_action(self, value: Value, source: Source) -> bool:
        """Whether a name leads out of a file, to code that can do something to training, or is one of a network of the file's."""
        match value:
            case Later(module=module, name=name):
                if (module.file, name) not in self._acting_names:  # several files have it from there
                    self._acting_names[module.file, name] = self._acts_by_name(module, name)
                return self._acting_names[module.file, name]
            case Module(file=file):
                return file is None or self._files is None or not self._files.harmless(file)
            case Function() if value.frame.source is not source:
                return self.acts(value, short=False)
            case Class() if value.frame.source is not source:
                return self._any_acts(value.frame.source, value.name)
            case Items(values):  # a table of networks; of one that has others' as well, nobody knows what its user makes
                return bool(values) and all(isinstance(each, Class) for each in values)
            case _:
                return _is_network(value)

    def _acts_by_name(self, module: Module, name: str) -> bool:
        """Whether what another module calls by this name can do something to training: a function, or a method of a class."""
        files = self._files
        seen: set[tuple[Path, str]] = set()
        while module.file is not None and files is not None:
            if files.harmless(module.file, name) or (module.file, name) in seen:
                return False
            seen.add((module.file, name))
            source = files.follow(module.file, name)
            if source is None:
                return False
            if name in source.index.named:
                return self._any_acts(source, name)
            found = source.index.imported.get(name)
            inner = files.locate(found[0], module.file) if found else None
            if found is None or inner is None:
                return found is None
            if not found[1]:
                return not (inner.file and files.harmless(inner.file))
            module, name = inner, found[1]
        return True

    def _any_acts(self, source: Source, name: str) -> bool:
        acting = self._acting_in(source)
        return any(facts in acting for facts in source.index.named.get(name, ())) or any(
            facts.owner == name and facts in acting for facts in source.index.functions.values()
        )

    def leads_to_training(self, facts: Facts, source: Source, command: bool = False) -> bool:
        """Whether a function calls code of another file that is worth reading alone there: what it imports for itself, or what
        the file imports, if it is given an object to hand on, or makes one. command: it may be all that is run of its file, with
        what it gets from one such function and hands to another."""
        index = source.index
        names = set(facts.imports)
        if command:
            modules = {head: module for head, (module, name) in index.imported.items() if not name}
            names |= {f"{modules[head]}.{inner}" for head, inner in facts.taken if head in modules}
        if (command or hands_on(facts) or makes(facts)) and not is_unit_test(facts, index):
            called = (facts.calls | facts.heads) & index.imported.keys()
            names |= {".".join(filter(None, index.imported[name])) for name in called}
        return any(self._is_training(name, source) for name in names)

    def _is_training(self, name: str, source: Source) -> bool:
        """Whether what is imported by this name is worth reading alone in its own file."""
        file, files = source.file, self._files
        module, _, last = name.rpartition(".")
        found = files.locate(module, file) if file and files and module.strip(".") else None
        target = files.follow(found.file, last) if files and found and found.file else None
        return target is not None and last in self._training_in(target)

    def _training_in(self, source: Source) -> frozenset[str]:
        """The functions and classes of a file in which code is worth reading alone."""
        if source not in self._training:
            self._training[source] = frozenset()  # for a file that this one calls, and that calls it back
            index = source.index
            functions = index.functions.values()
            alone = {each for each in functions if stands_alone(each, index) or self.leads_to_training(each, source)}
            names = frozenset(name for each in index.reaching(alone) for name in (each.name, each.owner))
            self._training[source] = names & {*index.named, *index.classes}
        return self._training[source]

    def _imports_action(self, facts: Facts, source: Source) -> bool:
        """Whether a function imports such code for itself."""
        if self._files is None or source.file is None or not facts.imports:
            return False
        located = [self._files.locate(name, source.file) for name in facts.imports]
        return any(module and module.file and not self._files.harmless(module.file) for module in located)

    def words_of(self, name: str, words: frozenset[str]) -> frozenset[str]:
        """Which of these words the file says that has a function, by its full name; none where it is out of sight."""
        module, _, last = name.rpartition(".")
        found, files = self._found(module), self._files
        if files is None or found is None or found.file is None or not files.mentions(found.file, last):
            return frozenset()
        return frozenset(each for each in words if files.mentions(found.file, each))

    # where they are

    def _found(self, name: str) -> Module | None:
        importer = self._m.state.frame.source.file
        if importer is None or self._files is None or name.partition(".")[0] in pure():
            return None
        if (importer, name) not in self._located:  # many names come from one module
            self._located[importer, name] = self._files.locate(name, importer)
        return self._located[importer, name]

    def _executed(self, module: Module, name: str) -> Frame | None:
        """The names of a module, after everything at its top level; None where the name need not be looked up in it."""
        file = module.file
        if file is None or self._files is None:
            return None
        if file in self.frames:
            return self.frames[file]
        source = self._files.follow(file, name)
        if source is None:
            return None
        self._defaults = {**source.index.defaults, **self._defaults}
        frame = self.frames[file] = Frame(source, "module", module=len(self.frames))
        try:
            with self._m.state.elsewhere(frame):
                self.preamble.append(self._m.state.block(lambda: self._m.execute(source.body)))
        except Exception:
            del self.frames[file]  # a trial that it has ended: who asks for it in earnest finds all of it
            raise
        return frame


def _is_network(value: Value) -> bool:
    """Whether a value is a network, or one of several that a setting chooses from."""
    roles = map(role_of, leaves_of(value))
    return any(role is not None and role.kind == "model" for role in roles)
