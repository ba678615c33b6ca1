"""Throw broken files at `check` and `score`: a result or a clear refusal, never anything else.

`make fuzz` runs it for as long as it is told; the test suite runs a short, seeded portion. CorefUD
files alone: python -m tests.fuzz --others 0 --corefud 1 --inputs 200000 --seconds 3600
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

from corefkit import Corpus
from corefkit.core.incidents import Incident
from corefkit.core.options import Reading, UsageError
from corefkit.formats import registry
from corefkit.formats.kit import files
from corefkit.formats.kit.detection import detect
from corefkit.scorers import PROFILES, make_options
from corefkit.scoring.check import check
from corefkit.scoring.run import score_systems
from tests.fuzz_conllu import conllu_example, conllu_large, conllu_made
from tests.fuzz_decisions import decision_file, examine_decisions
from tests.fuzz_formats import broken, examine_format, examine_growth
from tests.support import EXAMPLES, ROOT

Maker = Callable[[random.Random], bytes]

os.environ["COREFKIT_DEBUG"] = "1"  # a mistake of ours is to be seen, not an incident of a file

SECONDS_EACH = 2.0
SECONDS_A_MEGABYTE = 20.0
"""How long an input may take: a constant and a linear part, both generous."""

CELLS = [b"-", b"_", b"*", b"", b"(1", b"1)", b"(1)", b"(2", b"2)", b"(2)", b"(1|(2", b"1)|2)"]
CELLS += [b"(1)(2", b"1)(1", b"(", b")", b"|", b"()", b"(1|", b"dog", b"7", b"(x y)", b"(\xff)"]
HEADERS = [b"#begin document (a); part 000", b"# begin document b", b"#begin document(c);"]
HEADERS += [b"#begin document", b"#end document", b"#begin documents", b"# comment", b"#\t(1)"]
BYTES = b"()|-_*# \t\r\n0123456789ab\x00\xff\xc3\xa9\x0b\x0c"
ODD_LINES = [b"\x0b", b"\x0c", b" \x0b ", b"\x1c", b"\xc2\x85", b"\xe2\x80\xa8", b"\x0b\tx\t(1)"]
"""Lines of nothing but what Python, but no line of a file, ends or strips."""


def made(rng: random.Random) -> bytes:
    """Lines that are made of the pieces of the format, in any order."""
    separator = rng.choice([b" ", b"\t", b"  ", b" \t"])
    lines = [rng.choice(HEADERS[:4])]
    for _ in range(rng.randrange(12)):
        if rng.random() < 0.15:
            lines.append(rng.choice(HEADERS))
        elif rng.random() < 0.1:
            lines.append(b"")
        elif rng.random() < 0.05:
            lines.append(rng.choice(ODD_LINES))
        elif rng.random() < 0.02:
            lines.append(b"d 0 %s w (1)" % (b"9" * 5000))  # more digits than int() takes
        else:
            columns = [rng.choice([b"d", b"0", b"w", b"-"]) for _ in range(rng.randrange(5))]
            lines.append(separator.join([*columns, rng.choice(CELLS)]))
    return rng.choice([b"\n", b"\r\n"]).join(lines) + rng.choice([b"", b"\n"])


def sound(rng: random.Random) -> bytes:
    """A file without defects: balanced brackets, one document or two."""
    lines = []
    for name in (b"a", b"b")[: rng.randrange(1, 3)]:
        lines.append(b"#begin document " + name)
        still_open: list[bytes] = []
        for _ in range(6):
            cells = []
            if rng.random() < 0.3:
                still_open.append(b"%d" % rng.randrange(4))
                cells.append(b"(" + still_open[-1])
            if rng.random() < 0.3:
                cells.append(b"(%d)" % rng.randrange(4))
            if still_open and rng.random() < 0.5:
                cells.append(still_open.pop(rng.randrange(len(still_open))) + b")")
            lines.append(b"d 0 0 w " + (b"|".join(cells) or b"-"))
        closing = b"|".join(entity + b")" for entity in still_open)
        lines.append(b"d 0 0 w " + (closing or b"-"))
    return b"\n".join(lines) + b"\n"


def mutated(rng: random.Random) -> bytes:
    """A sound file with bytes changed, cut out, put in twice, or lines shuffled."""
    data = bytearray(rng.choice(SEEDS)(rng) if rng.random() < 0.9 else EXAMPLE[:4000])
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        size = rng.choice([1, 1, 1, 3, 20])
        action = rng.randrange(5)
        if action == 0:
            data[at : at + size] = b""
        elif action == 1:
            data[at:at] = bytes(rng.choice(BYTES) for _ in range(size))
        elif action == 2:
            data[at : at + size] = bytes(rng.randrange(256) for _ in range(size))
        elif action == 3:
            data[at:at] = data[at : at + 60]
        else:
            del data[at + rng.randrange(40) :]
    if rng.random() < 0.2:
        lines = bytes(data).split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    return bytes(data)


def crossing(rng: random.Random) -> bytes:
    """Mentions of many entities that cross, over sentences and documents' ends."""
    size = rng.choice([3, 30, 300])
    cells = [[b"(%d" % n] for n in range(size)] + [[b"%d)" % n] for n in range(size)]
    order = rng.choice([list, lambda some: rng.sample(some, len(some))])(cells)
    lines = [b"#begin document a"]
    for cell in order:
        lines.append(b"d 0 0 w " + b"|".join(cell))
        if rng.random() < 0.1:
            lines.append(rng.choice([b"", b"\x0b", b"#end document"]))
    return b"\n".join(lines) + b"\n"


def noise(rng: random.Random) -> bytes:
    """Random bytes, with or without a header."""
    data = bytes(rng.choice(BYTES) for _ in range(rng.randrange(200)))
    return (b"#begin document x\n" if rng.random() < 0.5 else b"") + data


def large(rng: random.Random) -> bytes:
    """Deep nesting, huge ids, long lines, many repeated spans."""
    size = rng.choice([1000, 20_000])
    cell = rng.choice(
        [
            b"(1|" * size + b"(1\nd " + b"1)|" * size + b"1)",
            b"(" + b"9" * size + b")",
            b"x" * size + b" (1)",
            b" " * size + b"(1)" + b"\t" * size,
            b"|".join(b"(%d)" % n for n in range(size // 20)),
            b"(1)" * size,
            b"(" * size,
            b"(1\nd " * (size // 10) + b"-",
            b"#" * size,
        ]
    )
    return b"#begin document x\nd " + cell + b"\n"


OTHERS = 0.75
"""How many of the inputs are files of other formats than columns."""
COREFUD_SHARE = 0.4
"""How many of the files of columns are CorefUD."""
SEEDS: list[Maker] = [sound, sound, made, conllu_example]
EXAMPLE = (EXAMPLES / "key.conll").read_bytes()
COREFUD: list[Maker] = [*[conllu_made] * 60, *[conllu_example] * 39, conllu_large]
MAKERS: list[Maker] = [
    *[made] * 30,
    *[sound] * 15,
    *[crossing] * 5,
    *[mutated] * 40,
    *[noise] * 9,
    large,
]


@contextmanager
def served(contents: dict[str, bytes]) -> Iterator[None]:
    """Let corefkit read these bytes under these names instead of files."""
    parsed = cache(registry.parse)  # check and score read the same bytes

    def parse(data: bytes, path: str, reading: Reading) -> Corpus:
        # How CoNLL columns are to be read does not matter to CorefUD files.
        return parsed(data, path, Reading() if detect(data) == "conllu" else reading)

    with (
        patch.object(registry, "parse", parse),
        patch.object(files, "load", lambda name, max_size=None: contents[name]),
        patch.object(files, "expand", lambda name: [name]),
    ):
        yield


def one_input(rng: random.Random, corefud: bool) -> dict[str, bytes]:
    """A key and a response; at times the response is the key, mutated or not."""
    makers = COREFUD if corefud else MAKERS
    key = rng.choice(makers)(rng)
    return {"key": key, "response": key if rng.random() < 0.3 else rng.choice(makers)(rng)}


def examine(
    contents: dict[str, bytes], profile: str, *, checked: bool = True, **policies: Any
) -> None:
    """Check and score one input; AssertionError or whatever else is a bug.

    Scoring notices what checking does: where there are many inputs, some need not be checked.
    """
    with served(contents):
        found = check("response", against="key") if checked else []
        try:
            report = score_systems("key", ["response"], make_options(None, profile, **policies))
        except UsageError as error:  # a profile of another scorer refuses such files, and says so
            assert profile != "standard"
            assert profile in str(error)
            return
    for incident in (*found, *report.incidents):
        assert incident.message
        assert _exists(incident, contents)
    scores = report.systems[0].scores
    if scores is None:
        assert any(incident.severity == "error" for incident in report.incidents)
    else:
        for name, score in scores.items():
            values = (score.recall, score.precision, score.f1)
            # Bug for bug: the reference scorer may count a repeated span twice; CEAF of CoVal and
            # e2e looks up every copy in an entity of the key that lists a span more than once.
            copied = profile == "conll-8.01" or (name in ("ceafe", "conll") and profile in COVAL)
            most = float("inf") if copied else 1 + 1e-9
            assert all(v is None or 0 <= v <= most for v in values)


def in_time(contents: dict[str, bytes], began: float) -> None:
    """AssertionError where an input took longer than its size allows."""
    size = sum(map(len, contents.values()))
    allowed = SECONDS_EACH + SECONDS_A_MEGABYTE * size / 1e6
    assert time.process_time() - began < allowed, f"{size:,} bytes took too long"


def _exists(incident: Incident, contents: dict[str, bytes]) -> bool:
    """Whether the line that the incident names is there."""
    if incident.line is None or incident.file is None:
        return True
    data = contents[incident.file]
    ends = data.count(b"\n") or data.count(b"\r")
    return 1 <= incident.line <= ends + 1


COVAL = ("coval", "arrau", "e2e", "e2e-singletons", "bookcoref")
"""The profiles of CoVal's scorers, and of e2e's and its descendants."""

DECISIONS = 0.01
"""How many of the inputs are files of decisions of curators."""

GROWTH_EVERY = 500
"""One of so many inputs of other formats is also read four times as long."""


def of_corefud(rng: random.Random) -> tuple[str, dict[str, str]]:
    """A profile and policies of CorefUD: one setting an input, so that all have their turn."""
    profile = rng.choice(["standard", "corefud", "corefud-1.1"])
    zeros = ["linear"] if profile == "corefud-1.1" else ["dependent", "linear", "drop"]
    return profile, {
        "match": rng.choice(["exact", "partial", "head"]),
        "singletons": rng.choice(["keep", "drop"]),
        "zeros": rng.choice(zeros),
    }


@contextmanager
def kept_on_failure(contents: dict[str, bytes], what: str) -> Iterator[None]:
    """Whatever fails inside leaves these files in out/, and a line that says what it was."""
    try:
        yield
    except BaseException:
        folder = ROOT / "out"
        folder.mkdir(exist_ok=True)
        for name, data in contents.items():
            (folder / f"fuzz-{name}").write_bytes(data)
        sys.stderr.write(f"{what}: see out/fuzz-*\n")
        raise


def run(
    seed: int,
    inputs: int | None,
    seconds: float,
    others: float = OTHERS,
    corefud: float = COREFUD_SHARE,
    *,
    timed: bool = False,
) -> int:
    """Examine inputs until there were enough or the time is over; how many there were.

    `others` is the share of inputs that are in other formats than columns, `corefud` that of
    CorefUD files among columns. With `timed` no input may take longer than its size allows, and
    the time must not grow faster than a file.
    """
    rng = random.Random(seed)
    began = time.perf_counter()
    done = 0
    while (inputs is None or done < inputs) and time.perf_counter() - began < seconds:
        if rng.random() < DECISIONS:
            log = decision_file(rng)
            with kept_on_failure({"decisions.json": log}, f"seed {seed}, input {done}"):
                examine_decisions(log)
            done += 1
            continue
        other = broken(rng) if rng.random() < others else None
        is_corefud = not other and rng.random() < corefud
        contents = {other[0]: other[1]} if other else one_input(rng, is_corefud)
        profile = rng.choice(list(PROFILES)) if rng.random() < 0.5 else "standard"
        policies: dict[str, str] = {}
        if is_corefud and rng.random() < 0.9:
            profile, policies = of_corefud(rng)
        start = time.process_time()
        how = " ".join([profile, *policies.values()])
        files_kept = {f"{n}.{n if other else 'conll'}": data for n, data in contents.items()}
        with kept_on_failure(files_kept, f"seed {seed}, input {done}, profile {how}"):
            if other and timed and done % GROWTH_EVERY == 0:
                other = examine_growth(rng)
            elif other:
                examine_format(rng, *other)
            else:
                checked = not is_corefud or rng.random() < 0.2
                examine(contents, profile, checked=checked, **policies)
            if timed:  # `make fuzz`; tests measure no time
                in_time(contents, start)
        done += 1
        if done % 20_000 == 0:
            speed = done / (time.perf_counter() - began)
            sys.stderr.write(f"{done:,} inputs, {speed:,.0f} a second\n")
    return done


def main() -> None:
    """The command line of `make fuzz`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="stop after these")
    parser.add_argument("--inputs", type=int, help="stop after so many")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--others", type=float, default=OTHERS, help="share of other formats")
    text = "share of CorefUD files among columns"
    parser.add_argument("--corefud", type=float, default=COREFUD_SHARE, help=text)
    arguments = parser.parse_args()
    began = time.perf_counter()
    given = arguments.seed, arguments.inputs, arguments.seconds, arguments.others, arguments.corefud
    done = run(*given, timed=True)
    taken = time.perf_counter() - began
    sys.stdout.write(f"{done:,} inputs in {taken:,.0f} s, seed {arguments.seed}: no defect found\n")


if __name__ == "__main__":
    main()
