"""Rewriting CorefUD files: the order of brackets, MISC, relations. Round trips: test_writer."""

from dataclasses import replace

from corefkit import read
from corefkit.core.mention_columns import MentionLabels
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.rows import Declaration
from corefkit.formats.conllu.writer import WrittenMention, cells, in_misc, rewrite
from tests.support import ROOT


def test_the_usual_order_of_brackets() -> None:
    mentions = [
        WrittenMention([(1, 2)], ["e1"]),
        WrittenMention([(2, 3)], ["e2"]),
        WrittenMention([(2, 4)], ["e3", "", "2"]),
        WrittenMention([(2, 2)], ["e4", "person"]),
        WrittenMention([(4, 4)], ["e5"]),
        WrittenMention([(1, 1), (3, 3)], ["e6"]),
    ]
    assert cells(mentions, Declaration(("eid", "etype", "head"))) == {
        1: "(e1(e6[1/2])",
        2: "e1)(e3--2(e2(e4-person)",
        3: "(e6[2/2])e2)",
        4: "(e5)e3)",
    }


def test_misc_keeps_its_other_attributes() -> None:
    assert in_misc("_", "Entity", None) == "_"
    assert in_misc("A=1|Entity=(e1)|Z=2", "Entity", "(e2)") == "A=1|Entity=(e2)|Z=2"
    assert in_misc("A=1|Z=2", "Entity", "(e2)") == "A=1|Entity=(e2)|Z=2"


def test_relations_go_with_their_entities() -> None:
    corpus = read(ROOT / "tests" / "fixtures" / "bridges.conllu")
    assert b"Bridge=e1<e2:part" in corpus.sources[0].data
    without = corpus.take(corpus.entity != corpus.labels.index("e1"))
    data = rewrite(without, corpus.sources[0])
    assert b"Bridge" not in data
    assert parse(data, "-").incidents == ()


def test_relations_follow_the_ids_of_their_entities() -> None:
    corpus = read(ROOT / "tests" / "fixtures" / "bridges.conllu")
    renamed = replace(corpus, labels=tuple(f"x{label}" for label in corpus.labels))
    data = rewrite(renamed, corpus.sources[0])
    assert b"Bridge=xe1<xe2:part" in data
    again = parse(data, "-")
    assert again.incidents == ()
    assert again.links is not None
    assert corpus.links is not None
    assert [*again.links.label] == [*corpus.links.label]
    assert again.links.target.tolist() == corpus.links.target.tolist()


def test_types_are_written_where_they_are_declared_first() -> None:
    """Older files declare entity-GRP: the type, then the id."""
    rows = (f"{n}\tw\t_\t_\t_\t_\t{n - 1}\tdep\t_\tEntity=(person-1)" for n in (1, 2))
    text = "\n".join(["# newdoc id = d", "# global.Entity = entity-GRP", *rows, "", ""])
    corpus = parse(text.encode(), "x")
    types = MentionLabels.of({"etype": ["place", "place"]})
    new = rewrite(replace(corpus, mention_labels=types, labels=("7",)), corpus.sources[0])
    assert new.decode() == text.replace("person-1", "place-7")
