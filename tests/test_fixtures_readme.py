"""The table of the fixtures says what the fixtures say."""

import re
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "fixtures"


def marks(*files: Path) -> list[str]:
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    marked = re.findall(r"# bug: (.+)$", text, re.MULTILINE)
    return [name for line in marked for name in line.split(", ")]


def test_table_lists_every_program_with_its_bugs() -> None:
    rows = re.findall(r"^\| \[\w+\]\((\w+\.py)\) \| .+ \| (.*) \|$", (FIXTURES / "README.md").read_text(), re.MULTILINE)
    table = {name: bugs.split(", ") if bugs else [] for name, bugs in rows}
    assert table == {program.name: marks(program) for program in FIXTURES.glob("*.py")}


def test_table_lists_every_project_with_its_bugs() -> None:
    rows = re.findall(r"^\| \[\w+\]\(projects/(\w+)\) \| .+ \| (.*) \|$", (FIXTURES / "README.md").read_text(), re.MULTILINE)
    table = {name: bugs.split(", ") if bugs else [] for name, bugs in rows}
    projects = [train.parent for train in FIXTURES.glob("projects/*/train.py")]
    assert table == {project.name: marks(*sorted(project.rglob("*.py"))) for project in projects}
