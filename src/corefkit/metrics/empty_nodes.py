"""Empty nodes of CorefUD, as CRAC 2026 scores them: found, and with the right properties.

Each empty node is a tuple of its document, its sentence, its parent in the first item of DEPS and,
depending on the level, further properties; key and response are compared as multisets.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from corefkit.core.arrays import EMPTY, Distinct, FloatArray, IntArray, distinct, sum_by
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.options import PLAIN
from corefkit.core.source import EmptyNodeTable
from corefkit.metrics.base import (
    OUTCOMES,
    Counted,
    MatchedMetric,
    MatchedSides,
    Score,
    Sums,
    outcomes_f1,
    score_levels,
)

_COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
_PROPERTIES = {
    "arc": (),
    "dep": ("relation",),
    "wo": ("before",),
    "dep_wo": ("relation", "before"),
    **{name: (name,) for name in _COLUMNS},
    "all": ("relation", "before", *_COLUMNS),
}
"""The properties that each level compares besides document, sentence and parent."""
LEVELS = tuple(_PROPERTIES)


def count(matched: MatchedSides) -> Counted:
    """tp, fn and fp by document, on each level."""
    number = {name: n for n, name in enumerate(matched.key.names)}
    key_parts, response_parts = (list(_scored(side, number)) for side in matched.read)
    nodes = [*key_parts, *response_parts]
    document = np.concatenate([EMPTY, *(part.document for part in nodes)])
    sentence = np.concatenate([EMPTY, *(part.sentence for part in nodes)])
    code = {
        name: _codes(getattr(part, name) for part in nodes)
        for name in ("parent", "relation", "before")
    }
    for index, name in enumerate(_COLUMNS):
        code[name] = _codes(part.columns[index] for part in nodes)
    columns = []
    arc = _refined(_refined(distinct(document), sentence), code["parent"])
    for properties in _PROPERTIES.values():
        identity = arc
        for name in properties:
            identity = _refined(identity, code[name])
        times = [
            np.bincount(side, minlength=len(identity.first))
            for side in np.split(identity.inverse, [sum(len(part.line) for part in key_parts)])
        ]
        both = np.minimum(*times)
        of_document = document[identity.first]
        for counted in (both, times[0] - both, times[1] - both):
            columns.append(sum_by(of_document, counted, len(number)))
    return tuple(columns)


def _refined(identity: Distinct, code: IntArray) -> Distinct:
    """The identity of nodes, refined: equal only if the codes, int64 (nodes,) from 0, are, too."""
    return distinct(identity.inverse * (int(code.max(initial=0)) + 1) + code)


def _codes(parts: Iterable[Sequence[str]]) -> IntArray:
    """int64 (nodes,): a number for each value of all parts, equal for equal values."""
    values = list(chain.from_iterable(parts))
    number = {value: index for index, value in enumerate(dict.fromkeys(values))}
    return np.array([*map(number.__getitem__, values)], dtype=np.int64)


def _scored(corpus: Corpus, number: dict[str, int]) -> Iterator[EmptyNodeTable]:
    """The empty nodes of each file in documents that are scored; `number` is that of each name."""
    for source in corpus.sources:
        first = source.first_document
        names = corpus.names[first : first + source.documents]
        nodes = source.empty_nodes()
        document = np.array([number.get(name, -1) for name in names], dtype=np.int64)
        if len(nodes.document):
            nodes = nodes.with_documents(document[nodes.document])
        if "" in nodes.relation:
            bare = nodes.relation.index("")
            line, shown = int(nodes.line[bare]), nodes.parent[bare] or "_"
            raise data_error("deps-bad", at=line, file=source.path, found=shown)
        yield nodes


def score(sums: Sums) -> Score:
    """The score of the level `arc`, with all levels."""
    return score_levels(sums, LEVELS, "arc")


def f1(sums: FloatArray) -> FloatArray:
    """F1 of the arcs: float64 (…, 30, samples) → (…, samples)."""
    return outcomes_f1(sums[..., :3, :])


def _sample() -> tuple[Corpus, Corpus]:
    """A sentence with two empty nodes; the response has one, with another relation."""
    from corefkit.formats.registry import parse

    head = "# newdoc id = example\n# global.Entity = eid-etype-head-other\n"
    word = "1\tLlueve\tllover\tVERB\t_\t_\t0\troot\t_\tEntity=(e1--1)\n"
    nodes = "1.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\t_\n1.2\t_\t_\tPRON\t_\t_\t_\t_\t1:obj\t_\n"
    other = "1.1\t_\t_\tPRON\t_\t_\t_\t_\t1:obl\t_\n"
    return (
        parse(f"{head}{word}{nodes}\n".encode(), "key", PLAIN),
        parse(f"{head}{word}{other}\n".encode(), "response", PLAIN),
    )


EMPTY_NODES = MatchedMetric(
    name="empty-nodes",
    title="Empty nodes",
    help="empty nodes of CorefUD that were found, with the right parent, relation, place and word",
    citation="the empty-node baseline of CRAC 2026 (ufal/crac2026_empty_nodes_baseline)",
    formula="""\
R = tp / key nodes, P = tp / response nodes, over tuples of document, sentence, parent and, by
level, more: arc nothing, dep the relation, wo the word before the node, dep_wo both, form, lemma,
upos, xpos and feats that column, all everything. arc is what is reported.""",
    example="""\
The key has two empty nodes that depend on word 1, as nsubj and obj; the response one, as obl.
dep: R = 0/2, P = 0/1. arc: R = 1/2, P = 1/1.""",
    columns=tuple(f"{level}_{name}" for level in LEVELS for name in OUTCOMES),
    sample=_sample,
    count=count,
    score=score,
    f1=f1,
)
