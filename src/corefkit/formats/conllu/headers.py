"""Comments that mean something: where documents begin, and the declaration of attributes."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import IntArray, starts_of_runs
from corefkit.formats.conll.lines import _name as decode_name
from corefkit.formats.conllu.lines import Lines
from corefkit.formats.trouble import Trouble

_NEWDOC = re.compile(rb"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_DECLARATION = re.compile(rb"#\s*global\.Entity\s*=\s*(.*?)\s*")
_USUAL = ("eid", "etype", "head")
_N, _G = b"ng"
DEFAULT = "eid-etype-head-other"


@dataclass(frozen=True)
class Declaration:
    """The names of attributes, in order. `line` is that of the comment; −1: not declared."""

    names: tuple[str, ...]
    line: int = -1

    @cached_property
    def entity(self) -> int:
        """The place of the entity's id."""
        return self.names.index("eid") if "eid" in self.names else self._place("GRP")

    @property
    def local(self) -> bool:
        """Whether ids are local to their document."""
        return "eid" not in self.names

    @property
    def head(self) -> int:
        """The place of the head; −1 where it is not declared."""
        return self._place("head")

    @property
    def etype(self) -> int:
        """The place of the type of entity; −1 where it is not declared."""
        return max(self._place("etype"), self._place("entity"))

    def _place(self, name: str) -> int:
        return self.names.index(name) if name in self.names else -1


@dataclass(frozen=True, eq=False)
class Headers:
    """The documents of a file and its declaration.

    Attributes:
        names: the names of the documents.
        begin: int64 (documents,), the line at which each begins.
        block_document: int64 (blocks,), the document of each block of lines.
        declaration: the first one, or the usual one where there is none.
    """

    names: tuple[str, ...]
    begin: IntArray
    block_document: IntArray
    declaration: Declaration


def find_headers(lines: Lines, trouble: Trouble) -> Headers:
    """Read the comments of a file; what is wrong with them is reported."""
    candidates = _candidates(lines)
    begins, names = [], []
    declarations = []
    for line in candidates.tolist():
        text = lines.data[lines.start[line] : lines.end[line]]
        if found := _NEWDOC.fullmatch(text):
            begins.append(line)
            names.append(decode_name(found[1] or b""))
        elif found := _DECLARATION.fullmatch(text):
            declarations.append((line, found[1].decode("utf-8", "replace")))
    begin = np.array(begins, dtype=np.int64)
    blocks = int(lines.block[-1]) + 1 if len(lines.block) else 0
    first_row = _first_rows(lines, blocks)
    document = np.searchsorted(begin, first_row, side="right") - 1
    if (document[first_row < len(lines.start)] < 0).any():
        first = int(np.flatnonzero(lines.block == 0)[0])
        trouble.line("newdoc-missing", first)
        document, begin, names = document + 1, np.concatenate(([first], begin)), ["", *names]
    named = tuple(name or str(number) for number, name in enumerate(names, 1))
    return Headers(named, begin, document, _declaration(declarations, trouble))


def _candidates(lines: Lines) -> IntArray:
    """The comments whose first letter is n or g, and no '# newpar'."""
    comments = lines.comments[lines.end[lines.comments] - lines.start[lines.comments] >= 7]
    start = lines.start[comments]
    one, two, five = (lines.buffer[start + place] for place in (1, 2, 5))
    paragraph = (two == _N) & (five == ord("p"))
    likely = (one == _N) | (one == _G) | (two == _N) | (two == _G)
    # More than one blank after '#' is rare, and then looked at too.
    likely |= (two == ord(" ")) | (two == ord("\t"))
    found: IntArray = comments[likely & ~paragraph]
    return found


def _first_rows(lines: Lines, blocks: int) -> IntArray:
    """The first line of each block that is no comment; behind the file where there is none."""
    first = np.full(blocks, len(lines.start), dtype=np.int64)
    every = np.sort(np.concatenate((lines.rows, lines.odd))) if len(lines.odd) else lines.rows
    block = lines.block[every]
    starts = starts_of_runs(block)
    first[block[starts]] = every[starts]
    return first


def _declaration(found: list[tuple[int, str]], trouble: Trouble) -> Declaration:
    if not found:
        return Declaration(tuple(DEFAULT.split("-")))
    line, text = found[0]
    for other, again in found[1:]:
        if again != text:
            expected = f"{text}, as on line {line + 1:,}"
            trouble.line("declaration-differs", other, found=again, expected=expected)
    names = text.split("-")
    if "" in names or len(set(names)) < len(names) or not {"eid", "GRP"} & set(names):
        trouble.line("declaration-bad", line, found=text, expected=DEFAULT)
        names = names if {"eid", "GRP"} & set(names) else ["eid", *names[1:]]
        return Declaration(tuple(names), line)
    usual = [name for name in _USUAL if name in names]
    own = ["eid" if n == "GRP" else "etype" if n == "entity" else n for n in names]
    if own[: len(usual)] != usual and own[: len(usual) + 1] != ["eid", *usual]:
        trouble.line("declaration-order", line, found=text, expected=DEFAULT)
    return Declaration(tuple(names), line)
