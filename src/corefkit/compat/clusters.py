"""What the replacements share: the clusters and dictionaries that they take, and ratios."""

import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from corefkit.metrics.base import Score
    from corefkit.scoring.evaluator import Evaluator
    from corefkit.scoring.scores import Scores

Clusters: TypeAlias = Iterable[Iterable[Any]]
"""The entities of one document: lists or tuples of mentions. A mention that is a list becomes a
tuple; other mentions must be hashable."""

Owners: TypeAlias = Mapping[Any, Any]
"""Mention → its cluster, for one side of one document."""

PRF: TypeAlias = tuple[float, float, float]
"""Three values between 0 and 1, in the order of the evaluator that is replaced."""

ListedClusters: TypeAlias = list[tuple[Hashable, ...]]

IN_CONLL = ("muc", "bcub", "ceafe")
"""The metrics of the CoNLL average, in the order of all these evaluators."""


def make_evaluator(profile: str, metrics: Sequence[str], **policies: Any) -> "Evaluator":
    """The Evaluator that counts; numpy is not loaded before it is made."""
    from corefkit.scoring.evaluator import Evaluator

    return Evaluator(metrics, profile=profile, **policies)


def scores_of(counting: "Evaluator") -> "Scores":
    """The scores of all documents so far.

    What they say of the mentions, e.g. that none matches because those of one side are of another
    kind, is a warning of Python: the functions that are replaced return nothing but figures.
    """
    scores = counting.scores()
    for incident in scores.incidents:
        if incident.id in _OF_MENTIONS:
            warnings.warn(str(incident), stacklevel=3)
    return scores


_OF_MENTIONS = ("mentions-unmatched", "no-mention")


def listed(clusters: Clusters) -> ListedClusters:
    """The clusters as tuples; mentions that are lists become tuples.

    Raises TypeError, like `corefkit.Evaluator`, where these are not the clusters of one document.

    >>> listed([[[0, 1], [4, 4]], ((6, 6),)])
    [((0, 1), (4, 4)), ((6, 6),)]
    """
    from corefkit.scoring.evaluator_documents import WANTED, check_depth, list_clusters

    try:
        given = list_clusters(clusters)
        check_depth(given, parts=False)
    except TypeError as error:
        raise TypeError(f"{WANTED}{error}") from None
    return [tuple(map(mention_of, cluster)) for cluster in given]


def mention_of(mention: Any) -> Hashable:
    """A hashable mention: a list becomes a tuple."""
    return tuple(mention) if isinstance(mention, list) else mention


def add_document(
    counting: "Evaluator",
    sides: tuple[Clusters, Clusters],
    owners: Mapping[str, Owners | None],
) -> None:
    """Count a document; `sides` are predicted and gold, `owners` their dictionaries by name.

    The dictionaries are not needed. Raises ValueError where they contradict the clusters.
    """
    response, key = map(listed, sides)
    for (name, given), clusters in zip(owners.items(), (response, key), strict=True):
        check_owners(name, clusters, given)
    counting.update(key, response)


def check_owners(name: str, clusters: ListedClusters, owners: Owners | None) -> None:
    """Raise ValueError where a dictionary of mentions is given and contradicts the clusters.

    With a restricted dictionary, the original evaluator would compute something else.
    """
    if owners is None:
        return
    expected = {mention: cluster for cluster in clusters for mention in cluster}
    _compare(name, expected, owners, _mentions_of)


def _mentions_of(owner: Any) -> Any:
    """The mentions of a cluster; anything else as it is, which is no cluster."""
    return {*map(mention_of, owner)} if isinstance(owner, Iterable) else owner


def check_places(
    name: str,
    mentions: ListedClusters,
    clusters: ListedClusters,
    given: Mapping[Any, int] | None,
) -> None:
    """Like `check_owners`, for a dictionary from common mentions to the numbers of their clusters.

    `mentions` are the clusters whose mentions are its keys, `clusters` those it points to.
    """
    if given is None:
        return
    known = {mention: number for number, cluster in enumerate(clusters) for mention in cluster}
    of_other_side = {mention for cluster in mentions for mention in cluster}
    expected = {mention: number for mention, number in known.items() if mention in of_other_side}
    _compare(name, expected, given, int)


def _compare(
    name: str, expected: Mapping[Hashable, Any], given: Owners, read: Callable[[Any], Any]
) -> None:
    """Raise ValueError about the first mention whose owners, after `read`, differ."""
    given_owners = {mention_of(mention): owner for mention, owner in given.items()}
    for mention in {**expected, **given_owners}:
        if mention not in given_owners or mention not in expected:
            where = "is missing there" if mention not in given_owners else "is in none of them"
            raise ValueError(
                f"{name} does not agree with the clusters: {mention!r:.60} {where}. Leave it out; "
                "a restricted dictionary would compute something else"
            )
        if read(given_owners[mention]) != read(expected[mention]):
            raise ValueError(
                f"{name} does not agree with the clusters: {mention!r:.60} belongs to "
                f"{expected[mention]!r:.60}, not to {given_owners[mention]!r:.60}"
            )


def f_score(precision: float, recall: float, beta: float = 1) -> float:
    """The weighted harmonic mean; 0 where both are 0.

    >>> f_score(0.5, 0.5), round(f_score(1.0, 0.5, beta=2), 4)
    (0.5, 0.5556)
    """
    weighted = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighted if weighted else 0.0


def prf(score: "Score") -> PRF:
    """Precision, recall and F1 of a score."""
    return score.precision or 0.0, score.recall or 0.0, score.f1


def mean_prf(scores: "Mapping[str, Score]") -> PRF:
    """The means of precision, recall and F1 of the three metrics of the CoNLL average."""
    columns = zip(*(prf(scores[name]) for name in IN_CONLL), strict=True)
    precision, recall, f1 = (sum(column) / len(IN_CONLL) for column in columns)
    return precision, recall, f1
