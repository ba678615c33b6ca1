"""i2b2 / n2c2 2011: `.chains` files, one chain per line, beside texts and `.con` files of concepts.

A place is `line:token` of the first and the last token; lines count from 1, tokens from 0 between
blanks. A concept in no chain is an entity of its own.
"""

import re
from itertools import accumulate
from typing import NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.texts import quote, shorten
from corefkit.formats._kit import building, files
from corefkit.formats._kit.building import RawDocument, RawMention, lines_of
from corefkit.formats.registry import IN_WORDS, Format

_PIECES = re.compile(r'\|\|(?=[ct]=")')
"""Between the pieces of a line: a quoted text may hold bars, too."""
_CONCEPT = re.compile(r'c="(.*)" (\d{1,18}):(\d{1,18}) (\d{1,18}):(\d{1,18})\s*')
_TYPE = re.compile(r't="(.*)"\s*')
_COREF = re.compile(r"coref\s+(\S.*)")
_CHAINS, _CONCEPTS = ".chains", ".con"


class _Concept(NamedTuple):
    """A concept: its text, the numbers of its first and last token, and its line in the file."""

    text: str
    start: int
    end: int
    line: int


class _TokenLines:
    """The tokens of a text, with the line and the place of each."""

    def __init__(self, text: str) -> None:
        self._lines = [line.split() for line in text.split("\n")]
        self.words = [word for line in self._lines for word in line]
        self.lengths = [len(line) for line in self._lines if line]
        self._first = [0, *accumulate(map(len, self._lines))]
        self.known: dict[str, _Concept] = {}

    def says(self, start: int, end: int, text: str) -> bool:
        """Whether tokens say a text, blanks and case aside."""
        own = self.words[start : end + 1]
        if text.lower() == " ".join(own).lower():  # as nearly all do
            return True
        return "".join(text.split()).casefold() == "".join(own).casefold()

    def token(self, line: int, place: int) -> int | None:
        """The number of a token; None where there is none."""
        there = 1 <= line <= len(self._lines) and place < len(self._lines[line - 1])
        return self._first[line - 1] + place if there else None


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.chains` file."""
    found = Collector(path)
    raw = _beside(path, "", "docs", reading.text)
    if raw is None:
        name = building.stem(path, _CHAINS)
        found.note("text-missing", expected=f"{name} beside it, in ../docs or in --text FOLDER")
        return building.nothing(found)
    tokens = _TokenLines(raw.decode("utf-8-sig", "replace"))
    lines = [(number, line) for number, line in enumerate(lines_of(data), 1) if line.strip()]
    if lines and not any(_is_chain(line) for _, line in lines) and _is_concepts(lines):
        found.note("clusters-missing", "concepts", expected=f"the file {_CHAINS} of the document")
        return building.nothing(found)
    mentions: dict[tuple[str, int, int], tuple[RawMention, str]] = {}
    for line, text in lines:
        type, concepts = _chain(text, line, tokens, found)
        for concept in concepts:
            _add(mentions, concept, str(line), type, found)
    listed = _beside(path, _CONCEPTS, "concepts", reading.concepts)
    if listed is not None:
        _add_alone(mentions, listed, tokens, found)
    document = RawDocument(
        building.stem(path, _CHAINS, ".txt"),
        [mention for mention, _ in mentions.values()],
        words=tokens.words,
        lengths=tokens.lengths,
        labels={"type": [type for _, type in mentions.values()]},
    )
    return building.make_corpus("i2b2", data, [document], found)


def _beside(path: str, ending: str, folder: str, given: str | None) -> bytes | None:
    """The text or the concepts of a file of chains: beside it, in ../FOLDER, or where users say."""
    name = building.stem(path, _CHAINS) + ending
    above, slash, _ = path.replace("\\", "/").rpartition("/")
    here = f"{above}{slash}" or "./"
    for place in [f"{given}/"] if given else [here, f"{here}../{folder}/"]:
        _, data = files.companion(f"{place}{name}", "", "")
        if data is not None:
            return data
    return None


def _is_chain(line: str) -> bool:
    return bool(_COREF.fullmatch(_type(line) or ""))


def _is_concepts(lines: list[tuple[int, str]]) -> bool:
    """Whether the lines are those of a file of concepts: each one concept with a type."""
    return all(len(_PIECES.split(line)) == 2 and _type(line) for _, line in lines)


def _type(line: str) -> str | None:
    """What a line says of the type, in its last piece."""
    type = _TYPE.fullmatch(_PIECES.split(line)[-1])
    return type[1] if type else None


def _chain(
    text: str, line: int, tokens: _TokenLines, found: Collector
) -> tuple[str, list[_Concept]]:
    """The type of a chain, and its concepts."""
    *pieces, last = _PIECES.split(text)
    coref = _COREF.fullmatch(_type(text) or "")
    if coref is None:
        expected = 't="coref person" at its end, or another type'
        found.note("chain-bad", at=line, found=quote(last), expected=expected)
        return "", []
    concepts = [_concept(piece, line, tokens, found) for piece in pieces]
    return coref[1], [concept for concept in concepts if concept is not None]


def _concept(text: str, line: int, tokens: _TokenLines, found: Collector) -> _Concept | None:
    """A concept; None, and an incident, where it has no place in the text."""
    if (same := tokens.known.get(text)) is not None:  # in a chain, and in the list of concepts
        return _Concept(same.text, same.start, same.end, line)
    match = _CONCEPT.fullmatch(text)
    if match is None:
        expected = 'c="its text" 12:0 12:1, line and token of both ends'
        found.note("concept-bad", at=line, found=quote(text), expected=expected)
        return None
    said, *numbers = match.groups()
    first, place, last, behind = map(int, numbers)
    start, end = tokens.token(first, place), tokens.token(last, behind)
    if start is None or end is None:
        shown = f"{first}:{place} {last}:{behind}"
        building.note_outside(found, line, shown, len(tokens.words))
        return None
    if end < start:
        shown = f"{first}:{place} {last}:{behind}"
        found.note("span-empty", "text", at=line, found=shown, expected="the first token first")
        return None
    concept = _Concept(said, start, end, line)
    if tokens.says(start, end, said):
        tokens.known[text] = concept
    else:
        there = f"{quote(' '.join(tokens.words[start : end + 1]))} at its place"
        found.note("mention-text-differs", at=line, found=there, expected=quote(shorten(said)))
    return concept


def _add(
    mentions: dict[tuple[str, int, int], tuple[RawMention, str]],
    concept: _Concept,
    entity: str,
    type: str,
    found: Collector,
) -> None:
    """Add a concept to an entity, unless it is there."""
    identity = entity, concept.start, concept.end
    if identity in mentions:
        _note_twice(found, concept)
    else:
        mention = RawMention(concept.start, concept.end, entity, concept.line)
        mentions[identity] = mention, type


def _note_twice(found: Collector, concept: _Concept) -> None:
    found.note("span-twice", "concept", at=concept.line, found=quote(concept.text))


def _add_alone(
    mentions: dict[tuple[str, int, int], tuple[RawMention, str]],
    data: bytes,
    tokens: _TokenLines,
    found: Collector,
) -> None:
    """Add the concepts that are in no chain, each an entity of its own."""
    chained = {(start, end) for _, start, end in mentions}
    seen: set[tuple[int, int]] = set()
    for line, text in enumerate(lines_of(data), 1):
        if not text.strip():
            continue
        concept = _concept(_PIECES.split(text)[0], line, tokens, found)
        if concept is None:
            continue
        span = concept.start, concept.end
        if span in seen:
            _note_twice(found, concept)
        elif span not in chained:
            mention = RawMention(*span, f"concept {line}", 1)
            mentions[mention.entity, *span] = mention, _type(text) or ""
        seen.add(span)


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many concepts of chains have a type of their own, e.g. pronoun."""
    types: dict[tuple[str, ...], str] = {}
    for line in lines_of(data):
        *pieces, _ = _PIECES.split(line)
        coref = _COREF.fullmatch(_type(line) or "")
        for named in filter(None, map(_CONCEPT.fullmatch, pieces)):
            types[named.groups()[1:]] = coref[1].strip() if coref else ""
    number = 0
    for line in lines_of(_beside(path, _CONCEPTS, "concepts", reading.concepts) or b""):
        concept, type = _CONCEPT.fullmatch(_PIECES.split(line)[0]), _type(line)
        number += concept is not None and type != types.get(concept.groups()[1:], type)
    return {"type of a concept": number} if number else {}


FORMAT = Format(
    name="i2b2",
    title="i2b2 chains",
    parse=parse,
    holds=IN_WORDS | {"crossing", "type"},
    options=("text", "concepts"),
    suffixes=(_CHAINS,),
    count_unread=count_unread,
)
