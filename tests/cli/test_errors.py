"""The command `errors`: what it prints agrees with the JSON, and the JSON with itself."""

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit.analysis.types import TYPES
from corefkit.core.options import POLICIES
from corefkit.render.notebook import document_html
from corefkit.scorers import PROFILES, make_options, scorer_class
from corefkit.scoring.run import score_systems
from tests.cli.test_process import in_terminal
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def as_json(*arguments: str | Path) -> Any:
    result = run("errors", *arguments, "-f", "json")
    assert result.status == 0, result.err
    return json.loads(result.out)


def jsonl(*arguments: str | Path) -> list[Any]:
    result = run("errors", *arguments, "-f", "jsonl")
    assert result.status == 0, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def test_json_is_what_python_says() -> None:
    found = as_json(KEY, CAREFUL)
    assert found.keys() == {
        "version",
        "result",
        "schema",
        "signature",
        "key",
        "metric",
        "files",
        "systems",
    }
    (system,) = found["systems"]
    errors = corefkit.errors(KEY, CAREFUL)
    losses = system.pop("losses")["conll"]
    assert losses["detection"] + losses["linking"] == pytest.approx(1 - system["f1"]["conll"])
    assert system == json.loads(json.dumps(errors.to_dict()))
    assert tuple(system["errors"]) == TYPES
    assert list(system["f1"]) == ["muc", "bcub", "ceafe", "conll"]
    assert list(system["shares"]) == ["conll"]
    assert system["f1"]["conll"] == corefkit.score(KEY, CAREFUL, "conll").conll
    assert sum(system["shares"]["conll"].values()) == pytest.approx(1 - system["f1"]["conll"])
    assert "shares" not in as_json(KEY, CAREFUL, "--no-shares")["systems"][0]
    summed = {t: sum(row[t] for row in system["documents"].values()) for t in TYPES}
    assert summed == system["errors"]


def test_text_says_what_the_json_says() -> None:
    (system,) = as_json(KEY, CAREFUL)["systems"]
    lines = {
        line.split()[0]: line.split()
        for line in run("errors", KEY, CAREFUL).out.splitlines()
        if line
    }
    for name in TYPES:
        kinds = [system["mentions"][name][kind] for kind in ("pronoun", "name", "nominal")]
        repaired, share = system["repaired"][name]["conll"], system["shares"]["conll"][name]
        figures = [system["errors"][name], sum(kinds), *kinds]
        shown = [f"{100 * repaired:.2f}", f"{100 * share:.2f}"]
        assert lines[name] == [name, *map(str, figures), *shown]
    assert lines["all"][-1] == f"{100 * (1 - system['f1']['conll']):.2f}"


def test_every_error_is_listed() -> None:
    (system,) = as_json(KEY, CAREFUL)["systems"]
    errors = jsonl(KEY, CAREFUL)
    assert len({error["id"] for error in errors}) == len(errors) == sum(system["errors"].values())
    for error in errors:
        assert error["id"].startswith(f"{error['document']}/{error['type']}/")
        for mention in error["mentions"]:
            assert mention["file"] in (str(KEY), str(CAREFUL))
            word = mention["text"].split()[0]
            text = Path(mention["file"]).read_text(encoding="utf-8").splitlines()
            assert word in text[mention["line"] - 1].split()
    table = run("errors", KEY, CAREFUL, "--list", "-f", "csv").out
    assert [row["id"] for row in csv.DictReader(StringIO(table))] == [e["id"] for e in errors]


def test_choosing() -> None:
    everything = jsonl(KEY, HASTY)
    some = jsonl(KEY, HASTY, "--type", "divided", "--kind", "pronoun", "--word", "He")
    assert some == [
        error
        for error in everything
        if error["type"] == "divided"
        and any(m["kind"] == "pronoun" for m in error["mentions"])
        and any("he" in (m["text"].lower(), m["head_word"].lower()) for m in error["mentions"])
    ]
    assert some
    document = everything[0]["document"]
    here = jsonl(KEY, HASTY, "--document", document)
    assert here == [error for error in everything if error["document"] == document]
    sample = jsonl(KEY, HASTY, "--sample", "5", "--seed", "7")
    assert len(sample) == 5
    assert sample == jsonl(KEY, HASTY, "--sample", "5", "--seed", "7")
    assert sample != jsonl(KEY, HASTY, "--sample", "5", "--seed", "8")
    listed = run("errors", KEY, HASTY, "--list", "--type", "span").out
    assert listed.count("/span/") == sum(error["type"] == "span" for error in everything)


def test_groups_add_up() -> None:
    for by in ("genre", "document"):
        (system,) = as_json(KEY, CAREFUL, "--no-shares", "--by", by)["systems"]
        groups = system["by"][by].values()
        assert {t: sum(row[t] for row in groups) for t in TYPES} == system["errors"]
    (system,) = as_json(KEY, CAREFUL, "--no-shares", "--by", "kind")["systems"]
    assert system["by"]["kind"]["pronoun"]["divided"] == system["mentions"]["divided"]["pronoun"]


def test_several_responses() -> None:
    found = as_json(KEY, CAREFUL, HASTY, "--no-shares")
    ours, theirs = ({_same(e) for e in jsonl(KEY, response)} for response in (CAREFUL, HASTY))
    common = found["common"]
    assert sum(row["all"] for row in common.values()) == len(ours & theirs)
    assert sum(row["careful"] for row in common.values()) == len(ours - theirs)
    assert sum(row["hasty"] for row in common.values()) == len(theirs - ours)
    systems = [error["system"] for error in jsonl(KEY, CAREFUL, HASTY)]
    assert [systems.count(name) for name in ("careful", "hasty")] == [len(ours), len(theirs)]


def _same(error: Any) -> tuple[str, str, tuple[tuple[int, int], ...]]:
    spans = [(m["start"], m["end"]) for m in error["mentions"]]
    return error["document"], error["type"], tuple(spans[:1] if error["type"] == "span" else spans)


def test_links() -> None:
    links = jsonl(KEY, CAREFUL, "--links")
    (system,) = as_json(KEY, CAREFUL, "--no-shares")["systems"]
    for side in ("recall", "precision"):
        some = [link for link in links if link["type"] == f"{side}-link"]
        assert len(some) == sum(system["links"][side].values())
        for link in some:
            assert link["anaphor"]["start"] >= link["antecedent"]["start"]
            assert link["distance"]["mentions"] >= 1


def test_repaired_responses_can_be_scored(tmp_path: Path) -> None:
    (system,) = as_json(KEY, HASTY, "--write-repaired", tmp_path)["systems"]
    for name in TYPES:
        score = corefkit.score(KEY, tmp_path / f"hasty.{name}.conll", "conll").conll
        assert score == pytest.approx(system["repaired"][name]["conll"], abs=1e-12)


def test_pronouns_of_ones_own(tmp_path: Path) -> None:
    words = tmp_path / "pronouns.txt"
    words.write_text("# ours\n\nCouncil\nhoney\nMAY\n", encoding="utf-8")
    (system,) = as_json(KEY, CAREFUL, "--no-shares", "--pronouns", words)["systems"]
    errors = corefkit.errors(KEY, CAREFUL, pronouns=["may", "honey", "council"])
    assert system["mentions"] == errors.mentions
    assert system["mentions"] != corefkit.errors(KEY, CAREFUL).mentions


@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", "immediate"),
        ("-m", "nothing"),
        ("--match", "semeval"),
        ("--type", "span"),
        ("--list", "--document", "nowhere"),
        ("--pronouns", "nowhere.txt"),
        ("--links", "--list"),
        ("--sample", "0", "--list"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...]) -> None:
    result = run("errors", KEY, CAREFUL, *arguments)
    assert result.status == 2
    assert result.err
    assert not result.out


def test_bad_data_is_refused(tmp_path: Path) -> None:
    assert run("errors", KEY, tmp_path / "nothing.conll").status == 1
    assert run("errors", tmp_path / "nothing.conll", KEY).status == 1


def test_no_error_where_nothing_is_wrong() -> None:
    (system,) = as_json(KEY, KEY)["systems"]
    assert not any(system["errors"].values())
    assert run("errors", KEY, KEY).status == 0
    assert run("errors", KEY, KEY, "--list", "-f", "tsv").out == ""


def test_notebook() -> None:
    errors = corefkit.errors(KEY, CAREFUL)
    html = errors._repr_html_()
    assert "missing-entity" in html
    assert "3.51" in html, "the share of missing entities"
    assert html.count("border-bottom:3px solid") > 20
    frame = errors.to_frame()
    assert frame["type"].value_counts().to_dict() == {t: n for t, n in errors.counts.items() if n}
    assert str(frame["start"].dtype) == "int64"
    assert str(frame["should_start"].dtype) == "Int64", "some errors have none"
    assert "max-height:30em" in html
    assert "missing-entity" in str(errors)


def test_hostile_words_are_text(tmp_path: Path) -> None:
    for path in (KEY, CAREFUL):
        text = path.read_text(encoding="utf-8").replace("kitchen", "<script>alert(1)</script>")
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    errors = corefkit.errors(tmp_path / KEY.name, tmp_path / CAREFUL.name)
    name = next(n for n in errors.joint.key.names if "harbour_0001" in n)
    html = document_html(errors, name)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 2


@pytest.mark.parametrize("form", ["markdown", "latex", "html"])
def test_figures_in_formats_for_people(form: str) -> None:
    """The same figures as in JSON, rounded."""
    (system,) = as_json(KEY, CAREFUL)["systems"]
    out = run("errors", KEY, CAREFUL, "-f", form).out
    for name in TYPES:
        line = next(line for line in out.split("\n") if name in line)
        assert f"{100 * system['repaired'][name]['conll']:.2f}" in line
    assert out.startswith("<!doctype html>") == (form == "html")


def test_cells_for_spreadsheets(tmp_path: Path) -> None:
    (tmp_path / "=1.conll").write_bytes(CAREFUL.read_bytes())
    command = ("errors", KEY, tmp_path / "=1.conll", "-f", "csv")
    for extra, name in (((), "=1"), (("--csv-safe",), "'=1")):
        rows = list(csv.DictReader(StringIO(run(*command, *extra).out)))
        assert {row["system"] for row in rows} == {name}


@pytest.mark.parametrize("profile", [p for p in PROFILES if "conll" in scorer_class(p).metrics])
def test_a_profile_is_followed(profile: str) -> None:
    """Errors need one entity per mention: where a profile allows several, copies are dropped for
    the analysis, with a note."""
    several = scorer_class(profile).keeps_copies
    result = run("errors", KEY, CAREFUL, "--profile", profile, "--no-shares")
    assert (result.status, "[copies-dropped]" in result.err) == (0, several)
    (system,) = as_json(KEY, CAREFUL, "--profile", profile, "--lax")["systems"]
    settled = replace(make_options("conll", profile, lax=True), scorer="standard")
    conll = score_systems(KEY, [CAREFUL], settled).scores["careful"].conll
    assert system["f1"]["conll"] == pytest.approx(conll, abs=1e-12)
    # e2e gives a key with singletons less than 100 against itself.
    best = corefkit.score(KEY, KEY, "conll", profile).conll if profile == "e2e" else 1
    assert sum(system["shares"]["conll"].values()) == pytest.approx(best - conll, abs=1e-12)


@pytest.mark.parametrize("rule", list(POLICIES["match"]))
def test_rules_of_matching(rule: str) -> None:
    """Two rules count in ways that entities do not have; the others go with errors."""
    result = run("errors", KEY, CAREFUL, "--match", rule, "--no-shares")
    refused = {
        "semeval": "error analysis supports no half credit",
        "min": "is for the profile arrau or ua-1",
    }
    assert result.status == 2 * (rule in refused)
    assert refused.get(rule, "") in result.err


def test_documents_that_the_response_lacks() -> None:
    arguments = (KEY, HASTY, "--documents", "common")
    (system,) = as_json(*arguments)["systems"]
    assert system["f1"]["conll"] == pytest.approx(
        corefkit.score(KEY, HASTY, "conll", documents="common").conll, abs=1e-12
    )
    lacking = "(wb/orchard/00/orchard_0002); part 000"
    assert set(system["documents"][lacking].values()) == {0}
    assert sum(as_json(KEY, HASTY)["systems"][0]["documents"][lacking].values()) == 17


def test_colours_on_a_terminal() -> None:
    """Escapes that the list writes reach the terminal as they are, and only there."""
    arguments = ("errors", str(KEY), str(CAREFUL), "--list", "--type", "span")
    shown = in_terminal(*arguments, TERM="xterm")
    assert "\x1b[2m" in shown and "\x1b[33m[" in shown
    assert "\\x1b" not in shown
    assert "\x1b" not in run(*arguments).out


def test_a_document_in_a_notebook_is_that_of_the_page(tmp_path: Path) -> None:
    """A colour for each pair of aligned entities, a line for each state, ∅ for an empty node."""
    errors = corefkit.errors(KEY, HASTY)
    html = errors.document("(nw/harbour/00/harbour_0001); part 000")._repr_html_()
    for style in ("solid", "dashed", "dotted", "double"):
        assert f"border-bottom:3px {style} hsl" in html
    # "her" in the second sentence is found and linked wrongly, "the old town" is right.
    second = html.split("<tr>")[3]
    assert re.search(r"45deg[^']*'>her<", second) and not re.search(r"45deg[^']*'>town<", second)
    right = corefkit.errors(KEY, KEY).document("(nw/harbour/00/harbour_0001); part 000")
    assert "45deg" not in right._repr_html_()
    rows = html.split("<tr>")[2:]
    assert len(rows) == 6 and all(row.count("<td") == 2 for row in rows)
    sides = [re.findall(r"hsl\(\d+", cell) for row in rows for cell in row.split("<td")[1:]]
    ours, theirs = ({hue for cell in sides[side::2] for hue in cell} for side in (0, 1))
    assert len(ours & theirs) > 5 and ours - theirs
    blank = "\t".join("_" * 7)
    lines = [f"1\tHe\t{blank}\tEntity=(e1-x-1)", f"1.1\t_\t{blank}\tEntity=(e1-x-1)"]
    heads = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    text = "\n".join([*heads, *lines, "", ""])
    (tmp_path / "zero.conllu").write_text(text, encoding="utf-8")
    zero = corefkit.errors(tmp_path / "zero.conllu", tmp_path / "zero.conllu")
    assert zero.document("d")._repr_html_().count("∅") == 2
    folder = EXAMPLES / "task"
    arabic = corefkit.errors(folder / "keys/arabic.conll", folder / "keys/arabic.conll")
    assert "dir='rtl'" in arabic.document(arabic.joint.key.names[0])._repr_html_()


@pytest.mark.parametrize("mark", ["_", "-", "*"])
@pytest.mark.parametrize(
    "command", ["errors KEY RESPONSE", "outcomes KEY RESPONSE", "stats KEY", "score KEY RESPONSE"]
)
def test_a_column_of_nothing_is_no_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str, command: str
) -> None:
    """A file whose columns all hold nothing is told about as one that does not have them."""
    shown = []
    for folder, filler in (("without", []), ("empty", [mark] * 9)):
        (tmp_path / folder).mkdir()
        for name in ("key", "careful"):
            lines = []
            for line in (EXAMPLES / f"{name}.conll").read_text().splitlines():
                fields = line.split()
                token = bool(fields) and not line.startswith("#")
                lines.append("\t".join([*fields[:4], *filler, fields[-1]]) if token else line)
            (tmp_path / folder / f"{name}.conll").write_text("\n".join(lines) + "\n")
        monkeypatch.chdir(tmp_path / folder)
        words = command.replace("KEY", "key.conll").replace("RESPONSE", "careful.conll")
        shown.append(run(*words.split()))
    assert shown[0] == shown[1]
    assert shown[0].status == 0


@pytest.mark.parametrize("mark", ["_", "-", "*"])
def test_a_column_of_nothing_has_no_tags(tmp_path: Path, mark: str) -> None:
    text = (EXAMPLES / "key.conll").read_text().splitlines()
    lines = [
        "\t".join([*line.split()[:4], *[mark] * 7, line.split()[-1]])
        if line.split() and not line.startswith("#")
        else line
        for line in text
    ]
    (tmp_path / "key.conll").write_text("\n".join(lines) + "\n")
    for option in (["-m", "inferred"], ["--by", "class"]):
        done = run("score", tmp_path / "key.conll", tmp_path / "key.conll", *option)
        assert done.status == 1
        assert "the key has no tags: column 'pos' is empty" in done.err


def test_the_list_by_gain() -> None:
    errors = jsonl(KEY, HASTY, "--sort", "gain")
    gains = [error["gain"] for error in errors]
    assert gains == sorted(gains, reverse=True) and gains[0] > 0 > gains[-1]
    (system,) = as_json(KEY, HASTY)["systems"]
    assert system["best_repairs"] == errors[:10]
    listed = run("errors", KEY, HASTY, "--list", "--sort", "gain", "--most", "2").out.splitlines()
    assert len(listed) == 6 and listed[2].endswith(f"gain +{100 * gains[0]:.3f}")
    assert run("errors", KEY, HASTY, "--sort", "gain").status == 2


def test_should_and_was_in_a_table() -> None:
    rows = list(csv.DictReader(StringIO(run("errors", KEY, HASTY, "--list", "-f", "csv").out)))
    assert {row["should"] for row in rows} == {"belongs with", "stands alone", "is not a mention"}
    assert {row["was"] for row in rows} == {"put with", "stands alone", "not found", "found as"}
    for row in rows:
        assert bool(row["should_text"]) == (row["should"] == "belongs with")
        assert bool(row["was_line"]) == (row["was"] in ("put with", "found as"))


DUTCH = (
    "Anna zag de man op het plein . Zij riep hem , maar hij hoorde haar niet . "
    "De man liep door naar zijn huis , want het was laat . We bleven bij haar ."
)
SAMISH = "Anna oidnii almmá šiljus . Son čurvvii su , muhto son ii gullan su ."


def untagged(folder: Path, text: str, tag: str = "_") -> tuple[Path, Path]:
    """A key and a response without tags: the second entity of the key is conflated."""
    words = text.split()
    files = []
    sides = {
        "key": {0: "(1)", 2: "(2)", 8: "(1)", 10: "(2)"},
        "r": dict.fromkeys((0, 8, 10), "(1)"),
    }
    for name, cells in sides.items():
        lines = ["#begin document (d); part 000"]
        for place, word in enumerate(words):
            row = ["d", "0", str(place), word, tag, cells.get(place, "-")]
            lines += ["\t".join(row), *([""] if word == "." else [])]
        files.append(folder / f"{name}.conll")
        files[-1].write_text("\n".join([*lines, "#end document", ""]), encoding="utf-8")
    return files[0], files[1]


def test_dutch_is_not_english(tmp_path: Path) -> None:
    """Pronouns are those of the language of the text, and the signature names the list."""
    found = as_json(*untagged(tmp_path, DUTCH))
    assert "|kinds:list-nl+none|" in found["signature"]
    listed = jsonl(*untagged(tmp_path, DUTCH))
    kinds = {m["text"]: m["kind"] for error in listed for m in error["mentions"]}
    assert kinds["hem"] == "pronoun"
    english = jsonl(*untagged(tmp_path, DUTCH), "--language", "en")
    assert {m["kind"] for error in english for m in error["mentions"]} == {"nominal"}
    assert as_json(*untagged(tmp_path, DUTCH), "--language", "nl")["systems"] == found["systems"]


def test_where_no_pronouns_are_known(tmp_path: Path) -> None:
    """Kinds are "–" and null, never 0, and a note says what it means."""
    files = untagged(tmp_path, SAMISH)
    result = run("errors", *files)
    assert result.status == 0 and "[kinds-unknown]" in result.err
    assert "all types except span may change" in result.out
    missing = next(line for line in result.out.splitlines() if line.startswith("missing-entity"))
    assert missing.split()[1:6] == ["0", "0", "–", "–", "–"]
    (system,) = as_json(*files)["systems"]
    assert set(system["mentions"]["divided"].values()) == {None}
    assert {m["kind"] for error in jsonl(*files) for m in error["mentions"]} == {"–"}
    assert run("errors", *files, "--list", "--kind", "pronoun").status == 2
    assert "kinds:none|" in run("errors", *files, "-f", "json").out
    given = tmp_path / "words"
    given.write_text("son\nsu\n", encoding="utf-8")
    assert "kinds:file+none|" in run("errors", *files, "--pronouns", given, "-f", "json").out
    assert run("report", *files, "-o", tmp_path / "page.html").status == 0


def test_names_are_unknown_without_tags(tmp_path: Path) -> None:
    (system,) = as_json(*untagged(tmp_path, DUTCH))["systems"]
    assert {row["name"] for row in system["mentions"].values()} == {None}
    (system,) = as_json(*untagged(tmp_path, DUTCH), "--by", "kind")["systems"]
    assert list(system["by"]["kind"]) == ["pronoun", "nominal"]


def test_unknown_numbers_for_people_and_for_programs(tmp_path: Path) -> None:
    files = untagged(tmp_path, DUTCH)
    assert "| – |" in run("errors", *files, "-f", "markdown").out
    rows = list(csv.DictReader(StringIO(run("errors", *files, "-f", "csv").out)))
    assert {row["name"] for row in rows} == {""}


def test_unknown_tags_are_no_english(tmp_path: Path) -> None:
    files = untagged(tmp_path, SAMISH, "Xyz")
    assert "kinds:none|" in run("errors", *files, "-f", "json").out


def test_application_scores_by_a_list(tmp_path: Path) -> None:
    """Without tags they are refused, unless the language is named."""
    files = untagged(tmp_path, DUTCH)
    refused = run("score", *files, "-m", "inferred")
    assert refused.status == 1 and "--language" in refused.err
    scored = json.loads(
        run("score", *files, "-m", "inferred", "--language", "nl", "-f", "json").out
    )
    assert set(scored["systems"][0]["scores"]["inferred"]["classes"]) <= {"NOUN", "PRON"}
    assert "|language:nl|" in scored["signature"]
    outcomes = run("outcomes", *files, "--language", "nl")
    assert outcomes.status == 0, outcomes.err


def test_the_report_has_a_twin_in_text(tmp_path: Path) -> None:
    """`report -f text` is `errors --marked`, on standard output unless a file is named."""
    expected = run("errors", KEY, HASTY, "--marked")
    assert expected.status == 0
    twin = run("report", KEY, HASTY, "-f", "text")
    assert (twin.status, twin.out) == (0, expected.out)
    name = "(wb/orchard/00/orchard_0001); part 000"
    path = tmp_path / "twin.txt"
    assert run("report", KEY, HASTY, "--shown", name, "-o", path).status == 0
    assert path.read_text() == run("errors", KEY, HASTY, "--marked", "--document", name).out


def test_too_many_systems_for_a_figure_are_refused_before_anything_is_read() -> None:
    done = run("errors", "nowhere", *"abcdefg", "--plot", "costs.svg")
    assert (done.status, "7 systems are too many" in done.err) == (2, True)
