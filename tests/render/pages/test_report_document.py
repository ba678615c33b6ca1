"""The text of a document on the error page: marks, labels, steps from error to error."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

import corefkit
from corefkit.render.pages.report import page_data
from corefkit.scorers import make_options
from corefkit.scoring.errors import find_errors
from corefkit.stats.error_pages import error_page
from tests.browser import needs_chromium
from tests.render.pages.support import HASTY, KEY, data_of, show
from tests.support import EXAMPLES, run

DOCUMENT = corefkit.read(KEY).names[0]
FILL = "document.querySelectorAll('.doc .row').forEach((row) => row.fill());"


@pytest.fixture(scope="module")
def text() -> Any:
    """The data of the first document."""
    return page_data(error_page(find_errors(KEY, [HASTY], make_options("conll"))))["systems"][0][
        "texts"
    ]["0"]


def written(path: Path, cells: Sequence[str], words: Sequence[str] = ()) -> Path:
    """A file of one sentence with these brackets."""
    rows = zip(words or ["w"] * len(cells), cells, strict=True)
    lines = [f"t 0 {i} {word} - * - - - - * {cell}" for i, (word, cell) in enumerate(rows)]
    path.write_text("\n".join(["#begin document (t); part 000", *lines, "", "#end document", ""]))
    return path


def open_whole(browser: webdriver.Chrome, page: Path, address: str = "") -> None:
    show(browser, page, f"view=document&document=0{address}")
    browser.execute_script(FILL)


@needs_chromium
def test_what_is_linked_wrongly_has_its_own_mark(
    own: webdriver.Chrome, page: Path, text: Any
) -> None:
    """All mentions of both sides that errors of linking take, and no other."""
    expected = {
        mention.row
        for error in corefkit.errors(KEY, HASTY).document(DOCUMENT)
        if error.type in ("conflated", "divided")
        for mention in error.mentions
    }
    assert expected
    open_whole(own, page)
    for side in (0, 1):
        script = f"""return [...document.querySelectorAll('.u.linked[data-side="{side}"]')]
          .map((node) => Number(node.dataset.row))"""
        assert set(own.execute_script(script)) == expected
    assert "found, but linked wrongly" in own.find_element(By.CSS_SELECTOR, ".legend").text
    wave = own.find_element(By.CSS_SELECTOR, ".u.linked:not(.boundary)")
    assert "linear-gradient" in wave.value_of_css_property("background-image")


LABELS = """
const found = [];
for (const tag of document.querySelectorAll(".tag"))
  found.push([Number(tag.dataset.side), Number(tag.dataset.entity), tag.textContent, tag.title]);
return found;
"""


@needs_chromium
def test_aligned_entities_have_one_label(own: webdriver.Chrome, page: Path, text: Any) -> None:
    """Numbers by first mention; what the files call an entity is in the tooltip only."""
    open_whole(own, page)
    labels: dict[tuple[int, int], str] = {}
    first: list[int] = []
    for side, entity, label, title in own.execute_script(LABELS):
        assert labels.setdefault((side, entity), label) == label
        name = text["response" if side else "key"][entity]
        assert title.startswith(f"{'response' if side else 'key'} entity {name} · ")
        if int(label) not in first:
            first.append(int(label))
    aligned = {(k, r) for k, r in text["aligned"] if (0, k) in labels}
    assert aligned and all(labels[0, k] == labels[1, r] for k, r in aligned)
    of_key, of_response = ({n for (s, _), n in labels.items() if s == side} for side in (0, 1))
    assert len(of_key & of_response) == len(aligned)
    assert sorted(first) == list(range(1, len(first) + 1))
    # Sentence by sentence, key before response: the order in which a reader meets them.
    script = (
        "return [...document.querySelectorAll('.cell:first-child .tag')].map((t) => t.textContent)"
    )
    in_key = [int(label) for label in dict.fromkeys(own.execute_script(script))]
    assert in_key == sorted(in_key)


SINGLETONS = """\
#begin document (tale); part 000
tale 0 0 Anna - * - - - - * (1)
tale 0 1 met - * - - - - * -
tale 0 2 Ben - * - - - - * (2)
tale 0 3 and - * - - - - * -
tale 0 4 Cleo - * - - - - * {}
tale 0 5 saw - * - - - - * -
tale 0 6 her - * - - - - * (1)

#end document
"""


@needs_chromium
def test_singletons_that_are_right_have_no_colour(own: webdriver.Chrome, tmp_path: Path) -> None:
    for side, cell in (("key", "(3)"), ("response", "-")):
        (tmp_path / f"{side}.conll").write_text(SINGLETONS.format(cell))
    sides = [tmp_path / f"{side}.conll" for side in ("key", "response")]
    assert run("report", *sides, "-o", tmp_path / "x.html").status == 0
    show(own, tmp_path / "x.html", "view=document")
    script = """return [...document.querySelectorAll('.cell:first-child .u')].map((u) =>
      [u.parentNode.firstChild.data, u.classList.contains('quiet'),
       getComputedStyle(u).borderBottomColor])"""
    found = {word: (quiet, colour) for word, quiet, colour in own.execute_script(script)}
    assert {word: quiet for word, (quiet, _) in found.items()} == {
        **{"Anna": False, "her": False, "Cleo": False},  # Cleo was missed
        "Ben": True,
    }
    red, green, blue = map(int, re.findall(r"\d+", found["Ben"][1])[:3])
    assert max(red, green, blue) - min(red, green, blue) < 16  # a grey
    labels = [tag.text for tag in own.find_elements(By.CSS_SELECTOR, ".cell:first-child .tag")]
    assert labels == ["1", "2", "1"]


def where_is(browser: webdriver.Chrome) -> str:
    script = "return new URLSearchParams(location.hash.slice(1)).get('error')"
    found: str = browser.execute_script(script)
    return found


@needs_chromium
def test_n_and_p_go_from_error_to_error(own: webdriver.Chrome, page: Path) -> None:
    """In the order of the text; of one type where one is chosen; buttons do the same."""
    errors = list(corefkit.errors(KEY, HASTY).document(DOCUMENT))
    show(own, page, "view=document&document=0")
    body = own.find_element(By.TAG_NAME, "body")
    met, starts = [], []
    place = {error.id: error.first.start for error in errors}
    for _ in errors:
        body.send_keys("n")
        met.append(where_is(own))
        starts.append(place[met[-1]])
    assert sorted(met) == sorted(error.id for error in errors)
    assert starts == sorted(starts)
    assert own.find_element(By.CSS_SELECTOR, ".steps .place").text == f"{len(met)} of {len(met)}"
    assert own.find_element(By.CSS_SELECTOR, ".row.lit").is_displayed()
    body.send_keys("p")
    assert where_is(own) == met[-2]
    body.send_keys("n", "n")
    assert where_is(own) == met[0]  # from the last to the first
    chooser = own.find_element(By.CSS_SELECTOR, ".steps select")
    chooser.find_element(By.CSS_SELECTOR, "option[value=conflated]").click()
    conflated = [error.id for error in errors if error.type == "conflated"]
    assert own.switch_to.active_element.tag_name == "body"  # where n and p are heard
    _, following = own.find_elements(By.CSS_SELECTOR, ".steps button")
    assert own.find_element(By.CSS_SELECTOR, ".steps .place").text.startswith(str(len(conflated)))
    met = []
    for _ in conflated:
        following.click()
        met.append(where_is(own))
    assert sorted(met) == sorted(conflated)
    # The address leads back to the same error.
    address = own.execute_script("return location.hash.slice(1)")
    own.get("about:blank")
    show(own, page, address)
    assert own.find_element(By.CSS_SELECTOR, ".panel .why").text.startswith("conflated: ")
    assert own.find_element(By.CSS_SELECTOR, ".steps select").get_attribute("value") == "conflated"


@needs_chromium
def test_the_strip_is_coloured_by_the_density_of_errors(own: webdriver.Chrome, page: Path) -> None:
    open_whole(own, page)
    script = """return [...document.querySelectorAll('.strip .heat')].map((bar) =>
      [Number(bar.getAttribute('fill-opacity')), parseInt(bar.firstChild.textContent)])"""
    bars = own.execute_script(script)
    errors = corefkit.errors(KEY, HASTY).document(DOCUMENT)
    wrong = sum(mention.row >= 0 for error in errors for mention in error.mentions)
    assert sum(count for _, count in bars) == wrong
    most = max(count for _, count in bars)
    assert all(opacity == pytest.approx(0.12 + 0.88 * n / most, abs=0.006) for opacity, n in bars)
    click = """const strip = document.querySelector('.strip'), box = strip.getBoundingClientRect();
      strip.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.right - 2 }));
      const rows = [...document.querySelectorAll('.row')];
      return rows.at(-1).getBoundingClientRect().top < innerHeight"""
    assert own.execute_script(click)


def channels(colour: str) -> tuple[float, ...]:
    return tuple(float(number) for number in re.findall(r"[\d.]+", colour)[:3])


def luminance(colour: str) -> float:
    """As WCAG 2 defines it."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_labels_can_be_read_in_every_hue(own: webdriver.Chrome, tmp_path: Path, theme: str) -> None:
    """360 entities, each with its own hue: contrast and size of labels, on chosen rows too."""
    key = written(tmp_path / "key.conll", [f"({i % 360})" for i in range(720)])
    corefkit.report(key, key, output=tmp_path / "x.html")
    scheme = {"name": "prefers-color-scheme", "value": theme}
    own.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    try:
        show(own, tmp_path / "x.html", "view=document")
        own.execute_script(FILL)
        script = """const row = document.querySelector('.row'), style = getComputedStyle;
          row.classList.add('lit');
          const tags = [...document.querySelectorAll('.tag')].map((tag) => style(tag));
          return [style(document.body).backgroundColor, style(row).backgroundColor,
            tags.map((one) => [one.color, one.fontSize])]"""
        paper, soft, labels = own.execute_script(script)
    finally:
        own.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert (luminance(paper) > 0.5) == (theme == "light")
    assert len({colour for colour, _ in labels}) > 300
    assert {size for _, size in labels} == {"12px"}
    for colour, _ in labels:
        assert contrast(colour, paper) >= 4.5 and contrast(colour, soft) >= 4.5


@needs_chromium
def test_the_panel_is_low_and_lists_what_is_wrong_first(
    own: webdriver.Chrome, tmp_path: Path
) -> None:
    """A chain of 120 mentions, of which the response lacks five."""
    words = ["Rosa", *["I"] * 110, *["me"] * 9]
    cells = {"key": ["(0)"] * 120, "response": ["-" if 3 <= i < 8 else "(0)" for i in range(120)]}
    sides = [written(tmp_path / f"{side}.conll", column, words) for side, column in cells.items()]
    assert run("report", *sides, "-o", tmp_path / "x.html").status == 0
    show(own, tmp_path / "x.html", "view=document")
    own.find_element(By.CSS_SELECTOR, ".tag").click()
    panel = own.find_element(By.CSS_SELECTOR, ".panel")
    for size in ({"width": 390, "height": 500}, {"width": 1280, "height": 900}):
        metrics = {**size, "deviceScaleFactor": 1, "mobile": False}
        own.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        height = own.execute_script("return innerHeight")
        assert 0 < panel.rect["height"] <= height / 5
    own.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    in_key, in_response = (p.text for p in panel.find_elements(By.CSS_SELECTOR, "p")[1:3])
    assert re.sub(r"[\u2068\u2069]", "", in_key) == "key: missed I ×5 right I ×105 me ×9 Rosa"
    assert re.sub(r"[\u2068\u2069]", "", in_response) == "response: right I ×105 me ×9 Rosa"


CHINESE = """\
#begin document (zh); part 000
zh 0 0 2008 - * - - - - * (0
zh 0 1 年 - * - - - - * 0)
zh 0 2 北京 - * - - - - * (1)
zh 0 3 举办 - * - - - - * -
zh 0 4 奥运会 - * - - - - * -
zh 0 5 , - * - - - - * -
zh 0 6 New - * - - - - * (2
zh 0 7 York - * - - - - * 2)
zh 0 8 看 - * - - - - * -
zh 0 9 它 - * - - - - * {}

#end document
"""


@needs_chromium
def test_chinese_has_no_blanks_between_words(own: webdriver.Chrome, tmp_path: Path) -> None:
    for side, cell in (("key", "(1)"), ("response", "(2)")):
        (tmp_path / f"{side}.conll").write_text(CHINESE.format(cell), encoding="utf-8")
    sides = [tmp_path / f"{side}.conll" for side in ("key", "response", "key")]
    assert run("report", *sides, "-o", tmp_path / "x.html").status == 0
    show(own, tmp_path / "x.html", "view=document")
    own.execute_script("document.querySelectorAll('.tag, .no').forEach((node) => node.remove())")
    content = own.find_element(By.CSS_SELECTOR, ".cell").get_attribute("textContent")
    assert content == "2008年北京举办奥运会, New York看它 "
    data = data_of((tmp_path / "x.html").read_text(encoding="utf-8"))
    assert "2008年" in data["changes"]["mentions"]["text"]
    texts = show(own, tmp_path / "x.html", "view=errors")
    assert "2008年北京举办奥运会, New York看" in re.sub(r"[\u2068\u2069]", "", texts)


@needs_chromium
def test_many_long_crossing_mentions(own: webdriver.Chrome, tmp_path: Path) -> None:
    """No more lines below a word than can be told apart; every mention has its label."""
    size = 400
    opened = [f"({i // 2}" for i in range(size)]
    key = written(tmp_path / "key.conll", [*opened, *(f"{i // 2})" for i in range(size))])
    corefkit.report(key, key, output=tmp_path / "x.html")
    show(own, tmp_path / "x.html", "view=document")
    own.execute_script(FILL)
    script = """const most = (name) => Math.max(...[...document.querySelectorAll('.t')]
        .map((token) => token.querySelectorAll(name).length));
      return [most('.u'), document.querySelectorAll('.tag').length]"""
    assert own.execute_script(script) == [8, 2 * size]


@needs_chromium
def test_keys_do_nothing_elsewhere(own: webdriver.Chrome, page: Path) -> None:
    show(own, page, "view=document&document=0")
    show(own, page, "view=overview")
    own.find_element(By.TAG_NAME, "body").send_keys("n", "p", Keys.ESCAPE)
    assert own.execute_script("return document.getElementById('main').dataset.view") == "overview"


MARKED = """
const side = (number, kind) => [...document.querySelectorAll(
  `.cell:nth-child(${number + 1}) .t.${kind}`)].map((token) => token.firstChild.data).join(" ");
return [side(0, "at"), side(1, "at"), side(0, "should"), side(1, "was"),
  document.querySelectorAll(".links path.should").length,
  document.querySelectorAll(".links path.was").length];
"""


@needs_chromium
def test_show_leads_into_the_text_with_both_antecedents(own: webdriver.Chrome, page: Path) -> None:
    """Where the mention belongs is marked in the key, where it was put in the response."""
    show(own, page, "view=overview")
    links = "return [...document.querySelectorAll('.ex .show')].map((a) => a.hash)"
    addresses = own.execute_script(links)
    assert len(addresses) == 10
    errors = {error.id: error for error in corefkit.errors(KEY, HASTY)}
    both = 0
    for address in addresses:
        show(own, page, address[1:])
        error = errors[where_is(own)]
        WebDriverWait(own, 10).until(lambda driver: driver.execute_script(MARKED)[0])
        in_key, in_response, should, was, missing, made = own.execute_script(MARKED)
        assert in_key == error.first.text
        assert in_response == (error.first.text if error.first.side == "both" else "")
        expected = [one.mention.text if one.mention else "" for one in (error.should, error.was)]
        assert [should, was] == expected
        assert (missing, made) == (bool(should), bool(was))
        both += bool(should and was)
        why = own.find_element(By.CSS_SELECTOR, ".panel .why").text
        assert all(text in why for text in expected)
    assert both > 3
    own.find_element(By.CSS_SELECTOR, ".unpin").click()
    assert own.execute_script(MARKED)[:4] == [""] * 4


@needs_chromium
def test_steps_run_from_left_to_right_in_arabic_too(own: webdriver.Chrome, tmp_path: Path) -> None:
    folder = EXAMPLES / "task"
    key, response = folder / "keys/arabic.conll", "responses/wren/arabic.closed.GB.conll"
    assert run("report", key, folder / response, "-o", tmp_path / "x.html").status == 0
    show(own, tmp_path / "x.html", "view=document")
    own.find_element(By.TAG_NAME, "body").send_keys("n")
    assert re.fullmatch(r"1 of \d", own.find_element(By.CSS_SELECTOR, ".steps .place").text)
    previous, following = own.find_elements(By.CSS_SELECTOR, ".steps button")
    assert previous.rect["x"] < following.rect["x"]
    assert own.find_element(By.CSS_SELECTOR, ".doc").get_attribute("dir") == "rtl"
    heat = "return [...document.querySelectorAll('.heat')].map((b) => Number(b.getAttribute('x')))"
    marks = own.execute_script(heat)
    assert marks[0] == max(marks)  # the first error is on the right


@needs_chromium
def test_links_stay_where_their_mentions_are(own: webdriver.Chrome, page: Path) -> None:
    """Though sentences above get their heights only when they are drawn."""
    error = next(e for e in corefkit.errors(KEY, HASTY).document(DOCUMENT) if e.type == "divided")
    show(own, page, f"view=document&document=0&error={quote(error.id)}")
    WebDriverWait(own, 10).until(lambda driver: driver.execute_script(MARKED)[4])
    own.set_window_size(700, 900)
    script = """const box = (name) => document.querySelector(name).getBoundingClientRect();
      const at = box(".cell:first-child .t.at"), base = box(".doc");
      const path = document.querySelector(".links path.should").getAttribute("d");
      const [x, y] = path.slice(1).split(" ").map(Number);
      return Math.hypot(x + base.left - at.left - at.width / 2,
        y + base.top - at.top)"""
    try:
        WebDriverWait(own, 10).until(lambda driver: driver.execute_script(script) < 3)
    finally:
        own.set_window_size(1280, 900)
