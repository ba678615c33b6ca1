"""All entities of both sides, one row per entity, with its contribution to every metric.

Every stratum is a sum of these rows: `corefkit score --by entity:… --entities FILE` writes them.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import DataError
from corefkit.core.options import Options
from corefkit.features.chains import Chains
from corefkit.features.context import EMPTY_NODE, Texts
from corefkit.features.entity_labels import find_label, first_rows, spread
from corefkit.metrics.contributions import BY_ENTITY
from corefkit.scorers import scorer_class
from corefkit.scoring.strata import Strata

_KINDS = {"blanc": ("_coreference", "_noncoreference")}
"""What follows the name of a metric that counts several kinds of links."""

_LABELS = ("kind", "first", "type")


def entity_rows(strata: Strata) -> Iterator[dict[str, Any]]:
    """One row per entity: those of the key, then those of the response, each in text order.

    Counts are exact fractions, as texts such as "35/12". Labels are None where the key lacks what
    they are made from.
    """
    labels = {name: _known_labels(strata, f"entity:{name}") for name in _LABELS}
    metrics = _offered(strata.options)
    sides = (strata.key, strata.response)
    numbers = [_numbers(chains, rank) for chains, rank in zip(sides, strata.ranks, strict=True)]
    for side, chains in enumerate(sides):
        ranks = strata.ranks[side]
        counts = _counts(strata, metrics, side)
        aligned = {
            f"aligned_{m}": _partners(strata, m, side, numbers[1 - side])
            for m in ("ceafm", "ceafe")
            if m in metrics
        }
        mentions = _FirstMentions(chains)
        for entity in np.lexsort((ranks, chains.corpus.entity_document)).tolist():
            rank = int(ranks[entity])
            yield {
                **mentions.row(entity, ("key", "response")[side], int(numbers[side][entity])),
                **{name: known[side][rank] if known else None for name, known in labels.items()},
                **{name: partner.get(rank) for name, partner in aligned.items()},
                **{column: str(values[rank]) for column, values in counts.items()},
            }


def _counts(strata: Strata, metrics: list[str], side: int) -> dict[str, list[Any]]:
    """The numerators and denominators of each metric: column → value of each rank."""
    columns: dict[str, list[Any]] = {}
    for metric in metrics:
        kinds = strata.contributions.of_entities(metric)
        for kind, suffix in zip(kinds, _KINDS.get(metric, ("",)), strict=True):
            share = kind[side]
            columns[f"{metric}{suffix}_numerator"] = share.numerator.listed()
            columns[f"{metric}{suffix}_denominator"] = share.denominator.listed()
    return columns


def _known_labels(strata: Strata, by: str) -> list[list[str]] | None:
    """The labels of the entities of both sides, by rank; None where the key cannot give them."""
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


def _partners(strata: Strata, metric: str, side: int, numbers: IntArray) -> dict[int, int]:
    """The rank of each aligned entity of a side → the number of its partner on the other side."""
    pairs = strata.contributions.aligned_entities(metric)
    number_of_rank = np.empty_like(numbers)
    number_of_rank[strata.ranks[1 - side]] = numbers
    return {
        entity: int(number_of_rank[partner])
        for entity, partner in zip(pairs[side].tolist(), pairs[1 - side].tolist(), strict=True)
        if entity < len(strata.ranks[side]) and partner < len(number_of_rank)
    }


class _FirstMentions:
    """The first mention of each entity, and the spread of the entity in tokens."""

    def __init__(self, chains: Chains) -> None:
        self._chains, self._texts = chains, Texts(chains.tokens)
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
            "text": self._text(at, document, start, end) if self._texts.known else None,
            "size": int(chains.size[entity]),
            "spread": int(self._spread[entity]),
        }

    def _text(self, at: int, document: int, start: int, end: int) -> str:
        if self._chains.zero[at]:
            return EMPTY_NODE
        parts = self._chains.corpus.parts
        nodes = None if parts is None else parts.nodes(int(self._chains.row[at]))
        return self._texts.text(document, start, end, nodes)


def _offered(options: Options) -> list[str]:
    """The metrics of the scorer that are sums over entities."""
    scorer = scorer_class(options.scorer)
    return [name for name in BY_ENTITY if name in (*scorer.metrics, *scorer.others)]
