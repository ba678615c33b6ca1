"""Reading CoNLL-UA files: from rows to tokens and zeros, from cells to markables to a Corpus.

Whole columns are processed at once; only what is rare (gaps, split antecedents, closing brackets
with names, problems) is handled one by one.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.links import KINDS, Links
from corefkit.core.mention_columns import Ragged
from corefkit.core.options import choose
from corefkit.core.source import Column, Source, TextPieces
from corefkit.core.texts import shorten
from corefkit.formats.columns.buffer import RowIncidents, count_filled
from corefkit.formats.columns.interning import intern_column
from corefkit.formats.conllua.bracket_features import TextReader
from corefkit.formats.conllua.entities import (
    Bridges,
    ElementPair,
    find_elements,
    find_entities,
    find_referring,
    read_bridging,
)
from corefkit.formats.conllua.markables import (
    FEATURES,
    LayerIncidents,
    MarkableReader,
    Markables,
    read_brackets,
    read_minima,
)
from corefkit.formats.conllua.rows import (
    LAYERS,
    OTHER_COLUMNS,
    DocumentRows,
    Rows,
    find_cells,
    find_documents,
    find_rows,
    token_counts,
    zero_numbers,
)
from corefkit.formats.kit.files import AS_THEY_ARE

_WORD = 1
_OPENED = re.compile(rb"\(([^()\t\r\n]*)")


@frozen(eq=False)
class ConlluaSource(Source):
    """A CoNLL-UA file: its words, UPOS tags, lemmas, sentences and zeros."""

    format: str = "conllua"

    title: ClassVar = "CoNLL-UA"
    numbers: ClassVar = {"word": _WORD, "lemma": 2, "pos": 3}

    def find_column(self, number: int, errors: str) -> Column:
        """The column of tokens that usually has this number; zeros are not tokens."""
        return self._cells(number, np.flatnonzero(rows_of(self).token), errors)

    def _cells(self, number: int, some: IntArray, errors: str) -> Column:
        """The column, of some rows, that usually has this number; a header may move it."""
        rows, names = rows_of(self), dict(enumerate(OTHER_COLUMNS, 2))
        if number in names:
            start, end = rows.named_bounds(names[number], some)
        else:
            start, end = rows.bounds(number, some)
        return intern_column(rows.buffer, start, end, errors)

    def words(self) -> TextPieces:
        """The words of the tokens as pieces of the file."""
        rows = rows_of(self)
        return TextPieces(rows.buffer, *rows.bounds(_WORD, np.flatnonzero(rows.token)))

    def sentences(self) -> IntArray:
        """int64 (tokens,): the sentence of each token; blank lines end sentences."""
        rows = rows_of(self)
        sentence = rows.sentence[rows.token]
        if not len(sentence):
            return sentence
        return np.concatenate(([0], np.cumsum(np.diff(sentence) > 0)))

    def mention_labels(self, byte: IntArray) -> dict[str, list[str]]:
        """The features of brackets that were not read, such as SemType, one value per bracket."""
        known = {spelling for spellings in FEATURES.values() for spelling in spellings}
        names: dict[str, str] = {}
        labels: dict[str, list[str]] = {}
        for row, at in enumerate(byte.tolist()):
            opened = _OPENED.match(self.data, at)
            for feature in opened[1].decode("utf-8", AS_THEY_ARE).split("|") if opened else ():
                name, _, value = (text.strip(" @") for text in feature.partition("="))
                if name and value and name.lower() not in known:
                    values = labels.setdefault(
                        names.setdefault(name.lower(), name), [""] * len(byte)
                    )
                    values[row] = value
        return labels

    def token_lines(self) -> IntArray:
        """int64 (tokens,): the line of each token."""
        rows = rows_of(self)
        return rows.line[rows.token] + 1

    def zeros(self) -> tuple[IntArray, IntArray]:
        """The document and the token before each zero, whether it is in a mention or not."""
        rows = rows_of(self)
        first = _documents_of(self).first[:-1]
        row = np.flatnonzero(rows.zero)
        document = np.searchsorted(first, row, side="right") - 1
        before = (rows.counted - rows.token)[first[document]] if len(row) else row
        return document, rows.counted[row] - before - 1

    def zero_cells(self, numbers: Sequence[int]) -> dict[tuple[int, int, int], list[str]]:
        """The cells of all zeros, whether in mentions or not."""
        rows, documents = rows_of(self), _documents_of(self)
        zeros = np.flatnonzero(rows.zero)
        document, token = self.zeros()
        columns = [self._cells(at, zeros, AS_THEY_ARE).to_list() for at in numbers]
        places = tuples(document, token, zero_numbers(rows, documents, zeros))
        cells = zip(*columns, strict=True) if columns else [()] * len(zeros)
        pairs = zip(places, cells, strict=True)
        return {place: list(texts) for place, texts in pairs if place[0] >= 0}


def count_columns(data: bytes) -> dict[str, int]:
    """How many values each column between the word and the layers has: name → number."""
    rows = find_rows(data)
    nodes = np.flatnonzero(rows.node)
    numbers = {
        name: count_filled(rows.buffer, *rows.named_bounds(name, nodes)) for name in OTHER_COLUMNS
    }
    return {name: number for name, number in numbers.items() if number}


def rows_of(source: Source) -> Rows:
    """The rows of the file, computed once."""
    return source.once("rows", lambda: find_rows(source.data))


def _documents_of(source: Source) -> DocumentRows:
    """The documents of the file, computed once."""
    rows = rows_of(source)
    incidents = RowIncidents(source.path, rows.data, rows.start)
    return source.once("documents", lambda: find_documents(rows, incidents))


def parse(data: bytes, path: str, layer: str) -> Corpus:
    """The corpus in one layer of a file; its incidents are all problems of the file.

    If there are errors, the corpus holds what could be read; it must not be scored.
    """
    choose("layer", layer, LAYERS)
    column = LAYERS[layer]
    rows = find_rows(data)
    incidents = RowIncidents(path, rows.data, rows.start)
    documents = find_documents(rows, incidents)
    if documents.names or rows.headers:
        _check_columns(rows, column, incidents)
    layer_incidents = LayerIncidents(incidents, column, documents.names)
    reader = TextReader(rows)
    cells = find_cells(rows, documents, column)
    openings = read_brackets(reader, cells, layer_incidents)
    markables = MarkableReader(reader, cells, openings, layer_incidents).read()
    opening, byte = markables.opening, openings.byte[markables.opening]
    entities = find_entities(reader, openings, markables)
    referring = find_referring(entities, byte, layer_incidents)
    minimum = read_minima(
        reader, openings.features["min"].take(opening), markables, byte, layer_incidents
    )
    elements = find_elements(reader, openings, markables, entities, layer_incidents)
    bridges = None
    if layer == "identity":
        bridging_incidents = LayerIncidents(incidents, "BRIDGING", documents.names)
        bridges = read_bridging(reader, documents, markables, bridging_incidents)
    source = ConlluaSource(path, rows.data, 0, len(documents.names))
    source.cache.update(rows=rows, documents=documents, layer=layer)
    return Corpus(
        documents.names,
        token_counts(rows, documents),
        markables.document,
        markables.start,
        markables.end,
        entities.of_markable,
        tuple(entities.labels),
        (source,),
        documents.byte,
        byte,
        rows.line[cells.row[openings.cell[opening]]] + 1,
        zero=markables.zero if markables.zero.any() else None,
        parts=_parts(markables),
        minimum=minimum,
        referring=None if referring.all() else referring,
        links=_links(elements, bridges),
        incidents=tuple(incidents),
    )


def _parts(markables: Markables) -> Ragged | None:
    """The tokens of markables with gaps."""
    lists = []
    for row, fragments in sorted(markables.fragments.items()):
        words = sorted({token for a, b in fragments for token in range(a, b + 1)})
        if len(words) <= words[-1] - words[0]:
            lists.append((row, [(word, 0) for word in words]))
    return Ragged.of(lists)


def _links(elements: list[ElementPair], bridges: Bridges | None) -> Links | None:
    """Split antecedents and bridging as links of a corpus."""
    source, target = np.array(elements, dtype=np.int64).reshape(-1, 2).T
    labels = [""] * len(elements)
    if bridges is not None:
        anaphor, anchor, relation = bridges
        source = np.concatenate((source, anaphor))
        target = np.concatenate((target, anchor))
        labels += relation
    if not labels:
        return None
    kind = np.full(len(labels), KINDS.index("bridging"))
    kind[: len(elements)] = KINDS.index("element")
    return Links(kind, source, target, tuple(labels))


def _check_columns(rows: Rows, column: str, incidents: RowIncidents) -> None:
    """Report rows that end before the column of the layer."""
    place = rows.column(column)
    short = ((rows.cells.count <= place) | (place < 0)) & rows.node
    if not short.any():
        return
    for header in rows.headers:
        if column not in header.names:
            names = " ".join(header.names)
            incidents.note(
                "column-missing",
                "header",
                at=incidents.at_line(header.line),
                name=column,
                found=partial(shorten, names),
            )
            return
    row = int(np.flatnonzero(short)[0])
    values = {"number": int(rows.cells.count[row]), "name": column, "place": int(place[row]) + 1}
    incidents.note("column-missing", "row", at=incidents.at_line(int(rows.line[row])), **values)
