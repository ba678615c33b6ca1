"""One system on the error page: its errors, and the mentions and entities of both sides.

Everything is turned into plain lists, which the scripts of the page read by position. The page
breaks its counts down by features of mentions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from corefkit.analysis.error import Placement
from corefkit.analysis.errors import BEST, WAS, Errors
from corefkit.analysis.marks import STATES, Mark, MentionMarks
from corefkit.analysis.types import FOUND_AS, RELATIONS, TYPES
from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.texts import close_up
from corefkit.render.errors import headline, missing_documents


@frozen(eq=False)
class SystemData:
    """The data of one system on the page: figures, errors, mentions and broken links.

    Attributes:
        errors: its errors.
        shown: the documents whose texts are on the page.
        same: a number for each error; an error of several systems has the same number in all.
        unspaced: the documents in languages without blanks between words.
        features: the features that errors are broken down by, with a value for every mention.
    """

    errors: Errors
    shown: frozenset[int]
    same: Sequence[int]
    unspaced: frozenset[int]
    features: Mapping[str, Sequence[str]]

    def to_dict(self, shares: bool) -> dict[str, Any]:
        """Figures, errors, and the mentions of the shown documents."""
        errors = self.errors
        losses = list(errors.losses().values())
        content: dict[str, Any] = {
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
            "headline": headline(errors),
            "missing": missing_documents(errors),
            "patterns": [
                [str(p), p.type, p.kind, WAS[p.was][0], p.number, p.gain, p.common_words]
                for p in errors.patterns(most=50)
            ],
            "gains": np.argsort(-errors.gains(), kind="stable")[:BEST].tolist(),
            "texts": {str(number): self.mentions_of(number) for number in sorted(self.shown)},
        }
        if shares:
            content["shares"] = list(errors.shares().values())
        return content

    def _list(self) -> list[list[Any]]:
        """One list per error, in the order of FIELDS in state.js."""
        number = {name: i for i, name in enumerate(self.errors.joint.key.names)}
        type_number = {name: i for i, name in enumerate(TYPES)}
        listed = []
        details = replace(self.errors.details, brief=True, tagged=True)
        rows = tuples(details.antecedents.key, details.antecedents.response)
        for error, same, (right, wrong) in zip(details, self.same, rows, strict=True):
            first, context = error.first, error.context.shortened(60)
            document = number[error.document]
            close = close_up if document in self.unspaced else str
            listed.append(
                [
                    type_number[error.type],
                    document,
                    int(error.id.rpartition("/")[2]),
                    int(self.errors.joint.kind[first.row]),
                    close(cut(first.text, 300)),
                    close(context.before),
                    close(context.behind),
                    first.sentence,
                    [mention.row for mention in error.mentions if mention.row >= 0],
                    close(_evidence(error.evidence)),
                    list(error.key_entities),
                    list(error.response_entities),
                    [column[first.row] for column in self.features.values()],
                    first.head_word.lower()[:40],
                    same,
                    _placement(error.should, right, close),
                    _placement(error.was, wrong, close),
                    round(error.gain, 7),
                ]
            )
        return listed

    def mentions_of(self, document: int) -> dict[str, Any]:
        """The mentions of a document and its entities, as lists.

        `m` has for each mention: row, state (0 in both, 1 only in the key, 2 only in the response,
        3 wrong boundaries), entities of both sides, span, and the span in the response if it
        differs. `key` and `response` are the labels of entities, `leads` the mentions that lead
        them, `aligned` pairs of entities aligned by CEAF, `links` the broken links.
        """
        joint, marks = self.errors.joint, self._marks.of(document)
        sides = self.errors.table.key, self.errors.table.response
        used = [{mark.entities[side] for mark in marks if mark.spans[side]} for side in (0, 1)]
        aligned = self._marks.aligned
        return {
            "m": [_row(mark) for mark in marks],
            "key": {e: joint.key.labels[e] for e in sorted(used[0])},
            "response": {e: joint.response.labels[e] for e in sorted(used[1])},
            "leads": [
                [int(side.leader[entity]) for entity in sorted(entities)]
                for side, entities in zip(sides, used, strict=True)
            ],
            "aligned": [[k, aligned[k]] for k in sorted(used[0]) if k in aligned],
            "links": self._links.get(document, []),
        }

    @cached_property
    def _marks(self) -> MentionMarks:
        return MentionMarks(self.errors)

    @cached_property
    def _links(self) -> dict[int, list[list[int]]]:
        """Broken links by document: side (0 recall, 1 precision), anaphor and antecedent rows."""
        joint = self.errors.joint
        broken: dict[int, list[list[int]]] = {}
        for side, links in enumerate(self.errors.links().values()):
            ends = np.stack((links.anaphor, links.antecedent))
            if side:
                ends = joint.row_of_response[ends]
            for anaphor, antecedent in ends.T.tolist():
                document = int(joint.document[anaphor])
                if document in self.shown:
                    broken.setdefault(document, []).append([side, anaphor, antecedent])
        return broken


def _row(mark: Mark) -> list[Any]:
    """A mark as a list; the page knows from the errors which mentions are linked wrongly."""
    state = 0 if mark.state == "linked" else STATES.index(mark.state)
    spans = dict.fromkeys(span for span in mark.spans if span is not None)
    return [mark.row, state, *mark.entities, *([*s[:3], *(s.gaps or ())] for s in spans)]


def _placement(placement: Placement, row: int, close: Callable[[str], str]) -> list[Any]:
    """The relation and, if there is a mention: its row, text and distance.

    The row is −1 if the mention was found with other boundaries. The distance is in sentences,
    null if they are not known, and in tokens. `close` removes blanks if the language has none.
    """
    number, mention = RELATIONS.index(placement.relation), placement.mention
    if mention is None:
        return [number]
    row = -1 if placement.relation == FOUND_AS else row
    return [number, row, cut(close(mention.text), 80), placement.sentences, placement.tokens]


_SIGNS = {
    "same_text": "same text elsewhere in the entity",
    "same_head": "same head word",
    "nested": "inside another mention",
}


def _evidence(evidence: Mapping[str, Any]) -> str:
    """The evidence of an error in a few words."""
    if "part" in evidence:
        return f"part: {_kinds(evidence['part'])}; rest: {_kinds(evidence['rest'])}"
    if "left_extra" in evidence:
        words = {"extra": "too many", "missing": "too few"}
        differences = [
            f"{evidence[f'{side}_{kind}']} {word} on the {side}"
            for side in ("left", "right")
            for kind, word in words.items()
            if evidence[f"{side}_{kind}"]
        ]
        return f"found: {cut(evidence['found'], 80)} ({', '.join(differences) or 'other tokens'})"
    return ", ".join(text for name, text in _SIGNS.items() if evidence.get(name))


def _kinds(kinds: Mapping[str, int]) -> str:
    listed = [f"{n} {kind}{'s' * (n != 1)}" for kind, n in kinds.items() if n]
    return ", ".join(listed) or "nothing"


def cut(text: str, most: int) -> str:
    """The text, shortened to at most `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
