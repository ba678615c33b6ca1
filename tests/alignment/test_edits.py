"""Alignment by the fewest edits, against the table that every textbook has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.alignment import edits
from corefkit.alignment.edits import align_edits
from tests.oracle import alignment as oracle

WORDS = st.text("abc", max_size=14)


def _distance(one: str, other: str) -> int:
    """The edit distance, by the whole table."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j - 1] + (a != b), before[j] + 1, row[-1] + 1))
    return row[-1]


@pytest.mark.parametrize("way", ["table", "band"])
@given(one=WORDS, other=WORDS)
def test_the_fewest_edits(one: str, other: str, way: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        choose(way, patch)
        found = align_edits(one, other)
    assert found is not None
    same, replaced = found.same.tolist(), found.replaced.tolist()
    assert all(one[i] == other[j] for i, j in enumerate(same) if j >= 0)
    assert all(one[i] != other[j] for i, j in enumerate(replaced) if j >= 0)
    assert not any(i >= 0 and j >= 0 for i, j in zip(same, replaced, strict=True))
    aligned = [max(i, j) for i, j in zip(same, replaced, strict=True) if max(i, j) >= 0]
    assert aligned == sorted(set(aligned))
    paired, changed = len(aligned), sum(j >= 0 for j in replaced)
    assert (len(one) - paired) + (len(other) - paired) + changed == _distance(one, other)


def choose(way: str, patch: pytest.MonkeyPatch) -> None:
    """One table, or bands as narrow as they can be, widened step by step."""
    band = {"_WHOLE": 0, "_FIRST_BAND": 1, "_WIDER": 2}
    for name, value in (band if way == "band" else {}).items():
        patch.setattr(edits, name, value)


@given(st.text("abc", max_size=40), st.text("abc", max_size=40))
def test_a_band_changes_nothing(one: str, other: str) -> None:
    wanted = align_edits(one, other)
    with pytest.MonkeyPatch.context() as patch:
        choose("band", patch)
        found = align_edits(one, other)
    assert found is not None
    assert wanted is not None
    assert np.array_equal(found, wanted)


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_which_of_several_is_taken(one: str, other: str) -> None:
    found = align_edits(one, other)
    assert found is not None
    assert {i: j for i, j in enumerate(found.same.tolist()) if j >= 0} == oracle.pairs(one, other)
    forwards = align_edits(one[::-1], other[::-1], from_start=True)
    assert forwards is not None
    assert [at for at in forwards.same.tolist() if at >= 0] == sorted(
        len(other) - 1 - at for at in found.same.tolist() if at >= 0
    )


def test_long_runs_and_a_text_that_breaks_off() -> None:
    words = [str(n % 997) for n in range(5000)]
    found = align_edits([*words[:700], "new", *words[700:]], words[:3000], from_start=True)
    assert found is not None
    assert found.same.tolist() == [*range(700), -1, *range(700, 3000), *[-1] * 2000]


def test_a_long_text_with_changes() -> None:
    """In a band that moves down the rows, what it has passed is forgotten."""
    words = [str(n * n % 991) for n in range(9000)]
    changed = [word if n % 500 else "new" for n, word in enumerate(words)]
    found = align_edits(words, changed[30:])
    assert found is not None
    kept = [n - 30 if n >= 30 and n % 500 else -1 for n in range(9000)]
    assert found.same.tolist() == kept
    assert (found.replaced >= 0).sum() == 17


@pytest.mark.parametrize(("most", "aligned"), [(1055, False), (1056, True), (0, False)])
def test_nothing_in_common(most: int, aligned: bool) -> None:
    """Twenty edits are looked for with a surplus of 32, which takes 32 × 33 steps."""
    assert (align_edits("a" * 20, "b" * 20, most_steps=most) is not None) == aligned


@pytest.mark.parametrize("changed", [0.001, 0.05, 0.6])
def test_as_many_edits_as_rapidfuzz_finds(changed: float) -> None:
    """Texts of thousands of words, from a few that differ to most of them."""
    levenshtein = pytest.importorskip("rapidfuzz.distance").Levenshtein
    random = np.random.default_rng(7)
    one = random.integers(0, 500, 6000).tolist()
    draws = zip(one, random.random(6000).tolist(), strict=True)
    other = [
        n + 1000 * (draw < changed / 2) for n, draw in draws if not changed / 2 < draw < changed
    ]
    found = align_edits(one, other)
    assert found is not None
    paired = (found.same >= 0) | (found.replaced >= 0)
    kept, replaced = int(paired.sum()), int((found.replaced >= 0).sum())
    edits = len(one) - kept + len(other) - kept + replaced
    assert edits == levenshtein.distance(one, other)
