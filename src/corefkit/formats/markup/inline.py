"""Marks around spans of characters: Markdown links, tags, SACR, the brackets of WinoBias."""

import re
from collections.abc import Callable, Iterator

from corefkit.core.corpus import Corpus
from corefkit.core.options import Reading
from corefkit.formats._kit import building
from corefkit.formats._kit.building import RawDocument, RawMention
from corefkit.formats.markup.marks import MarkedText, NestedMarks, corpus_of, filled_lines

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

_Step = Callable[[re.Match[str], NestedMarks, int], str]


def _read(marked: MarkedText, pattern: re.Pattern[str], step: _Step) -> RawDocument:
    """The document that is left when the marks are taken away.

    `step` gets each mark, and the place in the text where it stands; it returns the text that the
    mark stands for.
    """
    mentions: list[RawMention] = []
    stack = NestedMarks(marked, mentions)
    pieces: list[str] = []
    size = last = 0
    for mark in pattern.finditer(marked.text):
        pieces.append(marked.text[last : mark.start()])
        size += mark.start() - last
        text = step(mark, stack, size)
        pieces.append(text)
        size += len(text)
        last = mark.end()
    stack.finish()
    return RawDocument(None, mentions, text="".join((*pieces, marked.text[last:])))


def _trimmed(document: RawDocument, name: str) -> RawDocument:
    """The document, given a name, without blanks around its text."""
    text = document.text or ""
    first, last = len(text) - len(text.lstrip()), len(text.strip()) - 1
    mentions = [
        m._replace(start=max(m.start - first, 0), end=min(m.end - first, last))
        for m in document.mentions
        if m.end >= first and m.start - first <= last
    ]
    return RawDocument(name, mentions, text=text.strip())


def parse_markdown(data: bytes, path: str, reading: Reading) -> Corpus:
    r"""`[[His](#3) lamp](#5)`; `\[` and `\]` are brackets of the text, `\\` is a backslash."""
    marked = MarkedText(data, path, reading)

    def step(mark: re.Match[str], stack: NestedMarks, at: int) -> str:
        if mark[1]:
            return str(mark[1])
        if mark[0] == "[":
            stack.open(mark.start(), at)
        else:
            stack.close(mark.start(), at, mark[2], "(#1) behind the ]")
        return ""

    return corpus_of(marked, "markdown", [_read(marked, _MARKDOWN, step)], "character")


def parse_tags(data: bytes, path: str, reading: Reading) -> Corpus:
    """`<coref id="1">she</coref>`."""
    marked = MarkedText(data, path, reading)

    def step(mark: re.Match[str], stack: NestedMarks, at: int) -> str:
        if mark[2]:
            return _PLAIN[mark[2]]
        if mark[1] is None:
            stack.close(mark.start(), at, None, 'an attribute id="1"')
        else:
            stack.open(mark.start(), at, _id_in(mark[1]))
        return ""

    return corpus_of(marked, "tags", [_read(marked, _TAG, step)], "character")


def _id_in(attributes: str) -> str | None:
    """The value of the attribute `id`, not of `data-id` nor of a text that looks like one."""
    for name, *values in _ATTRIBUTE.findall(attributes):
        if name == "id":
            return next(filter(None, values), "")
    return None


def parse_sacr(data: bytes, path: str, reading: Reading) -> Corpus:
    """`{Eagle:head="1" an Eagle {M3 in a trap}}`; lines that begin with # are metadata."""
    marked = MarkedText(data, path, reading)
    pattern = re.compile(rf"^{_METADATA.pattern}|{_SACR.pattern}", re.MULTILINE)

    def step(mark: re.Match[str], stack: NestedMarks, at: int) -> str:
        if mark[0] == "}":
            stack.close(mark.start(), at, None, "a name behind the {")
        elif mark[0].startswith("{"):
            stack.open(mark.start(), at, mark[1])
        return ""

    document = _trimmed(_read(marked, pattern, step), building.stem(path))
    return corpus_of(marked, "sacr", [document], "character")


def parse_winobias(data: bytes, path: str, reading: Reading) -> Corpus:
    """`[The pilot] thanked the cook because [she] saved (the ship).` and so on, one a line."""
    marked = MarkedText(data, path, reading)
    documents = [_sentence(marked, *place) for place in _lines(marked.text)]
    return corpus_of(marked, "winobias", documents, "character")


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Where the lines that are not blank begin and end, and their numbers or places."""
    for position, (begin, end) in enumerate(filled_lines(text), 1):
        number = _NUMBER.match(text, begin, end)
        assert number
        yield number.end(), begin + len(text[begin:end].rstrip()), number[1] or str(position)


def _sentence(marked: MarkedText, begin: int, end: int, name: str) -> RawDocument:
    mentions: list[RawMention] = []
    stacks = {"[]": NestedMarks(marked, mentions), "()": NestedMarks(marked, mentions)}
    pieces: list[str] = []
    size, last = 0, begin
    for mark in _WINOBIAS.finditer(marked.text, begin, end):
        pieces.append(marked.text[last : mark.start()])
        size += mark.start() - last
        last = mark.end()
        kind = next(kind for kind in stacks if mark[0] in kind)
        if mark[0] == kind[0]:
            stacks[kind].open(mark.start(), size, kind)
        else:
            stacks[kind].close(mark.start(), size, None, "")
    for stack in stacks.values():
        stack.finish()
    text = "".join((*pieces, marked.text[last:end]))
    return RawDocument(name, mentions, marked.line(begin), text)
