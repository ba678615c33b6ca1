"""Whole processes, as people run them, in times of `import numpy`, which every run pays for."""

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from bench import data
from bench.adjudication import write_annotators
from bench.measure import (
    Task,
    corefkit,
    environment,
    fastest,
    process,
    python,
    usage,
)
from bench.table import Row, at_most, below, not_measured, seconds
from corefkit import degrade, write

_ROUNDS = 3
_MEMORY = 600e6
_SYSTEMS = 16


class Command(NamedTuple):
    """What is run, and how many times `import numpy` it may take."""

    what: str
    words: str
    limit: float


COMMANDS = [
    Command("help", "--help", 0.7),
    Command("score, OntoNotes dev, packed", "score ON.gz FAIR.gz", 5),
    Command("score, OntoNotes dev, unpacked", "score ON FAIR", 4),
    Command("score of four responses", "score ON.gz FAIR.gz GOOD.gz POOR.gz FOURTH.gz", 10),
    Command("score --match mina", "score ON.gz FAIR.gz --match mina", 7),
    Command(
        "application scores by class",
        "score ON.gz FAIR.gz -m immediate,inferred,anchor --by class",
        11,
    ),
    Command("score --by entity:kind", "score ON.gz FAIR.gz --by entity:kind", 12),
    Command("score --profile corefud, the largest pair", "score CS CSFAIR --profile corefud", 5),
    Command("score --profile ua, AMI", "score AMI AMIFAIR --profile ua", 7),
    Command("check", "check ON.gz", 15),
    Command("stats", "stats ON.gz", 18),
    Command("compare of three responses", "compare ON.gz FAIR.gz GOOD.gz POOR.gz", 12),
    Command("errors", "errors ON.gz FAIR.gz", 20),
    Command("report", "report ON.gz FAIR.gz -o PAGE", 45),
    Command("agree, 100,000 tokens", "agree ANNA BEN", 6),
    Command("adjudicate, 7,000 items", "adjudicate ANNA BEN", 12),
    Command("task run, 16 systems", "task run MANIFEST -o RESULTS --no-plots", 60),
]


def rows(scratch: Path) -> Iterator[Row]:
    """Each command against `import numpy`, then the memory of the two largest."""
    packed = data.packed(scratch)
    if packed is None:
        yield from (not_measured(c.what, data.MISSING) for c in COMMANDS)
        return
    files = _files(packed, scratch)
    env = environment(scratch)
    tasks = {"numpy": process(python("import numpy"), env)}
    for command in COMMANDS:
        tasks[command.what] = _afresh(process(_line(command, files), env), files["RESULTS"])
    times = fastest(tasks, _ROUNDS)
    for command in COMMANDS:
        taken, numpy = times[command.what], times["numpy"]
        detail = f"{seconds(taken)} / {seconds(numpy)}"
        yield at_most(command.what, taken / numpy, command.limit, detail=detail)
    for what in ("errors", "report"):
        (command,) = (c for c in COMMANDS if c.what == what)
        peak = usage(_line(command, files), env, 120).peak_bytes
        detail = f"{peak / 1e6:.0f} MB / {_MEMORY / 1e6:.0f} MB"
        yield below(f"{what}: peak memory", peak / _MEMORY, 1, detail=detail)


def _afresh(run: Task, results: Path) -> Task:
    """The command, without what an earlier one has left: `task run` would go on there."""

    def task() -> None:
        rmtree(results, ignore_errors=True)
        run()

    return task


def _line(command: Command, files: dict[str, Path]) -> list[str]:
    return corefkit(*(files.get(word, word) for word in command.words.split()))


def _files(packed: data.Files, scratch: Path) -> dict[str, Path]:
    """The files of the commands by their names."""
    plain = data.unpacked(packed, scratch)
    good, fair, poor, fourth = packed.responses
    corefud, ua = data.COREFUD, data.ANAPHORA
    anna, ben = write_annotators(scratch)
    return {
        "ON.gz": packed.key,
        "GOOD.gz": good,
        "FAIR.gz": fair,
        "POOR.gz": poor,
        "FOURTH.gz": fourth,
        "ON": plain.key,
        "FAIR": plain.responses[1],
        "CS": corefud / "keys/cs_pdtc-ft.conllu.gz",
        "CSFAIR": corefud / "responses/cs_pdtc-ft.fair.conllu.gz",
        "AMI": ua / "ami.key.conllua.gz",
        "AMIFAIR": ua / "ami.fair.conllua.gz",
        "PAGE": scratch / "page.html",
        "ANNA": anna,
        "BEN": ben,
        "MANIFEST": _manifest(packed, scratch),
        "RESULTS": scratch / "results",
    }


def _manifest(packed: data.Files, scratch: Path) -> Path:
    """A task of systems of which no two are alike: samples of equal ones are drawn once."""
    lines = ['name = "bench"', "[languages.english]", f'key = "{packed.key}"']
    for number in range(_SYSTEMS):
        response = packed.responses[number % 3]
        file = scratch / f"response-{number}.conll.gz"
        write(degrade(response, drop="1%", seed=number).corpus, file)
        lines += [f"[systems.s{number}.responses]", f'"english/closed/NB" = "{file}"']
    manifest = scratch / "task.toml"
    manifest.write_text("\n".join(lines), encoding="utf-8")
    return manifest
