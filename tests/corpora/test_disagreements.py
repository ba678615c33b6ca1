"""Disagreements: what kind, and why."""

import csv
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.brackets import find_spans
from corefkit.core.columns import Column
from corefkit.corpora.disagreements import read_labels
from corefkit.corpora.syntax import innermost
from tests.corpora.samples import conll
from tests.support import EXAMPLES, run

SENTENCE = [
    ("Ana", "NNP", "(TOP(S(NP(NP*"),
    ("Lee", "NNP", "*)"),
    (",", ",", "*"),
    ("the", "DT", "(NP*"),
    ("mayor", "NN", "*)"),
    (",", ",", "*)"),
    ("is", "VBZ", "(VP*"),
    ("a", "DT", "(NP*"),
    ("pilot", "NN", "*)"),
    ("who", "WP", "(SBAR*"),
    ("flew", "VBD", "(VP*"),
    ("her", "PRP$", "(NP*"),
    ("Boeing", "NNP", "(NML*)"),
    ("jet", "NN", "*))))"),
    (".", ".", "*))"),
]
"""Ana Lee , the mayor , is a pilot who flew her Boeing jet ."""


def listed(tmp_path: Path, one: dict[int, str], other: dict[int, str]) -> list[dict[str, str]]:
    """The disagreements of two annotations of the sentence, given by their cells."""
    for name, cells in (("a", one), ("b", other)):
        lines = [
            f"{word} {tag} {bit} - - - - * {cells.get(i, '-')}"
            for i, (word, tag, bit) in enumerate(SENTENCE)
        ]
        (tmp_path / f"{name}.conll").write_bytes(conll(lines))
    out = tmp_path / "out.tsv"
    result = run("agree", tmp_path / "a.conll", tmp_path / "b.conll", "--disagreements", out)
    assert result.status == 0, result.err
    text = out.read_text(encoding="utf-8")
    return list(csv.DictReader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize(
    ("one", "other", "kind", "suggested", "mention"),
    [
        ({10: "(1)"}, {}, "mention in one only", "verb", "flew"),
        ({}, {11: "(1)"}, "mention in one only", "possessive", "her"),
        ({12: "(1)"}, {}, "mention in one only", "pre-modifier", "Boeing"),
        ({3: "(1", 4: "1)"}, {}, "mention in one only", "appositive", "the mayor"),
        ({7: "(1", 8: "1)"}, {}, "mention in one only", "copula", "a pilot"),
        ({0: "(1", 5: "1)"}, {}, "mention in one only", "copula", "Ana Lee , the mayor ,"),
        ({11: "(1", 13: "1)"}, {}, "mention in one only", "mention in one only", "her Boeing jet"),
        ({7: "(1", 8: "1)"}, {8: "(4)"}, "boundary", "boundary", "a pilot"),
        ({0: "(1", 5: "1)"}, {0: "(1", 1: "1)"}, "boundary", "appositive", "Ana Lee , the mayor ,"),
        ({0: "(1", 1: "1)", 11: "(1)"}, {0: "(1", 1: "1)", 11: "(2)"}, "chain",
         "pronoun without antecedent", "her"),
        ({0: "(1)", 1: "(2)", 13: "(1)"}, {0: "(1)", 1: "(2)", 13: "(2)"}, "chain", "chain", "jet"),
    ],
)  # fmt: skip
def test_suggestions(  # noqa: PLR0917
    tmp_path: Path,
    one: dict[int, str],
    other: dict[int, str],
    kind: str,
    suggested: str,
    mention: str,
) -> None:
    (row,) = listed(tmp_path, one, other)
    assert (row["kind"], row["suggested"], row["mention"]) == (kind, suggested, mention)
    assert f"[ {mention} ]" in row["context"]
    assert row["label"] == ""
    assert (row["sentence"], row["document"]) == ("1", "(nw/a/00/a_0001); part 000")
    swapped = listed(tmp_path, other, one)
    assert [r["suggested"] for r in swapped] == [suggested]


def test_nothing_to_tell(tmp_path: Path) -> None:
    cells = {0: "(1", 1: "1)", 11: "(1)"}
    assert listed(tmp_path, cells, cells) == []


def test_one_merge_is_one_disagreement(tmp_path: Path) -> None:
    one = {0: "(1)", 3: "(2)", 7: "(1)", 11: "(2)"}
    other = {0: "(1)", 3: "(1)", 7: "(1)", 11: "(1)"}
    (row,) = listed(tmp_path, one, other)
    assert (row["mention"], row["in_a"], row["in_b"]) == ("the", "2: first", "1: ← Ana")


def test_behind_the_end_of_the_shorter_document(tmp_path: Path) -> None:
    """Documents that are longer in one file are shown with the words of that file."""
    short = "#begin document ({0}); part 000\n{0} 0 0 {0}0 NN (1)\n{0} 0 1 {0}1 NN (1)\n\n"
    long = short.replace("1 NN (1)\n\n", "1 NN -\n{0} 0 2 {0}2 NN (1)\n\n")
    end = "#end document\n"
    one, other, out = (tmp_path / name for name in ("one.conll", "other.conll", "out.tsv"))
    one.write_text(short.format("x") + end + long.format("y") + end, encoding="utf-8")
    other.write_text(long.format("x") + end + short.format("y") + end, encoding="utf-8")
    options = ("--lengths", "ignore", "--disagreements", out)
    assert run("agree", one, other, *options).status == 0
    rows = list(csv.DictReader(out.open(encoding="utf-8"), delimiter="\t"))
    shown = [(row["mention"], row["in_a"], row["in_b"], row["line"]) for row in rows]
    assert shown == [
        ("y1", "–", "1: ← y0", "8"),
        ("y2", "1: ← y0", "–", "9"),
        ("x1", "1: ← x0", "–", "3"),
        ("x2", "–", "1: ← x0", "4"),
    ]


def test_files_without_parse(tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    hasty, baseline = EXAMPLES / "hasty.conll", EXAMPLES / "baseline.conll"
    assert run("agree", hasty, baseline, EXAMPLES / "key.conll", "--disagreements", out).status == 0
    rows = list(csv.DictReader(out.open(encoding="utf-8"), delimiter="\t"))
    assert {(r["a"], r["b"]) for r in rows} == {
        ("hasty", "baseline"), ("hasty", "key"), ("baseline", "key"),
    }  # fmt: skip
    assert [int(r["number"]) for r in rows] == list(range(1, len(rows) + 1))


def test_labels(tmp_path: Path) -> None:
    out = tmp_path / "labelled.tsv"
    labels = ["Generics", "generics", "Verbs", "Annotator Error", "", "mine", "Generics"]
    out.write_text("number\tlabel\n" + "".join(f"{i}\t{label}\n" for i, label in enumerate(labels)))
    text = run("agree", "--labels", out).out.splitlines()
    assert text[1].split()[:3] == ["Generics", "3", "50.00%"]
    assert text[-1] == "1 without a label"
    found = json.loads(run("agree", "--labels", out, "-f", "json").out)
    assert found["labels"] == {"Generics": 3, "Annotator Error": 1, "Verb": 1, "mine": 1}
    assert "| Generics | 3 | 50.00 |" in run("agree", "--labels", out, "-f", "markdown").out
    figure = tmp_path / "types.svg"
    assert run("agree", "--labels", out, "--plot", figure).status == 0
    assert b"Annotator Error" in figure.read_bytes() or figure.stat().st_size > 1000
    assert run("agree", "--labels", out, "--plot", tmp_path / "a.gif").status == 2
    assert run("agree", "--labels", EXAMPLES / "key.conll").status == 1
    out.write_text("number\tlabel\n1\t\n")
    assert "no line has a label" in run("agree", "--labels", out).err
    assert run("agree", EXAMPLES / "key.conll", "--labels", out).status == 2


def test_labels_in_quotes(tmp_path: Path) -> None:
    path = tmp_path / "labelled.tsv"
    path.write_text('mention\t"label"\n"it"\t"Verb"\nthem\tverbs\nhe\t"my ""own"" type"\n')
    assert read_labels(str(path)) == ({"Verb": 2, 'my "own" type': 1}, 0)


def test_a_carriage_return_in_a_cell_of_a_list(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_bytes(b"number\tcontext\tlabel\r\n1\ta\rb\tVerb\r\n2\tc\t\r\n\r\n3\td\tverbs")
    assert read_labels(str(path)) == ({"Verb": 2}, 1)
    path.write_bytes(b"number\tlabel\r1\tVerb\r")
    assert read_labels(str(path)) == ({"Verb": 1}, 0)


@given(
    st.lists(st.sampled_from(["(A*", "(A(B*", "*)", "*))", "*", "(C)", "(D*", "*)))"]), max_size=9)
)
def test_parents_and_innermost_against_all_pairs(cells: list[str]) -> None:
    column = Column.of(cells)
    found, _ = find_spans(column, np.zeros(len(cells), dtype=np.int64))
    places = list(zip(found.first.tolist(), found.last.tolist(), strict=True))

    def around(first: int, last: int, stop: int) -> int:
        holding = (i for i, s in enumerate(places[:stop]) if s[0] <= first and last <= s[1])
        return max(holding, default=-1)

    assert found.parent.tolist() == [around(*span, i) for i, span in enumerate(places)]
    inner = innermost(found, len(cells)).tolist()
    assert inner == [around(t, t, len(places)) for t in range(len(cells))]
