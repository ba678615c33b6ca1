"""The names of columns, one table for CSV, Parquet, data frames, links and engines."""

import pytest

from corefkit import DataError, UsageError
from corefkit.core.table_columns import LINKS, MENTIONS, TableKind, find_mention_columns


@pytest.mark.parametrize("kind", [MENTIONS, LINKS])
def test_a_name_means_one_column(kind: TableKind) -> None:
    names = [name for column in kind.columns for name in (column.name, *column.aliases)]
    assert len(names) == len({*names})
    assert {name for group in kind.required for name in group} <= {*kind.names}


@pytest.mark.parametrize(
    ("present", "place", "place_with_texts"),
    [
        ("entity mention", ["mention"], ["mention"]),
        ("entity start end", ["start", "end"], ["start", "end"]),
        ("entity mention start end", ["mention"], ["start", "end"]),
        ("entity mention start", ["mention"], ["mention"]),
        ("Cluster BEGIN End doc_key", ["start", "end"], ["start", "end"]),
    ],
)
def test_what_a_mention_is(present: str, place: list[str], place_with_texts: list[str]) -> None:
    columns = present.split()
    for texts, wanted in ((False, place), (True, place_with_texts)):
        found = find_mention_columns(columns, {}, "the key", mention_is_text=texts)
        assert [*found.place] == wanted
    named = find_mention_columns(["m", *columns], {"mention": "m"}, "x", mention_is_text=True)
    assert named.place == {"mention": "m"}


@pytest.mark.parametrize("lacking", ["start", "end", "entity"])
def test_what_a_table_needs(lacking: str) -> None:
    present = [name for name in ("entity", "start", "end") if name != lacking]
    with pytest.raises(DataError, match="which mention belongs to which entity") as error:
        find_mention_columns(present, {}, "the key")
    (incident,) = error.value.incidents
    assert (incident.id, incident.file) == ("column-missing", "the key")
    assert "cluster_id or coref_chain" in (incident.expected or "")


@pytest.mark.parametrize(
    ("name", "is_unknown"),
    [
        *((name, True) for name in ("docname", "Doc No", "file", "filename", "documents")),
        *((name, True) for name in ("article_id", "text-id", "story", "document number")),
        *((name, False) for name in ("text", "word", "sentence_id", "id", "docs_read", "profile")),
    ],
)
def test_a_column_that_looks_like_documents_is_named(name: str, is_unknown: bool) -> None:
    columns = [name, "start", "end", "entity"]
    if not is_unknown:
        assert find_mention_columns(columns, {}, "x").document is None
        return
    with pytest.raises(DataError, match=f"'{name}' looks like the names of documents"):
        find_mention_columns(columns, {}, "x")
    assert find_mention_columns(columns, {"document": name}, "x").document == name
    assert find_mention_columns([*columns, "doc_id"], {}, "x").document == "doc_id"


def test_columns_that_the_user_names() -> None:
    renamed = {"mention": "unique_id", "entity": "person/cluster_id"}
    for own in ("person", "cluster_id"):
        columns = find_mention_columns(["unique_id", own, "x"], renamed, "the key")
        assert (columns.mention, columns.entity) == ("unique_id", own)
    both = find_mention_columns(["cluster_id", "unique_id", "person"], renamed, "the key")
    assert both.entity == "person"
    whole = find_mention_columns(["a", "a/b", "e"], {"mention": "a/b", "entity": "E"}, "the key")
    assert (whole.mention, whole.entity) == ("a/b", "e")
    with pytest.raises(UsageError, match="the key has no column 'person/cluster_id'; it has a"):
        find_mention_columns(["a", "unique_id"], renamed, "the key")
