"""From files to errors: what each response got wrong, and what it cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from corefkit import metrics as registry
from corefkit.analysis.errors import Errors
from corefkit.analysis.joint import join
from corefkit.analysis.types import TYPES
from corefkit.applications.tokens import KeyTokens
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.incidents import errors as serious
from corefkit.core.languages import LANGUAGES, Tagset
from corefkit.core.names import system_names
from corefkit.core.options import (
    PLAIN_SIDES,
    Options,
    Readings,
    ScoreChoices,
    UsageError,
    refuse_levels,
)
from corefkit.core.texts import texts_of
from corefkit.formats import format_of, split_readings
from corefkit.metrics.base import Metrics, OverlapMetric
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Comparison, Readable, Side
from corefkit.scoring.run import in_agreement, read_sides

SHARED_OUT = "conll"
"""The metric whose lost points are shared out when none is named."""


@frozen
class ErrorReport:
    """The errors of several responses to one key.

    Attributes:
        options: metrics and policies; the first metric is the one whose lost points are shared out.
        key: the key as it was read and as it is compared.
        comparisons: the key with each response, in the order given.
        systems: the errors of each of them.
        incidents: what was noticed on the way.
        pronouns: the words that count as pronouns, where they were given.
    """

    options: Options
    key: Side
    comparisons: tuple[Comparison, ...]
    systems: tuple[Errors, ...]
    incidents: tuple[Incident, ...] = ()
    pronouns: tuple[str, ...] | None = None

    def files(self) -> dict[str, Any]:
        """Key and responses with their hashes, as they stand in JSON output."""
        from corefkit.scoring.hashes import hash_files

        sides = [c.response_side for c in self.comparisons]
        return {
            "key": {
                "path": self.key.path,
                **hash_files(self.key.path, self.key.corpus.sources).to_dict(),
            },
            "responses": [
                {
                    "name": system.name,
                    "path": side.path,
                    **hash_files(side.path, side.corpus.sources).to_dict(),
                }
                for system, side in zip(self.systems, sides, strict=True)
            ],
        }


def errors(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    response: Readable,
    metrics: Metrics | None = None,
    profile: str = "standard",
    *,
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
    **policies: Unpack[ScoreChoices],
) -> Errors:
    """What a response got wrong: errors of seven types, what they cost, and each one of them.

    Key and response are paths or Corpora, the options those of `corefkit.score`; the points lost
    in the first of the `metrics` are shared out, conll unless some are named; `pronouns` are
    words that count as pronouns, instead of what tags or our own list say. The result is a
    sequence of errors with figures: `.counts`, `.repaired()`, `.shares()`, `.links()`,
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
    chosen: dict[str, Any] = {**policies}
    readings = split_readings(chosen)
    options = make_options(
        SHARED_OUT if metrics is None else metrics, profile, tagset=tagset, **chosen
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

    An error is about the one entity of a mention, so the copies that some profiles score are
    dropped here, with a note.
    """
    notes = [copies_note(options)] if copies_dropped(options) else []
    options, readings = in_agreement(analysis_options(options), readings)
    sides = read_sides(key, responses, options, readings)
    ours = next(sides)
    if serious(ours.incidents):
        raise DataError(ours.incidents)
    scorer = scorer_for(options)
    comparisons = (scorer.compare(ours, side) for side in sides)
    systems = dict(zip(system_names(responses), comparisons, strict=True))
    return report_errors(systems, options, notes, pronouns)


def report_errors(
    comparisons: Mapping[str, Comparison],
    options: Options,
    notes: Sequence[Incident] = (),
    pronouns: Iterable[str] | None = None,
) -> ErrorReport:
    """The errors of systems that are compared with one key, by `analysis_options`.

    DataError where one of them cannot be scored. `notes` come first among the incidents.
    """
    key = next(iter(comparisons.values())).key_side
    incidents = [*notes, *key.incidents]
    for comparison in comparisons.values():
        incidents += comparison.incidents
    if any(comparison.failed for comparison in comparisons.values()):
        raise DataError(incidents)
    words = None if pronouns is None else frozenset(texts_of("pronouns", pronouns))
    systems = [
        _errors(system_errors, name, options, words) for name, system_errors in comparisons.items()
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
    """What is reported where pronouns cannot be told from other mentions."""
    sources = tokens.corpus.sources
    path = sources[0].path if sources else None
    return make_incident("kinds-unknown", file=path, languages=", ".join(LANGUAGES))


def copies_dropped(options: Options) -> bool:
    """Whether the profile counts repeated mentions in a way of its own, which errors do without."""
    return bool(scorer_for(options).counting)


def copies_note(options: Options) -> Incident:
    """What is reported where a mention has one entity for the analysis only."""
    return make_incident("copies-dropped", profile=options.scorer)


def analysis_options(options: Options) -> Options:
    """The same options, under which every mention has one entity.

    Raises UsageError where a metric is not one over partitions, or errors do not know a rule.
    """
    refuse_levels(options, "errors are of single documents")
    for name in registry.counted(options.metrics):
        if not isinstance(registry.get(name), OverlapMetric):
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
    return replace(options, scorer="standard") if scorer.counting else options


def check_losses(options: Options) -> None:
    """UsageError where detection and linking cannot be told apart in scores as they are counted."""
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
    # The response with its files, and its row for each row of the response as it is compared.
    known = set(key.scored.names)
    compared = np.array([name in known for name in response.scored.names], dtype=bool)
    places = response.scored, np.flatnonzero(compared[response.scored.document])
    return Errors(name, joint, options, places)


def repaired_files(report: ErrorReport, folder: Path) -> tuple[dict[str, bytes], list[Incident]]:
    """Each response with each type repaired, as files to be written (name → bytes), and what the
    format could not say.

    They are called `SYSTEM.TYPE.SUFFIX` and have the format and the tokens of the key, so that
    they can be scored against it.
    """
    key = report.key.scored
    assert key.sources  # a command has read it from files
    form = format_of(key.sources[0])
    if form.write is None:
        raise UsageError(f"--write-repaired: {form.title} is not written, only read")
    suffix = next(iter(form.suffixes), f".{form.name}")
    texts: dict[str, Any] = {n: getattr(key, n) for n in ("sources", "_begin", "tokens")}
    written: dict[str, bytes] = {}
    incidents: list[Incident] = []
    for errors_of in report.systems:
        for kind in TYPES:
            path = folder / f"{errors_of.name.replace('/', '_')}.{kind}{suffix}"
            repaired = replace(errors_of.repaired_corpus([kind]), **texts)
            made = form.write(repaired, str(path))
            incidents += made.incidents
            written |= made.files
    return written, incidents
