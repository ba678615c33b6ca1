"""What the changelog says about scores, between any two versions."""

import tomllib
from pathlib import Path

import pytest

import corefkit
from corefkit.receipts.verification import CHANGELOG, changes_between

TEXT = """
# Changelog

## [Unreleased]

### Scores change

- lea: it
  has two lines.
- blanc

### Added

- nothing

## [0.10.0] - 2027-01-01

### Scores change

- bcub

## [0.9.0] - 2026-12-01

### Added

- no score changed

## [0.2.0] - 2026-11-30

### Scores change

- muc
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("0.1.0", "0.1.0", []),
        ("0.1.0", "0.2.0", ["muc"]),
        ("0.2.0", "0.9.0", []),
        ("0.2.0", "0.10.0", ["bcub"]),
        ("0.1.0", "0.10.0", ["bcub", "muc"]),
        ("0.10.0", "0.1.0", ["bcub", "muc"]),
        ("0.10.0.dev3+g123", "0.10.0", ["bcub"]),
        ("0.10.0", "0.11.0.dev1+g1", ["lea: it has two lines.", "blanc"]),
        ("0.11.0.dev1", "0.11.0.dev7", ["lea: it has two lines.", "blanc"]),
        ("", "0.2.0", ["muc"]),
    ],
)
def test_between_two_versions(old: str, new: str, expected: list[str]) -> None:
    changes = changes_between(old, new, TEXT)
    assert [entry for one in changes for entry in one.entries] == expected


def test_our_own_changelog() -> None:
    (newest, *_) = changes_between("0.0.1", corefkit.__version__)
    assert any(entry.startswith("`e2e`: repeated mentions") for entry in newest.entries)
    assert all("\n" not in entry and not entry.startswith("-") for entry in newest.entries)


def test_the_package_has_it() -> None:
    root = Path(corefkit.__file__).parents[2]
    if not (root / "pyproject.toml").is_file():
        pytest.skip("not a checkout")
    project = tomllib.loads((root / "pyproject.toml").read_text())
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {CHANGELOG: f"corefkit/{CHANGELOG}"}
