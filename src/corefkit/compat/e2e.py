"""The evaluator of e2e-coref, found as `metrics.py` in many systems.

>>> evaluator = CorefEvaluator()
>>> for gold, predicted in [([["a", "b", "c"]], [["a", "b"]]), ([["x", "y"]], [["x", "y"]])]:
...     evaluator.update(predicted, gold)
>>> precision, recall, f1 = evaluator.get_prf()
>>> round(f1, 4)
0.8333
>>> evaluator.evaluators[0].get_counts()
(2, 2, 2, 3)
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefkit.compat.clusters import (
    IN_CONLL,
    PRF,
    Clusters,
    Owners,
    add_document,
    f_score,
    listed,
    make_evaluator,
    mean_prf,
    prf,
    scores_of,
)

if TYPE_CHECKING:
    from corefkit.metrics.base import Score
    from corefkit.scoring import evaluator

__all__ = [
    "CorefEvaluator",
    "Evaluator",
    "MentionEvaluator",
    "b_cubed",
    "ceafe",
    "evaluate_documents",
    "f1",
    "lea",
    "muc",
    "phi4",
]


class _Figures:
    """The methods that all evaluators have: their figures, together and one by one."""

    def get_prf(self) -> PRF:
        """Precision, recall and F."""
        raise NotImplementedError

    def get_precision(self) -> float:
        """The precision."""
        return self.get_prf()[0]

    def get_recall(self) -> float:
        """The recall."""
        return self.get_prf()[1]

    def get_f1(self) -> float:
        """F."""
        return self.get_prf()[2]


class _Documents(_Figures):
    """An evaluator of documents; `corefkit` is the `corefkit.Evaluator` that counts."""

    corefkit: "evaluator.Evaluator"

    def update(
        self,
        predicted: Clusters,
        gold: Clusters,
        mention_to_predicted: Owners | None = None,
        mention_to_gold: Owners | None = None,
    ) -> None:
        """Add a document. The dictionaries are not needed; ValueError where they contradict."""
        owners = {"mention_to_predicted": mention_to_predicted, "mention_to_gold": mention_to_gold}
        add_document(self.corefkit, (predicted, gold), owners)


class CorefEvaluator(_Documents):
    """muc, bcub, ceafe and their mean over all documents; profile `e2e`.

    Attributes:
        corefkit: the `corefkit.Evaluator` that counts, with `scores()` and the signature.
        evaluators: Evaluators of muc, bcub and ceafe that show what this one has counted.
    """

    def __init__(self, profile: str = "e2e") -> None:
        self.corefkit = make_evaluator(profile, IN_CONLL)
        self.evaluators = [_Part(metric, self.corefkit) for metric in (muc, b_cubed, ceafe)]

    def get_prf(self) -> PRF:
        """The means of precision, of recall and of F1; the last is the CoNLL average."""
        return mean_prf(scores_of(self.corefkit))


class Evaluator(_Documents):
    """One of the metrics `muc`, `b_cubed`, `ceafe` and `lea` of this module; profile `e2e`.

    `corefkit` is the `corefkit.Evaluator` that counts.
    """

    def __init__(
        self, metric: Callable[..., Any], beta: float = 1, *, profile: str = "e2e"
    ) -> None:
        if metric not in METRICS:
            known = ", ".join(function.__name__ for function in METRICS)
            raise TypeError(f"metric must be one of {known} of {__name__}, not {metric!r:.60}")
        self.metric, self.beta = metric, beta
        self.corefkit = make_evaluator(profile, [METRICS[metric]])

    @property
    def _score(self) -> "Score":
        return scores_of(self.corefkit)[METRICS[self.metric]]

    def get_prf(self) -> PRF:
        """Precision, recall, and F with the beta of this evaluator."""
        precision, recall, f = prf(self._score)
        return precision, recall, f if self.beta == 1 else f_score(precision, recall, self.beta)

    def get_counts(self) -> tuple[float, float, float, float]:
        """Numerator and denominator of precision, then of recall."""
        counts = self._score.counts
        return (*counts["precision"], *counts["recall"])


class _Part(Evaluator):
    """An Evaluator that shows the figures of one metric of another evaluator."""

    def __init__(self, metric: Callable[..., Any], counting: "evaluator.Evaluator") -> None:
        self.metric, self.beta, self.corefkit = metric, 1, counting

    def update(self, *_: Any, **__: Any) -> None:
        """Refuse documents."""
        raise RuntimeError("update the CorefEvaluator: this is one of its evaluators")


class MentionEvaluator(_Figures):
    """Precision, recall and F1 of mentions, whatever their clusters."""

    def __init__(self) -> None:
        self.corefkit = make_evaluator("standard", ["mentions"])

    def update(self, predicted_mentions: Iterable[Any], gold_mentions: Iterable[Any]) -> None:
        """Add a document: the mentions of both sides, each counted once."""
        predicted, gold = (
            [(mention,) for mention in dict.fromkeys(mentions)]
            for (mentions,) in (listed([predicted_mentions]), listed([gold_mentions]))
        )
        self.corefkit.update(gold, predicted)

    def get_prf(self) -> PRF:
        """Precision, recall and F1."""
        return prf(scores_of(self.corefkit)["mentions"])


def evaluate_documents(
    documents: Iterable[Sequence[Any]], metric: Callable[..., Any], beta: float = 1
) -> PRF:
    """Precision, recall and F of documents, each given as the arguments of `Evaluator.update`."""
    counting = Evaluator(metric, beta)
    for document in documents:
        counting.update(*document)
    return counting.get_prf()


def f1(p_num: float, p_den: float, r_num: float, r_den: float, beta: float = 1) -> float:
    """F from numerators and denominators of precision and recall; 0/0 is 0.

    >>> f1(1, 2, 1, 2)
    0.5
    """
    return f_score(p_num / p_den if p_den else 0.0, r_num / r_den if r_den else 0.0, beta)


def muc(clusters: Clusters, mention_to_gold: Owners) -> tuple[int, int]:
    """MUC of one side, as numerator and denominator: the links found, and all links.

    >>> muc([["a", "b", "c"]], {"a": ("a", "b"), "b": ("a", "b")})
    (1, 2)
    """
    resolved = links = 0
    for cluster in listed(clusters):
        owners = _owners(cluster, mention_to_gold)
        resolved += sum(owners.values()) - len(owners)
        links += len(cluster) - 1
    return resolved, links


def b_cubed(clusters: Clusters, mention_to_gold: Owners) -> tuple[float, int]:
    """B³ of one side without singletons of either side, as numerator and denominator.

    >>> b_cubed([["a", "b"], ["c"]], {"a": ("a", "c"), "b": ("b",), "c": ("a", "c")})
    (0.5, 2)
    """
    total, mentions = 0.0, 0
    for cluster in listed(clusters):
        if len(cluster) != 1:
            owners = _owners(cluster, mention_to_gold).items()
            shares = sum(number**2 for owner, number in owners if len(owner) != 1)
            total += shares / len(cluster) if cluster else 0.0
            mentions += len(cluster)
    return total, mentions


def lea(clusters: Clusters, mention_to_gold: Owners) -> tuple[float, int]:
    """LEA of one side without its singletons, as numerator and denominator.

    >>> lea([["a", "b", "c"], ["d"]], {"a": ("a", "b"), "b": ("a", "b")})
    (1.0, 3)
    """
    total, mentions = 0.0, 0
    for cluster in listed(clusters):
        if len(cluster) > 1:
            numbers = _owners(cluster, mention_to_gold).values()
            resolved = sum(number * (number - 1) for number in numbers)
            total += resolved / (len(cluster) - 1)
            mentions += len(cluster)
    return total, mentions


def _owners(cluster: Sequence[Any], mention_to_gold: Owners) -> "Counter[tuple[Any, ...]]":
    """Cluster of the other side → the number of mentions that it shares with this one."""
    return Counter(tuple(mention_to_gold[m]) for m in cluster if m in mention_to_gold)


def phi4(c1: Sequence[Any], c2: Sequence[Any]) -> float:
    """The similarity of two clusters that share n mentions: 2n / (|c1| + |c2|).

    >>> phi4(["a", "b", "c"], ["a", "b"])
    0.8
    """
    return 2 * sum(mention in c2 for mention in c1) / (len(c1) + len(c2))


def ceafe(clusters: Clusters, gold_clusters: Clusters) -> tuple[float, int, float, int]:
    """CEAFe without singletons of `clusters`: numerator and denominator of precision and recall.

    >>> ceafe([["a", "b"], ["c"]], [["a", "b"], ["c", "d"]])
    (1.0, 1, 1.0, 2)
    """
    counting = make_evaluator("e2e", ["ceafe"])
    counting.update(listed(gold_clusters), listed(clusters))
    counts = scores_of(counting)["ceafe"].counts
    return (*counts["precision"], *counts["recall"])


METRICS: Mapping[Callable[..., Any], str] = {
    muc: "muc",
    b_cubed: "bcub",
    ceafe: "ceafe",
    lea: "lea",
}
"""The functions that an Evaluator takes, with their names in corefkit."""
