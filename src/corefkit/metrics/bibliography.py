"""BibTeX of the software and of the papers that define its metrics.

A metric names its papers in a few words (`Metric.citation`); the entries are in bibliography.bib.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from corefkit import metrics
from corefkit._version import ADDRESS, __version__

_NAMED = re.compile(r"(\w+)(?: et al\.| and \w+)? (\d{4})\b")


def bibtex(names: Iterable[str]) -> str:
    """The entries of corefkit and of the papers of some metrics, each once.

    >>> print(bibtex(["muc"]).splitlines()[-1 - 6])
    @inproceedings{vilain1995,
    """
    entries = [_software(), *(_entries()[key] for key in dict.fromkeys(_keys(names)))]
    return "\n\n".join(entries) + "\n"


def _software() -> str:
    lines = [
        "@software{corefkit,",
        "  author = {{The corefkit developers}},",
        "  title = {corefkit: coreference scores, exact, fast and reproducible},",
        f"  version = {{{__version__}}},",
        *([f"  url = {{{ADDRESS}}},"] if ADDRESS else []),
        "}",
    ]
    return "\n".join(lines)


def _keys(names: Iterable[str]) -> Iterator[str]:
    """The keys of the papers that metrics name, also of the parts of an average."""
    for name in names:
        metric = metrics.get(name)
        yield from keys_of(metric.citation)
        yield from _keys(metric.parts or ())


def keys_of(citation: str) -> list[str]:
    """The keys of the papers in a citation, as far as they have an entry.

    >>> keys_of("Denis and Baldridge 2009 (MELA); Pradhan et al. 2012, the CoNLL-2012 shared task")
    ['denis2009', 'pradhan2012']
    """
    plain = unicodedata.normalize("NFD", citation).encode("ascii", "ignore").decode()
    keys = (f"{author.lower()}{year}" for author, year in _NAMED.findall(plain))
    return [key for key in keys if key in _entries()]


def _entries() -> dict[str, str]:
    text = Path(__file__).with_suffix(".bib").read_text(encoding="utf-8")
    return {
        entry.partition("{")[2].partition(",")[0]: entry for entry in text.strip().split("\n\n")
    }
