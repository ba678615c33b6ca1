"""One error as an object, with its mentions, their places and the evidence.

`Details` makes them from the table of errors; `corefkit.errors` returns a sequence of them.
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
from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.tokens import EMPTY_NODE, MentionContext, Tokens
from corefkit.features.features import KINDS
from corefkit.features.heads import with_heads


@frozen
class Mention:
    """One mention of an error.

    Attributes:
        side: "key", "response" or "both": the sides that have it.
        start, end: tokens of the document, from 0, both included.
        zero: the number of the empty node after `start`, 0 for a mention of tokens.
        sentence: from 0 in the document; None where it is not known.
        file, line: its place in the key, or in the response if only that has it.
        text: its words; "" where the words are not known.
        kind: "pronoun", "name" or "nominal"; "–" where pronouns are not known.
        head, head_word: the token that is its head, and the word there.
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
        """The mention as it appears in the JSON output."""
        left_out = {"row"} if self.zero else {"row", "zero"}
        names = [attribute.name for attribute in fields(self) if attribute.name not in left_out]
        return {name: getattr(self, name) for name in names}


@frozen
class Placement:
    """Where the first mention of an error belongs, or where it was put.

    Attributes:
        relation: "belongs with", "stands alone" or "is not a mention" in the key; "put with",
            "stands alone", "not found" or "found as" in the response.
        mention: the mention that it belongs with, was put with or was found as; None otherwise.
            A long text is cut in the middle.
        sentences, tokens: the distance from the start of the mention to the start of the first
            mention of the error; negative where it comes later, None without a mention or
            sentences.
    """

    relation: str
    mention: Mention | None = None
    sentences: int | None = None
    tokens: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The placement as it appears in the JSON output."""
        content: dict[str, Any] = {"relation": self.relation}
        if self.mention is not None:
            content |= self.mention.to_dict()
            content["distance"] = {"sentences": self.sentences, "tokens": self.tokens}
        return content

    def to_row(self, name: str) -> dict[str, Any]:
        """The placement in a flat row: its relation, and the text and place of the mention."""
        columns = ("text", "kind", "sentence", "start", "end", "line")
        mention = {f"{name}_{column}": getattr(self.mention, column, None) for column in columns}
        return {name: self.relation, **mention, f"{name}_distance": self.tokens}


@frozen
class Error:
    """One wrong decision of a system.

    Attributes:
        id: `document/type/number`, the number from 1 in text order.
        type: one of the seven types.
        document: the name of the document.
        key_entities, response_entities: the ids of the entities concerned on each side.
        mentions: the mentions that are wrong; for a span error the key's, then the response's.
        should, was: where its first mention belongs in the key, and where the response put it.
        gain: how much F1 would rise if this error alone were repaired.
        evidence: further facts, by type. conflated, divided: `part` and `rest`, the kinds of the
            mentions in this part and in the rest of the entity. extra-mention, missing-mention:
            `same_text` and `same_head`, whether another mention of the entity has the same, and
            `nested`, whether it lies in another mention. span: `found`, the text in the response,
            and the numbers of tokens `left_extra`, `left_missing`, `right_extra`, `right_missing`.
        context: its first mention with the words around it.
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
        """Its first mention, which gives its place."""
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
        """The error as a flat row: its type, its first mention, its placements and all evidence."""
        columns = ("sentence", "start", "end", "file", "line", "text", "kind")
        row: dict[str, Any] = {
            "id": self.id,
            "type": self.type,
            "document": self.document,
            **{name: getattr(self.first, name) for name in columns},
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
"""All evidence that errors can have, in the order of columns."""


def _flat(kinds: Mapping[str, int | None]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items() if number)


@frozen(eq=False)
class Details:
    """Makes Error objects from the table of errors.

    Attributes:
        table: the errors as arrays.
        as_read: the response as it was read, and for each row of the response that is compared its
            row there.
        gains: computes the gain of each error.
        brief: whether long texts and contexts are cut, so that time and space are linear in the
            number of mentions, whatever their length; long texts are then compared by their first
            and last words.
        tagged: whether tags stand in the place of masked words.
    """

    table: ErrorTable
    as_read: tuple[Corpus, IntArray]
    gains: Callable[[], FloatArray]
    brief: bool = False
    tagged: bool = False

    @cached_property
    def _gains(self) -> FloatArray:
        return self.gains()

    @cached_property
    def texts(self) -> Tokens:
        """The words of the key."""
        tokens = self.table.joint.tokens
        return tokens.with_tags() if self.tagged else tokens

    def __iter__(self) -> Iterator[Error]:
        return (self[number] for number in range(len(self.table)))

    def __getitem__(self, number: int) -> Error:
        return self._error(number, self.antecedents)

    def select(self, numbers: IntArray) -> list[Error]:
        """The errors with these numbers; antecedents are searched for these only."""
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
        """The mentions that errors belong with, and those that they were put with."""
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
        """The mention of a row of the Joint; if `brief`, a long text is cut in the middle."""
        joint = self.table.joint
        return self._mention(joint.corpus, row, row, joint.sources.shown[joint.kind[row]], brief)

    def response_mention(self, row: int) -> Mention:
        """The mention of a row of the response, with the response's own span."""
        joint_row = int(self.table.joint.row_of_response[row])
        wrong = self.table.joint.wrong_span[joint_row]
        return self._with_wrong_span(joint_row) if wrong else self.mention(joint_row)

    def _with_wrong_span(self, row: int, *, brief: bool = False) -> Mention:
        """The response's version of a mention with a wrong span."""
        joint = self.table.joint
        kind = joint.sources.shown[joint.response_kind[joint.response_row[row]]]
        return self._mention(self._wrong_spans, self._wrong[row], row, kind, brief)

    def _mention(self, corpus: Corpus, at: int, row: int, kind: str, brief: bool) -> Mention:
        """The mention in row `at` of a corpus, that of the Joint or that of wrong spans.

        `row` is its row in the Joint.
        """
        joint = self.table.joint
        is_joint = corpus is joint.corpus
        key_entity = int(joint.key_entity[row]) if is_joint else -1
        response_entity = int(joint.response_entity[row])
        side = "response" if key_entity < 0 else "key" if response_entity < 0 else "both"
        document, start, end = (
            int(column[at]) for column in (corpus.document, corpus.start, corpus.end)
        )
        assert corpus.head is not None and corpus.head_zero is not None
        head, head_is_zero = int(corpus.head[at]), bool(corpus.head_zero[at])
        zero = 0 if corpus.zero is None else int(corpus.zero[at])
        nodes = corpus.nodes.at(at) if corpus.nodes is not None else None
        file, line = self._file_and_line(row, side)
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
            self.texts.sentence_of(document, start),
            file,
            line,
            text,
            kind,
            head,
            EMPTY_NODE if head_is_zero else self.texts.text(document, head, head),
            joint.key.labels[key_entity] if key_entity >= 0 else None,
            joint.response.labels[response_entity] if response_entity >= 0 else None,
            row if is_joint else -1,
        )

    def _file_and_line(self, row: int, side: str) -> tuple[str | None, int | None]:
        """The file and the line of a mention: in the response if only that has it."""
        corpus, at = self.table.joint.key, row
        if side == "response":
            corpus, rows = self.as_read
            at = int(rows[self.table.joint.response_row[row]])
        source = corpus.source(int(corpus.document[at]))
        if source is None:
            return None, None
        return source.path, int(corpus.line[at]) if len(corpus.line) else None

    @cached_property
    def _wrong_spans(self) -> Corpus:
        """The response's mentions with wrong boundaries, with heads."""
        joint = self.table.joint
        return with_heads(joint.response.take(joint.response_row[joint.wrong_span]), joint.key)

    @cached_property
    def _wrong(self) -> dict[int, int]:
        """The row in the Joint of each mention with wrong boundaries → its row in _wrong_spans."""
        rows = np.flatnonzero(self.table.joint.wrong_span).tolist()
        return {row: number for number, row in enumerate(rows)}

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
        """Whether another mention of the entity has its text or head, and whether it is nested."""
        same: dict[str, bool | None] = {"same_text": None, "same_head": None}
        if self.texts.unmasked:
            readings = self._readings_of(side, int(side.entity[row]))
            for name, reading in zip(same, self._reads(row), strict=True):
                same[name] = readings[name, reading] > 1
        return {**same, "nested": bool(self._nested[side is self.table.response][row])}

    # Entities are counted once, however many errors they have.

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
        """Whether each mention lies in another one of the key, and of the response."""
        sides = self.table.key, self.table.response
        return [_inside_others(self.table.joint.corpus, side.entity >= 0) for side in sides]


def _inside_others(corpus: Corpus, chosen: BoolArray) -> BoolArray:
    """bool (mentions,): whether a mention is chosen and lies in another chosen one."""
    rows = corpus.text_order[chosen[corpus.text_order]]  # by start, then the longer first
    inside = np.zeros(corpus.mentions, dtype=bool)
    if len(rows):
        # Tokens are numbered through all documents, so that one running maximum is enough.
        width = int(corpus.end.max()) + 2
        end = corpus.document[rows] * width + corpus.end[rows]
        furthest = np.maximum.accumulate(end)
        inside[rows[1:]] = furthest[:-1] >= end[1:]
    return inside


def _each_once(ids: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entity for entity in ids if entity is not None))


def _boundaries(key: Mention, response: Mention) -> dict[str, Any]:
    """The text of the response, and how many tokens it has too many or too few on each side."""
    left, right = key.start - response.start, response.end - key.end
    return {
        "found": response.text,
        "left_extra": max(left, 0),
        "left_missing": max(-left, 0),
        "right_extra": max(right, 0),
        "right_missing": max(-right, 0),
    }
