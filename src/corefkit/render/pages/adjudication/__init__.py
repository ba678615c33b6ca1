"""The page of adjudication, `corefkit adjudicate --page`: a curator decides what is disputed.

Its data is that of `corefkit.adjudication.page_data`. The scripts beside work out what follows from
the decisions (`spans` to `subjects`: the same rules as `corefkit.adjudication.replay`), keep them
(`keep`) and show them (`words` to `main`).
"""

from collections.abc import Mapping
from typing import Any

from corefkit.render.pages import assemble, read_part

STYLES = ("shared/base.css", "adjudication/adjudication.css")
LOGIC = ("spans", "entries", "replay", "log", "subjects", "keep")
"""Scripts that touch no page: what follows from decisions, and the file of them."""

VIEW = ("words", "text", "operations", "list", "card", "progress", "dialogs", "main")
SCRIPTS = (
    "shared/unpack.js",
    "shared/dom.js",
    *(f"adjudication/{name}.js" for name in (*LOGIC, *VIEW)),
)


def render_adjudication_page(data: Mapping[str, Any]) -> str:
    """The page, as HTML; `data` is what `corefkit.adjudication.page_data` makes of a draft."""
    title = f"Adjudication of {', '.join(data['annotators'])}"
    return assemble(title, read_part("adjudication/page.html"), STYLES, SCRIPTS, data)
