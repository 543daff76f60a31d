"""What is asked for of each file: by the settings of the project that it belongs to, and by the caller, who has the last word."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from pathlib import Path

from loopcheck import files, packs, select
from loopcheck.config import Projects, Settings
from loopcheck.finding import Finding
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.rule import Confidence, Rule
from loopcheck.structs import dataclass, replace


@dataclass(frozen=True)
class Wishes:
    """What the caller says. least: findings that are less sure are left out. exclude: patterns in the place of the settings'."""

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    least: Confidence | None = None
    exclude: Sequence[str] = ()
    extend_exclude: Sequence[str] = ()
    force_exclude: bool = False


@dataclass(frozen=True)
class _Own:
    """What one project asks for: its rules' codes, which of them some of its files are spared, and which of them may be mended,
    or are safer or less safe to mend than they say."""

    codes: Collection[str]
    least: Confidence
    spared: Sequence[tuple[files.Patterns, Collection[str]]]
    fixable: Collection[str]
    safe: Collection[str]
    unsafe: Collection[str]


class Scope:
    """The files, rules and findings that are asked for."""

    def __init__(self, projects: Projects, wishes: Wishes, more: Sequence[Rule] = ()) -> None:
        """more: rules beside those of the packs."""
        self._projects = projects
        self._wishes = wishes
        self._more = tuple(more)
        self._own: dict[Path | None, _Own] = {}
        self.renamed: dict[str, str] = {}
        """The names of once by which rules were asked for so far, each with that of today."""

    def files(self, paths: Sequence[Path]) -> list[Path]:
        """Those to judge. Patterns of the caller are relative to this folder, those of settings to theirs. Raises NoFiles."""
        wishes, top = self._wishes, self._projects.of(files.common_folder(paths))
        force = top.force_exclude or wishes.force_exclude
        found = files.find(paths, () if wishes.exclude else top.excluded, top.folder, force)
        named = set() if force else {path for path in paths if not path.is_dir()}
        more = files.patterns(Path.cwd(), (*wishes.exclude, *wishes.extend_exclude))
        return [path for path in found if path in named or not (more.matches(str(path)) or self._excludes(path, top))]

    def _excludes(self, path: Path, top: Settings) -> bool:
        """Whether the settings of an inner project leave a file out."""
        inner = self._projects.of(path.parent)
        out = not self._wishes.exclude and inner.file != top.file
        return out and files.patterns(inner.folder, inner.excluded).matches(str(path))

    def rules(self, paths: Iterable[Path]) -> tuple[Rule, ...]:
        """Those that are asked for in one file or another. Raises UnknownRule."""
        folders = {path.parent for path in paths}
        codes = {code for folder in folders for code in self._of(self._projects.of(folder)).codes}
        return tuple(rule for rule in (*packs.rules(), *self._more) if rule.code in codes)

    def spares(self, finding: Finding) -> bool:
        """Whether a finding is not asked for in its file."""
        return self.omits(finding.primary.path, finding.rule.code, finding.confidence)

    def settled(self, finding: Finding) -> Finding:
        """A finding with the repair that its project's settings leave it."""
        own, repair, code = self._of(self._projects.of(Path(finding.primary.path).parent)), finding.repair, finding.rule.code
        if repair is None:
            return finding
        if code not in own.fixable:
            return replace(finding, repair=None, unmended="the settings leave it to a person")
        if repair.applicability == SAFE and code in own.unsafe:
            return replace(finding, repair=replace(repair, applicability=UNSAFE))
        if repair.applicability == UNSAFE and code in own.safe and code not in own.unsafe:
            return replace(finding, repair=replace(repair, applicability=SAFE))
        return finding

    def omits(self, path: str, code: str, confidence: Confidence) -> bool:
        """Whether what a rule finds in a file, this sure, is not asked for."""
        own = self._of(self._projects.of(Path(path).parent))
        if code not in own.codes or confidence < own.least:
            return True
        return any(code in codes and pattern.matches(path) for pattern, codes in own.spared)

    def _of(self, settings: Settings) -> _Own:
        if settings.file not in self._own:
            self._own[settings.file] = self._read(settings)
        return self._own[settings.file]

    def _read(self, settings: Settings) -> _Own:
        rules, wishes = (*packs.rules(), *self._more), self._wishes
        asked = _chosen(rules, wishes.select or (select.ALL,), wishes.ignore)

        def codes(names: Sequence[str], without: Sequence[str] = ()) -> set[str]:
            return {rule.code for rule in _chosen(rules, names, without)}

        named = (wishes.select, wishes.ignore, settings.select, settings.ignore, *settings.per_file_ignores.values())
        fixes = (settings.fixable, settings.unfixable, settings.extend_safe_fixes, settings.extend_unsafe_fixes)
        self.renamed |= select.renamed(rules, chain.from_iterable((*named, *fixes)))
        try:
            usual = _chosen(rules, settings.select, settings.ignore)
            spared = [
                (files.patterns(settings.folder, [pattern]), codes(names)) for pattern, names in settings.per_file_ignores.items()
            ]
            fixable = codes(settings.fixable, settings.unfixable)
            safe, unsafe = codes(settings.extend_safe_fixes), codes(settings.extend_unsafe_fixes)
        except select.UnknownRule as error:
            raise select.UnknownRule(f"{_place(settings, error.selector)}: {error}", error.selector) from None
        chosen = asked if wishes.select else [rule for rule in usual if rule in asked]
        least = wishes.least or settings.min_confidence
        return _Own({rule.code for rule in chosen}, least, spared, fixable, safe, unsafe)


def _place(settings: Settings, selector: str) -> str:
    """Where settings name a rule, as far as that can be told."""
    said: dict[str, Collection[str]] = {
        "select": settings.select,
        "ignore": settings.ignore,
        "per_file_ignores": {*chain.from_iterable(settings.per_file_ignores.values())},
        "fixable": settings.fixable,
        "unfixable": settings.unfixable,
        "extend_safe_fixes": settings.extend_safe_fixes,
        "extend_unsafe_fixes": settings.extend_unsafe_fixes,
    }
    keys = (key for key, names in said.items() if selector in names and key in settings.origins)
    return next((settings.origins[key] for key in keys), str(settings.file))


def _chosen(rules: Sequence[Rule], *selectors: Iterable[str]) -> tuple[Rule, ...]:
    """Of these rules those that are chosen; who names one that only a run shows names no rule that there is not."""
    try:
        return select.choose(rules, *selectors)
    except select.UnknownRule:
        codes = {rule.code for rule in select.choose((*rules, *packs.observed()), *selectors)}
        return tuple(rule for rule in rules if rule.code in codes)
