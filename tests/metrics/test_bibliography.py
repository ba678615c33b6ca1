"""BibTeX of metrics."""

import pytest

from corefkit import metrics
from corefkit.metrics.bibliography import keys_of
from tests.support import run


@pytest.mark.parametrize("name", [n for n in metrics.NAMES if n != "empty-nodes"])
def test_every_paper_that_a_metric_names_has_an_entry(name: str) -> None:
    """The baseline of empty nodes is a program without a paper; "none: …" names none."""
    citation = metrics.get(name).citation
    papers = 2 if name in ("conll", "zero") else int(not citation.startswith("none: "))
    assert len(keys_of(citation)) == papers


def test_cite() -> None:
    text = run("--cite").out
    assert text.startswith("@software{corefkit,")
    for key in ("vilain1995", "bagga1998", "luo2005", "luo2014", "moosavi2016", "denis2009"):
        assert text.count(f"{{{key},") == 1
    assert "tuggener2014" not in text
    assert "tuggener2014" in run("metrics", "immediate", "--cite").out


def test_entries_are_balanced() -> None:
    text = run("metrics", *metrics.NAMES, "--cite").out
    for entry in text.strip().split("\n\n"):
        assert entry.count("{") == entry.count("}")
        assert entry.endswith("\n}")
