"""Steps in the preparation of a side (see `Scorer.prepare`): ids and glued brackets as other
scorers read them, and the report on copies of repeated spans, which `Scorer.drop_copies` drops.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, Incident, Severity, make_incident
from corefkit.core.nodes import CopyOrder, kept_copies, repeated_spans, span_of


def with_digits(corpus: Corpus) -> tuple[Corpus, list[Incident]]:
    """The corpus without entities whose ids are not numbers, and an incident if there are any.

    In column formats, the reader has already left out such brackets and reported them.
    """
    digits = [label.isascii() and label.isdigit() for label in corpus.labels]
    seen = np.array(digits, dtype=bool)[corpus.entity]
    unseen = int((~seen).sum())
    if not unseen:
        return corpus, []
    expected = "ids of digits, as the reference scorer wants them"
    incident = make_incident("ids-unseen", number=unseen, file=corpus.path, expected=expected)
    return corpus.take(seen), [incident]


def without_glued(corpus: Corpus) -> tuple[Corpus, list[Incident]]:
    """The corpus without mentions whose opening bracket directly precedes another one, and an
    incident for each of them.
    """
    glued = np.zeros(corpus.mentions, dtype=bool)
    if len(corpus.byte):
        labels = [label.encode("utf-8", "surrogateescape") for label in corpus.labels]
        after = corpus.byte + 1 + np.array([*map(len, labels)], dtype=np.int64)[corpus.entity]
        for source in corpus.sources:
            first, last = source.first_document, source.first_document + source.documents
            here = np.flatnonzero((corpus.document >= first) & (corpus.document < last))
            glued[here] = source.glued_openings(after[here])
    collector = Collector(corpus.path)
    for row in np.flatnonzero(glued).tolist():
        collector.note(
            "brackets-glued", at=partial(corpus.mention_place, row), expected="| between brackets"
        )
    return corpus.take(~glued), list(collector)


class Copies(NamedTuple):
    """The repeated spans of a corpus.

    Attributes:
        by_label: the corpus in which mentions with other labels are other spans.
        repeated: bool (mentions,): those whose span occurs more than once.
        kept: bool (mentions,): all but the later copies.
    """

    by_label: Corpus
    repeated: BoolArray
    kept: BoolArray


def find_copies(corpus: Corpus, order: CopyOrder = "first", labels: Sequence[str] = ()) -> Copies:
    """The spans of a corpus that occur more than once; mentions that differ in one of the labels
    are no copies.
    """
    if labels:
        from corefkit.matching.labels import by_labels

        (corpus,) = by_labels(labels, corpus)
    repeated = repeated_spans(corpus)
    kept = kept_copies(corpus, repeated, order) if repeated.any() else ~repeated
    return Copies(corpus, repeated, kept)


def report_copies(
    corpus: Corpus, copies: Copies, severity: Severity, hint: str = ""
) -> list[Incident]:
    """One incident for each copy of a span after the first.

    `hint` is the variant of the incident's hint, which says what becomes of the copies.
    """
    collector = Collector(corpus.path)
    spans = copies.by_label
    firsts = np.flatnonzero(copies.kept & copies.repeated)
    keeper = {span_of(spans, row): row for row in firsts.tolist()}
    for row in np.flatnonzero(~copies.kept).tolist():
        kept_in, repeated_in = (int(corpus.entity[r]) for r in (keeper[span_of(spans, row)], row))
        kind = "span-twice" if kept_in == repeated_in else "span-in-two-entities"
        if collector.full(kind):
            collector.note(kind)
            continue
        start, end = int(corpus.start[row]), int(corpus.end[row])
        collector.note(
            kind,
            hint,
            severity=severity,
            entity=corpus.labels[kept_in],
            other=corpus.labels[repeated_in],
            at=partial(corpus.mention_place, row),
            found=f"{corpus.unit}s {start} to {end} of the document, counted from 0",
            expected="each span once",
        )
    return list(collector)


def with_known_heads(
    key: Corpus, response: Corpus, texts: Corpus, rule: str
) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides with the heads of the key and, for the rule `head`, those of the response.

    If files do not declare heads, they come from the trees of the key (`texts`), also for the
    response; a mention that is not a constituent has its last token as head. If there are no
    trees, either, there is an error.
    """
    from corefkit.features.heads import UNKNOWN, heads_by_tree, with_heads

    if rule == "partial" and key.minimum is not None:
        return key, response, [] if (key.minimum >= 0).any() else [make_incident("min-none")]
    for side in (key, response) if rule == "head" else (key,):
        undeclared = side.end > side.start
        if side.head is not None:
            undeclared &= side.head == UNKNOWN
        rows = np.flatnonzero(undeclared)
        if len(rows) and not (heads_by_tree(side, texts, rows) >= 0).any():
            expected = "heads declared in the files, or trees in the key"
            return key, response, [make_incident("head-unknown", match=rule, expected=expected)]
    known = with_heads(response, texts) if rule == "head" else response
    return with_heads(key, texts), known, []
