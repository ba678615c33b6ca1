"""What each link error carries: its two ends, how far apart they are, whether they read alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from corefkit.analysis.details import Details
from corefkit.analysis.error import Mention
from corefkit.analysis.links import LinkErrors
from corefkit.data.arrays import tuples


@dataclass(frozen=True)
class Link:
    """A link that one side has and the other breaks.

    Attributes:
        id: `document/recall/number` or `document/precision/number`.
        side: "recall", a link of the key, or "precision", one of the response.
        anaphor, antecedent: its ends.
        mentions, sentences, tokens: how far apart they are; None where it is not known.
        same_text, same_head: whether they read alike, in any case; None without words.
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
    """The link errors of one side, "recall" or "precision", in the order of the text."""
    joint = details.found.joint
    mention = details.mention if side == "recall" else details.response_mention
    known = details.texts.comparable
    numbers: dict[int, int] = {}
    for anaphor, antecedent, distance in tuples(links.anaphor, links.antecedent, links.distance):
        document = int(links.corpus.document[anaphor])
        numbers[document] = numbers.get(document, 0) + 1
        one, other = mention(anaphor), mention(antecedent)
        sentences = None
        if one.sentence is not None and other.sentence is not None:
            sentences = one.sentence - other.sentence
        name = joint.key.names[document]
        yield Link(
            f"{name}/{side}/{numbers[document]}",
            side,
            name,
            one,
            other,
            distance,
            sentences,
            one.start - other.end,
            one.text.lower() == other.text.lower() if known else None,
            one.head_word.lower() == other.head_word.lower() if known else None,
        )
