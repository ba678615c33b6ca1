"""The results of a shared task: scores, official scores and ranking, tests of differences.

>>> ranking({"a": {"x": 60.0, "y": 30.0}, "b": {"x": 70.0}}, ["x", "y"])
[Standing(system='a', figures={'x': 60.0, 'y': 30.0}, official=45.0, place=1),
 Standing(system='b', figures={'x': 70.0}, official=35.0, place=2)]
"""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from functools import cached_property
from math import fsum
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.core.incidents import Incident
from corefkit.plugins.task.shared_task import Setting, Slot, Task
from corefkit.scorers.comparison import Side
from corefkit.scoring.hashes import FileHash
from corefkit.scoring.report import System
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import Significance, compare_means, compare_scores

OFFICIAL = "official"
"""The name of the comparison of official scores."""


@frozen
class Standing:
    """The place of a system in a ranking.

    `figures` has its ranking score by language, None where it has none; `official` is their mean.
    """

    system: str
    figures: Mapping[str, float | None]
    official: float
    place: int


@frozen
class TaskRun:
    """A task with all its results; `keys` are the prepared keys by language.

    `key_hashes` has the hash of each key by language.
    """

    task: Task
    keys: Mapping[str, Side]
    results: Mapping[Slot, System]
    key_hashes: Mapping[str, FileHash] = field(default_factory=dict)

    def scores(self, slot: Slot) -> Scores | None:
        """The scores of one response; None if it was not sent or could not be scored."""
        return self.results[slot].scores if slot in self.results else None

    def figure(self, slot: Slot) -> float | None:
        """The ranking score of one response, between 0 and 1; None if it has none."""
        scores = self.scores(slot)
        return scores[self.task.rank].f1 if scores else None

    @property
    def incidents(self) -> dict[Slot, Sequence[Incident]]:
        """The incidents of each response."""
        return {slot: result.incidents for slot, result in self.results.items()}

    def lacks_documents(self, slot: Slot) -> bool:
        """Whether a response that was scored lacks documents, which count as empty."""
        result = self.results.get(slot)
        found = result.incidents if result and result.scores else ()
        return any(incident.id == "document-missing" for incident in found)

    def unscored(self) -> list[Slot]:
        """The responses that were sent and could not be scored."""
        return [slot for slot, result in self.results.items() if result.scores is None]

    def standings(self, setting: Setting | None = None) -> list[Standing]:
        """All systems, ranked by their official scores, or by their means in another setting."""
        task = self.task
        name = setting.name if setting else task.official
        figures = {
            system: {
                language: self.figure(Slot(system, language, task.tracks[0], name))
                for language in task.languages
            }
            for system in task.systems
        }
        return ranking(figures, task.languages)

    def systems(self) -> list[str]:
        """The names of all systems, the best first."""
        return [standing.system for standing in self.standings()]

    @cached_property
    def comparisons(self) -> dict[tuple[str, str], Significance]:
        """By track and language: the systems of the official setting, compared, the best first."""
        task = self.task
        compared = {}
        for track in task.tracks:
            for language in task.languages:
                slots = task.slots(language=language, track=track, setting=task.official)
                scored = [(slot.system, s) for slot in slots if (s := self.scores(slot))]
                scored.sort(key=lambda pair: (-pair[1][task.rank].f1, pair[0]))
                if scored:
                    compared[track, language] = compare_scores(dict(scored), **self._test_options)
        return compared

    @cached_property
    def official_comparison(self) -> Significance | None:
        """The comparison of the official scores, which are means; None if there are no scores.

        In a mean, a response that was not sent or could not be scored counts as 0. Two systems
        are compared on the languages or datasets that both have scores for, if there are any.
        """
        task, track = self.task, self.task.tracks[0]
        if len(task.languages) == 1:  # the official scores are those of the one language
            (language,) = task.languages
            return self.comparisons.get((track, language))
        scores: dict[str, list[Scores | None]] = {}
        for standing in self.standings():
            if any(value is not None for value in standing.figures.values()):
                slots = [Slot(standing.system, x, track, task.official) for x in task.languages]
                scores[standing.system] = [self.scores(slot) for slot in slots]
        keys = [language.title for language in task.languages.values()]
        how = {**self._test_options, "keys": keys, "metric": task.rank}
        return compare_means(scores, **how) if scores else None

    @property
    def _test_options(self) -> dict[str, Any]:
        """The arguments of `compare_scores` that the manifest determines."""
        task = self.task
        return {"samples": task.samples, "seed": task.seed, "level": task.level}


def day_of_run() -> str:
    """Today in UTC as YYYY-MM-DD, or the day of SOURCE_DATE_EPOCH, for reproducible files."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return moment.date().isoformat()


def ranking(
    figures: Mapping[str, Mapping[str, float | None]], languages: Collection[str]
) -> list[Standing]:
    """The systems by official score, the best first; ties share a place and are sorted by name."""
    scores = {system: official_score(figures[system], languages) for system in figures}
    return [
        Standing(system, figures[system], score, 1 + sum(s > score for s in scores.values()))
        for system, score in sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    ]


def official_score(figures: Mapping[str, float | None], languages: Collection[str]) -> float:
    """The mean over the languages of a task; a language without a score counts as 0."""
    return fsum(figures.get(language) or 0.0 for language in languages) / len(languages)
