"""Runs over several responses."""

import gc

from corefkit.core.source import Source
from corefkit.scorers import make_options
from corefkit.scoring.run import score_systems


def test_scores_do_not_keep_the_files_of_responses() -> None:
    responses = ["examples/careful.conll", "examples/hasty.conll"]
    report = score_systems("examples/key.conll", responses, make_options())
    gc.collect()
    held = {source.path for source in gc.get_objects() if isinstance(source, Source)}
    assert all(system.scores is not None for system in report.systems)
    assert not held & set(responses)
