"""The language server, asked by a client over pipes as an editor asks it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from lsprotocol import types
from pygls import uris
from pygls.lsp.client import LanguageClient
from samples import BAD, CLIP_ROW, GOOD, PLAIN, STEP_ROW

WAIT = 20


class Editor(LanguageClient):
    """An editor with one server. told: diagnostics by document, in the order in which they came."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.told: list[tuple[str, list[types.Diagnostic]]] = []
        self.messages: list[str] = []
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._hear(params))
        self.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))
        self.registered: list[str] = []
        self.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda params: self._register(params))

    def _hear(self, params: types.PublishDiagnosticsParams) -> None:
        self.told.append((params.uri, list(params.diagnostics)))

    def _register(self, params: types.RegistrationParams) -> None:
        self.registered += [each.method for each in params.registrations]

    def open(self, file: Path, text: str) -> str:
        uri = uris.from_fs_path(str(file)) or ""
        self.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, text)))
        return uri

    def write(self, uri: str, text: str, version: int = 2) -> None:
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version, uri), [change])
        )

    async def diagnostics(self, uri: str, heard: int = 1) -> list[types.Diagnostic]:
        """The last that was told of a document, when something has been told so many times."""
        await self.until(lambda: len(self.of(uri)) >= heard)
        return self.of(uri)[-1]

    def of(self, uri: str) -> list[list[types.Diagnostic]]:
        return [found for where, found in self.told if where == uri]

    async def until(self, met: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT
        while not met():
            assert time.monotonic() < end, self.told
            await asyncio.sleep(0.02)

    async def actions(self, uri: str, row: int, *only: str) -> list[types.CodeAction]:
        at = types.Range(types.Position(row - 1, 0), types.Position(row - 1, 99))
        context = types.CodeActionContext([], [types.CodeActionKind(each) for each in only] or None)
        found = await self.text_document_code_action_async(types.CodeActionParams(types.TextDocumentIdentifier(uri), at, context))
        return [each for each in found or [] if isinstance(each, types.CodeAction)]


Story: TypeAlias = Callable[[Editor], Awaitable[None]]
Play: TypeAlias = Callable[[Story], None]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Live through a story with an editor whose server has been started in an empty folder."""

    async def live(story: Story) -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "loopcheck", "server", cwd=tmp_path)
        watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        capabilities = types.ClientCapabilities(types.WorkspaceClientCapabilities(did_change_watched_files=watched))
        await editor.initialize_async(types.InitializeParams(capabilities, root_uri=uris.from_fs_path(str(tmp_path))))
        editor.initialized(types.InitializedParams())
        try:
            await story(editor)
        finally:
            await editor.shutdown_async(None)
            editor.exit(None)
            await editor.stop()  # type: ignore[no-untyped-call]

    (tmp_path / "loopcheck.toml").write_text("")
    return lambda story: asyncio.run(asyncio.wait_for(live(story), 3 * WAIT))


def changed(text: str, uri: str, action: types.CodeAction) -> str:
    """A text of ASCII after an action."""
    assert action.edit
    assert action.edit.changes
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:row])) for row in range(len(lines) + 1)]
    for edit in sorted(action.edit.changes[uri], key=lambda edit: edit.range.start, reverse=True):
        start, end = (starts[at.line] + at.character for at in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def test_what_is_found_is_told_with_every_place(play: Play, tmp_path: Path) -> None:
    """Columns are counted as the editor counts them: a sign beyond the first plane is two."""

    async def story(editor: Editor) -> None:
        text = BAD.replace("    nn.utils", '    "\U0001f525"; nn.utils')
        uri = editor.open(tmp_path / "train.py", text)
        (found,) = await editor.diagnostics(uri)
        assert (found.code, found.source, found.severity) == (
            "LC101 clip-after-step",
            "loopcheck",
            types.DiagnosticSeverity.Error,
        )
        assert "limits gradients that `optimizer.step()` has already applied" in found.message
        assert "confidence: high, for" in found.message
        assert (found.range.start.line, found.range.start.character) == (CLIP_ROW - 1, 10)
        places = {(each.message, each.location.range.start.line) for each in found.related_information or ()}
        assert ("step", STEP_ROW - 1) in places
        assert {each.location.uri for each in found.related_information or ()} == {uri}
        editor.write(uri, GOOD)
        assert await editor.diagnostics(uri, 2) == []
        assert "workspace/didChangeWatchedFiles" in editor.registered

    play(story)


def test_typing_is_waited_for(play: Play, tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        uri = editor.open(tmp_path / "train.py", BAD)
        for version in range(2, 30):
            editor.write(uri, BAD + "#" * version, version)
            await asyncio.sleep(0.01)
        await editor.diagnostics(uri)
        await asyncio.sleep(1)
        assert len(editor.of(uri)) == 1

    play(story)


def test_safe_fixes_come_first_and_unsafe_ones_say_so(play: Play, tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        uri = editor.open(tmp_path / "train.py", BAD)
        await editor.diagnostics(uri)
        fix, ignore = await editor.actions(uri, CLIP_ROW)
        assert (fix.is_preferred, fix.kind, changed(BAD, uri, fix)) == (True, types.CodeActionKind.QuickFix, GOOD)
        silent = changed(BAD, uri, ignore)
        editor.write(uri, silent)
        finding, remark = sorted(await editor.diagnostics(uri, 2), key=lambda each: str(each.code))
        assert (finding.code, remark.code) == ("LC001 invalid-suppression", "LC101 clip-after-step")
        editor.write(uri, silent.replace("<why it is right here>", "shown in a lecture"), 3)
        assert await editor.diagnostics(uri, 3) == []
        decayed = BAD.replace("SGD(model.parameters(), lr=0.1)", "AdamW(model.parameters(), lr=0.1, weight_decay=0.1)")
        editor.write(uri, decayed.replace("nn.Linear(2, 2)", "nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))"), 4)
        await editor.diagnostics(uri, 4)
        unsafe, _ = await editor.actions(uri, 5)
        assert unsafe.title.endswith("(changes the result of training)")
        assert not unsafe.is_preferred
        assert await editor.actions(uri, 1) == []

    play(story)


def test_all_safe_fixes_at_once(play: Play, tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        uri = editor.open(tmp_path / "train.py", BAD)
        await editor.diagnostics(uri)
        (every,) = await editor.actions(uri, 1, "source.fixAll")
        assert (every.kind, changed(BAD, uri, every)) == ("source.fixAll.loopcheck", GOOD)

    play(story)


def test_an_unused_comment_can_be_removed(play: Play, tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        text = GOOD.replace("import torch\n", "import torch  # loopcheck: ignore[clip-after-step] -- it was right\n", 1)
        uri = editor.open(tmp_path / "train.py", text)
        (found,) = await editor.diagnostics(uri)
        assert (list(found.tags or ()), found.code) == ([types.DiagnosticTag.Unnecessary], "LC002 unused-suppression")
        (remove,) = await editor.actions(uri, 1)
        assert changed(text, uri, remove) == GOOD

    play(story)


def test_hovering_shows_the_page(play: Play, tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        uri = editor.open(tmp_path / "train.py", BAD + "# loopcheck: ignore[missing-no-grad] -- no\n")

        async def page(row: int, column: int) -> str:
            at = types.Position(row - 1, column)
            told = await editor.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), at))
            return told.contents.value if told and isinstance(told.contents, types.MarkupContent) else ""

        page_of_finding = await page(CLIP_ROW, 8)
        assert page_of_finding.startswith("# clip-after-step\n")
        assert "| quantity | bad: theory | measured |" in page_of_finding
        assert (await page(CLIP_ROW + 1, 30)).startswith("# missing-no-grad\n")
        assert await page(1, 0) == ""

    play(story)


def test_other_open_texts_count_as_they_are(play: Play, tmp_path: Path) -> None:
    """The bug is in two files, neither of which has been saved."""
    helper, train = tmp_path / "helper.py", tmp_path / "train.py"
    for file in (helper, train):
        file.write_text(PLAIN)
    call = BAD.replace("import torch\n", "import torch\nfrom helper import limit\n", 1).replace(
        "nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "limit(model)"
    )

    async def story(editor: Editor) -> None:
        uri = editor.open(train, call)
        assert await editor.diagnostics(uri) == []
        other = editor.open(helper, PLAIN)
        await editor.diagnostics(other)
        editor.write(other, "from torch import nn\n\ndef limit(model):\n    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n")
        editor.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(other)))
        await editor.until(lambda: bool(editor.of(uri)[-1]))
        (found,) = editor.of(uri)[-1]
        assert found.code == "LC101 clip-after-step"
        assert "the defect is in" in found.message

    play(story)


def test_settings_hold_and_are_told_where_they_cannot_be_used(play: Play, tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        uri = editor.open(tmp_path / "train.py", BAD)
        assert len(await editor.diagnostics(uri)) == 1
        settings = tmp_path / "loopcheck.toml"
        event = types.FileEvent(uris.from_fs_path(str(settings)) or "", types.FileChangeType.Changed)
        settings.write_text('ignore = ["LC1"]\n')
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        assert await editor.diagnostics(uri, 2) == []
        settings.write_text("ignore = 1\n")
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        assert await editor.diagnostics(uri, 3) == []
        await editor.until(lambda: bool(editor.messages))
        assert "`ignore` must be a list of strings, not 1" in editor.messages[0]
        (tmp_path / "train.py").write_text(BAD)
        settings.write_text('exclude = ["train.py"]\n')
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        assert await editor.diagnostics(uri, 4) == []

    play(story)


def test_what_is_closed_is_told_nothing_of(play: Play, tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        uri = editor.open(tmp_path / "train.py", BAD)
        assert len(await editor.diagnostics(uri)) == 1
        editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        assert await editor.diagnostics(uri, 2) == []

    play(story)


def test_cells_of_a_notebook_are_one_program(play: Play, tmp_path: Path) -> None:
    lines = BAD.splitlines(keepends=True)
    texts = ["".join(lines[:5]), "# Training", "".join(lines[5:])]
    kinds = [types.NotebookCellKind.Code, types.NotebookCellKind.Markup, types.NotebookCellKind.Code]
    names = [f"vscode-notebook-cell:/train.ipynb#{number}" for number in range(3)]

    async def story(editor: Editor) -> None:
        uri = uris.from_fs_path(str(tmp_path / "train.ipynb")) or ""
        cells = [types.NotebookCell(kind, name) for kind, name in zip(kinds, names, strict=True)]
        documents = [types.TextDocumentItem(name, "python", 1, text) for name, text in zip(names, texts, strict=True)]
        editor.notebook_document_did_open(
            types.DidOpenNotebookDocumentParams(types.NotebookDocument(uri, "jupyter-notebook", 1, cells), documents)
        )
        (found,) = await editor.diagnostics(names[2])
        assert (found.range.start.line, await editor.diagnostics(names[0])) == (CLIP_ROW - 6, [])
        fix, _ = await editor.actions(names[2], CLIP_ROW - 5)
        assert texts[0] + changed(texts[2], names[2], fix) == GOOD

    play(story)


def test_without_pygls_the_server_says_what_is_missing(tmp_path: Path) -> None:
    program: list[Any] = [sys.executable, "-c"]
    program.append("import sys; sys.modules['pygls'] = None; from loopcheck.cli import main; main()")
    process = subprocess.run([*program, "server"], cwd=tmp_path, capture_output=True, text=True, check=False, env=os.environ)
    assert (process.returncode, process.stderr) == (2, "Error: an editor is served with pygls: pip install 'loopcheck[lsp]'\n")
