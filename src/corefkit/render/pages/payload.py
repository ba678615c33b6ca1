"""What the page of errors knows: texts, mentions, entities, errors and figures as plain lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.analysis.types import TYPES
from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.matching.pairs import Pairs
from corefkit.data.overlap import make_overlap
from corefkit.mentions.kinds import KINDS
from corefkit.metrics.ceaf import align
from corefkit.render.pages.features import mention_features
from corefkit.render.pages.texts import cut


@dataclass(frozen=True, eq=False)
class SystemData:
    """The part of one system.

    Attributes:
        errors: its errors.
        shown: the documents whose texts are in the page.
        same: the number of each error, the same for one that other systems make too.
    """

    errors: Errors
    shown: frozenset[int]
    same: Sequence[int] = ()

    def to_dict(self, shares: bool) -> dict[str, Any]:
        """Figures, errors, and the mentions of the documents that are shown."""
        errors = self.errors
        losses = list(errors.losses().values())
        found: dict[str, Any] = {
            "name": errors.name,
            "f1": errors.f1(),
            "best": errors.f1(repaired=TYPES),
            "errors": list(errors.counts.values()),
            "mentions": [list(kinds.values()) for kinds in errors.mentions.values()],
            "repaired": list(errors.repaired().values()),
            "documents": [
                [*counts.values(), loss]
                for counts, loss in zip(errors.documents().values(), losses, strict=True)
            ],
            "list": self._list(),
            "texts": {str(number): self.mentions_of(number) for number in sorted(self.shown)},
        }
        if shares:
            found["shares"] = list(errors.shares().values())
        return found

    def _list(self) -> list[list[Any]]:
        """One list an error, in the order of FIELDS in state.js."""
        number = {name: i for i, name in enumerate(self.errors.joint.key.names)}
        place = {name: i for i, name in enumerate(TYPES)}
        listed = []
        for error, same in zip(self.errors, self.same, strict=True):
            first, context = error.first, error.context.shortened(60)
            listed.append(
                [
                    *(place[error.type], number[error.document], int(error.id.rpartition("/")[2])),
                    *(KINDS.index(first.kind), cut(first.text, 300)),
                    *(context.before, context.behind, first.sentence),
                    [first.row, sum(m.row >= 0 for m in error.mentions)],
                    _evidence(error.evidence),
                    *(list(error.key_entities), list(error.response_entities)),
                    [column[first.row] for column in self.features.values()],
                    *(first.head_word.lower()[:40], same),
                ]
            )
        return listed

    @cached_property
    def features(self) -> dict[str, list[str]]:
        """What errors can be broken down by, with its value for every mention of both sides."""
        return mention_features(self.errors.joint)

    def mentions_of(self, document: int) -> dict[str, Any]:
        """The mentions of a document: row, state, entities of both sides, span, and the span in
        the response if it is another; labels; the mentions that lead the entities; which response
        entity is aligned with which key entity; broken links.
        """
        found, joint = self.errors.found, self.errors.joint
        here = np.flatnonzero(joint.document == document)
        rows = []
        for row in here[np.argsort(joint.rank[here])].tolist():
            ours, theirs = int(joint.key_entity[row]), int(joint.response_entity[row])
            both = ours >= 0 and theirs >= 0
            state = 3 if joint.wrong_span[row] else 0 if both else 1 if ours >= 0 else 2
            spans = [_span(joint.corpus, row)]
            if both:
                spans.append(_span(joint.response, int(joint.response_row[row])))
            rows.append([row, state, ours, theirs, *spans[: 1 + (spans[-1] != spans[0])]])
        used = [{r[i] for r in rows if r[i] >= 0} for i in (2, 3)]
        return {
            "m": rows,
            "key": {e: joint.key.labels[e] for e in sorted(used[0])},
            "response": {e: joint.response.labels[e] for e in sorted(used[1])},
            "leads": [
                [int(side.leader[entity]) for entity in sorted(some)]
                for side, some in zip((found.key, found.response), used, strict=True)
            ],
            "aligned": [[k, r] for k, r in self._aligned.items() if k in used[0]],
            "links": self._links.get(document, []),
        }

    @cached_property
    def _aligned(self) -> dict[int, int]:
        """Key entities with the response entities that CEAF aligns them with."""
        joint = self.errors.joint
        shared = np.flatnonzero((joint.key_entity >= 0) & (joint.response_row >= 0))
        overlap = make_overlap(joint.key, joint.response, Pairs(shared, joint.response_row[shared]))
        ours, theirs = overlap.key.size, overlap.response.size
        sizes = ours[overlap.key_entity] + theirs[overlap.response_entity]
        best = align(overlap, 2 * overlap.count / sizes)
        keys = _by_rank(joint.key)[best.key_entity].tolist()
        responses = _by_rank(joint.response)[best.response_entity].tolist()
        return dict(zip(keys, responses, strict=True))

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


def _span(corpus: Corpus, row: int) -> list[Any]:
    """Start, end, number of the empty node; tokens and empty nodes where the mention has gaps."""
    zero = int(corpus.zero[row]) if corpus.zero is not None else 0
    span: list[Any] = [int(corpus.start[row]), int(corpus.end[row]), zero]
    if corpus.parts is not None and (nodes := corpus.parts.nodes(row)):
        span += [[token for token, empty in nodes if bool(empty) == zero] for zero in (False, True)]
    return span


_SIGNS = {
    "same_text": "same text elsewhere in the entity",
    "same_head": "same head word",
    "nested": "inside another mention",
}


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
        return f"found: {cut(evidence['found'], 80)} ({', '.join(told) or 'other tokens'})"
    return ", ".join(text for name, text in _SIGNS.items() if evidence.get(name))


def _kinds(kinds: Mapping[str, int]) -> str:
    listed = [f"{n} {kind}{'s' * (n != 1)}" for kind, n in kinds.items() if n]
    return ", ".join(listed) or "nothing"
