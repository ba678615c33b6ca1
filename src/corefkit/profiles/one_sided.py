"""How older scorers look at a metric: from each side at the other, or at all that is listed."""

from collections.abc import Callable, Mapping

from corefkit.data.counts import PerDocument
from corefkit.data.overlap import Overlap
from corefkit.metrics import bcub, ceaf, lea, muc

_Count = Callable[[Overlap], tuple[PerDocument, ...]]

BY_SIDE: Mapping[str, _Count] = {"muc": muc.count, "bcub": bcub.count, "lea": lea.count}
"""Metrics whose recall looks from the key at the response, and whose precision looks back."""

BY_LIST: Mapping[str, _Count] = {"ceafm": ceaf.count_mentions, "ceafe": ceaf.count_entities}
"""Metrics that align entities as they are listed."""


def count_by_side(name: str, recall: Overlap, precision: Overlap) -> tuple[PerDocument, ...]:
    """Recall in one overlap and precision in another, in which the sides are exchanged."""
    return *BY_SIDE[name](recall)[:2], *BY_SIDE[name](precision)[:2]
