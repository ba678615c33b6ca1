"""Reading CoNLL-UA files: from rows to tokens and zeros, from cells to markables to a Corpus.

# global.columns = ID FORM LEMMA … IDENTITY BRIDGING DISCOURSE_DEIXIS
# newdoc id = tale
1   The    …   (EntityID=3|MarkableID=m1|Min=2|SemType=dn   _   _
2   king   …   )                                            _   _
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import KINDS, Links
from corefkit.core.mention_columns import MentionLabels, Ragged
from corefkit.core.options import choose
from corefkit.core.source import Source
from corefkit.core.texts import shorten
from corefkit.formats.conll.lines import decoded_column
from corefkit.formats.conllua.entities import (
    Bridge,
    ElementPair,
    find_elements,
    find_entities,
    find_referring,
    read_bridging,
)
from corefkit.formats.conllua.markables import (
    LayerIncidents,
    Opening,
    find_markables,
    read_minima,
    read_openings,
    tokens_of,
)
from corefkit.formats.conllua.rows import LAYERS, OTHER_COLUMNS, Rows
from corefkit.formats.kit.building import with_marks_named
from corefkit.formats.kit.files import AS_THEY_ARE

_WORD = 1


def parse(data: bytes, path: str, layer: str) -> Corpus:
    """The corpus in one layer of a file; its incidents are all problems of the file.

    If there are errors, the corpus holds what could be read; it must not be scored.
    """
    choose("layer", layer, LAYERS)
    column, collector = LAYERS[layer], Collector(path)
    rows = Rows(data, collector)
    if rows.names or rows.headers:
        _check_columns(rows, column, collector)
    incidents = LayerIncidents(rows, column, collector)
    openings = read_openings(rows, column, incidents)
    markables = find_markables(openings, rows, column, incidents)
    entities = find_entities(markables)
    referring = find_referring(markables, entities, incidents)
    token, zeros = rows.token.tolist(), (rows.zero > 0).tolist()
    words = [tokens_of(parts, token) for parts in markables]
    minimum = read_minima(markables, words, zeros, incidents)
    elements = find_elements(openings, entities, incidents)
    first = [parts[0] for parts in markables]
    bridges: list[Bridge] = []
    if layer == "identity":
        bridging = LayerIncidents(rows, "BRIDGING", collector)
        bridges = read_bridging(rows, openings, markables, words, bridging)
    source = ConlluaSource(path, rows.data, 0, len(rows.names))
    source.cache.update(rows=rows, layer=layer)
    nodes = _numbers(opening.node for opening in first)
    zero = rows.zero[nodes]
    gaps = [
        (number, [(token, 0) for token in tokens])
        for number, tokens in enumerate(words)
        if len(tokens) <= tokens[-1] - tokens[0]
    ]
    corpus = Corpus(
        names=tuple(rows.names),
        tokens=_numbers(rows.sizes),
        document=rows.document[nodes],
        start=_numbers(tokens[0] for tokens in words),
        end=_numbers(tokens[-1] for tokens in words),
        entity=_numbers(entities.of_markable),
        labels=tuple(entities.labels),
        sources=(source,),
        document_byte=_numbers(rows.begin),
        byte=_numbers(opening.byte for opening in first),
        line=rows.line[nodes] + 1,
        zero=zero if zero.any() else None,
        nodes=Ragged.of(gaps),
        minimum=minimum,
        referring=None if all(referring) else np.array(referring),
        mention_labels=_labels(first),
        links=_links(elements, bridges),
        incidents=tuple(collector),
    )
    return with_marks_named(corpus)


def _labels(openings: Sequence[Opening]) -> MentionLabels | None:
    """The features of brackets that are not read otherwise, such as SemType."""
    spelling: dict[str, str] = {}
    labels: dict[str, list[str]] = {}
    for number, opening in enumerate(openings):
        for name, value in opening.labels:
            label = spelling.setdefault(name.lower(), name)
            if label not in labels:
                labels[label] = [""] * len(openings)
            labels[label][number] = value
    return MentionLabels.of(labels)


def _numbers(values: Iterable[int]) -> IntArray:
    return np.array([*values], dtype=np.int64)


def _links(elements: Sequence[ElementPair], bridges: Sequence[Bridge]) -> Links | None:
    """Split antecedents and bridging as links of a corpus."""
    links = [(KINDS.index("element"), *pair, "") for pair in elements]
    links += [(KINDS.index("bridging"), *bridge) for bridge in bridges]
    if not links:
        return None
    kind, source, target, labels = zip(*links, strict=True)
    return Links(_numbers(kind), _numbers(source), _numbers(target), labels)


def _check_columns(rows: Rows, column: str, collector: Collector) -> None:
    """Report rows that end before the column of the layer."""
    start, _ = rows.bounds(column)
    short = np.flatnonzero(start < 0)[:1].tolist()
    if not short:
        return
    for header in rows.headers:
        if column not in header.names:
            shown = shorten(" ".join(header.names))
            line = header.line + 1
            collector.note("column-missing", "header", at=line, name=column, found=shown)
            return
    node, line = short[0], int(rows.line[short[0]])
    values = {"name": column, "place": rows.place(column, line) + 1}
    collector.note("column-missing", "row", at=line + 1, number=rows.cells_of(node), **values)


@frozen(eq=False)
class ConlluaSource(Source):
    """A CoNLL-UA file: its words, UPOS tags, lemmas, sentences and zeros."""

    format: str = "conllua"
    has_ids: bool = True

    title: ClassVar = "CoNLL-UA"
    numbers: ClassVar = {"word": _WORD, "lemma": 2, "pos": 3}

    @property
    def rows(self) -> Rows:
        """The rows of the file."""
        return self.once("rows", lambda: Rows(self.data, Collector(self.path)))

    def count_unread(self) -> dict[str, int]:
        """How many values each column between the word and the layers has: name → number."""
        numbers = {name: self.rows.count_filled(name) for name in OTHER_COLUMNS}
        return {name: number for name, number in numbers.items() if number}

    def _cells(self, number: int, nodes: IntArray) -> list[bytes]:
        """The column of these nodes that usually has this number; a header may move it."""
        return self.rows.cells(dict(enumerate(OTHER_COLUMNS, 2)).get(number, number), nodes)

    def count_layers(self) -> dict[str, int]:
        """How many markables each of the layers has that were not read: name → number."""
        numbers = {}
        for layer in LAYERS.keys() - {self.cache.get("layer")}:
            incidents = LayerIncidents(self.rows, LAYERS[layer], Collector(self.path))
            openings = read_openings(self.rows, LAYERS[layer], incidents)
            numbers[layer] = len(find_markables(openings, self.rows, LAYERS[layer], incidents))
        return numbers

    def find_column(self, number: int, errors: str) -> Column:
        """The column of tokens that usually has this number; zeros are not tokens."""
        return decoded_column(self._cells(number, np.flatnonzero(self.rows.zero == 0)), errors)

    def sentences(self) -> IntArray:
        """int64 (tokens,): the sentence of each token; blank lines end sentences."""
        sentence = np.searchsorted(self.rows.blank, self.token_lines() - 1)
        return np.cumsum(np.diff(sentence, prepend=sentence[:1]) > 0)

    def token_lines(self) -> IntArray:
        """int64 (tokens,): the line of each token."""
        lines: IntArray = self.rows.line[self.rows.zero == 0] + 1
        return lines

    def zeros(self) -> tuple[IntArray, IntArray]:
        """The document and the token before each zero, whether it is in a mention or not."""
        rows = self.rows
        return rows.document[rows.zero > 0], rows.token[rows.zero > 0]

    def zero_cells(self, numbers: Sequence[int]) -> dict[tuple[int, int, int], list[str]]:
        """The cells of all zeros, whether in mentions or not."""
        rows = self.rows
        nodes = np.flatnonzero((rows.zero > 0) & (rows.document >= 0))
        columns = [self._cells(at, nodes) for at in numbers]
        identities = tuples(rows.document[nodes], rows.token[nodes], rows.zero[nodes])
        return {
            identity: [column[number].decode("utf-8", AS_THEY_ARE) for column in columns]
            for number, identity in enumerate(identities)
        }
