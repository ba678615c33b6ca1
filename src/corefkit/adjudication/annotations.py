"""What annotators marked in each document, as spans of positions, and the text they stand in.

Positions are surface tokens in the order of the text, with the empty nodes between them, or
characters. CorefUD documents write them as `sentence:id`, all others as numbers from 0.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from corefkit.adjudication.units import PositionRuns, Positions, runs_of_positions
from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus, Unit
from corefkit.core.incidents import DataError
from corefkit.core.nodes import Node, nodes_of
from corefkit.core.tokens import TokenColumns, document_text
from corefkit.formats import FormNode, format_of
from corefkit.stats.agreement import Annotator


@frozen(eq=False)
class DocumentText:
    """The text of a document.

    Attributes:
        unit: what positions are.
        nodes: the text of each position; of characters the whole text.
        sentences: the positions at which sentences begin, of characters lines.
    """

    unit: Unit
    nodes: Sequence[str]
    sentences: tuple[int, ...]

    @property
    def separator(self) -> str:
        """What stands between two positions where text is shown."""
        return " " if self.unit == "token" else ""

    def words(self, first: int, last: int) -> str:
        """The text from one position to another, both included."""
        return self.separator.join(self.nodes[max(first, 0) : last + 1])


@frozen(eq=False)
class DocumentNodes:
    """The nodes of a document in order, where it has empty ones or ids; None: its tokens."""

    positions: Positions
    nodes: tuple[Node, ...] | None = None

    @cached_property
    def number(self) -> Mapping[Node, int]:
        """The position of each node."""
        return {node: number for number, node in enumerate(self.nodes or ())}

    def runs(self, nodes: Iterable[Node]) -> PositionRuns:
        """The span of these nodes."""
        if self.nodes is None:
            return runs_of_positions(token for token, _ in nodes)
        return runs_of_positions(self.number[node] for node in nodes)

    def nodes_at(self, runs: PositionRuns) -> list[Node]:
        """The nodes of a span, in order."""
        numbers = (n for first, last in runs for n in range(first, last + 1))
        return [(n, 0) if self.nodes is None else self.nodes[n] for n in numbers]


class AnnotatedDocuments:
    """The documents of several annotators, numbered alike.

    `index` has the number of each document by its name, `taking_part` the numbers of the annotators
    who have it.
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
        """Span → entity for each annotator who has the document; entities from 0, in order."""
        listed = []
        for annotator in self.taking_part[document]:
            corpus, rows = self.annotators[annotator].side.scored, self.rows(annotator, document)
            entities = [int(corpus.entity[row]) for row in rows.values()]
            number = {entity: n for n, entity in enumerate(dict.fromkeys(entities))}
            mentions = zip(rows, entities, strict=True)
            listed.append({runs: number[entity] for runs, entity in mentions})
        return listed

    def rows(self, annotator: int, document: int) -> dict[PositionRuns, int]:
        """Span → row among the mentions of an annotator, `side.scored`."""
        corpus, nodes = self.annotators[annotator].side.scored, self.nodes(document)
        rows = self._rows[annotator][self.number(annotator, document)]
        if corpus.plain and nodes.nodes is None:
            columns = (corpus.start[rows], corpus.end[rows], rows)
            spans = zip(*(column.tolist() for column in columns), strict=True)
            return {((start, end),): row for start, end, row in spans}
        return {nodes.runs(nodes_of(corpus, row)): row for row in rows.tolist()}

    def reader(self, document: int) -> int:
        """The first annotator who has the document in a file; else the first who has it."""
        people = self.taking_part[document]
        corpora = [self.annotators[annotator].side.corpus for annotator in people]
        numbers = [self.number(annotator, document) for annotator in people]
        both = zip(people, corpora, numbers, strict=True)
        return next((a for a, corpus, place in both if corpus.source(place) is not None), people[0])

    def number(self, annotator: int, document: int) -> int:
        """The number that a document has in the files of an annotator."""
        return self._numbers[annotator][self.names[document]]

    def nodes(self, document: int) -> DocumentNodes:
        """The nodes of a document, as its first annotator has them, and zeros of the others."""
        if document not in self._nodes:
            self._nodes[document] = self._find_nodes(document)
        return self._nodes[document]

    def _find_nodes(self, document: int) -> DocumentNodes:
        people = self.taking_part[document]
        sides = [self.annotators[annotator].side for annotator in people]
        numbers = [self.number(annotator, document) for annotator in people]
        both = [*zip(sides, numbers, strict=True)]
        forms = [_form_nodes(side.corpus, number) for side, number in both]
        length = max(int(side.corpus.tokens[number]) for side, number in both)
        zeros = {node for listed in forms for node, _ in _placed(listed or ()) if node[1]}
        for annotator, (side, number) in zip(people, both, strict=True):
            if not side.scored.plain:
                rows = self._rows[annotator][number].tolist()
                zeros |= {node for row in rows for node in nodes_of(side.scored, row) if node[1]}
        if forms[0] is None and not zeros:
            return DocumentNodes(Positions(None if length < 0 else length))
        length = max(length, max((token for token, _ in zeros), default=-1) + 1)
        nodes = sorted([*((token, 0) for token in range(length)), *zeros])
        labels = [*map(_label, nodes)] if forms[0] is None else _sentence_labels(nodes, forms[0])
        places = frozenset(number for number, node in enumerate(nodes) if node[1])
        return DocumentNodes(Positions(len(nodes), tuple(labels), places), tuple(nodes))

    def empty_nodes(self, annotator: int, document: int) -> set[Node] | None:
        """The empty nodes that the file of an annotator has; None where they are not listed."""
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
    def _columns(self) -> list[TokenColumns]:
        return [TokenColumns(annotator.side.corpus) for annotator in self.annotators]

    def place(self, document: int, runs: PositionRuns) -> str | None:
        """File and line of the first token of a span; None where lines are not known."""
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
        """The text of a document, of the first annotator who has a file of it."""
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
        return DocumentText("token", shown, tuple(_moved(begins, nodes.nodes)))


UNKNOWN = "·"
"""Stands for text that is not known."""


def _words(columns: TokenColumns, document: int, length: int) -> tuple[list[str], list[int]]:
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


def _moved(begins: Iterable[int], nodes: Sequence[Node]) -> Iterator[int]:
    """Where sentences begin among the nodes: zeros before their first words belong to them."""
    number = {node: place for place, node in enumerate(nodes)}
    for token in begins:
        place = number.get((token, 0), 0)
        while place and nodes[place - 1][1] > BEFORE_SENTENCE:
            place -= 1
        yield place


def _form_nodes(corpus: Corpus, document: int) -> list[FormNode] | None:
    """The nodes of a document; None where its format numbers no sentences."""
    source = corpus.source(document)
    if source is None or corpus.unit != "token" or (list_nodes := format_of(source).nodes) is None:
        return None
    listed = source.once("nodes by document", lambda: list_nodes(source))
    return listed[document - source.first_document]


def _placed(forms: Iterable[FormNode]) -> Iterator[tuple[Node, FormNode]]:
    """The nodes with their places in the document."""
    token = -1
    for node in forms:
        token += not node.zero
        yield (token, node.zero), node


def _label(node: Node) -> str:
    """How a node is written outside CorefUD: `12`, `12.1`; `^13.1` stands before token 13."""
    token, zero = node
    if not zero:
        return str(token)
    before = token < 0 or zero > BEFORE_SENTENCE
    return f"^{token + 1}.{zero % BEFORE_SENTENCE}" if before else f"{token}.{zero}"


def _sentence_labels(nodes: Iterable[Node], forms: Iterable[FormNode]) -> list[str]:
    """How nodes are written in CorefUD: `sentence:id`, sentences from 1."""
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
