"""Scores of long documents that are cut into windows: one row per width, whole documents last.

The counts of the windows of a document are added up, so that the document remains the unit of
groups, intervals and tests: windows of one book are not independent. Windows cut entities into
pieces (`EntityPieces`); for this the mentions of a comparison are sorted once, by entity and place.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, lexical_order, ranks_of
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import Collector, DataError, Incident
from corefkit.core.names import shown_groups
from corefkit.core.overlap import Entities, Overlap, entity_ranks
from corefkit.features.chains import CutMentions, Pair
from corefkit.matching.exact import equal_mentions
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.scorer import Scorer
from corefkit.scorers.windows import WHOLE, Windows, by_document, cut, find_windows, places_of
from corefkit.scoring.run import run_ahead
from corefkit.scoring.scores import Scores
from corefkit.scoring.stratum import PartSize

_CutCounts = tuple[Counts, PartSize, PartSize]
"""The counts of windows, and the sizes of key and response in them."""


class WindowScores(NamedTuple):
    """The scores of documents that are cut in one way.

    Attributes:
        window: the width or the bounds, as in the option; "whole" for whole documents.
        windows: how many windows there are, including those without a mention.
        key, response: the sizes that are compared.
        scores: the scores; their counts have one row per document.
    """

    window: str
    windows: int
    key: PartSize
    response: PartSize
    scores: Scores

    def to_dict(self, by: str | None = None) -> dict[str, Any]:
        """The row as it appears in the JSON output, with groups of documents if there are any."""
        groups = shown_groups(self.scores.by(by), by) if by else {}
        return {
            "window": self.window,
            "windows": self.windows,
            "key": self.key.to_dict(),
            "response": self.response.to_dict(),
            "scores": self.scores.to_dict(),
            **({"groups": {g: {"scores": s.to_dict()} for g, s in groups.items()}} if by else {}),
        }


_LARGE = 100_000
"""With fewer mentions, threads that count windows wait for each other longer than they gain."""


def score_windows(
    scorer: Scorer, comparison: Comparison, whole: Counts
) -> tuple[tuple[WindowScores, ...], list[Incident]]:
    """One row per window of the options, one for whole documents, and the incidents of windows.

    `whole` are the counts of whole documents.
    """
    options, collector = scorer.options, Collector(comparison.key_side.path)
    names = comparison.key.names
    chosen = comparison.documents
    scored = np.array([chosen is None or name in chosen for name in names], dtype=bool)
    make_pair, drops = comparison.pair_maker(options.tagset), scorer.drops_pieces
    sides = comparison.key, comparison.response
    if scorer.counts_overlaps:
        count = partial(_count_pieces, scorer, EntityPieces(comparison, drop_singletons=drops))
    else:
        count = partial(_count_cut, scorer, comparison)
    cuts = [
        find_windows(scorer, sides[0], window, collector, sides[1]).within(scored)
        for window in options.window
    ]
    tasks = (partial(count, windows) for windows in cuts)
    is_large = comparison.key.mentions >= _LARGE
    counted_cuts = run_ahead(tasks) if is_large else (task() for task in tasks)
    rows = []
    for window, windows, cut_counts in zip(options.window, cuts, counted_cuts, strict=True):
        counted, ours, theirs = cut_counts
        counts = by_document(counted, windows, names).select(scored)
        make_cut_pair = partial(cut_pair, make_pair, windows, drop_singletons=drops)
        scores = Scores(options, counts, make_pair=make_cut_pair if windows.partition else None)
        rows.append(WindowScores(window, len(windows), ours, theirs, scores))
        if not windows.partition:
            _note_slip(comparison.key, windows, window, collector)
    ours, theirs = (PartSize(side.entities, side.mentions) for side in sides)
    scores = Scores(options, whole, make_pair=make_pair)
    rows.append(WindowScores(WHOLE, int(scored.sum()), ours, theirs, scores))
    return tuple(rows), list(collector)


def check_key(scorer: Scorer, key: Side) -> Side:
    """The key, with an error where the boundaries of a window cannot be found in it."""
    try:
        for window in scorer.options.window:
            find_windows(scorer, key.scored, window, Collector())
    except DataError as error:
        return key.with_incidents(*error.incidents)
    return key


def _note_slip(key: Corpus, windows: Windows, width: str, collector: Collector) -> None:
    """Note how many key mentions are in no window, and how many in several."""
    times = windows.times(key)
    lost, twice = int((times == 0).sum()), int((times > 1).sum())
    if lost or twice:
        collector.note("window-slip", width=width, lost=lost, number=key.mentions, twice=twice)


class EntityPieces:
    """A comparison whose entities can be cut at the bounds of any windows.

    Mentions are sorted once. At any width, the pieces of an entity are then runs of mentions in
    one window, and so are the cells of the overlap: each further width takes linear time.

    >>> from corefkit.core.directed import Pairs
    >>> from corefkit.scorers.windows import regular_windows
    >>> side = Corpus.from_clusters({"tale": [[(0, 0), (3, 3), (9, 9)], [(4, 4)]]})
    >>> same = Comparison(side, side, Pairs(np.arange(4), np.arange(4)))
    >>> EntityPieces(same).cut(regular_windows(np.array([10]), 5)).overlap.key.size.tolist()
    [2, 1, 1]
    """

    def __init__(self, comparison: Comparison, *, drop_singletons: bool = False) -> None:
        """With `drop_singletons`, pieces of one mention are dropped."""
        key, response, pairs = comparison.key, comparison.response, comparison.pairs
        self._drop = drop_singletons
        self._sides = [
            _SortedSide(corpus, place)
            for corpus, place in zip((key, response), places_of(comparison), strict=True)
        ]
        ours, theirs = self._sides
        partner = np.full(key.mentions, -1, dtype=np.int64)
        partner[ours.position[pairs.key]] = theirs.position[pairs.response]
        at = np.flatnonzero(partner >= 0)
        partner = partner[at]
        order = lexical_order(theirs.entity[partner], ours.entity[at])
        self._pairs = at[order], partner[order]

    def cut(self, windows: Windows) -> "CutEntities":
        """The pieces in these windows, which must be a partition of each document."""
        sides = [side.cut(windows, least=2 if self._drop else 1) for side in self._sides]
        return CutEntities(len(windows), (sides[0], sides[1]), self._pairs)


class _SortedSide:
    """The mentions of one side, sorted by entity and place; entities by their first mention.

    Attributes:
        entity: int64 (mentions,), the entity of each mention in this order.
        position: int64 (mentions,), the position of each row of the corpus in this order.
    """

    def __init__(self, corpus: Corpus, place: IntArray) -> None:
        rank = entity_ranks(corpus)[corpus.entity]
        order = lexical_order(place, rank)
        self.entity, self.position = rank[order], ranks_of(order)
        self._document, self._place = corpus.document[order], place[order]
        self._begins = self.entity != np.append(-1, self.entity[:-1])

    def cut(self, windows: Windows, least: int) -> "CutSide":
        """The pieces with at least `least` mentions."""
        window = windows.holding(self._document, self._place)
        begins = self._begins.copy()
        begins[1:] |= window[1:] != window[:-1]
        first = np.flatnonzero(begins)
        size = np.diff(first, append=len(window))
        if least == 1:
            return CutSide(window[first], size, np.cumsum(begins) - 1, self.position)
        kept = size >= least
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        piece = np.repeat(number, size)
        return CutSide(window[first[kept]], size[kept], piece, self.position)


@frozen(eq=False)
class CutSide:
    """The pieces of one side.

    Attributes:
        window, size: int64 (pieces,), the window of each piece and how many mentions it has.
        sorted_piece: int64 (mentions,), the piece of each mention in the order by entity and
            place; −1 where it is dropped.
        position: int64 (mentions,), the position of each row of the corpus in that order.
    """

    window: IntArray
    size: IntArray
    sorted_piece: IntArray
    position: IntArray

    @property
    def piece(self) -> IntArray:
        """int64 (mentions,): the piece of each row of the corpus; −1 where it is dropped."""
        return self.sorted_piece[self.position]


@frozen(eq=False)
class CutEntities:
    """The pieces of both sides in windows, and the overlap, whose documents are the windows."""

    windows: int
    sides: tuple[CutSide, CutSide]
    pairs: tuple[IntArray, IntArray]
    """The positions of matched mentions in the orders of both sides, sorted by the entities of key
    and response, then by place."""

    @cached_property
    def overlap(self) -> Overlap:
        """How many mentions each pair of pieces shares."""
        key, response = self.sides
        ours, theirs = (
            side.sorted_piece[at] for side, at in zip(self.sides, self.pairs, strict=True)
        )
        if len(ours) and (ours.min() < 0 or theirs.min() < 0):
            kept: BoolArray = (ours >= 0) & (theirs >= 0)
            ours, theirs = ours[kept], theirs[kept]
        begins = np.ones(len(ours), dtype=bool)
        begins[1:] = (ours[1:] != ours[:-1]) | (theirs[1:] != theirs[:-1])
        first = np.flatnonzero(begins)
        count = np.diff(first, append=len(ours))
        ours, theirs = ours[first], theirs[first]
        # They are in long runs, which a stable sort merges.
        order = np.argsort(ours * max(len(response.size), 1) + theirs, kind="stable")
        return Overlap(
            self.windows,
            Entities(key.window, key.size),
            Entities(response.window, response.size),
            ours[order],
            theirs[order],
            count[order],
        )


def cut_pair(
    make_pair: Callable[[], Pair], windows: Windows, *, drop_singletons: bool = False
) -> Pair:
    """A pair whose entities are the pieces in windows, which must be a partition of each document.

    Documents keep their names, and mentions their places in them, so that the attributes of their
    tokens can still be found.
    """
    pair = make_pair()
    key, response, pairs = pair.key_corpus, pair.response_corpus, pair.pairs
    pairs = pairs or equal_mentions(key, response)
    pieces = EntityPieces(Comparison(key, response, pairs), drop_singletons=drop_singletons)
    sides = pieces.cut(windows).sides
    kept = [side.piece >= 0 for side in sides]
    (ours, our_window), (theirs, their_window) = (
        _piecewise(corpus, side, rows)
        for corpus, side, rows in zip((key, response), sides, kept, strict=True)
    )
    kept_pairs = Comparison(key, response, pairs).take(*kept).pairs
    cut = CutMentions(len(windows), our_window, their_window, key.entity[kept[0]])
    return replace(pair, key_corpus=ours, response_corpus=theirs, pairs=kept_pairs, cut=cut)


def _piecewise(corpus: Corpus, side: CutSide, kept: BoolArray) -> tuple[Corpus, IntArray]:
    """The corpus with pieces as entities, and the window of each of its mentions."""
    piece = side.piece[kept]
    whole = np.empty(len(side.size), dtype=np.int64)
    whole[piece] = corpus.entity[kept]
    labels = tuple(corpus.labels[entity] for entity in whole.tolist())
    taken = corpus if kept.all() else corpus.take(kept)
    return replace(taken, entity=piece, labels=labels, links=None), side.window[piece]


def _count_pieces(scorer: Scorer, pieces: EntityPieces, windows: Windows) -> _CutCounts:
    """The counts of windows that are a partition of each document."""
    overlap = pieces.cut(windows).overlap
    ours, theirs = (
        PartSize(len(side.size), int(side.size.sum())) for side in (overlap.key, overlap.response)
    )
    return scorer.count_overlap(overlap, map(str, range(len(windows)))), ours, theirs


def _count_cut(scorer: Scorer, comparison: Comparison, windows: Windows) -> _CutCounts:
    """The counts of windows for a scorer that counts in its own way, or that may share mentions."""
    compared = cut(comparison, windows, drop_singletons=scorer.drops_pieces)
    ours, theirs = (PartSize(c.entities, c.mentions) for c in (compared.key, compared.response))
    return scorer.count(compared), ours, theirs
