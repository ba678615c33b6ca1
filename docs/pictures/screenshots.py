"""Make the pictures of the error report from the examples: needs Chromium on the PATH."""

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
}


def main() -> None:
    """Write one PNG per view, light, 1440 pixels wide."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        sys.exit("Chromium is missing: apt-get install chromium")
    examples = [f"examples/{name}.conll" for name in ("key", "hasty", "careful")]
    with TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        command = [sys.executable, "-m", "corefkit", "report", *examples, "-o", str(page)]
        subprocess.run(command, cwd=ROOT, check=True)
        for name, view in VIEWS.items():
            target = Path(__file__).parent / f"{name}.png"
            options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            options += ["--window-size=1440,900", "--virtual-time-budget=2000"]
            shot = f"--screenshot={target}"
            subprocess.run(
                [browser, *options, shot, f"{page.as_uri()}#{quote(view, safe='=&')}"], check=True
            )


if __name__ == "__main__":
    main()
