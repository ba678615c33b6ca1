"""GAP: a table of texts with a pronoun and two names each, and the answers of systems to it.

gap, X.tsv:
    ID	Text	Pronoun	Pronoun-offset	A	A-offset	A-coref	B	B-offset	B-coref	URL
    x-1	Ada saw Bea when she fell.	she	17	Ada	0	TRUE	Bea	8	FALSE	http://…
gap-answers, X.tsv:
    x-1	TRUE	FALSE
    x-2	FALSE	FALSE

An answer says whether the pronoun refers to A, and whether to B. The mentions of a document are in
the order pronoun, A, B, and the entity of the pronoun is named after the pronoun: the metric `gap`
relies on both.
"""

from dataclasses import replace
from operator import eq

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, data_error
from corefkit.core.options import Reading
from corefkit.core.texts import quote, shorten
from corefkit.formats.format import IN_TEXT, Format, Look
from corefkit.formats.kit.building import lines_of, note_too_few, reader, whole_number
from corefkit.formats.kit.draft import Draft, corpus_of

_COLUMNS = 10
"""How many columns are required; the eleventh is an address."""
_LABELS = {"true": True, "false": False}
ANSWERS = "gap-answers"


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of a table, one per row."""
    drafts = []
    for line, cells in _lines(data)[1:]:
        same = _labels(cells, _COLUMNS, (6, 9), line, collector)
        if same is None:
            continue
        draft = Draft(cells[0], collector, line, text=cells[1], same=eq)
        draft.unread["URL"] += bool("".join(cells[_COLUMNS:]).strip())
        names = [(same[n] and cells[2]) or f"{'AB'[n]}: {cells[4 + 3 * n]}" for n in range(2)]
        for column, entity in zip((2, 4, 7), (cells[2], *names), strict=True):
            given, offset = cells[column], cells[column + 1].strip()
            at = whole_number(offset)
            run = (-1, -1) if at is None or not given else (at, at + len(given))
            shown = f"{quote(given)} at {quote(offset)}"
            if not draft.mention(None, [run], line, entity=entity, text=given, shown=shown):
                break
        else:
            drafts.append(draft)
    return corpus_of("gap", data, drafts, collector, "character")


def _lines(data: bytes) -> list[tuple[int, list[str]]]:
    """The number and the cells of each line that is not empty."""
    lines = enumerate(lines_of(data), 1)
    return [(number, line.split("\t")) for number, line in lines if line]


def _labels(
    cells: list[str], needed: int, columns: tuple[int, int], line: int, collector: Collector
) -> list[bool] | None:
    """Whether A and B corefer with the pronoun; None, and an incident, if a row is malformed."""
    if len(cells) < needed:
        note_too_few(collector, line, cells, needed)
        return None
    labels = [cells[column].strip().lower() for column in columns]
    if not _LABELS.keys() >= {*labels}:
        shown = shorten(" and ".join(quote(cells[column], 25) for column in columns))
        expected = "TRUE or FALSE for A and for B"
        collector.note("label-unknown", at=line, found=shown, expected=expected)
        return None
    return [_LABELS[label] for label in labels]


@reader
def parse_answers(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The answers of a system: ID, A-coref, B-coref; `place_answers` gives mentions their spans."""
    drafts = []
    for line, cells in _lines(data):
        labels = _labels(cells, 3, (1, 2), line, collector)
        if labels is None:
            continue
        draft = Draft(cells[0], collector, line, unit="character")
        for number, entity in enumerate(
            (0, *(0 if same else n for n, same in enumerate(labels, 1)))
        ):
            draft.mention(None, [(number, number + 1)], line, entity=str(entity))
        drafts.append(draft)
    return corpus_of(ANSWERS, data, drafts, collector, "character")


def place_answers(key: Corpus, answers: Corpus) -> Corpus:
    """The answers on the mentions of their key; DataError if the key is not a GAP file.

    Documents that the key lacks keep the numbers of mentions as spans.
    """
    rows = np.argsort(key.document, kind="stable")
    if (np.bincount(key.document, minlength=len(key.names)) != 3).any():
        expected = "a key with a pronoun and two names in each document"
        file = answers.sources[0].path
        raise data_error("mention-unknown", "gap", file=file, expected=expected)
    number = {name: document for document, name in enumerate(key.names)}
    document = np.array([number.get(name, -1) for name in answers.names], dtype=np.int64)
    in_key = document[answers.document]
    row = rows[3 * in_key.clip(0) + answers.start]
    start = np.where(in_key < 0, answers.start, key.start[row])
    end = np.where(in_key < 0, answers.end, key.end[row])
    return replace(answers, start=start, end=end, unit=key.unit)


FORMAT = Format(
    name="gap",
    title="GAP: a pronoun and two names per text",
    parse=parse,
    unit="character",
    holds=IN_TEXT,
    looks=(Look(begins=rb"ID\tText\tPronoun\tPronoun-offset\b"),),
    suffixes=(".tsv",),
)
SYSTEM = Format(
    name=ANSWERS,
    title="answers to GAP (ID, A-coref, B-coref)",
    parse=parse_answers,
    unit="character",
    holds=frozenset({"singletons", "names"}),
    place_answers=place_answers,
    looks=(Look(begins=rb"(?i)[^\t\n]{1,500}\t(true|false)\t(true|false)[ \r]*(\n|\Z)"),),
    suffixes=(".tsv",),
)
