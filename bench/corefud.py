"""Scoring of CorefUD files, whole processes, and what further settings cost."""

import os
import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import process_time

from bench import data
from bench.measure import corefkit, environment, fastest, process, processor_time, python
from bench.table import Row, at_least, at_most, not_measured, seconds, without_limit
from corefkit import read, score
from corefkit.formats.conll import reader as conll
from corefkit.formats.conll import write as write_conll
from corefkit.formats.conllu import reader as corefud
from corefkit.formats.conllu import writer as conllu
from corefkit.formats.kit.files import load

_ROUNDS = 7
_MISSING = "no conformance data beside the checkout"
_SETTINGS = (
    "head/drop/dependent",
    "partial/drop/dependent",
    "exact/drop/dependent",
    "head/keep/dependent",
    "head/drop/linear",
)


_LIMITS = {"one": 2.2, "five": 3}
"""In times of `import numpy`. Of about 250 ms, 165 are what any command takes to
start, numpy included; to read the two files takes 40, to match 20 and to count 25."""
_KEYS = ("cs_pdtc-ft", "hu_korkor", "la_aetheria", "no_bokmaal", "no_nynorsk", "en_gentle")


def rows(scratch: Path) -> Iterator[Row]:
    """Reading, then scoring."""
    yield from _reading(scratch)
    yield from _reading_real()
    yield _empty_nodes()
    yield from _scoring(scratch)
    yield from _official(scratch)


def _reading(scratch: Path) -> Iterator[Row]:
    """English OntoNotes as CorefUD against the CoNLL file it was made from."""
    what = "reading a CorefUD file / a CoNLL file with the same tokens"
    files = data.packed(scratch)
    if files is None:
        yield not_measured(what, data.MISSING)
        return
    columns = load(str(files.key))
    sentences = conllu.to_bytes(conll.parse(columns, "key"))[0]
    times = fastest(
        {
            "conllu": lambda: corefud.parse(sentences, "key"),
            "conll": lambda: conll.parse(columns, "key"),
        },
        _ROUNDS,
    )
    detail = f"{seconds(times['conllu'])} / {seconds(times['conll'])}"
    yield at_most(what, times["conllu"] / times["conll"], 3, detail=detail)


def _folder() -> Path:
    shared = Path(os.environ.get("COREFKIT_SHARED") or Path(__file__).parents[2] / "shared")
    return shared / "conformance" / "corefud"


def _empty_nodes() -> Row:
    """The score of empty nodes against reading both files."""
    what = "score -m empty-nodes, hu_korkor / read both files"
    key = _folder() / "keys" / "hu_korkor.conllu.gz"
    response = _folder() / "responses" / "hu_korkor.good.conllu.gz"
    if not (key.exists() and response.exists()):
        return not_measured(what, _MISSING)
    times = fastest(
        {
            "score": lambda: score(key, response, metrics=["empty-nodes"]),
            "read": lambda: (read(key), read(response)),
        },
        _ROUNDS,
        clock=process_time,
    )
    detail = f"{seconds(times['score'])} / {seconds(times['read'])}"
    return at_most(what, times["score"] / times["read"], 2, detail=detail)


def _reading_real() -> Iterator[Row]:
    """The keys of the conformance data against CoNLL files with the same tokens, the worst one."""
    what = "reading a real CorefUD key / the same tokens in the {} columns of {}, at worst"
    forms = {"12": "CoNLL-2012", "5": "`convert`"}
    files = {name: _folder() / "keys" / f"{name}.conllu.gz" for name in _KEYS}
    files = {name: file for name, file in files.items() if file.exists()}
    worst = dict.fromkeys(forms, (0.0, ""))
    for name, file in files.items():
        content = load(str(file))
        lean = write_conll(corefud.parse(content, name), name).files[name]
        full = twelve_columns(lean)
        times = fastest(
            {
                "conllu": partial(corefud.parse, content, name),
                "12": partial(conll.parse, full, name),
                "5": partial(conll.parse, lean, name),
            },
            _ROUNDS,
        )
        for form in forms:
            detail = f"{name}: {seconds(times['conllu'])} / {seconds(times[form])}"
            worst[form] = max(worst[form], (times["conllu"] / times[form], detail))
    for form, whose in forms.items():
        row = what.format(form, whose)
        ratio, detail = worst[form]
        if not files:
            yield not_measured(row, _MISSING)
        elif form == "12":
            yield at_most(row, ratio, 3, detail=detail)
        else:  # a file without tags and trees is a quarter of the bytes: good to know, no promise
            yield without_limit(row, ratio, detail=detail)


def twelve_columns(lean: bytes) -> bytes:
    """A CoNLL file with columns for tags, trees, lemmas, senses, speakers and names besides."""
    lines = []
    for line in lean.split(b"\n"):
        cells = line.split(b"\t")
        if len(cells) == 5:
            more = (b"NOUN", b"(TOP(S(NP*))", cells[3], b"01", b"1", b"Speaker#1", b"(PERSON)")
            cells[4:4] = more
        lines.append(b"\t".join(cells))
    return b"\n".join(lines)


def _pair() -> list[Path] | None:
    """The largest pair of the conformance data; None where it is not there."""
    names = ("keys/cs_pdtc-ft", "responses/cs_pdtc-ft.fair")
    files = [_folder() / f"{name}.conllu.gz" for name in names]
    return files if all(file.exists() for file in files) else None


def _scoring(scratch: Path) -> Iterator[Row]:
    """The largest pair of the conformance data against `import numpy`; five settings and one."""
    what = "corefkit score --profile corefud, the largest CorefUD pair"
    whole = f"{what} / import numpy, processor time"
    all_five = f"{what}, five settings / import numpy, processor time"
    several = "corefkit score --profile corefud: five settings / one"
    files = _pair()
    if files is None:
        for row in (whole, all_five, several):
            yield not_measured(row, _MISSING)
        return
    env = environment(scratch)
    score: list[str | Path] = ["score", *files, "--profile", "corefud"]
    chosen = [f"--setting={setting}" for setting in _SETTINGS]
    commands = {
        "numpy": python("import numpy"),
        "one": corefkit(*score, chosen[0]),
        "five": corefkit(*score, *chosen),
    }
    tasks = {name: process(c, env) for name, c in commands.items()}
    times = fastest(tasks, _ROUNDS, clock=processor_time)
    for row, name in ((whole, "one"), (all_five, "five")):
        detail = f"{seconds(times[name])} / {seconds(times['numpy'])}"
        yield at_most(row, times[name] / times["numpy"], _LIMITS[name], detail=detail)
    detail = f"{seconds(times['five'])} / {seconds(times['one'])}"
    yield at_most(several, times["five"] / times["one"], 2.5, detail=detail)


_READ_BY_UDAPI = """
import sys
from udapi.core.document import Document
for path in sys.argv[1:]:
    document = Document()
    document.load_conllu(path)
    document.coref_mentions
"""


def _official(scratch: Path) -> Iterator[Row]:
    """corefud-scorer on the largest pair, where it is; else what is known of the time it needs.

    The scorer is in no package index: COREFUD_SCORER names its script. It reads files by Udapi,
    which is in one: its reading alone is a lower bound of the scorer's time.
    """
    whole = "corefud-scorer on the largest CorefUD pair / corefkit score --profile corefud"
    reading = "Udapi reads the largest CorefUD pair, no scores / corefkit score --profile corefud"
    files, script = _pair(), os.environ.get("COREFUD_SCORER")
    if files is None:
        yield not_measured(whole, _MISSING)
        yield not_measured(reading, _MISSING)
        return
    plain = [scratch / file.stem for file in files]
    for file, copy in zip(files, plain, strict=True):
        copy.write_bytes(load(str(file)))
    commands = {"corefkit": corefkit("score", *plain, "--profile", "corefud")}
    if script:
        commands["scorer"] = [sys.executable, script, *map(str, plain)]
    if find_spec("udapi"):
        commands["udapi"] = [*python(_READ_BY_UDAPI), *map(str, plain)]
    env = environment(scratch)
    times = fastest({name: process(c, env) for name, c in commands.items()}, 3)
    details = {name: f"{seconds(t)} / {seconds(times['corefkit'])}" for name, t in times.items()}
    if script:
        ratio = times["scorer"] / times["corefkit"]
        yield at_least(whole, ratio, 20, detail=details["scorer"])
    else:
        yield not_measured(whole, "COREFUD_SCORER does not name its script")
    if "udapi" in commands:
        ratio = times["udapi"] / times["corefkit"]
        yield without_limit(reading, ratio, detail=details["udapi"])
    else:
        yield not_measured(reading, "udapi is not installed")
