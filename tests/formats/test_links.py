"""Link lists: the conformance files, every shape, and what is wrong with a line."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.core.incidents import errors
from corefkit.formats import registry
from corefkit.formats.kit.detection import detect
from corefkit.formats.kit.link_lists import links_text
from corefkit.formats.options import make_reading
from tests.strategies import examples
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

FOLDER = CONFORMANCE / "formats2" / "links"
EXPECTED: dict[str, Any] = (
    json.loads((FOLDER / "expected.json").read_text()) if FOLDER.is_dir() else {}
)
HEADER = "doc\tstart\tend\tant_start\tant_end\tp\n"


def parse(text: str | bytes, **how: Any) -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return registry.get_format("links").parse(data, "a", make_reading(**how))


def problems(text: str, **how: Any) -> list[tuple[str, int | None]]:
    return [(i.id, i.line) for i in errors(parse(text, **how).incidents)]


def canonical(corpus: Corpus) -> dict[str, list[list[tuple[int, int]]]]:
    return {n: sorted(sorted(e) for e in own) for n, own in corpus.clusters().items()}


def options_of(case: str) -> tuple[str, dict[str, Any]]:
    """The file of a case such as "scored.tsv (threshold 0.9, unlinked drop)", and its options."""
    file, _, how = case.partition(" (")
    pairs = (part.split(" ") for part in how.rstrip(")").split(", ") if part)
    return file, {name: True if value == "True" else value for name, value in pairs}


@needs_conformance
@pytest.mark.parametrize("case", EXPECTED)
def test_conformance(case: str) -> None:
    file, options = options_of(case)
    data, wanted = (FOLDER / file).read_bytes(), EXPECTED[case]
    assert detect(data) == "links"
    corpus = parse(data, **options)
    if "error" in wanted:
        assert problems(data.decode(), **options) == [(wanted["error"], wanted["line"])]
        return
    clusters = {d["name"]: d["clusters"] for d in wanted["documents"]}
    assert [*corpus.names] == [*clusters]
    assert canonical(corpus) == {
        n: sorted(sorted((s, e) for s, e in entity) for entity in own)
        for n, own in clusters.items()
    }
    found: Counter[str] = Counter()
    for incident in corpus.incidents:
        found[incident.id] += incident.count
    told: Counter[str] = Counter()
    for document in wanted["documents"]:
        told.update(document.get("told", {}))
    assert found == told


def test_every_shape_says_the_same(tmp_path: Path) -> None:
    rows = [("t", 4, 4, 0, 1, 0.9), ("t", 6, 6, None, None, 0.4), ("u", 2, 3, 0, 0, 0.7)]
    names = ("Doc_ID", "anaphor_start", "anaphor_end", "ante_start", "ante_end", "probability")
    cells = [["_" if v is None else str(v) for v in row] for row in rows]
    named = [dict(zip(names, row, strict=True)) for row in rows]
    paired = [
        {"doc": d, "anaphor": [s, e], "antecedent": None if a is None else [a, b], "p": p}
        for d, s, e, a, b, p in rows
    ]
    swapped = [[row[5], *row[:5]] for row in ([*names], *cells)]
    shapes = {
        "plain.tsv": "".join("\t".join(row) + "\n" for row in cells),
        "swapped.tsv": "".join("\t".join(row) + "\r\n" for row in swapped),
        "plain.csv": "".join(",".join(row) + "\n" for row in cells),
        "quoted.csv": "".join(",".join(f'"{c}"' for c in row) + "\n" for row in [names, *cells]),
        "named.jsonl": "".join(json.dumps(row) + "\n" for row in named),
        "paired.json": json.dumps(paired),
        "bom.tsv": "\ufeff" + "".join("\t".join(row) + "\n" for row in cells),
    }
    wanted = {"t": [[(0, 1), (4, 4)], [(6, 6)]], "u": [[(0, 0), (2, 3)]]}
    for name, text in shapes.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert canonical(corefkit.read(tmp_path / name)) == wanted, name
        dropped = corefkit.read(tmp_path / name, threshold=0.8, unlinked="drop")
        assert canonical(dropped) == {"t": [[(0, 1), (4, 4)]], "u": []}, name


def test_parquet(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table(
        {
            "doc": ["t", "t", "t"],
            "start": [4, 6, 6],
            "end": [4, 6, 6],
            "ant_start": [0.0, None, 4.0],
            "ant_end": [1.0, None, 4.0],
            "score": [0.9, 0.2, 0.3],
            "text": ["he", "it", "it"],
        }
    )
    parquet.write_table(table, tmp_path / "links.parquet")
    whole = corefkit.read(tmp_path / "links.parquet")
    assert canonical(whole) == {"t": [[(0, 1), (4, 4), (6, 6)]]}
    cut = corefkit.read(tmp_path / "links.parquet", threshold=0.5)
    assert canonical(cut) == {"t": [[(0, 1), (4, 4)], [(6, 6)]]}
    parquet.write_table(table.append_column("entity", [["1"] * 3]), tmp_path / "mentions.parquet")
    assert corefkit.read(tmp_path / "mentions.parquet").entities == 1


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("d\t4\tx\t0\t1\t1", "number-expected"),
        ("d\t4\t-1\t0\t1\t1", "number-expected"),
        ("d\t_\t_\t0\t1\t1", "number-expected"),
        ("d\t4\t4\t0\t_\t1", "number-expected"),
        ("d\t4\t4\t0\t1\thigh", "number-expected"),
        ("d\t4\t4\t0\t1\t1_0", "number-expected"),
        ("d\t4\t4\t0\t1\tnan", "p-bad"),
        ("d\t4\t4\t0\t1\tinf", "p-bad"),
        ("d\t4\t4\t2\t1\t1", "span-empty"),
        ("d\t4\t4\t0\t1", "columns-differ"),
        ("d\t4\t4\t0\t1\t1\t1", "columns-differ"),
    ],
)
def test_bad_lines(line: str, kind: str) -> None:
    assert problems(f"{HEADER}d\t4\t4\t0\t1\t0.5\n{line}\n") == [(kind, 3)]


@pytest.mark.parametrize(
    "row",
    [
        {"doc": "d", "anaphor": 4, "antecedent": None},
        {"doc": "d", "anaphor": [1, 2], "antecedent": [1]},
        {"doc": "d", "anaphor": None, "antecedent": [0, 1]},
        {"anaphor": [1, 2], "antecedent": None},
    ],
)
def test_bad_json(row: dict[str, Any]) -> None:
    assert problems(json.dumps(row)) == [("json-shape", 1)]
    assert problems(json.dumps({"doc": "d", "start": True, "end": 1, "ant_start": 0})) == [
        ("number-expected", 1)
    ]


def test_a_cell_that_no_list_has() -> None:
    long = "x" * 200_000
    assert problems(f"d,4,4,0,1\n{long},6,6,4,4\nd,8,8,4,4\n") == [("file-unreadable", 2)]
    assert problems('d,4,4,0,1\n"d\ne",6,6,4,4\n') == [("file-unreadable", 2)]


def test_ends_and_units() -> None:
    text = "d\t4\t6\t0\t2\n"
    assert canonical(parse(text, ends="exclusive")) == {"d": [[(0, 1), (4, 5)]]}
    assert parse(text, unit="character").unit == "character"
    assert problems("d\t4\t4\t0\t2\n", ends="exclusive") == [("span-empty", 1)]


def test_a_threshold_that_is_none() -> None:
    for value in ("x", float("nan"), True):
        with pytest.raises(UsageError, match="threshold"):
            parse("d\t4\t4\t0\t1\n", threshold=value)


def test_score_and_signature(tmp_path: Path) -> None:
    key, links = tmp_path / "key.jsonl", tmp_path / "links.tsv"
    row = {"doc_key": "d", "sentences": [["w"] * 9], "clusters": [[[0, 1], [4, 4]], [[6, 6]]]}
    key.write_text(json.dumps(row))
    links.write_text("d\t4\t4\t0\t1\t0.9\nd\t6\t6\t4\t4\t0.2\nd\t6\t6\t0\t1\t0.0\n")
    with pytest.raises(DataError) as caught:
        corefkit.score(key, links)
    assert [i.id for i in errors(caught.value.incidents)] == ["threshold-missing"]
    scores = corefkit.score(key, links, "muc,mentions", threshold=0.5)
    assert (scores.conll if "conll" in scores else scores["muc"].f1) == 1
    assert "|links:threshold=0.5|" in scores.signature
    assert not [i for i in scores.incidents if i.id == "option-unused"]
    zero = corefkit.score(key, links, "muc", threshold=0)
    assert zero["muc"].counts["precision"] == [1, 2]
    again = run("score", key, links, "--signature", scores.signature, "-f", "json")
    assert json.loads(again.out)["signature"] == scores.signature
    best = run(
        "score",
        key,
        links,
        "--read",
        "best=yes",
        "--read",
        "unlinked=drop",
        "-m",
        "muc",
        "-f",
        "json",
    )
    assert "|links:best+unlinked=drop|" in json.loads(best.out)["signature"]
    outside = run("score", key, links, "--read", "threshold=0")
    assert outside.status == 0
    links.write_text("d\t9\t9\t0\t1\t0.9\n")
    beyond = run("score", key, links)
    assert (beyond.status, "span-outside" in beyond.err) == (1, True)
    assert links_text(make_reading(threshold=1)) == "threshold=1"


def test_written() -> None:
    key = corefkit.read(EXAMPLES / "key.conll")
    made = run("convert", EXAMPLES / "key.conll", "-", "--to", "links")
    assert made.status == 0
    again = parse(made.out)
    assert canonical(again) == {n: own for n, own in canonical(key).items() if own}
    first = made.out.splitlines()[0].split("\t")
    assert first == ["doc", "start", "end", "antecedent_start", "antecedent_end"]


def test_copies_that_are_not_written_are_told(tmp_path: Path) -> None:
    """Links to several copies of a span would merge their entities."""
    clusters = [[[0, 0], [1, 1]], [[0, 0], [2, 2]], [[3, 3]]]
    key = tmp_path / "key.jsonl"
    key.write_text(json.dumps({"sentences": [list("abcd")], "clusters": clusters}))
    done = run("convert", key, tmp_path / "key.links", "--to", "links")
    assert "One copy of each span is written" in done.err
    assert "All of them" not in done.err
    assert "key.links: 1 document, 4 mentions" in done.err
    assert corefkit.read(tmp_path / "key.links").mentions == 4


SPANS = st.integers(0, 6)


@examples(60)
@given(
    st.lists(st.tuples(SPANS, SPANS, st.sampled_from([0.1, 0.5, 0.9])), max_size=12),
    st.sampled_from([0.0, 0.3, 0.6, 1.0]),
)
def test_order_of_lines_does_not_matter(
    rows: list[tuple[int, int, float]], threshold: float
) -> None:
    lines = [f"d\t{a}\t{a}\t{b}\t{b}\t{p}\n" for a, b, p in rows]
    for how in ({"threshold": threshold}, {"best": True}, {"threshold": threshold, "best": True}):
        for unlinked in ("keep", "drop"):
            one, other = (
                canonical(parse(HEADER + "".join(listed), unlinked=unlinked, **how))
                for listed in (lines, lines[::-1])
            )
            assert one == other


def test_what_is_written_has_no_later_antecedents(tmp_path: Path) -> None:
    # Of two mentions that begin together the shorter comes first, as readers of links count.
    corpus = Corpus.from_clusters({"d": [[(0, 3), (0, 0), (5, 6)]]})
    path = tmp_path / "x.links"
    corefkit.write(corpus, path)
    again = corefkit.read(path)
    assert again.incidents == ()
    assert again.entities == 1
