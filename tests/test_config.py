"""Settings in pyproject.toml: what they mean and what is said of those that cannot be used."""

from __future__ import annotations

import sys
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

import loopcheck
from loopcheck import config
from loopcheck.kinds import ConfigError
from loopcheck.rule import Confidence

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def settings(folder: Path, table: str) -> config.Settings:
    (folder / "pyproject.toml").write_text(table, encoding="utf-8")
    return config.load(folder)


def test_without_a_table_the_defaults_hold(tmp_path: Path) -> None:
    loaded = settings(tmp_path, "[tool.other]\nselect = 3\n")
    assert loaded.select == ("bug", "advice")
    assert (loaded.ignore, loaded.exclude) == ((), config.EXCLUDED)
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


def test_a_file_of_our_own_comes_first(tmp_path: Path) -> None:
    settings(tmp_path, '[tool.loopcheck]\nselect = ["LC1"]\n')
    (tmp_path / "loopcheck.toml").write_text('select = ["LC2"]\nforce-exclude = true\n', encoding="utf-8")
    loaded = config.load(tmp_path)
    assert (loaded.select, loaded.force_exclude, loaded.file) == (("LC2",), True, tmp_path / "loopcheck.toml")
    assert config.load(tmp_path, isolated=True) == config.Settings(tmp_path)
    inner = tmp_path / "a"
    inner.mkdir()
    settings(inner, '[tool.loopcheck]\nselect = ["LC3"]\n')
    assert config.load(inner).select == ("LC3",), "the nearest"
    assert config.load(inner, tmp_path / "loopcheck.toml").select == ("LC2",), "unless another is named"


def test_what_is_told_of_settings_is_what_they_say(tmp_path: Path) -> None:
    table = '[tool.loopcheck]\nextend-exclude = ["a/"]\nper-file-ignores = { "tests/*" = ["LC1", "advice"] }\n'
    loaded = settings(tmp_path, table)
    assert loaded.excluded == (*config.EXCLUDED, "a/")
    told = config.told(loaded).splitlines()
    assert told[0] == f"# {tmp_path / 'pyproject.toml'}"
    assert f'extend-exclude = ["a/"]  # {tmp_path / "pyproject.toml"}:2:1' in told
    assert f'per-file-ignores = {{"tests/*": ["LC1", "advice"]}}  # {tmp_path / "pyproject.toml"}:3:1' in told
    assert 'min-confidence = "medium"' in told
    assert [row.partition(" = ")[0] for row in told[1:]] == [*list(config.KEYS)[:-2]]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("[tool.loopcheck]\nforce-exclude = 1\n", "`force-exclude` of [tool.loopcheck] must be true or false, not 1"),
        ("[tool.loopcheck]\nper-file-ignores = ['a']\n", "must be a table of lists of rules by patterns, not ['a']"),
        ("[tool.loopcheck.per-file-ignores]\na = 'LC1'\n", "`per-file-ignores.a` of [tool.loopcheck] must be a list of strings"),
        ('[tool.loopcheck]\nselct = ["LC1"]\n', "no key `selct`; did you mean `select`?"),
        ("[tool.loopcheck]\nmin_confidence = 'low'\n", "did you mean `min-confidence`?"),
        ("[tool.loopcheck]\ncolour = 'blue'\n", "it may have select, ignore, exclude, extend-exclude"),
        ("[tool.loopcheck]\nselect = 'LC1'\n", "`select` of [tool.loopcheck] must be a list of strings, not 'LC1'"),
        ("[tool.loopcheck]\nignore = [1]\n", "must be a list of strings, not [1]"),
        ("[tool.loopcheck]\nmin-confidence = 'certain'\n", "must be one of low, medium, high, not 'certain'"),
        ("[tool]\nloopcheck = 3\n", "must be a table"),
        ("[tool.loopcheck\n", "cannot be read"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, table: str, told: str) -> None:
    with pytest.raises(ConfigError) as error:
        settings(tmp_path, table)
    assert str(error.value).startswith(str(tmp_path / "pyproject.toml"))
    assert told in str(error.value)


PLACES = {
    "a key of its table": ("[tool.other]\nselct = 1\n[tool.loopcheck]\n  selct = 1\n", "pyproject.toml", ":4:3: "),
    "a table of its own": ("[tool.loopcheck.per-file-ignores]\na = 'LC1'\n", "pyproject.toml", ":1:1: "),
    "with what is in it": ("[tool.loopcheck]\nper-file-ignores.a = 'LC1'\n", "pyproject.toml", ":2:1: "),
    "our own file": ("select = []\n# ignore\nignore = 'LC1'\n", "loopcheck.toml", ":3:1: "),
    "in quotes": ('"ignore" = 1\n', "loopcheck.toml", ":1:1: "),
    "not to be found": ("tool.loopcheck.selct = 1\n", "pyproject.toml", ": "),
}


@pytest.mark.parametrize(("table", "name", "at"), PLACES.values(), ids=PLACES)
def test_wrong_settings_are_told_with_their_place(tmp_path: Path, table: str, name: str, at: str) -> None:
    (tmp_path / name).write_text(table, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        config.load(tmp_path)
    assert str(error.value).startswith(f"{tmp_path / name}{at}")


def test_a_value_on_the_command_line_counts_before_a_file(tmp_path: Path) -> None:
    settings(tmp_path, '[tool.loopcheck]\nselect = ["LC1"]\nmin-confidence = "low"\n')
    file, over = config.said(["select = ['LC2']", "cache-dir=kept"])
    loaded = config.load(tmp_path, file, over=over)
    assert (loaded.select, loaded.cache_dir, loaded.min_confidence) == (("LC2",), "kept", Confidence.LOW)
    assert loaded.origins == {"select": "--config", "cache_dir": "--config", "min_confidence": f"{tmp_path}/pyproject.toml:3:1"}
    assert config.said([str(tmp_path / "pyproject.toml")]) == (tmp_path / "pyproject.toml", {})


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("nowhere.toml", "there is no file 'nowhere.toml'; it is one, or says `key = value`"),
        ("selct = ['LC1']", "--config: has no key `selct`; did you mean `select`?"),
        ("select = 'LC1'", "--config: `select` must be a list of strings, not 'LC1'"),
        ("extend = 'a.toml'", "`extend` stands in a file"),
        ("a b = 1", "'a b = 1' cannot be read"),
    ],
)
def test_a_wrong_value_on_the_command_line(value: str, told: str) -> None:
    with pytest.raises(ConfigError) as error:
        config.said([value])
    assert told in str(error.value)


def test_one_file_extends_another(tmp_path: Path) -> None:
    """What it does not say itself, the other one does; paths count from the first."""
    inner = tmp_path / "a"
    inner.mkdir()
    (tmp_path / "shared.toml").write_text('select = ["LC1"]\nextend-exclude = ["old/"]\n', encoding="utf-8")
    loaded = settings(inner, '[tool.loopcheck]\nextend = "../shared.toml"\nselect = ["LC2"]\n')
    assert (loaded.select, loaded.extend_exclude, loaded.folder) == (("LC2",), ("old/",), inner)
    (tmp_path / "shared.toml").write_text('extend = "a/pyproject.toml"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"shared.toml: `extend` leads back to .*a/pyproject.toml"):
        config.load(inner)
    (tmp_path / "shared.toml").unlink()
    with pytest.raises(ConfigError, match=r"shared.toml cannot be read"):
        config.load(inner)


@pytest.mark.parametrize(
    ("version", "bounds", "fits"),
    [
        ("0.1.0", ">=0.1", True),
        ("0.1.0", "==0.1", True),
        ("0.1.0", "0.1.0", True),
        ("0.2.0", ">=0.1,<1", True),
        ("0.10.0", ">0.9", True),
        ("1.0", ">=0.1, <1", False),
        ("0.1.0", "!=0.1.0", False),
        ("0.1.0", "<=0.0.9", False),
    ],
)
def test_required_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, bounds: str, fits: bool) -> None:
    monkeypatch.setattr(loopcheck, "__version__", version)
    table = f'[tool.loopcheck]\nrequired-version = "{bounds}"\n'
    if fits:
        settings(tmp_path, table)
    else:
        with pytest.raises(ConfigError, match=f"asks for loopcheck {bounds}, and this is {version}"):
            settings(tmp_path, table)


def test_a_version_is_asked_for_before_keys_that_it_may_not_have(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="asks for loopcheck >=99"):
        settings(tmp_path, '[tool.loopcheck]\nnew-key = 1\nrequired-version = ">=99"\n')


def test_the_schema_takes_what_is_taken_and_no_more(tmp_path: Path) -> None:
    schema = config.schema()
    assert {*schema["properties"]} == {*config.KEYS}
    assert all(each["description"].endswith(".") for each in schema["properties"].values())
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    for table, taken in TABLES.items():
        says = tomllib.loads(table)
        assert validator(schema).is_valid(says) == taken, table
        (tmp_path / config.OWN).write_text(table, encoding="utf-8")
        if taken:
            config.load(tmp_path)
        else:
            with pytest.raises(ConfigError):
                config.load(tmp_path)


TABLES = {
    'select = ["ALL"]\nignore = []\nexclude = ["a/"]\nextend-exclude = ["b/"]\nforce-exclude = true\n': True,
    'per-file-ignores = { "a/*" = ["LC1"] }\nmin-confidence = "low"\ncache-dir = "x"\nrequired-version = ">=0.0"\n': True,
    '[same-as]\n"my.clip" = "torch.nn.utils.clip_grad_norm_"\n': True,
    'select = "ALL"\n': False,
    "force-exclude = 1\n": False,
    'per-file-ignores = { "a/*" = "LC1" }\n': False,
    'min-confidence = "sure"\n': False,
    'cache-dir = ""\n': False,
    '[same-as]\n"my.clip" = "clip"\n': False,
    "colour = 1\n": False,
}
