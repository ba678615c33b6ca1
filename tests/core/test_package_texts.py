"""The texts that come with the package, wherever it is imported from."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import corefkit
from corefkit.core.incidents import _tables
from corefkit.core.package import text_of_package, texts_of_package

PACKAGE = Path(corefkit.__file__).parent


def test_every_table_of_incidents_is_found_whole() -> None:
    """A line of a text that begins with a bracket would end a table."""
    for name, text in texts_of_package("incidents.toml").items():
        whole = tomllib.loads(text)
        assert (PACKAGE / name).read_text(encoding="utf-8") == text
        for kind, table in whole.items():
            parsed = tomllib.loads("".join(_tables()[kind]))[kind]
            assert parsed | table == parsed


def test_what_is_not_there_is_empty() -> None:
    assert text_of_package("core/nothing.txt") == ""


@pytest.mark.parametrize("folder", ["", "lib/"])
def test_in_an_archive(tmp_path: Path, folder: str) -> None:
    """As in a wheel on sys.path, at its root or in a folder of it."""
    archive = tmp_path / "packed.zip"
    with ZipFile(archive, "w") as packed:
        for file in PACKAGE.rglob("*"):
            if file.is_file() and file.suffix != ".pyc":
                packed.write(file, f"{folder}corefkit/{file.relative_to(PACKAGE).as_posix()}")
    code = (
        "import corefkit.core.incidents as i, corefkit.core.entry_points as e; "
        "print(i.__file__, len(i.all_kinds()), len(e.ours('results')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(archive / folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    where, kinds, results = done.stdout.split()
    assert where.startswith(str(archive))
    assert int(kinds) > 200 and int(results) > 10
