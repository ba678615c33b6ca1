"""SGML with <COREF> tags: OntoNotes `.coref` (tokens) and MUC (characters).

It is no XML: other tags may stay unclosed, there is no document type, and only three entities.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from corefkit.data.components import components
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident
from corefkit.data.texts import shorten
from corefkit.data.tokens import ListedTokens, TokenTable, sentence_of
from corefkit.formats import building
from corefkit.formats.building import Document, Mention, Origin
from corefkit.formats.registry import Format, Reading

_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r'([\w-]+)\s*=\s*"([^"]*)"')
_TRACE = re.compile(r"\*\S*\*(?:-\d+)?|\*-\d+|0")
_ESCAPES = {"-LAB-": "<", "-RAB-": ">", "-AMP-": "&"}
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_IDENTITY = ("IDENT",)


@dataclass(frozen=True)
class _Piece:
    """Text, or a tag with its attributes; and its line."""

    line: int
    text: str
    tag: str = ""
    closes: bool = False
    attributes: dict[str, str] = field(default_factory=dict)


def _pieces(data: bytes) -> Iterator[_Piece]:
    text = data.decode("utf-8-sig", "replace")
    line, at = 1, 0
    for match in _TAG.finditer(text):
        if match.start() > at:
            yield _Piece(line, text[at : match.start()])
        line += text.count("\n", at, match.start())
        attributes = {name.upper(): value for name, value in _ATTRIBUTE.findall(match[3])}
        yield _Piece(line, "", match[2].upper(), bool(match[1]), attributes)
        line += match[0].count("\n")
        at = match.end()
    if at < len(text):
        yield _Piece(line, text[at:])


@dataclass
class _Mention:
    """A tag, where it begins and, once it is closed, where it ends; ends are not included."""

    opened: _Piece
    start: int
    end: int = -1


class _Marks:
    """The <COREF> tags of a document; a tag closes the one that was opened last."""

    def __init__(self, found: Collector) -> None:
        self.closed: list[_Mention] = []
        self._open: list[_Mention] = []
        self._found = found

    def see(self, piece: _Piece, at: int) -> None:
        """Open or close a mention; `at` is the place of what comes next."""
        if not piece.closes:
            self._open.append(_Mention(piece, at))
        elif self._open:
            mention = self._open.pop()
            mention.end = at
            if "ID" in mention.opened.attributes:
                self.closed.append(mention)
            else:
                self._found.add(_no_id(self._found.file, mention.opened.line))
        else:
            self._found.add(_broken("tag-unopened", self._found.file, piece.line))

    def finish(self) -> list[_Mention]:
        """The mentions in the order of their tags; tags that are still open are reported."""
        for mention in self._open:
            self._found.add(_broken("tag-unclosed", self._found.file, mention.opened.line))
        self._open.clear()
        return sorted(self.closed, key=lambda mention: (mention.start, -mention.end))


class _Words:
    """The words of a text by line, as pieces of it come in."""

    def __init__(self) -> None:
        self.sentences: list[list[str]] = [[]]
        self.count = 0
        self._inside = False

    def add(self, text: str) -> None:
        for number, line in enumerate(text.split("\n")):
            if number:
                self.sentences.append([])
                self._inside = False
            words = line.split()
            if words and self._inside and not line[0].isspace():
                self.sentences[-1][-1] += words.pop(0)
            self.sentences[-1] += words
            self.count += len(words)
            if line:
                self._inside = not line[-1].isspace()

    def next(self, *, opening: bool) -> int:
        """The word that comes next; a tag that opens inside a word opens before it."""
        return self.count - (opening and self._inside)


def parse_ontonotes(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a `.coref` file, one for each <TEXT>."""
    found = Collector(path)
    documents: list[Document] = []
    words: list[str] = []
    lengths: list[int] = []
    name, begin, part = "", 1, ""
    marks, text = _Marks(found), _Words()
    inside = False

    def finish() -> None:
        kept, sizes, mentions = _without_traces(text, marks.finish(), reading)
        label = f"({name}); part {part}"
        documents.append(Document(label, len(kept), mentions, begin))
        words.extend(kept)
        lengths.extend(sizes)

    for piece in _pieces(data):
        if piece.tag == "DOC" and not piece.closes:
            name = piece.attributes.get("DOCNO", "").partition("@")[0]
        elif piece.tag == "TEXT":
            if inside:
                finish()
            inside = not piece.closes
            begin, part = piece.line, piece.attributes.get("PARTNO", "000")
            marks, text = _Marks(found), _Words()
        elif piece.tag == "COREF":
            marks.see(piece, text.next(opening=not piece.closes))
        elif not piece.tag and inside:
            text.add(piece.text)
    if inside:
        finish()
    table = TokenTable(words, sentence_of(lengths))
    tokens = ListedTokens("ontonotes", lambda _: table)
    return building.several_documents(Origin(path, data, tokens), documents, found)


def _without_traces(
    text: _Words, marked: list[_Mention], reading: Reading
) -> tuple[list[str], list[int], list[Mention]]:
    """The words that are no traces, the lengths of the sentences, and the mentions on them."""
    words = [word for sentence in text.sentences for word in sentence]
    kept, before = [], [0]
    for word in words:
        if not _TRACE.fullmatch(word):
            kept.append(_ESCAPES.get(word, word))
        before.append(len(kept))
    lengths, at = [], 0
    for sentence in text.sentences:
        lengths.append(before[at + len(sentence)] - before[at])
        at += len(sentence)
    types = reading.types or _IDENTITY
    mentions = []
    for mention in marked:
        attributes = mention.opened.attributes
        type = attributes.get("TYPE", "IDENT")
        start, end = before[mention.start], before[mention.end] - 1
        if type in types and start <= end:
            entity = attributes["ID"] if type == "IDENT" else f"{type} {attributes['ID']}"
            mentions.append(Mention(start, end, entity, mention.opened.line))
    return kept, lengths, mentions


def parse_muc(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a MUC file, one for each <DOC>; their text is that between <TXT> tags."""
    found = Collector(path)
    documents: list[Document] = []
    texts: list[str] = []
    reader = _Muc(reading, found)
    for piece in _pieces(data):
        if piece.tag == "DOC":
            if reader.begun:
                documents.append(reader.finish())
                texts.append(reader.text)
            reader = _Muc(reading, found)
            reader.line = piece.line
        else:
            reader.see(piece)
    if reader.begun:
        documents.append(reader.finish())
        texts.append(reader.text)
    tokens = ListedTokens("muc", lambda _: TokenTable(texts=texts))
    return building.several_documents(Origin(path, data, tokens, "character"), documents, found)


class _Muc:
    """One document of a MUC file."""

    def __init__(self, reading: Reading, found: Collector) -> None:
        self.line = 1
        self.begun = False
        self._name: list[str] | None = None
        self._said = ""
        self._pieces: list[str] = []
        self._size = 0
        self._inside = False
        self._types = reading.types or _IDENTITY
        self._found = found
        self._marks = _Marks(found)
        self._within: set[int] = set()

    @property
    def text(self) -> str:
        """The text between the tags."""
        return "".join(self._pieces)

    def see(self, piece: _Piece) -> None:
        if piece.tag in ("TXT", "TEXT"):
            self._inside = not piece.closes
            self.begun = True
        elif piece.tag == "DOCNO":
            if piece.closes and self._name is not None:
                self._said = "".join(self._name).strip()
            self._name = None if piece.closes else []
        elif piece.tag == "COREF":
            self.begun = True
            if self._inside and not piece.closes:
                self._within.add(id(piece))
            self._marks.see(piece, self._size)
        elif not piece.tag:
            plain = piece.text
            for written, meant in _ENTITIES:
                plain = plain.replace(written, meant)
            if self._inside:
                self._pieces.append(plain)
                self._size += len(plain)
            elif self._name is not None:
                self._name.append(plain)

    def finish(self) -> Document:
        """The document; mentions that are not in its text only link others."""
        path = str(self._found.file)
        marked = self._marks.finish()
        first: dict[str, _Mention] = {}
        for mention in marked:
            name = mention.opened.attributes["ID"]
            if name in first:
                line = first[name].opened.line
                self._found.add(building.id_twice(path, mention.opened.line, name, line))
            first.setdefault(name, mention)
        links = []
        for name, mention in first.items():
            attributes = mention.opened.attributes
            other = attributes.get("REF")
            if other is None or attributes.get("TYPE", "IDENT") not in self._types:
                continue
            if other in first:
                links.append((name, other))
            else:
                self._found.add(building.unknown(path, mention.opened.line, f"REF {other}"))
        entity = components(first, links)
        mentions = [
            Mention(m.start, m.end - 1, str(entity[name]), m.opened.line)
            for name, m in first.items()
            if id(m.opened) in self._within and m.end > m.start
        ]
        return Document(self._said or None, self._size, mentions, self.line)


def _broken(kind: str, path: str | None, line: int) -> Incident:
    opened = kind == "tag-unclosed"
    return Incident(
        kind,
        "error",
        "a COREF tag is never closed" if opened else "a COREF tag is closed that is not open",
        file=path,
        line=line,
        expected="a closing tag for every opening tag, in the same text",
        hint="correct the tag",
    )


def _no_id(path: str | None, line: int) -> Incident:
    return Incident(
        "entity-missing",
        "error",
        "a COREF tag has no ID",
        file=path,
        line=line,
        expected=shorten('<COREF ID="1" …>'),
        hint="add the ID",
    )


ONTONOTES = Format(
    name="ontonotes",
    title="OntoNotes .coref",
    parse=parse_ontonotes,
    holds=frozenset({"singletons", "words", "sentences", "names"}),
    suffixes=(".coref",),
)
MUC = Format(
    name="muc",
    title="MUC SGML",
    parse=parse_muc,
    unit="character",
    holds=frozenset({"singletons", "names", "text"}),
    suffixes=(".sgm", ".sgml"),
)
