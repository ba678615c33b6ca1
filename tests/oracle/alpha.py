"""Krippendorff's α for chains from its definition: every pair of values, exact fractions."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

Chain = frozenset[tuple[str, int]]
Annotation = Mapping[str, Sequence[Sequence[int]]]
"""For each document that was annotated its chains; a mention is a number."""


def distance(one: Chain, other: Chain) -> Fraction:
    """Passonneau 2004: equal, part of, overlapping, disjoint."""
    if one == other:
        return Fraction(0)
    if one < other or other < one:
        return Fraction(1, 3)
    return Fraction(2, 3) if one & other else Fraction(1)


def alpha(annotations: Sequence[Annotation]) -> Fraction | None:
    """α, or None where there are no two values to compare."""
    units = {(d, m) for a in annotations for d, chains in a.items() for c in chains for m in c}
    listed = [[value(a, *unit) for a in annotations if unit[0] in a] for unit in sorted(units)]
    pairable = [values for values in listed if len(values) > 1]
    everything = [v for values in pairable for v in values]
    n = len(everything)
    if n < 2:
        return None
    observed = sum(
        (
            distance(x, y) / (len(values) - 1)
            for values in pairable
            for i, x in enumerate(values)
            for j, y in enumerate(values)
            if i != j
        ),
        Fraction(0),
    )
    expected = sum(
        (
            distance(x, y)
            for i, x in enumerate(everything)
            for j, y in enumerate(everything)
            if i != j
        ),
        Fraction(0),
    )
    return 1 - (observed / n) / (expected / (n * (n - 1))) if expected else Fraction(1)


def value(annotation: Annotation, document: str, mention: int) -> Chain:
    """The chain of a mention; one that was not marked is alone."""
    chain = next((c for c in annotation[document] if mention in c), [mention])
    return frozenset((document, m) for m in chain)
