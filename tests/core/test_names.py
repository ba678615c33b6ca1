"""Pairing of documents whose names are written differently in different formats."""

import pytest

from corefkit import Corpus
from corefkit.core.components import components
from corefkit.core.names import forms, pair_names
from corefkit.core.source import Source, TokenReader


class Other(TokenReader):
    name = "other"


def corpus(*names: str, unnamed: bool = False) -> Corpus:
    from dataclasses import replace

    made = Corpus.from_clusters({name: [] for name in names})
    nameless = frozenset(range(len(names))) if unnamed else frozenset[int]()
    return replace(made, sources=(Source("file", b"", 0, len(names), Other(), nameless),))


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
        pairing = pair_names(key(a), corpus(b))
        assert pairing.names == (a,)
        assert pairing.rewritten == ((b, a),)
        assert not pairing.incidents
        assert pair_names(key(a), corpus(b), exact=True).names == (b,)


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
    assert pair_names(key(one), corpus(other)).names == (other,)


def test_identical_names_go_first() -> None:
    pairing = pair_names(key("(a); part 000", "a_0"), corpus("a_0", "a"))
    assert pairing.names == ("a_0", "(a); part 000")
    assert pairing.rewritten == (("a", "(a); part 000"),)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(["(a); part 000", "(a_0); part 000"], ["a_0"]), (["(a); part 000"], ["a_0", "a_000"])],
)
def test_two_partners(ours: list[str], theirs: list[str]) -> None:
    (incident,) = pair_names(key(*ours), corpus(*theirs)).incidents
    assert (incident.id, incident.severity) == ("document-ambiguous", "error")


def test_no_names_at_all() -> None:
    assert pair_names(key("b", "a"), corpus("1", "2", unnamed=True)).names == ("b", "a")
    (incident,) = pair_names(key("a"), corpus("1", "2", unnamed=True)).incidents
    assert incident.id == "documents-unnamed"


def test_one_format_has_one_way_to_write_a_name() -> None:
    assert pair_names(key("(a); part 000"), key("a_0")).names == ("a_0",)


def test_forms_contain_the_name_itself_unless_it_has_a_part() -> None:
    assert "x.y" in forms("x.y")


def test_components_do_not_depend_on_the_order_of_links() -> None:
    links = [("a", "b"), ("c", "d"), ("b", "d")]
    wanted = {"e": 0, "d": 1, "c": 1, "b": 1, "a": 1}
    for order in (links, links[::-1], [(b, a) for a, b in links]):
        assert components("edcba", order) == wanted
    chain = [(i, i + 1) for i in range(5000)]
    assert set(components(range(5001), chain).values()) == {0}
