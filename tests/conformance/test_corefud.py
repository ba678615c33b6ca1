"""CorefUD: every figure of the conformance data, all pairs, all settings, three profiles.

Pairs of a profile are scored together, as documents of one corpus; counts are summed over
documents, so the figures of each pair are those of a group. `make test` scores each pair in half of
the settings, `make oracles` in all.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, DataError, Scores
from corefkit.core.corpus import concat
from tests.strategies import TIMES
from tests.support import CONFORMANCE, needs_conformance, run, run_corefud_scorer

pytestmark = needs_conformance
FOLDER = CONFORMANCE / "corefud"
FILES = {
    "standard": "expected-standard.json",
    "corefud": "expected.json",
    "corefud-1.1": "expected-1.1.json",
}
SETTINGS = {
    "standard": ("exact partial head", "keep drop", "linear dependent drop"),
    "corefud": ("exact partial head", "keep drop", "linear dependent"),
    "corefud-1.1": ("exact partial head", "keep drop", "linear"),
}
WHOLE = ("muc", "ceafm", "mor", "zero", "mentions")


@cache
def pairs_of(profile: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / FILES[profile]).read_text())["pairs"]
    return found


@cache
def read(path: str) -> Corpus:
    return corefkit.read(FOLDER / path)


def half_of(profile: str, setting: str) -> int:
    """Every second pair from the first or from the second on; neighbouring settings differ."""
    values = zip(SETTINGS[profile], setting.split("/"), strict=True)
    return sum(names.split().index(name) for names, name in values) % 2


def some_pairs(profile: str, half: int) -> list[dict[str, Any]]:
    return pairs_of(profile)[half::2] if TIMES == 1 else pairs_of(profile)


@cache
def pooled(profile: str, half: int) -> tuple[Corpus, Corpus]:
    """The keys and the responses, their documents named by the pair."""
    sides = [
        [
            replace(corpus, names=tuple(f"{pair['name']}\t{name}" for name in corpus.names))
            for pair in some_pairs(profile, half)
            for corpus in [read(pair[side])]
        ]
        for side in ("key", "response")
    ]
    key, response = (replace(concat(side), sources=()) for side in sides)
    return key, response


def outcomes(counts: dict[str, Any]) -> dict[str, list[float]]:
    """Recall and precision as the figures have them."""
    if "tp" not in counts:
        return counts
    tp, wl, fn, fp = (counts[name] for name in ("tp", "wl", "fn", "fp"))
    return {"recall": [tp, tp + wl + fn], "precision": [tp, tp + wl + fp]}


def near(found: Sequence[Any], wanted: Sequence[Any], most: float) -> bool:
    """As `pytest.approx(…, abs=most)`, which takes as long as the scores of a small pair."""
    return all(abs(one - other) <= most for one, other in zip(found, wanted, strict=True))


def check(scores: Scores, figures: dict[str, Any]) -> None:
    for name, score in scores.items():
        expected = figures[name]
        if name == "conll":
            assert near([score.f1], [expected], 1e-9), (score.f1, expected)
        elif name == "blanc":
            for kind in ("coreference", "noncoreference"):
                assert score.counts[kind] == expected[kind]
            wanted = [expected[value] for value in ("r", "p", "f1")]
            values = [score.recall, score.precision, score.f1]
            assert near(values, wanted, 1e-9), (values, wanted)
        else:
            found = outcomes(dict(score.counts))
            for side in ("recall", "precision"):
                if name in WHOLE:
                    assert found[side] == expected[side]
                else:
                    assert near(found[side], expected[side], 1e-7), (name, side)


@pytest.mark.parametrize(
    ("profile", "setting"),
    [
        (profile, f"{match}/{singletons}/{zeros}")
        for profile, (matches, kept, ways) in SETTINGS.items()
        for match in matches.split()
        for singletons in kept.split()
        for zeros in ways.split()
    ],
)
@pytest.mark.more
def test_figures(profile: str, setting: str) -> None:
    policies: Any = dict(zip(("match", "singletons", "zeros"), setting.split("/"), strict=True))
    half = half_of(profile, setting)
    key, response = pooled(profile, half)
    metrics = "muc,bcub,ceafe,ceafm,blanc,lea,zero,conll"
    if policies["match"] == "exact" or TIMES > 1:
        # The rule plays no part in MOR; test_several_settings_in_one_run asks for it with each.
        metrics += ",mor"
    if profile == "standard":
        metrics += ",mentions"
    scores = corefkit.score(key, response, metrics, profile, **policies)
    groups = scores.by(lambda name: name.partition("\t")[0])
    seen = 0
    for pair in some_pairs(profile, half):
        if setting in pair["scores"]:
            check(groups[pair["name"]].scores, pair["scores"][setting])
            seen += 1
    assert seen >= len(some_pairs(profile, half)) // 3


def test_no_pair_and_no_setting_is_forgotten() -> None:
    for profile, (matches, kept, ways) in SETTINGS.items():
        wanted = {
            f"{m}/{s}/{z}" for m in matches.split() for s in kept.split() for z in ways.split()
        }
        assert {setting for pair in pairs_of(profile) for setting in pair["scores"]} == wanted
    assert [len(pairs_of(profile)) for profile in SETTINGS] == [75, 174, 154]


@pytest.mark.parametrize("setting", ["exact/keep/linear", "head/drop/dependent"])
def test_sizes_and_pairs(setting: str) -> None:
    """What is scored of each side, and how many mentions are paired, from the files themselves."""
    match, singletons, zeros = setting.split("/")
    for pair in pairs_of("corefud"):
        if setting not in pair["scores"] or not pair["key"].startswith("cases"):
            continue
        figures = pair["scores"][setting]
        options = [f"--match={match}", f"--singletons={singletons}", f"--zeros={zeros}"]
        paths = FOLDER / pair["key"], FOLDER / pair["response"]
        done = run(
            "score", *paths, "--profile", "corefud", *options, "-m", "mentions", "-f", "json"
        )
        assert done.status == 0, done.err
        report = json.loads(done.out)
        system = report["systems"][0]
        sides = {"key": report["key"], "response": system}
        for side, found in sides.items():
            assert [found["mentions"], found["entities"]] == figures[side]
        assert system["scores"]["mentions"]["counts"]["recall"][0] == figures["aligned"]


ARGUMENTS = {
    "-s": ["--singletons", "keep"],
    "-x": ["--match", "exact"],
    "-a": ["--match"],
    "-z": ["--zeros"],
    "-m": ["-m"],
}
"""Options of corefud-scorer, and what they are here."""


def translate(arguments: list[str]) -> list[str]:
    """The one-line change."""
    metrics = arguments[1:] if arguments[:1] == ["-m"] else []
    if metrics:
        return ["-m", ",".join(metrics)]
    return [word for argument in arguments for word in ARGUMENTS.get(argument, [argument])]


def texts() -> list[dict[str, Any]]:
    path = FOLDER / "text" / "index.json"
    found: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return found


@pytest.mark.parametrize("text", texts(), ids=lambda text: text["file"])
def test_text_byte_for_byte(text: dict[str, Any]) -> None:
    paths = FOLDER / text["key"], FOLDER / text["response"]
    done = run("score", *paths, "-f", "corefud", *translate(text["arguments"]))
    assert done.status == 0, done.err
    assert done.out == (FOLDER / "text" / text["file"]).read_text()
    again = run_corefud_scorer(*paths, *text["arguments"])
    assert (again.status, again.out) == (0, done.out)


def test_the_columns_of_the_tasks() -> None:
    """Each column of the tasks has the figures and the signature that it should."""
    settings = ["head/drop/dependent", "partial/drop/dependent", "exact/drop/dependent"]
    settings.append("head/keep/dependent")
    paths = FOLDER / "keys/la_aetheria.conllu.gz", FOLDER / "responses/la_aetheria.fair.conllu.gz"
    (pair,) = (p for p in pairs_of("corefud") if p["name"] == "la_aetheria.fair")
    for setting in settings:
        match, singletons, zeros = setting.split("/")
        chosen = "--match", match, "--singletons", singletons, "--zeros", zeros
        done = run("score", *paths, "--profile", "corefud", *chosen, "-f", "json")
        assert done.status == 0, done.err
        one = json.loads(done.out)
        scores = one["systems"][0]["scores"]
        figures = pair["scores"][setting]
        assert scores["conll"]["f1"] == pytest.approx(figures["conll"], abs=1e-9)
        assert scores["mor"]["counts"] == {s: figures["mor"][s] for s in ("recall", "precision")}
        wanted = {f"match:{match}", f"zeros:{zeros}", f"singletons:{singletons}"}
        assert wanted <= {*one["signature"].split("|")}
        assert [one["key"]["mentions"], one["key"]["entities"]] == figures["key"]


def test_pairs_that_version_1_1_refuses() -> None:
    """Where the two scorers' files differ is where version 1.1 refuses the empty nodes."""
    scored = {pair["name"] for pair in pairs_of("corefud-1.1")}
    # It has no figures for en_gentle.good either, whose nodes are those of the key.
    others = [p for p in pairs_of("corefud") if p["name"] not in scored | {"en_gentle.good"}]
    assert len(others) == 19
    for pair in others:
        with pytest.raises(DataError) as refused:
            corefkit.score(read(pair["key"]), read(pair["response"]), profile="corefud-1.1")
        graver = [i for i in refused.value.incidents if i.severity == "error"]
        assert {incident.id for incident in graver} == {"empty-nodes-differ"}, pair["name"]


def test_pairs_with_other_empty_nodes_that_version_1_1_scores() -> None:
    told = []
    for pair in pairs_of("corefud-1.1"):
        scores = corefkit.score(read(pair["key"]), read(pair["response"]), profile="corefud-1.1")
        told += [pair["name"] for i in scores.incidents if i.id == "empty-nodes-differ"][:1]
    assert len(told) == 12
    assert all(name.startswith("TC-Z") for name in told)
