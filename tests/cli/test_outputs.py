"""What commands write and where: no input is destroyed, no name controls a terminal."""

import csv
import errno
import gzip
import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import click
import pytest

from corefkit.cli.app import COMMANDS, corefkit
from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import form_by_output
from corefkit.cli.output import print_incidents
from corefkit.core.incidents import Incident
from tests.cli.test_process import CAREFUL, HASTY, KEY, in_terminal
from tests.support import EXAMPLES, run

NAMES = ("key", "careful", "hasty")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of the examples, which commands run in."""
    for name in NAMES:
        (tmp_path / f"{name}.conll").write_bytes((EXAMPLES / f"{name}.conll").read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


CALLS = {
    "score": "key.conll careful.conll",
    "check": "careful.conll",
    "compare": "key.conll careful.conll hasty.conll",
    "agree": "careful.conll hasty.conll",
    "errors": "key.conll careful.conll",
    "report": "key.conll careful.conll",
    "outcomes": "key.conll careful.conll",
    "explain": "key.conll careful.conll --profile standard --profile coval",
    "stats": "careful.conll",
    "study power": "key.conll careful.conll hasty.conll",
    "study degrade": "careful.conll --drop 5%",
    "corpus boundaries": "careful.conll --kind gm",
    "corpus layers": "careful.conll --layer coref",
    "corpus skeleton mask": "careful.conll",
}


@pytest.mark.parametrize("command", CALLS)
@pytest.mark.parametrize("name", ["careful.conll", "./careful.conll", "link.conll", "hard.conll"])
def test_an_output_that_is_an_input_is_refused(here: Path, command: str, name: str) -> None:
    (here / "link.conll").symlink_to("careful.conll")
    os.link(here / "careful.conll", here / "hard.conll")
    before = (here / "careful.conll").read_bytes()
    result = run(*command.split(), *CALLS[command].split(), "-o", name)
    assert result.status == 2
    if "-f" in result.err:  # the ending of the name is refused first
        result = run(*command.split(), *CALLS[command].split(), "-o", name, "-f", "text")
        assert result.status == 2
    assert "would be overwritten" in result.err
    assert (here / "careful.conll").read_bytes() == before
    assert sorted(p.name for p in here.iterdir()) == sorted(
        [*(f"{n}.conll" for n in NAMES), "hard.conll", "link.conll"]
    )


def test_a_value_that_is_no_file_names_none(here: Path) -> None:
    (here / "o").touch()
    command = ("errors", "key.conll", "careful.conll", "--list", "--word", "?", "-o", "o")
    assert run(*command).status == 0


def test_a_packed_output_has_the_format_of_its_name(here: Path) -> None:
    assert run("score", "key.conll", "careful.conll", "-m", "muc", "-o", "x.csv.gz").status == 0
    text = gzip.decompress((here / "x.csv.gz").read_bytes()).decode()
    assert [row["metric"] for row in csv.DictReader(StringIO(text))] == ["muc"]


def test_convert_onto_itself_and_outputs_that_meet(here: Path) -> None:
    before = (here / "key.conll").read_bytes()
    assert run("convert", "key.conll", "key.conll").status == 2
    assert run("convert", here, here, "--force").status == 2
    assert (here / "key.conll").read_bytes() == before
    assert run("score", here / "key.conll", here, "-o", here / "hasty.conll").status == 2
    twice = ("-m", "immediate", "--plot", "x.html", "-o", "x.html")
    assert "written twice" in run("score", "key.conll", "careful.conll", *twice).err
    verify = ("verify", "a.json", "a.json", "-o", "a.json")
    run("score", "key.conll", "careful.conll", "-o", "a.json")
    assert run(*verify).status == 2


@pytest.mark.parametrize("pattern", ["k*.conll", "**/ke?.conll", "../*/key.conll"])
def test_an_output_that_a_pattern_names_is_an_input(here: Path, pattern: str) -> None:
    (here / "hard.conll").hardlink_to(here / "key.conll")
    before = (here / "key.conll").read_bytes()
    for output in ("key.conll", "hard.conll"):
        assert run("score", pattern, "careful.conll", "-o", output).status == 2
        assert run("score", "careful.conll", f"mine={pattern}", "--plot", output).status == 2
        assert (here / output).read_bytes() == before


def test_the_text_of_a_brat_file_is_an_input(here: Path) -> None:
    assert run("convert", "key.conll", "brat", "--to", "brat").status == 0
    file = next((here / "brat").glob("*.ann"))
    text = file.with_suffix(".txt")
    before = text.read_bytes()
    for inputs in ((file, file), (file.parent, file.parent)):
        assert run("score", *inputs, "-o", text).status == 2
    assert text.read_bytes() == before
    assert run("score", file, file, "-o", "brat/results.txt").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("corpus", "layers", "corpus", "--layer", "coref", "-o", "out"),
        ("corpus", "layers", "corpus", "--layer", "coref"),
        ("corpus", "skeleton", "mask", "corpus", "-o", "out"),
        ("convert", "corpus", "out"),
        ("convert", "corpus", "out.jsonl", "--to", "e2e"),
        ("errors", "corpus/key.conll", "careful.conll", "--write-repaired", "out"),
        ("corpus", "split", "corpus/key.conll", "-o", "out"),
    ],
)
def test_files_that_are_there_need_force(here: Path, arguments: tuple[str, ...]) -> None:
    (here / "corpus").mkdir()
    (here / "key.conll").rename(here / "corpus" / "key.conll")
    assert run(*arguments).status == 0
    again = run(*arguments)
    assert again.status == 2
    assert "--force" in again.err
    assert run(*arguments, "--force").status == 0


def test_the_name_of_the_output_decides_the_format(here: Path) -> None:
    starts = {"json": "{", "csv": "system,", "tsv": "system\t", "md": "| system", "tex": "% "}
    starts |= {"html": "<!doctype", "txt": "key:", "out": "key:"}
    for suffix, start in starts.items():
        path = here / f"x.{suffix}"
        assert run("score", "key.conll", "careful.conll", "-o", path).status == 0
        assert path.read_text().startswith(start)
    run("score", "key.conll", "careful.conll", "-o", here / "y.json", "-f", "csv")
    assert (here / "y.json").read_text().startswith("system,")
    for name, output in (("explain", "z.csv"), ("outcomes", "z.md"), ("outcomes", "z.html")):
        refused = run(name, *CALLS[name].split(), "-o", here / output)
        assert refused.status == 2
        assert not (here / output).exists()


def test_every_format_option_knows_its_output() -> None:
    context = click.Context(corefkit)
    for name in corefkit.list_commands(context):
        command = corefkit.get_command(context, name)
        assert command is not None
        inner = command.commands.values() if isinstance(command, click.Group) else [command]
        for one in inner:
            assert isinstance(one, CheckedCommand)
            forms = [p for p in one.params if p.name == "form"]
            known = all(p.callback is form_by_output for p in forms)
            assert known or name in ("outcomes", "degrade", "adjudicate", "report")


def test_systems_can_be_named(here: Path) -> None:
    result = run("score", "key.conll", "our best=careful.conll", "hasty.conll", "-f", "json")
    systems = json.loads(result.out)["systems"]
    assert [s["name"] for s in systems] == ["our best", "hasty"]
    assert [s["path"] for s in systems] == ["careful.conll", "hasty.conll"]
    (here / "a=careful.conll").write_bytes((here / "hasty.conll").read_bytes())
    result = run("score", "key.conll", "a=careful.conll", "-f", "json")
    assert json.loads(result.out)["systems"][0]["path"] == "a=careful.conll"
    assert "\nx  " in run("compare", "key.conll", "x=careful.conll", "y=hasty.conll").out
    assert "x – y" in run("agree", "x=careful.conll", "y=hasty.conll").out
    assert "| x | y |" in run("stats", "x=careful.conll", "y=hasty.conll", "-f", "markdown").out
    assert "x" in run("errors", "key.conll", "x=careful.conll").out.split("system: ")[1][:2]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "json"])
def test_hostile_names(here: Path, form: str) -> None:
    evil = b"a\xff\x1b[31m\r\n=b.conll".decode("utf-8", "surrogateescape")
    (here / evil).write_bytes((here / "careful.conll").read_bytes())
    result = run("score", "key.conll", evil, "hasty.conll", "-m", "muc,conll", "-f", form)
    assert result.status == 0
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", result.out)
    assert "\x1b" not in result.err
    plain = run("score", "key.conll", "careful.conll", "hasty.conll", "-m", "muc,conll", "-f", form)
    assert result.out.count("\n") == plain.out.count("\n")
    if form == "json":
        assert json.loads(result.out)["systems"][0]["path"] == evil


ESCAPE = "\x1b]0;x\x07"
"""Sets the title of a terminal; no colour, which click itself would take out."""

PRINTING = {
    "score": "KEY A B --by document",
    "check": "A --against KEY",
    "compare": "KEY A B",
    "agree": "A B",
    "errors": "KEY A --by document",
    "errors, several": "KEY A B",
    "errors --list": "KEY A B --list",
    "errors --links": "KEY A B --links",
    "errors --write-repaired": "KEY A --write-repaired OUT",
    "report": "KEY A -o OUT",
    "outcomes": "KEY A",
    "outcomes, two": "KEY A B",
    "explain": "KEY A --profile standard --profile coval",
    "stats": "KEY A",
    "power": "KEY A B",
    "degrade": "KEY -o OUT --drop 5%",
    "corpus, split": "split KEY -o OUT",
    "corpus, boundaries": "boundaries KEY --kind gm -o OUT",
    "convert": "KEY OUT",
    "convert --to": "KEY OUT --to e2e",
    "convert, missing": "OUT A --to e2e",
    "corpus, layers": "layers KEY --layer coref -o OUT",
    "corpus, skeleton": "skeleton mask KEY -o OUT",
    "corpus, heads": "heads KEY -o OUT",
    "corpus, text": "text KEY",
    "verify, two": "KEY A",
    "metrics": "OUT",
    "published": "OUT",
    "signature": "parse OUT",
    "task": "run OUT -o OUT",
    "task init": "init OUT",
}
"""Every command that prints names. KEY, A, B and OUT become file names with an escape."""


@pytest.mark.parametrize("form", [None, "markdown", "latex", "html"])
@pytest.mark.parametrize("case", PRINTING)
def test_no_command_prints_an_escape(here: Path, case: str, form: str | None) -> None:
    names = {n: f"{ESCAPE}{n}.conll" for n in ("KEY", "A", "B", "OUT")}
    for name, example in zip(("KEY", "A", "B"), NAMES, strict=True):
        text = (here / f"{example}.conll").read_text(encoding="utf-8")
        text = text.replace("#begin document (", f"#begin document ({ESCAPE}")
        (here / names[name]).write_text(text, encoding="utf-8")
    command = re.match(r"[a-z]+", case)
    assert command is not None
    arguments = [names.get(word, word) for word in PRINTING[case].split()]
    result = run(command[0], *arguments, *(("-f", form) if form else ()))
    assert result.out or result.err or "OUT" in PRINTING[case]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", result.out + result.err)


def test_messages_cannot_control_a_terminal(here: Path) -> None:
    evil = here / "x\x1b[2J.conll"
    evil.write_text("#begin document \x1b[31md\nx (1\n")
    for command in (("check", evil), ("score", evil, evil), ("stats", evil)):
        result = run(*command)
        assert "bracket-unclosed" in result.out + result.err
        assert "\x1b" not in result.out + result.err
    incident = Incident("x", "error", "\x1b[31m", file="a\nb", found="\x9b")
    assert str(incident).count("\n") == 1
    assert "\x1b" not in str(incident)


def test_a_terminal_sees_no_escapes_of_csv(here: Path) -> None:
    (here / "x\x1b[31m.conll").write_bytes((here / "careful.conll").read_bytes())
    command = ("score", str(here / "key.conll"), str(here / "x\x1b[31m.conll"), "-f", "csv")
    assert "\x1b" not in in_terminal(*command, TERM="xterm")
    assert "\x1b" in run(*command).out  # a program gets what the file is called


@pytest.mark.parametrize(
    "arguments",
    [
        ("corpus", "split", "FILE"),
        ("outcomes", "FILE", "FILE", "--list"),
        ("corpus", "boundaries", "FILE", "--kind", "gm"),
    ],
)
def test_colours_of_strangers_stay_off_a_terminal(here: Path, arguments: tuple[str, ...]) -> None:
    """Codes that corefkit itself may print are as foreign in an id as all others."""
    rows = "".join(f"n\x1b[31m 0 {i} w\x1b[31m NN * - - - - * (\x1b[1m1)\n" for i in range(2))
    file = here / "file.conll"
    file.write_text(f"#begin document (nw/n\x1b[31m/0); part 000\n{rows}\n#end document\n")
    command = [str(file) if a == "FILE" else a for a in arguments]
    assert "\x1b" not in in_terminal(*command, TERM="xterm")
    assert "\x1b" in run(*command).out


def test_colours_in_a_wrong_command_line(here: Path) -> None:
    (here / "x\x1b[31m.conll").write_text("#begin document d\nx (1\n")
    wrong = ("x\x1b[31m",), ("--x\x1b[31m",), ("formats", "x\x1b[31m"), ("check", "--x\x1b[31m")
    drawn = ("score", "key.conll", "careful.conll", "--plot", "\x1b[1m.x")
    for arguments in (*wrong, drawn, ("check", "x\x1b[31m.conll", "-f", "github")):
        result = run(*arguments)
        assert result.status != 0
        assert "\x1b" not in result.out + result.err
        assert "\\x1b" in result.out + result.err


def test_cells_for_spreadsheets(here: Path) -> None:
    command = ("score", "key.conll", "=1+1=careful.conll", "-m", "muc", "-f", "csv")
    (here / "=1+1=careful.conll").write_bytes((here / "careful.conll").read_bytes())
    plain = list(csv.DictReader(StringIO(run(*command).out)))
    assert plain[0]["system"] == "=1+1=careful"
    safe = list(csv.DictReader(StringIO(run(*command, "--csv-safe").out)))
    assert safe[0]["system"] == "'=1+1=careful"
    assert {k: v for k, v in safe[0].items() if k != "system"} == {
        k: v for k, v in plain[0].items() if k != "system"
    }


def test_closed_standard_output(here: Path) -> None:
    for extra, status in (("", 1), ("-o x.txt", 0)):
        command = f"{sys.executable} -m corefkit score key.conll careful.conll {extra} >&-"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert "Traceback" not in done.stderr
    call = "from corefkit.__main__ import scorer; scorer()"
    scorer = f"{sys.executable} -c '{call}' muc key.conll careful.conll >&-"
    assert subprocess.run(["sh", "-c", scorer], capture_output=True, check=False).returncode == 1


def test_errors_are_folded_like_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    print_incidents(Incident("x", "error", f"number {i}", file=f"f{i % 5}") for i in range(25))
    told = capsys.readouterr().err
    assert told.count("error:") == 10
    assert "… and 15 more of this kind" in told
    for number in range(12):
        (tmp_path / f"{number}.conll").write_text(f"#begin document {number}\nx (1\nx 2)\n")
    result = run("score", EXAMPLES / "key.conll", tmp_path)
    assert result.err.count("[bracket-unclosed]") == 10
    assert result.err.count("[bracket-unopened]") == 10
    assert result.err.count("… and 2 more of this kind") == 2


@pytest.mark.parametrize(
    "command",
    [
        "convert {} {out}",
        "corpus layers {} --layer coref -o {out}",
        "corpus skeleton mask {} -o {out}",
    ],
)
def test_an_empty_name_is_not_the_current_directory(here: Path, command: str) -> None:
    result = run(*(word.format("", out="out.conll") for word in command.split()))
    assert result.status == 1
    assert "the file cannot be read" in result.err
    assert not (here / "out.conll").exists()


@pytest.mark.parametrize(
    "command",
    [
        "report key.conll key.conll -o .",
        "score key.conll key.conll -o .",
        "adjudicate key.conll key.conll --page .",
    ],
)
def test_a_directory_is_refused_before_anything_is_done(command: str, here: Path) -> None:
    """The key is not even read: it is missing here."""
    (here / "key.conll").unlink()
    done = run(*command.split())
    assert done.status == 2
    assert ": . is a directory; name a file in it\n" in done.err


def test_what_cannot_be_written_is_named(here: Path) -> None:
    told = "nowhere/x.conll: error: cannot be written: No such file or directory\n"
    assert run("convert", "key.conll", "nowhere/x.conll").err == told
    assert run("corpus", "skeleton", "mask", "key.conll", "-o", "nowhere/x.conll").err == told


def test_a_name_that_is_not_utf8_keeps_its_bytes(here: Path) -> None:
    name = os.fsdecode(b"a\xff.conll")
    (here / name).write_bytes((here / "careful.conll").read_bytes())
    command = ("score", "key.conll", name, "-m", "muc", "-f", "csv")
    run(*command, "-o", "out.csv")
    call = [sys.executable, "-m", "corefkit", *command]
    done = subprocess.run(call, capture_output=True, check=True)
    assert done.stdout == (here / "out.csv").read_bytes()
    assert b"a\xff,all,muc" in done.stdout


def test_an_incident_that_is_a_sum_is_not_counted_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.conll").write_bytes((EXAMPLES / "careful.conll").read_bytes())
    result = run("score", EXAMPLES / "key.conll", tmp_path)
    assert (
        "8 documents, this one among them, occur in more than one of the 2 files of this corpus"
        in result.err
    )
    assert result.err.count("error:") == 1
    assert "more of this kind" not in result.err


def test_help_on_two_screens() -> None:
    text = run("score", "--help").out
    assert text.count("\n") <= 35
    assert run("--help").out.count("\n") <= 27
    whole = run("score", "--help-all").out
    context = click.Context(corefkit)
    command = corefkit.get_command(context, "score")
    assert command is not None
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert f"{option.opts[-1]} " in whole


def test_commands_in_groups() -> None:
    text = run("--help").out
    places = [text.index(f"  {title}  ") for title in COMMANDS]
    assert places == sorted(places)
    for commands in COMMANDS.values():
        assert all(f" {name}" in text for name in commands)


def test_did_you_mean() -> None:
    assert "Did you mean score?" in run("scroe").err
    assert "--metrics" in run("score", "a", "b", "--metrcs", "muc").err
    assert "Did you mean ceafe?" in run("score", "a", "b", "-m", "ceaffe").err
    assert "Did you mean '--metrics'?" in run("score", "a", "b", "--metric", "muc").err
    assert "Did you mean" not in run("errors", "a", "b", "--window", "20").err
    assert "Did you mean" not in run("explain", "a", "b", "--singletons", "keep").err
    assert "Did you mean genre?" in run("score", "a", "b", "--by", "gener").err
    assert "Did you mean bcub?" in run("metrics", "bcubb").err


def complete(*words: str) -> list[str]:
    from click.shell_completion import BashComplete

    completion = BashComplete(corefkit, {}, "corefkit", "_COREFKIT_COMPLETE")
    found = completion.get_completions(list(words[:-1]), words[-1])
    return [f"{item.type}:{item.value}" for item in found]


def test_completion() -> None:
    assert "plain:score" in complete("sc")
    assert complete("score", "ke") == ["file:ke"]
    assert complete("score", "key", "-o", "x") == ["file:x"]
    assert complete("score", "key", "r", "-m", "muc,bl") == ["plain:muc,blanc"]
    assert complete("score", "key", "r", "--by", "gen") == ["plain:genre"]
    assert "plain:coval" in complete("score", "key", "r", "--profile", "c")


def test_groups_by_a_pattern() -> None:
    key, response = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    genre = json.loads(run("score", key, response, "--by", "genre", "-f", "json").out)
    pattern = json.loads(run("score", key, response, "--by", r"re:^\(([a-z]+)/", "-f", "json").out)
    both = genre, pattern
    parts = [[[*p["part"].values(), p["scores"]] for p in x["systems"][0]["parts"]] for x in both]
    assert parts[0] == parts[1]
    other = json.loads(run("score", key, response, "--by", "re:(wb)", "-f", "json").out)
    assert [p["part"] for p in other["systems"][0]["parts"]] == [
        {"re:(wb)": "wb"},
        {"re:(wb)": "others"},
    ]
    for form in ("text", "csv", "json"):
        shown = run("score", key, response, "--by", "re:(wb)", "-f", form).out
        assert "others" in shown
        assert "(none)" not in shown
    for wrong in ("re:x", "re:(a)(b)", "re:("):
        assert run("score", key, response, "--by", wrong).status == 2


def test_break_downs_say_how_many_mentions() -> None:
    lines = run(
        "score", EXAMPLES / "key.conll", EXAMPLES / "careful.conll", "-m", "lea", "--by", "genre"
    )
    rows = [line.split() for line in lines.out.split("\n\n")[2].splitlines()]
    assert rows[0] == ["F1", "in", "key", "LEA"]
    assert int(rows[1][1]) == 265 == sum(int(row[1]) for row in rows[2:])


def test_a_named_system_with_warnings_as_json(here: Path) -> None:
    """A copy of its path is made on the way, and keeps the name."""
    text = (here / "careful.conll").read_text(encoding="utf-8")
    (here / "short.conll").write_text(text[: text.index("#end document") + 14], encoding="utf-8")
    done = run("score", "key.conll", "mine=short.conll", "-f", "json")
    assert done.status == 0, done.err
    assert '"mine"' in done.out
    assert "document-missing" in done.out


@pytest.mark.parametrize(
    "command", ["score - -", "score key a=- b=-", "check - --against -", "corpus text - --read -"]
)
def test_standard_input_is_read_once(command: str) -> None:
    refused = run(*command.split(), stdin="")
    assert refused.status == 2
    assert "standard input (-) can be read only once" in refused.err


def test_a_file_that_cannot_be_written_is_called_by_its_name(here: Path) -> None:
    for command in ("convert key.conll none/x.conll", "corpus text fx.conllu -o none/x.txt"):
        (here / "fx.conllu").write_bytes((EXAMPLES / "drawer.conllu").read_bytes())
        refused = run(*command.split())
        assert refused.status == 1
        name = command.split()[-1]
        assert refused.err == f"{name}: error: cannot be written: No such file or directory\n"


@pytest.mark.parametrize("command", [*CALLS, "convert", "corpus heads", "corpus text"])
@pytest.mark.parametrize("name", ["t.xlsx", "t.xlsx.gz", "T.XLSX"])
def test_an_ending_that_no_format_has_is_refused(here: Path, command: str, name: str) -> None:
    (here / "fx.conllu").write_bytes((EXAMPLES / "drawer.conllu").read_bytes())
    before = sorted(here.iterdir())
    arguments = CALLS.get(command, "fx.conllu").split()
    refused = run(*command.split(), *arguments, *(["-o"] if command != "convert" else []), name)
    assert refused.status == 2
    assert f"{name}: " in refused.err
    assert sorted(here.iterdir()) == before


def test_other_endings_that_are_refused(here: Path) -> None:
    both = ("careful.conll", "hasty.conll")
    assert run("agree", *both, "--disagreements", "t.xlsx").status == 2
    assert run("score", *both, "--engine", "duckdb", "--counts", "t.xlsx").status == 2
    assert run("task", "bundle", "task.toml", "-o", "t.xlsx").status == 2
    assert not (here / "t.xlsx").exists()


def test_a_format_that_is_named_goes_into_any_file(here: Path) -> None:
    assert run("score", "key.conll", "careful.conll", "-f", "csv", "-o", "t.xlsx").status == 0
    assert (here / "t.xlsx").read_text().startswith("system,")
    for name in ("scores", "scores.txt", "scores.log", ".scores"):
        assert run("score", "key.conll", "careful.conll", "-o", name).status == 0
        assert (here / name).read_text().startswith("key: key.conll")


@pytest.mark.parametrize("command", ["score", "errors"])
def test_genres_that_no_document_has(command: str, tmp_path: Path) -> None:
    """A note says so, once, and no output has a group of documents without a group."""
    file = tmp_path / "a.conll"
    file.write_text("#begin document d\nd 0 0 a (1)\nd 0 1 b (1)\n\n#end document\n")
    plain = run(command, file, file, f"other={file}", "-m", "muc")
    done = run(command, file, file, f"other={file}", "-m", "muc", "--by", "genre")
    assert done.status == 0
    assert done.err.count("note: no document has a genre") == 1
    assert "a genre" not in plain.err
    assert "others" not in done.out
    for form in ("json", "tsv"):
        for arguments in (
            (command, file, file, "-m", "muc", "--by", "genre"),
            ("stats", file),
            ("score", file, f"a@1={file}", f"a@2={file}", "-m", "muc", "--by", "genre"),
            ("score", file, file, "-m", "muc", "--window", "1", "--by", "genre"),
        ):
            assert "others" not in run(*arguments, "-f", form).out, (form, arguments)
    assert "others" not in run("stats", file).out
    assert "others" not in run("agree", file, file, "-f", "json").out
    known = run(command, EXAMPLES / "key.conll", EXAMPLES / "careful.conll", "--by", "genre")
    assert "a genre" not in known.err


def test_a_folder_that_may_not_be_read_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    real = os.scandir

    def scan(path: str = ".") -> Any:
        if Path(path) == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scan)
    done = run("score", KEY, folder, CAREFUL, "-m", "conll")
    told = f"{folder}: error: the file cannot be read: Permission denied [file-unreadable]"
    assert (done.status, told in done.err) == (1, True)
    assert "system: careful" in done.out
    assert told in run("check", folder, CAREFUL).out
    assert told in run("compare", KEY, folder, CAREFUL, HASTY, "-m", "conll").err
