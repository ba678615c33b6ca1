"""Every key with a response among the shared files and the examples."""

from collections.abc import Iterator
from pathlib import Path

from tests.support import CONFORMANCE, EXAMPLES, SHARED

_STEMS = (
    (CONFORMANCE / "reference", "*.key", "-*.response"),
    (CONFORMANCE / "ontonotes-dev", "key.conll.gz", "response-*"),
    (CONFORMANCE / "litbank", "key.conll.gz", "response-*"),
    (CONFORMANCE / "cross-document", "key_ecbp.conll.gz", "*ecbp*response.conll.gz"),
    (CONFORMANCE / "cross-document", "key_gvc.conll.gz", "*gvc*response.conll.gz"),
    (CONFORMANCE / "anaphora", "*.key.conllua.gz", ".*"),
    (CONFORMANCE / "anaphora/micro", "*.key.conllua", ".response*"),
    (CONFORMANCE / "anaphora/mina", "*.key.conll*", ".response*"),
    (CONFORMANCE / "anaphora/semeval", "*.key.txt.gz", ".response*"),
    (CONFORMANCE / "anaphora/ua-tests", "*/*.key", "-*"),
    (CONFORMANCE / "anaphora/arrau", "key", "response"),
    (CONFORMANCE / "corefud/cases", "*.key.conllu", ".response*"),
    (CONFORMANCE / "corefud/reference", "*.key", "-*.response"),
    (CONFORMANCE / "corefud/keys", "*.conllu.gz", "../responses/STEM.*"),
    (CONFORMANCE / "strata", "*.key.*", ".*"),
    (SHARED / "made", "*/*.key.*", ".*"),
    (SHARED / "made", "*/*.key", "[.-]*"),
)
"""Folder, pattern of the keys, pattern of the responses: beside the key, after its stem."""


def _stem(key: Path) -> str:
    return key.name.partition(".key")[0].removesuffix(".gz").removesuffix(".conllu")


def shared_pairs() -> Iterator[tuple[Path, Path]]:
    """The pairs of the shared files."""
    for folder, keys, responses in _STEMS:
        for key in sorted(folder.glob(keys)):
            if ".key" in key.name:
                found = key.parent.glob(_stem(key) + responses)
            else:
                found = key.parent.glob(responses.replace("STEM", _stem(key)))
            wanted = {".gz", "", ".conll", ".conllu", ".conllua", ".jsonl", ".response", ".txt"}
            for response in sorted(found):
                if ".key" not in response.name and response.suffix in wanted:
                    yield key, response
    lines = (CONFORMANCE / "annotators/pairs.tsv").read_text("utf-8").splitlines()
    folder = CONFORMANCE / "annotators"
    for text, ours, theirs, *_ in (line.split("\t") for line in lines[1:]):
        yield folder / f"{text}.{ours}.conll.gz", folder / f"{text}.{theirs}.conll.gz"


def example_pairs() -> Iterator[tuple[Path, Path]]:
    """The pairs of the examples."""
    for name in ("careful", "hasty", "baseline"):
        yield EXAMPLES / "key.conll", EXAMPLES / f"{name}.conll"
    yield EXAMPLES / "drawer.conllu", EXAMPLES / "drawer-system.conllu"
    yield EXAMPLES / "picnic.conllua", EXAMPLES / "picnic-system.conllua"
