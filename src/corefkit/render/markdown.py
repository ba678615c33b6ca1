"""Tables for a README or an issue."""

from collections.abc import Iterable, Sequence

from corefkit.core.texts import visible
from corefkit.render.table import Around, Table, emphasised


def render_markdown(table: Table) -> str:
    """A table with the title above and the note below; the best figures are bold."""
    table = table.flat
    titles = [" ".join(filter(None, (h.group, h.title))) or " " for h in table.headings]
    lines = [f"**{escape(table.title)}**", ""] if table.title else []
    lines.append(_line(map(escape, titles)))
    lines.append(_line("---:" if h.is_figure else "---" for h in table.headings))
    for line in table.lines:
        lines.append(_line(emphasised(table, line, escape, ("**", "**"), ("<u>", "</u>"))))
    notes = [escape(note) for note in table.note.split("\n")] if table.note else []
    return "\n".join([*lines, "", *([*notes, ""] if notes else [])])


def join_tables(tables: Sequence[str], around: Around) -> str:
    """Tables with what is said below them."""
    last = list(map(escape, around.below))
    if around.signature:
        from corefkit.scorers.signature import shorten

        last.append(f"`{shorten(around.signature)}`")
    return "\n\n".join([*tables, *last]) + "\n"


def escape(text: str) -> str:
    """Text that Markdown prints as it stands, in one line."""
    return "".join("\\" + c if c in "\\|*_`<[" else c for c in visible(text))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
