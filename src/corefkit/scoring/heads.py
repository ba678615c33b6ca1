"""Heads of mentions where matching needs them: declared in the files, or from the key's trees."""

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Incident, make_incident
from corefkit.data.options import Options
from corefkit.mentions.heads import UNKNOWN, heads_by_tree, with_heads


def find_heads(
    key: Corpus, response: Corpus, texts: Corpus, options: Options
) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides with the heads that the rule of matching looks at.

    Where files declare none they come from the trees of the key (`texts`), for the response, too;
    a mention that is no constituent has its last token as head. An error where there is neither.
    """
    if options.match not in ("head", "partial"):
        return key, response, []
    if options.match == "partial" and key.minimum is not None:
        return key, response, [] if (key.minimum >= 0).any() else [_no_minimum()]
    sides = [key, response] if options.match == "head" else [key]
    known = []
    for side in sides:
        rows = _undeclared(side)
        if len(rows) and not (heads_by_tree(side, texts, rows) >= 0).any():
            return key, response, [_unknown(options)]
        known.append(with_heads(side, texts))
    return known[0], known[-1] if len(known) > 1 else response, []


def _undeclared(corpus: Corpus) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The mentions of several tokens without a declared head."""
    several = corpus.end > corpus.start
    if corpus.head is not None:
        several &= corpus.head == UNKNOWN
    return np.flatnonzero(several)


def _no_minimum() -> Incident:
    return make_incident("min-none")


def _unknown(options: Options) -> Incident:
    return make_incident(
        "head-unknown",
        match=options.match,
        expected="heads declared in the files, or trees in the key",
    )
