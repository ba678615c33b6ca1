"""Preprocessing of both sides; every change is reported."""

import numpy as np

from corefkit.data.arrays import BoolArray
from corefkit.data.corpus import UNPLACED, Corpus
from corefkit.data.incidents import Collector, Incident, Severity, make_incident
from corefkit.data.options import Options
from corefkit.data.spans import first_copies, listed_copies, repeated_spans, span_of
from corefkit.profiles.steps import steps_of
from corefkit.scoring.meeting import in_both


def prepare(corpus: Corpus, options: Options) -> tuple[Corpus, list[Incident]]:
    """The corpus as it is scored: repeated spans and singletons as the options say.

    A scorer that settles repeated spans by both sides does so later; see `steps.settle`.
    """
    incidents: list[Incident] = []
    own = steps_of(options)
    if options.ids == "digits":
        corpus, unseen = _with_digits(corpus)
        incidents += unseen
    if options.glued == "last":
        corpus, glued = _without_glued(corpus)
        incidents += glued
    if own.prepare is not None:
        return own.prepare(corpus, options), incidents
    if options.split != "drop" and corpus.links is not None:
        from corefkit.data.plurals import with_plurals

        corpus = with_plurals(corpus, zeros=options.zeros != "drop")
    if own.regroup is not None:
        corpus = own.regroup(corpus)
    if corpus.referring is not None:
        corpus = corpus.take(corpus.referring)
    if options.zeros == "drop" and (corpus.zero is not None or corpus.head_zero is not None):
        from corefkit.data.matching.nodes import is_zero

        unplaced = corpus.zero > UNPLACED if corpus.zero is not None else False
        corpus = corpus.take(~is_zero(corpus) | unplaced)
    if not own.keeps_repeats:
        repeated = repeated_spans(corpus)
        if repeated.any():
            choose = listed_copies if options.duplicates == "listed" else first_copies
            kept = choose(corpus, repeated)
            incidents += _tell_copies(corpus, repeated, kept, options)
            corpus = corpus.take(own.copies.choose(corpus, kept, options) if own.copies else kept)
    if options.singletons == "drop":
        corpus = corpus.drop_singletons()
    return corpus, incidents


def _with_digits(corpus: Corpus) -> tuple[Corpus, list[Incident]]:
    """The corpus without mentions of entities whose ids are not numbers.

    Of brackets in columns the reader has told already, and left them out.
    """
    digits = [label.isascii() and label.isdigit() for label in corpus.labels]
    seen = np.array(digits, dtype=bool)[corpus.entity]
    unseen = int((~seen).sum())
    if not unseen:
        return corpus, []
    expected = "ids of digits, as the reference scorer wants them"
    told = make_incident("ids-unseen", number=unseen, file=corpus.path, expected=expected)
    return corpus.take(seen), [told]


def _without_glued(corpus: Corpus) -> tuple[Corpus, list[Incident]]:
    """The corpus without mentions whose opening bracket stands right before another one."""
    glued = np.zeros(corpus.mentions, dtype=bool)
    if len(corpus.byte):
        labels = [label.encode("utf-8", "surrogateescape") for label in corpus.labels]
        behind = corpus.byte + 1 + np.array([*map(len, labels)], dtype=np.int64)[corpus.entity]
        for source in corpus.sources:
            if source.format.name == "conll" and b"(" in source.data:
                first, last = source.first_document, source.first_document + source.documents
                here = np.flatnonzero((corpus.document >= first) & (corpus.document < last))
                data = np.frombuffer(source.data, dtype=np.uint8)
                glued[here] = data[np.minimum(behind[here], len(data) - 1)] == ord("(")
    found = Collector(corpus.path)
    for row in np.flatnonzero(glued).tolist():
        found.note("brackets-glued", **corpus.mention_place(row), expected="| between brackets")
    return corpus.take(~glued), list(found)


def align(response: Corpus, key: Corpus) -> Corpus:
    """The response with the documents of the key, in its order: none missing, none extra."""
    if response.names == key.names:
        return response
    places = {old: new for new, old in in_both(key, response)}
    wanted = np.isin(response.document, list(places))
    return response.take(wanted).renumbered(key.names, places)


def _tell_copies(
    corpus: Corpus, repeated: BoolArray, kept: BoolArray, options: Options
) -> list[Incident]:
    """One incident for each copy that is dropped, or scored a second time."""
    severity: Severity = "error" if options.duplicates == "error" else "warning"
    copies = steps_of(options).copies
    told = copies.told if copies else "error" if severity == "error" else ""
    found = Collector(corpus.path)
    keeper = {span_of(corpus, row): row for row in np.flatnonzero(kept & repeated).tolist()}
    for row in np.flatnonzero(~kept).tolist():
        one, other = (int(corpus.entity[r]) for r in (keeper[span_of(corpus, row)], row))
        kind = "span-twice" if one == other else "span-in-two-entities"
        if found.skip(kind):
            continue
        start, end = int(corpus.start[row]), int(corpus.end[row])
        found.note(
            kind,
            told,
            severity=severity,
            entity=corpus.labels[one],
            other=corpus.labels[other],
            **corpus.mention_place(row),
            found=f"tokens {start} to {end} of the document, counted from 0",
            expected="each span once",
        )
    return list(found)
