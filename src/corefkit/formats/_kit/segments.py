"""The tokens and sentences that a UIMA CAS may have beside its mentions."""

from itertools import pairwise

from corefkit.core.source import Segmentation
from corefkit.formats._kit.building import whole_number
from corefkit.formats._kit.utf16 import Utf16Offsets

_NAMESPACE = "segmentation"
"""Types of DKPro, `…api.segmentation.type.Token`."""


class Segments:
    """Gathers the annotations `Token` and `Sentence` of a CAS, in UTF-16 units."""

    def __init__(self) -> None:
        self._tokens: list[tuple[int, int]] = []
        self._sentences: list[tuple[int, int]] = []

    def add(self, type: str, namespace: str, values: dict[str, str]) -> None:
        """An element of the file, if it is a token or a sentence."""
        if type not in ("Token", "Sentence") or _NAMESPACE not in namespace:
            return
        begin, end = (whole_number(str(values.get(name))) for name in ("begin", "end"))
        if begin is not None and end is not None and begin < end:
            (self._tokens if type == "Token" else self._sentences).append((begin, end))

    def placed(self, text: str) -> Segmentation | None:
        """The tokens and sentences in characters of the text; None where they do not fit it."""
        if not self._tokens or not self._sentences:
            return None
        offsets = Utf16Offsets(text)
        tokens = [offsets.span(*token) for token in sorted(self._tokens)]
        sentences = [offsets.span(*sentence) for sentence in sorted(self._sentences)]
        placed = [span for span in tokens if span is not None]
        starts = [span[0] for span in sentences if span is not None]
        apart = all(a[1] <= b[0] for a, b in pairwise(placed))
        complete = len(placed) == len(tokens) and len(starts) == len(sentences)
        return Segmentation(placed, starts) if complete and apart else None
