"""The command line as a whole: what is not a command, and where it is found."""

import re

import pytest

from corefkit.cli.app import COMMANDS, ELSEWHERE
from corefkit.cli.commands import OPTIONS_ELSEWHERE
from tests.support import run


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
    assert option in run("compare", "--help").out


def test_every_such_hint_names_a_command_that_exists() -> None:
    commands = [command for section in COMMANDS.values() for command in section]
    for hint in ELSEWHERE.values():
        assert any(re.search(rf"\b{command}\b", hint) for command in commands)
