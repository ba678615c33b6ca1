"""Reading CoNLL-UA files: from rows to tokens and zeros, from cells to markables to a Corpus.

# global.columns = ID FORM LEMMA … IDENTITY BRIDGING DISCOURSE_DEIXIS
# newdoc id = tale
1   The    …   (EntityID=3|MarkableID=m1|Min=2|SemType=dn   _   _
2   king   …   )                                            _   _
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, TypeVar

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.links import KINDS, Links
from corefkit.core.mention_columns import MentionLabels, Ragged
from corefkit.core.options import choose
from corefkit.core.source import Source
from corefkit.core.texts import shorten
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
from corefkit.formats.conllua.rows import LAYERS, OTHER_COLUMNS, Rows, cells_at
from corefkit.formats.kit.building import with_marks_named
from corefkit.formats.kit.files import AS_THEY_ARE

_WORD = 1
NodeValue = TypeVar("NodeValue")


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
    words = [tokens_of(parts) for parts in markables]
    minimum = read_minima(markables, words, incidents)
    elements = find_elements(openings, entities, incidents)
    first = [parts[0] for parts in markables]
    bridges: list[Bridge] = []
    if layer == "identity":
        bridging = LayerIncidents(rows, "BRIDGING", collector)
        bridges = read_bridging(rows, openings, markables, words, bridging)
    source = ConlluaSource(path, rows.data, 0, len(rows.names))
    source.cache.update(rows=rows, layer=layer)
    zero = _numbers(opening.row.zero for opening in first)
    gaps = [
        (number, [(token, 0) for token in tokens])
        for number, tokens in enumerate(words)
        if len(tokens) <= tokens[-1] - tokens[0]
    ]
    corpus = Corpus(
        names=tuple(rows.names),
        tokens=_numbers(rows.sizes),
        document=_numbers(opening.row.document for opening in first),
        start=_numbers(tokens[0] for tokens in words),
        end=_numbers(tokens[-1] for tokens in words),
        entity=_numbers(entities.of_markable),
        labels=tuple(entities.labels),
        sources=(source,),
        document_byte=_numbers(rows.begin),
        byte=_numbers(opening.byte for opening in first),
        line=_numbers(opening.row.line + 1 for opening in first),
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
        for name, value in opening.features:
            if name.label and value:
                label = spelling.setdefault(name.label.lower(), name.label)
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
    cells = rows.column(column)
    if None not in cells:
        return
    short = rows.node(cells.index(None))
    for header in rows.headers:
        if column not in header.names:
            shown = shorten(" ".join(header.names))
            line = header.line + 1
            collector.note("column-missing", "header", at=line, name=column, found=shown)
            return
    number = rows.place(column, short.line) + 1
    values = {"number": len(short.cells), "name": column, "place": number}
    collector.note("column-missing", "row", at=short.line + 1, **values)


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
        empty = (None, "", "_")
        numbers = {
            name: sum(cell not in empty for cell in self.rows.column(name))
            for name in OTHER_COLUMNS
        }
        return {name: number for name, number in numbers.items() if number}

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
        return Column.of([*self._of_tokens(self._cells(number, errors))])

    def _cells(self, number: int, errors: str) -> list[str]:
        """The column of all nodes that usually has this number; a header may move it."""
        name = dict(enumerate(OTHER_COLUMNS, 2)).get(number)
        rows = self.rows
        texts = [
            cell or "" for cell in (rows.column(name) if name else cells_at(number, rows.cells))
        ]
        if errors == AS_THEY_ARE:
            return texts
        return [text.encode("utf-8", AS_THEY_ARE).decode("utf-8", errors) for text in texts]

    def _of_tokens(self, values: Iterable[NodeValue]) -> Iterator[NodeValue]:
        """The values of tokens, given those of tokens and zeros."""
        return (value for value, zero in zip(values, self.rows.zero, strict=True) if not zero)

    def sentences(self) -> IntArray:
        """int64 (tokens,): the sentence of each token; blank lines end sentences."""
        sentence = np.searchsorted(self.rows.blank, _numbers(self._of_tokens(self.rows.line)))
        return np.cumsum(np.diff(sentence, prepend=sentence[:1]) > 0)

    def token_lines(self) -> IntArray:
        """int64 (tokens,): the line of each token."""
        return _numbers(self._of_tokens(self.rows.line)) + 1

    def zeros(self) -> tuple[IntArray, IntArray]:
        """The document and the token before each zero, whether it is in a mention or not."""
        rows = self.rows
        is_zero = _numbers(rows.zero) > 0
        return _numbers(rows.document)[is_zero], _numbers(rows.token)[is_zero]

    def zero_cells(self, numbers: Sequence[int]) -> dict[tuple[int, int, int], list[str]]:
        """The cells of all zeros, whether in mentions or not."""
        rows = self.rows
        columns = [self._cells(at, AS_THEY_ARE) for at in numbers]
        nodes = enumerate(zip(rows.document, rows.token, rows.zero, strict=True))
        return {
            identity: [column[node] for column in columns]
            for node, identity in nodes
            if identity[0] >= 0 and identity[2]
        }
