"""The page of `corefkit adjudicate --page`, on which a curator decides disputed items.

`page_data` makes its data. The scripts in this folder work out what follows from the decisions
(`spans` to `subjects`, by the rules of `replay.py`), store them (`keep`) and show them (`words` to
`main`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from corefkit.render.pages import assemble, read_part

LOGIC = ("spans", "entries", "replay", "log", "subjects", "keep")
"""Scripts that do not touch the page: the consequences of decisions, and their file."""

VIEW = ("words", "text", "operations", "list", "card", "progress", "dialogs", "main")


def render_adjudication_page(data: Mapping[str, Any]) -> str:
    """The page as HTML; `data` is the result of `corefkit.plugins.adjudication.page_data`."""
    title = f"Adjudication of {', '.join(data['annotators'])}"
    styles = read_part("shared/base.css"), read_part("adjudication.css", __name__)
    scripts = (
        read_part("shared/unpack.js"),
        read_part("shared/dom.js"),
        scripts_text((*LOGIC, *VIEW)),
    )
    return assemble(title, read_part("page.html", __name__), styles, scripts, data)


def scripts_text(names: Sequence[str]) -> str:
    """The scripts of this folder that have these names, one after another."""
    return "".join(read_part(f"{name}.js", __name__) for name in names)
