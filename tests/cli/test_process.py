"""Whole processes: start-up, terminals, pipes, and that no traceback reaches a user."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import EXAMPLES

KEY, CAREFUL, HASTY = (str(EXAMPLES / f"{n}.conll") for n in ("key", "careful", "hasty"))


def corefkit(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corefkit", *arguments],
        capture_output=True,
        text=True,
        env={k: v for k, v in os.environ.items() if k != "COREFKIT_DEBUG"} | environment,
        check=False,
    )


def in_terminal(*arguments: str, stream: str = "stdout", **environment: str) -> str:
    """What the command shows where standard output, or standard error, is a terminal."""
    ours, theirs = pty.openpty()
    out, err = (theirs if stream == name else subprocess.DEVNULL for name in ("stdout", "stderr"))
    command = [sys.executable, "-m", "corefkit", *arguments]
    base = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen(command, stdout=out, stderr=err, env=base | environment):
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return shown.decode()


def test_bold_only_where_it_is_wanted() -> None:
    command = ("score", KEY, CAREFUL, HASTY)
    assert "\x1b[1m88.98\x1b[0m" in in_terminal(*command, TERM="xterm")
    assert "\x1b" not in in_terminal(*command, TERM="xterm", NO_COLOR="1")
    assert "\x1b" not in in_terminal(*command, TERM="dumb")
    assert "\x1b" not in corefkit(*command).stdout


@pytest.mark.parametrize(("command", "stream"), [("score", "stderr"), ("check", "stdout")])
def test_messages_are_wrapped_on_a_terminal_only(command: str, stream: str, tmp_path: Path) -> None:
    """A long path stands on a line of its own; programs read one line per incident."""
    folder = tmp_path / ("a-folder-with-a-long-name-" * 4)
    folder.mkdir()
    broken = folder / "broken.conll"
    broken.write_text("#begin document d\nd 0 0 Ada (1\nd 0 1 x -\n#end document\n")
    files = (str(broken),) if command == "check" else (KEY, str(broken))
    lines = in_terminal(command, *files, stream=stream, COLUMNS="200", TERM="dumb").split("\r\n")
    place = next(number for number, line in enumerate(lines) if str(broken) in line)
    assert lines[place] == f"{broken}:2:11: error:"
    assert lines[place + 1] == "  entity 1 is opened here but never closed [bracket-unclosed]"
    assert max(len(line) for line in lines if str(folder) not in line) <= 100
    plain = corefkit(command, *files)
    text = plain.stdout if stream == "stdout" else plain.stderr
    assert f"{broken}:2:11: error: entity 1 is opened here but never closed" in text
    narrow = in_terminal(command, *files, stream=stream, COLUMNS="40", TERM="dumb").split("\r\n")
    assert max(len(line) for line in narrow if str(folder) not in line) <= 40


@pytest.mark.parametrize(
    "module", ["corefkit", "corefkit.cli.app", "corefkit.cli.score", "corefkit.cli.outcomes"]
)
def test_imports_are_light(module: str) -> None:
    code = f"import sys, {module}; print(*(m for m in ('numpy', 'scipy') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_strata_load_no_figures() -> None:
    """Nor errors, masked arrays and random numbers, which they do without."""
    command = [sys.executable, "-X", "importtime", "-m", "corefkit", "score", KEY, HASTY]
    done = subprocess.run(
        [*command, "--by", "entity:size"], capture_output=True, text=True, check=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    spared = {"corefkit.render.plots", "corefkit.scoring.errors", "numpy.ma", "numpy.random"}
    assert "corefkit.scoring.strata" in loaded
    assert not spared & loaded


@pytest.mark.parametrize("by", ["entity:size", "link:tokens", "class"])
def test_numpy_loads_while_files_do(by: str) -> None:
    """Options are parsed without it, so that a command begins to load its files before."""
    code = (
        "import sys; from corefkit.cli.score import command; "
        f"command.make_context('score', {[KEY, HASTY, '--by', by]!r}); "
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("by", "why"), [("entity:siz", "did you mean entity:size?"), ("link:x", "no such distance")]
)
def test_labels_that_do_not_exist(command: str, by: str, why: str) -> None:
    done = corefkit(command, KEY, HASTY, CAREFUL, "--by", by)
    assert done.returncode == 2
    assert f"Error: by: '{by}': " in done.stderr
    assert why in done.stderr


@pytest.mark.parametrize(
    "scoring",
    [
        f"import corefkit; corefkit.score({KEY!r}, {CAREFUL!r})",
        "from corefkit.cli.app import corefkit; "
        f"corefkit(['score', {KEY!r}, {CAREFUL!r}], standalone_mode=False)",
    ],
    ids=["python", "command"],
)
def test_scoring_the_examples_needs_no_scipy(scoring: str) -> None:
    needless = (
        "scipy",
        "corefkit.features",
        "matplotlib",
        "importlib.metadata",
        "asyncio",
        "zipfile",
        "xml",
        "tomllib",
        "corefkit.scorers.windows",
    )
    code = (
        f"import atexit, sys\nneedless = {needless}\n"
        "atexit.register(lambda: print('loaded', *(m for m in needless if m in sys.modules)))\n"
        f"{scoring}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded"


def test_names_of_the_package() -> None:
    code = "import corefkit; [getattr(corefkit, n) for n in dir(corefkit)]; corefkit.nothing"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip().endswith("module 'corefkit' has no attribute 'nothing'")


def test_an_internal_error_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import corefkit.scoring.run as s\ndef fail(*a): raise RuntimeError('boom')\n"
        "s.score_systems = fail\n"
    )
    done = corefkit("score", KEY, CAREFUL, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert "internal error" in done.stderr
    assert "Traceback" not in done.stderr
    assert (
        "Traceback"
        in corefkit("score", KEY, CAREFUL, PYTHONPATH=str(tmp_path), COREFKIT_DEBUG="1").stderr
    )


def test_figures_without_matplotlib_are_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text("raise ImportError('not installed')\n")
    command = ["score", KEY, CAREFUL, "-m", "immediate", "--plot", str(tmp_path / "x.png")]
    done = corefkit(*command, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "pip install 'corefkit[plots]'" in done.stderr
    assert "internal error" not in done.stderr


def test_a_reader_that_has_seen_enough_is_no_failure() -> None:
    """Even where a command prints line by line, and the pipe breaks in between."""
    shown = [sys.executable, "-m", "corefkit", "metrics"]
    with subprocess.Popen(shown, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m corefkit score {KEY} {CAREFUL} -f tsv --by document | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("system\t")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["score", "agree", "check", "outcomes"])
def test_a_reader_who_has_gone_is_no_file_that_cannot_be_written(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "corefkit", command, KEY, CAREFUL],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert "error" not in done.stderr


def test_output_that_the_terminal_cannot_show() -> None:
    done = corefkit("metrics", "ceafe", PYTHONIOENCODING="ascii")
    assert done.returncode == 0


@pytest.mark.parametrize("moment", ["corefkit.cli.app", "click", "numpy", "corefkit.scoring.run"])
@pytest.mark.parametrize("entry", ["main", "scorer"])
def test_an_interruption_ends_with_130_and_no_traceback(moment: str, entry: str) -> None:
    """Also while modules are imported: the signal comes when one of them is looked for."""
    key = str(EXAMPLES / "key.conll")
    arguments = ["score", key, key] if entry == "main" else ["all", key, key]
    program = f"""
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {moment!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
from corefkit.__main__ import {entry}
sys.argv = ["corefkit", *{arguments!r}]
{entry}()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")
