"""Answers of a language model: of several, a bad one counts as a document without mentions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Incident, Place, errors, make_incident
from corefkit.formats import registry


def only_answers(files: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The files by format, or all of them as answers, where most of those recognised are such.

    A refusal has no marks, so that its format is unknown: "". Others may look like anything.
    """
    known = [kind for kind in files if kind and registry.is_known(kind)]
    most = max(known, key=lambda kind: len(files[kind]), default="")
    others = sum(len(names) for kind, names in files.items() if kind not in ("", most))
    if not most or not registry.get_format(most).answers or others >= len(files[most]):
        return {**files}
    return {most: files[most]}


def without_broken(corpora: Sequence[Corpus]) -> list[Corpus]:
    """The corpora of several files; of answers, those with errors lose all mentions.

    Where all have errors they are left as they are.
    """
    broken = [bool(errors(corpus.incidents)) and _has_answers(corpus) for corpus in corpora]
    if all(broken):
        return [*corpora]
    return [
        without_mentions(corpus) if bad else corpus
        for corpus, bad in zip(corpora, broken, strict=True)
    ]


def _has_answers(corpus: Corpus) -> bool:
    return any(registry.format_of(source).answers for source in corpus.sources)


def without_mentions(corpus: Corpus) -> Corpus:
    """A corpus whose documents have no mentions, with one incident instead of its errors."""
    none = corpus.take(np.zeros(corpus.mentions, dtype=bool))
    return replace(none, incidents=(broken_answer(errors(corpus.incidents)),))


def broken_answer(incidents: Sequence[Incident]) -> Incident:
    """The incident of an answer with these errors, at the place of the first."""
    first = incidents[0]
    place = Place(first.file, first.line, first.column, first.document)
    number = sum(one.count for one in incidents)
    more = f" (and {number - 1:,} more)" if number > 1 else ""
    return make_incident("answer-broken", at=place, found=f"{first.message}{more}")
