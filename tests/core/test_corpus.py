"""Corpus: what is public."""

import copy
import pickle
import re
from dataclasses import fields

import pytest

from corefkit import Corpus

CORPUS = Corpus.from_clusters({"a": [[(0, 1), (4, 4)], [(6, 8)]]})


def test_other_names_are_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        CORPUS.nothing  # type: ignore[attr-defined] # noqa: B018
    assert copy.copy(CORPUS).clusters() == CORPUS.clusters()
    assert pickle.loads(pickle.dumps(CORPUS)).clusters() == CORPUS.clusters()


def test_what_is_public_is_documented() -> None:
    """Columns in the docstring of the class, and so on the API page; the rest in their own."""
    listed = {*re.findall(r"\w+", Corpus.__doc__ or "")}
    own = {name for name in dir(Corpus) if getattr(getattr(Corpus, name), "__doc__", "")}
    public = {name for name in dir(Corpus) if not name.startswith("_")}
    assert {field.name for field in fields(Corpus)} <= listed
    assert public <= listed | own
