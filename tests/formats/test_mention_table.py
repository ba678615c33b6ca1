"""CSV and TSV with one row per mention, against the same table as Parquet."""

from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.formats.kit.detection import recognise
from corefkit.formats.mention_table import parse
from corefkit.formats.options import make_reading
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
        ("document,mention,entity\n,p1,1\n", "value-missing"),
        ("start,end,entity\n3,2,1\n", "span-outside"),
        ("start,end,entity\n0,x,1\n", "span-outside"),
        ("start,end,entity\nx,3,1\n", "span-outside"),
        ("start,end,entity\n0,2147483648,1\n", "span-outside"),
        ('mention,entity\n"p1"x,1\n', "file-unreadable"),
        ("mention,entity,document\n,1,a\n", "value-missing"),
    ],
)
def test_what_is_wrong_with_a_table(text: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        corefkit.read(table(tmp_path, text))
    assert [incident.id for incident in error.value.incidents] == [kind]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('document,mention,entity\nd,p1,x\nd,"a\nb",x\nd,ab,x\n', 3),
        ('document,mention,entity\nd,"a,x\nd,"b",x\n', 2),
        ('document,mention,entity\nd,p1,x\nd,"p2,x\n', 3),
        ('document,mention,entity,"note\nd,p1,x,-\n', 1),
    ],
)
def test_a_cell_that_does_not_end_on_its_line_is_refused(
    text: str, line: int, tmp_path: Path
) -> None:
    """Else it would swallow the rows that follow."""
    with pytest.raises(DataError) as error:
        corefkit.read(table(tmp_path, text))
    (incident,) = error.value.incidents
    assert (incident.id, incident.line) == ("file-unreadable", line)
    assert "quotation mark" in (incident.hint or "")


def test_quotation_marks_are_characters_between_tabs(tmp_path: Path) -> None:
    text = 'start\tend\tentity\ttext\n0\t0\ta\t"\n2\t2\ta\t"\n4\t4\tb\tx\n'
    assert corefkit.read(table(tmp_path, text)).clusters() == {"": [[(0, 0), (2, 2)], [(4, 4)]]}
    marked = table(tmp_path, 'mention\tentity\n"a\tx\n"b\tx\n"a"\tx\n')
    assert len({*corefkit.read(marked).start.tolist()}) == 3


@pytest.mark.parametrize(
    "text",
    [
        'document,"text, raw",mention,entity,note\nd,x,1,a,n1\nd,y,2,a,n2\n',
        "\n\ndocument,mention,entity\nd,1,a\nd,2,a\n",
        "\tdocument\tmention\tentity\n0\td\t1\ta\n1\td\t2\ta\n",
    ],
)
def test_the_first_row_names_the_columns_of_the_others(text: str, tmp_path: Path) -> None:
    corpus = corefkit.read(table(tmp_path, text))
    assert corpus.clusters() == {"d": [[(1, 1), (2, 2)]]}
    assert corpus.labels == ("a",)


def test_spans_count_before_the_texts_of_mentions(tmp_path: Path) -> None:
    path = table(tmp_path, "start,end,entity,mention\n0,0,a,her\n5,5,a,her\n9,9,b,Bob\n")
    assert corefkit.read(path).clusters() == {"": [[(0, 0), (5, 5)], [(9, 9)]]}
    named = parse(path.read_bytes(), "table.csv", make_reading(columns=("mention=mention",)))
    start = named.start.tolist()
    assert start[0] == start[1] > 1 << 40
    alone = corefkit.read(table(tmp_path, "start,entity,mention\n0,a,7\n"))
    assert alone.clusters() == {"": [[(7, 7)]]}


def test_other_tables_are_still_what_they_were() -> None:
    assert recognise(b"doc,start,end,antecedent_start,antecedent_end\n") == "links"
    assert recognise(b"start,end,word\n0,1,a\n") is None


def test_columns_have_other_names_in_memory_too(tmp_path: Path) -> None:
    """As on an engine: person/cluster is the first of the two that a file has."""
    key = table(tmp_path, KEY.replace("mention,entity", "ID,person"), "k.csv")
    response = table(tmp_path, RESPONSE.replace("mention,entity", "id,cluster"), "r.csv")
    named = "mention=id,entity=person/cluster"
    done = run("score", key, response, "-m", "pairs", "--columns", named)
    assert (done.status, "100.00      33.33  50.00" in done.out) == (0, True), done.err
    columns = {"mention": "id", "entity": "person/cluster"}
    scores = corefkit.score(key, response, "pairs", columns=columns)
    assert scores["pairs"].counts == {"recall": [1, 1], "precision": [1, 3]}
    with pytest.raises(corefkit.UsageError, match="has no column 'x'; it has ID, person"):
        corefkit.score(key, response, "pairs", columns={"mention": "x"})
    assert "unknown name 'who'" in run("score", key, response, "--columns", "who=id").err
    assert "is not of the form" in run("score", key, response, "--columns", "id").err


def test_columns_of_parquet_have_other_names_in_memory_too(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "k.parquet"
    parquet.write_table(arrow.table({"id": ["p1", "p2"], "who": [1, 1], "entity": [7, 8]}), path)
    command = ("score", path, path, "-m", "pairs", "--columns", "mention=id,entity=who")
    done = run(*command)
    assert "(1 document, 2 mentions, 1 entity)" in done.out
    assert run(*command, "--engine", "duckdb").out == done.out


def test_mentions_of_parquet_count_before_spans(tmp_path: Path) -> None:
    """As they always have, in memory and on an engine: one of three spans is the key's."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("duckdb")
    columns = {"mention": ["p1", "p2", "p3"], "entity": [1, 1, 2]}
    key, response = tmp_path / "k.parquet", tmp_path / "r.parquet"
    for path, first in ((key, 0), (response, 2)):
        spans = [first, first + 1, first + 2]
        parquet.write_table(arrow.table({**columns, "start": spans, "end": spans}), path)
    for engine in ("memory", "duckdb"):
        scores = corefkit.score(key, response, "mentions", engine=engine)
        assert scores["mentions"].counts["recall"] == [3, 3]


def test_numbers_that_are_too_large_are_texts(tmp_path: Path) -> None:
    """Whole numbers of eighteen digits are the last that fit whatever their digits are."""
    largest = "9" * 18
    following = str(int(largest) + 1)
    corpus = corefkit.read(table(tmp_path, f"mention,entity\n{largest},1\n{following},1\n"))
    assert [n in (int(largest), int(following)) for n in corpus.start.tolist()] == [True, False]


def test_the_largest_offset(tmp_path: Path) -> None:
    corpus = corefkit.read(table(tmp_path, "start,end,entity\n0,2147483647,1\n"))
    assert corpus.end.tolist() == [2**31 - 1]


def test_identifiers_against_a_text_are_not_refused(tmp_path: Path) -> None:
    """Only tables are compared by the kind of their mentions; a file with tokens has no kind."""
    path = tmp_path / "response.conll"
    path.write_text("#begin document (a)\na 0 0 w (1)\na 0 1 w (1)\n#end document\n")
    key = table(tmp_path, "document,mention,entity\na,p1,x\na,p2,x\n")
    scores = corefkit.score(key, path)
    assert scores["mentions"].counts["recall"] == [0, 2]
    assert "mentions-unmatched" in {incident.id for incident in scores.incidents}


@pytest.mark.parametrize(
    "header",
    [
        "doc_id,start,end,entity",
        "doc,begin,end,cluster",
        "DOC_KEY,Start,End,Cluster_ID",
        "document,start,end,coref_chain",
    ],
)
def test_columns_have_the_usual_other_names(header: str, tmp_path: Path) -> None:
    text = f"{header}\na,0,1,x\na,3,3,x\nb,0,0,y\nb,2,2,y\n"
    wanted = {"a": [[(0, 1), (3, 3)]], "b": [[(0, 0), (2, 2)]]}
    assert corefkit.read(table(tmp_path, text)).clusters() == wanted
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(tmp_path / "table.csv")
    assert corefkit.Corpus.from_frame(frame).clusters() == wanted
    pytest.importorskip("pyarrow")
    frame.to_parquet(tmp_path / "table.parquet")
    assert corefkit.read(tmp_path / "table.parquet").clusters() == wanted


def test_a_column_that_looks_like_documents_is_not_ignored(tmp_path: Path) -> None:
    """One document of all of them would match nothing, in silence."""
    path = table(tmp_path, "docname,start,end,entity\na,0,1,x\nb,0,1,x\n")
    with pytest.raises(DataError, match="'docname' looks like the names of documents"):
        corefkit.read(path)
    named = corefkit.read(path, columns={"document": "docname"})
    assert named.clusters() == {"a": [[(0, 1)]], "b": [[(0, 1)]]}
    assert run("stats", path, "--read", "columns=document=docname").status == 0
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(path)
    with pytest.raises(DataError, match="'docname' looks like"):
        corefkit.Corpus.from_frame(frame)
    pytest.importorskip("pyarrow")
    frame.to_parquet(tmp_path / "table.parquet")
    with pytest.raises(DataError, match="'docname' looks like"):
        corefkit.read(tmp_path / "table.parquet")


def test_a_document_may_continue_in_the_next_file(tmp_path: Path) -> None:
    """As in Parquet files, and as engines read both."""
    folder = tmp_path / "key"
    folder.mkdir()
    table(folder, "document,start,end,entity\na,0,1,x\nb,3,3,x\n", "0.csv")
    table(folder, "document,start,end,entity\na,5,5,x\na,7,7,y\n", "1.csv")
    corpus = corefkit.read(folder)
    assert corpus.clusters() == {"a": [[(0, 1), (5, 5)], [(7, 7)]], "b": [[(3, 3)]]}
    assert not corpus.incidents
