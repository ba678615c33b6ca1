"""Parse bits as lists of events, and the trees of spans that are cut from them.

The parse bits of a mention's tokens make a tree of phrases and *runs*, words that stand together in
one phrase. Brackets whose partners are outside the mention have none there.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

WORD, CLOSE = "*", ")"


class Run(NamedTuple):
    """Words of a minimum: the first and the last token, and the one whose bit ended the run."""

    first: int
    last: int
    closed: int


class TokenKind(NamedTuple):
    """All that the minimum depends on of one token.

    Attributes:
        events: `*`, `)`, or the kind of a phrase that opens: two letters of its label.
        good: whether the token can make a run the head of something.
        plain: whether the word has letters only or digits only.
        kind: the first two letters of the word if they are those of a phrase, else "".
    """

    events: tuple[str, ...]
    good: bool
    plain: bool
    kind: str


class Node:
    """A phrase, or a run, which has children only where phrases follow it without a parent.

    `below` are the children, or a function that finds them: those of most phrases are never asked
    for.
    """

    __slots__ = ("below", "good", "kind", "run")

    def __init__(
        self, kind: str, run: Run | None = None, good: bool = False, below: "_Below" = ()
    ) -> None:
        self.kind, self.run, self.good, self.below = kind, run, good, below

    @property
    def children(self) -> "Sequence[Node]":
        """The nodes below."""
        if callable(self.below):
            self.below = self.below()
        return self.below


_Below = Sequence[Node] | Callable[[], Sequence[Node]]


class BitEvents:
    """The parse bits of some tokens as one list of events, from which the tree of any span is cut.

    It knows how to pass over words and whole phrases in one step, so that a span takes as long as
    the upper part of its tree is wide, not as it has tokens.
    """

    def __init__(self, tokens: Sequence[TokenKind]) -> None:
        self.tokens = tokens
        self.first: list[int] = []
        self.event: list[str] = []
        self.token: list[int] = []
        for place, token in enumerate(tokens):
            self.first.append(len(self.event))
            self.event += token.events
            self.token += [place] * len(token.events)
        size = len(self.event)
        self.first.append(size)
        self.closing = [size] * size
        self.next_bracket = [size] * size
        self.good, self.plain = [0], [0]
        self._link()

    def _link(self) -> None:
        """Where each phrase is closed, which bracket follows a word, and sums of good words."""
        opened: list[int] = []
        bracket = len(self.event)
        for at in range(len(self.event) - 1, -1, -1):
            if self.event[at] == WORD:
                self.next_bracket[at] = bracket
            else:
                bracket = at
        for at, event in enumerate(self.event):
            token = self.tokens[self.token[at]] if event == WORD else None
            self.good.append(self.good[-1] + (token is not None and token.good))
            self.plain.append(self.plain[-1] + (token is not None and token.plain))
            if event == CLOSE and opened:
                self.closing[opened.pop()] = at
            elif token is None and event != CLOSE:
                opened.append(at)


class Cut:
    """The tree of a span of tokens: brackets whose partner is outside have none."""

    def __init__(self, events: BitEvents, first: int, last: int) -> None:
        self._events, self._origin, self._last = events, first, last
        self._stop = events.first[last + 1]

    def root(self) -> Node | None:
        """The root of the tree; several come under a new noun phrase."""
        events, roots = self._events, list[Node]()
        at = events.first[self._origin]
        while at < self._stop:
            event = events.event[at]
            if event == CLOSE:
                at += 1
            elif event != WORD:
                roots.append(self._phrase(at))
                at = events.closing[at] + 1
            else:
                run, plain, at = self._run(at)
                if self._opens(at):
                    if not plain:
                        continue
                    # A phrase that follows it comes under it, and all up to a closing bracket.
                    run.below, at = self._nodes(at)
                roots.append(run)
                at += 1
        if len(roots) < 2:
            return roots[0] if roots else None
        return Node("NP", below=roots)

    def _phrase(self, at: int) -> Node:
        """The phrase that opens at an event."""
        return Node(self._events.event[at], below=lambda: self._nodes(at + 1)[0])

    def _nodes(self, at: int) -> tuple[list[Node], int]:
        """The nodes from an event on, up to a closing bracket of none of them, and its place."""
        events, nodes = self._events, list[Node]()
        while at < self._stop and (event := events.event[at]) != CLOSE:
            if event != WORD:
                nodes.append(self._phrase(at))
                at = events.closing[at] + 1
                continue
            run, plain, at = self._run(at)
            if plain or not self._opens(at):
                nodes.append(run)
        return nodes, at

    def _run(self, at: int) -> tuple[Node, bool, int]:
        """The words from an event on, whether one is plain, and the place of the next bracket."""
        events = self._events
        behind = min(events.next_bracket[at], self._stop)
        first, last = events.token[at], events.token[behind - 1]
        closed = events.token[behind] if behind < self._stop else self._last
        span = Run(first - self._origin, last - self._origin, closed - self._origin)
        good = events.good[behind] > events.good[at]
        plain = events.plain[behind] > events.plain[at]
        return Node(events.tokens[first].kind, span, good), plain, behind

    def _opens(self, at: int) -> bool:
        """Whether a phrase opens here."""
        return at < self._stop and self._events.event[at] != CLOSE
