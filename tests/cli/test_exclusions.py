"""What excludes what on command lines, and what is told before anything is read."""

import json
import re
from itertools import combinations, pairwise
from pathlib import Path

import click
import pytest

import corefkit
from corefkit.cli.exclusions import (
    ENGINE,
    ENTITIES,
    LEVELS,
    LINKS_IN_TEXT,
    NO_TABLE,
    RUNS,
    STRATA,
    TABLE,
    Exclusion,
)
from corefkit.core.entry_points import load
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))
SEEDS = f"a@1={CAREFUL}", f"a@2={HASTY}"


SAMPLES = {
    "--metrics": "muc,bcub",
    "--match": "exact",
    "--singletons": "drop",
    "--profile": "standard",
    "--signature": "profile:standard|version:0.1.0",
    "--by": "genre",
    "--window": "50",
    "--across": "corpus",
    "--topic": "(a)",
    "--plot": "x.svg",
    "--output-format": "latex",
    "--output": "x.txt",
    "--documents": "common",
    "--zeros": "drop",
    "--split": "drop",
    "--heads": "tree",
    "--duplicates": "first",
    "--align": "characters",
    "--unaligned": "drop",
    "--average": "micro",
    "--labels": "type",
    "--leave-out": "nested",
    "--variant": "immediate=code",
    "--tagset": "penn",
    "--language": "en",
    "--entities": "x.tsv",
    "--window-singletons": "keep",
    "--runs": "a=no*.parquet",
    "--failed": "skip",
    "--digits": "1",
    "--at-least": "muc=70",
    "--format": "conll",
    "--key-format": "conll",
    "--response-format": "conll",
    "--read": "missing=NA",
    "--layer": "identity",
    "--columns": "entity=e",
    "--engine": "duckdb",
    "--counts": "x.parquet",
    "--samples": "50",
    "--seed": "7",
    "--level": "0.9",
    "--interval": "bca",
    "--marks": "best",
    "--pronouns": str(EXAMPLES / "README.md"),
    "--antecedent": "closest",
    "--type": "span",
    "--document": "a",
    "--kind": "name",
    "--word": "it",
    "--sort": "gain",
    "--most": "3",
    "--sample": "3",
    "--write-repaired": "repaired",
    "--shown": "a",
    "--marked": "side",
    "--examples": "2",
}
"""A value of each option that takes one."""
BESIDE = {
    "--topic": "--across corpus",
    "--variant": "--metrics immediate,muc",
    "--window-singletons": "--window 50",
    "--failed": "--runs a=no*.parquet",
    "--agreement": "--runs a=no*.parquet",
    "--counts": "--engine duckdb",
    "--marks": "--paper",
    "--by length": "--metrics muc",
    "--antecedent": "--links",
    "--force": "--write-repaired repaired",
    "--seed": "--sample 3 --list",
    **dict.fromkeys(
        ("--type", "--document", "--kind", "--word", "--sort", "--most", "--sample"), "--list"
    ),
}
"""What an option needs."""
OWN = {
    "compare": {"--by": "entity:size"},  # it has strata only
    "errors": {"--by": "genre"},
    "report": {"--output": "x.html", "--output-format": "text"},
    "outcomes": {
        "--metrics": "immediate",
        "--output-format": "csv",
        "--variant": "immediate=code",
    },
}
"""What a command has instead of a sample."""
VALUES = (
    *("-f conll", "-f corefud", "-f model-index", "-f csv", "--by length", "--by entity:size"),
    *("--split only", "--duplicates listed", "--average documents", "--documents union"),
    *("--across none,corpus", "--match semeval"),
)
"""Values that exclude what the sample does not."""
ALONE = [
    (command, f"--{name}")
    for command in ("errors", "report", "outcomes")
    for name in ("average documents", "match semeval", "split only")
]
"""What a command refuses whatever stands beside it."""
MADE = {
    "--runs": {RUNS},
    "--engine": {ENGINE},
    "--format": {NO_TABLE},
    "--key-format": {NO_TABLE},
    "--response-format": {NO_TABLE},
    "--by length": {STRATA},
    "--by entity:size": {STRATA, ENTITIES},
    "--across none,corpus": {LEVELS},
    "--links": {LINKS_IN_TEXT},
    "--output-format latex": {"-f latex"},
}
"""The choices that options do not make alone."""


def lines(command: str) -> dict[str, list[str]]:
    """A command line for each option of a command, and for the VALUES that it knows."""
    found = {}
    for parameter in load(f"corefkit.cli.{command}:command").params:
        name = parameter.opts[-1]
        if not isinstance(parameter, click.Option) or parameter.is_eager:
            continue
        value = [] if parameter.is_flag else [OWN.get(command, {}).get(name) or SAMPLES[name]]
        own = command == "errors" or name not in ("--seed", "--force")
        beside = BESIDE if own and (command, name) != ("outcomes", "--variant") else {}
        found[name] = [*beside.get(name, "").split(), name, *value]
        known = getattr(parameter.type, "choices", None)
        for text in VALUES:
            option, _, word = text.partition(" ")
            if (command, text) in ALONE:
                continue
            if option in parameter.opts and (known is None or word in known):
                found[text] = [*BESIDE.get(text, "").split(), *text.split()]
    return found


def made_by(words: list[str]) -> set[str]:
    """The choices that a command line makes."""
    pairs = {" ".join(two) for two in pairwise(words)}
    made = {*words, *pairs}
    return made.union(*(more for words, more in MADE.items() if words in made))


def excluded(command: str, made: set[str]) -> list[Exclusion]:
    """The rows of the table that refuse these choices."""
    rows = (row for row in TABLE[command] if isinstance(row, Exclusion))
    return [row for row in rows if row.choice in made and made.intersection(row.others)]


def option_of(choice: str) -> str:
    """The option that a choice is about."""
    named = re.search(r"--?[a-z][a-z-]*", choice)
    assert named
    return named[0]


@pytest.mark.parametrize("command", ["score", "compare", "errors", "report", "outcomes"])
def test_every_pair_of_options_is_scored_or_is_in_the_table(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is refused is in the table; the refusal names both options, and what to do."""
    monkeypatch.chdir(tmp_path)  # where `--output` writes
    wrong, given = [], lines(command)
    for (one, first), (other, second) in combinations(given.items(), 2):
        if {"--paper", "csv"} <= {*first, *second}:  # it needs another format
            continue
        done = run(command, "no-such-key.parquet", "no-such.parquet", *first, *second)
        rows = excluded(command, made_by(first) | made_by(second))
        said = " ".join(done.err.split()).replace("--output-format", "-f")
        told = [row for row in rows if f"{row.choice} cannot be combined with" in said]
        named = all(option_of(row.choice) in said for row in told)
        if (done.status == 2) != bool(rows) or bool(told) != bool(rows) or not named:
            wrong.append((one, other, said[-200:]))
    assert wrong == [], "\n".join(map(str, wrong))


def test_the_table_is_printed_by_help_all() -> None:
    for command, rows in TABLE.items():
        text = " ".join(run(command, "--help-all").out.split())
        assert "What excludes what:" in text
        assert all(row.choice in text for row in rows)
        assert "What excludes what" not in run(command, "--help").out


def test_pairs_are_listed_once() -> None:
    for rows in TABLE.values():
        pairs = [{row.choice, other} for row in rows for other in row.others]
        assert len({frozenset(pair) for pair in pairs}) == len(pairs)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*SEEDS, "-f", "model-index"), "-f model-index cannot be combined with several runs"),
        ((*SEEDS, "--counts", "x.parquet"), "--counts needs an engine"),
        ((*SEEDS, "--engine", "auto:memory=4GB"), "memory needs an engine"),
        ((*SEEDS, "--at-least", "lea=60", "-m", "muc"), "at-least: metric: unknown value 'lea'"),
        ((CAREFUL, "-f", "model-index", "--by", "entity:size"), "cannot be combined with --by"),
        ((CAREFUL, "--losses", "--window", "9", "-f", "csv"), "they are of whole documents"),
        ((CAREFUL, "--across", "corpus,none", "--plot", "x.svg"), "name one level"),
        (
            (CAREFUL, "--engine", "duckdb", "--by", "entity:size"),
            "an engine counts whole documents",
        ),
    ],
)
def test_refused_before_reading(arguments: tuple[str | Path, ...], told: str) -> None:
    done = run("score", "no-such-key.conll", *map(str, arguments))
    assert (done.status, done.out) == (2, "")
    assert told in " ".join(done.err.split())


def test_the_mean_over_runs_must_reach_the_bound() -> None:
    """The runs have 61.67 and 88.98, their mean is 75.32 (`examples/demo.sh`)."""
    assert run("score", KEY, *SEEDS, "-m", "conll", "--at-least", "conll=75.3").status == 0
    done = run("score", KEY, *SEEDS, "-m", "muc,conll", "--at-least", "conll=75.4")
    assert done.status == 3
    assert "a: conll 75.32 is below 75.4" in done.err


def test_runs_on_different_documents_are_scored_on_the_common_ones(tmp_path: Path) -> None:
    text = HASTY.read_text(encoding="utf-8")
    first = text[: text.index("#end document") + len("#end document\n")]
    (tmp_path / "first.conll").write_text(first, encoding="utf-8")
    runs = f"a@1={CAREFUL}", f"a@2={tmp_path / 'first.conll'}"
    done = run("score", KEY, *runs, "--documents", "common", "-m", "conll", "-f", "json")
    assert done.status == 0
    (name,) = corefkit.read(tmp_path / "first.conll").names
    alone = [corefkit.score(KEY, file, "conll", documents=[name]) for file in (CAREFUL, HASTY)]
    mean = sum(one.conll for one in alone) / 2
    (system,) = json.loads(done.out)["systems"]
    assert system["scores"]["conll"]["f1"] == pytest.approx(mean, abs=1e-15)
