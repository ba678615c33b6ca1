"""Build the package as it would be published, and prove that it works: `make dist`.

Wheel and sdist are built into dist/, their contents and metadata are compared with the sources, and
the demo of the sdist is run with the wheel, installed into an empty environment.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
SOURCE = ROOT / "src"
IN_SDIST = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CITATION.cff",
    "LICENSE",
    "Makefile",
    "pyproject.toml",
    "hatch_build.py",
    "mkdocs.yml",
    "tools/dist.py",
    "docs/metrics.md",
    "docs/pictures/report-overview.png",
    "examples/demo.sh",
    "bench/table.py",
    "tests/test_docs.py",
)
DEMO_FILES = ("key", "careful", "hasty")  # what `corefkit demo` unpacks
EXTRAS = {"plots", "pages", "parquet", "duckdb", "spark", "spacy"}


def main() -> None:
    """Build, check, install, run."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT))
    (wheel,), (sdist,) = DIST.glob("corefkit-*.whl"), DIST.glob("corefkit-*.tar.gz")
    version = wheel.name.split("-")[1]
    check_version(version)
    check_wheel(wheel, version)
    check_sdist(sdist, version)
    with tempfile.TemporaryDirectory() as folder:
        run_demo(wheel, sdist, Path(folder))
    print(
        f"{wheel.relative_to(ROOT)} and {sdist.relative_to(ROOT)} are complete, and the demo runs"
    )


def check_version(version: str) -> None:
    """A commit with a tag is that release, if nothing was changed; any other is in development."""
    changed = _git("status", "--porcelain", "--untracked-files=no")
    tags = [tag[1:] for tag in _git("tag", "--points-at", "HEAD").split() if tag[0] == "v"]
    if tags and not changed:
        _must(version in tags, f"the commit has the tag v{tags[0]}, the wheel says {version}")
        citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        _must(f"\nversion: {version}\n" in citation, f"CITATION.cff does not say {version}")
    else:
        _must(".dev" in version, f"{version} is a release, but the commit has no tag")


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def check_wheel(wheel: Path, version: str) -> None:
    """All files of the package and no others, and metadata that an index understands."""
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        metadata = message_from_bytes(packed.read(f"corefkit-{version}.dist-info/METADATA"))
        points = packed.read(f"corefkit-{version}.dist-info/entry_points.txt").decode()
        built = packed.read("corefkit/_built.py").decode()
    inside = {name for name in names if ".dist-info/" not in name}
    wanted = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and ".egg-info" not in str(file)
    }
    wanted |= {f"corefkit/docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    wanted |= {f"corefkit/examples/{name}.conll" for name in DEMO_FILES}
    _same("the wheel", inside, wanted)
    for kind in (".js", ".css", ".html", ".json", "py.typed"):
        _must(any(name.endswith(kind) for name in inside), f"the wheel has no file {kind}")
    _must(f"corefkit-{version}.dist-info/licenses/LICENSE" in names, "the wheel has no licence")
    _must("corefkit = corefkit.__main__:main" in points, "the wheel has no command")
    _must(f'"{version}"' in built, f"the package of {version} says {built}")
    _check_metadata(metadata, version)


def _check_metadata(metadata: Message, version: str) -> None:
    _must(metadata["Version"] == version, f"the wheel says version {metadata['Version']}")
    _must(metadata["License-Expression"] == "MIT", "the wheel names no licence")
    _must(metadata["Description-Content-Type"] == "text/markdown", "the README is no Markdown")
    extras = set(metadata.get_all("Provides-Extra", []))
    _must(extras >= EXTRAS, f"extras are missing: {EXTRAS - extras}")
    description = metadata.get_payload()
    assert isinstance(description, str)
    _must("## How to cite" in description, "the README is not whole")
    text = re.sub(r"^```.*?^```$", "", description, flags=re.MULTILINE | re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    _must(not links, f"the README has links that lead nowhere on an index: {links}")


def check_sdist(sdist: Path, version: str) -> None:
    """What is needed to test and document it is there; what was made here is not."""
    with tarfile.open(sdist) as packed:
        names = {name.removeprefix(f"corefkit-{version}/") for name in packed.getnames()}
    missing = [name for name in IN_SDIST if name not in names]
    _must(not missing, f"the sdist lacks {missing}")
    strange = [n for n in names if n.startswith((".venv", "dist/", "out/", "site/")) or ".pyc" in n]
    _must(not strange, f"the sdist holds what was made here: {strange[:5]}")


def run_demo(wheel: Path, sdist: Path, folder: Path) -> None:
    """The wheel in an empty environment, with the examples of the sdist and nothing from here."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install")
    _run(*pip, f"corefkit[plots,pages] @ {wheel.as_uri()}")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    (unpacked,) = folder.glob("corefkit-*")
    shutil.copytree(unpacked / "examples", folder / "walk" / "examples")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COREFKIT_"))}
    done = subprocess.run(
        ["sh", "examples/demo.sh"],
        cwd=folder / "walk",
        env=clean | {"BIN": str(python.parent)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    _must(done.returncode == 0, f"the demo fails:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    _must("88.98" in done.stdout, "the demo does not print the score")
    version = wheel.name.split("-")[1]
    _must(f"|version:{version}" in done.stdout, f"no signature of the demo says {version}")
    made = {path.name for path in (folder / "walk" / "out").iterdir()}
    _must({"scores.json", "report.html", "task"} <= made, f"the demo made only {sorted(made)}")
    shown = subprocess.run(
        [python.parent / "corefkit", "demo", folder / "shown", "--no-open"],
        env=clean,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    _must(shown.returncode == 0 and "88.98" in shown.stdout, f"corefkit demo: {shown.stderr}")


def _same(what: str, found: set[str], wanted: set[str]) -> None:
    _must(not wanted - found, f"{what} lacks {sorted(wanted - found)[:10]}")
    _must(not found - wanted, f"{what} has too much: {sorted(found - wanted)[:10]}")


def _must(right: bool, told: str) -> None:
    if not right:
        sys.exit(f"make dist: {told}")


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
