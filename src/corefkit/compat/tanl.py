"""CorefAllMetrics of TANL: micro-averages and means over documents, for all documents at once.

>>> labels = [[[(0, 1), (4, 4)]], [[(0, 0), (2, 2), (5, 6)]]]
>>> preds = [[[(0, 1), (4, 4)]], [[(0, 0), (2, 2)]]]
>>> results = CorefAllMetrics().get_all_metrics(labels, preds)
>>> round(results["micro"]["muc"]["recall"], 4), round(results["macro"]["muc"]["recall"], 4)
(0.6667, 0.75)
>>> results["macro"].signature.partition("|average:")[2].partition("|")[0]
'documents'
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corefkit.compat.clusters import (
    IN_CONLL,
    Clusters,
    listed,
    make_evaluator,
    mean_prf,
    prf,
    scores_of,
)

if TYPE_CHECKING:
    from corefkit.scoring.scores import Scores

__all__ = ["CorefAllMetrics"]

_NAMES = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf"}


class SignedScores(dict[str, dict[str, float]]):
    """Metric → precision, recall and F1, with the signature that says how they were averaged."""

    def __init__(self, scores: "Scores") -> None:
        self.signature = scores.signature
        rows = {_NAMES[name]: prf(scores[name]) for name in IN_CONLL}
        rows["average"] = mean_prf(scores)
        names = ("precision", "recall", "f1")
        super().__init__({m: dict(zip(names, row, strict=True)) for m, row in rows.items()})


class CorefAllMetrics:
    """muc, b_cubed, ceaf (by entities) and their average; profile `standard`."""

    def __init__(self, profile: str = "standard") -> None:
        self.corefkit = make_evaluator(profile, IN_CONLL)
        self._means = make_evaluator(profile, IN_CONLL, average="documents")

    def get_all_metrics(
        self, labels: Sequence[Clusters], preds: Sequence[Clusters]
    ) -> dict[str, SignedScores]:
        """{"micro": …, "macro": …}, for documents that are lists of clusters; `labels` is the key.

        `micro` has the micro-averages that others report. `macro` has means over documents, which
        are comparable only with such means: its signature says `average:documents`.
        """
        if len(labels) != len(preds):
            raise ValueError(f"{len(labels)} documents of labels but {len(preds)} of preds")
        keys, responses = [*map(listed, labels)], [*map(listed, preds)]
        results = {}
        for name, counting in (("micro", self.corefkit), ("macro", self._means)):
            counting.reset()
            results[name] = SignedScores(scores_of(counting.update_batch(keys, responses)))
        return results
