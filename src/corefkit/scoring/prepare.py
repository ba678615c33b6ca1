"""What is done to the sides before they are compared: each by name, and nothing untold."""

import numpy as np

from corefkit.data.arrays import BoolArray
from corefkit.scoring.check import repeated_spans
from corefkit.data.corpus import Corpus, Span
from corefkit.data.incidents import Collector, Incident, Severity
from corefkit.data.options import Options


def prepare(corpus: Corpus, options: Options) -> tuple[Corpus, list[Incident]]:
    """The corpus as it is scored: repeated spans and singletons as the options say.

    The policy "reference" needs both sides; see `remove_repeats`.
    """
    incidents: list[Incident] = []
    if options.ids == "digits":
        digits = [label.isascii() and label.isdigit() for label in corpus.labels]
        corpus = corpus.keep(np.array(digits, dtype=bool)[corpus.entity])
    if options.duplicates != "reference":
        repeated = repeated_spans(corpus)
        if repeated.any():
            choose = last_copies if options.duplicates == "last" else first_copies
            kept = choose(corpus, repeated)
            incidents = _tell_copies(corpus, repeated, kept, options)
            corpus = corpus.keep(kept)
    if options.singletons == "drop":
        corpus = corpus.drop_singletons()
    return corpus, incidents


def distinct_spans(corpus: Corpus) -> Corpus:
    """The corpus with one copy of each span, the first."""
    repeated = repeated_spans(corpus)
    return corpus.keep(first_copies(corpus, repeated)) if repeated.any() else corpus


def align(response: Corpus, key: Corpus) -> Corpus:
    """The response with the documents of the key, in its order: none missing, none extra."""
    if response.names == key.names:
        return response
    number = {name: i for i, name in enumerate(key.names)}
    to_key = np.array([number.get(name, -1) for name in response.names], dtype=np.int64)
    wanted = to_key >= 0
    response = response.keep(wanted[response.document])
    tokens = np.full(len(key.names), -1, dtype=np.int64)
    tokens[to_key[wanted]] = response.tokens[wanted]
    return Corpus(
        key.names,
        tokens,
        to_key[response.document],
        response.start,
        response.end,
        response.entity,
        response.labels,
    )


def last_copies(corpus: Corpus, repeated: BoolArray) -> BoolArray:
    """bool (mentions,): one copy of each span, in the entity whose first bracket comes last.

    First means leftmost, also within a cell; in a corpus made in Python the order is its own.
    """
    kept = ~repeated
    first = np.arange(corpus.entities)
    if corpus.sources:
        first = np.full(corpus.entities, np.iinfo(np.int64).max)
        np.minimum.at(first, corpus.entity, corpus.bracket)
    rows = np.flatnonzero(repeated)
    order = rows[np.lexsort((-rows, first[corpus.entity[rows]]))]
    last = {_span(corpus, row): row for row in order.tolist()}
    kept[list(last.values())] = True
    return kept


def first_copies(corpus: Corpus, repeated: BoolArray) -> BoolArray:
    """bool (mentions,): one copy of each span, chosen without regard to ids or cells.

    The entities of a document, copies within one removed, are sorted by their lists of spans in
    text order, a prefix first; a span stays in the first of them that has it.
    """
    kept = np.ones(corpus.mentions, dtype=bool)
    rows_of: dict[int, list[int]] = {}
    touched = np.zeros(len(corpus.names), dtype=bool)
    touched[corpus.document[repeated]] = True
    concerned = touched[corpus.document]
    for row in corpus.text_order[concerned[corpus.text_order]].tolist():
        rows_of.setdefault(int(corpus.entity[row]), []).append(row)
    document = corpus.entity_document

    def spans(entity: int) -> list[Span]:
        rows = rows_of[entity]
        listed = zip(corpus.start[rows].tolist(), (-corpus.end[rows]).tolist(), strict=True)
        return list(dict.fromkeys(listed))

    seen: set[tuple[int, int, int]] = set()
    for entity in sorted(rows_of, key=lambda e: (int(document[e]), spans(e))):
        for row in rows_of[entity]:
            span = int(document[entity]), int(corpus.start[row]), int(corpus.end[row])
            kept[row] = span not in seen
            seen.add(span)
    return kept


def _tell_copies(
    corpus: Corpus, repeated: BoolArray, kept: BoolArray, options: Options
) -> list[Incident]:
    """One incident for each copy that is dropped."""
    severity: Severity = "error" if options.duplicates == "error" else "warning"
    found = Collector(corpus.sources[0].path if len(corpus.sources) == 1 else None)
    keeper = {_span(corpus, row): row for row in np.flatnonzero(kept & repeated).tolist()}
    for row in np.flatnonzero(~kept).tolist():
        one, other = (int(corpus.entity[r]) for r in (keeper[_span(corpus, row)], row))
        kind = "span-twice" if one == other else "span-in-two-entities"
        if found.full(kind):
            found.count(kind)
            continue
        start, end = int(corpus.start[row]), int(corpus.end[row])
        where = (
            f"twice in entity {corpus.labels[one]}"
            if one == other
            else f"in entity {corpus.labels[one]} and in entity {corpus.labels[other]}"
        )
        found.add(
            Incident(
                kind,
                severity,
                f"a span is {where}",
                **corpus.mention_place(row),
                document=corpus.names[int(corpus.document[row])],
                found=f"tokens {start} to {end} of the document, counted from 0",
                expected="each span once",
                hint=f"the copy in entity {corpus.labels[one]} is scored, the other is dropped; "
                "--duplicates error refuses the file"
                if severity == "warning"
                else "remove one of the copies, or let corefkit choose: --duplicates first",
            )
        )
    return list(found)


def _span(corpus: Corpus, row: int) -> tuple[int, int, int]:
    return int(corpus.document[row]), int(corpus.start[row]), int(corpus.end[row])
