"""Text for people: visible control characters, plurals, widths, JSON without control characters.

Names and ids come from files that we do not control. Whatever a person reads passes through
`visible`, so that no escape sequence reaches a terminal and no line break destroys a table.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from unicodedata import bidirectional, combining, east_asian_width

_JOINERS = "\u200c\u200d"
"""Zero-width joiners: not printable, but part of the spelling of many languages."""

_UNSAFE_IN_JSON = "[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def visible(text: str) -> str:
    """The text with control characters, line ends and invalid bytes written as escapes.

    >>> print(visible("a\\x1b[31mb\\r\\udcff"))
    a\\x1b[31mb\\r\\xff
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else _escape(c) for c in text)


def visible_lines(text: str) -> str:
    """Like `visible`, but line ends and tabs are kept."""
    lines = text.split("\n")
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in lines)


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return repr(character)[1:-1]


def shorten(text: str, most: int = 60) -> str:
    """The text for a message: made visible, and cut to at most `most` characters.

    >>> shorten("a" * 100, 10)
    'aaaaaaaaa…'
    """
    shown = visible(text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def entities_text(entities: Iterable[Iterable[tuple[int, int]]]) -> str:
    """Entities of spans; a mention of one token is the letter at its place in the alphabet.

    >>> entities_text([[(0, 0), (1, 1)], [(2, 2)]]), entities_text([[(4, 6)]]), entities_text([])
    ('{ab} {c}', '{[4-6]}', '∅')
    """
    return " ".join("{" + "".join(map(_letter, entity)) + "}" for entity in entities) or "∅"


def _letter(mention: tuple[int, int]) -> str:
    start, end = mention
    return chr(ord("a") + start) if start == end < 26 else f"[{start}-{end}]"


def quote(text: str, most: int = 60) -> str:
    """The text for a message, shortened and in quotation marks.

    >>> quote("a\\rb")
    "'a\\\\rb'"
    """
    return f"'{shorten(text, most)}'"


def texts_of(what: str, given: object) -> list[str]:
    """The strings of an iterable, as a list; raises TypeError for anything else.

    A single string is refused, too: iterating over it would yield its letters. `what` names the
    argument in the message.

    >>> texts_of("documents", ("a", "b"))
    ['a', 'b']
    """
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping)):
        texts = list(given)
        if all(isinstance(text, str) for text in texts):
            return texts
    raise TypeError(f"{what} must be a list of strings, not {given!r:.60}")


def count_of(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun in the right form; the plural ends in -s unless one is given.

    >>> count_of(1, "document"), count_of(2000, "entity", "entities")
    ('1 document', '2,000 entities')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def decimal_text(number: float) -> str:
    """A number as a decimal, in full and without trailing zeros.

    >>> decimal_text(0.30), decimal_text(1.0), decimal_text(1e-7)
    ('0.3', '1', '0.0000001')
    """
    text = repr(float(number))
    if "e" in text:
        from decimal import Decimal

        text = format(Decimal(text), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def width(text: str) -> int:
    """The number of terminal columns that the text occupies.

    >>> width("指代"), width("e\\u0301")
    (4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def to_json(value: Any, indent: int | None = 1) -> str:
    """The value as JSON with a final line end; letters are kept, control characters escaped.

    In a file name that is not UTF-8, the invalid bytes become escaped lone surrogates.

    >>> print(to_json({"ü": "\\x9b\\udcff"}, None), end="")
    {"ü": "\\u009b\\udcff"}
    """
    import json

    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return re.sub(_UNSAFE_IN_JSON, lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def is_right_to_left(words: Sequence[str]) -> bool:
    """Whether most letters of the first 300 words belong to a right-to-left script."""
    letters = [bidirectional(c) for word in words[:300] for c in word[:20]]
    right = sum(kind in ("R", "AL") for kind in letters)
    return right > sum(kind == "L" for kind in letters)


def is_unspaced(words: Sequence[str]) -> bool:
    """Whether most of the first 300 words are written without blanks, as Chinese and Japanese are.

    >>> is_unspaced(["北京", "在", "哪里", "?"]), is_unspaced(["서울은", "어디에"])
    (True, False)
    """
    sample = [word for word in words[:300] if word]
    unspaced = re.compile(_UNSPACED)
    return 2 * sum(unspaced.match(word) is not None for word in sample) > len(sample)


def close_up(text: str) -> str:
    """The text without blanks next to Chinese and Japanese characters and their punctuation.

    >>> close_up("2008 年 , 北京 奥运会 在 New York 的 观众")
    '2008年,北京奥运会在New York的观众'
    """
    return re.sub(_BLANK_BESIDE, "", text)


_CHARACTERS = (
    "\u2e80-\u2fdf\u3001-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff"
)
"""Ideographs, kana, their punctuation and full-width forms; Korean is written with blanks."""

# Compiled where they are needed: compiling takes 4 ms, which every command would pay for.
_UNSPACED = f"[{_CHARACTERS}]"
_BLANK_BESIDE = f"(?<=[{_CHARACTERS}]) +| +(?=[{_CHARACTERS}])"
