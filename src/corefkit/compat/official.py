"""The evaluators of Maverick, BookCoref, xCoRe and others, which take the name of a metric.

>>> evaluator = OfficialCoNLL2012CorefEvaluator()
>>> evaluator.update([("a", "b"), ("d",)], [("a", "b", "c"), ("d",)])
>>> [round(value, 4) for value in evaluator.get_prf("b_cubed")]
[1.0, 0.5833, 0.7368]
>>> round(evaluator.get_f1("conll2012"), 4)
0.7678
"""

from corefkit.compat.clusters import (
    IN_CONLL,
    PRF,
    Clusters,
    Owners,
    add_document,
    make_evaluator,
    mean_prf,
    prf,
    scores_of,
)
from corefkit.compat.e2e import MentionEvaluator

__all__ = [
    "CoNLL2012CorefEvaluator",
    "OfficialCoNLL2012CorefEvaluator",
    "OfficialMentionEvaluator",
]

CONLL = "conll2012"
NAMES = {"muc": "muc", "b_cubed": "bcub", "ceafe": "ceafe"}
"""The names of metrics in these evaluators, with their names in corefkit."""


class OfficialCoNLL2012CorefEvaluator:
    """muc, b_cubed, ceafe and their mean, conll2012; profile `e2e-singletons`.

    `corefkit` is the `corefkit.Evaluator` that counts, with `scores()` and the signature.
    """

    def __init__(self, profile: str = "e2e-singletons") -> None:
        self.corefkit = make_evaluator(profile, IN_CONLL)

    def update(
        self,
        pred: Clusters,
        gold: Clusters,
        mention_to_pred: Owners | None = None,
        mention_to_gold: Owners | None = None,
    ) -> None:
        """Add a document. The dictionaries are not needed; ValueError where they contradict."""
        owners = {"mention_to_pred": mention_to_pred, "mention_to_gold": mention_to_gold}
        add_document(self.corefkit, (pred, gold), owners)

    def get_prf(self, metric: str = CONLL) -> PRF:
        """Precision, recall and F1 of a metric; for conll2012, the means over the three metrics."""
        if metric != CONLL and metric not in NAMES:
            raise ValueError(f"metric: {', '.join((CONLL, *NAMES))}, not {metric!r:.60}")
        scores = scores_of(self.corefkit)
        return mean_prf(scores) if metric == CONLL else prf(scores[NAMES[metric]])

    def get_precision(self, metric: str = CONLL) -> float:
        """The precision of a metric."""
        return self.get_prf(metric)[0]

    def get_recall(self, metric: str = CONLL) -> float:
        """The recall of a metric."""
        return self.get_prf(metric)[1]

    def get_f1(self, metric: str = CONLL) -> float:
        """F1 of a metric."""
        return self.get_prf(metric)[2]


class CoNLL2012CorefEvaluator(OfficialCoNLL2012CorefEvaluator):
    """The same evaluator under its name in some of these systems."""


class OfficialMentionEvaluator(MentionEvaluator):
    """Precision, recall and F1 of mentions, whatever their clusters."""
