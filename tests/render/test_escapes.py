"""Every character that means something to a reader of the output is escaped, each by itself."""

import csv
import html
import re
import unicodedata
from io import StringIO
from pathlib import Path

import pytest

from corefkit.core.texts import shorten, to_json, visible, width
from corefkit.render.markup import escape_html, escape_latex
from tests.support import EXAMPLES, run

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"


def named(name: str, form: str, folder: Path, *more: str) -> str:
    """The scores of a system that is called by its file."""
    file = folder / f"{name}.conll"
    file.write_bytes(RESPONSE.read_bytes())
    done = run("score", KEY, file, "-m", "muc", "-f", form, *more)
    assert done.status == 0, done.err
    return done.out


@pytest.mark.parametrize("character", list("\\|*_`<["))
def test_markdown(character: str, tmp_path: Path) -> None:
    """CommonMark: a backslash before ASCII punctuation makes it literal."""
    name = f"a{character}b{character}"
    row = next(
        line for line in named(name, "markdown", tmp_path).split("\n") if line.startswith("| a")
    )
    (cell,) = re.findall(r"^\| (a.*?b.*?) \| ", row)
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", cell) == name
    assert re.sub(r"\\[!-/:-@\[-`{-~]", "", cell) == "ab"  # nothing is left unescaped


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_cells_that_a_spreadsheet_would_run(first: str, form: str, tmp_path: Path) -> None:
    """The characters that OWASP names under "CSV injection"; others stay as they are."""
    delimiter = {"csv": ",", "tsv": "\t"}[form]
    for name, safe in ((f"{first}1", f"'{first}1"), (f"1{first}", f"1{first}")):
        for more, wanted in (((), name), (("--csv-safe",), safe)):
            text = StringIO(named(name, form, tmp_path, *more), newline="")
            (row,) = csv.DictReader(text, delimiter=delimiter)
            assert row["system"] == wanted
            assert float(row["f1"]) > 0  # numbers stay numbers


@pytest.mark.parametrize("character", ["%", ":", ",", "%2C", "a,line=9", "::"])
def test_files_in_github_annotations(character: str, tmp_path: Path) -> None:
    """GitHub parts properties at commas and undoes %2C, %3A, %0A, %0D and, last, %25."""
    file = tmp_path / f"x{character}y.conll"
    file.write_text("#begin document d\nx (1\n#end document\n")
    done = run("check", file, "-f", "github")
    command, properties, message = re.fullmatch(r"::(\w+) (.*?)::(.*)\n", done.out).groups()  # type: ignore[union-attr]
    place = dict(text.split("=", 1) for text in properties.split(","))
    assert (command, list(place)) == ("error", ["file", "line", "col", "title"])
    undone = place["file"].replace("%2C", ",").replace("%3A", ":").replace("%25", "%")
    assert undone == str(file)
    assert (place["line"], place["title"]) == ("2", "bracket-unclosed")
    assert "never closed" in message


ACTIVE = {character: f"\\{character}" for character in "&%$#_{}"}
ACTIVE |= {"~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}"}
"""The ten characters that LaTeX takes for commands, and how they are printed."""
ELSEWHERE = {"<": "less", ">": "greater", "|": "bar", '"': "quotedbl", "`": "asciigrave"}
"""Characters that the default encoding prints as others."""


def test_latex_characters() -> None:
    for character, command in ACTIVE.items():
        assert escape_latex(f"a{character}b") == f"a{command}b"
    for character, name in ELSEWHERE.items():
        assert escape_latex(f"a{character}b") == f"a\\text{name}{{}}b"
    for character in "[]*":  # what stands after a line end would be its argument
        assert escape_latex(character) == f"{{{character}}}"
    plain = "abcXYZ0189 .,;:!?()=+-/@'"
    assert escape_latex(plain) == plain


GREEK = "alpha beta gamma delta zeta eta theta iota kappa mu nu xi pi rho sigma tau phi chi psi"


@pytest.mark.parametrize("name", [*GREEK.split(), "epsilon", "upsilon", "omega"])
def test_latex_greek(name: str) -> None:
    letter = unicodedata.lookup(f"GREEK SMALL LETTER {name}")
    assert escape_latex(letter) == f"$\\{name}$"
    if name in ["gamma", "delta", "theta", "xi", "pi", "sigma", "phi", "psi", "omega"]:
        assert escape_latex(letter.upper()) == f"$\\{name.title()}$"


ACCENTS = {
    **{"`": "GRAVE", "'": "ACUTE", "^": "CIRCUMFLEX", "~": "TILDE", '"': "DIAERESIS"},
    **{"=": "MACRON", ".": "DOT ABOVE", "u": "BREVE", "v": "CARON", "H": "DOUBLE ACUTE"},
    **{"r": "RING ABOVE", "c": "CEDILLA", "d": "DOT BELOW", "k": "OGONEK"},
}
"""The accents of LaTeX by their names in Unicode."""


@pytest.mark.parametrize("command", ACCENTS)
def test_latex_accents(command: str) -> None:
    letters = [
        letter
        for letter in "aceguyoAEU"
        if unicodedata.name(_with(letter, ACCENTS[command]), "").startswith("LATIN")
    ]
    assert letters
    for letter in letters:
        assert escape_latex(_with(letter, ACCENTS[command])) == f"\\{command}{{{letter}}}"


def _with(letter: str, accent: str) -> str:
    """The letter with the accent as one character, or nothing where there is no such character."""
    case = "CAPITAL" if letter.isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"LATIN {case} LETTER {letter} WITH {accent}")
    except KeyError:
        return "\0"


def test_latex_digits() -> None:
    for digit in range(10):
        for kind in ("superscript", "subscript"):
            names = ["ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
            character = unicodedata.lookup(f"{kind} {names[digit]}")
            assert escape_latex(character) == f"\\text{kind}{{{digit}}}"


@pytest.mark.parametrize("character", list("&<>\"'"))
def test_html(character: str) -> None:
    shown = escape_html(f"x{character}y")
    assert html.unescape(shown) == f"x{character}y"
    assert character not in shown or character == "&"
    assert escape_html("&amp;") == "&amp;amp;"


CONTROLS = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cc"]
BIDIRECTIONAL = [*"\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]


@pytest.mark.parametrize("character", [*CONTROLS, *BIDIRECTIONAL])
def test_what_controls_a_terminal(character: str) -> None:
    """Control characters and marks of direction: all of them, the first and the last as well."""
    shown = visible(f"a{character}b")
    assert shown.isprintable()
    assert shown.encode("ascii").decode("unicode_escape") == f"a{character}b"
    written = to_json([character])
    if character != "\n":
        assert character not in written


@pytest.mark.parametrize("length", [9, 10, 11, 12])
def test_shortened_texts(length: int) -> None:
    """A text of the greatest length stays; a longer one has that length, with its dots."""
    shown = shorten("x" * length, 10)
    assert shown == ("x" * length if length <= 10 else "x" * 9 + "…")


def test_widths_on_a_terminal() -> None:
    """Wide and fullwidth letters take two columns, marks over letters none (UAX #11)."""
    cases = {"a": 1, "é": 1, "e\u0301": 1, "指": 2, "Ａ": 2, "ｱ": 1, "한": 2, "": 0}
    assert {text: width(text) for text in cases} == cases
    assert width("".join(cases)) == sum(cases.values())
