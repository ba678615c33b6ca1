"""The draft: what several annotators agree on, and every disputed item as data.

Items depend only on the annotations, never on decisions, so they do not change while a curator
works. `page_data` is the draft as plain data, which the adjudication page embeds.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.plugins.adjudication.annotations import AnnotatedDocuments, DocumentText
from corefkit.plugins.adjudication.blocks import NO, YES, Blocks, make_blocks
from corefkit.plugins.adjudication.decisions import Decision
from corefkit.plugins.adjudication.units import (
    Certainty,
    MentionUnit,
    PositionRuns,
    Positions,
    make_units,
)
from corefkit.stats.agreement import Annotator

Votes = tuple[str, ...] | Mapping[str, tuple[str, ...]]
"""The annotators in favour of an item; for a boundary, span → annotators."""


@frozen
class DisputedItem:
    """A question: is this a mention, which span does it have, are these two blocks one entity?

    Attributes:
        id: kind, document and spans, separated by blanks; the kind of a conflict is "link" here.
        kind: "mention", "boundary", "link" or "conflict".
        document: the name of the document.
        spans: the span of a mention; the variants of a boundary; the first unit of each block.
        votes_for: the annotators in favour; for a boundary, span → annotators.
        votes_against: the annotators against it; None for a boundary.
        options: the possible choices.
        default: the choice of the draft while nobody has decided.
        left, right: for a link, the units of both blocks, each named by its first variant.
        unit: for a mention or a boundary, the number of the unit.
        blocks: for a link, the numbers of the blocks.
        asked: whether it is asked about; what has too few votes for that is only listed.
    """

    id: str
    kind: str
    document: str
    spans: tuple[str, ...]
    votes_for: Votes
    votes_against: tuple[str, ...] | None = None
    options: tuple[str, ...] = (YES, NO)
    default: str = NO
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    unit: int | None = None
    blocks: tuple[int, int] | None = None
    asked: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The item in the JSON output; of one that is only listed, its votes."""
        question = {
            "document": self.document,
            "spans": [*self.spans],
            "options": [*self.options],
            "default": self.default,
        }
        fields = {"id": self.id, "kind": self.kind, **(question if self.asked else {})}
        fields["for"] = listed_votes(self.votes_for)
        if self.votes_against is not None:
            fields["against"] = [*self.votes_against]
        if self.asked and self.blocks is not None:
            fields |= {"left": [*self.left], "right": [*self.right]}
        return fields


def listed_votes(votes: Votes) -> Any:
    """The votes as JSON."""
    return {k: [*v] for k, v in votes.items()} if isinstance(votes, Mapping) else [*votes]


@frozen(eq=False)
class DocumentDraft:
    """One document: its units, blocks and items.

    Attributes:
        name: the name of the document.
        annotators: the names of the annotators who have the document.
        positions: its positions, which write and parse spans.
        units: all units in text order.
        blocks: the numbers of the units of each block; blocks are ordered by first unit.
        items: the questions, mentions and boundaries before links.
        outvoted: the spans and links that are listed but not asked about.
    """

    name: str
    annotators: tuple[str, ...]
    positions: Positions
    units: tuple[MentionUnit, ...]
    blocks: tuple[tuple[int, ...], ...]
    items: tuple[DisputedItem, ...]
    outvoted: tuple[DisputedItem, ...]

    @cached_property
    def unit_names(self) -> tuple[str, ...]:
        """The first variant of each unit, as text."""
        return tuple(self.positions.write(unit.first) for unit in self.units)

    def states(self) -> dict[str, int]:
        """The number of units in each state that occurs."""
        return dict(Counter(unit.state for unit in self.units))

    def defaults(self) -> list[PositionRuns | None]:
        """The span of each unit before any decision; None where it is not a mention."""
        return [unit.default(len(self.annotators)) for unit in self.units]


@frozen(eq=False)
class Draft:
    """The draft of a corpus.

    Attributes:
        annotators: the names of all annotators, in the order of the sides.
        rule: what is taken as certain, and what is asked.
        inputs: annotator → SHA-256 of her files; None where the corpus was made in Python.
        documents: the drafts of the documents.
        source: the annotated documents.
        decisions: the log of decisions so far.
    """

    annotators: tuple[str, ...]
    rule: Certainty
    inputs: Mapping[str, str | None]
    documents: tuple[DocumentDraft, ...]
    source: AnnotatedDocuments
    decisions: tuple[Decision, ...] = ()

    def text(self, document: str) -> DocumentText:
        """The text of a document, from the first annotator who has it in a file."""
        return self.source.text(self.source.index[document])

    def settings(self) -> dict[str, Any]:
        """The fields by which a file of decisions identifies its draft."""
        return {
            "certain": self.rule.certain,
            "ask_mentions": self.rule.ask_mentions,
            "inputs": [{"annotator": a, "sha256": digest} for a, digest in self.inputs.items()],
        }


def make_draft(
    annotators: Sequence[Annotator],
    rule: Certainty,
    inputs: Mapping[str, str | None],
    left_out: Container[str] = (),
) -> Draft:
    """The draft of all documents except those left out."""
    source = AnnotatedDocuments(annotators)
    names = tuple(annotator.name for annotator in annotators)
    documents = [
        draft_document(
            name,
            [names[annotator] for annotator in source.taking_part[number]],
            source.marked(number),
            source.nodes(number).positions,
            rule,
        )
        for number, name in enumerate(source.names)
        if source.taking_part[number] and name not in left_out
    ]
    return Draft(names, rule, inputs, tuple(documents), source)


def draft_document(
    name: str,
    annotators: Sequence[str],
    marked: Sequence[Mapping[PositionRuns, int]],
    positions: Positions,
    rule: Certainty,
) -> DocumentDraft:
    """The draft of one document; `marked` has span → entity for each annotator.

    >>> anna, ben = {((0, 0),): 0, ((4, 4),): 0}, {((0, 0),): 0, ((4, 4),): 1}
    >>> draft = draft_document("tale", ["anna", "ben"], [anna, ben], Positions(6), Certainty())
    >>> [item.id for item in draft.items]
    ['link tale 0 4']
    """
    units = make_units(marked, rule)
    asked = {n: unit.entities for n, unit in enumerate(units) if unit.state != "outvoted"}
    writer = _ItemWriter(name, tuple(annotators), positions, units, make_blocks(asked, rule))
    return DocumentDraft(
        name,
        tuple(annotators),
        positions,
        tuple(units),
        writer.blocks.blocks,
        (*writer.mentions(), *writer.links(asked=True)),
        (*writer.outvoted_mentions(), *writer.links(asked=False)),
    )


class _ItemWriter:
    """Makes the items of one document."""

    def __init__(
        self,
        document: str,
        annotators: tuple[str, ...],
        positions: Positions,
        units: Sequence[MentionUnit],
        blocks: Blocks,
    ) -> None:
        self.document, self.annotators, self.positions = document, annotators, positions
        self.units, self.blocks = units, blocks
        firsts = [positions.write(unit.first) for unit in units]
        self.in_blocks = [tuple(firsts[unit] for unit in members) for members in blocks.blocks]
        self._names: dict[tuple[int, ...], tuple[str, ...]] = {}

    def names(self, numbers: Mapping[int, int] | Sequence[int]) -> tuple[str, ...]:
        """The names of annotators, by number."""
        key = tuple(numbers)
        if key not in self._names:
            self._names[key] = tuple(self.annotators[number] for number in sorted(key))
        return self._names[key]

    def mentions(self) -> Iterator[DisputedItem]:
        """The questions about mentions and boundaries."""
        for number, unit in enumerate(self.units):
            spans = tuple(self.positions.write(variant.runs) for variant in unit.variants)
            if unit.state == "mention":
                votes = self.names(unit.entities)
                against = tuple(a for a in self.annotators if a not in votes)
                yield self._item("mention", spans, votes, against, unit=number)
            elif unit.state == "boundary":
                default = unit.default(len(self.annotators))
                chosen = NO if default is None else self.positions.write(default)
                voters = [self.names(variant.votes) for variant in unit.variants]
                by_span = dict(zip(spans, voters, strict=True))
                choices: Any = {"options": (*spans, NO), "default": chosen}
                yield self._item("boundary", spans, by_span, unit=number, **choices)

    def outvoted_mentions(self) -> Iterator[DisputedItem]:
        """An entry for each span of an outvoted unit."""
        for number, unit in enumerate(self.units):
            for variant in unit.variants if unit.state == "outvoted" else ():
                spans, votes = (self.positions.write(variant.runs),), self.names(variant.votes)
                yield self._item("mention", spans, votes, unit=number, asked=False)

    def links(self, *, asked: bool) -> Iterator[DisputedItem]:
        """The questions about links, or those that more annotators are against than for."""
        for left, right, kind, linking, separating in self.blocks.disputes:
            if asked == (kind != "outvoted"):
                sides = {"left": self.in_blocks[left], "right": self.in_blocks[right]}
                spans = sides["left"][0], sides["right"][0]
                votes = self.names(linking), self.names(separating)
                about: Any = {**sides, "blocks": (left, right), "asked": asked}
                item = self._item("link", spans, *votes, **about)
                yield replace(item, kind=kind) if asked else item

    def _item(self, kind: str, spans: tuple[str, ...], *votes: Any, **about: Any) -> DisputedItem:
        name = item_id(kind, self.document, spans)
        return DisputedItem(name, kind, self.document, spans, *votes, **about)


def item_id(kind: str, document: str, spans: Sequence[str]) -> str:
    """The id of an item or a decision.

    >>> item_id("link", "(nw/x); part 000", ["5", "21"])
    'link (nw/x); part 000 5 21'
    """
    return " ".join((kind, document, *spans))


def page_data(draft: Draft) -> dict[str, Any]:
    """The draft as plain data. The page embeds it, so that it needs no server.

    ```
    {"corefkit": "adjudication-page", "version": 1,
     "certain": "majority" | "all", "ask_mentions": null | N,
     "annotators": ["anna", "ben"],
     "inputs": [{"annotator": "anna", "sha256": "…"}],
     "decisions": [entry, …],                        the log so far, oldest first
     "documents": [{
       "name", "unit": "token" | "character",
       "annotators": those who have the document,
       "nodes": the text of each position; for characters one string,
                whose code points are positions,
       "labels": the label of each position in spans; null: its number from 0,
       "zeros": the positions that are empty nodes,
       "sentences": the positions at which sentences begin; for characters, lines,
       "units": [{"state": "accepted" | "boundary" | "mention" | "outvoted",
                  "accepted": the span that is certain, or null,
                  "block": the number of its block; null where it is outvoted,
                  "item": the number of the item about it, or null,
                  "variants": [{"span": "0-2", "parts": [[0, 2]], "votes": {"anna": 4}}]}],
       "blocks": [[unit, …], …],
       "items": [those of the JSON output, with "unit", or "blocks": [left, right]],
       "outvoted": [likewise]}]}
    ```

    Parts are runs of positions, both ends included. A vote is the number of the annotator's entity
    in the document. A unit is named by its first variant. Units, blocks and items are numbered from
    0.
    """
    return {
        "corefkit": "adjudication-page",
        "version": 1,
        **draft.settings(),
        "annotators": [*draft.annotators],
        "decisions": [dict(decision.fields) for decision in draft.decisions],
        "documents": [_document(draft, document) for document in draft.documents],
    }


def _document(draft: Draft, document: DocumentDraft) -> dict[str, Any]:
    text, positions = draft.text(document.name), document.positions
    block_of = {unit: number for number, block in enumerate(document.blocks) for unit in block}
    item_of = {item.unit: number for number, item in enumerate(document.items)}
    units = [
        {
            "state": unit.state,
            "accepted": positions.write(unit.accepted.runs) if unit.accepted else None,
            "block": block_of.get(number),
            "item": item_of.get(number),
            "variants": [
                {
                    "span": positions.write(variant.runs),
                    "parts": [[*run] for run in variant.runs],
                    "votes": {document.annotators[a]: e for a, e in sorted(variant.votes.items())},
                }
                for variant in unit.variants
            ],
        }
        for number, unit in enumerate(document.units)
    ]
    return {
        "name": document.name,
        "unit": text.unit,
        "annotators": [*document.annotators],
        "nodes": text.nodes if isinstance(text.nodes, str) else [*text.nodes],
        "labels": None if positions.labels is None else [*positions.labels],
        "zeros": sorted(positions.zeros),
        "sentences": [*text.sentences],
        "units": units,
        "blocks": [[*block] for block in document.blocks],
        "items": [_numbered(item) for item in document.items],
        "outvoted": [_numbered(entry) for entry in document.outvoted],
    }


def _numbered(item: DisputedItem) -> dict[str, Any]:
    """The fields of an item, with the number of its unit or the numbers of its blocks."""
    fields = {**item.to_dict(), "document": item.document, "spans": [*item.spans]}
    if item.blocks is not None:
        return {**fields, "blocks": [*item.blocks]}
    return {**fields, "unit": item.unit}
