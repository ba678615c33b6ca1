"""MUC-6 and MUC-7 SGML: spans of characters in the text between <TXT> tags.

X.sgm:
    <DOC><DOCNO> x </DOCNO><TXT>
    <COREF ID="1" MIN="mayor">the mayor</COREF> said <COREF ID="2" REF="1" TYPE="IDENT">he</COREF>
    slept.</TXT></DOC>

It was never tried on a file of a corpus (see `formats.archive`).
"""

import re

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.format import IN_TEXT, Format, Look
from corefkit.formats.kit.building import reader
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.sgml import (
    IDENTITY,
    Marks,
    Piece,
    TaggedText,
    note_cut_off,
    note_unknown_types,
    pieces,
)
from corefkit.formats.options import TYPES, ReadOption

OPTIONAL = ReadOption(
    "optional",
    "whether to read mentions with STATUS=OPT.  [default: keep]",
    "drop",
    values=("keep", "drop"),
    formats="MUC",
)

_READ = frozenset({"ID", "REF", "TYPE", "MIN"})
_LONGEST = 5000
"""How many characters of a mention are searched for its MIN."""
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of a MUC file, one per <DOC>; their text is that between <TXT> tags."""
    readers = [_Muc(reading, collector)]
    for piece in pieces(data):
        if piece.tag == "DOC":
            readers.append(_Muc(reading, collector, piece.line))
        else:
            readers[-1].see(piece)
    drafts = [reader.finish() for reader in readers if reader.begun]
    return corpus_of("muc", data, drafts, collector, "character")


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

    def finish(self) -> Draft:
        """The document; mentions outside of its text only link others."""
        marked = self._marks.finish()
        if self._inside:
            note_cut_off(self._collector, self._opened.line, self._opened.tag)
        # Links may have types that are not coreference, but IDENT in lower case is a mistake.
        idents = [m for m in marked if m.opened.attributes.get("TYPE", "").upper() in IDENTITY]
        note_unknown_types(idents, self._reading, self._collector)
        text = "".join(self._pieces)
        draft = Draft(self._document_name or None, self._collector, self._line, text=text)
        draft.reference = "REF "
        for mention in marked:
            attributes, line = mention.opened.attributes, mention.opened.line
            draft.unread.update(name for name in attributes if name not in _READ)
            optional = attributes.get("STATUS") == "OPT" and self._drop_optional
            if optional or id(mention.opened) not in self._within or mention.end == mention.start:
                draft.declare(attributes["ID"], line)
            else:
                run, minimum = (mention.start, mention.end), self._minimum(mention, text)
                draft.mention(attributes["ID"], [run], line, minimum=minimum)
        for mention in marked:
            attributes, line = mention.opened.attributes, mention.opened.line
            type = attributes.get("TYPE", "IDENT")
            if "REF" in attributes and type not in self._types:
                draft.unread[type] += 1
            elif "REF" in attributes:
                draft.link([attributes["ID"], attributes["REF"]], line)
        return draft

    def _minimum(self, mention: TaggedText, text: str) -> Run | None:
        """The characters of the first phrase of MIN that is in a mention."""
        phrases = _decoded(mention.opened.attributes.get("MIN", ""))
        if not phrases.strip("| "):
            return None
        span = find_phrase(text, phrases, mention.start, mention.end)
        if span is None:
            expected = f"words of {quote(text[mention.start : mention.end])}"
            line, found = mention.opened.line, quote(phrases)
            self._collector.note("min-outside", "muc", at=line, found=found, expected=expected)
        return span


def _decoded(text: str) -> str:
    """The text with its three entities replaced."""
    for written, meant in _ENTITIES:
        text = text.replace(written, meant)
    return text


def find_phrase(text: str, phrases: str, start: int, end: int) -> Run | None:
    """The span, its end excluded, of the first of the phrases, separated by `|`, that occurs there.

    Whole words go before ends of words.

    >>> find_phrase("the mayor of Vigo", "Sr.|mayor", 0, 17)
    (4, 9)
    """
    for phrase in phrases.split("|"):
        pattern = r"\s+".join(map(re.escape, phrase.split()))
        for before in (r"(?<!\w)", "") if pattern else ():
            found = re.compile(f"{before}{pattern}(?!\\w)")
            if match := found.search(text, start, min(end, start + _LONGEST)):
                return match.span()
    return None


FORMAT = Format(
    name="muc",
    title="MUC SGML",
    parse=parse,
    unit="character",
    holds=IN_TEXT | {"minimum"},
    options=(TYPES, OPTIONAL),
    looks=(Look(has=(b"<COREF ID=",)),),
    suffixes=(".sgm", ".sgml"),
    untried=True,
)
