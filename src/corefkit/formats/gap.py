"""GAP: a table of texts with a pronoun and two names each; and the answers of systems to it.

The mentions of a document stand in the order pronoun, A, B, and the entity of the pronoun is
called by the pronoun: the metric `gap` counts on both.
"""

from dataclasses import replace

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, data_error
from corefkit.core.options import Reading
from corefkit.core.texts import count_of, quote, shorten
from corefkit.formats._kit import building
from corefkit.formats._kit.building import RawDocument, RawMention
from corefkit.formats.registry import IN_TEXT, Format

_COLUMNS = 10
"""How many are needed; the eleventh is an address."""
_LABELS = {"true": True, "false": False}
ANSWERS = "gap-answers"


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a table, one a row."""
    collector = Collector(path)
    documents: list[RawDocument] = []
    differing = 0
    for line, cells in _lines(data):
        if line == 1:
            continue
        same = _labels(cells, _COLUMNS, (6, 9), line, collector)
        places = None if same is None else _places(cells, line, collector)
        if same is None or places is None:
            continue
        for said, at in places:
            if (reads := cells[1][at : at + len(said)]) != said:
                differing += 1
                there = f"{quote(reads)} at its place"
                collector.note("mention-text-differs", at=line, found=there, expected=quote(said))
        documents.append(RawDocument(cells[0], _mentions(places, same, line), line, cells[1]))
    building.judge_texts(differing, 3 * len(documents), collector)
    return building.make_corpus("gap", data, documents, collector, "character")


def _lines(data: bytes) -> list[tuple[int, list[str]]]:
    """The cells of the lines that are not empty, with their numbers."""
    lines = enumerate(building.lines_of(data), 1)
    return [(number, line.split("\t")) for number, line in lines if line]


def _labels(
    cells: list[str], wanted: int, columns: tuple[int, int], line: int, collector: Collector
) -> list[bool] | None:
    """Whether A and B are the pronoun; None, and an incident, where a row does not say it."""
    if len(cells) < wanted:
        number, expected = count_of(len(cells), "column"), f"at least {wanted}, separated by tabs"
        collector.note("columns-differ", "too-few", at=line, found=number, expected=expected)
        return None
    said = [cells[column].strip().lower() for column in columns]
    if not _LABELS.keys() >= {*said}:
        shown = shorten(" and ".join(quote(cells[column], 25) for column in columns))
        expected = "TRUE or FALSE for A and for B"
        collector.note("label-unknown", at=line, found=shown, expected=expected)
        return None
    return [_LABELS[one] for one in said]


def _places(cells: list[str], line: int, collector: Collector) -> list[tuple[str, int]] | None:
    """The pronoun, A and B, each with its offset; None, and an incident, if one is outside."""
    text = cells[1]
    places = []
    for column in (2, 4, 7):
        said, offset = cells[column], cells[column + 1].strip()
        at = building.whole_number(offset)
        if at is None or not said or at + len(said) > len(text):
            where = f"{quote(said)} at {quote(offset)}"
            building.note_outside(collector, line, where, len(text), "characters")
            return None
        places.append((said, at))
    return places


def _mentions(places: list[tuple[str, int]], same: list[bool], line: int) -> list[RawMention]:
    pronoun, *names = (said for said, _ in places)
    letters = zip("AB", names, same, strict=True)
    own = (pronoun if is_same else f"{letter}: {name}" for letter, name, is_same in letters)
    listed = zip(places, [pronoun, *own], strict=True)
    return [RawMention(at, at + len(said) - 1, entity, line) for (said, at), entity in listed]


def parse_answers(data: bytes, path: str, reading: Reading) -> Corpus:
    """The answers of a system: ID, A-coref, B-coref. Mentions have no places yet."""
    collector = Collector(path)
    documents: list[RawDocument] = []
    for line, cells in _lines(data):
        labels = _labels(cells, 3, (1, 2), line, collector)
        if labels is None:
            continue
        entities = ["0", *("0" if same else str(n) for n, same in enumerate(labels, 1))]
        mentions = [RawMention(n, n, entity, line) for n, entity in enumerate(entities)]
        documents.append(RawDocument(cells[0], mentions, line))
    return building.make_corpus(ANSWERS, data, documents, collector, "character")


def place_answers(key: Corpus, answers: Corpus) -> Corpus:
    """The answers on the mentions of their key; DataError where the key is no GAP file.

    Documents that the key lacks keep their numbers.
    """
    rows = np.argsort(key.document, kind="stable")
    if (np.bincount(key.document, minlength=len(key.names)) != 3).any():
        expected = "a key with a pronoun and two names in each document"
        file = answers.sources[0].path
        raise data_error("mention-unknown", "gap", file=file, expected=expected)
    number = {name: place for place, name in enumerate(key.names)}
    place = np.array([number.get(name, -1) for name in answers.names], dtype=np.int64)
    there = place[answers.document]
    row = rows[3 * there.clip(0) + answers.start]
    start = np.where(there < 0, answers.start, key.start[row])
    end = np.where(there < 0, answers.end, key.end[row])
    return replace(answers, start=start, end=end, unit=key.unit)


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many texts have the address of their page."""
    del path, reading
    rows = _lines(data)[1:]
    number = sum(bool("".join(cells[_COLUMNS:]).strip()) for _, cells in rows)
    return {"URL": number} if number else {}


FORMAT = Format(
    name="gap",
    title="GAP: a pronoun and two names per text",
    parse=parse,
    unit="character",
    holds=IN_TEXT,
    suffixes=(".tsv",),
    count_unread=count_unread,
)
SYSTEM = Format(
    name=ANSWERS,
    title="answers to GAP (ID, A-coref, B-coref)",
    parse=parse_answers,
    unit="character",
    holds=frozenset({"singletons", "names"}),
    place_answers=place_answers,
    suffixes=(".tsv",),
)
