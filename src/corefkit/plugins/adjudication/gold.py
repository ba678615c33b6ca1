"""The gold standard: the kept mentions, written into the files of annotators.

The words, sentences and columns of a document are those of the first annotator whose file has all
empty nodes of the kept mentions. A mention takes its head and its labels from the first annotator
who has exactly its span.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray
from corefkit.core.corpus import Corpus, concat
from corefkit.core.incidents import data_error
from corefkit.core.mention_columns import MentionLabels, Ragged
from corefkit.core.nodes import Node
from corefkit.formats.kit.content import take_documents
from corefkit.plugins.adjudication.annotations import AnnotatedDocuments
from corefkit.plugins.adjudication.draft import Draft
from corefkit.plugins.adjudication.replay import Replay
from corefkit.plugins.adjudication.units import PositionRuns

_NEW = -1
"""The annotator number of a mention whose span no annotator has."""


class _GoldMention(NamedTuple):
    """A kept mention: its document, entity and span, and the annotator and row it comes from."""

    document: int
    entity: int
    runs: PositionRuns
    annotator: int
    row: int


def make_gold(draft: Draft, replays: Sequence[Replay], *, written: bool = True) -> Corpus:
    """The corpus of kept mentions and entities.

    Raises DataError where it is to be written and no file has all empty nodes of a document.
    """
    source = draft.source
    numbers = [source.index[document.name] for document in draft.documents]
    homes = {
        n: _home(source, n, replayed, written) for n, replayed in zip(numbers, replays, strict=True)
    }
    # The documents of one annotator come together, because `_frame` takes them together.
    order = sorted(range(len(numbers)), key=lambda index: homes[numbers[index]])
    frame, moves = _frame(source, {numbers[index]: homes[numbers[index]] for index in order})
    mentions: list[_GoldMention] = []
    labels: list[str] = []
    prefix = _entity_prefix(draft)
    for index in order:
        rows = _rows(source, numbers[index])
        for number, entity in enumerate(replays[index].entities):
            for runs in entity:
                origin = rows.get(runs, (_NEW, 0))
                mentions.append(_GoldMention(numbers[index], len(labels), runs, *origin))
            # With letters they run through the corpus, without they begin at 0 in each document.
            labels.append(f"{prefix}{len(labels) + 1}" if prefix else str(number))
    corpus = _assemble(source, mentions, frame.unit)
    frame_number = {numbers[index]: n for n, index in enumerate(order)}
    document = [frame_number[mention.document] for mention in mentions]
    entity_of = np.array([mention.entity for mention in mentions], dtype=np.int64)
    return replace(
        corpus,
        names=frame.names,
        tokens=frame.tokens,
        sources=frame.sources,
        document_byte=frame.document_byte,
        document=np.array(document, dtype=np.int64),
        entity=entity_of,
        labels=tuple(labels),
        byte=_bytes(source, mentions, homes, moves),
        line=np.zeros(len(mentions), dtype=np.int64),
        mention_labels=_with_one_type(corpus.mention_labels, entity_of),
    )


def _rows(source: AnnotatedDocuments, document: int) -> dict[PositionRuns, tuple[int, int]]:
    """Span → the first annotator who has it, and its row in her corpus."""
    rows: dict[PositionRuns, tuple[int, int]] = {}
    for annotator in source.taking_part[document]:
        for runs, row in source.rows(annotator, document).items():
            rows.setdefault(runs, (annotator, row))
    return rows


def _home(source: AnnotatedDocuments, document: int, replayed: Replay, written: bool) -> int:
    """The annotator whose file is used: the first that has all empty nodes of kept mentions."""
    nodes = source.nodes(document)
    people = sorted(source.taking_part[document], key=lambda a: a != source.reader(document))
    if not nodes.positions.zeros or not written:
        return people[0]
    kept = {
        node for entity in replayed.entities for runs in entity for node in nodes.nodes_at(runs)
    }
    zeros = {node for node in kept if node[1]}
    in_files = [source.empty_nodes(annotator, document) for annotator in people]
    for annotator, empty_nodes in zip(people, in_files, strict=True):
        if empty_nodes is None or zeros <= empty_nodes:
            return annotator
    corpus = source.annotators[people[0]].side.corpus
    missing = len(zeros - (in_files[0] or set()))
    raise data_error(
        "empty-nodes-differ",
        "adjudication",
        at=corpus.document_place(source.number(people[0], document)),
        found=f"{missing:,} of kept mentions that this file lacks",
        expected="one annotator whose file has the empty nodes of all kept mentions",
    )


def _frame(
    source: AnnotatedDocuments, homes: Mapping[int, int]
) -> tuple[Corpus, dict[int, int | None]]:
    """The documents without mentions, and the shift of each document in bytes.

    The shift is None where the place of the document in its file is unknown.
    """
    of_annotator: dict[int, list[int]] = {}
    for document, annotator in homes.items():
        of_annotator.setdefault(annotator, []).append(document)
    corpora, moves = [], dict[int, int | None]()
    for annotator, documents in of_annotator.items():
        whole = source.annotators[annotator].side.corpus
        numbers = [source.number(annotator, document) for document in documents]
        taken = take_documents(whole, numbers)
        corpora.append(taken)
        for index, (document, number) in enumerate(zip(documents, numbers, strict=True)):
            moves[document] = None
            if len(taken.document_byte) > index and len(whole.document_byte) > number:
                moved = taken.document_byte[index] - whole.document_byte[number]
                moves[document] = int(moved)
    return concat(corpora), moves


def _assemble(source: AnnotatedDocuments, mentions: Sequence[_GoldMention], unit: Any) -> Corpus:
    """A corpus with one row per mention, in order, with the heads and labels of annotators."""
    pieces, listed = [], list[int]()
    for annotator, person in enumerate(source.annotators):
        numbers = [n for n, mention in enumerate(mentions) if mention.annotator == annotator]
        rows = np.array([mentions[n].row for n in numbers], dtype=np.int64)
        piece = person.side.scored.take(rows)
        pieces.append(_without_files(piece))
        listed += numbers
    new = [n for n, mention in enumerate(mentions) if mention.annotator == _NEW]
    spans = [source.nodes(mentions[n].document).nodes_at(mentions[n].runs) for n in new]
    pieces.append(_new_mentions(spans, unit))
    order = np.argsort(np.array([*listed, *new], dtype=np.int64), kind="stable")
    return concat(pieces).take(order)


def _without_files(corpus: Corpus) -> Corpus:
    """The mentions without their files and without relations between them."""
    return replace(
        corpus,
        sources=(),
        document_byte=EMPTY,
        byte=EMPTY,
        line=EMPTY,
        links=None,
        referring=None,
        match_class=None,
        plurals=None,
        incidents=(),
    )


def _new_mentions(spans: Sequence[Sequence[Node]], unit: Any) -> Corpus:
    """A corpus with a singleton for each of these lists of nodes."""
    start = [min(token for token, _ in nodes) for nodes in spans]
    end = [max(token for token, _ in nodes) for nodes in spans]
    zero = [nodes[0][1] if len(nodes) == 1 else 0 for nodes in spans]
    runs = [[(token, 0) for token in range(a, b + 1)] for a, b in zip(start, end, strict=True)]
    parts = [
        (row, [*nodes])
        for row, nodes in enumerate(spans)
        if len(nodes) > 1 and [*nodes] != runs[row]
    ]
    size = len(spans)
    return Corpus(
        names=("",),
        tokens=np.array([-1], dtype=np.int64),
        document=np.zeros(size, dtype=np.int64),
        start=np.array(start, dtype=np.int64),
        end=np.array(end, dtype=np.int64),
        entity=np.arange(size),
        labels=tuple(map(str, range(size))),
        zero=np.array(zero, dtype=np.int64) if any(zero) else None,
        nodes=Ragged.of(parts),
        unit=unit,
    )


def _bytes(
    source: AnnotatedDocuments,
    mentions: Sequence[_GoldMention],
    homes: Mapping[int, int],
    moves: Mapping[int, int | None],
) -> IntArray:
    """The byte of each mention in the file of its document; −1 where it is not in that file."""
    bytes_of = np.full(len(mentions), -1, dtype=np.int64)
    for n, mention in enumerate(mentions):
        moved = moves[mention.document]
        if mention.annotator == homes[mention.document] and moved is not None:
            scored = source.annotators[mention.annotator].side.scored
            if len(scored.byte) == scored.mentions:
                bytes_of[n] = int(scored.byte[mention.row]) + moved
    return bytes_of


def _with_one_type(labels: MentionLabels | None, entity: IntArray) -> MentionLabels | None:
    """The labels, in which all mentions of an entity have its most frequent `etype`."""
    if labels is None or "etype" not in labels.columns:
        return labels
    values: dict[int, Counter[str]] = {}
    for number, value in zip(entity.tolist(), labels.columns["etype"].to_list(), strict=True):
        values.setdefault(number, Counter())[value] += bool(value)
    chosen = {number: counts.most_common(1)[0][0] for number, counts in values.items()}
    listed = {name: column.to_list() for name, column in labels.columns.items()}
    return MentionLabels.of({**listed, "etype": [chosen[number] for number in entity.tolist()]})


def _entity_prefix(draft: Draft) -> str:
    """The letters with which the first annotator's ids of entities begin; may be empty."""
    labels = draft.source.annotators[0].side.scored.labels
    match = re.match(r"[A-Za-z]*", labels[0] if labels else "")
    return match[0] if match else ""
