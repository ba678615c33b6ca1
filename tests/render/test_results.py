"""Every result has rows, a dict, a data frame, tables and a text."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import corefkit
from corefkit.core.results import Result
from tests.support import EXAMPLES

KEY, CAREFUL, HASTY = (str(EXAMPLES / f"{name}.conll") for name in ("key", "careful", "hasty"))


def _document() -> Result:
    errors = corefkit.errors(KEY, CAREFUL)
    return errors.document(errors.joint.key.names[0])


RESULTS: dict[str, Callable[[], Result]] = {
    "scores": lambda: corefkit.score(KEY, CAREFUL, "muc,blanc", window=20),
    "runs": lambda: corefkit.score_runs(KEY, {"ours": [CAREFUL, HASTY]}, "muc", by="genre"),
    "comparison": lambda: corefkit.compare(KEY, CAREFUL, HASTY, metrics="muc", by="entity:size"),
    "agreement": lambda: corefkit.agree(CAREFUL, HASTY, metrics="muc"),
    "errors": lambda: corefkit.errors(KEY, CAREFUL),
    "document_errors": _document,
    "outcomes": lambda: corefkit.outcomes(KEY, CAREFUL, HASTY, metrics="immediate"),
    "explanation": lambda: corefkit.explain(KEY, CAREFUL, "standard", "coval"),
    "alignment": lambda: corefkit.align(KEY, CAREFUL),
    "statistics": lambda: corefkit.statistics(KEY),
    "curve": lambda: corefkit.curve(KEY, str(EXAMPLES / "links.tsv"), metrics="muc", samples=9),
    "power": lambda: corefkit.power(KEY, CAREFUL, HASTY, "muc"),
    "adjudication": lambda: corefkit.adjudicate(CAREFUL, HASTY),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_views_of_rows(kind: str) -> None:
    result = RESULTS[kind]()
    rows = result.rows()
    columns = dict.fromkeys(name for row in rows for name in row)
    frame = result.to_frame(SimpleNamespace(DataFrame=dict))
    assert [*frame] == [*columns]
    assert {len(values) for values in frame.values()} == {len(rows)}
    assert (result.kind, bool(rows)) == (kind, True)
    assert result.to_dict()
    assert all(table.lines for table in result.tables())
    assert str(result).strip()
    assert result._repr_html_()


def test_rows_say_whose_they_are() -> None:
    """System, part and metric; of a pair both systems; F1 as in the scores."""
    rows = corefkit.compare(KEY, CAREFUL, HASTY, metrics="muc", by="entity:size=1,3").rows()
    places = [(row["system"], row["b"], row["part"], row["metric"]) for row in rows]
    parts = ["all", "entity:size:1-2", "entity:size:3+"]
    assert places == [
        (system, b, part, "muc")
        for system, b in (("careful", None), ("hasty", None), ("careful", "hasty"))
        for part in parts
    ]
    whole = rows[places.index(("careful", None, "all", "muc"))]
    assert whole["f1"] == corefkit.score(KEY, CAREFUL, "muc")["muc"].f1
    assert whole["low"] < whole["f1"] < whole["high"]


@pytest.mark.parametrize("names", [("gold", "pred"), ("references", "predictions")])
def test_sides_by_other_names(names: tuple[str, str]) -> None:
    key, response = names
    one: dict[str, Any] = {key: KEY, response: CAREFUL}
    assert corefkit.score(**one) == corefkit.score(KEY, CAREFUL)
    assert corefkit.errors(**one).counts == corefkit.errors(KEY, CAREFUL).counts
    several: dict[str, Any] = {key: KEY, response: [CAREFUL, HASTY]}
    assert [*corefkit.compare(**several, metrics="muc").systems] == ["careful", "hasty"]
    assert [*corefkit.outcomes(**several).outcomes] == ["careful", "hasty"]
    assert corefkit.report(**one) == corefkit.report(KEY, CAREFUL)
    with pytest.raises(TypeError, match="given twice"):
        corefkit.errors(KEY, CAREFUL, **one)
