"""OntoNotes `.coref`: SGML over tokens, one sentence per line; traces are not tokens.

<DOC DOCNO="bc/x@0001">
<TEXT PARTNO="000">
<COREF ID="1" TYPE="IDENT">The mayor</COREF> said <COREF ID="1" TYPE="IDENT">he</COREF> slept .
</TEXT>
</DOC>
"""

import re

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import IN_WORDS, Format, Look
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.sgml import (
    IDENTITY,
    Marks,
    TaggedText,
    note_cut_off,
    note_unknown_types,
    pieces,
)

_TRACE = re.compile(r"\*\S*\*(?:-\d+)?|\*-\d+|0")
_ESCAPES = {"-LAB-": "<", "-RAB-": ">", "-AMP-": "&"}


class _TaggedWords:
    """Collects the words of a text, by line, from pieces of it."""

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
        """The number of the next word; a tag that opens inside a word counts as before it."""
        return self.count - (opening and self._inside)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a `.coref` file, one per <TEXT>."""
    collector = Collector(path)
    drafts = []
    name, begin, part = "", 1, ""
    marks, text = Marks(collector), _TaggedWords()
    inside = False

    def finish() -> None:
        marked = marks.finish()
        note_unknown_types(marked, reading, collector)
        drafts.append(_draft(f"({name}); part {part}", begin, text, marked, reading, collector))

    for piece in pieces(data):
        if piece.tag == "DOC" and not piece.closes:
            name = piece.attributes.get("DOCNO", "").partition("@")[0]
        elif piece.tag == "TEXT":
            if inside:
                finish()
            inside = not piece.closes
            begin, part = piece.line, piece.attributes.get("PARTNO", "000")
            marks, text = Marks(collector), _TaggedWords()
        elif piece.tag == "COREF":
            marks.see(piece, text.next(opening=not piece.closes))
        elif not piece.tag and inside:
            text.add(piece.text)
    if inside:
        note_cut_off(collector, begin, "TEXT")
        finish()
    return corpus_of("ontonotes", data, drafts, collector)


def _draft(  # noqa: PLR0913, PLR0917 (what a document has)
    name: str,
    begin: int,
    text: _TaggedWords,
    marked: list[TaggedText],
    reading: Reading,
    collector: Collector,
) -> Draft:
    """The document, without traces and without mentions of nothing but traces."""
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
    types = reading.listed("types") or IDENTITY
    draft = Draft(name, collector, begin, words=kept, lengths=lengths)
    for mention in marked:
        attributes, line = mention.opened.attributes, mention.opened.line
        type = attributes.get("TYPE", "IDENT")
        if type not in types:
            draft.unread[type] += 1
            continue
        draft.unread.update(attributes.keys() - {"ID", "TYPE"})
        start, end = before[mention.start], before[mention.end]
        if start < end:
            entity = attributes["ID"] if type == "IDENT" else f"{type} {attributes['ID']}"
            draft.mention(None, [(start, end)], line, entity=entity)
    return draft


FORMAT = Format(
    "ontonotes",
    "OntoNotes .coref",
    parse,
    holds=IN_WORDS,
    options=("types",),
    looks=(Look(has=(b"<COREF ID=", b"<TEXT PARTNO=")),),
    suffixes=(".coref",),
)
