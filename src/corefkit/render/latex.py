"""Tables for a paper: tabulars with booktabs rules, in ASCII, so that any LaTeX compiles them."""

from collections.abc import Sequence
from itertools import accumulate
from unicodedata import normalize

from corefkit.core.texts import visible
from corefkit.render.table import Around, Table, emphasised

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
"""Letters without a command of their own: pdfLaTeX prints their number, the others the letter."""


def render_latex(table: Table) -> str:
    """A tabular; title and note are comments, the best figures bold."""
    table = table.flat
    align = "".join("r" if heading.is_figure else "l" for heading in table.headings)
    lines = ["% needs \\usepackage{booktabs}", f"\\begin{{tabular}}{{{align}}}", "\\toprule"]
    if table.groups:
        above = [f"\\multicolumn{{{wide}}}{{c}}{{{escape(name)}}}" for name, wide in table.groups]
        lines += [" & ".join(above) + " \\\\", _rules(table.groups)]
    lines.append(" & ".join(escape(heading.title) for heading in table.headings) + " \\\\")
    for block in table.blocks:
        lines.append("\\midrule")
        for line in block.lines:
            cells = emphasised(table, line, escape, ("\\textbf{", "}"), ("\\underline{", "}"))
            lines.append(" & ".join(cells) + " \\\\")
    lines += ["\\bottomrule", "\\end{tabular}"]
    remarks = [f"{table.title}." if table.title else "", *table.note.split("\n")]
    text = "\n".join([*lines, *(comment(remark) for remark in remarks if remark)]) + "\n"
    return _LETTER + text if "\\corefkitletter" in text else text


def _rules(groups: Sequence[tuple[str, int]]) -> str:
    """A rule below each group of columns that has a name.

    >>> print(_rules([("", 1), ("MUC", 3), ("LEA", 3)]))
    \\cmidrule(lr){2-4}\\cmidrule(lr){5-7}
    """
    ends = list(accumulate(wide for _, wide in groups))
    return "".join(
        f"\\cmidrule(lr){{{end - wide + 1}-{end}}}"
        for (name, wide), end in zip(groups, ends, strict=True)
        if name
    )


def join_tables(tables: Sequence[str], around: Around) -> str:
    """Tables, with the signature above and the remarks below as comments."""
    first = [comment(around.signature)] if around.signature else []
    return "\n\n".join([*first, *tables, *map(comment, around.below)]) + "\n"


def comment(text: str) -> str:
    """The text as a comment, in ASCII."""
    return "% " + visible(text).encode("ascii", "backslashreplace").decode()


def escape(text: str) -> str:
    """Text that LaTeX prints as it stands, in ASCII.

    >>> print(escape("a_b & ceaf ≥ é"))
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
