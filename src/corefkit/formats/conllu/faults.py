"""What is wrong with a CorefUD file as a file: its lines, ids, sentences and documents."""

import numpy as np

from corefkit.data.document_names import repeated
from corefkit.data.incidents import errors
from corefkit.formats.conllu.lines import Lines
from corefkit.formats.conllu.tokens import Layout
from corefkit.formats.detection import describe
from corefkit.formats.trouble import Trouble

_SENT_ID = b"# sent_id"


def structure_faults(layout: Layout, trouble: Trouble) -> None:
    """Columns, ids, sentences, comments and names of documents."""
    lines, nodes, headers = layout.lines, layout.nodes, layout.headers
    for line in lines.odd.tolist():
        columns = lines.text(line).count("\t") + 1
        trouble.line("columns", line, number=columns, expected="ten, split by tabs")
    for row, expected in nodes.wrong:
        trouble.line("id-bad", int(lines.rows[row]), expected=expected)
    without = np.flatnonzero(np.diff(nodes.first_word) == 0)
    for block in without.tolist():
        trouble.line("sentence-empty", _line_of_sentence(lines, block))
    _comments(lines, trouble)
    for name, first, again in repeated(headers.names):
        line, other = int(headers.begin[again]), int(headers.begin[first]) + 1
        expected = f"another name than on line {other:,}"
        trouble.line("document-twice", line, document=name, expected=expected)
    if not headers.names:
        looks, expected = (
            describe(lines.data),
            "a CoNLL-U file: '# newdoc id = NAME', one node a line",
        )
        trouble.line("no-document", 0, "sentence", found=looks, expected=expected)


def _line_of_sentence(lines: Lines, block: int) -> int:
    """The line of the sent_id of a block, or else its first."""
    first, stop = np.searchsorted(lines.block, [block, block + 1]).tolist()
    while first < stop and lines.end[first] <= lines.start[first]:
        first += 1
    for line in range(first, stop):
        if lines.data.startswith(_SENT_ID, int(lines.start[line])):
            return line
    return int(first)


def _comments(lines: Lines, trouble: Trouble) -> None:
    """Comments among the words of a sentence."""
    if not len(lines.comments) or not len(lines.rows):
        return
    before = np.searchsorted(lines.rows, lines.comments) - 1
    same = lines.block[lines.rows[np.maximum(before, 0)]] == lines.block[lines.comments]
    for line in lines.comments[(before >= 0) & same].tolist():
        trouble.line("comment-misplaced", line)


def file_faults(layout: Layout, mentions: int, trouble: Trouble) -> None:
    """Bytes that are not UTF-8, and a file without mentions."""
    trouble.encoding()
    if not mentions and layout.nodes.words and not errors(trouble.found):
        trouble.found.note("no-mention")
