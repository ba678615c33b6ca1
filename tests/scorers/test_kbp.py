"""The scorer of the KBP event nugget tasks."""

import json
from pathlib import Path

from corefkit.scorers.kbp import agreeing_in_order, match_in_order
from tests.matching.test_labels import labelled
from tests.support import run


def test_mentions_are_matched_in_order() -> None:
    """The first free mention that fits; spelling is ignored, and NOT_ANNOTATED fits any label."""
    key = labelled([(0, "NOT_ANNOTATED"), (0, "Life_Die"), (0, "x")])
    response = labelled([(0, "life-die"), (0, "Life Die"), (0, "y")])
    pairs = match_in_order(key, response, ["type"])
    assert list(zip(pairs.key.tolist(), pairs.response.tolist(), strict=True)) == [(0, 0), (1, 1)]
    assert agreeing_in_order(key, response, ["type"]) == (3, 2)


def test_agreement_in_labels_is_told_by_every_profile(tmp_path: Path) -> None:
    path = tmp_path / "a.tbf"
    line = "s\td\t{0}\t{1},{2}\tw\t{3}\tActual\n"
    lines = [line.format(*row) for row in (("E1", 0, 2, "A"), ("E2", 4, 6, "B"))]
    path.write_text(f"#BeginOfDocument d\n{''.join(lines)}#EndOfDocument\n")
    other = tmp_path / "b.tbf"
    other.write_text(path.read_text().replace("\tB\t", "\tC\t"))
    for more in ([], ["--labels", "type"], ["--labels", "realis"]):
        done = run("score", path, other, "--profile", "kbp", *more, "-f", "json")
        (system,) = json.loads(done.out)["systems"]
        assert system["labels"] == {"spans": 2, "agree": 2 if "realis" in more else 1}
    none = run("score", path, other, "--profile", "kbp", "--labels", "none", "-f", "json")
    assert "labels" not in json.loads(none.out)["systems"][0]
