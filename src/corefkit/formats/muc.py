"""MUC-6 and MUC-7 SGML: spans of characters in the text between <TXT> tags."""

import re
from bisect import bisect_left
from collections import Counter

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import components
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.sgml import (
    IDENTITY,
    Marks,
    Piece,
    TaggedText,
    coreference_tags,
    note_cut_off,
    note_unknown_types,
    pieces,
)
from corefkit.formats.registry import IN_TEXT, Format

_TRIED = 200
"""How many places of a word, or characters of a mention, are tried when searching for a MIN."""
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a MUC file, one per <DOC>; their text is that between <TXT> tags."""
    collector = Collector(path)
    readers = [_Muc(reading, collector)]
    for piece in pieces(data):
        if piece.tag == "DOC":
            readers.append(_Muc(reading, collector, piece.line))
        else:
            readers[-1].see(piece)
    documents = [reader.finish() for reader in readers if reader.begun]
    return building.make_corpus("muc", data, documents, collector, "character")


class _Muc:
    """One document of a MUC file."""

    def __init__(self, reading: Reading, collector: Collector, line: int = 1) -> None:
        self._line = line
        self.begun = False
        self._name: list[str] | None = None
        self._document_name = ""
        self._pieces: list[str] = []
        self._size = 0
        self._inside = False
        self._reading = reading
        self._types = reading.listed("types") or IDENTITY
        self._drop_optional = reading.get("optional") == "drop"
        self._collector = collector
        self._marks = Marks(collector)
        self._within: set[int] = set()

    def see(self, piece: Piece) -> None:
        if piece.tag in ("TXT", "TEXT"):
            self._inside = not piece.closes
            self._opened = piece
            self.begun = True
        elif piece.tag == "DOCNO":
            if piece.closes and self._name is not None:
                self._document_name = "".join(self._name).strip()
            self._name = None if piece.closes else []
        elif piece.tag == "COREF":
            self.begun = True
            if self._inside and not piece.closes:
                self._within.add(id(piece))
            self._marks.see(piece, self._size)
        elif not piece.tag:
            plain = _decoded(piece.text)
            if self._inside:
                self._pieces.append(plain)
                self._size += len(plain)
            elif self._name is not None:
                self._name.append(plain)

    def finish(self) -> RawDocument:
        """The document; mentions outside of its text only link others."""
        marked = self._marks.finish()
        if self._inside:
            note_cut_off(self._collector, self._opened.line, self._opened.tag)
        # Links may have types that are not coreference, but IDENT in lower case is a mistake.
        idents = [m for m in marked if m.opened.attributes.get("TYPE", "").upper() in IDENTITY]
        note_unknown_types(idents, self._reading, self._collector)
        first: dict[str, TaggedText] = {}
        for mention in marked:
            name = mention.opened.attributes["ID"]
            if name in first:
                line = first[name].opened.line
                building.note_id_twice(self._collector, mention.opened.line, name, line)
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
                building.note_unknown(self._collector, mention.opened.line, f"REF {other}")
        entity = components(first, links)
        text = "".join(self._pieces)
        phrases = _Phrases(text if any("MIN" in m.opened.attributes for m in marked) else "")
        mentions = [
            self._mention(m, str(entity[name]), text, phrases)
            for name, m in first.items()
            if id(m.opened) in self._within and m.end > m.start and not self._is_dropped(m)
        ]
        return RawDocument(self._document_name or None, mentions, self._line, text)

    def _is_dropped(self, mention: TaggedText) -> bool:
        """Whether a mention is optional and left out; it still links others."""
        return self._drop_optional and mention.opened.attributes.get("STATUS") == "OPT"

    def _mention(
        self, marked: TaggedText, entity: str, text: str, phrases: "_Phrases"
    ) -> RawMention:
        line = marked.opened.line
        phrase = _decoded(marked.opened.attributes.get("MIN", ""))
        minimum = None
        if phrase.strip("| "):
            minimum = phrases.find(phrase, marked.start, marked.end)
            if minimum is None:
                expected = f"words of {quote(text[marked.start : marked.end])}"
                self._collector.note(
                    "min-outside", "muc", at=line, found=quote(phrase), expected=expected
                )
        return RawMention(marked.start, marked.end - 1, entity, line, minimum=minimum)


def _decoded(text: str) -> str:
    """The text with its three entities replaced."""
    for written, meant in _ENTITIES:
        text = text.replace(written, meant)
    return text


class _Phrases:
    """Finds phrases in parts of a text by the places of its words, without searching the parts."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: dict[str, list[int]] = {}
        for word in re.finditer(r"\w+", text):
            self._places.setdefault(word[0], []).append(word.start())

    def find(self, phrases: str, start: int, end: int) -> tuple[int, int] | None:
        """The span, both ends included, of the first of the phrases, separated by `|`, that occurs.

        >>> _Phrases("the mayor of Vigo").find("Sr.|mayor", 0, 17)
        (4, 8)
        """
        for phrase in phrases.split("|"):
            if match := self._find(" ".join(phrase.split()), start, end):
                return match.start(), match.end() - 1
        return None

    def _find(self, phrase: str, start: int, end: int) -> "re.Match[str] | None":
        word = re.search(r"\w+", phrase)
        if not phrase:
            return None
        pattern = re.compile(re.escape(phrase).replace(r"\ ", r"\s+") + r"(?!\w)")
        if word is not None and " " not in phrase[: word.start()]:
            places = self._places.get(word[0], [])
            first = bisect_left(places, start + word.start())
            for place in places[first : first + _TRIED]:
                if place >= end:
                    break
                if match := pattern.match(self._text, place - word.start(), end):
                    return match
        return pattern.search(self._text, start, min(end, start + _TRIED))


_READ = frozenset({"ID", "REF", "TYPE", "MIN"})


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many links of other types, and attributes of mentions that are not read, a file has."""
    del path
    types = reading.listed("types") or IDENTITY
    numbers: Counter[str] = Counter()
    for type, attributes in coreference_tags(data):
        numbers.update(sorted(attributes.keys() - _READ))
        numbers.update([type] if type not in types and "REF" in attributes else [])
    return dict(numbers)


FORMAT = Format(
    name="muc",
    title="MUC SGML",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"minimum"},
    options=("types", "optional"),
    suffixes=(".sgm", ".sgml"),
    count_unread=count_unread,
)
