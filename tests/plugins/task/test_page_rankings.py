"""Rankings on the page in a real Chromium, on a task of 12 systems, 17 datasets and 4 settings."""

import re
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from corefkit.plugins.task.page_layout import group_lines
from tests.browser import needs_chromium
from tests.support import EXAMPLES, run

NOT_SENT, BROKEN = 12, 1
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the made-up task, with few documents."""
    folder = tmp_path_factory.mktemp("rooms") / "task"
    run_path(str(EXAMPLES / "made_up_task.py"))["main"](folder, copies=1, documents=2)
    manifest = folder / "task.toml"
    done = run("task", "run", manifest, "-o", folder / "out", "--allow-broken", "--no-plots")
    assert done.status == 0, done.err
    assert done.err.count("[bracket-unopened]") == 1  # once, whatever it is scored for
    assert "1 of 192 responses could not be scored" in done.err
    return folder / "out"


@pytest.fixture(scope="module")
def browser(chromium: webdriver.Chrome, out: Path) -> Iterator[webdriver.Chrome]:
    chromium.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    chromium.get((out / "index.html").as_uri())
    yield chromium
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def ask(browser: webdriver.Chrome, script: str) -> Any:
    """What a script says of the rows of the official ranking."""
    rows = "const rows = [...document.querySelectorAll('#table-ranking tbody tr')];"
    return browser.execute_script(rows + script)


@needs_chromium
def test_a_ranking_of_17_datasets_is_not_cut(browser: webdriver.Chrome) -> None:
    """At 1440 pixels all of it is seen; teams stand below their systems."""
    wrap = (
        "const table = document.querySelector('#table-ranking'); const box = table.parentElement;"
    )
    widths = browser.execute_script(wrap + "return [box.scrollWidth, box.clientWidth]")
    assert widths[0] <= widths[1]
    assert "University" in ask(browser, "return rows[0].querySelector('.s1 .team').textContent")


@needs_chromium
def test_it_opens_quickly_and_without_errors(browser: webdriver.Chrome, out: Path) -> None:
    times = []
    for _ in range(4):
        browser.get("about:blank")
        browser.get((out / "index.html").as_uri())
        loaded = "return performance.getEntriesByType('navigation')[0].loadEventEnd"
        times.append(browser.execute_script(loaded))
    assert 0 < min(times) < 2000, times
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    assert len((out / "index.html").read_bytes()) < 3_000_000


@needs_chromium
def test_score_interval_and_bar_are_one_cell(browser: webdriver.Chrome) -> None:
    script = """return rows.map((row) => {
        const cell = row.querySelector("td.official"), bar = cell.querySelector(".bar");
        const [full, drawn] = [bar, bar.querySelector("i")].map((e) => e.getBoundingClientRect());
        return [cell.textContent, cell.dataset.v, drawn.width / full.width, cell.title];
    })"""
    rows = ask(browser, script)
    assert len(rows) == 12
    for text, value, share, title in rows:
        assert re.fullmatch(r"\d+\.\d\d ± \d+\.\d\d", text)
        score, reach = map(float, text.split(" ± "))
        low, high = map(float, title.split(" to "))
        assert score == pytest.approx(100 * float(value), abs=0.005)
        assert share == pytest.approx(float(value), abs=0.01)
        assert reach == pytest.approx((high - low) / 2, abs=0.011)
        assert low <= score <= high
    scores = [float(value) for _, value, *_ in rows]
    assert scores == sorted(scores, reverse=True)


@needs_chromium
def test_only_the_best_is_bold_and_the_better_the_deeper(browser: webdriver.Chrome) -> None:
    script = """return rows.map((row) => [...row.querySelectorAll("td.cell, td.official")].map(
        (cell) => [cell.dataset.v, getComputedStyle(cell).fontWeight,
                   cell.style.getPropertyValue("--h")]))"""
    columns = list(zip(*ask(browser, script), strict=True))
    assert len(columns) == 18
    for number, column in enumerate(columns):
        known = [(float(v), int(weight), heat) for v, weight, heat in column if v]
        best = round(max(known)[0], 4)
        assert {round(v, 4) for v, weight, _ in known if weight > 500} == {best}
        if number:
            by_value = [float(heat) for _, _, heat in sorted(known)]
            assert by_value == sorted(by_value)
            assert (by_value[0], by_value[-1]) == (0, 1)


@needs_chromium
def test_what_is_missing_leads_to_its_problem(browser: webdriver.Chrome) -> None:
    script = """return rows.flatMap((row) => [...row.querySelectorAll("td.none a")].map((link) => {
        const target = document.getElementById(link.getAttribute("href").slice(1));
        return [link.textContent, link.title, target?.textContent ?? "nowhere"];
    }))"""
    links = ask(browser, script)
    assert [sign for sign, *_ in links].count("–") == NOT_SENT
    assert [sign for sign, *_ in links].count("✗") == BROKEN
    for sign, title, problem in links:
        assert title == ("not sent" if sign == "–" else "broken: it could not be scored")
        assert ("missing" if sign == "–" else "broken") in problem
    cells = "return rows.flatMap((row) => [...row.querySelectorAll('td.cell')])"
    assert ask(browser, f"{cells}.filter((cell) => !cell.textContent).length") == 0


@needs_chromium
def test_lines_join_what_cannot_be_told_apart(browser: webdriver.Chrome) -> None:
    script = """return rows.map((row) => [
        row.cells[1].dataset.v, row.querySelector("td.lines").title,
        [...row.querySelectorAll("td.lines i")].map((line) => line.className)])"""
    rows = ask(browser, script)
    near = {name: {*title.removeprefix("cannot be told apart from ").split(", ")} - {""}
            for name, title, _ in rows}  # fmt: skip
    for name, others in near.items():
        assert all(name in near[other] for other in others)
    assert any(near.values())
    assert not all(near.values())
    for column in zip(*(lines for *_, lines in rows), strict=True):
        drawn = [kind for kind in column if kind]
        assert drawn[0] == "first"
        assert drawn[-1] == "last"
        assert drawn.count("first") == drawn.count("last")


@needs_chromium
def test_baseline_papers_and_what_the_page_says_of_itself(
    browser: webdriver.Chrome, out: Path
) -> None:
    baselines = "return rows.filter((row) => row.classList.contains('baseline'))"
    marked = ask(browser, f"{baselines}.map((row) => row.cells[1].textContent)")
    assert marked == ["sparrow baseline"]
    page = browser.execute_script("return document.body.textContent")
    assert re.search(r"Scored on \d{4}-\d\d-\d\d", page)
    assert "192 files sent" in page
    assert "12 systems (1 baseline)" in page
    assert "title = {Seventeen Rooms: a shared task that never was}" in page
    links = {a.get_attribute("href") for a in browser.find_elements(By.CSS_SELECTOR, "#ranking a")}
    assert {"https://example.org/egret.pdf", "https://example.org/egret"} <= links
    files = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    html = (out / "index.html").read_text(encoding="utf-8")
    downloads = set(re.findall(r'href="([^"#:]+)"', html[html.index('id="downloads"') :]))
    assert downloads == files - {"index.html"}


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_can_be_read_on_every_heat(browser: webdriver.Chrome, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    script = """
        const often = { willReadFrequently: true };
        const canvas = document.createElement("canvas").getContext("2d", often);
        const paint = (...colours) => {
            for (const colour of colours) {
                canvas.fillStyle = colour;
                canvas.fillRect(0, 0, 1, 1);
            }
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        };
        const paper = getComputedStyle(document.body).backgroundColor;
        const shown = "td.cell, .reach, .tag, td.none a";
        return rows.flatMap((row) => [...row.querySelectorAll(shown)]).map((cell) => {
            const style = getComputedStyle(cell), row = getComputedStyle(cell.closest("tr"));
            return [paint(style.color), paint(paper, row.backgroundColor, style.backgroundColor)];
        });"""
    pairs = ask(browser, script)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert min(contrast(*pair) for pair in pairs) >= 4.5


def contrast(ink: list[int], paper: list[int]) -> float:
    """The contrast of two colours, as WCAG defines it."""

    def luminance(colour: list[int]) -> float:
        parts = [c / 255 for c in colour]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted(map(luminance, (ink, paper)))
    return (light + 0.05) / (dark + 0.05)


@needs_chromium
def test_other_settings_have_rankings_of_their_own(browser: webdriver.Chrome) -> None:
    buttons = browser.find_elements(By.CSS_SELECTOR, "#ranking .choose button")
    names = ["head-drop (official)", "partial-drop", "exact-drop", "head-keep"]
    assert [button.text for button in buttons] == names
    buttons[2].click()
    part = browser.find_element(By.ID, "part-ranking-2")
    assert part.is_displayed()
    assert "Exact match, without singletons" in part.text
    assert not browser.find_element(By.ID, "part-ranking-0").is_displayed()
    buttons[0].click()
    many = browser.find_element(By.CSS_SELECTOR, "#details .choose select")
    assert len(many.find_elements(By.TAG_NAME, "option")) == 17
    browser.execute_script("location.hash = 'part-no_attic-all'")
    assert many.get_attribute("value") == "14"
    assert browser.find_element(By.ID, "part-no_attic-all").is_displayed()


def test_no_text_of_a_key_and_no_path_of_a_participant(out: Path) -> None:
    page = (out / "index.html").read_text(encoding="utf-8")
    for word in ("Ellery", "Calder", "flooded", "responses/", str(out.parent)):
        assert word not in page, word
    assert "lapwing" in page
    assert "tr_terrace-corefud-test.conllu" in page  # the name of the broken file
    for part in (out / "parts").rglob("*.json"):
        assert "responses/" not in part.read_text()


def test_notes_name_no_variable_and_nothing_constant(out: Path) -> None:
    page = (out / "index.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", " ", page[page.index("<main") : page.index('id="downloads"')])
    for word in ("docs/", "p_bootstrap", "p_randomization", "p_holm", "(none)", "track", "Suppl"):
        assert word not in text, word


def test_lines_of_groups_that_do_not_meet_share_a_column() -> None:
    assert group_lines("abcd", [["a", "b"], ["c", "d"]]) == [
        ["first"],
        ["last"],
        ["first"],
        ["last"],
    ]
    assert group_lines("ab", [["a"], ["b"]]) == [[], []]
    assert group_lines("abc", [["a", "c"]]) == [["first"], ["gap"], ["last"]]
