"""CSV and TSV with one row per mention, against the same table as Parquet."""

from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.formats._kit.detection import recognise
from tests.support import run

KEY = "mention,entity\np1,1\np2,1\np3,2\n"
RESPONSE = "mention,entity\np1,1\np2,1\np3,1\n"


def table(folder: Path, text: str, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_identifiers_are_scored_as_in_parquet(tmp_path: Path) -> None:
    """Three pairs in the response, one of them in the key."""
    key, response = table(tmp_path, KEY, "k.csv"), table(tmp_path, RESPONSE, "r.csv")
    pairs = corefkit.score(key, response, "pairs")["pairs"].counts
    assert pairs == {"recall": [1, 1], "precision": [1, 3]}
    pytest.importorskip("pyarrow")
    assert run("convert", key, tmp_path / "k.parquet").status == 0
    assert corefkit.score(tmp_path / "k.parquet", response, "pairs")["pairs"].counts == pairs


@pytest.mark.parametrize(
    "text",
    [
        "document,start,end,entity\na,0,1,x\na,3,3,x\nb,,,\n",
        "\ufeffEntity\tStart\tEnd\tDocument\tnote\nx\t0\t1\ta\t-\nx\t3\t3\ta\t-\n\t\t\tb\t\n",
        'document,"mention",entity\r\n"a",0-1,x\r\n"a",3-3,x\r\n\r\nb,,\r\n',
    ],
)
def test_spans_in_any_order_of_columns(text: str, tmp_path: Path) -> None:
    assert recognise(text.encode()) == "mention-table"
    corpus = corefkit.read(table(tmp_path, text))
    assert corpus.clusters() == {"a": [[(0, 1), (3, 3)]], "b": []}
    assert corpus.labels == ("x",)


def test_a_whole_number_is_the_token_of_that_number(tmp_path: Path) -> None:
    corpus = corefkit.read(table(tmp_path, "mention\tentity\n7\t1\n007\t1\n"))
    assert corpus.start.tolist()[0] == 7
    assert corpus.start.tolist()[1] > 1 << 40


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mention,entity\np1,\np2,1\n", "value-missing"),
        ("document,mention,entity\n,p1,1\n", "value-missing"),
        ("start,end,entity\n3,2,1\n", "span-outside"),
        ("start,end,entity\n0,x,1\n", "span-outside"),
        ('mention,entity\n"p1"x,1\n', "file-unreadable"),
    ],
)
def test_what_is_wrong_with_a_table(text: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        corefkit.read(table(tmp_path, text))
    assert [incident.id for incident in error.value.incidents] == [kind]


def test_other_tables_are_still_what_they_were() -> None:
    assert recognise(b"doc,start,end,antecedent_start,antecedent_end\n") == "links"
    assert recognise(b"start,end,word\n0,1,a\n") is None
