"""Where systems that `corefkit score` scored would stand among published ones."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corefkit.core.options import UsageError
from corefkit.plugins.published import Published, has_means, scorer_warning
from corefkit.scorers.signature import parse_signature


class PublishedStanding(NamedTuple):
    """Published rows and new systems, sorted by CoNLL average.

    Attributes:
        table: the published table.
        rows: name, place and figures in percent; those of new systems are not rounded.
        warnings: why scores are not comparable with those of the table.
    """

    table: Published
    rows: Sequence[Mapping[str, Any]]
    warnings: Sequence[str]


def find_standing(table: Published, results: Sequence[Any]) -> PublishedStanding:
    """The standing of the systems in results, each the JSON of `corefkit score`.

    Places are determined by scores rounded like those of the paper; ties share a place. UsageError
    for a result that has no micro-averaged CoNLL score, and for a table of means over datasets.
    """
    if has_means(table):
        name = table.name.partition("@")[0]
        raise UsageError(
            f"{name}: these are means over datasets, and score computes none; name one dataset, "
            f"{name}/DATASET, or compute the mean with corefkit task"
        )
    rows: list[dict[str, Any]] = [
        {"system": row.system, "published": True, **row.figures} for row in table.rows
    ]
    warnings: list[str | None] = []
    for result in results:
        if not isinstance(result, Mapping) or result.get("result") != "scores":
            raise UsageError("published: only results of `corefkit score -f json` can be ranked")
        options, _ = parse_signature(str(result["signature"]))
        if options.average != "micro":
            raise UsageError("published results are micro-averages, these scores are not")
        warnings.append(scorer_warning(table, options.profile))
        rows += _systems(result)
    rounded = [round(row["conll.f1"], table.decimals) for row in rows]
    for row, value in zip(rows, rounded, strict=True):
        row["place"] = 1 + sum(score > value for score in rounded)
    rows.sort(key=lambda row: (-row["conll.f1"], row["published"]))
    return PublishedStanding(table, rows, [*dict.fromkeys(filter(None, warnings))])


def _systems(result: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The systems of a result that have scores."""
    for system in result["systems"]:
        scores = system.get("scores") or {}
        if scores and "conll" not in scores:
            raise UsageError("published results are ranked by conll: score it, too")
        if scores:
            figures = {f"{name}.f1": 100 * score["f1"] for name, score in scores.items()}
            yield {"system": system["name"], "published": False, **figures}
