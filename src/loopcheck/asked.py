"""What a verdict depends on: the questions about a project's files that were asked on the way to it, with their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from loopcheck.structs import dataclass, field

Question: TypeAlias = tuple[str, ...]
"""What is asked, of which file, and what else is asked with it."""
Answer: TypeAlias = Any
"""As JSON can write it."""


@dataclass(eq=False)
class Asked:
    """Questions and answers. seen: the contents, by their digests, that alone told some of the answers.

    borrowed: who has asked more of certain files, and of those that they import. He may not have come to the end yet.
    """

    answers: dict[Question, Answer] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    borrowed: dict[tuple[Asked, frozenset[str]], None] = field(default_factory=dict)

    def note(self, question: Question, answer: Answer, content: str | None) -> None:
        self.answers[question] = answer
        if content is not None:
            self.seen[question[1]] = content

    def add(self, other: Asked) -> None:
        """What depends on this depends on that as well."""
        self.answers.update(other.answers)
        self.seen.update(other.seen)
        self.borrowed.update(other.borrowed)

    def borrow(self, lender: Asked, files: frozenset[str]) -> None:
        """What depends on this depends on what another asked of these files, and of all that they import."""
        if lender is not self:
            self.borrowed[lender, files] = None

    def settle(self) -> None:
        """Make what is borrowed its own, now that everybody has come to the end."""
        work, done = list(self.borrowed), list[tuple[Asked, frozenset[str]]]()
        self.borrowed = {}
        while work:
            lender, files = lent = work.pop()
            if not any(lender is other and files <= known for other, known in done):
                done.append(lent)
                reached = lender._importing(files)
                self.answers.update({each: answer for each, answer in lender.answers.items() if each[1] in reached})
                self.seen.update({file: told for file, told in lender.seen.items() if file in reached})
                work += [(each, known) for each, known in lender.borrowed if not known.isdisjoint(reached)]

    def _importing(self, files: frozenset[str]) -> set[str]:
        """These files and all that they import, as far as was asked."""
        found = set(files)
        imports: dict[str, list[str]] = {}
        for (kind, file, *_), answer in self.answers.items():
            if kind in ("locate", "submodule") and answer and answer[2]:
                imports.setdefault(file, []).append(answer[2])
        work = list(files)
        while work:
            new = set(imports.get(work.pop(), ())) - found
            found |= new
            work += new
        return found

    def holds(self, answer: Callable[[Question], Answer], content: Callable[[str], str], told_by_content: frozenset[str]) -> bool:
        """Whether every question has the same answer now. What content tells is asked again only where the content is another,
        and last: who has looked for importers knows many contents without reading."""
        if any(answer(question) != told for question, told in self.answers.items() if question[0] not in told_by_content):
            return False
        changed = {file for file, told in self.seen.items() if content(file) != told}
        return all(answer(question) == told for question, told in self.answers.items() if question[1] in changed)

    def pack(self) -> list[Any]:
        """As JSON can write it: the answers of each kind of question of each file together."""
        self.settle()
        by_file: dict[tuple[str, str], list[Any]] = {}
        for (kind, file, *rest), answer in self.answers.items():
            by_file.setdefault((kind, file), []).append([rest, answer])
        return [[[kind, file, told] for (kind, file), told in by_file.items()], self.seen]

    @classmethod
    def unpack(cls, data: Any) -> Asked:
        """What was packed. Raises ValueError or TypeError where the data is none."""
        by_file, seen = data
        answers = {(kind, file, *rest): answer for kind, file, told in by_file for rest, answer in told}
        return cls(answers, dict(seen))
