"""corefkit compare from the command line."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

import corefkit
from tests.support import EXAMPLES, run

pytestmark = pytest.mark.usefixtures("own_options")

FILES = [EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty", "baseline")]


def test_json() -> None:
    done = run("compare", *FILES, "-f", "json", "--samples", "200", "--seed", "5")
    assert done.status == 0
    found = json.loads(done.out)
    assert (found["seed"], found["samples"]) == (5, 200)
    assert "|seed:5" in found["signature"]
    assert [s["name"] for s in found["systems"]] == ["careful", "hasty", "baseline"]
    assert set(found["systems"][0]["scores"]["muc"]) == {"f1", "interval"}
    assert [(p["a"], p["b"]) for p in found["pairs"]] == [
        ("careful", "hasty"),
        ("careful", "baseline"),
        ("hasty", "baseline"),
    ]
    assert {"difference", "interval", "p_bootstrap", "p_randomization", "p_holm"} <= set(
        found["pairs"][0]["scores"]["conll"]
    )
    assert found["incidents"][0]["id"] == "document-missing"


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv"])
def test_formats(form: str) -> None:
    done = run("compare", *FILES, "-f", form, "-m", "muc,conll", "--samples", "50")
    assert done.status == 0
    assert "careful" in done.out
    assert "document-missing" in done.err


def test_one_system_and_bad_input() -> None:
    assert run("compare", *FILES[:2], "--samples", "50").status == 0
    done = run("compare", FILES[0], FILES[1], "nowhere.conll", "--samples", "50")
    assert done.status == 1
    assert "careful" in done.out
    assert "nowhere.conll" in done.err


def test_what_to_report_of_one_system() -> None:
    key, careful, hasty = FILES[:3]
    percentile = " ".join(run("compare", key, careful).out.split())
    low, high = corefkit.compare(key, careful).systems["careful"]["conll"].interval or (0, 0)
    assert (
        f"To report: CoNLL F1 of careful 88.98 [{100 * low:.2f}, {100 * high:.2f}] (95 % interval, "
        f"percentile bootstrap, 8 documents; corefkit {corefkit.__version__})."
    ) in percentile
    assert "only 8 documents: percentile intervals are too narrow" in percentile
    assert "--interval jackknife" in percentile
    assert "p-value" not in percentile
    jackknife = run("compare", key, careful, "--interval", "jackknife", "--level", "0.9").out
    assert "(90 % interval, jackknife, 8 documents; " in " ".join(jackknife.split())
    assert "note: " not in jackknife
    runs = run("compare", key, f"a@1={careful}", f"a@2={hasty}", "-m", "lea").out
    assert "To report: LEA mean F1 of a " in runs
    assert "Student's t, 2 runs and 8 documents;" in " ".join(runs.split())
    assert "p-value" not in runs


def test_usage() -> None:
    assert run("compare", *FILES, "--samples", "0").status == 2
    assert run("compare", *FILES, "--level", "nan").status == 2
    many = run("compare", *FILES, "--samples", "99999999999")
    assert many.status == 2
    assert "1000000" in many.err
    assert run("compare", *FILES, "-m", "nonsense").status == 2
    assert run("compare", FILES[0]).status == 2
    assert run("compare", FILES[0], FILES[1], FILES[1]).status == 2


def test_scores_for_applications() -> None:
    more = ("-m", "inferred,conll", "--variant", "clean", "--samples", "50", "-f", "json")
    found = json.loads(run("compare", *FILES[:3], *more).out)
    assert "inferred=clean" in found["signature"]
    scored = json.loads(run("score", *FILES[:2], *more[:4], "-f", "json").out)
    f1 = scored["systems"][0]["scores"]["inferred"]["f1"]
    assert found["systems"][0]["scores"]["inferred"]["f1"] == f1


def test_people_see_the_conll_average_programs_all_metrics() -> None:
    some = ("--samples", "50")
    text = run("compare", *FILES, *some).out
    assert text.startswith("CoNLL: F1 over 8 documents, 95 % interval (percentile)\n")
    assert "bcub" not in text
    assert "MUC" in run("compare", *FILES, *some, "-m", "muc").out
    assert "muc" in json.loads(run("compare", *FILES, *some, "-f", "json").out)["groups"]


@pytest.mark.parametrize("metrics", ["conll", "mentions,muc,bcub,conll"])
def test_text_fits_on_a_terminal(metrics: str, tmp_path: Path) -> None:
    names = ("careful", "hasty", "my-system.english.closed.NB.v4_auto")
    long = tmp_path / f"{names[2]}.conll"
    long.write_bytes(FILES[3].read_bytes())
    text = run("compare", *FILES[:3], long, "-m", metrics, "--samples", "50").out
    lines = [line for line in text.split("\n") if not line.startswith("signature: ")]
    assert max(map(len, lines)) <= 80
    for name in names:
        assert name in text
    assert "[1]  [3]" in text


def test_groups_only_where_there_are_any(tmp_path: Path) -> None:
    told = "cannot be told apart"
    assert told not in run("compare", *FILES[:3], "--samples", "50").out
    twin = tmp_path / "twin.conll"
    twin.write_bytes(FILES[1].read_bytes())
    text = run("compare", *FILES[:3], twin, "--samples", "50").out
    assert told in text
    assert "\ncareful, twin\n" in text
    assert "\nhasty\n" not in text


def test_columns_are_the_same_whatever_the_number_of_systems() -> None:
    tables = [
        list(csv.DictReader(StringIO(run("compare", *files, "--samples", "50", "-f", "csv").out)))
        for files in (FILES[:2], FILES[:3], FILES)
    ]
    assert len({tuple(rows[0]) for rows in tables}) == 1
    assert [len([r for r in rows if r["metric"] == "muc"]) for rows in tables] == [1, 3, 6]
    report = json.loads(run("compare", *FILES[:3], "--samples", "50", "-f", "json").out)
    careful, _, pair = (r for r in tables[1] if r["metric"] == "lea")
    expected = report["systems"][0]["scores"]["lea"]
    assert [float(careful[n]) for n in ("f1", "low", "high")] == [
        expected["f1"],
        *expected["interval"],
    ]
    assert careful["b"] == careful["difference"] == careful["p_holm"] == pair["f1"] == ""
    tests = report["pairs"][0]["scores"]["lea"]
    for name in ("difference", "p_bootstrap", "p_randomization", "p_holm", "wins", "ties"):
        assert float(pair[name]) == tests[name]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_one_document(form: str, tmp_path: Path) -> None:
    files = []
    for name in ("key", "careful", "hasty"):
        first = (EXAMPLES / f"{name}.conll").read_text().partition("#end document")
        files.append(tmp_path / f"{name}.conll")
        files[-1].write_text("".join(first[:2]) + "\n")
    done = run("compare", *files, "-f", form)
    assert done.status == 0
    told = "one document: there is nothing to resample, so no interval and no p-value"
    assert told in (done.err if form == "csv" else done.out)
    if form == "json":
        found = json.loads(done.out)["pairs"][0]["scores"]["conll"]
        assert found["interval"] is found["p_holm"] is None
    if form == "text":
        assert "interval (" not in done.out
        alone = run("compare", *files[:2]).out
        assert "so no interval\n" in alone and "To report" not in alone


def test_intervals_can_be_chosen() -> None:
    ends = {}
    for method in ("percentile", "bca", "jackknife"):
        done = run("compare", *FILES[:2], "--interval", method, "-f", "json", "--samples", "200")
        report = json.loads(done.out)
        assert report["interval"] == method
        assert ("interval:" in report["signature"]) == (method != "percentile")
        ends[method] = tuple(report["systems"][0]["scores"]["conll"]["interval"])
    assert len(set(ends.values())) == 3
    assert run("compare", *FILES[:2], "--interval", "normal").status == 2


def test_no_p_value_is_shown_as_zero(tmp_path: Path) -> None:
    """Sixty equal documents, all of them won: of 20,001 exchanges only one is as extreme."""
    text = "#begin document ({0}); part 000\n{1}#end document\n"
    good = "{0} 0 0 a (1)\n{0} 0 1 b (1)\n{0} 0 2 c (2)\n{0} 0 3 d (2)\n"
    bad = good.replace("(2)", "-")
    for name, body in (("key", good), ("good", good), ("bad", bad)):
        documents = (text.format(n, body.format(n)) for n in range(60))
        (tmp_path / f"{name}.conll").write_text("".join(documents), encoding="utf-8")
    files = [tmp_path / f"{name}.conll" for name in ("key", "good", "bad")]
    done = run("compare", *files, "-m", "muc", "--samples", "20001")
    assert "<0.0001" in done.out and "0.0000" not in done.out
    table = run("compare", *files, "-m", "muc", "--samples", "20001", "-f", "csv").out
    assert "<" not in table, "programs get the number"


def test_groupings_of_documents_have_another_way() -> None:
    """compare tests strata, errors count by few things; each says what has the rest."""
    key, response = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    refused = run("compare", key, response, "--by", "genre").err
    assert "corefkit score --by genre splits the scores, --documents FILE" in refused
    with pytest.raises(corefkit.UsageError, match=r"scores\.by splits"):
        corefkit.compare(key, response, by="genre")
    refused = run("errors", key, response, "--by", "entity:size").err
    assert "'entity:size' is not one of genre, document, kind; corefkit score --by" in refused


def test_the_interval_of_runs_is_checked_before_anything_is_read() -> None:
    done = run("compare", "nowhere", "a@1=a", "a@2=b", "--interval", "bca")
    assert (done.status, "jackknife or percentile" in done.err) == (2, True)
