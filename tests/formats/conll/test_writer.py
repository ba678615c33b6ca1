"""Writing and reading again is an identity."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.nodes import crossing_mentions
from corefkit.formats.conll.lines import token_lines
from tests.support import EXAMPLES

SPANS = st.tuples(st.integers(0, 6), st.integers(0, 4)).map(lambda s: (s[0], s[0] + s[1]))


def columns(corpus: Corpus) -> list[object]:
    arrays = (corpus.document, corpus.start, corpus.end, corpus.entity)
    return [corpus.names, corpus.labels, *(a.tolist() for a in arrays)]


@pytest.mark.parametrize("name", ["key", "careful", "hasty", "baseline"])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_examples(tmp_path: Path, name: str, suffix: str) -> None:
    corpus = corefkit.read(EXAMPLES / f"{name}.conll")
    path = tmp_path / f"again.conll{suffix}"
    corefkit.write(corpus, path)
    again = corefkit.read(path)
    assert columns(again) == columns(corpus)
    assert again.tokens.tolist() == corpus.tokens.tolist()
    assert again.column("word") == corpus.column("word")
    assert path.read_bytes().startswith(b"\x1f\x8b") == bool(suffix)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.filterwarnings("ignore::corefkit.formats.LossWarning")  # of repeated spans
@given(st.lists(st.lists(SPANS, max_size=5), max_size=4))
def test_corpora_made_in_python(clusters: list[list[tuple[int, int]]]) -> None:
    corpus = Corpus.from_clusters({"a tale": clusters, "empty": []})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tale.conll"
        if crossing_mentions(corpus):
            with pytest.raises(DataError):
                corefkit.write(corpus, path)
            return
        corefkit.write(corpus, path)
        again = corefkit.read(path)
    assert {n: sorted(map(sorted, c)) for n, c in again.clusters().items()} == {
        n: sorted(map(sorted, c)) for n, c in corpus.clusters().items()
    }


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    corefkit.write(Corpus.from_clusters({"tale": [[(0, 1), (1, 1)]]}), "-")
    assert capfdbinary.readouterr().out == (
        b"#begin document tale\ntale\t0\t0\t___\t(0\ntale\t0\t1\t___\t(0)|0)\n\n#end document\n"
    )


def test_names_that_no_header_can_hold() -> None:
    with pytest.raises(ValueError, match="name of a document"):
        corefkit.write(Corpus.from_clusters({"two\nlines": []}), "-")


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        corefkit.write(Corpus.from_clusters({}), tmp_path / "nowhere" / "x.conll")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text",
    [
        b"#begin document x\nx\t0\tThe\t\nx\t0\tcat\t(1)\n#begin document y\ny\t0\tdog\t\n",
        "#begin document x\nx 0 0 10\u00a0000 (1)\nx 0 1 it (1)\n".encode(),
        b"#begin document x\nx\t0\t0\t\xe9t\xe9\t(1)\n",
        b"#begin document x\nx 0 0 a -\n\nx 0 0 b (2)\n#begin document y\ny 0 0 c (2)\n",
    ],
)
def test_no_column_is_lost(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "one").write_bytes(text)
    corefkit.write(corefkit.read(tmp_path / "one"), tmp_path / "two.conll")
    one, two = (
        list(token_lines((tmp_path / n).read_bytes(), errors="surrogateescape"))
        for n in ("one", "two.conll")
    )
    assert [line.fields[:-1] for line in one] == [line.fields[:-1] for line in two]
    assert [line.begins_sentence for line in one] == [line.begins_sentence for line in two]


def test_packing_is_reproducible(tmp_path: Path) -> None:
    corpus = Corpus.from_clusters({"tale": [[(0, 1)]]})
    corefkit.write(corpus, tmp_path / "a.conll.gz")
    data = (tmp_path / "a.conll.gz").read_bytes()
    assert gzip.decompress(data).startswith(b"#begin document tale")
    assert data[4:8] == b"\0\0\0\0"
