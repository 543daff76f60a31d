"""Every format: what it carries, and that nothing in a name or in code makes it say more, or less, than was found."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from samples import CLIP, RULES

from loopcheck.finding import Finding, Note, Problem, Repair, Report, Silenced, Span, TextEdit
from loopcheck.rule import Confidence
from loopcheck.show import formats
from loopcheck.show.view import View, identified

FORMATS = formats.names()


def finding(told: str = "the clip limits nothing", path: str = "a.py", fingerprint: str = "f1") -> Finding:
    step, clip, far = Span(path, 10, 5, 10, 21), Span(path, 11, 5, 11, 54), Span("far.py", 4711, 1, 4711, 9)
    return Finding(
        rule=CLIP,
        message=told,
        confidence=Confidence.MEDIUM,
        primary=clip,
        related=(Note(far, f"backward {told}"), Note(step, f"step {told}")),
        repair=Repair("safe", f"move {told}", (TextEdit(Span(path, 10, 1, 10, 1), told), TextEdit(Span(path, 11, 1, 12, 1), ""))),
        because=f"unmistakable {told}",
        witness=(Note(step, "step"), Note(clip, "clip"), Note(far, "backward")),
        fingerprint=fingerprint,
    )


def shown(name: str, *reports: Report, line: str = "") -> str:
    view = View(reports, lambda span: [line] * 5_000, lambda span: span.row, RULES)
    return click.unstyle("".join(f"{piece}\n" for piece in formats.load(name)(view)))


def lines(text: str, pattern: str) -> int:
    """How many lines there are, where each is like that."""
    told = text.splitlines()
    assert [line for line in told if not re.fullmatch(pattern, line)] == []
    return len(told)


def beginning(pattern: str) -> Callable[[str], int]:
    return lambda text: sum(bool(re.match(pattern, line)) for line in text.splitlines())


def of_sarif(text: str) -> int:
    (run,) = json.loads(text)["runs"]
    (invocation,) = run["invocations"]
    return len(run["results"]) + len(invocation["toolExecutionNotifications"])


RECORDS: dict[str, Callable[[str], int]] = {
    "azure": lambda text: lines(text, r"##vso\[task\.logissue (?:\w+=[^;\]]*;)+\].*"),
    "concise": lambda text: lines(text, r".*:\d+:\d+: \w+\[L\w\d+\] .*|Found .*") - 1,
    "full": beginning(r"\w+\[L\w\d+\] "),
    "github": lambda text: lines(text, r"::(?:error|warning|notice) file=[^:,]*(?:,\w+=[^:,]*)*::.*"),
    "gitlab": lambda text: len(json.loads(text)),
    "grouped": beginning(r"  \d+:\d+ "),
    "json": lambda text: len(json.loads(text)),
    "json-lines": lambda text: len([json.loads(line) for line in text.splitlines()]),
    "junit": lambda text: len(ElementTree.fromstring(text).findall(".//testcase/*")),
    "markdown": beginning("- "),
    "pylint": lambda text: lines(text, r".*:\d+: \[L\w\d+\] .*"),
    "rdjson": lambda text: len(json.loads(text)["diagnostics"]),
    "sarif": of_sarif,
    "statistics": lambda text: sum(int(line.split()[0]) for line in text.splitlines()[:-2]),
}
"""How many records a reader of the format finds."""


def test_every_format_can_be_read_back() -> None:
    assert sorted(RECORDS) == FORMATS


NASTY = [
    "\n::error file=x::injected",
    "\r\n##vso[task.logissue type=error;]injected",
    "\x1b[31mred\x1b]8;;http://x\x07",
    "</failure></testcase><testcase name='x'><failure>",
    "]]>&lt;&#10;",
    "\n- injected",
    "`\n# injected <script>",
    "%0A%0D::",
    "](1) [x](2)",
    "a;b]c,d:e",
    "\u2028a.py:1:1: bug[LC101] x\u2029\x85\x0b\x0c",
    "\u202eright to left\ufeff\U000e0041",
    "\ud800\udfff\ufffe",
    "\x00",
    '"\\"\t',
    "a.py:1: [LC101] x",
]
hostile = st.one_of(st.sampled_from(NASTY), st.text(st.characters(), max_size=12), st.lists(st.sampled_from(NASTY)).map("".join))
paths = st.one_of(
    st.sampled_from([text for text in NASTY if "\0" not in text and "\ud800" not in text]), st.binary().map(os.fsdecode)
)


def spoken(text: str) -> list[str]:
    """What in a text is no text: it moves a cursor, hides or turns round what stands there, or cannot be written at all."""
    raw = {"Cc", "Cf", "Cn", "Cs", "Zl", "Zp"}
    return [char for char in text if unicodedata.category(char) in raw and char not in "\n\u200c\u200d"]


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60, deadline=None, database=None)
@given(told=hostile, path=paths, line=hostile)
@example(told="".join(NASTY), path="\r\n::error::x\n- x\n", line="".join(NASTY))
def test_whatever_is_in_it_a_finding_is_one_record(name: str, told: str, path: str, line: str) -> None:
    path = path.replace("\0", "") or "a"
    broken = Report(path, problems=(Problem("syntax", told, Span(path, 1, 1, 1, 1)),))
    text = shown(name, Report(path, (finding(told, path), finding(told, path))), broken, line=line)
    assert RECORDS[name](text) == 3
    assert spoken(text) == []
    text.encode()


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "statistics"])
def test_every_format_carries_all_places_and_why_one_is_sure(name: str) -> None:
    text = shown(name, Report("a.py", (finding(),)), line="x = 1")
    for word in ("LC101", "clip", "step", "backward", "4711", "medium", "unmistakable", "move"):
        assert word in text, word


@pytest.mark.parametrize("name", FORMATS)
def test_where_nothing_is_found_there_is_no_record(name: str) -> None:
    assert RECORDS[name](shown(name, Report("a.py"))) == 0


def test_reviewdog_counts_bytes() -> None:
    here = replace(finding(), primary=Span("a.py", 1, 6, 1, 8), repair=None)
    (told,) = json.loads(shown("rdjson", Report("a.py", (here,)), line="é = 学()"))["diagnostics"]
    assert told["location"]["range"] == {"start": {"line": 1, "column": 9}, "end": {"line": 1, "column": 11}}


def test_a_fingerprint_stands_for_one_finding_wherever_it_moves() -> None:
    found = View([Report("a.py", (finding(), finding())), Report("b.py", (finding(path="b.py"),))], no_lines, no_row).entries
    told = [each for _, each in identified(found)]
    assert len(set(told)) == 3
    moved = [replace(entry, primary=replace(entry.primary, row=99)) for entry in found]
    assert [each for _, each in identified(moved)] == told


def no_lines(span: Span) -> Sequence[str]:
    return []


def no_row(span: Span) -> int:
    return 1


# --- SARIF


def sarif(*reports: Report) -> dict[str, Any]:
    (run,) = json.loads(shown("sarif", *reports))["runs"]
    return run  # type: ignore[no-any-return]


def results(*reports: Report) -> list[dict[str, Any]]:
    return sarif(*reports)["results"]  # type: ignore[no-any-return]


def test_sarif_names_the_tool_and_its_rules() -> None:
    log = json.loads(shown("sarif", Report("a.py", (finding(),))))
    assert (log["version"], log["$schema"].rpartition("/")[2]) == ("2.1.0", "sarif-2.1.0.json")
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert {rule["id"] for rule in driver["rules"]} == {rule.code for rule in RULES}
    for rule in driver["rules"]:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")


def test_sarif_tells_where_and_in_what_order() -> None:
    (result,) = results(Report("a.py", (finding(),)))
    assert result["ruleId"] == "LC101"
    assert result["level"] == "error"
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 11, "startColumn": 5, "endLine": 11, "endColumn": 54},
            }
        }
    ]
    for place in result["relatedLocations"]:
        assert f"[{place['message']['text']}]({place['id']})" in result["message"]["text"]
    (flow,) = result["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    assert [(step["executionOrder"], step["location"]["message"]["text"]) for step in steps] == [
        (1, "step"),
        (2, "clip"),
        (3, "backward"),
    ]


def test_sarif_tells_how_to_mend_it() -> None:
    (result,) = results(Report("a.py", (finding(),)))
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 10, "startColumn": 1, "endLine": 10, "endColumn": 1},
            "insertedContent": {"text": "the clip limits nothing"},
        },
        {"deletedRegion": {"startLine": 11, "startColumn": 1, "endLine": 12, "endColumn": 1}, "insertedContent": {"text": ""}},
    ]


def test_sarif_tells_what_is_silenced_and_why() -> None:
    by = Span("a.py", 11, 60, 11, 99)
    report = Report("a.py", (finding(),), silenced=(Silenced(finding("x"), "a lecture", by), Silenced(finding("y"), "known")))
    kinds = [result["suppressions"] for result in results(report)]
    assert kinds[0] == []
    assert kinds[1][0]["kind"] == "inSource"
    assert kinds[1][0]["justification"] == "a lecture"
    assert kinds[2] == [{"kind": "external", "status": "accepted", "justification": "known"}]


def test_sarif_says_what_could_not_be_analysed() -> None:
    run = sarif(Report("a.py", problems=(Problem("syntax", "never closed", Span("a.py", 3, 7, 3, 7)),)))
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "never closed"


def test_sarif_quotes_names_of_files() -> None:
    (result,) = results(Report("a b%/ü.py", (finding(path="a b%/ü.py"),)))
    assert '"a%20b%25/%C3%BC.py"' in json.dumps(result["locations"])
