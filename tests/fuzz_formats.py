"""Broken files of every format of the registry, for `tests.fuzz`."""

import random
import re
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.core.incidents import errors
from corefkit.core.options import PLAIN, Reading
from corefkit.formats import registry
from corefkit.formats.format import Format
from corefkit.formats.kit.convert import Losses, write_as
from corefkit.formats.kit.detection import detect
from corefkit.formats.options import make_reading
from tests.formats.samples import put, sample
from tests.formats.test_mutations import PIECES
from tests.support import EXAMPLES

_LEFT_OUT = ("conll", "conllu", *(() if find_spec("spacy") else ("spacy",)))
NAMES = [name for name in registry.format_names() if name not in _LEFT_OUT]
"""Columns have makers of their own; spaCy files need spaCy."""
SLOW = ("spacy", "parquet")
"""Formats whose files other packages read: each takes long, and few broken ones get anywhere."""
_EXTRAS = {"spacy": "spacy", "parquet": "pyarrow"}
"""The packages without which files of some formats are refused."""
TOKENS = [*PIECES, b"<", b"</", b"/>", b"&amp;", b"&x;", b"<!--", b"]]>", b"(#1)", b"|", b"##"]
TOKENS += ["😀".encode(), b"\xc3", b"\x00", b"TRUE", b'""', b"[[", b"]]", b"0 5;9 12", b"..", b"#"]
TOKENS += [
    b'MIN="b"',
    b'STATUS="OPT"',
    b'REF="1"',
    b"0 1",
    b"1-1",
    b"*->1-1",
    b"null",
    b"[e1",
    b"e1]",
]
NESTED = [b"<a>", b'<rs ref="#x">', b"[", b'{"a":', b"<COREF ID=", b'<COREF ID="1">', b"[a "]
NESTED += [
    b"<m> ",
    b'<coref id="1">',
    b"a|[e1 ",
    b"{M1 ",
    b"(EntityID=1|MarkableID=m)",
    b"(",
    b"T1\t",
]
_CHOICES: dict[str, list[object]] = {
    "lenient": [True],
    "ends": ["inclusive", "exclusive"],
    "role": ["response"],
    "optional": ["drop"],
    "types": [("IDENT",), ("coref",), ("x",)],
    "relations": [("Coreference",), ("x",)],
    "mentions": [("Mention",), ("x",)],
    "layer": ["identity", "deixis", "events", "coref", "x"],
    "clusters": ["clusters", "predicted_clusters", "x"],
    "word_column": [1, 2, 99],
    "annotator": ["1", "x"],
}
"""What can be said about reading; every format ignores what is not its own."""
SMALL, LARGE = 4_000, 16_000
"""How often a piece is repeated to see how the time grows."""
GROWTH = 2.5
"""Four times the input may take so many times four times the time: n log n, caches, noise."""
_ATTEMPTS = 3
"""How often time that grew too fast is measured again before it is a defect."""
_FILES = 6
"""Of more files, one a document, none is read again."""
_NAME = 200
"""Nor where a name is longer than this."""
AT_ONCE = 0.5
"""Seconds that any of these may take, so that small times are not compared."""


@cache
def _samples(name: str) -> list[bytes]:
    """A tiny sound file, and part of the example where the format is written."""
    found = [sample(name)]
    format = registry.get_format(name)
    if format.write is not None and name not in SLOW:
        example = corefkit.read(EXAMPLES / "key.conll").only(
            "(nw/harbour/00/harbour_0001); part 000"
        )
        found.append(next(iter(write_as(example, "file", name).files.values()))[:4000])
    return found


@cache
def _places() -> dict[str, str]:
    """Format → the path of its sample, with what stands beside it, while the program runs."""
    made = tempfile.TemporaryDirectory()
    _kept.append(made)
    folders = {name: Path(made.name) / name for name in NAMES}
    for folder in folders.values():
        folder.mkdir()
    return {name: str(put(name, folder)) for name, folder in folders.items()}


_kept: list[tempfile.TemporaryDirectory[str]] = []


def _name(rng: random.Random) -> str:
    name = rng.choice(NAMES)
    while name in SLOW and rng.random() < 0.95:
        name = rng.choice(NAMES)
    return name


def broken(rng: random.Random) -> tuple[str, bytes]:
    """The name of a format, and a file of it with something changed."""
    name = _name(rng)
    data = rng.choice(_samples(name))
    if name == "spacy" and rng.random() < 0.5:
        return name, zlib.compress(_changed(rng, zlib.decompress(data)))
    return name, _changed(rng, data)


def _changed(rng: random.Random, data: bytes) -> bytes:
    kind = rng.random()
    if kind < 0.1:  # cut off
        return data[: rng.randrange(len(data) + 1)]
    if kind < 0.12:
        return _repeated(rng, data)(rng.choice([250, 5000]))
    if kind < 0.25:
        return _hostile(rng, data)
    for _ in range(rng.randint(1, 5)):
        at, size = rng.randrange(len(data) + 1), rng.choice([0, 0, 1, 1, 2, 5, 20])
        other = rng.randrange(len(data) + 1)
        put = rng.choice([b"", rng.choice(TOKENS), data[other : other + rng.randrange(40)]])
        data = data[:at] + put + data[at + size :]
    return data


VALUES = [b"true", b"null", b"-1", b"1.5", b"[]", b"{}", b'"x"', b"1e400", b"[true, true]"]
VALUES += [b"9" * 5000, b"9223372036854775808", b'"\\ud800"']
"""What stands where another type, or a smaller number, is wanted."""
DTDS = [
    b'<!DOCTYPE x [<!ENTITY eacute "e"><!ENTITY a "&eacute;&eacute;">]>',
    b'<!DOCTYPE x SYSTEM "x.dtd">',
    b'<!DOCTYPE x [<!ATTLIST x y CDATA "d"><!ENTITY % p SYSTEM "file:///nowhere"> %p;]>',
]


def _hostile(rng: random.Random, data: bytes) -> bytes:  # noqa: PLR0911 (one per shape)
    """One of the shapes that once were read as something else, or ended in an internal error."""
    shape = rng.randrange(6)
    if shape == 0:  # what follows the end, or the whole twice
        return data + rng.choice([data, b"x", b"[]", b"\x00", b"\x0b", b"]", b"\n\n<x/>"])
    if shape == 1:  # lines of vertical tabs and the like
        lines = data.split(b"\n")
        lines.insert(rng.randrange(len(lines) + 1), rng.choice([b"\x0b", b"\x0c", b"\xc2\x85"]))
        return b"\n".join(lines)
    if shape == 2 and (values := list(re.finditer(rb'\d+|"[^"]*"', data))):  # another type
        value = rng.choice(values)
        return data[: value.start()] + rng.choice(VALUES) + data[value.end() :]
    if shape == 3:  # a document type, and an entity somewhere
        at = data.find(b"?>") + 2 if data.startswith(b"<?") and b"?>" in data else 0
        inside = rng.randrange(at, len(data) + 1)
        entity = rng.choice([b"", b"&eacute;", b"&a;", b"&nowhere;"])
        return data[:at] + rng.choice(DTDS) + data[at:inside] + entity + data[inside:]
    if shape == 4:  # a key, an attribute or a line twice
        glue = b"\n" if data.count(b"\n") > 1 else b","
        pieces = data.split(glue)
        at = rng.randrange(len(pieces))
        return glue.join([*pieces[:at], pieces[at], *pieces[at:]])
    numbers = list(re.finditer(rb"\d+", data))  # crossing: two numbers change places
    if len(numbers) < 2:
        return data
    one, other = sorted(rng.sample(numbers, 2), key=lambda match: match.start())
    between = data[one.end() : other.start()]
    return data[: one.start()] + other[0] + between + one[0] + data[other.end() :]


def _repeated(rng: random.Random, data: bytes) -> Callable[[int], bytes]:
    """A part of the file, or a piece, again and again: deep nesting, long lists, long lines."""
    at = rng.randrange(len(data) + 1)
    own = data[at : at + rng.randrange(1, 60)]
    piece = rng.choice([rng.choice(TOKENS), own, own, rng.choice(NESTED)])
    return lambda times: data[:at] + piece * times + data[at:]


def examine_growth(rng: random.Random) -> tuple[str, bytes]:
    """Read a file in which a piece is repeated, then four times as often; the larger file.

    AssertionError where the time grows faster than the file.
    """
    name = rng.choice([name for name in NAMES if name not in SLOW])
    make = _repeated(rng, rng.choice(_samples(name)))
    for attempt in range(_ATTEMPTS):
        taken = []
        for times in (SMALL, LARGE):
            data = make(times)
            began = time.process_time()
            _read(name, data, PLAIN)
            taken.append(time.process_time() - began)
        small, large = taken
        if large < max(AT_ONCE, GROWTH * LARGE / SMALL * small):
            break
        told = f"{name}: {small:.3f} s, then {large:.3f} s for four times as much"
        assert attempt < _ATTEMPTS - 1, told  # a busy machine is no defect: measure again
    return name, data


def _read(name: str, data: bytes, reading: Reading) -> Corpus | None:
    """The corpus; None where an option is at fault, or the package that reads it is missing."""
    try:
        return registry.parse(data, _places()[name], reading)
    except UsageError as error:
        option = str(error).partition(":")[0]
        if option in reading.options:
            return None
        extra = _EXTRAS.get(reading.format or detect(data))
        if extra is None or find_spec(extra):
            raise
        return None


def examine_format(rng: random.Random, name: str, data: bytes) -> None:
    """Read a file, by its format or by what it looks like; use it where it can be read."""
    detect(data)
    reading = PLAIN if rng.random() < 0.3 else replace(PLAIN, format=name)
    for option in rng.sample(sorted(_CHOICES), rng.choice([0, 0, 0, 1, 2])):
        reading = make_reading(reading, **{option: rng.choice(_CHOICES[option])})
    corpus = _read(name, data, reading)
    if corpus is None:
        return
    for incident in corpus.incidents:
        assert incident.message
        assert incident.line is None or incident.line >= 1
    if errors(corpus.incidents):
        return
    _check_spans(corpus)
    if rng.random() < 0.2:
        _count_unread(corpus)
    if corpus.mentions < 1000:
        if rng.random() < 0.2:
            _score(corpus)
        if rng.random() < 0.1:
            _align(corpus)
        if corpus.names and rng.random() < 0.1:
            _convert(rng, corpus)


def _count_unread(corpus: Corpus) -> None:
    """What `convert` reports of a file that was read: names, each with a number from 1 on."""
    for source in corpus.sources:
        numbers = source.count_unread()
        assert all(name and number > 0 for name, number in numbers.items()), numbers


def _score(corpus: Corpus) -> None:
    try:
        scores = corefkit.score(corpus, corpus, "muc,bcub", strict=True)
    except DataError:  # e.g. no document at all: a clear refusal
        return
    assert all(score.f1 in (0, 1) for score in scores.values())


@cache
def _key() -> Corpus:
    return Corpus.from_records([{"doc_key": "x", "sentences": [["a", "b", "c"]], "clusters": []}])


def _align(corpus: Corpus) -> None:
    """Whatever the text is, its mentions are placed in a key, lost, or the text is refused."""
    try:
        corefkit.score(replace(_key(), names=corpus.names[:1] or ("x",)), corpus, "mentions")
    except DataError:
        return


def _convert(rng: random.Random, corpus: Corpus) -> None:
    """What is written can be read; what cannot be written is refused."""
    format = registry.get_format(rng.choice(WRITTEN))
    choices = Losses(rng.choice(["span", "first"]), rng.choice(["drop", "token"]))
    try:
        files, _, *_ = write_as(corpus, "file", format.name, choices)
    except DataError:
        return
    if len(files) > _FILES or max(map(len, files)) > _NAME:
        return  # names that no file can have are refused where they are written
    for path, data in files.items():
        if not path.endswith((".txt", ".tokens")) or len(files) == 1:
            _parse_again(format, path, data, files)


def _parse_again(format: Format, path: str, data: bytes, files: dict[str, bytes]) -> None:
    """Read what was written, with the files beside it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if len(files) > 1:
            for name, content in files.items():
                (place / Path(name).name).write_bytes(content)
        found = format.parse(data, str(place / Path(path).name), PLAIN)
    assert not errors(found.incidents), [*errors(found.incidents)][:1]


WRITTEN = [
    name
    for name in registry.format_names()
    if registry.get_format(name).write is not None and name not in SLOW
]


def _check_spans(corpus: Corpus) -> None:
    zero = 0 if corpus.zero is None else corpus.zero
    for row in np.flatnonzero((corpus.start < 0) & (zero == 0)).tolist():
        assert corpus.nodes is not None  # the first of several nodes is an empty one
        nodes = corpus.nodes.at(row)
        assert nodes is not None
        assert nodes[0] > (-1, 0)
    assert (corpus.end >= corpus.start).all()
    size = corpus.tokens[corpus.document]
    assert ((corpus.end < size) | (size < 0)).all()
