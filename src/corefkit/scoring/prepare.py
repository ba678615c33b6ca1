"""What is done to the sides before they are compared: each by name, and nothing untold."""

import numpy as np

from corefkit.data.arrays import BoolArray
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident, Severity
from corefkit.data.options import Options
from corefkit.data.spans import first_copies, last_copies, repeated_spans, span_of


def prepare(corpus: Corpus, options: Options) -> tuple[Corpus, list[Incident]]:
    """The corpus as it is scored: repeated spans and singletons as the options say.

    The policy "reference" needs both sides; see `remove_repeats`.
    """
    incidents: list[Incident] = []
    if options.ids == "digits":
        digits = [label.isascii() and label.isdigit() for label in corpus.labels]
        corpus = corpus.take(np.array(digits, dtype=bool)[corpus.entity])
    if options.duplicates != "reference":
        repeated = repeated_spans(corpus)
        if repeated.any():
            choose = last_copies if options.duplicates == "last" else first_copies
            kept = choose(corpus, repeated)
            incidents = _tell_copies(corpus, repeated, kept, options)
            corpus = corpus.take(kept)
    if options.singletons == "drop":
        corpus = corpus.drop_singletons()
    return corpus, incidents


def align(response: Corpus, key: Corpus) -> Corpus:
    """The response with the documents of the key, in its order: none missing, none extra."""
    if response.names == key.names:
        return response
    number = {name: i for i, name in enumerate(key.names)}
    places = {old: number[name] for old, name in enumerate(response.names) if name in number}
    wanted = np.array([name in number for name in response.names], dtype=bool)
    return response.take(wanted[response.document]).renumbered(key.names, places)


def _tell_copies(
    corpus: Corpus, repeated: BoolArray, kept: BoolArray, options: Options
) -> list[Incident]:
    """One incident for each copy that is dropped."""
    severity: Severity = "error" if options.duplicates == "error" else "warning"
    found = Collector(corpus.sources[0].path if len(corpus.sources) == 1 else None)
    keeper = {span_of(corpus, row): row for row in np.flatnonzero(kept & repeated).tolist()}
    for row in np.flatnonzero(~kept).tolist():
        one, other = (int(corpus.entity[r]) for r in (keeper[span_of(corpus, row)], row))
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
