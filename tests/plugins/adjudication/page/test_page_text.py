"""What can be done in the text of the page of adjudication, beyond its items."""

import json
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from corefkit.plugins.adjudication import adjudicate
from tests.browser import needs_chromium
from tests.plugins.adjudication.page.curator import (
    THREE,
    as_texts,
    click,
    counts,
    entities_in,
    press,
    saved,
    show,
    shown,
    word,
    write_page,
    write_sides,
)

CHOOSE = """
const [first, last] = arguments, cell = (p) => document.querySelector(`[data-p="${p}"]`);
getSelection().setBaseAndExtent(cell(first).firstChild, 0, cell(last).firstChild, cell(last).textContent.length);
cell(last).click();
getSelection().removeAllRanges();
"""  # noqa: E501


@pytest.fixture
def certain(clean: webdriver.Chrome, tmp_path: Path) -> list[str]:
    """A page on which nothing is asked; the files of its three annotators."""
    sides = write_sides(tmp_path, THREE)
    write_page(tmp_path / "page.html", *sides)
    show(clean, tmp_path / "page.html")
    assert "Nothing is disputed" in shown(clean, "#card")
    return sides


@needs_chromium
def test_operations_beyond_items(
    clean: webdriver.Chrome, certain: list[str], tmp_path: Path
) -> None:
    word(clean, 6)
    assert "outvoted" in shown(clean, ".word") and "with ‘w11’ (2 mentions)" in shown(
        clean, ".word"
    )
    click(clean, "Bring back", ".word")
    click(clean, "Link it to ‘w11’", "#card")
    assert "one entity of 2 mentions" in shown(clean, "#card")
    word(clean, 2)
    click(clean, "Set apart", ".word")
    clean.execute_script(CHOOSE, 8, 10)
    click(clean, "Instead of ‘w8 w9’", ".word")
    word(clean, 5)
    click(clean, "Make ‘w5’", ".word")
    word(clean, 4)
    click(clean, "Remove", ".word")
    word(clean, 5)
    click(clean, "Link to", ".word")
    word(clean, 0)
    assert "Nobody linked these two. Yes joins 1 with 1 mention." in shown(clean, "#then")
    press(clean, "y")
    clean.execute_script(CHOOSE, 0, 0)
    path = saved(clean, tmp_path)
    result = adjudicate(*certain, decisions=path)
    assert (result.unused, result.changed, result.conflicts) == ((), (), ())
    assert entities_in(result) == [
        as_texts([[[0, 0], [5, 5]], [[2, 2]], [[6, 6], [11, 11]], [[8, 10]]])
    ]
    items = [entry["item"] for entry in json.loads(path.read_text())["decisions"]]
    assert items == [
        "mention tale 6",
        "link tale 6 11",
        "apart tale 2",
        "span tale 8-9 8-10",
        "mention tale 5",
        "mention tale 4",
        "link tale 0 5",
    ]

    Select(clean.find_element(By.CSS_SELECTOR, "[aria-label=Kind]")).select_by_value("own")
    assert shown(clean, "#count") == "6 my own changes"
    press(clean, Keys.ESCAPE)
    press(clean, *"uuuuuuu")
    (tmp_path / "again").mkdir()
    undone = adjudicate(*certain, decisions=saved(clean, tmp_path / "again"))
    assert entities_in(undone) == entities_in(adjudicate(*certain))
    press(clean, *"rrrrrrr")
    (tmp_path / "third").mkdir()
    redone = adjudicate(*certain, decisions=saved(clean, tmp_path / "third"))
    assert entities_in(redone) == entities_in(result)


@needs_chromium
def test_to_part_with_the_first_of_a_block(
    clean: webdriver.Chrome, certain: list[str], tmp_path: Path
) -> None:
    word(clean, 0)
    click(clean, "Set apart", ".word")
    result = adjudicate(*certain, decisions=saved(clean, tmp_path))
    assert entities_in(result) == [as_texts([[[0, 0]], [[2, 2], [4, 4]], [[8, 9]], [[11, 11]]])]
    press(clean, "u")
    (tmp_path / "again").mkdir()
    undone = adjudicate(*certain, decisions=saved(clean, tmp_path / "again"))
    assert entities_in(undone) == entities_in(adjudicate(*certain))


@needs_chromium
def test_two_mentions_with_one_span_are_refused(
    clean: webdriver.Chrome, certain: list[str]
) -> None:
    del certain
    clean.execute_script(CHOOSE, 2, 4)
    click(clean, "Instead of ‘w2’", ".word")
    assert counts(clean) == dict.fromkeys(counts(clean), 0)
    clean.execute_script(CHOOSE, 2, 4)
    assert "‘w2 w3 w4’" in shown(clean, ".word") and "Make it" not in shown(clean, ".word")
    press(clean, "u")
    word(clean, 2)
    assert "Give back" not in shown(clean, ".word")


@needs_chromium
def test_the_text_by_keys(clean: webdriver.Chrome, certain: list[str]) -> None:
    del certain
    clean.execute_script("document.querySelector('.body').focus()")
    press(clean, *[Keys.ARROW_RIGHT] * 3)
    assert shown(clean, "#said").startswith("w2; w2: anna, ben and carla")
    ActionChains(clean).key_down(Keys.SHIFT).send_keys(Keys.ARROW_RIGHT).key_up(
        Keys.SHIFT
    ).perform()
    assert shown(clean, "#said") == "chosen: w2 w3"
    press(clean, Keys.ENTER)
    assert "Make it a mention" in shown(clean, ".word")
    assert clean.switch_to.active_element.find_element(By.XPATH, "..").tag_name == "p"
