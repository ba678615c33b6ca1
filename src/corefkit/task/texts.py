"""Passages of the keys with their mentions, for the page of a task."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corefkit.data.columns import MASKS
from corefkit.data.corpus import Corpus
from corefkit.formats.conll.reader import token_lines
from corefkit.render.pages.texts import is_right_to_left

_UNSPACED = {"zh", "ja", "th", "lo", "km", "my"}
"""Languages that are written without blanks between words."""


@dataclass(frozen=True)
class ShownToken:
    """A word and the entities whose mentions begin (outer first) and end (inner first) with it."""

    word: str
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Passage:
    """A document, or as much of it as fits: sentences of tokens."""

    document: str
    sentences: tuple[tuple[ShownToken, ...], ...]


def passages(corpus: Corpus, most: int) -> Iterator[Passage]:
    """The first documents of a corpus that was read from files, up to `most` tokens.

    None where the words are masked or there is no column for them, and none of other formats
    than CoNLL.
    """
    left = most
    for number, name in enumerate(corpus.names):
        where = corpus.document_bytes(number)
        if where is None or left <= 0:
            return
        source, begin, end = where
        if source.format.name != "conll":
            return
        lines = list(token_lines(source.data, begin, end))
        unlike = any(len(line.fields) < 5 for line in lines)
        if unlike or all(line.fields[3] in MASKS for line in lines):
            return
        opens, closes = _brackets(corpus, number)
        sentences: list[list[ShownToken]] = []
        for place, line in enumerate(lines):
            if line.begins_sentence and (left <= 0 or not sentences or sentences[-1]):
                if left <= 0:
                    break
                sentences.append([])
            brackets = tuple(opens.get(place, ())), tuple(closes.get(place, ()))
            sentences[-1].append(ShownToken(line.fields[3], *brackets))
            left -= 1
        yield Passage(name, tuple(map(tuple, sentences)))


def _brackets(corpus: Corpus, document: int) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Where mentions begin and end; one that crosses another is left out, for HTML must nest."""
    rows = corpus.text_order[corpus.document[corpus.text_order] == document].tolist()
    opens: dict[int, list[str]] = {}
    closes: dict[int, list[str]] = {}
    ends: list[int] = []
    for row in rows:
        start, end = int(corpus.start[row]), int(corpus.end[row])
        while ends and ends[-1] < start:
            ends.pop()
        if ends and end > ends[-1]:
            continue
        ends.append(end)
        label = corpus.labels[int(corpus.entity[row])]
        opens.setdefault(start, []).append(label)
        closes.setdefault(end, []).insert(0, label)
    return opens, closes


def direction(passages: Sequence[Passage]) -> str:
    """ "rtl" where most letters are written from right to left, else "ltr".

    >>> direction([Passage("", ((ShownToken("البلدية"),),))])
    'rtl'
    """
    words = [token.word for p in passages for sentence in p.sentences for token in sentence]
    return "rtl" if is_right_to_left(words) else "ltr"


def separator(code: str) -> str:
    """What stands between words in a language."""
    return "" if code.split("-", maxsplit=1)[0] in _UNSPACED else " "
