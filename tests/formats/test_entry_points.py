"""A package of somebody else adds a format and a metric, without a change here."""

import json
import os
import subprocess
import sys
from pathlib import Path

PACKAGE = '''
"""A format of one line a mention, "document entity start end"; a metric that counts mentions."""

from corefkit import Corpus
from corefkit.formats.format import Format
from corefkit.metrics import get


def parse(data, path, reading):
    clusters = {}
    for line in data.decode().splitlines():
        document, entity, start, end = line.split()
        clusters.setdefault(document, {}).setdefault(entity, []).append((int(start), int(end)))
    return Corpus.from_clusters({d: list(e.values()) for d, e in clusters.items()})


FORMAT = Format("lines", "lines of a test", parse)
METRIC = get("muc")
'''
POINTS = """[corefkit.formats]
lines = harbour:FORMAT

[corefkit.metrics]
muc_again = harbour:METRIC
"""


def test_a_package_adds_a_format_and_a_metric(tmp_path: Path) -> None:
    (tmp_path / "harbour.py").write_text(PACKAGE)
    info = tmp_path / "harbour-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    (tmp_path / "key.lines").write_text("tale a 0 1\ntale a 4 4\ntale b 2 2\n")
    places = [str(tmp_path), *sys.path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in places if p)}

    def run(*arguments: str, status: int = 0) -> str:
        command = [sys.executable, "-m", "corefkit", *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        return done.stdout or done.stderr

    listed = json.loads(run("formats", "-f", "json"))["formats"]
    assert "lines" in [one["name"] for one in listed]
    found = run("score", "key.lines", "key.lines", "--format", "lines", "-m", "muc,muc_again")
    assert "muc_again" in found
    assert found.count("100.00") >= 2
    (info / "entry_points.txt").write_text(POINTS.replace("muc_again", "muc.again"))
    found = run("score", "key.lines", "key.lines", "--format", "lines", "-m", "muc.again", status=2)
    assert "'muc.again' is not a valid name; use letters, digits, - and _" in found
    refused = run("score", "key.lines", "key.lines", "-m", "nothing", status=2)
    assert "`corefkit metrics` lists all" in refused
