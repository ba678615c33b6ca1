"""The old variants against the table of SPEC section 4 and against an oracle of plain sets."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Evaluator, metrics
from corefkit.core.options import UsageError
from corefkit.metrics.base import Score
from corefkit.scorers import make_options
from tests.oracle import variants as oracle
from tests.support import ROOT

VARIANTS = metrics.OLD_VARIANTS


def score(name: str, key: str, response: str) -> Score:
    return Evaluator(name).update(key.split(), response.split()).scores()[name]


@pytest.mark.parametrize(
    ("name", "response", "precision", "recall"),
    [
        ("bcub_0", "abd", "1", "4/9"),
        ("bcub_all", "abd", "5/9", "5/9"),
        ("bcub_all", "abd c", "2/3", None),
        ("bcub_rn", "abd", "5/9", None),
        ("bcub_rn", "abd e", "5/9", "5/9"),
        ("bcub_sys", "abd", "2/3", "5/9"),
        ("bcub_sys", "abd e", "2/3", "5/9"),
        ("ceafm_sys", "abd", "1/2", "2/3"),
        ("ceafm_rn", "abd e", "2/3", "2/3"),
        ("ceafe_rn", "abd e", "2/3", "2/3"),
        ("bcub", "abd", "4/9", None),
        ("bcub", "abd c", "7/12", None),
        ("bcub", "abd e", "1/3", None),  # what the paper prints for {abd}{c}
    ],
)
def test_table(name: str, response: str, precision: str, recall: str | None) -> None:
    found = score(name, "abc", response)
    assert found.precision == pytest.approx(float(Fraction(precision)), abs=1e-15)
    if recall:
        assert found.recall == pytest.approx(float(Fraction(recall)), abs=1e-15)


def test_none_is_a_default() -> None:
    assert len(VARIANTS) == 8
    assert not set(VARIANTS) & set(metrics.DEFAULT)


@pytest.mark.parametrize("profile", ["conll-8.01", "coval", "e2e"])
def test_no_other_scorer_has_them(profile: str) -> None:
    with pytest.raises(UsageError, match="has no bcub_sys"):
        make_options("bcub_sys", profile)


def partitions(letters: str) -> st.SearchStrategy[list[frozenset[str]]]:
    """Each letter in one of some entities, or in none."""
    places = st.lists(st.integers(-1, 4), min_size=len(letters), max_size=len(letters))
    return places.map(
        lambda chosen: [
            frozenset(m for m, c in zip(letters, chosen, strict=True) if c == entity)
            for entity in sorted(set(chosen) - {-1})
        ]
    )


@given(partitions("abcdefgh"), partitions("abcdefgh"), partitions("abc"), partitions("bcd"))
def test_oracle(
    key: list[frozenset[str]],
    response: list[frozenset[str]],
    second_key: list[frozenset[str]],
    second_response: list[frozenset[str]],
) -> None:
    documents = [(key, response), (second_key, second_response)]
    evaluator = Evaluator(VARIANTS)
    for one, other in documents:
        evaluator.update(one, other)
    scores = evaluator.scores()
    for name in VARIANTS:
        counted = [oracle.count(name, document) for document in documents]
        for side in ("recall", "precision"):
            expected = [float(sum(c[side][i] for c in counted)) for i in (0, 1)]
            assert scores[name].counts[side] == pytest.approx(expected, abs=1e-12)


@given(partitions("abcdef"))
def test_key_against_itself(key: list[frozenset[str]]) -> None:
    for score in Evaluator(VARIANTS).update(key, key).scores().values():
        assert score.f1 == (1 if key else 0)


@given(partitions("abcdef"), st.permutations("abcdef"))
def test_without_twinless_mentions_nothing_is_moved(
    key: list[frozenset[str]], order: list[str]
) -> None:
    renamed = dict(zip("abcdef", order, strict=True))
    everything = [*key, frozenset("abcdef") - {m for e in key for m in e}]
    response = [frozenset(renamed[m] for m in e) for e in everything if e]
    scores = Evaluator((*VARIANTS, "bcub", "ceafm", "ceafe")).update(
        [e for e in everything if e], response
    )
    for name in VARIANTS:
        plain = scores.scores()[name.partition("_")[0]]
        assert scores.scores()[name].f1 == pytest.approx(plain.f1, abs=1e-15)


def documented() -> list[tuple[str, str, str, str]]:
    """The cells of the two tables of docs/metrics.md: value, metric, response, fraction."""
    value, cells = "", []
    for line in (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8").splitlines():
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if row[0] in ("precision", "recall"):
            value = row[0]
        elif value and line.startswith("| `"):
            name = row[0].split("`")[1]
            for response, cell in zip(("abd", "abd c", "abd e"), row[1:], strict=True):
                cells.append((value, name, response, cell))
    return cells


def test_documentation() -> None:
    cells = documented()
    assert len(cells) == 2 * 11 * 3
    for value, name, response, cell in cells:
        expected = float(Fraction(cell.split(" = ")[0]))
        found = getattr(score(name, "abc", response), value)
        assert found == pytest.approx(expected, abs=1e-15), (value, name, response)
