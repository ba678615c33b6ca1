"""Coreference links by distance, against counting them one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, UsageError
from corefkit.features.divisions import BOUNDS, count_bands, find_distance
from tests.strategies import Document, documents, examples
from tests.support import EXAMPLES, run

KEY, CAREFUL = (str(EXAMPLES / f"{name}.conll") for name in ("key", "careful"))

mentions = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(-1, 30)), max_size=25
)
bounds_of_bands = st.lists(st.integers(0, 40), min_size=1, max_size=4, unique=True).map(sorted)


@examples(100)
@given(mentions, bounds_of_bands)
def test_bands_count_every_link(rows: list[tuple[int, int, int]], bounds: list[int]) -> None:
    document, group, place = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    wanted = np.zeros((3, len(bounds) + 1), dtype=np.int64)
    for one, other in combinations(rows, 2):
        if one[:2] == other[:2]:
            wanted[one[0], sum(abs(one[2] - other[2]) >= bound for bound in bounds)] += 1
    found = count_bands(document, document * 4 + group, place, bounds, 3)
    assert found.tolist() == wanted.tolist()


def corpus(side: list[list[list[int]]]) -> Corpus:
    spans = [[[(7 * m, 7 * m) for m in entity] for entity in entities] for entities in side]
    return Corpus.from_clusters({str(n): entities for n, entities in enumerate(spans)})


@examples(40)
@given(st.lists(documents(), min_size=1, max_size=3), st.sampled_from(["tokens", "mentions"]))
def test_bands_add_up_to_blanc(parts: list[Document], unit: str) -> None:
    key, response = corpus([k for k, _ in parts]), corpus([r for _, r in parts])
    scores = corefkit.score(key, response, "links,blanc")
    assert scores["links"].counts == scores["blanc"].counts["coreference"]
    bands = [stratum["links"].counts for stratum in scores.by(f"link:{unit}=2,9,20").values()]
    for side in ("recall", "precision"):
        sums = [sum(counts[side][n] for counts in bands) for n in (0, 1)]
        assert sums == scores["links"].counts[side]


def test_an_entity_of_many_mentions() -> None:
    """A hundred thousand mentions are five thousand million links."""
    number = 100_000
    nothing = np.zeros(number, dtype=np.int64)
    found = count_bands(nothing, nothing, np.arange(number), (1, 2, 1000), 1)
    assert found.sum() == number * (number - 1) // 2
    assert found[0, :2].tolist() == [0, number - 1]


def test_signature_and_bounds() -> None:
    assert find_distance("link:tokens").bounds == BOUNDS["tokens"]
    done = run("score", KEY, CAREFUL, "-m", "links", "--by", "link:mentions=1,3")
    assert "by:link:mentions=1,3" in done.out
    assert [line.split()[0] for line in done.out.splitlines() if line[:1].isdigit()] == [
        "1-2",
        "3+",
    ]
    done = run("score", KEY, CAREFUL, "-m", "links", "--by", "link:tokens", "-f", "tsv")
    assert "link:tokens:10-49" in done.out


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ("link:words", "there is no such distance"),
        ("link:tokens=a", "whole numbers"),
        ("link:tokens=5,2", "bounds must ascend"),
        ("link:tokens=", "whole numbers"),
    ],
)
def test_what_is_no_distance(by: str, told: str) -> None:
    done = run("score", KEY, CAREFUL, "--by", by)
    assert done.status == 2
    assert told in done.err
    assert "sentences=0,1,2,5,20,100" in " ".join(done.err.split())
    with pytest.raises(UsageError, match=told):
        corefkit.score(KEY, CAREFUL, "muc").by(by)


def test_sentences_are_needed() -> None:
    clusters = {"d": [[(0, 0), (3, 3)]]}
    made = Corpus.from_clusters(clusters)
    with pytest.raises(corefkit.DataError, match="column-missing"):
        corefkit.score(made, made, "links").by("link:sentences")
