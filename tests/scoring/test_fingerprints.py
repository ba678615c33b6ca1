"""Known keys are recognised whatever their names, words and order; others are not."""

import json
import random
from hashlib import sha256

import pytest

import corefkit
from corefkit import Corpus
from corefkit.scoring.fingerprints import fingerprints, recognise, table
from tests.support import CONFORMANCE, EXAMPLES, ROOT, needs_conformance, run

KEYS = {
    "ontonotes-dev/key.conll.gz": "CoNLL-2012 English development",
    "litbank/key.conll.gz": "LitBank",
    "corefud/keys/cs_pdtc-ft.conllu.gz": "UD Czech-PDTC, part ft",
    "corefud/keys/hu_korkor.conllu.gz": "KorKor",
    "corefud/keys/no_nynorsk.conllu.gz": "NARC Nynorsk, 30 documents",
    "corefud/keys/en_gentle-grp.conllu.gz": "GENTLE",
}


@needs_conformance
@pytest.mark.parametrize("file", KEYS)
def test_known_keys(file: str) -> None:
    corpus = corefkit.read(CONFORMANCE / file)
    known = recognise(corpus)
    assert known is not None
    assert (known.name, known.differ) == (KEYS[file], 0)
    assert known.documents[0] == known.documents[1] == len({*fingerprints(corpus)})


@needs_conformance
def test_renamed_shuffled_and_changed() -> None:
    clusters = corefkit.read(CONFORMANCE / "litbank" / "key.conll.gz").clusters()
    names = list(clusters)
    random.Random(1).shuffle(names)
    other = {f"book {number}": clusters[name][::-1] for number, name in enumerate(names)}
    assert recognise(Corpus.from_clusters(other)) == recognise(Corpus.from_clusters(clusters))
    other["book 7"] = [[(start + 1, end + 1) for start, end in c] for c in other["book 7"]]
    changed = recognise(Corpus.from_clusters(other))
    assert changed is not None
    assert (changed.documents, changed.differ) == ((99, 100), 1)
    half = {name: other[name] for name in list(other)[10:60]}
    assert recognise(Corpus.from_clusters(half)) is not None
    less = {name: other[name] for name in list(other)[10:59]}
    assert recognise(Corpus.from_clusters(less)) is None


@needs_conformance
def test_where_it_is_said() -> None:
    key = CONFORMANCE / "corefud" / "keys" / "no_nynorsk.conllu.gz"
    name = "NARC Nynorsk, 30 documents"
    line = f"{name} (30 of 30 documents); singletons are annotated"
    assert f"{key}: {line}" in run("check", key).out
    (listed,) = json.loads(run("check", key, "-f", "json").out)["files"]
    assert listed["known"]["documents"] == [30, 30]
    scored = json.loads(run("score", key, key, "-m", "muc", "-f", "json").out)
    assert scored["key"]["known"]["name"] == name
    assert name not in run("score", key, key, "-m", "muc").shown
    assert f"note: no_nynorsk: {line}" in run("stats", key).err
    index = run("score", key, key, "-m", "muc", "-f", "model-index").out
    assert 'type: "narc-nynorsk"' in index and f'name: "{name}"' in index


def test_unknown_corpora() -> None:
    assert recognise(corefkit.read(EXAMPLES / "key.conll")) is None
    assert (
        "known"
        not in json.loads(
            run("score", EXAMPLES / "key.conll", EXAMPLES / "key.conll", "-f", "json").out
        )["key"]
    )
    drawn = random.Random(0)
    for _ in range(1000):
        documents = {
            str(number): [
                sorted({(start, start) for start in drawn.sample(range(20), 3)}) for _ in range(3)
            ]
            for number in range(4)
        }
        assert recognise(Corpus.from_clusters(documents)) is None
    assert recognise(Corpus.from_clusters({})) is None


def test_the_definition() -> None:
    """Eight bytes of SHA-256 over sorted entities; small documents are left out."""
    clusters = [[(3, 4), (0, 0)], [(8, 8), (1, 1), (6, 6)]]
    corpus = Corpus.from_clusters({"a": clusters, "small": [[(0, 0), (1, 1)]]})
    text = "0-0,3-4;1-1,6-6,8-8"
    assert list(fingerprints(corpus)) == [sha256(text.encode()).digest()[:8].hex()]


def test_the_table_holds_hashes_only() -> None:
    path = ROOT / "src" / "corefkit" / "scoring" / "fingerprints.json"
    assert path.stat().st_size < 200_000
    for entry in table():
        assert entry.keys() <= {"id", "name", "split", "note", "documents"}
        assert len(entry["documents"]) % 16 == 0 and len(entry["documents"]) >= 48
        int(entry["documents"], 16)
