"""The spans that annotators marked in each document, and the text of the document.

Positions are characters, or the surface tokens and empty nodes in text order. They are written as
`sentence:id` in CorefUD documents and as numbers from 0 in all others.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus, Unit
from corefkit.core.incidents import DataError
from corefkit.core.nodes import Node, nodes_of
from corefkit.core.source import FormNode
from corefkit.core.tokens import Tokens, document_text
from corefkit.plugins.adjudication.units import (
    PositionRuns,
    Positions,
    positions_in,
    runs_of_positions,
)
from corefkit.stats.agreement import Annotator


@frozen(eq=False)
class DocumentText:
    """The text of a document.

    Attributes:
        unit: whether positions are tokens or characters.
        nodes: the text of each position; for characters one string, the whole text.
        sentences: the positions at which sentences begin; for characters, lines.
    """

    unit: Unit
    nodes: Sequence[str]
    sentences: tuple[int, ...]

    @property
    def separator(self) -> str:
        """The text to put between two positions when they are shown."""
        return " " if self.unit == "token" else ""

    def words(self, first: int, last: int) -> str:
        """The text from the first to the last position, both included."""
        return self.separator.join(self.nodes[max(first, 0) : last + 1])


@frozen(eq=False)
class DocumentNodes:
    """The positions of a document and its nodes in order.

    `nodes` is None where every position is a token with that number: the document has neither empty
    nodes nor node ids.
    """

    positions: Positions
    nodes: tuple[Node, ...] | None = None

    @cached_property
    def number(self) -> Mapping[Node, int]:
        """The position of each node."""
        return {node: number for number, node in enumerate(self.nodes or ())}

    def runs(self, nodes: Iterable[Node]) -> PositionRuns:
        """The span that consists of these nodes."""
        if self.nodes is None:
            return runs_of_positions(token for token, _ in nodes)
        return runs_of_positions(self.number[node] for node in nodes)

    def nodes_at(self, runs: PositionRuns) -> list[Node]:
        """The nodes of a span, in order."""
        return [(n, 0) if self.nodes is None else self.nodes[n] for n in positions_in(runs)]


class AnnotatedDocuments:
    """The documents of several annotators, under common numbers.

    Attributes:
        annotators: the annotators, in the order of the sides.
        names: the names of the documents; a document's number is its place here.
        index: the number of each document, by its name.
        taking_part: for each document, the numbers of the annotators who have it.
    """

    def __init__(self, annotators: Sequence[Annotator]) -> None:
        self.annotators = annotators
        self.names = annotators[0].corpus.names
        self.index = {name: number for number, name in enumerate(self.names)}
        present = np.array([annotator.present for annotator in annotators])
        self.taking_part = [np.flatnonzero(column).tolist() for column in present.T]
        scored = [annotator.side.scored for annotator in annotators]
        self._numbers = [{name: n for n, name in enumerate(corpus.names)} for corpus in scored]
        self._rows = [corpus.rows_of_documents() for corpus in scored]
        self._nodes: dict[int, DocumentNodes] = {}

    def marked(self, document: int) -> list[dict[PositionRuns, int]]:
        """Span → entity, for each annotator who has the document.

        The entities of an annotator are numbered from 0 in the order of her mentions.
        """
        by_annotator = []
        for annotator in self.taking_part[document]:
            corpus, rows = self.annotators[annotator].side.scored, self.rows(annotator, document)
            entities = [int(corpus.entity[row]) for row in rows.values()]
            number = {entity: n for n, entity in enumerate(dict.fromkeys(entities))}
            mentions = zip(rows, entities, strict=True)
            by_annotator.append({runs: number[entity] for runs, entity in mentions})
        return by_annotator

    def rows(self, annotator: int, document: int) -> dict[PositionRuns, int]:
        """Span → row of the mention in `side.scored` of an annotator."""
        corpus, nodes = self.annotators[annotator].side.scored, self.nodes(document)
        rows = self._rows[annotator][self.number(annotator, document)]
        if corpus.plain and nodes.nodes is None:
            columns = (corpus.start[rows], corpus.end[rows], rows)
            spans = zip(*(column.tolist() for column in columns), strict=True)
            return {((start, end),): row for start, end, row in spans}
        return {nodes.runs(nodes_of(corpus, row)): row for row in rows.tolist()}

    def reader(self, document: int) -> int:
        """The number of the first annotator who has the document in a file.

        Where nobody has it in a file, the number of the first who has it.
        """
        people = self.taking_part[document]
        corpora = [self.annotators[annotator].side.corpus for annotator in people]
        numbers = [self.number(annotator, document) for annotator in people]
        candidates = zip(people, corpora, numbers, strict=True)
        in_files = (a for a, corpus, number in candidates if corpus.source(number) is not None)
        return next(in_files, people[0])

    def number(self, annotator: int, document: int) -> int:
        """The number of a document in the corpus of an annotator."""
        return self._numbers[annotator][self.names[document]]

    def nodes(self, document: int) -> DocumentNodes:
        """The nodes of a document: all tokens, and the empty nodes of all of its annotators."""
        if document not in self._nodes:
            self._nodes[document] = self._find_nodes(document)
        return self._nodes[document]

    def _find_nodes(self, document: int) -> DocumentNodes:
        people = self.taking_part[document]
        sides = [self.annotators[annotator].side for annotator in people]
        numbers = [self.number(annotator, document) for annotator in people]
        versions = [*zip(sides, numbers, strict=True)]
        forms = [_form_nodes(side.corpus, number) for side, number in versions]
        length = max(int(side.corpus.tokens[number]) for side, number in versions)
        zeros = {node for listed in forms for node, _ in _placed(listed or ()) if node[1]}
        for annotator, (side, number) in zip(people, versions, strict=True):
            if not side.scored.plain:
                rows = self._rows[annotator][number].tolist()
                zeros |= {node for row in rows for node in nodes_of(side.scored, row) if node[1]}
        if forms[0] is None and not zeros:
            return DocumentNodes(Positions(None if length < 0 else length))
        length = max(length, max((token for token, _ in zeros), default=-1) + 1)
        nodes = sorted([*((token, 0) for token in range(length)), *zeros])
        labels = [*map(_label, nodes)] if forms[0] is None else _sentence_labels(nodes, forms[0])
        empty = frozenset(number for number, node in enumerate(nodes) if node[1])
        return DocumentNodes(Positions(len(nodes), tuple(labels), empty), tuple(nodes))

    def empty_nodes(self, annotator: int, document: int) -> set[Node] | None:
        """The empty nodes in an annotator's file; None where the format does not list them."""
        corpus = self.annotators[annotator].side.corpus
        number = self.number(annotator, document)
        if (forms := _form_nodes(corpus, number)) is not None:
            return {node for node, _ in _placed(forms) if node[1]}
        source = corpus.source(number)
        listed = None if source is None else source.zeros()
        if source is None or listed is None:
            return None
        of_document, token = listed
        before = Counter(token[of_document == number - source.first_document].tolist())
        return {(t, zero + 1) for t, times in before.items() for zero in range(times)}

    @cached_property
    def _columns(self) -> list[Tokens]:
        return [Tokens(annotator.side.corpus) for annotator in self.annotators]

    def place(self, document: int, runs: PositionRuns) -> str | None:
        """File and line of the first token of a span; None where the line is unknown."""
        annotator = self.reader(document)
        corpus, number = self.annotators[annotator].side.corpus, self.number(annotator, document)
        source, columns = corpus.source(number), self._columns[annotator]
        first, stop = columns.document_start[number : number + 2].tolist()
        token = first + max(self.nodes(document).nodes_at(runs[:1])[0][0], 0)
        if source is None or corpus.unit != "token" or token >= stop:
            return None
        line = int(columns.line[token])
        return f"{source.path}:{line}" if line else None

    def text(self, document: int) -> DocumentText:
        """The text of a document, taken from the annotator `reader` chooses."""
        annotator = self.reader(document)
        corpus, number = self.annotators[annotator].side.corpus, self.number(annotator, document)
        nodes = self.nodes(document)
        if corpus.unit == "character":
            text = document_text(corpus, number)
            if text is None:
                text = UNKNOWN * int(corpus.lengths[number])
            lines = (n + 1 for n, char in enumerate(text) if char == "\n" and n + 1 < len(text))
            return DocumentText("character", text, (0, *lines))
        words, begins = _words(self._columns[annotator], number, int(corpus.lengths[number]))
        if nodes.nodes is None:
            return DocumentText("token", words, tuple(begins))
        placed = _placed(_form_nodes(corpus, number) or ())
        forms = {node: form_node.form.decode("utf-8", "replace") for node, form_node in placed}
        forms |= {(token, 0): word for token, word in enumerate(words)}
        shown = [forms.get(node, UNKNOWN) for node in nodes.nodes]
        return DocumentText("token", shown, tuple(_sentence_positions(begins, nodes.nodes)))


UNKNOWN = "·"
"""Shown in place of unknown text: one per token or character."""


def _words(columns: Tokens, document: int, length: int) -> tuple[list[str], list[int]]:
    """The words of a document, and the tokens at which its sentences begin."""
    first, stop = columns.document_start[document : document + 2].tolist()
    if stop == first or not columns.has("word"):
        return [UNKNOWN] * length, [0]
    column = columns.column("word")
    words = [column.values[code] for code in column.code[first:stop].tolist()]
    try:
        starts = columns.sentence_start
    except DataError:
        return words, [0]
    bounds = np.searchsorted(starts, [first, stop])
    return words, (starts[bounds[0] : bounds[1]] - first).tolist()


def _sentence_positions(begins: Iterable[int], nodes: Sequence[Node]) -> Iterator[int]:
    """The positions at which sentences begin, from their first tokens.

    Empty nodes before the first token of a sentence belong to the sentence.
    """
    number = {node: position for position, node in enumerate(nodes)}
    for token in begins:
        position = number.get((token, 0), 0)
        while position and nodes[position - 1][1] > BEFORE_SENTENCE:
            position -= 1
        yield position


def _form_nodes(corpus: Corpus, document: int) -> list[FormNode] | None:
    """The nodes of a document with their forms; None where its format does not list nodes."""
    source = corpus.source(document)
    if source is None or corpus.unit != "token":
        return None
    listed = source.once("nodes by document", source.nodes)
    return None if listed is None else listed[document - source.first_document]


def _placed(forms: Iterable[FormNode]) -> Iterator[tuple[Node, FormNode]]:
    """Each node with its token and zero number in the document."""
    token = -1
    for node in forms:
        token += not node.zero
        yield (token, node.zero), node


def _label(node: Node) -> str:
    """A node as it is written outside CorefUD: `12`, `12.1`; `^13.1` precedes token 13."""
    token, zero = node
    if not zero:
        return str(token)
    before = token < 0 or zero > BEFORE_SENTENCE
    return f"^{token + 1}.{zero % BEFORE_SENTENCE}" if before else f"{token}.{zero}"


def _sentence_labels(nodes: Iterable[Node], forms: Iterable[FormNode]) -> list[str]:
    """The nodes as they are written in CorefUD: `sentence:id`, with sentences from 1."""
    words, number, sentence = list[tuple[int, int]](), 0, -1
    for node in forms:
        if node.sentence != sentence:
            sentence, word, number = node.sentence, 0, number + 1
        if not node.zero:
            word += 1
            words.append((number, word))
    labels = []
    for token, zero in nodes:
        if zero > BEFORE_SENTENCE:
            sentence_number = words[token + 1][0] if token + 1 < len(words) else number
            labels.append(f"{sentence_number}:0.{zero - BEFORE_SENTENCE}")
        else:
            sentence_number, word = words[token] if token < len(words) else (number, token)
            labels.append(
                f"{sentence_number}:{word}.{zero}" if zero else f"{sentence_number}:{word}"
            )
    return labels
