"""Make the pictures of pages from the examples: needs Chromium on the PATH."""

import json
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
}


def write_pages(folder: Path) -> dict[str, Path]:
    """The error report, and the page of adjudication with some of the decisions."""
    report, adjudication = folder / "report.html", folder / "adjudication.html"
    examples = [f"examples/{name}.conll" for name in ("key", "hasty", "careful")]
    decisions = json.loads((ROOT / "examples/project-decisions.json").read_text(encoding="utf-8"))
    made = [e for e in decisions["decisions"] if e["item"].split()[0] in ("boundary", "mention")]
    some = folder / "decisions.json"
    some.write_text(json.dumps({**decisions, "decisions": made}), encoding="utf-8")
    given = ["examples/project", "--decisions", str(some), "--page", str(adjudication)]
    for command in (["report", *examples, "-o", str(report)], ["adjudicate", *given]):
        subprocess.run([sys.executable, "-m", "corefkit", *command], cwd=ROOT, check=True)
    return {"report": report, "adjudication": adjudication}


def main() -> None:
    """Write one PNG per view, light, 1440 pixels wide; or only those that are named."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        sys.exit("Chromium is missing: apt-get install chromium")
    with TemporaryDirectory() as folder:
        pages = write_pages(Path(folder))
        for name in sys.argv[1:] or VIEWS:
            target = Path(__file__).parent / f"{name}.png"
            options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            options += ["--window-size=1440,900", "--virtual-time-budget=2000"]
            page = f"{pages[name.split('-')[0]].as_uri()}#{quote(VIEWS[name], safe='=&')}"
            subprocess.run([browser, *options, f"--screenshot={target}", page], check=True)


if __name__ == "__main__":
    main()
