"""What the scores for applications are: metrics that judge mentions one by one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.data.cells import Cells
from corefkit.data.corpus import Corpus
from corefkit.mentions.outcomes import NAMES, Outcomes
from corefkit.metrics.base import Counted, MentionMetric, Score, Sums
from corefkit.metrics.outcomes import rates

if TYPE_CHECKING:
    from corefkit.mentions.pair import Pair


def score(sums: Sums) -> Score:
    """R = tp/(tp+wl+fn), P = tp/(tp+wl+fp), and the counts.

    >>> found = score((1, 2, 1, 2))
    >>> found.recall, found.precision, found.counts
    (0.25, 0.2, {'tp': 1, 'wl': 2, 'fn': 1, 'fp': 2})
    """
    tp, wl, fn, fp = sums
    found = rates(tp, wl + fn, wl + fp, dict(zip(NAMES, sums, strict=True)))
    return replace(found, classes={})


def classify(total: Score, classes: Mapping[str, Sums]) -> Score:
    """The score with those of its classes."""
    scores = {name: replace(score(sums), classes=None) for name, sums in classes.items()}
    return replace(total, classes=scores)


class Sample(NamedTuple):
    """Letters with their tags, as in "A/NN b/PRP", and chains of letters, as in "Ab CD"."""

    text: str
    key: str
    response: str

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Key and response, read from text as if from files."""
        from corefkit.formats.conll.reader import parse

        sides = (self.key, self.response)
        key, response = (parse(self._conll(side).encode(), "example") for side in sides)
        return key, response

    def _conll(self, chains: str) -> str:
        chain = {letter: number for number, word in enumerate(chains.split()) for letter in word}
        lines = ["#begin document example"]
        for place, token in enumerate(self.text.split()):
            letter, _, tag = token.partition("/")
            cell = f"({chain[letter]})" if letter in chain else "-"
            lines.append("\t".join(["example", "0", str(place), letter, tag, *"*----*", cell]))
        return "\n".join([*lines, "#end document", ""])


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
    sample: Sample
    citation: str = "Tuggener 2014, Coreference Resolution Evaluation for Higher Level Applications"
    columns: tuple[str, ...] = NAMES
    score: Callable[[Sums], Score] = score
    classify: Callable[[Score, Mapping[str, Sums]], Score] = classify
    feature: str = "class"
    tokens: tuple[str, ...] = ("pos",)
    antecedent: str = ""

    def count(self, pair: Any, variant: str) -> tuple[Counted, Cells | None]:
        """The outcomes by document, and by class."""
        from corefkit.mentions.tally import count_outcomes

        return count_outcomes(pair, self, variant)
