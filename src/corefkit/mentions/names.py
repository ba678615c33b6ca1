"""Named entities: cells such as `(ORG*`, `*)`, `(GPE)` → spans with a class, all at once."""

import re

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.columns import Column
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, data_error
from corefkit.data.source import Place
from corefkit.formats.conll.columns import lines_of
from corefkit.formats.conll.stars import Defects, Spans, find_spans

_OPENS = re.compile(r"\(([^()*|\s]+)")


def find_names(column: Column, corpus: Corpus) -> Spans:
    """The named entities of all tokens; DataError where brackets do not pair."""
    document = np.repeat(np.arange(len(corpus.names)), corpus.tokens)
    spans, defects = find_spans(Column(column.code, tuple(map(_starred, column.values))), document)
    if defects:
        raise _unpaired(defects, document, corpus)
    return spans


def _starred(cell: str) -> str:
    """The cell as the shared tasks write it; some files have no star, or repeat the class.

    >>> _starred("(ORG"), _starred("ORG)"), _starred("-")
    ('(ORG*', '*)', '*')
    """
    opened = "".join(f"({name}" for name in _OPENS.findall(cell))
    return f"{opened}*{')' * cell.count(')')}"


def _unpaired(defects: Defects, document: IntArray, corpus: Corpus) -> DataError:
    """What is said of the first bracket without a partner."""
    token = int(np.concatenate((defects.unopened, defects.unclosed)).min())
    alone = token in defects.unopened
    return data_error(
        "name-brackets",
        **_place(corpus, token),
        document=corpus.names[int(document[token])],
        found="one that closes nothing" if alone else "a bracket that is never closed",
        expected="for each opening bracket in column 11 one that closes it, in order",
    )


def _place(corpus: Corpus, token: int) -> Place:
    """The file and the line of a token of the corpus."""
    for source in corpus.sources:
        row, _ = lines_of(source).tokens()
        if token < len(row):
            return Place(file=source.path, line=int(row[token]) + 1)
        token -= len(row)
    return Place()
