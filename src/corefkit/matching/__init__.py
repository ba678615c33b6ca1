"""Matching: which mentions of key and response are the same; one rule per module.

A rule takes two corpora with the same documents and returns Pairs, one-to-one but for the rule
`min`. Later steps see nothing else of it.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs

MatchingRule = Callable[[Corpus, Corpus, Mapping[str, str]], Pairs]


def match(
    key: Corpus, response: Corpus, rule: str = "exact", policies: Mapping[str, str] | None = None
) -> Pairs:
    """The matching mentions of two corpora by a rule; `policies` are those of the run.

    Both corpora must have the same documents, and no mention may occur twice.
    """
    return find_rule(rule)(key, response, policies or {})


def find_rule(name: str) -> MatchingRule:
    """A matching rule: the function `match` of the module with its name in this package."""
    function: MatchingRule = import_module(f"corefkit.matching.{name}").match
    return function
