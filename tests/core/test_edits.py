"""Alignment by the fewest edits, against the table that every textbook has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats._kit import edits
from corefkit.formats._kit.edits import align

WORDS = st.text("abc", max_size=14)


def _distance(one: str, other: str) -> int:
    """The edit distance, by the whole table."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j - 1] + (a != b), before[j] + 1, row[-1] + 1))
    return row[-1]


@given(WORDS, WORDS)
def test_the_fewest_edits(one: str, other: str) -> None:
    found = align(one, other)
    assert found is not None
    same, replaced = found.same.tolist(), found.replaced.tolist()
    assert all(one[i] == other[j] for i, j in enumerate(same) if j >= 0)
    assert not any(i >= 0 and j >= 0 for i, j in zip(same, replaced, strict=True))
    aligned = [max(i, j) for i, j in zip(same, replaced, strict=True) if max(i, j) >= 0]
    assert aligned == sorted(set(aligned))
    paired, changed = len(aligned), sum(j >= 0 for j in replaced)
    assert (len(one) - paired) + (len(other) - paired) + changed == _distance(one, other)


def test_long_runs_and_a_text_that_breaks_off() -> None:
    words = [str(n % 997) for n in range(5000)]
    found = align([*words[:700], "new", *words[700:]], words[:3000])
    assert found is not None
    assert found.same.tolist() == [*range(700), -1, *range(700, 3000), *[-1] * 2000]


def test_nothing_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MOST_STEPS", 50)
    assert align("a" * 20, "b" * 20) is None
