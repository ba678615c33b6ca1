"""What the Universal Anaphora scorers do otherwise, on files of a few words.

The figures are those of the two original scorers on the same files, or worked out by hand by their
rules: a non-referring markable is looked for among those of the other side, each by itself, and
the elements of a plural are lists.
"""

from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.options import PLAIN_SIDES, MatchPolicy
from corefkit.scorers import make_options, scorer_for
from tests.support import EXAMPLES

PICNIC = EXAMPLES / "picnic.conllua", EXAMPLES / "picnic-system.conllua"


def write(path: Path, *cells: str) -> Path:
    """A document of one word for each cell of markables."""
    rows = ["# newdoc id = tale"]
    for number, cell in enumerate(cells, 1):
        rows.append("\t".join([str(number), "w", *["_"] * 8, cell, "_"]))
    path.write_text("\n".join(rows) + "\n")
    return path


def markable(number: int, entity: str, more: str = "") -> str:
    return f"(MarkableID=m{number}|EntityID={entity}{more})"


@pytest.mark.parametrize("profile", ["standard", "ua", "ua-1", "coval", "conll-8.01", "corefud"])
def test_split_antecedents_alone(profile: str) -> None:
    """Both original scorers: muc 66.67/100/80.00; the others know no split antecedents."""
    scores = corefkit.score(*PICNIC, "muc,bcub,ceafe", profile, split="only")
    muc = scores["muc"]
    assert (muc.recall, muc.precision) == (2 / 3, 1.0)
    assert (scores["bcub"].recall, scores["ceafe"].recall) == (0.75, 0.5)
    assert muc.split is None


def test_split_antecedents_alone_where_there_are_none(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conllua", markable(1, "1"), markable(2, "1"))
    for profile in ("standard", "ua", "ua-1"):
        muc = corefkit.score(path, path, "muc", profile, split="only")["muc"]
        assert muc.counts == {"recall": [0.0, 0.0], "precision": [0.0, 0.0]}


@pytest.mark.parametrize("profile", ["ua", "ua-1"])
def test_links_of_repeated_words_add_up_on_both_sides(
    tmp_path: Path, profile: Literal["ua", "ua-1"]
) -> None:
    """The last entity of the key that lists the first word is not that of the second word, but
    BLANC looks from the key alone: both sides have one link in common, in strata, too."""
    twice = markable(1, "1") + markable(2, "2")
    key = write(tmp_path / "key.conllua", twice, markable(3, "1"), markable(4, "2"))
    response = write(tmp_path / "r.conllua", markable(1, "1"), markable(3, "1"), markable(4, "2"))
    scores = corefkit.score(key, response, "blanc", profile)
    assert scores["blanc"].counts["coreference"] == {"recall": [1, 2], "precision": [1, 1]}
    strata = scores.split("entity:size").values()
    links = [stratum["blanc"].counts["coreference"] for stratum in strata]
    assert [sum(side[rate][0] for side in links) for rate in ("recall", "precision")] == [1, 1]


@pytest.mark.parametrize("match", ["exact", "partial"])
def test_nonreferring_markables_on_the_same_words(tmp_path: Path, match: MatchPolicy) -> None:
    """The key has two on the first word and one on the second; the response the first word only,
    and twice the third."""
    twice = markable(1, "1-Pseudo") + markable(2, "2-Pseudo")
    key = write(tmp_path / "key.conllua", twice, markable(3, "3-Pseudo"), "_")
    thrice = markable(2, "2-Pseudo") + markable(3, "3-Pseudo")
    response = write(tmp_path / "response.conllua", markable(1, "1-Pseudo"), "_", thrice)
    score = corefkit.score(key, response, "nonreferring", "ua", match=match)["nonreferring"]
    assert score.counts == {"tp": 2, "fn": 1, "fp": 2}
    if match == "exact":
        again = corefkit.score(key, response, "nonreferring", "ua-1")["nonreferring"]
        assert again.counts == score.counts


@pytest.mark.parametrize("profile", ["ua", "ua-1"])
def test_elements_that_list_a_span_twice(tmp_path: Path, profile: str) -> None:
    """e9 = {3} with the element e1 = {1, 2}; the response has e1 = {1, 2, 4, 4}.

    Precision of the element: 1 of 3 links, so e9 finds 1/3 of its link; e1 itself lists 4 once and
    finds 1 of 2. Together (1 + 1/3) / (2 + 1).
    """
    element = "|ElementOf=9"
    cells = [markable(1, "1", element), markable(2, "1", element), markable(3, "9")]
    key = write(tmp_path / "key.conllua", *cells, "_")
    copies = markable(4, "1", element) + markable(5, "1", element)
    response = write(tmp_path / "response.conllua", *cells, copies)
    muc = corefkit.score(key, response, "muc", profile)["muc"]
    assert muc.precision == pytest.approx(float(Fraction(4, 9)), abs=1e-15)
    assert muc.recall == 1.0
    assert muc.split is not None
    assert muc.split.counts["precision"] == [1.0, 3.0]
    standard = corefkit.score(key, response, "muc", split="keep")["muc"]
    assert standard.precision == 0.5


@pytest.mark.parametrize("profile", ["ua", "ua-1"])
def test_a_repeated_mention_is_paired_in_the_last_entity_that_lists_it(profile: str) -> None:
    corpus = Corpus.from_clusters({"tale": [[(0, 0), (1, 1)], [(0, 0), (2, 2)]]})
    scorer = scorer_for(make_options("muc", profile))
    key, response = (scorer.read(corpus, reading) for reading in PLAIN_SIDES)
    comparison = scorer.compare(key, response)
    for side, rows in zip((comparison.key, comparison.response), comparison.pairs, strict=True):
        assert side.entity[rows[side.start[rows] == 0]].tolist() == [1]
