"""Strata: the scores of one comparison, split by labels of its entities or of its mentions.

Nothing is filtered: an entity is still compared with all others, CEAF is aligned once for whole
documents, and the counts of all strata add up to those of the whole (`metrics.contributions`). The
recall of a stratum is about the key entities with its label, the precision about the response
entities with its label; these need not be the same entities.

`Strata` counts; each label has a `Stratum` (`scoring.stratum`). The functions at the end decide
which metrics and policies can be split.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import (
    IntArray,
    distinct,
    mask_of,
    ranks_of,
    starts_of_runs,
    sum_by,
    sum_of_ratios,
)
from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts, PerDocument
from corefkit.core.incidents import DataError, Incident
from corefkit.core.nodes import first_copies, reading_order, repeated_spans
from corefkit.core.options import Options, UsageError
from corefkit.core.overlap import Entities, Overlap, Pairs, entity_ranks, make_overlap
from corefkit.features.chains import Chains, Pair
from corefkit.features.divisions import (
    Division,
    LinkDistance,
    count_bands,
    find_division,
    load_for,
)
from corefkit.features.entity_labels import NONE, EntityLabel, order_labels
from corefkit.features.features import Feature, banded, labels
from corefkit.features.tokens import KeyTokens
from corefkit.matching.exact import equal_mentions
from corefkit.metrics.contributions import (
    BY_ENTITY,
    BY_MENTION,
    Contributions,
    Fractions,
    MentionCells,
    Shares,
    place_cells,
)
from corefkit.metrics.split_antecedents import PluralCounter
from corefkit.scorers import equivocal, scorer_class
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.e2e import COUNT as SKIPPING
from corefkit.scorers.preparation import report_copies
from corefkit.scoring.stratum import ALL, SIZES, LinkStratum, Stratum, columns_of

LARGEST = 1 << 32
"""Fractions with denominators below this are added in arrays; others one by one."""


@frozen(eq=False)
class Strata:
    """One comparison, ready to be split: the contributions of its entities and mentions.

    Attributes:
        pair: the two sides, their matched mentions, and the tokens of the key.
        options: metrics and policies.
        documents: the names of the documents; by default those of the key.
    """

    pair: Pair
    options: Options
    documents: Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Raise DataError for repeated spans where the scorer counts every copy."""
        if not scorer_class(self.options.scorer).counting:
            return
        for side in (self.pair.key_corpus, self.pair.response_corpus):
            repeated = repeated_spans(side)
            if repeated.any():
                first = first_copies(side, repeated)
                raise DataError(report_copies(side, repeated, first, hint="", severity="error"))

    @cached_property
    def key(self) -> Chains:
        """The entities of the key."""
        return self.pair.all_key

    @cached_property
    def response(self) -> Chains:
        """The entities of the response; each mention knows the key entity of its partner."""
        chains, partner, key = copy(self.pair.response), self.pair.all_partners[1], self.key
        whole = key.entity if key.key_entity is None else key.key_entity
        chains.key_entity = np.append(whole, -1)[partner]
        return chains

    @cached_property
    def overlap(self) -> Overlap:
        """How many mentions each key entity shares with each response entity."""
        overlap = make_overlap(self.pair.key_corpus, self.pair.response_corpus, self._pairs)
        if self.pair.cut is None:
            return overlap
        sides = []
        for side, chains, rank in zip(
            (overlap.key, overlap.response), (self.key, self.response), self.ranks, strict=True
        ):
            window = np.empty_like(side.document)
            window[rank] = chains.entity_window
            sides.append(side._replace(document=window))
        windows = self.pair.cut.windows
        return replace(overlap, documents=windows, key=sides[0], response=sides[1])

    @cached_property
    def contributions(self) -> Contributions:
        """The contributions of the entities, numbered as in the overlap, to each metric."""
        large = SKIPPING.get(self.options.singletons, {})
        return Contributions(self.overlap, self._place, frozenset(large), self._plurals)

    @cached_property
    def _plurals(self) -> PluralCounter | None:
        """The counter of the virtual mentions of split antecedents, where there are any."""
        sides = self.pair.key_corpus, self.pair.response_corpus
        if all(side._plurals is None for side in sides):
            return None
        policies = self.options.match, self.options.ties
        return PluralCounter(Comparison(*sides, self._pairs, *policies), None)

    @cached_property
    def _pairs(self) -> Pairs:
        key, response = self.pair.key_corpus, self.pair.response_corpus
        return self.pair.pairs or equal_mentions(key, response)

    @cached_property
    def ranks(self) -> tuple[IntArray, IntArray]:
        """The number that each entity of the two sides has in the overlap."""
        return entity_ranks(self.pair.key_corpus), entity_ranks(self.pair.response_corpus)

    @cached_property
    def _cell_of_pair(self) -> IntArray:
        """The cell of each matched pair of mentions."""
        overlap, key, response = self.overlap, self.pair.key_corpus, self.pair.response_corpus
        width = max(len(overlap.response.size), 1)
        codes = overlap.key_entity * width + overlap.response_entity
        ours = self.ranks[0][key.entity[self._pairs.key]]
        theirs = self.ranks[1][response.entity[self._pairs.response]]
        return np.searchsorted(codes, ours * width + theirs)

    @cached_property
    def _place(self) -> IntArray:
        """The order of the cells by the first mention in each, in the text of the key."""
        place = ranks_of(reading_order(self.pair.key_corpus))[self._pairs.key]
        return place_cells(self._cell_of_pair, place, len(self.overlap.count))

    @cached_property
    def mentions(self) -> tuple[MentionCells, MentionCells]:
        """The mentions of both sides, with rows as in their corpora."""
        sides = self.pair.key_corpus, self.pair.response_corpus
        rows = self._pairs.key, self._pairs.response
        cells = []
        for side, rank, matched in zip(sides, self.ranks, rows, strict=True):
            entity = rank[side.entity]
            cell = np.full(side.mentions, -1, dtype=np.int64)
            cell[matched] = self._cell_of_pair
            order = reading_order(side)
            first = mask_of(_first_of(entity, order), side.mentions)
            in_cell = order[cell[order] >= 0]
            first_of_cell = mask_of(_first_of(cell, in_cell), side.mentions)
            cells.append(MentionCells(entity, cell, first, first_of_cell))
        return cells[0], cells[1]

    def by(self, group: str | Division) -> dict[str, Stratum]:
        """The strata of a division, label → Stratum, in the order of the labels."""
        division = find_division(group)
        if isinstance(division, EntityLabel):
            return self.by_entity(division)
        if isinstance(division, LinkDistance):
            return self.by_link(division)
        return self.by_mention(division)

    def all_by(self, group: str | Division) -> Stratum:
        """All strata of a division together, counted by the same rules."""
        division = find_division(group)
        if isinstance(division, EntityLabel):
            return self.all_entities()
        if isinstance(division, LinkDistance):
            return self._links([ALL], self._count_links(division).sum(axis=2, keepdims=True))[ALL]
        return self.all_mentions()

    def by_link(self, distance: LinkDistance) -> dict[str, Stratum]:
        """The coreference links in bands of distance; the metric is `links`."""
        names = banded(np.zeros(0, dtype=np.int64), distance.bounds).values
        strata = self._links(names, self._count_links(distance))
        return {label: stratum for label, stratum in strata.items() if len(stratum.counts)}

    def _count_links(self, distance: LinkDistance) -> IntArray:
        """RATIOS of links, int64 (4, documents, bands).

        Links of the key are in the band of their distance in the key, those of the response in
        that of their distance in the response; common links are counted once for each side.
        """
        counts = []
        sides = self.pair.key_corpus, self.pair.response_corpus
        chains = (lambda: self.key), (lambda: self.response)
        for corpus, find_chains, matched in zip(sides, chains, self._pairs, strict=True):
            place = distance.places(corpus, find_chains)
            whole = (corpus.document, corpus.entity, place)
            common = (corpus.document[matched], self._cell_of_pair, place[matched])
            counts += [
                count_bands(*columns, distance.bounds, len(corpus.names))
                for columns in (common, whole)
            ]
        return np.stack(counts)

    def _links(self, names: Sequence[str], counts: IntArray) -> dict[str, Stratum]:
        """One stratum per band, over the documents that have such links on either side."""
        documents = self.documents or self.pair.key_corpus.names
        options = replace(self.options, metrics=("links",))
        strata: dict[str, Stratum] = {}
        for band, name in enumerate(names):
            _, key, _, response = columns = counts[..., band]
            rows = np.flatnonzero(key + response)
            nothing = np.zeros_like(rows)
            sizes = nothing, key[rows], nothing, response[rows]
            tables = {"links": tuple(column[rows] for column in columns), SIZES: sizes}
            named = tuple(documents[row] for row in rows.tolist())
            strata[name] = LinkStratum(options, Counts(named, tables), by_mention=True)
        return strata

    def by_entity(self, label: EntityLabel) -> dict[str, Stratum]:
        """The strata by a label of entities."""
        return self._split_entities(*self.label_entities(label))

    def label_entities(self, label: EntityLabel) -> tuple[Sequence[str], list[IntArray]]:
        """The labels in order, and for each side the label number of each entity of the overlap."""
        columns = [label.labels(chains) for chains in (self.key, self.response)]
        names = order_labels(label, columns, self.pair.key_corpus.entity_size)
        place = {name: number for number, name in enumerate(names)}
        codes = []
        for column, rank in zip(columns, self.ranks, strict=True):
            code = np.empty_like(column.code)
            code[rank] = column.numbers(place.__getitem__)
            codes.append(code)
        if self._plurals is not None:
            self._label_virtual(label, names, codes)
        return names, codes

    def _label_virtual(self, label: EntityLabel, names: list[str], codes: list[IntArray]) -> None:
        """Label the entities whose only mention is that of a split antecedent, which come last.

        Their size is 1; nothing else is known of them.
        """
        name = label.of_size(1) or NONE
        if name not in names:
            names.append(name)
        for number, side in enumerate(self._entities):
            more = len(side.size) - len(codes[number])
            codes[number] = np.append(codes[number], np.full(more, names.index(name)))

    def all_entities(self) -> Stratum:
        """The stratum of all entities."""
        codes = [np.zeros(len(s.size), dtype=np.int64) for s in self._entities]
        strata = self._split_entities([ALL], codes)
        return strata.get(ALL) or self._empty(entity_metrics(self.options), by_mention=False)

    def by_mention(self, feature: Feature) -> dict[str, Stratum]:
        """The strata by a feature of mentions."""
        if self._plurals is not None and mention_metrics(self.options) != ("mentions",):
            raise UsageError(
                f"by {feature.name}: the virtual mention of a split antecedent has no features; "
                "leave these out (--split drop), or break down by entity"
            )
        return self._split_mentions(*self.label_mentions(feature))

    def label_mentions(self, feature: Feature) -> tuple[Sequence[str], list[IntArray]]:
        """The labels in order, and for each side the label number of each row of its corpus."""
        names, (ours, theirs) = labels(feature, self.key, self.response)
        rows = self.key.row, self.response.row
        codes = []
        for code, row in zip((ours, theirs), rows, strict=True):
            code_of_row = np.empty_like(code)
            code_of_row[row] = code
            codes.append(code_of_row)
        return names, codes

    def all_mentions(self) -> Stratum:
        """The stratum of all mentions."""
        sides = self.pair.key_corpus, self.pair.response_corpus
        codes = [np.zeros(side.mentions, dtype=np.int64) for side in sides]
        strata = self._split_mentions([ALL], codes)
        return strata.get(ALL) or self._empty(mention_metrics(self.options), by_mention=True)

    @property
    def _entities(self) -> tuple[Entities, Entities]:
        overlap = self.overlap if self._plurals is None else self._plurals.overlap
        return overlap.key, overlap.response

    @property
    def _documents_of_entities(self) -> list[IntArray]:
        """The document of each entity of both sides; not its window, where documents are cut."""
        if self.pair.cut is None:
            return [side.document for side in self._entities]
        documents = []
        sides = self.pair.key_corpus, self.pair.response_corpus
        for side, rank in zip(sides, self.ranks, strict=True):
            document = np.empty_like(rank)
            document[rank] = side.entity_document
            documents.append(document)
        return documents

    @property
    def _mentions_of_entities(self) -> list[IntArray]:
        """The number of mentions of each entity of both sides, without virtual ones."""
        sizes = []
        for side, plain in zip(
            self._entities, (self.overlap.key, self.overlap.response), strict=True
        ):
            size = np.zeros_like(side.size)
            size[: len(plain.size)] = plain.size
            sizes.append(size)
        return sizes

    def _split_entities(
        self, names: Sequence[str], codes: Sequence[IntArray]
    ) -> dict[str, Stratum]:
        chosen = entity_metrics(self.options)
        groups = _Groups(self._documents_of_entities, codes, len(names))
        tables: dict[str, tuple[PerDocument, ...]] = {}
        for name in metrics.counted(chosen):
            kinds = self.contributions.of_entities(name)
            tables[name] = tuple(c for kind in kinds for c in groups.sum_shares(kind))
        sizes = [(np.ones_like(size), size) for size in self._mentions_of_entities]
        tables[SIZES] = groups.sum_sizes(sizes)
        return self._strata(names, groups, tables, chosen, by_mention=False)

    def _split_mentions(
        self, names: Sequence[str], codes: Sequence[IntArray]
    ) -> dict[str, Stratum]:
        chosen = mention_metrics(self.options)
        sides = self.pair.key_corpus, self.pair.response_corpus
        groups = _Groups([side.document for side in sides], codes, len(names))
        tables: dict[str, tuple[PerDocument, ...]] = {
            name: groups.sum_shares(self.contributions.of_mentions(name, *self.mentions))
            for name in chosen
        }
        ones = [np.ones(side.mentions, dtype=np.int64) for side in sides]
        tables[SIZES] = groups.sum_sizes([(part, part) for part in ones])
        return self._strata(names, groups, tables, chosen, by_mention=True)

    def _strata(
        self,
        names: Sequence[str],
        groups: "_Groups",
        tables: Mapping[str, tuple[PerDocument, ...]],
        chosen: tuple[str, ...],
        *,
        by_mention: bool,
    ) -> dict[str, Stratum]:
        """One Stratum per label that occurs on either side."""
        documents = self.documents or self.pair.key_corpus.names
        options = replace(self.options, metrics=chosen)
        strata = {}
        for number, rows in groups.rows_of_labels():
            counts = Counts(
                tuple(documents[i] for i in groups.document[rows].tolist()),
                {name: tuple(column[rows] for column in table) for name, table in tables.items()},
            )
            strata[names[number]] = Stratum(options, counts, by_mention=by_mention)
        return strata

    def _empty(self, chosen: tuple[str, ...], *, by_mention: bool) -> Stratum:
        """An empty stratum."""
        nothing = np.zeros(0, dtype=np.int64)
        names = (*metrics.counted(chosen), SIZES)
        tables = {name: (nothing,) * columns_of(name) for name in names}
        options = replace(self.options, metrics=chosen)
        return Stratum(options, Counts((), tables), by_mention=by_mention)


class _Groups:
    """Sums over groups: the pairs of document and label that occur on either side.

    Attributes:
        document, label: int64 (groups,), the numbers of each group.
    """

    def __init__(
        self, documents: Sequence[IntArray], codes: Sequence[IntArray], labels: int
    ) -> None:
        """`documents` and `codes` have the numbers of each entity or mention of the two sides."""
        width = max(labels, 1)
        both = [d * width + c for d, c in zip(documents, codes, strict=True)]
        groups = distinct(np.concatenate(both))
        self._number = np.split(groups.inverse, [len(both[0])])
        self._size = len(groups.values)
        self.document, self.label = groups.values // width, groups.values % width

    def sum_shares(self, shares: Shares) -> tuple[PerDocument, ...]:
        """The sums of RATIOS, each (groups,)."""
        key, response = (
            [self._sum(number, part) for part in share]
            for number, share in zip(self._number, shares, strict=True)
        )
        return *key, *response

    def sum_sizes(self, sizes: Sequence[tuple[IntArray, IntArray]]) -> tuple[PerDocument, ...]:
        """The entities and mentions of the key, then of the response, each (groups,)."""
        return tuple(
            sum_by(number, values, self._size)
            for number, both in zip(self._number, sizes, strict=True)
            for values in both
        )

    def _sum(self, number: IntArray, part: Fractions) -> PerDocument:
        if part.whole:
            return sum_by(number, part.top, self._size)
        large = part.bottom >= LARGEST
        sums = sum_of_ratios(number, part.top, np.where(large, 1, part.bottom), self._size)
        # Weights of split antecedents may have any denominator; few groups have one.
        for group in distinct(number[large]).values.tolist():
            sums[group] = float(part.take(number == group).total())
        return sums

    def rows_of_labels(self) -> Iterator[tuple[int, IntArray]]:
        """The number of each label that occurs, and its groups."""
        order = np.argsort(self.label, kind="stable")
        first = starts_of_runs(self.label[order])
        for rows in np.split(order, first[1:]) if len(order) else ():
            yield int(self.label[rows[0]]), rows


def _first_of(group: IntArray, order: IntArray) -> IntArray:
    """For each group, its first row in the given order of rows."""
    return order[distinct(group[order]).first]


def entity_metrics(options: Options) -> tuple[str, ...]:
    """The metrics of the options if they are sums over entities; UsageError if one is not."""
    divisible = (*BY_ENTITY, "conll")
    if name := next((name for name in options.metrics if name not in divisible), None):
        instead = "; anchor can be broken down by ne" if name in metrics.VARIANTS else ""
        raise UsageError(
            f"by entity: {name} is not a sum over entities; choose from {', '.join(divisible)} "
            f"with -m{instead}"
        )
    return options.metrics


def mention_metrics(options: Options) -> tuple[str, ...]:
    """Those metrics of the options that are sums over mentions; UsageError if there are none."""
    chosen = tuple(name for name in options.metrics if name in BY_MENTION)
    if not chosen:
        raise no_share(options.metrics[0])
    return chosen


def no_share(name: str) -> UsageError:
    """The error for a metric that cannot be split by mention."""
    return UsageError(
        f"by mention: {name} has no share of a single mention; only {', '.join(BY_MENTION)} do. "
        "Break it down by entity: --by entity:size, for example"
    )


def check_strata(options: Options) -> None:
    """Raise UsageError for metrics and policies with which scores cannot be split.

    That is where a mention may be in several cells or count half, and where entities extend over
    several documents.
    """
    if options.across:
        raise UsageError("by: strata are defined for single documents; leave out across")
    if options.split == "only":
        raise UsageError("by: cannot be combined with --split only, which scores no whole entities")
    if options.match in ("semeval", "min"):
        why = "counts half a mention" if options.match == "semeval" else "matches one with several"
        raise UsageError(f"by: match {options.match} {why}; choose exact or head, for example")
    if options.average != "micro":
        raise UsageError(f"by: means over documents (average {options.average}) cannot be split")
    scorer = scorer_class(options.scorer)
    if not scorer.divisible:
        raise UsageError(
            f"by: the profile {options.scorer} counts one mention in several entities, so that "
            f"its scores cannot be split; choose {scorer.nearest}"
        )


def with_strata(options: Options, by: Sequence[str], *, asked: bool = False) -> Options:
    """The options with the divisions to split the scores by; UsageError where that is impossible.

    `asked` says whether the metrics were named: only then is a metric refused that cannot be
    split by mention; otherwise it is left out.
    """
    check_strata(options)
    if by and len(options.window) > 1:
        raise UsageError(
            f"by {by[0]}: with several windows there are no strata; give one, for example --window "
            f"{options.window[0]}"
        )
    divisions = [find_division(group) for group in by]
    for division in divisions:
        if isinstance(division, LinkDistance):
            continue
        if isinstance(division, EntityLabel):
            entity_metrics(options)
            continue
        if against := equivocal(options):
            raise UsageError(f"by {division.name}: cannot be combined with {' and '.join(against)}")
        wrong = [m for m in options.metrics if m not in BY_MENTION and m not in metrics.VARIANTS]
        if wrong and asked and not options.applications:
            raise no_share(wrong[0])
        mention_metrics(options)
    written = [d.name if isinstance(d, Feature) else d.signature for d in divisions]
    return replace(options, by=tuple(dict.fromkeys(written)))


def load_strata(tokens: KeyTokens, options: Options) -> list[Incident]:
    """Read what the strata of the options need from the key; DataError where it is missing."""
    incidents = [i for by in options.by for i in load_for(find_division(by), tokens)]
    return list(dict.fromkeys(incidents))
