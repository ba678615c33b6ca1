"""corefkit explain SIGNATURE, score --signature and corefkit verify of two results."""

import json
from dataclasses import replace
from pathlib import Path

import click
import pytest

from corefkit.cli.app import corefkit
from corefkit.core.options import GONE, PLAIN_SIDES
from corefkit.formats.options import get_option, option_names, readings_of
from corefkit.scorers import make_options
from corefkit.scorers.signature import parse_signature, signature
from corefkit.scoring.run import reconcile
from tests.support import EXAMPLES, run

KEY, CAREFUL = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"


def test_parse() -> None:
    options = make_options("muc,lea", "coval", singletons="drop")
    text = run("explain", signature(options)).out
    assert "--metrics muc,lea\n" in text
    assert "--profile coval  (the scorer CoVal)\n" in text
    assert "--duplicates" not in text
    named = make_options("muc,lea", "coval", duplicates="error")
    assert "--duplicates error  (" in run("explain", signature(named)).out
    found = json.loads(run("explain", signature(options), "-f", "json").out)
    assert (found["metrics"], found["singletons"]) == (["muc", "lea"], "drop")
    assert run("explain", "nonsense:1").status == 2
    assert "Missing argument 'RESPONSE'" in run("explain", KEY).err
    assert "see corefkit explain" in run("signature", "parse", signature(options)).err


def test_parse_says_which_documents() -> None:
    for documents, given in (("common", "common"), ("listed", "FILE")):
        text = signature(replace(make_options("muc"), documents=documents))
        assert f"--documents {given}  (" in run("explain", text).out
    assert "--documents" not in run("explain", signature(make_options("muc"))).out


def test_score_by_signature() -> None:
    first = run("score", KEY, CAREFUL, "--profile", "e2e", "-m", "bcub", "-f", "json")
    text = json.loads(first.out)["signature"]
    assert run("score", KEY, CAREFUL, "--signature", text, "-f", "json").out == first.out
    assert run("score", KEY, CAREFUL, "--signature", text, "-m", "muc").status == 2
    assert run("score", KEY, CAREFUL, "--signature", "x:y").status == 2
    older = run("score", KEY, CAREFUL, "--signature", text.replace("version:0", "version:99"))
    assert older.status == 0
    assert "the signature is of corefkit 99" in older.err


def test_the_signature_of_a_paper_is_taken(tmp_path: Path) -> None:
    """What `compare --paper` puts into a caption can be explained and scored by."""
    table = run("compare", KEY, CAREFUL, "--singletons", "drop", "-f", "latex", "--paper").out
    caption = table.replace("\\textbar{}\\allowbreak{}", "|")
    text = caption.partition("\\footnotesize ")[2].partition("}")[0]
    assert "samples:10000|seed:2012" in text
    assert "--singletons drop" in run("explain", text).out
    plain = text.replace("|samples:10000|seed:2012", "")
    found = run("score", KEY, CAREFUL, "--signature", text, "-f", "json")
    assert found.status == 0
    assert found.out == run("score", KEY, CAREFUL, "--signature", plain, "-f", "json").out


def test_two_results(tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    run("score", KEY, CAREFUL, "-f", "json", "-o", one)
    run("score", KEY, CAREFUL, "-f", "json", "-o", other, "--profile", "e2e")
    assert run("verify", one, one).out == "The two were made in the same way.\n"
    found = json.loads(run("verify", one, other, "-f", "json").out)
    assert found["settings"].keys() == {"metrics", "profile", "singletons", "duplicates"}
    assert run("verify", one, other).status == 3
    assert found["settings"]["singletons"] == ["keep", "e2e"]
    assert "muc" not in found["scores"]["careful"]
    kept, e2e = found["scores"]["careful"]["conll"]
    assert f"{100 * kept:.2f}" in run("verify", one, other).out
    assert kept > e2e


@pytest.mark.parametrize(
    "words", [("errors",), ("score", "--by", "document"), ("compare", EXAMPLES / "baseline.conll")]
)
def test_two_results_of_any_command(tmp_path: Path, words: tuple[str | Path, ...]) -> None:
    """Every figure that both have is compared, whatever the results are of."""
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    for path, response in ((one, CAREFUL), (other, EXAMPLES / "hasty.conll")):
        run(words[0], KEY, f"ours={response}", *words[1:], "-f", "json", "-o", path)
    found = json.loads(run("verify", one, other, "-f", "json").out)
    assert found["settings"] == {}
    assert len(found["figures"]) > 10
    shown = run("verify", one, other)
    assert shown.status == 3
    assert f"{len(found['figures']):,} other figures differ:" in shown.out
    assert "… and" in shown.out


def test_two_signatures() -> None:
    plain = signature(make_options("muc"))
    text = run("verify", plain, signature(make_options("muc", zeros="drop"))).out
    assert "zeros    dependent  drop" in text


@pytest.mark.parametrize("part", ["missing:empty", "words:ignore", "ties:first", "lengths:error"])
def test_parts_that_are_gone_have_a_successor(part: str) -> None:
    done = run("explain", f"metrics:muc|profile:standard|{part}|version:0.1.0")
    assert done.status == 2
    name = part.partition(":")[0]
    assert f"signature: '{name}' {GONE[name]}" in " ".join(done.err.split())


def test_refuses_what_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    for name in ("list.json", "bad.json", "deep.json"):
        result = run("verify", tmp_path / name, "metrics:muc")
        assert result.status == 1
        assert "result-unreadable" in result.err
    assert run("verify", "nothing", "metrics:muc").status == 2


@pytest.mark.parametrize(
    "given",
    [
        "--labels type",
        "--leave-out nested,verb",
        "--window 50 --window sentences:3 --window-singletons keep",
        "--across none,topic --topic (.)",
        "--by entity:size --by entity:kind",
    ],
)
def test_the_options_of_a_signature_give_the_signature_again(given: str) -> None:
    """Nothing that moves a number is missing from what `explain` lists."""
    how = ("-m", "muc", "-f", "json")
    text = json.loads(run("score", KEY, CAREFUL, *how, *given.split()).out)["signature"]
    lines = run("explain", text).out.splitlines()[:-1]
    listed = [word for line in lines for word in line.partition("  (")[0].split()]
    again = json.loads(run("score", KEY, CAREFUL, *listed, "-f", "json").out)["signature"]
    assert again == text


MOVING = {
    "--metrics": "muc",
    "--match": "head",
    "--zeros": "drop",
    "--split": "drop",
    "--heads": "tree",
    "--singletons": "drop",
    "--duplicates": "error",
    "--align": "characters",
    "--unaligned": "drop",
    "--average": "documents",
    "--strict": None,
    "--labels": "type",
    "--leave-out": "singleton",
    "--variant": "clean",
    "--tagset": "ud",
    "--language": "en",
    "--profile": "coval",
    "--by": "entity:size",
    "--window": "100",
    "--window-singletons": "keep",
    "--across": "corpus",
    "--topic": "x",
    "--documents": "common",
    "--layer": "deixis",
    "--read": "clusters=own",
    "--columns": "entity=cluster",
}
"""Every option of score that can move a number, with a value."""
BESIDE = {"--window-singletons": ("--window", "100"), "--variant": ("-m", "inferred")}
BESIDE |= {"--tagset": ("-m", "inferred"), "--topic": ("--across", "topic")}
STAYING = {
    *(
        "--lax",
        "--signature",
        "--losses",
        "--only-f1",
        "--entities",
        "--runs",
        "--failed",
        "--agreement",
    ),
    *("--plot", "--output-format", "--digits", "--csv-safe", "--at-least", "--engine", "--counts"),
    *("--output", "--format", "--key-format", "--response-format", "--allow-broken", "--quiet"),
    "--help-all",
}
"""The others: what is shown, how files are written, and `--lax`, which moves only what a strict
profile refuses."""


def test_every_option_of_score_is_one_of_these() -> None:
    command = corefkit.get_command(click.Context(corefkit), "score")
    assert command is not None
    names = {option.opts[-1] for option in command.params if option.opts[-1].startswith("-")}
    assert names == MOVING.keys() | STAYING
    assert run("score", KEY, CAREFUL, "--profile", "ua", "--lax", "-f", "csv").status == 0


@pytest.mark.parametrize("option", MOVING)
def test_what_moves_a_number_is_in_the_signature(option: str) -> None:
    """Or it is refused; and what is in it can be read, so that it is not shown alone."""
    value, beside = MOVING[option], BESIDE.get(option, ())
    given = [option] if value is None else [option, value]
    plain = run("score", KEY, CAREFUL, *beside, "-f", "json")
    found = run("score", KEY, CAREFUL, *beside, *given, "-f", "json")
    if found.status:
        assert "error" in found.err.lower()
        return
    text = json.loads(found.out)["signature"]
    assert text != json.loads(plain.out)["signature"]
    options, _ = parse_signature(text)
    assert signature(options) == text
    assert "nothing" not in run("explain", text).err


@pytest.mark.parametrize("name", option_names())
def test_what_is_chosen_for_reading_is_in_the_signature(name: str) -> None:
    """For both sides or one; folders are files, and links have a part of their own."""
    written = name.replace("_", "-")
    for side in ("", "key:", "response:"):
        text = f"{side}{written}={get_option(name).example}"
        readings = readings_of({"read": [text]})
        options, _ = reconcile(make_options("muc"), readings)
        if name in ("text", "concepts") or (name == "layer" and side != "response:"):
            assert options.read == ()
            continue
        again, _ = parse_signature(signature(options))
        assert (again.read, again.links) == (options.read, options.links)
        if name in ("threshold", "best", "unlinked") and side != "key:":
            assert options.links
        else:
            assert options.read == (text,)
        _, repeated = reconcile(again, PLAIN_SIDES)
        assert repeated.response.options == readings.response.options


def test_a_score_is_repeated_from_its_signature_alone(tmp_path: Path) -> None:
    """Without the field, the one that the file has beside it was scored."""
    row = {"doc_key": "d", "sentences": [["w"] * 9], "clusters": [[[0, 0], [1, 1]]]}
    path = tmp_path / "both.jsonl"
    path.write_text(json.dumps({**row, "other + own": [[[0, 0], [2, 2]]]}))
    chosen = run("score", path, path, "--read", "response:clusters=other + own", "-f", "json")
    text = json.loads(chosen.out)["signature"]
    assert "|read:response:clusters=other%20%2B%20own|" in text
    assert run("score", path, path, "--signature", text, "-f", "json").out == chosen.out
    assert "--read 'response:clusters=other + own'" in run("explain", text).out
