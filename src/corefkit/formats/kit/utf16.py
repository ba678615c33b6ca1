"""Offsets in UTF-16 units, as Java counts them, and the characters they refer to.

`Segments` collects the tokens and sentences that a UIMA CAS may have beside its mentions.
"""

import re
from bisect import bisect_left
from itertools import pairwise

from corefkit.core.incidents import Collector
from corefkit.core.source import Segmentation
from corefkit.formats.kit.building import whole_number

_WIDE = re.compile("[\U00010000-\U0010ffff]")
"""Characters that take two units."""

UTF16 = "UTF-16 units"
"""The name of the unit in messages."""


class Utf16Offsets:
    """The UTF-16 offsets of a text; `units` is how many it has."""

    def __init__(self, text: str) -> None:
        self.units = len(text)
        if not text.isascii():
            self.units = len(text.encode("utf-16-le", "surrogatepass")) // 2
        wide = _WIDE.finditer(text) if self.units > len(text) else ()
        self._wide = [match.start() + number for number, match in enumerate(wide)]

    def character(self, offset: int) -> int | None:
        """How many characters precede an offset; None outside the text or inside a character.

        >>> [Utf16Offsets("a😀b").character(offset) for offset in range(6)]
        [0, 1, None, 2, 3, None]
        """
        if not 0 <= offset <= self.units:
            return None
        before = bisect_left(self._wide, offset)
        inside = before > 0 and self._wide[before - 1] == offset - 1
        return None if inside else offset - before

    def span(self, begin: int, end: int) -> tuple[int, int] | None:
        """A span, end excluded, in characters; None if it is not one, see `character`.

        >>> Utf16Offsets("a😀b").span(1, 3)
        (1, 2)
        """
        if not self._wide:
            return (begin, end) if 0 <= begin <= end <= self.units else None
        start, stop = self.character(begin), self.character(end)
        return None if start is None or stop is None or begin > end else (start, stop)

    def unit(self, character: int) -> int:
        """The offset of a character, the inverse of `character`."""
        # Before the k-th wide character (from 0) there are (its unit − k) characters.
        wide = range(len(self._wide))
        return character + bisect_left(wide, character, key=lambda k: self._wide[k] - k)


def note_sofa(collector: Collector, line: int, found: str, read: str) -> None:
    """Report a mention in another Sofa than the one whose text is read."""
    expected = f"places in Sofa {read}, whose text is read"
    collector.note("sofa-differs", at=line, found=f"Sofa {found}", expected=expected)


_NAMESPACE = "segmentation"
"""Part of the namespace of DKPro's types, `…api.segmentation.type.Token`."""


class Segments:
    """Collects the annotations `Token` and `Sentence` of a CAS, in UTF-16 units."""

    def __init__(self) -> None:
        self._tokens: list[tuple[int, int]] = []
        self._sentences: list[tuple[int, int]] = []

    def add(self, type: str, namespace: str, values: dict[str, str]) -> None:
        """Add an element of the file if it is a token or a sentence."""
        if type not in ("Token", "Sentence") or _NAMESPACE not in namespace:
            return
        begin, end = (whole_number(str(values.get(name))) for name in ("begin", "end"))
        if begin is not None and end is not None and begin < end:
            (self._tokens if type == "Token" else self._sentences).append((begin, end))

    def placed(self, text: str) -> Segmentation | None:
        """The tokens and sentences in characters of the text; None if they do not fit it."""
        if not self._tokens or not self._sentences:
            return None
        offsets = Utf16Offsets(text)
        tokens = [offsets.span(*token) for token in sorted(self._tokens)]
        sentences = [offsets.span(*sentence) for sentence in sorted(self._sentences)]
        placed = [span for span in tokens if span is not None]
        starts = [span[0] for span in sentences if span is not None]
        disjoint = all(a[1] <= b[0] for a, b in pairwise(placed))
        complete = len(placed) == len(tokens) and len(starts) == len(sentences)
        return Segmentation(placed, starts) if complete and disjoint else None
