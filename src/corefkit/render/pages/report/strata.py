"""Where a system is good, on the error page: strata of its entities, and those of its errors."""

from typing import Any

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.applications.chains import Chains
from corefkit.applications.entity_labels import find_label, order_labels
from corefkit.core.arrays import tuples
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.scoring.scores import Scores
from corefkit.stats.by_stratum import compare_strata
from corefkit.stats.resampling import Plan

BY = ("entity:size", "entity:spread", "entity:kind", "entity:type")
"""What is shown, as far as the key tells it."""


def strata_data(errors: Errors, scores: Scores, samples: int) -> list[dict[str, Any]]:
    """For each label of entities: its strata with F1 and interval, and those of each error.

    Nothing where the scores of the profile cannot be split.
    """
    found = []
    for by in BY:
        try:
            strata = scores.split(by)
        except (DataError, UsageError):
            continue
        (intervals,) = compare_strata([scores], by, Plan(samples=samples)).systems
        figures = {one.label: one.metrics.get(errors.metric) for one in intervals}
        rows = []
        for label, stratum in strata.items():
            figure = figures.get(label)
            ends = (figure and figure.interval) or (None, None)
            sizes = [stratum.key.entities, stratum.key.mentions]
            sizes += [stratum.response.entities, stratum.response.mentions]
            rows.append([label, *sizes, figure.f1 if figure else None, *ends])
        names, of_errors = _labels_of_errors(errors, scores, by)
        found.append({"by": by, "rows": rows, "labels": names, "errors": of_errors})
    return found


def _labels_of_errors(errors: Errors, scores: Scores, by: str) -> tuple[list[str], list[list[int]]]:
    """The labels, and for each error those of the entities that it concerns, on either side."""
    strata, label = scores.strata(by), find_label(by)
    sides: tuple[Chains, Chains] = (strata.key, strata.response)
    columns = [label.labels(chains) for chains in sides]
    names = order_labels(label, columns, sides[0].corpus.entity_size)
    place = {name: number for number, name in enumerate(names)}
    codes = [np.append(column.numbers(place.__getitem__), -1) for column in columns]
    table, joint = errors.table, errors.joint
    found: list[set[int]] = [set() for _ in range(len(table))]
    for entity, code in ((joint.key_entity, codes[0]), (joint.response_entity, codes[1])):
        for number, own in tuples(table.error, code[entity[table.mention]]):
            if own >= 0:
                found[number].add(own)
    return names, [sorted(own) for own in found]
