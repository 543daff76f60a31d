"""The picture that the README opens with: a finding as a terminal shows it, and its proof.

`python tests/picture.py` draws `docs/picture.svg` anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from loopcheck import measured, packs, select
from loopcheck.prove import Proof
from loopcheck.show import proof

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "picture.svg"
RULE = "clip-after-step"
WIDTH = 118
_TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="A finding and its proof">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
font-size: {char_height}px; line-height: {line_height}px; white-space: pre; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>
<g transform="translate(10, 20)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""
"""Without the window's frame, and with the reader's own fonts: nothing is loaded from elsewhere."""


def drawn() -> str:
    """The picture of what is said now. The proof's numbers are those that are kept beside the rule."""
    (rule,) = select.choose(packs.rules(), [RULE])
    kept = measured.load(rule.folder)["cpu"]
    proved = proof.show(Proof(rule, kept.device, kept.rows, kept.repaired))
    console = Console(record=True, width=WIDTH, file=StringIO(), color_system="truecolor")
    for command, said in (("loopcheck train.py", _found(rule.folder / "bad.py")), (f"loopcheck prove {RULE}", proved)):
        console.print(Text(f"$ {command}", style="bold"), soft_wrap=False)
        console.print(Text.from_ansi(said.rstrip("\n")))
        console.print()
    return console.export_svg(code_format=_TEMPLATE, unique_id="loopcheck")


def _found(script: Path) -> str:
    """What a terminal with colours shows of a script that is called `train.py`."""
    data = script.read_text(encoding="utf-8").replace("  # bug", "")
    arguments = ["check", "--isolated", "--no-cache", "--no-baseline", "--stdin-filename", "train.py", "-"]
    done = subprocess.run(
        [sys.executable, "-m", "loopcheck", *arguments],
        input=data,
        env={**os.environ, "FORCE_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
