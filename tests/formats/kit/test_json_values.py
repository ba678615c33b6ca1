"""JSON that is cut off, goes on after its list, repeats keys, or has booleans for numbers."""

from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.core.incidents import Collector
from corefkit.formats.kit.json import decode

A, B = (
    f'{{"doc_key": "{name}", "sentences": [["Ada", "slept"]], "clusters": [[[0, 0], [1, 1]]]}}'
    for name in "ab"
)


def incidents(text: str, path: Path) -> list[str]:
    file = path / "x.json"
    file.write_text(text, encoding="utf-8")
    return [f"{i.id}: {i.message}" for i in corefkit.check(file)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"[{A}]\n[{B}]\n", "something follows the list"),
        (f"[{A}] x", "something follows the list"),
        (f"[{A},\n", "the list is truncated"),
        (f"[{A}\n", "the list is truncated"),
        (f"[{A} {B}]", "a comma is missing"),
    ],
)
def test_all_of_the_file_is_read_or_refused(text: str, reason: str, tmp_path: Path) -> None:
    assert f"json-syntax: not valid JSON: {reason}" in incidents(text, tmp_path)


@pytest.mark.parametrize(
    "text", [f"[{A},\n{B}]\n", f"{A}\n{B}\n", f"{A} {B}", f" [ {A} ] ", f"\n{A}\n\n"]
)
def test_good_files_stay_good(text: str, tmp_path: Path) -> None:
    assert incidents(text, tmp_path) == []


def test_two_lists_are_not_scored(tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text(f"[{A}, {B}]")
    (tmp_path / "response.json").write_text(f"[{A}]\n[{B}]")
    with pytest.raises(DataError, match="something follows the list"):
        corefkit.score(tmp_path / "key.json", tmp_path / "response.json")


def test_a_key_that_stands_twice(tmp_path: Path) -> None:
    text = f'{A[:-1]}, "clusters": []}}\n{B}\n'
    assert incidents(text, tmp_path) == ["json-syntax: an object has the key 'clusters' twice"]
    collector = Collector("x")
    values = list(decode(b'[{"a": {"b": 1, "b": 2}},\n{"b": 1}]', collector))
    assert [value.content for value in values] == [{"a": {"b": 2}}, {"b": 1}]
    assert [i.line for i in collector] == [1]


def test_booleans_are_no_spans(tmp_path: Path) -> None:
    text = A.replace("[1, 1]", "[true, true]")
    assert incidents(text, tmp_path) == [
        "json-shape: unexpected JSON at $.clusters[0][1]",
    ]
    assert incidents(A.replace("[1, 1]", "[1, true]"), tmp_path)


def test_deep_values_with_half_a_character(tmp_path: Path) -> None:
    deep = "[" * 900 + '"\\ud800"' + "]" * 900
    (found,) = incidents(f'{A[:-1]}, "x": {deep}}}\n', tmp_path)
    assert found.startswith(("json-syntax: not valid JSON: it is nested too deeply", "not-utf8"))


def test_one_cas_per_file(tmp_path: Path) -> None:
    cas = '{"%TYPES": {}, "%FEATURE_STRUCTURES": []}'
    assert any(i.startswith("json-shape") for i in incidents(f"{cas}\n{cas}", tmp_path))


@pytest.mark.parametrize(
    ("text", "message", "of_null"),
    [
        ('{"doc_key": "k", "clusters": [[[0, 0]]]}', "the field `sentences` is missing", False),
        (A.replace("[1, 1]", "null"), "unexpected JSON at $.clusters[0][1]", True),
        (A.replace("[1, 1]", "[1]"), "unexpected JSON at $.clusters[0][1]", False),
        ('{"sentences": null, "clusters": []}', "unexpected JSON at $.sentences", False),
    ],
)
def test_what_is_said_of_a_shape(text: str, message: str, of_null: bool, tmp_path: Path) -> None:
    """All were told of null for a lost mention; JSON of no known format looked like CoNLL."""
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        corefkit.read(path, format="e2e")
    (incident,) = error.value.incidents
    assert (incident.id, incident.message) == ("json-shape", message)
    assert str(incident.hint).startswith("null may stand") == of_null
