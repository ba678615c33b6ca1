"""The page of errors in a real Chromium: every view, the figures, links, hostile text."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

import corefkit
from corefkit import UsageError
from corefkit.analysis.errors import common_errors
from corefkit.core.texts import is_right_to_left
from corefkit.metrics import BREAKDOWNS
from corefkit.render.pages import pack
from corefkit.render.pages.report import page_data
from corefkit.scorers import make_options
from corefkit.scoring.errors import find_errors
from corefkit.stats.error_pages import choose_shown, error_page
from tests.browser import needs_chromium
from tests.render.pages.support import CAREFUL, HASTY, KEY, data_of, show, table_rows
from tests.strategies import TIMES
from tests.support import EXAMPLES, run


@pytest.fixture(scope="module")
def figures() -> Any:
    return json.loads(run("errors", KEY, HASTY, CAREFUL, "-f", "json").out)


@needs_chromium
def test_the_figures_are_those_of_the_json(
    browser: webdriver.Chrome, page: Path, figures: Any
) -> None:
    for number, system in enumerate(figures["systems"]):
        text = show(browser, page, f"view=overview&system={number}")
        lost = 100 * (1 - system["f1"]["conll"])
        assert f"Where {lost:.2f} points of CoNLL are lost" in text
        for name, errors in system["errors"].items():
            share = 100 * system["shares"]["conll"][name]
            repaired = 100 * system["repaired"][name]["conll"]
            part = f"{errors} error{'s' * (errors != 1)}; F1 {repaired:.2f} if repaired"
            assert re.search(rf"{name}\s+{share:.2f} points\s+[^\n]*{re.escape(part)}", text)


@needs_chromium
def test_the_worst_type_comes_first_with_ten_examples(
    browser: webdriver.Chrome, page: Path
) -> None:
    show(browser, page, "view=overview")
    types = [a.text for a in browser.find_elements(By.CSS_SELECTOR, ".bar .type")]
    assert types[0] == "divided" and len(types) == 7
    assert len(browser.find_elements(By.CSS_SELECTOR, ".ex")) == 10


@needs_chromium
def test_every_count_leads_to_its_errors(
    browser: webdriver.Chrome, page: Path, figures: Any
) -> None:
    for name, errors in figures["systems"][0]["errors"].items():
        text = show(browser, page, f"view=errors&type={name}")
        assert text.count("\n") > errors
        assert browser.find_element(By.ID, "count").text.startswith(f"{errors} error")
    pronouns = [e for e in corefkit.errors(KEY, HASTY) if e.first.kind == "pronoun"]
    show(browser, page, "view=errors&f.kind=pronoun")
    assert browser.find_element(By.ID, "count").text.startswith(f"{len(pronouns)} errors")


@needs_chromium
def test_documents_of_the_overview(browser: webdriver.Chrome, page: Path, figures: Any) -> None:
    show(browser, page, "view=overview")
    _, *rows = table_rows(browser, "Documents")
    found = {name: cells[-7:] for name, *cells in rows}
    for name, counts in figures["systems"][0]["documents"].items():
        assert found[name] == [str(n) for n in counts.values()], name


@needs_chromium
def test_an_error_has_an_address(browser: webdriver.Chrome, page: Path) -> None:
    error = next(e for e in corefkit.errors(KEY, HASTY) if e.type == "conflated")
    show(browser, page, f"view=errors&error={error.id.replace(' ', '+').replace(';', '%3B')}")
    hit = browser.find_element(By.CSS_SELECTOR, "tr.hit")
    assert error.first.text in hit.text
    browser.execute_script("arguments[0].click()", hit.find_elements(By.TAG_NAME, "a")[-1])
    assert browser.execute_script("return document.getElementById('main').dataset.view") == (
        "document"
    )


@needs_chromium
def test_document_and_pinned_entity(own: webdriver.Chrome, page: Path) -> None:
    text = show(own, page, "view=document&document=0")
    assert len(re.findall(r"Port\s+Ellery\s+will\s+now\s+rebuild", text)) == 2
    states = {
        state: len(own.find_elements(By.CSS_SELECTOR, f".u.{state}"))
        for state in ("both", "key", "response", "boundary")
    }
    assert all(states.values()), states
    panel = own.find_element(By.CSS_SELECTOR, ".panel")
    point = "arguments[0].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))"
    tag = own.find_element(By.CSS_SELECTOR, ".tag")
    assert not own.find_elements(By.CSS_SELECTOR, ".strip .light")
    own.execute_script(point, tag)
    lit = {
        (node.get_attribute("data-side"), node.get_attribute("data-row"))
        for node in own.find_elements(By.CSS_SELECTOR, ".u.lit")
    }
    assert {side for side, _ in lit} == {"0", "1"}
    assert len(own.find_elements(By.CSS_SELECTOR, ".strip .light")) == len(lit)
    assert not panel.is_displayed()
    own.execute_script("document.querySelector('.tag').click()")
    assert "key:" in panel.text and "response:" in panel.text
    assert own.find_elements(By.CSS_SELECTOR, ".strip .light")
    assert own.find_elements(By.CSS_SELECTOR, ".links path")


GAPS = """\
# newdoc id = tale
# global.Entity = eid-etype-head-other
# sent_id = tale-1
1\tHe\t_\tPRON\t_\t_\t0\t_\t_\t{}
2\tgave\t_\tVERB\t_\t_\t0\t_\t_\t{}
2.1\t_\t_\tPRON\t_\t_\t_\t_\t_\t{}
3\tit\t_\tPRON\t_\t_\t0\t_\t_\t{}
4\tall\t_\tPRON\t_\t_\t0\t_\t_\t{}
5\tup\t_\tADP\t_\t_\t0\t_\t_\t{}

"""


@needs_chromium
def test_empty_nodes_gaps_and_nested_mentions(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """A zero, a mention of two parts around others, and one mention inside another."""
    sides = {"key": ("[1/2]", "Entity=(e2[2/2]-x-1)"), "response": ("", "_")}
    for side, (part, rest) in sides.items():
        first, nested = f"Entity=(e1-x-1)(e2{part}-x-1)", "Entity=(e3-x-1(e4-x-1)"
        cells = (first, "_", "Entity=(e1-x-1)", nested, "Entity=e3)", rest)
        (tmp_path / f"{side}.conllu").write_text(GAPS.format(*cells), encoding="utf-8")
    done = run("report", *(tmp_path / f"{s}.conllu" for s in sides), "-o", tmp_path / "x.html")
    assert done.status == 0, done.err
    show(browser, tmp_path / "x.html", "view=document")
    label = """const zero = [...document.querySelectorAll('.cell:first-child .t')]
      .find((token) => token.firstChild.data === '∅');
      return [zero.previousSibling.textContent, zero.querySelectorAll('.u').length]"""
    tags = [tag.text for tag in browser.find_elements(By.CSS_SELECTOR, ".cell:first-child .tag")]
    assert tags[:2] == ["2", "1"]  # the longer mention first
    assert browser.execute_script(label) == ["1", 1]
    script = """return [...document.querySelectorAll('.cell:first-child .t')].map((token) =>
      [token.firstChild.data, [...token.querySelectorAll('.u')].map((u) => u.dataset.entity)])"""
    drawn = dict(browser.execute_script(script))
    assert len(drawn["He"]) == 2 and drawn["gave"] == []
    assert set(drawn["up"]) < set(drawn["He"])
    assert len(drawn["all"]) == 1 and set(drawn["all"]) < set(drawn["it"])
    script = """return [...document.querySelectorAll('.cell:first-child .t')].map((token) =>
      [...token.querySelectorAll('.u')].map((u) => u.getBoundingClientRect().top))"""
    assert all(len(set(heights)) == len(heights) for heights in browser.execute_script(script))
    browser.execute_script("document.querySelectorAll('.cell:first-child .tag')[0].click()")
    assert "He … up" in browser.find_element(By.CSS_SELECTOR, ".panel").text


@needs_chromium
def test_right_to_left(browser: webdriver.Chrome, tmp_path: Path) -> None:
    folder = EXAMPLES / "task"
    key, response = folder / "keys/arabic.conll", "responses/wren/arabic.closed.GB.conll"
    assert run("report", key, folder / response, "-o", tmp_path / "x.html").status == 0
    show(browser, tmp_path / "x.html", "view=document")
    script = """return [...document.querySelectorAll('.row:nth-child(2) .cell:first-child .t')]
      .map((token) => token.getBoundingClientRect().left)"""
    places = browser.execute_script(script)
    assert len(places) > 3 and places == sorted(places, reverse=True)
    cells = browser.find_elements(By.CSS_SELECTOR, ".row:nth-child(2) .cell")
    assert cells[0].rect["x"] > cells[1].rect["x"]


@needs_chromium
def test_entities_and_search(browser: webdriver.Chrome, page: Path) -> None:
    assert "conflated" in show(browser, page, "view=entities&document=0")
    assert browser.find_elements(By.CSS_SELECTOR, ".flow path")
    show(browser, page, "view=errors&q=quarry")
    rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert rows and all("quarry" in row.text for row in rows)


FOLLOW = """
const [share, done] = arguments, led = new Map();
const place = (cell) => cell.cellIndex + cell.parentNode.rowIndex;
const tables = [...document.querySelectorAll("main table")].map((table, number) => [
  table.ariaLabel,
  [...table.querySelectorAll("tbody td")].filter((cell) => cell.textContent !== "")
    .filter((cell) => (place(cell) + number) % share === 0).map((cell) => ({
      counts: cell.classList.contains("count"), text: cell.textContent,
      hash: cell.querySelector("a")?.getAttribute("href") })),
]);
const hashes = tables.flatMap(([, cells]) => cells.map((cell) => cell.hash));
document.body.hidden = true;  // nothing is laid out, which would take most of the time
(async () => {
  for (const hash of new Set(hashes.filter(Boolean))) {
    const changed = new Promise((go) => addEventListener("hashchange", go, { once: true }));
    location.hash = hash;
    await changed;
    const count = document.getElementById("count");
    led.set(hash, count ? count.textContent : document.getElementById("main").dataset.view);
  }
  done(tables.map(([name, cells]) =>
    [name, cells.map((cell) => [cell.counts, cell.text, led.get(cell.hash) ?? null])]));
})();
"""
"""The cells on some diagonals of all tables, so in each row and column: whether it counts, what it
reads, and what is said where its link leads."""


@needs_chromium
@pytest.mark.more
def test_every_cell_of_the_overview_leads_to_its_list(own: webdriver.Chrome, page: Path) -> None:
    show(own, page, "view=overview")
    own.set_script_timeout(120)
    tables: dict[str, list[Any]] = dict(own.execute_async_script(FOLLOW, 4 if TIMES == 1 else 1))
    assert {"Scores", "Documents", "Errors by kind", "Transitions, immediate"} <= set(tables)
    zeros = 0
    for name, cells in tables.items():
        assert cells
        for counts, text, led in cells:
            if counts:
                assert led.split()[0] == text, (name, text, led)
                zeros += text == "0"
            else:
                expected = r"[\d,]+ (error|mention)s?\b|document$|overview$"
                assert re.match(expected, led or ""), (name, text)
    assert zeros > 30


@needs_chromium
def test_every_bar_leads_to_its_list(browser: webdriver.Chrome, page: Path, figures: Any) -> None:
    show(browser, page, "view=overview")
    script = "return [...document.querySelectorAll('.bar a')].map((a) => [a.className, a.hash])"
    bars = browser.execute_script(script)
    assert len(bars) == 4 * 7
    for name, number in figures["systems"][0]["errors"].items():
        mine = {what: hash for what, hash in bars if f"type={name}&" in f"{hash}&"}
        assert set(mine) == {"type", "track", "points", "count"}
        assert len(set(mine.values())) == 1
        show(browser, page, mine["type"][1:])
        assert browser.find_element(By.ID, "count").text.split()[0] == str(number)


@needs_chromium
def test_an_empty_list_says_so(browser: webdriver.Chrome, page: Path) -> None:
    assert "There is no such error." in show(
        browser, page, "view=errors&system=1&type=extra-entity"
    )
    assert "There is no such mention." in show(browser, page, "view=changes&class=nowhere")


WORDS = {"right": "tp", "wrongly linked": "wl", "not found": "fn", "spurious": "fp", "nothing": "–"}


def in_letters(step: str) -> str:
    """A step in words as `outcomes` writes it."""
    sides = [[WORDS[one] for one in side.split(" + ")] for side in step.split(" → ")]
    return " → ".join("+".join(side) for side in sides)


@needs_chromium
@pytest.mark.parametrize(("system", "pair"), [(0, (HASTY, CAREFUL)), (1, (CAREFUL, HASTY))])
def test_transitions_are_those_of_outcomes(
    browser: webdriver.Chrome, page: Path, system: int, pair: tuple[str, str]
) -> None:
    expected = json.loads(run("outcomes", KEY, *pair, "-f", "json").out)["scores"]
    assert "repairs and breaks compared with" in show(
        browser, page, f"view=overview&system={system}"
    )
    assert list(expected) == ["immediate", "inferred", "anchor_detection", "anchor_mentions"]
    for score, figures in expected.items():
        (_, *classes, total), *rows = table_rows(browser, f"Transitions, {score.replace('_', ' ')}")
        assert (total, set(classes)) == ("total", set(figures["classes"]))
        found: dict[str, Any] = {"total": {}, **{label: {} for label in classes}}
        kind = ""
        for name, *cells in rows:
            numbers = dict(zip((*classes, "total"), map(int, cells), strict=True))
            if " → " not in name:
                kind, sums = name, numbers
                for label in numbers:
                    found[label][kind] = {}
                assert sums["total"] == sum(figures["total"][kind].values())
                continue
            for label, number in numbers.items():
                if number:
                    found[label][kind][in_letters(name)] = number
        assert found.pop("total") == figures["total"]
        assert found == figures["classes"]


@needs_chromium
def test_errors_of_one_system_only(browser: webdriver.Chrome, page: Path) -> None:
    expected = common_errors([corefkit.errors(KEY, HASTY), corefkit.errors(KEY, CAREFUL)])
    show(browser, page, "view=overview")
    head, *rows = table_rows(browser, "Errors of one system")
    assert head == ["type", "only hasty", "only careful", "both"]
    found = {name: [int(n) for n in cells] for name, *cells in rows}
    assert found.pop("all") == [sum(column) for column in zip(*found.values(), strict=True)]
    assert found == {n: [row["hasty"], row["careful"], row["all"]] for n, row in expected.items()}


@needs_chromium
def test_documents_with_the_greatest_change(browser: webdriver.Chrome, page: Path) -> None:
    one, two = (corefkit.errors(KEY, side).losses() for side in (HASTY, CAREFUL))
    gain = {name: one[name] - two[name] for name in one}
    show(browser, page, "view=overview")
    _, *rows = table_rows(browser, "Documents with the greatest change")
    order = sorted(gain, key=lambda name: -abs(gain[name]))
    assert [row[0] for row in rows] == order
    assert [row[1] for row in rows] == [f"{100 * gain[name]:+.2f}" for name in order]


@needs_chromium
@pytest.mark.parametrize("view", ["errors", "changes"])
def test_export(browser: webdriver.Chrome, page: Path, tmp_path: Path, view: str) -> None:
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    show(browser, page, f"view={view}")
    number = int(browser.find_element(By.ID, "count").text.split()[0])
    for title in ("TSV", "JSON"):
        buttons = browser.find_elements(By.CSS_SELECTOR, ".tools button")
        next(button for button in buttons if button.text == title).click()
    targets = [tmp_path / f"{view}.{ending}" for ending in ("tsv", "json")]
    WebDriverWait(browser, 20).until(lambda _: all(path.exists() for path in targets))
    rows = json.loads((tmp_path / f"{view}.json").read_text(encoding="utf-8"))
    lines = (tmp_path / f"{view}.tsv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == len(lines) - 1 == number
    assert lines[0].split("\t") == list(rows[0])
    if view == "errors":
        ids = {error.id for error in corefkit.errors(KEY, HASTY)}
        assert {row["id"] for row in rows} == ids and len(rows) == len(ids)


@needs_chromium
def test_three_systems(browser: webdriver.Chrome, tmp_path: Path) -> None:
    path = tmp_path / "three.html"
    sides = [corefkit.errors(KEY, side) for side in (HASTY, CAREFUL, KEY)]
    corefkit.report(KEY, HASTY, CAREFUL, KEY, output=path)
    assert "What careful repairs and breaks compared with hasty" in show(
        browser, path, "view=overview"
    )
    assert "What key repairs and breaks compared with hasty" in show(browser, path, "with=2")
    _, *rows = table_rows(browser, "Transitions, immediate")
    assert all(row[-1] == "0" for row in rows if row[0] == "breaks")
    show(browser, path, "view=errors&system=0&against=others&only=here")
    only = sum(row["hasty"] for row in common_errors(sides).values())
    assert browser.find_element(By.ID, "count").text.startswith(f"{only} errors, not in any other")


@needs_chromium
@pytest.mark.parametrize("address", ["%", "view=nowhere", "system=99", "document=x&view=document"])
def test_addresses_that_are_none(own: webdriver.Chrome, page: Path, address: str) -> None:
    assert show(own, page, address)


HOSTILE = [
    "</script><script>document.title='x'</script>",
    "<img/src=x/onerror=alert(1)>",
    "&lt;b&gt;",
    "\u202eevil\u202c",
    "x" * 100_000 * TIMES,
    "']]>\u2028",
]


@needs_chromium
@pytest.mark.more
def test_hostile_text_is_text(browser: webdriver.Chrome, tmp_path: Path) -> None:
    for side, cells in (("key", "(1)"), ("response", "(2)")):
        lines = [f"a 0 {i} {word} - * - - - <i>S</i> * {cells}" for i, word in enumerate(HOSTILE)]
        text = "\n".join(["#begin document <u>a</u>", *lines, "#end document", ""])
        (tmp_path / f"{side}.conll").write_text(text)
    path = tmp_path / "page.html"
    sides = [tmp_path / f"{side}.conll" for side in ("key", "response", "key")]
    done = run("report", *sides, "-o", path)
    assert done.status == 0, done.err
    for view in ("overview", "entities", "errors", "changes", "document"):
        show(browser, path, f"view={view}")
        assert browser.title.startswith("Errors: ")
        assert not browser.find_elements(By.CSS_SELECTOR, "main img, main script, main b, main u")
    assert "<img/src=x/onerror=alert(1)>" in browser.execute_script(
        "return document.getElementById('main').textContent"
    )


def test_the_policy_forbids_requests(page: Path) -> None:
    head = page.read_text(encoding="utf-8").split("</head>")[0]
    assert "default-src 'none'" in head
    assert "unsafe-inline" not in head
    assert not re.search(r'(src|href)="?https?:', head)


def test_packed_data_cannot_end_its_element() -> None:
    text = pack({"a": "</script>\u2028<!--"})
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", text)
    assert data_of(f'<script id="data">{text}</script>') == {"a": "</script>\u2028<!--"}


def test_packed_data_is_half_as_large() -> None:
    data = page_data(error_page(find_errors(KEY, [HASTY, CAREFUL], make_options("conll"))))
    assert 2 * len(pack(data)) < len(json.dumps(data, ensure_ascii=False).encode())


def test_only_some_documents(tmp_path: Path) -> None:
    name = corefkit.read(KEY).names[2]
    page = corefkit.report(KEY, HASTY, shown=[name], output=tmp_path / "x.html")
    assert page == (tmp_path / "x.html").read_text(encoding="utf-8")
    data = data_of(page)
    assert [d["name"] for d in data["documents"] if "words" in d] == [name]
    with pytest.raises(UsageError, match="no document 'nowhere'"):
        corefkit.report(KEY, HASTY, shown=["nowhere"])


def test_features_are_those_of_by() -> None:
    data = data_of(corefkit.report(KEY, HASTY))
    assert data["features"] == ["part of speech", "ne", "length", "entity-size", "distance"]
    assert set(data["features"][1:]) < {*BREAKDOWNS}
    lengths = {error[12][2] for error in data["systems"][0]["list"]}
    assert {"1", "2"} < lengths <= {"1", "2", "3", "4", "5-9", "10+"}


def test_direction() -> None:
    assert is_right_to_left(["شجرة", "ok"]) and not is_right_to_left(["tree", "."])


def test_bad_data_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text("nothing")
    done = run("report", KEY, tmp_path / "x.conll", "-o", tmp_path / "y.html")
    assert done.status == 1 and not (tmp_path / "y.html").exists()


def test_the_options_of_errors(tmp_path: Path) -> None:
    """What is a pronoun, and how files are read, can be said here as in `errors`."""
    (tmp_path / "words.txt").write_text("the\n")
    (tmp_path / "key.txt").write_bytes(Path(KEY).read_bytes())
    options = ("--pronouns", tmp_path / "words.txt", "--tagset", "penn", "--format", "conll")
    sides = (tmp_path / "key.txt", HASTY)
    done = run("report", *sides, *options, "-o", tmp_path / "page.html")
    assert done.status == 0, done.err
    (system,) = json.loads(run("errors", *sides, *options, "-f", "json").out)["systems"]
    data = data_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    kinds = [dict(zip(data["kinds"], row, strict=True)) for row in data["systems"][0]["mentions"]]
    assert dict(zip(data["types"], kinds, strict=True)) == system["mentions"]
    assert sum(row["pronoun"] for row in kinds) == 0
    same = corefkit.report(*sides, pronouns=["the"], tagset="penn", format="conll")
    assert data_of(same)["systems"][0]["mentions"] == data["systems"][0]["mentions"]


def test_each_file_is_read_once(tmp_path: Path) -> None:
    """So that one of them can be standard input."""
    done = run("report", KEY, "-", "-o", tmp_path / "x.html", stdin=Path(HASTY).read_bytes())
    assert done.status == 0, done.err
    system = data_of((tmp_path / "x.html").read_text(encoding="utf-8"))["systems"][0]
    assert sum(system["errors"]) == 118
    assert run("report", "-", "-", "-o", tmp_path / "y.html").status == 2


def test_without_tags_or_words(tmp_path: Path) -> None:
    """Transitions are left out, and said to be, where the key has no text."""
    key = corefkit.Corpus.from_clusters({"tale": [[(0, 0), (2, 3)], [(5, 5), (7, 7)]]})
    data = data_of(corefkit.report(key, key, key))
    assert "changes" not in data and data["unchanged"]
    text = "".join(f"a 0 {i} w{i} - * - - - - * ({i % 2})\n" for i in range(6))
    for name in ("key", "one", "two"):
        (tmp_path / name).write_text(f"#begin document (a); part 000\n{text}#end document\n")
    sides = [tmp_path / name for name in ("key", "one", "two")]
    assert list(data_of(corefkit.report(*sides))["changes"]["scores"]) == ["immediate"]
    for side in sides:  # tags of a tagset that nobody knows
        side.write_text(side.read_text().replace(" - * -", " XYZ * -"))
    assert "--tagset" in data_of(corefkit.report(*sides))["unchanged"]
    assert len(data_of(corefkit.report(*sides, tagset="penn"))["changes"]["scores"]) == 4


@needs_chromium
def test_the_page_says_which_texts_it_has(
    browser: webdriver.Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = corefkit.read(KEY).names
    corefkit.report(KEY, HASTY, shown=names[:2], output=tmp_path / "chosen.html")
    text = show(browser, tmp_path / "chosen.html", "view=overview")
    assert "The texts of 2 documents are in this page, as --shown chose; 6 others" in text
    monkeypatch.setattr(choose_shown, "__defaults__", (None, 250))
    corefkit.report(KEY, HASTY, output=tmp_path / "worst.html")
    text = show(browser, tmp_path / "worst.html", "view=overview")
    assert "The texts of 2 documents are in this page, those that lose most" in text
    data = data_of((tmp_path / "worst.html").read_text(encoding="utf-8"))
    losses = corefkit.errors(KEY, HASTY).losses()
    worst = sorted(losses, key=lambda name: -losses[name])[:2]
    assert {one["name"] for one in data["documents"] if "words" in one} == set(worst)
    assert show(browser, tmp_path / "worst.html", "view=document&document=0")


def test_the_page_on_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("report", KEY, HASTY, "-o", "-")
    assert done.out.startswith("<!doctype html>") and not list(tmp_path.iterdir())


@needs_chromium
def test_a_view_that_objects_have_from_birth_is_the_overview(
    browser: webdriver.Chrome, page: Path
) -> None:
    names = ("constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "nowhere")
    usual = show(browser, page, "view=overview")
    for name in names:
        assert show(browser, page, f"view={name}") == usual
    for view in ("overview", "document", "entities", "errors", "changes"):
        for field in ("document", "system", "type", "against", "with", "only", "q", "f.kind"):
            for name in names:
                show(browser, page, f"view={view}&{field}={name}&{name}={name}")


@needs_chromium
def test_a_stratum_leads_to_the_errors_of_its_entities(
    browser: webdriver.Chrome, page: Path
) -> None:
    show(browser, page, "view=overview")
    places = "document.querySelectorAll('#strata .stratum .type')"
    script = f"return [...{places}].map((a) => [a.textContent, a.hash])"
    strata = browser.execute_script(script)
    data = page_data(error_page(find_errors(KEY, [HASTY], make_options("conll"))))
    (size, *_) = data["systems"][0]["strata"]
    assert [label for label, _ in strata[: len(size["rows"])]] == [r[0] for r in size["rows"]]
    for label, address in strata[: len(size["rows"])]:
        show(browser, page, address[1:])
        wanted = size["labels"].index(label)
        number = sum(wanted in own for own in size["errors"])
        assert browser.find_element(By.ID, "count").text.startswith(f"{number} error")


def test_strata_and_losses_of_the_page() -> None:
    """F1 is that of the score; the error of an entity is in the stratum of that entity."""
    report = find_errors(KEY, [HASTY], make_options("conll"))
    (system,) = page_data(error_page(report))["systems"]
    assert [one["by"] for one in system["strata"]][:3] == [
        "entity:size",
        "entity:spread",
        "entity:kind",
    ]
    strata = corefkit.score(KEY, HASTY).by("entity:size")
    rows = {row[0]: row for row in system["strata"][0]["rows"]}
    assert {label: row[5] for label, row in rows.items()} == {
        label: stratum["conll"].f1 for label, stratum in strata.items()
    }
    assert all(len(own) for own in system["strata"][0]["errors"])
    loss = report.systems[0].corners["conll"]
    assert system["losses"] == loss._asdict()


def test_an_empty_name_writes_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("report", KEY, HASTY, "-o", "")
    assert (done.status, "--output is empty" in done.err, [*tmp_path.iterdir()]) == (2, True, [])
