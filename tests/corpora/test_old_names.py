"""What `corefkit.ontonotes` had is still found there, with a warning."""

import pytest

import corefkit
from corefkit import corpora, ontonotes


@pytest.mark.parametrize("name", corpora.__all__)
def test_old_names_work_and_warn(name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"import {name} from corefkit.corpora"):
        assert getattr(ontonotes, name) is getattr(corpora, name)


def test_agree_of_old() -> None:
    paths = ["examples/key.conll", "examples/careful.conll"]
    with pytest.warns(DeprecationWarning, match="agree"):
        old = ontonotes.agree(paths)  # type: ignore[operator]
    assert str(old) == str(corefkit.agree(*paths))


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ontonotes.nothing  # noqa: B018
