"""i2b2 / n2c2 2011: `.chains` files, one chain per line, beside texts and `.con` files of concepts.

A place is `line:token` of the first and the last token; lines count from 1, tokens, which blanks
separate, from 0. A concept that is not in a chain is a singleton.
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
from corefkit.formats.columns.buffer import find_byte
from corefkit.formats.kit import building, files
from corefkit.formats.kit.building import MentionColumns, RawDocument, RawMention, lines_of
from corefkit.formats.kit.byte_columns import (
    ByteColumn,
    ByteLines,
    UnfitError,
    is_repeated,
    map_values,
    renumber,
)
from corefkit.formats.registry import IN_WORDS, Format

_PIECES = re.compile(r'\|\|(?=[ct]=")')
"""The separator of the pieces of a line; a quoted text may contain bars, too."""
_CONCEPT = re.compile(r'c="(.*)" (\d{1,18}):(\d{1,18}) (\d{1,18}):(\d{1,18})\s*')
_TYPE = re.compile(r't="(.*)"\s*')
_COREF = re.compile(r"coref\s+(\S.*)")
_CHAINS, _CONCEPTS = ".chains", ".con"


class _Concept(NamedTuple):
    """A concept: its text, its first and last token, and its line in the file."""

    text: str
    start: int
    end: int
    line: int


class _TokenLines:
    """The tokens of a text, by line and place; `known` are concepts by their pieces."""

    def __init__(self, text: str) -> None:
        self._lines = [line.split() for line in text.split("\n")]
        self.words = [word for line in self._lines for word in line]
        self.lengths = [len(line) for line in self._lines if line]
        self._first = [0, *accumulate(map(len, self._lines))]
        self.known: dict[str, _Concept] = {}

    def says(self, start: int, end: int, text: str) -> bool:
        """Whether a run of tokens has this text, apart from blanks and case."""
        words = self.words[start : end + 1]
        if text.lower() == " ".join(words).lower():  # nearly always
            return True
        return "".join(text.split()).casefold() == "".join(words).casefold()

    def token(self, line: int, place: int) -> int | None:
        """The number of a token; None if there is none."""
        exists = 1 <= line <= len(self._lines) and place < len(self._lines[line - 1])
        return self._first[line - 1] + place if exists else None


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one `.chains` file."""
    collector = Collector(path)
    _, raw = _beside(path, "", "docs", reading.get("text"))
    if raw is None:
        name = building.stem(path, _CHAINS)
        collector.note("text-missing", expected=f"{name} beside it, in ../docs or in --text FOLDER")
        return building.nothing(collector)
    place, listed = _beside(path, _CONCEPTS, "concepts", reading.get("concepts"))
    try:
        document = _document(data, raw, listed, building.stem(path, _CHAINS, ".txt"))
    except UnfitError:
        return _parse_lines(data, raw, (place, listed), collector)
    return building.make_corpus("i2b2", data, [document], collector)


def _document(data: bytes, raw: bytes, listed: bytes | None, name: str) -> RawDocument:
    """The document, read in columns; UnfitError if a line is malformed or a text differs."""
    tokens = _TokenPlaces(raw)
    chains = _ConceptTable(ByteLines.of(data), tokens)
    coref = {type: _COREF.fullmatch(type) for type in chains.type.values}
    if not all(coref.values()):
        raise UnfitError
    type = map_values(chains.type, lambda text: coref[text][1])  # type: ignore[index]
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
        chained = np.sort(start * tokens.size + end)
        listed_spans = alone.start * tokens.size + alone.end
        at = np.searchsorted(chained, listed_spans)
        rows = np.flatnonzero(chained.take(at, mode="clip") != listed_spans)
        start, end = (
            np.concatenate(both) for both in ((start, alone.start[rows]), (end, alone.end[rows]))
        )
        entity = np.concatenate((entity, len(names) + np.arange(len(rows))))
        names += [f"concept {number}" for number in alone.line[rows].tolist()]
        line = np.concatenate((line, np.ones(len(rows), dtype=np.int64)))
        types, values = join_columns(
            [Column(types, values), Column(alone.type.code[rows], alone.type.values)]
        )

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
    """The tokens of an ASCII text: their bounds, and the first of each line."""

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
        """int64 (tokens,): the numbers of tokens; UnfitError if one does not exist."""
        if ((line < 1) | (line >= len(self.first))).any():
            raise UnfitError
        number: IntArray = self.first[line - 1] + place
        if (number >= self.first[line]).any():
            raise UnfitError
        return number


class _ConceptTable:
    """The concepts of all lines, each with the number of its line, and the type of each line."""

    def __init__(self, lines: ByteLines, tokens: _TokenPlaces) -> None:
        self.line, self.length = lines.number, len(lines.number)
        pieces, row = _pieces(lines.lines)
        last = np.append(np.diff(row) > 0, True)
        ends = pieces.take(last)
        self.type = ByteColumn(ends.buffer, ends.start, ends.end).cut(b'"').column()
        if not all(text.startswith('t="') for text in self.type.values):
            raise UnfitError
        self.type = map_values(self.type, lambda text: text.removeprefix('t="'))
        concepts, self.row = pieces.take(~last), row[~last]
        if not np.bincount(self.row, minlength=self.length).all():
            raise UnfitError
        numbers = []
        head = concepts
        for before in (b":", b" ", b":", b'" '):
            head, number = head.cut_number()
            head = head.cut(before)
            numbers.append(number)
        text = ByteColumn(head.buffer, head.start + len('c="'), head.end)
        if not (head.has_at(head.start, b'c="').all() and (text.length >= 0).all()):
            raise UnfitError
        last_place, last_line, place, line = numbers
        self.start, self.end = tokens.number(line, place), tokens.number(last_line, last_place)
        if (self.end < self.start).any():
            raise UnfitError
        words = tokens.column
        in_text = ByteColumn(words.buffer, words.start[self.start], words.end[self.end])
        if not text.equals(in_text, lambda joined: _LOWER[joined]).all():
            raise UnfitError


def _pieces(lines: ByteColumn) -> tuple[ByteColumn, IntArray]:
    """The pieces of lines, which double bars separate, and the line of each."""
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
    """Whether the lines are those of a `.con` file, each a concept with a type."""
    return all(len(_PIECES.split(line)) == 2 and _type(line) for _, line in lines)


def _type(line: str) -> str | None:
    """The type in the last piece of a line; None if there is none."""
    type = _TYPE.fullmatch(_PIECES.split(line)[-1])
    return type[1] if type else None


def _chain(
    text: str, line: int, tokens: _TokenLines, collector: Collector
) -> tuple[str, list[_Concept]]:
    """The type and the concepts of a chain; problems are reported."""
    *pieces, last = _PIECES.split(text)
    coref = _COREF.fullmatch(_type(text) or "")
    if coref is None:
        expected = 't="coref person" at its end, or another type'
        collector.note("chain-bad", at=line, found=quote(last), expected=expected)
        return "", []
    concepts = [_concept(piece, line, tokens, collector) for piece in pieces]
    return coref[1], [concept for concept in concepts if concept is not None]


def _concept(text: str, line: int, tokens: _TokenLines, collector: Collector) -> _Concept | None:
    """A concept; None, and an incident, if it has no place in the text."""
    if (same := tokens.known.get(text)) is not None:  # in a chain and in the list of concepts
        return _Concept(same.text, same.start, same.end, line)
    match = _CONCEPT.fullmatch(text)
    if match is None:
        expected = 'c="its text" 12:0 12:1, line and token of both ends'
        collector.note("concept-bad", at=line, found=quote(text), expected=expected)
        return None
    given, *numbers = match.groups()
    first_line, first_token, last_line, last_token = map(int, numbers)
    start, end = tokens.token(first_line, first_token), tokens.token(last_line, last_token)
    shown = f"{first_line}:{first_token} {last_line}:{last_token}"
    if start is None or end is None:
        building.note_outside(collector, line, shown, len(tokens.words))
        return None
    if end < start:
        collector.note("span-empty", "text", at=line, found=shown, expected="the first token first")
        return None
    concept = _Concept(given, start, end, line)
    if tokens.says(start, end, given):
        tokens.known[text] = concept
    else:
        found = f"{quote(' '.join(tokens.words[start : end + 1]))} at its place"
        collector.note("mention-text-differs", at=line, found=found, expected=quote(shorten(given)))
    return concept


def _add(
    mentions: dict[tuple[str, int, int], tuple[RawMention, str]],
    concept: _Concept,
    entity: str,
    type: str,
    collector: Collector,
) -> None:
    """Add a concept to an entity; one that the entity has already is reported."""
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
    """Add the concepts that are not in a chain, each as an entity of its own."""
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
    """How many concepts in chains have a type that differs from the chain's, e.g. pronoun."""
    types: dict[tuple[str, ...], str] = {}
    for line in lines_of(data):
        *pieces, _ = _PIECES.split(line)
        coref = _COREF.fullmatch(_type(line) or "")
        for named in filter(None, map(_CONCEPT.fullmatch, pieces)):
            types[named.groups()[1:]] = coref[1].strip() if coref else ""
    number = 0
    for line in lines_of(_beside(path, _CONCEPTS, "concepts", reading.get("concepts"))[1] or b""):
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
