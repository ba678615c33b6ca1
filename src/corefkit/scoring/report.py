"""The result of one run, as data; its notes, and the bounds that its scores must reach.

A note is one line about a default that may surprise: what it costs on these files, and the option
that changes it. It is not an incident: nothing is wrong with the files, and the exit status does
not change. Commands show notes on standard error and in the JSON output; `corefkit.score` and
training loops do not compute them. A bound is a score that a run must reach, e.g. in a build:
`score --at-least conll=70`.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.core.columns import MASKS
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Size
from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.names import OTHERS, genre
from corefkit.core.options import Options, UsageError, choose
from corefkit.core.source import Source
from corefkit.core.style import points, style
from corefkit.formats.registry import format_of
from corefkit.metrics import averages, canonical, get
from corefkit.metrics.base import Score
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.mistakes import FEW
from corefkit.scorers.signature import signature
from corefkit.scoring.parts import Part, body, parts_of_classes, rows_of
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from corefkit.analysis.losses import LossFigures
    from corefkit.scorers.conll801 import Repeat
    from corefkit.scorers.scorer import Scorer
    from corefkit.scoring.fingerprints import KnownCorpus
    from corefkit.scoring.hashes import FileHash, FileStates


class System(NamedTuple):
    """One response and its result; `scores` is None where it could not be scored."""

    name: str
    path: str
    scores: Scores | None
    incidents: tuple[Incident, ...] = ()
    size: Size = Size(0, 0, 0)
    repeats: "tuple[Repeat, ...]" = ()
    """With the reference scorer: the first eleven mentions that were removed as repeated."""
    left_out: Mapping[str, Mapping[str, int]] | None = None
    """How many mentions `leave_out` removed from each side, by kind."""
    labels: Mapping[str, int] | None = None
    """With labels: how many spans both sides have, and how many of these have the same labels."""
    strata: Mapping[str, Mapping[str, Scores]] = {}
    """In a task: the scores of strata, by the label or feature that they are split by."""
    surprises: Mapping[str, str] = {}
    """The phrase for each kind of note, with {name}; only where notes were asked for."""
    known_hash: "FileHash | None" = None
    """The hash of the files, computed when they were read, if that was asked for."""
    states: "FileStates | None" = None
    """On an engine: the states of the files before they were read."""
    parts: tuple[Part[Any], ...] = ()
    """Once it is `divided`: the whole, and all of its parts with their sums."""
    classes: tuple[Part[Any], ...] = ()
    """Once it is `divided`: the classes of application scores."""
    losses: "Mapping[str, LossFigures] | None" = None
    """What detection and linking cost in each metric, if that was asked for."""

    def divided(self, by: str | None = None) -> "System":
        """The system with all parts of its scores, and with groups `by` if they are named."""
        if self.scores is None:
            return self
        parts = self.scores.parts(by, sums=True)
        return self._replace(parts=tuple(parts), classes=tuple(parts_of_classes(self.scores)))

    def to_dict(self) -> dict[str, Any]:
        """The scores and sizes of a divided system, as in the JSON output."""
        assert self.parts or not self.scores, "a system is divided before it is shown"
        parts = [part for part in self.parts if not part.sum]
        losses = {name: loss.to_dict() for name, loss in (self.losses or {}).items()}
        return {
            **(body(parts) if parts else {"scores": None, "parts": []}),
            **self.size._asdict(),
            **({"left_out": self.left_out} if self.left_out is not None else {}),
            **({"labels": self.labels} if self.labels is not None else {}),
            **({"losses": losses or None} if self.losses is not None else {}),
        }

    @property
    def hash(self) -> "FileHash":
        """The hash of the files."""
        if self.known_hash is not None:
            return self.known_hash
        return _hash(self.path, (), self.states)


def _hash(path: str, sources: tuple[Source, ...], states: "FileStates | None") -> "FileHash":
    """The hash of what was read; DataError where an engine's files are no longer the same."""
    from corefkit.scoring.hashes import check_unchanged, hash_files

    found = hash_files(path, sources)
    if states:
        check_unchanged(path, states)
    return found


def copies(systems: Sequence[System], least: int = FEW) -> dict[int, Incident]:
    """A warning for each system whose files have the bytes of an earlier one's, by its number.

    Files with fewer than `least` mentions may be the same without being copies.
    """
    first: dict[object, System] = {}
    found = {}
    for number, system in enumerate(systems):
        files = system.known_hash
        if files and files.sha256 and system.size.mentions >= least:
            annotator = system.path.partition("#")[2]
            other = first.setdefault((files, annotator), system)
            if other is not system:
                found[number] = make_incident(
                    "same-file", "copy", file=system.path, name=system.name, other=other.name
                )
    return found


class Report(NamedTuple):
    """The result of one run: the options, the key, and the systems in the order given."""

    options: Options
    key: Side
    systems: tuple[System, ...]
    key_states: "FileStates | None" = None
    """On an engine: the states of the files of the key before they were read."""
    by: str | None = None
    """The groups of the parts: of documents, or of mentions by a feature."""

    def divided(self, by: str | None = None) -> "Report":
        """The report with all parts of its scores, and with groups `by` if they are named."""
        return self._replace(by=by, systems=tuple(system.divided(by) for system in self.systems))

    @property
    def known(self) -> "KnownCorpus | None":
        """The well-known corpus that the key is recognised as, if any."""
        from corefkit.scoring.fingerprints import recognise

        return recognise(self.key.corpus)

    @property
    def key_repeats(self) -> "list[Repeat]":
        """With the reference scorer: the repeated mentions of the key."""
        from corefkit.scorers.conll801 import key_repeats

        return key_repeats(self.key.scored)

    @property
    def incidents(self) -> list[Incident]:
        """All incidents: those of the key, then those of the systems in order."""
        return [*self.key.incidents, *(i for s in self.systems for i in s.incidents)]

    @property
    def notes(self) -> list[str]:
        """The notes of the run, one line each: each kind once, whatever the number of systems."""
        notes = []
        if text := _by_system(self, "singletons"):
            notes.append(f"the key has no singletons; {text}: --singletons drop leaves them out")
        if text := _by_system(self, "words"):
            notes.append(f"words differ from the key's: {text}; check --against lists them")
        if text := _by_system(self, "field"):
            other = "--read response:clusters=FIELD names another"
            notes.append(f"the clusters were read from {text}: {other}")
        return [*notes, *_uncounted(self), *_usual_profile(self), *_pooled(self)]

    @property
    def signature(self) -> str:
        """One line that makes the scores reproducible; coverage in the order of the systems."""
        scores = self.scores.values()
        return signature(self.options, [scored.coverage for scored in scores])

    @property
    def key_hash(self) -> "FileHash":
        """The hash of the files of the key."""
        return _hash(self.key.path, self.key.corpus.sources, self.key_states)

    def files(self) -> dict[str, Any]:
        """The paths and hashes of key and responses, as they appear in the JSON output."""
        return {
            "key": {"path": self.key.path, **self.key_hash.to_dict()},
            "responses": [
                {"name": system.name, "path": system.path, **system.hash.to_dict()}
                for system in self.systems
            ],
        }

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit score`, of a divided report."""
        known = self.known
        return {
            "signature": self.signature,
            "key": {
                "path": self.key.path,
                **self.key_hash.to_dict(),
                **self.key.size._asdict(),
                **({"known": known.to_dict()} if known else {}),
            },
            **({"by": self.by} if self.by else {}),
            **bounds_dict(self.options),
            "systems": [
                {"name": s.name, "path": s.path, **s.hash.to_dict(), **s.to_dict()}
                for s in self.systems
            ],
            "incidents": [incident.to_dict() for incident in self.incidents],
            "notes": self.notes,
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """One flat dict per system, part and metric of a divided report, without sums of parts.

        Those of the whole have what detection and linking cost, if that was asked for.
        """
        for system in self.systems:
            assert system.parts or not system.scores, "a report is divided before it is shown"
            for part in system.parts:
                losses = (system.losses or {}) if not part.at else {}
                for row in rows_of([part] if not part.sum else [], system=system.name):
                    loss = losses.get(row["metric"])
                    yield row | loss.lost._asdict() if loss else row

    def entities(self) -> list[dict[str, Any]]:
        """One row per system, if there are several, and entity, with what it contributes."""
        from corefkit.scoring.entity_listing import entity_rows

        return [
            ({"system": name} if len(self.scores) > 1 else {}) | row
            for name, scores in self.scores.items()
            for row in entity_rows(scores.strata())
        ]

    @property
    def scores(self) -> dict[str, Scores]:
        """The scores of the systems that could be scored, by their names."""
        return {system.name: system.scores for system in self.systems if system.scores}


_NAMED = 3
"""How many systems a note names; the others are counted."""

MASKED = "the words of the key are masked: corefkit corpus skeleton fill puts them back"


def surprises(scorer: "Scorer", comparison: Comparison, scores: Scores) -> dict[str, str]:
    """What defaults hide about one response: the kind of note → its phrase, with {name}."""
    notes = {}
    if scorer.options.singletons == "keep" and (text := _singletons(scorer, comparison, scores)):
        notes["singletons"] = text
    if words := _count_other_words(scorer, comparison):
        notes["words"] = f"{words:,} in {{name}}"
    if field := _doubtful_field(comparison.response_side):
        notes["field"] = f"the field '{field}' of {{name}}"
    return notes


def _doubtful_field(response: Side) -> str:
    """The field with the clusters of a response, if it could be the gold's; "" if it was named."""
    if response.reading.get("clusters"):
        return ""
    fields = (source.chosen for source in response.corpus.sources)
    return next((field for field in fields if field and "pred" not in field), "")


NO_GENRES = (
    "no document has a genre, the first part of an OntoNotes id; --by 're:PATTERN' groups "
    "documents by another part of their names"
)


def note_groups(by: str | None, names: Iterable[str]) -> list[str]:
    """A note where documents are grouped by genre, but none has one."""
    return [NO_GENRES] if by == "genre" and {*map(genre, names)} == {OTHERS} else []


def are_masked(texts: Iterable[str]) -> bool:
    """Whether these texts have words, and all of them are masked.

    >>> are_masked(["___ ___", "___"]), are_masked(["___ said"]), are_masked([])
    (True, False, False)
    """
    words = {word for text in texts for word in text.split()}
    return bool(words) and MASKS.issuperset(words)


def distinct_words(corpus: Corpus) -> list[str]:
    """All words of a corpus, each once per file; empty where a file has no words."""
    try:
        return [word for source in corpus.sources for word in source.columns("word")[0].values]
    except DataError:
        return []


def _by_system(report: Report, kind: str) -> str:
    """The phrases of a kind of note for the first systems, and how many more there are."""
    concerned = [
        (system.name, system.surprises[kind])
        for system in report.systems
        if kind in system.surprises
    ]
    listed = [text.replace("{name}", name) for name, text in concerned[:_NAMED]]
    if more := len(concerned) - len(listed):
        listed.append(f"{more} more")
    return ", ".join(listed)


def _singletons(scorer: "Scorer", comparison: Comparison, scores: Scores) -> str:
    """How many singletons the response has where the key has none, and their cost in points."""
    key, response = comparison.key, comparison.response
    key_sizes, response_sizes = np.bincount(key.entity), np.bincount(response.entity)
    number = int((response_sizes == 1).sum())
    if not number or not key.mentions or (key_sizes == 1).any():
        return ""
    text = f"{{name}} has {number:,}"
    ranks = averages(scores)
    if scorer.options.profile != "standard" or not ranks or comparison.documents:
        return text
    kept = response_sizes[response.entity] > 1
    from corefkit.scorers.counting import count_comparison

    without = comparison.take(np.ones(key.mentions, dtype=bool), kept)
    scores_without = replace(scores, counts=count_comparison(scorer, without))
    gain = scores_without[ranks[0]].f1 - scores[ranks[0]].f1
    effect = ("cost" if gain >= 0 else "gain") + "s" * (number == 1)
    return f"{text}, which {effect} {points(abs(gain))} points of {ranks[0]}"


def _count_other_words(scorer: "Scorer", comparison: Comparison) -> int:
    """How many words of the response differ from those of the key.

    0 where a model wrote them, where they are refused, and where nothing can be compared.
    """
    from corefkit.scorers.checks import count_differing_words

    if comparison.failed or scorer.options.refuses("words"):
        return 0
    key, response = comparison.read
    if not key.sources or not response.sources:
        return 0
    if any(format_of(source).model_words for source in (*key.sources, *response.sources)):
        return 0
    return count_differing_words(key, response)


def _uncounted(report: Report) -> Iterator[str]:
    """The metrics that had nothing to count in any response, e.g. bridging without bridging links.

    Their scores are 0 by a rule and say nothing about a system. Default metrics, such as that of
    zeros for CorefUD, are passed over: they suit most files and not all.
    """
    from corefkit.scorers import scorer_class

    systems, default = report.scores.values(), scorer_class(report.options.profile).metrics
    names = [
        name
        for name in report.options.metrics
        if name not in default and systems and all(_is_empty(scores[name]) for scores in systems)
    ]
    if names:
        are = "is 0 because" if len(names) == 1 else "are 0 because"
        yield f"{', '.join(names)} {are} neither the key nor a response has anything to count"


def _is_empty(score: Score) -> bool:
    """Whether a score is 0 and has counts, all of them 0; ari and vi of singletons are 1."""
    return not score.f1 and bool(score.counts) and not _has_numbers(score.counts)


def _has_numbers(counts: object) -> bool:
    """Whether any of these numbers, in dicts and lists of any depth, is not 0."""
    if isinstance(counts, Mapping):
        return any(map(_has_numbers, counts.values()))
    if isinstance(counts, (list, tuple)):
        return any(map(_has_numbers, counts))
    return bool(counts)


def _usual_profile(report: Report) -> Iterator[str]:
    """A note where the files of a task are scored by the standard rules."""
    if report.options.profile != "standard" or not report.key.corpus.sources:
        return
    key_format = format_of(report.key.corpus.sources[0])
    if key_format.usual_profile:
        profile, task = key_format.usual_profile
        rules = f"{key_format.title} files are scored by the standard rules"
        yield f"{rules}; those of {task}: --profile {profile}"


def _pooled(report: Report) -> Iterator[str]:
    """A note where files are scored together, but the official score is defined otherwise."""
    from corefkit.scorers import scorer_class

    scorer, files = scorer_class(report.options.profile), len(report.key.corpus.sources)
    if (official := scorer.official_score) and files > 1:
        yield f"the {files:,} files of the key are scored as one; the official score is {official}"


_BOUND_VALUES = ("recall", "precision", "f1")


class Bound(NamedTuple):
    """A value of a metric ("recall", "precision" or "f1"), and its lower bound in percent."""

    metric: str
    value: str
    least: float

    def failure(self, *runs: Scores) -> str:
        """A phrase that says that the value is below the bound; "" where it is not.

        Of several runs, the value is their mean.
        """
        values = [getattr(scores[self.metric], self.value) for scores in runs]
        value = None if None in values else math.fsum(values) / len(values)
        if value is not None and 100 * value >= self.least:
            return ""
        name = self.metric if self.value == "f1" else f"{self.metric}.{self.value}"
        if value is None:
            return f"{name} has no value to compare with {self.least:g}"
        return f"{name} {_distinguished(100 * value, self.least)} is below {self.least:g}"


def parse_bounds(texts: Iterable[str], metrics: Iterable[str]) -> list[Bound]:
    """The bounds in texts such as `conll=70` and `lea.recall=60`; UsageError for any other text.

    >>> parse_bounds(["lea.recall=60"], ["lea", "conll"])
    [Bound(metric='lea', value='recall', least=60.0)]
    """
    scored = list(metrics)
    bounds = []
    for text in texts:
        name, equals, number = text.partition("=")
        if not equals:
            raise UsageError(f"at-least: {text!r} is not of the form METRIC=PERCENT")
        metric, _, value = name.strip().partition(".")
        metric, value = canonical(metric), value or "f1"
        choose("at-least: metric", metric, scored)
        choose(f"at-least: value of {metric}", value, _BOUND_VALUES)
        if value != "f1" and get(metric).parts:
            raise UsageError(f"at-least: {metric} is an average of F1 and has no {value}")
        bounds.append(Bound(metric, value, _percent(text, number)))
    return bounds


def _percent(text: str, number: str) -> float:
    try:
        percent = float(number)
    except ValueError:
        percent = math.nan
    if not 0 <= percent <= 100:
        raise UsageError(f"at-least: {text!r}: the bound is a percentage from 0 to 100")
    if 0 < percent <= 1:
        name = text.partition("=")[0]
        raise UsageError(
            f"at-least: {text!r}: the bound is a percentage, not a fraction: write "
            f"{name}={100 * percent:.10g}"
        )
    return percent


def bound_failures(bounds: Iterable[Bound], systems: Mapping[str, Sequence[Scores]]) -> list[str]:
    """One line per system and bound that the mean over its runs does not reach."""
    return [
        f"{name}: {failure}"
        for name, runs in systems.items()
        for bound in bounds
        if (failure := bound.failure(*runs))
    ]


def _distinguished(value: float, bound: float) -> str:
    """The value with the usual decimals, or as many as distinguish it from the bound.

    >>> _distinguished(69.996, 70.0), _distinguished(61.2, 70.0)
    ('69.996', '61.20')
    """
    for digits in range(style().digits, 18):
        if float(f"{value:.{digits}f}") != float(f"{bound:.{digits}f}"):
            return f"{value:.{digits}f}"
    return repr(value)


def bounds_dict(options: Options) -> dict[str, Any]:
    """The bounds of the strata, by division, as in the JSON output."""
    if not options.by:
        return {}  # nothing that splits is loaded

    from corefkit.features.divisions import find_division
    from corefkit.features.features import Feature

    divisions = map(find_division, options.by)
    bounds = {d.name: list(d.bounds) for d in divisions if not isinstance(d, Feature) and d.bounds}
    return {"bounds": bounds} if bounds else {}
