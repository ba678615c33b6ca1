"""The output of `corefkit score --across`: one row per level, and links by their reach."""

from typing import Any

from corefkit.render.parts import division_table
from corefkit.render.table import CellValue, Heading, Table, make_block, make_table
from corefkit.scoring.parts import Part
from corefkit.scoring.report import Report
from corefkit.scoring.scores import Scores

_REACHES = {"document": "within documents", "topic": "between documents of a topic"}
_WIDEST = {True: "between topics", False: "between documents"}
"""The name of links that reach across the whole corpus, by whether there are topics."""


def level_tables(report: Report) -> list[Table]:
    """F1 by level and links by reach, with one block per system."""
    if not report.scores:
        return []
    levels = {
        system: [(part.label, part) for part in scores.levels]
        for system, scores in report.scores.items()
    }
    across = Heading("across", "across")
    title = "Scores by level" if len(report.options.metrics) == 1 else "F1 by level"
    narrow = division_table("levels", title, across, levels)
    return [narrow, _reaches_table(report)]


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
