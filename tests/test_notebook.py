"""Notebooks: IPython's additions, where findings stand, and repairs that leave every other byte of the JSON as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from samples import BAD, CLIP, CLIP_ROW

from loopcheck import cli, files, packs, testing
from loopcheck.check import check_source
from loopcheck.excerpt import lines, row
from loopcheck.finding import Report
from loopcheck.read import triage
from loopcheck.read.front.source import Source
from loopcheck.read.magics import plain
from loopcheck.read.text import lines_of
from loopcheck.show.formats import full
from loopcheck.show.view import View
from loopcheck.write.apply import mend

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures" / "notebooks").glob("*.ipynb"))
SETUP, LOOP = BAD.rstrip("\n").split("\nfor ")
LOOP = f"for {LOOP}"


def notebook(*cells: str, **metadata: object) -> bytes:
    """A notebook of code cells."""
    content = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": lines_of(cell)} for cell in cells]
    return json.dumps({"cells": content, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1).encode()


def judged(*cells: str, **metadata: object) -> Report:
    return check_source(notebook(*cells, **metadata), "train.ipynb", [CLIP])


def found(report: Report) -> list[tuple[int, int, int]]:
    return [(finding.primary.cell, finding.primary.row, finding.primary.column) for finding in report.findings]


# --- what IPython adds


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline\nx = 1", "000000000000000000\nx = 1"),
        ("  !pip 'timm", "  0000000000"),
        ("!wget -q \\\n  http://a/(b\nx", "0000000000\n\nx"),
        ("if x:\n    %cd data\n    y", "if x:\n    00000000\n    y"),
        ("model?\n??model\nnn.*Norm*?  # a\nx", "000000\n0000000\n" + 15 * "0" + "\nx"),
        ("pip install timm\ncd ..\nls -l", "0000000000000000\n00000\n00000"),
        ("names = !ls (\nx", "names = _____\nx"),
        ("a, b = %sql select 1", "a, b = " + 13 * "_"),
        ("norm = %time f(x)", "norm =       f(x)"),
        ("%time f(x)", "____= f(x)"),
        ("if a:\n\t%time y = f(x=1)", "if a:\n\t____= y = f(x=1)"),
        ("%time for x in y: f(x)", "0000000000000000000000"),
        ("%time x += 1", "000000000000"),
        ("%timeit -n 3 f(x)", "00000000000000000"),
        ("\n%%time\nf(x)", "\n\nf(x)"),
        ("%%timeit -n 3\nf(x)", "\n"),
        ("%%capture out --no-stderr\n!ls\nf(x)", "\n000\nf(x)"),
        ("%%bash\necho $(f\nf()", "\n\n"),
        ("%%writefile a.py\r\nf()", "\r\n"),
        ("x = (a\n  % b)", "x = (a\n  % b)"),
        ('"""\n!no\n%no\n"""', '"""\n!no\n%no\n"""'),
        ("f('(')\n!ls\n# what?\nx = '=%s' % y", "f('(')\n000\n# what?\nx = '=%s' % y"),
        ("x = a if b else c\nx != 3\nx %= 3\ncat = 1\nls", "x = a if b else c\nx != 3\nx %= 3\ncat = 1\nls"),
        ("optimizer.step();", "optimizer.step();"),
        ("await f()", "await f()"),
    ],
)
def test_ipython(cell: str, python: str) -> None:
    assert plain(cell) == python
    assert python.count("\n") == cell.count("\n")


# --- where things stand


@pytest.mark.parametrize(("also", "read"), [("", False), ("import torch\n", True)])
def test_a_notebook_of_another_library_is_not_read(also: str, read: bool) -> None:
    assert triage.trains(notebook(f"import tensorflow as tf\n{also}", LOOP)) is read


def test_a_finding_names_its_cell() -> None:
    report = judged("%matplotlib inline", SETUP, "", "%%time\n" + LOOP, "await x")
    assert found(report) == [(4, 7, 5)]
    (finding,) = report.findings
    assert [(note.span.cell, note.span.row) for note in finding.related] == [(4, 5), (4, 6)][-len(finding.related) :]
    assert finding.repair is not None
    assert {edit.span.cell for edit in finding.repair.edits} == {4}


def test_cells_that_are_not_code_do_not_count() -> None:
    content = json.loads(notebook(SETUP, LOOP))
    content["cells"].insert(1, {"cell_type": "markdown", "metadata": {}, "source": ["optimizer.step("]})
    content["cells"].insert(0, {"cell_type": "code", "metadata": {}, "outputs": []})
    assert found(check_source(json.dumps(content).encode(), "train.ipynb", [CLIP])) == [(3, 6, 5)]


def test_a_cell_that_is_no_python_leaves_the_others() -> None:
    report = judged(SETUP, "y = 1\nx = (", LOOP, "def")
    assert found(report) == [(3, 6, 5)]
    told = [(each.code, each.message, each.span.cell, each.span.row) for each in report.problems]
    assert told == [("syntax", "'(' was never closed", 2, 2), ("syntax", "invalid syntax", 4, 1)]


def test_a_block_does_not_go_on_in_the_next_cell() -> None:
    report = judged(SETUP, "for x in y:", "    loss.backward()\n  x = 1")
    assert [problem.span.cell for problem in report.problems] == [2, 3]


def test_a_cell_that_is_too_deep_leaves_the_others() -> None:
    report = judged(SETUP, "x = " + "a + " * 400 + "a", LOOP)
    assert [(problem.code, problem.span.cell) for problem in report.problems] == [("too-deep", 2)]
    assert found(report) == [(3, 6, 5)]


def test_a_cell_that_only_libcst_refuses_is_read_and_not_mended() -> None:
    report = judged(SETUP, "if x:\n\\\n  y", LOOP)
    assert report.problems == ()
    assert found(report) == [(3, 6, 5)]
    assert [finding.repair for finding in report.findings] == [None]


@pytest.mark.parametrize(("before", "first"), [("", 0), ("\n\n", 2), ("%%time\n", 1)])
def test_a_cell_all_of_which_is_indented_is_read_and_not_mended(before: str, first: int) -> None:
    """IPython takes the indentation of its first line away."""
    indented = "".join(f"    {line}\n" for line in BAD.splitlines())
    report = check_source(notebook("x = 1", before + indented), "train.ipynb", [CLIP])
    (finding,) = report.findings
    assert (finding.primary.cell, finding.primary.row, finding.primary.column) == (2, CLIP_ROW + first, 9)
    assert finding.repair is None
    assert check_source(notebook("  if optim:\nx = 1"), "train.ipynb", [CLIP]).problems[0].code == "syntax"


def test_half_a_character_is_no_obstacle() -> None:
    data = notebook(SETUP, "print('x')", LOOP).replace(b"'x'", rb"'\ud83d'")
    assert found(check_source(data, "train.ipynb", [CLIP])) == [(3, 6, 5)]


def test_comments_silence() -> None:
    quiet = f"{LOOP}  # loopcheck: ignore[clip-after-step] -- shown in a lecture"
    assert not judged(SETUP, quiet).findings
    (problem,) = judged(SETUP, "x = 1", f"{LOOP}  # loopcheck: ignore[clip-after-step]").problems
    assert (problem.code, problem.span.cell, problem.span.row) == ("suppression", 3, 6)
    assert found(judged(SETUP, "# loopcheck: ignore[clip-after-step] -- not about the next cell", LOOP)) == [(3, 6, 5)]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"cells": [optimizer.step()]}', "the notebook is no JSON: Expecting value"),
        (b'"optimizer.step()"', "this JSON is no notebook: it has no list of cells"),
        (b'["optimizer.step()"]', "this JSON is no notebook: it has no list of cells"),
        (b'{"cells": {"a": "optimizer.step()"}}', "this JSON is no notebook: it has no list of cells"),
        (b'{"worksheets": "optimizer.step()"}', None),
        (notebook(BAD).replace(b"import torch", b"import \xff"), "byte "),
    ],
)
def test_what_is_no_notebook(data: bytes, told: str | None) -> None:
    report = check_source(data, "train.ipynb", [CLIP])
    assert [problem.message.startswith(told) for problem in report.problems if told] == [True] * bool(told)
    assert all(problem.code == "unreadable" for problem in report.problems)


@pytest.mark.parametrize(
    "content",
    [
        {"cells": []},
        {"cells": [1, None, {"cell_type": "code", "source": 5}, {"cell_type": "code", "source": ["optim", 5, None]}]},
        {"cells": [{"cell_type": "code", "source": []}, {"cell_type": "code", "source": ""}], "metadata": "optim"},
    ],
)
def test_odd_cells_are_passed_over(content: dict[str, object]) -> None:
    assert check_source(json.dumps(content | {"name": "optim"}).encode(), "train.ipynb", [CLIP]).problems == ()


def test_a_notebook_in_another_language_is_skipped() -> None:
    kernel = {"name": "ir", "display_name": "R"}
    assert judged(BAD, kernelspec=kernel | {"language": "R"}).skipped == "a notebook in R"
    assert judged(BAD, kernelspec=kernel, language_info={"name": "julia"}).skipped == "a notebook in julia"
    assert found(judged(BAD, kernelspec={"name": "python3", "language": "python"}))


def test_notebooks_of_version_3_are_read() -> None:
    cells = [{"cell_type": "code", "input": lines_of(cell), "language": "python"} for cell in (SETUP, LOOP)]
    data = json.dumps({"worksheets": [{"cells": cells[:1]}, {"cells": cells[1:]}], "nbformat": 3}).encode()
    assert found(check_source(data, "train.ipynb", [CLIP])) == [(2, 6, 5)]
    assert found(check_source(mend(data, "train.ipynb", [CLIP]).data, "train.ipynb", [CLIP])) == []


# --- repairs

STEP, CLIP_LINE = "    optimizer.step()", "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
HEAD = ["for x, y in loader:", "    nn.functional.mse_loss(model(x), y).backward()  # é\\/\\u0041\\t"]

LIST = '[\n    "{0}\\n",\n    "{1}\\n",\n    "{2}\\n",\n    "{3}"\n   ]'
NASTY = {
    "a list": LIST,
    "a list, closed at once": '["{0}\\n", "{1}\\n",\r\n\t"{2}\\n" , "{3}"]',
    "a list without layout": '["{0}\\n","{1}\\n","{2}\\n","{3}"]',
    "a newline at the end": '["{0}\\n", "{1}\\n", "{2}\\n", "{3}\\n"]',
    "lines below": '["{0}\\n", "{1}\\n", "{2}\\n", "{3}\\n", "\\n", "print(\\u00e9)  "]',
    "CRLF in the code": '["{0}\\r\\n", "{1}\\r\\n", "{2}\\r\\n", "{3}"]',
    "one string": '"{0}\\n{1}\\n{2}\\n{3}"',
    "one string with a newline at the end": '"{0}\\n{1}\\n{2}\\n{3}\\n"',
    "one string in a list": '[ "{0}\\n{1}\\n{2}\\n{3}" ]',
    "strings of several lines": '["{0}\\n{1}\\n", "", "{2}\\n{3}\\n", "\\n\\n"]',
    "a magic between": '["{0}\\n", "{1}\\n    %time\\n", "{2}\\n", "{3}"]',
}
"""Ways to write four lines."""


def nasty(source: str) -> str:
    """A notebook in which nothing else is as a program would write it."""
    setup = (
        "import torch\\nfrom torch import nn\\nmodel = nn.Linear(2, 2)\\n"
        + "optimizer = torch.optim.SGD(model.parameters(), lr=1)"
    )
    return (
        '{"nbformat" :4,  "cells":[ {"source" : "optimizer.step()\\n", "cell_type":"markdown"},\r\n'
        f'  {{"source":"{setup}","metadata":{{"source": ["x"]}}, "cell_type":"code","outputs":[["\\u00E9 é \\/"]]}}\t,\n'
        f'  {{"cell_type": "code", "source": {source}, "execution_count" : 1.50, "outputs": []   }}\n'
        '   ], "metadata": {"a":{}, "a" : 1e3, "name": "\\ud83d\\ude00"}  } '
    )


@pytest.mark.parametrize("shape", NASTY.values(), ids=NASTY)
@pytest.mark.parametrize(("mark", "finish"), [("", ""), ("\ufeff", "\n"), ("", "\r\n\r\n")])
def test_every_byte_outside_the_repair_is_kept(shape: str, mark: str, finish: str) -> None:
    before, after = (
        (mark + nasty(shape.format(*HEAD, *tail)) + finish).encode() for tail in ((STEP, CLIP_LINE), (CLIP_LINE, STEP))
    )
    assert mend(before, "train.ipynb", [CLIP]).data == after


def test_new_lines_are_escaped_as_the_file_does_it() -> None:
    for ascii_only in (True, False):
        before, after = (
            json.dumps(json.loads(nasty(LIST.format(*HEAD, *tail))), ensure_ascii=ascii_only, indent=2).encode()
            for tail in ((f"{STEP}  # größer", f"{CLIP_LINE}  # 勾配"), (f"{CLIP_LINE}  # 勾配", f"{STEP}  # größer"))
        )
        assert mend(before, "train.ipynb", [CLIP]).data == after


@pytest.mark.parametrize("indent", [None, 1, 2, "\t"])
@pytest.mark.parametrize("separators", [None, (",", ":")])
@pytest.mark.parametrize("listed", [True, False])
def test_other_lines_are_put_in_as_a_notebook_has_them(
    indent: int | str | None, separators: tuple[str, str], listed: bool
) -> None:
    """A rule of the catalogue puts a line in; written by the same program the result is the same file."""
    rule = next(rule for rule in packs.rules() if rule.name == "missing-zero-grad")
    loop = LOOP.replace("    optimizer.zero_grad()\n", "").rpartition("\n")[0]

    def written(cell: str) -> bytes:
        content = json.loads(notebook(SETUP, "for epoch in range(3):\n  " + cell.replace("\n", "\n  ")))
        for each in content["cells"]:
            each["source"] = each["source"] if listed else "".join(each["source"])
        return json.dumps(content, indent=indent, separators=separators).encode()

    mended = mend(written(loop), "train.ipynb", [rule])
    assert mended.data != written(loop)
    assert mended.data == written(loop.replace("    loss.backward()", "    optimizer.zero_grad()\n    loss.backward()"))


def test_what_a_magic_measures_is_moved_with_it() -> None:
    measured = f"    %time{CLIP_LINE[3:]}"
    data = notebook(SETUP, LOOP.replace(CLIP_LINE, measured))
    (finding,) = check_source(data, "train.ipynb", [CLIP]).findings
    assert (finding.primary.row, finding.primary.column) == (6, 11)
    assert mend(data, "train.ipynb", [CLIP]).data == notebook(SETUP, "\n".join([*LOOP.split("\n")[:4], measured, STEP]))


def test_magics_are_indented_as_they_are_written() -> None:
    rule = next(rule for rule in packs.rules() if rule.name == "missing-no-grad")
    loop = "for x, y in test_loader:\n    %time loss = nn.functional.mse_loss(model(x), y)\n    !echo {loss} \\\n >> log.txt"
    train = LOOP.rpartition("\n")[0]
    mended = mend(notebook(SETUP, train, loop), "train.ipynb", [rule])
    assert mended.data == notebook(SETUP, train, "with torch.no_grad():\n    " + loop.replace("\n    ", "\n        "))


def test_a_repair_in_one_cell_counts_its_rows_apart_from_another() -> None:
    other = LOOP.replace("optimizer", "second").replace("model", "net").replace("loader", "others")
    setup = SETUP + "\nnet = nn.Linear(2, 2)\nsecond = torch.optim.SGD(net.parameters(), lr=0.1)"
    mended = mend(notebook(setup, LOOP, other), "train.ipynb", [CLIP])
    assert len(mended.applied) == 2
    assert mended.data == mend(mended.data, "train.ipynb", [CLIP]).data


# --- the command line


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., click.testing.Result]:
    monkeypatch.setattr(packs, "rules", lambda: (CLIP,))
    monkeypatch.chdir(tmp_path)
    Path("train.ipynb").write_bytes(notebook("%matplotlib inline", SETUP, LOOP))
    return lambda *arguments: CliRunner().invoke(cli.program, arguments)


def test_text(run: Callable[..., click.testing.Result]) -> None:
    shown = run("train.ipynb").stdout
    assert "--> train.ipynb:cell 3:6:5\n" in shown
    assert f"6 | {CLIP_LINE}\n" in shown


def test_json(run: Callable[..., click.testing.Result]) -> None:
    (told,) = json.loads(run("train.ipynb", "--output-format", "json").stdout)
    assert (told["cell"], told["location"]) == (3, {"row": 6, "column": 5})


def test_github(run: Callable[..., click.testing.Result]) -> None:
    told = re.match(r"::error file=train\.ipynb,line=(\d+),title=", run("train.ipynb", "--output-format", "github").stdout)
    assert told
    assert "clip_grad_norm_" in Path("train.ipynb").read_text().splitlines()[int(told[1]) - 1]


def test_diff(run: Callable[..., click.testing.Result]) -> None:
    before = Path("train.ipynb").read_bytes()
    shown = run("train.ipynb", "--diff").stdout.splitlines()
    assert shown[:2] == ["--- train.ipynb:cell 3", "+++ train.ipynb:cell 3"]
    assert [line for line in shown[2:] if line[0] in "+-\\"] == [f"+{CLIP_LINE}", f"-{CLIP_LINE}"]
    assert Path("train.ipynb").read_bytes() == before


def test_show(run: Callable[..., click.testing.Result]) -> None:
    assert re.search(r"cell 3:6 +clip +model", run("show", "train.ipynb").stdout)


def test_a_page_marks_the_cell_in_which_something_is_wrong(run: Callable[..., click.testing.Result]) -> None:
    run("show", "train.ipynb", "--html", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    (item,) = re.findall(r"<li class=wrong>.*?</li>", page)
    assert "clip" in item
    assert "cell 3:6" in item
    assert 'href="#f-LC101-6"' in item


def test_fix(run: Callable[..., click.testing.Result]) -> None:
    assert run("train.ipynb", "--fix").exit_code == 0
    assert Path("train.ipynb").read_bytes() == notebook(
        "%matplotlib inline", SETUP, "\n".join([*LOOP.split("\n")[:4], CLIP_LINE, STEP])
    )


def test_folders_hold_notebooks(tmp_path: Path) -> None:
    for name in ("a.ipynb", "sub/b.ipynb", ".ipynb_checkpoints/a-checkpoint.ipynb", "sub/c.py", "d.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [path.relative_to(tmp_path).as_posix() for path in files.find([tmp_path])] == ["a.ipynb", "sub/b.ipynb", "sub/c.py"]


def test_a_notebook_that_has_gone_shows_no_lines(tmp_path: Path) -> None:
    (finding,) = judged(SETUP, LOOP).findings
    assert lines(str(tmp_path / "train.ipynb"), finding.primary.cell) == []
    assert "clip-after-step" in next(full.show(View([Report("train.ipynb", (finding,))], lambda span: [], row)))


# --- whole notebooks


def marks(path: Path) -> set[tuple[int, int, str]]:
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    return {
        (number, row, name)
        for number, cell in enumerate(cells, 1)
        for row, line in enumerate(cell["source"], 1)
        if (mark := re.search(r"# bug: (.+)", line))
        for name in mark[1].split(", ")
    }


each_notebook = pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)


def test_there_is_a_notebook_with_bugs_and_one_without() -> None:
    assert sorted(len(marks(path)) for path in FIXTURES) == [0, 2]


@each_notebook
def test_static_judge(path: Path) -> None:
    report = check_source(path.read_bytes(), str(path), packs.rules())
    assert not report.problems
    assert {(each.primary.cell, each.primary.row, each.rule.name) for each in report.findings} == marks(path)


@each_notebook
def test_run_time_judge(path: Path, runs: testing.Runs, tmp_path: Path) -> None:
    """The cells are run one after the other, as the module that is read."""
    module = tmp_path / "module.py"
    module.write_text(Source.parse(str(path), path.read_bytes()).text, encoding="utf-8")
    ran = runs.of(module)
    assert ran.raised is None
    assert testing.audited(ran).get(module, set()) == testing.marks(module)
    assert {name for name, _ in testing.marks(module)} == {name for *_, name in marks(path)}


@each_notebook
def test_mended(path: Path) -> None:
    mended = mend(path.read_bytes(), str(path), packs.rules())
    assert len(mended.applied) == len(marks(path))
    assert not check_source(mended.data, str(path), packs.rules()).findings
