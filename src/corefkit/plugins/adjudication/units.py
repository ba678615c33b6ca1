"""Spans of positions, and units: the spans of several annotators that are one mention.

A position is a surface token, an empty node or a character. A span is a set of positions, stored as
runs: (first, last) pairs in order, both ends included. Two spans are variants of one mention if no
annotator has both and their Dice coefficient is at least ½. Variants are grouped by complete
linkage, so that a chain of overlaps does not become one mention.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal

from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError, choose

PositionRuns = tuple[tuple[int, int], ...]
"""A span: its maximal runs of positions in order, both ends included."""


def runs_of_positions(positions: Iterable[int]) -> PositionRuns:
    """The runs of a set of positions.

    >>> runs_of_positions([16, 12, 13])
    ((12, 13), (16, 16))
    """
    ordered = sorted(set(positions))
    if not ordered:
        return ()
    breaks = [(a, b) for a, b in pairwise(ordered) if b > a + 1]
    firsts = [ordered[0], *(b for _, b in breaks)]
    lasts = [*(a for a, _ in breaks), ordered[-1]]
    return tuple(zip(firsts, lasts, strict=True))


def positions_in(runs: PositionRuns) -> list[int]:
    """The positions of a span, in order."""
    return [position for first, last in runs for position in range(first, last + 1)]


def size(runs: PositionRuns) -> int:
    """The number of positions in a span."""
    if len(runs) == 1:
        return runs[0][1] - runs[0][0] + 1
    return sum(last - first + 1 for first, last in runs)


def common(left: PositionRuns, right: PositionRuns) -> int:
    """The number of positions that two spans have in common.

    >>> common(((0, 2), (5, 6)), ((2, 5),))
    2
    """
    if len(left) == len(right) == 1:
        return max(min(left[0][1], right[0][1]) - max(left[0][0], right[0][0]) + 1, 0)
    return sum(max(min(b, d) - max(a, c) + 1, 0) for a, b in left for c, d in right)


def text_order(runs: PositionRuns) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """The sort key of text order: by first position, longer spans first, then by their positions.

    >>> sorted([((1, 2),), ((0, 0),), ((0, 2),)], key=text_order)
    [((0, 2),), ((0, 0),), ((1, 2),)]
    """
    if len(runs) == 1:
        ((begin, end),) = runs
        return begin, begin - end - 1, ((begin, -end),)
    return runs[0][0], -size(runs), tuple((first, -last) for first, last in runs)


@frozen(eq=False)
class Positions:
    """The positions of one document.

    Attributes:
        size: how many there are; None where that is unknown.
        labels: the label of each position; None where positions are written as numbers from 0.
        zeros: the positions that are empty nodes.
    """

    size: int | None
    labels: tuple[str, ...] | None = None
    zeros: frozenset[int] = frozenset()

    def write(self, runs: PositionRuns) -> str:
        """A span as text: its runs of tokens, and each empty node as a run of its own.

        >>> Positions(30).write(((12, 13), (16, 16)))
        '12-13,16'
        >>> Positions(3, ("1", "1.1", "2"), frozenset({1})).write(((0, 0), (2, 2)))
        '1-2'
        """
        if self.labels is None:
            if len(runs) == 1:
                first, last = runs[0]
                return str(first) if first == last else f"{first}-{last}"
            return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
        labels, pieces = self.labels, list[tuple[int, int]]()
        for position in positions_in(runs):
            if pieces and self._continues(pieces[-1][1], position):
                pieces[-1] = pieces[-1][0], position
            else:
                pieces.append((position, position))
        return ",".join(labels[a] if a == b else f"{labels[a]}-{labels[b]}" for a, b in pieces)

    def _continues(self, last: int, position: int) -> bool:
        """Whether two positions are tokens with no token between them."""
        if last in self.zeros or position in self.zeros:
            return False
        return all(between in self.zeros for between in range(last + 1, position))

    def parse(self, text: str) -> PositionRuns | None:
        """The span that a text names; None where it is not a span of the document.

        >>> Positions(30).parse("12-13,16"), Positions(30).parse("29-30")
        (((12, 13), (16, 16)), None)
        """
        runs = list[tuple[int, int]]()
        for piece in text.split(","):
            ends = [self._position(label) for label in piece.split("-")]
            if len(ends) > 2 or None in ends:
                return None
            first, last = ends[0] or 0, ends[-1] or 0
            if first > last or (runs and first <= runs[-1][1]):
                return None
            if not self.zeros or len(ends) == 1:
                runs.append((first, last))
            else:  # A run names tokens only.
                runs += runs_of_positions(p for p in range(first, last + 1) if p not in self.zeros)
        return _joined(runs)

    def _position(self, label: str) -> int | None:
        if self.labels is not None:
            return self._numbers.get(label)
        if not (label.isascii() and label.isdecimal()) or len(label) > _DIGITS:
            return None
        position = int(label)
        return position if self.size is None or position < self.size else None

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {label: number for number, label in enumerate(self.labels or ())}


_DIGITS = 18
"""Numbers with more digits are not positions."""


def _joined(runs: list[tuple[int, int]]) -> PositionRuns:
    """The runs in order, with adjacent ones joined."""
    joined = runs[:1]
    for first, last in runs[1:]:
        if first == joined[-1][1] + 1:
            joined[-1] = joined[-1][0], last
        else:
            joined.append((first, last))
    return tuple(joined)


Certain = Literal["majority", "all"]
MentionState = Literal["accepted", "boundary", "mention", "outvoted"]


@frozen
class Certainty:
    """What is taken as certain, and what is asked.

    Attributes:
        certain: "majority": what more than half of the annotators have; "all": what all have.
        ask_mentions: the number of votes a mention needs to be asked about; None: those of half the
            annotators. With "all" every mention is asked about.
    """

    certain: Certain = "majority"
    ask_mentions: int | None = None

    def __post_init__(self) -> None:
        choose("certain", self.certain, ("majority", "all"))
        number = self.ask_mentions
        is_number = isinstance(number, int) and not isinstance(number, bool)
        if number is not None and (not is_number or number < 1):
            raise UsageError(f"ask_mentions must be a positive whole number, not {number!r}")

    def described(self) -> str:
        """The settings as options of the command.

        >>> Certainty("majority", 2).described()
        '--certain majority --ask-mentions 2'
        """
        asked = "" if self.ask_mentions is None else f" --ask-mentions {self.ask_mentions}"
        return f"--certain {self.certain}{asked}"

    def accepts(self, votes: int, annotators: int) -> bool:
        """Whether this number of votes for one span makes it certain."""
        return votes == annotators if self.certain == "all" else 2 * votes > annotators

    def asks(self, votes: int, annotators: int) -> bool:
        """Whether a mention with this number of votes is asked about."""
        if self.certain == "all":
            return True
        return 2 * votes >= annotators if self.ask_mentions is None else votes >= self.ask_mentions


@frozen(eq=False)
class Variant:
    """One span of a unit; `votes` has annotator → entity for the annotators who have this span."""

    runs: PositionRuns
    votes: Mapping[int, int]


@frozen(eq=False)
class MentionUnit:
    """The spans that are taken as variants of one mention.

    Attributes:
        variants: the spans in text order; the first one names the unit.
        state: "accepted" if a variant is certain; "boundary" or "mention" if the unit is asked
            about and has several variants or one; otherwise "outvoted".
        accepted: the variant that is certain, if there is one.
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
        if len(self.variants) == 1:
            return self.variants[0].votes
        return {a: entity for v in self.variants for a, entity in v.votes.items()}

    def default(self, annotators: int) -> PositionRuns | None:
        """The span before any decision; None where it is not a mention.

        It is the accepted variant. Without one, the variant with most votes (the longest of those)
        where more than half of the annotators have the unit.
        """
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
    variants = [Variant(runs, votes[runs]) for runs in sorted(votes, key=text_order)]
    units = [_make_unit(group, len(marked), rule) for group in _groups(variants)]
    return sorted(units, key=lambda unit: text_order(unit.first))


def _make_unit(variants: tuple[Variant, ...], annotators: int, rule: Certainty) -> MentionUnit:
    for variant in variants:
        if rule.accepts(len(variant.votes), annotators):
            return MentionUnit(variants, "accepted", variant)
    if not rule.asks(sum(len(v.votes) for v in variants), annotators):
        return MentionUnit(variants, "outvoted")
    return MentionUnit(variants, "boundary" if len(variants) > 1 else "mention")


def _groups(variants: Sequence[Variant]) -> list[tuple[Variant, ...]]:
    """The variants of each mention: complete linkage, the most similar pairs first."""
    alike = dict(_alike(variants))
    order = sorted(alike, key=lambda pair: (-alike[pair], pair))
    home, _ = link_completely(len(variants), order, lambda i, j: (min(i, j), max(i, j)) in alike)
    groups: dict[int, list[Variant]] = {}
    for number, variant in zip(home, variants, strict=True):
        groups.setdefault(number, []).append(variant)
    return [*map(tuple, groups.values())]


def link_completely(
    number: int, pairs: Iterable[tuple[int, int]], fits: Callable[[int, int], bool]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Complete linkage: the group of each of these things, named by a member, and refused pairs.

    The pairs come in order; a pair joins its groups if each thing of one fits each of the other.

    >>> link_completely(3, [(0, 1), (1, 2)], lambda i, j: abs(i - j) == 1)
    ([0, 0, 2], [(1, 2)])
    """
    home = [*range(number)]
    group = {thing: [thing] for thing in home}
    refused = []
    for left, right in pairs:
        a, b = home[left], home[right]
        if a != b and all(fits(i, j) for i in group[a] for j in group[b]):
            group[a] += group.pop(b)
            for thing in group[a]:
                home[thing] = a
        elif a != b:
            refused.append((left, right))
    return home, refused


def _alike(variants: Sequence[Variant]) -> Iterator[tuple[tuple[int, int], float]]:
    """The pairs of possible variants of one mention, with their Dice coefficient, at least ½.

    No annotator has both spans of such a pair. Spans come in text order, so those that end before a
    span begins need not be looked at again. Floats order the coefficients exactly, because spans
    are shorter than 2²⁶.
    """
    open_spans: list[int] = []
    sizes = [size(variant.runs) for variant in variants]
    for number, variant in enumerate(variants):
        begin = variant.runs[0][0]
        open_spans = [i for i in open_spans if variants[i].runs[-1][1] >= begin]
        for i in open_spans:
            total = sizes[i] + sizes[number]
            shared = 2 * common(variants[i].runs, variant.runs)
            if 2 * shared >= total and variants[i].votes.keys().isdisjoint(variant.votes):
                yield (i, number), shared / total

        open_spans.append(number)
