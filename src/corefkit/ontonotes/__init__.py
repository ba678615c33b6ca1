"""Corpus tools: all annotation layers of OntoNotes-style corpora, and what is built on them.

>>> import corefkit
>>> from corefkit.ontonotes import Tokens
>>> tokens = Tokens(corefkit.read("examples/key.conll"))
>>> print(next(tokens.documents())[2].tree.children[0].children[0])
(NP (PRP She))
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefkit.stats.agreement import agree
    from corefkit.ontonotes.boundaries import gold_boundaries, gold_mentions
    from corefkit.ontonotes.differing import disagreements
    from corefkit.ontonotes.layers import merge, read_coref, read_name, read_parse, write_layer
    from corefkit.ontonotes.skeleton import fill, mask
    from corefkit.ontonotes.splitting import partition
    from corefkit.ontonotes.stats import statistics
    from corefkit.ontonotes.tokens import Tokens
    from corefkit.ontonotes.trees import Tree, parse_trees
    from corefkit.ontonotes.words import read_words

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
    "Tokens": "tokens",
    "Tree": "trees",
    "agree": "agreement",
    "disagreements": "differing",
    "fill": "skeleton",
    "gold_boundaries": "boundaries",
    "gold_mentions": "boundaries",
    "mask": "skeleton",
    "merge": "layers",
    "parse_trees": "trees",
    "partition": "splitting",
    "read_coref": "layers",
    "read_name": "layers",
    "read_parse": "layers",
    "read_words": "words",
    "statistics": "stats",
    "write_layer": "layers",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'corefkit.ontonotes' has no attribute {name!r}")
    value = getattr(import_module(f"corefkit.ontonotes.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
