"""What a verdict depends on: the questions about a project's files that were asked on the way to it, with their answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Question: TypeAlias = tuple[str, ...]
"""What is asked, of which file, and what else is asked with it."""
Answer: TypeAlias = Any
"""As JSON can write it."""


@dataclass
class Asked:
    """Questions and answers. seen: the contents, by their digests, that alone told some of the answers."""

    answers: dict[Question, Answer] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)

    def note(self, question: Question, answer: Answer, content: str | None) -> None:
        self.answers[question] = answer
        if content is not None:
            self.seen[question[1]] = content

    def add(self, other: Asked) -> None:
        """What depends on this depends on that as well."""
        self.answers.update(other.answers)
        self.seen.update(other.seen)

    def holds(self, answer: Callable[[Question], Answer], content: Callable[[str], str], told_by_content: frozenset[str]) -> bool:
        """Whether every question has the same answer now. What content tells is asked again only where the content is another,
        and last: who has looked for importers knows many contents without reading."""
        if any(answer(question) != told for question, told in self.answers.items() if question[0] not in told_by_content):
            return False
        changed = {file for file, told in self.seen.items() if content(file) != told}
        return all(answer(question) == told for question, told in self.answers.items() if question[1] in changed)

    def pack(self) -> list[Any]:
        """As JSON can write it: the answers of each kind of question of each file together."""
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
