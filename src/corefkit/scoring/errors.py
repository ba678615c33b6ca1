"""From files to errors: what each response got wrong, and what that cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np

from corefkit import metrics as registry
from corefkit.analysis.errors import Errors, common_errors
from corefkit.analysis.joint import join
from corefkit.analysis.losses import LossFigures
from corefkit.analysis.types import TYPES
from corefkit.core.carriers import frozen
from corefkit.core.incidents import Incident, make_incident
from corefkit.core.languages import LANGUAGES, Tagset
from corefkit.core.names import shown_groups
from corefkit.core.options import (
    PLAIN_SIDES,
    Options,
    Readings,
    UsageError,
    refuse_levels,
)
from corefkit.core.progress import told
from corefkit.core.texts import texts_of
from corefkit.features.chains import KeyTokens
from corefkit.formats.options import split_readings
from corefkit.formats.registry import format_of
from corefkit.metrics.base import Metrics, PartitionMetric
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Comparison, Readable, Side
from corefkit.scorers.signature import signature
from corefkit.scoring.report import Report, System
from corefkit.scoring.run import (
    NamedSides,
    compare_systems,
    incidents_of,
    named_sides,
    noted_system,
    reconcile,
)

SHARED_OUT = "conll"
"""The metric whose lost points are divided among the errors when none is named."""


@frozen
class ErrorReport:
    """The errors of several responses to one key.

    Attributes:
        options: metrics and policies; the lost points of the first metric are divided among the
            errors.
        key: the key, as it was read and as it is compared.
        comparisons: the key with each response, in the order given.
        systems: the errors of each response, in the same order.
        incidents: those of the key and of the comparisons.
        pronouns: the words that count as pronouns, sorted; None where none were given.
        with_shares: whether the lost points are divided among the types of errors.
        by: how errors are grouped, if they are.
        sampled: what detection and linking cost each system, with intervals; see `losses`.
    """

    options: Options
    key: Side
    comparisons: tuple[Comparison, ...]
    systems: tuple[Errors, ...]
    incidents: tuple[Incident, ...] = ()
    pronouns: tuple[str, ...] | None = None
    with_shares: bool = True
    by: str | None = None
    sampled: Mapping[str, Mapping[str, LossFigures]] | None = None

    @property
    def losses(self) -> Mapping[str, Mapping[str, LossFigures]]:
        """What detection and linking cost each system in each metric."""
        return self.sampled or {system.name: system.corners.by_metric() for system in self.systems}

    @property
    def common(self) -> dict[str, dict[str, int]]:
        """Type → how many errors all systems make ("all"), and how many only one, by its name."""
        return common_errors(self.systems)

    def groups(self, errors: Errors) -> dict[str, dict[str, int]]:
        """Group → type → how many errors a system makes, if they are grouped."""
        return shown_groups(errors.by(self.by), self.by) if self.by else {}

    def rows(self) -> list[dict[str, Any]]:
        """One flat row per system and type, or if errors are grouped per system and group."""
        if self.by:
            return [
                {"system": errors.name, self.by: group, **row}
                for errors in self.systems
                for group, row in self.groups(errors).items()
            ]
        rows: list[dict[str, Any]] = []
        for errors in self.systems:
            repaired = {metric: errors.repaired(metric) for metric in errors.metrics}
            shares = {m: errors.shares(m) for m in self.options.metrics} if self.with_shares else {}
            for name in TYPES:
                row: dict[str, Any] = {"system": errors.name, "type": name}
                row |= {"errors": errors.counts[name], "mentions": errors.mentions_concerned[name]}
                row |= errors.mentions[name]
                row |= {f"{metric}_repaired": column[name] for metric, column in repaired.items()}
                rows.append(row | {f"{m}_share": column[name] for m, column in shares.items()})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit errors`."""
        systems = []
        for errors in self.systems:
            losses = {name: loss.to_dict() for name, loss in self.losses[errors.name].items()}
            systems.append(errors.to_dict(shares=self.with_shares) | {"losses": losses})
            if self.by:
                systems[-1]["by"] = {self.by: self.groups(errors)}
        return {
            "signature": self.signature,
            "key": self.key.path,
            "metric": self.options.metrics[0],
            "files": self.files(),
            "systems": systems,
            **({} if self.pronouns is None else {"pronouns": list(self.pronouns)}),
            **({"common": self.common} if len(self.systems) > 1 else {}),
        }

    @property
    def signature(self) -> str:
        """One line that makes the figures reproducible; coverage in the order of the systems."""
        return signature(self.options, [errors.coverage for errors in self.systems])

    @property
    def notes(self) -> list[str]:
        """What `corefkit score` notes about the same files."""
        scorer = scorer_for(self.options)
        systems = [
            noted_system(scorer, comparison, errors.name)
            for errors, comparison in zip(self.systems, self.comparisons, strict=True)
        ]
        return Report(self.options, self.key, tuple(systems)).notes

    def files(self) -> dict[str, Any]:
        """The paths and hashes of key and responses, as they appear in the JSON output."""
        from corefkit.scoring.hashes import hash_files

        sides = [comparison.response_side for comparison in self.comparisons]
        systems = [
            System(errors.name, s.path, None, known_hash=hash_files(s.path, s.corpus.sources))
            for errors, s in zip(self.systems, sides, strict=True)
        ]
        return Report(self.options, self.key, tuple(systems)).files()


def errors(  # noqa: PLR0913 (as many as there are options)
    key: Readable | None = None,
    response: Readable | None = None,
    metrics: Metrics | None = None,
    profile: str = "standard",
    *,
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
    documents: Literal["all", "common"] = "all",
    **policies: Unpack[NamedSides],
) -> Errors:
    """The errors of a response: each one of them, by seven types, and what they cost.

    Key and response are paths or Corpora, the options those of `corefkit.score`, as are the names
    gold and pred, references and predictions. The points lost
    in the first of the `metrics`, by default conll, are divided among the errors. `pronouns` are
    the words that count as pronouns, instead of what tags or a built-in list say. The result is
    a sequence of errors with figures: `.counts`, `.repaired()`, `.shares()`, `.links()`,
    `.to_dict()`, `.to_frame()`. Raises DataError if the data cannot be scored.

    >>> from corefkit import Corpus
    >>> key = Corpus.from_clusters({"tale": [[(0, 0), (2, 3)], [(5, 5), (7, 7)]]})
    >>> response = Corpus.from_clusters({"tale": [[(0, 0), (2, 3), (5, 5), (7, 7)]]})
    >>> found = errors(key, response)
    >>> found
    Errors(Corpus(1 document, 4 mentions, 1 entity): conflated 1)
    >>> found[0].id, [(m.start, m.end) for m in found[0].mentions]
    ('tale/conflated/1', [(5, 5), (7, 7)])
    """
    choices: dict[str, Any] = {"documents": documents, **policies}
    key, (response,) = named_sides(key, () if response is None else (response,), choices)
    readings = split_readings(choices)
    options = make_options(
        SHARED_OUT if metrics is None else metrics, profile, tagset=tagset, **choices
    )
    report = find_errors(key, [response], options, pronouns=pronouns, readings=readings)
    return report.systems[0]


def find_errors(
    key: Readable,
    responses: Sequence[Readable],
    options: Options,
    *,
    pronouns: Iterable[str] | None = None,
    readings: Readings = PLAIN_SIDES,
) -> ErrorReport:
    """The errors of several responses; DataError where anything cannot be scored.

    Error analysis needs each mention in exactly one entity, so the copies that some profiles score
    are dropped here, with a note.
    """
    notes = [copies_note(options)] if copies_dropped(options) else []
    options, readings = reconcile(analysis_options(options), readings)
    systems = compare_systems(key, responses, options, readings)
    return report_errors(systems, options, notes, pronouns)


def report_errors(
    comparisons: Mapping[str, Comparison],
    options: Options,
    notes: Sequence[Incident] = (),
    pronouns: Iterable[str] | None = None,
) -> ErrorReport:
    """The errors of systems that were compared with one key, with `analysis_options`.

    Raises DataError where one of them cannot be scored. `notes` come first among the incidents.
    """
    key, incidents = next(iter(comparisons.values())).key_side, incidents_of(comparisons, notes)
    words = None if pronouns is None else frozenset(texts_of("pronouns", pronouns))
    systems = [
        _errors(comparison, name, options, words)
        for name, comparison in told(comparisons.items(), "systems", len(comparisons))
    ]
    if systems:
        sources = systems[0].joint.sources
        options = replace(options, kinds=str(sources))
        for system_errors in systems:
            system_errors.options = options
        if sources.pronouns == "none" and key.scored.mentions:
            incidents.append(kinds_unknown(key.tokens))
    listed = None if words is None else tuple(sorted(words))
    compared = tuple(comparisons.values())
    return ErrorReport(options, key, compared, tuple(systems), tuple(incidents), listed)


def kinds_unknown(tokens: KeyTokens) -> Incident:
    """The warning that pronouns cannot be distinguished from other mentions."""
    sources = tokens.corpus.sources
    path = sources[0].path if sources else None
    return make_incident("kinds-unknown", file=path, languages=", ".join(LANGUAGES))


def copies_dropped(options: Options) -> bool:
    """Whether the profile counts repeated mentions in its own way, which error analysis cannot."""
    return scorer_for(options).keeps_copies


def copies_note(options: Options) -> Incident:
    """The warning that repeated mentions are dropped for the analysis."""
    return make_incident("copies-dropped", profile=options.scorer)


def analysis_options(options: Options) -> Options:
    """The same options, with a scorer that puts every mention into one entity.

    Raises UsageError for metrics and policies that error analysis does not support.
    """
    refuse_levels(options, "errors are of single documents")
    for name in registry.counted(options.metrics):
        if not isinstance(registry.get(name), PartitionMetric):
            raise UsageError(
                f"{name}: error analysis repairs entities; choose a metric of entities, such as "
                "conll, lea or muc"
            )
    if options.average != "micro":
        raise UsageError(
            f"average {options.average}: only micro-averages can be divided among errors"
        )
    scorer = scorer_for(options)
    scorer.check_matching()
    if options.match in ("semeval", "min"):
        reason = "no half credit" if options.match == "semeval" else "only rules that pair mentions"
        raise UsageError(
            f"match {options.match}: error analysis supports {reason}; choose exact, for example"
        )
    return replace(options, scorer="standard") if scorer.keeps_copies else options


def check_losses(options: Options) -> None:
    """Raise UsageError where the losses of detection and linking cannot be separated."""
    analysis_options(options)
    if copies_dropped(options):
        raise UsageError(
            f"losses: the profile {options.scorer} counts one mention in several entities; choose "
            "--profile standard, or corefkit errors, which drops the copies"
        )


def _errors(
    comparison: Comparison, name: str, options: Options, pronouns: frozenset[str] | None
) -> Errors:
    key, response = comparison.key_side, comparison.response_side
    joint = join(comparison, key.tokens, options.tagset, pronouns)
    # The response with its files, and for each mention that is compared its row there.
    known = set(key.scored.names)
    compared = np.array([document in known for document in response.scored.names], dtype=bool)
    compared_rows = response.scored, np.flatnonzero(compared[response.scored.document])
    return Errors(name, joint, options, compared_rows, comparison.coverage)


def repaired_files(report: ErrorReport, folder: Path) -> tuple[dict[str, bytes], list[Incident]]:
    """Each response with each type of error repaired, as files to be written: path → bytes.

    And the incidents for what the format cannot express. The files are named `SYSTEM.TYPE.SUFFIX`
    and have the format and the tokens of the key, so that they can be scored against it.
    """
    from corefkit.formats.kit.convert import write_as

    key = report.key.scored
    assert key.sources  # a command has read it from files
    form = format_of(key.sources[0])
    if form.write is None:
        raise UsageError(f"--write-repaired: {form.title} is not written, only read")
    suffix = next(iter(form.suffixes), f".{form.name}")
    texts: dict[str, Any] = {
        name: getattr(key, name) for name in ("sources", "document_byte", "tokens")
    }
    files: dict[str, bytes] = {}
    incidents: list[Incident] = []
    for system in report.systems:
        for kind in TYPES:
            path = folder / f"{system.name.replace('/', '_')}.{kind}{suffix}"
            repaired = replace(system.repaired_corpus([kind]), **texts)
            written = write_as(repaired, str(path), form.name)
            incidents += written.incidents
            files |= written.files
    return files, incidents
