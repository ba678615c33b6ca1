"""Texts with the mentions of key and response marked, and how a terminal shows them.

In a terminal, mentions are in brackets with the number of their entity: key entities are numbered
in the order of their first mentions; response entities have the number of the key entity that CEAF
aligns them with, or a letter. A sign after the number says what is wrong: see SIGNS.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, zip_longest
from typing import Literal

from corefkit.analysis.errors import DocumentErrors, Errors
from corefkit.analysis.marks import Mark, MarkedSpan, MentionMarks
from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError
from corefkit.core.style import style
from corefkit.core.texts import visible, width
from corefkit.core.tokens import EMPTY_NODE, Tokens
from corefkit.render.table import Colour
from corefkit.render.text import paint

TextLayout = Literal["interleaved", "side"]

SIGNS: Mapping[str, tuple[str, str, Colour]] = {
    "key": ("-", "not found", "red"),
    "response": ("+", "not in the key", "magenta"),
    "boundary": ("~", "wrong boundaries", "yellow"),
    "linked": ("!", "linked wrongly", "yellow"),
}
"""What is wrong with a mention, by its state: the sign, its meaning and its colour."""

_LONG = 5
"""The closing bracket of a mention with more tokens repeats the number."""
_TOKENS = 25
"""The number of tokens per line if sentences are not known."""


def sentence_starts(tokens: Tokens, document: int) -> list[int]:
    """The first token of each sentence of a document; every 25th token where these are unknown."""
    starts, token = [], 0
    size = int(tokens.corpus.tokens[document])
    while token < size:
        starts.append(token)
        known = tokens.sentence_of(document, token) is not None
        end = tokens.sentence_bounds(document, token)[1] if known else token + _TOKENS - 1
        token = max(token, end) + 1
    return starts


@frozen(eq=False)
class BracketedText:
    """The text of one document with the marks of key and response, for a terminal."""

    errors: Errors
    document: int

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The first and the last token of each sentence."""
        starts = sentence_starts(self.errors.details.texts, self.document)
        size = int(self.errors.joint.key.tokens[self.document])
        return [(first, stop - 1) for first, stop in pairwise([*starts, size])]

    @cached_property
    def _marks(self) -> MentionMarks:
        return MentionMarks(self.errors)

    @cached_property
    def _listed(self) -> list[Mark]:
        return self._marks.of(self.document)

    @cached_property
    def _labels(self) -> tuple[dict[int, str], dict[int, str]]:
        """The labels of the key's entities in this document, and those of the response's."""
        key, response = (
            dict.fromkeys(mark.entities[side] for mark in self._listed if mark.spans[side])
            for side in (0, 1)
        )
        key_labels = {entity: str(number) for number, entity in enumerate(key, 1)}
        aligned = {response: key for key, response in self._marks.aligned.items()}
        alone = [entity for entity in response if entity not in aligned]
        letters = {entity: _letters(number) for number, entity in enumerate(alone)}
        numbers = {entity: key_labels[aligned[entity]] for entity in response if entity in aligned}
        return key_labels, letters | numbers

    def words(self, side: int, first: int, last: int) -> list[tuple[str, Colour | None]]:
        """The words of the tokens `first` to `last`, and brackets, with colours; side 0 is the key.

        Opening brackets end, and closing ones begin, with \\0: lines are not broken there.
        """
        texts = self.errors.details.texts
        begins: dict[tuple[int, int], list[tuple[MarkedSpan, Mark]]] = {}
        ends: dict[tuple[int, int], list[tuple[MarkedSpan, Mark]]] = {}
        nodes = [(token, 0) for token in range(first, last + 1)]
        for mark in self._listed:
            if (span := mark.spans[side]) is None:
                continue
            begins.setdefault((span.start, span.zero), []).append((span, mark))
            ends.setdefault((span.end, span.zero), []).append((span, mark))
            outside = span.start < 0 and first == 0
            if span.zero and (first <= span.start <= last or outside):
                nodes.append((span.start, span.zero))
        listed: list[tuple[str, Colour | None]] = []
        for token, zero in sorted(set(nodes)):
            word = EMPTY_NODE if zero else " ".join(texts.words(self.document, token, token))
            opening = sorted(begins.get((token, zero), []), key=lambda item: -item[0].end)
            closing = sorted(ends.get((token, zero), []), key=lambda item: -item[0].start)
            for _, mark in opening:
                sign = SIGNS[mark.state][0] if mark.state in SIGNS else ""
                listed.append((f"[{self._label(mark, side)}{sign}\0", _colour(mark)))
            listed.append((visible(word), _colour(opening[-1][1]) if opening else None))
            for span, mark in closing:
                label = self._label(mark, side) if span.end - span.start >= _LONG else ""
                listed.append((f"\0]{label}", _colour(mark)))
        return listed

    def _label(self, mark: Mark, side: int) -> str:
        return self._labels[side][mark.entities[side]]


def _colour(mark: Mark) -> Colour | None:
    return SIGNS[mark.state][2] if mark.state in SIGNS else None


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
        texts = [BracketedText(errors, names.index(name)) for errors in systems]
        lines += [visible(name), ""]
        draw = _interleaved if layout == "interleaved" else _side_by_side
        lines += [*draw(texts, style().width), ""]
    signs = [f"{sign} {meaning}" for sign, meaning, _ in SIGNS.values()]
    lines.append("[1 …] a mention of entity 1; " + ", ".join(signs) + "; = both alike")
    return "\n".join(lines) + "\n"


def _interleaved(texts: Sequence[BracketedText], columns: int) -> Iterator[str]:
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


def _side_by_side(texts: Sequence[BracketedText], columns: int) -> Iterator[str]:
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
