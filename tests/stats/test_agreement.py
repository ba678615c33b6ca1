"""Agreement between annotators: α against its definition, pairs against score."""

import csv
import json
import zipfile
from fractions import Fraction
from io import StringIO
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus
from corefkit.scorers import make_options
from corefkit.stats.agreement import compare_annotators
from corefkit.stats.alpha import count_alpha, marked_by_all
from corefkit.stats.compare import compare_scores
from tests.oracle.alpha import Annotation, alpha, distance, value
from tests.strategies import examples, sides
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def corpus_of(annotation: Annotation, documents: list[str]) -> Corpus:
    return Corpus.from_clusters(
        {d: [[(m, m) for m in chain] for chain in annotation.get(d, [])] for d in documents}
    )


def ours(annotations: list[Annotation]) -> float | None:
    documents = sorted({d for a in annotations for d in a})
    present = np.array([[d in a for d in documents] for a in annotations])
    return count_alpha([corpus_of(a, documents) for a in annotations], present).alpha()


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        # Worked out by hand. Chains {123} and {12}{3}: observed 1/3 in each unit, expected
        # (3·2·1/3 + 3·1·1/3 + 2·1·1) / 15 = 1/3.
        ([[[1, 2, 3]], [[1, 2], [3]]], Fraction(0)),
        # {12}{34} and {12}{3}{4}: observed (0 + 0 + 1/3 + 1/3) / 4 = 1/6; of the 28 pairs of
        # values 6 are {12} with itself, one {34} with itself, 4 {34} with {3} or {4} at 1/3, the
        # other 17 disjoint: (4/3 + 17) / 28 = 55/84; α = 1 − 14/55.
        ([[[1, 2], [3, 4]], [[1, 2], [3], [4]]], Fraction(41, 55)),
        # {12}{3} and {1}{23}: distances 1/3, 2/3, 1/3; expected: 15 pairs, less {12}{12},
        # {23}{23} at 0, {12}{1} ×2, {3}{23} ×2 at 1/3, {12}{23} ×4 at 2/3: 4/3 + 8/3 + 5 = 9.
        ([[[1, 2], [3]], [[1], [2, 3]]], 1 - Fraction(4, 9) / Fraction(9, 15)),
        ([[[1, 2], [3]], [[1, 2], [3]]], Fraction(1)),
        # Not marked means alone.
        ([[[1, 2], [3]], [[1, 2]]], Fraction(1)),
        ([[], []], None),
    ],
)
def test_alpha_by_hand(annotations: list[list[list[int]]], expected: Fraction | None) -> None:
    listed: list[Annotation] = [{"d": chains} for chains in annotations]
    assert alpha(listed) == expected
    found = ours(listed)
    assert found == (None if expected is None else pytest.approx(float(expected), abs=1e-12))


people = st.lists(
    st.dictionaries(st.sampled_from(["a", "b", "c"]), sides(6), min_size=1), min_size=2, max_size=4
)


@given(people)
@examples(40)
def test_alpha_is_its_definition(annotations: list[Annotation]) -> None:
    expected = alpha(annotations)
    found = ours(annotations)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert found == pytest.approx(float(expected), abs=1e-12)
    same = ours([annotations[0], annotations[0]])
    assert same is None or same == 1


@needs_conformance
def test_all_pairs_of_annotators() -> None:
    folder = CONFORMANCE / "annotators"
    usable = refused = 0
    with (folder / "pairs.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            one, other = (
                folder / f"{row['text']}.{row[who]}.conll.gz"
                for who in ("key_annotator", "response_annotator")
            )
            found = compare_annotators([one, other])
            if row["tokens_identical"] == "True":
                usable += 1
                assert found.pairs[0].scores is not None
                assert found.alpha is not None
                value = found.alpha.alpha()
                ends = found.alpha.interval(samples=100)
                assert value is not None
                assert ends is not None
                assert ends[0] < value < ends[1]
            else:
                refused += 1
                assert found.pairs[0].scores is None
                assert found.alpha is None
                assert [i.id for i in found.incidents] == ["document-unfit", "nothing-shared"]
    assert (usable, refused) == (19, 6)


@needs_conformance
def test_figures_of_the_reference_scorer() -> None:
    folder = CONFORMANCE / "annotators"
    for case in json.loads((folder / "expected.json").read_text(encoding="utf-8")):
        (pair,) = compare_annotators([folder / case["key"], folder / case["response"]]).pairs
        assert pair.scores is not None
        expected = case["reference_scorer"]["muc"]["recall"]
        assert pair.scores["muc"].counts["recall"] == expected


@needs_conformance
def test_alpha_of_a_real_pair_is_its_definition() -> None:
    files = [CONFORMANCE / "annotators" / f"Emilia_Act1.{who}.conll.gz" for who in ("IV", "LF")]
    found = compare_annotators(files)
    number: dict[tuple[int, int], int] = {}
    listed: list[Annotation] = []
    for annotator in found.annotators:
        clusters = annotator.corpus.clusters()
        listed.append(
            {
                d: [[number.setdefault(s, len(number)) for s in c if s[0] < 700] for c in chains]
                for d, chains in clusters.items()
            }
        )
    few = [{d: [c for c in chains if c] for d, chains in a.items()} for a in listed]
    assert ours(list(few)) == pytest.approx(float(alpha(few) or 0), abs=1e-12)


def test_pairs_are_scores() -> None:
    found = compare_annotators([KEY, CAREFUL, HASTY], EXAMPLES / "baseline.conll")
    assert [(p.a, p.b) for p in found.pairs] == [
        ("key", "careful"),
        ("key", "hasty"),
        ("careful", "hasty"),
        ("key", "baseline"),
        ("careful", "baseline"),
        ("hasty", "baseline"),
    ]
    scores = found.pairs[0].scores
    assert scores is not None
    assert scores.to_dict() == corefkit.score(KEY, CAREFUL).to_dict()
    for name, (low, high) in found.pairs[0].intervals().items():
        assert low <= scores[name].f1 <= high
    assert found.alpha is not None
    assert sum(n * times for times, n in found.marked_by().items()) == sum(
        a.corpus.mentions for a in found.annotators
    )


def test_a_missing_document_is_not_held_against_anybody() -> None:
    found = compare_annotators([HASTY, KEY])
    scores = found.pairs[0].scores
    assert scores is not None
    assert len(scores.counts) == 7
    assert {i.id for i in found.incidents} == {"document-unshared"}


def test_identical_annotations() -> None:
    report = json.loads(run("agree", KEY, KEY, KEY, "-f", "json").out)
    assert report["alpha"] == 1
    assert report["alpha_interval"] == [1, 1]
    assert all(p["scores"]["muc"]["f1"] == 1 == p["alpha"] for p in report["pairs"])


def test_formats(tmp_path: Path) -> None:
    report = json.loads(run("agree", KEY, CAREFUL, "-f", "json").out)
    assert report["annotators"] == ["key", "careful"]
    assert [p["part"]["genre"] for p in report["pairs"][0]["parts"]] == ["bc", "lt", "nw", "wb"]
    text = run("agree", KEY, CAREFUL, "--adjudicated", HASTY).out
    *parts, advice = text.split("\n\n")
    titles = parts[::2]
    scores, alphas = report["pairs"][0]["scores"], report["pairs"][0]["alpha"]
    mentions = f"{100 * scores['mentions']['f1']:.2f}"
    assert advice.startswith(f"To report: mentions F1 {mentions} for what is a mention, and α ")
    assert f"α {alphas['value'] if isinstance(alphas, dict) else alphas:.4f} " in advice
    assert titles == [
        "Mentions by how many annotators marked them",
        "F1 of all metrics, 95 % intervals from samples of documents",
        "MUC F1 by genre",
        "Krippendorff's α for chains, 95 % intervals; marked by anyone: unmarked = singleton",
    ]
    assert "\ngenre  key – careful  key – hasty  careful – hasty\n" in text
    assert "unmarked = singleton" in text
    only = run("agree", KEY, CAREFUL, "-m", "lea").out
    assert only.index("\nmentions") < only.index("\nLEA ") < only.index("LEA F1 by genre")
    rows = list(csv.DictReader(StringIO(run("agree", KEY, CAREFUL, "-f", "csv").out)))
    muc = {r["part"]: r for r in rows if r["metric"] == "muc"}
    assert float(muc["all"]["f1"]) == report["pairs"][0]["scores"]["muc"]["f1"]
    assert [float(muc["all"][end]) for end in ("low", "high")] == (
        report["pairs"][0]["intervals"]["muc"]
    )
    marked = {r["label"]: int(r["mentions"]) for r in rows if r["by"] == "marked by"}
    assert marked == {
        f"{number} of 2": count
        for number, count in enumerate(report["mentions"]["marked_by"].values(), 1)
    }
    documents = {(r["system"], r["label"]): r["mentions"] for r in rows if r["by"] == "document"}
    for document in report["documents"]:
        for name, figures in document["annotators"].items():
            assert int(documents[name, document["name"]]) == figures["mentions"]
    assert "key -- careful" in run("agree", KEY, CAREFUL, "-f", "latex", "-m", "lea").out
    assert run("agree", KEY).status == 2
    assert run("agree", KEY, CAREFUL, "-m", "nothing").status == 2
    assert run("agree", KEY, tmp_path / "nothing").status == 1


@needs_conformance
def test_one_bad_pair_among_several() -> None:
    folder = CONFORMANCE / "annotators"
    files = [folder / f"Sara_Act1.{who}.conll.gz" for who in ("AH", "AK", "JA")]
    result = run("agree", *files, "-f", "json")
    report = json.loads(result.out)
    assert result.status == 1
    assert [p["scores"] is None for p in report["pairs"]] == [True, True, False]
    assert report["alpha"] is None
    assert report["mentions"] == {"marked_by": {"1": 0, "2": 0, "3": 0}}
    assert "line 620" in result.err


def test_strangers(tmp_path: Path) -> None:
    other = tmp_path / "other.conll"
    other.write_text("#begin document other\na 0 0 w (1)\n#end document\n")
    result = run("agree", KEY, other)
    assert result.status == 1
    assert "have no document in common" in result.err
    assert "α" not in result.out  # no table without a figure
    assert "how many annotators" not in result.out


@pytest.mark.parametrize("metric", ["immediate", "inferred", "anchor"])
def test_application_scores_are_refused(metric: str) -> None:
    done = run("agree", KEY, CAREFUL, "-m", f"muc,{metric}")
    assert done.status == 2
    assert f"{metric}: application scores have a key and a response" in done.err


def test_one_annotator_is_refused() -> None:
    with pytest.raises(corefkit.UsageError, match="two annotators"):
        compare_annotators([KEY], CAREFUL)


def test_mentions_of_comparable_documents_only(tmp_path: Path) -> None:
    both = "#begin document both\na 0 0 w (1)\n#end document\n"
    alone = "#begin document alone\na 0 0 w (1)\n#end document\n"
    for name, text in (("a", both + alone), ("b", both)):
        (tmp_path / f"{name}.conll").write_text(text)
    found = compare_annotators([tmp_path / "a.conll", tmp_path / "b.conll"])
    assert found.marked_by() == {1: 0, 2: 1}


def test_intervals_need_two_documents(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("#begin document a\na 0 0 w (1)\n#end document\n")
    told = "intervals of the metrics need at least two documents"
    assert told in run("agree", tmp_path / "a.conll", tmp_path / "a.conll").err
    assert told not in run("agree", KEY, CAREFUL).err


@pytest.mark.long
def test_intervals_of_few_documents_are_told(tmp_path: Path) -> None:
    document = "#begin document {}\na 0 0 w (1)\nb 0 1 w (1)\n#end document\n"
    for number in (19, 20):
        path = tmp_path / f"{number}.conll"
        path.write_text("".join(document.format(i) for i in range(number)))
        few = number < 20
        assert ("only 19 documents" in run("agree", path, path).err) is few
        assert bool(compare_annotators([path, path]).notes) is few
        assert bool(json.loads(run("agree", path, path, "-f", "json").out)["notes"]) is few
        drawn = run("score", path, path, "--plot", tmp_path / "dots.svg")
        assert ("only 19 documents" in drawn.err) is few
    drawn = run("score", path, path, "--plot", tmp_path / "dots.svg", "--by", "document")
    assert "need at least two documents" in drawn.err


def restricted(annotations: list[Annotation]) -> list[Annotation]:
    """The mentions that all who have the document marked, slowly."""
    found: list[Annotation] = []
    for annotation in annotations:
        kept = {}
        for document, chains in annotation.items():
            others = [a[document] for a in annotations if document in a]
            sets = [{m for chain in of_other for m in chain} for of_other in others]
            shared = set.intersection(*sets)
            kept[document] = [[m for m in chain if m in shared] for chain in chains]
        found.append({d: [c for c in chains if c] for d, chains in kept.items()})
    return found


@given(people)
@examples(20)
def test_alpha_over_mentions_marked_by_all(annotations: list[Annotation]) -> None:
    documents = sorted({d for a in annotations for d in a})
    present = np.array([[d in a for d in documents] for a in annotations])
    corpora = marked_by_all([corpus_of(a, documents) for a in annotations], present)
    found, expected = count_alpha(corpora, present).alpha(), alpha(restricted(annotations))
    assert (found is None) == (expected is None)
    assert expected is None or found == pytest.approx(float(expected), abs=1e-12)


def test_added_singletons_raise_alpha_but_not_that_of_shared_mentions() -> None:
    chains = [[(0, 0), (2, 2)], [(4, 4), (6, 6), (8, 8)]]
    other = [[(0, 0), (2, 2), (4, 4)], [(6, 6), (8, 8)]]
    added = [*other, *([(n, n)] for n in range(20, 40))]
    plain, raised = (
        compare_annotators([Corpus.from_clusters({"d": c}), Corpus.from_clusters({"d": o})])
        for c, o in ((chains, other), (chains, added))
    )
    before, after = (found.to_dict() for found in (plain, raised))
    assert before["alpha"] < after["alpha"]
    assert before["alpha_marked_by_all"] == after["alpha_marked_by_all"]
    dropped = compare_annotators(
        [Corpus.from_clusters({"d": c}) for c in (chains, added)],
        options=make_options("muc", singletons="drop"),
    )
    assert dropped.to_dict()["alpha"] == before["alpha"]
    assert dropped.marked_by() == plain.marked_by() == {1: 0, 2: 5}


def shuffled(corpus: Corpus, order: list[int]) -> Corpus:
    """The same documents in another order, entities too."""
    clusters = corpus.clusters()
    names = [list(clusters)[i] for i in order]
    return Corpus.from_clusters({name: clusters[name][::-1] for name in names})


def test_no_figure_depends_on_the_order_of_documents() -> None:
    one, other = corefkit.read(KEY), corefkit.read(CAREFUL)
    orders = [list(range(8)), [5, 2, 7, 0, 1, 6, 4, 3]]
    found = [
        compare_annotators([shuffled(one, order), shuffled(other, order)]).to_dict()
        for order in orders
    ]
    for report in found:
        del report["annotators"]
        report["documents"] = sorted(document["name"] for document in report["documents"])
        for pair in report["pairs"]:
            del pair["a"], pair["b"]
    assert found[0] == found[1]


def test_intervals_of_metrics_are_those_of_compare() -> None:
    scores = compare_annotators([KEY, CAREFUL]).pairs[0].scores
    assert scores is not None
    expected = compare_scores({"": scores}, samples=300, seed=4).systems[""]
    found = compare_annotators([KEY, CAREFUL]).pairs[0].intervals(300, 4)
    assert found == {name: of_metric.interval for name, of_metric in expected.items()}


def test_interval_of_alpha_over_documents_is_its_quantiles() -> None:
    """Three documents make ten samples with their chances; the ends are quantiles of those."""
    texts: list[Annotation] = [
        {"a": [[1, 2, 3]], "b": [[1, 2], [3, 4]], "c": [[1, 2, 3, 4, 5]]},
        {"a": [[1, 2]], "b": [[1, 2], [3, 4]], "c": [[1, 2], [3, 4, 5]]},
    ]
    values = []
    for chosen in product("abc", repeat=3):
        copies = [{f"{d}{i}": t[d] for i, d in enumerate(chosen)} for t in texts]
        values.append(float(alpha(list(copies)) or 0))
    documents = ["a", "b", "c"]
    counts = count_alpha([corpus_of(t, documents) for t in texts], np.ones((2, 3), dtype=bool))
    for level in (0.5, 0.8, 0.95):
        ends = counts.interval(samples=40_000, level=level)
        for end, share in zip(ends or (), ((1 - level) / 2, (1 + level) / 2), strict=True):
            below, upto = (sum(v < end + side for v in values) for side in (-1e-6, 1e-6))
            assert below / 27 - 0.01 <= share <= upto / 27 + 0.01


def test_interval_of_alpha_over_mentions_keeps_what_is_expected() -> None:
    """One document: units are drawn, the expected disagreement is that of all of them."""
    one: Annotation = {"d": [[1, 2, 3], [4, 5], [6, 7, 8]]}
    other: Annotation = {"d": [[1, 2], [3, 4, 5], [6, 7], [8]]}
    observed = alpha([one, other])
    assert observed is not None
    units = sorted({m for chain in one["d"] for m in chain})
    apart = [float(distance(value(one, "d", m), value(other, "d", m))) for m in units]
    expected = (sum(apart) / len(apart)) / (1 - float(observed))
    rng = np.random.default_rng(11)
    drawn = [
        1 - np.mean([apart[i] for i in rng.integers(0, len(units), len(units))]) / expected
        for _ in range(20_000)
    ]
    counts = count_alpha([corpus_of(a, ["d"]) for a in (one, other)], np.ones((2, 1), dtype=bool))
    # α moves in steps of a third of a unit here: ends are on a step, one step of luck is allowed.
    step = 1 / 3 / len(units) / expected
    for level in (0.95, 0.5):
        ends = counts.interval(samples=20_000, level=level)
        assert ends is not None
        wanted = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
        assert ends == pytest.approx(wanted, abs=1.01 * step)
        assert [(1 - end) / step % 1 for end in ends] == pytest.approx([0, 0], abs=1e-4)


LONGER = "#begin document long\na 0 0 w (1)\na 0 1 w (1)\na 0 2 w -\n#end document\n"
SHORTER = "#begin document long\na 0 0 w (1)\na 0 1 w (1)\n#end document\n"
BOTH = "#begin document both\na 0 0 w (1\na 0 1 w 1)|(2)\n#end document\n"


def test_a_document_that_does_not_fit_is_left_out(tmp_path: Path) -> None:
    a, b, c = (tmp_path / f"{name}.conll" for name in ("ada", "ben", "cleo"))
    a.write_text(LONGER + BOTH)
    b.write_text(BOTH + SHORTER)
    c.write_text(LONGER + BOTH)
    done = run("agree", a, b, c, "-f", "json")
    report = json.loads(done.out)
    assert done.status == 0
    assert [pair["documents"] for pair in report["pairs"]] == [1, 2, 1]
    assert report["mentions"]["marked_by"] == {"1": 0, "2": 0, "3": 2}
    assert report["alpha"] == 1
    assert "the document has 3 tokens in ada and 2 in ben [document-unfit]" in done.err
    ids = [incident["id"] for incident in report["incidents"]]
    assert ids == ["document-unfit", "document-unfit"]
    ignoring = json.loads(run("agree", a, b, "--lengths", "ignore", "-f", "json").out)
    assert ignoring["pairs"][0]["documents"] == 2
    assert ignoring["incidents"] == []
    listed = tmp_path / "list.tsv"
    assert run("agree", a, b, "--disagreements", listed).status == 0


@pytest.mark.parametrize("lengths", ["error", "ignore"])
def test_annotators_are_neither_key_nor_response(lengths: str, tmp_path: Path) -> None:
    a, b, c = (tmp_path / f"{name}.conll" for name in ("ada", "ben", "cleo"))
    a.write_text(LONGER + BOTH.replace("(2)", "(2)|(2)|(3)"))
    b.write_text(SHORTER)
    c.write_text("#begin document other\na 0 0 w (1)\n#end document\n")
    done = run("agree", a, b, c, "--lengths", lengths)
    assert "[document-unshared]" in done.err
    assert "[span-twice]" in done.err
    assert "[nothing-shared]" in done.err
    assert done.status == (1 if lengths == "error" else 0)  # ada and ben differ in length
    help_text = run("agree", "--help").out
    for word in ("key", "response", "--duplicates", "--strict"):
        assert word not in done.out.lower() + done.err.lower() + help_text.lower()


def test_singletons_can_be_dropped() -> None:
    dropped = json.loads(run("agree", KEY, CAREFUL, "--singletons", "drop", "-f", "json").out)
    expected = corefkit.score(KEY, CAREFUL, singletons="drop")
    assert dropped["pairs"][0]["scores"] == expected.to_dict()
    assert run("agree", KEY, CAREFUL, "--singletons", "e2e").status == 2


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_pairs_are_matched_by_the_rule_asked_for(match: Any) -> None:
    """The signature names the rule; once mentions were matched exactly whatever it said."""
    agreement = corefkit.agree(KEY, CAREFUL, HASTY, match=match)
    files = combinations((KEY, CAREFUL, HASTY), 2)
    for pair, (one, other) in zip(agreement.pairs, files, strict=True):
        assert pair.scores is not None
        names = pair.scores.options.metrics
        expected = corefkit.score(one, other, metrics=names, match=match, documents="common")
        assert pair.scores.to_dict() == expected.to_dict()


def test_unknown_heads_are_an_error_of_the_pair() -> None:
    tale = Corpus.from_clusters({"tale": [[(0, 1), (3, 4)]]})
    agreement = corefkit.agree(tale, tale, match="head")
    assert agreement.pairs[0].scores is None
    assert [incident.id for incident in agreement.pairs[0].incidents] == ["head-unknown"]


def test_three_annotators_fit_on_a_terminal(tmp_path: Path) -> None:
    """Pairs become rows; where names are long, numbers stand for them. No column is empty."""
    for length, numbered in ((12, False), (60, True)):
        names = [f"{letter * length}.conll" for letter in "abc"]
        for name, file in zip(names, (KEY, CAREFUL, HASTY), strict=True):
            (tmp_path / name).write_bytes(file.read_bytes())
        text = run("agree", *(tmp_path / name for name in names)).out
        assert max(map(len, text.splitlines())) <= 100
        assert ("[1] – [2]" in text) is numbered
        assert "CoNLL" in text
    one = tmp_path / "one.conll"
    one.write_text("#begin document d\nd 0 0 a (1)\nd 0 1 b (1)\n#end document\n")
    alone = run("agree", one, one, one).out or run("agree", one, f"x={one}", f"y={one}").out
    assert "from" not in alone.partition("Krippendorff")[0], "one document has no interval"
    assert "genre" not in alone
    assert "(none)" not in alone


def test_annotators_in_a_list() -> None:
    """A list is the same as its members."""
    listed, given = corefkit.agree([KEY, CAREFUL]), corefkit.agree(KEY, CAREFUL)
    assert repr(listed) == repr(given)
    assert repr(corefkit.agree((KEY, CAREFUL))) == repr(given)


def test_different_numbers_of_tokens_are_not_a_matter_of_names(tmp_path: Path) -> None:
    lines = "#begin document (a);\na 0 0 Ann (1)\na 0 1 hid -\n#end document\n"
    (tmp_path / "a.conll").write_text(lines, encoding="utf-8")
    (tmp_path / "b.conll").write_text(lines.replace("a 0 1 hid -\n", ""), encoding="utf-8")
    result = run("agree", tmp_path / "a.conll", tmp_path / "b.conll")
    assert result.status == 1
    assert "the document has 2 tokens in a and 1 in b" in result.err
    assert "all documents that a and b share have different numbers of tokens" in result.err
    assert "name" not in result.err.replace(str(tmp_path), "")


@pytest.mark.parametrize("command", ["agree", "adjudicate"])
def test_an_export_that_cannot_be_read_says_why(command: str, tmp_path: Path) -> None:
    """Not that it has too few annotators: nobody could tell what to mend."""
    export = tmp_path / "export.zip"
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("exportedproject1.json", "{}")
        archive.writestr("annotation_ser/one.txt/anna.ser", b"\xac\xed")
    done = run(command, export)
    assert (done.status, "only as Java objects" in done.err) == (1, True), done.err
    with pytest.raises(corefkit.DataError, match="only as Java objects"):
        getattr(corefkit, command)(export)
    assert "needs at least two annotators" in run(command, KEY).err


def test_unfinished_annotations_are_named_where_they_count() -> None:
    project = EXAMPLES / "project"
    counted, dropped = run("agree", project), run("agree", project, "--read", "unfinished=drop")
    text = " ".join(counted.out.split())
    assert "This counts 1 unfinished annotation: --read unfinished=drop leaves it out" in text
    assert "It counts as if it were finished; --read unfinished=drop leaves it out" in counted.err
    assert "unfinished" not in dropped.out
    told = "without unfinished annotations, which agree counts unless told otherwise"
    assert told in run("adjudicate", project).out
    assert told not in run("adjudicate", project, "--read", "unfinished=keep").out


def test_notes_on_few_documents_name_the_pairs() -> None:
    """carla lacks one of three documents if what she has not finished is dropped."""
    project = EXAMPLES / "project"
    assert corefkit.agree(project).notes == (
        "only 3 documents: percentile intervals are too narrow",
    )
    assert corefkit.agree(project, unfinished="drop").notes == (
        "anna – carla, ben – carla: only 2 documents: percentile intervals are too narrow",
    )


def test_a_pair_without_a_common_document_is_no_error_beside_others(tmp_path: Path) -> None:
    text = "#begin document {}\na 0 0 w (1)\na 0 1 w (1)\n#end document\n"
    documents = {"ada": ("x",), "ben": ("x", "y"), "cleo": ("y",)}
    files = [tmp_path / f"{name}.conll" for name in documents]
    for file, names in zip(files, documents.values(), strict=True):
        file.write_text("".join(map(text.format, names)))
    done = run("agree", *files)
    assert done.status == 0
    assert "warning: ada and cleo have no document in common" in done.err
    alone = run("agree", files[0], files[2])
    assert (alone.status, "error: ada and cleo" in alone.err) == (1, True)
    assert "-0.0000" not in done.out
