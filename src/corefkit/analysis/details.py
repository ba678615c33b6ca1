"""Makes Error objects: the mentions of each error, their places, and the evidence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from corefkit.analysis.error import Error, Mention
from corefkit.analysis.types import TYPES, ComparedSide, ErrorType, Found
from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.corpus import Corpus
from corefkit.mentions.context import EMPTY_NODE, Texts
from corefkit.mentions.heads import with_heads
from corefkit.mentions.kinds import KINDS


@dataclass(frozen=True, eq=False)
class Details:
    """Makes Error objects from what was found.

    `places` is the response as it was read, and its row for each row of the response compared.
    """

    found: Found
    places: tuple[Corpus, IntArray]

    @cached_property
    def texts(self) -> Texts:
        """The words of the key."""
        return Texts(self.found.joint.tokens)

    def __iter__(self) -> Iterator[Error]:
        return (self[number] for number in range(len(self.found)))

    def __getitem__(self, number: int) -> Error:
        found, joint = self.found, self.found.joint
        kind = int(found.type[number])
        document = int(found.document[number])
        first, last = found.first[number : number + 2].tolist()
        rows = found.mention[first:last].tolist()
        mentions = [self.mention(row) for row in rows]
        side = found.response if kind <= ErrorType.CONFLATED else found.key
        evidence: dict[str, Any] = {}
        if kind == ErrorType.SPAN:
            mentions.append(self._as_found(rows[0]))
            evidence = _boundaries(*mentions)
        elif kind in (ErrorType.CONFLATED, ErrorType.DIVIDED):
            evidence = self._parts(rows, side)
        elif kind in (ErrorType.EXTRA_MENTION, ErrorType.MISSING_MENTION):
            evidence = self._likeness(rows[0], side)
        here, name = mentions[0], joint.key.names[document]
        return Error(
            f"{name}/{TYPES[kind]}/{found.number[number]}",
            TYPES[kind],
            name,
            _each_once(m.key_entity for m in mentions),
            _each_once(m.response_entity for m in mentions),
            tuple(mentions),
            evidence,
            self.texts.in_context(document, here.start, here.end, here.text),
        )

    def mention(self, row: int) -> Mention:
        """A row of the Joint."""
        joint = self.found.joint
        return self._mention(joint.corpus, row, row, KINDS[joint.kind[row]])

    def response_mention(self, row: int) -> Mention:
        """A row of the response, as it was written."""
        place = int(self._of_response[row])
        return self._as_found(place) if self.found.joint.wrong_span[place] else self.mention(place)

    @cached_property
    def _of_response(self) -> IntArray:
        """The row of the Joint for each row of the response."""
        joint = self.found.joint
        place = np.zeros(joint.response.mentions, dtype=np.int64)
        here = np.flatnonzero(joint.response_row >= 0)
        place[joint.response_row[here]] = here
        return place

    def _as_found(self, row: int) -> Mention:
        """The response's own version of a mention with a wrong span."""
        joint = self.found.joint
        kind = KINDS[joint.response_kind[joint.response_row[row]]]
        return self._mention(self._wrong_spans, self._wrong[row], row, kind)

    def _mention(self, corpus: Corpus, place: int, row: int, kind: str) -> Mention:
        """A mention of a corpus, the joint one or that of wrong spans, and its row in the Joint."""
        joint = self.found.joint
        whole = corpus is joint.corpus
        ours, theirs = int(joint.key_entity[row]) if whole else -1, int(joint.response_entity[row])
        side = "both" if ours >= 0 and theirs >= 0 else "key" if ours >= 0 else "response"
        document, start, end = (
            int(column[place]) for column in (corpus.document, corpus.start, corpus.end)
        )
        assert corpus.head is not None and corpus.head_zero is not None
        head, empty = int(corpus.head[place]), bool(corpus.head_zero[place])
        zero = 0 if corpus.zero is None else int(corpus.zero[place])
        nodes = corpus.parts.nodes(place) if corpus.parts is not None else None
        file, line = self._place(row, side)
        return Mention(
            side,
            start,
            end,
            zero,
            self.texts.sentence(document, start),
            file,
            line,
            EMPTY_NODE if zero else self.texts.text(document, start, end, nodes),
            kind,
            head,
            EMPTY_NODE if empty else self.texts.text(document, head, head),
            joint.key.labels[ours] if ours >= 0 else None,
            joint.response.labels[theirs] if theirs >= 0 else None,
            row if whole else -1,
        )

    def _place(self, row: int, side: str) -> tuple[str | None, int | None]:
        """The file and the line of a mention, in the response if the key lacks it."""
        corpus, place = self.found.joint.key, row
        if side == "response":
            corpus, rows = self.places
            place = int(rows[self.found.joint.response_row[row]])
        source = corpus.source(int(corpus.document[place]))
        if source is None:
            return None, None
        return source.path, int(corpus.line[place]) if len(corpus.line) else None

    @cached_property
    def _wrong_spans(self) -> Corpus:
        """The response's mentions with wrong boundaries, with heads."""
        joint = self.found.joint
        return with_heads(joint.response.take(joint.response_row[joint.wrong_span]), joint.key)

    @cached_property
    def _wrong(self) -> dict[int, int]:
        """Where they stand, by their rows in the Joint."""
        rows = np.flatnonzero(self.found.joint.wrong_span).tolist()
        return {row: place for place, row in enumerate(rows)}

    def _parts(self, rows: list[int], side: ComparedSide) -> dict[str, Any]:
        """The kinds of mentions in a part, and in the rest of its entity."""
        whole = side.members[int(side.entity[rows[0]])]
        part, whole = (
            np.bincount(self.found.joint.kind[some], minlength=len(KINDS)) for some in (rows, whole)
        )
        return {
            "part": dict(zip(KINDS, part.tolist(), strict=True)),
            "rest": dict(zip(KINDS, (whole - part).tolist(), strict=True)),
        }

    def _likeness(self, row: int, side: ComparedSide) -> dict[str, Any]:
        """Whether another mention of the entity reads the same, and whether one is around it."""
        others = [r for r in side.members[int(side.entity[row])].tolist() if r != row]
        known = self.texts.comparable
        text, head = self._reads(row)
        return {
            "same_text": any(self._reads(r)[0] == text for r in others) if known else None,
            "same_head": any(self._reads(r)[1] == head for r in others) if known else None,
            "nested": bool(self._nested[side is self.found.response][row]),
        }

    def _reads(self, row: int) -> tuple[str, str]:
        """The text and the head word of a mention, in lower case."""
        if row not in self._texts:
            mention = self.mention(row)
            self._texts[row] = mention.text.lower(), mention.head_word.lower()
        return self._texts[row]

    @cached_property
    def _texts(self) -> dict[int, tuple[str, str]]:
        return {}

    @cached_property
    def _nested(self) -> list[BoolArray]:
        """The mentions that lie in another one of their side: of the key, of the response."""
        sides = self.found.key, self.found.response
        return [nested(self.found.joint.corpus, side.entity >= 0) for side in sides]


def nested(corpus: Corpus, chosen: BoolArray) -> BoolArray:
    """bool (mentions,): which of the chosen mentions lie in another one of them."""
    rows = corpus.text_order[chosen[corpus.text_order]]  # of two that begin alike the longer first
    inside = np.zeros(corpus.mentions, dtype=bool)
    if len(rows):
        # Documents are laid behind each other, so that one running maximum serves them all.
        width = int(corpus.end.max()) + 2
        end = corpus.document[rows] * width + corpus.end[rows]
        furthest = np.maximum.accumulate(end)
        inside[rows[1:]] = furthest[:-1] >= end[1:]
    return inside


def _each_once(ids: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in ids if one is not None))


def _boundaries(right: Mention, found: Mention) -> dict[str, Any]:
    """How many tokens are too many and too few at each side."""
    left, end = right.start - found.start, found.end - right.end
    return {
        "found": found.text,
        "left_extra": max(left, 0),
        "left_missing": max(-left, 0),
        "right_extra": max(end, 0),
        "right_missing": max(-end, 0),
    }
