"""Number-first columns: SemEval-2010, and CoNLL-U rows under '#begin document' (DEMOCRAT)."""

import re
from collections.abc import Iterator
from dataclasses import replace

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.conll import reader
from corefkit.formats.registry import IN_WORDS, Format

_RANGE = re.compile(rb"\d+-\d+|\d+\.\d+")


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file. Ranges (21-22) and decimals (5.1) are skipped."""
    found = Collector(path)
    plain = b"\n".join(_rows(data.split(b"\n"), found))
    how = replace(reading, word_column=reading.word_column or 2, all_columns=False)
    corpus = reader.parse(plain, path, how, "semeval2010")
    return replace(corpus, incidents=(*corpus.incidents, *found))


def _rows(lines: list[bytes], found: Collector) -> Iterator[bytes]:
    """The lines, with a comment of the same length in place of each row that is not a token."""
    before, width = 0, 0
    for number, line in enumerate(lines, 1):
        text = line.strip(b" \t\r")
        if not text or text.startswith(b"#"):
            before = 0
            width = 0 if text.startswith((b"#begin", b"# begin")) else width
            yield line
            continue
        tabs = b"\t" in text
        cells = line.rstrip(b"\r").split(b"\t") if tabs else list(filter(None, text.split(b" ")))
        if _RANGE.fullmatch(cells[0]):
            if b"(" in cells[-1] or b")" in cells[-1]:
                shown, expected = _text(cells[-1])[:40], "brackets on tokens only"
                found.note("token-number", "bracket", at=number, found=shown, expected=expected)
            yield b"#" + b" " * (len(line) - 1)
            continue
        number_of_token = int(cells[0]) if cells[0].isdigit() and len(cells[0]) < 10 else None
        if cells[0].isdigit() and number_of_token != before + 1:
            shown = f"{_text(cells[0])[:20]} after {before}"
            found.note("token-number", at=number, found=shown, expected=str(before + 1))
        before = before + 1 if number_of_token is None else number_of_token
        width = width or len(cells)
        if len(cells) != width:
            has, expected = f"{len(cells)} columns", f"{width} columns"
            found.note("columns-differ", "document", at=number, found=has, expected=expected)
        yield line


def _text(cell: bytes) -> str:
    return cell.decode("utf-8", "replace")


FORMAT = Format(
    name="semeval2010",
    title="SemEval-2010 columns, the number of the token first",
    parse=parse,
    holds=IN_WORDS,
    options=("word_column",),
    suffixes=(".txt",),
    head_column=8,
)
