"""The rules of a scorer that are no options: the inside of other scorers, such as how one breaks
ties. Each scorer's class has a table of them (`Scorer.rules`), in which a row of another scorer
replaces that of the standard; `explain` mixes those of two scorers one by one.

>>> [rule.value for rule in with_rules(STANDARD_RULES, SCIPY_TIES)]
['scipy', 'any', 'all', 'key', 'error']
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias


class ScorerRule(NamedTuple):
    """A rule, a field of Options: its name, the value that a scorer has, and what that means."""

    name: str
    value: str
    words: str


Rules: TypeAlias = tuple[ScorerRule, ...]

STANDARD_RULES: Rules = (
    ScorerRule("ties", "first", "among equally good pairings, the first in the text"),
    ScorerRule("ids", "any", "an entity id is any text without brackets and bars"),
    ScorerRule("glued", "all", "adjacent opening brackets, as in (1(2, are all read"),
    ScorerRule("blanc", "key", "blanc leaves out a kind of link that the key lacks"),
    ScorerRule("lengths", "error", "refuse documents with different numbers of tokens"),
)
"""The rules of the standard."""

SCIPY_TIES = ScorerRule(
    "ties",
    "scipy",
    "among equally good pairings, the one that scipy's linear_sum_assignment returns",
)
ONLY_DIGITS = ScorerRule("ids", "digits", "brackets whose ids are not numbers are ignored")
LAST_GLUED = ScorerRule(
    "glued", "last", "only the last of adjacent opening brackets is read, as in CoVal"
)
EITHER_KIND = ScorerRule(
    "blanc", "either", "blanc leaves out a kind of link only if neither side has it"
)
ANY_LENGTHS = ScorerRule("lengths", "ignore", "compare spans regardless of the numbers of tokens")


def with_rules(rules: Iterable[ScorerRule], *others: ScorerRule) -> Rules:
    """The rules, some of them replaced by others of the same name."""
    changed = {rule.name: rule for rule in others}
    return tuple(changed.get(rule.name, rule) for rule in rules)
