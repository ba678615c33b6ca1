"""One error and its mentions, as objects: what `corefkit.errors` is a sequence of."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from corefkit.mentions.context import InContext


@dataclass(frozen=True)
class Mention:
    """One mention of an error.

    Attributes:
        side: "key", "response" or "both": who has it.
        start, end: tokens of the document, from 0, both included.
        zero: the number of the empty node after `start`, 0 for a mention of tokens.
        sentence: from 0 in the document; None where it is not known.
        file, line: where it stands in the key, or in the response if only that has it.
        text: its words; "" where the words are not known.
        kind: "pronoun", "name" or "nominal".
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


@dataclass(frozen=True)
class Error:
    """One wrong decision of a system.

    Attributes:
        id: `document/type/number`, the number from 1 in the order of the text.
        type: one of the seven types.
        document: the name of the document.
        key_entities, response_entities: the ids of the entities concerned on each side.
        mentions: the mentions that are wrong; of a span error the key's, then the response's.
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
    evidence: Mapping[str, Any]
    context: InContext = field(repr=False)

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
        }
        for name in EVIDENCE:
            value = self.evidence.get(name)
            row[name] = _flat(value) if isinstance(value, Mapping) else value
        return row


EVIDENCE = (
    *("part", "rest", "same_text", "same_head", "nested", "found"),
    *("left_extra", "left_missing", "right_extra", "right_missing"),
)
"""All evidence that an error can carry, in the order of columns."""


def _flat(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items() if number)
