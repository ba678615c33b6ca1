"""Pairs: precision and recall of links, under the name that entity resolution has for them.

The counts are those of `links`: each pair of mentions of one entity counts one. A mention that the
other side lacks stays where it is, with all its pairs.

>>> from corefkit import Evaluator
>>> Evaluator("pairs").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()["pairs"].counts
{'recall': [2, 9], 'precision': [2, 8]}
"""

from dataclasses import replace

from corefkit.metrics.links import LINKS

PAIRS = replace(
    LINKS,
    name="pairs",
    title="Pairs",
    help="pairs of mentions of one entity, as entity resolution counts them: the same as links",
    citation="Menestrina et al. 2010, Evaluating Entity Resolution Results (PVLDB 3)",
    formula="R = pairs that both sides have / pairs of the key",
)
