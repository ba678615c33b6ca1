"""Annotators of the same text: which of their documents fit, and what is said of the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corefkit.data.arrays import BoolArray
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident, make_incident
from corefkit.data.options import Options
from corefkit.scoring.check import departure
from corefkit.scoring.prepare import align
from corefkit.scoring.sides import Side


@dataclass(frozen=True, eq=False)
class Annotator:
    """One annotator: `corpus` with the documents of all of them, `present` tells its own."""

    name: str
    side: Side
    corpus: Corpus
    present: BoolArray


def make_annotators(sides: Sequence[Side], names: Sequence[str]) -> tuple[Annotator, ...]:
    """The annotators with their documents numbered alike."""
    documents = tuple(dict.fromkeys(name for side in sides for name in side.corpus.names))
    frame = Corpus.from_clusters({name: [] for name in documents})
    own = [np.isin(np.array(documents), np.array(side.corpus.names)) for side in sides]
    corpora = [align(side.scored, frame) for side in sides]
    return tuple(map(Annotator, names, sides, corpora, own))


def comparable(annotators: Sequence[Annotator], options: Options) -> BoolArray:
    """bool (documents,): those that two or more have, all with the same number of tokens."""
    several: BoolArray = np.sum([a.present for a in annotators], axis=0) > 1
    if options.lengths == "ignore":
        return several
    tokens = np.array([a.corpus.tokens for a in annotators])
    alike: BoolArray = ((tokens < 0) | (tokens == tokens.max(axis=0))).all(axis=0)
    return several & alike


def misfits(one: Annotator, other: Annotator, compared: BoolArray) -> list[Incident]:
    """What is said of the documents of two annotators that cannot be compared."""
    found = [*_unshared(one, other), *_unfit(one, other, compared)]
    if not compared.any():
        expected = "documents of the same names; names are compared whole, parts included"
        values: dict[str, Any] = {"one": one.name, "other": other.name, "file": other.side.path}
        found.append(make_incident("nothing-shared", **values, expected=expected))
    return found


def _unshared(one: Annotator, other: Annotator) -> Iterator[Incident]:
    """The documents that only one of two has."""
    for has, lacks in ((one, other), (other, one)):
        found = Collector(lacks.side.path)
        for row in np.flatnonzero(has.present & ~lacks.present).tolist():
            name = has.corpus.names[row]
            found.note("document-unshared", one=has.name, other=lacks.name, document=name)
        yield from found


def _unfit(one: Annotator, other: Annotator, compared: BoolArray) -> Iterator[Incident]:
    """The documents that both have and that differ in length, with the place where they part."""
    found = Collector(other.side.path)
    for row in np.flatnonzero(one.present & other.present & ~compared).tolist():
        if found.skip("document-unfit"):
            continue
        name = one.corpus.names[row]
        sides = one.side.corpus, other.side.corpus
        parting = departure(*sides, *(corpus.names.index(name) for corpus in sides))
        values = {n: getattr(parting, n) for n in ("file", "line", "document", "found", "expected")}
        values |= {"tokens": int(one.corpus.tokens[row]), "others": int(other.corpus.tokens[row])}
        found.note("document-unfit", one=one.name, other=other.name, **values)
    yield from found
