"""Writing CoNLL-UA files: the layer of a corpus, with its bridging and split antecedents."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from corefkit.core.arrays import ranks_of
from corefkit.core.columns import MASKS
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import Incident, data_error, make_incident
from corefkit.core.links import KINDS
from corefkit.core.names import on_one_line
from corefkit.core.nodes import Node, node_runs
from corefkit.formats.kit.content import (
    file_columns,
    known_column,
    known_sentences,
    zero_cells,
)
from corefkit.formats.kit.convert import features_dropped
from corefkit.formats.kit.files import AS_THEY_ARE

_HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS\n"
)
_LABEL = re.compile(r"[^\s()|=@,]+")
_PSEUDO = "-Pseudo"
_VALUE = re.compile(r"(?!@)[^\s()|]+(?<!@)")
_TYPE = "SemType"
"""The name in CoNLL-UA of the entity type, CorefUD's `etype`."""
_FORM = 1
_COPIED = {"conllua": range(2, 10), "conllu": range(2, 6)}
"""The columns between the word and the layers that are copied from files, by their format."""


def to_bytes(corpus: Corpus) -> tuple[bytes, list[Incident]]:
    """The file, and a warning about labels that it cannot express.

    Raises DataError for mentions that cross, which brackets cannot express.
    """
    writer = _Writer(corpus)
    data = "".join(writer.lines()).encode("utf-8", AS_THEY_ARE)
    return data, features_dropped(writer.unfit)


class _Writer:
    """Makes the lines of a file; `unfit` counts the labels that were not written, by name."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._labels = _labels(corpus)
        self._words, self._sentences = known_column(corpus, "word"), known_sentences(corpus)
        layers = {source.cache.get("layer") for source in corpus.sources}
        self._deixis = layers == {"deixis"}
        formats = {source.format for source in corpus.sources}
        copied = _COPIED.get(formats.pop(), ()) if len(formats) == 1 else ()
        self._columns = file_columns(corpus, copied)
        self._zeros = zero_cells(corpus, (_FORM, *copied)) if copied else []
        self._copied = copied
        self._plurals: dict[int, list[int]] = {}
        self._bridges: list[list[tuple[int, str]]] = [[] for _ in corpus.names]
        self._read_links()
        self.unfit: Counter[str] = Counter()
        self._features_of = self._read_labels()

    def _read_links(self) -> None:
        """Read split antecedents and bridging, whatever kind of links a corpus has for them."""
        corpus = self._corpus
        if (links := corpus.links) is None:
            return
        rows: dict[int, list[int]] = {}
        for row in corpus.text_order.tolist():
            rows.setdefault(int(corpus.entity[row]), []).append(row)
        rank = ranks_of(corpus.text_order)
        ends = links.kind.tolist(), links.source.tolist(), links.target.tolist()
        for kind, source, target, label in zip(*ends, links.label, strict=True):
            if KINDS[kind] in ("element", "split"):
                self._plurals.setdefault(target, []).append(source)
                continue
            if KINDS[kind] == "bridging-entity":
                # The anchor is an entity: take its last mention before the anaphor, or its first.
                before = [row for row in rows[target] if rank[row] < rank[source]]
                target = before[-1] if before else rows[target][0]  # noqa: PLW2901
            relation = f"|Rel={label}" if _VALUE.fullmatch(label) else ""
            bridge = f"(MarkableID=m{source}{relation}|MentionAnchor=m{target})"
            self._bridges[int(corpus.document[source])].append((source, bridge))

    def _read_labels(self) -> list[list[str]]:
        """The labels of each mention as features; those that cannot be written are counted."""
        labels = self._corpus.mention_labels
        features: list[list[str]] = [[] for _ in range(self._corpus.mentions)]
        for name, column in labels.columns.items() if labels is not None else ():
            written = _TYPE if name == "etype" else name
            for row, value in enumerate(column.to_list()):
                if _VALUE.fullmatch(value) and _LABEL.fullmatch(written):
                    features[row].append(f"{written}={value}")
                elif value:
                    self.unfit[name] += 1
        return features

    def lines(self) -> Iterator[str]:
        """All lines, with their line ends."""
        yield _HEADER
        before = 0
        for number, rows in enumerate(self._corpus.rows_of_documents()):
            tokens = int(self._corpus.lengths[number])
            name = on_one_line(self._corpus.names[number]) or "_"
            yield f"# newdoc id = {name}\n"
            yield from self._document(number, rows.tolist(), before, tokens)
            yield "\n"
            before += tokens

    def _document(self, number: int, rows: list[int], before: int, tokens: int) -> Iterator[str]:
        runs = {row: node_runs(self._corpus, row) for row in rows}
        known = self._zeros[number] if self._zeros else {}
        begins = (first for listed in runs.values() for first, _ in listed)
        place = _placed_zeros({*known, *begins})
        places = {row: [(place(*a), place(*b)) for a, b in listed] for row, listed in runs.items()}
        zero_cells = {place(*node): cells for node, cells in known.items()}
        zeros: dict[int, int] = {}
        begins = (first for listed in places.values() for first, _ in listed)
        for token, zero in {*zero_cells, *begins}:
            zeros[token] = max(zeros.get(token, 0), zero)
        cells = self._cells(number, places)
        bridges: dict[Node, str] = {}
        for row, text in self._bridges[number]:
            first, _ = places[row][0]
            bridges[first] = bridges.get(first, "") + text
        sentence = None
        for token in range(-1, tokens):
            node = token, 0
            if token >= 0:
                current = None if self._sentences is None else int(self._sentences[before + token])
                if current is not None and sentence is not None and current != sentence:
                    yield "\n"
                sentence = current
                word = self._words[before + token] if self._words else "_"
                columns = {at: column[before + token] for at, column in self._columns.items()}
                yield self._row(str(token + 1), word, cells.get(node), bridges.get(node), columns)
            for zero in range(1, zeros.get(token, 0) + 1):
                node = token, zero
                name = f"{token + 1}.{zero}"
                word, *others = zero_cells.get(node, ["_"])
                columns = dict(zip(self._copied, others, strict=False))
                yield self._row(name, word, cells.get(node), bridges.get(node), columns)

    def _row(
        self,
        name: str,
        word: str,
        cell: str | None,
        bridges: str | None,
        columns: Mapping[int, str] = {},
    ) -> str:
        layers = (None, bridges, cell) if self._deixis else (cell, bridges, None)
        form = "_" if word in MASKS or not word.strip() else word
        others = (columns.get(at) or "_" for at in range(2, 10))
        return "\t".join([name, form, *others, *(layer or "_" for layer in layers)]) + "\n"

    def _cells(self, number: int, node_runs: "_MentionRuns") -> dict[Node, str]:
        """Node → its brackets: closing ones first, then opening ones, longer mentions first."""
        runs = sorted(
            (
                (first, last, row)
                for row, mention_runs in node_runs.items()
                for first, last in mention_runs
            ),
            key=lambda run: (run[0], tuple(-x for x in run[1]), run[2]),
        )
        opened: dict[Node, str] = {}
        closed: dict[Node, int] = {}
        stack: list[Node] = []
        for first, last, row in runs:
            while stack and stack[-1] <= first and stack[-1] < last:
                stack.pop()
            if stack and stack[-1] < last:
                raise data_error(
                    "mentions-cross",
                    "conllua",
                    document=self._corpus.names[number],
                    found=f"tokens {first[0]} to {last[0]} of the document, counted from 0",
                    expected="mentions apart or one inside the other",
                )
            if first == last:
                opened[first] = opened.get(first, "") + f"({self._features(row)})"
                continue
            stack.append(last)
            opened[first] = opened.get(first, "") + f"({self._features(row)}"
            closed[last] = closed.get(last, 0) + 1
        return {
            node: ")" * closed.get(node, 0) + opened.get(node, "") for node in {*opened, *closed}
        }

    def _features(self, row: int) -> str:
        corpus, entity = self._corpus, int(self._corpus.entity[row])
        features = [f"EntityID={self._labels[entity]}", f"MarkableID=m{row}"]
        if corpus.minimum is not None and corpus.minimum[row, 0] >= 0:
            low, high = (int(x) + 1 for x in corpus.minimum[row])
            features.append(f"Min={low}" if low == high else f"Min={low},{high}")
        if entity in self._plurals:
            plurals = ",".join(self._labels[plural] for plural in self._plurals[entity])
            features.append(f"ElementOf={plurals}")
        features += self._features_of[row]
        return "|".join(features)


def zeros_moved(corpus: Corpus) -> list[Incident]:
    """A warning if mentions are zeros before a sentence, which CoNLL-UA cannot express."""
    if corpus.zero is None:
        return []
    number = int((corpus.zero > BEFORE_SENTENCE).sum())
    return [make_incident("layer-dropped", "zeros", number=number)] if number else []


def bridges_repeated(corpus: Corpus) -> list[Incident]:
    """A warning if anaphors have several anchors, of which readers of CoNLL-UA take one."""
    if corpus.links is None:
        return []
    kinds = [KINDS.index("bridging"), KINDS.index("bridging-entity")]
    anaphors = corpus.links.source[np.isin(corpus.links.kind, kinds)].tolist()
    number = len(anaphors) - len(set(anaphors))
    return [make_incident("layer-dropped", "bridges", number=number)] if number else []


_MentionRuns = dict[int, list[tuple[Node, Node]]]
"""Mention → its runs, each given by its first and last node."""


def _placed_zeros(nodes: set[Node]) -> Callable[[int, int], Node]:
    """A function from a node to its place in CoNLL-UA.

    There all zeros follow a token, so those before a sentence are numbered after those that follow
    the last token of the sentence before.
    """
    last: dict[int, int] = {}
    for token, zero in nodes:
        if zero < BEFORE_SENTENCE:
            last[token] = max(last.get(token, 0), zero)

    def place(token: int, zero: int) -> Node:
        moved = zero > BEFORE_SENTENCE
        return token, zero - BEFORE_SENTENCE + last.get(token, 0) if moved else zero

    return place


def _labels(corpus: Corpus) -> list[str]:
    """The written ids of entities; new ones if ids in a document repeat or have bad characters."""
    named = set(zip(corpus.entity_document.tolist(), corpus.labels, strict=True))
    fit = len(named) == corpus.entities and all(map(_LABEL.fullmatch, corpus.labels))
    labels = list(corpus.labels) if fit else [str(n + 1) for n in range(corpus.entities)]
    if corpus.referring is not None:
        for entity in set(corpus.entity[~corpus.referring].tolist()):
            if not labels[entity].lower().endswith(_PSEUDO.lower()):
                labels[entity] += _PSEUDO
    return labels
