"""The profile arrau against its oracle, and its rule of matching in other places."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus
from corefkit.core.options import PLAIN
from corefkit.formats.arrau import parse
from corefkit.scorers import make_options
from corefkit.scoring.run import score_systems
from tests.oracle import arrau as oracle
from tests.oracle.arrau import Mention, Side, agree
from tests.strategies import examples
from tests.support import run

SIZE = 8


@st.composite
def mentions(draw: st.DrawFn) -> Mention:
    start, end = sorted((draw(st.integers(1, SIZE)), draw(st.integers(1, SIZE))))
    first, last = sorted((draw(st.integers(1, SIZE)), draw(st.integers(start, SIZE))))
    return Mention(start, end, draw(st.sampled_from([None, (first, last)])))


sides = st.lists(st.lists(mentions(), min_size=1, max_size=3), max_size=4)


def listed(side: Side) -> list[list[Mention]]:
    """The entities, and the mentions in them, in the order in which a file begins them."""
    pairs = [(m, number) for number, entity in enumerate(side) for m in entity]
    order: dict[int, list[Mention]] = {}
    for mention, number in sorted(pairs, key=lambda pair: pair[0].start):
        order.setdefault(number, []).append(mention)
    return list(order.values())


def arrau(side: Side) -> bytes:
    marks: list[list[tuple[str, str]]] = [[] for _ in range(SIZE + 1)]
    pairs = [(m, number) for number, entity in enumerate(side) for m in entity]
    for name, (mention, number) in enumerate(sorted(pairs, key=lambda pair: pair[0].start)):
        minimum = "_" if mention.minimum is None else "word_{}..word_{}".format(*mention.minimum)
        for token in range(mention.start, mention.end + 1):
            letter = "B" if token == mention.start else "I"
            marks[token].append((f"{letter}-markable_{name}=set_{number}", minimum))
    rows = ["TOKEN MARKABLE MIN_WORDS REFERENCE"]
    for row in marks[1:]:
        cells = ["@".join(cell) for cell in zip(*row, strict=True)]
        rows.append(" ".join(["w", *cells, "@".join("new" for _ in row)]))
    return "\n".join(rows).encode()


@examples(40)
@given(sides, sides)
def test_counts_are_those_of_the_oracle(ours: Side, theirs: Side) -> None:
    key, response = (parse(arrau(side), "tale.CONLL", PLAIN) for side in (ours, theirs))
    one, other = listed(ours), listed(theirs)
    options = make_options("muc,bcub,ceafe,lea", "arrau", match="min")
    report = score_systems(key, [response], replace(options, lengths="ignore"))
    (scores,) = report.scores.values()
    for name, count in (("muc", oracle.muc), ("bcub", oracle.bcub), ("lea", oracle.lea)):
        recall = count(one, other, agree)
        precision = count(other, one, lambda r, k: agree(k, r))
        found = scores[name].counts
        assert found["recall"] == pytest.approx(floats(recall)), name
        assert found["precision"] == pytest.approx(floats(precision)), name
    likeness = float(oracle.ceafe(one, other))
    found = scores["ceafe"].counts
    assert found["recall"] == pytest.approx([likeness, len(one)])
    assert found["precision"] == pytest.approx([likeness, len(other)])


FILE = """\
TOKEN\tMARKABLE\tMIN_WORDS\tREFERENCE
the\tB-markable_1=set_1\tword_2\tnew
owner\tI-markable_1=set_1@B-markable_2=set_2\tword_2@word_2\tnew@non_referring
slept

he\tB-markable_3=set_1\tword_4\told
"""


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "tale.CONLL"
    path.write_text(FILE)
    corpus = corefkit.read(path)
    assert corpus.names == ("tale",)
    assert corpus.tokens.tolist() == [4]
    assert corpus.clusters() == {"tale": [[(0, 1), (3, 3)], [(1, 1)]]}
    assert corpus.minimum is not None
    assert corpus.minimum.tolist() == [[1, 1], [1, 1], [3, 3]]
    assert corpus.referring is not None
    assert corpus.referring.tolist() == [True, False, True]
    assert json.loads(run("stats", path, "-f", "json").out)["tokens"] == 4
    done = run("stats", path, "--minimum")
    assert (done.status, "[column-missing]" in done.err) == (1, True)
    assert corpus.column("word") == ["the", "owner", "slept", "he"]


@pytest.mark.parametrize(
    ("old", "new", "incident"),
    [
        ("B-markable_1", "I-markable_1", "bracket-unopened"),
        ("B-markable_1=", "B-markable_1", "annotation-shape"),
        ("I-markable_1=set_1", "I-markable_1=set_2", "markable-in-two-entities"),
        ("\tword_2\tnew\n", "\tword_3\tnew\n", "min-outside"),
    ],
)
def test_what_is_wrong(old: str, new: str, incident: str, tmp_path: Path) -> None:
    path = tmp_path / "tale.CONLL"
    path.write_text(FILE.replace(old, new, 1))
    done = run("check", path)
    assert f"[{incident}]" in done.out + done.err
    assert done.status == (0 if incident.startswith("min") else 1)


def test_min_is_for_this_profile(tmp_path: Path) -> None:
    path = tmp_path / "tale.CONLL"
    path.write_text(FILE)
    done = run("score", path, path, "--match", "min")
    assert (done.status, "profile arrau" in done.err) == (2, True)
    assert run("score", path, path, "--match", "min", "--profile", "arrau").status == 0
    assert run("score", path, path, "--profile", "arrau", "-m", "ceafm").status == 2


def test_documents_that_the_response_lacks_are_skipped(tmp_path: Path) -> None:
    for name in ("key/a.CONLL", "key/b.CONLL", "response/a.CONLL"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(FILE)
    sides = [tmp_path / name for name in ("key", "response")]
    assert corefkit.score(sides[0], sides[1], "muc", "arrau")["muc"].counts["recall"] == [1, 1]
    empty = corefkit.score(sides[0], sides[1], "muc", "arrau", lax=True)
    assert empty["muc"].counts["recall"] == [1, 2]


def floats(ratio: oracle.Ratio) -> list[float]:
    return [float(number) for number in ratio]


def test_a_mention_belongs_to_the_first_entity_with_one_that_agrees() -> None:
    """One mention agrees with those of two entities, and its neighbour is in the second of them."""
    minimum = np.array([[2, 2], [-1, -1], [2, 2], [-1, -1]])
    two = {"d": [[(0, 4), (10, 10)], [(0, 5), (11, 11)]]}
    one = {"d": [[(1, 3), (11, 11)]]}
    key = replace(Corpus.from_clusters(two), minimum=minimum)
    counts = corefkit.score(key, Corpus.from_clusters(one), "muc", profile="arrau", match="min")[
        "muc"
    ].counts
    assert counts == {"recall": [1, 2], "precision": [0, 1]}
    key = replace(Corpus.from_clusters({"d": [[(0, 4), (11, 11)]]}), minimum=minimum[:2])
    response = Corpus.from_clusters({"d": [[(1, 3), (10, 10)], [(2, 2), (11, 11)]]})
    counts = corefkit.score(key, response, "muc", profile="arrau", match="min")["muc"].counts
    assert counts == {"recall": [0, 1], "precision": [1, 2]}
