"""Marks around words: the output of sequence models, and the texts of the CRAC tasks."""

import re
from collections.abc import Iterable, Iterator

from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import data_error
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats._kit.building import RawDocument, RawMention
from corefkit.formats._kit.content import contents
from corefkit.formats._kit.convert import empty_documents, reduce
from corefkit.formats._kit.text import EMPTY_NODE
from corefkit.formats.markup.marks import MarkedText, NestedMarks, corpus_of, filled_lines
from corefkit.formats.registry import WrittenFiles

_SEQ2SEQ = re.compile(
    r"<m>|(?:\|\s{0,100}(\d{1,18})\s{0,100}|<c(\d{1,18})>\s{0,100})?</m(\d{0,18})>"
    r"|</?speaker>|</?sentence>"
)
_WORD = re.compile(r"\S+")
_MARK = re.compile(r"\[?e\w+\]?")


def parse_seq2seq(data: bytes, path: str, reading: Reading) -> Corpus:
    """`<m> the Kestrel | 1 </m> sank`.

    A file with a blank line in it is one document of several paragraphs; in any other each line
    is a document.
    """
    marked = MarkedText(data, path, reading)
    documents = [_read(marked, *place) for place in _documents(marked.text)]
    return corpus_of(marked, "seq2seq", documents, "token")


def _documents(text: str) -> Iterable[tuple[int, int]]:
    """Where the documents begin and end."""
    several = re.search(r"\n[^\S\n]*\n", text.strip())
    return [(0, len(text))] if several else filled_lines(text)


def _read(marked: MarkedText, begin: int, end: int) -> RawDocument:
    words: list[str] = []
    mentions: list[RawMention] = []
    stack = NestedMarks(marked, mentions)
    last, speaker = begin, None
    for mark in _SEQ2SEQ.finditer(marked.text, begin, end):
        if speaker is None:
            words += marked.text[last : mark.start()].split()
        last = mark.end()
        if mark[0] == "<speaker>":
            speaker = mark.start()
        elif mark[0] == "</speaker>":
            if speaker is None:
                marked.unopened(mark.start())
            speaker = None
        elif mark[0] == "<m>":
            stack.open(mark.start(), len(words))
        elif "</m" in mark[0]:
            entity = mark[1] or mark[2] or mark[3]
            stack.close(mark.start(), len(words), entity, "| and a number before </m>")
    if speaker is not None:
        marked.unclosed(speaker)
    words += marked.text[last:end].split()
    stack.finish()
    return RawDocument(None, mentions, marked.line(begin), words=words)


def parse_text2text(data: bytes, path: str, reading: Reading) -> Corpus:
    """`Los|[e1 jugadores de el Espanyol|[e2],e1]`, each line a document."""
    marked = MarkedText(data, path, reading)
    documents = [_read_line(marked, *place) for place in filled_lines(marked.text)]
    return corpus_of(marked, "text2text", documents, "token")


def _read_line(marked: MarkedText, begin: int, end: int) -> RawDocument:
    words: list[str] = []
    mentions: list[RawMention] = []
    opened: dict[str, list[tuple[int, int]]] = {}
    for word in _WORD.finditer(marked.text, begin, end):
        form, bar, marks = word[0].partition("|")
        words.append(form.replace("_", " ") if form.strip("_") else form)
        if not bar:
            continue
        if "|" in marks:
            marked.tell("annotation-shape", word.start(), "word|[e1,e2]", "two-bars")
            marks = marks.partition("|")[0]
        mentions += _read_marks(marked, opened, marks, word.start(), len(words) - 1)
    for place in sorted(place for places in opened.values() for place, _ in places):
        marked.unclosed(place)
    return RawDocument(None, mentions, marked.line(begin), words=words)


def _read_marks(
    marked: MarkedText, opened: dict[str, list[tuple[int, int]]], marks: str, place: int, at: int
) -> Iterator[RawMention]:
    """Take the marks of a word, first those that open; the mentions that others close."""
    closing = []
    for mark in marks.split(","):
        if not _MARK.fullmatch(mark) or (mark[0] != "[" and mark[-1] != "]"):
            if mark.strip("[]"):
                marked.tell("annotation-shape", place, "[e1, e1] or [e1]", "mark")
            else:
                marked.nameless(place, "[e1, e1] or [e1]")
            continue
        if mark[0] == "[":
            opened.setdefault(mark.strip("[]"), []).append((place, at))
        if mark[-1] == "]":
            closing.append(mark.strip("[]"))
    for entity in closing:
        if opened.get(entity):
            start, first = opened[entity].pop()
            yield RawMention(first, at, entity, marked.line(start))
        else:
            marked.unopened(place)


def write_text2text(corpus: Corpus, path: str) -> WrittenFiles:
    """One line a document, names and sentences left out; empty nodes that are mentions are `##`."""
    plain, incidents = reduce(corpus, frozenset({"zeros"}))
    rows = plain.rows_of_documents(plain.text_order)
    lines = [
        _line(plain, content.words, own.tolist())
        for content, own in zip(contents(plain), rows, strict=True)
    ]
    said = [line for line in lines if line.strip()]
    incidents += empty_documents(len(lines) - len(said))
    return WrittenFiles({path: "".join(said).encode("utf-8", "replace")}, incidents)


def _line(corpus: Corpus, words: list[str], rows: list[int]) -> str:
    """One document; mentions come longest first, so openings are nested."""
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
    """Empty nodes stand behind their token; all before the first token of the next sentence."""
    token, zero = node
    return token, int(zero > BEFORE_SENTENCE), zero


def _form(word: str) -> str:
    if "|" in word or word.startswith(EMPTY_NODE):
        expected = f"words without | that do not begin with {EMPTY_NODE}"
        raise data_error("annotation-shape", "word", found=quote(word), expected=expected)
    return "_".join(word.split()) or "_"
