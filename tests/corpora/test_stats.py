"""Statistics, against counts made line by line and the tables of the CoNLL-2012 paper."""

import csv
import json
from collections import Counter
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import corefkit
from corefkit import Corpus
from corefkit.corpora.stats import HISTOGRAMS, nesting, statistics
from tests.corpora.samples import conll
from tests.oracle.conll import read
from tests.strategies import Side, sides
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

KEY = EXAMPLES / "key.conll"
TOP = ("documents", "parts", "sentences", "tokens", "entities", "mentions", "links", "singletons")


@needs_conformance
def test_ontonotes_dev() -> None:
    found = statistics(CONFORMANCE / "ontonotes-dev" / "key.conll.gz")
    assert found.counts == {
        "documents": 221,
        "parts": 342,
        "sentences": 9600,
        "tokens": 163049,
        "entities": 4546,
        "mentions": 19156,
        "links": 14610,
        "singletons": 0,
    }
    assert found.categories is not None
    # Table 4 says 10.66 % proper nouns and 1.40 % verbs of 21.3K mentions, appositives included.
    assert found.categories["proper noun"] == 2274
    assert found.categories["verb"] == 297
    assert sum(found.categories.values()) == 19156
    assert list(found.genres) == ["bc", "bn", "mz", "nw", "pt", "tc", "wb"]


@needs_conformance
def test_corpora_of_other_kinds() -> None:
    litbank = statistics(CONFORMANCE / "litbank" / "key.conll.gz")
    assert (litbank.counts["mentions"], litbank.counts["singletons"]) == (29103, 5763)
    assert litbank.categories is None
    events = statistics(CONFORMANCE / "cross-document" / "key_ecbp.conll.gz")
    assert events.categories is None
    play = statistics(CONFORMANCE / "annotators" / "Emilia_Act1.IV.conll.gz")
    assert play.categories is not None
    assert play.categories["pronoun"] > play.categories["proper noun"] > 0


@pytest.mark.parametrize("name", ["key", "careful", "hasty", "baseline"])
def test_examples_line_by_line(name: str) -> None:
    path = EXAMPLES / f"{name}.conll"
    found = statistics(path)
    documents = read(path.read_text(encoding="utf-8"))
    chains = [spans for d in documents for spans in d.entities.values()]
    spans = [span for chain in chains for span in chain]
    assert found.counts["parts"] == len(documents)
    assert found.counts["documents"] == len({d.name.partition(";")[0] for d in documents})
    assert found.counts["tokens"] == sum(d.tokens for d in documents)
    assert found.counts["entities"] == len(chains)
    assert found.counts["mentions"] == len(spans)
    assert found.counts["links"] == len(spans) - len(chains)
    assert found.histograms["entity_sizes"] == Counter(map(len, chains))
    assert found.histograms["mention_lengths"] == Counter(e - s + 1 for s, e in spans)
    around = Counter(
        sum(a <= s and e <= b and (a, b) != (s, e) for c in d.entities.values() for a, b in c)
        for d in documents
        for chain in d.entities.values()
        for s, e in chain
    )
    assert found.histograms["nesting"] == around
    for histogram in ("antecedent_sentences", "antecedent_mentions"):
        assert sum(found.histograms[histogram].values()) == found.counts["links"]
    for groups in (found.genres, found.sources):
        for count in TOP:
            assert sum(group[count] or 0 for group in groups.values()) == found.counts[count]


@given(sides(10))
def test_nesting_of_anything(side: Side) -> None:
    spans = [[(m // 2, m // 2 + m % 4) for m in chain] for chain in side]
    corpus = Corpus.from_clusters({"a": spans})
    listed = [span for chain in spans for span in chain]
    expected = [sum(a <= s and e <= b and (a, b) != (s, e) for a, b in listed) for s, e in listed]
    rows = zip(corpus.start.tolist(), corpus.end.tolist(), nesting(corpus).tolist(), strict=True)
    assert sorted(rows) == sorted((s, e, n) for (s, e), n in zip(listed, expected, strict=True))


def test_json() -> None:
    result = run("stats", KEY, "-f", "json")
    found = json.loads(result.out)
    assert result.status == 0
    assert [found[name] for name in TOP] == [7, 8, 57, 888, 108, 265, 157, 53]
    assert found["categories"]["pronoun"] == 111
    assert found["speakers"]["names"] == 4
    several = json.loads(run("stats", KEY, EXAMPLES / "hasty.conll", "-f", "json").out)
    assert [c["name"] for c in several["corpora"]] == ["key", "hasty"]
    assert several["corpora"][1]["categories"] is None


def test_counted_before_any_policy(tmp_path: Path) -> None:
    file = tmp_path / "a.conll"
    file.write_text("#begin document a\na 0 0 w (1)|(2)\na 0 1 w (1)|(1)\n")
    found = json.loads(run("stats", file, "-f", "json").out)
    assert (found["mentions"], found["entities"], found["links"]) == (4, 2, 2)


def test_tables_say_the_same() -> None:
    text = run("stats", KEY, EXAMPLES / "careful.conll").out
    assert "Words and documents (parts)" in text
    assert "Links by distance to the antecedent in sentences" in text
    markdown = run("stats", KEY, "-f", "markdown").out
    assert "| mentions | 265 |" in markdown
    assert "| pronoun | 111 | 41.89 |" in markdown
    assert "pronoun & 111 & 41.89 \\\\" in run("stats", KEY, "-f", "latex").out
    rows = list(csv.DictReader(StringIO(run("stats", KEY, "-f", "csv").out)))
    sizes = {r["label"]: int(r["value"]) for r in rows if r["metric"] == "entity_sizes"}
    assert sum(int(size) * n for size, n in sizes.items()) == 265
    one = run("stats", KEY).out
    assert "█" in one


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_figure(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"stats.{ending}"
    assert run("stats", KEY, EXAMPLES / "hasty.conll", "--plot", path).status == 0
    assert path.read_bytes()[:4] in (b"\x89PNG", b"<?xm")
    if ending == "svg":  # that all endings are the same every time, test_plots tests
        again = tmp_path / f"again.{ending}"
        run("stats", KEY, EXAMPLES / "hasty.conll", "--plot", again)
        assert path.read_bytes() == again.read_bytes()


def test_bad_input(tmp_path: Path) -> None:
    assert run("stats", tmp_path / "nothing").status == 1
    assert run("stats").status == 2
    assert run("stats", KEY, "--plot", "a.gif").status == 2
    broken = tmp_path / "a.conll"
    text = KEY.read_text(encoding="utf-8").replace("*)))", "*)) ", 1)
    broken.write_text(text, encoding="utf-8")
    result = run("stats", broken)
    assert result.status == 1
    assert "a.conll:2: error: parse bits: a bracket is opened here" in result.err


def test_from_python() -> None:
    corpus = Corpus.from_clusters({"tale": [[(0, 1), (1, 1)], [(6, 8)]]})
    found = statistics(corpus)
    assert (found.counts["mentions"], found.counts["tokens"]) == (3, None)
    assert found.counts["sentences"] is None
    assert repr(found).endswith(": 1 documents, 3 mentions, 2 entities)")
    assert found.histograms["antecedent_mentions"] == {1: 1}
    assert np.array_equal(nesting(corpus), [0, 1, 0])
    assert corefkit.read(KEY).mentions == statistics(corefkit.read(KEY)).counts["mentions"]


def test_parse_bits_without_stars(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(conll(["w NN (TOP(NP - - - - * (1)", "w NN )) - - - - * -"]))
    done = run("stats", path)
    assert (done.status, done.out) == (1, "")
    assert f"{path}:2: error: parse bits: malformed brackets" in done.err


FULL = "a 0 {} w {} {} - - - - * {}\n"


def test_an_unknown_tagset_has_no_categories(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    rows = [("Q1", "(TOP*", "(1)"), ("Q2", "*)", "(1)")]
    lines = "".join(FULL.format(i, *row) for i, row in enumerate(rows))
    path.write_text(f"#begin document a\n{lines}\n#end document\n")
    done = run("stats", path, "-f", "json")
    assert json.loads(done.out)["categories"] is None
    assert "[tagset-unknown]" in done.err
    assert "syntactic category" not in run("stats", path).out
    path.write_text(path.read_text().replace("Q1", "NN"))
    found = statistics(path)
    assert found.categories is not None
    assert (found.categories["other noun"], found.incidents) == (1, ())


def test_a_file_without_blank_lines_has_no_known_sentences(tmp_path: Path) -> None:
    path, other = tmp_path / "a.conll", tmp_path / "b.conll"
    path.write_text("#begin document a\nx (1)\nx (1)\n#end document\n\n")
    other.write_text("#begin document b\nx (1)\n\nx (1)\n#end document\n")
    done = run("stats", path, "-f", "json")
    found = json.loads(done.out)
    assert found["sentences"] is None
    assert "antecedent_sentences" not in found
    assert "[sentences-unknown]" in done.err
    assert statistics(other).counts["sentences"] == 2
    shown = run("stats", path, other).out
    (row,) = (line.split() for line in shown.splitlines() if line.startswith("sentences"))
    assert row == ["sentences", "unknown", "2", "unknown"]


GAP = "snippet-1\tTRUE\tFALSE\n"
TEXT = {"text": "Mina slept. She purred.", "clusters": [[[0, 4], [12, 15]]]}
ENTITIES = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t0\t1\tPROP\tPER\tOld Mina\n"
PLACED = {"nesting", "antecedent_mentions"}


@pytest.mark.parametrize(
    ("name", "text", "known", "mentions"),
    [
        ("a.jsonlines", json.dumps(TEXT), PLACED, 2),
        ("a.entities", ENTITIES, PLACED | {"mention_lengths"}, 1),
        (
            "a.ann",
            "T1\tThing 0 4\tMina\nT2\tThing 12 15\tShe\nR1\tCoref Arg1:T2 Arg2:T1\n",
            PLACED,
            2,
        ),
        ("a.tsv", GAP, PLACED, 3),
    ],
)
def test_files_without_words_or_sentences(
    tmp_path: Path, name: str, text: str, known: set[str], mentions: int
) -> None:
    path = tmp_path / name
    path.write_text(text)
    (tmp_path / "a.txt").write_text("Mina slept. She purred.")
    done = run("stats", path, "-f", "json")
    found = json.loads(done.out)
    assert (found["tokens"], found["sentences"], found["mentions"]) == (None, None, mentions)
    assert {*HISTOGRAMS} & {*found} == known | {"entity_sizes"}
    assert done.err.count("[sentences-unknown]") == 1
    sizes, words = (table.splitlines() for table in run("stats", path).out.split("\n\n")[1:4:2])
    assert [line.split()[1] for line in sizes if line.startswith(("tok", "sent"))] == [
        "unknown"
    ] * 2
    assert [line.split()[1] for line in words[2:]] == ["unknown"]
    assert run("agree", path, path, "--disagreements", tmp_path / "list").status == 0


@pytest.mark.parametrize(
    ("mentions", "known"),
    [
        ({"start": [0, 3, 1], "end": [1, 3, 5]}, PLACED | {"mention_lengths"}),
        ({"mention": ["Q1", "Q22", "a long identifier"]}, set()),
    ],
)
def test_parquet(tmp_path: Path, mentions: dict[str, list[object]], known: set[str]) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({**mentions, "entity": ["1", "1", "2"]}), path)
    found = statistics(path)
    assert [found.counts[name] for name in TOP] == [1, 1, None, None, 2, 3, 1, 1]
    assert {*found.histograms} == known | {"entity_sizes"}


@needs_conformance
def test_every_format() -> None:
    """Whatever can be read has statistics; spaCy's files only where it is installed."""
    counted = 0
    for path in (CONFORMANCE / "formats").rglob("*.*"):
        if path.suffix == ".spacy" and find_spec("spacy") is None:
            continue
        try:
            corpus = corefkit.read(path)
        except corefkit.DataError:
            continue
        found = statistics(corpus)
        assert (found.counts["mentions"], found.counts["links"]) == (
            corpus.mentions,
            corpus.mentions - corpus.entities,
        )
        counted += 1
    assert counted > 90
