"""Tables as HTML: a part of a notebook, or a page of its own."""

from collections.abc import Iterable, Sequence
from html import escape as escape_html

from corefkit.core.texts import visible
from corefkit.render.table import Around, Heading, Table, emphasised

POLICY = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
)
"""A page of tables runs no script and loads nothing, whatever the names in it say."""

_STYLE = """\
body{font:16px/1.5 sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}
th,td{padding:.15em .6em;text-align:left}thead{border-bottom:1px solid}
tbody{border-bottom:1px solid #bbb}.n{text-align:right}caption{text-align:left;font-weight:bold}
u{text-underline-offset:.2em}code{overflow-wrap:anywhere}"""


def render_html(table: Table) -> str:
    """A table element, without any style but that figures stand flush right."""
    table = table.flat
    parts = ["<table>"]
    parts += [f"<caption>{escape(table.title)}</caption>"] if table.title else []
    parts.append("<thead>")
    if table.groups:
        heads = (f'<th colspan="{wide}">{escape(name)}</th>' for name, wide in table.groups)
        parts.append(f"<tr>{''.join(heads)}</tr>")
    titles = (f"<th{_kind(h)}>{escape(h.title)}</th>" for h in table.headings)
    parts.append(f"<tr>{''.join(titles)}</tr></thead>")
    for block in table.blocks:
        parts.append("<tbody>")
        for line in block.lines:
            texts = emphasised(table, line, escape, ("<b>", "</b>"), ("<u>", "</u>"))
            cells = zip(map(_kind, table.headings), texts, strict=True)
            row = "".join(f"<td{kind}>{text}</td>" for kind, text in cells)
            parts.append(f"<tr>{row}</tr>")
        parts.append("</tbody>")
    parts.append("</table>")
    parts += [f"<p>{escape(note)}</p>" for note in table.note.split("\n") if note]
    return "\n".join(parts) + "\n"


def _kind(heading: Heading) -> str:
    return ' class="n" style="text-align:right"' if heading.is_figure else ""


def escape(text: str) -> str:
    """Text that a browser prints as it stands, in one line."""
    return escape_html(visible(text))


def join_tables(tables: Sequence[str], around: Around) -> str:
    """A page with tables, and what is said above and below them."""
    parts = [*(f"<p>{escape(line)}</p>" for line in around.above), *tables]
    parts += [f"<p>{escape(line)}</p>" for line in around.below]
    parts += [f"<p><code>{escape(around.signature)}</code></p>"] if around.signature else []
    return page(around.title, (f"{part}\n" for part in parts))


def page(title: str, parts: Iterable[str]) -> str:
    """A page that needs no other file."""
    head = f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{POLICY}\n'
    head += f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    return f"{head}{''.join(parts)}</body>\n</html>\n"
