"""The overview and the list of the error page: what each error says, what comes first, on paper."""

import json
import re
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

import corefkit
from corefkit.render.errors import should_be, what_was
from tests.browser import needs_chromium
from tests.render.pages.support import HASTY, KEY, data_of, show, table_rows
from tests.support import run

ISOLATES = re.compile(r"[\u2068\u2069]")


@needs_chromium
def test_the_list_says_what_should_have_been_and_what_was(
    browser: webdriver.Chrome, page: Path
) -> None:
    """In the words of `errors --list`; with other mentions of a part, how many they are."""
    errors = {(e.id): e for e in corefkit.errors(KEY, HASTY)}
    show(browser, page, "view=errors")
    more = browser.find_elements(By.CSS_SELECTOR, ".wrap + .note button")
    if more and more[0].is_displayed():
        more[0].click()
    script = """const rows = document.querySelectorAll("table[aria-label=Errors] tbody tr");
      return [...rows].map((row) =>
        [row.querySelector("td.type a").title, row.querySelector("td.why").textContent])"""
    said = dict(browser.execute_script(script))
    assert said.keys() == errors.keys()
    for name, error in errors.items():
        words = f"{should_be(error.should)} · {what_was(error.was)}".replace('"', "")
        number = sum(mention.row >= 0 for mention in error.mentions) - 1
        found = ISOLATES.sub("", said[name])
        if number:
            found, _, rest = found.partition(" together with ")
            assert rest == f"{number} more mention{'s' * (number > 1)}"
            found = found.replace("stands apart", "stands alone")
        if "…" not in words:
            assert found == words, name


@needs_chromium
def test_what_costs_most_comes_first(browser: webdriver.Chrome, page: Path) -> None:
    errors = corefkit.errors(KEY, HASTY)
    best = sorted((error.gain for error in errors), reverse=True)
    show(browser, page, "view=errors")
    head, *rows = table_rows(browser, "Errors")
    gains = [float(row[head.index("gain")].replace("−", "-")) for row in rows]
    assert gains == pytest.approx([100 * gain for gain in best[: len(gains)]], abs=0.006)
    show(browser, page, "view=overview")
    listed = browser.find_elements(By.CSS_SELECTOR, "#repairs li")
    assert len(listed) == 10
    shown = [float(one.find_element(By.CSS_SELECTOR, ".gain").text) for one in listed]
    assert shown == pytest.approx([100 * gain for gain in best[:10]], abs=0.006)
    assert all(" · " in one.text and "show" in one.text for one in listed)


@needs_chromium
def test_patterns_are_counted(browser: webdriver.Chrome, page: Path) -> None:
    """As in the text of `corefkit errors`: the same names, numbers and words."""
    errors = list(corefkit.errors(KEY, HASTY))
    show(browser, page, "view=overview")
    head, *rows = table_rows(browser, "Patterns")
    text = " ".join(run("errors", KEY, HASTY).out.split())
    assert len(rows) == 5 and all(" ".join(row) in text for row in rows)
    first = rows[0]
    assert head[:3] == ["pattern", "errors", "gain"]
    kind, name, was = first[0].split(" · ")
    relation = {"was put with another": "put with", "was not found": "not found"}[was]
    mine = [e for e in errors if (e.first.kind, e.type, e.was.relation) == (kind, name, relation)]
    assert int(first[1]) == len(mine)
    assert float(first[2]) == pytest.approx(100 * sum(e.gain for e in mine), abs=0.006)


def test_the_result_is_there_before_any_script() -> None:
    """Title, score and the costliest pattern, which is counted in Python as in the list."""
    body = corefkit.report(KEY, HASTY).partition("<body>")[2].partition("<script")[0]
    score = corefkit.score(KEY, HASTY).conll
    assert f"CoNLL {100 * score:.2f} · key: key.conll (8 documents, 265 mentions" in body
    lost = 1 - score
    assert f"hasty loses {100 * lost:.2f} points of CoNLL" in body
    errors = [e for e in corefkit.errors(KEY, HASTY) if e.first.kind == "pronoun"]
    mine = [e for e in errors if (e.type, e.was.relation) == ("divided", "put with")]
    gain = 100 * sum(e.gain for e in mine)
    assert f"(divided): {len(mine)} errors, {gain:.2f} points" in body


def test_masked_words_are_shown_as_tags(tmp_path: Path) -> None:
    assert run("corpus", "skeleton", "mask", KEY, "-o", tmp_path / "key.conll").status == 0
    data = data_of(corefkit.report(tmp_path / "key.conll", HASTY))
    document = data["documents"][0]
    assert document["masked"]
    assert all(word[0] + word[-1] == "[]" and word != "[WORD]" for word in document["words"])
    assert "[WORD]" not in json.dumps(data["systems"][0]["list"])


def test_files_are_named_without_their_folders(tmp_path: Path) -> None:
    for name, source in (("key", KEY), ("mine", HASTY)):
        (tmp_path / f"{name}.conll").write_bytes(Path(source).read_bytes())
    page = corefkit.report(tmp_path / "key.conll", tmp_path / "mine.conll")
    data = data_of(page)
    assert "key: key.conll (" in data["systems"][0]["about"]
    assert str(tmp_path) not in page + json.dumps(data)


@needs_chromium
def test_a_wide_screen_is_used(own: webdriver.Chrome, page: Path) -> None:
    """And nothing is wider than a phone."""
    for width in (1440, 390):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        own.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        try:
            for view in ("overview", "document", "errors", "changes", "entities"):
                show(own, page, f"view={view}")
                script = "return [innerWidth, document.documentElement.scrollWidth]"
                inner, scrolled = own.execute_script(script)
                assert scrolled <= inner, (view, width)
            show(own, page, "view=overview")
            box = own.find_element(By.ID, "repairs").rect
            assert (box["x"] > width / 3) == (width > 1000)
            assert box["x"] + box["width"] > 0.9 * width
        finally:
            own.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@needs_chromium
def test_print(own: webdriver.Chrome, page: Path) -> None:
    """On paper: the overview with the ten repairs that gain most, on few pages."""
    show(own, page, "view=overview")
    own.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = """const found = [...document.querySelectorAll(arguments[0])];
          return found.filter((one) => one.offsetHeight).length"""
        assert own.execute_script(shown, "#repairs li") == 10
        assert own.execute_script(shown, ".bar .fill") == 7
        assert own.execute_script(shown, "table[aria-label=Scores]") == 1
        assert own.execute_script(shown, "nav, .tools, .long, #examples, #strata, .show") == 0
    finally:
        own.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    printed = own.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.7})
    assert printed["data"].startswith("JVBERi")  # %PDF


def test_a_part_of_the_loss_is_not_more_than_the_loss(tmp_path: Path) -> None:
    """Where links among wrong mentions even raise the score, mentions cost more than is lost."""
    key, response = tmp_path / "key.conll", tmp_path / "mine.conll"
    for file, ids in ((key, "- (0) (0) -"), (response, "(0) (1) - (0)")):
        rows = [f"x 0 {at} w{at} {column}\n" for at, column in enumerate(ids.split())]
        file.write_text(f"#begin document (x); part 000\n{''.join(rows)}#end document\n")
    errors = corefkit.errors(key, response)
    lost = errors.corners["conll"]
    assert lost.linking < 0 and lost.detection > 1 - errors.f1()
    body = corefkit.report(key, response).partition("<body>")[2].partition("<script")[0]
    assert "points of CoNLL, practically all of them in finding mentions." in body
    assert "practically" not in corefkit.report(KEY, HASTY)
