"""Labels of entities: bands, kinds, types, the largest; and what is refused."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.features.chains import Chains, KeyTokens
from corefkit.features.divisions import load_for
from corefkit.features.entity_labels import EntityLabel, find_label
from corefkit.features.features import kind_sources
from corefkit.formats.conll.reader import parse
from tests.support import EXAMPLES

WORDS = "Ada/NNP saw/VBD the/DT old/JJ man/NN ./. She/PRP liked/VBD him/PRP ./. It/PRP rained/VBD"
NAMES = {0: "(PERSON)", 2: "(ORG*", 4: "*)"}


def read(cells: dict[int, str], text: str = WORDS, names: dict[int, str] | None = None) -> Corpus:
    """A document with these coreference cells; a sentence ends at a full stop."""
    lines = ["#begin document (d); part 000"]
    for number, token in enumerate(text.split()):
        word, _, tag = token.partition("/")
        name = (names or {}).get(number, "*")
        cell = cells.get(number, "-")
        lines.append("\t".join(["d", "0", str(number), word, tag, *"*----", name, cell]))
        lines += [""] if word == "." else []
    return parse("\n".join([*lines, "#end document", ""]).encode(), "d.conll")


KEY = read({0: "(1)", 2: "(2", 4: "2)", 6: "(1)", 8: "(2)", 10: "(3)"}, names=NAMES)


def labels(by: str, corpus: Corpus = KEY, tokens: Corpus = KEY) -> list[str]:
    """The label of each entity, in the order in which their ids are first seen."""
    return find_label(by).labels(Chains(corpus, KeyTokens(tokens))).to_list()


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("entity:size", ["2", "2", "1"]),
        ("entity:size=2", ["2+", "2+", "<2"]),
        ("entity:spread", ["1-49", "1-49", "0"]),
        ("entity:spread=0,6,7", ["6", "6", "0-5"]),
        ("entity:sentences", ["1", "1", "0"]),
        ("entity:kind", ["named", "nominal", "pronominal"]),
        ("entity:first", ["name", "nominal", "pronoun"]),
        ("entity:type", ["PERSON", "ORG", "none"]),
        ("entity:major=2", ["major", "major", "minor"]),
        ("entity:major=top:1", ["major", "minor", "minor"]),
    ],
)
def test_labels(by: str, expected: list[str]) -> None:
    assert labels(by) == expected


def test_columns_are_the_keys_by_position() -> None:
    """What a response says of tags and names is not read: no system chooses its strata."""
    other = " ".join(f"{token.partition('/')[0]}/NNP" for token in WORDS.split())
    response = read({2: "(1", 4: "1)", 10: "(2)"}, other, {10: "(GPE)"})
    assert labels("entity:kind", response) == ["nominal", "pronominal"]
    assert labels("entity:type", response) == ["ORG", "none"]


def test_without_tags_nothing_is_named() -> None:
    bare = " ".join(f"{token.partition('/')[0]}/-" for token in WORDS.split())
    key = read({0: "(1)", 6: "(1)", 10: "(3)"}, bare)
    english = KeyTokens(key, language="en")
    found = find_label("entity:kind").labels(Chains(key, english)).to_list()
    assert found == ["nominal", "pronominal"]
    (incident,) = load_for(find_label("entity:kind"), english)
    assert incident.id == "names-unknown"


def test_names_without_tags_are_named_entities() -> None:
    """But for numbers and times; the head of the mention decides."""
    bare = " ".join(f"{token.partition('/')[0]}/-" for token in WORDS.split())
    cells = {0: "(1)", 2: "(2", 4: "2)", 6: "(3)"}
    key = read(cells, bare, {0: "(PERSON)", 4: "(ORG)", 6: "(DATE)"})
    english = KeyTokens(key, language="en")
    assert kind_sources(english) == ("list-en", "ne") and str(kind_sources(english)) == "list-en+ne"
    found = find_label("entity:first").labels(Chains(key, english)).to_list()
    assert found[:2] == ["name", "name"] and found[2] != "name"


def test_without_a_language_no_kind_is_known() -> None:
    bare = " ".join(f"{token.partition('/')[0]}/-" for token in WORDS.split())
    key = read({0: "(1)", 6: "(1)", 10: "(3)"}, bare)
    assert labels("entity:kind", key, key) == labels("entity:first", key, key) == ["–", "–"]
    (incident,) = load_for(find_label("entity:kind"), KeyTokens(key))
    assert incident.id == "kinds-unknown"
    assert load_for(find_label("entity:kind"), KeyTokens(KEY)) == []


def test_votes_for_a_type() -> None:
    """Most votes win, of equals the one that occurs first; who has no class does not vote."""
    names = {0: "(GPE)", 6: "(ORG)", 8: "(ORG)", 10: "(GPE)"}
    whole = read({0: "(1)", 2: "(1", 4: "1)", 6: "(1)", 8: "(1)", 10: "(1)"}, names=names)
    assert labels("entity:type", whole, whole) == ["GPE"]
    most = read({0: "(1)", 6: "(1)", 8: "(1)"}, names=names)
    assert labels("entity:type", most, whole) == ["ORG"]


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("entity:colour", "no such label"),
        ("entity:sizes", "did you mean entity:size"),
        ("entity:size=2,1", "ascend"),
        ("entity:size=1,x", "whole numbers"),
        ("entity:size=", "whole numbers"),
        ("entity:major", "number of mentions"),
        ("entity:major=top:0", "number of mentions"),
        ("entity:major=0", "number of mentions"),
        ("entity:kind=3", "takes no bounds"),
    ],
)
def test_what_is_refused(by: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        find_label(by)
    assert "size=1,2,3,5,10,20" in str(caught.value)


@pytest.mark.parametrize(("by", "works"), [("type", "kind"), ("sentences", "size")])
def test_what_a_key_lacks(by: str, works: str) -> None:
    bare = Corpus.from_clusters({"d": [[(0, 0), (2, 2)]]})
    with pytest.raises(DataError) as caught:
        corefkit.score(bare, bare).by(f"entity:{by}")
    (incident,) = caught.value.incidents
    assert incident.id == "column-missing"
    assert works in (incident.hint or "")


def test_tags_of_no_known_set() -> None:
    odd = " ".join(f"{token.partition('/')[0]}/Q{n}" for n, token in enumerate(WORDS.split()))
    key = read({0: "(1)", 6: "(1)"}, odd)
    with pytest.raises(DataError) as caught:
        corefkit.score(key, key).by("entity:kind")
    assert [incident.id for incident in caught.value.incidents] == ["tagset-unknown"]


def test_labels_of_your_own() -> None:
    def parity(chains: Chains) -> Sequence[str]:
        return ["odd" if size % 2 else "even" for size in chains.size.tolist()]

    strata = corefkit.score(KEY, KEY, "muc").by(EntityLabel("parity", parity))
    assert list(strata) == ["even", "odd"]
    assert strata["even"]["muc"].counts == {"recall": [2, 2], "precision": [2, 2]}
    with pytest.raises(ValueError, match="short: 1 labels for 3 entities"):
        corefkit.score(KEY, KEY, "muc").by(EntityLabel("short", lambda chains: ["x"]))


def test_ids_need_not_be_unique() -> None:
    """Entities keep their types where all have the same id, as a Corpus from Python may."""
    key = corefkit.read(EXAMPLES / "drawer.conllu")
    alike = replace(key, labels=("x",) * key.entities)
    response = EXAMPLES / "drawer-system.conllu"
    found, wanted = (corefkit.score(k, response, "muc").by("entity:type") for k in (alike, key))
    assert len(found) > 1
    for label, part in wanted.items():
        assert found[label].scores["muc"].f1 == part.scores["muc"].f1
