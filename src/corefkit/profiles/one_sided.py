"""How older scorers look at a metric: from each side at the other, or at all that is listed."""

from collections.abc import Callable, Mapping

from corefkit.data.counts import PerDocument
from corefkit.data.overlap import Overlap
from corefkit.metrics import bcub, ceaf, lea, muc

BY_SIDE: Mapping[str, Callable[[Overlap], tuple[PerDocument, ...]]] = {
    "muc": muc.count,
    "bcub": bcub.count,
    "lea": lea.count,
}
"""Metrics whose recall looks from the key at the response, and whose precision looks back."""

BY_LIST: Mapping[str, Callable[[Overlap], tuple[PerDocument, ...]]] = {
    "ceafm": ceaf.count_mentions,
    "ceafe": ceaf.count_entities,
}
"""Metrics that align entities as they are listed."""
