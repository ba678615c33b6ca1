"""The reader against a slow and obvious one: nodes, heads, entities and dependencies."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from corefkit import Corpus
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.links import ROOT
from corefkit.formats.conllu.reader import parse
from corefkit.formats.kit.files import load
from tests.formats.conllu.strategies import files
from tests.oracle.conllu import read_conllu
from tests.strategies import examples
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

Said = tuple[str, int, str, tuple[str, ...], str, frozenset[tuple[str, str]]]


def by_oracle(text: str) -> Counter[Said]:
    return Counter(
        (
            m.document,
            m.sentence,
            m.entity,
            tuple(m.nodes),
            m.head,
            m.deps if "." in m.head else frozenset(),
        )
        for m in read_conllu(text)
    )


def by_reader(corpus: Corpus) -> Counter[Said]:
    """The same of a corpus; ids are made from tokens and sentences."""
    (source,) = corpus.sources
    sentences = source.sentence_list()
    assert sentences is not None
    starts: dict[int, list[int]] = {}
    for document, first in zip(sentences.document.tolist(), sentences.first.tolist(), strict=False):
        before = int(corpus.tokens[:document].sum())
        starts.setdefault(document, []).append(first - before)

    def name(document: int, node: tuple[int, int]) -> tuple[int, str]:
        token, zero = node
        if node == ROOT:
            return -1, "0"
        word = token + 1 if zero > BEFORE_SENTENCE else token
        number = max(i for i, first in enumerate(starts[document]) if first <= word)
        place = 0 if zero > BEFORE_SENTENCE else token - starts[document][number] + 1
        minor = zero - BEFORE_SENTENCE if zero > BEFORE_SENTENCE else zero
        return number, f"{place}.{minor}" if zero else str(place)

    found: Counter[Said] = Counter()
    for row in range(corpus.mentions):
        document = int(corpus.document[row])
        nodes = corpus.nodes.at(row) if corpus.nodes else None
        if nodes is None:
            zero = int(corpus.zero[row]) if corpus.zero is not None else 0
            tokens = range(int(corpus.start[row]), int(corpus.end[row]) + 1)
            nodes = [(token, zero) for token in tokens]
        assert corpus.head is not None
        assert corpus.head_zero is not None
        head = int(corpus.head[row]), int(corpus.head_zero[row])
        arcs = corpus.dependencies.arcs(row) if corpus.dependencies else []
        deps = frozenset((name(document, parent)[1], relation) for parent, relation in arcs)
        label = corpus.labels[int(corpus.entity[row])]
        listed = tuple(name(document, node)[1] for node in nodes)
        sentence = name(document, nodes[0])[0]
        said = corpus.names[document], sentence, label, listed, name(document, head)[1], deps
        found[said] += 1
    return found


@given(files())
@examples(30)
def test_files_by_chance(data: bytes) -> None:
    assert by_reader(parse(data, "-")) == by_oracle(data.decode())


def paths() -> list[Path]:
    folder = CONFORMANCE / "corefud"
    keys = [folder / "keys" / f"{name}.conllu.gz" for name in ("cs_pdtc-ft", "la_aetheria")]
    return [*keys, folder / "keys" / "en_gentle-grp.conllu.gz"]


@needs_conformance
@pytest.mark.parametrize("path", paths(), ids=lambda path: path.name)
def test_keys(path: Path) -> None:
    data = load(str(path))
    assert by_reader(parse(data, "-")) == by_oracle(data.decode())


def test_example() -> None:
    data = (EXAMPLES / "drawer.conllu").read_bytes()
    assert by_reader(parse(data, "-")) == by_oracle(data.decode())
    assert sum(by_oracle(data.decode()).values()) == 9
