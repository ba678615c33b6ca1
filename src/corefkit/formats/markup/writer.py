"""Writing texts with marks around mentions, as input of language models.

Running text gets Markdown links or tags, one file per document; words get the marks of the CRAC
tasks, one document per line.
"""

from collections.abc import Callable
from typing import NamedTuple

from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import Collector, data_error
from corefkit.core.texts import quote
from corefkit.formats.format import WrittenFiles
from corefkit.formats.kit.building import file_places
from corefkit.formats.kit.content import RunningText, contents, running_texts
from corefkit.formats.kit.convert import empty_documents
from corefkit.formats.kit.text import EMPTY_NODE

_BRACKETS = str.maketrans({"[": r"\[", "]": r"\]", "\\": r"\\"})
_SIGNS = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})


class _MarkSyntax(NamedTuple):
    """The suffix of files, the marks for the number of an entity, and escapes for the text."""

    suffix: str
    opening: Callable[[int], str]
    closing: Callable[[int], str]
    escapes: dict[int, str]


_MARKDOWN = _MarkSyntax(".md", lambda _: "[", "](#{})".format, _BRACKETS)
_TAGS = _MarkSyntax(".tags", '<coref id="{}">'.format, lambda _: "</coref>", _SIGNS)


def write_markdown(corpus: Corpus, path: str) -> WrittenFiles:
    r"""Write `[[His](#3) lamp](#5)`; brackets and backslashes of the text get a backslash."""
    return _write(corpus, path, _MARKDOWN)


def write_tags(corpus: Corpus, path: str) -> WrittenFiles:
    """Write `<coref id="1">she</coref>`; `<`, `>` and `&` become `&lt;`, `&gt;` and `&amp;`."""
    return _write(corpus, path, _TAGS)


def _write(corpus: Corpus, path: str, syntax: _MarkSyntax) -> WrittenFiles:
    paths = file_places(path, corpus.names, (".gz", syntax.suffix))
    crossing = Collector(None)
    files = {
        file: _marked(document, syntax, crossing).encode("utf-8", "replace")
        for file, document in zip(paths, running_texts(corpus), strict=True)
    }
    left_out = sum(incident.count for incident in crossing)
    return WrittenFiles(files, [*crossing], left_out)


def _marked(document: RunningText, syntax: _MarkSyntax, crossing: Collector) -> str:
    """A document with its marks; entities are numbered from 1, in text order.

    Marks nest: of two crossing mentions, the later one is left out and noted in `crossing`.
    """
    number: dict[int, int] = {}
    open_marks: list[tuple[int, int]] = []
    pieces: list[str] = []
    last = 0

    def move_to(offset: int) -> None:
        nonlocal last
        pieces.append(document.text[last:offset].translate(syntax.escapes))
        last = offset

    for _, entity, parts in document.mentions:
        begin, end = parts[0][0], parts[-1][1]
        while open_marks and open_marks[-1][0] <= begin:
            offset, mark = open_marks.pop()
            move_to(offset)
            pieces.append(syntax.closing(mark))
        if open_marks and open_marks[-1][0] < end:
            shown = quote(document.text[begin:end], 40)
            crossing.note(
                "mentions-cross", "marks", severity="warning", document=document.name, found=shown
            )
            continue
        move_to(begin)
        mark = number.setdefault(entity, len(number) + 1)
        pieces.append(syntax.opening(mark))
        open_marks.append((end, mark))
    for offset, mark in reversed(open_marks):
        move_to(offset)
        pieces.append(syntax.closing(mark))
    move_to(len(document.text))
    return "".join(pieces)


def write_text2text(corpus: Corpus, path: str) -> WrittenFiles:
    """Write one line per document, without names and sentences; zeros in mentions are `##`."""
    documents = zip(contents(corpus), corpus.rows_of_documents(corpus.text_order), strict=True)
    lines = [_line(corpus, content.words, rows.tolist()) for content, rows in documents]
    written = [line for line in lines if line.strip()]
    incidents = empty_documents(len(lines) - len(written))
    return WrittenFiles({path: "".join(written).encode("utf-8", "replace")}, incidents)


def _line(corpus: Corpus, words: list[str], rows: list[int]) -> str:
    """The line of a document; longer mentions come first, so that openings nest."""
    forms = {(token, 0): _form(word) for token, word in enumerate(words)}
    opens: dict[tuple[int, int], list[str]] = {}
    closes: dict[tuple[int, int], list[str]] = {}
    number: dict[int, int] = {}
    for row in rows:
        name = f"e{number.setdefault(int(corpus.entity[row]), len(number) + 1)}"
        zero = 0 if corpus.zero is None else int(corpus.zero[row])
        first, last = (int(corpus.start[row]), zero), (int(corpus.end[row]), zero)
        if zero:
            forms[first] = EMPTY_NODE
        if first == last:
            opens.setdefault(first, []).append(f"[{name}]")
        else:
            opens.setdefault(first, []).append(f"[{name}")
            closes.setdefault(last, []).insert(0, f"{name}]")
    cells = []
    for node in sorted(forms, key=_order):
        marks = ",".join((*opens.get(node, ()), *closes.get(node, ())))
        cells.append(f"{forms[node]}|{marks}" if marks else forms[node])
    return " ".join(cells) + "\n"


def _order(node: tuple[int, int]) -> tuple[int, int, int]:
    """The sort key of a node: empty nodes follow their token, those before a sentence last."""
    token, zero = node
    return token, int(zero > BEFORE_SENTENCE), zero


def _form(word: str) -> str:
    if "|" in word or word.startswith(EMPTY_NODE):
        expected = f"words without | that do not begin with {EMPTY_NODE}"
        raise data_error("annotation-shape", "word", found=quote(word), expected=expected)
    return "_".join(word.split()) or "_"
