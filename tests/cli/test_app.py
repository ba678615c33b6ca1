"""The command line as a whole: what is not a command, and where it is found."""

import re

import pytest

from corefkit.cli.app import COMMANDS, ELSEWHERE, corefkit
from corefkit.cli.commands import OPTIONS_ELSEWHERE
from tests.support import EXAMPLES, run


@pytest.mark.parametrize(
    ("tried", "there"), [("plot", "--plot"), ("significance", "compare"), ("cite", "--cite")]
)
def test_what_is_not_a_command_is_found_elsewhere(tried: str, there: str) -> None:
    result = run(tried)
    assert result.status == 2
    assert f"No such command '{tried}'" in result.err
    assert there in result.err


@pytest.mark.parametrize(("command", "option"), list(OPTIONS_ELSEWHERE))
def test_what_is_an_option_of_another_command(command: str, option: str) -> None:
    result = run(command, "key.conll", "a.conll", option, "1")
    assert result.status == 2
    assert f"No such option '{option}'; " in result.err
    assert "corefkit compare" in result.err
    own = {"--bootstrap", "--ci"}
    assert option in own or option in run("compare", "--help-all").out


@pytest.mark.parametrize("form", ["json", "tsv", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_formats_are_values_of_an_option(command: str, form: str) -> None:
    key, careful = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    result = run(command, key, careful, f"--{form}")
    assert result.status == 2
    assert f"No such option '--{form}'; write -f {form}\n" in result.err
    assert run(command, key, careful, "-f", form).status == 0


def test_the_message_suggests_a_format_only_where_there_is_one() -> None:
    assert "-f " not in run("convert", "key.conll", "--latex").err
    assert "-f " not in run("check", "key.conll", "--latex").err


def test_files_in_the_place_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    both = run("key.conll", "careful.conll", "-m", "muc")
    assert both.status == 2
    assert "Did you mean `corefkit score key.conll careful.conll -m muc`?" in both.err
    assert "Did you mean `corefkit check key.conll`?" in run("key.conll").err
    assert "Did you mean" not in run("nowhere.conll", "careful.conll").err
    assert "Did you mean `" not in run("corpus", "key.conll").err


def test_the_help_is_shown_where_a_pager_reads_it() -> None:
    """`corefkit | less`, and so with every group of commands."""
    for words in ([], ["corpus"], ["task"], ["study"]):
        done = run(*words)
        assert (done.status, done.err) == (0, "") and done.out.startswith("Usage: corefkit")
        assert done.out == run(*words, "--help").out


@pytest.mark.parametrize("command", [name for names in COMMANDS.values() for name in names])
def test_help_fits_on_a_screen(command: str) -> None:
    """25 lines for all commands, 35 for `score`; no option of reading without --help-all."""
    assert len(run("--help").out.splitlines()) <= 25
    lines = run(command, "--help").out.splitlines()
    assert len(lines) <= (35 if command == "score" else 46)
    assert "--read " not in "\n".join(lines)


def test_hints_name_no_option_that_another_one_excludes() -> None:
    key, hasty = EXAMPLES / "key.conll", EXAMPLES / "hasty.conll"
    assert "Add the document\n" in run("score", key, hasty, "--strict").err
    assert "; --lax counts it" in run("score", key, hasty, "--profile", "ua").err


def test_every_such_hint_names_a_command_that_exists() -> None:
    commands = [command for section in COMMANDS.values() for command in section]
    names = [*commands, *(option for one in corefkit.params for option in one.opts)]
    for hint in ELSEWHERE.values():
        assert any(re.search(rf"(?<!\w){name}\b", hint) for name in names)
