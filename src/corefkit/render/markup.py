"""Tables as Markdown, LaTeX, HTML and delimited values.

Markdown, LaTeX and HTML each have `render_NAME` for a table, `join_NAME` for several, `escape_NAME`
for a text. Plain text has its own module, so that it loads without these.
"""

from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import accumulate
from unicodedata import normalize

from corefkit.core.style import style
from corefkit.core.texts import visible
from corefkit.render.table import Around, CellValue, Heading, Table, emphasised


def render_markdown(table: Table) -> str:
    """A table with its title above and its note below; the best figures are bold."""
    table = table.flat
    titles = [" ".join(filter(None, (h.group, h.title))) or " " for h in table.headings]
    lines = [f"**{escape_markdown(table.title)}**", ""] if table.title else []
    lines.append(_pipes(map(escape_markdown, titles)))
    lines.append(_pipes("---:" if h.is_figure else "---" for h in table.headings))
    for line in table.lines:
        lines.append(
            _pipes(emphasised(table, line, escape_markdown, ("**", "**"), ("<u>", "</u>")))
        )
    notes = [escape_markdown(note) for note in table.note.split("\n")] if table.note else []
    return "\n".join([*lines, "", *([*notes, ""] if notes else [])])


def join_markdown(tables: Sequence[str], around: Around) -> str:
    """Tables, with the remarks below them and the short signature."""
    remarks = list(map(escape_markdown, around.below))
    if around.signature:
        from corefkit.scorers.signature import shorten

        remarks.append(f"`{shorten(around.signature)}`")
    return "\n\n".join([*tables, *remarks]) + "\n"


def escape_markdown(text: str) -> str:
    """Escape a text, so that Markdown prints it literally, on one line."""
    return "".join("\\" + c if c in "\\|*_`<[" else c for c in visible(text))


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


_SPECIAL = {c: "\\" + c for c in "&%$#_{}"} | {c: f"{{{c}}}" for c in "[]*"}
_NAMED = {
    "\\": "textbackslash", "~": "textasciitilde", "^": "textasciicircum", "<": "textless",
    ">": "textgreater", "|": "textbar", '"': "textquotedbl", "`": "textasciigrave", "…": "dots",
    "§": "S", "°": "textdegree", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o",
    "Ø": "O", "ł": "l", "Ł": "L", "ı": "i",
}  # fmt: skip
_SPECIAL |= {letter: f"\\{name}{{}}" for letter, name in _NAMED.items()}
_MATHS = {
    "±": "pm", "×": "times", "·": "cdot", "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx",
    "∩": "cap", "∪": "cup", "→": "rightarrow", "←": "leftarrow", "↔": "leftrightarrow",
    "■": "bullet", "•": "bullet", "†": "dagger", "‡": "ddagger", "∞": "infty",
}  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_MATHS |= {letter: name for name, letter in _GREEK.items()}
_SPECIAL |= {symbol: f"$\\{command}$" for symbol, command in _MATHS.items()}
_SPECIAL |= {c: f"\\textsuperscript{{{n}}}" for n, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_SPECIAL |= {c: f"\\textsubscript{{{n}}}" for n, c in enumerate("₀₁₂₃₄₅₆₇₈₉")}
_SPECIAL |= {"−": "$-$", "–": "--", "—": "---", "\xa0": "~"}
_SPECIAL |= {"‘": "`", "’": "'", "“": "``", "”": "''"}
_ACCENTS = dict(zip("\u0300\u0301\u0302\u0303\u0308\u0304\u0307", "`'^~\"=.", strict=True))
_ACCENTS |= dict(zip("\u0306\u030c\u030b\u030a\u0327\u0323\u0328", "uvHrcdk", strict=True))

_LETTER = (
    "\\providecommand{\\corefkitletter}[1]"
    '{\\ifdefined\\Uchar\\Uchar"#1 \\else[U+#1]\\fi} % a letter, by XeLaTeX or LuaLaTeX\n'
)
"""The command for letters that have none: pdfLaTeX prints their code point, others the letter."""


def render_latex(table: Table) -> str:
    """A tabular with booktabs rules, in ASCII, so that any LaTeX compiles it.

    Title and note are comments; the best figures are bold.
    """
    table = table.flat
    align = "".join("r" if heading.is_figure else "l" for heading in table.headings)
    lines = ["% needs \\usepackage{booktabs}", f"\\begin{{tabular}}{{{align}}}", "\\toprule"]
    if table.groups:
        groups = [
            f"\\multicolumn{{{size}}}{{c}}{{{escape_latex(name)}}}" for name, size in table.groups
        ]
        lines += [" & ".join(groups) + " \\\\", _rules(table.groups)]
    lines.append(" & ".join(escape_latex(heading.title) for heading in table.headings) + " \\\\")
    for block in table.blocks:
        lines.append("\\midrule")
        for line in block.lines:
            cells = emphasised(table, line, escape_latex, ("\\textbf{", "}"), ("\\underline{", "}"))
            lines.append(" & ".join(cells) + " \\\\")
    lines += ["\\bottomrule", "\\end{tabular}"]
    remarks = [f"{table.title}." if table.title else "", *table.note.split("\n")]
    text = "\n".join([*lines, *(comment(remark) for remark in remarks if remark)]) + "\n"
    return _LETTER + text if "\\corefkitletter" in text else text


def latex_float(table: Table, caption: str, signature: str) -> str:
    """A LaTeX table across both columns of a page, with its caption and the signature in it."""
    breakable = "\\textbar{}\\allowbreak{}".join(map(escape_latex, signature.split("|")))
    lines = [
        "\\begin{table*}[t]",
        "\\centering\\small\\setlength{\\tabcolsep}{4pt}",
        render_latex(table).rstrip(),
        f"\\caption{{{escape_latex(caption)} \\texttt{{\\footnotesize {breakable}}}}}",
        f"\\label{{tab:{'coreference' if table.name in ('paper', 'systems') else table.name}}}",
        "\\end{table*}\n",
    ]
    return "\n".join(lines)


def _rules(groups: Sequence[tuple[str, int]]) -> str:
    """The rules below the groups of columns that have a name.

    >>> print(_rules([("", 1), ("MUC", 3), ("LEA", 3)]))
    \\cmidrule(lr){2-4}\\cmidrule(lr){5-7}
    """
    ends = list(accumulate(size for _, size in groups))
    return "".join(
        f"\\cmidrule(lr){{{end - size + 1}-{end}}}"
        for (name, size), end in zip(groups, ends, strict=True)
        if name
    )


def join_latex(tables: Sequence[str], around: Around) -> str:
    """Tables, with the signature above and the remarks below as comments."""
    signature = [comment(around.signature)] if around.signature else []
    return "\n\n".join([*signature, *tables, *map(comment, around.below)]) + "\n"


def comment(text: str) -> str:
    """The text as a LaTeX comment, in ASCII."""
    return "% " + visible(text).encode("ascii", "backslashreplace").decode()


def escape_latex(text: str) -> str:
    """Escape a text, so that LaTeX prints it literally; the result is ASCII.

    >>> print(escape_latex("a_b & ceaf ≥ é"))
    a\\_b \\& ceaf $\\geq$ \\'{e}
    """
    text = visible(text)
    if text.isascii():
        return "".join(_SPECIAL.get(c, c) for c in text)
    return "".join(map(_command, normalize("NFC", text)))


def _command(character: str) -> str:
    if character in _SPECIAL or character.isascii():
        return _SPECIAL.get(character, character)
    letter, *accents = list(normalize("NFD", character))
    if letter.isascii() and len(accents) == 1 and accents[0] in _ACCENTS:
        return f"\\{_ACCENTS[accents[0]]}{{{letter}}}"
    return f"\\corefkitletter{{{ord(character):X}}}"


POLICY = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
)
"""A page of tables runs no scripts and loads nothing, whatever names it contains."""

_STYLE = """\
body{font:16px/1.5 sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}
th,td{padding:.15em .6em;text-align:left}thead{border-bottom:1px solid}
tbody{border-bottom:1px solid #bbb}.n{text-align:right}caption{text-align:left;font-weight:bold}
u{text-underline-offset:.2em}code{overflow-wrap:anywhere}"""


def render_html(table: Table) -> str:
    """A table element whose only style is that figures are right-aligned."""
    table = table.flat
    parts = ["<table>"]
    parts += [f"<caption>{escape_html(table.title)}</caption>"] if table.title else []
    parts.append("<thead>")
    if table.groups:
        heads = (f'<th colspan="{size}">{escape_html(name)}</th>' for name, size in table.groups)
        parts.append(f"<tr>{''.join(heads)}</tr>")
    titles = (f"<th{_style(h)}>{escape_html(h.title)}</th>" for h in table.headings)
    parts.append(f"<tr>{''.join(titles)}</tr></thead>")
    for block in table.blocks:
        parts.append("<tbody>")
        for line in block.lines:
            texts = emphasised(table, line, escape_html, ("<b>", "</b>"), ("<u>", "</u>"))
            cells = zip(map(_style, table.headings), texts, strict=True)
            row = "".join(f"<td{style}>{text}</td>" for style, text in cells)
            parts.append(f"<tr>{row}</tr>")
        parts.append("</tbody>")
    parts.append("</table>")
    parts += [f"<p>{escape_html(note)}</p>" for note in table.note.split("\n") if note]
    return "\n".join(parts) + "\n"


def _style(heading: Heading) -> str:
    return ' class="n" style="text-align:right"' if heading.is_figure else ""


def escape_html(text: str) -> str:
    """Escape a text, so that a browser prints it literally, on one line."""
    from html import escape

    return escape(visible(text))


def join_html(tables: Sequence[str], around: Around) -> str:
    """A page with tables, the remarks above and below them, and the signature."""
    parts = [*(f"<p>{escape_html(line)}</p>" for line in around.above), *tables]
    parts += [f"<p>{escape_html(line)}</p>" for line in around.below]
    parts += [f"<p><code>{escape_html(around.signature)}</code></p>"] if around.signature else []
    return _page(around.title, (f"{part}\n" for part in parts))


def _page(title: str, parts: Iterable[str]) -> str:
    """A self-contained page."""
    head = f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{POLICY}\n'
    head += f"<title>{escape_html(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    return f"{head}{''.join(parts)}</body>\n</html>\n"


def render_delimited(table: Table, delimiter: str) -> str:
    """Comma- or tab-separated values under the names of the columns, unrounded."""
    table = table.flat
    names = [heading.name for heading in table.headings]
    rows = ([cell.value for cell in line] for line in table.lines)
    return write_rows([names, *rows], delimiter)


def write_rows(rows: Iterable[Sequence[CellValue]], delimiter: str) -> str:
    """Rows of values as text, with cells quoted where necessary; None is an empty cell.

    If the style is `safe`, texts that a spreadsheet would take for formulas get an apostrophe
    before them; numbers stay numbers.
    """
    safe = style().safe
    lines = []
    for row in rows:
        cells = ["" if value is None else value for value in row]
        lines.append(_line(map(_harmless, cells) if safe else cells, delimiter))
    return "".join(lines)


def _line(cells: Iterable[CellValue], delimiter: str) -> str:
    """One row. A writer quotes the characters of its line terminator, so CR and LF are quoted."""
    import csv

    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _harmless(value: CellValue) -> CellValue:
    dangerous = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if dangerous else value
