"""Decisions on the page of adjudication: keys, contradictions, storage and files."""

import json
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from corefkit.plugins.adjudication import adjudicate
from tests.browser import needs_chromium
from tests.plugins.adjudication.page.curator import (
    TWO,
    WAIT,
    click,
    counts,
    crowd,
    open_file,
    press,
    saved,
    show,
    shown,
    visit,
    write_page,
    write_sides,
)
from tests.support import CONFORMANCE, needs_conformance


@pytest.fixture
def tale(clean: webdriver.Chrome, tmp_path: Path) -> list[str]:
    """The page of a small tale, shown; the files of its two annotators."""
    sides = write_sides(tmp_path, TWO)
    write_page(tmp_path / "page.html", *sides)
    show(clean, tmp_path / "page.html")
    return sides


@needs_chromium
def test_keys(clean: webdriver.Chrome, tale: list[str]) -> None:
    del tale
    here = "return [...document.querySelectorAll('.item')].findIndex((i) => i.matches('.here'))"
    assert clean.execute_script(here) == 0
    press(clean, "j", "j", "k")
    assert clean.execute_script(here) == 1
    press(clean, "k", "1")
    assert counts(clean)["decided"] == 1 and "Decided:" in shown(clean, ".status")
    press(clean, "u")
    assert counts(clean)["decided"] == 0
    press(clean, "r", "d")
    assert (counts(clean)["decided"], counts(clean)["to discuss"]) == (1, 1)
    press(clean, "d", "n")
    assert counts(clean)["to discuss"] == 0
    assert "open" in shown(clean, "#said")
    press(clean, "/", "w", "8", Keys.ENTER)
    assert int(shown(clean, "#count").split()[0]) < sum(counts(clean).values())
    press(clean, "/", Keys.ESCAPE, "?")
    assert "next open item" in shown(clean, "dialog")
    press(clean, Keys.ESCAPE)
    WebDriverWait(clean, WAIT).until_not(lambda _: shown(clean, "dialog"))


@needs_chromium
def test_keys_of_other_scripts(clean: webdriver.Chrome, tale: list[str]) -> None:
    del tale
    strike = """const [key, code, shiftKey] = arguments;
        const event = { key, code, shiftKey, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new KeyboardEvent("keydown", event));"""
    clean.execute_script(strike, "о", "KeyJ", False)  # Russian
    assert "2 of " in shown(clean, "#said")
    clean.execute_script(strike, "ד", "KeyS", False)  # Hebrew
    assert "saved" in shown(clean, "#said")
    clean.execute_script(strike, "؟", "Slash", True)  # Arabic
    assert clean.find_element(By.CSS_SELECTOR, "dialog").is_displayed()


@needs_chromium
def test_contradictions_are_refused_with_their_chain(
    clean: webdriver.Chrome, tale: list[str]
) -> None:
    for item in ("link tale 0 2", "link tale 2 4"):
        visit(clean, item)
        press(clean, "y")
    assert counts(clean)["implied"] == 1
    visit(clean, "link tale 0 4")
    assert "Implied: one entity" in shown(clean, "#card")
    assert shown(clean, ".status .chain").splitlines() == [
        "link ‘w0’ – ‘w2’: one entity",
        "link ‘w2’ – ‘w4’: one entity",
    ]
    before = counts(clean)
    press(clean, "x")
    assert "Refused: no." in shown(clean, ".refusal") and "‘w2’ – ‘w4’" in shown(clean, ".refusal")
    assert counts(clean) == before
    press(clean, Keys.ESCAPE)
    assert shown(clean, ".refusal") == ""
    # The other way round: a yes that would join what was decided to be two.
    press(clean, "u", "u")
    assert counts(clean)["decided"] == 0
    for item, key in (("0 2", "y"), ("0 4", "x"), ("2 4", "y")):
        visit(clean, f"link tale {item}")
        press(clean, key)
    assert "decided to be two entities" in shown(clean, ".refusal")
    assert "‘w0’ – ‘w4’" in shown(clean, ".refusal")


def asked_before_leaving(browser: webdriver.Chrome) -> bool:
    script = "return !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    asked: bool = browser.execute_script(script)
    return asked


@needs_chromium
def test_leaving_with_unsaved_decisions_asks(
    clean: webdriver.Chrome, tale: list[str], tmp_path: Path
) -> None:
    del tale
    assert not asked_before_leaving(clean)
    press(clean, "x")
    assert asked_before_leaving(clean)
    saved(clean, tmp_path)
    assert not asked_before_leaving(clean)


@needs_chromium
def test_inputs_that_changed(clean: webdriver.Chrome, tmp_path: Path) -> None:
    """What was stored is offered with what applies, what has changed and what is gone."""
    sides = write_sides(tmp_path, TWO)
    write_page(tmp_path / "page.html", *sides)
    show(clean, tmp_path / "page.html")
    press(clean, *"xnxnxnxnxnxnxn")
    decided = counts(clean)
    changed = {
        **TWO,
        "anna": "(0) - (0) - (0) (0) (1 1) - (2)",
        "ben": "(0) - (1) - (2) (2) - (1) - (2)",
    }
    write_page(tmp_path / "page.html", *write_sides(tmp_path, changed))
    show(clean, tmp_path / "page.html")
    said = shown(clean, "dialog")
    assert "The files of anna and ben have changed since." in said
    assert "(decision-changed): open again" in said
    press(clean, Keys.ENTER)
    path = saved(clean, tmp_path)
    result = adjudicate(*sides, decisions=path)
    assert result.changed and result.undecided == counts(clean)["open"]
    assert counts(clean)["decided"] < decided["decided"]


@needs_chromium
def test_files_that_are_opened(clean: webdriver.Chrome, tale: list[str], tmp_path: Path) -> None:
    def write(content: Any) -> Path:
        path = tmp_path / "file.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    good = {"corefkit": "adjudication", "version": 1, "inputs": [], "extra": [1]}
    entry = {"item": "link tale 0 2", "choice": "yes", "by": "dora", "mood": "calm"}
    bad = {
        "{": "it is not JSON",
        "[]": '$.corefkit is not "adjudication"',
        json.dumps({**good, "decisions": [1]}): "$.decisions[0] is not an object",
        json.dumps({**good, "decisions": [{**entry, "choice": "maybe"}]}): "is not one of yes, no",
    }
    for content, reason in bad.items():
        open_file(clean, write(content))
        assert reason in shown(clean, "dialog")
        press(clean, Keys.ESCAPE)
    open_file(clean, write({**good, "certain": "all", "decisions": [entry]}))
    assert "decisions-other" in shown(clean, "dialog")
    press(clean, Keys.ENTER)
    assert counts(clean)["decided"] == 1
    visit(clean, "link tale 0 2")
    assert "by dora" in shown(clean, ".status")
    # A second curator: what she decided otherwise is listed, and is taken only if asked for.
    other = [
        {**entry, "choice": "no", "by": "emil"},
        {**entry, "item": "link tale 0 4", "choice": "no"},
    ]
    open_file(clean, write({**good, "decisions": other}))
    assert "link tale 0 2: here yes (dora), there no (emil)" in clean.execute_script(
        "return document.querySelector('dialog').textContent.replace(/[\u2068\u2069]/g, '')"
    )
    click(clean, "Add", "dialog")
    assert (counts(clean)["decided"], shown(clean, ".status b")) == (2, "Decided: one entity")
    path = saved(clean, tmp_path)
    content = json.loads(path.read_text())
    assert content["extra"] == [1] and content["certain"] == "majority"
    assert [e.get("mood") for e in content["decisions"]] == ["calm", "calm"]
    assert adjudicate(*tale, decisions=path).conflicts == ()


@needs_chromium
def test_another_window(clean: webdriver.Chrome, tale: list[str], tmp_path: Path) -> None:
    """What two windows decide at once is kept in both."""
    del tale
    first = clean.current_window_handle
    clean.switch_to.new_window("tab")
    show(clean, tmp_path / "page.html")
    visit(clean, "link tale 0 4")
    press(clean, "x")
    second = clean.current_window_handle
    clean.switch_to.window(first)
    WebDriverWait(clean, WAIT).until(lambda _: counts(clean)["decided"] == 1)
    visit(clean, "link tale 0 2")
    press(clean, "y")
    clean.switch_to.window(second)
    WebDriverWait(clean, WAIT).until(lambda _: counts(clean)["decided"] == 2)
    clean.close()
    clean.switch_to.window(first)
    show(clean, tmp_path / "page.html")
    assert "2 decisions apply" in shown(clean, "dialog")
    click(clean, "Start over", "dialog")
    show(clean, tmp_path / "page.html")
    assert not clean.find_elements(By.CSS_SELECTOR, "dialog")
    assert counts(clean)["decided"] == 0


@needs_chromium
def test_escape_continues(clean: webdriver.Chrome, tale: list[str], tmp_path: Path) -> None:
    """What is kept is not lost by a key that closes dialogs."""
    del tale
    press(clean, "x")
    for _ in range(2):
        show(clean, tmp_path / "page.html")
        press(clean, Keys.ESCAPE)
        WebDriverWait(clean, WAIT).until(lambda _: counts(clean)["decided"] == 1)
        press(clean, "n", "d")
    show(clean, tmp_path / "page.html")
    assert "3 steps" in shown(clean, "dialog")


@needs_chromium
def test_windows_that_write_at_once(
    clean: webdriver.Chrome, tale: list[str], tmp_path: Path
) -> None:
    """A step that another window overwrote in the storage is stored again."""
    del tale
    visit(clean, "link tale 0 2")
    press(clean, "x")
    clean.execute_script(
        "const name = Object.keys(localStorage).find((key) => key.endsWith(']'));"
        "const piece = JSON.parse(localStorage.getItem(`${name} 0`));"
        "piece.entries = [{ item: 'link tale 0 4', choice: 'no' }];"
        "localStorage.setItem(`${name} 0`, JSON.stringify(piece));"
        "const newValue = localStorage.getItem(name);"
        "dispatchEvent(new StorageEvent('storage', { key: name, newValue }));"
    )
    assert counts(clean)["decided"] == 2
    show(clean, tmp_path / "page.html")
    assert "2 decisions apply" in shown(clean, "dialog")


@needs_conformance
@needs_chromium
def test_contradictions_of_a_file(clean: webdriver.Chrome, tmp_path: Path) -> None:
    """They are shown with their chain until one of the links is taken back."""
    folder = CONFORMANCE / "formats2" / "adjudication" / "contradiction"
    write_page(tmp_path / "page.html", *sorted(map(str, folder.glob("*.conll"))))
    show(clean, tmp_path / "page.html")
    open_file(clean, folder / "decisions.json")
    press(clean, Keys.ENTER)
    click(clean, "1 contradiction", ".counts")
    assert "Contradiction. It was decided that these are two entities" in shown(clean, ".status")
    assert len(clean.find_elements(By.CSS_SELECTOR, ".chain li")) == 2
    click(clean, "Take back", "#card")
    assert shown(clean, ".clashes") == "" and "Implied" in shown(clean, ".status")


@needs_chromium
def test_progress_by_document(clean: webdriver.Chrome, tmp_path: Path) -> None:
    data = write_page(tmp_path / "page.html", *crowd(tmp_path, 4, 3, documents=3))
    show(clean, tmp_path / "page.html")
    press(clean, "x", "n", "d")
    clean.find_element(By.CSS_SELECTOR, ".progress .bar").click()
    script = "return [...document.querySelectorAll('dialog tbody tr')].map((row) => row.innerText)"
    rows = [
        text.strip("\u2068").replace("\u2069", "").split() for text in clean.execute_script(script)
    ]
    sizes = [len(one["items"]) for one in data["documents"]]
    assert [row[0] for row in rows] == ["doc0", "doc1", "doc2", "all"]
    assert [int(row[1]) for row in rows] == [*sizes, sum(sizes)]
    assert (rows[0][2], rows[0][-1], rows[1][2]) == ("1", "1", "0")
    click(clean, "doc1", "dialog")
    assert shown(clean, "#count") == f"{sizes[1]} of {sum(sizes)} items"
    assert (clean.find_element(By.ID, "card").get_attribute("data-item") or "").split()[1] == "doc1"


@needs_chromium
def test_undo_gives_back_what_was_before(
    clean: webdriver.Chrome, tale: list[str], tmp_path: Path
) -> None:
    """An earlier choice, a mark, a note; the log shows each step."""
    visit(clean, "link tale 0 2")
    press(clean, "y", "x")
    note = clean.find_element(By.CSS_SELECTOR, "[data-control=note]")
    note.send_keys("see line 3", Keys.ENTER)
    press(clean, "d", "y", "u")
    assert counts(clean)["to discuss"] == 1 and "Decided: two entities" in shown(clean, ".status")
    press(clean, "u", "u", "u")
    assert counts(clean)["to discuss"] == 0 and "Decided: one entity" in shown(clean, ".status")
    path = saved(clean, tmp_path)
    entries = json.loads(path.read_text())["decisions"]
    choices = [entry["choice"] for entry in entries]
    assert choices == ["yes", "no", "no", "no", "yes", "no", "no", "no", "yes"]
    assert [entry["note"] for entry in entries] == ["", "", *["see line 3"] * 5, "", ""]
    assert all(isinstance(entry["discuss"], bool) for entry in entries)
    assert [n for n, entry in enumerate(entries) if entry["discuss"]] == [3, 5]
    (result,) = adjudicate(*tale, decisions=path).replays
    assert result.decided["link tale 0 2"].choice == "yes"
