"""CoNLL-2011/2012 files, as they occur in practice: only the last column is read.

Many small files parsed as one text: a file has fixed costs that exceed those of its lines.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from corefkit.core.arrays import IntArray, byte_table
from corefkit.core.corpus import Corpus
from corefkit.core.options import PLAIN, Reading
from corefkit.formats._kit.files import AS_THEY_ARE
from corefkit.formats.columns.lines import Lines, empty_last, find_lines, last_column
from corefkit.formats.conll.brackets import find_brackets, match, only_digits
from corefkit.formats.conll.incidents import ConllIncidents
from corefkit.formats.conll.tokens import ConllSource

_NONE = byte_table(b"-_*")
_SPACE, _TAB = b" \t"


def parse(data: bytes, path: str, reading: Reading = PLAIN, form: str = "conll") -> Corpus:
    """The corpus in the bytes of one file; its incidents say all that is wrong with it.

    Without `reading.all_columns` only the last column is looked at, and lines that have more or
    fewer columns than their neighbours are not reported.

    Where there are errors the corpus holds what could be read; it must not be scored. With
    `reading.ids` "digits", brackets with other ids, and any other text, are not seen.
    """
    lines = find_lines(data)
    row, document, outside = lines.inside
    tokens = np.bincount(document, minlength=len(lines.names))
    before = np.cumsum(tokens) - tokens

    marked, column = _marked_cells(lines)
    brackets = find_brackets(lines.buffer, column, lines.end[row[marked]])
    unseen = 0
    if reading.ids == "digits":
        seen = only_digits(brackets)
        unseen, brackets = len(brackets.cell) - len(seen.cell), seen
    mentions = match(brackets, document[marked])

    incidents = ConllIncidents(path, lines, row[marked], column, document[marked])
    incidents.check_file(outside)
    incidents.check_brackets(brackets, mentions)
    if unseen:
        expected = "ids of digits, as the reference scorer wants them"
        incidents.note("ids-unseen", number=unseen, expected=expected)
    incidents.check_lines(len(marked), reading, number_first=form != "conll")

    labels = [name.decode("utf-8", AS_THEY_ARE) for name in brackets.ids]
    first, last = (marked[brackets.cell[x]] for x in (mentions.first, mentions.last))
    source = ConllSource(
        path, lines.data, 0, len(lines.names), form, word_column=reading.word_column
    )
    return Corpus(
        tuple(lines.names),
        tokens,
        document[first],
        first - before[document[first]],
        last - before[document[first]],
        mentions.entity,
        tuple(labels[i] for i in mentions.entity_id.tolist()),
        (source,),
        lines.start[lines.begin],
        brackets.place[mentions.first],
        row[first] + 1,
        incidents=tuple(incidents),
    )


def _marked_cells(lines: Lines) -> tuple[IntArray, IntArray]:
    """Which token lines have something in the last column, and where that column begins."""
    row, _, _ = lines.inside
    end = lines.end[row]
    # Most lines end in a blank or tab and one of - _ *: they are done with here.
    gap = lines.buffer[end - 2] == (_TAB if lines.has_tabs else _SPACE)
    marked = np.flatnonzero(~(_NONE[lines.buffer[end - 1]] & gap))
    column = last_column(lines, row[marked])
    end = end[marked]
    full = ~(_NONE[lines.buffer[end - 1]] & (column == end - 1))
    full[full] = ~empty_last(lines, marked[full])
    return marked[full], column[full]


_BEGIN, _END = b"#begin document", b"#end document"


def parse_together(batch: Sequence[tuple[str, bytes]], reading: Reading = PLAIN) -> Corpus | None:
    """The corpus in files (path, bytes): what `concat` makes of each of them parsed alone.

    None where a file could read differently among others, or where there is any incident: the
    files are then parsed one by one, so that each has its own.
    """
    if not all(_is_plain(data) for _, data in batch):
        return None
    ends = (data.rstrip().endswith(_END) or _END not in data for _, data in batch)
    if reading.all_columns and not all(ends):  # the last document of a file lacks its end
        return None
    texts = [data if data.endswith(b"\n") else data + b"\n" for _, data in batch]
    whole = parse(b"".join(texts), "", reading)
    if any(incident.id != "end-missing" for incident in whole.incidents):
        return None
    byte = np.array([0, *accumulate(map(len, texts))], dtype=np.int64)
    line = np.array([0, *accumulate(text.count(b"\n") for text in texts)], dtype=np.int64)
    document_file = np.searchsorted(byte, whole._begin, side="right") - 1
    first = np.searchsorted(document_file, np.arange(len(batch) + 1)).tolist()
    mention_file = document_file[whole.document]
    if not np.bincount(mention_file, minlength=len(batch)).all():
        return None  # a file without mentions is told
    return replace(
        whole,
        incidents=(),
        sources=tuple(
            ConllSource(
                path,
                data,
                first[i],
                first[i + 1] - first[i],
                whole.sources[0].format,
                word_column=reading.word_column,
            )
            for i, (path, data) in enumerate(batch)
        ),
        _begin=whole._begin - byte[document_file],
        _byte=whole._byte - byte[mention_file],
        line=whole.line - line[mention_file],
    )


def _is_plain(data: bytes) -> bool:
    """Whether no line of the file depends on other lines of the file, or of the file before it.

    A file must begin with its document. Whether a tab at the end of a line stands for an empty
    column depends on the other lines, see `reader.empty_last`.
    """
    if not data.startswith(_BEGIN) or b"\n" not in data:
        return False
    ends = (b"\t\n", b" \n", b"\r")
    return b"\t" not in data or not (any(e in data for e in ends) or data[-1:] in b"\t ")
