"""The official score of a shared task, and the order it puts systems in.

>>> ranking({"a": {"x": 60.0, "y": 30.0}, "b": {"x": 70.0}}, ["x", "y"])
[Standing(system='a', figures={'x': 60.0, 'y': 30.0}, official=45.0),
 Standing(system='b', figures={'x': 70.0}, official=35.0)]
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True)
class Standing:
    """A system, its figure for each language it attempted, and its official score."""

    system: str
    figures: Mapping[str, float | None]
    official: float


def official_score(figures: Mapping[str, float | None], languages: Collection[str]) -> float:
    """The mean over the languages of a task; one that was not attempted counts as 0."""
    return fsum(figures.get(language) or 0.0 for language in languages) / len(languages)


def ranking(
    figures: Mapping[str, Mapping[str, float | None]], languages: Collection[str]
) -> list[Standing]:
    """The systems by official score, the best first; equal ones by name."""
    standings = [Standing(s, f, official_score(f, languages)) for s, f in figures.items()]
    return sorted(standings, key=lambda standing: (-standing.official, standing.system))
