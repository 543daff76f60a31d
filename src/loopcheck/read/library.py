"""The files of a run: each is parsed at most once, and each program read at most once, whoever asks."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from loopcheck.asked import Answer, Asked, Question
from loopcheck.cache import Cache
from loopcheck.disk import Disk
from loopcheck.read import glance, triage
from loopcheck.read.mentions import Mentions
from loopcheck.read.project import Module, Project, module_at, outside_package
from loopcheck.read.text import SourceError
from loopcheck.words import LOSSES, words

if TYPE_CHECKING:  # the parser is loaded when there is something to parse
    from loopcheck.read.front.source import Source
    from loopcheck.read.program import Program

Found = TypeVar("Found")
MOST_CALLERS = 3
"""So many files that import a function are read for what surrounds its calls."""
FARTHEST_CALLER = 2
"""So far up they are followed: who calls the caller."""
LARGEST = 300_000
"""Bytes of a file that another one leads to; tables of data are longer."""
_WORD = re.compile(rb"\w+")
MOST_KEPT = 300
"""Programs in memory; of a project of more files some are read again."""


@lru_cache(maxsize=2000)
def _parsed(path: str, data: bytes, file: Path | None) -> Source | SourceError:
    from loopcheck.read.front.source import Source

    try:
        return Source.parse(path, data, file)
    except SourceError as error:
        return error


def forget() -> None:
    """Let go of every file that was parsed: to who reads a text again and again as it is written, each version is another one."""
    _parsed.cache_clear()


class Library:
    """Reads files and programs. asked: the files that are to be judged, by the paths to show them under.

    cache: for whoever reads a file and can tell what it comes to by its content: `cache.get("index", library.digest(file))`.
    """

    def __init__(self, asked: Iterable[Path] = (), cache: Cache | None = None) -> None:
        self.cache = cache or Cache()
        self._shown: dict[Path, str] = {}
        for path in asked:
            self._shown.setdefault(_real(path), str(path))
        self._top = _common(self._shown)
        self._disk = Disk()
        self._projects: dict[Path, Project] = {}
        self._mentioned: dict[Project, Mentions] = {}
        self._forget()

    def _forget(self) -> None:
        self._answers: dict[Question, Answer] = {}
        self._modules: dict[tuple[str, ...], Module] = {}
        self._words: dict[Path, frozenset[bytes]] = {}
        self._led: dict[tuple[Path, str], tuple[bool, Asked]] = {}
        self._programs: dict[Path, tuple[Program, Asked]] = {}
        self._partial: dict[Path, tuple[Program, Asked]] = {}
        self._lacking: dict[Path, tuple[Program, Asked]] = {}
        self._reading: list[Path] = []
        self._limited: set[Path] = set()
        self._noting: list[Asked] = []
        self.summaries: MutableMapping[object, dict[Any, Any]] = WeakKeyDictionary()

    def holding(self, path: str, data: bytes) -> Library:
        """This library; where it knows other bytes of the file, a copy in which the file holds these."""
        file = _real(path)
        if not file.is_file() or self._disk.holds(file, data):
            return self
        other = copy(self)
        other._disk = self._disk.holding(file, data)
        other._forget()
        return other

    def source(self, path: str, data: bytes) -> Source:
        """A file that is to be judged, by the path to show. Raises SourceError where it is not Python."""
        file = _real(path)
        if not file.is_file():
            return self._parse(path, data, None)
        self._ask("content", file)
        return self._parse(self._shown.setdefault(file, path), data, file)

    def program(self, source: Source) -> Program:
        """What a file comes to; what is nested too deeply to be read with its project is read alone.

        Raises RecursionError where its own code is.
        """
        try:
            return self._program(source)
        except RecursionError:
            return alone(source)
        finally:
            self._lacking.update(self._partial)
            self._partial.clear()
            self._limited.clear()

    def _program(self, source: Source) -> Program:
        """A program that others call functions of is whole when it is asked for itself; read on the way to another one, it may
        lack callers, and is not kept for longer than that."""
        file = source.file
        if file is None:
            return self._read_anew(source)
        if file in self._programs:
            return self._again(*self._programs[file])
        if file in self._partial:
            self._limited.update(self._reading[1:])
            return self._again(*self._partial[file])
        self._reading.append(file)
        try:
            with self.noting() as asked:
                program = self._completed(file) or self._read_anew(source)
        finally:
            self._reading.pop()
        (self._partial if file in self._limited else self._programs)[file] = program, asked
        if len(self._programs) > MOST_KEPT:
            del self._programs[next(iter(self._programs))]
        return program

    def _read_anew(self, source: Source) -> Program:
        from loopcheck.read.program import Reader

        return Reader(source, self).program()

    def _completed(self, file: Path) -> Program | None:
        """What a file comes to that may have lacked callers when it was read, with all of them; None where they call more of it
        than was known then: it has to be read anew."""
        if file not in self._lacking:
            return None
        program, asked = self._lacking.pop(file)
        whole = replace(program, callers=program.offers.callers(self) if program.offers else ())
        return self._again(whole, asked) if whole.called == program.called else None

    def callers(self, file: Path, names: frozenset[str]) -> list[Program]:
        """The programs of the files that import these names of a file, and of those that call them in turn."""
        if len(self._reading) > FARTHEST_CALLER:
            self._limited.update(self._reading[1:])
            return []
        found: list[Program] = []
        for each in self._callers_of(file, names):
            if each in self._reading:
                self._limited.update(self._reading[self._reading.index(each) + 1 :])
                continue
            source = self._read(each) if self._ask("small", each) else None
            try:
                program = self._program(source) if source else None
            except RecursionError:
                self._limited.update(self._reading[1:])
                continue
            found += [program, *program.callers] if program else []
        return found

    def _callers_of(self, file: Path, names: frozenset[str]) -> list[Path]:
        words = " ".join(sorted(names))
        importers = map(Path, self._ask("importers", file))
        return list(islice((each for each in importers if self._ask("mentions", each, words)), MOST_CALLERS))

    def importers(self, file: Path, name: str) -> list[Path]:
        """The files that import a file and mention a name of it."""
        found = map(Path, self._ask("importers", file))
        return [each for each in found if self._ask("mentions", each, name)]

    def mentions(self, file: Path, name: str) -> bool:
        """Whether a file has a word in it."""
        return bool(self._ask("mentions", file, name))

    def says(self, fact: str, file: Path) -> bool:
        """Whether a fact of FACTS holds of a program, in its file or in what that imports of the project, here and in turn."""
        return bool(self._ask("says", file, fact))

    # what a reader asks of other files

    def locate(self, name: str, importer: Path) -> Module | None:
        return self._module(self._ask("locate", importer, name))

    def follow(self, file: Path, name: str) -> Source | None:
        worth = self._ask("worth", file, name) or (self._ask("small", file) and self._leads(file, name))
        return self._read(file) if worth else None

    def namesakes(self, importer: Path, module: str) -> list[str] | None:
        """What `Project.namesakes` finds."""
        told: list[str] | None = self._ask("namesakes", importer, module)
        return told

    def within_reach(self, importer: Path, module: str) -> list[str] | None:
        """What `Project.within_reach` finds."""
        told: list[str] | None = self._ask("within reach", importer, module)
        return told

    def is_unspoken(self, name: str, file: Path) -> bool:
        """What `Mentions.is_unspoken` finds."""
        return bool(self._ask("unspoken", file, name))

    def is_idle(self, file: Path) -> bool:
        """What `Mentions.is_idle` finds."""
        return bool(self._ask("idle", file))

    def calling(self, method: str, file: Path) -> list[Path]:
        """What `Mentions.calling` finds."""
        return list(map(Path, self._ask("calling", file, method)))

    def is_set(self, attribute: str, file: Path) -> bool:
        """What `Mentions.is_set` finds."""
        return bool(self._ask("set", file, attribute))

    def text(self, file: Path) -> str:
        self._ask("content", file)
        return self._disk.data(file).decode(errors="replace")

    def harmless(self, file: Path, name: str = "") -> bool:
        return bool(self._ask("harmless", file)) and not self._leads(file, name)

    def _leads(self, file: Path, name: str) -> bool:
        """Whether what a file has under a name does something to training by what it imports.

        name: empty of anything in it.
        """
        if (file, name) not in self._led:
            with self.noting() as asked:
                self._led[file, name] = self._follow_up(file, name), asked
            return self._led[file, name][0]
        return self._again(*self._led[file, name])

    def _follow_up(self, file: Path, name: str) -> bool:
        """What `_leads` says, found out."""
        seen: set[tuple[Path, str]] = set()
        work = [(file, name)]
        while work:
            each = work.pop()
            if each in seen or not any(self.locate(found, each[0]) for found in self._ask("imported", each[0])):
                continue  # without a parser
            seen.add(each)
            for names in self._ask("borrowed", *each) or ():
                found = self._lender(each[0], *names)
                if found and not self._ask("harmless", found[0]) and self._ask("borrowed", *found) is None:
                    return True
                work += [found] if found else []
        return False

    def _lender(self, file: Path, module: str, name: str, taken: str) -> tuple[Path, str] | None:
        """The file of the project that something is imported from, and the name that it has there."""
        whole = self.locate(f"{module}{'' if module.endswith('.') else '.'}{name}" if name else module, file)
        if whole is None and name:
            whole, taken = self.locate(module, file), name
        return (whole.file, taken) if whole and whole.file else None

    def data(self, path: Path) -> bytes:
        """What a file holds; nothing where it cannot be read."""
        return self._disk.data(_real(path))

    def root(self, path: Path) -> Path:
        """The top of the project that a file is in."""
        return self._project(_real(path)).root

    def width(self, path: str) -> int | None:
        """How long a line the project's formatter lets be; None where it has none."""
        told = self._ask("width", _real(path))
        return told if isinstance(told, int) else None

    def torch(self, file: Path) -> str:
        """The newest release of torch that a file's project allows; empty where it does not say."""
        return str(self._ask("torch", file))

    def digest(self, file: Path) -> str:
        """What stands for a file's content."""
        return str(self._ask("content", file))

    def _read(self, file: Path) -> Source | None:
        self._ask("content", file)
        try:
            return self._parse(self._ask("shown", file), self._disk.data(file), file)
        except SourceError:
            return None

    def _parse(self, path: str, data: bytes, file: Path | None) -> Source:
        source = _parsed(path, data, file)
        if isinstance(source, SourceError):
            raise source
        return source

    def _module(self, told: Sequence[str] | None) -> Module | None:
        if told is None:
            return None
        name, folder, file = key = tuple(told)
        if key not in self._modules:
            self._modules[key] = Module(name, Path(folder), Path(file) if file else None, self._submodule)
        return self._modules[key]

    def _submodule(self, folder: Path, name: str, full_name: str) -> Module | None:
        return self._module(self._ask("submodule", folder, name, full_name))

    def _project(self, file: Path) -> Project:
        if file.parent not in self._projects:
            project = Project.of(file, self._disk, self.cache, self._top)
            self._projects[file.parent] = next((each for each in self._projects.values() if each == project), project)
        return self._projects[file.parent]

    def _spoken(self, file: Path) -> Mentions:
        project = self._project(file)
        return self._mentioned.setdefault(project, Mentions(project))

    # what verdicts depend on

    @property
    def noted(self) -> Asked | None:
        """What was asked so far, and will be asked, for what is read now."""
        return self._noting[-1] if self._noting else None

    @contextmanager
    def noting(self) -> Iterator[Asked]:
        """All that is asked meanwhile."""
        asked = Asked()
        self._noting.append(asked)
        try:
            yield asked
        finally:
            self._noting.pop()
            if self._noting:
                self._noting[-1].add(asked)

    def stands(self, asked: Asked) -> bool:
        """Whether everything that was once asked has the same answer. Raises LookupError or TypeError where it makes no sense."""
        return asked.holds(self._answer, lambda file: self._disk.digest(Path(file)), _TOLD_BY_CONTENT)

    def _again(self, found: Found, asked: Asked) -> Found:
        """What was found out before depends on what was asked then."""
        for each in self._noting[-1:]:
            each.add(asked)
        return found

    def _ask(self, kind: str, file: Path, *rest: str) -> Answer:
        question = kind, str(file), *rest
        asker = self._noting[-1] if self._noting else None
        if asker is not None and question in asker.answers:
            return asker.answers[question]
        answer = self._answer(question)
        if asker is not None:
            asker.note(question, answer, self._disk.digest(file) if kind in _TOLD_BY_CONTENT else None)
        return answer

    def _answer(self, question: Question) -> Answer:
        """Everything that is asked of files, once in a run: the same for who reads, and for who would know if he had to."""
        if question not in self._answers:
            kind, file, *rest = question
            self._answers[question] = _ANSWERS[kind](self, Path(file), *rest)
        return self._answers[question]

    def _content(self, file: Path) -> str:
        return self._disk.digest(file)

    def _is_small(self, file: Path) -> bool:
        return len(self._disk.data(file)) <= LARGEST

    def _is_worth(self, file: Path, name: str) -> bool:
        data = self._disk.data(file)
        handed_on = file.name == "__init__.py" or not _defines(data, name)  # what is no function may be a setting
        counted = not words(name).isdisjoint(LOSSES) and triage.cuts(data, name)  # a loss by its name, and none to train by
        led = any(ask(data, name) for ask in (triage.applies, triage.completes, triage.derives, triage.gathers, triage.makes))
        return len(data) <= LARGEST and (handed_on or counted or led or triage.worth_following(data))

    def _is_harmless(self, file: Path) -> bool:
        data = self._disk.data(file)
        return bool(data) and not triage.acts(data)

    def _imports(self, file: Path) -> list[str]:
        return glance.imported(self._disk.data(file))

    def _borrows(self, file: Path, name: str) -> list[tuple[str, str, str]] | None:
        from loopcheck.read.front.relevance import borrowed

        source = self._read(file)
        return borrowed(source.index, name) if source else []

    def _mentions(self, file: Path, names: str) -> bool:
        if names.isascii():
            return not self._words_of(file).isdisjoint(names.encode().split())
        words = rb"\b(?:" + b"|".join(re.escape(name.encode()) for name in names.split()) + rb")\b"
        return re.search(words, self._disk.data(file)) is not None

    def _words_of(self, file: Path) -> frozenset[bytes]:
        """The words of a file, found once for all who ask whether it mentions a name."""
        if file not in self._words:
            self._words[file] = frozenset(_WORD.findall(self._disk.data(file)))
        return self._words[file]

    def _shown_as(self, file: Path) -> str:
        return self._shown.get(file) or _shown(file)

    def _located(self, importer: Path, name: str) -> Answer:
        return _told(self._project(importer).locate(name, importer))

    def _namesakes(self, importer: Path, module: str) -> list[str] | None:
        found = self._project(importer).namesakes(module, importer)
        return None if found is None else list(map(str, found))

    def _within_reach(self, importer: Path, module: str) -> list[str] | None:
        found = self._project(importer).within_reach(module, importer)
        return None if found is None else list(map(str, found))

    def _is_unspoken(self, file: Path, name: str) -> bool:
        return self._spoken(file).is_unspoken(name, file)

    def _is_idle(self, file: Path) -> bool:
        return self._spoken(file).is_idle(file)

    def _calling(self, file: Path, method: str) -> list[str]:
        return self._spoken(file).calling(method)

    def _is_set(self, file: Path, attribute: str) -> bool:
        return self._spoken(file).is_set(attribute)

    def _has(self, folder: Path, name: str, full_name: str) -> Answer:
        return _told(module_at(folder, name, full_name))

    def _width(self, file: Path) -> int | None:
        from loopcheck.width import told

        return told(file.parent, self._project(file).root)

    def _torch(self, file: Path) -> str:
        from loopcheck.read.pins import pinned

        return pinned(file.parent, self._project(file).root)

    def _said(self, file: Path, fact: str) -> bool:
        return FACTS[fact](self, file)

    def _differentiates(self, file: Path) -> bool:
        from loopcheck.read.front.relevance import differentiates

        return any(differentiates(each.index) for each in self._taking(file))

    def _takes_gradients(self, file: Path) -> bool:
        from loopcheck.read.front.relevance import takes_gradients

        return any(takes_gradients(each.index) for each in self._taking(file))

    def _taking(self, file: Path) -> Iterator[Source]:
        """The files of a program that may take gradients."""
        yield from filter(None, map(self._read, self._project(file).saying("grad", file)))

    def _is_volatile(self, file: Path) -> bool:
        return bool(self._project(file).saying("volatile", file))

    def _is_of_torch_04(self, file: Path) -> bool:
        return bool(self._project(file).saying("torch 0.4", file))

    def _importers(self, file: Path) -> list[str]:
        return list(map(str, self._project(file).importers(file)))


FACTS: Mapping[str, Callable[[Library, Path], bool]] = {
    "differentiates": Library._differentiates,
    "takes gradients": Library._takes_gradients,
    "volatile": Library._is_volatile,
    "torch 0.4": Library._is_of_torch_04,
}
"""What may hold of a program: a network's forward takes gradients itself; a function takes gradients that are no penalty's, which
no_grad would break; data is told to do without graphs; it asks for what torch has since 0.4, where nobody hears that any more."""
_TOLD_BY_CONTENT = frozenset({"content", "small", "worth", "harmless", "mentions", "imported", "borrowed"})
_ANSWERS: Mapping[str, Callable[..., Answer]] = {
    "content": Library._content,
    "small": Library._is_small,
    "worth": Library._is_worth,
    "harmless": Library._is_harmless,
    "imported": Library._imports,
    "borrowed": Library._borrows,
    "mentions": Library._mentions,
    "shown": Library._shown_as,
    "locate": Library._located,
    "submodule": Library._has,
    "namesakes": Library._namesakes,
    "within reach": Library._within_reach,
    "importers": Library._importers,
    "unspoken": Library._is_unspoken,
    "idle": Library._is_idle,
    "calling": Library._calling,
    "set": Library._is_set,
    "says": Library._said,
    "width": Library._width,
    "torch": Library._torch,
}
"""What is asked, by the name under which an answer is kept."""


def alone(source: Source) -> Program:
    """What a file comes to without its project, which makes it nested too deeply. Raises RecursionError where its own code is."""
    from loopcheck.read.program import Reader

    program = Reader(source).program()
    return replace(program, cut=(*program.cut, "what it imports and who calls it: the code is nested too deeply"))


def _real(path: Path | str) -> Path:
    return Path(os.path.realpath(path))


def _common(files: Collection[Path]) -> Path | None:
    """The folder that holds several files, where they are on one drive; of one, that which holds its package."""
    if len(files) == 1:
        return outside_package(*files)
    try:
        return Path(os.path.commonpath([file.parent for file in files])) if files else None
    except ValueError:
        return None


def _shown(file: Path) -> str:
    """How a path is said that nobody named: from here, if it is below."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative


def _defines(data: bytes, name: str) -> bool:
    word = re.escape(name.encode())
    return re.search(rb"^(?:(?:async )?def|class) " + word + rb"\b", data, re.M) is not None


def _told(module: Module | None) -> Answer:
    """A module as an answer."""
    return [module.name, str(module.folder), str(module.file) if module.file else None] if module else None
