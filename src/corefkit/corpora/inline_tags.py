"""Inline SGML, as OntoNotes writes names and coreference: one sentence per line, tags around words.

Tags must nest, but mentions need not. A mention that crosses another one is written as an empty
element with the number of its tokens, `<COREF ID="7" TYPE="IDENT" TOKENS="3"/>`, which other
readers can skip.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from corefkit.core.names import join_name, split_name
from corefkit.corpora.trees import LabelledSpan, LineError

_PIECE = re.compile(r"<(/?)(\w+)((?:\s+[\w-]+=\"[^\"]*\")*)\s*(/?)>|([^ \t\r\n<>]+)|(\n)|([<>])")
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", " ": "&#32;", "\r": "&#13;"}
_ESCAPED = re.compile("|".join(_ESCAPES.values()))
_PLAIN = {escaped: plain for plain, escaped in _ESCAPES.items()}

KINDS = {"ENAMEX": "TYPE", "COREF": "ID"}
"""The elements around words, and the attribute that is the label of the span."""


@dataclass
class InlineDocument:
    """A document of a layer.

    Attributes:
        name: its name.
        sentences: the words of each sentence.
        spans: the labelled spans; they count the words of the document from 0, both ends included.
        ignored: the mentions left out: the line, and the type, or "" for parts of words.
    """

    name: str
    sentences: list[list[str]] = field(default_factory=list)
    spans: list[LabelledSpan] = field(default_factory=list)
    ignored: list[tuple[int, str]] = field(default_factory=list)


def write_inline(
    name: str, sentences: Sequence[Sequence[str]], spans: Iterable[LabelledSpan], kind: str
) -> Iterator[str]:
    """The lines of one document, each with its line end."""
    opens, closes, crossing = nested(spans)
    head, foot = _frame(name, kind)
    yield head
    number = 0
    for sentence in sentences:
        words = []
        for word in sentence:
            tags = [_tag(kind, span) for span in opens.get(number, ())]
            tags += [_tag(kind, span, empty=True) for span in crossing.get(number, ())]
            ends = f"</{kind}>" * len(closes.get(number, ()))
            words.append("".join(tags) + escape(word) + ends)
            number += 1
        yield " ".join(words) + "\n"
    yield foot


def read_inline(text: str, kind: str) -> list[InlineDocument]:
    """The documents of a layer; LineError names the line where it is broken.

    As in the CoNLL tasks, mentions of types other than IDENT and mentions of parts of words are
    left out; they are listed in `ignored`.
    """
    reader = _InlineReader(kind)
    line = 1
    for match in _PIECE.finditer(text):
        closing, name, attributes, empty, word, newline, stray = match.groups()
        if newline:
            reader.end_line()
            line += 1
        elif stray:
            raise LineError(line, "stray", sign=stray, escaped=_ESCAPES[stray])
        elif word:
            reader.word(unescape(word), line)
        else:
            values = {n: unescape(v) for n, v in _ATTRIBUTE.findall(attributes or "")}
            reader.tag(name, values, bool(closing), bool(empty), line)
    return reader.finish()


class _InlineReader:
    """Assembles documents from words, tags and line ends."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._documents: list[InlineDocument] = []
        self._id: str | None = None
        self._number = 0
        self._line: list[str] = []
        self._open: list[tuple[int, dict[str, str], int]] = []

    def word(self, word: str, line: int) -> None:
        self._document(line)
        self._line.append(word)
        self._number += 1

    def end_line(self) -> None:
        if self._line:
            self._documents[-1].sentences.append(self._line)
            self._line = []

    def tag(self, name: str, values: dict[str, str], closing: bool, empty: bool, line: int) -> None:
        if name in ("DOC", "TEXT"):
            self._begin_or_end(name, values, closing, line)
        elif name != self._kind:
            raise LineError(line, "element", name=name, tag=self._kind)
        elif closing:
            if not self._open:
                raise LineError(line, "unopened", tag=name)
            start, opened, _ = self._open.pop()
            self._add(start, self._number - 1, opened, line)
        elif empty:
            tokens = values.get("TOKENS", "1")
            number = int(tokens) if tokens.isdecimal() and len(tokens) < 10 else 1
            last = self._number + number - 1
            self._add(self._number, last, values, line)
        else:
            self._open.append((self._number, values, line))

    def finish(self) -> list[InlineDocument]:
        self.end_line()
        self._check_closed()
        for document in self._documents:
            document.spans.sort(key=lambda span: (span.start, -span.end))
        return self._documents

    def _begin_or_end(self, name: str, values: dict[str, str], closing: bool, line: int) -> None:
        self.end_line()
        self._check_closed()
        if name == "DOC" and not closing:
            # OntoNotes adds file, source, genre, language and collection after the id.
            number = values.get("DOCNO", "")
            self._id = number.split("@")[0] if number.count("@") > 3 else number
        if self._id is None:
            raise LineError(line, "no-document")
        if not closing and (name == "TEXT" or self._kind == "ENAMEX"):
            self._documents.append(InlineDocument(join_name(self._id, values.get("PARTNO"))))
            self._number = 0

    def _check_closed(self) -> None:
        if self._open:
            raise LineError(self._open[-1][2], "unclosed", tag=self._kind)

    def _document(self, line: int) -> InlineDocument:
        if not self._documents:
            raise LineError(line, "outside-document")
        return self._documents[-1]

    def _add(self, first: int, last: int, values: dict[str, str], line: int) -> None:
        document = self._document(line)
        label = values.get(KINDS[self._kind])
        if label is None:
            raise LineError(line, "attribute", tag=self._kind, name=KINDS[self._kind])
        if last < first:
            raise LineError(line, "no-word", tag=self._kind)
        if self._kind == "COREF" and values.get("TYPE", "IDENT") != "IDENT":
            document.ignored.append((line, values["TYPE"]))
        elif "S_OFF" in values or "E_OFF" in values:
            document.ignored.append((line, ""))
        else:
            document.spans.append(LabelledSpan(first, last, label))


def escape(text: str) -> str:
    """Text escaped for use between tags.

    >>> escape("AT&T"), unescape(escape("AT&T"))
    ('AT&amp;T', 'AT&T')
    """
    return "".join(_ESCAPES.get(c, c) for c in text) if re.search('[&<>" \r]', text) else text


def unescape(text: str) -> str:
    """The inverse of `escape`."""
    return _ESCAPED.sub(lambda match: _PLAIN[match[0]], text) if "&" in text else text


_SpansByWord = dict[int, list[LabelledSpan]]


def nested(spans: Iterable[LabelledSpan]) -> tuple[_SpansByWord, _SpansByWord, _SpansByWord]:
    """The spans that open at each word (outer first), those that close (inner first), and those
    that begin there but cross an open one. Without the last, tags in HTML and SGML nest.
    """
    opens, closes, crossing = _SpansByWord(), _SpansByWord(), _SpansByWord()
    ends: list[int] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        while ends and ends[-1] < span.start:
            ends.pop()
        if ends and ends[-1] < span.end:
            crossing.setdefault(span.start, []).append(span)
            continue
        ends.append(span.end)
        opens.setdefault(span.start, []).append(span)
        closes.setdefault(span.end, []).insert(0, span)
    return opens, closes, crossing


def _tag(kind: str, span: LabelledSpan, empty: bool = False) -> str:
    attributes = f'{KINDS[kind]}="{escape(span.label)}"'
    if kind == "COREF":
        attributes += ' TYPE="IDENT"'
    if empty:
        return f'<{kind} {attributes} TOKENS="{span.end - span.start + 1}"/>'
    return f"<{kind} {attributes}>"


def _frame(name: str, kind: str) -> tuple[str, str]:
    """The lines before and after a document.

    The name layer of OntoNotes has no parts; for it, PARTNO is added to DOC.
    """

    identity, part = split_name(name)
    number = f' PARTNO="{part}"' if part is not None else ""
    if part is None:
        identity = name
    if kind == "ENAMEX":
        return f'<DOC DOCNO="{escape(identity)}"{number}>\n', "</DOC>\n"
    return f'<DOC DOCNO="{escape(identity)}">\n<TEXT{number}>\n', "</TEXT>\n</DOC>\n"
