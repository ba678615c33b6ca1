"""Texts of language models taken apart: the words of each document and the marks behind them."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from corefkit.data.incidents import Collector, data_error
from corefkit.data.texts import shorten

_WORD = re.compile(r"[^ \t]+")
_MARK = re.compile(r"(\[?)([^\[\],|\s]+)(\]?)")
_JSON = re.compile(r"\s*(\[\s*[{\]]|\{\s*\")")


class Mark(NamedTuple):
    """What stands behind a word: the id of an entity, and what the mark does."""

    entity: str
    kind: Literal["opens", "closes", "one"]


@dataclass
class MarkedDocument:
    """The words of a document as the text has them, and the marks of some, by their numbers.

    `line` and `columns`, which count from 1, are known in plain text only.
    """

    name: str | None = None
    line: int | None = None
    words: list[str] = field(default_factory=list)
    marks: dict[int, list[Mark]] = field(default_factory=dict)
    columns: list[int] = field(default_factory=list)


class Repairs:
    """Collects what had to be mended, with its place in the text.

    `unclosed` says what becomes of a mark that is open at the end of its sentence: a mention of
    its node, or nothing.
    """

    def __init__(self, path: str, unclosed: Literal["node", "drop"] = "node") -> None:
        self.found = Collector(path)
        self.unclosed = unclosed

    def tell(
        self, kind: str, document: MarkedDocument, word: int = -1, variant: str = "", **values: Any
    ) -> None:
        """A repair at a word of a document, or (−1) in the document as a whole."""
        if self.found.skip(kind):
            return
        at = 0 <= word < len(document.words)
        self.found.note(
            kind,
            variant,
            **values,
            line=document.line,
            column=document.columns[word] if at and document.columns else None,
            document=document.name,
            found=f"word {word + 1:,}: {shorten(document.words[word])}" if at else None,
        )


def take_apart(text: str, repairs: Repairs, path: str) -> list[MarkedDocument]:
    """The documents of a text, plain (2025) or JSON (2026); DataError where it is no such JSON."""
    if _JSON.match(text):
        return _objects(text, repairs, path)
    lines = text.removeprefix("\ufeff").split("\n")
    if not lines[-1].strip():
        lines.pop()
    return [_line(line, number, repairs) for number, line in enumerate(lines, 1)]


def _line(text: str, number: int, repairs: Repairs) -> MarkedDocument:
    document = MarkedDocument(line=number)
    for found in _WORD.finditer(text.rstrip("\r")):
        word, bar, behind = found[0].rpartition("|")
        pieces = behind.split(",") if bar and word else []
        marks = [mark for piece in pieces if (mark := _mark(piece))]
        at = len(document.words)
        document.words.append(word if marks else found[0])
        document.columns.append(found.start() + 1)
        if marks:
            document.marks[at] = marks
            for _ in range(len(pieces) - len(marks)):
                repairs.tell("text-mark-bad", document, at)
    return document


def _mark(text: str) -> Mark | None:
    found = _MARK.fullmatch(text)
    if not found or not (found[1] or found[3]):
        return None
    return Mark(found[2], "one" if found[1] and found[3] else "opens" if found[1] else "closes")


def _objects(text: str, repairs: Repairs, path: str) -> list[MarkedDocument]:
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise data_error("text-unreadable", reason=str(error), file=path) from None
    found = []
    for number, item in enumerate([listed] if isinstance(listed, dict) else listed, 1):
        tokens = item.get("tokens") if isinstance(item, dict) else None
        if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
            raise data_error("text-unreadable", "tokens", number=number, file=path)
        name = item.get("doc_id")
        document = MarkedDocument(None if name is None else str(name), words=tokens)
        clusters = item.get("clusters_token_offsets", [])
        for cluster, spans in enumerate(clusters if isinstance(clusters, list) else []):
            _cluster(document, str(cluster), spans, repairs)
        found.append(document)
    return found


def _cluster(document: MarkedDocument, name: str, spans: Any, repairs: Repairs) -> None:
    """The spans of a cluster as marks; those that cross an earlier one are left out."""
    usable = []
    for span in spans if isinstance(spans, list) else [spans]:
        if _is_span(span, len(document.words)):
            usable.append((span[0], span[1]))
        else:
            repairs.tell("text-mark-bad", document, variant="span", span=shorten(str(span)))
    around: list[int] = []
    for first, last in sorted(usable, key=lambda span: (span[0], -span[1])):
        while around and around[-1] < first:
            around.pop()
        if around and around[-1] < last:
            repairs.tell("text-mentions-cross", document, first)
            continue
        around.append(last)
        if first == last:
            document.marks.setdefault(first, []).append(Mark(name, "one"))
        else:
            document.marks.setdefault(first, []).append(Mark(name, "opens"))
            document.marks.setdefault(last, []).append(Mark(name, "closes"))


def _is_span(span: Any, tokens: int) -> bool:
    return (
        isinstance(span, list)
        and len(span) == 2
        and all(isinstance(end, int) and not isinstance(end, bool) for end in span)
        and 0 <= span[0] <= span[1] < tokens
    )
