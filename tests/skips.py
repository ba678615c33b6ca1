"""Which tests were skipped and why, in one line at the end of a run."""

import re
from collections import Counter
from collections.abc import Iterable

_PACKAGE = re.compile(r"could not import '(\w+)[\w.]*'|(\w+)\S* is not installed")


def skip_summary(reasons: Iterable[str]) -> str:
    """How many tests were skipped, by reason; packages that are not installed are listed together.

    Without any reason it is empty.

    >>> spacy = "Skipped: spaCy is not installed: see `make integrations`"
    >>> yaml = "Skipped: could not import 'yaml': No module named 'yaml'"
    >>> skip_summary([spacy, yaml, "Skipped: no papers", spacy])
    'skipped 4 tests: 3 need spacy, yaml (make integrations, docs, torch); 1: no papers'
    """
    counts: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    for reason in reasons:
        if missing := _PACKAGE.search(reason):
            packages[(missing[1] or missing[2]).lower()] += 1
        else:
            counts[reason.removeprefix("Skipped: ")] += 1
    total = counts.total() + packages.total()
    listed = [f"{number}: {reason}" for reason, number in counts.most_common()]
    if packages:
        names = f"{', '.join(sorted(packages))} (make integrations, docs, torch)"
        verb = "needs" if packages.total() == 1 else "need"
        listed.insert(0, f"{packages.total()} {verb} {names}")
    return f"skipped {total} test{'s' * (total > 1)}: {'; '.join(listed)}" if total else ""
