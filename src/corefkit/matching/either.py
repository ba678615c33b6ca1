"""Partial matching as the Universal Anaphora scorer 2 does it: the Min of either side counts.

Besides what `partial` pairs, a key mention that lies within the response's and contains the
response's Min fits too. The weight is the share of the shorter in the longer.
"""

from collections.abc import Mapping

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.overlap import Pairs
from corefkit.matching.exact import equal_mentions
from corefkit.matching.partial import within
from corefkit.matching.stages import match_in_stages


def match(key: Corpus, response: Corpus, policies: Mapping[str, str] | None = None) -> Pairs:
    """The mentions that are equal or fit, one to one."""
    return match_in_stages(key, response, policies or {}, equal_mentions, _fits, longer=True)


def _fits(key: Corpus, response: Corpus, ours: IntArray, theirs: IntArray) -> Pairs:
    first = within(key, response, ours, theirs)
    if response.minimum is None:
        return first
    second = within(response, key, theirs, ours)
    return first.and_also(second.response, second.key)
