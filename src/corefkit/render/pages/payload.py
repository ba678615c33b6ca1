"""What the page of errors knows: texts, mentions, entities, errors and figures as plain lists."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.analysis.types import TYPES
from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.groups import NO_GENRE, genre
from corefkit.data.incidents import DataError
from corefkit.data.overlap import make_overlap
from corefkit.mentions.context import Texts
from corefkit.mentions.kinds import KINDS
from corefkit.metrics.ceaf import align

MOST_TOKENS = 400_000
"""Texts of so many tokens are shown in full; beyond, those of the documents that lose most."""


@dataclass(frozen=True)
class Texted:
    """The texts of the key, and which documents are shown in full."""

    texts: Texts
    names: tuple[str, ...]
    shown: frozenset[int]

    def document(self, number: int) -> dict[str, Any]:
        """Name, genre, and the sentences if it is shown."""
        name = self.names[number]
        group = genre(name)
        found: dict[str, Any] = {"name": name, "genre": "" if group == NO_GENRE else group}
        size = max(int(self.texts.tokens.size[number]), 0)
        found["tokens"] = size
        if number in self.shown and size:
            words = self.texts.words(number, 0, size - 1) or ["·"] * size
            found["words"] = words
            found["sentences"] = self._starts(number, size)
            found["rtl"] = is_right_to_left(words)
            if speakers := self._speakers(number, size):
                found["speakers"] = [speakers[i] for i in found["sentences"]]
        return found

    def _starts(self, number: int, size: int) -> list[int]:
        first = int(self.texts.tokens.offset[number])
        try:
            sentence = self.texts.tokens.sentence[first : first + size]
        except DataError:
            return list(range(0, size, 25))
        return [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist()]

    def _speakers(self, number: int, size: int) -> list[str]:
        if not self.texts.tokens.has("speaker"):
            return []
        column = self.texts.tokens.column("speaker")
        if set(column.values) <= {"-", "_", "*", ""}:
            return []
        first = int(self.texts.tokens.offset[number])
        return [column.values[c] for c in column.code[first : first + size].tolist()]


def choose_shown(
    systems: Sequence[Errors], wanted: Sequence[str] | None = None, most: int = MOST_TOKENS
) -> frozenset[int]:
    """The documents that are shown in full: those named, or the worst that fit."""
    joint = systems[0].joint
    names = joint.key.names
    if wanted:
        return frozenset(number for number, name in enumerate(names) if name in set(wanted))
    loss = np.max([list(system.losses().values()) for system in systems], axis=0)
    chosen: set[int] = set()
    total = 0
    for number in sorted(range(len(names)), key=lambda n: -loss[n]):
        size = max(int(joint.key.tokens[number]), 0)
        if not chosen or total + size <= most:
            chosen.add(number)
            total += size
    return frozenset(chosen)


def is_right_to_left(words: Sequence[str]) -> bool:
    """Whether most letters of the first words are of a script that runs from right to left."""
    from unicodedata import bidirectional

    letters = [bidirectional(c) for word in words[:300] for c in word[:20]]
    right = sum(kind in ("R", "AL") for kind in letters)
    return right > sum(kind == "L" for kind in letters)


@dataclass(frozen=True, eq=False)
class SystemData:
    """The part of one system."""

    errors: Errors
    shown: frozenset[int]

    def to_dict(self, shares: bool) -> dict[str, Any]:
        """Figures, errors, and the mentions of the documents that are shown."""
        errors = self.errors
        losses = list(errors.losses().values())
        found: dict[str, Any] = {
            "name": errors.name,
            "f1": errors.f1(),
            "errors": list(errors.counts.values()),
            "mentions": [list(kinds.values()) for kinds in errors.mentions.values()],
            "repaired": list(errors.repaired().values()),
            "documents": [
                [*counts.values(), loss]
                for counts, loss in zip(errors.documents().values(), losses, strict=True)
            ],
            "list": self._list(),
            "texts": {str(number): self._mentions(number) for number in sorted(self.shown)},
        }
        if shares:
            found["shares"] = list(errors.shares().values())
        return found

    def _list(self) -> list[list[Any]]:
        """Errors: type, document, number, kind, text, before, behind, sentence, mentions, evidence,
        entities of both sides, features.
        """
        number = {name: i for i, name in enumerate(self.errors.joint.key.names)}
        place = {name: i for i, name in enumerate(TYPES)}
        listed = []
        for error in self.errors:
            first, context = error.first, error.context.shortened(60)
            listed.append(
                [
                    place[error.type],
                    number[error.document],
                    int(error.id.rpartition("/")[2]),
                    KINDS.index(first.kind),
                    _cut(first.text),
                    context.before,
                    context.behind,
                    first.sentence,
                    [m.row for m in error.mentions if m.row >= 0][:200],
                    _evidence(error.evidence),
                    list(error.key_entities),
                    list(error.response_entities),
                    [column[first.row] for column in self._features.values()],
                    first.head_word.lower()[:40],
                ]
            )
        return listed

    @property
    def features(self) -> list[str]:
        """The names of the features by which errors can be broken down."""
        return list(self._features)

    @cached_property
    def _features(self) -> dict[str, list[str]]:
        """Each feature with its value for every mention of both sides."""
        joint = self.errors.joint
        corpus, tokens = joint.corpus, joint.tokens
        found: dict[str, list[str]] = {}
        at = np.clip(tokens.offset[corpus.document] + _head(corpus), 0, None)
        if tokens.has("pos"):
            column = tokens.column("pos")
            inside = np.minimum(at, max(len(column.code) - 1, 0))
            if len(column.code):
                found["part of speech"] = [column.values[c] for c in column.code[inside].tolist()]
        with suppress(DataError):
            names = tokens.names
            label = names.over(corpus.document, corpus.start, corpus.end).tolist()
            if len(names.classes):
                found["name class"] = [names.classes[i] if i >= 0 else "none" for i in label]
        found["length"] = [
            _bucket(n, (1, 2, 3, 6)) for n in (corpus.end - corpus.start + 1).tolist()
        ]
        found["entity size"] = [_bucket(n, (1, 2, 4, 9)) for n in self._sizes().tolist()]
        with suppress(DataError):
            found["distance in sentences"] = self._distances()
        return found

    def _sizes(self) -> IntArray:
        joint = self.errors.joint
        ours = np.append(joint.key.entity_size, 0)[joint.key_entity]
        theirs = np.append(joint.response.entity_size, 0)[joint.response_entity]
        return np.where(joint.key_entity >= 0, ours, theirs)

    def _distances(self) -> list[str]:
        """How many sentences back the mention before it in its entity is."""
        joint = self.errors.joint
        sentence = joint.tokens.sentence
        at = joint.tokens.offset[joint.document] + np.maximum(joint.corpus.start, 0)
        where = sentence[np.minimum(at, max(len(sentence) - 1, 0))]
        width = joint.key.entities
        entity = np.where(joint.key_entity >= 0, joint.key_entity, width + joint.response_entity)
        order = np.lexsort((joint.rank, entity))
        back = np.full(joint.mentions, -1, dtype=np.int64)
        same = entity[order[1:]] == entity[order[:-1]]
        back[order[1:][same]] = np.diff(where[order])[same]
        return ["first" if n < 0 else _bucket(n, (0, 1, 2, 5)) for n in back.tolist()]

    def _mentions(self, document: int) -> dict[str, Any]:
        """The mentions of a document: row, state, spans and entities of both sides; labels; which
        response entity is aligned with which key entity; broken links.
        """
        joint = self.errors.joint
        here = np.flatnonzero(joint.document == document)
        rows = []
        for row in here[np.argsort(joint.rank[here])].tolist():
            ours, theirs = int(joint.key_entity[row]), int(joint.response_entity[row])
            both = ours >= 0 and theirs >= 0
            state = 3 if joint.wrong_span[row] else 0 if both else 1 if ours >= 0 else 2
            found = [row, state, ours, theirs, *_span(joint.corpus, row)]
            if state == 3:
                found.append(_span(joint.response, int(joint.response_row[row])))
            rows.append(found)
        used = [{r[i] for r in rows if r[i] >= 0} for i in (2, 3)]
        return {
            "m": rows,
            "key": {e: joint.key.labels[e] for e in sorted(used[0])},
            "response": {e: joint.response.labels[e] for e in sorted(used[1])},
            "aligned": [[k, r] for k, r in self._aligned.items() if k in used[0]],
            "links": self._links.get(document, []),
        }

    @cached_property
    def _aligned(self) -> dict[int, int]:
        """Key entities with the response entities that CEAF aligns them with."""
        joint = self.errors.joint
        shared = np.flatnonzero((joint.key_entity >= 0) & (joint.response_row >= 0))
        from corefkit.data.matching.pairs import Pairs

        overlap = make_overlap(joint.key, joint.response, Pairs(shared, joint.response_row[shared]))
        sizes = (
            overlap.key.size[overlap.key_entity] + overlap.response.size[overlap.response_entity]
        )
        best = align(overlap, 2 * overlap.count / sizes)
        ours, theirs = (_by_rank(side) for side in (joint.key, joint.response))
        return {
            int(ours[k]): int(theirs[r])
            for k, r in zip(best.key_entity.tolist(), best.response_entity.tolist(), strict=True)
        }

    @cached_property
    def _links(self) -> dict[int, list[list[int]]]:
        """Broken links by document: side (0 recall, 1 precision), anaphor and antecedent rows."""
        joint = self.errors.joint
        of_response = np.full(joint.response.mentions, -1, dtype=np.int64)
        known = np.flatnonzero(joint.response_row >= 0)
        of_response[joint.response_row[known]] = known
        found: dict[int, list[list[int]]] = {}
        for side, links in enumerate(self.errors.links().values()):
            ends = np.stack((links.anaphor, links.antecedent))
            if side:
                ends = of_response[ends]
            for anaphor, antecedent in ends.T.tolist():
                document = int(joint.document[anaphor])
                if document in self.shown:
                    found.setdefault(document, []).append([side, anaphor, antecedent])
        return found


def _by_rank(corpus: Corpus) -> IntArray:
    """The entities in the order in which an Overlap numbers them: by their first mentions."""
    order = corpus.text_order
    _, first = np.unique(corpus.entity[order], return_index=True)
    return corpus.entity[order][np.sort(first)]


def _head(corpus: Corpus) -> IntArray:
    return corpus.end if corpus.head is None else np.maximum(corpus.head, 0)


def _span(corpus: Corpus, row: int) -> list[Any]:
    """Start, end, number of the empty node; the nodes where the mention has gaps."""
    zero = int(corpus.zero[row]) if corpus.zero is not None else 0
    span: list[Any] = [int(corpus.start[row]), int(corpus.end[row]), zero]
    if corpus.parts is not None and (nodes := corpus.parts.nodes(row)):
        span.append([token for token, empty in nodes if not empty])
    return span


def _bucket(number: int, bounds: Sequence[int]) -> str:
    """The number itself where it is one of the first, else a range.

    >>> [_bucket(n, (1, 2, 3, 6)) for n in (1, 3, 5, 9)]
    ['1', '3', '4–6', '7+']
    """
    below = None
    for bound in bounds:
        if number <= bound:
            return str(bound) if below is None or below + 1 == bound else f"{below + 1}–{bound}"
        below = bound
    return f"{bounds[-1] + 1}+"


def _cut(text: str, most: int = 300) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _evidence(evidence: Mapping[str, Any]) -> str:
    """The evidence of an error in a few words."""
    if "part" in evidence:
        part, rest = (_kinds(evidence[name]) for name in ("part", "rest"))
        return f"part: {part}; rest: {rest}"
    if "left_extra" in evidence:
        words = {"extra": "too many", "missing": "too few"}
        told = [
            f"{evidence[f'{side}_{kind}']} {word} on the {side}"
            for side in ("left", "right")
            for kind, word in words.items()
            if evidence[f"{side}_{kind}"]
        ]
        return f"found: {_cut(evidence['found'], 80)} ({', '.join(told) or 'other tokens'})"
    told = [
        text
        for name, text in (
            ("same_text", "same text elsewhere in the entity"),
            ("same_head", "same head word"),
            ("nested", "inside another mention"),
        )
        if evidence.get(name)
    ]
    return ", ".join(told)


def _kinds(kinds: Mapping[str, int]) -> str:
    listed = [f"{n} {kind}{'s' * (n != 1)}" for kind, n in kinds.items() if n]
    return ", ".join(listed) or "nothing"
