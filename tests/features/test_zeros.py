"""Zeros in application scores and outcomes: a class of their own, whatever stands before them."""

import csv
from pathlib import Path

import corefkit
from corefkit.features.chains import Chains, KeyTokens
from corefkit.formats.conllu.reader import parse
from tests.support import CONFORMANCE, needs_conformance, run

ROWS = (
    ("0.1", "_", "PRON", "Entity=(e1)"),
    ("1", "dog", "NOUN", "Entity=(e2)"),
    ("1.1", "_", "PRON", "Entity=(e1)"),
    ("2", "he", "PRON", "Entity=(e1)"),
)


def test_a_zero_has_no_tag_of_the_word_before_it() -> None:
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    for id, form, tag, misc in ROWS:
        text += f"{id}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t{misc}\n"
    corpus = parse(text.encode(), "-")
    chains = Chains(corpus, KeyTokens(corpus))
    for name, expected in (
        ("pos", ["zero", "zero", "PRON", "NOUN"]),
        ("word", ["∅", "∅", "he", "dog"]),
    ):
        column = chains.column(name)
        assert [column.values[code] for code in column.code.tolist()] == expected
    assert chains.nominal.tolist() == [False, False, False, True]
    assert chains.pronoun.tolist() == [True, True, True, False]


@needs_conformance
def test_outcomes_of_a_real_file() -> None:
    folder = CONFORMANCE / "corefud"
    files = [folder / f"{x}.conllu.gz" for x in ("keys/hu_korkor", "responses/hu_korkor.fair")]
    done = run("outcomes", *files)
    assert done.status == 0
    row = next(line.split() for line in done.out.splitlines() if line.startswith("zero "))
    corpus = corefkit.read(files[0])
    assert corpus.zero is not None
    first: dict[int, int] = {}
    for at in corpus.text_order.tolist():
        first.setdefault(int(corpus.entity[at]), at)
    anaphors = sum(z > 0 for z in corpus.zero.tolist()) - sum(
        int(corpus.zero[at]) > 0 for at in first.values()
    )
    # tp, wl and fn are the zeros of the key that are not the first of their entity.
    assert sum(map(int, row[1:4])) == anaphors
    assert run("score", *files, "--metrics", "immediate,inferred,anchor").status == 0


def test_outcomes_show_zeros_as_such(tmp_path: Path) -> None:
    """As ∅ between the words around it, in the sentence it begins; not as the word before it."""
    top = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    row = "{}\t{}\t_\tNOUN\t_\t_\t_\t_\t_\t{}\n"
    one = row.format(1, "gulls", "Entity=(e1)") + row.format(2, "dive", "_") + "\n"
    for side, entity in (("key", "e1"), ("response", "e2")):
        two = row.format("0.1", "_", f"Entity=({entity})") + row.format(1, "then", "_")
        two += row.format("1.1", "_", f"Entity=({entity})") + row.format(2, "rest", "_") + "\n"
        (tmp_path / f"{side}.conllu").write_text(top + one + two)
    done = run(
        "outcomes", tmp_path / "key.conllu", tmp_path / "response.conllu", "--list", "-f", "csv"
    )
    rows = list(csv.DictReader(done.out.splitlines()))
    assert [(r["sentence"], r["text"]) for r in rows] == [("0", "gulls"), ("1", "∅"), ("1", "∅")]
    text = run("outcomes", tmp_path / "key.conllu", tmp_path / "response.conllu").out
    assert "    [∅] then rest\n    antecedent expected: gulls; found: none" in text
    assert "    then [∅] rest\n    antecedent expected: ∅; found: ∅" not in text
