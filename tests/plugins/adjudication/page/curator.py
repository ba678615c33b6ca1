"""What a curator does on the page of adjudication, and what is read from it."""

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from corefkit.plugins.adjudication import Adjudication, adjudicate, page_data
from corefkit.plugins.adjudication.page import LOGIC, render_adjudication_page, scripts_text

WAIT = 30
"""Seconds: on a busy machine all takes longer."""

STATES = """
const [data, files] = arguments, documents = data.documents.map(makeDocument);
const numbers = (mention) => [mention.positions[0], mention.positions.at(-1)];
const after = (list) => { const log = makeLog(documents); load(log, list); return log; };
const ids = ({ one }, wanted) => one.items.map(({ id }) => id).filter((_, n) => wanted(n));
return files.map(after).map((log) => log.states.map((state) => ({
  undecided: state.counts.open,
  void: ids(state, (n) => state.status[n] === WAITING).sort(),
  implied: [...state.implied].map(([place, choice]) =>
    ({ item: state.one.items[place].id, choice, chain: chainOfItem(state, place) })),
  unused: [...new Set(state.unused)].sort(),
  changed: [...new Set(state.changed)].sort(),
  conflicts: state.conflicts.map(({ item }) => item).sort(),
  result: entitiesOf(state).map((mentions) => mentions.map(numbers)).map(String).sort(),
})));
"""
"""What follows from each of some lists of decisions, by the page's own scripts."""


def logic(browser: webdriver.Chrome, script: str, *arguments: Any) -> Any:
    return browser.execute_script(scripts_text(LOGIC) + script, *arguments)


def states(browser: webdriver.Chrome, data: Any, *decisions: Sequence[Any]) -> Any:
    return logic(browser, STATES, data, decisions)


def as_texts(entities: Iterable[list[list[int]]]) -> list[str]:
    """Entities as `String` writes them, sorted."""
    return sorted(",".join(str(n) for mention in own for n in mention) for own in entities)


def replayed(result: Adjudication) -> list[Any]:
    """The same by `corefkit.plugins.adjudication`."""
    return [
        {
            "undecided": len(one.open),
            "void": sorted(one.void),
            "implied": [{**i._asdict(), "chain": [*i.chain]} for i in one.implied],
            "unused": [*one.unused],
            "changed": [*one.changed],
            "conflicts": [conflict.item for conflict in one.conflicts],
            "result": as_texts([[m[0][0], m[-1][1]] for m in own] for own in one.entities),
        }
        for one in result.replays
    ]


def entities_in(result: Adjudication) -> list[list[str]]:
    return [
        as_texts([[m[0][0], m[-1][1]] for m in own] for own in r.entities) for r in result.replays
    ]


WORDS = ("captain", "wrote", "a", "letter", "to", "his", "sister", "who", "kept", "it", "years")


def crowd(folder: Path, sentences: int, entities: int, documents: int = 1) -> list[str]:
    """Files of two annotators who see the same text and differ here and there."""
    rng, names = random.Random(sentences), ("anna", "ben")
    texts: dict[str, list[str]] = {name: [] for name in names}
    for document in range(documents):
        for name in names:
            texts[name].append(f"#begin document doc{document}")
        for _ in range(sentences):
            words = rng.choices(WORDS, k=20)
            cells = {name: ["-"] * 20 for name in names}
            for start in range(0, 17, 5):
                end, entity = start + rng.randrange(3), rng.randrange(entities)
                for name in names:
                    first = start + (end > start and rng.random() < 0.06)
                    own = entity + entities * (rng.random() < 0.2)
                    if rng.random() >= 0.06:
                        cells[name][end] = f"{own})"
                        cells[name][first] = f"({own})" if first == end else f"({own}"
            for name, column in cells.items():
                rows = enumerate(zip(words, column, strict=True))
                texts[name] += [f"doc{document} 0 {n} {word} {cell}" for n, (word, cell) in rows]
                texts[name].append("")
        for name in names:
            texts[name] += ["#end document", ""]
    for name, lines in texts.items():
        (folder / f"{name}.conll").write_text("\n".join(lines))
    return [str(folder / f"{name}.conll") for name in names]


TWO = {
    "anna": "(0) - (0) - (0) - (1 1) - (2)",
    "ben": "(0) - (1) - (2) - - (1) - (2)",
}


THREE = {
    "anna": "(0) - (0) - (0) - - - (1 1) - (2)",
    "ben": "(0) - (0) - (0) - - - (1 1) - (2)",
    "carla": "(0) - (0) - (0) - (2) - (1 1) - (2)",
}


def write_sides(folder: Path, columns: dict[str, str], words: Sequence[str] = ()) -> list[str]:
    """Files of one document with a column of brackets for each annotator."""
    for name, column in columns.items():
        cells = enumerate(column.split())
        lines = [f"tale 0 {n} {words[n] if words else f'w{n}'} {cell}" for n, cell in cells]
        text = "\n".join(["#begin document tale", *lines, "", "#end document", ""])
        (folder / f"{name}.conll").write_text(text, encoding="utf-8")
    return [str(folder / f"{name}.conll") for name in columns]


def write_page(path: Path, *sides: str, **settings: Any) -> Any:
    """Write the page of some sides; its data."""
    data = page_data(adjudicate(*sides, **settings).draft)
    path.write_text(render_adjudication_page(data), encoding="utf-8")
    return data


def show(browser: webdriver.Chrome, page: Path, address: str = "") -> None:
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}{address}")
    there = "return !!document.querySelector('#question')"
    WebDriverWait(browser, WAIT).until(lambda driver: driver.execute_script(there))


def visit(browser: webdriver.Chrome, item: str) -> None:
    """Go to an item by its address."""
    browser.execute_script("location.hash = new URLSearchParams({ item: arguments[0] })", item)
    there = f"return document.getElementById('card').dataset.item === {json.dumps(item)}"
    WebDriverWait(browser, WAIT).until(lambda driver: driver.execute_script(there))


def press(browser: webdriver.Chrome, *keys: str) -> None:
    for key in keys:
        ActionChains(browser).send_keys(key).perform()


PRESS = """
for (const key of arguments[0]) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}
"""


def press_quickly(browser: webdriver.Chrome, keys: str) -> None:
    browser.execute_script(PRESS, keys)


def shown(browser: webdriver.Chrome, selector: str) -> str:
    text: str = browser.execute_script(
        "return document.querySelector(arguments[0])?.innerText ?? ''", selector
    )
    return text.replace("\u2068", "").replace("\u2069", "")


def counts(browser: webdriver.Chrome) -> dict[str, int]:
    """The progress that is shown."""
    lines = [line for line in shown(browser, ".counts").splitlines() if line]
    return {name: int(n.replace(",", "")) for n, _, name in (x.partition(" ") for x in lines)}


def click(browser: webdriver.Chrome, title: str, within: str = "body") -> None:
    """Click the button that begins with a title."""
    buttons = browser.find_elements(By.CSS_SELECTOR, f"{within} button")
    text = "return arguments[0].innerText.replace(/[\\u2068\\u2069]/g, '')"
    titles = [browser.execute_script(text, button) for button in buttons]
    place = next((n for n, t in enumerate(titles) if t.split("\n")[-1].startswith(title)), None)
    assert place is not None, (title, titles)
    browser.execute_script("arguments[0].click()", buttons[place])


def word(browser: webdriver.Chrome, position: int) -> None:
    browser.execute_script(f"document.querySelector('[data-p=\"{position}\"]').click()")


def saved(browser: webdriver.Chrome, folder: Path) -> Path:
    """The file that the page saves."""
    allowed = {"behavior": "allow", "downloadPath": str(folder)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    before = {*folder.glob("*.json")}
    press(browser, "s")

    def arrived(_: object) -> list[Path]:
        return [p for p in folder.glob("*.json") if p not in before and p.stat().st_size]

    (path,) = WebDriverWait(browser, WAIT).until(arrived)
    return path


def open_file(browser: webdriver.Chrome, path: Path) -> None:
    """Open a file of decisions in the page."""
    dialog = "return !!document.querySelector('dialog')"
    WebDriverWait(browser, WAIT).until_not(lambda driver: driver.execute_script(dialog))
    press_quickly(browser, "o")
    browser.find_element(By.ID, "file").send_keys(str(path))
    WebDriverWait(browser, WAIT).until(lambda driver: driver.execute_script(dialog))
