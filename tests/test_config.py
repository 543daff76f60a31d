"""Settings in pyproject.toml: what they mean and what is said of those that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import config
from loopcheck.rule import Confidence


def settings(folder: Path, table: str) -> config.Settings:
    (folder / "pyproject.toml").write_text(table, encoding="utf-8")
    return config.load(folder)


def test_without_a_table_the_defaults_hold(tmp_path: Path) -> None:
    loaded = settings(tmp_path, "[tool.other]\nselect = 3\n")
    assert loaded.select == ("bug", "advice")
    assert loaded.ignore == loaded.exclude == ()
    assert loaded.min_confidence is Confidence.MEDIUM


def test_every_key(tmp_path: Path) -> None:
    loaded = settings(
        tmp_path,
        '[tool.loopcheck]\nselect = ["ALL"]\nignore = ["LC4"]\nexclude = ["old/"]\nmin-confidence = "high"\n',
    )
    assert loaded == config.Settings(
        folder=tmp_path,
        file=tmp_path / "pyproject.toml",
        select=("ALL",),
        ignore=("LC4",),
        exclude=("old/",),
        min_confidence=Confidence.HIGH,
    )


def test_the_nearest_table_holds(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    settings(tmp_path, '[tool.loopcheck]\nselect = ["LC1"]\n')
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert config.load(inner).select == ("LC1",)
    assert config.load(inner).folder == tmp_path


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('[tool.loopcheck]\nselct = ["LC1"]\n', "no key `selct`; did you mean `select`?"),
        ("[tool.loopcheck]\nmin_confidence = 'low'\n", "did you mean `min-confidence`?"),
        ("[tool.loopcheck]\ncolour = 'blue'\n", "it may have select, ignore, exclude, min-confidence"),
        ("[tool.loopcheck]\nselect = 'LC1'\n", "`select` of [tool.loopcheck] must be a list of strings, not 'LC1'"),
        ("[tool.loopcheck]\nignore = [1]\n", "must be a list of strings, not [1]"),
        ("[tool.loopcheck]\nmin-confidence = 'certain'\n", "must be one of low, medium, high, not 'certain'"),
        ("[tool]\nloopcheck = 3\n", "must be a table"),
        ("[tool.loopcheck\n", "cannot be read"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, table: str, told: str) -> None:
    with pytest.raises(config.ConfigError) as error:
        settings(tmp_path, table)
    assert str(error.value).startswith(str(tmp_path / "pyproject.toml"))
    assert told in str(error.value)
