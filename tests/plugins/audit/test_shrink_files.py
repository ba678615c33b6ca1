"""The smallest part of files on which two scorers differ."""

import sys
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.plugins.audit.run import command_runner
from corefkit.plugins.audit.shrink_files import (
    NamedDocument,
    ShrunkFiles,
    command_scorer,
    profile_scorer,
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
    names = [tmp_path / "key.conll", tmp_path / "response.conll"]
    for name, data in zip(names, found.files(), strict=True):
        name.write_bytes(data)
    key, response = names
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


def test_a_live_command(tmp_path: Path) -> None:
    """A scorer that gives half a point for everything: the smallest documents are those of one."""
    line = f"{sys.executable} -I -S -c \"print('muc Recall: 50 Precision: 50 F1: 50.00')\""
    runner = command_runner(f"{line} {{key}} {{response}}", "coval", "conll", ("muc",), 5.0)
    key = Corpus.from_clusters({"a": [[(0, 0), (1, 1), (2, 2)]], "b": [[(0, 0), (3, 3)]]})
    scorers = profile_scorer("standard", ["muc"]), command_scorer(runner)
    found = shrink_files(key, key, scorers, ["muc"], budget=40)
    assert found.scores[1] == {"muc": 0.5}
    assert found.mentions <= 2
    assert isinstance(found.documents[0], NamedDocument)
