"""Many small files parsed as one text: a file has fixed costs that exceed those of its lines."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.source import Source
from corefkit.formats.conll.reader import parse as parse_one
from corefkit.formats.registry import PLAIN, Reading

_BEGIN = b"#begin document"


def parse(batch: Sequence[tuple[str, bytes]], reading: Reading = PLAIN) -> Corpus | None:
    """The corpus in files (path, bytes): what `concat` makes of each of them parsed alone.

    None where a file could read differently among others, or where there is any incident: the
    files are then parsed one by one, so that each has its own.
    """
    if not all(_is_plain(data) for _, data in batch):
        return None
    texts = [data if data.endswith(b"\n") else data + b"\n" for _, data in batch]
    whole = parse_one(b"".join(texts), "", reading)
    if whole.incidents:
        return None
    byte = np.array([0, *accumulate(map(len, texts))], dtype=np.int64)
    line = np.array([0, *accumulate(text.count(b"\n") for text in texts)], dtype=np.int64)
    document_file = np.searchsorted(byte, whole.begin, side="right") - 1
    first = np.searchsorted(document_file, np.arange(len(batch) + 1)).tolist()
    mention_file = document_file[whole.document]
    if not np.bincount(mention_file, minlength=len(batch)).all():
        return None  # a file without mentions is told
    return replace(
        whole,
        sources=tuple(
            Source(path, data, first[i], first[i + 1] - first[i], whole.sources[0].format)
            for i, (path, data) in enumerate(batch)
        ),
        begin=whole.begin - byte[document_file],
        byte=whole.byte - byte[mention_file],
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
