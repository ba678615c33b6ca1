"""Kind: what a kind of incident means, and what its incidents say."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from corefkit.core.incidents import Severity

Text = str | tuple[str, str]
"""A message, or a message with a hint of its own; values are named as in `str.format`."""


class Kind(NamedTuple):
    """A kind of defect.

    Attributes:
        severity: how grave it is under the profile `standard`.
        what: what it means, for the documentation.
        do: what to do about it: the hint of its incidents.
        says: their message. Where one kind has several, each has a name; "" is the usual one.
    """

    severity: Severity
    what: str
    do: str
    says: Text | Mapping[str, Text]

    @property
    def texts(self) -> dict[str, tuple[str, str]]:
        """Message and hint of each of its texts, by name."""
        named = self.says if isinstance(self.says, Mapping) else {"": self.says}
        return {n: (t, self.do) if isinstance(t, str) else t for n, t in named.items()}

    @property
    def messages(self) -> list[str]:
        """Its messages for a reader, each once, with … for the values."""
        import re

        plain = (re.sub(r"\{.*?\}", "…", message) for message, _ in self.texts.values())
        return [message for message in dict.fromkeys(plain) if message.strip("…")]


error, warning = partial(Kind, "error"), partial(Kind, "warning")


def one_message(message: str, hints: Mapping[str, str]) -> dict[str, Text]:
    """Texts that say the same, each with its own hint."""
    return {name: (message, hint) for name, hint in hints.items()}


def one_hint(hint: str, messages: Mapping[str, str]) -> dict[str, Text]:
    """Texts with the same hint, which is another than that of their kind."""
    return {name: (message, hint) for name, message in messages.items()}


ENDS = {
    "text": "correct the span, or check that the text belongs to it",
    "inclusive": "the ends look inclusive: read with --ends inclusive",
    "exclusive": "the ends look exclusive: read with --ends exclusive",
}
"""What to do about a span, by how the ends of the spans of its document look."""
