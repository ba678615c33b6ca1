"""OntoNotes `.coref`: SGML over tokens, one sentence per line; traces are not tokens.

X.coref:
    <DOC DOCNO="bc/x@0001">
    <TEXT PARTNO="000">
    <COREF ID="1" TYPE="IDENT">The mayor</COREF> said *T*-1
    <COREF ID="1" TYPE="IDENT">he</COREF> slept
    </TEXT>
    </DOC>

As in the data of CoNLL-2012 (section 4.4.1 of its paper), mentions inside a token and dropped
pronouns, which are mentions of nothing but traces, are left out and counted. Unlike there, an
entity of which one mention is left is kept.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import count_of
from corefkit.core.tokens import BARE_TRACE, TRACE
from corefkit.formats.format import IN_WORDS, Format, Look
from corefkit.formats.kit.building import reader
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.sgml import (
    IDENTITY,
    Marks,
    TaggedText,
    note_cut_off,
    note_unknown_types,
    pieces,
)
from corefkit.formats.options import TYPES

_INSIDE = frozenset({"S_OFF", "E_OFF"})
"""Attributes with the characters at which a mention begins or ends inside a token."""
_READ = _INSIDE | {"ID", "TYPE"}
_ESCAPES = {"-LAB-": "<", "-RAB-": ">", "-AMP-": "&"}


class _TaggedWords:
    """Collects the words of a text, by line, from pieces of it; tags count its letters."""

    def __init__(self) -> None:
        self.sentences: list[list[str]] = [[]]
        self.letters = 0
        self._inside = False

    def add(self, text: str) -> None:
        for number, line in enumerate(text.split("\n")):
            if number:
                self.sentences.append([])
                self._inside = False
            words = line.split()
            self.letters += sum(map(len, words))
            if words and self._inside and not line[0].isspace():
                self.sentences[-1][-1] += words.pop(0)
            self.sentences[-1] += words
            if line:
                self._inside = not line[-1].isspace()


class _Documents:
    """Makes documents of the texts of a file, and counts the mentions that are left out."""

    def __init__(self, reading: Reading, collector: Collector) -> None:
        self._types = reading.listed("types") or IDENTITY
        self._collector = collector
        self._left_out: dict[str, Counter[str]] = {
            "mention-inside-token": Counter(),
            "dropped-pronoun": Counter(),
        }
        self._kept: Counter[str] = Counter()

    def make(
        self, name: str, begin: int, text: _TaggedWords, marked: Sequence[TaggedText]
    ) -> Draft:
        """The document, without traces, with the mentions of whole words."""
        # A bare * is a trace only in a text of which a mention has nothing else.
        words = [word for sentence in text.sentences for word in sentence]
        number_at = {at: number for number, at in enumerate(accumulate(map(len, words), initial=0))}
        spans = [
            (number_at.get(mention.start, -1), number_at.get(mention.end, -1)) for mention in marked
        ]
        bare = any(words[start:end] == [BARE_TRACE] for start, end in spans if start >= 0)
        traces = [bool(TRACE.fullmatch(word)) or (bare and word == BARE_TRACE) for word in words]
        before = [0, *accumulate(not trace for trace in traces)]
        ends = [0, *accumulate(map(len, text.sentences))]
        draft = Draft(
            name,
            self._collector,
            begin,
            words=[_ESCAPES.get(w, w) for w, trace in zip(words, traces, strict=True) if not trace],
            lengths=[before[end] - before[start] for start, end in pairwise(ends)],
        )
        for mention, (start, end) in zip(marked, spans, strict=True):
            attributes, line = mention.opened.attributes, mention.opened.line
            type = attributes.get("TYPE", "IDENT")
            if type not in self._types:
                draft.unread[type] += 1
                continue
            draft.unread.update(name for name in attributes if name not in _READ)
            entity = attributes["ID"] if type == "IDENT" else f"{type} {attributes['ID']}"
            if min(start, end) < 0 or not _INSIDE.isdisjoint(attributes):
                self._left_out["mention-inside-token"][f"{name} {entity}"] += 1
            elif start < end and before[start] == before[end]:
                self._left_out["dropped-pronoun"][f"{name} {entity}"] += 1
            elif draft.mention(None, [(before[start], before[end])], line, entity=entity):
                self._kept[f"{name} {entity}"] += 1
        return draft

    def note_left_out(self) -> None:
        """Report how many mentions were left out, and how many entities keep only one or none."""
        for kind, entities in self._left_out.items():
            if number := entities.total():
                kept = Counter(self._kept[entity] for entity in entities)
                left = {"one mention": kept[1], "none": kept[0]}
                found = [
                    f"{count_of(n, 'entity', 'entities')} with {what} left"
                    for what, n in left.items()
                    if n
                ]
                shown = ", ".join(found) or None
                self._collector.note(kind, number=number, count=number, found=shown)


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of a `.coref` file, one per <TEXT>."""
    documents = _Documents(reading, collector)
    drafts = []
    name, begin, part = "", 1, ""
    marks, text = Marks(collector), _TaggedWords()
    inside = False

    def finish() -> None:
        marked = marks.finish()
        note_unknown_types(marked, reading, collector)
        drafts.append(documents.make(f"({name}); part {part}", begin, text, marked))

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
            marks.see(piece, text.letters)
        elif not piece.tag and inside:
            text.add(piece.text)
    if inside:
        note_cut_off(collector, begin, "TEXT")
        finish()
    documents.note_left_out()
    return corpus_of("ontonotes", data, drafts, collector)


FORMAT = Format(
    "ontonotes",
    "OntoNotes .coref",
    parse,
    holds=IN_WORDS,
    options=(TYPES,),
    looks=(Look(has=(b"<COREF ID=", b"<TEXT PARTNO=")),),
    suffixes=(".coref",),
)
