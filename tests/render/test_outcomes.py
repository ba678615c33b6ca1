"""Tables of application scores."""

from corefkit.metrics.base import Score
from corefkit.render.outcomes import _class_row, _labelled
from corefkit.scoring.parts import Part
from corefkit.scoring.report import System
from corefkit.scoring.scores import score_rows


def test_labels_are_sorted_by_mentions_in_the_key_whatever_is_spurious() -> None:
    def score(in_key: int, spurious: int) -> Score:
        return Score(0.0, counts={"tp": in_key, "wl": 0, "fn": 0, "fp": spurious})

    by_label = {"rare": score(1, 5000), "frequent": score(3, 0), "invented": score(1, 5001)}
    parts = [Part((("class", name),), {"mentions": figure}) for name, figure in by_label.items()]
    rows = _labelled(System("a", "a.conll", None, classes=tuple(parts)), None)
    assert [row["label"] for row in rows] == ["frequent", "invented", "rare"]


def test_nothing_to_divide_by_is_no_zero() -> None:
    (score,) = score_rows("mentions", Score(0.0, 0.0, 0.0, {"recall": (0, 3), "precision": (0, 0)}))
    row = _class_row(score)
    assert (row["recall"], row["precision"], row["f1"], row["key_mentions"]) == (0.0, None, None, 3)
    (score,) = score_rows("mentions", Score(0.0, 0.0, 0.0, {"recall": (0, 3), "precision": (0, 2)}))
    row = _class_row(score)
    assert (row["recall"], row["precision"], row["f1"]) == (0.0, 0.0, 0.0)
