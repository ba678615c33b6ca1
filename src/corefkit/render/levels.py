"""The output of `corefkit score --across`: one row per level, and links by their reach."""

from collections.abc import Iterator

from corefkit.metrics.base import RATIOS
from corefkit.render.table import CellValue, Heading, Table, make_block, make_table
from corefkit.scoring.level_scores import LevelScores, LinkReach
from corefkit.scoring.report import Report
from corefkit.scoring.scores import ROW, Scores

SIDE_SIZES = (
    Heading("key_entities", "ents.", "in key", "number"),
    Heading("key_mentions", "mentions", "in key", "number"),
    Heading("response_entities", "ents.", "in response", "number"),
    Heading("response_mentions", "mentions", "in response", "number"),
)
"""The number of entities and mentions on each side."""

_SIZES = (Heading("documents", "units", kind="number"), *SIDE_SIZES)

_REACHES = {"document": "within documents", "topic": "between documents of a topic"}
_WIDEST = {True: "between topics", False: "between documents"}
"""The name of links that reach across the whole corpus, by whether there are topics."""

PAIRS = "pairs"
"""The metric whose counts are the sums of links by their reach."""


def level_tables(report: Report) -> list[Table]:
    """F1 by level and links by reach, with one block per system."""
    return [_levels_table(report), _reaches_table(report)] if report.scores else []


def _levels_table(report: Report) -> Table:
    first = next(iter(report.scores.values()))
    headings = [Heading("across", "across"), *_SIZES]
    headings += [Heading(f"{name}.f1", name, kind="score") for name in first]
    several = len(report.scores) > 1
    blocks = [
        make_block(
            [
                (row.level, *_sizes(row), *(s.f1 for s in row.scores.values()))
                for row in scores.levels
            ],
            system if several else "",
        )
        for system, scores in report.scores.items()
    ]
    return make_table("levels", "F1 by level", headings, blocks)


def _sizes(row: LevelScores) -> tuple[int, ...]:
    key, response = row.key, row.response
    return key.documents, key.entities, key.mentions, response.entities, response.mentions


def _reaches_table(report: Report) -> Table:
    headings = [
        Heading("reach", "links"),
        *(Heading(name, name, kind="number") for name in ("key", "response", "common")),
        Heading("recall", "Recall", kind="score"),
        Heading("precision", "Precision", kind="score"),
        Heading("f1", "F1", kind="score"),
    ]
    several = len(report.scores) > 1
    blocks = [
        make_block([_reach_line(scores, row) for row in scores.reaches], system if several else "")
        for system, scores in report.scores.items()
    ]
    return make_table("reaches", "Links by their reach", headings, blocks)


def _reach_line(scores: Scores, row: LinkReach) -> list[CellValue]:
    topics = any(reach.reach == "topic" for reach in scores.reaches)
    name = _REACHES.get(row.reach, _WIDEST[topics])
    return [name, row.key, row.response, row.common, row.recall, row.precision, row.f1]


def flat_levels(scores: Scores) -> Iterator[tuple[str, list[CellValue]]]:
    """For programs: a name and the values of ROW, for each level and metric and for each reach.

    The names are `across:LEVEL` and `reach:REACH`.
    """
    for level in scores.levels:
        for line in level.scores.rows():
            yield f"across:{level.level}", list(line.values())
    for row in scores.reaches:
        values = {"metric": PAIRS, "recall": row.recall, "precision": row.precision, "f1": row.f1}
        ratios = dict(zip(RATIOS, (row.common, row.key, row.common, row.response), strict=True))
        yield f"reach:{row.reach}", [(values | ratios)[name] for name in ROW]
