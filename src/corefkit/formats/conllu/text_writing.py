"""A CorefUD file with other mentions and more or fewer empty nodes; everything else stays."""

import re
from collections.abc import Mapping

import numpy as np

from corefkit.formats.conllu.cells import find_values
from corefkit.formats.conllu.headers import DEFAULT, Declaration
from corefkit.formats.conllu.lines import DEPREL, DEPS, HEAD, MISC
from corefkit.formats.conllu.reader import find_layout
from corefkit.formats.conllu.rewriting import splice
from corefkit.formats.conllu.text_placing import BEFORE, NodePlace
from corefkit.formats.conllu.tokens import Layout
from corefkit.formats.conllu.written import in_misc
from corefkit.formats.files import AS_THEY_ARE

DECLARATION = Declaration(tuple(DEFAULT.split("-")), 0)
_OURS = ("Entity", "Bridge", "SplitAnte")
_EMPTY_PARENT = re.compile(rb"\d+\.\d+:")

Pieces = dict[tuple[int, int], str]
"""What stands instead of the bytes from which to which."""


def write(
    entity: Mapping[NodePlace, str], layout: Layout, made: Mapping[NodePlace, tuple[str, int]]
) -> bytes:
    """The file with these values of Entity, and with the empty nodes that were made.

    Each of `made` has its form and the word before it, −1 for none. Entity, Bridge and SplitAnte
    of the file are taken out.
    """
    lines, nodes = layout.lines, layout.nodes
    pieces = _cleaned(layout)
    for one, value in entity.items():
        if not one.number:
            row = int(nodes.row[one.node])
            cell = _misc(layout, row)
            misc = lines.field(row, MISC).decode("utf-8", AS_THEY_ARE)
            pieces[cell] = in_misc(pieces.get(cell, misc), "Entity", value)
    for new in sorted(made):
        form, word = made[new]
        at, id, parent = _below(layout, new, word)
        misc = f"Entity={entity[new]}" if new in entity else "_"
        line = "\t".join((id, form or "_", *["_"] * 6, parent, misc)) + "\n"
        pieces[at, at] = pieces.get((at, at), "") + line
    _declare(layout, pieces)
    return splice(lines.data, pieces)


def without_empty_nodes(data: bytes, path: str) -> bytes:
    """The file without its empty nodes; what depended on one depends on its HEAD."""
    layout, _ = find_layout(data, path)
    lines, nodes = layout.lines, layout.nodes
    if not nodes.empty_ids:
        return data
    pieces: Pieces = {}
    empty = {int(nodes.row[node]) for node in nodes.empty_ids.values()}
    for row, line in enumerate(lines.rows.tolist()):
        start, end = int(lines.start[line]), int(lines.end[line])
        if row in empty:
            after = int(lines.start[line + 1]) if line + 1 < len(lines.start) else end
            pieces[start, after] = ""
        elif _EMPTY_PARENT.search(deps := lines.field(row, DEPS)):
            kept = [arc for arc in deps.split(b"|") if not _EMPTY_PARENT.match(arc)]
            plain = lines.field(row, HEAD) + b":" + lines.field(row, DEPREL)
            text = (b"|".join(kept) or plain).decode("utf-8", AS_THEY_ARE)
            pieces[int(lines.tabs[row, DEPS - 1]) + 1, int(lines.tabs[row, DEPS])] = text
    return splice(lines.data, pieces)


def _misc(layout: Layout, row: int) -> tuple[int, int]:
    lines = layout.lines
    return int(lines.tabs[row, MISC - 1]) + 1, int(lines.end[lines.rows[row]])


def _cleaned(layout: Layout) -> Pieces:
    """The MISC cells that hold annotation, without it."""
    found = find_values(layout.lines, *(name.encode() for name in _OURS))
    rows = {row for values in found for row in values.row.tolist()}
    pieces: Pieces = {}
    for row in rows:
        misc = layout.lines.field(row, MISC).decode("utf-8", AS_THEY_ARE)
        items = [item for item in misc.split("|") if item.partition("=")[0] not in _OURS]
        pieces[_misc(layout, row)] = "|".join(items) or "_"
    return pieces


def _below(layout: Layout, new: NodePlace, word: int) -> tuple[int, str, str]:
    """Where the line of a new empty node begins, its id, and its DEPS."""
    lines, nodes = layout.lines, layout.nodes
    if word >= 0:
        below = int(lines.rows[nodes.row[new.node]]) + 1
        number = int(np.searchsorted(nodes.word_node, word) - nodes.first_word[nodes.block[word]])
        id = f"{number + 1}.{new.node - word + new.number}"
        return int(lines.start[below]), id, f"{number + 1}:_"
    block = nodes.block[new.node]
    own = new.node - int(np.searchsorted(nodes.block, block))
    # Behind the empty nodes that begin the sentence, above a multiword token.
    above = int(np.searchsorted(lines.block[lines.rows], block)) + own
    return int(lines.start[lines.rows[above]]), f"0.{own + new.number - BEFORE}", "_"


def _declare(layout: Layout, pieces: Pieces) -> None:
    """Declare the usual attributes, where the file declares some, else behind its first newdoc."""
    lines = layout.lines
    declaration = f"# global.Entity = {DEFAULT}"
    found = False
    for line in lines.comments.tolist():
        start, end = int(lines.start[line]), int(lines.end[line])
        if lines.data[start + 1 : end].lstrip().startswith(b"global.Entity"):
            pieces[start, end] = declaration
            found = True
    if not found:
        first = int(layout.headers.begin[0])
        named = lines.data[int(lines.start[first]) + 1 :].lstrip().startswith(b"newdoc")
        at = int(lines.start[first + named])
        pieces[at, at] = f"{declaration}\n" + pieces.get((at, at), "")
