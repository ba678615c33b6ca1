"""Curves: the conformance figures, points against clusters that are written out and scored."""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.plugins.study.curve import Curve, SystemCurve, curve
from tests.strategies import examples
from tests.support import CONFORMANCE, needs_conformance, run

STRATA = CONFORMANCE / "strata"
COUNTED = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")
KEY = {
    "doc_key": "d",
    "sentences": [["a", "b", "c", "d"]],
    "clusters": [[[0, 0], [1, 1]], [[2, 2], [3, 3]]],
}
WORKED = "d\t1\t1\t0\t0\t0.9\nd\t2\t2\t1\t1\t0.60\nd\t3\t3\t2\t2\t0.8\n"


@cache
def litbank() -> Curve:
    key = corefkit.read(CONFORMANCE / "litbank" / "key.conll.gz")
    return curve(
        key,
        STRATA / "links.tsv.gz",
        metrics=[*COUNTED, "conll"],
        points=20,
        documents=key.names[:12],
        samples=100,
    )


def same_points(system: SystemCurve, wanted: list[dict[str, Any]]) -> None:
    assert [point.shown for point in system.points] == [row["threshold"] for row in wanted]
    for point, row in zip(system.points, wanted, strict=True):
        assert point.links == row["links"]
        assert [point.entities, point.mentions] == row["response"]
        for metric in COUNTED:
            counts = point.scores[metric].counts
            exact = [float(Fraction(value)) for value in row[metric]]
            found = [*counts["recall"], *counts["precision"]]
            assert found == pytest.approx(exact, rel=1e-12, abs=1e-12), (point.shown, metric)
        assert point.scores["conll"].f1 == pytest.approx(row["conll"], abs=1e-12)


def same_calibration(found: corefkit.Calibration | None, wanted: Mapping[str, Any]) -> None:
    assert found is not None
    assert (found.links, found.bin_size) == (wanted["links"], wanted["bin_size"])
    assert (found.error, found.brier) == pytest.approx(
        (wanted["error"], wanted["brier"]), abs=1e-12
    )
    for one, row in zip(found.bins, wanted["bins"], strict=True):
        assert one.size == row["size"]
        assert one.predicted == pytest.approx(row["predicted"], abs=1e-12)
        assert one.observed == pytest.approx(float(Fraction(row["observed"])), abs=1e-12)


@needs_conformance
def test_conformance() -> None:
    wanted = json.loads((STRATA / "curve.json").read_text())
    (system,) = litbank().systems
    same_points(system, wanted["points"])
    same_calibration(system.calibration, wanted["calibration"])
    key = corefkit.read(CONFORMANCE / "litbank" / "key.conll.gz")
    how: dict[str, Any] = {"bin_size": 100, "samples": 1, "documents": key.names[:12]}
    (other,) = curve(key, STRATA / "links.tsv.gz", metrics="muc", points=1, **how).systems
    same_calibration(other.calibration, wanted["calibration_100"])


@needs_conformance
def test_worked_example(files: Path) -> None:
    wanted = json.loads((STRATA / "cases.json").read_text())["others"]["curve"]
    (system,) = curve("key.jsonl", "links.tsv", metrics=[*COUNTED, "conll"], samples=10).systems
    same_points(system, wanted["points"])
    same_calibration(system.calibration, wanted["calibration"])
    assert system.best["muc"].shown == "0.8"
    assert system.precision_at["muc"] == dict.fromkeys(("0.5", "0.6", "0.7", "0.8", "0.9"), 1.0)
    assert "conll" not in system.precision_at


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("key.jsonl").write_text(json.dumps(KEY))
    Path("links.tsv").write_text(WORKED)
    return tmp_path


SPAN = st.tuples(st.integers(0, 7), st.integers(0, 1)).map(lambda s: (s[0], s[0] + s[1]))
P = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 1.0])
ROW = st.tuples(st.sampled_from("de"), SPAN, st.none() | SPAN, P)


@st.composite
def lists(draw: st.DrawFn) -> tuple[dict[str, list[list[tuple[int, int]]]], list[Any]]:
    """A key of two documents, and lines of a list."""
    key: dict[str, list[list[tuple[int, int]]]] = {}
    for name in "de":
        entities: dict[int, list[tuple[int, int]]] = {}
        for span in draw(st.lists(SPAN, unique=True, max_size=6)):
            entities.setdefault(draw(st.integers(0, 2)), []).append(span)
        key[name] = [*entities.values()]
    return key, draw(st.lists(ROW, min_size=1, max_size=10))


@pytest.mark.parametrize(
    "how",
    [{}, {"singletons": "drop"}, {"profile": "e2e"}, {"profile": "coval"}, {"documents": "common"}],
    ids=str,
)
@examples(25)
@given(lists())
def test_a_point_is_the_score_of_the_clusters_written_out(
    tmp_path_factory: pytest.TempPathFactory, how: dict[str, Any], made: Any
) -> None:
    """Also `score --read threshold=t --read unlinked=drop` of the same list."""
    clusters, rows = made
    if not any(other not in (None, span) for _, span, other, _ in rows):
        rows = [*rows, ("d", (0, 0), (1, 1), 0.5)]
    folder = tmp_path_factory.mktemp("curve")
    links, key = folder / "links.tsv", Corpus.from_clusters(crossing_free(clusters))
    cells = ((name, *span, *(other or ("_", "_")), p) for name, span, other, p in rows)
    links.write_text("".join("\t".join(map(str, row)) + "\n" for row in cells))
    metrics = "muc,bcub,ceafe,conll" if "profile" in how else "muc,bcub,ceafe,blanc,lea,conll"
    (system,) = curve(key, links, metrics=metrics, samples=1, **how).systems
    for point in system.points[1:]:
        t = point.threshold
        read = corefkit.read(links, threshold=t, unlinked="drop")
        scores = corefkit.score(key, links, metrics, threshold=t, unlinked="drop", **how)
        assert point.scores.to_dict() == scores.to_dict(), t
        assert read.clusters().keys() <= {"d", "e"}
    sizes = [(point.links, point.mentions) for point in system.points]
    if "singletons" not in how:
        assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(sizes))


def crossing_free(clusters: dict[str, Any]) -> dict[str, Any]:
    """Without crossing mentions of one entity, which no corpus made in Python may have."""
    kept: dict[str, Any] = {}
    for name, entities in clusters.items():
        kept[name] = []
        for entity in entities:
            own: list[tuple[int, int]] = []
            for s, e in sorted(entity):
                if not any(a < s <= b < e or s < a <= e < b for a, b in own):
                    own.append((s, e))
            kept[name].append(own)
    return kept


def test_points_at_ranks(files: Path) -> None:
    rows = [f"d\t{n % 3 + 1}\t{n % 3 + 1}\t0\t0\t{n / 10}" for n in range(10)]
    Path("links.tsv").write_text("".join(f"{row}\n" for row in rows))
    (system,) = curve("key.jsonl", "links.tsv", points=2, samples=1).systems
    assert [p.shown for p in system.points] == [None, "0.8", "0.7"]
    (system,) = curve("key.jsonl", "links.tsv", thresholds=[0.2, 0.85], samples=1).systems
    assert [p.shown for p in system.points] == [None, "0.85", "0.2"]


def test_the_threshold_of_other_data(files: Path) -> None:
    """It need not be among the points."""
    Path("dev.tsv").write_text(WORKED.replace("0.8", "0.7").replace("0.9", "0.95"))
    made = curve("key.jsonl", "links.tsv", metrics="muc", threshold_from=[("key.jsonl", "dev.tsv")])
    (system,) = made.systems
    assert system.chosen is not None
    point = system.chosen["muc"]
    assert (point.shown, point.scores["muc"].f1) == ("0.7", 1.0)
    assert "0.7" not in [p.shown for p in system.points]
    assert not [note for note in made.notes if "flatters" in note]
    other = ("--threshold-from", "key.jsonl", "dev.tsv")
    row = json.loads(
        run("study", "curve", "key.jsonl", "links.tsv", *other, "-m", "muc", "-f", "json").out
    )
    assert row["systems"][0]["chosen"]["muc"]["threshold"] == "0.7"
    two = run("study", "curve", "key.jsonl", "links.tsv", "dev.tsv", *other)
    assert two.status == 2


def test_json_documents_with_link_scores(files: Path) -> None:
    scored = {
        **KEY,
        "link_scores": [[[1, 1], [0, 0], 0.9], [[2, 2], [1, 1], 0.6], [[3, 3], [2, 2], 0.8]],
        "mention_scores": [[[0, 0], 0.95]],
    }
    Path("scored.jsonl").write_text(json.dumps(scored))
    (one,) = curve("key.jsonl", "scored.jsonl", metrics="muc,mentions", samples=1).systems
    (other,) = curve("key.jsonl", "links.tsv", metrics="muc,mentions", samples=1).systems
    for a, b in zip(one.points, other.points, strict=True):
        assert a.shown == b.shown
        assert a.scores["muc"] == b.scores["muc"]
    for wrong in ([[0, 0], [1, 1]], [[[0, 0], [2, 1], 0.5]], [[[0, 0], [1, 1], "high"]], 7):
        Path("scored.jsonl").write_text(json.dumps({**KEY, "link_scores": wrong}))
        assert kinds("key.jsonl", "scored.jsonl") == ["json-shape"]


def kinds(key: str, response: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        curve(key, response, samples=1)
    return [i.id for i in caught.value.incidents if i.severity == "error"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("d\t1\t1\t0\t0\t1.5\n", ["p-bad"]),
        ("d\t1\t1\t0\t0\t-0.5\n", ["p-bad"]),
        ("d\t1\t1\t0\t0\t0.5\nd\t2\t2\t0\t0\t_\n", ["p-bad"]),
        ("d\t1\t1\t0\t0\t0.5\nd\t2\t2\t_\t_\t2\n", ["p-bad"]),
        ("d\t1\t1\t0\t0\tnan\n", ["p-bad"]),
        ("d\t1\t1\t0\t0\tx\n", ["number-expected"]),
        ("d\t1\t1\t0\t0\n", ["no-confidence"]),
        ("d\t1\t1\t0\t0\t_\n", ["no-confidence"]),
        ("d\t4\t4\t0\t0\t0.5\n", ["span-outside"]),
        ("d\t2\t1\t0\t0\t0.5\n", ["span-empty"]),
        ("d\t2\t2\t0\t0\t0.5\nd\t2\t2\n", ["columns-differ"]),
    ],
)
def test_bad_lists(files: Path, text: str, wanted: list[str]) -> None:
    Path("links.tsv").write_text(text)
    assert kinds("key.jsonl", "links.tsv") == wanted
    made = run("study", "curve", "key.jsonl", "links.tsv")
    assert made.status == 1
    assert wanted[0] in made.err


def test_clusters_have_no_confidence(files: Path) -> None:
    assert kinds("key.jsonl", "key.jsonl") == ["no-confidence"]


def test_a_list_without_links(files: Path) -> None:
    Path("links.tsv").write_text("doc\tstart\tend\tant_start\tant_end\tp\nd\t1\t1\t_\t_\t0.5\n")
    (system,) = curve("key.jsonl", "links.tsv").systems
    assert [point.shown for point in system.points] == [None]
    assert system.calibration is None
    assert system.best["muc"].shown is None
    made = run("study", "curve", "key.jsonl", "links.tsv", "--plot", "curve.svg")
    assert made.status == 0


def test_links_in_both_directions_are_one(files: Path) -> None:
    Path("links.tsv").write_text("d\t1\t1\t0\t0\t0.3\nd\t0\t0\t1\t1\t0.7\nx\t0\t0\t1\t1\t0.9\n")
    made = curve("key.jsonl", "links.tsv", metrics="muc")
    (system,) = made.systems
    assert [(p.shown, p.links) for p in system.points] == [(None, 0), ("0.7", 1)]
    told = {incident.id for incident in made.incidents}
    assert told == {"link-twice", "antecedent-later", "document-extra"}


def test_an_empty_key(files: Path) -> None:
    Path("key.jsonl").write_text(json.dumps({**KEY, "clusters": []}))
    (system,) = curve("key.jsonl", "links.tsv").systems
    assert [point.scores["conll"].f1 for point in system.points] == [0.0] * 4
    assert system.calibration is not None
    assert system.calibration.bins[0].observed == 0
    assert run("study", "curve", "key.jsonl", "links.tsv").status == 0


def test_misuse(files: Path) -> None:
    for wrong in ("points", "bin_size", "samples"):
        how: dict[str, Any] = {wrong: 0}
        with pytest.raises(UsageError, match=wrong):
            curve("key.jsonl", "links.tsv", **how)
    with pytest.raises(UsageError, match="thresholds"):
        curve("key.jsonl", "links.tsv", thresholds=[1.1])
    with pytest.raises(UsageError, match="options of score"):
        curve("key.jsonl", "links.tsv", threshold=0.5)
    with pytest.raises(UsageError, match="at least one"):
        curve("key.jsonl")
    assert run("study", "curve", "key.jsonl", "links.tsv", "--thresholds", "0.5,x").status == 2
    assert run("study", "curve", "key.jsonl", "links.tsv", "--read", "best=yes").status == 2
    assert run("study", "curve", "key.jsonl", "links.tsv", "--window", "3").status == 2


@pytest.mark.parametrize("form", ["text", "json", "tsv", "csv", "markdown", "latex", "html"])
def test_command(files: Path, form: str) -> None:
    Path("other.tsv").write_text(WORKED.replace("0.8", "0.5"))
    made = run(
        "study", "curve", "key.jsonl", "links.tsv", "b=other.tsv", "-m", "muc,conll", "-f", form
    )
    assert made.status == 0
    assert "0.6" in made.out
    if form == "json":
        systems = json.loads(made.out)["systems"]
        assert [system["name"] for system in systems] == ["links", "b"]
        assert systems[0]["best"]["muc"] == {"threshold": "0.8", "f1": 1.0}
        assert systems[0]["points"][0]["threshold"] is None
    if form == "tsv":
        assert len(made.out.splitlines()) == 1 + 2 * 4 * 2
    one = run("study", "curve", "key.jsonl", "links.tsv", "-m", "muc", "-f", form)
    assert one.status == 0


def test_plot(files: Path) -> None:
    pytest.importorskip("matplotlib")
    Path("other.tsv").write_text(WORKED)
    for name in ("curve.svg", "curve.html"):
        made = run("study", "curve", "key.jsonl", "links.tsv", "other.tsv", "--plot", name)
        assert made.status == 0
        assert "<svg" in Path(name).read_text()


def test_a_link_of_mentions_that_the_key_lacks_is_wrong(files: Path) -> None:
    """Neither has a partner: that is not the same entity."""
    Path("links.tsv").write_text("d\t0\t1\t2\t3\t0.5\nd\t1\t1\t0\t0\t0.5\nd\t2\t2\t0\t0\t0.5\n")
    (system,) = curve("key.jsonl", "links.tsv").systems
    assert system.calibration is not None
    (whole,) = system.calibration.bins
    assert whole.size == 3
    assert whole.observed == pytest.approx(1 / 3)


def test_of_equal_points_the_higher_threshold_is_best(files: Path) -> None:
    """The second link joins what is joined already."""
    Path("links.tsv").write_text(
        "d\t1\t1\t0\t0\t0.9\nd\t0\t0\t_\t_\t0.9\nd\t3\t3\t2\t2\t0.8\nd\t2\t2\t_\t_\t0.3\n"
        "d\t3\t3\t2\t2\t0.4\nd\t2\t2\t3\t3\t0.2\n"
    )
    (system,) = curve("key.jsonl", "links.tsv", thresholds=[0.8, 0.5, 0.1], samples=1).systems
    assert {point.scores["muc"].f1 for point in system.points[1:]} == {1.0}
    assert system.best["muc"].shown == "0.8"
    Path("links.tsv").write_text("d\t2\t2\t0\t0\t0.9\n")
    (system,) = curve("key.jsonl", "links.tsv", metrics="muc").systems
    assert system.best["muc"].shown is None, "nothing kept is as good"


def test_other_files(files: Path) -> None:
    """Parquet, several files, and a list that counts characters."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [line.split("\t") for line in WORKED.splitlines()]
    names = ("doc", "start", "end", "ante_start", "ante_end")
    columns = {n: [r[at] if at == 0 else int(r[at]) for r in rows] for at, n in enumerate(names)}
    table = arrow.table({**columns, "score": [float(row[5]) for row in rows]})
    parquet.write_table(table, "links.parquet")
    parquet.write_table(
        arrow.table({"document": ["d"], "entity": ["1"], "start": [0], "end": [0]}), "m.parquet"
    )
    wanted = [point.to_dict() for point in curve("key.jsonl", "links.tsv").systems[0].points]
    assert [p.to_dict() for p in curve("key.jsonl", "links.parquet").systems[0].points] == wanted
    assert kinds("key.jsonl", "m.parquet") == ["no-confidence"]
    Path("parts").mkdir()
    Path("parts/1.tsv").write_text(WORKED)
    Path("parts/2.tsv").write_text(WORKED.replace("d\t", "e\t"))
    two = [KEY, {**KEY, "doc_key": "e"}]
    Path("two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in two))
    (system,) = curve("two.jsonl", "parts", metrics="muc").systems
    assert [p.links for p in system.points] == [0, 2, 4, 6]
    assert system.calibration is not None
    assert system.calibration.interval is not None


def test_documents_that_change_at_different_thresholds(files: Path) -> None:
    """The counts of a document stay until it changes."""
    two = [KEY, {**KEY, "doc_key": "e"}]
    Path("two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in two))
    Path("links.tsv").write_text("d\t1\t1\t0\t0\t0.9\ne\t1\t1\t0\t0\t0.5\nd\t3\t3\t2\t2\t0.3\n")
    (system,) = curve("two.jsonl", "links.tsv", metrics="muc").systems
    found = [(p.shown, p.scores["muc"].counts["recall"]) for p in system.points]
    assert found == [(None, [0, 4]), ("0.9", [1, 4]), ("0.5", [2, 4]), ("0.3", [3, 4])]
