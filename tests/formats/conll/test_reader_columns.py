"""Token columns on demand."""

from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.columns import NAMES
from corefkit.core.tokens import read_columns
from corefkit.formats.conll.lines import token_lines
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance


def check(corpus: Corpus) -> None:
    lines = [line.fields for source in corpus.sources for line in token_lines(source.data)]
    least = min(map(len, lines))
    for name, number in NAMES.items():
        if number < least - 1:
            assert corpus.column(name) == [fields[number] for fields in lines], name


@pytest.mark.parametrize("name", ["key", "careful", "hasty", "baseline"])
def test_examples(name: str) -> None:
    check(corefkit.read(EXAMPLES / f"{name}.conll"))


@needs_conformance
@pytest.mark.parametrize(
    "path", ["annotators/Sara_Act1.AH.conll.gz", "cross-document/key_ecbp.conll.gz"]
)
def test_other_corpora(path: str) -> None:
    check(corefkit.read(CONFORMANCE / path))


def test_values_are_pooled(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.conll").write_text(f"#begin document {name}\n{name} 0 0 w -\n")
    (words,) = read_columns(corefkit.read(tmp_path), "word")
    assert words.values == ("w",)


def test_missing_column() -> None:
    with pytest.raises(DataError, match=r"hasty\.conll:2: error: the file has no column 'pos'"):
        corefkit.read(EXAMPLES / "hasty.conll").column("pos")
    with pytest.raises(DataError, match="no token columns"):
        Corpus.from_clusters({"a": []}).column("word")
    with pytest.raises(ValueError, match="unknown column 'colour'"):
        corefkit.read(EXAMPLES / "hasty.conll").column("colour")
