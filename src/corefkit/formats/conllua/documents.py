"""The documents of a CoNLL-UA file: where they begin and what they are called."""

import re
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.texts import quote
from corefkit.formats.conllua.rows import Rows
from corefkit.formats.conllua.splitting import find_comments
from corefkit.formats.detection import describe, recognise
from corefkit.formats.files import AS_THEY_ARE
from corefkit.formats.trouble import Trouble

_NEWDOC = re.compile(rb"newdoc\b(?:[ \t]+id[ \t]*=[ \t]*(.*))?")


@dataclass(frozen=True, eq=False)
class Documents:
    """The names, and int64 (documents,) the byte and the first row of each.

    `first` has one number more: where the rows end.
    """

    names: tuple[str, ...]
    byte: IntArray
    first: IntArray


def find_documents(rows: Rows, trouble: Trouble) -> Documents:
    """The documents; what is wrong with them is reported."""
    names: list[str] = []
    byte: list[int] = []
    known: dict[str, int] = {}
    for line, match in find_comments(rows.data, rows.comments, b"newdoc", _NEWDOC):
        name = (match[1] or b"").decode("utf-8", AS_THEY_ARE).strip()
        if not name:
            trouble.line("document-unnamed", line, "id", severity="error")
        elif name in known:
            trouble.line("document-twice", line, "id", name=quote(name), document=name)
        known.setdefault(name, line)
        names.append(name or str(len(names) + 1))
        byte.append(int(rows.start[line]))
    begins = np.array(byte, dtype=np.int64)
    first = np.searchsorted(rows.begin, np.append(begins, len(rows.data)))
    if not names and not rows.headers:
        trouble.found.note("no-document", "newdoc", looks=_looks(rows.data))
    elif first[0] > 0:
        trouble.line("token-outside", int(rows.line[0]), "newdoc")
    return Documents(tuple(names), begins, first)


def _looks(data: bytes) -> str:
    """What a file looks like that is not CoNLL-UA."""
    found = recognise(data)
    if found == "conll":
        return "looks like CoNLL-2012"
    if found is not None and found != "conllua":
        return f"looks like {found}"
    return f"is {describe(data)}"
