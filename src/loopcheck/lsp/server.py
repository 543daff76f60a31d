"""The server: which documents are open, when they are judged, and who is told of it.

A text is judged when nothing has been typed for a moment, by one thread beside the one that listens; what it comes to is told
only while the text is still the same.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import loopcheck
from loopcheck.config import OWN
from loopcheck.desk import Desk
from loopcheck.finding import Report
from loopcheck.job import crash
from loopcheck.lsp.answers import FIX_ALL, actions, diagnostics, hover
from loopcheck.lsp.texts import Places, Text, opened, path_of
from loopcheck.misuse import Misuse

PAUSE = 0.3
"""Seconds without a change after which a text is judged."""
STACK = 64 * 1024 * 1024
"""Bytes of the judging thread's stack: as much as deep code takes, whatever a system gives threads by default."""
_SETTINGS = (OWN, "pyproject.toml", "loopcheck-baseline.json")


class Server(LanguageServer):
    """Serves one editor."""

    def __init__(self, pause: float = PAUSE) -> None:
        super().__init__("loopcheck", loopcheck.__version__, notebook_document_sync=_NOTEBOOKS)
        self._pause = pause
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self._judged: dict[Path, tuple[Text, Report]] = {}
        self._told: set[str] = set()
        threading.stack_size(STACK)
        self._judge = ThreadPoolExecutor(max_workers=1)

    def changed(self, path: Path) -> None:
        """A text is another one: it is judged when nothing has happened to it for a moment."""
        if waiting := self._waiting.pop(path, None):
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[path] = loop.call_later(self._pause, lambda: loop.create_task(self._work(path)))

    def all_changed(self) -> None:
        """Something that every text may depend on is another one."""
        for path in opened(self.workspace):
            self.changed(path)

    def closed(self, path: Path, uris: list[str]) -> None:
        """A text is open no more: nothing is told of it."""
        if waiting := self._waiting.pop(path, None):
            waiting.cancel()
        self._judged.pop(path, None)
        for uri in uris:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def _work(self, path: Path) -> None:
        """Judge a text that is open, and tell of it if it is still the same."""
        self._waiting.pop(path, None)
        texts = opened(self.workspace)
        text = texts.get(path)
        if text is None:
            return
        desk = Desk({each.path: each.data for each in texts.values()})
        report = await self._beside(lambda: desk.report(path), Report(str(path)))
        if opened(self.workspace).get(path) == text:
            self._judged[path] = text, report
            for uri, found in diagnostics(report, text, self.places(text)).items():
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))

    async def _beside(self, work: Callable[[], Any], otherwise: Any) -> Any:
        """What work comes to in the judging thread. Settings that cannot be used, and errors of ours, are told once each."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._judge, work)
        except Misuse as misuse:
            self._tell(types.MessageType.Warning, f"loopcheck: {misuse}")
        except Exception as error:
            self._tell(types.MessageType.Error, crash(error))
        return otherwise

    def _tell(self, how: types.MessageType, what: str) -> None:
        if what not in self._told:
            self._told.add(what)
            self.window_show_message(types.ShowMessageParams(how, what))

    def places(self, text: Text) -> Places:
        return Places(text, self.workspace.position_codec)

    def text_with(self, uri: str) -> Path:
        """The file of the text that a document is, or is a cell of."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        return path_of(notebook.uri if notebook else uri)

    async def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        known = await self._known(params.text_document.uri)
        if known is None:
            return []
        text, report = known
        desk = Desk({each.path: each.data for each in opened(self.workspace).values()})
        only = [each.value if isinstance(each, types.CodeActionKind) else each for each in params.context.only or ()] or None
        uri = params.text_document.uri
        places = self.places(text)
        found: list[types.CodeAction] = await self._beside(
            lambda: [*actions(report, text, places, desk, uri, params.range, only)], []
        )
        return found

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        known = await self._known(params.text_document.uri)
        if known is None:
            return None
        text, report = known
        return hover(report, text, self.places(text), params.text_document.uri, params.position)

    async def _known(self, uri: str) -> tuple[Text, Report] | None:
        """What is known of the text of a document as it is; None where it is changing."""
        path = self.text_with(uri)
        if path not in self._judged or self._judged[path][0] != opened(self.workspace).get(path):
            await self._work(path)
        judged = self._judged.get(path)
        return judged if judged and judged[0] == opened(self.workspace).get(path) else None


_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [
        types.NotebookDocumentFilterWithCells(
            [types.NotebookCellLanguage("python")], types.NotebookDocumentFilterNotebookType("jupyter-notebook")
        )
    ],
    save=True,
)


def serve(pause: float = PAUSE) -> Server:
    """A server that answers an editor."""
    server = Server(pause)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.changed(server.text_with(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(server.text_with(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.all_changed()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(path_of(params.text_document.uri), [params.text_document.uri])

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_did_open(params: types.DidOpenNotebookDocumentParams) -> None:
        server.changed(path_of(params.notebook_document.uri))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_did_change(params: types.DidChangeNotebookDocumentParams) -> None:
        server.changed(path_of(params.notebook_document.uri))

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_did_save(params: types.DidSaveNotebookDocumentParams) -> None:
        server.all_changed()

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_did_close(params: types.DidCloseNotebookDocumentParams) -> None:
        server.closed(path_of(params.notebook_document.uri), [each.uri for each in params.cell_text_documents])

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: types.DidChangeWatchedFilesParams) -> None:
        server.all_changed()

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        """Ask to be told of settings that change, where the editor can."""
        workspace = server.client_capabilities.workspace
        watched = workspace and workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher(f"**/{name}") for name in _SETTINGS]
            )
            registration = types.Registration("settings", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await server.client_register_capability_async(types.RegistrationParams([registration]))

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix, FIX_ALL]))
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await server.actions(params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: types.HoverParams) -> types.Hover | None:
        return await server.hover(params)

    return server
