"""How many sentences there are, in files that may not tell where they end."""

from collections.abc import Iterable

import numpy as np

from corefkit.data.arrays import IntArray, starts_of_runs
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Incident, make_incident
from corefkit.data.source import Source
from corefkit.formats.conll.columns import lines_of

_CONLL = "conll"


def told_sentences(source: Source) -> IntArray | None:
    """The sentence of each token of a file; None where it does not tell where sentences end.

    In CoNLL it does if one of its documents has a blank line.
    """
    if source.format.name == _CONLL:
        lines = lines_of(source)
        blank = np.flatnonzero(lines.end <= lines.start)
        inside = np.searchsorted(blank, lines.finish) - np.searchsorted(blank, lines.begin)
        if not inside.any():
            return None
    return source.format.sentences(source)


def count_sentences(corpus: Corpus, told: Iterable[tuple[Source, IntArray | None]]) -> IntArray:
    """How many sentences each part has, int64 (parts,); −1 for those of files that tell none."""
    found = np.full(len(corpus.names), -1, dtype=np.int64)
    for source, numbers in told:
        if numbers is not None:
            parts = slice(source.first_document, source.first_document + source.documents)
            part = np.repeat(np.arange(source.documents), corpus.tokens[parts])
            found[parts] = np.bincount(part[starts_of_runs(numbers)], minlength=source.documents)
    return found


def no_sentences(source: Source) -> Incident:
    """The warning about a file that does not tell where sentences end."""
    blank = source.format.name == _CONLL
    return make_incident(
        "sentences-unknown",
        file=source.path,
        found="no blank line in any document" if blank else "no sentences",
        expected="a blank line behind each sentence" if blank else None,
    )
