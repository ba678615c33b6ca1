"""Documents of an Evaluator whose mentions are spans with heads, so that they can be matched."""

from collections.abc import Hashable, Sequence
from operator import index

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.counts import Counts
from corefkit.data.options import Options, UsageError
from corefkit.profiles.counting import check_matching, count, match_sides
from corefkit.scoring.prepare import prepare

_MentionRow = tuple[int, int, int, int, int]
"""Document, start, end, head and entity."""


class SpanDocuments:
    """Documents that wait to be matched and counted; mentions are (start, end[, head]) tuples."""

    def __init__(self, options: Options) -> None:
        check_matching(options)
        if options.match == "mina":
            raise UsageError("match mina: an Evaluator has no parse trees; score files instead")
        self._options = options
        self.documents = 0
        self._sides: tuple[list[_MentionRow], list[_MentionRow]] = ([], [])
        self._entities = [0, 0]

    def __len__(self) -> int:
        return len(self._sides[1])

    def add(
        self, key: Sequence[Sequence[Hashable]], response: Sequence[Sequence[Hashable]]
    ) -> None:
        """Add one document; TypeError or ValueError for mentions that are no spans."""
        rows = self.check(key, response)
        for side, (some, clusters) in enumerate(zip(rows, (key, response), strict=True)):
            self._sides[side].extend(some)
            self._entities[side] += len(clusters)
        self.documents += 1

    def check(
        self, key: Sequence[Sequence[Hashable]], response: Sequence[Sequence[Hashable]]
    ) -> list[list[_MentionRow]]:
        """What would be added; TypeError or ValueError for mentions that are no spans."""
        return [
            self._rows(side, clusters, head=needs_head(self._options, side))
            for side, clusters in enumerate((key, response))
        ]

    def count(self, names: Sequence[str]) -> Counts:
        """What was counted in the documents of these names."""
        key, response = (prepare(self._corpus(side, names), self._options)[0] for side in range(2))
        return count(match_sides(key, response, self._options), self._options)

    def _rows(
        self, side: int, clusters: Sequence[Sequence[Hashable]], *, head: bool
    ) -> list[_MentionRow]:
        return [
            (self.documents, *span_with_head(mention, head), self._entities[side] + entity)
            for entity, cluster in enumerate(clusters)
            for mention in cluster
        ]

    def _corpus(self, side: int, names: Sequence[str]) -> Corpus:
        rows = np.array(self._sides[side], dtype=np.int64).reshape(-1, 5)
        document, start, end, head, entity = rows.T
        return Corpus(
            # Names need not be different: a document is told by its number.
            tuple(names),
            np.full(len(names), -1, dtype=np.int64),
            document,
            start,
            end,
            entity,
            tuple(map(str, range(self._entities[side]))),
            head=head,
        )


def needs_head(options: Options, side: int) -> bool:
    """Whether mentions of the key (0) or the response (1) are matched by their heads."""
    return options.match == "head" or (options.match in ("partial", "semeval") and side == 0)


def span_with_head(mention: Hashable, needs_head: bool = True) -> tuple[int, int, int]:
    """Start, end and head of a mention; a mention of one token is its own head.

    >>> span_with_head((4, 6, 5)), span_with_head((4, 4))
    ((4, 6, 5), (4, 4, 4))
    """
    try:
        start, end, *rest = (index(number) for number in mention)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TypeError(
            f"a mention is (start, end) or (start, end, head), not {mention!r:.60}"
        ) from None
    head = rest[0] if len(rest) == 1 else start if start == end else -2
    if len(rest) > 1 or not 0 <= start <= end or (rest and not start <= head <= end):
        raise ValueError(f"{mention!r} is not a span with its head (0 ≤ start ≤ head ≤ end)")
    if needs_head and head == -2:
        raise ValueError(f"{mention!r} has no head: give (start, end, head)")
    return start, end, head
