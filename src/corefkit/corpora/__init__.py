"""Corpus tools: all annotation layers of OntoNotes-style corpora, and what is built on them.

>>> import corefkit
>>> from corefkit.corpora import Tokens
>>> tokens = Tokens(corefkit.read("examples/key.conll"))
>>> print(next(tokens.documents())[2].tree.children[0].children[0])
(NP (PRP She))
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefkit.corpora.agreement import agree
    from corefkit.corpora.boundaries import gold_boundaries, gold_mentions
    from corefkit.corpora.differing import disagreements
    from corefkit.corpora.layers import merge, read_coref, read_name, read_parse, write_layer
    from corefkit.corpora.skeleton import fill, mask
    from corefkit.corpora.splitting import partition
    from corefkit.corpora.stats import statistics
    from corefkit.corpora.tokens import Tokens
    from corefkit.corpora.trees import Tree, parse_trees
    from corefkit.corpora.words import read_words

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
    from importlib import import_module  # noqa: PLC0415

    if name not in _HOMES:
        raise AttributeError(f"module 'corefkit.corpora' has no attribute {name!r}")
    value = getattr(import_module(f"corefkit.corpora.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
