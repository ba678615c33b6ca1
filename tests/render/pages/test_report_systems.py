"""Several systems on the error page: bars of all of them, and what changes from one to another."""

import json
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.browser import needs_chromium
from tests.render.pages.support import CAREFUL, HASTY, KEY, show
from tests.support import run


@pytest.fixture(scope="module")
def figures() -> Any:
    return json.loads(run("errors", KEY, HASTY, CAREFUL, "-f", "json").out)


WIDTHS = """
return [...document.querySelectorAll(".bar")].map((bar) => [bar.querySelector(".type").textContent,
  [...bar.querySelectorAll(".track > *")].map((one) =>
    [one.className, parseFloat(one.style.width), one.title])]);
"""


@needs_chromium
@pytest.mark.parametrize("number", [0, 1])
def test_bars_show_all_systems(
    browser: webdriver.Chrome, page: Path, figures: Any, number: int
) -> None:
    """The chosen one as a bar, the other as a thin one, all on one scale."""
    show(browser, page, f"view=overview&system={number}")
    systems = figures["systems"]
    shares = [system["shares"]["conll"] for system in (systems[number], systems[1 - number])]
    most = max(share for one in shares for share in one.values())
    for name, bars in browser.execute_script(WIDTHS):
        assert [kind for kind, _, _ in bars] == ["fill", "thin"]
        widths = [max(0, 100 * one[name] / most) for one in shares]
        assert [width for _, width, _ in bars] == pytest.approx(widths, abs=0.01)
        other = systems[1 - number]["name"]
        assert bars[1][2] == f"{other}: {100 * shares[1][name]:.2f} points"
    legend = browser.find_element(By.CSS_SELECTOR, ".legend").text
    assert "hasty" in legend and "careful" in legend


@needs_chromium
def test_one_system_has_no_thin_bars(browser: webdriver.Chrome, tmp_path: Path) -> None:
    assert run("report", KEY, HASTY, "-o", tmp_path / "x.html").status == 0
    show(browser, tmp_path / "x.html", "view=overview")
    assert not browser.find_elements(By.CSS_SELECTOR, ".thin, .key-bar")


@needs_chromium
def test_changes_begin_with_what_changed(browser: webdriver.Chrome, page: Path) -> None:
    """Right → wrong, wrong → right, wrong otherwise; what is the same when asked."""
    expected = json.loads(run("outcomes", KEY, HASTY, CAREFUL, "-f", "json").out)["scores"]
    total = expected["immediate"]["total"]
    numbers = {kind: sum(steps.values()) for kind, steps in total.items()}
    assert numbers["same"] and numbers["breaks"] and numbers["corrects"]
    show(browser, page, "view=changes")
    tiles = [tile.text for tile in browser.find_elements(By.CSS_SELECTOR, ".tile")]
    assert tiles == [
        f"{numbers['breaks']} right → wrong",
        f"{numbers['corrects']} wrong → right",
        f"{numbers['changes']} wrong in another way",
        f"{numbers['same']} the same",
    ]
    changed = sum(number for kind, number in numbers.items() if kind != "same")
    assert browser.find_element(By.ID, "count").text == f"{changed} mentions"
    steps = [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, "td:first-child")]
    wrong, right = steps[: numbers["breaks"]], steps[numbers["breaks"] :][: numbers["corrects"]]
    assert wrong[0].startswith("right → ")
    assert not any(step.endswith("→ right") for step in wrong)
    assert right[0].endswith("→ right")
    assert not any(step.startswith("right →") for step in right)
    for kind, number in (*numbers.items(), ("all", sum(numbers.values()))):
        show(browser, page, f"view=changes&kind={kind}")
        assert browser.find_element(By.ID, "count").text.split()[0] == str(number)
