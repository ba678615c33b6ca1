"""Broken files of every format: a corpus with incidents, never an exception."""

import random
from pathlib import Path

import pytest

from corefkit.core.incidents import errors
from corefkit.core.options import PLAIN
from corefkit.formats import registry
from tests.formats.samples import put, sample
from tests.strategies import TIMES

PIECES = [b"\t", b"\n", b'"', b"[", b"]", b"{", b"}", b"-1", b"99999999999999999999", b"null", b"|"]
PIECES += [
    b"\xff",
    b"<",
    b">",
    b"->",
    b"[1_1]",
    b"_",
    b"\\",
    b"0",
    b",",
    b":",
    b"T1",
    b"\r",
    b"1e9",
]


def mutated(rng: random.Random, data: bytes) -> bytes:
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(data) + 1), rng.randrange(6)
        data = data[:at] + rng.choice([b"", *PIECES]) + data[at + size :]
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data


@pytest.mark.more
@pytest.mark.parametrize(
    "name", [n for n in registry.format_names() if n not in ("conllu", "parquet")]
)
def test_mutations(name: str, tmp_path: Path, number: int = 125 * TIMES) -> None:
    path = str(put(name, tmp_path))
    rng = random.Random(name)
    format, sound = registry.get_format(name), sample(name)
    assert not errors(format.parse(sound, path, PLAIN).incidents)
    for _ in range(number):
        corpus = format.parse(mutated(rng, sound), path, PLAIN)
        if not errors(corpus.incidents):
            assert (corpus.end >= corpus.start).all()
            assert ((corpus.end < corpus.tokens[corpus.document]) | (corpus.tokens < 0).any()).all()
            if "words" in format.holds and name not in ("conll", "semeval2010"):
                assert len(corpus.column("word")) == max(int(corpus.tokens.sum()), 0)
