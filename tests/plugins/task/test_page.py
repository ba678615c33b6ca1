"""The page of a task in a real Chromium: sorting, filtering, right-to-left text, no errors."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from tests.browser import needs_chromium
from tests.plugins.task.support import KEY, MANIFEST, write_task
from tests.support import run


@pytest.fixture(scope="module")
def folder(out: Path) -> Path:
    return out


@pytest.fixture(scope="module")
def browser(chromium: webdriver.Chrome, folder: Path) -> webdriver.Chrome:
    chromium.get((folder / "index.html").as_uri())
    return chromium


def cells(
    browser: webdriver.Chrome, table: str, column: int, *, all_rows: bool = False
) -> list[str]:
    script = """
        const rows = [...document.querySelectorAll(`#table-${arguments[0]} tbody tr`)];
        return rows.filter((row) => arguments[2] || row.offsetParent !== null)
                   .map((row) => row.cells[arguments[1]].textContent);"""
    found: list[str] = browser.execute_script(script, table, column, all_rows)
    return found


def head(browser: webdriver.Chrome, table: str, column: int) -> WebElement:
    heads = browser.find_elements(By.CSS_SELECTOR, f"#table-{table} thead tr:last-child th")
    return heads[column]


def sticky(browser: webdriver.Chrome, table: str) -> list[int]:
    """The columns that stay when the table is scrolled."""
    script = """
        const row = document.querySelector(`#table-${arguments[0]} tbody tr`);
        return [...row.cells].map((cell) => getComputedStyle(cell).position);"""
    places = browser.execute_script(script, table)
    return [i for i, place in enumerate(places) if place == "sticky"]


@needs_chromium
def test_no_console_error_and_no_request(browser: webdriver.Chrome) -> None:
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.title == "Six birds, three languages"


@needs_chromium
def test_sorting(browser: webdriver.Chrome) -> None:
    table = "ranking"
    assert cells(browser, table, 0) == list("123456")
    ranked = cells(browser, table, 1)
    names = ["heron paper code", "ibis", "kestrel", "wren", "plover", "dunlin baseline"]
    assert ranked == names
    head(browser, table, 1).find_element(By.TAG_NAME, "button").click()
    assert cells(browser, table, 1) == sorted(ranked)
    assert head(browser, table, 1).get_attribute("aria-sort") == "ascending"
    assert head(browser, table, 5).text == "Chinese"
    head(browser, table, 5).find_element(By.TAG_NAME, "button").click()
    chinese = [float(text) for text in cells(browser, table, 5)[:3]]
    assert chinese == sorted(chinese, reverse=True)
    assert sorted(cells(browser, table, 5)[3:]) == ["–", "–", "✗"]  # what is missing comes last
    head(browser, table, 5).find_element(By.TAG_NAME, "button").click()
    assert cells(browser, table, 5)[:3] == [*map("{:.2f}".format, sorted(chinese))]
    head(browser, table, 0).find_element(By.TAG_NAME, "button").click()


@needs_chromium
def test_filtering(browser: webdriver.Chrome) -> None:
    part = browser.find_element(By.ID, "part-english-closed")
    field = part.find_element(By.CSS_SELECTOR, "input[type=search]")
    every = cells(browser, "english-closed", 0)
    field.send_keys("heron")
    assert cells(browser, "english-closed", 0) == ["heron"] * every.count("heron")
    assert part.find_element(By.CLASS_NAME, "count").text == f"6 of {len(every)} rows"
    field.send_keys(" GB")
    assert cells(browser, "english-closed", 2) == ["e3.00"]
    field.clear()
    field.send_keys(" ")
    assert cells(browser, "english-closed", 0) == every


@needs_chromium
def test_choosing(browser: webdriver.Chrome) -> None:
    section = browser.find_element(By.ID, "details")
    buttons = section.find_elements(By.CSS_SELECTOR, ".choose button")
    arabic = next(b for b in buttons if b.text == "Arabic, closed track")
    arabic.click()
    assert arabic.get_attribute("aria-pressed") == "true"
    assert browser.find_element(By.ID, "part-arabic-closed").is_displayed()
    assert not browser.find_element(By.ID, "part-english-closed").is_displayed()
    buttons[0].click()
    browser.execute_script("location.hash = 'system-wren'")
    assert browser.find_element(By.ID, "system-wren").is_displayed()


@needs_chromium
def test_right_to_left(browser: webdriver.Chrome) -> None:
    script = """
        const text = document.querySelector(".text[lang=ar]");
        const marks = [...text.querySelectorAll("p:first-child .m")];
        const places = marks.map((mark) => mark.getBoundingClientRect().left);
        return [getComputedStyle(text).direction, places, text.querySelector("p").textContent];"""
    direction, places, sentence = browser.execute_script(script)
    assert direction == "rtl"
    assert places == sorted(places, reverse=True)  # the first mention stands furthest right
    assert sentence == "أغلقت البلدية1 الجسر القديم2 يوم الاثنين ."
    number = "return getComputedStyle(document.querySelector('.text[lang=ar] sub')).margin"
    left_right = browser.execute_script(number).split()[1::2]
    assert "0px" not in left_right  # room on both sides, whichever the word is on
    chinese = browser.execute_script(
        "return document.querySelector('.text[lang=zh] p').textContent"
    )
    assert chinese == "这座大桥1去年建成。"
    english = "return document.querySelector('.text[lang=en]').getAttribute('dir')"
    assert browser.execute_script(english) == "ltr"


@needs_chromium
def test_on_a_phone_and_on_paper(browser: webdriver.Chrome) -> None:
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        widths = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert widths == [390, 390]
        assert sticky(browser, "english-closed") == [0]  # the system
        assert sticky(browser, "ranking") == [0, 1]  # place and system
        script = """
            const cell = document.querySelector("#table-ranking td.official");
            const box = cell.getBoundingClientRect();
            return [box.left >= 0, box.right <= innerWidth, cell.textContent];"""
        assert browser.execute_script(script) == [True, True, "77.59 ± 10.03"]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        script = "return document.getElementById('part-chinese-open').offsetParent !== null"
        assert browser.execute_script(script)  # all parts are printed
        assert not browser.find_element(By.TAG_NAME, "nav").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@needs_chromium
@pytest.mark.parametrize("width", [390, 1440])
def test_every_picture_fits_the_width(browser: webdriver.Chrome, width: int) -> None:
    """All dots lie within their lanes, and these within the window."""
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        pictures = browser.find_elements(By.CSS_SELECTOR, "figure .chart")
        assert len(pictures) == 5
        for picture in pictures:
            assert picture.size["width"] > 200
            assert picture.get_attribute("aria-label")
        script = """
            const inside = (a, b) => a.left >= b.left - 8 && a.right <= b.right + 8;
            const dots = [...document.querySelectorAll(".chart .lane .dot")];
            return [dots.length, dots.filter((dot) => {
                const lane = dot.parentElement.getBoundingClientRect();
                const seen = lane.left >= 0 && lane.right <= innerWidth;
                return !seen || !inside(dot.getBoundingClientRect(), lane);
            }).length];"""
        number, outside = browser.execute_script(script)
        assert outside == 0
        assert number == 120
        ranked = browser.find_elements(By.CSS_SELECTOR, "#figure-ranking .dot")
        assert len(ranked) == 6  # the best ones, too
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_links_lead_to_files(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    links = {link for link in re.findall(r'href="([^"#:]+)"', page) if not link.startswith("data")}
    assert len(links) > 200
    assert [link for link in sorted(links) if not (folder / link).is_file()] == []


def test_headings_skip_no_level(folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    levels = [int(level) for level in re.findall(r"<h([1-6])", text)]
    assert levels[0] == 1 and {3} <= {*levels}
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_self_contained(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert not re.search(r'src="(?:https?:)?//', page)
    assert not re.search(r'<link[^>]+href="(?!data:)', page)
    assert "@import" not in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_names_are_escaped(tmp_path: Path) -> None:
    manifest = write_task(tmp_path, MANIFEST.replace("tiny", "<script>alert(1)</script>"))
    assert run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots").status == 0
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_the_page_runs_its_own_script_only(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}'" in policy


@needs_chromium
def test_a_lone_percent_sign_in_the_address(browser: webdriver.Chrome, folder: Path) -> None:
    browser.get("about:blank")  # or only the fragment would change
    browser.get((folder / "index.html").as_uri() + "#%")
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    assert browser.find_elements(By.CSS_SELECTOR, ".choose button")


def luminance(colour: str) -> float:
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@needs_chromium
def test_dark_and_light(browser: webdriver.Chrome) -> None:
    look = "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor];"
    seen = {}
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        ink, paper = map(luminance, browser.execute_script(look))
        seen[scheme] = ink < paper
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert seen == {"light": True, "dark": False}


def test_what_does_not_vary_is_not_shown(folder: Path, tmp_path: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "Final model" not in page
    overview = (folder / "tables" / "overview-NB.csv").read_text()
    assert "training.development" in overview
    assert "training.train" not in overview  # all models were trained on it


def test_a_task_of_one_setting_has_no_words_of_others(tmp_path: Path) -> None:
    """One language, track and setting, no genre and no training: nothing of them is shown."""
    manifest, out = write_task(tmp_path), tmp_path / "out"
    key = KEY.replace("nw/a/00/a_0001", "a")
    for name in ("key.conll", "one.conll"):
        (tmp_path / name).write_text(key)
    assert run("task", "run", manifest, "-o", out, "--no-plots").status == 0
    page = (out / "index.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", " ", page[page.index("<h1") : page.index('id="downloads"')])
    for word in (
        "NB",
        "GM",
        "track",
        "closed",
        "open",
        "setting",
        "syntax",
        "enre",
        "Train",
        "Dev",
    ):
        assert not re.search(rf"\b{word}", text), word
    assert "1 system, 1 file sent, 1 language. Ranked by CoNLL F1." in text
    tables = {path.stem for path in (out / "tables").iterdir()}
    assert not any("genre" in name for name in tables)
    overview = (out / "tables" / "overview-NB.txt").read_text()
    assert overview.startswith("tiny\n")
    assert "Final model" not in overview


def test_texts_of_keys_are_shown_only_if_the_manifest_asks(tmp_path: Path) -> None:
    key = KEY.replace("\tx\t", "\tHarbourmaster\t")
    for wanted in (None, False, True):
        asked = "" if wanted is None else f"show_texts = {str(wanted).lower()}\n"
        manifest, out = write_task(tmp_path, asked + MANIFEST), tmp_path / f"out{wanted}"
        for name in ("key.conll", "one.conll"):
            (tmp_path / name).write_text(key)
        assert run("task", "run", manifest, "-o", out, "--no-plots").status == 0
        page = (out / "index.html").read_text(encoding="utf-8")
        assert ("Harbourmaster" in page) == bool(wanted)
        assert ('id="texts"' in page) == bool(wanted)
    wrong = run("task", "check", write_task(tmp_path, "show_texts = 1\n" + MANIFEST))
    assert wrong.status == 1
    assert "show_texts is not true or false" in wrong.err


def test_incidents_quote_no_words_of_a_key(tmp_path: Path) -> None:
    """A response with other words is told about them, but not everybody on the page."""
    manifest = write_task(tmp_path, MANIFEST + "[scoring]\nstrict = true\n")
    (tmp_path / "key.conll").write_text(KEY.replace("\tx\t", "\tHarbourmaster\t"))
    out = tmp_path / "out"
    run("task", "run", manifest, "-o", out, "--no-plots")
    assert (
        "Harbourmaster"
        in run("task", "check", manifest).out
        + run("check", tmp_path / "one.conll", "--against", tmp_path / "key.conll").out
    )
    written = [path for path in out.rglob("*") if path.is_file()]
    assert [p for p in written if "Harbourmaster" in p.read_text(encoding="utf-8")] == []
    incidents = json.loads((out / "task.json").read_text())["responses"][0]["incidents"]
    assert [i["id"] for i in incidents] == ["words-differ"]


def test_the_manifest_says_who_and_where(tmp_path: Path) -> None:
    about = """description = "Whose nest is it?"
organisers = "The ornithologists"
date = 2026-11-15
licence = "CC BY 4.0"
url = "https://example.org/nests"
"""
    more = """[systems.one]
team = "Crows & rooks"
paper = "https://example.org/one.pdf"
code = "https://example.org/one.git"
"""
    text = about + MANIFEST.replace("[systems.one.", more + "[systems.one.")
    manifest, out = write_task(tmp_path, text), tmp_path / "out"
    assert run("task", "run", manifest, "-o", out, "--no-plots", "--reports").status == 0
    page = (out / "index.html").read_text(encoding="utf-8")
    for told in (
        "Whose nest is it?",
        "The ornithologists",
        "2026-11-15",
        "CC BY 4.0",
        'href="https://example.org/nests"',
        "Crows &amp; rooks",
        'href="https://example.org/one.pdf"',
        'href="https://example.org/one.git"',
        'href="reports/one.closed.html"',
    ):
        assert told in page, told
    assert (out / "reports" / "one.closed.html").is_file()
    assert run("task", "run", manifest, "-o", out, "--no-plots").status == 0
    assert not list((out / "reports").iterdir())  # no page links to them any more


def test_addresses_are_of_the_web(tmp_path: Path) -> None:
    bad = 'url = "javascript:alert(1)"\n' + MANIFEST
    done = run("task", "check", write_task(tmp_path, bad))
    assert done.status == 1
    assert "url is not a web address" in done.err
    assert "task.toml:1" in done.err
