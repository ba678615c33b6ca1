"""The scorer of the KBP event nugget tasks."""

from corefkit.scorers.kbp import match_in_order
from tests.matching.test_labels import labelled


def test_mentions_are_matched_in_order() -> None:
    """The first free mention that fits; spelling is ignored, and NOT_ANNOTATED fits any label."""
    key = labelled([(0, "NOT_ANNOTATED"), (0, "Life_Die"), (0, "x")])
    response = labelled([(0, "life-die"), (0, "Life Die"), (0, "y")])
    pairs = match_in_order(key, response, ["type"])
    assert list(zip(pairs.key.tolist(), pairs.response.tolist(), strict=True)) == [(0, 0), (1, 1)]
