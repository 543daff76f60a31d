"""Lines that a fix makes longer than the file's: broken as the file breaks its own, or left."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from repairs import repaired

from loopcheck import build, callee_of, clip, forward, guard_of, replace, step, wrap
from loopcheck.check import check_file
from loopcheck.fix import Edit
from loopcheck.packs import rules
from loopcheck.write import fit
from loopcheck.write.apply import edited
from loopcheck.write.breaks import Inside, Style, broken, insides

GROUPS: Edit = replace(build, '[{{"params": decayed}}, {{"params": undecayed, "weight_decay": 0.0}}]', argument=0)
TAIL: Edit = replace(guard_of(step), "{was} or total == len(loader)")

HEAD = "from x import *\nfrom y import decayed, limit, loader, undecayed\n"
HANGING = "print(\n    1,\n    2,\n)\n"
BESIDE = "print(1,\n      2)\nprint(1,\n      2)\n"

FITTED = {
    "all of it on the next row": (
        GROUPS,
        HANGING + "optimizer = torch.optim.Adam(parameters, lr=1e-3)",
        """\
        optimizer = torch.optim.Adam(
            [{"params": decayed}, {"params": undecayed, "weight_decay": 0.0}], lr=1e-3
        )
        """,
    ),
    "each on a row of its own": (
        GROUPS,
        HANGING + "optimizer = torch.optim.Adam(parameters, lr=1e-3, weight_decay=0.05, betas=(0.9, 0.95))  # why",
        """\
        optimizer = torch.optim.Adam(
            [{"params": decayed}, {"params": undecayed, "weight_decay": 0.0}],
            lr=1e-3,
            weight_decay=0.05,
            betas=(0.9, 0.95),
        )  # why
        """,
    ),
    "all that stood on one row of the bracket": (
        GROUPS,
        "optimizer = torch.optim.Adam(  # all\n    parameters, lr=1e-3, weight_decay=0.05, betas=(0.9, 0.95)\n)",
        """\
        optimizer = torch.optim.Adam(  # all
            [{"params": decayed}, {"params": undecayed, "weight_decay": 0.0}],
            lr=1e-3,
            weight_decay=0.05,
            betas=(0.9, 0.95),
        )
        """,
    ),
    "beside the bracket": (
        GROUPS,
        BESIDE + "opt = Adam(parameters, lr=1e-3, weight_decay=0.05, betas=(0.9, 0.95))",
        """\
        opt = Adam([{"params": decayed}, {"params": undecayed, "weight_decay": 0.0}],
                   lr=1e-3, weight_decay=0.05, betas=(0.9, 0.95))
        """,
    ),
    "beside the bracket, where more is": (
        GROUPS,
        "opt = Adam(parameters, lr=1e-3,\n           weight_decay=0.05)",
        """\
        opt = Adam([{"params": decayed}, {"params": undecayed, "weight_decay": 0.0}],
                   lr=1e-3,
                   weight_decay=0.05)
        """,
    ),
    "a test, part by part": (
        TAIL,
        "if total % limit.gradient_accumulation_steps == 0 and limit.enabled_for_this_run:\n    optimizer.step()",
        """\
        if (
            total % limit.gradient_accumulation_steps == 0
            and limit.enabled_for_this_run
            or total == len(loader)
        ):
            optimizer.step()
        """,
    ),
    "no longer than the file's longest line": (
        GROUPS,
        f"x = [{', '.join(['1'] * 34)}]\noptimizer = torch.optim.Adam(parameters, lr=1e-3)",
        'optimizer = torch.optim.Adam([{"params": decayed}, {"params": undecayed, "weight_decay": 0.0}], lr=1e-3)\n',
    ),
    "longer by its comment alone": (
        replace(clip, "limit", argument=1),
        "clip_grad_norm_(model.parameters(), k)  # so that a single batch cannot throw the run off",
        "clip_grad_norm_(model.parameters(), limit)  # so that a single batch cannot throw the run off\n",
    ),
    "no break in a string": (
        replace(build, repr("x" * 90), argument=0),
        "optimizer = Adam(1)",
        f"optimizer = Adam(\n    {'x' * 90!r}\n)\n",
    ),
}


@pytest.mark.parametrize(("fix", "before", "after"), FITTED.values(), ids=FITTED)
def test_a_line_is_broken_as_the_file_breaks_its_own(fix: Edit, before: str, after: str) -> None:
    mended, applicability = repaired(fix, f"{HEAD}{before}\n")
    assert applicability == "safe"
    assert mended.endswith("\n" + dedent(after)), mended


def test_no_break_makes_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "broken", lambda row, style, inside: [row, "other = 0"])
    mended, _ = repaired(GROUPS, f"{HEAD}optimizer = torch.optim.Adam(parameters, lr=1e-3)\n")
    assert "other" not in mended


def test_rows_beside_a_bracket_move_with_it() -> None:
    before = 'made = Adam([1,\n             2], lr=(1 +\n                     2),\n            name="""\na""")\n'
    mended, _ = repaired(replace(callee_of(build), "AdamW"), HEAD + before)
    assert mended == HEAD + (
        'made = AdamW([1,\n              2], lr=(1 +\n                      2),\n             name="""\na""")\n'
    )


def test_rows_that_move_already_stand_beside_their_bracket_as_before() -> None:
    before = "for x in loader:\n    print('a ('\n          'b'.format(1,\n                     k=2))\n    model(x)\n"
    mended, _ = repaired(wrap(forward, "torch.no_grad()"), HEAD + before)
    assert mended == f"{HEAD}with torch.no_grad():\n" + "".join(f"    {line}\n" for line in before.splitlines())


def test_rows_that_do_not_stand_beside_stay() -> None:
    before = "made = Adam(1,\n    lr=2)\n"
    assert repaired(replace(callee_of(build), "AdamW"), HEAD + before)[0] == HEAD + before.replace("Adam", "AdamW")


def test_quotes_are_the_files() -> None:
    mended, _ = repaired(GROUPS, HEAD + "print('a')\nmade = Adam(parameters)\n")
    assert "Adam([{'params': decayed}, {'params': undecayed, 'weight_decay': 0.0}])" in mended


WAYS = {
    "    decayed = [parameter for parameter in self.some_model.parameters() if parameter.dim() >= 2 and sure]": """\
    decayed = [
        parameter
        for parameter in self.some_model.parameters()
        if parameter.dim() >= 2 and sure
    ]
    """,
    "(self.compute_loss(inputs, targets, weights) / self.options.gradient_accumulation_steps).backward()": """\
(
    self.compute_loss(inputs, targets, weights)
    / self.options.gradient_accumulation_steps
).backward()
    """,
    '    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)': """\
    torch.save(
        {
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "epoch": epoch,
        },
        path,
    )
    """,
    "scheduler = LambdaLR(optimizer, lambda step, warmup=args.warmup: min(1.0, step / warmup), last_epoch=3)": """\
scheduler = LambdaLR(
    optimizer,
    lambda step, warmup=args.warmup: min(1.0, step / warmup),
    last_epoch=3,
)
    """,
    "a = 1; b = function(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccc)": "",
    "b = function(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccc) + \\": "",
    "import aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb as ccc": "",
}


@pytest.mark.parametrize(("row", "rows"), WAYS.items())
def test_a_row_is_broken_at_its_last_bracket_and_further_only_where_it_must_be(row: str, rows: str) -> None:
    assert broken(row, Style(79, "    ", hangs=True)) == (rows.rstrip().split("\n") if rows else [row])


def test_what_a_row_is_in_the_middle_of() -> None:
    rows = ["a = f(  # all", "    1, 2", ")", 'b = """', "c", '""", [', "d = 1 + \\", "    2, g(3", ")]"]
    told = ["none", "alone", "bracket", "open", "string", "string", "bracket", "string", "bracket"]
    each = {None: "string", Inside(): "none", Inside(True): "bracket", Inside(True, True): "alone", Inside(goes_on=True): "open"}
    assert [each[found] for found in insides(rows)] == told


def test_a_row_is_not_broken_where_a_string_goes_on() -> None:
    row = 'print(aaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbb, """a(b), c'
    assert broken(row, Style(40, "    ", hangs=True), Inside(goes_on=True)) == [row]


def test_a_row_that_closes_its_bracket_is_filled() -> None:
    row = "        width=(512, 640, 768), depth=(4, 8, 6), layer='silu'),"
    assert broken(row, Style(40, "    ", hangs=True), Inside(True, True)) == [
        "        width=(512, 640, 768),",
        "        depth=(4, 8, 6), layer='silu'),",
    ]


def test_a_table_on_one_line_is_left() -> None:
    row = f"x = f({', '.join(['g(1)'] * 1000)})"
    assert broken(row, Style(79, "    ", hangs=True)) == [row]


TOLD = {
    "pyproject.toml": ("[tool.black]\nline-length = 70\n", 70),
    "ruff.toml": ("line-length = 70\n", 70),
    ".ruff.toml": ("select = []\n", 88),
}


@pytest.mark.parametrize(("name", "told"), TOLD.items())
def test_the_nearest_formatters_line_counts(tmp_path: Path, name: str, told: tuple[str, int]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 300\n")
    folder = tmp_path / "inner"
    folder.mkdir()
    file = folder / "train.py"
    file.write_bytes(LONG)
    assert _longest_line(file) > 88
    (folder / name).write_text(told[0])
    assert 60 < _longest_line(file) <= told[1]


LONG = b"""\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
for batch in torch.ones(8, 4).split(2):
    optimizer.zero_grad()
    model(batch).sum().backward()
    optimizer.step()
"""


def _longest_line(file: Path) -> int:
    """Of the lines that the fix of the one finding makes."""
    (finding,) = check_file(file, rules()).findings
    assert finding.repair
    return max(len(line) for line in edited(LONG, finding.repair.edits).decode().splitlines())
