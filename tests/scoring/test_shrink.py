"""The smallest part of files on which two scorers differ."""

from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.scoring.shrink import (
    ShrunkFiles,
    SmallDocuments,
    _documents,
    _steps,
    profile_scorer,
    shrink,
    shrink_files,
)
from tests.support import EXAMPLES


def shrunk(one: str, other: str, *metrics: str, **more: Any) -> ShrunkFiles:
    key, response = (corefkit.read(EXAMPLES / f"{name}.conll") for name in ("key", "hasty"))
    scorers = profile_scorer(one, metrics), profile_scorer(other, metrics)
    return shrink_files(key, response, scorers, metrics, **more)


def test_singletons_are_what_e2e_is_about() -> None:
    found = shrunk("standard", "e2e", "lea")
    assert found.minimal
    assert len(found.documents) == 1
    (document,) = found.documents
    assert any(len(entity) == 1 for side in document.sides for entity in side)
    one, other = found.scores
    assert abs(one["lea"] - other["lea"]) >= 0.001


def test_what_is_written_shows_it_too(tmp_path: Path) -> None:
    found = shrunk("standard", "e2e", "ceafe", least=5)
    for name, data in found.files(str(tmp_path / "small")).items():
        Path(name).write_bytes(data)
    key, response = (tmp_path / f"small.{side}.conll" for side in ("key", "response"))
    values = [
        corefkit.score(key, response, "ceafe", profile)["ceafe"].f1
        for profile in ("standard", "e2e")
    ]
    assert abs(values[0] - values[1]) >= 0.05
    assert values == [scores["ceafe"] for scores in found.scores]


def test_repeated_mentions_and_documents_that_the_response_lacks() -> None:
    key = Corpus.from_clusters({d: [[(0, 0), (2, 2), (4, 4)], [(6, 6), (8, 8)]] for d in "abcde"})
    response = Corpus.from_clusters(
        {
            **{d: [[(0, 0), (2, 2), (4, 4)], [(6, 6), (8, 8)]] for d in "abc"},
            "d": [[(0, 0), (2, 2), (4, 4)], [(0, 0), (6, 6), (8, 8)]],
        }
    )
    scorers = profile_scorer("standard", ["bcub"]), profile_scorer("coval", ["bcub"])
    found = shrink_files(key, response, scorers, ["bcub"], least=1)
    assert [document.name for document in found.documents] == ["d"]
    assert found.mentions <= 4


def test_no_difference_is_an_error_that_says_how_much_there_is() -> None:
    with pytest.raises(UsageError, match=r"differ by 0 points at most, not by 0\.1"):
        shrunk("standard", "conll-8.01", "muc")
    with pytest.raises(DataError, match="needs heads"):
        shrunk("standard", "corefud")


def test_a_budget_ends_it() -> None:
    found = shrunk("standard", "e2e", "lea", budget=3)
    assert not found.minimal
    assert found.trials == 3


def loses_a_link(documents: SmallDocuments) -> bool:
    """Whether the response lacks a link of the key."""
    return any(
        len(entity) > 1 and not any({*entity} <= {*other} for other in d.response)
        for d in documents
        for entity in d.key
    )


def test_what_is_left_is_one_minimal() -> None:
    key = Corpus.from_clusters({"a": [[(0, 0), (1, 1), (2, 2)]], "b": [[(0, 0), (3, 3)]]})
    response = Corpus.from_clusters({"a": [[(0, 0), (1, 1)], [(2, 2)]], "b": []})
    documents = _documents(key, response)
    left = shrink(documents, loses_a_link)
    assert loses_a_link(left)
    assert not any(map(loses_a_link, _steps(left)))
    assert [d.text for d in left] == ["{ad} / ∅"]
