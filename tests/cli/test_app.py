"""The command line as a whole: what is not a command, and where it is found."""

import re

import pytest

from corefkit.cli.app import COMMANDS, ELSEWHERE
from corefkit.cli.commands import OPTIONS_ELSEWHERE
from tests.support import EXAMPLES, run


@pytest.mark.parametrize(("tried", "there"), [("plot", "--plot"), ("significance", "compare")])
def test_what_is_not_a_command_is_found_elsewhere(tried: str, there: str) -> None:
    result = run(tried)
    assert result.status == 2
    assert f"No such command '{tried}'" in result.err
    assert there in result.err


@pytest.mark.parametrize(("command", "option"), list(OPTIONS_ELSEWHERE))
def test_what_is_an_option_of_another_command(command: str, option: str) -> None:
    result = run(command, "key.conll", "a.conll", option, "1")
    assert result.status == 2
    assert f"No such option '{option}'; see corefkit compare" in result.err
    assert option in run("compare", "--help-all").out


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
    for hint in ELSEWHERE.values():
        assert any(re.search(rf"\b{command}\b", hint) for command in commands)
