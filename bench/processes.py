"""Whole processes on OntoNotes: start-up, reading and printing included."""

from collections.abc import Iterator
from pathlib import Path

from bench import data
from bench.measure import corefkit, environment, fastest, process, python, usage
from bench.table import Row, at_most, below, not_measured, seconds

_ROUNDS = 9
_TIMEOUT = 60.0
_FILES = 1_370
_PROFILE_LIMIT = 1.3
"""How many times as long the rules of the Perl script may take as the standard ones."""


def rows(scratch: Path) -> Iterator[Row]:
    """`corefkit --help`, `corefkit score` with one and four responses, and its memory."""
    commands = {"numpy": python("import numpy"), "help": corefkit("--help")}
    packed = data.packed(scratch)
    kinds = {} if packed is None else {"packed": packed, "unpacked": data.unpacked(packed, scratch)}
    for kind, files in kinds.items():
        commands[f"one {kind}"] = corefkit("score", files.key, files.response)
        commands[f"four {kind}"] = corefkit("score", files.key, *files.responses)
    if "unpacked" in kinds:
        key, response = kinds["unpacked"].key, kinds["unpacked"].response
        commands["conll-8.01"] = corefkit("score", key, response, "--profile", "conll-8.01")
    env = environment(scratch)
    times = fastest({name: process(command, env) for name, command in commands.items()}, _ROUNDS)

    numpy = times["numpy"]
    ratio, detail = times["help"] / numpy, f"{seconds(times['help'])} / {seconds(numpy)}"
    yield at_most("corefkit --help / import numpy", ratio, 1, detail=detail)
    for kind in ("packed", "unpacked"):
        what = f"corefkit score, OntoNotes dev, {kind}"
        if kind not in kinds:
            yield not_measured(f"{what} / import numpy", data.MISSING)
            yield not_measured(f"{what}: four responses / one", data.MISSING)
            yield not_measured(f"{what}: peak memory / larger file", data.MISSING)
            continue
        one, four = times[f"one {kind}"], times[f"four {kind}"]
        detail = f"{seconds(one)} / {seconds(numpy)}"
        yield at_most(f"{what} / import numpy", one / numpy, 2.4, detail=detail)
        detail = f"{seconds(four)} / {seconds(one)}"
        yield below(f"{what}: four responses / one", four / one, 2.5, detail=detail)
        command = commands[f"one {kind}"]
        peak = max(usage(command, env, _TIMEOUT).peak_bytes for _ in range(3))
        size = kinds["unpacked"].key.stat().st_size
        detail = f"{peak / 1e6:.0f} MB / {size / 1e6:.0f} MB"
        yield at_most(f"{what}: peak memory / larger file", peak / size, 6, detail=detail)
    what = "corefkit score --profile conll-8.01, OntoNotes dev, unpacked / standard"
    if "conll-8.01" in times:
        profile, standard = times["conll-8.01"], times["one unpacked"]
        detail = f"{seconds(profile)} / {seconds(standard)}"
        yield at_most(what, profile / standard, _PROFILE_LIMIT, detail=detail)
    else:
        yield not_measured(what, data.MISSING)
    yield from _many_files(scratch)


def _many_files(scratch: Path) -> Iterator[Row]:
    """A corpus in 1,370 files, as a glob, against the same text in one file."""
    folder = scratch / "many"
    folder.mkdir()
    texts = [_small_file(number) for number in range(_FILES)]
    for number, text in enumerate(texts):
        (folder / f"{number:04}.conll").write_text(text, encoding="utf-8")
    one = scratch / "one.conll"
    one.write_text("".join(texts), encoding="utf-8")
    glob = str(folder / "*.conll")
    commands = {"glob": corefkit("score", glob, glob), "one": corefkit("score", one, one)}
    env = environment(scratch)
    times = fastest({name: process(command, env) for name, command in commands.items()}, _ROUNDS)
    detail = f"{seconds(times['glob'])} / {seconds(times['one'])}"
    what = f"corefkit score, {_FILES:,} files / the same text in one"
    yield at_most(what, times["glob"] / times["one"], 2.5, detail=detail)


def _small_file(number: int) -> str:
    """A document of a few hundred tokens, of which every fourth is a mention."""
    lines = [
        f"d{number} 0 {i} word NN * - - - - * {f'({i % 40})' if i % 4 == 0 else '-'}"
        for i in range(300 + number % 300)
    ]
    return "\n".join([f"#begin document (d{number}); part 000", *lines, "", "#end document", ""])
