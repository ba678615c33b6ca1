"""The page of `corefkit adjudicate --page`, on which a curator decides disputed items.

`page_data` of the plug-in makes its data. The scripts in this folder work out what follows from
the decisions (`spans` to `subjects`, by the rules of `replay` there), store
them (`keep`) and show them (`words` to `main`).
"""

from collections.abc import Mapping
from typing import Any

from corefkit.render.pages import assemble, read_part

STYLES = ("shared/base.css", "adjudication/adjudication.css")
LOGIC = ("spans", "entries", "replay", "log", "subjects", "keep")
"""Scripts that do not touch the page: the consequences of decisions, and their file."""

VIEW = ("words", "text", "operations", "list", "card", "progress", "dialogs", "main")
SCRIPTS = (
    "shared/unpack.js",
    "shared/dom.js",
    *(f"adjudication/{name}.js" for name in (*LOGIC, *VIEW)),
)


def render_adjudication_page(data: Mapping[str, Any]) -> str:
    """The page as HTML; `data` is the result of `corefkit.plugins.adjudication.page_data`."""
    title = f"Adjudication of {', '.join(data['annotators'])}"
    return assemble(title, read_part("adjudication/page.html"), STYLES, SCRIPTS, data)
