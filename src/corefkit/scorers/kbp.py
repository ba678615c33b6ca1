"""The scorer of the KBP event nugget tasks, EvmEval, from its mapping of mentions on."""

from collections.abc import Mapping
from typing import ClassVar

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Incident
from corefkit.core.overlap import Pairs
from corefkit.matching.labels import match_in_order
from corefkit.scorers.scorer import Scorer


class Kbp(Scorer):
    """EvmEval: mentions in the order of the files, each the first that fits; then conll-8.01.

    A span may occur several times, with other labels or with the same: every line of a file is a
    mention of its own, and response mentions take free key mentions of the same characters and
    labels one after the other. The original cuts figures to two decimals before it averages them.
    """

    metrics = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "kbp")
    policies: ClassVar[Mapping[str, str]] = {"lengths": "ignore"}
    labels = ("type",)
    rules = ("exact",)
    counting = "every copy of a span is a mention of its own"
    equivocal = True
    divisible = False

    def drop_copies(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """Nothing is dropped."""
        return corpus, []

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Each response mention takes the first free key mention that fits it."""
        return match_in_order(key, response, self.options.labels)
