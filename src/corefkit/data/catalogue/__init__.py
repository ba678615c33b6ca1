"""Every kind of incident: what it means, what it says, and what to do about it.

`corefkit check --list` and docs/incidents.md show it. It is imported when the first incident is
made: plain scoring of clean files does without.
"""

from corefkit.data.catalogue.anaphora import ANAPHORA
from corefkit.data.catalogue.columns import COLUMNS
from corefkit.data.catalogue.corefud import COREFUD
from corefkit.data.catalogue.corpora import CORPORA
from corefkit.data.catalogue.engines import ENGINES
from corefkit.data.catalogue.files import FILES
from corefkit.data.catalogue.formats import FORMATS
from corefkit.data.catalogue.kind import Kind
from corefkit.data.catalogue.meeting import MEETING
from corefkit.data.catalogue.scoring import SCORING
from corefkit.data.catalogue.task import TASK
from corefkit.data.catalogue.texts import TEXTS

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
