"""Runs over several responses."""

import gc

import pytest

import corefkit
from corefkit.core.source import Source
from corefkit.scorers import make_options
from corefkit.scoring.run import _as_corpus, score_systems
from tests.support import EXAMPLES


def test_scores_do_not_keep_the_files_of_responses() -> None:
    responses = ["examples/careful.conll", "examples/hasty.conll"]
    report = score_systems("examples/key.conll", responses, make_options())
    gc.collect()
    held = {source.path for source in gc.get_objects() if isinstance(source, Source)}
    assert all(system.scores is not None for system in report.systems)
    assert not held & set(responses)


def test_a_table_that_has_every_attribute_is_no_document() -> None:
    """A table of Spark Connect answers to `spans` and `sentences` with a column."""

    class Table:
        columns = ("mention", "entity")

        def __getattr__(self, name: str) -> str:
            return f"Column<{name}>"

    table = Table()
    assert _as_corpus(table) is table


@pytest.mark.parametrize("profile", ["corefud", "corefud-1.1"])
def test_matches_are_missed_only_where_they_are_counted(profile: str) -> None:
    """The older scorer of CorefUD pairs nothing off and has no count of mentions."""
    files = EXAMPLES / "drawer.conllu", EXAMPLES / "drawer-system.conllu"
    scores = corefkit.score(*files, profile=profile)
    assert scores.conll > 0
    assert "mentions-unmatched" not in {incident.id for incident in scores.incidents}
