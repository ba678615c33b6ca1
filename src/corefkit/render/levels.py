"""The output of `corefkit score --across`: one row per level, and links by their reach."""

from typing import Any

from corefkit.render.table import CellValue, Heading, Table, make_block, make_table
from corefkit.scoring.parts import Part
from corefkit.scoring.report import Report
from corefkit.scoring.scores import Scores

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
                (row.label, *_sizes(row), *(s.f1 for s in row.scores.values()))
                for row in scores.levels
            ],
            system if several else "",
        )
        for system, scores in report.scores.items()
    ]
    return make_table("levels", "F1 by level", headings, blocks)


def _sizes(level: Part[Any]) -> list[CellValue]:
    sizes = level.sizes() | {"documents": level.key.documents}
    return [sizes.get(heading.name) for heading in _SIZES]


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


def _reach_line(scores: Scores, row: Part[Any]) -> list[CellValue]:
    topics = any(reach.label == "topic" for reach in scores.reaches)
    name, score = _REACHES.get(row.label, _WIDEST[topics]), row.scores["pairs"]
    common, key = score.counts["recall"]
    response = score.counts["precision"][1]
    return [name, key, response, common, score.recall, score.precision, score.f1]
