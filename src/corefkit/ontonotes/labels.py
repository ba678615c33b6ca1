"""Why annotators disagree: the types of Figure 1 of the CoNLL-2012 paper, counted for Figure 2."""

from collections import Counter

from corefkit.data.incidents import DataError, data_error
from corefkit.formats.files import load

TYPES = {
    "Annotator Error": "a plain error that fits none of the other types",
    "Genuine Ambiguity": "the text can be read both ways, e.g. a pronoun without clear antecedent",
    "Generics": "one thought it generic, the other did not",
    "Guidelines": "the guidelines do not decide the case",
    "Callisto Layout": "the annotation tool got in the way",
    "Referents": "each thought it refers to something else",
    "Possessives": "one did not mark a possessive",
    "Verb": "one did not mark a verb",
    "Pre Modifiers": "one did not mark a modifier before the noun",
    "Appositive": "one did not mark an appositive",
    "Copula": "the mention is part of a copular structure",
}
"""The types, and what they mean."""

_KNOWN = {name.lower().rstrip("s"): name for name in TYPES}
_KNOWN |= {"copulae": "Copula", "pre-modifier": "Pre Modifiers", "premodifier": "Pre Modifiers"}


def read_labels(path: str) -> tuple[dict[str, int], int]:
    """How often each label occurs in a labelled list, most frequent first; how many lack one.

    Spelling is not looked at closely: `verbs` is `Verb`. Labels of your own are counted as they
    are. Raises DataError where the file has no column `label` or no label in it.
    """
    text = load(path).decode("utf-8-sig", "replace")
    header, *rows = [line.rstrip("\r").split("\t") for line in _lines(text)] or [[]]
    names = [_unquoted(name) for name in header]
    if "label" not in names:
        raise _wrong(path, "column", 1)
    place = len(names) - 1 - names[::-1].index("label")
    labels = [_unquoted(row[place]) if place < len(row) else "" for row in rows]
    names = [_KNOWN.get(label.lower().rstrip("s"), label) for label in labels if label]
    if not names:
        raise _wrong(path)
    return dict(Counter(sorted(names)).most_common()), labels.count("")


def _lines(text: str) -> list[str]:
    """The lines that are not empty; a carriage return inside a cell ends none."""
    end = "\r" if "\r" in text and "\n" not in text else "\n"
    return [line for line in text.split(end) if line.rstrip("\r")]


def _unquoted(cell: str) -> str:
    """A cell without the quotes that spreadsheets put around it.

    >>> _unquoted(' "Verb" ')
    'Verb'
    """
    text = cell.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('""', '"').strip()
    return text


def _wrong(path: str, variant: str = "", line: int | None = None) -> DataError:
    expected = "the list that --disagreements writes, its column 'label' filled in"
    examples = ", ".join(list(TYPES)[:3])
    place = {"file": path, "line": line}
    return data_error("labels-missing", variant, **place, examples=examples, expected=expected)
