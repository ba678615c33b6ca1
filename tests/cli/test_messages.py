"""Messages on a terminal: the severity in colour, and nothing else that steers it."""

import io
import sys

import pytest

from corefkit.cli.output import print_incidents, print_message
from corefkit.core.incidents import Incident

pytestmark = pytest.mark.usefixtures("own_options")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error of this test; a fixture would come before pytest's own capture."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return stream


def test_severities_are_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    print_incidents(
        [Incident("x", "error", "no end", "a.conll", 3), Incident("y", "warning", "an error: b")]
    )
    print_message("note: see")
    assert terminal.getvalue() == (
        "a.conll:3: \x1b[1m\x1b[31merror\x1b[0m: no end [x]\n"
        "\x1b[1m\x1b[33mwarning\x1b[0m: an error: b [y]\n"
        "\x1b[1m\x1b[35mnote\x1b[0m: see\n"
    )


def test_colours_of_strangers_stay_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    print_incidents([Incident("x", "error", "an \x1b[31mid", "b\x1b.conll", 3)])
    assert terminal.getvalue() == (
        "b\\x1b.conll:3: \x1b[1m\x1b[31merror\x1b[0m: an \\x1b[31mid [x]\n"
    )


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colour_where_it_is_not_wanted(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    terminal = terminal_of(monkeypatch)
    monkeypatch.setenv(name, value)
    print_message("error: x")
    assert terminal.getvalue() == "error: x\n"
