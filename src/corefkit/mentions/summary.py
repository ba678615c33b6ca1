"""Outcomes of one response, counted by class, with examples."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from corefkit.mentions.listing import Listing
from corefkit.mentions.outcomes import NAMES

Example = tuple[int, str]
"""A row of the listing, and the class that its outcome counts for."""


@dataclass(frozen=True, eq=False)
class Summary:
    """What became of the mentions of one system under one score."""

    listing: Listing
    system: str
    score: str

    def _events(self) -> Iterator[tuple[int, str, str]]:
        """Row, outcome and class of everything that counts."""
        fate = self.listing.fates[self.system][self.score]
        for row, joined in enumerate(fate.outcome):
            outcomes = joined.split("+") if joined else []
            own = [self.listing.classes[row]] * len(outcomes)
            classes = own if fate.classes is None else fate.classes[row]
            yield from ((row, o, c) for o, c in zip(outcomes, classes, strict=True))

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """For each class how often each outcome occurs, the largest class first."""
        number = Counter((label, outcome) for _, outcome, label in self._events())
        size = Counter(label for label, _ in number.elements())
        order = sorted(size, key=lambda label: (-size[label], label))
        return {label: {o: number[label, o] for o in NAMES} for label in order}

    def examples(self, outcome: str, most: int) -> list[Example]:
        """Mentions with this outcome, of as many different classes as there are."""
        found = ((label, row) for row, name, label in self._events() if name == outcome)
        return in_turn(found, most)

    def describe(self, row: int) -> dict[str, Any]:
        """One mention: where it is, its words, the antecedents expected and found."""
        listing, fate = self.listing, self.listing.fates[self.system][self.score]
        expected, found = (listing.text(int(at[row])) for at in (fate.expected, fate.found))
        return {**listing.describe(row), "expected": expected, "found": found}

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Plain dicts: the counts by class, and examples of each outcome that is an error."""
        examples = {
            outcome: [{"class": c, **self.describe(row)} for row, c in self.examples(outcome, most)]
            for outcome in NAMES[1:]
        }
        return {"classes": self.counts, "examples": examples}


def in_turn(rows: Iterable[tuple[str, int]], most: int) -> list[tuple[int, str]]:
    """Of each group the first row, then of each the second, and so on; rows with their groups.

    >>> in_turn([("a", 3), ("a", 4), ("b", 9), ("a", 5)], 3)
    [(3, 'a'), (9, 'b'), (4, 'a')]
    """
    groups: dict[str, list[int]] = {}
    for label, row in rows:
        groups.setdefault(label, []).append(row)
    turns = [
        (turn, row, label)
        for label, listed in groups.items()
        for turn, row in enumerate(dict.fromkeys(listed[:most]))
    ]
    return [(row, label) for _, row, label in sorted(turns)[:most]]
