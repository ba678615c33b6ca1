"""GAP: a table of texts with a pronoun and two names each, and the answers of systems to it.

The mentions of a document are in the order pronoun, A, B, and the entity of the pronoun is named
after the pronoun: the metric `gap` relies on both.
"""

from dataclasses import replace

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, data_error
from corefkit.core.options import Reading
from corefkit.core.texts import count_of, quote, shorten
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.registry import IN_TEXT, Format

_COLUMNS = 10
"""How many columns are required; the eleventh is an address."""
_LABELS = {"true": True, "false": False}
ANSWERS = "gap-answers"


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of a table, one per row."""
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
        for given, at in places:
            if (actual := cells[1][at : at + len(given)]) != given:
                differing += 1
                found = f"{quote(actual)} at its place"
                collector.note("mention-text-differs", at=line, found=found, expected=quote(given))
        documents.append(RawDocument(cells[0], _mentions(places, same, line), line, cells[1]))
    building.judge_texts(differing, 3 * len(documents), collector)
    return building.make_corpus("gap", data, documents, collector, "character")


def _lines(data: bytes) -> list[tuple[int, list[str]]]:
    """The number and the cells of each line that is not empty."""
    lines = enumerate(building.lines_of(data), 1)
    return [(number, line.split("\t")) for number, line in lines if line]


def _labels(
    cells: list[str], needed: int, columns: tuple[int, int], line: int, collector: Collector
) -> list[bool] | None:
    """Whether A and B corefer with the pronoun; None, and an incident, if a row is malformed."""
    if len(cells) < needed:
        number, expected = count_of(len(cells), "column"), f"at least {needed}, separated by tabs"
        collector.note("columns-differ", "too-few", at=line, found=number, expected=expected)
        return None
    labels = [cells[column].strip().lower() for column in columns]
    if not _LABELS.keys() >= {*labels}:
        shown = shorten(" and ".join(quote(cells[column], 25) for column in columns))
        expected = "TRUE or FALSE for A and for B"
        collector.note("label-unknown", at=line, found=shown, expected=expected)
        return None
    return [_LABELS[label] for label in labels]


def _places(cells: list[str], line: int, collector: Collector) -> list[tuple[str, int]] | None:
    """The pronoun, A and B, each with its offset; None, and an incident, if one is outside."""
    text = cells[1]
    places = []
    for column in (2, 4, 7):
        given, offset = cells[column], cells[column + 1].strip()
        at = building.whole_number(offset)
        if at is None or not given or at + len(given) > len(text):
            where = f"{quote(given)} at {quote(offset)}"
            building.note_outside(collector, line, where, len(text), "characters")
            return None
        places.append((given, at))
    return places


def _mentions(places: list[tuple[str, int]], same: list[bool], line: int) -> list[RawMention]:
    pronoun, *names = (given for given, _ in places)
    letters = zip("AB", names, same, strict=True)
    entities = (pronoun if is_same else f"{letter}: {name}" for letter, name, is_same in letters)
    listed = zip(places, [pronoun, *entities], strict=True)
    return [RawMention(at, at + len(given) - 1, entity, line) for (given, at), entity in listed]


def parse_answers(data: bytes, path: str, reading: Reading) -> Corpus:
    """The answers of a system: ID, A-coref, B-coref; `place_answers` gives mentions their spans."""
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
    """The answers on the mentions of their key; DataError if the key is not a GAP file.

    Documents that the key lacks keep the numbers of mentions as spans.
    """
    rows = np.argsort(key.document, kind="stable")
    if (np.bincount(key.document, minlength=len(key.names)) != 3).any():
        expected = "a key with a pronoun and two names in each document"
        file = answers.sources[0].path
        raise data_error("mention-unknown", "gap", file=file, expected=expected)
    number = {name: place for place, name in enumerate(key.names)}
    place = np.array([number.get(name, -1) for name in answers.names], dtype=np.int64)
    in_key = place[answers.document]
    row = rows[3 * in_key.clip(0) + answers.start]
    start = np.where(in_key < 0, answers.start, key.start[row])
    end = np.where(in_key < 0, answers.end, key.end[row])
    return replace(answers, start=start, end=end, unit=key.unit)


def count_unread(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many texts have a URL."""
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
