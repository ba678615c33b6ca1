"""The scorer of BookCoref (Martinelli et al. 2025), with its windows.

With a width W, `gold_window` of SapienzaNLP/bookcoref cuts a document of T tokens at the ends
W, 2W, …, ⌊T/W⌋·W and then T. A window contains the mentions that start strictly between its end − W
and its end. So a mention that starts at 0, W, 2W … is in no window, except perhaps in the last, and
mentions between T − W and the last multiple of W are counted twice. corefkit warns and says how
many mentions are concerned.

>>> from corefkit import Corpus, score
>>> key = Corpus.from_clusters({"tale": [[(0, 0), (600, 600), (1500, 1500), (1600, 1999)]]})
>>> response = Corpus.from_clusters({"tale": [[(0, 0), (600, 600)], [(1500, 1500), (1600, 1999)]]})
>>> scores = score(key, response, "muc", profile="bookcoref", window=1500)
>>> scores.windows[0].scores["muc"].counts, scores["muc"].counts
({'recall': [1, 2], 'precision': [1, 1]}, {'recall': [2, 3], 'precision': [2, 2]})
"""

from typing import ClassVar

import numpy as np

from corefkit.core.arrays import IntArray, stretches
from corefkit.core.options import UsageError
from corefkit.scorers.coval import Coval
from corefkit.scorers.rules import STANDARD_RULES
from corefkit.scorers.windows import Windows


class BookCoref(Coval):
    """BookCoref: a mention belongs to the last entity that lists it, as in CoVal.

    The width of its windows is in tokens, and singletons that the cutting creates are kept.
    """

    metrics: ClassVar[tuple[str, ...]] = ("muc", "bcub", "ceafe", "conll")
    rules = STANDARD_RULES
    matches: ClassVar[tuple[str, ...] | None] = ("exact",)
    needs_files = False
    grouped = False

    def check_windows(self) -> None:
        """Raise UsageError for windows whose width is not in tokens."""
        if other := [window for window in self.options.window if not window.isdecimal()]:
            raise UsageError(f"window: the profile bookcoref has widths in tokens, no {other[0]}")

    def token_windows(self, lengths: IntArray, width: int) -> Windows:
        """The windows of BookCoref: the W − 1 tokens before each end; the last two may overlap."""
        regular = lengths // width
        document = np.repeat(np.arange(len(lengths)), regular + 1)
        end = width * (1 + stretches(np.zeros_like(regular), regular + 1))
        last = np.minimum(end, lengths[document])
        # If the width divides the length, the last window occurs twice.
        return Windows(document, np.maximum(last - width + 1, 0), last)

    @property
    def drops_pieces(self) -> bool:
        """False: singletons that the cutting creates are kept."""
        return False
