"""Corpus tools: the annotation layers of a corpus, and what is built on them.

`Tokens` has the layers as columns; `documents` gives them as `Document`s of `Sentence`s of `Token`s
with `Tree`s, `LabelledSpan`s and `Proposition`s. `statistics` describes a corpus. `partition` and
`draw_split` split it. `gold_mentions` and `gold_boundaries` make the inputs of the supplementary
settings of CoNLL-2012. `mask` and `fill` remove words and restore them (`read_words` reads them).
`write_layer`, `read_coref`, `read_name`, `read_parse` and `merge` handle layers in separate files;
`parse_trees` reads trees. `disagreements` lists where annotators differ; `corefkit.agree` measures
how much.

>>> import corefkit
>>> from corefkit.corpora import Tokens, documents
>>> tokens = Tokens(corefkit.read("examples/key.conll"))
>>> print(next(documents(tokens))[2].tree.children[0].children[0])
(NP (PRP She))
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.core.tokens import Tokens
    from corefkit.corpora.disagreements import disagreements
    from corefkit.corpora.layers import read_coref, read_name, read_parse, write_layer
    from corefkit.corpora.merging import Merged, merge
    from corefkit.corpora.objects import Document, Proposition, Sentence, Token, documents
    from corefkit.corpora.skeleton import fill, mask, read_words
    from corefkit.corpora.split import draw_split, partition
    from corefkit.corpora.stats import Statistics, statistics
    from corefkit.corpora.syntax import gold_boundaries, gold_mentions
    from corefkit.corpora.trees import LabelledSpan, Tree, parse_trees

__all__ = [
    "Document",
    "LabelledSpan",
    "Merged",
    "Proposition",
    "Sentence",
    "Statistics",
    "Token",
    "Tokens",
    "Tree",
    "disagreements",
    "documents",
    "draw_split",
    "fill",
    "gold_boundaries",
    "gold_mentions",
    "mask",
    "merge",
    "parse_trees",
    "partition",
    "read_coref",
    "read_name",
    "read_parse",
    "read_words",
    "statistics",
    "write_layer",
]

_HOMES = {
    "corpora.syntax": ["gold_boundaries", "gold_mentions"],
    "corpora.disagreements": ["disagreements"],
    "corpora.layers": ["read_coref", "read_name", "read_parse", "write_layer"],
    "corpora.merging": ["Merged", "merge"],
    "corpora.skeleton": ["fill", "mask", "read_words"],
    "corpora.split": ["draw_split", "partition"],
    "corpora.stats": ["Statistics", "statistics"],
    "core.tokens": ["Tokens"],
    "corpora.objects": ["Document", "Proposition", "Sentence", "Token", "documents"],
    "corpora.trees": ["LabelledSpan", "Tree", "parse_trees"],
}

__getattr__, __dir__ = attach(__name__, _HOMES)
