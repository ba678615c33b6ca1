"""SGML with <COREF> tags, the format of OntoNotes and MUC: texts and tags, and how tags pair.

It is not XML: other tags may stay unclosed, there is no document type, and only three entities.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corefkit.core.carriers import frozen
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote

_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r'(?<![\w-])([\w-]+)\s{0,99}=\s{0,99}"([^"]*)"')
"""It begins at the beginning of a word, and blanks are bounded, so no tag takes quadratic time."""
IDENTITY = ("IDENT",)
"""The types of links that are coreference, unless others are chosen."""
_KNOWN = (*IDENTITY, "APPOS")
_CLOSED = "a closing tag for every opening tag, in the same text"


@frozen
class Piece:
    """Text, or a tag with its attributes; and its line."""

    line: int
    text: str
    tag: str = ""
    closes: bool = False
    attributes: dict[str, str] = field(default_factory=dict)


def pieces(data: bytes) -> Iterator[Piece]:
    """The texts and tags of a file, in order."""
    text = data.decode("utf-8-sig", "replace")
    line, at = 1, 0
    for match in _TAG.finditer(text):
        if match.start() > at:
            yield Piece(line, text[at : match.start()])
        line += text.count("\n", at, match.start())
        attributes = {name.upper(): value for name, value in _ATTRIBUTE.findall(match[3])}
        yield Piece(line, "", match[2].upper(), bool(match[1]), attributes)
        line += match[0].count("\n")
        at = match.end()
    if at < len(text):
        yield Piece(line, text[at:])


def note_cut_off(collector: Collector, line: int, tag: str) -> None:
    """Report a text that is still open at the end of the file."""
    collector.note("tag-unclosed", "text", at=line, tag=tag, expected=f"</{tag}>")


@dataclass
class TaggedText:
    """A tagged text: its opening tag, its start and, once it is closed, its end (excluded)."""

    opened: Piece
    start: int
    end: int = -1


class Marks:
    """Pairs the <COREF> tags of a document; a closing tag closes the one opened last."""

    def __init__(self, collector: Collector) -> None:
        self.closed: list[TaggedText] = []
        self._open: list[TaggedText] = []
        self._collector = collector

    def see(self, piece: Piece, at: int) -> None:
        """Open or close a mention; `at` is the place of what follows the tag."""
        if not piece.closes:
            self._open.append(TaggedText(piece, at))
        elif self._open:
            mention = self._open.pop()
            mention.end = at
            if "ID" in mention.opened.attributes:
                self.closed.append(mention)
            else:
                line, expected = mention.opened.line, '<COREF ID="1" …>'
                self._collector.note("entity-missing", "coref", at=line, expected=expected)
        else:
            self._collector.note("tag-unopened", "coref", at=piece.line, expected=_CLOSED)

    def finish(self) -> list[TaggedText]:
        """The mentions in the order of their tags; tags that are still open are reported."""
        for mention in self._open:
            line = mention.opened.line
            self._collector.note("tag-unclosed", "coref", at=line, expected=_CLOSED)
        self._open.clear()
        return sorted(self.closed, key=lambda mention: (mention.start, -mention.end))


def note_unknown_types(
    marked: Sequence[TaggedText], reading: Reading, collector: Collector
) -> None:
    """Report tags with an unknown TYPE; case matters."""
    for mention in marked:
        type = mention.opened.attributes.get("TYPE", "IDENT")
        if type not in _KNOWN and type not in reading.listed("types"):
            expected = " or ".join(dict.fromkeys((*_KNOWN, *reading.listed("types"))))
            line = mention.opened.line
            collector.note("type-unknown", at=line, type=quote(type), expected=expected)
