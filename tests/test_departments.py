"""Departments can be deleted: the core neither needs nor misses them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE, EXAMPLES = ROOT / "src/corefkit", ROOT / "examples"
POINTS = "plugins/entry_points.txt"


def without(name: str, folder: Path) -> None:
    """Copy the package without its plug-ins, or without one of them and its entry points."""
    copy = folder / "corefkit"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if name == "plugins":
        shutil.rmtree(copy / name)
        return
    shutil.rmtree(copy / "plugins" / name)
    lines = (copy / POINTS).read_text(encoding="utf-8").splitlines(keepends=True)
    others = [line for line in lines if f"corefkit.plugins.{name}" not in line]
    assert len(others) < len(lines)
    (copy / POINTS).write_text("".join(others), encoding="utf-8")


@pytest.mark.parametrize("name", ["plugins", "clustering", "study"])
def test_the_core_does_without(name: str, tmp_path: Path) -> None:
    """Scores, the list of metrics and the help, in processes of their own."""
    without(name, tmp_path)
    score = ["score", str(EXAMPLES / "key.conll"), str(EXAMPLES / "careful.conll")]
    for arguments, expected in (
        (score, "88.98"),
        (["metrics"], "muc"),
        (["--help"], "score"),
        (["help", "plugins"], "results"),
        (["score", "--key-is-sample"], "No such option"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "corefkit", *arguments],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert expected in done.stdout + done.stderr, (arguments, done.stderr)
        assert "Traceback" not in done.stderr
        assert done.returncode == (2 if expected == "No such option" else 0), arguments
