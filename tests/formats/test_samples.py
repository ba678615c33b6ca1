"""The sample at the beginning of each format's module is a file of that format."""

from pathlib import Path

import pytest

from corefkit.core.incidents import errors
from corefkit.core.options import PLAIN
from corefkit.formats.kit.detection import detect
from corefkit.formats.registry import get_format
from corefkit.formats.table import MODULES
from tests.formats.samples import put, sample, samples_in

BINARY = ("parquet", "spacy")


@pytest.mark.parametrize("module", sorted({*MODULES.values()} - {*BINARY}))
def test_the_module_of_a_format_begins_with_a_sample(module: str) -> None:
    """One for each of its formats; a format in an archive is in the sample of the archive."""
    found, formats = samples_in(module), [name for name in MODULES if MODULES[name] == module]
    assert {*found} == {""} if len(formats) == 1 else {*found} >= {*formats} - {"xmi"}


@pytest.mark.parametrize("name", [name for name in MODULES if name not in BINARY])
def test_a_sample_is_recognised_and_read(name: str, tmp_path: Path) -> None:
    assert detect(sample(name)) == name
    path = put(name, tmp_path)
    corpus = get_format(name).parse(path.read_bytes(), str(path), PLAIN)
    assert not errors(corpus.incidents)
    assert corpus.mentions
    suffixes = tuple(get_format(name).suffixes)
    assert not suffixes or path.name.lower().endswith(tuple(map(str.lower, suffixes)))
