"""One error as an object, with its mentions, their places and the evidence.

`Details` makes them from the table of errors; `corefkit.errors` is a sequence of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from functools import cached_property
from typing import Any

import numpy as np

from corefkit.analysis.types import (
    FOUND_AS,
    TYPES,
    Antecedents,
    ComparedSide,
    ErrorTable,
    ErrorType,
)
from corefkit.applications.context import EMPTY_NODE, MentionContext, Texts
from corefkit.applications.features import KINDS
from corefkit.applications.heads import with_heads
from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus


@frozen
class Mention:
    """One mention of an error.

    Attributes:
        side: "key", "response" or "both": who has it.
        start, end: tokens of the document, from 0, both included.
        zero: the number of the empty node after `start`, 0 for a mention of tokens.
        sentence: from 0 in the document; None where it is not known.
        file, line: where it stands in the key, or in the response if only that has it.
        text: its words; "" where the words are not known.
        kind: "pronoun", "name" or "nominal"; "–" where pronouns cannot be told.
        head: the token that is its head; `head_word` what it reads.
        key_entity, response_entity: the ids of its entities, None where a side lacks it.
        row: its row in the Joint; −1 for the response's version of a mention with a wrong span.
    """

    side: str
    start: int
    end: int
    zero: int
    sentence: int | None
    file: str | None
    line: int | None
    text: str
    kind: str
    head: int
    head_word: str
    key_entity: str | None
    response_entity: str | None
    row: int = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The mention as it stands in the JSON output."""
        left_out = {"row"} if self.zero else {"row", "zero"}
        names = [one.name for one in fields(self) if one.name not in left_out]
        return {name: getattr(self, name) for name in names}


@frozen
class Placement:
    """Where the first mention of an error belongs, or where it was put.

    Attributes:
        relation: "belongs with", "stands alone" or "is not a mention" in the key; "put with",
            "stands alone", "not found" or "found as" in the response.
        mention: the mention that it belongs with, was put with or was found as; None otherwise.
            A long text is cut in the middle.
        sentences, tokens: how far the mention is before the first one of the error, from start to
            start; negative where it comes later, None without a mention or sentences.
    """

    relation: str
    mention: Mention | None = None
    sentences: int | None = None
    tokens: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The placement as it stands in the JSON output."""
        content: dict[str, Any] = {"relation": self.relation}
        if self.mention is not None:
            content |= self.mention.to_dict()
            content["distance"] = {"sentences": self.sentences, "tokens": self.tokens}
        return content

    def to_row(self, name: str) -> dict[str, Any]:
        """The placement in a flat row: its relation, and the text and place of the mention."""
        columns = ("text", "kind", "sentence", "start", "end", "line")
        mention = {f"{name}_{one}": getattr(self.mention, one, None) for one in columns}
        return {name: self.relation, **mention, f"{name}_distance": self.tokens}


@frozen
class Error:
    """One wrong decision of a system.

    Attributes:
        id: `document/type/number`, the number from 1 in the order of the text.
        type: one of the seven types.
        document: the name of the document.
        key_entities, response_entities: the ids of the entities concerned on each side.
        mentions: the mentions that are wrong; of a span error the key's, then the response's.
        should, was: where its first mention belongs in the key, and where the response put it.
        gain: how much F1 would rise if this error alone were repaired.
        evidence: what tells about it, by type. conflated, divided: `part` and `rest`, the kinds
            of the mentions in this part and in the rest of the entity. extra-mention,
            missing-mention: `same_text` and `same_head`, whether another mention of the entity
            has them, and `nested`, whether it lies in another mention. span: the number of tokens
            `left_extra`, `left_missing`, `right_extra`, `right_missing`.
    """

    id: str
    type: str
    document: str
    key_entities: tuple[str, ...]
    response_entities: tuple[str, ...]
    mentions: tuple[Mention, ...]
    should: Placement
    was: Placement
    gain: float
    evidence: Mapping[str, Any]
    context: MentionContext = field(repr=False)

    @property
    def first(self) -> Mention:
        """Its first mention, which says where it is."""
        return self.mentions[0]

    def to_dict(self) -> dict[str, Any]:
        """The error as a line of `-f jsonl`."""
        return {
            "id": self.id,
            "type": self.type,
            "document": self.document,
            "key_entities": list(self.key_entities),
            "response_entities": list(self.response_entities),
            "mentions": [mention.to_dict() for mention in self.mentions],
            "should": self.should.to_dict(),
            "was": self.was.to_dict(),
            "gain": self.gain,
            **self.evidence,
        }

    def to_row(self) -> dict[str, Any]:
        """The error as a flat row: what it is, where it begins, and all evidence."""
        place = ("sentence", "start", "end", "file", "line", "text", "kind")
        row: dict[str, Any] = {
            "id": self.id,
            "type": self.type,
            "document": self.document,
            **{name: getattr(self.first, name) for name in place},
            "head": self.first.head_word,
            "mentions": len(self.mentions),
            "key_entities": " ".join(self.key_entities),
            "response_entities": " ".join(self.response_entities),
            **self.should.to_row("should"),
            **self.was.to_row("was"),
            "gain": self.gain,
        }
        for name in EVIDENCE:
            value = self.evidence.get(name)
            row[name] = _flat(value) if isinstance(value, Mapping) else value
        return row


EVIDENCE = (
    "part",
    "rest",
    "same_text",
    "same_head",
    "nested",
    "found",
    "left_extra",
    "left_missing",
    "right_extra",
    "right_missing",
)
"""All evidence that an error can carry, in the order of columns."""


def _flat(kinds: Mapping[str, int | None]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items() if number)


@frozen(eq=False)
class Details:
    """Makes Error objects from the table of errors.

    `places` is the response as it was read, and its row for each row of the response compared;
    `gains` computes the gain of each error. If `brief`, long texts and contexts are cut, so that
    time and space are linear in the mentions whatever their length; two long texts then are the
    same if their first and last words are.
    """

    table: ErrorTable
    places: tuple[Corpus, IntArray]
    gains: Callable[[], FloatArray]
    brief: bool = False

    @cached_property
    def _gains(self) -> FloatArray:
        return self.gains()

    @cached_property
    def texts(self) -> Texts:
        """The words of the key."""
        return Texts(self.table.joint.tokens)

    def __iter__(self) -> Iterator[Error]:
        return (self[number] for number in range(len(self.table)))

    def __getitem__(self, number: int) -> Error:
        return self._error(number, self.antecedents)

    def some(self, numbers: IntArray) -> list[Error]:
        """Some errors; what only others need is not sought."""
        antecedents = Antecedents(self.table, numbers)
        return [self._error(number, antecedents) for number in numbers.tolist()]

    def _error(self, number: int, antecedents: Antecedents) -> Error:
        table, joint = self.table, self.table.joint
        kind = int(table.type[number])
        document = int(table.document[number])
        first, last = table.first[number : number + 2].tolist()
        rows = table.mention[first:last].tolist()
        mentions = [self.mention(row) for row in rows]
        side = table.response if kind <= ErrorType.CONFLATED else table.key
        evidence: dict[str, Any] = {}
        if kind == ErrorType.SPAN:
            mentions.append(self._with_wrong_span(rows[0]))
            evidence = _boundaries(*mentions)
        elif kind in (ErrorType.CONFLATED, ErrorType.DIVIDED):
            evidence = self._parts(rows, side)
        elif kind in (ErrorType.EXTRA_MENTION, ErrorType.MISSING_MENTION):
            evidence = self._likeness(rows[0], side)
        here, name = mentions[0], joint.key.names[document]
        return Error(
            f"{name}/{TYPES[kind]}/{table.number[number]}",
            TYPES[kind],
            name,
            _each_once(m.key_entity for m in mentions),
            _each_once(m.response_entity for m in mentions),
            tuple(mentions),
            self._should(number, here, antecedents),
            self._was(number, mentions, antecedents),
            float(self._gains[number]),
            evidence,
            self.texts.in_context(document, here.start, here.end, here.text, brief=self.brief),
        )

    @cached_property
    def antecedents(self) -> Antecedents:
        """The mentions that errors should be with, and those that they were put with."""
        return Antecedents(self.table)

    def _should(self, number: int, first: Mention, antecedents: Antecedents) -> Placement:
        row = int(antecedents.key[number])
        relation = antecedents.should(number)
        mention = self.mention(row, brief=True) if row >= 0 else None
        return self._placement(relation, first, mention)

    def _was(self, number: int, mentions: Sequence[Mention], antecedents: Antecedents) -> Placement:
        relation = antecedents.was(number)
        if relation == FOUND_AS:
            return self._placement(relation, mentions[0], mentions[1])
        row = int(antecedents.response[number])
        if row < 0:
            return Placement(relation)
        wrong = self.table.joint.wrong_span[row]
        mention = (self._with_wrong_span if wrong else self.mention)(row, brief=True)
        return self._placement(relation, mentions[0], mention)

    def _placement(self, relation: str, first: Mention, mention: Mention | None) -> Placement:
        if mention is None:
            return Placement(relation)
        sentences = None
        if first.sentence is not None and mention.sentence is not None:
            sentences = first.sentence - mention.sentence
        return Placement(relation, mention, sentences, first.start - mention.start)

    def mention(self, row: int, *, brief: bool = False) -> Mention:
        """A row of the Joint; if `brief`, a long text is cut in the middle."""
        joint = self.table.joint
        return self._mention(joint.corpus, row, row, joint.sources.shown[joint.kind[row]], brief)

    def response_mention(self, row: int) -> Mention:
        """A row of the response, as it was written."""
        place = int(self._of_response[row])
        return (
            self._with_wrong_span(place)
            if self.table.joint.wrong_span[place]
            else self.mention(place)
        )

    @cached_property
    def _of_response(self) -> IntArray:
        """The row of the Joint for each row of the response."""
        joint = self.table.joint
        place = np.zeros(joint.response.mentions, dtype=np.int64)
        here = np.flatnonzero(joint.response_row >= 0)
        place[joint.response_row[here]] = here
        return place

    def _with_wrong_span(self, row: int, *, brief: bool = False) -> Mention:
        """The response's own version of a mention with a wrong span."""
        joint = self.table.joint
        kind = joint.sources.shown[joint.response_kind[joint.response_row[row]]]
        return self._mention(self._wrong_spans, self._wrong[row], row, kind, brief)

    def _mention(
        self, corpus: Corpus, place: int, row: int, kind: str, brief: bool = False
    ) -> Mention:
        """A mention of a corpus, the joint one or that of wrong spans, and its row in the Joint."""
        joint = self.table.joint
        whole = corpus is joint.corpus
        key_entity = int(joint.key_entity[row]) if whole else -1
        response_entity = int(joint.response_entity[row])
        side = "response" if key_entity < 0 else "key" if response_entity < 0 else "both"
        document, start, end = (
            int(column[place]) for column in (corpus.document, corpus.start, corpus.end)
        )
        assert corpus.head is not None and corpus._head_zero is not None
        head, empty = int(corpus.head[place]), bool(corpus._head_zero[place])
        zero = 0 if corpus.zero is None else int(corpus.zero[place])
        nodes = corpus.parts.nodes(place) if corpus.parts is not None else None
        file, line = self._place(row, side)
        if zero:
            text = EMPTY_NODE
        elif (brief or self.brief) and nodes is None:
            text = self.texts.shown(document, start, end)
        else:
            text = self.texts.text(document, start, end, nodes)
        return Mention(
            side,
            start,
            end,
            zero,
            self.texts.sentence(document, start),
            file,
            line,
            text,
            kind,
            head,
            EMPTY_NODE if empty else self.texts.text(document, head, head),
            joint.key.labels[key_entity] if key_entity >= 0 else None,
            joint.response.labels[response_entity] if response_entity >= 0 else None,
            row if whole else -1,
        )

    def _place(self, row: int, side: str) -> tuple[str | None, int | None]:
        """The file and the line of a mention, in the response if the key lacks it."""
        corpus, place = self.table.joint.key, row
        if side == "response":
            corpus, rows = self.places
            place = int(rows[self.table.joint.response_row[row]])
        source = corpus.source(int(corpus.document[place]))
        if source is None:
            return None, None
        return source.path, int(corpus.line[place]) if len(corpus.line) else None

    @cached_property
    def _wrong_spans(self) -> Corpus:
        """The response's mentions with wrong boundaries, with heads."""
        joint = self.table.joint
        return with_heads(joint.response.take(joint.response_row[joint.wrong_span]), joint.key)

    @cached_property
    def _wrong(self) -> dict[int, int]:
        """Where they stand, by their rows in the Joint."""
        rows = np.flatnonzero(self.table.joint.wrong_span).tolist()
        return {row: place for place, row in enumerate(rows)}

    def _parts(self, rows: list[int], side: ComparedSide) -> dict[str, Any]:
        """The kinds of mentions in a part, and in the rest of its entity."""
        counted = self.table.joint.sources.counted
        part = Counter(self.table.joint.kind[rows].tolist())
        whole = self._kinds_of(side, int(side.entity[rows[0]]))
        return {
            "part": counted(part[kind] for kind in range(len(KINDS))),
            "rest": counted(whole[kind] - part[kind] for kind in range(len(KINDS))),
        }

    def _likeness(self, row: int, side: ComparedSide) -> dict[str, Any]:
        """Whether another mention of the entity reads the same, and whether one is around it."""
        same: dict[str, bool | None] = {"same_text": None, "same_head": None}
        if self.texts.comparable:
            readings = self._readings_of(side, int(side.entity[row]))
            for name, reading in zip(same, self._reads(row), strict=True):
                same[name] = readings[name, reading] > 1
        return {**same, "nested": bool(self._nested[side is self.table.response][row])}

    # What is counted of an entity is counted once, however many errors it has.

    def _kinds_of(self, side: ComparedSide, entity: int) -> Counter[int]:
        name = side is self.table.response, entity
        if name not in self._kinds:
            self._kinds[name] = Counter(self.table.joint.kind[side.members[entity]].tolist())
        return self._kinds[name]

    def _readings_of(self, side: ComparedSide, entity: int) -> Counter[tuple[str, str]]:
        name = side is self.table.response, entity
        if name not in self._readings:
            counter = self._readings[name] = Counter()
            for row in side.members[entity].tolist():
                counter.update(zip(("same_text", "same_head"), self._reads(row), strict=True))
        return self._readings[name]

    @cached_property
    def _kinds(self) -> dict[tuple[bool, int], Counter[int]]:
        return {}

    @cached_property
    def _readings(self) -> dict[tuple[bool, int], Counter[tuple[str, str]]]:
        return {}

    def _reads(self, row: int) -> tuple[str, str]:
        """The text and the head word of a mention, in lower case."""
        mention = self.mention(row)
        return mention.text.lower(), mention.head_word.lower()

    @cached_property
    def _nested(self) -> list[BoolArray]:
        """The mentions that lie in another one of their side: of the key, of the response."""
        sides = self.table.key, self.table.response
        return [_inside_others(self.table.joint.corpus, side.entity >= 0) for side in sides]


def _inside_others(corpus: Corpus, chosen: BoolArray) -> BoolArray:
    """bool (mentions,): which of the chosen mentions lie in another one of them."""
    rows = corpus.text_order[chosen[corpus.text_order]]  # of two that begin alike the longer first
    inside = np.zeros(corpus.mentions, dtype=bool)
    if len(rows):
        # Documents are laid one after another, so that one running maximum serves them all.
        width = int(corpus.end.max()) + 2
        end = corpus.document[rows] * width + corpus.end[rows]
        furthest = np.maximum.accumulate(end)
        inside[rows[1:]] = furthest[:-1] >= end[1:]
    return inside


def _each_once(ids: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in ids if one is not None))


def _boundaries(key: Mention, response: Mention) -> dict[str, Any]:
    """How many tokens are too many and too few at each side."""
    left, end = key.start - response.start, response.end - key.end
    return {
        "found": response.text,
        "left_extra": max(left, 0),
        "left_missing": max(-left, 0),
        "right_extra": max(end, 0),
        "right_missing": max(-end, 0),
    }
