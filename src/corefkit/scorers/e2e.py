"""The evaluator of e2e-coref, which was copied into AllenNLP, fastcoref and others, in two forms.

In the older form (`e2e`), B³ and LEA sum over entities with at least two mentions, and B³ gives no
credit for overlap with a singleton. CEAFe drops the singletons of the response but keeps those of
the key. So a system scores the same with and without singletons. The newer form (`e2e-singletons`)
skips singletons only in LEA. Both keep every copy of a repeated mention.

>>> from corefkit import Evaluator
>>> scores = Evaluator("conll", profile="e2e").update(["abc", "de"], ["abc", "ade"]).scores()
>>> round(100 * scores.conll, 2)
78.69
"""

from collections.abc import Mapping
from typing import ClassVar

from corefkit.scorers.coval import Coval
from corefkit.scorers.rules import STANDARD_RULES


class E2E(Coval):
    """The evaluator of e2e-coref.

    It keeps every copy of a repeated mention, and a mention belongs to the last entity that lists
    it, because the evaluator fills a dictionary, as CoVal does. Which singletons it skips is the
    value `e2e` of the policy `singletons`, which other scorers support, too.
    """

    metrics = ("mentions", "muc", "bcub", "ceafe", "lea", "conll")
    policies: ClassVar[Mapping[str, str]] = {"singletons": "e2e"}
    rules = STANDARD_RULES
    matches = ("exact",)


class E2ESingletons(E2E):
    """The evaluator of Maverick, BookCoref, fast-coref and others: only LEA skips singletons."""

    policies: ClassVar[Mapping[str, str]] = {"singletons": "lea"}
