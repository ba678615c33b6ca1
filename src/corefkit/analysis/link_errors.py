"""Errors as links between a mention and an earlier one (Martschat and Strube 2014).

A link error has two ends, and is listed with their distance and whether they have the same words.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from corefkit.analysis.error import Details, Mention
from corefkit.analysis.joint import Joint
from corefkit.core.arrays import IntArray, distinct, ranks_of, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.features.chains import last_before
from corefkit.features.features import KINDS, NAME, NOMINAL, PRONOUN

Strategy = Literal["accessibility", "closest"]
STRATEGIES: tuple[Strategy, ...] = ("accessibility", "closest")
"""How the antecedent of a link error is chosen. "closest": the mention before it in its entity.
"accessibility": for a pronoun the same; for others the closest name before it, else the closest
nominal, else the mention before it."""


@frozen(eq=False)
class LinkErrors:
    """The links that one side has and the other lacks; one row per anaphor.

    Attributes:
        corpus: the side that has the links: the key for recall, the response for precision.
        anaphor, antecedent: int64 (links,), rows of the corpus, in text order.
        kind: int64 (mentions,), the kind of each mention of the corpus.
        distance: int64 (links,), how many mentions of the entity lie between, plus one.
        kinds: the names of the kinds.
    """

    corpus: Corpus
    anaphor: IntArray
    antecedent: IntArray
    kind: IntArray
    distance: IntArray
    kinds: tuple[str, ...] = KINDS

    def __len__(self) -> int:
        return len(self.anaphor)

    def by_kinds(self) -> dict[str, int]:
        """How many there are, by the kinds of the two ends: {"name -> name": 1013, …}."""
        pair = self.kind[self.anaphor] * len(KINDS) + self.kind[self.antecedent]
        number = np.bincount(pair, minlength=len(KINDS) ** 2).tolist()
        names = [f"{anaphor} -> {before}" for anaphor in self.kinds for before in self.kinds]
        return {name: n for name, n in sorted(zip(names, number, strict=True)) if n}


def link_errors(joint: Joint, strategy: Strategy = "accessibility") -> dict[str, LinkErrors]:
    """The link errors of "recall" and "precision".

    Their number is the denominator of MUC minus its numerator.
    """
    shared = np.flatnonzero(joint.matched)
    rows = joint.response_row[shared]
    in_response = np.full(joint.key.mentions, -1, dtype=np.int64)
    in_key = np.full(joint.response.mentions, -1, dtype=np.int64)
    in_response[shared] = joint.response.entity[rows]
    in_key[rows] = joint.key.entity[shared]
    of_key = _broken(joint.key, in_response, joint.kind[: joint.key.mentions], strategy)
    of_response = _broken(joint.response, in_key, joint.response_kind, strategy)
    kinds = joint.sources.shown
    return {"recall": replace(of_key, kinds=kinds), "precision": replace(of_response, kinds=kinds)}


def _broken(side: Corpus, other: IntArray, kind: IntArray, strategy: Strategy) -> LinkErrors:
    """The links of a side that the other lacks.

    `other` is the entity of each mention on the other side, −1 for none.
    """
    rank = ranks_of(side.text_order)
    order = np.lexsort((rank, side.entity))
    entity, other, kinds = side.entity[order], other[order], kind[order]
    number = np.arange(len(order))
    begin = np.searchsorted(entity, entity)
    seen = distinct(entity * (int(other.max(initial=-1)) + 2) + other + 1)
    repeated = (seen.first[seen.inverse] < number) & (other >= 0)
    wrong = np.flatnonzero(~repeated & (number > begin))
    before = number - 1
    if strategy == "accessibility":
        nominal = last_before(kinds == NOMINAL, begin)
        name = last_before(kinds == NAME, begin)
        chosen = np.where(name >= 0, name, np.where(nominal >= 0, nominal, before))
        before = np.where(kinds == PRONOUN, before, chosen)
    wrong = wrong[np.argsort(rank[order[wrong]])]
    return LinkErrors(side, order[wrong], order[before[wrong]], kind, wrong - before[wrong])


@frozen
class Link:
    """A link that one side has and the other lacks.

    Attributes:
        id: `document/recall/number` or `document/precision/number`.
        side: "recall", a link of the key, or "precision", one of the response.
        document: the name of the document.
        anaphor, antecedent: its ends.
        mentions, sentences, tokens: the distance of the two; None where it is not known. Tokens
            are counted from the end of the antecedent to the start of the anaphor.
        same_text, same_head: whether they have the same words, apart from case; None without words.
    """

    id: str
    side: str
    document: str
    anaphor: Mention
    antecedent: Mention
    mentions: int
    sentences: int | None
    tokens: int
    same_text: bool | None
    same_head: bool | None

    def to_dict(self) -> dict[str, Any]:
        """The link as a line of `--links -f jsonl`."""
        return {
            "id": self.id,
            "type": f"{self.side}-link",
            "document": self.document,
            "anaphor": self.anaphor.to_dict(),
            "antecedent": self.antecedent.to_dict(),
            "distance": {
                "mentions": self.mentions,
                "sentences": self.sentences,
                "tokens": self.tokens,
            },
            "same_text": self.same_text,
            "same_head": self.same_head,
        }


def list_links(details: Details, side: str, links: LinkErrors) -> Iterator[Link]:
    """The link errors of one side, "recall" or "precision", in text order."""
    joint = details.table.joint
    mention = details.mention if side == "recall" else details.response_mention
    has_words = details.texts.unmasked
    numbers: dict[int, int] = {}
    for row, row_before, distance in tuples(links.anaphor, links.antecedent, links.distance):
        document = int(links.corpus.document[row])
        numbers[document] = numbers.get(document, 0) + 1
        anaphor, antecedent = mention(row), mention(row_before)
        sentences = None
        if anaphor.sentence is not None and antecedent.sentence is not None:
            sentences = anaphor.sentence - antecedent.sentence
        name = joint.key.names[document]
        yield Link(
            f"{name}/{side}/{numbers[document]}",
            side,
            name,
            anaphor,
            antecedent,
            distance,
            sentences,
            anaphor.start - antecedent.end,
            anaphor.text.lower() == antecedent.text.lower() if has_words else None,
            anaphor.head_word.lower() == antecedent.head_word.lower() if has_words else None,
        )
