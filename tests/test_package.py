"""The package around the code: metadata, the README on an index, versions that agree."""

import re
import tomllib
from pathlib import Path

import pytest
from hatch_build import long_description

import corefkit
from tests.support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_DEVELOPERS = {"dev", "bench", "docs", "integrations"}


def test_links_lead_to_the_source_or_become_text() -> None:
    text = "See [Metrics](docs/metrics.md#muc), [all](https://example.org/a), ![x](p.png).\n"
    text += "```sh\n[no](link)\n```\n"
    assert long_description(text, None) == (
        "See Metrics, [all](https://example.org/a), .\n```sh\n[no](link)\n```\n"
    )
    assert "[Metrics](https://example.org/files/docs/metrics.md#muc)" in long_description(
        text, "https://example.org/files/"
    )


def test_the_readme_on_an_index_has_no_relative_link() -> None:
    text = long_description((ROOT / "README.md").read_text(encoding="utf-8"), None)
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert [link for link in re.findall(r"\]\(([^)\s]+)\)", outside) if "://" not in link] == []
    assert "## How to cite" in text


def test_the_citation_names_the_release() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {corefkit.__version__.partition('.dev')[0]}\n" in text
    for field in ("cff-version", "message", "title", "authors", "license"):
        assert re.search(rf"^{field}:", text, re.MULTILINE)


@pytest.mark.parametrize("extra", sorted({*PROJECT["optional-dependencies"]} - FOR_DEVELOPERS))
def test_a_message_names_each_extra(extra: str) -> None:
    sources = (file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    assert any(f"pip install 'corefkit[{extra}]'" in text for text in sources)


def test_supported_versions_are_tested() -> None:
    workflow = Path(ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    assert re.findall(r'"(3\.\d+)"', workflow.partition("matrix:")[2].partition("\n")[2])[:4] == (
        named
    )
