"""Broken files of every format: a corpus with incidents, never an exception."""

import json
import random
from pathlib import Path

import pytest

from corefkit import Corpus
from corefkit.formats import PLAIN, registry

OTHERS = {
    "subtoken": {"subtoken_map": [0, 0], "sentences": [["a", "##b"]], "clusters": [[[0, 1]]]},
    "lingmess": {"doc_key": "x", "tokens": ["a", "b"], "clusters": [[[0, 1]]]},
    "fastcoref": {"text": "a b", "clusters": [[[0, 1]]], "clusters_strings": [["a"]]},
    "allennlp": {"document": ["a", "b"], "clusters": [[[0, 1]]]},
    "corenlp-json": {
        "sentences": [{"tokens": [{"word": "a"}]}],
        "corefs": {"1": [{"sentNum": 1, "startIndex": 1, "endIndex": 2}]},
    },
}
SAMPLES: dict[str, bytes] = {name: json.dumps(row).encode() for name, row in OTHERS.items()} | {
    "s2e-predictions": b'{"x": [[[0, 1]]]}\n{"x": [0, 0, 1]}\n',
    "litbank-tsv": b"MENTION\tT1\t0\t0\t0\t1\ta b\tPER\tNOM\nCOREF\tT1\tx-0\n",
    "arrau": b"TOKEN MARKABLE MIN REFERENCE\na B-m=s word_1 new\nb I-m=s word_1 old\n",
    "semeval2010": b"#begin document a\n1\tb\t_\t_\t_\t_\t_\t_\t_\t_\t_\t(1\n2\tc\t1)\n",
    "corenlp-xml": b"<root><document><sentences><sentence><tokens><token><word>a</word></token>"
    b"</tokens></sentence></sentences><coreference><coreference><mention><sentence>1</sentence>"
    b"<start>1</start><end>2</end></mention></coreference></coreference></document></root>",
}
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


def samples(name: str) -> bytes:
    if name in SAMPLES:
        return SAMPLES[name]
    row = {"doc_key": "x", "sentences": [["a", "b"], ["c"]], "clusters": [[[0, 1], [2, 2]]]}
    write = registry.get(name).write
    assert write is not None
    return next(iter(write(Corpus.from_records([row]), "file").files.values()))


def mutated(rng: random.Random, data: bytes) -> bytes:
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(data) + 1), rng.randrange(6)
        data = data[:at] + rng.choice([b"", *PIECES]) + data[at + size :]
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data


@pytest.mark.parametrize("name", [n for n in registry.names() if n not in ("conllu", "parquet")])
def test_mutations(name: str, tmp_path: Path, number: int = 250) -> None:
    (tmp_path / "a.txt").write_text("a b c\n")
    (tmp_path / "a.tokens").write_text("sentence_ID\tword\n0\ta\n0\tb\n")
    path = str(tmp_path / ("a.entities" if name == "booknlp" else "a.ann"))
    rng = random.Random(name)
    format, sample = registry.get(name), samples(name)
    assert not [i for i in format.parse(sample, path, PLAIN).incidents if i.id == "no-document"]
    for _ in range(number):
        corpus = format.parse(mutated(rng, sample), path, PLAIN)
        if not [i for i in corpus.incidents if i.severity == "error"]:
            assert (corpus.end >= corpus.start).all()
            assert ((corpus.end < corpus.tokens[corpus.document]) | (corpus.tokens < 0).any()).all()
            if "words" in format.holds and name not in ("conll", "semeval2010"):
                assert len(corpus.column("word")) == max(int(corpus.tokens.sum()), 0)
