"""Repairs carried out on the bytes of a file: all outside the edits stays, and what does not hold is withdrawn."""

from __future__ import annotations

from dataclasses import replace as with_

import pytest
from repairs import planned

from loopcheck import Rule, backward, clip, forward, insert, move, no, remove, replace, step, wrap, zero_grad
from loopcheck.fix import Edit
from loopcheck.write.apply import edited, mend

CLIP_AFTER_STEP = Rule(
    code="LC901",
    name="clip-after-step",
    bug=step >> no(backward) >> clip,
    says="{clip} limits nothing",
    fix=move(clip, before=step),
)
MISSING_ZERO_GRAD = Rule(
    code="LC902",
    name="missing-zero-grad",
    bug=step >> no(zero_grad) >> backward >> no(zero_grad) >> step,
    says="{backward} adds to old gradients",
    fix=insert("{optimizer}.zero_grad()", before=backward),
)

SCRIPT = """\
import torch

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    loss = model(torch.ones(4, 2)).sum()
    loss.backward()
    optimizer.step()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # limit
    print(loss.item())
"""

BOTH = SCRIPT.replace("    loss.backward()\n", "    optimizer.zero_grad()\n    loss.backward()\n").replace(
    "    optimizer.step()\n    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # limit\n",
    "    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # limit\n    optimizer.step()\n",
)

MOVE = move(clip, before=step)
HEAD = b"model = optimizer = scaler = loss = loader = 0\n"

BYTES = {
    "windows newlines": (
        MOVE,
        b"optimizer.step()\r\n# why\r\nclip_grad_norm_(model, 1)\r\n",
        b"# why\r\nclip_grad_norm_(model, 1)\r\noptimizer.step()\r\n",
    ),
    "old newlines": (MOVE, b"optimizer.step()\rclip_grad_norm_(model, 1)\r", b"clip_grad_norm_(model, 1)\roptimizer.step()\r"),
    "mixed newlines": (
        insert("{optimizer}.zero_grad()", before=backward),
        b"a = 1\nloss.backward()\r\nb = 2\n",
        b"a = 1\noptimizer.zero_grad()\r\nloss.backward()\r\nb = 2\n",
    ),
    "no newline at the end": (
        insert("{optimizer}.zero_grad()", after=step),
        b"loss = 1\r\noptimizer.step()  # last",
        b"loss = 1\r\noptimizer.step()  # last\r\noptimizer.zero_grad()",
    ),
    "the last line moves up": (
        MOVE,
        b"optimizer.step()\nclip_grad_norm_(model, 1)",
        b"clip_grad_norm_(model, 1)\noptimizer.step()\n",
    ),
    "tabs": (
        MOVE,
        b"if loss:\n\tfor x in loader:\n\t\toptimizer.step()\n\t\tclip_grad_norm_(\n\t\t\tmodel,\n\t\t1)\n",
        b"if loss:\n\tfor x in loader:\n\t\tclip_grad_norm_(\n\t\t\tmodel,\n\t\t1)\n\t\toptimizer.step()\n",
    ),
    "tabs under a context": (
        wrap(forward, "torch.no_grad()", requires="import torch"),
        b"import torch\nfor x in loader:\n\tmodel(x)\n",
        b"import torch\nwith torch.no_grad():\n\tfor x in loader:\n\t\tmodel(x)\n",
    ),
    "a page break between functions": (
        MOVE,
        b"def f(): pass\n\x0c\ndef g():\n  optimizer.step()\n  clip_grad_norm_(model, 1)\n",
        b"def f(): pass\n\x0c\ndef g():\n  clip_grad_norm_(model, 1)\n  optimizer.step()\n",
    ),
    "spaces at the ends of lines": (
        MOVE,
        b"optimizer.step() \n  \nclip_grad_norm_(model, 1)\t\n",
        b"clip_grad_norm_(model, 1)\t\noptimizer.step() \n  \n",
    ),
    "a backslash": (
        MOVE,
        b"optimizer.step()\nnorm = \\\n  clip_grad_norm_(model, 1)\n",
        b"norm = \\\n  clip_grad_norm_(model, 1)\noptimizer.step()\n",
    ),
    "a comment of another script": (
        MOVE,
        "optimizer.step()  # größer\nclip_grad_norm_(model, 1)  # 勾配\n".encode(),
        "clip_grad_norm_(model, 1)  # 勾配\noptimizer.step()  # größer\n".encode(),
    ),
}


@pytest.mark.parametrize(("fix", "before", "after"), BYTES.values(), ids=BYTES)
def test_layout_is_kept(fix: Edit, before: bytes, after: bytes) -> None:
    repair = planned(fix, HEAD + before)
    assert repair is not None
    assert edited(HEAD + before, repair.edits) == HEAD + after


@pytest.mark.parametrize(
    ("start", "comment"),
    [
        (b"", "# ok"),
        (b"\xef\xbb\xbf", "# größer".encode()),
        (b"\xef\xbb\xbf# -*- coding: utf-8 -*-\n", "# größer".encode()),
        (b"#!/usr/bin/env python\n# -*- coding: latin-1 -*-\n", "# größer".encode("latin-1")),
        (b"# coding: cp1251\n", "# больше".encode("cp1251")),
        (b"\x0c\n", b"# after a page break"),
        (b"\x0c", b"# beside a page break"),
    ],
)
def test_marks_and_encodings_are_kept(start: bytes, comment: bytes | str) -> None:
    comment = comment.encode() if isinstance(comment, str) else comment
    step_line, clip_line = b"optimizer.step()  " + comment + b"\n", b"clip_grad_norm_(model, 1)\n"
    before = start + HEAD + step_line + clip_line
    repair = planned(MOVE, before)
    assert repair is not None
    assert edited(before, repair.edits) == start + HEAD + clip_line + step_line


def test_nothing_is_planned_on_a_row_whose_columns_are_not_known() -> None:
    assert planned(remove(zero_grad), b"\x0coptimizer.zero_grad()\nx = 1\n") is None


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [True, False])
@pytest.mark.parametrize(
    "fix",
    [
        MOVE,
        insert("{optimizer}.zero_grad()", before=backward),
        insert("{optimizer}.zero_grad()", after=step, requires="import random"),
        replace(clip, "limit({model})"),
        remove(clip, argument=1),
        remove(clip),
    ],
)
def test_all_outside_the_edits_is_kept(newline: bytes, bom: bytes, end: bool, fix: Edit) -> None:
    data = bom + newline.join(SCRIPT.encode().splitlines()) + (newline if end else b"")
    repair = planned(fix, data)
    assert repair is not None
    touched = {row for edit in repair.edits for row in range(edit.span.row, edit.span.end_row + 1)}
    kept = [line for row, line in enumerate(data.splitlines(keepends=True), 1) if row not in touched]
    lines = iter(edited(data, repair.edits).splitlines(keepends=True))
    assert all(line in lines for line in kept), "the lines that no edit touches follow each other as before"


def test_mending_repairs_all_that_it_can() -> None:
    mended = mend(SCRIPT.encode(), "train.py", [CLIP_AFTER_STEP, MISSING_ZERO_GRAD])
    assert mended.data.decode() == BOTH
    assert sorted(finding.rule.name for finding in mended.applied) == ["clip-after-step", "missing-zero-grad"]
    assert not mended.withdrawn


def test_mending_twice_changes_nothing() -> None:
    mended = mend(BOTH.encode(), "train.py", [CLIP_AFTER_STEP, MISSING_ZERO_GRAD])
    assert mended.data == BOTH.encode()
    assert not mended.applied


def test_only_what_is_asked_for_is_repaired() -> None:
    rules = [CLIP_AFTER_STEP, MISSING_ZERO_GRAD]
    mended = mend(SCRIPT.encode(), "train.py", rules, only=lambda finding: finding.rule is CLIP_AFTER_STEP)
    assert [finding.rule.name for finding in mended.applied] == ["clip-after-step"]
    assert b"zero_grad" not in mended.data


def test_an_unsafe_repair_is_made_when_asked_for() -> None:
    rule = with_(CLIP_AFTER_STEP, fix=MOVE.unsafe)
    assert mend(SCRIPT.encode(), "train.py", [rule]).data == SCRIPT.encode()
    assert mend(SCRIPT.encode(), "train.py", [rule], unsafe=True).data != SCRIPT.encode()


def test_a_repair_to_be_shown_is_never_made() -> None:
    rule = with_(CLIP_AFTER_STEP, fix=MOVE.display)
    assert mend(SCRIPT.encode(), "train.py", [rule], unsafe=True).data == SCRIPT.encode()


@pytest.mark.parametrize(
    ("fix", "reason"),
    [
        (insert("print({optimizer})", before=clip), "the finding would still be there"),
        (replace(clip, "model) + (loss"), "the result cannot be read: "),
        (replace(clip, "{optimizer}.step()"), "it would add step-twice: "),
    ],
)
def test_a_repair_that_does_not_hold_is_withdrawn(fix: Edit, reason: str) -> None:
    twice = Rule(code="LC903", name="step-twice", bug=step >> no(backward) >> step, says="{step} steps twice")
    mended = mend(SCRIPT.encode(), "train.py", [with_(CLIP_AFTER_STEP, fix=fix), twice])
    assert mended.data == SCRIPT.encode()
    assert not mended.applied
    (withdrawn,) = mended.withdrawn
    assert withdrawn.finding.rule.name == "clip-after-step"
    assert withdrawn.reason.startswith(reason)


def test_a_repair_that_does_not_hold_leaves_the_others() -> None:
    wrong = with_(MISSING_ZERO_GRAD, fix=insert("print({optimizer})", before=backward))
    mended = mend(SCRIPT.encode(), "train.py", [CLIP_AFTER_STEP, wrong])
    assert [finding.rule.name for finding in mended.applied] == ["clip-after-step"]
    assert [each.finding.rule.name for each in mended.withdrawn] == ["missing-zero-grad"]


def test_what_the_encoding_cannot_write_is_withdrawn() -> None:
    rule = with_(CLIP_AFTER_STEP, fix=MOVE & insert("print('勾配')", before=step))
    data = b"# coding: latin-1\n" + SCRIPT.encode()
    mended = mend(data, "train.py", [rule])
    assert mended.data == data
    assert mended.withdrawn[0].reason == "the file's encoding, latin-1, cannot write it"


def test_an_encoding_that_writes_other_bytes_than_it_reads_is_left_alone() -> None:
    data = b"# coding: utf-7\n# +AGE-\n" + SCRIPT.replace("=", "+AD0-").encode()
    mended = mend(data, "train.py", [CLIP_AFTER_STEP])
    assert mended.data == data
    assert mended.withdrawn[0].reason == "the file's encoding does not give the same bytes back"
