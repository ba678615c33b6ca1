"""Every format that is read, on real and made files with expected clusters."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.formats.kit.reading import read_all
from corefkit.formats.kit.text import to_tokens
from tests.formats.conformance import FOLDER, load
from tests.support import needs_conformance

Clusters = list[list[list[int]]]


def mention(corpus: Corpus, row: int) -> list[int]:
    """A mention as expected.json writes it: ends of characters are not included."""
    more = corpus.unit == "character"
    start, end = int(corpus.start[row]), int(corpus.end[row])
    nodes = corpus.nodes.at(row) if corpus.nodes else None
    if nodes is None:
        return [start, end + more]
    runs: list[int] = []
    for token, _ in nodes:
        if runs and token == runs[-1] + 1 - more:
            runs[-1] = token + more
        else:
            runs += [token, token + more]
    return runs


def clusters(corpus: Corpus, document: int) -> Clusters:
    found: dict[int, list[list[int]]] = {}
    if corpus.referring is not None:
        corpus = corpus.take(corpus.referring)
    for row in np.flatnonzero(corpus.document == document).tolist():
        found.setdefault(int(corpus.entity[row]), []).append(mention(corpus, row))
    return sorted(sorted({tuple(m): m for m in entity}.values()) for entity in found.values())


def sentences(corpus: Corpus, document: int) -> list[int]:
    """The lengths of the sentences of a document."""
    from corefkit.core.tokens import sentence_numbers

    at = np.cumsum([0, *corpus.tokens.tolist()])
    numbers = sentence_numbers(corpus)[at[document] : at[document + 1]]
    return [int(n) for n in np.unique(numbers, return_counts=True)[1]]


def without_zeros(counted: Clusters, zeros: list[int]) -> Clusters:
    """Clusters over all nodes, as clusters of tokens: an empty node is the token before it."""
    token = [-1]
    for node in range(max(end for c in counted for _, end in c) + 1):
        token.append(token[-1] + (node not in zeros))
    return sorted(sorted([token[a + 1], token[b + 1]] for a, b in c) for c in counted)


LEFT_OUT = {"sgml/edge-ontonotes.coref": [[[17, 17]]]}
"""Entities of parts of tokens, which are left out since FORMATS.md was amended."""


def expectations() -> list[Any]:
    found = []
    for folder in sorted({name.partition("/")[0] for name in load("detect.json")}):
        for name, wanted in load(f"{folder}/expected.json").items():
            if "format" in wanted:
                found.append(pytest.param(f"{folder}/{name}", wanted, id=f"{folder}/{name}"))
    return found


@needs_conformance
@pytest.mark.parametrize(("name", "wanted"), expectations())
def test_expected(name: str, wanted: dict[str, Any]) -> None:
    path = FOLDER / name.removesuffix(" (response)").removesuffix(" (DISCOURSE_DEIXIS)")
    role: Literal["key", "response"] = "response" if name.endswith(" (response)") else "key"
    layer = "deixis" if name.endswith(" (DISCOURSE_DEIXIS)") else None
    corpus = corefkit.read(path, role=role, layer=layer)
    assert len(corpus.names) == len(wanted["documents"])
    for number, document in enumerate(wanted["documents"]):
        unnamed = number in corpus.sources[0].unnamed
        assert (None if unnamed else corpus.names[number]) == document["name"]
        assert corpus.unit == document["unit"]
        if "characters" in document or "tokens" in document:
            size = document.get("characters", document.get("tokens"))
            assert corpus.tokens[number] == size
        if "sentences" in document:
            lengths = document["sentences"]
            if zeros := document.get("zeros"):  # they are counted among the tokens there
                lengths = [sum(lengths) - len(zeros)]
            assert sentences(corpus, number) == lengths
        wanted_clusters = sorted(sorted(c) for c in document["clusters"])
        if "zeros" in document:
            wanted_clusters = without_zeros(wanted_clusters, document["zeros"])
        wanted_clusters = [c for c in wanted_clusters if c not in LEFT_OUT.get(name, ())]
        assert clusters(corpus, number) == wanted_clusters


@needs_conformance
@pytest.mark.parametrize("name", sorted({e.values[0].partition(" (")[0] for e in expectations()}))
def test_scored_with_itself(name: str) -> None:
    """What can be read can be scored, by the defaults of `score`."""
    path = FOLDER / name
    found = corefkit.score(
        path, path, "mentions", clusters="clusters" if "edge-both" in name else None
    )
    assert found["mentions"].f1 == (1 if corefkit.read(path).mentions else 0)


def pairs() -> list[Any]:
    def name(side: str | list[str]) -> str:
        return side if isinstance(side, str) else "+".join(side)

    return [
        pytest.param(pair, id=" = ".join(name(side) for side in pair["files"]))
        for pair in load("pairs.json")
    ]


@needs_conformance
@pytest.mark.parametrize("pair", pairs())
def test_pairs(pair: dict[str, Any], tmp_path: Path) -> None:
    names = [[side] if isinstance(side, str) else side for side in pair["files"]]
    from corefkit.core.corpus import concat
    from corefkit.core.options import Options
    from corefkit.scorers.documents import same_names, same_unit

    ours, theirs = (concat([corefkit.read(FOLDER / n) for n in side]) for side in names)
    if len(ours.names) == len(theirs.names) == 1:  # no rule pairs what some of them are called
        theirs = replace(theirs, names=ours.names)
    theirs, found = same_names(ours, theirs, Options())
    ours, theirs, told, _ = same_unit(ours, theirs)
    assert not [i for i in (*found, *told) if i.severity == "error"]
    assert set(ours.names) == set(theirs.names)
    if "no singletons" in pair["note"]:
        ours = ours.drop_singletons()
    left, right = (
        {name: clusters(side, number) for number, name in enumerate(side.names)}
        for side in (ours, theirs)
    )
    assert (left == right) is pair["equal"]


def bad_files() -> list[Any]:
    return [pytest.param(name, wanted, id=name) for name, wanted in load("bad.json").items()]


OTHERS = {
    # ANAPHORA.md 13, which is later and owns CoNLL-UA, calls it feature-missing.
    "conllua/bad-no-entity.CONLLUA": [("feature-missing", 5)],
    # Both documents of the file lack clusters; bad.json names the first.
    "jsonlines/wl-coref-input.jsonlines": [("clusters-missing", 1), ("clusters-missing", 2)],
}
"""What we find in files of which bad.json says something else."""

TOLD = {
    "jsonlines/bad-span-outside.jsonlines": ["[3, 9]", "$.clusters[0][1]", "5 tokens"],
    "jsonlines/bad-exclusive-ends.jsonlines": ["[6, 7]", "7 tokens", "--read ends=exclusive"],
    "jsonlines/bad-null-mention.jsonlines": ["$.clusters[0][1]", "null"],
    "jsonlines/bad-shape.jsonlines": ["$.clusters[0][0]"],
    "jsonlines/bad-text-differs.jsonlines": ["[13, 16]", "'he '", "'She'"],
    "jsonlines/wl-coref-input.jsonlines": ["span_clusters, clusters", "input for prediction"],
    "brat/bad-text-differs.ann": ["'he '", "'She'"],
    "brat/bad-offset.ann": ["99", "23 characters"],
    "brat/bad-unknown-id.ann": ["T9"],
    "brat/bad-no-text.ann": ["bad-no-text.txt"],
    "webanno/bad-target.tsv": ["1-2"],
    "webanno/bad-lists.tsv": ["2 values, 1 target"],
    "webanno/bad-columns.tsv": ["4 columns", "6 columns"],
    "webanno/bad-no-layer.tsv": ["chain layer", '"coref"'],
    "corenlp/bad-index.json": ['$.corefs["5"][1]'],
    "corenlp/bad-sentence.json": ['$.corefs["5"][1]'],
    "semeval2010/bad-token-number.txt": ["3 after 1"],
    "gap/bad-label.tsv": ["yes"],
    "sgml/bad-ref.sgm": ["REF 9"],
}
"""What a good message says besides, by README.md of the data."""


@needs_conformance
@pytest.mark.parametrize(("name", "wanted"), bad_files())
def test_bad(name: str, wanted: dict[str, Any]) -> None:
    try:
        incidents = read_all(FOLDER / name).incidents
    except DataError as error:
        incidents = error.incidents
    expected = OTHERS.get(name, [(wanted["id"], wanted["line"])])
    assert [(i.id, i.line, i.severity) for i in incidents] == [(*e, "error") for e in expected]
    for incident in incidents:
        assert incident.file == str(FOLDER / name)
        assert incident.hint
        assert incident.count == 1
    first = incidents[0]
    text = " ".join(map(str, (first.message, first.found, first.expected, first.hint)))
    assert [said for said in TOLD.get(name, []) if said not in text] == []


@needs_conformance
def test_another_text() -> None:
    """It reads; aligned with the key it is another one."""
    answer = FOLDER / "markup/bad-other-text.md.txt"
    assert not read_all(answer).incidents
    with pytest.raises(DataError) as error:
        corefkit.score(FOLDER / "markup/harbour.conll", answer)
    assert [i.id for i in error.value.incidents if i.severity == "error"] == ["text-differs"]


def test_characters_of_nothing() -> None:
    nothing = Corpus.from_clusters({})
    assert to_tokens(nothing, nothing)[0].mentions == 0
