"""From texts with marks around mentions to a Corpus.

Markdown links, tags, SACR and the brackets of WinoBias mark spans of characters; the output of
sequence models and the texts of the CRAC tasks mark words. What they share comes first: a text with
marks, some of which may be broken, and marks that nest.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector, Incident, Place
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, make_corpus
from corefkit.formats.kit.draft import Draft, Run
from corefkit.formats.kit.reading import settle_answers
from corefkit.formats.kit.text import with_empty_nodes
from corefkit.formats.registry import get_format


class MarkedText:
    """The text of a file with its marks, and a collector for their problems."""

    def __init__(self, data: bytes, path: str, reading: Reading) -> None:
        self.text = data.decode("utf-8-sig", "replace")
        self.data = data
        self.collector = Collector(path)
        self.reading = reading
        self._lines = [i for i, c in enumerate(self.text) if c == "\n"] if data else []

    def line(self, offset: int) -> int:
        """The line of a character, from 1."""
        return bisect_right(self._lines, offset - 1) + 1

    def take_incidents(self) -> list[Incident]:
        """The incidents since the last call, which are removed from the collector."""
        incidents, self.collector = list(self.collector), Collector(self.collector.file)
        return incidents

    def note(self, kind: str, offset: int, expected: str, variant: str = "") -> None:
        """Note an incident at a character: a warning if the reading is lenient, else an error."""
        severity = "warning" if self.reading.get("lenient") else "error"
        where = partial(self._place, offset)
        self.collector.note(kind, variant, where, severity=severity, expected=expected)

    def _place(self, offset: int) -> Place:
        line = self.line(offset)
        begin = self._lines[line - 2] + 1 if line > 1 else 0
        found = quote(self.text[offset : offset + 80].partition("\n")[0], 40)
        return Place(line=line, column=offset - begin + 1, found=found)

    def unclosed(self, offset: int) -> None:
        """Report a mark that is never closed."""
        self.note("tag-unclosed", offset, "a mark that closes it")

    def unopened(self, offset: int) -> None:
        """Report a closing mark that was never opened."""
        self.note("tag-unopened", offset, "a mark before it that opens")

    def nameless(self, offset: int, expected: str) -> None:
        """Report a mention without an id."""
        self.note("entity-missing", offset, expected)


def filled_lines(text: str) -> Iterator[tuple[int, int]]:
    """The first character and the end of each line that is not blank."""
    begin = 0
    for line in text.split("\n"):
        if line.strip():
            yield begin, begin + len(line)
        begin += len(line) + 1


class MarkedDraft(Draft):
    """A document whose mentions are between marks, of which the one opened last is closed first.

    Marks of different kinds need not nest. Its text or its words are known when all are closed.
    """

    def __init__(self, marked: MarkedText, begin: int, unit: Unit) -> None:
        super().__init__(None, marked.collector, marked.line(begin), unit=unit)
        self._marked = marked
        self._open = defaultdict[str, list[tuple[int, int, str | None]]](list)

    def open(self, offset: int, at: int, entity: str | None = None, kind: str = "") -> None:
        """Open a mark; `offset` is in the file, `at` in the text without marks."""
        self._open[kind].append((offset, at, entity))

    def close(
        self, offset: int, at: int, entity: str | None, expected: str, kind: str = ""
    ) -> None:
        """Close a mark; without an entity, the one given at its opening counts."""
        if not self._open[kind]:
            self._marked.unopened(offset)
            return
        opened, begin, named = self._open[kind].pop()
        if not (entity or named):
            self._marked.nameless(opened, expected)
        else:
            id, line = (opened, len(self)), self._marked.line(opened)
            self.mention(id, [(begin, at)], line, entity=str(entity or named))

    def _note_place(
        self, kind: str, id: Hashable, runs: Sequence[Run], line: int | None, shown: str
    ) -> None:
        """Report a mention without text."""
        assert isinstance(id, tuple)
        self._marked.note(kind, id[0], "text between the marks", "mark")

    def finish(self, text: str | None = None, words: Sequence[str] | None = None) -> RawDocument:
        """The document with its text or its words; marks that are still open are reported."""
        for offset in sorted(offset for opened in self._open.values() for offset, *_ in opened):
            self._marked.unclosed(offset)
        self.text, self.words = text, words
        return self.document()


def corpus_of(
    marked: MarkedText, format: str, documents: Iterable[RawDocument], unit: Unit
) -> Corpus:
    """The corpus of a file; words that begin with ## are empty nodes, not tokens.

    Among several answers of language models, broken ones lose their mentions, see
    `settle_answers`.
    """
    if not get_format(format).answers:
        made = [_in_order(document) for document in documents]
        return make_corpus(format, marked.data, made, marked.collector, unit)
    answers = ((_in_order(document), marked.take_incidents()) for document in documents)
    collector = Collector(marked.collector.file)
    return make_corpus(
        format, marked.data, settle_answers(answers, marked.reading, collector), collector, unit
    )


def _in_order(document: RawDocument) -> RawDocument:
    """The document as one sentence, with its mentions in text order."""
    mentions = sorted(document.mentions, key=lambda m: (m.start, -m.end))
    lengths = [len(document.words or ())]
    return with_empty_nodes(replace(document, mentions=mentions, lengths=lengths))


_MARKDOWN = re.compile(r"\\([\[\]\\])|\[|\](?:\(#([^\s()]{0,500})\))?")
_TAG = re.compile(r"<coref(?=[\s>])([^<>]{0,2000})>|</coref\s{0,100}>|&(lt|gt|amp);")
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]+)\s{0,100}=\s{0,100}(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))"""
)
_PLAIN = {"lt": "<", "gt": ">", "amp": "&"}
_PROPERTY = r'[^\s:={},"]{1,500}="(?:[^"\\\n]|\\.)*"'
_SACR = re.compile(rf"\{{(?:([^\s:{{}}]{{1,500}})(?::(?:{_PROPERTY},?)*)?\s)?|\}}")
_METADATA = re.compile(r"#[^\n]*(?:\n|\Z)")
_WINOBIAS = re.compile(r"[\[\]()]")
_NUMBER = re.compile(r"\s*(?:(\d{1,9})\s)?\s*")

_Step = Callable[[re.Match[str], MarkedDraft, int], str]


def _read(
    marked: MarkedText,
    pattern: re.Pattern[str],
    step: _Step,
    begin: int = 0,
    end: int | None = None,
) -> RawDocument:
    """The document without its marks, from a character of the file to another.

    `step` gets each mark and its place in the text without marks; it opens or closes a mention, and
    returns the text that replaces the mark.
    """
    draft = MarkedDraft(marked, begin, "character")
    pieces: list[str] = []
    size, last, end = 0, begin, len(marked.text) if end is None else end
    for mark in pattern.finditer(marked.text, begin, end):
        pieces.append(marked.text[last : mark.start()])
        size += mark.start() - last
        text = step(mark, draft, size)
        pieces.append(text)
        size += len(text)
        last = mark.end()
    return draft.finish("".join((*pieces, marked.text[last:end])))


def _trimmed(document: RawDocument, name: str) -> RawDocument:
    """The document with a name, and without blanks around its text."""
    text = document.text or ""
    first, last = len(text) - len(text.lstrip()), len(text.strip()) - 1
    mentions = [
        m._replace(start=max(m.start - first, 0), end=min(m.end - first, last))
        for m in document.mentions
        if m.end >= first and m.start - first <= last
    ]
    return RawDocument(name, mentions, text=text.strip())


def parse_markdown(data: bytes, path: str, reading: Reading) -> Corpus:
    r"""Read `[[His](#3) lamp](#5)`; `\[`, `\]` and `\\` are characters of the text."""
    marked = MarkedText(data, path, reading)

    def step(mark: re.Match[str], draft: MarkedDraft, at: int) -> str:
        if mark[1]:
            return str(mark[1])
        if mark[0] == "[":
            draft.open(mark.start(), at)
        else:
            draft.close(mark.start(), at, mark[2], "(#1) after the ]")
        return ""

    return corpus_of(marked, "markdown", [_read(marked, _MARKDOWN, step)], "character")


def parse_tags(data: bytes, path: str, reading: Reading) -> Corpus:
    """Read `<coref id="1">she</coref>`."""
    marked = MarkedText(data, path, reading)

    def step(mark: re.Match[str], draft: MarkedDraft, at: int) -> str:
        if mark[2]:
            return _PLAIN[mark[2]]
        if mark[1] is None:
            draft.close(mark.start(), at, None, 'an attribute id="1"')
        else:
            draft.open(mark.start(), at, _id_in(mark[1]))
        return ""

    return corpus_of(marked, "tags", [_read(marked, _TAG, step)], "character")


def _id_in(attributes: str) -> str | None:
    """The value of the attribute `id`, not of `data-id` or of a value that looks like one."""
    for name, *values in _ATTRIBUTE.findall(attributes):
        if name == "id":
            return next(filter(None, values), "")
    return None


def parse_sacr(data: bytes, path: str, reading: Reading) -> Corpus:
    """Read `{Eagle:head="1" an Eagle {M3 in a trap}}`; lines that begin with # are metadata."""
    marked = MarkedText(data, path, reading)
    pattern = re.compile(rf"^{_METADATA.pattern}|{_SACR.pattern}", re.MULTILINE)

    def step(mark: re.Match[str], draft: MarkedDraft, at: int) -> str:
        if mark[0] == "}":
            draft.close(mark.start(), at, None, "a name after the {")
        elif mark[0].startswith("{"):
            draft.open(mark.start(), at, mark[1])
        return ""

    document = _trimmed(_read(marked, pattern, step), building.stem(path))
    return corpus_of(marked, "sacr", [document], "character")


def parse_winobias(data: bytes, path: str, reading: Reading) -> Corpus:
    """Read `[The pilot] thanked the cook because [she] saved (the ship).`, one per line."""
    marked = MarkedText(data, path, reading)

    def step(mark: re.Match[str], draft: MarkedDraft, at: int) -> str:
        kind = "[]" if mark[0] in "[]" else "()"
        if mark[0] == kind[0]:
            draft.open(mark.start(), at, kind, kind)
        else:
            draft.close(mark.start(), at, None, "", kind)
        return ""

    documents = [
        replace(_read(marked, _WINOBIAS, step, begin, end), name=name)
        for begin, end, name in _lines(marked.text)
    ]
    return corpus_of(marked, "winobias", documents, "character")


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """The begin and end of each line that is not blank, and its number as written or counted."""
    for position, (begin, end) in enumerate(filled_lines(text), 1):
        number = _NUMBER.match(text, begin, end)
        assert number
        yield number.end(), begin + len(text[begin:end].rstrip()), number[1] or str(position)


_SEQ2SEQ = re.compile(
    r"<m>|(?:\|\s{0,100}(\d{1,18})\s{0,100}|<c(\d{1,18})>\s{0,100})?</m(\d{0,18})>"
    r"|</?speaker>|</?sentence>"
)
_WORD = re.compile(r"\S+")
_MARK = re.compile(r"\[?e\w+\]?")


def parse_seq2seq(data: bytes, path: str, reading: Reading) -> Corpus:
    """Read `<m> the Kestrel | 1 </m> sank`.

    A file with a blank line in it is one document with several paragraphs; in any other file each
    line is a document.
    """
    marked = MarkedText(data, path, reading)
    documents = (_read_words(marked, *found) for found in _documents(marked.text))
    return corpus_of(marked, "seq2seq", documents, "token")


def _documents(text: str) -> Iterable[tuple[int, int]]:
    """The first character and the end of each document."""
    several = re.search(r"\n[^\S\n]*\n", text.strip())
    return [(0, len(text))] if several else filled_lines(text)


def _read_words(marked: MarkedText, begin: int, end: int) -> RawDocument:
    words: list[str] = []
    draft = MarkedDraft(marked, begin, "token")
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
            draft.open(mark.start(), len(words))
        elif "</m" in mark[0]:
            entity = mark[1] or mark[2] or mark[3]
            draft.close(mark.start(), len(words), entity, "| and a number before </m>")
    if speaker is not None:
        marked.unclosed(speaker)
    words += marked.text[last:end].split()
    return draft.finish(words=words)


def parse_text2text(data: bytes, path: str, reading: Reading) -> Corpus:
    """Read `Los|[e1 jugadores de el Espanyol|[e2],e1]`, one document per line."""
    marked = MarkedText(data, path, reading)
    documents = (_read_line(marked, *line) for line in filled_lines(marked.text))
    return corpus_of(marked, "text2text", documents, "token")


def _read_line(marked: MarkedText, begin: int, end: int) -> RawDocument:
    words: list[str] = []
    draft = MarkedDraft(marked, begin, "token")
    for word in _WORD.finditer(marked.text, begin, end):
        form, bar, marks = word[0].partition("|")
        words.append(form.replace("_", " ") if form.strip("_") else form)
        if not bar:
            continue
        if "|" in marks:
            marked.note("annotation-shape", word.start(), "word|[e1,e2]", "two-bars")
            marks = marks.partition("|")[0]
        _read_marks(marked, draft, marks, word.start(), len(words) - 1)
    return draft.finish(words=words)


def _read_marks(marked: MarkedText, draft: MarkedDraft, marks: str, offset: int, at: int) -> None:
    """Open and close the marks of a word, openings first."""
    closing = []
    for mark in marks.split(","):
        if not _MARK.fullmatch(mark) or (mark[0] != "[" and mark[-1] != "]"):
            if mark.strip("[]"):
                marked.note("annotation-shape", offset, "[e1, e1] or [e1]", "mark")
            else:
                marked.nameless(offset, "[e1, e1] or [e1]")
            continue
        entity = mark.strip("[]")
        if mark[0] == "[":
            draft.open(offset, at, entity, entity)
        if mark[-1] == "]":
            closing.append(entity)
    for entity in closing:
        draft.close(offset, at + 1, entity, "", entity)
