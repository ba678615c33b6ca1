"""The functions of scorch: from the clusters of key and response to recall, precision and F1.

>>> muc([{"a", "b", "c"}], [{"a", "b"}])
(0.5, 1.0, 0.6666666666666666)
>>> round(conll2012([{"a", "b", "c"}], [{"a", "b"}]), 4)
0.694
"""

from corefkit.compat.clusters import PRF, Clusters, listed, make_evaluator, scores_of

__all__ = ["b_cubed", "blanc", "ceaf_e", "ceaf_m", "conll2012", "muc"]


def muc(key: Clusters, response: Clusters) -> PRF:
    """Recall, precision and F1 of MUC; profile `standard`, as in all functions here."""
    return _score("muc", key, response)


def b_cubed(key: Clusters, response: Clusters) -> PRF:
    """Recall, precision and F1 of B³."""
    return _score("bcub", key, response)


def ceaf_m(key: Clusters, response: Clusters) -> PRF:
    """Recall, precision and F1 of CEAF by mentions."""
    return _score("ceafm", key, response)


def ceaf_e(key: Clusters, response: Clusters) -> PRF:
    """Recall, precision and F1 of CEAF by entities."""
    return _score("ceafe", key, response)


def blanc(key: Clusters, response: Clusters) -> PRF:
    """Recall, precision and F1 of BLANC, also where the two sides have different mentions."""
    return _score("blanc", key, response)


def conll2012(key: Clusters, response: Clusters) -> float:
    """The mean F1 of MUC, B³ and CEAF by entities."""
    counting = make_evaluator("standard", ["conll"])
    return scores_of(counting.update(listed(key), listed(response))).conll


def _score(metric: str, key: Clusters, response: Clusters) -> PRF:
    counting = make_evaluator("standard", [metric])
    score = scores_of(counting.update(listed(key), listed(response)))[metric]
    return score.recall or 0.0, score.precision or 0.0, score.f1
