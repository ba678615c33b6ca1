"""System against system: what B corrects, breaks and changes of what A did, mention by mention."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from corefkit.mentions.listing import Listing

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

    @cached_property
    def kinds(self) -> list[TransitionKind]:
        """The kind of each mention's transition."""
        before, after = (
            self.listing.fates[self.a][self.score],
            self.listing.fates[self.b][self.score],
        )
        gain = (after.right - after.errors) - (before.right - before.errors)
        moved = (before.errors > 0) & (before.found != after.found)
        other = np.array(before.outcome, dtype=object) != np.array(after.outcome, dtype=object)
        kind = np.select([gain > 0, gain < 0, other | moved], [0, 1, 2], 3)
        return [KINDS[i] for i in kind.tolist()]

    @cached_property
    def steps(self) -> list[str]:
        """Each mention's transition in words: `wl → tp`; "" where it counts under neither."""
        before, after = (
            self.listing.fates[self.a][self.score],
            self.listing.fates[self.b][self.score],
        )
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
        of: dict[str, list[int]] = {}
        for row, (found, step) in enumerate(zip(self.kinds, self.steps, strict=True)):
            if found == kind and step:
                of.setdefault(step, []).append(row)
        turns = [(turn, row) for rows in of.values() for turn, row in enumerate(rows[:most])]
        return [row for _, row in sorted(turns)[:most]]

    def to_dict(self, most: int = 3) -> dict[str, Any]:
        """Plain dicts: the transitions in total and by class, and examples of each kind."""
        total: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        classes: dict[str, dict[str, dict[str, int]]] = {}
        for (kind, step, label), number in sorted(self.counts.items()):
            total[kind][step] = total[kind].get(step, 0) + number
            classes.setdefault(label, {k: {} for k in KINDS})[kind][step] = number
        rows = {kind: self.examples(kind, most) for kind in KINDS if kind != "same"}
        return {
            "total": total,
            "classes": classes,
            "examples": {k: [self.describe(row) for row in some] for k, some in rows.items()},
        }

    def describe(self, row: int) -> dict[str, Any]:
        """One mention: where it is, its step, the antecedents expected and found."""
        listing = self.listing
        before, after = (listing.fates[system][self.score] for system in (self.a, self.b))
        left, right = listing.around(row)

        def text(at: int) -> str | None:
            return None if at < 0 else listing.texts[at]

        return {
            "document": listing.document_name(row),
            "sentence": int(listing.sentence[row]),
            "class": listing.classes[row],
            "step": self.steps[row],
            "before": left,
            "text": listing.texts[row],
            "behind": right,
            "expected": text(int(after.expected[row])),
            "found": {self.a: text(int(before.found[row])), self.b: text(int(after.found[row]))},
        }
