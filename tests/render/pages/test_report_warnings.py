"""What the page says of documents that are missing, of defects of the files, and of intervals."""

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

import corefkit
from tests.browser import needs_chromium
from tests.render.pages.support import CAREFUL, HASTY, KEY, data_of, show
from tests.support import run


def test_missing_documents_and_their_cost_are_said() -> None:
    """As if the response had, of all errors, none in the document that it lacks."""
    (lacking,) = {*corefkit.read(KEY).names} - {*corefkit.read(HASTY).names}
    errors = corefkit.errors(KEY, HASTY)
    assert errors.missing == (lacking,)
    assert errors.cost_of_missing() == pytest.approx(errors.losses()[lacking], abs=1e-12)
    said = f"1 of 8 documents of the key is missing: it costs {100 * errors.losses()[lacking]:.2f}"
    assert f"\n{said} points\n" in run("errors", KEY, HASTY).out
    assert f"\nsystem: hasty: {said} points\n" in run("errors", KEY, CAREFUL, HASTY).out
    assert "missing:" not in run("errors", KEY, CAREFUL).out
    hasty, careful = data_of(corefkit.report(KEY, HASTY, CAREFUL))["systems"]
    assert (hasty["missing"], careful["missing"]) == (f"{said} points", "")
    assert hasty["warnings"] == careful["warnings"] == []


def test_several_missing_documents_cost_what_they_would_gain_together(tmp_path: Path) -> None:
    key, careful = Path(KEY).read_text(), Path(CAREFUL).read_text()
    ends = "#end document\n"
    documents = careful.split(ends)
    (tmp_path / "few.conll").write_text(ends.join(documents[2:]))
    # With the first two documents as in the key.
    (tmp_path / "filled.conll").write_text(ends.join([*key.split(ends)[:2], *documents[2:]]))
    errors = corefkit.errors(KEY, str(tmp_path / "few.conll"))
    assert len(errors.missing) == 2
    for metric in ("conll", "ceafe", "muc"):
        filled, few = (
            corefkit.score(KEY, str(tmp_path / f"{name}.conll"), metric)[metric].f1
            for name in ("filled", "few")
        )
        found = corefkit.errors(KEY, str(tmp_path / "few.conll"), metric)
        assert found.cost_of_missing() == pytest.approx(filled - few, abs=1e-12)


def with_further(response: str, folder: Path) -> str:
    """The response with two documents that the key lacks."""
    text = Path(response).read_text()
    document = text[: text.index("#end document\n") + len("#end document\n")]
    name = document[document.index("(") + 1 : document.index(")")]
    further = [document.replace(name, f"nw/further/00/further_000{number}") for number in (1, 2)]
    (folder / "further.conll").write_text(text + "".join(further))
    return str(folder / "further.conll")


def test_warnings_of_reading_are_on_the_page(tmp_path: Path) -> None:
    """Each kind once, with the number of others; those of one system are not said of the other."""
    page = corefkit.report(KEY, with_further(CAREFUL, tmp_path), HASTY)
    first, second = data_of(page)["systems"]
    (warning,) = first["warnings"]
    assert warning.startswith("further.conll, line ")
    says = "the key lacks this document of the response … and 1 more of this kind"
    assert warning.endswith(f"(nw/further/00/further_0001); part 000: {says}")
    assert second["warnings"] == []


def test_intervals_say_how_they_were_made() -> None:
    says = data_of(corefkit.report(KEY, CAREFUL))["intervals"]
    few = "only 8 documents: percentile intervals are too narrow"
    assert says == f"95% intervals: percentiles of 2,000 samples of documents; {few}"


@needs_chromium
def test_the_page_shows_them(browser: webdriver.Chrome, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    corefkit.report(KEY, with_further(HASTY, tmp_path), output=page)
    text = show(browser, page, "view=overview")
    assert "1 of 8 documents of the key is missing: it costs 8." in text
    assert browser.find_element(By.ID, "warnings").text.startswith("1 warning of reading\n")
    assert "2,000 samples of documents" in browser.find_element(By.ID, "foot").text
