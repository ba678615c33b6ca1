"""ClusterChecker of wl-coref and Stanza.

>>> checker = ClusterChecker()
>>> [round(value, 4) for value in checker.add_predictions([["a", "b", "c"]], [["a", "b"]])]
[0.5, 1.0, 0.3333]
>>> round(checker.bakeoff, 4)
0.694
"""

from corefkit.compat.clusters import IN_CONLL, PRF, Clusters, listed, make_evaluator, scores_of

__all__ = ["ClusterChecker"]


class ClusterChecker:
    """LEA without singletons, and muc, bcub and ceafe with them; profile `standard`.

    It differs from the originals where their figures are not comparable with others: muc, bcub and
    ceafe are micro-averages, as LEA is in the originals, not F1 of means over documents; 0/0 is 0,
    and nothing is added to denominators, which costs up to 1e-7 in the originals.

    `corefkit` is the `corefkit.Evaluator` that counts, with `scores()` and the signature.
    """

    def __init__(self, profile: str = "standard") -> None:
        policies = {"singletons": "lea"} if profile == "standard" else {}
        self.corefkit = make_evaluator(profile, ("lea", *IN_CONLL), **policies)

    def add_predictions(self, gold_clusters: Clusters, pred_clusters: Clusters) -> PRF:
        """Add a document and return F1, precision and recall of its LEA."""
        key, response = listed(gold_clusters), listed(pred_clusters)
        self.corefkit.update(key, response)
        score = self.corefkit.empty().update(key, response).scores()["lea"]
        return score.f1, score.precision or 0.0, score.recall or 0.0

    @property
    def total_lea(self) -> PRF:
        """F1, precision and recall of LEA over all documents."""
        score = scores_of(self.corefkit)["lea"]
        return score.f1, score.precision or 0.0, score.recall or 0.0

    @property
    def mbc(self) -> list[float]:
        """F1 of muc, bcub and ceafe over all documents."""
        scores = scores_of(self.corefkit)
        return [scores[name].f1 for name in IN_CONLL]

    @property
    def bakeoff(self) -> float:
        """The mean of `mbc`: the CoNLL average."""
        return sum(self.mbc) / len(IN_CONLL)
