"""Corpus tools: all annotation layers of OntoNotes-style corpora, and what is built on them.

>>> import corefkit
>>> from corefkit.ontonotes import Tokens
>>> tokens = Tokens(corefkit.read("examples/key.conll"))
>>> print(next(tokens.documents())[2].tree.children[0].children[0])
(NP (PRP She))
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.ontonotes.boundaries import gold_boundaries, gold_mentions
    from corefkit.ontonotes.differing import disagreements
    from corefkit.ontonotes.layers import merge, read_coref, read_name, read_parse, write_layer
    from corefkit.ontonotes.skeleton import fill, mask
    from corefkit.ontonotes.splitting import partition
    from corefkit.ontonotes.stats import statistics
    from corefkit.ontonotes.tokens import Tokens
    from corefkit.ontonotes.trees import Tree, parse_trees
    from corefkit.ontonotes.words import read_words
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
    "ontonotes.boundaries": ["gold_boundaries", "gold_mentions"],
    "ontonotes.differing": ["disagreements"],
    "ontonotes.layers": ["merge", "read_coref", "read_name", "read_parse", "write_layer"],
    "ontonotes.skeleton": ["fill", "mask"],
    "ontonotes.splitting": ["partition"],
    "ontonotes.stats": ["statistics"],
    "ontonotes.tokens": ["Tokens"],
    "ontonotes.trees": ["Tree", "parse_trees"],
    "ontonotes.words": ["read_words"],
    "stats.agreement": ["agree"],
}

__getattr__, __dir__ = attach(__name__, _HOMES)
