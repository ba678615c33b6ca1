"""Broken files of every format of the registry, for `tests.fuzz`."""

import random
import tempfile
import zlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.data.incidents import errors
from corefkit.formats import PLAIN, registry
from corefkit.formats.detection import detect
from tests.formats.samples import path_of, put_companions, sample
from tests.formats.test_mutations import PIECES

_LEFT_OUT = ("conll", "conllu", *(() if find_spec("spacy") else ("spacy",)))
NAMES = [name for name in registry.names() if name not in _LEFT_OUT]
"""Columns have makers of their own; spaCy files need spaCy."""
SLOW = ("spacy", "parquet")
"""Formats whose files other packages read: each takes long, and few broken ones get anywhere."""
TOKENS = [*PIECES, b"<", b"</", b"/>", b"&amp;", b"&x;", b"<!--", b"]]>", b"(#1)", b"|", b"##"]
TOKENS += ["😀".encode(), b"\xc3", b"\x00", b"TRUE", b'""', b"[[", b"]]", b"0 5;9 12", b"..", b"#"]


@cache
def _sample(name: str) -> bytes:
    return sample(name)


@cache
def _folder() -> Path:
    """A folder with what stands beside the samples, for as long as the program runs."""
    made = tempfile.TemporaryDirectory()
    _kept.append(made)
    put_companions(Path(made.name))
    return Path(made.name)


_kept: list[tempfile.TemporaryDirectory[str]] = []


def broken(rng: random.Random) -> tuple[str, bytes]:
    """The name of a format, and a file of it with something changed."""
    name = rng.choice(NAMES)
    while name in SLOW and rng.random() < 0.95:
        name = rng.choice(NAMES)
    data = _sample(name)
    if name == "spacy" and rng.random() < 0.5:
        return name, zlib.compress(_changed(rng, zlib.decompress(data)))
    return name, _changed(rng, data)


def _changed(rng: random.Random, data: bytes) -> bytes:
    kind = rng.random()
    if kind < 0.1:  # cut off
        return data[: rng.randrange(len(data) + 1)]
    if kind < 0.12:
        return _large(rng, data)
    for _ in range(rng.randint(1, 5)):
        at, size = rng.randrange(len(data) + 1), rng.choice([0, 0, 1, 1, 2, 5, 20])
        other = rng.randrange(len(data) + 1)
        put = rng.choice([b"", rng.choice(TOKENS), data[other : other + rng.randrange(40)]])
        data = data[:at] + put + data[at + size :]
    return data


def _large(rng: random.Random, data: bytes) -> bytes:
    """A part of the file, or a piece, again and again: deep nesting, long lists, long lines."""
    size = rng.choice([1000, 20_000])
    at = rng.randrange(len(data) + 1)
    piece = rng.choice([rng.choice(TOKENS), data[at : at + rng.randrange(1, 60)]])
    piece = rng.choice([piece, b"<a>", b'<rs ref="#x">', b"[", b'{"a":', b"<COREF ID=", b"[a "])
    return data[:at] + piece * (size // max(len(piece) // 4, 1)) + data[at:]


def examine_format(rng: random.Random, name: str, data: bytes) -> None:
    """Read a file, by its format or by what it looks like; score it where it can be read."""
    detect(data)
    path = path_of(name, _folder())
    try:
        corpus = (
            registry.parse(data, path, PLAIN)
            if rng.random() < 0.3
            else registry.get(name).parse(data, path, PLAIN)
        )
    except UsageError:  # a file that says it needs something that is not there
        return
    for incident in corpus.incidents:
        assert incident.message
        assert incident.line is None or incident.line >= 1
    if errors(corpus.incidents):
        return
    _check_spans(corpus)
    if rng.random() < 0.2 and corpus.mentions < 1000:
        try:
            scores = corefkit.score(corpus, corpus, "muc,bcub", align="never")
        except DataError:  # e.g. no document at all: a clear refusal
            return
        assert all(score.f1 in (0, 1) for score in scores.values())


def _check_spans(corpus: Corpus) -> None:
    zero = 0 if corpus.zero is None else corpus.zero
    assert ((corpus.start >= 0) | (zero > 0)).all()
    assert (corpus.end >= corpus.start).all()
    size = corpus.tokens[corpus.document]
    assert ((corpus.end < size) | (size < 0)).all()
