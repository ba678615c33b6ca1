"""Published tables: every figure that can be derived from others is, and the exceptions are named.

Interval arithmetic: a printed figure stands for all numbers that round to it.
"""

import json
import os
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from corefkit.plugins.published import (
    Published,
    PublishedRow,
    list_standings,
    list_tables,
    load,
    standings,
)
from tests.support import CONFORMANCE, needs_conformance

SHARED = Path(os.environ.get("COREFKIT_SHARED") or Path(__file__).resolve().parents[4] / "shared")
PAPERS = SHARED / "papers"
LANGUAGES = ("english", "chinese", "arabic")
DETAILED = {language: f"conll-2012/table-{20 + i}" for i, language in enumerate(LANGUAGES)}
OPEN = {language: f"conll-2012/table-{24 + i}" for i, language in enumerate(LANGUAGES)}
PARTS = ("muc.f1", "bcub.f1", "ceafe.f1")

ROWS = {
    "acl-2014/table-1": 53,
    "conll-2012/table-17": 16,
    "conll-2012/table-18": 9,
    "conll-2012/table-19": 9,
    "conll-2012/table-20": 52,
    "conll-2012/table-21": 61,
    "conll-2012/table-22": 37,
    "conll-2012/table-23": 42,
    "conll-2012/table-24": 2,
    "conll-2012/table-25": 10,
    "conll-2012/table-26": 2,
    "conll-2012/table-27": 16,
}


def figure(row: PublishedRow, column: str) -> Fraction:
    """A figure exactly as printed."""
    value = row.figures[column]
    assert value is not None, (row.id, column)
    return Fraction(str(value))


def half(table: Published) -> Fraction:
    """Half a unit of the last printed place: what rounding may hide."""
    return Fraction(1, 2 * 10**table.decimals)


def harmonic(recall: Fraction, precision: Fraction) -> Fraction:
    total = recall + precision
    return 2 * recall * precision / total if total else Fraction(0)


CRAC = {
    "crac-2023/results": 9,
    "crac-2024/results": 3,
    "crac-2024/datasets": 21,
    "crac-2026/empty-nodes-baseline": 11,
}
"""Tables of means over datasets, which have no parts to check."""


def all_rows() -> Iterator[tuple[Published, PublishedRow]]:
    for name in ROWS:
        table = load(name)
        for row in table.rows:
            yield table, row


def marked(check: str) -> set[tuple[str, str]]:
    """The rows that the data say fail a check."""
    return {
        (table.name, row.id)
        for table, row in all_rows()
        if row.inconsistent is not None and row.inconsistent.check == check
    }


def by_id(*names: str) -> dict[str, PublishedRow]:
    return {row.id: row for name in names for row in load(name).rows}


# What is there


def test_every_table_is_there_with_every_row() -> None:
    assert {name: len(load(name).rows) for name in list_tables()} == ROWS | CRAC


@pytest.mark.parametrize("name", ROWS)
def test_a_table_says_what_it_is(name: str) -> None:
    table = load(name)
    assert table.name == name
    number = name.rpartition("-")[2]
    assert f", Table {number} (page " in table.source
    assert table.scorer == ("v8" if name.startswith("acl-2014") else "v4")
    assert len({row.id for row in table.rows}) == len(table.rows)
    for row in table.rows:
        assert all(f is None or 0 <= f <= 100 for f in row.figures.values())


def test_the_2014_table_has_18_and_35_rows() -> None:
    counts: dict[tuple[str | None, str | None], int] = {}
    for row in load("acl-2014/table-1").rows:
        place = row.facts["task"], row.facts["language"]
        counts[place] = counts.get(place, 0) + 1
    assert counts == {
        ("conll-2011", "english"): 18,
        ("conll-2012", "english"): 15,
        ("conll-2012", "chinese"): 13,
        ("conll-2012", "arabic"): 7,
    }


def test_participation_is_that_of_table_14() -> None:
    table = load("conll-2012/table-17")
    counts = {
        column: sum(row.figures[column] is not None for row in table.rows)
        for column in table.rows[0].figures
    }
    assert counts == {
        "open.english": 1,
        "open.chinese": 3,
        "open.arabic": 1,
        "closed.english": 15,
        "closed.chinese": 13,
        "closed.arabic": 7,
        "official": 16,
    }


def test_rows_of_a_block_are_numbered_in_order() -> None:
    odd = []
    for name in DETAILED.values():
        position: dict[str, int] = {}
        for row in load(name).rows:
            block, _, number = row.id.partition(".")
            if int(number) != position.get(block, 0):
                odd.append(row.id)
            position[block] = position.get(block, 0) + 1
        assert len(position) == 10
    assert odd == ["a1.12", "a1.13"]


@pytest.mark.conformance
@pytest.mark.skipif(not PAPERS.is_dir(), reason="no ../shared/papers")
@pytest.mark.parametrize("name", ROWS)
def test_the_papers_print_these_figures(name: str) -> None:
    """Every row is in the text of its paper, after its system or genre, blanks aside."""
    prefix = "003_" if name.startswith("acl-2014") else "002_"
    text = next(PAPERS.glob(f"{prefix}*.txt")).read_text(encoding="utf-8")
    text = re.sub(r"\s+", "", text).replace("bjo?rkelund", "björkelund")
    table = load(name)
    end = 0
    for row in table.rows:
        genre = row.facts.get("genre")
        label = f"[{genre.upper()}]" if genre else row.system
        if re.match(r"[eca]\d", row.id):
            label = row.id + label
        printed = (f"{f:.{table.decimals}f}" for f in row.figures.values() if f is not None)
        found = text.find(label + "".join(printed), end)
        assert found >= end, row
        end = found + 1


# Arithmetic within a row


def test_every_f1_follows_from_its_recall_and_precision() -> None:
    """BLANC is apart: its F1 is the mean of two, which bounds it by the harmonic mean."""
    failing = set()
    derived = 0
    for table, row in all_rows():
        slack = half(table)
        for metric in ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"):
            if f"{metric}.recall" not in row.figures:
                continue
            recall, precision = figure(row, f"{metric}.recall"), figure(row, f"{metric}.precision")
            f1 = figure(row, f"{metric}.f1")
            low = harmonic(max(recall - slack, Fraction(0)), max(precision - slack, Fraction(0)))
            high = harmonic(recall + slack, precision + slack)
            lowest = Fraction(0) if metric == "blanc" else low - slack
            if not lowest <= f1 <= high + slack:
                failing.add((table.name, row.id, metric))
            derived += 1
    assert failing == set()
    assert derived == 6 * (52 + 61 + 37 + 2 + 10 + 2 + 16)


def test_every_average_follows_from_its_three_parts() -> None:
    failing = set()
    derived = 0
    for table, row in all_rows():
        if "conll.f1" not in row.figures:
            continue
        mean = sum((figure(row, part) for part in PARTS), Fraction(0)) / 3
        if abs(mean - figure(row, "conll.f1")) > 2 * half(table):
            failing.add((table.name, row.id))
        derived += 1
    assert derived == sum(ROWS.values()) - 16 - 9 - 9
    assert failing == marked("average")


def test_the_averages_that_do_not_add_up_are_two_of_2014() -> None:
    rows = by_id("acl-2014/table-1")
    found = {
        (row.system, row.facts["task"], row.facts["language"], row.figures["conll.f1"])
        for name, i in marked("average")
        if (row := rows[i]) and name == "acl-2014/table-1"
    }
    assert found == {
        ("kobdani", "conll-2011", "english", 38.7),
        ("stamborg", "conll-2012", "english", 54.2),
    }
    assert len(marked("average")) == 2


def test_averages_of_2012_are_exact_means_of_the_printed_parts() -> None:
    for table, row in all_rows():
        if table.scorer == "v4" and "conll.f1" in row.figures:
            mean = sum((figure(row, part) for part in PARTS), Fraction(0)) / 3
            assert abs(mean - figure(row, "conll.f1")) <= half(table), row


@pytest.mark.parametrize("number", [17, 18, 19])
def test_every_official_score_is_the_mean_over_the_closed_languages(number: int) -> None:
    table = load(f"conll-2012/table-{number}")
    for row in table.rows:
        scores = [row.figures[f"closed.{language}"] for language in LANGUAGES]
        mean = sum((Fraction(str(s)) for s in scores if s is not None), Fraction(0)) / 3
        assert abs(mean - figure(row, "official")) <= half(table), row


def test_scorer_v4_gave_both_sides_of_ceafm_the_match() -> None:
    for row in by_id(*DETAILED.values(), *OPEN.values(), "conll-2012/table-27").values():
        assert len({figure(row, f"ceafm.{x}") for x in ("recall", "precision", "f1")}) == 1


# From table to table


@pytest.mark.parametrize(("number", "quality"), [(17, "NB"), (18, "GB"), (19, "GM")])
def test_scores_by_language_are_those_of_the_detailed_tables(number: int, quality: str) -> None:
    """So every figure stands in its column, and no row of the detailed tables is left out."""
    wanted = {"train_syntax": "predicted", "test_syntax": "predicted", "mention_quality": quality}
    detailed = {
        (row.system, f"{track}.{language}"): row.figures["conll.f1"]
        for track, names in (("closed", DETAILED), ("open", OPEN))
        for language, name in names.items()
        for row in load(name).rows
        if all(row.facts[fact] == value for fact, value in wanted.items())
    }
    summary = {
        (row.system, column): value
        for row in load(f"conll-2012/table-{number}").rows
        for column, value in row.figures.items()
        if column != "official" and value is not None
    }
    assert summary == detailed


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_scorers_agree_on_mentions_and_muc(language: str) -> None:
    """They differ elsewhere; so names and rows of the two papers can be matched."""
    old = {row.alias or row.system: row for row in standings(f"conll-2012/{language}@v4").rows}
    new = standings(f"conll-2012/{language}")
    assert {row.system for row in new.rows} == set(old)
    for row in new.rows:
        for column in ("mentions.f1", "muc.f1"):
            difference = figure(row, column) - figure(old[row.system], column)
            assert abs(difference) <= half(new), (row.system, column)
        assert row.figures["bcub.f1"] != old[row.system].figures["bcub.f1"]


def test_the_best_of_2011_is_lee() -> None:
    best, lee = load("conll-2012/table-27").rows[0], load("acl-2014/table-1").rows[0]
    assert (best.system, best.alias, lee.system) == ("2011best", "lee", "lee")
    for column in ("mentions.f1", "muc.f1"):
        assert abs(figure(best, column) - figure(lee, column)) <= Fraction(1, 20)


def test_table_27_has_the_systems_of_the_official_block_in_their_order() -> None:
    table = load("conll-2012/table-27")
    official = standings("conll-2012/english@v4")
    assert [r.system for r in table.rows[1:]] == [r.system for r in official.rows]


def genre_blocks() -> dict[str, list[PublishedRow]]:
    """The rows of Table 23 by the row of Tables 20 to 22 that is their total."""
    blocks: dict[str, list[PublishedRow]] = {}
    for row in load("conll-2012/table-23").rows:
        blocks.setdefault(row.facts["total"] or "", []).append(row)
    return blocks


def test_totals_of_table_23_are_the_same_runs() -> None:
    totals = by_id(*DETAILED.values())
    assert [len(rows) for rows in genre_blocks().values()] == [7] * 3 + [6] * 3 + [1] * 3
    for total, rows in genre_blocks().items():
        for row in rows:
            for fact in ("language", "train_syntax", "test_syntax", "mention_quality"):
                assert row.facts[fact] == totals[total].facts[fact]
            assert row.system == totals[total].system
        for column in ("mentions.f1", "muc.f1"):  # ratios of sums lie between the ratios
            values = [figure(row, column) for row in rows]
            assert min(values) <= figure(totals[total], column) <= max(values)


def test_arabic_has_one_genre_so_its_total_is_that_genre() -> None:
    totals = by_id(*DETAILED.values())
    for total, rows in genre_blocks().items():
        if rows[0].facts["language"] == "arabic":
            for column, value in rows[0].figures.items():
                assert totals[total].figures[column] == value


def test_blocks_with_the_same_genres_have_the_same_total() -> None:
    """All but the Chinese ones without and with gold boundaries, one of which must be wrong."""
    totals = by_id(*DETAILED.values())
    blocks = list(genre_blocks().items())
    failing = set()
    for i, (one, rows) in enumerate(blocks):
        for other, others in blocks[i + 1 :]:
            same = [(r.facts["genre"], r.figures) for r in rows] == [
                (r.facts["genre"], r.figures) for r in others
            ]
            if same and totals[one].figures != totals[other].figures:
                failing |= {("conll-2012/table-23", row.id) for row in rows + others}
    assert failing == marked("genres")
    assert failing == {("conll-2012/table-23", f"23.{n}") for n in range(22, 34)}


def test_no_row_is_marked_but_by_a_check_that_fails() -> None:
    marks = {row.inconsistent.check for _, row in all_rows() if row.inconsistent is not None}
    assert marks == {"average", "genres"}


# The order of rows


def out_of_order(rows: list[PublishedRow], column: str) -> list[str]:
    """Systems without any one of which the rest would be in descending order."""

    def descending(rest: list[PublishedRow]) -> bool:
        values = [figure(row, column) for row in rest]
        return values == sorted(values, reverse=True)

    if descending(rows):
        return []
    return [row.system for i, row in enumerate(rows) if descending(rows[:i] + rows[i + 1 :])]


def test_one_row_of_table_17_is_out_of_order() -> None:
    rows = list(load("conll-2012/table-17").rows)
    assert out_of_order(rows, "official") == ["yang"]
    yang = next(row for row in rows if row.system == "yang")
    assert yang.note is not None
    assert yang.note.startswith("Printed out of order")


def test_tables_18_and_19_follow_the_order_of_table_17() -> None:
    order = [row.system for row in load("conll-2012/table-17").rows]
    for number in (18, 19):
        systems = [row.system for row in load(f"conll-2012/table-{number}").rows]
        assert systems == sorted(systems, key=order.index)


def test_blocks_of_the_detailed_tables_are_in_order() -> None:
    for name in (*DETAILED.values(), *OPEN.values()):
        blocks: dict[tuple[str | None, ...], list[PublishedRow]] = {}
        for row in load(name).rows:
            setting = (row.facts[f] for f in ("train_syntax", "test_syntax", "mention_quality"))
            blocks.setdefault(tuple(setting), []).append(row)
        for rows in blocks.values():
            assert out_of_order(rows, "conll.f1") == []


def test_rows_of_the_2014_table_that_stand_below_a_lower_average() -> None:
    below = [
        (low.system, high.system, high.facts["language"])
        for place in ("conll-2011/english", *(f"conll-2012/{x}" for x in LANGUAGES))
        for low, high in zip(standings(place).rows, standings(place).rows[1:], strict=False)
        if figure(low, "conll.f1") < figure(high, "conll.f1")
    ]
    assert below == [("xu", "shou", "english"), ("xu", "fernandes", "chinese")]


# What is unknown


def test_settings_that_could_not_be_worked_out() -> None:
    unknown = {
        (row.id, fact)
        for _, row in all_rows()
        for fact, value in row.facts.items()
        if value is None
    }
    no_training = {f"17.{n}" for n in (11, 15, 16)}  # chunyang, shou, xiong
    gold_trained = {"e6.00", "e9.00", "c6.00", "c7.00", "a6.00", "a9.00"}
    assert unknown == (
        {(i, "training") for i in no_training}
        | {(i, "test_syntax") for i in gold_trained}
        | {(i, "mention_quality") for i in ("24.02", "26.02")}
    )


def test_only_bjorkelund_trained_on_gold_syntax() -> None:
    gold = {row.system for _, row in all_rows() if row.facts.get("train_syntax") == "gold"}
    assert gold == {"björkelund"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_block_of_a_language_has_a_setting_of_its_own(language: str) -> None:
    """Ten blocks, ten settings: four without boundaries, three with them, three with mentions."""
    settings: dict[str, tuple[str | None, ...]] = {}
    for row in load(DETAILED[language]).rows:
        facts = ("mention_quality", "train_syntax", "test_syntax")
        settings[row.id[:2]] = tuple(row.facts[fact] for fact in facts)
    assert len(set(settings.values())) == 10
    assert sorted(s[0] or "" for s in settings.values()) == ["GB"] * 3 + ["GM"] * 3 + ["NB"] * 4


def test_given_gold_mentions_nearly_every_mention_is_right() -> None:
    for row in by_id(*DETAILED.values(), *OPEN.values()).values():
        given = row.facts["mention_quality"] == "GM"
        assert (figure(row, "mentions.precision") >= Fraction("99.79")) == given, row.id


# Names


def test_standings_are_those_of_2014_unless_told() -> None:
    assert list_standings() == [
        "conll-2011/english@v4",
        "conll-2011/english@v8",
        "conll-2012/arabic@v4",
        "conll-2012/arabic@v8",
        "conll-2012/chinese@v4",
        "conll-2012/chinese@v8",
        "conll-2012/english@v4",
        "conll-2012/english@v8",
        "crac-2023@corefud-1.1",
        "crac-2024@corefud-1.2",
    ]
    assert standings("conll-2012/english") == standings("conll-2012/english@v8")
    new, old = standings("conll-2012/english"), standings("conll-2012/english@v4")
    assert (new.scorer, new.rows[0].figures["conll.f1"]) == ("v8", 60.7)
    assert (old.scorer, old.rows[0].figures["conll.f1"]) == ("v4", 63.37)
    assert {row.id[:2] for row in old.rows} == {"e0"}


@pytest.mark.parametrize("name", ["", "conll-2012", "conll-2012/table-16", "../published"])
def test_an_unknown_table_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(LookupError, match="acl-2014/table-1"):
        load(name)


@pytest.mark.parametrize("name", ["conll-2012/french", "conll-2012/english@v5", "english"])
def test_unknown_standings_are_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(LookupError, match="conll-2012/english@v8"):
        standings(name)


def test_a_table_in_json() -> None:
    table = load("conll-2012/table-17").to_dict()
    assert table["name"] == "conll-2012/table-17"
    assert table["unit"] == "percent"
    chen = table["rows"][2]
    assert chen["system"] == "chen"
    assert chen["scores"] == {
        "open": {"english": None, "chinese": 63.53, "arabic": None},
        "closed": {"english": 59.69, "chinese": 62.24, "arabic": 47.13},
        "official": 56.35,
    }
    kobdani = load("acl-2014/table-1").to_dict()["rows"][12]
    assert kobdani["scores"]["conll"] == {"f1": 38.7}
    assert "40.8" in kobdani["inconsistent"]
    assert "note" not in kobdani


# CRAC


def test_crac_figures() -> None:
    """The rounded figures of one system give its mean but for the last digit."""
    figures = [row.figures["conll.f1"] or 0 for row in load("crac-2024/datasets").rows]
    assert len(figures) == 21
    assert round(sum(figures) / 21, 2) == 70.17
    single = {row.system: row.figures for row in standings("crac-2024").rows}["CorPipe-single"]
    assert single["conll.f1"] == 70.18
    assert [row.figures["conll.f1"] for row in standings("crac-2024/hu_korkor").rows] == [60.1]
    assert [row.system for row in standings("crac-2023").rows[:2]] == ["CorPipe", "Anonymous"]


@needs_conformance
def test_crac_figures_are_those_that_were_published() -> None:
    published = json.loads((CONFORMANCE / "corefud/published.json").read_text())
    for table in published["tables"]:
        found = standings(table["task"].lower().replace(" ", "-"))
        rows = {row.system: list(row.figures.values()) for row in found.rows}
        assert rows == table["rows"]
    for one in published["datasets"]:
        rows_of = load("crac-2024/datasets").rows
        assert {r.facts["dataset"]: r.figures["conll.f1"] for r in rows_of} == one["scores"]
