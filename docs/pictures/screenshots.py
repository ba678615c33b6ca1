"""Make the pictures of pages from the examples: needs Chromium on the PATH."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
VIEWS = {
    "report-overview": "view=overview",
    "report-document": "view=document&document=0&error=(nw/harbour/00/harbour_0001); part 000/"
    "conflated/4",
    "adjudication": "item=link ferry.txt 14-15 30-31",
    "task": "",
}


RELEASED = """
import re, runpy, sys, types
built = sys.modules["corefkit._built"] = types.ModuleType("corefkit._built")
built.__version__ = re.search('NEXT = "(.+)"', open("src/corefkit/_version.py").read())[1]
runpy.run_module("corefkit", run_name="__main__")
"""
"""corefkit as the next release: a picture does not show the commit that it was made at."""


def write_report(folder: Path) -> Path:
    """The error report."""
    page = folder / "report.html"
    examples = [f"examples/{name}.conll" for name in ("key", "hasty", "careful")]
    run("-c", RELEASED, "report", *examples, "-o", str(page))
    return page


def write_adjudication(folder: Path) -> Path:
    """The page of adjudication with some of the decisions."""
    page, some = folder / "adjudication.html", folder / "decisions.json"
    decisions = json.loads((ROOT / "examples/project-decisions.json").read_text(encoding="utf-8"))
    made = [e for e in decisions["decisions"] if e["item"].split()[0] in ("boundary", "mention")]
    some.write_text(json.dumps({**decisions, "decisions": made}), encoding="utf-8")
    given = ["examples/project", "--decisions", str(some), "--page", str(page)]
    run("-c", RELEASED, "adjudicate", *given)
    return page


def write_task(folder: Path) -> Path:
    """The page of the made-up task: 12 systems, 17 datasets."""
    results = folder / "results"
    run("examples/made_up_task.py", str(folder))
    given = [str(folder / "task.toml"), "-o", str(results), "--allow-broken", "--no-plots"]
    run("-c", RELEASED, "task", "run", *given)
    return results / "index.html"


PAGES = {"report": write_report, "adjudication": write_adjudication, "task": write_task}


def run(*command: str) -> None:
    """Run Python in the root of the checkout; the page of a task always has the same date."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1794787200"}
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, env=environment)


def main() -> None:
    """Write one PNG per view, light, 1440 pixels wide; or only those that are named."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        sys.exit("Chromium is missing: apt-get install chromium")
    names = sys.argv[1:] or list(VIEWS)
    with TemporaryDirectory() as folder:
        pages = {kind: PAGES[kind](Path(folder)) for kind in {n.split("-")[0] for n in names}}
        for name in names:
            target = Path(__file__).parent / f"{name}.png"
            options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            options += ["--window-size=1440,960", "--virtual-time-budget=2000"]
            page = f"{pages[name.split('-')[0]].as_uri()}#{quote(VIEWS[name], safe='=&')}"
            subprocess.run([browser, *options, f"--screenshot={target}", page], check=True)


if __name__ == "__main__":
    main()
