"""Tables of application scores."""

from corefkit.metrics.base import Score
from corefkit.render.outcomes import _by_frequency


def test_labels_are_sorted_by_mentions_in_the_key_whatever_is_spurious() -> None:
    def score(in_key: int, spurious: int) -> Score:
        return Score(0.0, counts={"tp": in_key, "wl": 0, "fn": 0, "fp": spurious})

    by_label = {
        "rare": {"mentions": score(1, 5000)},
        "frequent": {"mentions": score(3, 0)},
        "invented": {"mentions": score(1, 5001)},
    }
    assert list(_by_frequency(by_label)) == ["frequent", "invented", "rare"]
