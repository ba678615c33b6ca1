"""Pairing of documents whose names are written differently in different formats."""

import json
import os
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.links import components
from corefkit.core.names import (
    Response,
    document_id,
    file_stem,
    forms,
    names_in_key,
    split_name,
    system_names,
)
from corefkit.core.options import PLAIN, Options
from corefkit.core.source import Source
from corefkit.formats.kit.convert import Losses, write_as
from corefkit.formats.registry import format_names, get_format, named_in_one_way, parse
from corefkit.scorers.documents import same_names


def corpus(*names: str, unnamed: bool = False) -> Corpus:
    from dataclasses import replace

    made = Corpus.from_clusters({name: [] for name in names})
    nameless = frozenset(range(len(names))) if unnamed else frozenset[int]()
    return replace(made, sources=(Source("file", b"", 0, len(names), "other", nameless),))


def key(*names: str) -> Corpus:
    return Corpus.from_clusters({name: [] for name in names})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(nw/wsj/07/wsj_0771); part 000", "nw/wsj/07/wsj_0771_0"),
        ("(nw/wsj/07/wsj_0771); part 012", "nw/wsj/07/wsj_0771_12"),
        ("(nw/wsj/07/wsj_0771); part 012", "nw/wsj/07/wsj_0771_012"),
        ("(nw/wsj/07/wsj_0771); part 000", "nw/wsj/07/wsj_0771/part_0"),
        ("(ge/zebra.xml); part 000", "ge:zebra.xml_000"),
        ("(emma); part 0", "emma"),
        ("(emma); part 0", "emma.txt"),
        ("emma", "emma.ann"),
        ("(emma.sacr); part 000", "emma.sacr"),
    ],
)
def test_equal_names(one: str, other: str) -> None:
    for a, b in ((one, other), (other, one)):
        pairing = names_in_key(key(a), corpus(b))
        assert pairing.names == (a,)
        assert pairing.rewritten == ((b, a),)
        assert not pairing.incidents
        assert names_in_key(key(a), corpus(b), exact=True).names == (b,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a); part 001", "a"),
        ("(a); part 001", "a_0"),
        ("a_0", "a"),
        ("a:b:c", "a/b/c"),
        ("a", "A"),
    ],
)
def test_names_of_other_documents(one: str, other: str) -> None:
    assert names_in_key(key(one), corpus(other)).names == (other,)


def test_identical_names_go_first() -> None:
    pairing = names_in_key(key("(a); part 000", "a_0"), corpus("a_0", "a"))
    assert pairing.names == ("a_0", "(a); part 000")
    assert pairing.rewritten == (("a", "(a); part 000"),)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(["(a); part 000", "(a_0); part 000"], ["a_0"]), (["(a); part 000"], ["a_0", "a_000"])],
)
def test_two_partners(ours: list[str], theirs: list[str]) -> None:
    (incident,) = names_in_key(key(*ours), corpus(*theirs)).incidents
    assert (incident.id, incident.severity) == ("document-ambiguous", "error")


def test_no_names_at_all() -> None:
    assert names_in_key(key("b", "a"), corpus("1", "2", unnamed=True)).names == ("b", "a")
    (incident,) = names_in_key(key("a"), corpus("1", "2", unnamed=True)).incidents
    assert incident.id == "documents-unnamed"


def test_one_format_has_one_way_to_write_a_name() -> None:
    made = key("(a); part 000")
    assert named_in_one_way(made, key("a_0"))
    assert not named_in_one_way(made, corpus("a_0"))
    assert not named_in_one_way(corpus("a"), corpus("a_0"))
    columns = [
        parse(f"#begin document {name}\na 0 0 x -\n#end document\n".encode(), "a.conll", PLAIN)
        for name in ("(a); part 000", "a_0")
    ]
    one, other = columns
    assert named_in_one_way(one, other)
    assert same_names(one, other, Options())[0].names == ("a_0",)


def test_forms_contain_the_name_itself() -> None:
    assert "x.y" in forms("x.y")


def test_components_do_not_depend_on_the_order_of_links() -> None:
    links = [("a", "b"), ("c", "d"), ("b", "d")]
    wanted = {"e": 0, "d": 1, "c": 1, "b": 1, "a": 1}
    for order in (links, links[::-1], [(b, a) for a, b in links]):
        assert components("edcba", order) == wanted
    chain = [(i, i + 1) for i in range(5000)]
    assert set(components(range(5001), chain).values()) == {0}


@pytest.mark.parametrize(
    ("name", "document", "part"),
    [
        ("(nw/wsj/07/wsj_0771); part 000", "nw/wsj/07/wsj_0771", "000"),
        ("(nw/a);part 012", "nw/a", "012"),
        ("(nw/a) part 1", "nw/a", "1"),
        ("(LuoTestCase);", "LuoTestCase", None),
        ("(LuoTestCase)", "LuoTestCase", None),
        ("(a(b)); part 1", "a(b)", "1"),
        ("(a) and more", "a", None),
        ("nw/a/part_2", "nw/a", "2"),
        ("a; part 3", "a", "3"),
        ("a part 1", "a", "1"),
        ("a;b", "a;b", None),
        ("counterpart 3", "counterpart 3", None),
        ("(a); part 1234567890", "a", None),
        ("test_events", "test_events", None),
        ("", "", None),
    ],
)
def test_the_one_parser_of_names(name: str, document: str, part: str | None) -> None:
    assert split_name(name) == (document, part)
    assert document_id(name) == document
    assert split_name(name).part_number == int(part or 0)


@pytest.mark.parametrize("name", ["(LuoTestCase);", "(nw/a);part 012", "(nw/a); part 000", "tale"])
def test_a_converted_document_is_still_the_same_one(name: str, tmp_path: Path) -> None:
    made = Corpus.from_clusters({name: [[(0, 0), (1, 1)]]})
    written, _, *_ = write_as(made, "x.jsonl", "wl-coref", Losses())
    (tmp_path / "x.jsonl").write_bytes(written["x.jsonl"])
    row = json.loads(written["x.jsonl"])
    assert row["document_id"] == document_id(name)
    assert row.get("part_id") == (None if split_name(name).part is None else int(name[-3:]))
    again = corefkit.read(tmp_path / "x.jsonl")
    assert names_in_key(made, again).names == (name,)


def test_systems_have_the_names_they_were_given() -> None:
    given = Response("runs/7.conll", "ours")
    assert os.fspath(given) == str(given) == "runs/7.conll"
    assert system_names(["runs/7.conll", given, made_in_python := key("a")]) == [
        "7",
        "ours",
        repr(made_in_python),
    ]


def test_endings_of_all_formats_are_left_out() -> None:
    suffixes = {s for name in format_names() for s in get_format(name).suffixes}
    files = [f"runs/mine{suffix}" for suffix in sorted(suffixes)]
    assert {name for file in files for name in system_names([file])} == {"mine"}
    assert {name for file in files for name in system_names([file + ".gz"])} == {"mine"}


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["lee/out.conll", "kim/out.conll"], ["lee", "kim"]),
        (["a/lee/dev/out.conll", "a/kim/dev/out.conll"], ["lee", "kim"]),
        (["x/a.conll", "y/b.conll"], ["a", "b"]),
        (["x/a.conll", "y/a.jsonl", "z/b.conll"], ["x", "y", "z"]),
        (["a.conll", "x/a.conll"], ["a", "x/a"]),
        (["a.conll", "a.jsonl"], ["a", "a (2)"]),
        (["../a/out.conll", "./b/out.conll"], ["a", "b"]),
    ],
)
def test_the_part_of_a_path_that_distinguishes(paths: list[str], names: list[str]) -> None:
    assert system_names(paths) == names


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["gold-annotator-anna_final.conll", "gold-annotator-ben_final.conll"], ["anna", "ben"]),
        (["a-long-beginning-of-names.conll", "a-long-end-of-names.conll"], ["beginning", "end"]),
        (["seed-1.conll", "seed-2.conll"], None),  # short enough as they are
        (["the-only-file-of-its-kind-here.conll"], None),
        (["annotator-one-and-final-x1.conll", "annotator-one-and-final-x22.conll"], ["x1", "x22"]),
        (["the-first-of-two-systems-a.b.conll", "the-first-of-two-systems-a.c.conll"], ["b", "c"]),
    ],
)
def test_long_names_lose_what_they_have_in_common(
    files: list[str], names: list[str] | None
) -> None:
    """At their ends, and whole words only."""
    full = [file.removesuffix(".conll") for file in files]
    assert system_names(files) == (full if names is None else names)


def test_a_given_name_is_not_what_is_left_of_another() -> None:
    files = ["gold-of-annotator-anna-v2.conll", "gold-of-annotator-ben-v2.conll"]
    found = system_names([*files, Response("x.conll", "ben")])
    assert found == ["gold-of-annotator-anna-v2", "gold-of-annotator-ben-v2", "ben"]


def test_a_given_name_is_not_taken_twice() -> None:
    given = Response("y/out.conll", "lee")
    assert system_names(["lee/out.conll", "kim/out.conll", given]) == ["lee/out", "kim/out", "lee"]


def test_names_that_share_an_id_stay_apart_in_wl_coref(tmp_path: Path) -> None:
    """A name that is an id and something that is not a part, or not three digits of one.

    Fuzzing found them, seeds 2314 and 2401.
    """
    names = ("(a); part 000", "(a); p[rt 000", "(a); part 00part", "(a); part 00", "b", "(c);")
    text = "".join(f"#begin document {n}\nd 0 0 w (1)\n#end document\n" for n in names)
    (tmp_path / "a.conll").write_text(text)
    made = corefkit.read(tmp_path / "a.conll")
    corefkit.write(made, tmp_path / "x.jsonlines", "wl-coref")
    again = corefkit.read(tmp_path / "x.jsonlines")
    assert again.names == (*names[:5], "c")


def test_one_answer_of_many_is_paired_by_the_name_of_its_file(tmp_path: Path) -> None:
    """In a folder it always was."""
    key = tmp_path / "key.conll"
    names = ["(nw/a_01); part 000", "(nw/b_02); part 000"]
    key.write_text(
        "".join(f"#begin document {n}\nx 0 0 Ada (1)\nx 0 1 ran -\n#end document\n" for n in names)
    )
    for stem in ("nw_b_02_part_000", "b_02"):
        (tmp_path / f"{stem}.md").write_text("[Ada](#1) ran")
    scores = corefkit.score(key, tmp_path / "nw_b_02_part_000.md")
    assert scores["mentions"].counts == {"recall": [1, 2], "precision": [1, 1]}
    with pytest.raises(DataError, match="nothing shows which one it is") as error:
        corefkit.score(key, tmp_path / "b_02.md")
    (incident,) = error.value.incidents
    assert "e.g. 'nw_a_01_part_000' with any ending" in (incident.hint or "")


def test_the_name_of_a_system_drops_the_endings_of_responses() -> None:
    assert [file_stem(f"runs/mine{e}") for e in (".resp", ".response", ".resp.gz")] == ["mine"] * 3
