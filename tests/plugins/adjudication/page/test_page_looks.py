"""How the page of adjudication looks, to whom it speaks, what it may not run, how fast it is."""

import json
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from corefkit.plugins.adjudication import adjudicate, page_data
from corefkit.plugins.adjudication.page import render_adjudication_page
from tests.browser import needs_chromium
from tests.plugins.adjudication.page.curator import (
    TWO,
    counts,
    crowd,
    press,
    press_quickly,
    show,
    shown,
    word,
    write_page,
    write_sides,
)

HOSTILE = [
    "</script><script>document.title='x'</script>",
    "<img/src=x/onerror=alert(1)>",
    "&lt;b&gt;",
    "\u202eevil\u202c",
    "']]>\u2028",
    "javascript:alert(1)",
]


@needs_chromium
def test_hostile_text_is_text(clean: webdriver.Chrome, tmp_path: Path) -> None:
    columns = {"anna": "(0) (0) (0) - (1) (1)", "ben": "(0) (1) (0) (0) - (1)"}
    words = [f"{word}{'x' * 5000 * (n == 5)}" for n, word in enumerate(HOSTILE)]
    text = json.dumps(page_data(adjudicate(*write_sides(tmp_path, columns, words)).draft))
    data = json.loads(text.replace('"anna"', '"<s>anna</s>"').replace("tale", "<u>tale</u>"))
    entry = {
        "item": "link <u>tale</u> 0 1",
        "choice": "no",
        "by": "<s>cora</s>",
        "note": "<s>x</s>",
    }
    data["decisions"] = [entry]
    path = tmp_path / "page.html"
    path.write_text(render_adjudication_page(data), encoding="utf-8")
    show(clean, path)
    for key in "jjjjjjjjdyn":
        press(clean, key)
    word(clean, 1)
    press(clean, "?")
    assert clean.get_log("browser") == []  # type: ignore[no-untyped-call]
    assert "open" in clean.title or "decided" in clean.title
    assert not clean.find_elements(By.CSS_SELECTOR, "main img, main script, main u, main s")
    assert "<img/src=x/onerror=alert(1)>" in shown(clean, "#text")
    assert clean.execute_script("return performance.getEntriesByType('resource').length") == 0
    head = path.read_text(encoding="utf-8").split("</head>")[0]
    assert "default-src 'none'" in head and "unsafe-inline" not in head


NAMES = """
const name = (node) => node.ariaLabel || node.labels?.[0]?.textContent || node.title || node.textContent;
return [...document.querySelectorAll("button, select, input, [role=listbox], [role=region], section")]
  .filter((node) => !node.hidden && !name(node).trim()).map((node) => node.outerHTML.slice(0, 200));
"""  # noqa: E501


CONTRASTS = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const channels = (colour) => {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const light = (c) => c.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4))
  .reduce((sum, v, place) => sum + v * [.2126, .7152, .0722][place], 0);
const behind = (node) => {
  for (let one = node; one; one = one.parentElement) {
    const found = channels(getComputedStyle(one).backgroundColor);
    if (found[3] === 255) return found;
  }
  return channels(getComputedStyle(document.body).backgroundColor);
};
const texts = [...document.querySelectorAll("body *")].filter((node) => !node.closest(":disabled, [hidden]")
  && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()) && node.getClientRects().length);
return texts.map((node) => {
  const [a, b] = [light(channels(getComputedStyle(node).color)), light(behind(node))];
  return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), node.outerHTML.slice(0, 150)];
}).filter(([ratio]) => ratio < 4.5);
"""  # noqa: E501


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_readable_and_named(clean: webdriver.Chrome, tmp_path: Path, theme: str) -> None:
    """Every control has a name, every text a contrast of 4.5, in all states of items."""
    write_page(tmp_path / "page.html", *write_sides(tmp_path, TWO))
    media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    clean.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        show(clean, tmp_path / "page.html")
        for keys in ("", "y", "n", "y", "n", "y", "nd", "jjjjj", "x", "kkkkkk", "?"):
            press_quickly(clean, keys)
            if keys == "x":
                word(clean, 0)
            assert clean.execute_script(NAMES) == []
            assert clean.execute_script(CONTRASTS) == [], keys
    finally:
        clean.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@needs_chromium
@pytest.mark.parametrize(
    ("width", "height"), [(360, 740), (390, 844), (720, 450), (1100, 800), (1440, 900)]
)
def test_every_width(clean: webdriver.Chrome, tmp_path: Path, width: int, height: int) -> None:
    """On a phone, at 200 % and on a desk nothing sticks out, and all can be reached."""
    write_page(tmp_path / "page.html", *crowd(tmp_path, 4, 3))
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    clean.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        show(clean, tmp_path / "page.html")
        narrow = width < 960
        for tab in ("list", "text", "card") if narrow else ("",):
            if tab:
                clean.execute_script(f"document.querySelector('[aria-controls={tab}]').click()")
                assert clean.find_element(By.ID, tab).is_displayed()
            wide = (
                "return document.documentElement.scrollWidth, document.documentElement.scrollWidth"
            )
            assert clean.execute_script(wide) <= width
            line = (
                "const c = document.querySelector('.counts'); return c.scrollWidth - c.clientWidth"
            )
            assert clean.execute_script(line) <= 0
        clean.find_element(By.CSS_SELECTOR, ".choice").click()
        clean.find_element(By.ID, "undo").click()
        clean.find_element(By.ID, "redo").click()
        assert counts(clean)["decided"] == 1
    finally:
        clean.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@needs_chromium
def test_right_to_left(clean: webdriver.Chrome, tmp_path: Path) -> None:
    words = ["رأى", "الولد", "أمه", "في", "السوق", "ثم", "ناداها", "هو"]
    columns = {"anna": "- (0) (1 1) - - - (0)", "ben": "- (0) (1) - - - - (2)"}
    write_page(tmp_path / "page.html", *write_sides(tmp_path, columns, words))
    show(clean, tmp_path / "page.html")
    words_there = clean.find_elements(By.CSS_SELECTOR, ".words [data-p]")
    places = [word.rect["x"] for word in words_there]
    assert len(places) > 7 and places == sorted(places, reverse=True)
    assert clean.find_element(By.CSS_SELECTOR, ".passage").get_attribute("dir") == "rtl"


@needs_chromium
def test_names_of_two_words_in_another_script(clean: webdriver.Chrome, tmp_path: Path) -> None:
    words = ["נסעתי", "אל", "New", "York", "הגדולה", "ואז", "\u202eevil", "חזרתי"]
    columns = {"anna": "- - (0 0) - - - (0)", "ben": "- - (1 1) - - - (0)"}
    write_page(tmp_path / "page.html", *write_sides(tmp_path, columns, words))
    show(clean, tmp_path / "page.html")
    there = clean.find_elements(By.CSS_SELECTOR, ".words [data-p]")
    places = {word.text: word.rect["x"] for word in there}
    assert places["אל"] > places["York"] > places["New"] > places["הגדולה"]
    assert places["ואז"] > places["חזרתי"], "a mark turns nothing but its own word"


SPEED = """
for (const key of arguments[0]) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  document.querySelector(".body").getBoundingClientRect();
}
"""


def milliseconds(browser: webdriver.Chrome, keys: str) -> float:
    """What a key takes with layout, in time of the processor: other processes do not count."""

    def spent() -> float:
        metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))

    before = spent()
    browser.execute_script(SPEED, keys)
    return 1000 * (spent() - before) / len(keys)


@needs_chromium
@pytest.mark.more
def test_a_key_takes_no_tenth_of_a_second(clean: webdriver.Chrome, tmp_path: Path) -> None:
    """With 5,000 items and 100,000 tokens in one document, 4,000 of them decided."""
    data = page_data(adjudicate(*crowd(tmp_path, 5000, 900)).draft)
    (one,) = data["documents"]
    assert len(one["nodes"]) == 100_000 and len(one["items"]) > 5000
    stamp = {"by": "cora", "at": "2026-11-16T10:00:00Z"}
    data["decisions"] = [
        {"item": i["id"], "document": i["document"], "spans": i["spans"], "choice": "no", **stamp}
        for i in one["items"][:4000]
    ]
    (tmp_path / "page.html").write_text(render_adjudication_page(data), encoding="utf-8")
    show(clean, tmp_path / "page.html")
    clean.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    try:
        times = {
            keys: milliseconds(clean, keys * 10) for keys in ("y", "n", "yn", "j", "d", "u", "r")
        }
    finally:
        clean.execute_cdp_cmd("Performance.disable", {})
    assert max(times.values()) < 100, times
