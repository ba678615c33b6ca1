"""What the scores for applications are: metrics that judge mentions one by one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corefkit.data.cells import Cells
from corefkit.mentions.outcomes import Outcomes
from corefkit.mentions.sample import Sample
from corefkit.metrics.base import Counted, MentionMetric

if TYPE_CHECKING:
    from corefkit.mentions.pair import Pair


@dataclass(frozen=True, kw_only=True)
class OutcomeMetric(MentionMetric):
    """A metric that gives each mention an outcome: tp, wl, fn or fp.

    Attributes:
        outcomes: the two sides and a variant → what each mention counts as. Its columns are tp,
            wl, fn, fp for each of these.
        feature: the break-down that its classes are.
        antecedent: the attribute of Chains that tells which antecedent it looks at.
        sample: the text and the two sides of its example.
    """

    outcomes: "Callable[[Pair, str], Sequence[Outcomes]]"
    feature: str
    antecedent: str = ""
    sample: Sample

    def count(self, pair: Any, variant: str) -> tuple[Counted, Cells | None]:
        """The outcomes by document, and by class."""
        from corefkit.mentions.tally import count_outcomes

        return count_outcomes(pair, self, variant)
