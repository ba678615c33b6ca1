"""Strata: the scores of one comparison, split by labels of its entities or of its mentions.

Nothing is filtered: an entity is still compared with all others, CEAF is aligned once for whole
documents, and the counts of all strata add up to those of the whole, because they are the same
shares of cells, summed by another label. The recall of a stratum is about the key entities with its
label, the precision about the response entities with its label; these need not be the same
entities. If several alignments of CEAF are best, the order of cells in the text of the key decides.

`Strata` counts; each label has a Part. The functions at the end decide which metrics and policies
can be split.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import IntArray, distinct, ranks_of, sum_by
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, PerDocument
from corefkit.core.directed import Directed, Lookups, entity_ranks
from corefkit.core.incidents import DataError, Incident
from corefkit.core.nodes import reading_order
from corefkit.core.options import Options, UsageError
from corefkit.core.pairing import first_alignment
from corefkit.features.chains import Chains, ComparedChains, KeyTokens
from corefkit.features.divisions import (
    Division,
    LinkDistance,
    count_bands,
    find_division,
    load_for,
)
from corefkit.features.entity_labels import NONE, EntityLabel, order_labels
from corefkit.features.features import Feature, banded, labels
from corefkit.metrics.base import RATIOS, PartitionMetric
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
from corefkit.scorers.preparation import find_copies, report_copies
from corefkit.scoring.parts import Part, PartSize
from corefkit.scoring.scores import Scores


@frozen(eq=False)
class Strata:
    """One comparison, ready to be split by labels of its entities or of its mentions.

    Attributes:
        comparison: the two sides and their matched mentions; its documents may be windows.
        options: metrics and policies.
    """

    comparison: Comparison
    options: Options

    def _refuse_copies(self) -> None:
        """Raise DataError for repeated spans where the scorer counts every copy.

        A copy may then be in several cells of CEAF, be no mention of its own, or have two links.
        """
        if not scorer_class(self.options.scorer).keeps_copies:
            return
        for side in self.sides:
            copies = find_copies(side)
            if copies.repeated.any():
                raise DataError(report_copies(side, copies, "error"))

    @property
    def sides(self) -> tuple[Corpus, Corpus]:
        """Key and response."""
        return self.comparison.key, self.comparison.response

    @cached_property
    def compared(self) -> ComparedChains:
        """Both sides with the tokens of the key."""
        return self.comparison.chains(self.options.tagset)

    @property
    def key(self) -> Chains:
        """The entities of the key."""
        return self.compared.all_key

    @property
    def response(self) -> Chains:
        """The entities of the response."""
        return self.compared.response

    @cached_property
    def _lookups(self) -> Lookups:
        """In which entities mentions are found; in windows, if documents are cut."""
        return scorer_for(self.options).lookups(self.comparison)

    @cached_property
    def _plurals(self) -> SplitAntecedents | None:
        """The lookups with the virtual mentions of split antecedents, if there are any."""
        return scorer_for(self.options).split_antecedents(self.comparison, self._lookups)

    @property
    def _tables(self) -> Tables:
        return self._plurals or self._lookups

    @cached_property
    def ranks(self) -> tuple[IntArray, IntArray]:
        """The rank of each entity of the two sides in the order of their first mentions."""
        key, response = self.sides
        return entity_ranks(key), entity_ranks(response)

    def align(self, table: Directed, metric: PartitionMetric) -> IntArray:
        """The cells of the best alignment; of several, the first in the order of cells.

        Cells are in the order of their first mentions in the text of the key; cells that have only
        a virtual mention come last, in the order of their entities.
        """
        cell_rank = np.full(len(table.n), np.iinfo(np.int64).max)
        assert self._lookups.found is not None
        cell = table.cells_at(self.comparison.key.entity, self._lookups.found[0])
        rank = ranks_of(reading_order(self.comparison.key))
        np.minimum.at(cell_rank, cell[cell >= 0], rank[cell >= 0])
        ranks = (
            np.append(rank, len(rank) + np.arange(entities - len(rank)))
            for rank, entities in zip(self.ranks, (len(table.size), len(table.other)), strict=True)
        )
        key_rank, response_rank = ranks
        cell_rank = ranks_of(
            np.lexsort((response_rank[table.column], key_rank[table.row], cell_rank))
        )
        top, bottom = metric.shares[0].earned(table)
        below = np.broadcast_to(bottom, top.shape)
        if top.dtype == object:
            weights = [Fraction(t) / b for t, b in zip(top.tolist(), below.tolist(), strict=True)]
            top = np.array([weight.numerator for weight in weights], dtype=np.int64)
            below = np.array([weight.denominator for weight in weights], dtype=np.int64)
        return first_alignment(table.row, table.column, top, below, cell_rank)

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

    def by(self, group: str | Division) -> dict[str, Part[Scores]]:
        """The strata of a division by label, in the order of the labels."""
        division = find_division(group)
        if isinstance(division, LinkDistance):
            parts = self._split_links(division)
        elif isinstance(division, EntityLabel):
            parts = self._split_entities(division)
        else:
            parts = self._split_mentions(division)
        return {part.label: part for part in parts if len(part.scores.counts)}

    def _split_links(self, distance: LinkDistance) -> list[Part[Scores]]:
        """The coreference links in bands of distance; the metric is `links`."""
        names = banded(np.zeros(0, dtype=np.int64), distance.bounds).values
        counts = self._count_links(distance)
        _, documents, bands = counts.shape
        columns = tuple(counts.transpose(0, 2, 1).reshape(len(RATIOS), -1))
        occurring = np.flatnonzero(columns[1] + columns[3])
        groups = _Groups(occurring % documents, occurring // documents, bands)
        tables = {"links": tuple(column[occurring] for column in columns)}
        sizes = {"links": tables["links"][1]}, {"links": tables["links"][3]}
        return self._parts(
            distance.name, names, groups, tables=tables, sizes=sizes, chosen=("links",)
        )

    def _count_links(self, distance: LinkDistance) -> IntArray:
        """RATIOS of links, int64 (4, documents, bands).

        Links of the key are in the band of their distance in the key, those of the response in
        that of their distance in the response; common links are counted once for each side.
        """
        self._refuse_copies()
        (key, response), pairs = self.sides, self.comparison.pairs
        rows, columns = key.entity[pairs.key], response.entity[pairs.response]
        cell = distinct(rows * max(response.entities, 1) + columns).inverse
        counts = []
        chains = (lambda: self.key), (lambda: self.response)
        for corpus, find_chains, matched in zip((key, response), chains, pairs, strict=True):
            position, document = (
                distance.positions(corpus, find_chains),
                self._text(corpus.document),
            )
            whole = (document, corpus.entity, position)
            common = (document[matched], cell, position[matched])
            counts += [
                count_bands(*columns, distance.bounds, len(self._names))
                for columns in (common, whole)
            ]
        return np.stack(counts)

    def label_entities(self, label: EntityLabel) -> tuple[Sequence[str], list[IntArray]]:
        """The labels in order, and for each side the label number of each entity."""
        columns = [label.labels(chains) for chains in (self.key, self.response)]
        names = order_labels(label, columns, self.comparison.key.entity_size)
        number_of = {name: number for number, name in enumerate(names)}
        codes = [column.numbers(number_of.__getitem__) for column in columns]
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

    def label_mentions(self, feature: Feature) -> tuple[Sequence[str], list[IntArray]]:
        """The labels in order, and for each side the label number of each row of its corpus."""
        if self._plurals is not None and mention_metrics(self.options) != ("mentions",):
            raise UsageError(
                f"by {feature.name}: the virtual mention of a split antecedent has no features; "
                "leave these out (--split drop), or break down by entity"
            )
        names, label_codes = labels(feature, self.key, self.response)
        rows = self.key.row, self.response.row
        codes = []
        for code, row in zip(label_codes, rows, strict=True):
            code_of_row = np.empty_like(code)
            code_of_row[row] = code
            codes.append(code_of_row)
        return names, codes

    @property
    def _sizes(self) -> tuple[IntArray, IntArray]:
        """The sizes of the entities of both sides, virtual mentions included."""
        if self._plurals is not None:
            return self._plurals.entities
        key, response = self.sides
        return key.entity_size, response.entity_size

    def _text(self, document: IntArray) -> IntArray:
        """The documents of the key of documents of the comparison, which may be windows of them."""
        windows = self.comparison.windows
        return document if windows is None else windows.document[document]

    @property
    def _names(self) -> Sequence[str]:
        """The names of the documents of the key."""
        return self.compared.tokens.corpus.names

    @property
    def _documents_of_entities(self) -> tuple[IntArray, IntArray]:
        """The document of each entity of both sides; not its window, where documents are cut."""
        if self._plurals is not None:
            return self._plurals.entity_documents
        key, response = self.sides
        return self._text(key.entity_document), self._text(response.entity_document)

    def _split_entities(self, division: EntityLabel) -> list[Part[Scores]]:
        names, codes = self.label_entities(division)
        chosen = entity_metrics(self.options)
        groups, labels = _groups(self._documents_of_entities, codes, len(names))
        counted = partition_metrics(metrics.counted(chosen))
        tables = count(self._tables, counted, self._skipped, labels, self.align)
        key, response = (
            {
                "entities": np.bincount(label, minlength=labels.number),
                "mentions": sum_by(label[: corpus.entities], corpus.entity_size, labels.number),
            }
            for label, corpus in zip(labels.sides, self.sides, strict=True)
        )
        sizes = key, response
        return self._parts(division.name, names, groups, tables=tables, sizes=sizes, chosen=chosen)

    def _split_mentions(self, feature: Feature) -> list[Part[Scores]]:
        names, codes = self.label_mentions(feature)
        chosen = mention_metrics(self.options)
        if any(metric.table != "sides" for metric in partition_metrics(chosen)):
            self._refuse_copies()
        groups, labels = _groups(
            [self._text(side.document) for side in self.sides], codes, len(names)
        )
        mentions = self._mentions(labels)
        tables: dict[str, tuple[PerDocument, ...]] = {
            metric.name: count_mentions(self._lookups, metric, mentions, self._skipped, self.align)
            for metric in partition_metrics(chosen)
        }
        key, response = (
            {"mentions": np.bincount(label, minlength=labels.number)} for label in labels.sides
        )
        sizes = key, response
        return self._parts(feature.name, names, groups, tables=tables, sizes=sizes, chosen=chosen)

    def _mentions(self, labels: Labels) -> Mentions:
        """The mentions of both sides with these labels, rows as in their corpora."""
        assert self._lookups.found is not None
        key, response = (
            SideMentions(corpus.entity, found, reading_order(corpus), label)
            for corpus, found, label in zip(
                self.sides, self._lookups.found, labels.sides, strict=True
            )
        )
        return Mentions(key, response, labels.number)

    def _parts(  # noqa: PLR0913 (what parts are made of)
        self,
        by: str,
        names: Sequence[str],
        groups: "_Groups",
        *,
        tables: Mapping[str, tuple[PerDocument, ...]],
        sizes: tuple[Mapping[str, IntArray], Mapping[str, IntArray]],
        chosen: tuple[str, ...],
    ) -> list[Part[Scores]]:
        """One part per label. All numbers are those of groups; `sizes` are of key and response."""
        options = replace(self.options, metrics=chosen)
        parts = []
        for name, rows in zip(names, groups.of_labels(), strict=True):
            counts = Counts(
                tuple(self._names[i] for i in groups.document[rows].tolist()),
                {name: tuple(column[rows] for column in table) for name, table in tables.items()},
            )
            key, response = (
                PartSize(**{unit: int(numbers[rows].sum()) for unit, numbers in side.items()})
                for side in sizes
            )
            parts.append(Part(((by, name),), Scores(options, counts, divided=True), key, response))
        return parts


class _Groups(NamedTuple):
    """The pairs of document and label that occur on either side.

    Attributes:
        document, label: int64 (groups,), the numbers of each group.
        labels: how many labels there are.
    """

    document: IntArray
    label: IntArray
    labels: int

    def of_labels(self) -> list[IntArray]:
        """The groups of each label."""
        order = np.argsort(self.label, kind="stable")
        bounds = np.searchsorted(self.label[order], np.arange(1, self.labels))
        return np.split(order, bounds)[: self.labels]


def _groups(
    documents: Sequence[IntArray], codes: Sequence[IntArray], labels: int
) -> tuple[_Groups, Labels]:
    """The groups, and that of each entity or mention of the two sides.

    `documents` and `codes` have the numbers of the documents and of the labels of these.
    """
    width = max(labels, 1)
    both = [d * width + c for d, c in zip(documents, codes, strict=True)]
    groups = distinct(np.concatenate(both))
    key, response = np.split(groups.inverse, [len(both[0])])
    found = _Groups(groups.values // width, groups.values % width, labels)
    return found, Labels((key, response), len(groups.values))


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
