"""Damaged archives are refused with a message."""

import zipfile
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError


def test_a_damaged_name(tmp_path: Path) -> None:
    """In the directory of the archive it is another one than at the file."""
    path, name = tmp_path / "export.zip", b"annotation/tale.txt/anna.tsv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name.decode(), "#FORMAT=WebAnno TSV 3.3\n")
    start, end = path.read_bytes().rsplit(name, 1)
    path.write_bytes(start + name.replace(b"tale", b"tals") + end)
    with pytest.raises(DataError, match="differ"):
        corefkit.read(path, format="project")
