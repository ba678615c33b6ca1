"""The evaluator of CoVal as a library: `from coval.eval import evaluator`.

>>> infos = {"doc": ([["a", "b", "c"]], [["a", "b"]], {"a": 0, "b": 0}, {"a": 0, "b": 0})}
>>> recall, precision, f1 = evaluator.evaluate_documents(infos, evaluator.muc)
>>> (recall, precision), round(f1, 4)
((0.5, 1.0), 0.6667)
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from types import SimpleNamespace
from typing import Any, TypeAlias

from corefkit.compat.clusters import (
    PRF,
    check_places,
    f_score,
    listed,
    make_evaluator,
    scores_of,
)

__all__ = [
    "Evaluator",
    "b_cubed",
    "ceafe",
    "evaluate_documents",
    "evaluator",
    "get_document_evaluations",
    "lea",
    "mentions",
    "muc",
]

CorefInfo: TypeAlias = Sequence[Any]
"""Clusters of the key, clusters of the response, then two dictionaries: key mentions to the places
of response clusters, and response mentions to those of key clusters. The dictionaries are optional.
"""


class Metric(Enum):
    """A metric of CoVal; its value is its name in corefkit."""

    MENTIONS = "mentions"
    MUC = "muc"
    B_CUBED = "bcub"
    CEAFE = "ceafe"
    LEA = "lea"


mentions, muc, b_cubed, ceafe, lea = Metric


class Evaluator:
    """One metric over documents; profile `coval`.

    `corefkit` is the `corefkit.Evaluator` that counts, with `scores()` and the signature.
    """

    def __init__(self, metric: Metric, beta: float = 1, *, profile: str = "coval") -> None:
        if not isinstance(metric, Metric):
            known = ", ".join(member.name.lower() for member in Metric)
            raise TypeError(f"metric must be one of {known} of {__name__}, not {metric!r:.60}")
        self.metric, self.beta = metric, beta
        self.corefkit = make_evaluator(profile, [metric.value])

    def update(self, coref_info: CorefInfo) -> None:
        """Add a document; ValueError where its dictionaries contradict its clusters."""
        if not 2 <= len(coref_info) <= 4:
            raise ValueError(
                "a document is (key clusters, response clusters), optionally with two "
                f"dictionaries, not {len(coref_info)} values"
            )
        key_clusters, response_clusters, *numbers = coref_info
        key, response = listed(key_clusters), listed(response_clusters)
        sides = (
            (key, response, "key_mention_sys_cluster"),
            (response, key, "sys_mention_key_cluster"),
        )
        for (mentions, clusters, name), given in zip(sides, numbers, strict=False):
            check_places(name, mentions, clusters, given)
        self.corefkit.update(key, response)

    def get_recall(self) -> float:
        """The recall."""
        return scores_of(self.corefkit)[self.metric.value].recall or 0.0

    def get_precision(self) -> float:
        """The precision."""
        return scores_of(self.corefkit)[self.metric.value].precision or 0.0

    def get_f1(self) -> float:
        """F with the beta of this evaluator."""
        score = scores_of(self.corefkit)[self.metric.value]
        if self.beta == 1:
            return score.f1
        return f_score(score.precision or 0.0, score.recall or 0.0, self.beta)

    def get_counts(self) -> tuple[float, float, float, float]:
        """Numerator and denominator of precision, then of recall."""
        counts = scores_of(self.corefkit)[self.metric.value].counts
        return (*counts["precision"], *counts["recall"])


def evaluate_documents(
    doc_coref_infos: Mapping[Any, CorefInfo], metric: Metric, beta: float = 1
) -> PRF:
    """Recall, precision and F over all documents."""
    counting = Evaluator(metric, beta)
    for info in doc_coref_infos.values():
        counting.update(info)
    return counting.get_recall(), counting.get_precision(), counting.get_f1()


def get_document_evaluations(doc_coref_info: CorefInfo, metric: Metric, beta: float = 1) -> PRF:
    """Recall, precision and F of one document."""
    return evaluate_documents({"": doc_coref_info}, metric, beta)


evaluator = SimpleNamespace(
    Evaluator=Evaluator,
    evaluate_documents=evaluate_documents,
    get_document_evaluations=get_document_evaluations,
    **{metric.name.lower(): metric for metric in Metric},
)
"""Replaces the module of `from coval.eval import evaluator`."""
