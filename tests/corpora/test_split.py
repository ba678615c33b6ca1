"""Algorithm 1 of the CoNLL-2012 paper, and splits by a ratio."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import DataError
from corefkit.corpora.split import draw_split, in_two_parts, partition, read_ids, source_of
from tests.strategies import examples
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run


def source(name: str, numbers: list[int]) -> list[str]:
    return [f"wb/{name}/00/{name}_{number:04}" for number in numbers]


def ends(names: list[str]) -> list[int]:
    return [int(name[-4:]) for name in names]


@pytest.mark.parametrize(
    ("numbers", "train", "development", "test"),
    [
        (list(range(9)), list(range(1, 8)), [0], [8]),
        (list(range(10)), list(range(1, 9)), [0], [9]),
        (list(range(11)), list(range(1, 9)), [0, 10], [9]),
        (list(range(1, 10)), list(range(1, 9)), [], [9]),
        (list(range(3, 14)), [3, 4, 5, 6, 7, 8, 11, 12, 13], [10], [9]),
        ([0, 10, 20], [], [0, 10, 20], []),
        ([5], [], [], [5]),
        ([2, 19, 30, 8], [2, 8], [30], [19]),
    ],
)
def test_sources(
    numbers: list[int], train: list[int], development: list[int], test: list[int]
) -> None:
    parts = partition(source("a", numbers))
    assert [ends(part) for part in parts.values()] == [train, development, test]


def test_wall_street_journal_goes_by_section() -> None:
    ids = [f"nw/wsj/{section:02}/wsj_{section:02}{n:02}" for section in range(25) for n in range(3)]
    parts = partition(ids)
    sections = {
        part: sorted({int(n.split("/")[2]) for n in names}) for part, names in parts.items()
    }
    assert sections["train"] == list(range(2, 22))
    assert sections["development"] == [0, 1, 22, 24]
    assert sections["test"] == [23]
    with pytest.raises(DataError, match="section 25"):
        partition(["nw/wsj/25/wsj_2501"])


def test_sources_do_not_mix() -> None:
    parts = partition([*source("a", [1, 2]), *source("b", list(range(10)))])
    assert parts["test"] == ["wb/a/00/a_0002", "wb/b/00/b_0009"]


@given(st.lists(st.integers(0, 40), max_size=30))
def test_every_document_once(numbers: list[int]) -> None:
    ids = source("a", numbers) + source("b", numbers[:4])
    parts = partition(ids + ids[:3])
    assert sorted(name for names in parts.values() for name in names) == sorted(set(ids))
    assert in_two_parts(parts) == []


@needs_conformance
def test_the_development_set_is_the_development_set() -> None:
    corpus = corefkit.read(CONFORMANCE / "ontonotes-dev" / "key.conll.gz")
    parts = partition(corpus.names)
    assert [len(names) for names in parts.values()] == [0, 221, 0]


def test_an_id_without_a_number() -> None:
    with pytest.raises(DataError, match="does not show"):
        partition(["wb/a/00/intro"])


def test_command(tmp_path: Path) -> None:
    result = run("corpus", "split", EXAMPLES / "key.conll", "-f", "json")
    assert json.loads(result.out) == partition(read_ids(str(EXAMPLES / "key.conll")))
    assert result.out == run("corpus", "split", "-", "-f", "json", stdin="\n".join(EXAMPLE_IDS)).out
    lists = tmp_path / "lists"
    assert run("corpus", "split", EXAMPLES / "key.conll", "-o", lists).status == 0
    files = [lists / f"{part}.id" for part in ("train", "development", "test")]
    assert files[0].read_text().split() == [EXAMPLE_IDS[0], EXAMPLE_IDS[3]]
    assert files[1].read_text() == ""
    assert not (lists / "split.json").exists()
    assert run("corpus", "split", EXAMPLES / "key.conll", "-f", "json", "-o", lists).status == 2
    assert not (lists / "split.json").exists()
    done = run("corpus", "split", EXAMPLES / "key.conll", "-f", "json", "-o", lists, "--force")
    assert (lists / "split.json").read_text() == result.out
    assert done.out.endswith("split.json: 7 documents\n")
    assert run("corpus", "split", "--check", files[0], files[2]).status == 0
    files[2].write_text(files[2].read_text() + EXAMPLE_IDS[0] + "\n")
    result = run("corpus", "split", "--check", files[0], files[2])
    assert result.status == 1
    assert "document-in-two-parts" in result.err
    assert run("corpus", "split", tmp_path / "nothing").status == 1


EXAMPLE_IDS = [
    "nw/harbour/00/harbour_0001",
    "nw/harbour/00/harbour_0002",
    "bc/lantern/00/lantern_0001",
    "wb/orchard/00/orchard_0001",
    "wb/orchard/00/orchard_0002",
    "lt/clock/00/clock_0001",
    "lt/island/00/island_0001",
]


def test_tree_of_files(tmp_path: Path) -> None:
    for language in ("english", "chinese"):
        folder = tmp_path / "data" / language / "annotations" / "wb" / "a" / "00"
        folder.mkdir(parents=True)
        for number in range(6):
            for layer in ("parse", "coref"):
                (folder / f"a_{number:04}.{layer}").touch()
    parts = partition(read_ids(str(tmp_path / "data")))
    assert parts["test"] == ["chinese/wb/a/00/a_0005", "english/wb/a/00/a_0005"]
    one = partition(read_ids(str(tmp_path / "data" / "english")))
    assert one["development"] == ["wb/a/00/a_0000"]


@pytest.mark.parametrize("root", ["annotations", "annotations/wb", ".", "../english"])
def test_tree_named_from_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str) -> None:
    folder = tmp_path / "english" / "annotations" / "wb" / "a" / "00"
    folder.mkdir(parents=True)
    for name in ("a_0001.parse", "a_0001.v2.coref.gz", "a_0002.parse"):
        (folder / name).touch()
    monkeypatch.chdir(tmp_path / "english")
    assert sorted(read_ids(root)) == ["wb/a/00/a_0001", "wb/a/00/a_0002"]


def test_tree_beside_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for root in ("", "english"):
        folder = tmp_path / "trees" / root / "annotations" / "wb" / "a" / "00"
        folder.mkdir(parents=True)
        (folder / "a_0001.parse").touch()
    monkeypatch.chdir(tmp_path / "trees")
    for name in (".", str(tmp_path / "trees")):
        assert sorted(read_ids(name)) == ["english/wb/a/00/a_0001", "trees/wb/a/00/a_0001"]


def test_numbers_of_any_length_and_no_quadratic_time() -> None:
    huge = f"nw/a/00/a_{'1' * 6000}"
    assert partition([huge, "nw/a/00/a_0999"])["test"] == [huge]
    assert partition(["nw/a/00/a_00012", "nw/a/00/a_9"])["test"] == ["nw/a/00/a_00012"]
    tricky = f"nw/a/00/{'1' * 200_000}x1"
    assert partition([tricky])["test"] == [tricky]


NAMES = [f"{genre}/{source}/d_{n:03}" for genre in "ab" for source in "xyz" for n in range(7)]
WORKS = [f"{work}_act_{n}" for work in ("emma", "sara", "ida") for n in range(1, 5)]


def test_a_drawn_split_is_the_same_on_every_machine() -> None:
    """The hashes were worked out apart: no platform, version or order of names draws otherwise."""
    names = [f"tale{number:02}" for number in range(20)]
    order = sorted(names, key=lambda name: hashlib.sha256(f"7\0{name}".encode()).hexdigest())
    drawn = draw_split(reversed(names), (80, 10, 10), seed=7)
    assert {part: len(chosen) for part, chosen in drawn.items()} == {
        "train": 16,
        "development": 2,
        "test": 2,
    }
    # Documents go, in the order of their hashes, to the part that lacks most.
    lacking = {"train": 16.0, "development": 2.0, "test": 2.0}
    expected: dict[str, list[str]] = {part: [] for part in lacking}
    for name in order:
        part = max(lacking, key=lambda part: lacking[part])
        expected[part].append(name)
        lacking[part] -= 1
    assert drawn == {part: sorted(chosen) for part, chosen in expected.items()}
    assert draw_split(names, (80, 10, 10), seed=8) != drawn


@given(
    st.lists(st.sampled_from([*NAMES, *WORKS, "t1", "t2", "t3"]), min_size=1, unique=True),
    st.sampled_from([(80, 10, 10), (1, 1), (0.5, 0.3, 0.2), (98, 1, 1)]),
    st.integers(0, 5),
    st.sampled_from([None, "genre", "re:^(.)"]),
)
@examples(80)
def test_drawn_splits(
    names: list[str], ratio: tuple[float, ...], seed: int, by: str | None
) -> None:
    drawn = draw_split(names, ratio, seed, by)
    assert sorted(name for part in drawn.values() for name in part) == sorted(names)
    places = {name: part for part, chosen in drawn.items() for name in chosen}
    by_source: dict[str, set[str]] = {}
    for name in names:
        by_source.setdefault(source_of(name), set()).add(places[name])
    assert all(len(parts) == 1 for parts in by_source.values()), "a source stays together"
    sizes = Counter(source_of(name) for name in names)
    for share, chosen in zip(ratio, drawn.values(), strict=True):
        wanted = len(names) * share / sum(ratio)
        # Every part gets a source only while it lacks most: never more than one source too many.
        assert len(chosen) - wanted < max(sizes.values())


def test_the_ratio_holds_in_each_group() -> None:
    names = [f"{genre}/{n}" for genre in ("nw", "wb") for n in range(100)]
    flat = [name.replace("/", "") for name in names]
    drawn = draw_split(flat, (80, 10, 10), by="re:^([a-z]+)")
    for genre in ("nw", "wb"):
        sizes = [sum(n.startswith(genre) for n in chosen) for chosen in drawn.values()]
        assert sizes == [80, 10, 10]


def test_split_of_any_corpus(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonlines"
    rows = [{"doc_key": f"t{n}", "sentences": [["a"]], "clusters": []} for n in range(10)]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    drawn = json.loads(run("corpus", "split", corpus, "--ratio", "80/20", "-f", "json").out)
    assert drawn == draw_split([f"t{n}" for n in range(10)], (80, 20))
    lists = tmp_path / "lists"
    assert (
        run("corpus", "split", corpus, "--ratio", "8/1/1", "--seed", "3", "-o", lists).status == 0
    )
    assert sorted(p.name for p in lists.iterdir()) == ["development.id", "test.id", "train.id"]
    by_digits = run("corpus", "split", corpus)
    assert by_digits.status == 0 and "--ratio 80/10/10" in by_digits.err
    assert "--ratio" not in run("corpus", "split", EXAMPLES / "key.conll").err
    named = tmp_path / "names.txt"
    named.write_text("first\nsecond\n")
    refused = run("corpus", "split", named)
    assert refused.status == 1
    assert "--ratio 80/10/10" in refused.err


@pytest.mark.parametrize(
    "options",
    [
        ["--ratio", "80"],
        ["--ratio", "a/b"],
        ["--ratio", "1/0"],
        ["--ratio", "1/nan"],
        ["--seed", "1"],
    ],
)
def test_ratios_that_are_none(tmp_path: Path, options: list[str]) -> None:
    named = tmp_path / "names.txt"
    named.write_text("a1\n")
    assert run("corpus", "split", named, *options).status == 2


def test_what_a_ratio_leaves_empty_or_does_not_add_up_to_is_noted(tmp_path: Path) -> None:
    ids = tmp_path / "ids.txt"
    ids.write_text("a\nb\nc\n", encoding="utf-8")
    few = run("corpus", "split", ids, "--ratio", "80/10/10").err
    assert few.startswith("note: no documents for development and test: 3 are too few")
    odd = run("corpus", "split", ids, "--ratio", "90/90/10").err
    assert "note: the ratio adds up to 190, not 100; it is 47.4/47.4/5.3 per cent\n" in odd
    assert run("corpus", "split", ids, "--ratio", "1/1/1").err == ""
