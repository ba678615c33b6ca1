"""Documents of real Stanza; its models are not needed, the chains are put into its own classes."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.nodes import nodes_listed
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance

METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
WORDS = [["The", "crew", "slept"], ["They", "snored"], ["The", "captain", "heard", "them"]]
CREW = [(0, 0, 2), (1, 0, 1), (2, 3, 4)]
CAPTAIN = [(2, 0, 2)]


def stanza_module(name: str) -> Any:
    """A module of Stanza, which needs torch: `make torch` installs both."""
    return pytest.importorskip(name, reason="stanza is not installed")


def with_chains(doc: Any, chains: list[list[tuple[int, Any, Any]]]) -> Any:
    """A document whose setter attaches the chains to words, as that of the coref processor does."""
    own = stanza_module("stanza.models.coref.coref_chain")
    doc.coref = [
        own.CorefChain(number, [own.CorefMention(*mention) for mention in chain], "", 0)
        for number, chain in enumerate(chains)
    ]
    return doc


def document(*chains: list[tuple[int, Any, Any]]) -> Any:
    words = [[{"id": (n,), "text": w} for n, w in enumerate(s, 1)] for s in WORDS]
    return with_chains(stanza_module("stanza.models.common.doc").Document(words), list(chains))


def test_documents_of_stanza() -> None:
    key, response = document(CREW, CAPTAIN), document(CREW[:2], [*CAPTAIN, CREW[2]])
    wanted = corefkit.Evaluator().update([CREW, CAPTAIN], [CREW[:2], [*CAPTAIN, CREW[2]]]).scores()
    scores = corefkit.score(key, response)
    assert [scores[m].f1 for m in METRICS] == [wanted[m].f1 for m in METRICS]
    assert 0 < scores.conll < 1
    both = corefkit.score([key, key], [response, key])
    assert both["muc"].counts["recall"] == [3, 4]
    assert list(Corpus.from_spacy([key]).column("word")) == [w for s in WORDS for w in s]
    assert corefkit.score(key, document())["mentions"].counts == {
        "recall": [0, 4],
        "precision": [0, 0],
    }


def stanza_documents(path: Path, corpus: Corpus) -> list[Any]:
    """The documents of a CorefUD file as Stanza reads them, with the chains that we read."""
    reader = stanza_module("stanza.utils.conll").CoNLL
    documents = reader.conll2multi_docs(str(path), ignore_gapping=False)
    return [
        with_chains(doc, chains_of(corpus, number, doc)) for number, doc in enumerate(documents)
    ]


def chains_of(corpus: Corpus, document: int, doc: Any) -> list[list[tuple[int, Any, Any]]]:
    """Chains as Stanza counts them: sentence, first word, word behind the last; of zeros the id."""
    places = [(s, w) for s, one in enumerate(doc.sentences) for w in range(len(one.words))]
    chains: dict[int, list[tuple[int, Any, Any]]] = {}
    for row in corpus.rows_of_documents()[document].tolist():
        start, end = int(corpus.start[row]), int(corpus.end[row])
        zero = 0 if corpus.zero is None else int(corpus.zero[row])
        if zero > BEFORE_SENTENCE:
            sentence = places[start][0] + 1 if start >= 0 else 0
            word = (0, zero - BEFORE_SENTENCE)
            mention: tuple[int, Any, Any] = (sentence, word, word)
        elif zero:
            sentence, at = places[start]
            mention = (sentence, (at + 1, zero), (at + 1, zero))
        else:
            mention = (places[start][0], places[start][1], places[end][1] + 1)
        chains.setdefault(int(corpus.entity[row]), []).append(mention)
    return [*chains.values()]


def simple(corpus: Corpus) -> Corpus:
    """The corpus without mentions that Stanza cannot have: those of several parts."""
    rows = [row for row in range(corpus.mentions) if not nodes_listed(corpus, row)]
    return corpus.take(np.array(rows))


def check_file(key: Path, response: Path) -> None:
    """Scores of Stanza's documents are those of the files, key against response and itself."""
    ours, theirs = (simple(corefkit.read(path)) for path in (key, response))
    assert ours.zero is not None and ours.zero.any()
    docs, answers = stanza_documents(key, ours), stanza_documents(response, theirs)
    wanted = corefkit.score(ours, theirs, zeros="linear")
    for sides in ((docs, answers), (ours, answers), (docs, theirs)):
        scores = corefkit.score(*sides, zeros="linear")
        assert [scores[m].counts for m in METRICS] == [wanted[m].counts for m in METRICS]
    assert 0 < wanted.conll < 1
    assert corefkit.score(ours, docs).conll == 1


def test_empty_words() -> None:
    check_file(EXAMPLES / "drawer.conllu", EXAMPLES / "drawer-system.conllu")


@needs_conformance
@pytest.mark.parametrize("name", ["hu_korkor", "cs_pdtc-ft"])
def test_empty_words_of_a_treebank(name: str, tmp_path: Path) -> None:
    files = []
    for place in (f"keys/{name}", f"responses/{name}.fair"):
        packed = CONFORMANCE / "corefud" / f"{place}.conllu.gz"
        files.append(tmp_path / packed.stem)
        files[-1].write_bytes(gzip.decompress(packed.read_bytes()))
    check_file(*files)


def test_empty_words_are_numbered_in_their_sentence() -> None:
    """As the coref processor does; behind a word the first is the first, whatever its number."""
    words = [[{"id": (n,), "text": w} for n, w in enumerate(WORDS[0], 1)]]
    empty = [
        [{"id": (2, 1), "text": "_"}, {"id": (0, 2), "text": "_"}, {"id": (2, 3), "text": "_"}]
    ]
    doc = stanza_module("stanza.models.common.doc").Document(words, empty_sentences=empty)
    doc.coref = []
    with_chains(doc, [[(0, (2, 3), (2, 3)), (0, (0, 2), (0, 2)), (0, 0, 2)]])
    corpus = Corpus.from_spacy([doc])
    assert corpus.start.tolist() == [1, -1, 0]
    assert corpus.zero is not None and corpus.zero.tolist() == [2, BEFORE_SENTENCE + 1, 0]
