"""Corpus: what is public."""

import copy
import pickle
from dataclasses import fields
from pathlib import Path

import pytest

from corefkit import Corpus
from tests.support import ROOT

CORPUS = Corpus.from_clusters({"a": [[(0, 1), (4, 4)], [(6, 8)]]})


def test_other_names_are_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        CORPUS.nothing  # type: ignore[attr-defined] # noqa: B018
    assert copy.copy(CORPUS).clusters() == CORPUS.clusters()
    assert pickle.loads(pickle.dumps(CORPUS)).clusters() == CORPUS.clusters()


def test_what_is_public_is_documented() -> None:
    page = Path(ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    public = [name for name in dir(Corpus) if not name.startswith("_")]
    public += [field.name for field in fields(Corpus)]
    assert [name for name in public if f"`{name}" not in page] == []
