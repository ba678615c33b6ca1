"""Half credit: what `--match semeval` counts of mentions that are found, but not whole.

A pair of unequal spans earns half a point in `mentions`; no other metric treats it specially.
"""

from collections.abc import Iterable

import numpy as np

from corefkit.core.counts import PerDocument
from corefkit.matching import Matched


def count(matched: Matched, names: Iterable[str]) -> dict[str, tuple[PerDocument, ...]]:
    """The counts of `mentions`, if it is among the names."""
    if "mentions" not in names:
        return {}
    key, response, (ours, theirs) = matched.key, matched.response, matched.pairs
    equal = (key.start[ours] == response.start[theirs]) & (key.end[ours] == response.end[theirs])
    documents = len(key.names)
    worth = np.bincount(key.document[ours], np.where(equal, 1.0, 0.5), minlength=documents)
    sizes = [np.bincount(side.document, minlength=documents) for side in (key, response)]
    return {"mentions": (worth, sizes[0], worth, sizes[1])}
