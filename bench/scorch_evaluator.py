"""scorch (from PyPI) over many documents. Import this only where scorch is installed.

scorch scores one document and returns ratios; multiplied by their denominators they add up.
It wants sets; those are made before the clock starts.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from scorch import scores

from bench.plain_evaluator import Mention, Sums

Sets = Sequence[set[Mention]]
_Metric = Callable[[Sets, Sets], tuple[float, float, float]]


def _links(clusters: Sets) -> int:
    return sum(len(cluster) - 1 for cluster in clusters)


def _mentions(clusters: Sets) -> int:
    return sum(map(len, clusters))


_METRICS: dict[str, tuple[_Metric, Callable[[Sets], int]]] = {
    "muc": (scores.muc, _links),
    "bcub": (scores.b_cubed, _mentions),
    "ceafe": (scores.ceaf_e, len),
}
"""Each metric, and what its ratios are over."""


def as_sets(clusters: Iterable[Collection[Mention]]) -> list[set[Mention]]:
    """The clusters of one document as scorch wants them."""
    return [set(cluster) for cluster in clusters]


def f1(documents: Iterable[tuple[Sets, Sets]]) -> dict[str, float]:
    """The F1 of each metric over all documents, pairs of key and response."""
    sums = {name: Sums() for name in _METRICS}
    for key, response in documents:
        for name, (metric, weigh) in _METRICS.items():
            recall, precision, _ = metric(key, response)
            ours, theirs = weigh(key), weigh(response)
            sums[name].add((recall * ours, ours), (precision * theirs, theirs))
    return {name: s.f1() for name, s in sums.items()}
