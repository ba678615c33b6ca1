"""Agreement between annotators: every metric for each pair of them, α for all of them together.

Each pair is a Comparison over the documents that both have with the same length; the reason why
other documents cannot be compared is reported.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations
from math import fsum
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Unpack, cast

import numpy as np

from corefkit import metrics as registry
from corefkit.core.arrays import BoolArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import (
    Collector,
    DataError,
    Incident,
    Place,
    errors,
    make_incident,
    with_hint,
)
from corefkit.core.names import genre, path_name, shown_groups, system_names
from corefkit.core.nodes import mention_codes
from corefkit.core.options import PLAIN, Options, Reading, UsageError, refuse_levels
from corefkit.core.results import Result
from corefkit.core.texts import shorten
from corefkit.formats.kit.annotators import (
    annotations_of,
    curated_side,
    nothing_marked,
    split_annotator,
    with_annotators,
)
from corefkit.formats.options import split_readings
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.checks import departure
from corefkit.scorers.comparison import Comparison, Readable, Side
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.documents import with_documents_of
from corefkit.scorers.mistakes import likely_mistakes
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.parts import WHOLE as WHOLE_PART
from corefkit.scoring.parts import rows_of
from corefkit.scoring.scores import Scores, chosen_counts
from corefkit.stats.alpha import SAMPLES, SEED, AlphaCounts, count_alpha, marked_by_all
from corefkit.stats.figures import WHOLE, Figures, interval_notes
from corefkit.stats.resampling import Ends, Plan

if TYPE_CHECKING:
    from corefkit.core.options import LengthsPolicy, ScoreChoices
    from corefkit.metrics.base import Metrics


@frozen(eq=False)
class Annotator:
    """One annotator.

    Attributes:
        name: the name.
        side: the annotations as they were read.
        corpus: the annotations, with the documents of all annotators.
        present: bool (documents,), the documents that this one annotated.
    """

    name: str
    side: Side
    corpus: Corpus
    present: BoolArray


Alphas = Mapping[str, AlphaCounts | None]
"""α over the mentions that anyone marked, and over those that all marked; None where there is no
document to compare."""

_NO_ALPHAS: Alphas = {"alpha": None, "alpha_marked_by_all": None}


def _alpha_rows(alphas: Alphas, **pair: str | None) -> Iterator[dict[str, Any]]:
    """One flat dict for each α of a pair, or of all annotators."""
    for name, counts in alphas.items():
        low, high = (counts and counts.interval()) or (None, None)
        figures = {"alpha": counts.alpha() if counts else None, "low": low, "high": high}
        part = {"part": WHOLE_PART, "by": "", "label": WHOLE_PART}
        yield {**pair, **part, "metric": name, **figures}


def _alphas_dict(alphas: Alphas) -> dict[str, Any]:
    """Both figures and their intervals, as they appear in the JSON output."""
    figures: dict[str, Any] = {}
    for name, counts in alphas.items():
        figures[name] = counts.alpha() if counts else None
        figures[f"{name}_interval"] = counts.interval() if counts else None
    return figures


@frozen(eq=False)
class PairAgreement:
    """Two annotators over their comparable documents; scores and α are None where there are none.

    `compared`, bool (documents,), are these documents; `shared` says whether both have any document
    at all, comparable or not.
    """

    a: str
    b: str
    compared: BoolArray
    scores: Scores | None
    alphas: Alphas
    incidents: tuple[Incident, ...] = ()
    shared: bool = True

    @property
    def alpha(self) -> AlphaCounts | None:
        """α over the mentions that anyone marked."""
        return self.alphas["alpha"]

    @cached_property
    def ends(self) -> dict[str, Ends]:
        """The intervals with the default number of samples, drawn once."""
        return self.intervals()

    def intervals(self, samples: int = SAMPLES, seed: int = SEED) -> dict[str, Ends]:
        """Metric → bootstrap interval of F1 over documents; empty with a single document."""
        if self.scores is None:
            return {}
        figures = Figures([[{WHOLE: self.scores}]], Plan(samples, seed))
        found = zip(figures.rows, figures.intervals(0), strict=True)
        return {
            metric: figure.interval for (_, metric), figure in found if figure and figure.interval
        }

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per part and metric, with the interval of the whole, and two for α."""
        pair = {"system": self.a, "b": self.b}
        rows = [*rows_of(self.scores.parts("genre"), **pair)] if self.scores else []
        for row in rows:
            whole = row["part"] == WHOLE_PART
            row["low"], row["high"] = (whole and self.ends.get(row["metric"])) or (None, None)
        return [*rows, *_alpha_rows(self.alphas, **pair)]

    def to_dict(self) -> dict[str, Any]:
        """The pair as it appears in the JSON output."""
        if self.scores is None:
            unscored: dict[str, Any] = {"scores": None, "parts": []}
            return {"a": self.a, "b": self.b, **unscored, **_alphas_dict(self.alphas)}
        return {
            "a": self.a,
            "b": self.b,
            "documents": len(self.scores.counts),
            "scores": self.scores.to_dict(),
            "intervals": {name: list(ends) for name, ends in self.intervals().items()},
            **_alphas_dict(self.alphas),
            "parts": [part.to_dict() for part in self.scores.parts("genre") if part.at],
        }


@frozen(eq=False)
class Agreement(Result):
    """All pairs of annotators, the pairs with the adjudicated version, and α of all annotators."""

    kind: ClassVar[str] = "agreement"

    annotators: tuple[Annotator, ...]
    adjudicated: Annotator | None
    pairs: tuple[PairAgreement, ...]
    alphas: Alphas
    compared: BoolArray
    incidents: tuple[Incident, ...]
    states: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(document, annotator) → the state of the annotation, where a project has it."""

    @property
    def alpha(self) -> AlphaCounts | None:
        """α of all annotators over the mentions that anyone marked."""
        return self.alphas["alpha"]

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of all documents that anyone annotated."""
        return self.annotators[0].corpus.names

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about intervals of pairs that share few documents; which pairs, if they differ."""
        pairs: dict[int, list[str]] = {}
        for pair in self.pairs:
            if pair.scores:
                pairs.setdefault(len(pair.scores.counts), []).append(f"{pair.a} – {pair.b}")
        if len(pairs) < 2:
            return interval_notes(pairs)
        return tuple(
            f"{shorten(', '.join(pairs[documents]), 200)}: {note}"
            for documents in sorted(pairs)[: 2 if 1 in pairs else 1]
            for note in interval_notes([documents])
        )

    def marked_by(self) -> dict[int, int]:
        """How many mentions were marked by one annotator, by two, and so on.

        Documents that are not compared are left out, as in α.
        """
        corpora = [a.corpus.take(self.compared[a.corpus.document]) for a in self.annotators]
        _, times = np.unique(np.concatenate(mention_codes(*corpora)), return_counts=True)
        counts = np.bincount(times, minlength=len(corpora) + 1).tolist()
        return dict(enumerate(counts[1:], 1))

    def alpha_by_genre(self) -> dict[str, float | None]:
        """α of the documents of each genre."""
        if self.alpha is None:
            return {}
        groups = np.array([genre(name) for name in self.documents])
        return {g: self.alpha.alpha(groups == g) for g in sorted(set(groups.tolist()))}

    @property
    def complete(self) -> bool:
        """Whether every annotator has every document."""
        return all(annotator.present.all() for annotator in self.annotators)

    def document_list(self) -> list[dict[str, Any]]:
        """Each document, with its mentions, entities and state for each of its annotators."""
        everyone = [*self.annotators, *([self.adjudicated] if self.adjudicated else [])]
        size = len(self.documents)
        counts = {
            a.name: (
                np.bincount(a.corpus.document, minlength=size).tolist(),
                np.bincount(a.corpus.entity_document, minlength=size).tolist(),
            )
            for a in everyone
        }
        return [
            {
                "name": name,
                "annotators": {
                    a.name: {
                        "mentions": counts[a.name][0][number],
                        "entities": counts[a.name][1][number],
                        "state": self.states.get((name, a.name)),
                    }
                    for a in everyone
                    if a.present[number]
                },
            }
            for number, name in enumerate(self.documents)
        ]

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per pair of annotators, part and metric; then α of all of them.

        Then how many mentions so many annotators marked, and each annotator in each document.
        """
        rows = [row for pair in self.pairs for row in pair.rows()]
        rows += _alpha_rows(self.alphas, system=None, b=None)
        marked = self.marked_by()
        numbers = [
            ("marked by", f"{number} of {len(marked)}", None, count)
            for number, count in sorted(marked.items())
        ] + [
            ("document", document["name"], name, figures["mentions"])
            for document in self.document_list()
            for name, figures in document["annotators"].items()
        ]
        rows += [
            {"system": name, "b": None, "part": f"{by}:{label}", "by": by, "label": label}
            | {"metric": "marked", "mentions": number}
            for by, label, name, number in numbers
        ]
        return rows

    def summary(self) -> list[dict[str, Any]]:
        """The mean F1 of each annotator with all others by metric, and the least and the most."""
        scored = [(pair.a, pair.b, pair.scores) for pair in self.pairs if pair.scores]
        names = dict.fromkeys(name for pair in self.pairs for name in (pair.a, pair.b))
        metrics = list(scored[0][2]) if scored else []
        rows: list[dict[str, Any]] = []
        for metric in metrics:
            every = [(a, b, scores[metric].f1) for a, b, scores in scored]
            for name in names:
                own = [f1 for a, b, f1 in every if name in (a, b)]
                mean = fsum(own) / len(own) if own else None
                rows.append({"label": name, "by": "annotator", "metric": metric, "f1": mean})
            for word, choose in (("least of a pair", min), ("most of a pair", max)):
                end = choose(f1 for *_, f1 in every)
                rows.append({"label": word, "by": "pair", "metric": metric, "f1": end})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit agree`."""
        alphas = shown_groups(self.alpha_by_genre())
        return {
            "annotators": [annotator.name for annotator in self.annotators],
            "adjudicated": self.adjudicated.name if self.adjudicated else None,
            "documents": self.document_list(),
            "seed": SEED,
            "samples": SAMPLES,
            "mentions": {"marked_by": self.marked_by()},
            "pairs": [pair.to_dict() for pair in self.pairs],
            **_alphas_dict(self.alphas),
            "parts": [{"part": {"genre": g}, "alpha": value} for g, value in alphas.items()],
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        names = ", ".join(annotator.name for annotator in self.annotators)
        alpha = self.alpha.alpha() if self.alpha else None
        shown = "none" if alpha is None else f"{alpha:.4f}"
        return f"Agreement({names}: {len(self.documents):,} documents, alpha {shown})"


def agree(
    *annotators: Readable | Sequence[Readable],
    adjudicated: Readable | None = None,
    metrics: "Metrics | None" = None,
    lengths: "LengthsPolicy" = "error",
    **policies: "Unpack[ScoreChoices]",
) -> Agreement:
    """The agreement of two or more annotators: every metric for each pair, and α for all of them.

    Annotators are paths or Corpora of the same text, or one list of these; `adjudicated` is the
    version that resolves their disagreements. Documents with different numbers of tokens are left
    out, unless `lengths` is "ignore". Raises DataError where one cannot be read.

    >>> agree("examples/key.conll", "examples/careful.conll")
    Agreement(key, careful: 8 documents, alpha 0.8565)
    """
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = replace(make_options(metrics, **choices), lengths=lengths)
    refuse_levels(options, "agreement is on single documents")
    if len(annotators) == 1 and isinstance(annotators[0], list | tuple):
        listed: Sequence[Readable] = annotators[0]
    else:
        listed = cast("tuple[Readable, ...]", annotators)
    return compare_annotators(listed, adjudicated, options, readings.key)


def compare_annotators(
    sources: Sequence[Readable],
    adjudicated: Readable | None = None,
    options: Options | None = None,
    reading: Reading = PLAIN,
) -> Agreement:
    """Compare two or more annotators, and each of them with the adjudicated version.

    A document that an annotator does not have does not lower the agreement: pairs are compared
    over the documents that both have. Documents with different numbers of tokens are left out with
    a warning, unless options.lengths is "ignore". A pair without a common document has no scores,
    and an error is reported. Raises DataError where a source cannot be read, UsageError for fewer
    than two sources and for application scores.

    >>> agreement = compare_annotators(["examples/key.conll", "examples/careful.conll"])
    >>> round(agreement.pairs[0].scores["muc"].f1, 4), round(agreement.alpha.alpha(), 4)
    (0.9115, 0.8565)
    """
    options = options or Options()
    # Agreement on chains means little without agreement on mentions, which always comes first.
    options = replace(options, metrics=tuple(dict.fromkeys(("mentions", *options.metrics))))
    if isinstance(sources, (str, PathLike)) or not isinstance(sources, Sequence):
        raise TypeError(f"annotators are given as a list, not {sources!r:.60}")
    files = [*map(path_name, (s for s in sources if isinstance(s, (str, PathLike))))]
    named = sources
    sources = with_annotators(sources, reading)
    is_project = [*sources] != [*named]
    if adjudicated is None and is_project:
        adjudicated = curated_side(files, reading)
    if len(sources) < 2:
        refuse_unreadable(sources, reading)
        raise UsageError("agreement needs at least two annotators")
    if applications := [name for name in options.metrics if name in registry.VARIANTS]:
        raise UsageError(
            f"{', '.join(applications)}: application scores have a key and a response, and "
            "annotators are neither; use corefkit score"
        )
    if options.average != "micro":
        raise UsageError(f"average {options.average}: agreement is over all documents together")
    everyone = [*sources, *([adjudicated] if adjudicated is not None else [])]
    scorer = scorer_for(options)
    scorer.check_matching()
    sides = _same_documents(scorer, [scorer.read(source, reading) for source in everyone])
    if failures := errors(i for side in sides for i in side.incidents):
        raise DataError(failures)
    if is_project and not any(side.corpus.mentions for side in sides):
        raise nothing_marked(files[0])
    names = system_names(everyone)
    listed = make_annotators(sides, names)
    annotators = listed[: len(sources)]
    judge = listed[-1] if adjudicated is not None else None
    to_compare = [*combinations(annotators, 2), *((a, judge) for a in annotators if judge)]
    pairs = tuple(_pair(a, b, scorer) for a, b in to_compare)
    compared = comparable(annotators, options)
    present = np.array([a.present for a in annotators]) & compared
    alphas = _alphas([a.corpus for a in annotators], present) if compared.any() else _NO_ALPHAS
    # Without the advice for scoring a response.
    incidents = [
        with_hint(i, "compared") if i.id in ("span-twice", "span-in-two-entities") else i
        for side in sides
        for i in side.incidents
    ]
    incidents += _incidents_of(pairs)
    states = _states(everyone, names, reading) if is_project else {}
    return Agreement(annotators, judge, pairs, alphas, compared, tuple(incidents), states)


def _incidents_of(pairs: Sequence[PairAgreement]) -> Iterator[Incident]:
    """What is told of pairs; that one shares no document is no error where others do."""
    others = any(pair.scores for pair in pairs)
    for pair in pairs:
        for incident in pair.incidents:
            usual = others and not pair.shared and incident.id == "nothing-shared"
            yield replace(incident, severity="warning") if usual else incident


def refuse_unreadable(sources: Sequence[Readable], reading: Reading) -> None:
    """Raise DataError where a file cannot be read: that may be why annotators are missing."""
    if failures := errors(
        i for source in sources for i in Scorer(Options()).read(source, reading).incidents
    ):
        raise DataError(failures)


def agreement_with(agreement: Agreement, other: Corpus, name: str) -> tuple[PairAgreement, ...]:
    """Each annotator compared with another version of the text, such as the adjudicated one."""
    known_scores = next((pair.scores for pair in agreement.pairs if pair.scores is not None), None)
    scorer = scorer_for(known_scores.options if known_scores is not None else Options())
    people = agreement.annotators
    sides = [*(annotator.side for annotator in people), scorer.read(other)]
    *listed, judge = make_annotators(sides, [*(annotator.name for annotator in people), name])
    return tuple(_pair(annotator, judge, scorer) for annotator in listed)


def _states(
    sources: Sequence[Readable], names: Sequence[str], reading: Reading
) -> dict[tuple[str, str], str]:
    """(document, annotator) → the state of the annotation, where projects have it."""
    states: dict[tuple[str, str], str] = {}
    for source, name in zip(sources, names, strict=True):
        if isinstance(source, Corpus):
            continue
        path, annotator = split_annotator(path_name(source))
        for annotation in annotations_of(path, reading) if annotator is not None else ():
            if annotation.annotator == annotator and annotation.state is not None:
                states[annotation.document, name] = annotation.state
    return states


def _same_documents(scorer: Scorer, sides: Sequence[Side]) -> list[Side]:
    """The sides with the document names and the unit of the first one.

    Where some are in characters and others in tokens, those of the first one in tokens.
    """
    units = [side.corpus.unit if side.corpus.names else None for side in sides]
    mixed = {"token", "character"} <= {*units}
    standard = units.index("token") if mixed else 0
    reference, unified = sides[standard], list[Side]()
    for number, side in enumerate(sides):
        if number != standard:
            reference, unified_side = scorer.unify(reference, side)
            is_placed = mixed and units[number] == "character"
            unplaced = _unplaced(reference, side, unified_side) if is_placed else ()
            unified.append(unified_side.with_incidents(*unplaced))
    unified.insert(standard, reference)
    return unified


def _unplaced(tokens: Side, characters: Side, unified: Side) -> Iterator[Incident]:
    """An error for each document whose characters cannot be brought to tokens, since the side that
    counts these has no such document.
    """
    marked = {*characters.corpus.document.tolist()}
    for number, name in enumerate(unified.corpus.names):
        if number in marked and name not in tokens.corpus.names:
            yield make_incident(
                "document-unfit",
                "unit",
                severity="error",
                file=characters.path,
                document=name,
                other=tokens.path,
            )


def _alphas(corpora: Sequence[Corpus], present: BoolArray) -> Alphas:
    shared = marked_by_all(corpora, present)
    counts = (count_alpha(chosen, present) for chosen in (corpora, shared))
    return dict(zip(_NO_ALPHAS, counts, strict=True))


def _pair(a: Annotator, b: Annotator, scorer: Scorer) -> PairAgreement:
    compared = comparable((a, b), scorer.options)
    incidents = misfits(a, b, compared)
    names = [name for name, both in zip(a.corpus.names, compared.tolist(), strict=True) if both]
    if names:
        sides = a.side.within({*names}), b.side.within({*names})
        comparison = scorer.compare_unified(*sides, {*names})
        incidents += errors(comparison.incidents) or _mistakes(a, b, comparison)
    if not names or comparison.failed:
        shared = bool((a.present & b.present).any())
        return PairAgreement(a.name, b.name, compared, None, _NO_ALPHAS, tuple(incidents), shared)
    counts = chosen_counts(count_comparison(scorer, comparison), comparison)
    scores = Scores(scorer.options, counts)
    alphas = _alphas([a.corpus, b.corpus], np.array([compared, compared]))
    return PairAgreement(a.name, b.name, compared, scores, alphas, tuple(incidents))


def _mistakes(a: Annotator, b: Annotator, comparison: Comparison) -> list[Incident]:
    """What looks like a mistake in the files of two annotators, of whom none is the key."""
    return [
        make_incident(
            *(found.id, "annotators"),
            file=found.file,
            document=found.document,
            found=found.found,
            one=a.name,
            other=b.name,
        )
        for found in likely_mistakes(comparison)
        if found.id not in ("sides-exchanged", "zeros-elsewhere")
    ]


def make_annotators(sides: Sequence[Side], names: Sequence[str]) -> tuple[Annotator, ...]:
    """The annotators, with corpora that all have the documents of all sides, in one order."""
    documents = tuple(dict.fromkeys(name for side in sides for name in side.corpus.names))
    frame = Corpus.from_clusters({name: [] for name in documents})
    present = [np.isin(np.array(documents), np.array(side.corpus.names)) for side in sides]
    corpora = [with_documents_of(frame, side.scored) for side in sides]
    return tuple(map(Annotator, names, sides, corpora, present))


def comparable(annotators: Sequence[Annotator], options: Options) -> BoolArray:
    """bool (documents,): those that two or more have, all with the same number of tokens."""
    shared: BoolArray = np.sum([a.present for a in annotators], axis=0) > 1
    if options.lengths == "ignore":
        return shared
    tokens = np.array([a.corpus.tokens for a in annotators])
    same_length: BoolArray = ((tokens < 0) | (tokens == tokens.max(axis=0))).all(axis=0)
    return shared & same_length


def misfits(a: Annotator, b: Annotator, compared: BoolArray) -> list[Incident]:
    """The incidents of the documents of two annotators that cannot be compared."""
    incidents = [*_unshared(a, b), *_unfit(a, b, compared)]
    if not compared.any():
        values: dict[str, Any] = {"one": a.name, "other": b.name, "file": b.side.path}
        variant, expected = (
            "",
            "documents of the same names; names must match in full, parts included",
        )
        if (a.present & b.present).any():
            variant, expected = "lengths", "the same tokens in both files"
        incidents.append(make_incident("nothing-shared", variant, **values, expected=expected))
    return incidents


def _unshared(a: Annotator, b: Annotator) -> Iterator[Incident]:
    """The documents that only one of two annotators has."""
    for has, lacks in ((a, b), (b, a)):
        collector = Collector(lacks.side.path)
        for row in np.flatnonzero(has.present & ~lacks.present).tolist():
            name = has.corpus.names[row]
            collector.note("document-unshared", one=has.name, other=lacks.name, document=name)
        yield from collector


def _unfit(a: Annotator, b: Annotator, compared: BoolArray) -> Iterator[Incident]:
    """The documents that both have with different lengths, with the first place of difference."""
    collector = Collector(b.side.path)
    unfit = np.flatnonzero(a.present & b.present & ~compared).tolist()
    for row in collector.listed("document-unfit", unfit):
        name = a.corpus.names[row]
        sides = a.side.corpus, b.side.corpus
        parting = departure(*sides, *(corpus.names.index(name) for corpus in sides))
        collector.note(
            "document-unfit",
            at=Place(parting.file, parting.line, None, parting.document, parting.found),
            expected=parting.expected,
            one=a.name,
            other=b.name,
            tokens=int(a.corpus.tokens[row]),
            others=int(b.corpus.tokens[row]),
        )
    yield from collector
