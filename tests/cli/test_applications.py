"""Application scores and outcomes on the command line."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError, score
from corefkit.core.style import styled
from tests.corpora.samples import conll
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def test_json_is_what_the_specification_says() -> None:
    result = run("score", KEY, CAREFUL, "-m", "immediate,anchor", "--by", "class", "-f", "json")
    (system,) = json.loads(result.out)["systems"]
    immediate, anchor = system["scores"]["immediate"], system["scores"]["anchor"]
    assert immediate["counts"] == {"tp": 134, "wl": 10, "fn": 13, "fp": 4}
    assert set(immediate) == {"recall", "precision", "f1", "counts", "classes"}
    assert set(immediate["classes"]["PRP$"]) == {"recall", "precision", "f1", "counts"}
    assert set(anchor) == {"f1", "detection", "mentions"}
    for part in (anchor["detection"], anchor["mentions"]):
        assert set(part) == {"recall", "precision", "f1", "counts", "classes"}
        assert part["counts"]["wl"] == 0
        assert "None" in part["classes"]
        assert "TOTAL" not in part["classes"]
    (group,) = (p["scores"] for p in system["parts"] if p["part"] == {"class": "PRP"})
    assert group["immediate"]["counts"] == immediate["classes"]["PRP"]["counts"]
    assert group["immediate"]["classes"].keys() == {"PRP"}


def test_nothing_to_score_has_classes_too(tmp_path: Path) -> None:
    empty = tmp_path / "empty.conll"
    empty.write_text("#begin document a\na 0 0 It PRP * - - - - * -\n#end document\n")
    result = run("score", empty, empty, "-m", "immediate,inferred,anchor", "-f", "json")
    scores = json.loads(result.out)["systems"][0]["scores"]
    assert scores["immediate"]["classes"] == scores["anchor"]["mentions"]["classes"] == {}
    assert scores["immediate"]["counts"] == {"tp": 0, "wl": 0, "fn": 0, "fp": 0}


@pytest.mark.parametrize(
    ("arguments", "signature"),
    [
        (("--variant", "code"), "immediate=code+inferred=paper+anchor=code"),
        (("--variant", "clean"), "immediate=paper+inferred=clean+anchor=paper"),
        (("--variant", "inferred=v1.2,code"), "immediate=code+inferred=v1.2+anchor=code"),
        (
            ("--variant", "anchor=paper", "--variant", "code"),
            "immediate=code+inferred=paper+anchor=paper",
        ),
    ],
)
def test_variants(arguments: tuple[str, ...], signature: str) -> None:
    result = run("score", KEY, CAREFUL, "-m", "immediate,inferred,anchor", *arguments, "-f", "json")
    found = json.loads(result.out)["signature"]
    assert f"|variant:{signature}|tagset:penn|" in found
    again = run("score", KEY, CAREFUL, "--signature", found, "-f", "json")
    assert again.out == result.out
    assert "--variant " + signature.replace("+", ",") in run("explain", found).out


@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", "muc", "--variant", "clean"),
        ("-m", "immediate", "--variant", "clean"),
        ("-m", "immediate", "--variant", "inferred=clean"),
        ("-m", "inferred", "--variant", "inferred=code"),
        ("-m", "inferred", "--variant", "v2"),
        ("-m", "ceafe", "--by", "class"),
        ("-m", "muc", "--plot", "a.gif"),
        ("-m", "immediate", "--plot", "a.gif"),
        ("-m", "immediate", "--profile", "coval"),
        ("-m", "immediate", "--duplicates", "reference"),
        ("-m", "mentions", "--profile", "conll-8.01", "--by", "length"),
        ("-m", "immediate", "--tagset", "brown"),
        ("-m", "immediate", "--by", "class", "--by", "word"),
    ],
)
def test_usage_errors(arguments: tuple[str, ...]) -> None:
    result = run("score", KEY, CAREFUL, *arguments)
    assert result.status == 2
    assert "Error: " in result.err


@pytest.mark.parametrize(
    ("by", "column"), [("class", "pos"), ("ne", "pos"), ("speaker", "speaker")]
)
def test_a_key_without_the_column(by: str, column: str) -> None:
    result = run("score", HASTY, HASTY, "-m", "mentions", "--by", by)
    assert result.status == 1
    assert f"no column '{column}'" in result.err
    assert run("score", HASTY, HASTY, "-m", "mentions", "--by", "word").status == 0


@needs_conformance
def test_a_key_with_an_empty_column() -> None:
    key = CONFORMANCE / "litbank" / "key.conll.gz"
    result = run("score", key, key, "-m", "inferred")
    assert result.status == 1
    assert "column 'pos' is empty" in result.err
    assert "need no tags" in result.err


def test_without_tags() -> None:
    """Immediate antecedents are told by spans; only the classes need tags."""
    result = run("score", HASTY, HASTY, "-m", "immediate", "-f", "json")
    scores = json.loads(result.out)["systems"][0]["scores"]["immediate"]
    assert list(scores["classes"]) == ["all"]
    assert scores["classes"]["all"]["counts"] == scores["counts"]
    assert scores["counts"]["tp"] > 0
    tagged = run("score", KEY, HASTY, "-m", "immediate", "-f", "json").out
    counts = json.loads(tagged)["systems"][0]["scores"]["immediate"]["counts"]
    bare = corefkit.Corpus.from_clusters(corefkit.read(KEY).clusters())
    assert corefkit.score(bare, HASTY, "immediate")["immediate"].counts == counts
    assert run("score", HASTY, HASTY, "-m", "immediate", "--variant", "code").status == 1


def test_anchor_without_names(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    lines = KEY.read_text().splitlines()
    bare = [" ".join([*f[:10], f[-1]]) if len(f := x.split()) > 11 else x for x in lines]
    key.write_text("\n".join(bare) + "\n")
    named, unnamed = (corefkit.score(k, CAREFUL, "anchor")["anchor"] for k in (KEY, key))
    assert unnamed.f1 == named.f1
    parts = [unnamed.to_dict()[part]["classes"] for part in ("detection", "mentions")]
    assert [list(classes) for classes in parts] == [["all"], ["all"]]


def test_outcomes_without_tags() -> None:
    result = run("outcomes", HASTY, HASTY, "-f", "jsonl")
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert {row["class"] for row in rows} == {"all"}
    assert "only immediate is listed" in result.err
    assert "inferred" not in rows[0]
    assert {row["immediate"] for row in rows} == {"", "tp"}
    assert run("outcomes", HASTY, HASTY, "-m", "inferred").status == 1


@pytest.mark.parametrize("form", ["text", "tsv", "csv", "markdown", "latex", "json"])
@pytest.mark.parametrize("by", [None, "class", "ne", "genre"])
def test_every_format(form: str, by: str | None) -> None:
    arguments = ["-m", "muc,mentions,immediate,inferred,anchor", "-f", form]
    result = run("score", KEY, CAREFUL, HASTY, *arguments, *(["--by", by] if by else []))
    assert result.status == 0
    for name in ("immediate", "inferred", "anchor"):
        assert name in result.out.lower()
    if by == "ne" and form != "json":
        assert "PERSON" in result.out


@pytest.mark.parametrize("form", ["text", "tsv", "csv", "markdown", "latex", "html", "json"])
def test_classes_of_other_metrics_are_in_no_table_of_outcomes(tmp_path: Path, form: str) -> None:
    """The classes of gap are genders, and it has no wrong links."""
    path = tmp_path / "key.conll"
    words = ["Ana NNP * - - - - * (1)", "met VBD * - - - - * -", "Eva NNP * - - - - * (2)"]
    path.write_bytes(conll([*words, "She PRP * - - - - * (1)"]))
    both, alone = (
        run("score", path, path, "-m", metrics, "-f", form)
        for metrics in ("gap,immediate", "immediate")
    )
    assert both.status == 0
    if form == "text":
        tables = [next(t for t in run.out.split("\n\n") if " wl " in t) for run in (both, alone)]
        assert tables[0] == tables[1]


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_delimited_values_have_the_outcomes_by_class(form: str) -> None:
    arguments = ["-m", "muc,immediate,anchor", "--by", "genre"]
    out = run("score", KEY, CAREFUL, *arguments, "-f", form).out
    rows = list(csv.DictReader(StringIO(out), delimiter="\t" if form == "tsv" else ","))
    assert list(rows[0])[-4:] == ["tp", "wl", "fn", "fp"]
    found = {(r["group"], r["metric"]): [r[c] for c in ("tp", "wl", "fn", "fp")] for r in rows}
    assert len(found) == len(rows)
    (system,) = json.loads(run("score", KEY, CAREFUL, *arguments, "-f", "json").out)["systems"]
    groups = {part["part"]["genre"]: part for part in system["parts"]}
    for group, scores in {"all": system, **groups}.items():
        parts = scores["scores"]["anchor"] | {"immediate": scores["scores"]["immediate"]}
        for metric in ("immediate", "detection", "mentions"):
            name = metric if metric == "immediate" else f"anchor.{metric}"
            assert found[group, name] == list(map(str, parts[metric]["counts"].values()))
            for label, part in parts[metric]["classes"].items():
                counts = list(map(str, part["counts"].values()))
                assert found[group, f"{name}.{label}"] == counts
        assert found[group, "muc"] == [""] * 4
    assert "tp" not in run("score", KEY, CAREFUL, "-m", "muc", "-f", form).out


@pytest.mark.parametrize("by", [None, "class", "length"])
def test_pages_have_the_tables_of_the_text(by: str | None) -> None:
    arguments = ["-m", "immediate,anchor", *(["--by", by] if by else [])]
    figures = {}
    for form in ("text", "markdown", "latex"):
        out = run("score", KEY, CAREFUL, HASTY, *arguments, "-f", form).out
        lines = [line.replace("\\", "").split() for line in out.splitlines()]
        cells = [[c for c in line if c.replace(".", "").isdigit()] for line in lines]
        figures[form] = [line for line in cells if len(line) > 5 and line[-1].isdigit()]
    assert figures["text"] == figures["markdown"] == figures["latex"] != []
    assert "$\\phi$" in out


def test_tables_are_those_of_the_paper() -> None:
    out = run("score", KEY, CAREFUL, HASTY, "-m", "immediate,inferred,anchor").out
    blocks = out.split("\n\n")
    table_3 = next(b.splitlines() for b in blocks if "class " in b)
    assert table_3[0].split() == ["Immediate", "Inferred"]
    assert table_3[1].split()[:8] == ["class", "R", "P", "F1", "tp", "wl", "fn", "fp"]
    labels = [line.split()[0] for line in table_3[2:]]
    assert labels[:4] == ["careful", "PRP", "NOUN", "PRP$"]
    assert labels.count("TOTAL") == 2
    table_4 = next(b.splitlines() for b in blocks if b.startswith("ne "))
    assert table_4[0].split() == ["ne", "anchor", "R", "P", "F1", "Fφ", "tp", "wl", "fn", "fp"]
    assert table_4[1].split()[:4] == ["None", "(74.51%)", "careful", "ED"]
    assert [line.split()[0] for line in table_4[2:5]] == ["EM", "hasty", "EM"]


@pytest.mark.parametrize(
    ("ending", "metrics"),
    [("svg", "immediate,inferred,anchor"), ("html", "immediate")],  # more endings: test_plots
)
def test_plots(tmp_path: Path, ending: str, metrics: str) -> None:
    path = tmp_path / f"bars.{ending}"
    assert run("score", KEY, CAREFUL, HASTY, "-m", metrics, "--plot", path).status == 0
    data = path.read_bytes()
    assert data.startswith({"svg": b"<?xml", "html": b"<!doctype"}[ending])
    assert b"<svg" in data
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_plot_of_a_break_down_with_many_labels(tmp_path: Path) -> None:
    path = tmp_path / "bars.svg"
    assert run("score", KEY, CAREFUL, "-m", "immediate", "--by", "word", "--plot", path).status == 0
    nowhere = tmp_path / "none" / "bars.svg"
    result = run("score", KEY, CAREFUL, "-m", "immediate", "--plot", nowhere)
    assert result.status == 1
    assert "cannot be written" in result.err


def test_outcomes(tmp_path: Path) -> None:
    table, lines = tmp_path / "out.tsv", tmp_path / "out.jsonl"
    for path in (table, lines):
        assert run("outcomes", KEY, CAREFUL, "-o", path).status == 0
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    head, *cells = [line.split("\t") for line in table.read_text().splitlines()]
    assert head == list(rows[0])
    assert len(cells) == len(rows) == 265 + 3  # those of the key and three that it lacks
    her = next(r for r in rows if r["text"] == "her")
    assert her["immediate_found"]["text"].startswith("Ines Calder")
    assert next(c for c in cells if c[4] == "her")[11].startswith("20-29 Ines Calder")
    assert {r["entity"] for r in rows if not r["entity"]} == {""}


def test_two_systems(tmp_path: Path) -> None:
    result = run("outcomes", KEY, HASTY, CAREFUL, "-m", "immediate")
    assert "immediate: from hasty to careful" in result.out
    found = json.loads(run("outcomes", KEY, HASTY, CAREFUL, "-f", "json", "-m", "immediate").out)
    assert (found["a"], found["b"]) == ("hasty", "careful")
    part = found["scores"]["immediate"]
    steps: dict[str, int] = {}
    for kind in part["total"].values():
        for step, number in kind.items():
            steps[step] = steps.get(step, 0) + number
    # What they come from and what they lead to are the counts of the two systems.
    for system, side in ((HASTY, 0), (CAREFUL, 1)):
        scored = json.loads(run("score", KEY, system, "-m", "immediate", "-f", "json").out)
        for label, number in scored["systems"][0]["scores"]["immediate"]["counts"].items():
            assert sum(n for s, n in steps.items() if s.split(" → ")[side] == label) == number
    for kind, numbers in part["total"].items():
        for step, number in numbers.items():
            assert number == sum(c[kind].get(step, 0) for c in part["classes"].values())
    assert set(part["total"]["corrects"]) == {"wl → tp", "fn → tp", "fp → –"}
    assert len(part["examples"]["breaks"]) == 3
    rows = run("outcomes", KEY, HASTY, CAREFUL, "-f", "tsv").out.splitlines()
    assert {"immediate:hasty", "immediate:careful"} <= set(rows[0].split("\t"))
    swapped = json.loads(run("outcomes", KEY, CAREFUL, HASTY, "-f", "json").out)
    sizes = {k: sum(v.values()) for k, v in part["total"].items()}
    other = {k: sum(v.values()) for k, v in swapped["scores"]["immediate"]["total"].items()}
    assert (sizes["corrects"], sizes["breaks"]) == (other["breaks"], other["corrects"])


def test_two_systems_are_compared_on_the_documents_of_both() -> None:
    """The first response lacks a document, which is left out of the comparison."""
    found = run("outcomes", KEY, HASTY, CAREFUL, "--documents", "common", "-f", "jsonl")
    assert found.status == 0, found.err
    rows = [json.loads(line) for line in found.out.splitlines()]
    whole = run("outcomes", KEY, HASTY, CAREFUL, "-f", "jsonl").out.splitlines()
    lacking = "(wb/orchard/00/orchard_0002); part 000"
    assert rows == [row for row in map(json.loads, whole) if row["document"] != lacking]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((KEY, CAREFUL, "-m", "muc"), 2),
        ((KEY, CAREFUL, "-f", "text", "--list"), 2),
        ((KEY, CAREFUL, HASTY, CAREFUL), 2),
        (("-", "-"), 2),
        ((KEY, CAREFUL, "--variant", "v9"), 2),
        ((HASTY, CAREFUL, "-m", "anchor"), 1),
        ((KEY, "nothing.conll"), 1),
    ],
)
def test_what_outcomes_refuses(arguments: tuple[str | Path, ...], status: int) -> None:
    result = run("outcomes", *arguments)
    assert result.status == status
    assert result.err
    assert not result.out


@needs_conformance
def test_outcomes_need_no_named_entities() -> None:
    folder = CONFORMANCE / "annotators"
    key, response = folder / "Raeuber_Act1.AK.conll.gz", folder / "Raeuber_Act1.JA.conll.gz"
    result = run("outcomes", key, response, "--list")
    assert result.status == 0
    head = result.out.splitlines()[0].split("\t")
    assert "ne" not in head
    assert "anchor_mentions" in head


def test_outcomes_of_one_response_add_up_to_the_scores() -> None:
    found = json.loads(run("outcomes", KEY, CAREFUL, "-f", "json").out)["scores"]
    scores = score(KEY, CAREFUL, "immediate,inferred,anchor")
    for name in ("immediate", "inferred"):
        total = {
            outcome: sum(row[outcome] for row in found[name]["classes"].values())
            for outcome in ("tp", "wl", "fn", "fp")
        }
        assert total == scores[name].counts
        of_nouns = scores[name].classes
        assert of_nouns is not None
        assert found[name]["classes"]["NOUN"] == of_nouns["NOUN"].counts
    text = run("outcomes", KEY, CAREFUL, "-m", "immediate")
    assert text.status == 0
    lines = [line.split() for line in text.out.splitlines()]
    counts = scores["immediate"].counts
    numbers = [counts[outcome] for outcome in ("tp", "wl", "fn", "fp")]
    assert ["all", *map(str, numbers), str(sum(numbers))] in lines
    assert "[them] reached Calder" in text.out


def test_colours() -> None:
    from corefkit.render.outcomes import break_downs
    from corefkit.render.text import render_text
    from corefkit.scorers import make_options
    from corefkit.scoring.run import score_systems

    report = score_systems(KEY, [CAREFUL], make_options("immediate,anchor")).divided()
    for table in break_downs(report.systems, None):
        with styled(bold=True):
            assert "\x1b[32m" in render_text(table)
        assert "\x1b" not in render_text(table)


@pytest.mark.parametrize(
    ("cells", "line", "found"),
    [
        (["(A*", "(B*", "*)", "*"], 5, "never closed"),
        (["(A*", "*)", "(B*", "*"], 7, "never closed"),
        (["(A*", "*)", "*)", "(B)"], 7, "closes nothing"),
    ],
)
def test_names_that_do_not_pair_have_a_line(
    tmp_path: Path, cells: list[str], line: int, found: str
) -> None:
    good = "#begin document (nw/a)\na 0 0 w NN * - - - - (A) -\n#end document\n"
    rows = [f"a 0 {i} w NN * - - - - {cell} -\n" for i, cell in enumerate(cells)]
    bad = "#begin document (nw/b)\n" + "".join(rows) + "#end document\n"
    path = tmp_path / "key.conll"
    path.write_text(good + bad)
    for command in (("score", path, path, "-m", "anchor"), ("outcomes", path, path)):
        result = run(*command)
        assert result.status == 1
        assert f"key.conll:{line}: error: the brackets of the named entities" in result.err
        assert found in result.err


def masked(path: Path, column: int, value: str) -> Path:
    """The key with one value in a whole column."""
    lines = [line.split() for line in KEY.read_text().splitlines()]
    for line in lines:
        if line and not line[0].startswith("#"):
            line[column] = value
    path.write_text("\n".join(" ".join(line) for line in lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("by", "column", "value"), [("speaker", 9, "-"), ("speaker", 9, "_"), ("word", 3, "[WORD]")]
)
def test_a_column_that_nobody_filled(tmp_path: Path, by: str, column: int, value: str) -> None:
    key = masked(tmp_path / "key.conll", column, value)
    result = run("score", key, CAREFUL, "-m", "mentions", "--by", by)
    assert result.status == 1
    assert f"column '{by}' is empty [column-missing]" in result.err
    assert f"Only the break-down by {by} needs" in result.err
    assert run("outcomes", key, CAREFUL).status == 0
    assert run("score", key, CAREFUL, "-m", "immediate", "--by", "length").status == 0
    with pytest.raises(DataError):
        score(key, CAREFUL, "mentions").by(by)


def test_outcomes_as_csv(tmp_path: Path) -> None:
    table, commas = tmp_path / "out.tsv", tmp_path / "out.csv"
    for path in (table, commas):
        assert run("outcomes", KEY, CAREFUL, "-o", path).status == 0
    with commas.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [line.split("\t") for line in table.read_text().splitlines()]


def test_classes_are_in_one_order() -> None:
    def labels(*arguments: str) -> list[str]:
        out = run("score", KEY, CAREFUL, "-m", "immediate", *arguments).out
        table = next(b.splitlines() for b in out.split("\n\n") if "\nclass " in b)
        return [line.split()[0] for line in table[2:]]

    found = labels()
    assert found[:3] == ["PRP", "NOUN", "PRP$"]
    assert [label for label in labels("--by", "class") if label in found] == found


def test_the_hint_for_a_key_without_names(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_text("#begin document (a)\na 0 0 It PRP * -\n#end document\n")
    assert run("score", key, key, "-m", "anchor").status == 0
    err = run("score", key, key, "-m", "anchor", "--by", "ne").err
    assert "Only the break-down by ne needs named entities" in err


def test_documents_without_tokens(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_text("#begin document (nw/a/00/a_0001); part 000\n\n#end document\n")
    result = run("score", key, key, "-m", "immediate,inferred,anchor", "-f", "json")
    assert "tagset-unknown" not in result.err
    assert result.status == 0


def test_very_long_mentions_are_cut(tmp_path: Path) -> None:
    """Nested mentions of thousands of words would make a listing of quadratic size."""
    cells = {0: "(1", 299: "1)", 300: "(1)"}
    lines = [f"a 0 {i} w{i} NN * - - - - * {cells.get(i, '-')}" for i in range(301)]
    key = tmp_path / "key.conll"
    key.write_text("\n".join(["#begin document (a)", *lines, "#end document"]) + "\n")
    out = run("outcomes", key, key, "-f", "jsonl").out
    first, second = (json.loads(line) for line in out.splitlines())
    assert first["text"].split() == [
        *(f"w{i}" for i in range(50)),
        "…",
        *(f"w{i}" for i in range(250, 300)),
    ]
    assert second["text"] == "w300"
