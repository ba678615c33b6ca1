"""Why two scorers differ: the parts add up, and they name what they concern."""

import json
from itertools import product
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError, UsageError
from corefkit.formats import files as loading
from corefkit.profiles import PROFILES
from corefkit.scoring.explain import explain
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


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "key.conll").write_text(REPEATED)
    (tmp_path / "answer.conll").write_text(ANSWER)
    return tmp_path / "key.conll", tmp_path / "answer.conll"


CLASSIC = [name for name in PROFILES if not name.startswith("corefud")]
COREFUD = [name for name in PROFILES if name.startswith("corefud")]


@pytest.mark.parametrize(
    ("first", "second"),
    [*product(CLASSIC, CLASSIC), *product(["standard"], COREFUD), *product(COREFUD, ["standard"])],
)
def test_parts_add_up(files: tuple[Path, Path], first: str, second: str) -> None:
    found = explain(*files, first, second)
    for metric in found.metrics:
        one, other = (
            corefkit.score(*files, profile=p, metrics=metric)[metric].f1 for p in (first, second)
        )
        assert [s[metric].f1 for s in found.scores] == [one, other]
        assert sum(r.effect[metric] for r in found.rules) == pytest.approx(other - one, abs=1e-12)
    assert bool(found.rules) == (first != second)


def test_one_rule_takes_all() -> None:
    found = explain(KEY, CAREFUL, "standard", "e2e")
    (rule,) = found.rules
    assert (rule.policy, rule.values) == ("singletons", ("keep", "e2e"))
    assert rule.effect["conll"] == pytest.approx(found.scores[1].conll - found.scores[0].conll)
    assert rule.effect["muc"] == 0
    singletons = 53 + 40
    assert len(rule.mentions) + rule.more_mentions == singletons


def test_what_a_rule_concerns(files: tuple[Path, Path]) -> None:
    rules = {r.policy: r for r in explain(*files, "standard", "conll-8.01").rules}
    assert rules.keys() == {"duplicates", "lengths", "ids"}
    assert rules["duplicates"].documents == ("(a)",)
    (seen,) = rules["ids"].mentions
    assert (seen.side, seen.entity, seen.line) == ("key", "PER", 6)
    assert seen.file == str(files[0])
    copies = rules["duplicates"].mentions
    assert [(m.side, m.start, m.entity, m.line) for m in copies] == [("key", 0, "2", 2)]
    assert not rules["lengths"].documents


def test_command(files: tuple[Path, Path]) -> None:
    profiles = ("--profile", "standard", "--profile", "coval")
    text = run("explain", *files, *profiles)
    assert text.status == 0
    assert "duplicates: first → coval" in text.out
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
def test_ontonotes() -> None:
    folder = CONFORMANCE / "ontonotes-dev"
    found = explain(
        folder / "key.conll.gz", folder / "response-good.conll.gz", "standard", "conll-8.01"
    )
    rules = {r.policy: r for r in found.rules}
    assert rules["duplicates"].documents == ("(tc/ch/00/ch_0050); part 000",)
    for metric in found.metrics:
        difference = found.scores[1][metric].f1 - found.scores[0][metric].f1
        assert rules["duplicates"].effect[metric] == pytest.approx(difference, abs=1e-12)


def test_each_file_is_read_once(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many mixtures of policies are scored, and however ids are read."""
    read: list[str] = []
    real = loading._read

    def count(name: str) -> bytes:
        read.append(name)
        return real(name)

    monkeypatch.setattr(loading, "_read", count)
    explain(*files, "standard", "conll-8.01")
    assert sorted(read) == sorted(map(str, files))
