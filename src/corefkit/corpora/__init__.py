"""Corpus tools: all annotation layers of OntoNotes-style corpora, and what is built on them.

>>> import corefkit
>>> from corefkit.corpora import Tokens
>>> tokens = Tokens(corefkit.read("examples/key.conll"))
>>> print(next(tokens.documents())[2].tree.children[0].children[0])
(NP (PRP She))
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.corpora.boundaries import gold_boundaries, gold_mentions
    from corefkit.corpora.disagreements import disagreements
    from corefkit.corpora.layers import merge, read_coref, read_name, read_parse, write_layer
    from corefkit.corpora.skeleton import fill, mask, read_words
    from corefkit.corpora.split import partition
    from corefkit.corpora.stats import statistics
    from corefkit.corpora.tokens import Tokens
    from corefkit.corpora.trees import Tree, parse_trees
    from corefkit.stats.agreement import agree

__all__ = [
    "Tokens",
    "Tree",
    "agree",
    "disagreements",
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
    "corpora.boundaries": ["gold_boundaries", "gold_mentions"],
    "corpora.disagreements": ["disagreements"],
    "corpora.layers": ["merge", "read_coref", "read_name", "read_parse", "write_layer"],
    "corpora.skeleton": ["fill", "mask", "read_words"],
    "corpora.split": ["partition"],
    "corpora.stats": ["statistics"],
    "corpora.tokens": ["Tokens"],
    "corpora.trees": ["Tree", "parse_trees"],
    "stats.agreement": ["agree"],
}

__getattr__, __dir__ = attach(__name__, _HOMES)
