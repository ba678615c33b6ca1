"""corefkit score --setting, --match and -f corefud on the command line."""

import json
from pathlib import Path

import pytest

from tests.support import EXAMPLES, ROOT, run

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"

TREE = """\
#begin document (a); part 000
a 0 0 The  DT (NP*   (1
a 0 1 gull NN *)     1)
a 0 2 sees VB *      -
a 0 3 it   PRP (NP*) (1)

a 0 0 Big  JJ (NP*   (2
a 0 1 fish NN *)     2)
a 0 2 flee VB *      -
a 0 3 them PRP (NP*) (2)
"""


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """A key with trees, and a response without that has heads only."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(TREE)
    shorter = TREE.replace("(1\n", "-\n").replace(" 1)\n", " (1)\n")
    response.write_text("\n".join(_without_trees(line) for line in shorter.split("\n")))
    return key, response


def _without_trees(line: str) -> str:
    columns = line.split()
    return line if len(columns) < 7 else " ".join((*columns[:4], columns[-1]))


def test_heads_from_the_trees_of_the_key(trees: tuple[Path, Path]) -> None:
    """The response says `gull` for `The gull`; by its head it is the same mention."""
    found = {}
    for match in ("exact", "partial", "head"):
        done = run("score", *trees, "--match", match, "-m", "mentions", "-f", "json")
        assert done.status == 0, done.err
        counts = json.loads(done.out)["systems"][0]["scores"]["mentions"]["counts"]
        found[match] = counts["recall"]
    assert found == {"exact": [3, 4], "partial": [4, 4], "head": [4, 4]}


def test_without_heads_there_is_a_clear_refusal(trees: tuple[Path, Path]) -> None:
    _, response = trees
    done = run("score", response, response, "--match", "head")
    assert done.status == 1
    assert "[head-unknown]" in done.err


def test_a_setting_is_what_its_options_are() -> None:
    one = run("score", KEY, RESPONSE, "--setting", "exact/drop", "-f", "tsv")
    other = run("score", KEY, RESPONSE, "--singletons", "drop", "-f", "tsv")
    assert [line.partition("\t")[2] for line in one.out.splitlines()] == other.out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--setting", "nose/drop"], "setting: match: unknown value 'nose'"),
        (["--setting", "head/drop/linear/x"], "is not of the form match/singletons/zeros"),
        (["--setting", "exact", "-f", "conll"], "-f conll cannot be combined with --setting"),
        (["-f", "corefud", "-m", "mentions"], "-f corefud prints only"),
        (["-f", "corefud", "--by", "genre"], "-f corefud cannot be combined with --by"),
        (["-f", "corefud", str(KEY)], "-f corefud takes one RESPONSE"),
        (["--profile", "conll-8.01", "--match", "head"], "has no head"),
    ],
)
def test_wrong_command_lines(arguments: list[str], said: str) -> None:
    done = run("score", KEY, RESPONSE, *arguments)
    assert done.status == 2
    assert said in done.err


def test_application_scores_see_the_same_pairs(trees: tuple[Path, Path]) -> None:
    """`it` has `The gull` before it; the response says `gull`, the same by its head."""
    found = {}
    for match in ("exact", "head"):
        done = run("score", *trees, "--match", match, "-m", "immediate", "-f", "json")
        assert done.status == 0, done.err
        found[match] = json.loads(done.out)["systems"][0]["scores"]["immediate"]["counts"]
    assert found["exact"] == {"tp": 1, "wl": 1, "fn": 0, "fp": 0}
    assert found["head"] == {"tp": 2, "wl": 0, "fn": 0, "fp": 0}


def test_a_broken_response_among_settings(tmp_path: Path) -> None:
    """SPEC 7: the others are scored, it has no scores, and the exit status is 1."""
    broken = tmp_path / "broken.conll"
    broken.write_text(KEY.read_text(encoding="utf-8") + "#begin document x\ny (1\n")
    settings = ("--setting", "exact/drop", "--setting", "exact/keep", "-m", "muc")
    assert run("score", KEY, RESPONSE, *settings).status == 0
    for responses in ((broken,), (RESPONSE, broken), (broken, RESPONSE)):
        done = run("score", KEY, *responses, *settings, "-f", "json")
        assert done.status == 1
        assert "[bracket-unclosed]" in done.err
        for report in json.loads(done.out)["settings"]:
            unscored = [s["name"] for s in report["systems"] if s["scores"] is None]
            assert unscored == ["broken"]
            assert len(report["systems"]) == len(responses)


@pytest.mark.parametrize(
    ("form", "heading"),
    [("text", "setting: {}"), ("markdown", "### {}"), ("latex", "% setting: {}")],
)
def test_settings_stand_above_their_tables(form: str, heading: str) -> None:
    """Each table is the one that the options of its setting give."""
    names = ("exact/drop", "exact/keep")
    settings = [part for name in names for part in ("--setting", name)]
    done = run("score", KEY, RESPONSE, "-m", "bcub", "-f", form, *settings)
    tables = [
        run("score", KEY, RESPONSE, "-m", "bcub", "-f", form, "--singletons", value).out
        for value in ("drop", "keep")
    ]
    assert tables[0] != tables[1]
    for name, table in zip(names, tables, strict=True):
        _, found, rest = done.out.partition(heading.format(name) + "\n")
        assert found
        assert rest.lstrip("\n").startswith(table)


def test_the_text_of_corefud_with_a_signature() -> None:
    """It says the profile already, so none is added."""
    file = ROOT / "tests" / "fixtures" / "key.conllu"
    done = run("score", file, file, "-f", "json", "--profile", "corefud")
    signature = json.loads(done.out)["signature"]
    one = run("score", file, file, "-f", "corefud", "--signature", signature)
    assert (one.status, one.out) == (0, run("score", file, file, "-f", "corefud").out)
