"""The oracle of errors against the figures of LitBank, which were made without pronouns."""

from collections import Counter

from corefkit.analysis.types import TYPES
from tests.conformance.test_errors import by_the_letter, expected
from tests.support import needs_conformance


@needs_conformance
def test_the_figures_of_litbank_know_no_pronouns() -> None:
    """The law says that kinds come from the list of words there; its figures were made without.

    docs/decisions.md says why we follow the words of the law and not these figures.
    """
    figures = expected("litbank")["response-good"]
    found, kinds = by_the_letter(())
    by_type: Counter[str] = Counter()
    for (_, error), number in found.items():
        by_type[error] += number
    assert by_type == Counter(figures["errors"])
    wanted = {(t, k): n for t, row in figures["mentions_by_kind"].items() for k, n in row.items()}
    assert kinds == Counter(wanted)
    for name, counts in figures["by_document"].items():
        assert {t: found[name, t] for t in TYPES if found[name, t]} == counts
