"""The text of a document with the mentions of key and response marked, for terminals and issues.

Mentions are in brackets with the number of their entity: key entities are numbered in the order of
their first mentions; response entities have the number of the key entity that CEAF aligns them
with, or a letter. A sign after the number says what is wrong: see SIGNS.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np

from corefkit.analysis.errors import DocumentErrors, Errors
from corefkit.analysis.joint import Joint
from corefkit.analysis.types import ErrorType
from corefkit.core.arrays import IntArray, ranks_of, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.directed import tabulate
from corefkit.core.nodes import zero_numbers
from corefkit.core.options import UsageError
from corefkit.core.style import style
from corefkit.core.texts import visible, width
from corefkit.core.tokens import EMPTY_NODE
from corefkit.metrics.counting import align_entities
from corefkit.metrics.partition import CEAFE
from corefkit.render.table import Colour
from corefkit.render.text import paint

TextLayout = Literal["interleaved", "side"]

SIGNS: Mapping[str, tuple[str, Colour]] = {
    "-": ("not found", "red"),
    "+": ("not in the key", "magenta"),
    "~": ("wrong boundaries", "yellow"),
    "!": ("linked wrongly", "yellow"),
}
"""What is wrong with a mention, and its colour."""

_LONG = 5
"""The closing bracket of a mention with more tokens repeats the number."""
_TOKENS = 25
"""The number of tokens per line if sentences are not known."""


class Mark(NamedTuple):
    """A mention: its first and last token, the number of its empty node or 0, label and sign."""

    start: int
    end: int
    zero: int
    label: str
    sign: str


@frozen(eq=False)
class MarkedSides:
    """One document of a response: its sentences, with the marks of key and response."""

    errors: Errors
    document: int

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The first and the last token of each sentence."""
        texts = self.errors.details.texts
        size = int(self.errors.joint.key.tokens[self.document])
        bounds = []
        token = 0
        while token < size:
            stop = min(token + _TOKENS, size) - 1
            if texts.sentence_of(self.document, token) is not None:
                _, stop = texts.sentence_bounds(self.document, token)
            bounds.append((token, max(stop, token)))
            token = bounds[-1][1] + 1
        return bounds

    @cached_property
    def marks(self) -> tuple[list[Mark], list[Mark]]:
        """The marks of the key's mentions, and those of the response's."""
        joint, linked_wrongly = self.errors.joint, wrongly_linked(self.errors)
        key_marks: list[Mark] = []
        response_marks: list[Mark] = []
        for row in np.flatnonzero(joint.document == self.document).tolist():
            key, response = int(joint.key_entity[row]), int(joint.response_entity[row])
            sign = "-" if response < 0 else "+" if key < 0 else ""
            sign = sign or ("~" if joint.wrong_span[row] else "!" if row in linked_wrongly else "")
            if key >= 0:
                key_marks.append(_mark(joint.corpus, row, self._labels[0][key], sign))
            if response >= 0:
                response_row = int(joint.response_row[row])
                label = self._labels[1][response]
                response_marks.append(_mark(joint.response, response_row, label, sign))
        return key_marks, response_marks

    @cached_property
    def _labels(self) -> tuple[dict[int, str], dict[int, str]]:
        """The labels of the key's entities in this document, and those of the response's."""
        joint = self.errors.joint
        rows = np.flatnonzero(joint.document == self.document)
        rows = rows[np.argsort(joint.rank[rows])]
        key, response = joint.key_entity[rows].tolist(), joint.response_entity[rows].tolist()
        key_labels = {e: str(n) for n, e in enumerate(dict.fromkeys(e for e in key if e >= 0), 1)}
        aligned = {response: key for key, response in aligned_entities(joint).items()}
        response_labels: dict[int, str] = {}
        unaligned = 0
        for entity in dict.fromkeys(e for e in response if e >= 0):
            if entity in aligned:
                response_labels[entity] = key_labels[aligned[entity]]
            else:
                response_labels[entity] = _letters(unaligned)
                unaligned += 1
        return key_labels, response_labels

    def words(self, side: int, first: int, last: int) -> list[tuple[str, Colour | None]]:
        """The words of the tokens `first` to `last`, and brackets, with colours; side 0 is the key.

        Opening brackets end, and closing ones begin, with \\0: lines are not broken there.
        """
        texts = self.errors.details.texts
        begins: dict[tuple[int, int], list[Mark]] = {}
        ends: dict[tuple[int, int], list[Mark]] = {}
        nodes = [(token, 0) for token in range(first, last + 1)]
        for mark in self.marks[side]:
            begins.setdefault((mark.start, mark.zero), []).append(mark)
            ends.setdefault((mark.end, mark.zero), []).append(mark)
            outside = mark.start < 0 and first == 0
            if mark.zero and (first <= mark.start <= last or outside):
                nodes.append((mark.start, mark.zero))
        listed: list[tuple[str, Colour | None]] = []
        for token, zero in sorted(set(nodes)):
            word = EMPTY_NODE if zero else " ".join(texts.words(self.document, token, token))
            opening = sorted(begins.get((token, zero), []), key=lambda mark: -mark.end)
            closing = sorted(ends.get((token, zero), []), key=lambda mark: -mark.start)
            listed += [(f"[{mark.label}{mark.sign}\0", _colour(mark)) for mark in opening]
            listed.append((visible(word), _colour(opening[-1]) if opening else None))
            for mark in closing:
                label = mark.label if mark.end - mark.start >= _LONG else ""
                listed.append((f"\0]{label}", _colour(mark)))
        return listed


def _mark(corpus: Corpus, row: int, label: str, sign: str) -> Mark:
    zero = int(zero_numbers(corpus)[row]) if corpus.zero is not None else 0
    return Mark(int(corpus.start[row]), int(corpus.end[row]), zero, label, sign)


def _colour(mark: Mark) -> Colour | None:
    return SIGNS[mark.sign][1] if mark.sign else None


def wrongly_linked(errors: Errors) -> set[int]:
    """The mentions, as rows of the Joint, that are part of a divided or conflated error."""
    table = errors.table
    link_errors = np.isin(table.type[table.error], (ErrorType.CONFLATED, ErrorType.DIVIDED))
    return {*table.mention[link_errors].tolist()}


def aligned_entities(joint: Joint) -> dict[int, int]:
    """The response entity that CEAF aligns with each key entity that has one.

    Ties are decided by the order of first mentions, whatever the ids.
    """
    shared = np.flatnonzero((joint.key_entity >= 0) & (joint.response_row >= 0))
    rows = shared, joint.response_row[shared]
    orders, sides, found = [], [], []
    for corpus, matched in zip((joint.key, joint.response), rows, strict=True):
        order = _by_first_mention(corpus)
        orders.append(order)
        sides.append((corpus.entity_document[order], corpus.entity_size[order]))
        found.append(ranks_of(order)[corpus.entity[matched]])
    table = tabulate(len(joint.key.names), sides[0], sides[1], *found)
    best = table.take(align_entities(table, CEAFE))
    return dict(tuples(orders[0][best.row], orders[1][best.column]))


def _by_first_mention(corpus: Corpus) -> IntArray:
    """The entities in the order of their first mentions."""
    order = corpus.text_order
    _, first = np.unique(corpus.entity[order], return_index=True)
    return corpus.entity[order][np.sort(first)]


def _letters(number: int) -> str:
    """The label with a number, from 0: a, b, … z, aa, ab, …

    >>> [_letters(number) for number in (0, 25, 26)]
    ['a', 'z', 'aa']
    """
    letter = chr(ord("a") + number % 26)
    return letter if number < 26 else _letters(number // 26 - 1) + letter


def render_marked_text(
    systems: Sequence[Errors],
    documents: Sequence[str] = (),
    layout: TextLayout = "interleaved",
) -> str:
    """The marked text of the named documents, or else of the document that loses most.

    Interleaved, each sentence of the key is followed by that of each response, unless all mark it
    in the same way. Side by side, the key is on the left and a response on the right.
    """
    first = systems[0]
    if not first.details.texts.has("word"):
        raise UsageError("marked text: the key has no words")
    names = first.joint.key.names
    losses = first.losses()
    chosen = documents or ([max(names, key=lambda name: losses[name])] if names else [])
    lines: list[str] = []
    for name in chosen:
        if name not in names:
            raise UsageError(f"document: the key has no {name!r}; names must match in full")
        texts = [MarkedSides(errors, names.index(name)) for errors in systems]
        lines += [visible(name), ""]
        draw = _interleaved if layout == "interleaved" else _side_by_side
        lines += [*draw(texts, style().width), ""]
    signs = [f"{sign} {meaning}" for sign, (meaning, _) in SIGNS.items()]
    lines.append("[1 …] a mention of entity 1; " + ", ".join(signs) + "; = both alike")
    return "\n".join(lines) + "\n"


def _interleaved(texts: Sequence[MarkedSides], columns: int) -> Iterator[str]:
    titles = ["key", *(visible(text.errors.name) for text in texts)]
    margin = max(map(width, titles)) + 2
    for first, last in texts[0].sentences:
        key = texts[0].words(0, first, last)
        plain = [word for word, _ in key]
        sides = [("key", key)]
        for title, text in zip(titles[1:], texts, strict=True):
            marked = text.words(1, first, last)
            same = [word for word, _ in marked] == plain
            sides.append((title, [("=", None)] if same else marked))
        if all(marked == [("=", None)] for _, marked in sides[1:]):
            sides = [("=", key)]
        for title, marked in sides:
            for number, line in enumerate(_wrapped(marked, columns - margin)):
                head = title if not number else ""
                yield head + " " * (margin - width(head)) + line[0]


def _side_by_side(texts: Sequence[MarkedSides], columns: int) -> Iterator[str]:
    half = max((columns - 3) // 2, 20)
    for number, text in enumerate(texts):
        yield from [""] * bool(number)
        yield f"{'key':<{half}} | {visible(text.errors.name)}"
        yield f"{'-' * half} | {'-' * half}"
        for first, last in text.sentences:
            sides = [_wrapped(text.words(side, first, last), half) for side in (0, 1)]
            for left, right in zip_longest(*sides, fillvalue=("", 0)):
                yield f"{left[0]}{' ' * (half - left[1])} | {right[0]}".rstrip()


def _wrapped(words: Sequence[tuple[str, Colour | None]], columns: int) -> list[tuple[str, int]]:
    """The words in lines of at most `columns` characters, each line with its width."""
    lines: list[tuple[str, int]] = [("", 0)]
    for text, text_width in _unbroken(words):
        line, line_width = lines[-1]
        if not line_width:
            lines[-1] = (text, text_width)
        elif line_width + 1 + text_width > columns:
            lines.append((text, text_width))
        else:
            lines[-1] = (f"{line} {text}", line_width + 1 + text_width)
    return lines


def _unbroken(words: Sequence[tuple[str, Colour | None]]) -> Iterator[tuple[str, int]]:
    """Each word with its brackets as one text, and the width of that text."""
    text, text_width, opened = "", 0, False
    for word, word_colour in words:
        plain = word.strip("\0")
        if text and not opened and not word.startswith("\0"):
            yield text, text_width
            text, text_width = "", 0
        gap = 1 if opened else 0
        text += " " * gap + paint(plain, word_colour)
        text_width += gap + width(plain)
        opened = word.endswith("\0")
    if text:
        yield text, text_width


def document_text(document: DocumentErrors) -> str:
    """The text that `print(errors.document(name))` shows."""
    return render_marked_text([document.errors], [document.name]).removesuffix("\n")
