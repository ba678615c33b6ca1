"""GAP: a table of texts with a pronoun and two names each; and the answers of systems to it.

The mentions of a document stand in the order pronoun, A, B, and the entity of the pronoun is
called by the pronoun: the metric `gap` counts on both.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, DataError, Incident, make_incident
from corefkit.data.source import TokenReader
from corefkit.data.texts import quote, shorten
from corefkit.data.tokens import ListedTokens, TokenTable
from corefkit.formats import building
from corefkit.formats.building import Document, Mention, Origin
from corefkit.formats.registry import Format, Reading

_COLUMNS = 10
"""How many are needed; the eleventh is an address."""
_LABELS = {"true": True, "false": False}
ANSWERS = "gap-answers"


class _Example(NamedTuple):
    """A text, its three mentions as (text, offset), and whether A and B are the pronoun."""

    text: str
    mentions: list[tuple[str, int]]
    same: list[bool]


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a table, one a row."""
    found = Collector(path)
    documents: list[Document] = []
    texts: list[str] = []
    differing = 0
    for line, cells in _lines(data):
        if line == 1:
            continue
        row = _row(cells, path, line, found)
        if row is None:
            continue
        for said, offset in row.mentions:
            if (reads := row.text[offset : offset + len(said)]) != said:
                differing += 1
                found.add(building.differs(path, line, reads, said))
        documents.append(Document(cells[0], len(row.text), _mentions(row, line), line))
        texts.append(row.text)
    building.judge_texts(differing, 3 * len(documents), found)
    tokens = ListedTokens("gap", lambda _: TokenTable(texts=texts))
    return building.several_documents(Origin(path, data, tokens, "character"), documents, found)


def _lines(data: bytes) -> list[tuple[int, list[str]]]:
    """The cells of the lines that are not empty, with their numbers."""
    lines = data.decode("utf-8-sig", "replace").split("\n")
    cells = ((number, line.rstrip("\r").split("\t")) for number, line in enumerate(lines, 1))
    return [(number, row) for number, row in cells if row != [""]]


def _row(cells: list[str], path: str, line: int, found: Collector) -> _Example | None:
    if len(cells) < _COLUMNS:
        found.add(_too_few(path, line, len(cells), _COLUMNS))
        return None
    labels = [_LABELS.get(cells[column].strip().lower()) for column in (6, 9)]
    if None in labels:
        found.add(_no_label(path, line, f"{quote(cells[6], 25)} and {quote(cells[9], 25)}"))
        return None
    text = cells[1]
    mentions = []
    for column in (2, 4, 7):
        said, offset = cells[column], cells[column + 1].strip()
        at = int(offset) if offset.isdecimal() and len(offset) < 19 else -1
        if at < 0 or not said or at + len(said) > len(text):
            where = f"{quote(said)} at {quote(offset)}"
            found.add(building.outside(path, line, where, len(text), "characters"))
            return None
        mentions.append((said, at))
    return _Example(text, mentions, [label is True for label in labels])


def _mentions(row: _Example, line: int) -> list[Mention]:
    pronoun, *names = (said for said, _ in row.mentions)
    letters = zip("AB", names, row.same, strict=True)
    own = (pronoun if same else f"{letter}: {name}" for letter, name, same in letters)
    places = zip(row.mentions, [pronoun, *own], strict=True)
    return [Mention(at, at + len(said) - 1, entity, line) for (said, at), entity in places]


def parse_answers(data: bytes, path: str, reading: Reading) -> Corpus:
    """The answers of a system: ID, A-coref, B-coref. Its mentions 0, 1, 2 await their places."""
    found = Collector(path)
    documents: list[Document] = []
    for line, cells in _lines(data):
        if len(cells) < 3:
            found.add(_too_few(path, line, len(cells), 3))
            continue
        labels = [_LABELS.get(cell.strip().lower()) for cell in cells[1:3]]
        if None in labels:
            found.add(_no_label(path, line, f"{quote(cells[1], 25)} and {quote(cells[2], 25)}"))
            continue
        entities = ["0", *("0" if same else str(n) for n, same in enumerate(labels, 1))]
        mentions = [Mention(n, n, entity, line) for n, entity in enumerate(entities)]
        documents.append(Document(cells[0], -1, mentions, line))
    tokens = TokenReader()
    tokens.name = ANSWERS
    return building.several_documents(Origin(path, data, tokens, "character"), documents, found)


def place_answers(key: Corpus, answers: Corpus) -> Corpus:
    """The answers on the mentions of their key; DataError where the key is no GAP file.

    Documents that the key lacks keep their numbers.
    """
    rows = np.argsort(key.document, kind="stable")
    if (np.bincount(key.document, minlength=len(key.names)) != 3).any():
        raise DataError([_no_places(answers)])
    number = {name: place for place, name in enumerate(key.names)}
    place = np.array([number.get(name, -1) for name in answers.names], dtype=np.int64)
    there = place[answers.document]
    row = rows[3 * there.clip(0) + answers.start]
    start = np.where(there < 0, answers.start, key.start[row])
    end = np.where(there < 0, answers.end, key.end[row])
    return replace(answers, start=start, end=end, unit=key.unit)


def _too_few(path: str, line: int, cells: int, wanted: int) -> Incident:
    return make_incident(
        "columns-differ",
        "too-few",
        file=path,
        line=line,
        found=f"{cells} column(s)",
        expected=f"at least {wanted}, separated by tabs",
    )


def _no_label(path: str, line: int, found: str) -> Incident:
    return make_incident(
        "label-unknown",
        file=path,
        line=line,
        found=shorten(found),
        expected="TRUE or FALSE for A and for B",
    )


def _no_places(answers: Corpus) -> Incident:
    return make_incident(
        "mention-unknown",
        "gap",
        file=answers.sources[0].path,
        expected="a key with a pronoun and two names in each document",
    )


FORMAT = Format(
    name="gap",
    title="GAP: a pronoun and two names a text",
    parse=parse,
    unit="character",
    holds=frozenset({"singletons", "names", "text"}),
    suffixes=(".tsv",),
)
SYSTEM = Format(
    name=ANSWERS,
    title="answers to GAP (ID, A-coref, B-coref)",
    parse=parse_answers,
    unit="character",
    holds=frozenset({"singletons", "names"}),
    suffixes=(".tsv",),
)
