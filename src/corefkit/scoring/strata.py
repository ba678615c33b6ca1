"""Strata: the scores of one comparison, split by labels of its entities or of its mentions.

Nothing is filtered: an entity is still compared with all others, CEAF is aligned once for whole
documents, and the counts of all strata add up to those of the whole, because they are the same
shares of cells, summed by another label. The recall of a stratum is about the key entities with its
label, the precision about the response entities with its label; these need not be the same
entities. If several alignments of CEAF are best, the order of cells in the text of the key decides.

`Strata` counts; each label has a `Stratum` (`scoring.stratum`). The functions at the end decide
which metrics and policies can be split.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import IntArray, distinct, ranks_of, starts_of_runs, sum_by
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, PerDocument
from corefkit.core.directed import Both, Directed, Lookups, Pairs, entity_ranks
from corefkit.core.incidents import DataError, Incident
from corefkit.core.nodes import kept_copies, reading_order, repeated_spans
from corefkit.core.options import Options, UsageError
from corefkit.core.pairing import first_alignment
from corefkit.features.chains import Chains, KeyTokens, Pair
from corefkit.features.divisions import (
    Division,
    LinkDistance,
    count_bands,
    find_division,
    load_for,
)
from corefkit.features.entity_labels import NONE, EntityLabel, order_labels
from corefkit.features.features import Feature, banded, labels
from corefkit.matching.exact import equal_mentions
from corefkit.metrics.base import PartitionMetric
from corefkit.metrics.counting import (
    Labels,
    Mentions,
    SideMentions,
    Skipped,
    Tables,
    count,
    count_mentions,
    counting_cells,
    sum_exactly,
    terms_of,
)
from corefkit.metrics.split_antecedents import SplitAntecedents
from corefkit.scorers import scorer_class, scorer_for
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.preparation import report_copies
from corefkit.scoring.stratum import ALL, SIZES, Stratum, StratumUnit, columns_of


@frozen(eq=False)
class Strata:
    """One comparison, ready to be split by labels of its entities or of its mentions.

    Attributes:
        pair: the two sides, their matched mentions, and the tokens of the key.
        options: metrics and policies.
        documents: the names of the documents; by default those of the key.
    """

    pair: Pair
    options: Options
    documents: Sequence[str] | None = None

    def _refuse_copies(self) -> None:
        """Raise DataError for repeated spans where the scorer counts every copy.

        A copy may then be in several cells of CEAF, be no mention of its own, or have two links.
        """
        if not scorer_class(self.options.scorer).keeps_copies:
            return
        for side in self._corpora:
            repeated = repeated_spans(side)
            if repeated.any():
                first = kept_copies(side, repeated)
                raise DataError(report_copies(side, repeated, first, hint="", severity="error"))

    @property
    def _corpora(self) -> tuple[Corpus, Corpus]:
        return self.pair.key_corpus, self.pair.response_corpus

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
    def _comparison(self) -> Comparison:
        return Comparison(*self._corpora, self._pairs, self.options.match, self.options.ties)

    @cached_property
    def _lookups(self) -> Lookups:
        """In which entities mentions are found; in windows, if documents are cut."""
        lookups = scorer_for(self.options).lookups(self._comparison)
        if self.pair.cut is None:
            return lookups
        windows = self.pair.cut.windows
        window_of = self.key.entity_window, self.response.entity_window

        def in_windows(both: Both) -> Both:
            key, response = (
                table._replace(documents=windows, document=window, other_document=other_window)
                for table, (window, other_window) in zip(
                    both, (window_of, window_of[::-1]), strict=True
                )
            )
            return key, response

        sides, listed, linked, mentions, found = lookups
        return Lookups(
            in_windows(sides), in_windows(listed), in_windows(linked), in_windows(mentions), found
        )

    @cached_property
    def _plurals(self) -> SplitAntecedents | None:
        """The lookups with the virtual mentions of split antecedents, if there are any."""
        return scorer_for(self.options).split_antecedents(self._comparison, self._lookups)

    @property
    def _tables(self) -> Tables:
        return self._plurals or self._lookups

    @cached_property
    def _pairs(self) -> Pairs:
        return self.pair.pairs or equal_mentions(*self._corpora)

    @cached_property
    def ranks(self) -> tuple[IntArray, IntArray]:
        """The rank of each entity of the two sides in the order of their first mentions."""
        key, response = self._corpora
        return entity_ranks(key), entity_ranks(response)

    def align(self, table: Directed, metric: PartitionMetric) -> IntArray:
        """The cells of the best alignment; of several, the first in the order of cells.

        Cells are in the order of their first mentions in the text of the key; cells that have only
        a virtual mention come last, in the order of their entities.
        """
        place = np.full(len(table.n), np.iinfo(np.int64).max)
        assert self._lookups.found is not None
        cell = table.cells_at(self.pair.key_corpus.entity, self._lookups.found[0])
        rank = ranks_of(reading_order(self.pair.key_corpus))
        np.minimum.at(place, cell[cell >= 0], rank[cell >= 0])
        ranks = (
            np.append(rank, len(rank) + np.arange(entities - len(rank)))
            for rank, entities in zip(self.ranks, (len(table.size), len(table.other)), strict=True)
        )
        key_rank, response_rank = ranks
        place = ranks_of(np.lexsort((response_rank[table.column], key_rank[table.row], place)))
        top, bottom = metric.shares[0].earned(table)
        below = np.broadcast_to(bottom, top.shape)
        if top.dtype == object:
            weights = [Fraction(t) / b for t, b in zip(top.tolist(), below.tolist(), strict=True)]
            top = np.array([weight.numerator for weight in weights], dtype=np.int64)
            below = np.array([weight.denominator for weight in weights], dtype=np.int64)
        return first_alignment(table.row, table.column, top, below, place)

    def aligned_entities(self, metric: PartitionMetric) -> tuple[IntArray, IntArray]:
        """The entities of the key and of the response that a metric aligns."""
        table, _ = counting_cells(self._tables, metric, 0, self._skipped, self.align)
        return table.row, table.column

    def shares(self, metric: PartitionMetric) -> list[list[Fraction]]:
        """RATIOS of each share of a metric: the exact fraction of each entity."""
        columns = []
        for number, share in enumerate(metric.shares):
            both = counting_cells(self._tables, metric, number, self._skipped, self.align)
            rules = self._skipped.get(metric.name)
            columns += [
                sum_exactly(top, bottom, entity, len(both[side].size))
                for side, top, bottom, entity in terms_of(share, both, rules)
            ]
        return columns

    @property
    def _skipped(self) -> Mapping[str, Skipped]:
        return scorer_for(self.options).skipped

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
        self._refuse_copies()
        key, response = self._corpora
        rows, columns = key.entity[self._pairs.key], response.entity[self._pairs.response]
        cell = distinct(rows * max(response.entities, 1) + columns).inverse
        counts = []
        chains = (lambda: self.key), (lambda: self.response)
        for corpus, find_chains, matched in zip((key, response), chains, self._pairs, strict=True):
            place = distance.places(corpus, find_chains)
            whole = (corpus.document, corpus.entity, place)
            common = (corpus.document[matched], cell, place[matched])
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
            strata[name] = Stratum(options, Counts(named, tables), unit="links")
        return strata

    def by_entity(self, label: EntityLabel) -> dict[str, Stratum]:
        """The strata by a label of entities."""
        return self._split_entities(*self.label_entities(label))

    def label_entities(self, label: EntityLabel) -> tuple[Sequence[str], list[IntArray]]:
        """The labels in order, and for each side the label number of each entity."""
        columns = [label.labels(chains) for chains in (self.key, self.response)]
        names = order_labels(label, columns, self.pair.key_corpus.entity_size)
        place = {name: number for number, name in enumerate(names)}
        codes = [column.numbers(place.__getitem__) for column in columns]
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
        for number, side in enumerate(self._sizes):
            more = len(side) - len(codes[number])
            codes[number] = np.append(codes[number], np.full(more, names.index(name)))

    def all_entities(self) -> Stratum:
        """The stratum of all entities."""
        codes = [np.zeros_like(size) for size in self._sizes]
        strata = self._split_entities([ALL], codes)
        return strata.get(ALL) or self._empty(entity_metrics(self.options), unit="entities")

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
        names, label_codes = labels(feature, self.key, self.response)
        rows = self.key.row, self.response.row
        codes = []
        for code, row in zip(label_codes, rows, strict=True):
            code_of_row = np.empty_like(code)
            code_of_row[row] = code
            codes.append(code_of_row)
        return names, codes

    def all_mentions(self) -> Stratum:
        """The stratum of all mentions."""
        sides = self.pair.key_corpus, self.pair.response_corpus
        codes = [np.zeros(side.mentions, dtype=np.int64) for side in sides]
        strata = self._split_mentions([ALL], codes)
        return strata.get(ALL) or self._empty(mention_metrics(self.options), unit="mentions")

    @property
    def _sizes(self) -> tuple[IntArray, IntArray]:
        """The sizes of the entities of both sides, virtual mentions included."""
        if self._plurals is not None:
            return self._plurals.entities
        key, response = self._corpora
        return key.entity_size, response.entity_size

    @property
    def _documents_of_entities(self) -> tuple[IntArray, IntArray]:
        """The document of each entity of both sides; not its window, where documents are cut."""
        if self._plurals is not None and self.pair.cut is None:
            return self._plurals.entity_documents
        key, response = self._corpora
        return key.entity_document, response.entity_document

    @property
    def _mentions_of_entities(self) -> list[IntArray]:
        """The number of mentions of each entity of both sides, without virtual ones."""
        sizes = []
        for side, corpus in zip(self._sizes, self._corpora, strict=True):
            size = np.zeros_like(side)
            size[: corpus.entities] = corpus.entity_size
            sizes.append(size)
        return sizes

    def _split_entities(
        self, names: Sequence[str], codes: Sequence[IntArray]
    ) -> dict[str, Stratum]:
        chosen = entity_metrics(self.options)
        groups = _Groups(self._documents_of_entities, codes, len(names))
        counted = partition_metrics(metrics.counted(chosen))
        tables = count(self._tables, counted, self._skipped, groups.labels, self.align)
        sizes = [(np.ones_like(size), size) for size in self._mentions_of_entities]
        tables[SIZES] = groups.sum_sizes(sizes)
        return self._strata(names, groups, tables, chosen, unit="entities")

    def _split_mentions(
        self, names: Sequence[str], codes: Sequence[IntArray]
    ) -> dict[str, Stratum]:
        chosen = mention_metrics(self.options)
        if any(metric.table != "sides" for metric in partition_metrics(chosen)):
            self._refuse_copies()
        sides = self._corpora
        groups = _Groups([side.document for side in sides], codes, len(names))
        mentions = self._mentions(groups.labels)
        tables: dict[str, tuple[PerDocument, ...]] = {
            metric.name: count_mentions(self._lookups, metric, mentions, self._skipped, self.align)
            for metric in partition_metrics(chosen)
        }
        ones = [np.ones(side.mentions, dtype=np.int64) for side in sides]
        tables[SIZES] = groups.sum_sizes([(part, part) for part in ones])
        return self._strata(names, groups, tables, chosen, unit="mentions")

    def _mentions(self, labels: Labels) -> Mentions:
        """The mentions of both sides with these labels, rows as in their corpora."""
        assert self._lookups.found is not None
        key, response = (
            SideMentions(corpus.entity, found, reading_order(corpus), label)
            for corpus, found, label in zip(
                self._corpora, self._lookups.found, labels.sides, strict=True
            )
        )
        return Mentions(key, response, labels.number)

    def _strata(
        self,
        names: Sequence[str],
        groups: "_Groups",
        tables: Mapping[str, tuple[PerDocument, ...]],
        chosen: tuple[str, ...],
        *,
        unit: StratumUnit,
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
            strata[names[number]] = Stratum(options, counts, unit=unit)
        return strata

    def _empty(self, chosen: tuple[str, ...], *, unit: StratumUnit) -> Stratum:
        """An empty stratum."""
        nothing = np.zeros(0, dtype=np.int64)
        names = (*metrics.counted(chosen), SIZES)
        tables = {name: (nothing,) * columns_of(name) for name in names}
        options = replace(self.options, metrics=chosen)
        return Stratum(options, Counts((), tables), unit=unit)


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

    @property
    def labels(self) -> Labels:
        """The group of each entity or mention of the two sides."""
        key, response = self._number
        return Labels((key, response), self._size)

    def sum_sizes(self, sizes: Sequence[tuple[IntArray, IntArray]]) -> tuple[PerDocument, ...]:
        """The entities and mentions of the key, then of the response, each (groups,)."""
        return tuple(
            sum_by(number, values, self._size)
            for number, both in zip(self._number, sizes, strict=True)
            for values in both
        )

    def rows_of_labels(self) -> Iterator[tuple[int, IntArray]]:
        """The number of each label that occurs, and its groups."""
        order = np.argsort(self.label, kind="stable")
        first = starts_of_runs(self.label[order])
        for rows in np.split(order, first[1:]) if len(order) else ():
            yield int(self.label[rows[0]]), rows


def partition_metrics(names: Iterable[str]) -> list[PartitionMetric]:
    """The metrics of these names, which are metrics of partitions."""
    return [metric for name in names if isinstance(metric := metrics.get(name), PartitionMetric)]


def is_sum_over_entities(name: str) -> bool:
    """Whether a metric, or each part of an average, is a sum over entities."""
    parts = map(metrics.get, metrics.counted([name]))
    return all(isinstance(part, PartitionMetric) and bool(part.shares) for part in parts)


def is_sum_over_mentions(name: str) -> bool:
    """Whether a metric is a sum over mentions; an average is not: it has no such parts."""
    metric = metrics.get(name)
    return isinstance(metric, PartitionMetric) and metric.by_mention


def _known(holds: Callable[[str], bool], options: Options) -> str:
    """The metrics of the scorer for which something holds, as a list."""
    scorer = scorer_class(options.scorer)
    offered = metrics.NAMES if scorer.others is metrics.NAMES else scorer.metrics + scorer.others
    return ", ".join(name for name in offered if holds(name))


def entity_metrics(options: Options) -> tuple[str, ...]:
    """The metrics of the options if they are sums over entities; UsageError if one is not.

    Of the metrics that a profile has by default, those that are not are left out.
    """
    if options.metrics == scorer_class(options.profile).metrics:
        return tuple(filter(is_sum_over_entities, options.metrics))
    if name := next((n for n in options.metrics if not is_sum_over_entities(n)), None):
        instead = "; anchor can be broken down by ne" if name in metrics.VARIANTS else ""
        known = _known(is_sum_over_entities, options)
        raise UsageError(
            f"by entity: {name} is not a sum over entities; choose from {known} with -m{instead}"
        )
    return options.metrics


def mention_metrics(options: Options) -> tuple[str, ...]:
    """Those metrics of the options that are sums over mentions; UsageError if there are none."""
    chosen = tuple(filter(is_sum_over_mentions, options.metrics))
    if not chosen:
        raise no_share(options)
    return chosen


def no_share(options: Options) -> UsageError:
    """The error for the first metric that cannot be split by mention."""
    name = next(name for name in options.metrics if not is_sum_over_mentions(name))
    known = _known(is_sum_over_mentions, options)
    return UsageError(
        f"by mention: {name} has no share of a single mention; only {known} do. "
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
            "its scores cannot be split; choose --profile standard"
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
        if options.lengths == "ignore":
            raise UsageError(f"by {division.name}: cannot be combined with lengths ignore")
        wrong = [m for m in options.metrics if not is_sum_over_mentions(m)]
        if set(wrong) - set(metrics.VARIANTS) and asked and not options.applications:
            raise no_share(options)
        mention_metrics(options)
    written = [d.name if isinstance(d, Feature) else d.signature for d in divisions]
    return replace(options, by=tuple(dict.fromkeys(written)))


def load_strata(tokens: KeyTokens, options: Options) -> list[Incident]:
    """Read what the strata of the options need from the key; DataError where it is missing."""
    incidents = [i for by in options.by for i in load_for(find_division(by), tokens)]
    return list(dict.fromkeys(incidents))
