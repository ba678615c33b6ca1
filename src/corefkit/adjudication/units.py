"""Units: the spans of several annotators that are one mention with different boundaries.

Two spans are variants of one mention where no annotator has both and their Dice coefficient is at
least ½. Groups are joined by complete linkage, so that a chain of overlaps is not one mention.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from corefkit.adjudication.positions import PositionRuns, common, size, text_order
from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError, choose

Certain = Literal["majority", "all"]
MentionState = Literal["accepted", "boundary", "mention", "outvoted"]


@frozen
class Certainty:
    """What is taken as certain, and what is asked.

    Attributes:
        certain: "majority": what more than half of the annotators have; "all": what all have.
        ask_mentions: how many votes a mention needs to be asked about; None: half of them.
    """

    certain: Certain = "majority"
    ask_mentions: int | None = None

    def __post_init__(self) -> None:
        choose("certain", self.certain, ("majority", "all"))
        number = self.ask_mentions
        if number is not None and (not isinstance(number, int) or number < 1):
            raise UsageError(f"ask_mentions: a whole number from 1, not {number!r}")

    def described(self) -> str:
        """The settings as options of the command.

        >>> Certainty("majority", 2).described()
        '--certain majority --ask-mentions 2'
        """
        asked = "" if self.ask_mentions is None else f" --ask-mentions {self.ask_mentions}"
        return f"--certain {self.certain}{asked}"

    def accepts(self, votes: int, annotators: int) -> bool:
        """Whether so many votes for one span make it certain."""
        return votes == annotators if self.certain == "all" else 2 * votes > annotators

    def asks(self, votes: int, annotators: int) -> bool:
        """Whether a mention with so many votes is asked about."""
        if self.certain == "all":
            return True
        return 2 * votes >= annotators if self.ask_mentions is None else votes >= self.ask_mentions


@frozen(eq=False)
class Variant:
    """One span of a unit; `votes` are those who have it, with the entities they have it in."""

    runs: PositionRuns
    votes: Mapping[int, int]


@frozen(eq=False)
class MentionUnit:
    """What the annotators take for one mention, its variants in text order.

    Attributes:
        variants: the spans; the first one names the unit.
        state: what is known about it.
        accepted: the variant that is certain, if one is.
    """

    variants: tuple[Variant, ...]
    state: MentionState
    accepted: Variant | None = None

    @property
    def first(self) -> PositionRuns:
        """The span that names the unit."""
        return self.variants[0].runs

    @cached_property
    def entities(self) -> Mapping[int, int]:
        """The entity in which each annotator has the unit."""
        return {a: entity for v in self.variants for a, entity in v.votes.items()}

    def default(self, annotators: int) -> PositionRuns | None:
        """The span of the draft while nobody has decided; None: no mention."""
        if self.accepted is not None:
            return self.accepted.runs
        if self.state != "boundary" or 2 * len(self.entities) <= annotators:
            return None
        return max(self.variants, key=lambda v: (len(v.votes), size(v.runs))).runs


def make_units(marked: Sequence[Mapping[PositionRuns, int]], rule: Certainty) -> list[MentionUnit]:
    """The units of a document in text order; `marked` has span → entity for each annotator.

    >>> units = make_units([{((0, 2),): 0}, {((1, 2),): 0}], Certainty())
    >>> [(unit.state, len(unit.variants)) for unit in units]
    [('boundary', 2)]
    """
    votes: dict[PositionRuns, dict[int, int]] = {}
    for annotator, spans in enumerate(marked):
        for runs, entity in spans.items():
            votes.setdefault(runs, {})[annotator] = entity
    listed = [Variant(runs, votes[runs]) for runs in sorted(votes, key=text_order)]
    units = [_make_unit([listed[i] for i in g], len(marked), rule) for g in _groups(listed)]
    return sorted(units, key=lambda unit: text_order(unit.first))


def _make_unit(variants: Sequence[Variant], annotators: int, rule: Certainty) -> MentionUnit:
    whole = tuple(variants)
    for variant in variants:
        if rule.accepts(len(variant.votes), annotators):
            return MentionUnit(whole, "accepted", variant)
    if not rule.asks(sum(len(v.votes) for v in variants), annotators):
        return MentionUnit(whole, "outvoted")
    return MentionUnit(whole, "boundary" if len(variants) > 1 else "mention")


def _groups(listed: Sequence[Variant]) -> list[list[int]]:
    """The variants, by number, that are one mention: complete linkage, the most alike first."""
    alike = dict(_alike(listed))
    group = {number: [number] for number in range(len(listed))}
    voters = {number: {*variant.votes} for number, variant in enumerate(listed)}
    home = [*range(len(listed))]
    for one, other in sorted(alike, key=lambda pair: (-alike[pair], pair)):
        a, b = home[one], home[other]
        if a == b or not voters[a].isdisjoint(voters[b]):
            continue
        if all((min(i, j), max(i, j)) in alike for i in group[a] for j in group[b]):
            group[a] += group.pop(b)
            voters[a] |= voters.pop(b)
            for number in group[a]:
                home[number] = a
    return [sorted(members) for members in group.values()]


def _alike(listed: Sequence[Variant]) -> Iterator[tuple[tuple[int, int], float]]:
    """The pairs of spans that no annotator has both, with a Dice coefficient of ½ or more.

    Spans are in text order, so that those that end before a span begins are left behind. Equal
    fractions are equal floats, and others differ: spans are shorter than 2²⁶.
    """
    open_spans: list[int] = []
    sizes = [size(variant.runs) for variant in listed]
    for number, variant in enumerate(listed):
        begin = variant.runs[0][0]
        open_spans = [i for i in open_spans if listed[i].runs[-1][1] >= begin]
        for i in open_spans:
            both = sizes[i] + sizes[number]
            shared = 2 * common(listed[i].runs, variant.runs)
            if 2 * shared >= both and listed[i].votes.keys().isdisjoint(variant.votes):
                yield (i, number), shared / both
        open_spans.append(number)
