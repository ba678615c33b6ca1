"""The oracle of errors against the figures of LitBank, whose pronouns come from the word list."""

from collections import Counter

from corefkit.analysis.types import TYPES
from corefkit.core.languages import language
from tests.conformance.test_errors import by_the_letter, expected
from tests.support import needs_conformance


@needs_conformance
def test_figures_of_litbank() -> None:
    """LitBank has no tags: a pronoun is a token that is in the list of words."""
    figures = expected("litbank")["response-good"]
    found, kinds = by_the_letter(language("en").words)
    by_type: Counter[str] = Counter()
    for (_, error), number in found.items():
        by_type[error] += number
    assert by_type == Counter(figures["errors"])
    wanted = {(t, k): n for t, row in figures["mentions_by_kind"].items() for k, n in row.items()}
    assert kinds == Counter(wanted)
    for name, counts in figures["by_document"].items():
        assert {t: found[name, t] for t in TYPES if found[name, t]} == counts
