"""Replay: decisions applied to the draft of one document.

The order of decisions matters only among those with the same id, and among yeses to variants of one
outvoted unit, where the last one counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from corefkit.core.carriers import frozen
from corefkit.plugins.adjudication.blocks import NO, YES, DecidedLink, DecidedLinks
from corefkit.plugins.adjudication.decisions import KINDS, Decision
from corefkit.plugins.adjudication.draft import DisputedItem, DocumentDraft, item_id
from corefkit.plugins.adjudication.units import PositionRuns, text_order


class Implied(NamedTuple):
    """A link item that needs no decision, with the chain of decided links that settles it."""

    item: str
    choice: str
    chain: tuple[str, ...]


class Contradiction(NamedTuple):
    """A decision that others contradict.

    It is either a no between blocks that the yeses of the chain join, or a `span` decision that
    gives a mention the span of another kept mention; its chain is empty.
    """

    item: str
    chain: tuple[str, ...] = ()


@frozen(eq=False)
class Replay:
    """One document after the decisions.

    Attributes:
        entities: the mentions of each entity in text order, entities by their first mention.
        decided: the decisions that apply, by id.
        discussed: the ids that are marked for discussion.
        open: the ids of the items that still need a decision, in order.
        void: the ids of link items with a block without kept mentions, in order.
        implied: the link items that other decisions settle, in order.
        unused: the ids of decisions about spans or items that do not exist, sorted.
        changed: the ids of decisions about blocks that have changed since, sorted.
        conflicts: the decisions that others contradict, sorted by id.
    """

    entities: tuple[tuple[PositionRuns, ...], ...]
    decided: Mapping[str, Decision]
    discussed: frozenset[str]
    open: tuple[str, ...]
    void: tuple[str, ...]
    implied: tuple[Implied, ...]
    unused: tuple[str, ...]
    changed: tuple[str, ...]
    conflicts: tuple[Contradiction, ...]


def replay(draft: DocumentDraft, decisions: Iterable[Decision]) -> Replay:
    """Apply the decisions about one document, in the order of the log.

    Raises DataError where a choice is not an option.
    """
    log = _Log(draft, decisions)
    mentions = _KeptMentions(draft, log)
    links = _BlockLinks(draft, log, mentions)
    graph = DecidedLinks(links.effective())
    void = [item.id for item in draft.items if item.blocks and not links.alive(item.blocks)]
    undecided = [
        item for item in draft.items if item.id not in log.decided and item.id not in {*void}
    ]
    implied = [decision for item in undecided for decision in _implied(graph, item)]
    settled = {decision.item for decision in implied}
    conflicts = [Contradiction(item, chain) for item, chain in graph.contradictions()]
    conflicts += [Contradiction(item) for item in mentions.collisions(links.members)]
    return Replay(
        _entities(links, graph),
        log.decided,
        frozenset(log.discussed),
        tuple(item.id for item in undecided if item.id not in settled),
        tuple(void),
        tuple(implied),
        tuple(sorted(log.unused)),
        tuple(sorted(log.changed)),
        tuple(sorted(conflicts)),
    )


def last_entries(draft: DocumentDraft, decisions: Iterable[Decision]) -> dict[str, "DecisionAbout"]:
    """The last entry about each id, in the order of the log."""
    last: dict[str, DecisionAbout] = {}
    for decision in decisions:
        about = DecisionAbout.of(draft, decision)
        last.pop(about.id, None)
        last[about.id] = about
    return last


class DecisionAbout(NamedTuple):
    """A decision with its normalised id and spans.

    Attributes:
        id: the id, with its spans written in the usual way.
        kind: the kind of decision.
        names: the spans as text.
        runs: the spans; empty where one is not a span of the document or their number is wrong.
        decision: the entry of the log.
    """

    id: str
    kind: str
    names: tuple[str, ...]
    runs: tuple[PositionRuns, ...]
    decision: Decision

    @classmethod
    def of(cls, draft: DocumentDraft, decision: Decision) -> "DecisionAbout":
        """The decision with the spans that it names in this document."""
        _, names = decision.resolve([draft.name]) or (None, ())
        runs = [draft.positions.parse(name) for name in names]
        known = [span for span in runs if span]
        if len(known) == len(runs) and KINDS.get(decision.kind, 0) in (None, len(runs)):
            names = tuple(map(draft.positions.write, known))
        else:
            known = []
        name = item_id(decision.kind, draft.name, names)
        return cls(name, decision.kind, names, tuple(known), decision)


class _Log:
    """The last entry about each id, and whether it could be applied.

    Attributes:
        decided: the decisions that apply, by id.
        discussed: the ids that are marked for discussion.
        unused: the ids of decisions about spans or items that do not exist.
        changed: the ids of decisions about blocks that have changed since.
    """

    def __init__(self, draft: DocumentDraft, decisions: Iterable[Decision]) -> None:
        last = last_entries(draft, decisions).values()
        self.decided: dict[str, Decision] = {}
        self.changed = set[str]()
        self.discussed = {about.id for about in last if about.decision.discuss}
        self._entries = [about for about in last if about.decision.choice is not None]
        self.unused = {about.id for about in self._entries if not about.runs}

    def about(self, *kinds: str) -> list[DecisionAbout]:
        """The decisions of these kinds about spans of the document, in order."""
        return [about for about in self._entries if about.kind in kinds and about.runs]

    def choice(self, about: DecisionAbout, options: tuple[str, ...] = (YES, NO)) -> str:
        """Record that a decision applies; its choice, or DataError where it is not an option."""
        chosen = about.decision.choose(options)
        self.decided[about.id] = about.decision
        return chosen


class _KeptMentions:
    """Which mentions are kept, and with which spans.

    Attributes:
        spans: the span of each unit; None where it is not kept.
        added: the outvoted spans that were brought back and the new spans, by name.
        moved: name → new span, and the id of the decision that gave it.
        units: the units that are not outvoted, by name.
    """

    def __init__(self, draft: DocumentDraft, log: _Log) -> None:
        self._draft, self._log = draft, log
        self.spans = draft.defaults()
        self.added: dict[str, PositionRuns] = {}
        self.moved: dict[str, tuple[PositionRuns, str]] = {}
        self.units = {
            name: number
            for number, name in enumerate(draft.unit_names)
            if draft.units[number].state != "outvoted"
        }
        self._decide_mentions()
        self._decide_boundaries()
        self._decide_spans()

    def _decide_mentions(self) -> None:
        unit_of = {
            variant.runs: number
            for number, unit in enumerate(self._draft.units)
            for variant in unit.variants
        }
        brought_back: dict[int, str] = {}
        for about in self._log.about("mention"):
            (runs,) = about.runs
            unit = unit_of.get(runs)
            state = "" if unit is None else self._draft.units[unit].state
            if unit is None and about.decision.choice != NO:
                if self._log.choice(about) == YES:
                    self.added[about.names[0]] = runs
            elif unit is not None and state == "outvoted":
                if self._log.choice(about) == YES:  # at most one per unit: the last yes counts
                    self.added.pop(brought_back.get(unit, ""), None)
                    brought_back[unit] = about.names[0]
                    self.added[about.names[0]] = runs
            elif unit is not None and (state == "mention" or runs == self._accepted_span(unit)):
                self.spans[unit] = runs if self._log.choice(about) == YES else None
            else:
                self._log.unused.add(about.id)

    def _accepted_span(self, unit: int) -> PositionRuns | None:
        """The certain span of a unit; None where it has none."""
        accepted = self._draft.units[unit].accepted
        return accepted.runs if accepted else None

    def _decide_boundaries(self) -> None:
        items = {item.id: item for item in self._draft.items if item.kind == "boundary"}
        for about in self._log.about("boundary"):
            item = items.get(about.id)
            if item is None or item.unit is None:
                self._log.unused.add(about.id)
                continue
            choice = self._log.choice(about, item.options)
            self.spans[item.unit] = None if choice == NO else self._draft.positions.parse(choice)

    def _decide_spans(self) -> None:
        for about in self._log.about("span"):
            name = about.names[0]
            if name not in self.units and name not in self.added:
                self._log.unused.add(about.id)
            elif self._log.choice(about) == YES:
                self.moved[name] = about.runs[1], about.id

    def of_unit(self, unit: int) -> PositionRuns | None:
        """The span of a unit; None where it is not kept."""
        kept, name = self.spans[unit], self._draft.unit_names[unit]
        return self.moved[name][0] if kept is not None and name in self.moved else kept

    def of_added(self, name: str) -> PositionRuns:
        """The span of an added mention."""
        return self.moved[name][0] if name in self.moved else self.added[name]

    def collisions(self, members: Iterable[Iterable[PositionRuns]]) -> list[str]:
        """The ids of decisions that give a kept mention the span of another one."""
        times = Counter(runs for mentions in members for runs in mentions)
        kept = {name for name, unit in self.units.items() if self.spans[unit] is not None}
        kept |= self.added.keys()
        return [
            decision
            for name, (runs, decision) in self.moved.items()
            if name in kept and times[runs] > 1
        ]


class _BlockLinks:
    """The blocks after the decisions, and the decided links between them.

    The blocks of the draft come first, with their numbers; then one block for each unit set apart,
    and one for each added span. `members` has the kept mentions of each block.
    """

    def __init__(self, draft: DocumentDraft, log: _Log, mentions: _KeptMentions) -> None:
        self._log = log
        blocks, names = [[*block] for block in draft.blocks], draft.unit_names
        home = {unit: number for number, block in enumerate(blocks) for unit in block[1:]}
        listed = [tuple(names[unit] for unit in block) for block in blocks]
        alone: list[str] = []
        for about in log.about("apart"):
            unit = mentions.units.get(about.names[0], -1)
            if unit not in home:
                log.unused.add(about.id)
            elif log.choice(about) == YES:
                blocks[home[unit]].remove(unit)
                blocks.append([unit])
                alone.append(names[unit])
        alone += mentions.added
        self._listed = [*listed, *((name,) for name in alone)]
        self._number = {units[0]: number for number, units in enumerate(self._listed)}
        kept = [[mentions.of_unit(unit) for unit in block] for block in blocks]
        self.members = [[runs for runs in units if runs is not None] for units in kept]
        self.members += [[mentions.of_added(name)] for name in mentions.added]
        self._links = [*self._decided()]

    def _decided(self) -> Iterable[DecidedLink]:
        for about in self._log.about("link"):
            left, right = (self._number.get(name) for name in about.names)
            if (
                left is None
                or right is None
                or text_order(about.runs[0]) >= text_order(about.runs[1])
            ):
                self._log.unused.add(about.id)
            elif self._has_changed(about.decision, left, right):
                self._log.changed.add(about.id)
            else:
                yield DecidedLink(about.id, left, right, self._log.choice(about))

    def _has_changed(self, decision: Decision, left: int, right: int) -> bool:
        """Whether a decision was made about other blocks than these."""
        sides = (("left", left), ("right", right))
        decided = ((decision.fields.get(side), block) for side, block in sides)
        return any(
            units is not None and tuple(units) != self._listed[block] for units, block in decided
        )

    def alive(self, blocks: Iterable[int]) -> bool:
        """Whether all of these blocks have a kept mention."""
        return all(self.members[block] for block in blocks)

    def effective(self) -> list[DecidedLink]:
        """The decided links between blocks that have kept mentions."""
        return [link for link in self._links if self.alive((link.left, link.right))]


def _implied(graph: DecidedLinks, item: DisputedItem) -> Iterable[Implied]:
    """The implied decision about a link item, if there is one."""
    if item.blocks is not None and (choice := graph.implies(*item.blocks)):
        yield Implied(item.id, choice, graph.chain(*item.blocks, choice))


def _entities(links: _BlockLinks, graph: DecidedLinks) -> tuple[tuple[PositionRuns, ...], ...]:
    """The kept mentions of each group of joined blocks, in text order."""
    joined: dict[int, list[PositionRuns]] = {}
    for block, mentions in enumerate(links.members):
        if mentions:
            joined.setdefault(graph.group(block), []).extend(mentions)
    entities = [tuple(sorted(mentions, key=text_order)) for mentions in joined.values()]
    return tuple(sorted(entities, key=lambda mentions: text_order(mentions[0])))
