"""Profile ua-1: zeros are tokens like others."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, UsageError
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.ua import linear, min_inside
from corefkit.scoring.run import score_comparison

HEADER = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"


def write(path: Path, *documents: tuple[str, list[tuple[str, str]]]) -> Path:
    """A file of documents, each of rows: ID and IDENTITY."""
    lines = [HEADER]
    for name, rows in documents:
        lines.append(f"# newdoc id = {name}")
        lines += ["\t".join([number, "w", *["_"] * 8, cell, "_"]) for number, cell in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


LEFT = ("left", [("0.1", "(EntityID=1)"), ("1", "(EntityID=1"), ("1.1", "_"), ("2", ")")])
RIGHT = ("right", [("1", "_"), ("1.1", "_"), ("1.2", "(EntityID=1)"), ("2", "(EntityID=1)")])


def test_places(tmp_path: Path) -> None:
    found = linear(corefkit.read(write(tmp_path / "tale.conllua", LEFT, RIGHT)))
    assert list(zip(found.start.tolist(), found.end.tolist(), strict=True)) == [
        (0, 0),  # the zero before the first token
        (1, 3),  # two tokens with a zero between them
        (2, 2),  # the second zero, after the first token
        (3, 3),  # the second token
    ]
    assert found.zero is None


def test_documents_in_another_order(tmp_path: Path) -> None:
    """Zeros without mentions count, wherever the response has its documents."""
    key = write(tmp_path / "key.conllua", LEFT, RIGHT)
    response = write(tmp_path / "response.conllua", RIGHT, LEFT)
    scores = corefkit.score(key, response, "conll,mentions", "ua-1")
    assert scores["mentions"].counts["recall"] == [4, 4]
    assert scores["conll"].f1 == 1.0


def test_a_side_that_is_prepared_again_counts_its_zeros_once(tmp_path: Path) -> None:
    """As `task run` does; the scores are those of a single run."""
    path = write(tmp_path / "tale.conllua", LEFT, RIGHT)
    scorer = scorer_for(make_options("conll", "ua-1"))
    side = scorer.read(path)
    again = scorer.prepare(side)
    assert again.scored.start.tolist() == side.scored.start.tolist()
    scores = score_comparison(scorer, scorer.compare(side, again), "again").scores
    assert scores is not None and scores["conll"].f1 == 1.0


def test_a_side_of_ua1_is_prepared_for_another_scorer(tmp_path: Path) -> None:
    path = write(tmp_path / "tale.conllua", LEFT, RIGHT)
    side = scorer_for(make_options("muc", "ua-1")).read(path)
    ua = scorer_for(make_options("muc", "ua"))
    assert ua.prepare(side).scored.start.tolist() == ua.read(path).scored.start.tolist()


def test_a_zero_may_be_the_token_of_the_other_side() -> None:
    """Zero 1.1 of the key is row 2, as is the second token of a response without zeros."""
    key = Corpus.from_clusters({"tale": [[(0, 0), (3, 3)]]})
    key = replace(key, zero=np.array([1, 0]), tokens=np.array([5]))
    response = replace(Corpus.from_clusters({"tale": [[(1, 1), (4, 4)]]}), tokens=np.array([5]))
    assert corefkit.score(key, response, "muc", "ua-1")["muc"].f1 == 1.0
    assert corefkit.score(key, response, "muc", "ua", zeros="linear")["muc"].f1 == 0.0


def test_empty_nodes_are_refused() -> None:
    corpus = replace(Corpus.from_clusters({"tale": [[(0, 0)]]}), head_zero=np.array([1]))
    with pytest.raises(UsageError, match="empty nodes"):
        linear(corpus)


def test_a_min_may_reach_to_both_ends_of_its_mention() -> None:
    key = Corpus.from_clusters({"d": [[(1, 3), (5, 7), (9, 11), (13, 15)]]})
    minimum = np.array([(1, 3), (4, 6), (10, 12), (-1, -1)])
    assert min_inside(replace(key, minimum=minimum)).tolist() == [True, False, False, True]
