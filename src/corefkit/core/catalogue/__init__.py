"""Every kind of incident: what it means, what it says, and what to do about it.

`corefkit check --list` and docs/incidents.md show it. It is imported when the first incident is
made: plain scoring of clean files does without.
"""

from corefkit.core.catalogue.anaphora import ANAPHORA
from corefkit.core.catalogue.columns import COLUMNS
from corefkit.core.catalogue.corefud import COREFUD
from corefkit.core.catalogue.corpora import CORPORA
from corefkit.core.catalogue.engines import ENGINES
from corefkit.core.catalogue.files import FILES
from corefkit.core.catalogue.formats import FORMATS
from corefkit.core.catalogue.kind import Kind
from corefkit.core.catalogue.meeting import MEETING
from corefkit.core.catalogue.scoring import SCORING
from corefkit.core.catalogue.task import TASK
from corefkit.core.catalogue.texts import TEXTS

KINDS: dict[str, Kind] = FILES | SCORING | COLUMNS | CORPORA | ENGINES | MEETING
KINDS |= COREFUD | ANAPHORA | FORMATS | TASK | TEXTS
"""Ids are stable: programs may rely on them."""


def catalogue_page() -> str:
    """The part of docs/incidents.md that explains every kind, errors first."""
    from textwrap import fill

    parts = []
    for severity, title in (("error", "Errors"), ("warning", "Warnings")):
        parts.append(f"## {title}")
        for name, kind in KINDS.items():
            if kind.severity == severity:
                do = f"*What to do:* {kind.do}"
                what, do = (fill(t, 98, break_on_hyphens=False) for t in (kind.what, do))
                messages = "\n".join(f"- `{message}`" for message in kind.messages)
                parts += [f"### {name}", what, *filter(None, [messages]), do]
    return "\n\n".join(parts) + "\n"
