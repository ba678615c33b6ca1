"""One run of the example task for all tests that only look at it."""

from pathlib import Path

import pytest

from tests.plugins.task.support import TASK
from tests.support import Run, run


@pytest.fixture(scope="session")
def example_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path]:
    """What the command did, and where it wrote."""
    folder = tmp_path_factory.mktemp("task") / "out"
    return run("task", "run", TASK, "-o", folder), folder


@pytest.fixture(scope="session")
def out(example_run: tuple[Run, Path]) -> Path:
    """Where the run wrote."""
    return example_run[1]


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same from one process, without pictures."""
    folder = tmp_path_factory.mktemp("plain") / "out"
    assert run("task", "run", TASK, "-o", folder, "--jobs", "1", "--no-plots").status == 1
    return folder
