"""Matching: the partner of each mention on the other side. One function, one rule a module.

A rule takes two corpora with the same documents and returns Pairs, one to one. Later
steps see nothing else.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from corefkit.data.corpus import Corpus
from corefkit.data.matching.pairs import Pairs

Rule = Callable[[Corpus, Corpus, Mapping[str, str]], Pairs]

RULES = {rule: rule for rule in ("exact", "partial", "head", "craft", "mina", "semeval", "either")}
"""Each rule and the module of this package that defines it, as a function `match`."""


def match(
    key: Corpus, response: Corpus, rule: str = "exact", policies: Mapping[str, str] | None = None
) -> Pairs:
    """The mentions that both sides have, by a rule; `policies` are those of the run.

    Both corpora have the same documents, and no mention twice.
    """
    function: Rule = import_module(f"corefkit.data.matching.{RULES[rule]}").match
    return function(key, response, policies or {})
