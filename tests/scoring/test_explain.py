"""Why two scorers differ: the parts add up, and they name what they concern."""

import gzip
import json
import re
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.core.mention_columns import MentionLabels
from corefkit.core.options import Reading
from corefkit.formats.kit import files as loading
from corefkit.formats.kit import reading as reading_module
from corefkit.scorers import PROFILES, scorer_class
from corefkit.scoring.explain import explain
from tests.strategies import some_of
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

KEY, CAREFUL = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"

REPEATED = """\
#begin document (a)
a 0 0 w (1)|(2)
a 0 1 w (1)
a 0 2 w (2)
a 0 3 w (3)
a 0 4 w (PER)
#begin document (b)
b 0 0 w (1)
b 0 1 w (1)
"""
ANSWER = """\
#begin document (a)
a 0 0 w (1)|(4)
a 0 1 w (1)
a 0 2 w (4)
a 0 3 w (3)
a 0 4 w -
#begin document (b)
b 0 0 w (1)
b 0 1 w (1)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("explain")
    (folder / "key.conll").write_text(REPEATED)
    (folder / "answer.conll").write_text(ANSWER)
    return folder / "key.conll", folder / "answer.conll"


@cache
def scored(files: tuple[Path, Path], profile: str, metric: str) -> float:
    """What `score` says of a metric that is asked for alone."""
    return float(corefkit.score(*files, profile=profile, metrics=metric)[metric].f1)


CLASSIC = [n for n in PROFILES if not (n.startswith("corefud") or scorer_class(n).labels)]
"""Those that need no trees and no labels."""
COREFUD = [name for name in PROFILES if name.startswith("corefud")]


TWO_SCORERS = [
    *combinations_with_replacement(CLASSIC, 2),
    *((second, first) for first, second in product(["standard"], CLASSIC[1:] + COREFUD)),
    *product(["standard"], COREFUD[::-1]),
]


@pytest.mark.more
@pytest.mark.parametrize(("first", "second"), some_of(TWO_SCORERS))
def test_parts_add_up(files: tuple[Path, Path], first: str, second: str) -> None:
    found = explain(*files, first, second)
    for metric in found.metrics:
        one, other = (scored(files, profile, metric) for profile in (first, second))
        assert [s[metric].f1 for s in found.scores] == [one, other]
        assert sum(r.effect[metric] for r in found.rules) == pytest.approx(other - one, abs=1e-12)
    assert bool(found.rules) == (first != second)


def test_one_rule_takes_all() -> None:
    found = explain(KEY, CAREFUL, "standard", "e2e")
    rule, copies = found.rules
    assert (copies.policy, copies.documents, set(copies.effect.values())) == ("scorer", (), {0.0})
    assert (rule.policy, rule.values) == ("singletons", ("keep", "e2e"))
    assert rule.effect["conll"] == pytest.approx(found.scores[1].conll - found.scores[0].conll)
    assert rule.effect["muc"] == 0
    singletons = 53 + 40
    assert len(rule.mentions) + rule.more_mentions == singletons


def test_what_a_rule_concerns(files: tuple[Path, Path]) -> None:
    rules = {r.policy: r for r in explain(*files, "standard", "conll-8.01").rules}
    assert rules.keys() == {"scorer", "lengths", "ids"}
    assert rules["scorer"].documents == ("(a)",)
    (seen,) = rules["ids"].mentions
    assert (seen.side, seen.entity, seen.line) == ("key", "PER", 6)
    assert seen.file == str(files[0])
    copies = rules["scorer"].mentions
    assert [(m.side, m.start, m.entity, m.line) for m in copies] == [("key", 0, "2", 2)]
    assert not rules["lengths"].documents


def test_command(files: tuple[Path, Path]) -> None:
    profiles = ("--profile", "standard", "--profile", "coval")
    text = run("explain", *files, *profiles)
    assert text.status == 0
    assert "scorer: standard → coval" in text.out
    report = json.loads(run("explain", *files, *profiles, "-f", "json").out)
    assert [p["profile"] for p in report["profiles"]] == ["standard", "coval"]
    assert "profile:coval" in report["profiles"][1]["signature"]
    assert report["rules"][0]["mentions"][0]["file"] == str(files[0])


def test_command_refuses(files: tuple[Path, Path], tmp_path: Path) -> None:
    assert run("explain", *files).status == 2
    assert run("explain", *files, "--profile", "standard").status == 2
    wrong = ("--profile", "standard", "--profile", "e2e", "-m", "blanc")
    assert run("explain", *files, *wrong).status == 2
    two = ("--profile", "standard", "--profile", "e2e")
    result = run("explain", *files[:1], tmp_path / "nothing", *two)
    assert result.status == 1
    assert "[file-unreadable]" in result.err
    with pytest.raises(UsageError):
        explain(*files, "standard", "mine")


def test_a_profile_that_refuses(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("#begin document a\na 0 0 w (1)\n")
    (tmp_path / "response").write_text("#begin document a\na 0 0 w (1)\na 0 1 w -\n")
    with pytest.raises(DataError, match="length-differs"):
        explain(tmp_path / "key", tmp_path / "response", "standard", "conll-8.01")


@needs_conformance
@pytest.mark.more
def test_ontonotes(tmp_path: Path) -> None:
    repeated = "(tc/ch/00/ch_0050); part 000"
    sides = []
    for name in ("key", "response-good"):
        packed = (CONFORMANCE / "ontonotes-dev" / f"{name}.conll.gz").read_bytes()
        documents = re.split(r"(?m)^(?=#begin)", gzip.decompress(packed).decode())[1:]
        (one,) = (document for document in documents if repeated in document)
        some = [document for document in some_of(documents, 4) if document != one]
        sides.append(tmp_path / f"{name}.conll")
        sides[-1].write_text("".join([*some, one]))
    found = explain(sides[0], sides[1], "standard", "conll-8.01")
    rules = {r.policy: r for r in found.rules}
    assert rules["scorer"].documents == (repeated,)
    for metric in found.metrics:
        difference = found.scores[1][metric].f1 - found.scores[0][metric].f1
        assert rules["scorer"].effect[metric] == pytest.approx(difference, abs=1e-12)


def test_each_file_is_read_once(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many mixtures of policies are scored; it is parsed once for each reading of ids."""
    read: list[str] = []
    parsed: list[str] = []
    real = loading._read

    def count(name: str, most: int) -> bytes:
        read.append(name)
        return real(name, most)

    def read_all(source: Path, reading: Reading, loaded: dict[str, bytes]) -> Corpus:
        parsed.append(f"{source.name} {reading.ids}")
        return reading_module.read_all(source, reading, loaded)

    monkeypatch.setattr(loading, "_read", count)
    monkeypatch.setattr("corefkit.scoring.explain.read_all", read_all)
    explain(*files, "standard", "conll-8.01")
    assert sorted(read) == sorted(map(str, files))
    names = "answer.conll", "key.conll"
    assert sorted(parsed) == [f"{name} {ids}" for name in names for ids in ("any", "digits")]


def test_documents_that_only_one_profile_scores() -> None:
    """`hasty.conll` lacks a document, which one of the profiles leaves out."""
    (lacking,) = {*corefkit.read(KEY).names} - {*corefkit.read(EXAMPLES / "hasty.conll").names}
    found = explain(KEY, EXAMPLES / "hasty.conll", "arrau", "coval", "muc")
    rules = {rule.policy: rule for rule in found.rules}
    assert rules["documents"].documents == (lacking,)
    there = corefkit.read(KEY).only(lacking).mentions
    assert len(rules["documents"].mentions) + rules["documents"].more_mentions == there
    assert {(m.side, m.document) for m in rules["documents"].mentions} == {("key", lacking)}
    difference = found.scores[1]["muc"].f1 - found.scores[0]["muc"].f1
    assert sum(rule.effect["muc"] for rule in found.rules) == pytest.approx(difference, abs=1e-15)


@pytest.mark.parametrize("profiles", [("standard", "e2e"), ("e2e", "standard")])
def test_split_antecedents_that_only_one_profile_counts(profiles: tuple[str, str]) -> None:
    picnic = EXAMPLES / "picnic.conllua", EXAMPLES / "picnic-system.conllua"
    found = explain(*picnic, *profiles, "bcub")
    assert sum("bcub.split" in scores.counts.tables for scores in found.scores) == 1
    documents = {rule.policy: rule.documents for rule in found.rules}
    assert documents == {"singletons": ("picnic",), "scorer": ()}


def test_answers_to_gap(tmp_path: Path) -> None:
    """They are given the places of the key once for each score."""
    names = ("Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref")
    head = ["ID", "Text", *names, "URL"]
    text = "Nora met Lena before her talk had begun."
    row = ["one", text, "her", "21", "Nora", "0", "TRUE", "Lena", "9", "FALSE", "-"]
    (tmp_path / "key.tsv").write_text("\t".join(head) + "\n" + "\t".join(row) + "\n")
    (tmp_path / "answers.tsv").write_text("one\tTRUE\tTRUE\n")
    files = tmp_path / "key.tsv", tmp_path / "answers.tsv"
    found = explain(*files, "standard", "e2e", "muc,bcub")
    for metric, (one, other) in {
        m: [corefkit.score(*files, profile=p, metrics=m)[m].f1 for p in ("standard", "e2e")]
        for m in found.metrics
    }.items():
        assert [scores[metric].f1 for scores in found.scores] == [one, other]
    (rule,) = (rule for rule in found.rules if rule.policy == "singletons")
    assert [(m.side, m.start) for m in rule.mentions] == [("key", 9)]


def test_labels_go_with_the_scorer_that_compares_them() -> None:
    """A mention of another type is lost by the scorer of that task, whatever `lengths` says."""
    key, response = (
        replace(
            Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]}),
            mention_labels=MentionLabels.of({"type": types}),
        )
        for types in (["A", "A"], ["A", "B"])
    )
    explanation = explain(key, response, "standard", "kbp", "mentions")
    assert [score["mentions"].f1 for score in explanation.scores] == [1.0, 0.5]
    effects = {rule.policy: rule.effect["mentions"] for rule in explanation.rules}
    assert effects == {"scorer": -0.5, "lengths": 0.0}
