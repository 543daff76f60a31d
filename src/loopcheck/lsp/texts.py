"""The texts that an editor has open, by the files that they are of, and where in them something stands."""

from __future__ import annotations

import json
import tokenize
from io import BytesIO
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.workspace import PositionCodec, Workspace

from loopcheck import excerpt
from loopcheck.finding import Span
from loopcheck.structs import dataclass


@dataclass(frozen=True)
class Text:
    """A script, or a notebook's code cells. uris, texts: of the documents that it is made of, one for each cell."""

    path: Path
    uris: tuple[str, ...]
    texts: tuple[str, ...]
    notebook: bool = False

    @property
    def data(self) -> bytes:
        """What a file of it would hold."""
        if not self.notebook:
            return _encoded(self.texts[0])
        return json.dumps({"cells": [{"cell_type": "code", "source": text} for text in self.texts]}).encode()

    def uri(self, span: Span) -> str:
        """The document in which a span of this text lies."""
        return self.uris[max(span.cell - 1, 0)]


def opened(workspace: Workspace) -> dict[Path, Text]:
    """Every Python text that is open."""
    found: dict[Path, Text] = {}
    cells: set[str] = set()
    for uri, notebook in workspace.notebook_documents.items():
        cells |= {cell.document for cell in notebook.cells}
        code = [cell.document for cell in notebook.cells if cell.kind == types.NotebookCellKind.Code]
        texts = tuple(workspace.get_text_document(each).source for each in code)
        found[path_of(uri)] = Text(path_of(uri), tuple(code), texts, notebook=True)
    for uri, document in workspace.text_documents.items():
        if uri not in cells and (document.language_id == "python" or uri.endswith(".py")):
            found[path_of(uri)] = Text(path_of(uri), (uri,), (document.source,))
    return found


def path_of(uri: str) -> Path:
    """The file that a document is of; of one that was never saved, a name."""
    return Path(uris.to_fs_path(uri) or "untitled.py")


class Places:
    """From spans, which count code points from 1, to an editor's ranges."""

    def __init__(self, text: Text, codec: PositionCodec) -> None:
        self._text = text
        self._codec = codec
        self._lines = excerpt.of_text(str(text.path), text.data)

    def range(self, span: Span) -> types.Range:
        """Where a span lies in its document."""
        lines = self._lines(span.path, span.cell)
        return types.Range(self._position(lines, span.row, span.column), self._position(lines, span.end_row, span.end_column))

    def location(self, span: Span) -> types.Location:
        """Where a span lies, in this text or in another file."""
        own = span.path == str(self._text.path)
        uri = self._text.uri(span) if own else uris.from_fs_path(str(Path(span.path).absolute()))
        return types.Location(uri or span.path, self.range(span))

    def _position(self, lines: list[str], row: int, column: int) -> types.Position:
        if row > len(lines):  # after the last line: an edit that ends there takes what is left
            rest = lines[-1].rstrip("\r\n") if lines and lines[-1] == lines[-1].rstrip("\r\n") else None
            return types.Position(len(lines), 0) if rest is None else types.Position(len(lines) - 1, self._units(rest))
        return types.Position(row - 1, self._units(lines[row - 1][: column - 1]))

    def _units(self, text: str) -> int:
        return int(self._codec.client_num_units(text))


def _encoded(text: str) -> bytes:
    """The text as a file would hold it, by the encoding that it says it has."""
    data = text.encode(errors="surrogatepass")
    try:
        return text.encode(tokenize.detect_encoding(BytesIO(data).readline)[0])
    except (SyntaxError, UnicodeEncodeError, LookupError):
        return data
