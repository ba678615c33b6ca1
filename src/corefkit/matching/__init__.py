"""Matching: the partner of each mention on the other side. One rule per module.

A rule takes two corpora with the same documents and returns Pairs, one to one. Later
steps see nothing else.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from corefkit.core.corpus import Corpus
from corefkit.core.overlap import Pairs

MatchingRule = Callable[[Corpus, Corpus, Mapping[str, str]], Pairs]


def match(
    key: Corpus, response: Corpus, rule: str = "exact", policies: Mapping[str, str] | None = None
) -> Pairs:
    """The mentions that both sides have, by a rule; `policies` are those of the run.

    Both corpora have the same documents, and no mention twice.
    """
    return find_rule(rule)(key, response, policies or {})


def find_rule(name: str) -> MatchingRule:
    """The function `match` of the module of this package that is called like the rule."""
    function: MatchingRule = import_module(f"corefkit.matching.{name}").match
    return function
