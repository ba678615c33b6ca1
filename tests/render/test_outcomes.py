"""Tables of application scores."""

from corefkit.metrics.base import Score
from corefkit.render.outcomes import _by_frequency, _row


def test_labels_are_sorted_by_mentions_in_the_key_whatever_is_spurious() -> None:
    def score(in_key: int, spurious: int) -> Score:
        return Score(0.0, counts={"tp": in_key, "wl": 0, "fn": 0, "fp": spurious})

    by_label = {
        "rare": {"mentions": score(1, 5000)},
        "frequent": {"mentions": score(3, 0)},
        "invented": {"mentions": score(1, 5001)},
    }
    assert list(_by_frequency(by_label)) == ["frequent", "invented", "rare"]


def test_nothing_to_divide_by_is_no_zero() -> None:
    score = Score(0.0, 0.0, 0.0, {"recall": (0, 3), "precision": (0, 0)})
    row = _row("mentions", score)
    assert (row["recall"], row["precision"], row["f1"], row["key_mentions"]) == (0.0, None, None, 3)
    row = _row("mentions", Score(0.0, 0.0, 0.0, {"recall": (0, 3), "precision": (0, 2)}))
    assert (row["recall"], row["precision"], row["f1"]) == (0.0, 0.0, 0.0)
