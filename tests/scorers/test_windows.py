"""Documents cut into windows: what belongs where, and that it equals files cut by hand."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError, Scores, UsageError
from corefkit.scorers.windows import parse_windows, regular_windows
from corefkit.scoring.parts import Part
from tests.strategies import Document, documents, examples
from tests.support import EXAMPLES, run

METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,links,conll"
KEY, HASTY = (str(EXAMPLES / f"{name}.conll") for name in ("key", "hasty"))

Spans = list[list[tuple[int, int]]]


def some_documents(most: int) -> st.SearchStrategy[list[Document]]:
    return st.lists(documents(), min_size=1, max_size=most)


def spans(side: list[list[int]], long: bool) -> Spans:
    """Mentions as spans, three to each start; short, or so long that each holds the next."""
    return [
        [(3 * (m // 3), (60 - 3 * (m // 3) if long else 3 * (m // 3)) + m % 3) for m in e]
        for e in side
    ]


def both(parts: list[Document], long: bool = False) -> tuple[dict[str, Spans], dict[str, Spans]]:
    key = {str(n): spans(ours, long) for n, (ours, _) in enumerate(parts)}
    return key, {str(n): spans(theirs, long) for n, (_, theirs) in enumerate(parts)}


def cut_by_hand(side: dict[str, Spans], width: int, singletons: str) -> dict[str, Spans]:
    """A document for each window; by the start of each mention, and pieces dropped if asked."""
    made: dict[str, Spans] = {}
    for name, entities in side.items():
        kept = [e for e in entities if singletons == "keep" or len(e) > 1]
        for window in range(13):
            own = [[s for s in e if s[0] // width == window] for e in kept]
            least = 1 if singletons == "keep" else 2
            made[f"{name}/{window}"] = [e for e in own if len(e) >= least]
    return made


def score_cut(
    key: dict[str, Spans], response: dict[str, Spans], metrics: str, width: int, singletons: str
) -> tuple[Part[Scores], Scores]:
    """Documents scored in windows of a width, and the same cut by hand."""
    policies: dict[str, Any] = {"singletons": singletons}
    ours, theirs = (Corpus.from_clusters(side) for side in (key, response))
    row = corefkit.score(ours, theirs, metrics, window=width, **policies).windows[0]
    ours, theirs = (
        Corpus.from_clusters(cut_by_hand(side, width, singletons)) for side in (key, response)
    )
    return row, corefkit.score(ours, theirs, metrics, **policies)


def figures(scores: Scores) -> dict[str, object]:
    """What was counted; sums of fractions in another order differ in their last digit."""
    return {
        name: (
            pytest.approx(score.f1, abs=1e-12),
            pytest.approx([n for side in score.counts.values() for n in side], abs=1e-9)
            if name not in ("conll", "blanc")
            else dict(score.counts),
        )
        for name, score in scores.items()
    }


def values(scores: Scores) -> dict[str, object]:
    return {
        name: (
            score.f1,
            [n for side in score.counts.values() for n in side]
            if name not in ("conll", "blanc")
            else dict(score.counts),
        )
        for name, score in scores.items()
    }


@examples(40)
@given(some_documents(3), st.integers(1, 15), st.sampled_from(["keep", "drop"]), st.booleans())
def test_windows_equal_files_cut_by_hand(
    parts: list[Document], width: int, singletons: str, long: bool
) -> None:
    sides = both(parts, long)
    row, by_hand = score_cut(*sides, METRICS, width, singletons)
    assert values(row.scores) == figures(by_hand)
    assert row.key.mentions == by_hand["mentions"].counts["recall"][1]
    assert row.response.mentions == by_hand["mentions"].counts["precision"][1]


PROFILES = ("standard", "conll-8.01", "coval", "arrau", "e2e", "corefud", "ua", "ua-1")


@examples(10)
@given(some_documents(2))
@pytest.mark.parametrize("profile", PROFILES)
def test_a_window_that_holds_a_document_is_the_whole(profile: str, parts: list[Document]) -> None:
    key, response = (Corpus.from_clusters(side) for side in both(parts))
    metrics = "muc,bcub,ceafe,conll"
    policies: dict[str, Any] = {"match": "exact"} if profile.startswith("corefud") else {}
    scores = corefkit.score(key, response, metrics, profile, window=1000, **policies)
    cut, whole = scores.windows
    assert cut.scores.to_dict() == whole.scores.to_dict() == scores.to_dict()
    assert (cut.windows, cut.key, cut.response) == (whole.windows, whole.key, whole.response)


@examples(30)
@given(some_documents(3))
def test_all_widths_have_the_same_mentions(parts: list[Document]) -> None:
    """Where pieces stay, also with singletons dropped."""
    key, response = (Corpus.from_clusters(side) for side in both(parts))
    settings: list[dict[str, Any]] = [{}, {"singletons": "drop", "window_singletons": "keep"}]
    for policies in settings:
        scores = corefkit.score(key, response, "mentions", window="1,2,5", **policies)
        counts = [row.scores["mentions"].counts for row in scores.windows]
        assert counts == [scores["mentions"].counts] * 4


def test_singletons_of_windows_are_dropped_after_the_cut_too() -> None:
    """A chain of which one mention stands there is no chain there."""
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1), (10, 10)], [(2, 2)]]})
    scores = corefkit.score(key, key, "mentions", window=5, singletons="drop")
    assert [row.key for row in scores.windows] == [(1, 2, None, None), (1, 3, None, None)]
    kept = corefkit.score(
        key, key, "mentions", window=5, singletons="drop", window_singletons="keep"
    )
    assert [row.key for row in kept.windows] == [(2, 3, None, None), (1, 3, None, None)]


CONLLU = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
# newpar
1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)
2\tsaw\tsee\tVERB\t_\t_\t0\troot\t_\t_
3\tthe\tthe\tDET\t_\t_\t4\tdet\t_\tEntity=(e2--2
4\thouse\thouse\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)

# newpar id = d-p2
1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)
2\tliked\tlike\tVERB\t_\t_\t0\troot\t_\t_
3\tit\tit\tPRON\t_\t_\t2\tobj\t_\tEntity=(e2--1)

1\tACT\tact\tNOUN\t_\t_\t2\tnmod\t_\t_
2\tII\tii\tNUM\t_\t_\t0\troot\t_\t_

1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)
2\twent\tgo\tVERB\t_\t_\t0\troot\t_\t_

"""


def windows_of(path: Path, window: str) -> list[int | None]:
    """How many windows, key entities and mentions there are."""
    row = corefkit.score(path, path, "muc", window=window).windows[0]
    return [row.windows, row.key.entities, row.key.mentions]


def test_bounds_of_every_kind(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(CONLLU)
    assert windows_of(path, "4") == [3, 5, 5]
    assert windows_of(path, "sentences:1") == [4, 5, 5]
    assert windows_of(path, "sentences:3") == [2, 3, 5]
    assert windows_of(path, "paragraphs") == [2, 4, 5]
    assert windows_of(path, "re:^ACT [IVX]+$") == [2, 3, 5]
    assert windows_of(path, "re:She") == [3, 5, 5]


def test_a_matched_mention_goes_with_its_partner(tmp_path: Path) -> None:
    """The house, in the second window, matches the house with its article, in the first."""
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(CONLLU)
    other = CONLLU.replace("Entity=(e2--2\n", "_\n").replace("Entity=e2)", "Entity=(e2--1)")
    response.write_text(other)
    scores = corefkit.score(key, response, "mentions,muc", match="head", window=3)
    assert scores.windows[0].scores["mentions"].counts == {"recall": [5, 5], "precision": [5, 5]}
    exact = corefkit.score(key, response, "mentions", window=3).windows[0]
    assert exact.scores["mentions"].counts == {"recall": [4, 5], "precision": [4, 5]}
    # In the response the house is linked to the next word but one, which stands in the next window.
    first, rest = other.split("# newpar id", 1)
    response.write_text(first + "# newpar id" + rest.replace("(e1--1)", "(e2--1)", 1))
    linked = corefkit.score(key, response, "muc", match="head", window=3).windows[0]
    assert linked.scores["muc"].counts["precision"] == [0, 0]
    alone = corefkit.score(key, response, "muc", window=3).windows[0]
    assert alone.scores["muc"].counts["precision"] == [0, 1]


def test_paragraphs_of_other_formats(tmp_path: Path) -> None:
    tei = tmp_path / "a.xml"
    tei.write_text(
        '<TEI><text><p><rs ref="#a">Ann</rs> slept.</p><p><rs ref="#a">She</rs> woke, and '
        '<rs ref="#a">she</rs> ate.</p></text></TEI>'
    )
    assert windows_of(tei, "paragraphs") == [2, 2, 3]
    header = "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword"
    rows = [f"{n // 2}\t{n}\t0\t{n}\tw{n}" for n in range(4)]
    (tmp_path / "b.tokens").write_text("\n".join([header, *rows, ""]))
    entities = tmp_path / "b.entities"
    entities.write_text(
        "COREF\tstart_token\tend_token\tprop\tcat\ttext\n0\t0\t0\tPROP\tPER\tw0\n"
        "0\t3\t3\tPROP\tPER\tw3\n"
    )
    assert windows_of(entities, "paragraphs") == [2, 2, 2]


@pytest.mark.parametrize(
    ("window", "parsed"),
    [
        (500, ("500",)),
        ("1500, 500,0500", ("500", "1500")),
        (["sentences:2", 3], ("3", "sentences:2")),
        ("9,re:a,b", ("9", "re:a,b")),
        (["re:b", "re:a", "paragraphs", "2"], ("2", "paragraphs", "re:a", "re:b")),
        ((), ()),
    ],
)
def test_windows_as_people_write_them(window: Any, parsed: tuple[str, ...]) -> None:
    assert parse_windows(window) == parsed


@pytest.mark.parametrize("window", ["0", "-5", "x", "1.5", "", "sentences:0", "sentences:", 0])
def test_what_is_no_window(window: object) -> None:
    with pytest.raises(UsageError, match=r"window: .* is not a width"):
        parse_windows([window])  # type: ignore[list-item]


def test_windows_over_documents_without_tokens() -> None:
    windows = regular_windows(np.array([0, 10, 11]), 5)
    assert windows.document.tolist() == [0, 1, 1, 2, 2, 2]
    assert windows.first.tolist() == [0, 0, 5, 0, 5, 10]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--window", "0"), "is not a width"),
        (("--window", "re:("), "is not a pattern"),
        (("--window-singletons", "keep"), "needs --window"),
        (("--window", "5", "-m", "immediate"), "immediate is not counted in windows"),
        (("--window", "5,9", "--by", "entity:size"), "with several windows there are no strata"),
        (("--window", "5,9", "-m", "muc", "--by", "class"), "give one, for example --window 5"),
        (("--window", "5", "-f", "conll"), "cannot be combined with"),
        (
            ("--window", "5", "--profile", "coval", "--match", "mina"),
            "cannot be combined with match mina",
        ),
        (
            ("--window", "5", "--profile", "arrau", "--match", "min"),
            "cannot be combined with match min",
        ),
        (("--window", "5", "--profile", "corefud-1.1"), "pairs no mentions"),
        (("--window", "sentences:5", "--profile", "bookcoref"), "widths in tokens"),
        (("--profile", "bookcoref", "--by", "genre"), "leave out --by"),
        (("--window", "5", "--engine", "duckdb"), "counts whole documents"),
    ],
)
def test_usage(options: tuple[str, ...], told: str) -> None:
    done = run("score", KEY, HASTY, *options)
    assert (done.status, done.out) == (2, "")
    assert told in re.sub(r"\s+", " ", done.err)


def test_a_key_without_bounds(tmp_path: Path) -> None:
    flat = tmp_path / "key.conll"
    rows = ("#begin document (d); part 000", "d 0 0 a (1)", "d 0 1 b (1)", "#end document", "")
    flat.write_text("\n".join(rows))
    for window, incident in (("sentences:2", "sentences-unknown"), ("re:x", "sentences-unknown")):
        done = run("score", flat, flat, "--window", window)
        assert (done.status, done.err.count("error: the key does not show")) == (1, 1)
        assert f"[{incident}]" in done.err
    done = run("score", KEY, HASTY, "--window", "paragraphs")
    assert done.status == 1
    assert done.err.count("[paragraphs-unknown]") == 1
    with pytest.raises(DataError):
        corefkit.score(KEY, HASTY, window="paragraphs")


def test_a_pattern_that_matches_nowhere() -> None:
    done = run("score", KEY, HASTY, "--window", "re:^no such text$", "-m", "muc")
    assert done.status == 0
    assert "[window-no-match]" in done.err
    cut, whole = corefkit.score(KEY, HASTY, "muc", window="re:^no such text$").windows
    assert cut.scores.to_dict() == whole.scores.to_dict()


def test_split_antecedents_have_no_place() -> None:
    key = EXAMPLES / "picnic.conllua"
    done = run("score", key, key, "--window", "20", "-m", "muc")
    assert "[window-split]" in done.err
    assert done.status == 1
    assert run("score", key, key, "--window", "20", "-m", "muc", "--split", "drop").status == 0


@pytest.mark.parametrize("profile", ["coval", "e2e", "e2e-singletons", "bookcoref"])
def test_windows_where_a_span_is_repeated(profile: str) -> None:
    """They ended in an internal error. A copy is in the window of its position."""
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1), (7, 7)], [(0, 0), (6, 6)], [(8, 8)]]})
    response = Corpus.from_clusters({"d": [[(0, 0), (1, 1)], [(6, 6), (7, 7), (7, 7)], [(8, 8)]]})
    whole = corefkit.score(key, response, "muc", profile=profile)
    scores = corefkit.score(key, response, "muc", profile=profile, window=100)
    if profile != "bookcoref":  # it loses the first mention
        assert scores.windows[0].scores["muc"] == whole["muc"]
    narrow = corefkit.score(key, response, "muc", profile=profile, window=5)
    assert narrow.windows[0].scores["muc"].counts["recall"][1] <= whole["muc"].counts["recall"][1]
