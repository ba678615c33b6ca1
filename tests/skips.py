"""Which tests were skipped and why, in one line at the end of a run that fits a terminal."""

import re
from collections import Counter
from collections.abc import Iterable

_NO_CASES = "got empty parameter set"  # the cases stand in the shared folder
_PACKAGE = re.compile(r"could not import '\w|\w is not installed")


def skip_summary(reasons: Iterable[str]) -> str:
    """How many tests were skipped, by reason; `pytest -rs` names each. Empty if none were.

    >>> spacy = "Skipped: spaCy is not installed: see `make integrations`"
    >>> yaml = "Skipped: could not import 'yaml': No module named 'yaml'"
    >>> skip_summary([spacy, yaml, "Skipped: no ../shared/papers", spacy])
    'skipped 4 tests: 3 other packages (make test-all); 1 no ../shared/papers'
    """
    counts = Counter(
        "other packages (make test-all)"
        if _PACKAGE.search(reason)
        else "no ../shared/conformance"
        if _NO_CASES in reason
        else reason.removeprefix("Skipped: ")
        for reason in reasons
    )
    total = counts.total()
    listed = "; ".join(f"{number} {reason}" for reason, number in counts.most_common())
    return f"skipped {total} test{'s' * (total > 1)}: {listed}" if total else ""
