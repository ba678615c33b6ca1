"""Long work shows that it moves: a bar on a terminal, and nothing elsewhere."""

import os
import pty
import subprocess
import sys

import pytest

SLOW = """
import sys, time
import click
from corefkit.cli import output
from corefkit.cli.commands import CheckedCommand
from corefkit.core.progress import told
output.SOON = 0.1
output.protect()
@click.command("slow", cls=CheckedCommand)
def slow():
    for _ in told(range(3), "steps"):
        time.sleep(0.4)
    click.echo("done", err=True)
slow()
"""


def on_terminal(code: str, *words: str) -> str:
    """What a terminal receives on standard error."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=theirs, check=False)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 10_000)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert done.returncode == 0, shown
    return shown.decode()


@pytest.mark.parametrize(("quiet", "drawn"), [((), True), (("--quiet",), False)])
def test_a_bar_is_drawn_and_removed(quiet: tuple[str, ...], drawn: bool) -> None:
    shown = on_terminal(SLOW, *quiet)
    assert ("of 3 steps" in shown) == drawn
    before, _, after = shown.rpartition("done")
    assert after.strip() in ("", "\r\x1b[2K".strip())
    assert not drawn or "\x1b[2K" in before.rpartition("steps")[2]


def test_nothing_is_drawn_into_a_file() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, check=False)
    assert done.stderr == b"done\n"
