"""Empty nodes of CorefUD, as CRAC 2026 scores them: found, and with the right properties.

Each empty node is a tuple of its document, its sentence, its parent in the first item of DEPS and,
by level, more; key and response are compared as multisets. Counts add over documents.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, distinct
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.options import PLAIN
from corefkit.core.source import EmptyNode
from corefkit.metrics import base as outcomes
from corefkit.metrics.base import Counted, MatchedMetric, MatchedSides, Score, Sums

_COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
_MORE = {
    "arc": (),
    "dep": ("relation",),
    "wo": ("before",),
    "dep_wo": ("relation", "before"),
    **{name: (name,) for name in _COLUMNS},
    "all": ("relation", "before", *_COLUMNS),
}
"""What is compared besides document, sentence and parent, by level."""
LEVELS = tuple(_MORE)


def count(matched: MatchedSides) -> Counted:
    """tp, fn and fp by document, on each level."""
    key, response = matched.read
    number = {name: n for n, name in enumerate(matched.key.names)}
    ours, theirs = (_nodes(side, number) for side in (key, response))
    nodes = [node for _, node in (*ours, *theirs)]
    document = np.array([place for place, _ in (*ours, *theirs)], dtype=np.int64)
    code = {
        "parent": _codes([(node.sentence, node.parent) for node in nodes]),
        "relation": _codes([node.relation for node in nodes]),
        "before": _codes([node.before for node in nodes]),
    }
    for place, name in enumerate(_COLUMNS):
        code[name] = _codes([node.columns[place] for node in nodes])
    columns = []
    arc = distinct(document * (len(nodes) + 1) + code["parent"])
    for more in _MORE.values():
        identity = arc
        for name in more:
            identity = distinct(identity.inverse * (len(nodes) + 1) + code[name])
        times = [
            np.bincount(side, minlength=len(identity.first))
            for side in np.split(identity.inverse, [len(ours)])
        ]
        both = np.minimum(*times)
        of_document = document[identity.first]
        for counted in (both, times[0] - both, times[1] - both):
            column = np.zeros(len(number), dtype=np.int64)
            np.add.at(column, of_document, counted)
            columns.append(column)
    return tuple(columns)


def _codes(values: Sequence[Hashable]) -> IntArray:
    """int64 (nodes,): a number for each value, the same for the same."""
    number = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return np.array(list(map(number.__getitem__, values)), dtype=np.int64)


def _nodes(corpus: Corpus, number: dict[str, int]) -> list[tuple[int, EmptyNode]]:
    """The empty nodes of the documents that are scored, each with the number of its document."""
    nodes = []
    for source in corpus.sources:
        for node in source.empty_nodes():
            document = number.get(corpus.names[source.first_document + node.document])
            if document is None:
                continue
            if not node.relation:
                line, shown = node.line, node.parent or "_"
                raise data_error("deps-bad", at=line, file=source.path, found=shown)
            nodes.append((document, node))
    return nodes


def score(sums: Sums) -> Score:
    """The level of arcs, with all levels beside it."""
    return outcomes.score_levels(sums, LEVELS, "arc")


def f1(sums: FloatArray) -> FloatArray:
    """F1 of the arcs: float64 (…, 30, samples) → (…, samples)."""
    return outcomes.f1(sums[..., :3, :])


def _sample() -> tuple[Corpus, Corpus]:
    """A sentence with two empty nodes; of the response one, with another relation."""
    from corefkit.formats import parse

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
    columns=tuple(f"{level}_{name}" for level in LEVELS for name in outcomes.COLUMNS),
    sample=_sample,
    count=count,
    score=score,
    f1=f1,
)
