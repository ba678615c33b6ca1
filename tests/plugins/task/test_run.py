"""Whole runs of a task: scores by hand, resuming, killing, broken responses."""

import csv
import errno
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.incidents import Incident
from corefkit.core.options import Reading
from corefkit.formats import conllu, registry
from corefkit.formats.kit import files
from corefkit.plugins.task import parts as writing
from corefkit.plugins.task.figures import charts
from corefkit.plugins.task.manifest import read_manifest
from corefkit.plugins.task.page import rankings
from corefkit.plugins.task.parts import Parts, locked
from corefkit.plugins.task.run import _begin, score_task
from corefkit.plugins.task.shared_task import Slot
from corefkit.scorers.comparison import Side
from corefkit.scorers.scorer import Scorer
from tests.json_schema import violations
from tests.plugins.task.support import KEY, MANIFEST, TASK, tree, write_task
from tests.render.pages.support import data_of
from tests.support import CONFORMANCE, EXAMPLES, Run, needs_conformance, run

FOLDER = TASK.parent


def by_hand(system: str, language: str) -> float:
    """The CoNLL average from its three parts, as the paper defines it."""
    scores = corefkit.score(
        FOLDER / "keys" / f"{language}.conll",
        FOLDER / "responses" / system / f"{language}.closed.NB.conll",
    )
    return (scores["muc"].f1 + scores["bcub"].f1 + scores["ceafe"].f1) / 3


def test_official_scores_by_hand(out: Path) -> None:
    found = {
        row["system"]: row["official"]
        for row in json.loads((out / "task.json").read_text())["ranking"]
    }
    three = ("english", "chinese", "arabic")
    expected = {
        "heron": sum(by_hand("heron", language) for language in three) / 3,
        "ibis": sum(by_hand("ibis", language) for language in three) / 3,
        "kestrel": (by_hand("kestrel", "english") + by_hand("kestrel", "chinese") + 0) / 3,
        "wren": (by_hand("wren", "english") + 0 + by_hand("wren", "arabic")) / 3,  # one is broken
        "plover": (by_hand("plover", "english") + 0 + 0) / 3,
        "dunlin": (by_hand("dunlin", "english") + 0 + 0) / 3,
    }
    assert list(found) == list(expected)
    assert found == pytest.approx(expected, abs=1e-12)


def test_few_documents_are_told_beside_the_ranking(out: Path) -> None:
    told = "Only 4 documents in one of the keys: percentile intervals are too narrow"
    assert told in " ".join((out / "tables" / "ranking.txt").read_text().split())
    assert told in (out / "index.html").read_text()
    # All but heron and ibis share nine documents or fewer: 2⁻⁸ × 15 pairs is more than 0.05.
    few = "14 of 15 pairs of systems share too few documents for any difference to be significant"
    assert few in (out / "index.html").read_text()


def test_one_official_score_from_the_text() -> None:
    """dunlin's English response is small enough to be counted on paper: muc 5/34 and 5/14."""
    scores = corefkit.score(
        FOLDER / "keys/english.conll", FOLDER / "responses/dunlin/english.closed.NB.conll"
    )
    assert scores["muc"].counts == {"recall": [5, 34], "precision": [5, 14]}


def test_overview_is_that_of_table_17(out: Path) -> None:
    with (out / "tables" / "overview-NB.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "system",
        *(f"open.{name}" for name in ("english", "chinese", "arabic")),
        *(f"closed.{name}" for name in ("english", "chinese", "arabic")),
        "official",
        "training.development",  # all were trained on train, so that it has no column
    ]
    kestrel = rows[2]
    assert (kestrel["system"], kestrel["closed.arabic"]) == ("kestrel", "")
    assert float(kestrel["closed.english"]) == pytest.approx(by_hand("kestrel", "english"))
    assert "\\textbf{\\underline{77.59}}" in (out / "tables/overview-NB.tex").read_text()
    assert "**<u>77.59</u>**" in (out / "tables/overview-NB.md").read_text()


def test_detail_rows(out: Path) -> None:
    rows = json.loads((out / "tables" / "english-closed.json").read_text())["rows"]
    assert [row["id"] for row in rows][:7] == [*(f"e0.0{i}" for i in range(6)), "e1.00"]
    blocks: dict[int, list[float]] = {}
    for row in rows:
        blocks.setdefault(row["block"], []).append(row["official"])
    assert all(block == sorted(block, reverse=True) for block in blocks.values())
    scores = corefkit.score(
        FOLDER / "keys/english.conll", FOLDER / "responses/ibis/english.closed.GM.conll"
    )
    ibis = next(r for r in rows if r["system"] == "ibis" and r["quality.GM"])
    for metric in ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"):
        for value in ("recall", "precision", "f1"):
            assert ibis[f"{metric}.{value}"] == getattr(scores[metric], value)


def test_genres_and_subset(out: Path) -> None:
    rows = json.loads((out / "tables" / "genres-heron.json").read_text())["rows"]
    scores = corefkit.score(
        FOLDER / "keys/chinese.conll", FOLDER / "responses/heron/chinese.closed.GB.conll"
    ).by("genre")
    found = {
        r["genre"]: r["official"] for r in rows if r["language"] == "Chinese" and r["quality.GB"]
    }
    assert found == {genre: part["conll"].f1 for genre, part in scores.items()}
    subset = json.loads((out / "tables" / "subset-first-edition-closed.json").read_text())["rows"]
    whole = corefkit.score(
        FOLDER / "keys/english.conll", FOLDER / "responses/ibis/english.closed.NB.conll"
    )
    part = whole.by(lambda name: "yes" if "garden" not in name else "no")["yes"]
    ibis = next(r for r in subset if r["system"] == "ibis")
    assert ibis["official"] == part["conll"].f1


def test_significance_is_that_of_compare(out: Path) -> None:
    files = [
        FOLDER / "responses" / system / "arabic.closed.NB.conll"
        for system in ("heron", "ibis", "wren")
    ]
    copies = [FOLDER / "keys/arabic.conll", *files]
    found = json.loads((out / "significance" / "arabic-closed.json").read_text())
    key = corefkit.read(copies[0])
    from corefkit.stats.compare import compare_scores

    expected = compare_scores(
        {file.parent.name: corefkit.score(key, file) for file in files}, samples=2000, seed=2012
    )
    assert found.items() >= json.loads(json.dumps(expected.to_dict())).items()


def test_pairs_have_intervals_and_stand_by_rank(out: Path) -> None:
    whole = json.loads((out / "significance" / "english-closed.json").read_text())
    rows = json.loads((out / "tables" / "pairs-english-closed.json").read_text())["rows"]
    first = whole["pairs"][0]["scores"]["conll"]
    assert [rows[0]["low"], rows[0]["high"]] == first["interval"]
    assert (rows[0]["a"], rows[0]["b"]) == ("heron", "ibis")
    assert all(row["difference"] >= 0 for row in rows)


def test_lone_figure_is_the_best(out: Path) -> None:
    """Only plover has an open Arabic response."""
    assert "57.94*" in (out / "tables" / "overview-NB.txt").read_text(encoding="utf-8")


def test_task_json_has_what_the_page_shows(out: Path) -> None:
    found = json.loads((out / "task.json").read_text(encoding="utf-8"))
    assert found["tracks"] == ["closed", "open"]
    assert found["systems"]["heron"]["training"] == ["train", "development"]
    assert found["systems"]["heron"]["description"]
    subset = found["subsets"]["first-edition"]
    assert (subset["language"], len(subset["documents"])) == ("english", 3)
    shown = json.loads((out / "tables" / "subset-first-edition-closed.json").read_text())["rows"]
    scores = [r["scores"]["conll"]["f1"] for r in subset["responses"] if r["track"] == "closed"]
    assert sorted(scores) == sorted(row["official"] for row in shown)


def test_the_files_of_a_task_follow_the_schema(out: Path) -> None:
    files = [out / "task.json", *out.glob("significance/*.json"), *out.glob("tables/*.json")]
    assert len(files) > 3
    for file in files:
        content = json.loads(file.read_text(encoding="utf-8"))
        assert [*violations(content)] == [], file


def test_broken_response_is_reported(example_run: tuple[Run, Path]) -> None:
    done, _ = example_run
    assert done.status == 1
    assert "wren/chinese.closed.NB.conll:2" in done.err
    assert "1 of 55 responses could not be scored and counts as not sent (exit " in done.err


def test_broken_response_may_be_allowed(tmp_path: Path) -> None:
    manifest = write_task(tmp_path)
    (tmp_path / "one.conll").write_text(KEY.replace("(1)", "(1", 1), encoding="utf-8")
    command = ("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    assert run(*command).status == 1
    assert (tmp_path / "out" / "index.html").is_file()
    done = run(*command, "--allow-broken")
    assert done.status == 0
    assert "1 of 1 responses could not be scored" in done.err


def test_all_formats_are_there(out: Path) -> None:
    tables = {file.name for file in (out / "tables").iterdir()}
    for name in ("overview-NB", "overview-GB", "overview-GM", "english-closed", "arabic-open"):
        assert {f"{name}.{end}" for end in ("txt", "md", "tex", "csv", "json")} <= tables
    figures = {file.name for file in (out / "figures").iterdir()}
    assert len(figures) == 10
    assert {name.split(".")[1] for name in figures} == {"png", "svg"}


def test_again_changes_nothing(out: Path) -> None:
    before = tree(out)
    times = {f: f.stat().st_mtime_ns for f in (out / "parts").rglob("*.json")}
    assert run("task", "run", TASK, "-o", out).status == 1
    assert tree(out) == before
    assert times == {f: f.stat().st_mtime_ns for f in (out / "parts").rglob("*.json")}


@pytest.mark.long
def test_killed_run_goes_on(plain: Path, tmp_path: Path) -> None:
    """Kill a run as soon as it has written something, three times, then let it finish."""
    other = tmp_path / "out"
    arguments = ["task", "run", str(TASK), "-o", str(other), "--no-plots"]
    command = [sys.executable, "-m", "corefkit", *arguments]
    for parts in (3, 20, 56):
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            deadline = time.monotonic() + 30
            while process.poll() is None and time.monotonic() < deadline:
                if len([f for f in other.rglob("*") if f.is_file()]) >= parts:
                    os.killpg(process.pid, signal.SIGKILL)
                    break
                time.sleep(0.01)
    (other / "tables").mkdir(exist_ok=True)
    (other / "tables" / ".overview-NB.txt.h4lf_ofx").write_text("half a file")
    assert not (other / "index.html").exists()
    assert run(*arguments).status == 1
    assert tree(other) == tree(plain)


def test_one_process_writes_the_same(out: Path, plain: Path) -> None:
    ours, theirs = tree(plain), tree(out)
    tasks = [json.loads(files.pop("task.json")) for files in (ours, theirs)]
    differing = ("figures", "index")
    assert {n: d for n, d in theirs.items() if not n.startswith(differing)} == {
        n: d for n, d in ours.items() if not n.startswith(differing)
    }
    drawn = set(tasks[1].pop("files")) - set(tasks[0].pop("files"))
    assert drawn == {name for name in theirs if name.startswith("figures/")}
    assert tasks[0] == tasks[1]


def test_changed_response_is_scored_again(tmp_path: Path) -> None:
    task = read_manifest(write_task(tmp_path))
    slot = Slot("one", "english", "closed", "NB")
    first = score_task(task, tmp_path / "parts")
    assert first.figure(slot) == 1
    (tmp_path / "one.conll").write_text(KEY.replace("(1)\na\t0\t1", "-\na\t0\t1"))
    assert score_task(task, tmp_path / "parts").figure(slot) != 1


@pytest.mark.parametrize("damage", ["half", "counts", "other", "changed", "metric", "deep"])
def test_damaged_part_is_made_again(tmp_path: Path, damage: str) -> None:
    task = read_manifest(write_task(tmp_path))
    slot = Slot("one", "english", "closed", "NB")
    score_task(task, tmp_path / "parts")
    part = Parts(task, tmp_path / "parts", {}).path(slot)
    whole = part.read_text()
    changed = {
        "half": whole[: len(whole) // 2],
        "counts": whole.replace('"counts"', '"count"'),
        "other": whole.replace('"documents": 1', '"documents": 1, "dogs": 2'),
        "changed": whole.replace('"muc": [[1], [1]', '"muc": [[0], [1]'),
        "metric": re.sub(r'"muc": \[\[.*?\]\], ', "", whole),
        "deep": whole.partition(",")[0] + ', "deep": ' + "[" * 100_000,
    }
    part.write_text(changed[damage])
    assert part.read_text() != whole
    assert score_task(task, tmp_path / "parts").figure(slot) == 1
    assert part.read_text() == whole


def test_part_of_another_response(tmp_path: Path) -> None:
    task = read_manifest(write_task(tmp_path, MANIFEST + '"english/open/NB" = "one.conll"\n'))
    parts = Parts(task, tmp_path / "parts", {})
    score_task(task, tmp_path / "parts")
    ours, other = (Slot("one", "english", track, "NB") for track in ("closed", "open"))
    whole = parts.path(ours).read_bytes()
    parts.path(ours).write_bytes(parts.path(other).read_bytes())
    score_task(task, tmp_path / "parts")
    assert parts.path(ours).read_bytes() == whole


def test_worker_fails_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The master does what is left."""
    master = os.getpid()
    real = Scorer.load

    def fail(*arguments: Any, **named: Any) -> Side:
        if os.getpid() != master:
            raise RuntimeError("a bug")
        return real(*arguments, **named)

    monkeypatch.setattr(Scorer, "load", fail)
    task = read_manifest(write_task(tmp_path, MANIFEST + '"english/open/NB" = "one.conll"\n'))
    assert len(score_task(task, tmp_path / "parts", jobs=2).results) == 2
    assert capfd.readouterr().err == ""


def test_file_name_with_a_nul(tmp_path: Path) -> None:
    manifest = write_task(tmp_path, MANIFEST.replace("one.conll", "on\\u0000e.conll"))
    done = run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    assert done.status == 1
    assert "the file cannot be read" in done.err


def test_bad_key_is_refused(tmp_path: Path) -> None:
    manifest = write_task(tmp_path)
    (tmp_path / "key.conll").write_text(KEY.replace("(1)", "(1"))
    done = run("task", "run", manifest, "-o", tmp_path / "out")
    assert done.status == 1
    assert "key.conll" in done.err


def test_subset_that_the_key_lacks(tmp_path: Path) -> None:
    subset = '[subsets.some]\nlanguage = "english"\ndocuments = ["nw/a/00/a_0001", "nw/b"]\n'
    done = run(
        "task", "run", write_task(tmp_path, MANIFEST + subset), "-o", tmp_path / "out", "--no-plots"
    )
    assert done.status == 0
    assert "1 of 2" in done.err
    assert (tmp_path / "out" / "tables" / "subset-some-closed.txt").is_file()
    nothing = subset.replace("nw/a/00/a_0001", "nw/c")
    done = run("task", "check", write_task(tmp_path, MANIFEST + nothing))
    assert done.status == 1
    assert "lists documents that are not in the key [subset-document-unknown]" in done.err


def test_missing_file_is_reported(tmp_path: Path) -> None:
    manifest = write_task(tmp_path)
    (tmp_path / "one.conll").unlink()
    done = run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    assert done.status == 1
    assert "one.conll: error: the file cannot be read" in done.err
    assert "no responses" not in done.out


def test_tables_of_an_earlier_run_go(tmp_path: Path) -> None:
    """But not the files of others."""
    out = tmp_path / "out"
    assert run("task", "run", write_task(tmp_path), "-o", out, "--no-plots").status == 0
    assert (out / "tables" / "system-one.txt").is_file()
    (out / "tables" / "mine.txt").write_text("")
    renamed = write_task(tmp_path, MANIFEST.replace("systems.one", "systems.uno"))
    assert run("task", "run", renamed, "-o", out, "--no-plots").status == 0
    assert not list((out / "tables").glob("*-one.*"))
    assert (out / "tables" / "system-uno.txt").is_file()
    assert (out / "tables" / "mine.txt").is_file()


def test_only_what_was_recorded_goes(tmp_path: Path) -> None:
    """Dot files and pictures that a run did not write are not its own."""
    out = tmp_path / "out"
    assert run("task", "run", write_task(tmp_path), "-o", out, "--no-plots").status == 0
    mine = [out / "tables" / ".notes.txt", out / "figures" / "test-syntax.png"]
    mine += [out / "parts" / "one" / ".keep.this", out / ".index.html.backup"]
    for file in mine:
        file.parent.mkdir(exist_ok=True)
        file.write_text("mine")
    half = out / "parts" / "one" / ".english.closed.NB.json.ab12_xyz"
    half.write_text("half")
    assert run("task", "run", tmp_path / "task.toml", "-o", out, "--no-plots").status == 0
    assert [file.read_text() for file in mine] == ["mine"] * len(mine)
    assert not half.exists()


def test_two_runs_into_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PATIENCE", 0.0)
    manifest, out = write_task(tmp_path), tmp_path / "out"
    out.mkdir()
    with locked(out):
        second = run("task", "run", manifest, "-o", out, "--no-plots")
    assert second.status == 1
    assert "another run is writing there" in second.err
    assert not (out / "task.json").exists()
    assert run("task", "run", manifest, "-o", out, "--no-plots").status == 0
    assert not list(out.glob(".*"))


def test_text_behind_a_link_is_not_published(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hunter2:x:0:0 password\n")
    folder = tmp_path / "task"
    folder.mkdir()
    manifest = write_task(folder, f"outside = true\n{MANIFEST}")
    (folder / "one.conll").unlink()
    (folder / "one.conll").symlink_to(tmp_path / "secret.txt")
    done = run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    assert done.status == 1
    written = b"".join(tree(tmp_path / "out").values())
    assert b"one.conll" in written
    assert b"hunter2" not in written
    assert b"password" not in written


@pytest.mark.parametrize("place", ["../secret.txt", "{}/secret.txt", "link.txt", "in/*.txt", "in"])
def test_responses_outside_of_the_folder(tmp_path: Path, place: str) -> None:
    """A manifest that was made from submissions published the first words of any file."""
    (tmp_path / "secret.txt").write_text("hunter2:x:0:0 password\n")
    folder = tmp_path / "task"
    (folder / "in").mkdir(parents=True)
    for link in ("link.txt", "in/a.txt"):
        (folder / link).symlink_to(tmp_path / "secret.txt")
    text = MANIFEST.replace("one.conll", place.format(tmp_path))
    manifest = write_task(folder, text)
    for command in (("check", manifest), ("run", manifest, "-o", tmp_path / "out")):
        refused = run("task", *command)
        assert refused.status == 1
        assert "task.toml:5: error: the response" in refused.err
        assert "lies outside of the folder of the manifest [manifest-invalid]" in refused.err
    manifest.write_text(f"outside = true\n{text}")
    run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    assert b"hunter2" not in b"".join(tree(tmp_path / "out").values())


def test_a_response_that_may_not_be_read_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = '[systems.two.responses]\n"english/closed/NB" = "two.conll"\n'
    manifest = write_task(tmp_path, MANIFEST + second)
    (tmp_path / "two.conll").write_text(KEY)
    real_read, real_open = files._read, Path.open

    def refuse(name: object) -> None:
        if Path(str(name)).name == "one.conll":
            raise PermissionError(errno.EACCES, "Permission denied", str(name))

    def read(name: str, most: int) -> bytes:
        refuse(name)
        return real_read(name, most)

    def opened(path: Path, *how: Any, **more: Any) -> Any:
        refuse(path)
        return real_open(path, *how, **more)

    monkeypatch.setattr(files, "_read", read)
    monkeypatch.setattr(Path, "open", opened)
    told = "one.conll: the file cannot be read: Permission denied [file-unreadable]"
    checked = run("task", "check", manifest)
    assert (checked.status, told in " ".join(checked.out.split())) == (1, True)
    assert "2 responses of 2 systems: 1 broken" in checked.out
    done = run("task", "run", manifest, "-o", tmp_path / "out", "--allow-broken", "--no-plots")
    assert done.status == 0
    ranking = json.loads((tmp_path / "out" / "task.json").read_text())["ranking"]
    assert [entry["system"] for entry in ranking] == ["two", "one"]


def test_paths_are_not_cut_out_of_words(tmp_path: Path) -> None:
    incident = Incident(
        "document-twice", "error", "in mytask/a and task/b", file="task/b", found="a/task/c"
    )
    task = replace(read_manifest(TASK), folder=Path("task"))
    local = task.localise(incident)
    assert (local.message, local.file, local.found) == ("in mytask/a and b", "b", "a/task/c")


def test_file_name_that_is_not_utf8(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    folder.mkdir()
    manifest = write_task(folder, MANIFEST.replace("one.conll", "some"))
    (folder / "some").mkdir()
    (folder / "some" / os.fsdecode(b"\xff.conll")).write_text(KEY.replace("(1)", "(1"))
    out = tmp_path / "out"
    done = run("task", "run", manifest, "-o", out, "--no-plots")
    assert done.status == 1
    files = [
        i["file"] for i in json.loads((out / "task.json").read_text())["responses"][0]["incidents"]
    ]
    assert set(files) == {os.fsdecode(b"\xff.conll")}


def test_memory_error_is_an_incident_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Scorer.load

    def fail(scorer: Scorer, path: Any, *arguments: Any, **named: Any) -> Side:
        if isinstance(path, str) and path.endswith("large.conll"):
            raise MemoryError
        return real(scorer, path, *arguments, **named)

    monkeypatch.setattr(Scorer, "load", fail)
    manifest = write_task(tmp_path, MANIFEST + '"english/open/NB" = "large.conll"\n')
    (tmp_path / "large.conll").write_text(KEY)
    outcome = score_task(read_manifest(manifest), tmp_path / "parts", jobs=2)
    slots = [Slot("one", "english", track, "NB") for track in ("closed", "open")]
    assert outcome.figure(slots[0]) == 1
    assert [i.id for i in outcome.results[slots[1]].incidents] == ["file-too-large"]
    monkeypatch.undo()  # memory suffices now: that it did not is not kept
    assert score_task(read_manifest(manifest), tmp_path / "parts", jobs=2).figure(slots[1]) == 1


def test_each_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = files._read

    def count(name: str, most: int) -> bytes:
        read.append(Path(name).name)
        return real(name, most)

    monkeypatch.setattr(files, "_read", count)
    score_task(read_manifest(write_task(tmp_path)), tmp_path / "parts", jobs=1)
    assert sorted(read) == ["key.conll", "one.conll"]


@pytest.mark.parametrize("reports", [(), ("--reports",)])
def test_each_pair_is_matched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reports: tuple[str, ...]
) -> None:
    """A response is compared once in each setting it is scored in: never for a table or a page."""
    matched: list[int] = []
    real = Scorer.match

    def count(scorer: Scorer, key: Corpus, response: Corpus) -> Pairs:
        matched.append(response.mentions)
        return real(scorer, key, response)

    monkeypatch.setattr(Scorer, "match", count)
    how = ("--jobs", "1", "--no-plots", "--allow-broken", *reports)
    assert run("task", "run", TASK, "-o", tmp_path, *how).status == 0
    results = json.loads((tmp_path / "task.json").read_text())["responses"]
    scored = sum(response["scores"] is not None for response in results)
    assert sum(number > 0 for number in matched) == scored
    assert 0 not in matched  # what was not sent is not compared


def test_each_file_is_read_and_parsed_once_for_all_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("key", "system"):
        example = EXAMPLES / ("drawer.conllu" if name == "key" else "drawer-system.conllu")
        (tmp_path / f"{name}.conllu").write_bytes(example.read_bytes())
    (tmp_path / "task.toml").write_text(
        'name = "t"\n[scoring]\nprofile = "corefud"\n[datasets.d]\nkey = "key.conllu"\n'
        '[settings.head]\nmatch = "head"\n[settings.exact]\nmatch = "exact"\n'
        '[settings.kept]\nsingletons = "keep"\n[systems.s.responses]\nd = "system.conllu"\n'
    )
    read: list[str] = []
    real, real_parse = files._read, conllu.parse

    def count(name: str, most: int) -> bytes:
        read.append(Path(name).name)
        return real(name, most)

    parsed: list[str] = []

    def count_parse(data: bytes, path: str, reading: Reading) -> corefkit.Corpus:
        parsed.append(Path(path).name)
        return real_parse(data, path, reading)

    monkeypatch.setattr(files, "_read", count)
    counted = replace(conllu.FORMAT, parse=count_parse)
    monkeypatch.setitem(registry._defined("conllu"), "conllu", counted)
    outcome = score_task(read_manifest(tmp_path / "task.toml"), tmp_path / "parts", jobs=1)
    assert len(outcome.results) == 3
    assert sorted(read) == sorted(parsed) == ["key.conllu", "system.conllu"]
    found = {slot.setting: outcome.figure(slot) for slot in outcome.results}
    key, system = tmp_path / "key.conllu", tmp_path / "system.conllu"
    assert found == {
        "head": corefkit.score(key, system, "conll", "corefud", match="head").conll,
        "exact": corefkit.score(key, system, "conll", "corefud", match="exact").conll,
        "kept": corefkit.score(key, system, "conll", "corefud", singletons="keep").conll,
    }
    assert found["head"] != found["exact"]


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    manifest = write_task(tmp_path)
    (tmp_path / "file").write_text("")
    done = run("task", "run", manifest, "-o", tmp_path / "file" / "out")
    assert done.status == 1
    assert "cannot be written" in done.err


@needs_conformance
def test_sixteen_systems_at_real_size(tmp_path: Path) -> None:
    """At most 8 times one `score`, pictures and page not counted."""
    folder = CONFORMANCE / "ontonotes-dev"
    kinds = ("good", "fair", "poor")
    lines = [
        f'name = "big"\noutside = true\n[languages.english]\nkey = "{folder / "key.conll.gz"}"'
    ]
    for i in range(16):
        file = folder / f"response-{kinds[i % 3]}.conll.gz"
        lines.append(f'[systems.s{i}.responses]\n"english/closed/NB" = "{file}"')
    (tmp_path / "task.toml").write_text("\n".join(lines))
    expected = json.loads((folder / "expected-standard.json").read_text())
    outcome = score_task(read_manifest(tmp_path / "task.toml"), tmp_path / "parts")
    good = outcome.results[Slot("s0", "english", "closed", "NB")].scores
    assert good is not None
    assert outcome.figure(Slot("s15", "english", "closed", "NB")) == good.conll
    assert good["muc"].counts == expected["response-good"]["muc"]


def test_the_page_says_what_cannot_be_significant(out: Path) -> None:
    told = "no difference can reach 0.05"
    assert told in (out / "index.html").read_text()
    tested = json.loads((out / "significance" / "english-closed.json").read_text())
    assert any(told in note for note in tested["notes"])
    note = json.loads((out / "tables" / "significance-english-closed.json").read_text())["note"]
    assert "Only 5 documents" in note
    assert told in note


def test_control_characters_of_a_name_reach_no_file(tmp_path: Path) -> None:
    manifest = MANIFEST.replace("tiny", r"ti\r\u001b[31mny")
    done = run("task", "run", write_task(tmp_path, manifest), "-o", tmp_path / "out")
    assert done.status == 0
    written = tree(tmp_path / "out").items()
    texts = {n: data for n, data in written if not n.endswith((".csv", ".png", ".pdf"))}
    assert [n for n, data in texts.items() if b"\x1b" in data or b"\r" in data] == []
    assert b"<h1>ti\\r\\x1b[31mny" in texts["index.html"]
    assert b"<title>ti\\r\\x1b[31mny" in texts["index.html"]


def test_reports_of_a_profile_with_repeated_mentions(tmp_path: Path) -> None:
    """One copy of each is kept for the pages, with a note that names no option."""
    rows = [
        "# global.Entity = eid-head",
        "# newdoc id = tale",
        "# sent_id = 1",
        "1\tAda\t_\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1-1)(e2-1)",
        "2\therself\t_\tPRON\t_\t_\t1\tdep\t_\tEntity=(e1-1)",
        "3\tslept\t_\tNOUN\t_\t_\t1\tdep\t_\tEntity=(e2-1)\n\n",
    ]
    for name in ("key", "system"):
        (tmp_path / f"{name}.conllu").write_text("\n".join(rows))
    (tmp_path / "task.toml").write_text(
        'name = "t"\n[scoring]\nprofile = "corefud"\n[datasets.d]\nkey = "key.conllu"\n'
        '[systems.s.responses]\nd = "system.conllu"\n'
    )
    out = tmp_path / "out"
    done = run("task", "run", tmp_path / "task.toml", "-o", out, "--no-plots", "--reports")
    assert done.status == 0, done.err
    (note,) = (line for line in done.err.splitlines() if "[copies-dropped]" in line)
    assert "--" not in note
    (page,) = (out / "reports").iterdir()
    assert "duplicates:first" in str(data_of(page.read_text()))
    assert "duplicates:first" not in (out / "task.json").read_text()


def test_hints_in_processes_that_are_spawned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What such a process knows of the command that runs must be sent to it."""
    import multiprocessing

    spawn = multiprocessing.get_context("spawn")
    monkeypatch.setattr("corefkit.plugins.task.run.get_context", lambda _: spawn)
    more = '[systems.two.responses]\n"english/closed/NB" = "two.conll"\n'
    task = write_task(tmp_path, MANIFEST + more)
    twice = KEY.replace("x\t(1)", "x\t(1)|(2)")
    (tmp_path / "two.conll").write_text(twice)
    (tmp_path / "one.conll").write_text(twice)
    out = tmp_path / "out"
    assert run("task", "run", str(task), "-o", str(out), "--jobs", "2").status == 0
    parts = [json.loads(p.read_text()) for p in (out / "parts").rglob("*.json")]
    hints = re.findall(r'"hint": "(.*?)"', json.dumps(parts))
    assert hints
    assert not [hint for hint in hints if "--" in hint]


def test_processes_leave_ctrl_c_to_the_main_one(tmp_path: Path) -> None:
    """Interrupted while it hands over a result, one would keep a lock that all others wait for."""
    parts = Parts(read_manifest(str(TASK)), tmp_path, {})
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, context, _begin, (parts, None, None)) as pool:
        assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_one_language_has_marks_and_a_legend_of_what_is_drawn(tmp_path: Path) -> None:
    """The page links ✗ and ° of a single language to their problems, as with several."""
    names = ("cut", "half", "web")
    more = (f'[systems.{name}.responses]\n"english/closed/NB" = "{name}.conll"\n' for name in names)
    manifest = write_task(tmp_path, MANIFEST + "".join(more))
    (tmp_path / "key.conll").write_text(KEY + KEY.replace("a_0001", "a_0002"))
    (tmp_path / "one.conll").write_text((tmp_path / "key.conll").read_text())
    (tmp_path / "half.conll").write_text(KEY)
    (tmp_path / "cut.conll").write_text(KEY[:-20])
    (tmp_path / "web.conll").write_text("<html></html>\n")
    scored = score_task(read_manifest(manifest), tmp_path / "parts")
    (view,) = rankings(scored)
    cells = {row.facts.name: row.cells[0] for row in view.rows}
    assert list(view.columns) == ["English"]
    assert [(n, c.broken, bool(c.problem)) for n, c in cells.items()] == [
        ("one", False, False),
        ("half", False, True),
        ("cut", True, True),
        ("web", True, True),
    ]
    (dots,) = [chart for chart in charts(scored) if chart.name == "dots"]
    assert [name for _, name in dots.legend] == ["one", "half"]


def test_sides_are_prepared_once_for_each_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = MANIFEST.replace("languages", "datasets").replace("english/closed/NB", "english")
    manifest += '[systems.two.responses]\nenglish = "two.conll"\n'
    manifest += '[settings.all]\n[settings.large]\nsingletons = "drop"\n'
    path = write_task(tmp_path, manifest)
    (tmp_path / "two.conll").write_text(KEY)
    prepared = Counter[tuple[str, str]]()
    real = Scorer.prepare

    def prepare(scorer: Scorer, side: Side) -> Side:
        prepared[Path(side.path).name, scorer.options.singletons] += 1
        return real(scorer, side)

    monkeypatch.setattr(Scorer, "prepare", prepare)
    assert len(score_task(read_manifest(path), tmp_path / "parts", jobs=1).results) == 4
    files = ("key.conll", "one.conll", "two.conll")
    assert prepared == {(file, policy): 1 for file in files for policy in ("keep", "drop")}
