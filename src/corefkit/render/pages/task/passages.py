"""Passages of the keys with their mentions, for the page of a task."""

from collections.abc import Iterator

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.source import MASKS
from corefkit.core.texts import is_right_to_left
from corefkit.corpora.inline_tags import nested
from corefkit.corpora.trees import LabelledSpan
from corefkit.formats import format_of
from corefkit.formats.columns.lines import token_lines

_UNSPACED = {"zh", "ja", "th", "lo", "km", "my"}
"""Languages that are written without blanks between words."""


@frozen
class ShownToken:
    """A word and the entities whose mentions begin (outer first) and end (inner first) with it."""

    word: str
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()


@frozen
class Passage:
    """A document, or as much of it as fits: sentences of tokens."""

    document: str
    sentences: tuple[tuple[ShownToken, ...], ...]


@frozen
class KeyExcerpt:
    """The beginning of the key of a language: a heading, the code of the language, passages."""

    title: str
    code: str
    passages: tuple[Passage, ...]

    @property
    def direction(self) -> str:
        """ "rtl" where most letters are written from right to left, else "ltr".

        >>> KeyExcerpt("", "ar", (Passage("", ((ShownToken("البلدية"),),)),)).direction
        'rtl'
        """
        words = [t.word for p in self.passages for sentence in p.sentences for t in sentence]
        return "rtl" if is_right_to_left(words) else "ltr"

    @property
    def separator(self) -> str:
        """What stands between words in the language."""
        return "" if self.code.split("-", maxsplit=1)[0] in _UNSPACED else " "


def passages(corpus: Corpus, most: int) -> Iterator[Passage]:
    """The first documents of a corpus that was read from files, up to `most` tokens.

    None where the words are masked or there is no column for them, and none of other formats
    than CoNLL.
    """
    left = most
    for number, name in enumerate(corpus.names):
        where = corpus._document_bytes(number)
        if where is None or left <= 0:
            return
        source, begin, end = where
        if not format_of(source).columns:
            return
        lines = list(token_lines(source.data, begin, end))
        unlike = any(len(line.fields) < 5 for line in lines)
        if unlike or all(line.fields[3] in MASKS for line in lines):
            return
        opens, closes, _ = nested(_mentions(corpus, number))
        sentences: list[list[ShownToken]] = []
        for place, line in enumerate(lines):
            if line.begins_sentence and (left <= 0 or not sentences or sentences[-1]):
                if left <= 0:
                    break
                sentences.append([])
            labels = (tuple(s.label for s in at.get(place, ())) for at in (opens, closes))
            sentences[-1].append(ShownToken(line.fields[3], *labels))
            left -= 1
        yield Passage(name, tuple(map(tuple, sentences)))


def _mentions(corpus: Corpus, document: int) -> Iterator[LabelledSpan]:
    for row in np.flatnonzero(corpus.document == document).tolist():
        label = corpus.labels[int(corpus.entity[row])]
        yield LabelledSpan(int(corpus.start[row]), int(corpus.end[row]), label)
