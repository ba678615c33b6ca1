"""The CoNLL average: the mean F1 of MUC, B³ and CEAFe.

>>> from corefkit import Evaluator
>>> scores = Evaluator("conll").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> abs(scores.conll - (2 / 5 + 5 / 11 + 13 / 25) / 3) < 1e-15
True
"""

from corefkit.metrics.base import Average

CONLL = Average(
    name="conll",
    title="CoNLL",
    help="the mean F1 of muc, bcub and ceafe, by which shared tasks rank",
    citation="Denis and Baldridge 2009 (MELA); Pradhan et al. 2012, the CoNLL-2012 shared task",
    formula="F1 = (F1 of muc + F1 of bcub + F1 of ceafe) / 3",
    example="muc 2/5, bcub 5/11, ceafe 2·1.3 / (2 + 3) = 13/25.  F1 = (2/5 + 5/11 + 13/25) / 3.",
    parts=("muc", "bcub", "ceafe"),
)
