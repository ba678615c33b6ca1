"""Anaphora beyond chains: every figure of the conformance data for CoNLL-UA files."""

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import make_reading
from corefkit.metrics.base import Score
from corefkit.scorers.ua import linear
from tests.strategies import TIMES
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
FOLDER = CONFORMANCE / "anaphora"
GROUPS = ("micro", "ua-tests", "pairs")
OTHER_WORDS = {f"ua-tests/zeros/TC-ZA-{number}.response" for number in (3, 4, 5)}
"""Responses with other words than their key. Profile `ua` refuses them (ANAPHORA 12), as the
command line of the scorer does; the figures are of the scorer as a library, which compares none."""


@cache
def expected() -> dict[str, Any]:
    path = FOLDER / "expected.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found


@cache
def read(path: str, layer: str) -> Corpus:
    return corefkit.read(FOLDER / path, layer=layer)


def near(found: Any, wanted: Any) -> bool:
    """As `pytest.approx`, which takes longer than the scores of a small pair."""
    if isinstance(wanted, (list, tuple)):
        return len(found) == len(wanted) and all(map(near, found, wanted))
    return bool(abs(found - wanted) <= max(1e-9, 1e-9 * abs(wanted)))


def differs(name: str, score: Score, wanted: dict[str, Any]) -> list[Any]:
    """What of a metric is not as it should be."""
    if name == "conll":
        return [] if near(score.f1, wanted["f1"]) else [score.f1]
    if name == "bridging":
        assert score.levels is not None
        return [level for level in wanted if score.levels[level].counts != wanted[level]]
    if name == "nonreferring":
        return [] if score.counts == wanted else [score.counts]
    if name == "blanc":
        wrong = [v for v in ("recall", "precision", "f1") if not near(getattr(score, v), wanted[v])]
        for kind in ("coreference", "noncoreference"):
            split = score.split.counts[kind] if score.split else None
            wrong += _ratios(score.counts[kind], split, wanted[kind])
        return wrong
    return _ratios(score.counts, score.split.counts if score.split else None, wanted)


def _ratios(found: Any, split: Any, wanted: dict[str, Any]) -> list[Any]:
    wrong = [side for side in ("recall", "precision") if not near(found[side], wanted[side])]
    if "split" in wanted:
        assert split is not None
        wrong += [s for s in ("recall", "precision") if not near(split[s], wanted["split"][s])]
    return wrong


def runs(profile: str) -> list[Any]:
    found = []
    for group in GROUPS:
        for name, pair in expected().get(group, {}).items():
            for run in pair["runs"]:
                by = run["settings"]["profile"]
                if by == profile or (profile == "standard" and by != "ua-1"):
                    label = f"{group}/{name}/{run['name']}"
                    found.append(pytest.param(pair, run, id=label))
    return found


def check(pair: dict[str, Any], run: dict[str, Any], profile: str) -> None:
    settings: dict[str, Any] = {**run["settings"]}
    by = settings.pop("profile")
    wanted = {**run["scores"]}
    if profile == "standard" and by == "ua":
        wanted = {**wanted, **run.get("standard", {})}
        wanted.pop("mor", None)
    settings["match"] = "min" if settings["match"] == "min-1" else settings["match"]
    key, response = (read(pair[side], settings["layer"]) for side in ("key", "response"))
    if profile == "ua" and pair["response"] in OTHER_WORDS:
        with pytest.raises(corefkit.DataError, match="words-differ"):
            corefkit.score(key, response, [*wanted], profile, **settings)
        settings["lax"] = True
    scores = corefkit.score(key, response, [*wanted], profile, **settings)
    wrong = {name: differs(name, scores[name], figures) for name, figures in wanted.items()}
    assert not {name: found for name, found in wrong.items() if found}


def some_runs(profile: str) -> list[Any]:
    """Each run of a large pair by one of the two profiles; by both in `make oracles`."""
    found = runs(profile)
    large = [run for run in found if str(run.id).startswith("pairs/")]
    left_out = large[("standard", "ua").index(profile) :: 2] if TIMES == 1 else []
    return [run for run in found if run not in left_out]


@pytest.mark.more
@pytest.mark.parametrize(("pair", "run"), some_runs("standard"))
def test_standard(pair: dict[str, Any], run: dict[str, Any]) -> None:
    check(pair, run, "standard")


@pytest.mark.more
@pytest.mark.parametrize(("pair", "run"), some_runs("ua"))
def test_ua(pair: dict[str, Any], run: dict[str, Any]) -> None:
    check(pair, run, "ua")


@pytest.mark.parametrize(("pair", "run"), runs("ua-1"))
def test_ua_1(pair: dict[str, Any], run: dict[str, Any]) -> None:
    check(pair, run, "ua-1")


def test_no_run_is_forgotten() -> None:
    assert [len(expected()[group]) for group in GROUPS] == [71, 69, 7]
    assert [len(runs(profile)) for profile in ("standard", "ua", "ua-1")] == [325, 319, 21]


@pytest.mark.parametrize("name", ["gumzero.key.conllua.gz", "gumzero.fair.conllua.gz"])
def test_in_ua_1_zeros_are_tokens(name: str, tmp_path: Path) -> None:
    """A file reads as one in which the rows of zeros are rows of tokens."""
    text = gzip.decompress((FOLDER / name).read_bytes()).decode()
    plain = tmp_path / "plain.conllua"
    plain.write_text(re.sub(r"^(\d+)\.(\d+)\t", r"\g<1>\g<2>\t", text, flags=re.MULTILINE))
    found, wanted = linear(read(name, "identity")), linear(corefkit.read(plain))
    assert (read(name, "identity").zero is not None, wanted.zero) == (True, None)
    columns = ("document", "start", "end", "entity")
    for one, other in ((getattr(c, column) for c in (found, wanted)) for column in columns):
        assert one.tolist() == other.tolist()
    scores = corefkit.score(FOLDER / name, FOLDER / name, "conll,bridging", "ua-1")
    assert scores["conll"].f1 == scores["bridging"].f1 == 1.0


def content(corpus: Corpus) -> list[Any]:
    """All that a corpus says."""
    columns = [corpus.start, corpus.end, corpus.entity, corpus.minimum, corpus.zero]
    links = corpus.links
    return [
        corpus.names,
        corpus.labels,
        corpus.tokens.tolist(),
        [None if column is None else column.tolist() for column in columns],
        None if corpus.referring is None else corpus.referring.tolist(),
        list(corpus.nodes or ()),
        [] if links is None else [links.kind.tolist(), links.source.tolist()],
        [] if links is None else [links.target.tolist(), links.label],
        corpus.column("word"),
    ]


@pytest.mark.parametrize("layer", ["identity", "deixis"])
def test_variants(layer: str) -> None:
    for base, others in expected()["variants"].items():
        wanted = content(read(base, layer))
        for other in others:
            assert content(read(other, layer)) == wanted, other


@pytest.mark.parametrize("bad", expected().get("bad", []), ids=lambda bad: bad["file"])
def test_bad(bad: dict[str, Any]) -> None:
    path = FOLDER / bad["file"]
    named: dict[str, Any] = {"format": "conllua"} if "conll-2012" in bad["file"] else {}
    found = list(read_all(path, make_reading(**named)).incidents)
    if bad["then"] == "refused" and bad["incident"] != "length-differs":
        assert [i.id for i in found if i.severity == "error"] == [bad["incident"]]
    else:
        try:
            scores = corefkit.score(FOLDER / bad["key"], path)
            assert bad["then"] != "refused"
            found = list(scores.incidents)
            if bad["incident"] == "words-differ":
                found += corefkit.check(path, against=FOLDER / bad["key"])
        except corefkit.DataError as error:
            found = list(error.incidents)
            grave = [i.id for i in found if i.severity == "error"]
            # Scored as empty if there were another document: of one the response has nothing at
            # all, and no document in common is an error, not zeros.
            nothing = bad["incident"] == "document-missing"
            assert grave == ["no-common-document" if nothing else bad["incident"]]
    (incident,) = (i for i in found if i.id == bad["incident"])
    assert incident.severity == bad["severity"]
    if bad["line"] is not None:
        assert incident.line == bad["line"]


def test_facts() -> None:
    """What the README of the data counts."""
    outside, plurals = {}, {}
    for name in ("light", "ami", "gum"):
        corpus = read(f"{name}.key.conllua.gz", "identity")
        outside[name] = sum(i.count for i in corpus.incidents if i.id == "min-outside")
    for layer in ("identity", "deixis"):
        links = read("light.key.conllua.gz", layer).links
        assert links is not None
        element = links.kind == 3
        plurals[layer] = len(np.unique(links.source[element])), int(element.sum())
    assert outside == {"light": 2096, "ami": 39, "gum": 0}
    assert plurals == {"identity": (29, 62), "deixis": (19, 42)}


def test_a_missing_document_is_empty_where_there_is_another(tmp_path: Path) -> None:
    """What bad/document-missing is to show, with one more document that both sides have."""
    texts = [(FOLDER / f"bad/{name}.conllua").read_text() for name in ("key", "document-missing")]
    more = texts[0].replace("id = bad", "id = more").partition("\n")[2]
    sides = [tmp_path / "key.conllua", tmp_path / "response.conllua"]
    for side, text in zip(sides, texts, strict=True):
        side.write_text(f"{text}\n{more}")
    scores = corefkit.score(sides[0], sides[1], "mentions,conll")
    assert {"document-missing", "document-extra"} == {i.id for i in scores.incidents}
    alone = corefkit.score(FOLDER / "bad/key.conllua", FOLDER / "bad/key.conllua", "mentions")
    found, whole = scores["mentions"].counts["recall"]
    assert [2 * found, whole] == [2 * alone["mentions"].counts["recall"][0], 2 * found]
    assert scores.by("document")["bad"]["conll"].f1 == 0.0
