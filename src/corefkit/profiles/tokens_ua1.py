"""Mentions as the Universal Anaphora scorer 1 knows them: spans of rows, zeros among them."""

from dataclasses import replace

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.options import UsageError


def linear(corpus: Corpus) -> Corpus:
    """The corpus with gaps closed to the last fragment, and zeros refused.

    The scorer counts zeros as tokens; where a file has them its numbers would be others.
    """
    if corpus.zero is not None or (corpus.parts is not None and corpus.parts.zero.any()):
        raise UsageError(
            "the profile ua-1 counts zeros as tokens, which corefkit does not: use ua for files "
            "with zeros"
        )
    if corpus.parts is None:
        return corpus
    start: IntArray = corpus.start.copy()
    for row, nodes in corpus.parts:
        tokens = [token for token, _ in nodes]
        gaps = np.flatnonzero(np.diff(tokens) > 1)
        start[row] = tokens[int(gaps[-1]) + 1] if len(gaps) else tokens[0]
    return replace(corpus, start=start, parts=None)
