"""What marked-up text becomes: documents, mentions, and incidents with their places."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Collector, Place
from corefkit.core.options import Reading
from corefkit.core.texts import quote
from corefkit.formats._kit.building import RawDocument, RawMention, make_corpus
from corefkit.formats._kit.text import nodes_of_words, span_of_nodes, without_empty


class MarkedText:
    """The text of a file with its marks, and what is wrong with them."""

    def __init__(self, data: bytes, path: str, reading: Reading) -> None:
        self.text = data.decode("utf-8-sig", "replace")
        self.data = data
        self.found = Collector(path)
        self._lenient = reading.lenient
        self._lines = [i for i, c in enumerate(self.text) if c == "\n"] if data else []

    def line(self, place: int) -> int:
        """The line of a character, from 1."""
        return bisect_right(self._lines, place - 1) + 1

    def tell(self, kind: str, place: int, expected: str, variant: str = "") -> None:
        """Add an incident: a warning where broken marks are dropped, else an error."""
        severity = "warning" if self._lenient else "error"
        where = partial(self._place, place)
        self.found.note(kind, variant, where, severity=severity, expected=expected)

    def _place(self, place: int) -> Place:
        line = self.line(place)
        begin = self._lines[line - 2] + 1 if line > 1 else 0
        found = quote(self.text[place : place + 80].partition("\n")[0], 40)
        return Place(line=line, column=place - begin + 1, found=found)

    def unclosed(self, place: int) -> None:
        """A mark is opened and not closed."""
        self.tell("tag-unclosed", place, "a mark that closes it")

    def unopened(self, place: int) -> None:
        """A mark is closed that is not open."""
        self.tell("tag-unopened", place, "a mark before it that opens")

    def nameless(self, place: int, expected: str) -> None:
        """A mention has no id."""
        self.tell("entity-missing", place, expected)

    def empty(self, place: int) -> None:
        """A mention has no text."""
        self.tell("span-empty", place, "text between the marks", "mark")


def filled_lines(text: str) -> Iterator[tuple[int, int]]:
    """Where the lines that are not blank begin and end."""
    begin = 0
    for line in text.split("\n"):
        if line.strip():
            yield begin, begin + len(line)
        begin += len(line) + 1


class NestedMarks:
    """Nested marks, of which the one opened last is closed first; makes the mentions."""

    def __init__(self, marked: MarkedText, mentions: list[RawMention]) -> None:
        self._marked, self._mentions = marked, mentions
        self._open: list[tuple[int, int, str | None]] = []

    def open(self, place: int, at: int, entity: str | None = None) -> None:
        """A mark opens at a place of the file, `at` a place of the text."""
        self._open.append((place, at, entity))

    def close(self, place: int, at: int, entity: str | None, expected: str) -> None:
        """A mark closes; without an entity the mention is one of the entity it was opened with."""
        if not self._open:
            self._marked.unopened(place)
            return
        opened, begin, named = self._open.pop()
        if not (entity or named):
            self._marked.nameless(opened, expected)
        elif begin == at:
            self._marked.empty(opened)
        else:
            line = self._marked.line(opened)
            self._mentions.append(RawMention(begin, at - 1, str(entity or named), line))

    def finish(self) -> None:
        """Tell what is still open."""
        for place, _, _ in self._open:
            self._marked.unclosed(place)
        self._open.clear()


def corpus_of(
    marked: MarkedText, format: str, documents: Iterable[RawDocument], unit: Unit
) -> Corpus:
    """The corpus of a file; words that begin with ## are empty nodes, not tokens."""
    made = [_with_empty_nodes(document) for document in documents]
    return make_corpus(format, marked.data, made, marked.found, unit)


def _with_empty_nodes(document: RawDocument) -> RawDocument:
    """The document as one sentence, its mentions in text order, on nodes if some are empty."""
    words = document.words or ()
    nodes = nodes_of_words(words)
    mentions = []
    for mention in sorted(document.mentions, key=lambda m: (m.start, -m.end)):
        if own := nodes[mention.start : mention.end + 1]:
            start, end, zero, listed = span_of_nodes(own)
            nodes_of = own if listed else ()
            mention = mention._replace(start=start, end=end, zero=zero, nodes=nodes_of)  # noqa: PLW2901
        mentions.append(mention)
    kept = without_empty(words)
    return replace(document, mentions=mentions, words=kept, lengths=[len(kept)])
