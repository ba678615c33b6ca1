"""Strata of whole scores: from Python and from the command line, in every format."""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError, UsageError, metrics
from corefkit.formats import LossWarning
from corefkit.scoring.strata import entity_metrics
from tests.strategies import examples
from tests.support import EXAMPLES, run

KEY, CAREFUL = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
EXAMPLE = {
    "key": Corpus.from_clusters({"d": [[(i, i) for i in e] for e in ((0, 1, 2), (3, 4, 5, 6))]}),
    "response": Corpus.from_clusters(
        {"d": [[(i, i) for i in e] for e in ((0, 1), (2, 3), (5, 6, 7, 8))]}
    ),
}


def test_the_worked_example() -> None:
    strata = corefkit.score(EXAMPLE["key"], EXAMPLE["response"]).by("entity:size")
    assert list(strata) == ["2", "3-4"]
    two, four = strata["2"], strata["3-4"]
    assert two["muc"].f1 is None and two["muc"].recall is None
    assert two["muc"].precision == 0.5
    assert two["conll"].f1 is None
    assert four["muc"].f1 == pytest.approx(4 / 11)
    assert four["bcub"].counts == {"recall": [35 / 12, 7], "precision": [1.0, 4]}
    assert four["blanc"].counts["noncoreference"] == {
        "recall": [8.0, 12.0],
        "precision": [3.0, 8.0],
    }
    assert two.scores.to_dict()["muc"] == {
        "recall": None,
        "precision": 0.5,
        "f1": None,
        "counts": {"recall": [0, 0], "precision": [1, 2]},
    }
    assert "muc –" in repr(two)


def test_what_is_shown() -> None:
    shown = run("score", KEY, CAREFUL, "-m", "ceafe", "--by", "entity:size", "--by", "entity:kind")
    assert shown.status == 0
    assert "By entity:size" in shown.out and "By entity:kind" in shown.out
    assert "Strata add up to the whole" in shown.out
    assert "by:entity:size=1,2,3,5,10,20+entity:kind" in shown.out
    again = run("score", KEY, CAREFUL, "--signature", _signature(shown.out))
    assert again.out == shown.out
    parsed = run("explain", _signature(shown.out)).out
    assert "--by entity:size=1,2,3,5,10,20\n--by entity:kind\n" in parsed


def _signature(text: str) -> str:
    return text[text.index("signature: ") :].strip()


def test_json_and_tables() -> None:
    arguments: tuple[str | Path, ...] = ("score", KEY, CAREFUL, "-m", "muc,conll")
    by = ("--by", "entity:size=1,2,10", "--by", "entity:major=top:2")
    content = json.loads(run(*arguments, *by, "-f", "json").out)
    parts = content["systems"][0]["parts"]
    assert content["bounds"] == {"entity:size": [1, 2, 10]}
    sizes = [part["part"]["entity:size"] for part in parts if "entity:size" in part["part"]]
    assert sizes == ["1", "2-9", "10+"] and "entity:major=top:2" in parts[-1]["part"]
    first = parts[0]
    assert first["scores"]["muc"]["f1"] is None and first["scores"]["conll"] == {"f1": None}
    assert set(first["key"]) == {"entities", "mentions"}
    mention = json.loads(run(*arguments[:3], "-m", "muc", "--by", "length", "-f", "json").out)
    assert set(mention["systems"][0]["parts"][0]["key"]) == {"mentions"}
    table = list(csv.DictReader(io.StringIO(run(*arguments, *by, "-f", "csv").out)))
    groups = {row["group"] for row in table}
    assert {"all", "entity:size:1", "entity:size:2-9", "entity:major=top:2:minor"} <= groups
    (row,) = [r for r in table if (r["group"], r["metric"]) == ("entity:size:1", "muc")]
    assert row["f1"] == "" and row["recall_denominator"] == "0"
    for form in ("markdown", "latex", "html"):
        made = run(*arguments, *by, "-f", form)
        assert made.status == 0 and "10+" in made.out


def test_entities_without_an_ending_are_tab_separated(tmp_path: Path) -> None:
    named, bare = tmp_path / "entities.tsv", tmp_path / "entities"
    for file in (named, bare):
        assert run("score", KEY, CAREFUL, "--by", "entity:size", "--entities", file).status == 0
    assert bare.read_bytes() == named.read_bytes()
    done = run("score", KEY, CAREFUL, "--by", "entity:size", "--entities", "-")
    assert done.status == 0 and named.read_text(encoding="utf-8") in done.out


def test_strata_are_sums_of_entities(tmp_path: Path) -> None:
    """Every table is a sum of the rows of --entities, as fractions; a plug-in's metric, too."""
    names = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "purity")
    for name in ("e.tsv", "e.csv", "e.jsonl"):
        file = tmp_path / name
        by = "entity:kind"
        arguments = ("--by", by, "--entities", file, "-f", "json", "-m", ",".join(names))
        done = run("score", KEY, CAREFUL, *arguments)
        assert done.status == 0
        text = file.read_text()
        rows = (
            [json.loads(line) for line in text.splitlines()]
            if name.endswith("jsonl")
            else list(csv.DictReader(io.StringIO(text), delimiter="\t" if "tsv" in name else ","))
        )
        for stratum in json.loads(done.out)["systems"][0]["parts"]:
            label = stratum["part"]["entity:kind"]
            for metric in names:
                found = [
                    float(
                        sum(
                            (
                                Fraction(row[f"{metric}_{part}"])
                                for row in rows
                                if row["side"] == side and row["kind"] == label
                            ),
                            Fraction(),
                        )
                    )
                    for side in ("key", "response")
                    for part in ("numerator", "denominator")
                ]
                counts = stratum["scores"][metric]["counts"]
                assert found == pytest.approx([*counts["recall"], *counts["precision"]], abs=1e-12)


def test_ids_brackets_and_documents_do_not_matter() -> None:
    key, response = (corefkit.read(path) for path in (KEY, CAREFUL))
    scores = corefkit.score(key, response).by("entity:size")
    turned = []
    for corpus in (key, response):
        clusters = {n: [c[::-1] for c in cs][::-1] for n, cs in corpus.clusters().items()}
        turned.append(Corpus.from_clusters(dict(reversed(clusters.items()))))
    again = corefkit.score(turned[0], turned[1]).by("entity:size")
    assert {n: s.to_dict() for n, s in scores.items()} == {n: s.to_dict() for n, s in again.items()}


def test_by_mention_leaves_out_what_has_no_share() -> None:
    scores = corefkit.score(KEY, CAREFUL)
    strata = scores.by("nested")
    assert set(next(iter(strata.values()))) == {"mentions", "muc", "bcub", "ceafm", "lea"}
    total = sum(s["muc"].counts["recall"][0] for s in strata.values())
    assert total == scores["muc"].counts["recall"][0]
    refused = run("score", KEY, CAREFUL, "-m", "bcub,ceafe", "--by", "class")
    assert refused.status == 2
    assert "entity:size" in refused.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--by", "entity:colour"), "size=1,2,3,5,10,20"),
        (("--by", "entity:size=3,2"), "ascend"),
        (("--by", "entity:size", "-m", "mor"), "not a sum over entities"),
        (("--by", "entity:size", "-m", "bcub_sys"), "not a sum over entities"),
        (("--by", "entity:size", "-m", "anchor"), "by ne"),
        (("--by", "entity:size", "--profile", "conll-8.01"), "--profile standard"),
        (("--by", "entity:size", "--engine", "duckdb"), "engine"),
        (("--by", "entity:size", "-f", "conll"), "that output is one score"),
        (("--by", "genre", "--by", "document"), "one grouping of documents"),
        (("--entities", "e.png"), "tsv"),
        (("--losses", "--profile", "e2e"), "--profile standard"),
        (("--losses", "-m", "anchor"), "entities"),
    ],
)
def test_usage_errors(arguments: tuple[str, ...], said: str) -> None:
    done = run("score", KEY, CAREFUL, *arguments)
    assert done.status == 2
    assert said in done.err


def test_matchings_that_are_refused() -> None:
    with pytest.raises(UsageError, match="half a mention"):
        corefkit.compare(KEY, CAREFUL, by="entity:size", match="semeval")


def test_repeated_spans_under_e2e(tmp_path: Path) -> None:
    """A copy is found once in either direction, so entities add up; links and mentions do not."""
    twice = Corpus.from_clusters({"d": [[(0, 0), (1, 1)], [(0, 0), (2, 2)]]})
    with pytest.warns(LossWarning, match="2 mentions have the same span"):
        corefkit.write(twice, tmp_path / "twice.conll")
    once = Corpus.from_clusters({"d": [[(0, 0), (1, 1)], [(2, 2)]]})
    corefkit.write(once, tmp_path / "once.conll")
    files = tmp_path / "twice.conll", tmp_path / "once.conll"
    assert run("score", *files, "--profile", "e2e").status == 0
    assert run("score", *files, "--profile", "e2e", "--by", "entity:size").status == 0
    with pytest.raises(DataError, match="span-in-two-entities"):
        corefkit.score(twice, once, profile="e2e").by("link:tokens")
    split = corefkit.score(once, once, profile="e2e-singletons").by("entity:size")
    assert split["1"]["lea"].f1 is None and split["1"]["bcub"].f1 == 1


def test_nothing_to_split() -> None:
    empty = Corpus.from_clusters({"d": []})
    assert corefkit.score(empty, empty).by("entity:size") == {}
    one = Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]})
    assert corefkit.score(one, empty).by("entity:size")["2"]["muc"].f1 is None


def test_losses_in_every_format() -> None:
    arguments = ("score", KEY, CAREFUL, "-m", "muc,conll", "--losses")
    assert "Detection or linking" in run(*arguments).out
    content = json.loads(run(*arguments, "-f", "json").out)["systems"][0]
    loss = content["losses"]["conll"]
    assert loss["detection"] + loss["linking"] == pytest.approx(
        1 - content["scores"]["conll"]["f1"]
    )
    assert loss["intervals"]["detection"][0] < loss["detection"] < loss["intervals"]["detection"][1]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "-f", "csv").out)))
    assert float(rows[-1]["detection"]) == pytest.approx(loss["detection"])
    errors = json.loads(run("errors", KEY, CAREFUL, "-f", "json").out)["systems"][0]
    assert errors["losses"]["conll"]["detection"] == pytest.approx(loss["detection"])


def test_no_system_chooses_its_strata(tmp_path: Path) -> None:
    """What a response writes in the columns of tags and names is not read."""
    lines = []
    for line in CAREFUL.read_text().splitlines():
        cells = line.split()
        if len(cells) > 11:
            cells[4], cells[10] = "NNP", "(GPE)"
        lines.append("   ".join(cells) if len(cells) > 11 else line)
    other = tmp_path / "other.conll"
    other.write_text("\n".join(lines) + "\n")
    for by in ("entity:kind", "entity:first", "entity:type"):
        plain, changed = (corefkit.score(KEY, path).by(by) for path in (CAREFUL, other))
        assert {n: s.to_dict() for n, s in plain.items()} == {
            n: s.to_dict() for n, s in changed.items()
        }


SIDES = st.lists(
    st.lists(st.integers(0, 8).map(lambda token: (token, token)), min_size=1, max_size=5),
    min_size=1,
    max_size=5,
)
"""Entities in which spans are repeated, within an entity and in several."""


@pytest.mark.parametrize(
    "profile", ["coval", "e2e", "e2e-singletons", "corefud", "ua", "ua-1", "kbp"]
)
@given(SIDES, SIDES)
@examples(15)
def test_entities_add_up_under_every_scorer(profile: str, key: Any, response: Any) -> None:
    """Also where copies are kept: in either direction, a mention is found in one entity."""
    ours, theirs = (Corpus.from_clusters({"d": side}) for side in (key, response))
    whole = corefkit.score(ours, theirs, profile=profile, labels="none")
    for by in ("entity:size", "entity:spread"):
        strata = whole.by(by)
        for name in metrics.counted(entity_metrics(whole.options)):
            columns = [stratum.scores.counts.total(name) for stratum in strata.values()]
            totals = [sum(column) for column in zip(*columns, strict=True)] or [0] * 8
            totals = totals[: len(whole.counts.tables[name])]
            assert totals == pytest.approx(list(whole.counts.total(name))), name


NAMES = "muc,bcub,ceafe,blanc,kbp"


def test_any_average_of_sums_over_entities_can_be_split() -> None:
    strata = corefkit.score(EXAMPLE["key"], EXAMPLE["response"], NAMES).by("entity:size")
    parts = [strata["3-4"][name].f1 or 0 for name in ("muc", "bcub", "ceafe", "blanc")]
    assert strata["3-4"]["kbp"].f1 == pytest.approx(sum(parts) / 4)
    assert run("score", KEY, CAREFUL, "--by", "entity:size", "-m", "kbp").status == 0


def test_a_profile_leaves_out_what_cannot_be_split() -> None:
    same = corefkit.score(KEY, KEY, profile="corefud").by("entity:size")
    assert set(next(iter(same.values()))) == {
        "muc",
        "bcub",
        "ceafe",
        "ceafm",
        "blanc",
        "lea",
        "conll",
    }
