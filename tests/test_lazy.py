"""Names that are loaded when they are first used."""

import subprocess
import sys

import pytest

import corefkit


def test_names_are_listed_before_they_are_loaded() -> None:
    code = "import sys, corefkit; assert 'score' in dir(corefkit) and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        corefkit.nothing  # noqa: B018
