"""The page of errors in a real Chromium: every view, the figures, links, hostile text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

import corefkit
from corefkit import UsageError
from corefkit.render.pages.assemble import as_json
from corefkit.render.pages.payload import _bucket, is_right_to_left
from tests.browser import chromium, needs_chromium
from tests.support import EXAMPLES, run

KEY, HASTY, CAREFUL = (str(EXAMPLES / f"{n}.conll") for n in ("key", "hasty", "careful"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    done = run("report", KEY, HASTY, CAREFUL, "-o", path)
    assert done.status == 0, done.err
    return path


@pytest.fixture(scope="module")
def figures() -> Any:
    return json.loads(run("errors", KEY, HASTY, CAREFUL, "-f", "json").out)


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    with chromium() as driver:
        yield driver


def show(browser: webdriver.Chrome, page: Path, address: str) -> str:
    """Open a view from nothing and return its text; no error, no request."""
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}#{address}")
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    text: str = browser.execute_script("return document.getElementById('main').innerText")
    return text


@needs_chromium
def test_the_figures_are_those_of_the_json(
    browser: webdriver.Chrome, page: Path, figures: Any
) -> None:
    for number, system in enumerate(figures["systems"]):
        text = show(browser, page, f"view=overview&system={number}")
        lost = 100 * (1 - system["f1"]["conll"])
        assert f"Where {lost:.2f} points of conll are lost" in text
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
    rows = browser.find_elements(By.CSS_SELECTOR, "table[aria-label=Documents] tbody tr")
    found = {row.text.split(" part")[0]: row.text for row in rows}
    for name, counts in figures["systems"][0]["documents"].items():
        shown = found[name.split(" part")[0]] if len(found) == len(rows) else row_of(rows, name)
        assert shown.split()[-7:] == [str(n) for n in counts.values()], name


def row_of(rows: list[Any], name: str) -> str:
    return next(str(row.text) for row in rows if row.text.startswith(name))


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
def test_document_and_pinned_entity(browser: webdriver.Chrome, page: Path) -> None:
    text = show(browser, page, "view=document&document=0")
    assert len(re.findall(r"Port\s+Ellery\s+will\s+now\s+rebuild", text)) == 2
    states = {
        state: len(browser.find_elements(By.CSS_SELECTOR, f".u.{state}"))
        for state in ("both", "key", "response", "boundary")
    }
    assert all(states.values()), states
    browser.execute_script("document.querySelector('.tag').click()")
    panel = browser.find_element(By.CSS_SELECTOR, ".panel")
    assert "key:" in panel.text and "response:" in panel.text
    assert browser.find_elements(By.CSS_SELECTOR, ".strip rect")
    assert browser.find_elements(By.CSS_SELECTOR, ".links path")


@needs_chromium
def test_entities_and_search(browser: webdriver.Chrome, page: Path) -> None:
    assert "conflated" in show(browser, page, "view=entities&document=0")
    assert browser.find_elements(By.CSS_SELECTOR, ".flow path")
    show(browser, page, "view=errors&q=quarry")
    rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert rows and all("quarry" in row.text for row in rows)


@needs_chromium
def test_two_systems(browser: webdriver.Chrome, page: Path) -> None:
    text = show(browser, page, "view=overview&system=1")
    assert "careful and the others" in text
    show(browser, page, "view=errors&system=0&against=1&only=here")
    only = int(browser.find_element(By.ID, "count").text.split()[0])
    show(browser, page, "view=errors&system=0&against=1&only=both")
    both = int(browser.find_element(By.ID, "count").text.split()[0])
    assert only + both == len(corefkit.errors(KEY, HASTY))


@needs_chromium
@pytest.mark.parametrize("address", ["%", "view=nowhere", "system=99", "document=x&view=document"])
def test_addresses_that_are_none(browser: webdriver.Chrome, page: Path, address: str) -> None:
    assert show(browser, page, address)


HOSTILE = [
    "</script><script>document.title='x'</script>",
    "<img/src=x/onerror=alert(1)>",
    "&lt;b&gt;",
    "\u202eevil\u202c",
    "x" * 1_000_000,
    "']]>\u2028",
]


@needs_chromium
def test_hostile_text_is_text(browser: webdriver.Chrome, tmp_path: Path) -> None:
    for side, cells in (("key", "(1)"), ("response", "(2)")):
        lines = [f"a 0 {i} {word} - * - - - <i>S</i> * {cells}" for i, word in enumerate(HOSTILE)]
        text = "\n".join(["#begin document <u>a</u>", *lines, "#end document", ""])
        (tmp_path / f"{side}.conll").write_text(text)
    path = tmp_path / "page.html"
    done = run("report", tmp_path / "key.conll", tmp_path / "response.conll", "-o", path)
    assert done.status == 0, done.err
    for view in ("overview", "document", "entities", "errors"):
        show(browser, path, f"view={view}")
        assert browser.title.startswith("Errors: ")
        assert not browser.find_elements(By.CSS_SELECTOR, "main img, main script, main b, main u")
    show(browser, path, "view=document")
    assert "<img/src=x/onerror=alert(1)>" in browser.execute_script(
        "return document.getElementById('main').textContent"
    )


def test_the_policy_forbids_requests(page: Path) -> None:
    head = page.read_text(encoding="utf-8").split("</head>")[0]
    assert "default-src 'none'" in head
    assert "unsafe-inline" not in head
    assert not re.search(r'(src|href)="?https?:', head)


def test_json_cannot_end_its_element() -> None:
    text = as_json({"a": "</script>\u2028<!--"})
    assert "<" not in text and "\u2028" not in text
    assert json.loads(text) == {"a": "</script>\u2028<!--"}


def test_only_some_documents(tmp_path: Path) -> None:
    name = corefkit.read(KEY).names[2]
    page = corefkit.report(KEY, HASTY, documents=[name], output=tmp_path / "x.html")
    assert page == (tmp_path / "x.html").read_text(encoding="utf-8")
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert [d["name"] for d in data["documents"] if "words" in d] == [name]
    with pytest.raises(UsageError, match="no document 'nowhere'"):
        corefkit.report(KEY, HASTY, documents=["nowhere"])


def test_buckets_and_direction() -> None:
    assert [_bucket(n, (0, 1, 2, 5)) for n in (0, 1, 2, 3, 5, 6)] == [
        *("0", "1", "2", "3–5", "3–5", "6+")
    ]
    assert is_right_to_left(["شجرة", "ok"]) and not is_right_to_left(["tree", "."])


def test_bad_data_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text("nothing")
    done = run("report", KEY, tmp_path / "x.conll", "-o", tmp_path / "y.html")
    assert done.status == 1 and not (tmp_path / "y.html").exists()
