"""What the older scorers behind `--duplicates` do in their own way, step by step.

Scoring asks for the steps of its options and never for the name of a scorer. To copy another
scorer, write a module with a constant STEPS and a line in `_MODULES`.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.core.arrays import BoolArray
from corefkit.core.corpus import Corpus
from corefkit.core.counts import PerDocument
from corefkit.core.incidents import Incident
from corefkit.core.options import Options
from corefkit.core.overlap import Pairs
from corefkit.matching import Matched, match
from corefkit.matching.exact import equal_mentions

if TYPE_CHECKING:
    from corefkit.scorers.conll801 import Repeat

_MODULES = {
    "reference": "conll801",
    "coval": "coval",
    "arrau": "arrau",
    "corefud": "corefud",
    "corefud-1.1": "corefud11",
    "ua": "ua",
    "ua-1": "ua1",
}
"""Values of `duplicates`, and the module of this package whose STEPS they are."""

Tables: TypeAlias = dict[str, tuple[PerDocument, ...]]
Counting: TypeAlias = Callable[[Matched, list[str]], Tables]
"""Counts the metrics of these names that it knows; it leaves out the others."""


class Settled(NamedTuple):
    """A response as it is compared with the key; its incidents, and what was removed."""

    corpus: Corpus
    incidents: list[Incident] = []  # noqa: RUF012 (never changed)
    repeats: "tuple[Repeat, ...]" = ()


class Copies(NamedTuple):
    """Which copies of repeated spans stay.

    `choose` sees the corpus and bool (mentions,), the first copies; it answers with those that
    stay. `told` names the hint of the incident about each copy.
    """

    choose: Callable[[Corpus, BoolArray, Options], BoolArray]
    told: str


def match_by_rule(key: Corpus, response: Corpus, options: Options) -> Pairs:
    """Which mentions stand for which, by the rule of the policy `match`."""
    return match(key, response, options.match, options.policies)


def match_equal(key: Corpus, response: Corpus, options: Options) -> Pairs:
    """Equal spans: the step of scorers that know nothing else, or look for pairs themselves."""
    del options
    return equal_mentions(key, response)


class Steps(NamedTuple):
    """The steps that a scorer does in its own way; None where it does as the standard.

    Attributes:
        rules: the rules of matching that it knows; None: all.
        read: one side as it was read → the same as the scorer reads it.
        prepare: one side → the side as it is scored.
        regroup: one side → the side, before non-referring expressions are taken out.
        copies: which copies of repeated spans stay; None: the first.
        keeps_repeats: whether repeated spans are left for `settle`, where both sides are known.
        tell_key: the key and its path → what is said of it.
        compare: both sides as they were read → what keeps them from being compared.
        settle: both sides, the path of the response, the options → the response as it is compared.
        match: both sides → which mentions stand for which; by a rule unless said otherwise.
        counting: matched mentions, names of metrics → their counts, of those that differ.
    """

    rules: tuple[str, ...] | None = None
    read: Callable[[Corpus], Corpus] | None = None
    prepare: Callable[[Corpus, Options], Corpus] | None = None
    regroup: Callable[[Corpus], Corpus] | None = None
    copies: Copies | None = None
    keeps_repeats: bool = False
    tell_key: Callable[[Corpus, str], list[Incident]] | None = None
    compare: Callable[[Corpus, Corpus], Iterable[Incident]] | None = None
    settle: Callable[[Corpus, Corpus, str, Options], Settled] | None = None
    match: Callable[[Corpus, Corpus, Options], Pairs] = match_by_rule
    counting: Counting | None = None


_STANDARD = Steps()


def steps_of(options: Options) -> Steps:
    """The steps that these options want done in another way than the standard's."""
    if options.duplicates not in _MODULES:
        return _STANDARD
    module = import_module(f"corefkit.scorers.{_MODULES[options.duplicates]}")
    steps: Steps = module.STEPS
    return steps
