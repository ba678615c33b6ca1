"""OntoNotes `.coref`: SGML over tokens, one sentence per line; traces are not tokens."""

import re
from collections import Counter

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.sgml import (
    IDENTITY,
    Marks,
    TaggedText,
    coreference_tags,
    note_cut_off,
    note_unknown_types,
    pieces,
)
from corefkit.formats.registry import IN_WORDS, Format

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
    documents: list[RawDocument] = []
    name, begin, part = "", 1, ""
    marks, text = Marks(collector), _TaggedWords()
    inside = False

    def finish() -> None:
        marked = marks.finish()
        note_unknown_types(marked, reading, collector)
        words, lengths, mentions = _without_traces(text, marked, reading)
        label = f"({name}); part {part}"
        documents.append(RawDocument(label, mentions, begin, words=words, lengths=lengths))

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
    return building.make_corpus("ontonotes", data, documents, collector)


def _without_traces(
    text: _TaggedWords, marked: list[TaggedText], reading: Reading
) -> tuple[list[str], list[int], list[RawMention]]:
    """The words that are not traces, the lengths of the sentences, and the mentions on these."""
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
    mentions = []
    for mention in marked:
        attributes = mention.opened.attributes
        type = attributes.get("TYPE", "IDENT")
        start, end = before[mention.start], before[mention.end] - 1
        if type in types and start <= end:
            entity = attributes["ID"] if type == "IDENT" else f"{type} {attributes['ID']}"
            mentions.append(RawMention(start, end, entity, mention.opened.line))
    return kept, lengths, mentions


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many mentions of other types, and attributes of those that are read, a file has."""
    del path
    types = reading.listed("types") or IDENTITY
    numbers: Counter[str] = Counter()
    for type, attributes in coreference_tags(data):
        other = attributes.keys() - {"ID", "TYPE"} if type in types else [type]
        numbers.update(sorted(other))
    return dict(numbers)


FORMAT = Format(
    "ontonotes",
    "OntoNotes .coref",
    parse,
    holds=IN_WORDS,
    options=("types",),
    suffixes=(".coref",),
    count_unread=count_unread,
)
