"""i2b2 / n2c2 2011: `.chains` files, one chain per line, beside texts and `.con` files of concepts.

A place is `line:token` of the first and the last token; lines count from 1, tokens from 0 between
blanks. A concept in no chain is an entity of its own.
"""

import re
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import ByteArray, IntArray, byte_table
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.core.source import Column, join_columns
from corefkit.core.texts import quote, shorten
from corefkit.formats._kit import building, files
from corefkit.formats._kit.building import MentionColumns, RawDocument, RawMention, lines_of
from corefkit.formats._kit.byte_columns import (
    ByteColumn,
    ByteLines,
    UnfitError,
    is_repeated,
    map_values,
    renumber,
)
from corefkit.formats.columns.buffer import find_byte
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
    collector = Collector(path)
    _, raw = _beside(path, "", "docs", reading.text)
    if raw is None:
        name = building.stem(path, _CHAINS)
        collector.note("text-missing", expected=f"{name} beside it, in ../docs or in --text FOLDER")
        return building.nothing(collector)
    place, listed = _beside(path, _CONCEPTS, "concepts", reading.concepts)
    try:
        document = _document(data, raw, listed, building.stem(path, _CHAINS, ".txt"))
    except UnfitError:
        return _parse_lines(data, raw, (place, listed), collector)
    return building.make_corpus("i2b2", data, [document], collector)


def _document(data: bytes, raw: bytes, listed: bytes | None, name: str) -> RawDocument:
    """The document, in columns; UnfitError where a line is not sound, or a text differs."""
    tokens = _TokenPlaces(raw)
    chains = _ConceptTable(ByteLines.of(data), tokens)
    coref = {type: _COREF.fullmatch(type) for type in chains.type.values}
    if not all(coref.values()):
        raise UnfitError
    type = map_values(chains.type, lambda said: coref[said][1])  # type: ignore[index]
    start, end = chains.start, chains.end
    if is_repeated(end, start, chains.row):
        raise UnfitError
    names = list(map(str, chains.line.tolist()))
    entity, line, types = chains.row, chains.line[chains.row], type.code[chains.row]
    values = type.values
    if listed is not None:
        alone = _ConceptTable(ByteLines.of(listed), tokens)
        if len(alone.row) > alone.length or is_repeated(alone.end, alone.start):
            raise UnfitError
        span, own = start * tokens.size + end, alone.start * tokens.size + alone.end
        known = np.sort(span)
        rows = np.flatnonzero(known.take(np.searchsorted(known, own), mode="clip") != own)
        start, end = (
            np.concatenate(both) for both in ((start, alone.start[rows]), (end, alone.end[rows]))
        )
        entity = np.concatenate((entity, len(names) + np.arange(len(rows))))
        names += [f"concept {number}" for number in alone.line[rows].tolist()]
        line = np.concatenate((line, np.ones(len(rows), dtype=np.int64)))
        both = join_columns(
            [Column(types, values), Column(alone.type.code[rows], alone.type.values)]
        )
        types, values = both
    columns = MentionColumns(start, end, renumber(Column(entity, tuple(names)), slice(None)), line)
    label = renumber(Column(types, values), slice(None))
    return RawDocument(
        name,
        (),
        words=tokens.words,
        lengths=tokens.lengths,
        labels={"type": label},
        columns=columns,
    )


class _TokenPlaces:
    """The tokens of a plain text: where each begins and ends, and the first of each line."""

    def __init__(self, data: bytes) -> None:
        buffer: ByteArray = np.frombuffer(data, dtype=np.uint8)
        if not data.isascii() or (byte_table(_CONTROLS)[buffer]).any():
            raise UnfitError
        blank = np.ones(len(data) + 2, dtype=bool)
        np.less_equal(buffer, ord(" "), out=blank[1:-1])
        edges = np.flatnonzero(blank[1:] != blank[:-1])
        self.column = ByteColumn(buffer, edges[::2], edges[1::2])
        self.size = len(self.column)
        self.words = data.decode("ascii").split()
        breaks = find_byte(buffer, ord("\n"))
        self.first = np.concatenate(([0], np.searchsorted(self.column.start, breaks), [self.size]))
        lengths = np.diff(self.first)
        self.lengths = lengths[lengths > 0].tolist()

    def number(self, line: IntArray, place: IntArray) -> IntArray:
        """The numbers of tokens; UnfitError where one is not there."""
        if ((line < 1) | (line >= len(self.first))).any():
            raise UnfitError
        number: IntArray = self.first[line - 1] + place
        if (number >= self.first[line]).any():
            raise UnfitError
        return number


class _ConceptTable:
    """The concepts of lines, each with the number of its row, and the type of each row."""

    def __init__(self, lines: ByteLines, tokens: _TokenPlaces) -> None:
        self.line, self.length = lines.number, len(lines.number)
        pieces, row = _pieces(lines.lines)
        last = np.append(np.diff(row) > 0, True)
        ends = pieces.take(last)
        self.type = ByteColumn(ends.buffer, ends.start, ends.end).cut(b'"').column()
        if not all(said.startswith('t="') for said in self.type.values):
            raise UnfitError
        self.type = map_values(self.type, lambda said: said.removeprefix('t="'))
        concepts, self.row = pieces.take(~last), row[~last]
        if not np.bincount(self.row, minlength=self.length).all():
            raise UnfitError
        numbers = []
        rest = concepts
        for before in (b":", b" ", b":", b'" '):
            rest, number = rest.cut_number()
            rest = rest.cut(before)
            numbers.append(number)
        text = ByteColumn(rest.buffer, rest.start + len('c="'), rest.end)
        if not (rest.has_at(rest.start, b'c="').all() and (text.length >= 0).all()):
            raise UnfitError
        last_place, last_line, place, line = numbers
        self.start, self.end = tokens.number(line, place), tokens.number(last_line, last_place)
        if (self.end < self.start).any():
            raise UnfitError
        words = tokens.column
        there = ByteColumn(words.buffer, words.start[self.start], words.end[self.end])
        if not text.equals(there, lambda joined: _LOWER[joined]).all():
            raise UnfitError


def _pieces(lines: ByteColumn) -> tuple[ByteColumn, IntArray]:
    """The pieces of lines, between bars, and the row of each."""
    buffer = lines.buffer
    at = find_byte(buffer, ord("|"))
    marks = np.concatenate((buffer, np.zeros(5, dtype=np.uint8)))
    letter = marks[at + 2]
    sound = (marks[at + 1] == ord("|")) & ((letter == ord("c")) | (letter == ord("t")))
    at = at[sound & (marks[at + 3] == ord("=")) & (marks[at + 4] == ord('"'))]
    row = np.searchsorted(lines.start, at, side="right") - 1
    start = np.sort(np.concatenate((lines.start, at + 2)))
    end = np.sort(np.concatenate((lines.end, at)))
    return ByteColumn(buffer, start, end), np.sort(np.concatenate((np.arange(len(lines)), row)))


_LOWER: ByteArray = np.frombuffer(bytes(range(256)).lower(), dtype=np.uint8)
_CONTROLS = bytes(n for n in range(32) if n not in b"\t\n")


def _parse_lines(
    data: bytes, raw: bytes, concepts_file: tuple[str, bytes | None], collector: Collector
) -> Corpus:
    """The document of any file, line by line; with the file of its concepts, where it has one."""
    path = str(collector.file)
    tokens = _TokenLines(raw.decode("utf-8-sig", "replace"))
    lines = [(number, line) for number, line in enumerate(lines_of(data), 1) if line.strip()]
    if lines and not any(_is_chain(line) for _, line in lines) and _is_concepts(lines):
        collector.note(
            "clusters-missing", "concepts", expected=f"the file {_CHAINS} of the document"
        )
        return building.nothing(collector)
    mentions: dict[tuple[str, int, int], tuple[RawMention, str]] = {}
    for line, text in lines:
        type, concepts = _chain(text, line, tokens, collector)
        for concept in concepts:
            _add(mentions, concept, str(line), type, collector)
    place, listed = concepts_file
    if listed is not None:
        told = Collector(place)
        _add_alone(mentions, listed, tokens, told)
        for incident in told:
            collector.add(incident)
    document = RawDocument(
        building.stem(path, _CHAINS, ".txt"),
        [mention for mention, _ in mentions.values()],
        words=tokens.words,
        lengths=tokens.lengths,
        labels={"type": [type for _, type in mentions.values()]},
    )
    return building.make_corpus("i2b2", data, [document], collector)


def _beside(path: str, ending: str, folder: str, given: str | None) -> tuple[str, bytes | None]:
    """The text or the concepts of a file of chains: beside it, in ../FOLDER, or where users say;
    the path and the content, None where there is no such file.
    """
    name = building.stem(path, _CHAINS) + ending
    above, slash, _ = path.replace("\\", "/").rpartition("/")
    here = f"{above}{slash}" or "./"
    for place in [f"{given}/"] if given else [here, f"{here}../{folder}/"]:
        found, data = files.companion(f"{place}{name}", "", "")
        if data is not None:
            return found, data
    return "", None


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
    text: str, line: int, tokens: _TokenLines, collector: Collector
) -> tuple[str, list[_Concept]]:
    """The type of a chain, and its concepts."""
    *pieces, last = _PIECES.split(text)
    coref = _COREF.fullmatch(_type(text) or "")
    if coref is None:
        expected = 't="coref person" at its end, or another type'
        collector.note("chain-bad", at=line, found=quote(last), expected=expected)
        return "", []
    concepts = [_concept(piece, line, tokens, collector) for piece in pieces]
    return coref[1], [concept for concept in concepts if concept is not None]


def _concept(text: str, line: int, tokens: _TokenLines, collector: Collector) -> _Concept | None:
    """A concept; None, and an incident, where it has no place in the text."""
    if (same := tokens.known.get(text)) is not None:  # in a chain, and in the list of concepts
        return _Concept(same.text, same.start, same.end, line)
    match = _CONCEPT.fullmatch(text)
    if match is None:
        expected = 'c="its text" 12:0 12:1, line and token of both ends'
        collector.note("concept-bad", at=line, found=quote(text), expected=expected)
        return None
    said, *numbers = match.groups()
    first, place, last, behind = map(int, numbers)
    start, end = tokens.token(first, place), tokens.token(last, behind)
    if start is None or end is None:
        shown = f"{first}:{place} {last}:{behind}"
        building.note_outside(collector, line, shown, len(tokens.words))
        return None
    if end < start:
        shown = f"{first}:{place} {last}:{behind}"
        collector.note("span-empty", "text", at=line, found=shown, expected="the first token first")
        return None
    concept = _Concept(said, start, end, line)
    if tokens.says(start, end, said):
        tokens.known[text] = concept
    else:
        there = f"{quote(' '.join(tokens.words[start : end + 1]))} at its place"
        collector.note("mention-text-differs", at=line, found=there, expected=quote(shorten(said)))
    return concept


def _add(
    mentions: dict[tuple[str, int, int], tuple[RawMention, str]],
    concept: _Concept,
    entity: str,
    type: str,
    collector: Collector,
) -> None:
    """Add a concept to an entity, unless it is there."""
    identity = entity, concept.start, concept.end
    if identity in mentions:
        _note_twice(collector, concept)
    else:
        mention = RawMention(concept.start, concept.end, entity, concept.line)
        mentions[identity] = mention, type


def _note_twice(collector: Collector, concept: _Concept) -> None:
    collector.note("span-twice", "concept", at=concept.line, found=quote(concept.text))


def _add_alone(
    mentions: dict[tuple[str, int, int], tuple[RawMention, str]],
    data: bytes,
    tokens: _TokenLines,
    collector: Collector,
) -> None:
    """Add the concepts that are in no chain, each an entity of its own."""
    chained = {(start, end) for _, start, end in mentions}
    seen: set[tuple[int, int]] = set()
    for line, text in enumerate(lines_of(data), 1):
        if not text.strip():
            continue
        concept = _concept(_PIECES.split(text)[0], line, tokens, collector)
        if concept is None:
            continue
        span = concept.start, concept.end
        if span in seen:
            _note_twice(collector, concept)
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
    for line in lines_of(_beside(path, _CONCEPTS, "concepts", reading.concepts)[1] or b""):
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
