"""GAP: does the pronoun of a text refer to one name, to the other, or to neither?

Each document of the key has a pronoun and the names A and B, in this order; the id of the pronoun's
entity is the pronoun. Each name forms a pair with the pronoun: tp, fp, fn or tn. A document that
the response lacks counts as two fn. Bias is the F1 of feminine pronouns divided by that of
masculine ones.

`gap` looks for mentions with exactly the spans of pronoun and names, `gap_containing` for the
smallest mentions around them, as Maverick does: systems mark "the painter Vera", GAP only the name.
"""

from dataclasses import replace

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.options import UsageError
from corefkit.metrics.base import Counted, MatchedMetric, MatchedSides, Score, Sums, rates, rates_f1

GENDERS = {
    "feminine": frozenset({"she", "her", "hers"}),
    "masculine": frozenset({"he", "his", "him"}),
}
_OUTCOMES = ("tp", "fp", "fn", "tn")
COLUMNS = tuple(f"{group}_{name}" for group in (*GENDERS, "other") for name in _OUTCOMES)


def count(matched: MatchedSides) -> Counted:
    """tp, fp, fn and tn by document: for feminine pronouns, masculine ones, and others."""
    return _count(matched, matched.partner)


def count_containing(matched: MatchedSides) -> Counted:
    """Like `count`, with the smallest response mention around each pronoun and name."""
    return _count(matched, _smallest_around(matched))


def _count(matched: MatchedSides, stand_in: IntArray) -> Counted:
    """The counts; `stand_in` is the response mention of each key mention, −1 for none."""
    key, response = matched.key, matched.response
    size = np.bincount(key.document, minlength=len(key.names))
    if (size != 3).any():
        raise UsageError(
            "gap: the key must be a GAP file, with a pronoun and two names in each document, and "
            "singletons must be kept"
        )
    rows = np.argsort(key.document, kind="stable").reshape(-1, 3)
    mention = stand_in[rows]
    entity = np.append(response.entity, -1)[mention]
    true = key.entity[rows][:, 1:] == key.entity[rows][:, :1]
    linked = (entity[:, 1:] == entity[:, :1]) & (entity[:, :1] >= 0)
    linked &= mention[:, 1:] != mention[:, :1]
    without_mentions = np.bincount(response.document, minlength=len(size)) == 0
    missing = ((response.tokens < 0) & without_mentions)[:, None]
    outcomes = (
        linked & true & ~missing,
        linked & ~true & ~missing,
        (~linked & true) | missing,
        ~linked & ~true & ~missing,
    )
    numbers = [outcome.sum(axis=1) for outcome in outcomes]
    return tuple(np.where(group, n, 0) for group in _groups(key, rows) for n in numbers)


def _smallest_around(matched: MatchedSides) -> IntArray:
    """int64 (key mentions,): the smallest response mention that contains each; −1 for none.

    Among equally small ones, the first in the text is taken.
    """
    key, response = matched.key, matched.response
    smallest = np.full(key.mentions, -1, dtype=np.int64)
    order = response.text_order
    if response.zero is not None:
        order = order[response.zero[order] == 0]
    listed = response.rows_of_documents(order)
    for row, document in enumerate(key.document.tolist()):
        rows = listed[document]
        start, end = response.start[rows], response.end[rows]
        around = rows[(start <= key.start[row]) & (end >= key.end[row])]
        if len(around):
            smallest[row] = around[np.argmin(response.end[around] - response.start[around])]
    return smallest


def _groups(
    key: Corpus, rows: "np.ndarray[tuple[int, int], np.dtype[np.int64]]"
) -> list[BoolArray]:
    """Three masks, bool (documents,): the pronoun is feminine, masculine, or something else."""
    pronouns = [key.labels[entity].lower() for entity in key.entity[rows[:, 0]].tolist()]
    groups = [np.array([p in words for p in pronouns], dtype=bool) for words in GENDERS.values()]
    return [*groups, ~np.logical_or.reduce(groups)]


def score(sums: Sums) -> Score:
    """The score with R = tp/(tp+fn), P = tp/(tp+fp) over all pairs, and by gender of the pronoun.

    >>> score((1, 0, 0, 1, 0, 1, 2, 1, 0, 0, 0, 0)).counts
    {'tp': 1, 'fp': 1, 'fn': 2, 'tn': 2, 'bias': None}
    """
    groups = [sums[at : at + 4] for at in (0, 4, 8)]
    classes = {name: _score(group) for name, group in zip(GENDERS, groups, strict=False)}
    total = _score([sum(column) for column in zip(*groups, strict=True)])
    feminine, masculine = (classes[name].f1 for name in GENDERS)
    bias = feminine / masculine if masculine else None
    return replace(total, counts={**total.counts, "bias": bias}, classes=classes)


def _score(sums: Sums) -> Score:
    tp, fp, fn, _ = sums
    return rates(tp, fn, fp, dict(zip(_OUTCOMES, sums, strict=True)))


def f1(sums: FloatArray) -> FloatArray:
    """The F1 of `score` for many sums at once: float64 (…, 12, samples) → (…, samples)."""
    tp, fp, fn = (sums[..., [i, i + 4, i + 8], :].sum(axis=-2) for i in range(3))
    return rates_f1(tp, fn, fp)


def _sample() -> tuple[Corpus, Corpus]:
    """ "Vera told Ines that her boat had sunk.": her is Vera; the response adds Ines."""
    token = np.array([4, 0, 2])
    nothing = np.zeros(3, dtype=np.int64)
    sides = [
        Corpus(
            names=("example",),
            tokens=np.array([8]),
            document=nothing,
            start=token,
            end=token,
            entity=entity,
            labels=("her", "B"),
        )
        for entity in (np.array([0, 0, 1]), np.array([0, 0, 0]))
    ]
    return sides[0], sides[1]


GAP = MatchedMetric(
    name="gap",
    title="GAP",
    help="pairs of a pronoun and a name in a GAP file, by gender, and the bias",
    citation="Webster et al. 2018, Mind the GAP: A Balanced Corpus of Gendered Ambiguous Pronouns",
    formula="""\
R = tp / (tp + fn), P = tp / (tp + fp), over the pairs (pronoun, A) and (pronoun, B)
bias = F1 of feminine pronouns / F1 of masculine pronouns.""",
    example="""\
Text "Vera told Ines that her boat had sunk.", key {her Vera} {Ines}, response {her Vera Ines}.
(her, Vera) is tp, (her, Ines) is fp.  R = 1/1, P = 1/2.""",
    columns=COLUMNS,
    sample=_sample,
    count=count,
    score=score,
    f1=f1,
)
GAP_CONTAINING = replace(
    GAP,
    name="gap_containing",
    title="GAP, containing mentions",
    help="gap, where the smallest mentions around the pronoun and the names stand for them",
    formula="""\
As gap; the smallest response mention that contains the pronoun or a name stands for it.
One mention that contains both of a pair says nothing about it.""",
    count=count_containing,
)
