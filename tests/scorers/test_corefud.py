"""What corefud-scorer does with mentions that several entities list."""

from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.options import PLAIN_SIDES
from corefkit.scorers import make_options, scorer_for


def write(path: Path, *cells: str) -> Path:
    """Two words, a zero after the second, and two more words, with these cells of entities."""
    rows = ["# global.Entity = eid-head", "# newdoc id = tale", "# sent_id = 1"]
    ids = ["1", "2", "2.1", "3", "4"]
    for number, cell in zip(ids, cells, strict=True):
        deps, head = ("2:nsubj", "_") if "." in number else ("_", "0" if number == "1" else "1")
        misc = f"Entity={cell}" if cell else "_"
        columns = [number, "w", *["_"] * 4, head, "_" if "." in number else "dep", deps, misc]
        rows.append("\t".join(columns))
    path.write_text("\n".join(rows) + "\n\n")
    return path


@pytest.mark.parametrize("profile", ["corefud", "corefud-1.1"])
def test_a_zero_of_two_entities(tmp_path: Path, profile: str) -> None:
    """1 and 2.1 are e1, 2 and 2.1 are e2, against itself: of the two the one in e2 is found where
    its antecedent is, that in e1 is a wrong link; it is no false positive too."""
    path = write(tmp_path / "a.conllu", "(e1-1)", "(e2-1)", "(e1-1)(e2-1)", "", "")
    score = corefkit.score(path, path, "zero", profile)["zero"]
    assert score.counts == {"tp": 1, "wl": 1, "fn": 0, "fp": 0}
    assert score.precision == 0.5


@pytest.mark.parametrize("profile", ["corefud", "corefud-1.1"])
def test_a_zero_that_begins_one_of_its_entities(tmp_path: Path, profile: str) -> None:
    """In the response it is second in e1 and first in e2: it is first, for the key zero, which is
    missed, and it is no false positive in e1. The other way round it is judged once."""
    key = write(tmp_path / "key.conllu", "(e1-1)", "", "(e1-1)", "(e2-1)", "(e2-1)")
    both = write(tmp_path / "response.conllu", "(e1-1)", "", "(e1-1)(e2-1)", "(e2-1)", "(e2-1)")
    score = corefkit.score(key, both, "zero", profile)["zero"]
    assert score.counts == {"tp": 0, "wl": 0, "fn": 1, "fp": 0}
    other = corefkit.score(both, key, "zero", profile)["zero"]
    assert other.counts == {"tp": 1, "wl": 0, "fn": 0, "fp": 0}


@pytest.mark.parametrize("profile", ["corefud", "corefud-1.1"])
def test_a_spurious_zero_counts_in_each_entity(tmp_path: Path, profile: str) -> None:
    key = write(tmp_path / "key.conllu", "(e1-1)", "(e2-1)", "", "(e1-1)", "(e2-1)")
    more = write(tmp_path / "response.conllu", "(e1-1)", "(e2-1)", "(e1-1)(e2-1)", "(e1-1)", "")
    score = corefkit.score(key, more, "zero", profile)["zero"]
    assert score.counts == {"tp": 0, "wl": 0, "fn": 0, "fp": 2}


def test_a_repeated_mention_is_paired_in_the_first_entity_that_lists_it() -> None:
    """Whereas it is looked up in the last one."""
    corpus = Corpus.from_clusters({"tale": [[(0, 0), (1, 1)], [(0, 0), (2, 2)]]})
    options = make_options("muc", "corefud", match="exact", singletons="keep")
    scorer = scorer_for(options)
    key, response = (scorer.read(corpus, reading) for reading in PLAIN_SIDES)
    comparison = scorer.compare(key, response)
    for side, rows in zip((comparison.key, comparison.response), comparison.pairs, strict=True):
        assert side.entity[rows[side.start[rows] == 0]].tolist() == [0]
    found = scorer.lookups(comparison).found
    assert found is not None
    assert found[0].tolist() == [1, 0, 1, 1]
