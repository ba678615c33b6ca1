"""The page of adjudication: its logic against the replay, and 200 items without a lost decision."""

import json
import random
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import corefkit
from corefkit.plugins.adjudication import Adjudication, adjudicate, page_data
from tests.browser import needs_chromium
from tests.plugins.adjudication.page.curator import (
    as_texts,
    counts,
    crowd,
    open_file,
    press,
    press_quickly,
    replayed,
    saved,
    show,
    shown,
    states,
    write_page,
)
from tests.strategies import TIMES
from tests.support import CONFORMANCE, needs_conformance, run

CASES = CONFORMANCE / "formats2" / "adjudication"


EXPECTED: dict[str, Any] = (
    json.loads((CASES / "expected.json").read_text(encoding="utf-8")) if CASES.is_dir() else {}
)


MADE = [(case, mode) for case, modes in EXPECTED.get("made", {}).items() for mode in modes]


def case_settings(case: str, mode: str) -> tuple[list[str], dict[str, Any], list[Any]]:
    settings, _, what = mode.partition(", ")
    certain, _, ask = settings.partition(" ask ")
    sides = sorted(map(str, (CASES / case).glob("*.conll")))
    path, decisions = CASES / case / "decisions.json", []
    if what == "decided":
        decisions = json.loads(path.read_text(encoding="utf-8"))["decisions"]
    return sides, {"certain": certain, "ask_mentions": int(ask) if ask else None}, decisions


@needs_conformance
@needs_chromium
def test_the_logic_on_made_cases(chromium: webdriver.Chrome) -> None:
    chromium.get("about:blank")
    for case, mode in MADE:
        sides, settings, decisions = case_settings(case, mode)
        data = page_data(adjudicate(*sides, **settings).draft)
        (found_states,) = states(chromium, data, decisions)
        names = [one["name"] for one in data["documents"]]
        found = dict(zip(names, found_states, strict=True))
        expected = EXPECTED["made"][case][mode]
        assert set(found) == set(expected)
        for name, fields in found.items():
            for field, value in fields.items():
                wanted = expected[name][field]
                wanted = as_texts(wanted) if field == "result" else wanted
                assert value == wanted, (case, mode, name, field)


def some_decisions(result: Adjudication, rng: random.Random, number: int) -> list[Any]:
    """Entries about items, about what is outvoted, and operations, some of them about nothing."""
    entries: list[Any] = []
    for _ in range(number):
        one = rng.choice(result.draft.documents)
        names = [*one.unit_names, "2", "3-4", "1,3", "99"]
        kind = rng.choice(["item"] * 6 + ["outvoted", "mention", "apart", "span", "link", "link"])
        choice = rng.choice(["yes", "yes", "no", "no", None])
        if kind == "item" and one.items:
            item = rng.choice(one.items)
            entry: dict[str, Any] = {"item": item.id, "choice": rng.choice([*item.options, None])}
            if item.blocks and rng.random() < 0.5:
                entry["left"] = [*item.left] if rng.random() < 0.7 else ["7"]
        elif kind == "outvoted" and one.outvoted:
            entry = {"item": rng.choice(one.outvoted).id, "choice": choice}
        else:
            kind = kind if kind in ("mention", "apart", "span") else "link"
            spans = rng.choices(names, k=1 if kind in ("mention", "apart") else 2)
            item_name = " ".join((kind, one.name, *spans))
            entry = {"item": item_name, "document": one.name, "spans": spans, "choice": choice}
        entries.append(entry)
    return entries


@needs_conformance
@needs_chromium
def test_the_logic_is_that_of_the_replay(chromium: webdriver.Chrome) -> None:
    """On random decisions, contradictions included."""
    chromium.get("about:blank")
    rng = random.Random(27)
    seen = dict.fromkeys(("void", "implied", "unused", "changed", "conflicts"), 0)
    for case in sorted({case for case, _ in MADE}):
        for certain in ("majority", "all"):
            sides = sorted(map(str, (CASES / case).glob("*.conll")))
            draft = adjudicate(*sides, certain=certain)
            data = page_data(draft.draft)
            files = [some_decisions(draft, rng, rng.randrange(1, 25)) for _ in range(2 * TIMES)]
            for entries, found in zip(files, states(chromium, data, *files), strict=True):
                file = {"corefkit": "adjudication", "version": 1, "decisions": entries}
                result = adjudicate(*sides, decisions=file, certain=certain, force=True)
                expected = replayed(result)
                assert found == expected, (case, certain, entries)
                for field in seen:
                    seen[field] += sum(bool(one[field]) for one in expected)
    assert min(seen.values()) > 1, seen


@needs_conformance
@needs_chromium
def test_made_cases_are_opened_as_files(clean: webdriver.Chrome, tmp_path: Path) -> None:
    for case, mode in MADE:
        sides, settings, _ = case_settings(case, mode)
        if not mode.startswith("majority, decided"):
            continue
        write_page(tmp_path / "page.html", *sides, **settings)
        show(clean, tmp_path / "page.html")
        open_file(clean, CASES / case / "decisions.json")
        expected = EXPECTED["made"][case][mode].values()
        said = shown(clean, "dialog")
        for field in ("changed", "unused"):
            number = sum(len(one[field]) for one in expected)
            assert (f"(decision-{field})" in said) == bool(number), (case, said)
        press(clean, Keys.ENTER)
        found = counts(clean)
        assert found["open"] == sum(one["undecided"] for one in expected), case
        assert found["waiting"] == sum(len(one["void"]) for one in expected), case
        assert found["implied"] == sum(len(one["implied"]) for one in expected), case
        clean.execute_script("localStorage.clear()")


@needs_chromium
def test_two_hundred_items_without_a_lost_decision(clean: webdriver.Chrome, tmp_path: Path) -> None:
    """Decided by keys, saved, replayed by the command, and there again after a reload."""
    sides = crowd(tmp_path, 60, 40, documents=3)
    data = write_page(tmp_path / "page.html", *sides)
    items = sum(len(one["items"]) for one in data["documents"])
    assert items > 200
    show(clean, tmp_path / "page.html")
    clean.find_element(By.ID, "by").send_keys("cora", Keys.ENTER)
    press(clean, "y", "n", "x", "n")  # as a person does; then as quickly as can be
    rng = random.Random(3)
    while counts(clean)["decided"] < 200:
        press_quickly(clean, "".join(f"{rng.choice('yyx')}n" for _ in range(15)))
    press_quickly(clean, "du")
    progress = counts(clean)
    assert sum(progress.values()) == items
    path = saved(clean, tmp_path)
    assert path.name == "decisions-cora.json"
    entries = json.loads(path.read_text(encoding="utf-8"))["decisions"]
    last = {entry["item"]: entry["choice"] for entry in entries}
    assert sum(choice is not None for choice in last.values()) >= progress["decided"] >= 200
    assert {entry["by"] for entry in entries} == {"cora"}
    result = adjudicate(*sides, decisions=path)
    assert (result.unused, result.changed, result.conflicts) == ((), (), ())
    assert result.undecided == progress["open"]
    assert sum(len(one.implied) for one in result.replays) == progress["implied"]
    found = replayed(result)
    assert states(clean, data, entries) == [found]

    show(clean, tmp_path / "page.html")
    assert counts(clean)["decided"] == 0
    assert f"{len(entries)} steps" in shown(clean, "dialog")
    press(clean, Keys.ENTER)
    assert counts(clean) == progress
    (tmp_path / "again").mkdir()
    again = saved(clean, tmp_path / "again")
    assert json.loads(again.read_text(encoding="utf-8"))["decisions"] == entries


@needs_chromium
def test_the_saved_file_is_what_the_command_reads(clean: webdriver.Chrome, tmp_path: Path) -> None:
    sides = crowd(tmp_path, 6, 6)
    write_page(tmp_path / "page.html", *sides)
    show(clean, tmp_path / "page.html")
    for _ in range(60):
        press_quickly(clean, "yn")
        if not counts(clean)["open"]:
            break
        if shown(clean, ".refusal"):
            press_quickly(clean, "xn")
    assert counts(clean)["open"] == 0 and clean.title.startswith("all decided")
    path = saved(clean, tmp_path)
    gold = tmp_path / "gold.conll"
    done = run("adjudicate", *sides, "--decisions", path, "-o", gold)
    assert done.status == 0, done.err
    entries = json.loads(path.read_text(encoding="utf-8"))["decisions"]
    data = page_data(adjudicate(*sides).draft)
    ((state,),) = states(clean, data, entries)
    (clusters,) = corefkit.read(gold).clusters().values()
    assert as_texts([[*mention] for mention in own] for own in clusters) == state["result"]
