"""corefkit score --match and -f corefud on the command line."""

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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--setting", "head/drop"], "--setting'; it is match, singletons and zeros: score once"),
        (["--key-is-sample"], "it is -m pairs_sample,bcub_sample,clusters_sample"),
        (["--clusters", "gold"], "--clusters'; write --read clusters=predicted_clusters"),
        (["--lenient"], "write --read lenient=yes"),
        (["--recognise"], "it is what corefkit stats and check say of a corpus"),
        (["-f", "corefud", "-m", "mentions"], "-f corefud prints only"),
        (["-f", "corefud", "--by", "genre"], "-f corefud cannot be combined with --by"),
        (["-f", "corefud", str(KEY)], "-f corefud takes one RESPONSE"),
        (["--profile", "conll-8.01", "--match", "head"], "has no head"),
    ],
)
def test_wrong_command_lines(arguments: list[str], said: str) -> None:
    done = run("score", KEY, RESPONSE, *arguments)
    assert done.status == 2
    assert said in " ".join(done.err.split())


def test_application_scores_see_the_same_pairs(trees: tuple[Path, Path]) -> None:
    """`it` has `The gull` before it; the response says `gull`, the same by its head."""
    found = {}
    for match in ("exact", "head"):
        done = run("score", *trees, "--match", match, "-m", "immediate", "-f", "json")
        assert done.status == 0, done.err
        found[match] = json.loads(done.out)["systems"][0]["scores"]["immediate"]["counts"]
    assert found["exact"] == {"tp": 1, "wl": 1, "fn": 0, "fp": 0}
    assert found["head"] == {"tp": 2, "wl": 0, "fn": 0, "fp": 0}


def test_the_text_of_corefud_with_a_signature() -> None:
    """It says the profile already, so none is added."""
    file = ROOT / "tests" / "fixtures" / "key.conllu"
    done = run("score", file, file, "-f", "json", "--profile", "corefud")
    signature = json.loads(done.out)["signature"]
    one = run("score", file, file, "-f", "corefud", "--signature", signature)
    assert (one.status, one.out) == (0, run("score", file, file, "-f", "corefud").out)
