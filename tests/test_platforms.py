"""What only some systems have (fcntl, fork, groups of processes, signals) is optional.

A process imitates one without: `make test` runs here, and the workflow also on macOS and Windows.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

ELSEWHERE = """
import multiprocessing, os, signal, sys, sysconfig
sysconfig.get_config_vars()
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "mkfifo", "setsid", "waitid"):
    vars(os).pop(name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2"):
    vars(signal).pop(name)
os.chmod = lambda *_, **__: None  # files have no modes
sys.platform = "elsewhere"
from corefkit.__main__ import main
if __name__ == "__main__":
    main()
"""


@pytest.fixture(name="program")
def write_program(tmp_path: Path) -> Path:
    """The command line as a file: processes of a pool import it anew."""
    program = tmp_path / "elsewhere.py"
    program.write_text(ELSEWHERE, encoding="utf-8")
    return program


@pytest.mark.parametrize(
    "command",
    [
        "score examples/key.conll examples/careful.conll -f json -o OUT/scores.json",
        "check examples/careful.conll",
        "convert examples/key.conll OUT/key.jsonl",
        "agree examples/key.conll examples/careful.conll examples/hasty.conll",
        "adjudicate examples/key.conll examples/careful.conll --page OUT/page.html",
        "report examples/key.conll examples/careful.conll -o OUT/report.html",
        "task run examples/task/task.toml -o OUT --jobs 2 --no-plots --allow-broken",
        pytest.param(
            "audit --command 'corefkit-scorer all {key} {response} none' --random 0 --once",
            marks=pytest.mark.long,
        ),
    ],
)
def test_commands_elsewhere(command: str, program: Path, tmp_path: Path) -> None:
    call(program, *shlex.split(command.replace("OUT", str(tmp_path))))


def test_an_engine_elsewhere(program: Path, tmp_path: Path) -> None:
    """Its spill folder has no lock there."""
    table = tmp_path / "key.csv"
    table.write_text("start,end,entity\n0,1,a\n4,4,a\n")
    told = call(program, "score", table, table, "--engine", f"duckdb:spill={tmp_path / 'spill'}")
    assert "[same-file]" in told
    assert list((tmp_path / "spill").iterdir()) == []


def call(program: Path, *words: str | Path) -> str:
    """What a command that succeeds says on standard error."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, program, *words],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr
