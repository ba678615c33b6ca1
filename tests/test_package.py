"""The package around the code: metadata, the README on an index, versions that agree."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatch_build import addresses, long_description, version

from corefkit._version import NEXT
from tests.support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
UNKNOWN = f"{NEXT}.dev0"
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


def test_the_address_stands_in_one_place(tmp_path: Path) -> None:
    """Filled in there, it is in the metadata of a wheel, and the links of its README lead there."""
    assert addresses() == {}
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    said = tmp_path / "src/corefkit/_version.py"
    here = "https://example.org/corefkit"
    text = said.read_text(encoding="utf-8").replace('ADDRESS = ""', f'ADDRESS = "{here}/"')
    said.write_text(text, encoding="utf-8")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        metadata = packed.read(name).decode()
    assert f"Project-URL: Source, {here}\n" in metadata
    assert f"]({here}/blob/main/docs/" in metadata


def test_the_citation_names_a_release() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (cited,) = re.findall(r"^version: (\d+\.\d+\.\d+)$", text, re.MULTILINE)
    assert [*map(int, cited.split("."))] <= [*map(int, NEXT.split("."))]
    for field in ("cff-version", "message", "title", "authors", "license"):
        assert re.search(rf"^{field}:", text, re.MULTILINE)


def test_the_version_is_the_next_one(tmp_path: Path) -> None:
    """Without git, with other tags, at its tag, changed, after it, from an sdist."""
    root = tmp_path / "corefkit"
    (root / "src" / "corefkit").mkdir(parents=True)
    top = ("pyproject.toml", "hatch_build.py", "README.md", "CHANGELOG.md", "LICENSE", ".gitignore")
    for name in top:
        shutil.copy(ROOT / name, root)
    for name in ("__init__.py", "_lazy.py", "_version.py"):
        shutil.copy(ROOT / "src" / "corefkit" / name, root / "src" / "corefkit")
    (root / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "strata.md", root / "docs")
    assert built_version(root) == UNKNOWN
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "first")
    git(root, "tag", "v7.8.9")
    assert re.fullmatch(rf"{NEXT}\.dev1\+g[0-9a-f]{{9}}", built_version(root))
    git(root, "tag", f"v{NEXT}")
    assert built_version(root) == NEXT
    (root / "README.md").write_text("changed", encoding="utf-8")
    assert ".dev1+g" in built_version(root)
    git(root, "commit", "--quiet", "--all", "--message", "second")
    assert re.fullmatch(rf"{NEXT}\.dev2\+g[0-9a-f]{{9}}", built_version(root))
    (root / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: corefkit\nVersion: 3.2.1\n")
    assert version(root) == "3.2.1"


def test_sources_that_were_never_built_are_in_development(tmp_path: Path) -> None:
    """`PYTHONPATH=src` works, with the version that a build without git would get."""
    for name in ("__init__.py", "_lazy.py", "_version.py"):
        (tmp_path / "corefkit").mkdir(exist_ok=True)
        shutil.copy(ROOT / "src" / "corefkit" / name, tmp_path / "corefkit")
    assert imported_version(tmp_path) == UNKNOWN


def built_version(root: Path) -> str:
    """What the package in a wheel built from `root` says."""
    shutil.rmtree(root / "dist", ignore_errors=True)
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (wheel,) = (root / "dist").glob("*.whl")
    built = imported_version(wheel)
    names = ZipFile(wheel).namelist()
    pages = [f"corefkit/docs/{page.name}" for page in (root / "docs").glob("*.md")]
    assert {*pages} <= {*names}  # for `corefkit help`
    assert wheel.name == f"corefkit-{built}-py3-none-any.whl"
    return built


def imported_version(place: Path) -> str:
    """The version of the package that is found there, a folder or a wheel."""
    told = "import corefkit; print(corefkit.__version__)"
    done = subprocess.run(
        [sys.executable, "-c", told],
        env=os.environ | {"PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True)


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


def test_habits_of_a_public_project() -> None:
    """The report of a wrong score asks for what we need."""
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "(SECURITY.md)" in contributing
    templates = {file.stem: file for file in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")}
    assert templates.keys() == {"bug", "new", "wrong-score"}
    asked = templates["wrong-score"].read_text(encoding="utf-8")
    assert all(word in asked for word in ("Two small files", "signature", "expected, and why"))
