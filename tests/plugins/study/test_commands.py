"""corefkit study: a group whose commands plug-ins add."""

import pytest

from tests.support import run


def test_the_group_lists_its_commands() -> None:
    shown = run("study", "--help").out
    assert [line.split()[0] for line in shown.splitlines()[-3:]] == ["curve", "power", "degrade"]


@pytest.mark.parametrize("name", ["curve", "power", "degrade"])
def test_at_the_top_the_way_is_told(name: str) -> None:
    done = run(name)
    assert done.status == 2
    assert f"No such command '{name}'; see corefkit study {name}" in done.err


def test_the_former_name_of_size_is_told() -> None:
    done = run("study", "power", "key.conll", "a.conll", "b.conll", "--documents", "40")
    assert done.status == 2
    assert "No such option '--documents'; it is --size" in done.err
