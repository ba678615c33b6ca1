"""The average of the KBP event nugget tasks: the mean F1 of MUC, B³, CEAFe and BLANC.

>>> from corefkit import Evaluator
>>> scores = Evaluator("kbp").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
>>> abs(scores["kbp"].f1 - (2 / 5 + 5 / 11 + 13 / 25 + 25 / 68) / 4) < 1e-15
True
"""

from corefkit.metrics.base import Average

KBP = Average(
    name="kbp",
    title="KBP",
    help="the mean F1 of muc, bcub, ceafe and blanc, by which the event nugget tasks rank",
    citation="Mitamura et al. 2015, Overview of TAC KBP 2015 Event Nugget Track",
    formula="F1 = (F1 of muc + F1 of bcub + F1 of ceafe + F1 of blanc) / 4",
    example="""\
muc 2/5, bcub 5/11, ceafe 13/25, blanc 25/68.
F1 = (2/5 + 5/11 + 13/25 + 25/68) / 4.""",
    parts=("muc", "bcub", "ceafe", "blanc"),
)
