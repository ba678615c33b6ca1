"""Minimum spans by parse trees, as MINA finds them (Moosavi et al. 2019).

The parse bits of a mention's tokens are read as lists of events. These make a tree of phrases and
*runs*, sequences of words in one phrase; a bracket whose partner is outside the mention has no
partner in its tree. The minimum of a mention are the runs nearest to the top that could be its
head. `with_match_classes` gives each mention a number, equal where minima are the same. Only tokens
of mentions are read.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, stretches, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, data_error
from corefkit.core.tokens import read_columns, read_columns_at, sentence_numbers

WORD, CLOSE = "*", ")"
_KINDS = ("", "NM", "NP", "NX", "QP", "VP")
"""The first two letters of phrases in which minima are searched for; "" is any other phrase."""
_EVENTS = (WORD, CLOSE, *_KINDS)
_IS_WORD, _CLOSES, _OPENS = range(3)
"""Events are indices into _EVENTS; a phrase of kind k opens with _OPENS + k."""
_VERBS = frozenset({_KINDS.index("VP")})
_NOMINAL = frozenset(map(_KINDS.index, ("NM", "NP")))
_NOUNS = frozenset(map(_KINDS.index, ("NM", "NP", "NX", "QP")))


class MinimumRun(NamedTuple):
    """A run of a minimum: its first and last token, and the token whose bit ends the run."""

    first: int
    last: int
    closed: int


class TokenKind(NamedTuple):
    """Everything about a token that minima depend on.

    Attributes:
        events: `*`, `)`, or the kind of a phrase that opens: the first two letters of its label if
            these are one of _KINDS, else "".
        good: whether a run with this token can be a head.
        plain: whether the word has letters only or digits only.
        kind: the first two letters of the word if these are one of _KINDS, else "".
    """

    events: tuple[str, ...]
    good: bool
    plain: bool
    kind: str


class BitEvents:
    """The parse bits of some tokens as one list of events, from which the tree of any span is cut.

    Words and whole phrases are skipped in one step, so that the time for a span depends on the
    width of the upper part of its tree, not on its tokens. The partner of a bracket depends only on
    what follows it, not on tokens outside the span, nor on tokens left out there.

    Attributes:
        event: each event, an index into _EVENTS.
        token: the token of each event.
        first: the first event of each token, and at the end the number of events.
        closing: for each event that opens a phrase, the one that closes it; the number of events
            where none does.
        next_bracket: for each event, the next one, or itself, that is not a word.
        good, plain: how many good, and plain, words there are before each event.
        word_kind: the kind of each token's word, an index into _KINDS.
    """

    def __init__(self, kinds: Sequence[TokenKind], code: IntArray) -> None:
        """`code`, int64 (tokens,), are indices into `kinds`."""
        listed = [list(map(_EVENTS.index, kind.events)) for kind in kinds]
        number = np.array([len(events) for events in listed], dtype=np.int64)
        flat = np.array([event for events in listed for event in events], dtype=np.int64)
        length = number[code]
        event = flat[stretches((np.cumsum(number) - number)[code], length)]
        token = np.repeat(np.arange(len(code)), length)
        is_word = event == _IS_WORD
        self.event: list[int] = event.tolist()
        self.token: list[int] = token.tolist()
        self.first = [0, *np.cumsum(length).tolist()]
        bracket = np.flatnonzero(~is_word)
        following = np.append(bracket, len(event))
        self.next_bracket: list[int] = following[np.cumsum(~is_word) - ~is_word].tolist()
        self.closing: list[int] = _partners(event[bracket], following).tolist()

        def words_before(is_counted: Iterable[bool]) -> list[int]:
            counted = is_word & np.array([*is_counted], dtype=bool)[code][token]
            return [0, *np.cumsum(counted).tolist()]

        self.good: list[int] = words_before(kind.good for kind in kinds)
        self.plain: list[int] = words_before(kind.plain for kind in kinds)
        words = np.array([_KINDS.index(kind.kind) for kind in kinds], dtype=np.int64)
        self.word_kind: list[int] = words[code].tolist()


def _partners(event: IntArray, position: IntArray) -> IntArray:
    """For each event of a text, the one that closes the phrase that it opens, or their number.

    `event` has only brackets, `position` their positions among all events, and the number of
    these.
    """
    opens = event != _CLOSES
    depth = np.cumsum(np.where(opens, 1, -1))
    level = depth + ~opens
    # On one level, phrases open and close alternately.
    order = np.argsort(level, kind="stable")
    opening, closing = order[:-1], order[1:]
    paired = opens[opening] & (level[opening] == level[closing])
    partner = np.full(int(position[-1]), position[-1])
    partner[position[opening[paired]]] = position[closing[paired]]
    return partner


class SpanTree:
    """The tree of a span of tokens; a bracket whose partner is outside the span has no partner.

    A node is the place of its first event: a phrase that opens, or the first word of a run. Runs
    have children only where they are roots: the phrases that follow them.
    """

    def __init__(self, events: BitEvents, first: int, last: int) -> None:
        self._events, self._origin, self._last = events, first, last
        self._stop = events.first[last + 1]
        self._known: dict[int, list[int]] = {}

    def minimum(self) -> tuple[MinimumRun, ...] | None:
        """The runs of the minimum; None where it is the whole span."""
        roots = self._roots()
        if not roots:
            return None
        if len(roots) > 1:  # they become the children of a new noun phrase
            kind, children, is_run = _KINDS.index("NP"), roots, False
        else:
            (root,) = roots
            if self._is_good(root):
                return self._runs(roots)
            kind, children = self._kind(root), self._children(root)
            is_run = self._events.event[root] == _IS_WORD
        runs = self._good(children)
        if not runs:
            allowed = self._allowed(kind, children)
            below = [n for n in children if self._kind(n) in allowed and self._children(n)]
            if below:
                runs = [run for child in below for run in self._first_below(child, allowed)]
            elif not is_run:  # only phrases are expanded
                runs = self._first_anywhere(kind, children)
        return self._runs(runs) if runs else None

    def _roots(self) -> list[int]:
        """The nodes without a parent, in order."""
        events, stop = self._events, self._stop
        event, at = events.event, events.first[self._origin]
        roots: list[int] = []
        while at < stop:
            if event[at] == _CLOSES:
                at += 1
            elif event[at] != _IS_WORD:
                roots.append(at)
                at = events.closing[at] + 1
            else:
                run, at = at, min(events.next_bracket[at], stop)
                if at < stop and event[at] != _CLOSES:
                    if events.plain[at] == events.plain[run]:
                        continue
                    # The phrase after it is its child; so are all nodes up to a closing bracket.
                    self._known[run], at = self._nodes(at)
                roots.append(run)
                at += 1
        return roots

    def _nodes(self, at: int) -> tuple[list[int], int]:
        """The nodes from an event up to a closing bracket of none of them, and its place."""
        events, stop = self._events, self._stop
        event, nodes = events.event, list[int]()
        while at < stop and event[at] != _CLOSES:
            node = at
            if event[at] != _IS_WORD:
                at = events.closing[at] + 1
            else:
                at = min(events.next_bracket[at], stop)
                if at < stop and event[at] != _CLOSES and events.plain[at] == events.plain[node]:
                    continue
            nodes.append(node)
        return nodes, at

    def _children(self, node: int) -> list[int]:
        """The nodes directly below; they are found once."""
        if node not in self._known:
            is_run = self._events.event[node] == _IS_WORD
            self._known[node] = [] if is_run else self._nodes(node + 1)[0]
        return self._known[node]

    def _kind(self, node: int) -> int:
        event = self._events.event[node]
        return event - _OPENS if event else self._events.word_kind[self._events.token[node]]

    def _is_good(self, node: int) -> bool:
        """Whether a node is a run that could be a head."""
        events = self._events
        if events.event[node] != _IS_WORD:
            return False
        end = min(events.next_bracket[node], self._stop)
        return bool(events.good[end] > events.good[node])

    def _good(self, nodes: Iterable[int]) -> list[int]:
        return [node for node in nodes if self._is_good(node)]

    def _runs(self, nodes: Iterable[int]) -> tuple[MinimumRun, ...]:
        """The runs of these nodes, with tokens numbered from the start of the span."""
        token, origin = self._events.token, self._origin
        runs = []
        for node in nodes:
            end = min(self._events.next_bracket[node], self._stop)
            closed = token[end] if end < self._stop else self._last
            runs.append(MinimumRun(token[node] - origin, token[end - 1] - origin, closed - origin))
        return tuple(runs)

    def _allowed(self, kind: int, children: Iterable[int]) -> frozenset[int]:
        """The kinds of phrases in which the minimum is searched for below a root."""
        if kind in _VERBS:
            return _VERBS
        if kind in _NOMINAL:
            return _NOUNS
        kinds = {self._kind(child) for child in children}
        return _VERBS if kinds & _VERBS and not kinds & _NOMINAL else _NOUNS

    def _first_below(self, node: int, allowed: frozenset[int]) -> list[int]:
        """The good runs of the highest level below a node that has any, through allowed phrases."""
        level = [node]
        while level:
            children = [child for above in level for child in self._children(above)]
            if runs := self._good(children):
                return runs
            level = [child for child in self._phrases(children) if self._kind(child) in allowed]
        return []

    def _first_anywhere(self, kind: int, children: Sequence[int]) -> list[int]:
        """The good runs of the highest level that has any, below the children of the root.

        The first noun or verb phrase, from the root on, which is of this kind, decides through
        which kinds of phrases the search goes.
        """
        allowed = _kinds_like(kind)
        level = self._phrases(children)
        while level:
            runs: list[int] = []
            below: list[int] = []
            for node in level:
                kind = self._kind(node)
                allowed = allowed or _kinds_like(kind)
                if not allowed or kind in allowed:
                    below += self._phrases(self._children(node))
                    if allowed:
                        runs += self._good(self._children(node))
            if runs:
                return runs
            level = below
        return []

    def _phrases(self, nodes: Iterable[int]) -> list[int]:
        return [node for node in nodes if self._events.event[node] != _IS_WORD]


def _kinds_like(kind: int) -> frozenset[int] | None:
    """The kinds of phrases to search below a noun or verb phrase; None for other phrases."""
    if kind in _VERBS:
        return _VERBS
    return _NOUNS if kind in _NOMINAL else None


_FUNCTION_TAGS = frozenset({"CC", "DT", "IN"})
_BRACKETS = frozenset({"-LRB-", "-RRB-"})
_EVENT = re.compile(r"\([^()*]*|\*|\)")
_SHORT = 32
"""Minima of mentions of up to this many tokens are cached: longer ones hardly share a tree."""


def token_kind(bit: str, word: str, tag: str) -> TokenKind:
    """The kind of a token, from its parse bit, word and tag.

    >>> token_kind("(NP-SBJ(QP*", "20", "CD")
    TokenKind(events=('NP', 'QP', '*'), good=True, plain=True, kind='')
    """
    return TokenKind(_events(bit), _is_good(word) and tag not in _FUNCTION_TAGS, *_shape(word))


def _events(bit: str) -> tuple[str, ...]:
    return tuple(
        event if event in (WORD, CLOSE) else _kind("".join(filter(str.isalpha, event)))
        for event in _EVENT.findall(bit)
    )


def minimum(tokens: Sequence[TokenKind]) -> tuple[MinimumRun, ...] | None:
    """The minimum of a mention, with tokens numbered from 0; None where it is the whole mention.

    >>> bits, words = ["(NP(NP*", "*)", "(PP*", "(NP*)))"], ["the", "owner", "of", "Rome"]
    >>> minimum([token_kind(*pair, "NN") for pair in zip(bits, words)])
    (MinimumRun(first=0, last=1, closed=1),)
    """
    events = BitEvents(tokens, np.arange(len(tokens)))
    return SpanTree(events, 0, len(tokens) - 1).minimum()


def _is_good(word: str) -> bool:
    return word not in _BRACKETS and any(c.isalpha() or c.isdigit() or c == "%" for c in word)


def _shape(word: str) -> tuple[bool, str]:
    return word.isalpha() or word.isdigit(), _kind(word)


def _kind(label: str) -> str:
    return label[:2] if label[:2] in _KINDS else ""


class Minima:
    """Finds the minima of spans of tokens by the trees of a corpus, once per shape of a tree.

    Raises DataError where there are no trees.

    Attributes:
        tokens: the tokens that were read, numbered through the corpus: all of them, or those of
            the spans whose minima will be found.
        words: their words.
        sentence: the sentence of each token of the corpus.
    """

    def __init__(self, texts: Corpus, tokens: IntArray | None = None) -> None:
        self.tokens = np.arange(texts.tokens_in_all) if tokens is None else tokens
        self.words, tags, parse = read_columns_at(texts, self.tokens, "word", "pos", "parse")
        if not _has_trees(parse) and not _has_trees(read_columns(texts, "parse")[0]):
            path = texts.sources[0].path if texts.sources else None
            expected = "parse bits such as (NP* in column 6"
            raise data_error("column-missing", "no-trees", file=path, expected=expected)
        self.sentence = sentence_numbers(texts)
        self._index = np.zeros(len(self.sentence), dtype=np.int64)
        self._index[self.tokens] = np.arange(len(self.tokens))
        self._code, self._kinds = _token_kinds(parse, self.words, tags)
        # Brackets that close after the last word of a span do not change its minimum.
        bare = {kind: number for number, kind in enumerate(map(_without_end, self._kinds))}
        last = np.array([bare[_without_end(kind)] for kind in self._kinds], dtype=np.int64)
        # Slices of bytes can be keys of a dict; slices of arrays would have to be converted.
        self._bytes, self._last_bytes = self._code.tobytes(), last[self._code].tobytes()

    @cached_property
    def sentence_start(self) -> IntArray:
        """The first token of the sentence of each token; int64 (tokens of the corpus,)."""
        return np.searchsorted(self.sentence, self.sentence)

    def find(
        self, first: IntArray, last: IntArray
    ) -> tuple[IntArray, list[tuple[MinimumRun, ...] | None]]:
        """The minima of spans: int64 (spans,), indices into a list of minima, and this list.

        A minimum is a tuple of runs, with tokens numbered from the start of the span, or None where
        it is the whole span, as for every span over several sentences. Spans of at most _SHORT
        tokens with the same tree have the same index.
        """
        known: dict[bytes, int] = {}
        rows = np.flatnonzero(self.sentence[first] == self.sentence[last])
        begin, end = self._index[first[rows]], self._index[last[rows]]
        width, trees = self._code.itemsize, 1
        examples, listed = [], []
        for row, (a, b) in enumerate(tuples(begin, end)):
            number = trees
            if b - a < _SHORT:
                at = b * width
                shape = self._bytes[a * width : at] + self._last_bytes[at : at + width]
                number = known.setdefault(shape, number)
            if number == trees:
                examples.append(row)
                trees += 1
            listed.append(number)
        numbers = np.zeros(len(first), dtype=np.int64)
        numbers[rows] = listed
        return numbers, [None, *self._cut(begin[examples], end[examples])]

    def _cut(self, begin: IntArray, end: IntArray) -> Iterator[tuple[MinimumRun, ...] | None]:
        """The minima of spans, which are given as indices into `tokens`."""
        tokens = _covered(begin, end)
        index = np.zeros(len(self._code), dtype=np.int64)
        index[tokens] = np.arange(len(tokens))
        events = BitEvents(self._kinds, self._code[tokens])
        for first, last in tuples(index[begin], index[end]):
            yield SpanTree(events, first, last).minimum()


def _covered(first: IntArray, last: IntArray) -> IntArray:
    """The tokens that are in at least one span, in order.

    >>> _covered(np.array([7, 2, 3]), np.array([7, 4, 3])).tolist()
    [2, 3, 4, 7]
    """
    size = int(last.max(initial=-1)) + 2
    begun, ended = (np.bincount(token, minlength=size) for token in (first, last + 1))
    return np.flatnonzero(np.cumsum(begun - ended) > 0)


def _has_trees(parse: Column) -> bool:
    return not len(parse.code) or any("(" in bit for bit in parse.values)


def _without_end(kind: TokenKind) -> TokenKind:
    """The token without the closing brackets after its word."""
    events = kind.events
    while events[-1:] == (CLOSE,):
        events = events[:-1]
    return kind._replace(events=events)


def _token_kinds(parse: Column, words: Column, tags: Column) -> tuple[IntArray, list[TokenKind]]:
    """The kinds of tokens: int64 (tokens,), indices into the distinct kinds, and these."""
    good = np.array([_is_good(word) for word in words.values], dtype=bool)
    shapes = [_shape(word) for word in words.values]
    number: dict[tuple[bool, str], int] = {}
    shape = np.array([number.setdefault(s, len(number)) for s in shapes], dtype=np.int64)
    is_good = good[words.code] & ~tags.is_any(*_FUNCTION_TAGS)
    # Many bits have the same events, which makes more trees equal.
    bits: dict[tuple[str, ...], int] = {}
    bit_code = parse.numbers(lambda bit: bits.setdefault(_events(bit), len(bits)))
    codes = (bit_code * (len(number) + 1) + shape[words.code]) * 2 + is_good
    values, _, _, inverse = distinct(codes)
    listed, events = list(number), list(bits)
    kinds = []
    for value in values.tolist():
        bit_and_shape, token_is_good = divmod(value, 2)
        bit, word_shape = divmod(bit_and_shape, len(number) + 1)
        kinds.append(TokenKind(events[bit], bool(token_is_good), *listed[word_shape]))
    return inverse, kinds


@frozen(eq=False)
class _SpansOfSides:
    """The distinct spans of key and response, as tokens of the texts.

    A span that goes beyond the end of the key's document has no tree and matches nothing: it is
    left out.
    """

    sides: tuple[Corpus, Corpus]
    texts: Corpus

    @cached_property
    def reached(self) -> tuple[BoolArray, ...]:
        """For each side, whether the span of each mention is in its document; bool (mentions,)."""
        return tuple(side.end < self.texts.tokens[side.document] for side in self.sides)

    @cached_property
    def tokens(self) -> IntArray:
        """The tokens that are in at least one span, in order."""
        return _covered(self.first, self.last)

    @property
    def first(self) -> IntArray:
        """The first token of each span."""
        return self._distinct[0] // self._size

    @property
    def last(self) -> IntArray:
        """The last token of each span."""
        return self._distinct[0] % self._size

    @property
    def _size(self) -> int:
        return self.texts.tokens_in_all + 1

    @cached_property
    def _distinct(self) -> tuple[IntArray, IntArray]:
        """The distinct spans, one number each, and the index of each mention's span among them."""
        codes = []
        for side, reached in zip(self.sides, self.reached, strict=True):
            first = self.texts.first_token[side.document]
            codes.append(((first + side.start) * self._size + first + side.end)[reached])
        spans = distinct(np.concatenate(codes))
        return spans.values, spans.inverse

    def with_classes(self, key: IntArray, response: IntArray) -> tuple[Corpus, Corpus]:
        """Both sides with their match classes; given are those of the spans, for either side."""
        inverse = self._distinct[1]
        rows = np.split(inverse, [int(self.reached[0].sum())])
        completed = []
        for corpus, reached, classes, row in zip(
            self.sides, self.reached, (key, response), rows, strict=True
        ):
            match_class = -1 - np.arange(corpus.mentions)
            match_class[reached] = classes[row]
            completed.append(replace(corpus, match_class=match_class))
        return completed[0], completed[1]


def with_match_classes(key: Corpus, response: Corpus, texts: Corpus) -> tuple[Corpus, Corpus]:
    """Both sides with the column `match_class`: equal where minima are the same tokens.

    `texts` has the files of the key, whose trees give the minima of both sides.
    """
    spans = _SpansOfSides((key, response), texts)
    first, last = spans.first, spans.last
    numbers, minima = Minima(texts, spans.tokens).find(first, last)
    ranges = [_ranges(runs or ()) for runs in minima]
    # A minimum of one range is coded by its ends; minima of several are numbered one by one.
    parts = np.array([len(bounds) // 2 for bounds in ranges], dtype=np.int64)
    begin, end = (
        np.array([bounds[side] if len(bounds) == 2 else 0 for bounds in ranges], dtype=np.int64)
        for side in (0, 1)
    )
    whole = parts[numbers] == 0
    ends = first + begin[numbers], np.where(whole, last, first + end[numbers])
    codes = ends[0] * (int(last.max(initial=0)) + 1) + ends[1]
    numbered: dict[tuple[int, ...], int] = {}
    for row in np.flatnonzero(parts[numbers] > 1).tolist():
        start = int(first[row])
        bounds = tuple(start + offset for offset in ranges[numbers[row]])
        codes[row] = -1 - numbered.setdefault(bounds, len(numbered))
    classes = distinct(codes).inverse
    return spans.with_classes(classes, classes)


def with_coval_classes(
    key: Corpus, response: Corpus, texts: Corpus, response_texts: Corpus
) -> tuple[Corpus, Corpus]:
    """Like `with_match_classes`, but minima are compared as CoVal does.

    CoVal compares the texts of their runs and where these end. A mention that is its own minimum is
    identified by its sentence and its words, which are those of its own file (`response_texts` for
    the response).
    """
    spans = _SpansOfSides((key, response), texts)
    minima = Minima(texts, spans.tokens)
    numbers: dict[str, int] = {}
    words = np.zeros(len(minima.sentence), dtype=np.int64)
    words[minima.tokens] = _numbered(minima.words, numbers)
    words_of_sides = words, _words_of(response_texts, texts, words, numbers)

    def identity(first: int, last: int, runs: tuple[MinimumRun, ...] | None, side: int) -> Hashable:
        sentence = int(minima.sentence[first])
        if runs is None:
            return sentence, words_of_sides[side][first : last + 1].tobytes()
        shift = first - int(minima.sentence_start[first])
        located = {(first + a, first + b, index + shift) for a, b, index in runs}
        if all(a == b for a, b, _ in located):
            # Single words at 0, 1, 2 … equal a mention of these words that is its own minimum.
            ordered = sorted(located, key=itemgetter(2))
            if [index for _, _, index in ordered] == list(range(len(ordered))):
                return sentence, words[[token for token, _, _ in ordered]].tobytes()
        return sentence, frozenset((words[a : b + 1].tobytes(), index) for a, b, index in located)

    classes: dict[Hashable, int] = {}
    classes_of_sides: tuple[list[int], list[int]] = ([], [])
    minimum_of_span, runs_of_minimum = minima.find(spans.first, spans.last)
    for first, last, number in tuples(spans.first, spans.last, minimum_of_span):
        runs = runs_of_minimum[number]
        for side, side_classes in enumerate(classes_of_sides):
            if side == 0 or runs is None:  # else it is the class on the side of the key
                span_class = classes.setdefault(identity(first, last, runs, side), len(classes))
            side_classes.append(span_class)
    return spans.with_classes(*(np.array(numbers, dtype=np.int64) for numbers in classes_of_sides))


def _ranges(runs: Iterable[MinimumRun]) -> tuple[int, ...]:
    """The tokens of runs as first, last, first, last …; adjacent runs are one range."""
    ends: list[int] = []
    for run in sorted(runs):
        if ends and ends[-1] + 1 == run.first:
            ends[-1] = run.last
        else:
            ends += run[:2]
    return tuple(ends)


def _numbered(column: Column, numbers: dict[str, int]) -> IntArray:
    """The number of each word by `numbers`, which columns share; new words are added to it."""
    return column.numbers(lambda word: numbers.setdefault(word, len(numbers)))


def _words_of(other: Corpus, texts: Corpus, words: IntArray, numbers: dict[str, int]) -> IntArray:
    """The words of another corpus by `numbers`, with the documents and tokens of `texts`.

    Where it has no words, or another number of tokens, they are the `words` of `texts`.
    """
    try:
        other_words = _numbered(read_columns(other, "word")[0], numbers)
    except DataError:
        return words
    number_of = {name: number for number, name in enumerate(other.names)}
    ends = np.cumsum(other.tokens.clip(0))
    words_of_other, at = words.copy(), 0
    for name, size in zip(texts.names, texts.tokens.clip(0).tolist(), strict=True):
        number = number_of.get(name)
        if number is not None and int(other.tokens[number]) == size:
            words_of_other[at : at + size] = other_words[ends[number] - size : ends[number]]
        at += size
    return words_of_other
