"""A partition metric that is declared once is scored everywhere: in files, an Evaluator, strata,
windows, across documents, on engines, in comparisons, errors and losses.
"""

from dataclasses import replace
from fractions import Fraction
from math import fsum
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, Evaluator
from corefkit.core.directed import Directed
from corefkit.metrics.base import Average, PartitionMetric, Share
from corefkit.metrics.partition import BCUB, mentions_of
from tests.support import EXAMPLES

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def squared_shares(table: Directed) -> tuple[Any, Any]:
    """Each of the m mentions has the share (m/size)²: B³, squared."""
    return table.m**3, table.row_size**2


SQUARED = PartitionMetric(
    name="squared",
    title="B³²",
    help="for each mention, the share of its entity that was found, squared",
    citation="none",
    formula="R = Σ_K Σ_R |K ∩ R|³ / |K|² / key mentions",
    example="",
    shares=(Share(squared_shares, mentions_of),),
    by_mention=True,
)
MEAN = Average(name="mean", help="", citation="", formula="", example="", parts=("squared", "muc"))


def expected(key: Corpus, response: Corpus) -> list[float]:
    """Its counts by sets of mentions."""
    sides = [
        [{(name, *span) for span in cluster} for name, listed in side.items() for cluster in listed]
        for side in (key.clusters(), response.clusters())
    ]
    counts: list[float] = []
    for ours, theirs in (sides, sides[::-1]):
        counts.append(
            float(sum(Fraction(len(a & b) ** 3, len(a) ** 2) for a in ours for b in theirs))
        )
        counts.append(sum(map(len, ours)))
    return counts


@pytest.fixture(name="scores", scope="module")
def make_scores() -> Any:
    return corefkit.score(KEY, CAREFUL, [SQUARED, MEAN, "muc"])


def ratios(score: Any) -> list[float]:
    return [*score.counts["recall"], *score.counts["precision"]]


def test_files_and_evaluator(scores: Any) -> None:
    key, response = corefkit.read(KEY), corefkit.read(CAREFUL)
    assert ratios(scores["squared"]) == pytest.approx(expected(key, response), rel=1e-12)
    assert scores["mean"].f1 == (scores["squared"].f1 + scores["muc"].f1) / 2
    evaluator = Evaluator(SQUARED)
    for name, clusters in key.clusters().items():
        evaluator.update(clusters, response.clusters()[name])
    assert evaluator.scores()["squared"] == scores["squared"]


@pytest.mark.parametrize("by", ["entity:size", "entity:kind", "length", "genre"])
def test_parts_add_up(scores: Any, by: str) -> None:
    parts = [ratios(part["squared"]) for part in scores.by(by).values()]
    assert len(parts) > 1
    assert [*map(fsum, zip(*parts, strict=True))] == pytest.approx(ratios(scores["squared"]))


def test_windows_and_levels(scores: Any) -> None:
    windows = corefkit.score(KEY, CAREFUL, SQUARED, window=20).windows
    pieces, whole = (row.scores["squared"] for row in windows)
    assert whole == scores["squared"] != pieces
    parts = [ratios(part["squared"]) for part in windows[0].scores.by("entity:size").values()]
    assert [*map(fsum, zip(*parts, strict=True))] == pytest.approx(ratios(pieces))
    sides = [EXAMPLES / "topics" / f"{name}.conll" for name in ("key", "system")]
    levels = corefkit.score(sides[0], sides[1], SQUARED, across="all", topic=r"\d+").levels
    assert len({row.scores["squared"].f1 for row in levels}) == 3


def test_comparison_errors_and_losses(scores: Any) -> None:
    other = corefkit.score(KEY, HASTY, SQUARED)["squared"].f1
    found = corefkit.compare(KEY, CAREFUL, HASTY, metrics=SQUARED, samples=50)
    (pair,) = found.pairs
    difference = pair.metrics["squared"].difference
    assert abs(difference) == pytest.approx(abs(scores["squared"].f1 - other))
    lost = sum(corefkit.errors(KEY, CAREFUL, SQUARED).shares().values())
    assert lost == pytest.approx(1 - scores["squared"].f1)
    loss = scores.losses["squared"]
    assert loss.detection + loss.linking == pytest.approx(1 - scores["squared"].f1)


def test_on_an_engine(scores: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    tables = []
    for corpus in map(corefkit.read, (KEY, CAREFUL)):
        columns = {
            "document": [corpus.names[number] for number in corpus.document.tolist()],
            "entity": [corpus.labels[number] for number in corpus.entity.tolist()],
            "start": corpus.start.tolist(),
            "end": corpus.end.tolist(),
        }
        tables.append(pa.table(columns))
    found = corefkit.score(tables[0], tables[1], [SQUARED, MEAN], engine="duckdb")
    assert found["squared"] == scores["squared"]


def test_what_is_refused() -> None:
    corefkit.score(KEY, CAREFUL, SQUARED)
    with pytest.raises(corefkit.UsageError, match="another one"):
        corefkit.score(KEY, CAREFUL, replace(SQUARED, title="other"))
    with pytest.raises(corefkit.UsageError, match="the profile coval has no squared"):
        corefkit.score(KEY, CAREFUL, SQUARED, profile="coval")


@pytest.mark.parametrize("plurals", ["aligned", ""])
def test_split_antecedents_count_as_declared(plurals: Any) -> None:
    """B³ under another name has the counts of B³, as far as it sees virtual mentions."""
    same = replace(BCUB, name=f"same{len(plurals)}", plurals=plurals)
    sides = [["a"], ["b", "c"], ["d"]], [["a"], ["b"], ["d", "c"]]
    split = {2: [0, 1]}, {2: [0, 1]}
    found = Evaluator([same, "bcub"]).update(*sides, split=split).scores()
    assert (found[same.name].counts == found["bcub"].counts) == (plurals == "aligned")
