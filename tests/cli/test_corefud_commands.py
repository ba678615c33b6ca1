"""Commands on real CorefUD files with zeros, discontinuous mentions and several documents."""

import csv
import io
import json
from pathlib import Path

from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

FOLDER = CONFORMANCE / "corefud"
KEY = FOLDER / "keys" / "hu_korkor.conllu.gz"
FAIR, POOR = (FOLDER / "responses" / f"hu_korkor.{name}.conllu.gz" for name in ("fair", "poor"))


@needs_conformance
def test_documents_add_up_in_mor_and_zero() -> None:
    done = run(
        "score",
        KEY,
        FAIR,
        "--profile",
        "corefud",
        "-m",
        "mor,zero",
        "--by",
        "document",
        "-f",
        "tsv",
    )
    assert done.status == 0
    rows = list(csv.DictReader(io.StringIO(done.out), delimiter="\t"))
    for metric in ("mor", "zero"):
        own = [row for row in rows if row["metric"] == metric]
        whole = [row for row in own if row["group"] == "all"]
        parts = [row for row in own if row["group"] != "all"]
        assert (len(whole), len(parts)) == (1, 65)
        for name in ("recall_numerator", "recall_denominator", "precision_denominator"):
            assert sum(int(row[name] or 0) for row in parts) == int(whole[0][name])


@needs_conformance
def test_compare_and_agree() -> None:
    one = json.loads(run("score", KEY, FAIR, POOR, "--profile", "corefud", "-f", "json").out)
    expected = [system["scores"]["conll"]["f1"] for system in one["systems"]]
    done = run("compare", KEY, FAIR, POOR, "--profile", "corefud", "--samples", "200", "-f", "json")
    assert done.status == 0
    assert all(f"{value:.10f}"[:10] in done.out for value in expected)
    agreed = run("agree", KEY, FAIR)
    assert agreed.status == 0
    assert "2 of 2" in agreed.out


@needs_conformance
def test_the_page_of_errors_shows_zeros(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    key, response = (FOLDER / x for x in ("keys/la_aetheria", "responses/la_aetheria.fair"))
    files = [f"{file}.conllu.gz" for file in (key, response)]
    assert run("report", *files, "--match", "head", "-o", page).status == 0
    assert "∅" in page.read_text(encoding="utf-8")


def test_convert_takes_the_format_from_the_ending(tmp_path: Path) -> None:
    """An ending that says nothing is refused, and nothing is written."""
    assert run("convert", EXAMPLES / "drawer.conllu", tmp_path / "out.conll").status == 0
    assert (tmp_path / "out.conll").read_text().startswith("#begin document drawer\n")
    refused = run("convert", EXAMPLES / "drawer.conllu", tmp_path / "out.what")
    assert refused.status == 2
    assert not (tmp_path / "out.what").exists()
