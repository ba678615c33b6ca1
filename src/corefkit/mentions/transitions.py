"""System against system: what B corrects, breaks and changes of what A did, mention by mention."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from corefkit.mentions.listing import Fate, Listing
from corefkit.mentions.summary import in_turn

TransitionKind = Literal["corrects", "breaks", "changes", "same"]
KINDS: tuple[TransitionKind, ...] = ("corrects", "breaks", "changes", "same")
NOTHING = "–"
"""How a mention that does not count is written."""


@dataclass(frozen=True, eq=False)
class Transitions:
    """From the outcome of each mention under system `a` to that under `b`, for one score.

    More right and fewer wrong is a correction, the contrary a break. Neither, but another
    outcome, or a wrong link to another antecedent, is a change.
    """

    listing: Listing
    score: str
    a: str
    b: str

    @property
    def _fates(self) -> tuple[Fate, Fate]:
        fates = self.listing.fates
        return fates[self.a][self.score], fates[self.b][self.score]

    @cached_property
    def kinds(self) -> list[TransitionKind]:
        """The kind of each mention's transition."""
        before, after = self._fates
        gain = (after.right - after.errors) - (before.right - before.errors)
        moved = (before.errors > 0) & (before.found != after.found)
        other = np.array(before.outcome, dtype=object) != np.array(after.outcome, dtype=object)
        kind = np.select([gain > 0, gain < 0, other | moved], [0, 1, 2], 3)
        return [KINDS[i] for i in kind.tolist()]

    @cached_property
    def steps(self) -> list[str]:
        """Each mention's transition in words: `wl → tp`; "" where it counts under neither."""
        before, after = self._fates
        return [
            f"{x or NOTHING} → {y or NOTHING}" if x or y else ""
            for x, y in zip(before.outcome, after.outcome, strict=True)
        ]

    @cached_property
    def counts(self) -> Counter[tuple[TransitionKind, str, str]]:
        """How many mentions there are of each kind, step and class."""
        rows = zip(self.kinds, self.steps, self.listing.classes, strict=True)
        return Counter((kind, step, label) for kind, step, label in rows if step)

    def examples(self, kind: TransitionKind, most: int) -> list[int]:
        """Rows of the listing that show a kind, of as many different steps as there are."""
        rows = zip(self.kinds, self.steps, range(len(self.listing)), strict=True)
        shown = ((step, row) for found, step, row in rows if found == kind and step)
        return [row for row, _ in in_turn(shown, most)]

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Plain dicts: the transitions in total and by class, and examples of each kind."""
        total: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        classes: dict[str, dict[str, dict[str, int]]] = {}
        for (kind, step, label), number in sorted(self.counts.items()):
            total[kind][step] = total[kind].get(step, 0) + number
            classes.setdefault(label, {k: {} for k in KINDS})[kind][step] = number
        rows = {kind: self.examples(kind, most) for kind in KINDS if kind != "same"}
        examples = {k: [self.describe(row) for row in some] for k, some in rows.items()}
        return {"total": total, "classes": classes, "examples": examples}

    def describe(self, row: int) -> dict[str, Any]:
        """One mention: where it is, its step, the antecedents expected and found."""
        before, after = self._fates
        rows = [int(at[row]) for at in (after.expected, before.found, after.found)]
        expected, by_a, by_b = map(self.listing.text, rows)
        told = self.listing.describe(row)
        place = {name: told.pop(name) for name in ("document", "sentence")}
        own = {"class": self.listing.classes[row], "step": self.steps[row]}
        found = {self.a: by_a, self.b: by_b}
        return {**place, **own, **told, "expected": expected, "found": found}
