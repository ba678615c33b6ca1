"""Tagsets: which tags are what, and whose they are."""

import re

import pytest

import corefkit
from corefkit import Tagset
from corefkit.core.languages import TAGSETS, detect_tagset
from corefkit.core.options import TAGSETS as NAMED
from corefkit.features.chains import Chains
from tests.oracle import applications as oracle
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

ORACLE = {
    "penn": oracle.PENN,
    "arabic": oracle.ARABIC,
    "chinese": oracle.CHINESE,
    "stts": oracle.STTS,
    "ud": oracle.UD,
    "alpino": oracle.ALPINO,
}
TAGS = (
    "NN NNS NNP NNPS PRP PRP$ WP DT VB NR NT PN NE PPER PPOSAT PRELS PDS NOUN PROPN PRON DET "
    "DTNN DTNNS CD NNX N(soort,ev) N(eigen,ev) SPEC(deeleigen) SPEC(symb) VNW(pers,pron) LID(bep)"
)


def test_options_know_all_of_them() -> None:
    assert list(NAMED) == ["auto", *TAGSETS]
    assert list(ORACLE) == list(TAGSETS)


@pytest.mark.parametrize("name", TAGSETS)
@pytest.mark.parametrize("tag", TAGS.split())
def test_nouns_and_pronouns(name: str, tag: str) -> None:
    assert TAGSETS[name].noun(tag) == ORACLE[name].is_noun(tag)
    assert TAGSETS[name].pronoun(tag) == ORACLE[name].is_pronoun(tag)


@pytest.mark.parametrize(
    ("tags", "name"),
    [
        ("DT NN VBD PRP$ NNS .", "penn"),
        ("NN NN", "penn"),  # the same in all that have it
        ("DTNN NN VBD IN PRP$ DTJJ", "arabic"),
        ("NR VV NN PN DEG PU", "chinese"),
        ("ART NN VVFIN PPER $.", "stts"),
        ("DET NOUN VERB PRON PUNCT", "ud"),
        (
            "LID(bep,stan,rest) N(soort,ev,basis) WW(pv,verl) VNW(pers,pron) LET()",
            "alpino",
        ),
        ("alpha beta", None),
        ("", None),
    ],
)
def test_detection(tags: str, name: str | None) -> None:
    found = detect_tagset({tag: tags.split().count(tag) for tag in tags.split()})
    assert (found and found.name) == name


@needs_conformance
def test_german() -> None:
    """A German key has other pronouns; it lacks named entities, so anchor has one class."""
    folder = CONFORMANCE / "annotators"
    key, response = folder / "Raeuber_Act1.AK.conll.gz", folder / "Raeuber_Act1.JA.conll.gz"
    scores = corefkit.score(key, response, "immediate,inferred")
    assert {"NOUN", "PPER", "PPOSAT"} <= (scores["immediate"].classes or {}).keys()
    named = corefkit.score(key, response, "immediate,inferred", tagset="stts")
    assert named.to_dict() == scores.to_dict()
    anchor = corefkit.score(key, response, "anchor")["anchor"]
    for part in anchor.parts.values():
        assert list(part.classes or {}) == ["all"]
        assert (part.classes or {})["all"].counts == part.counts


def test_predicates_of_ones_own() -> None:
    key, response = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    penn = TAGSETS["penn"]
    same = Tagset("mine", penn.noun, penn.pronoun)
    scores = corefkit.score(key, response, "inferred", tagset=same)
    assert scores.to_dict() == corefkit.score(key, response, "inferred").to_dict()
    assert "|tagset:mine|" in scores.signature
    patterns = Tagset("patterns", re.compile("NN").match, re.compile("PRP").match)
    found = corefkit.score(key, response, "inferred", tagset=patterns)
    assert found["inferred"].counts == scores["inferred"].counts

    def everything(chains: Chains) -> list[bool]:
        return [True] * len(chains)

    all_nominal = Tagset("all", penn.noun, penn.pronoun, nominal=everything)
    counts = corefkit.score(key, response, "immediate,inferred", tagset=all_nominal)
    # With every mention nominal the closest nominal is the immediate antecedent.
    assert list(counts["inferred"].classes or {}) == ["NOUN"]
    assert counts["inferred"].counts["fn"] == counts["immediate"].counts["fn"]


def test_unknown_name() -> None:
    with pytest.raises(corefkit.UsageError, match="tagset"):
        corefkit.score(EXAMPLES / "key.conll", EXAMPLES / "key.conll", "anchor", tagset="brown")
