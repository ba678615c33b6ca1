"""The command line as a whole: what is not a command, and where it is found."""

import re

import pytest

from corefkit.cli.app import COMMANDS, ELSEWHERE
from tests.support import run


@pytest.mark.parametrize(("tried", "there"), [("plot", "--plot"), ("significance", "compare")])
def test_what_is_not_a_command_is_found_elsewhere(tried: str, there: str) -> None:
    result = run(tried)
    assert result.status == 2
    assert f"No such command '{tried}'" in result.err
    assert there in result.err


def test_every_such_hint_names_a_command_that_exists() -> None:
    commands = [command for section in COMMANDS.values() for command in section]
    for hint in ELSEWHERE.values():
        assert any(re.search(rf"\b{command}\b", hint) for command in commands)
