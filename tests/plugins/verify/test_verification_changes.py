"""What moved figures between any two versions."""

import pytest

from corefkit.plugins.verify.verification import ScoreChange, changes_between

CHANGES = [
    ScoreChange("0.2.0", "muc"),
    ScoreChange("0.10.0", "bcub"),
    ScoreChange("0.11.0", "lea"),
    ScoreChange("0.11.0", "blanc"),
]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0.1.0", "0.1.0", []),
        ("0.1.0", "0.2.0", ["muc"]),
        ("0.2.0", "0.9.0", []),
        ("0.2.0", "0.10.0", ["bcub"]),
        ("0.1.0", "0.10.0", ["bcub", "muc"]),
        ("0.10.0", "0.1.0", ["bcub", "muc"]),
        ("0.10.0.dev3+g123", "0.10.0", ["bcub"]),
        ("0.10.0", "0.11.0.dev1+g1", []),
        ("0.11.0.dev1", "0.11.0", ["lea", "blanc"]),
        ("", "0.2.0", ["muc"]),
    ],
)
def test_between_two_versions(old: str, new: str, expected: list[str]) -> None:
    assert [change.text for change in changes_between(old, new, CHANGES)] == expected


def test_nothing_is_recorded_before_the_first_release() -> None:
    assert changes_between("0.0.1", "99.0.0") == []
