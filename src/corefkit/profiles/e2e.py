"""How the evaluator of e2e-coref counts, which was pasted into AllenNLP, fastcoref and others.

B³ and LEA sum over entities of two mentions or more; besides, B³ gives no credit for overlap with
a singleton. CEAFe drops the singletons of the response but keeps those of
the key. So a system that outputs no singletons and one that does get the same score.
"""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from corefkit.data.arrays import FloatArray, IntArray, pairs, sum_by, sum_of_ratios
from corefkit.data.matched import Matched
from corefkit.data.matching.exact import match
from corefkit.data.overlap import Overlap, make_overlap
from corefkit.data.spans import distinct_spans
from corefkit.metrics.assignment import best_alignment
from corefkit.metrics.base import PerDocument


def count_bcub(overlap: Overlap) -> tuple[PerDocument, ...]:
    """B³ over entities of more than one mention, and only what falls to such ones."""
    other = overlap.exchanged
    return _shares(overlap), _mentions(overlap), _shares(other), _mentions(other)


def count_lea(overlap: Overlap) -> tuple[PerDocument, ...]:
    """LEA over entities of more than one mention."""
    other = overlap.exchanged
    return _links(overlap), _mentions(overlap), _links(other), _mentions(other)


def count_ceafe(overlap: Overlap) -> tuple[PerDocument, ...]:
    """CEAFe with the singletons of the key but without those of the response."""
    response_size = overlap.response.size[overlap.response_entity]
    cells = np.flatnonzero(response_size > 1)
    key, response = overlap.key_entity[cells], overlap.response_entity[cells]
    shared = 2 * overlap.count[cells]
    sizes = overlap.key.size[key] + overlap.response.size[response]
    chosen = best_alignment(key, response, shared / sizes)
    likeness = sum_of_ratios(
        overlap.document[cells][chosen], shared[chosen], sizes[chosen], overlap.documents
    )
    entities = np.bincount(overlap.key.document, minlength=overlap.documents)
    large = overlap.response.document[overlap.response.size > 1]
    return likeness, entities, likeness, np.bincount(large, minlength=overlap.documents)


def _shares(overlap: Overlap) -> FloatArray:
    size = overlap.key.size[overlap.key_entity]
    other = overlap.response.size[overlap.response_entity]
    squared = np.where((size > 1) & (other > 1), overlap.count**2, 0)
    return sum_of_ratios(overlap.document, squared, size, overlap.documents)


def _links(overlap: Overlap) -> FloatArray:
    size = overlap.key.size[overlap.key_entity]
    found = 2 * pairs(overlap.count)
    return sum_of_ratios(overlap.document, found, np.maximum(size - 1, 1), overlap.documents)


def _mentions(overlap: Overlap) -> IntArray:
    large = overlap.key.size > 1
    return sum_by(overlap.key.document[large], overlap.key.size[large], overlap.documents)


COUNT: Mapping[str, Callable[[Overlap], tuple[PerDocument, ...]]] = {
    "bcub": count_bcub,
    "lea": count_lea,
    "ceafe": count_ceafe,
}
"""The metrics that are counted in this way; the others as usual."""


def count_overlap(overlap: Overlap, names: Iterable[str]) -> dict[str, tuple[PerDocument, ...]]:
    """Those of the metrics that are counted in this way."""
    return {name: COUNT[name](overlap) for name in names if name in COUNT}


def count(matched: Matched, names: Iterable[str]) -> dict[str, tuple[PerDocument, ...]]:
    """Those of the metrics that are counted in this way; of repeated spans the first copies."""
    key, response = distinct_spans(matched.key), distinct_spans(matched.response)
    if key is matched.key and response is matched.response:
        return count_overlap(matched.overlap, names)
    return count_overlap(make_overlap(key, response, match(key, response)), names)
