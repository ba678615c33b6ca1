"""The line about skipped tests, as a run of pytest prints it."""

import re
import subprocess
import sys

import pytest

from tests.skips import skip_summary
from tests.support import ROOT


def pytest_run(*arguments: str, shared: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    environment = {"COREFKIT_SHARED": shared, "PATH": ""}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    return done.stdout


def test_what_is_not_there_is_said_once() -> None:
    """Without the shared corpora, in the processes of xdist as well."""
    out = pytest_run("tests/conformance/test_standard.py", "-n", "1", shared="nowhere")
    (line,) = re.findall(r"^skipped .*", out, re.MULTILINE)
    told = re.fullmatch(r"skipped (\d+) tests: \1 no \.\./shared/conformance", line)
    assert told
    assert f"{told[1]} skipped" in out


def test_nothing_is_said_where_nothing_is_skipped() -> None:
    assert skip_summary([]) == ""


@pytest.mark.long
def test_duckdb_reports_no_leaks() -> None:
    """pytest_run looks at standard error: DuckDB 2 reports there what outlives the interpreter."""
    tests = "tests/plugins/engines/test_duckdb.py"
    out = pytest_run(tests, "-k", "test_policies", shared="nowhere")
    assert "1 passed" in out
    assert "skipped" not in out
