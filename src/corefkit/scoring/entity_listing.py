"""All entities of both sides, one row per entity, with its contribution to the usual metrics and to
those that were chosen.

Every stratum is a sum of these rows: `corefkit score --by entity:… --entities FILE` writes them.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import DataError
from corefkit.core.options import Options
from corefkit.core.tokens import EMPTY_NODE
from corefkit.features.chains import Chains
from corefkit.features.entity_labels import find_label, first_rows, spread
from corefkit.metrics import counted
from corefkit.metrics.base import PartitionMetric
from corefkit.scorers import scorer_class
from corefkit.scoring.strata import Strata, is_sum_over_entities, partition_metrics

_KINDS = {"blanc": ("_coreference", "_noncoreference")}
"""What follows the name of a metric that counts several kinds of links."""

_USUAL = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")

_LABELS = ("kind", "first", "type")


def entity_rows(strata: Strata) -> Iterator[dict[str, Any]]:
    """One row per entity: those of the key, then those of the response, each in text order.

    Counts are exact fractions, as texts such as "35/12". Labels are None where the key lacks what
    they are made from.
    """
    labels = {name: _known_labels(strata, f"entity:{name}") for name in _LABELS}
    metrics = _listed(strata.options)
    sides = (strata.key, strata.response)
    numbers = [_numbers(chains, rank) for chains, rank in zip(sides, strata.ranks, strict=True)]
    counts = _counts(strata, metrics)
    for side, chains in enumerate(sides):
        aligned = {
            f"aligned_{metric.name}": _partners(strata, metric, side, numbers[1 - side])
            for metric in metrics
            if metric.aligned
        }
        mentions = _FirstMentions(chains)
        for entity in np.lexsort((strata.ranks[side], chains.corpus.entity_document)).tolist():
            yield {
                **mentions.row(entity, ("key", "response")[side], int(numbers[side][entity])),
                **{name: known[side][entity] if known else None for name, known in labels.items()},
                **{name: partner.get(entity) for name, partner in aligned.items()},
                **{column: str(values[entity]) for column, values in counts[side].items()},
            }


def _counts(
    strata: Strata, metrics: list[PartitionMetric]
) -> tuple[dict[str, list[Fraction]], dict[str, list[Fraction]]]:
    """For either side the numerators and denominators of each metric: column → of each entity."""
    sides: tuple[dict[str, list[Fraction]], dict[str, list[Fraction]]] = {}, {}
    for metric in metrics:
        shares = strata.shares(metric)
        for number, suffix in enumerate(_KINDS.get(metric.name, ("",))):
            for side, columns in enumerate(sides):
                first = 4 * number + 2 * side
                for part, values in zip(("numerator", "denominator"), shares[first:], strict=False):
                    columns[f"{metric.name}{suffix}_{part}"] = values
    return sides


def _known_labels(strata: Strata, by: str) -> list[list[str]] | None:
    """The labels of the entities of both sides; None where the key cannot give them."""
    try:
        names, codes = strata.label_entities(find_label(by))
    except DataError:
        return None
    return [[names[i] for i in code.tolist()] for code in codes]


def _numbers(chains: Chains, rank: IntArray) -> IntArray:
    """The number of each entity in its document, from 1, in text order."""
    document = chains.corpus.entity_document
    order = np.lexsort((rank, document))
    numbers = np.empty_like(rank)
    numbers[order] = np.arange(len(rank)) - np.searchsorted(document[order], document[order]) + 1
    return numbers


def _partners(
    strata: Strata, metric: PartitionMetric, side: int, numbers: IntArray
) -> dict[int, int]:
    """Each aligned entity of a side → the number of its partner on the other side."""
    pairs = strata.aligned_entities(metric)
    return {
        entity: int(numbers[partner])
        for entity, partner in zip(pairs[side].tolist(), pairs[1 - side].tolist(), strict=True)
        if partner < len(numbers)
    }


class _FirstMentions:
    """The first mention of each entity, and the spread of the entity in tokens."""

    def __init__(self, chains: Chains) -> None:
        self._chains, self._texts = chains, chains.tokens
        self._first, self._spread = first_rows(chains), spread(chains)

    def row(self, entity: int, side: str, number: int) -> dict[str, Any]:
        """The columns that identify and describe an entity."""
        chains, at = self._chains, int(self._first[entity])
        document, start, end = (
            int(column[at]) for column in (chains.document, chains.start, chains.end)
        )
        return {
            "document": chains.corpus.names[document],
            "side": side,
            "number": number,
            "start": start,
            "end": end,
            "text": self._text(at, document, start, end) if self._texts.has("word") else None,
            "size": int(chains.size[entity]),
            "spread": int(self._spread[entity]),
        }

    def _text(self, at: int, document: int, start: int, end: int) -> str:
        if self._chains.zero[at]:
            return EMPTY_NODE
        lists = self._chains.corpus.nodes
        nodes = None if lists is None else lists.at(int(self._chains.row[at]))
        return self._texts.text(document, start, end, nodes)


def _listed(options: Options) -> list[PartitionMetric]:
    """The usual metrics that the scorer has, and those that were chosen, if they are sums."""
    scorer = scorer_class(options.scorer)
    usual = (name for name in _USUAL if name in (*scorer.metrics, *scorer.others))
    names = dict.fromkeys((*usual, *counted(options.metrics)))
    return partition_metrics(filter(is_sum_over_entities, names))
