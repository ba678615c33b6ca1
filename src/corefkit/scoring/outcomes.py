"""From files to a listing of outcomes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.options import PLAIN_SIDES, Options, Readings, UsageError, Variants
from corefkit.core.tagsets import Tagset
from corefkit.formats import split_readings
from corefkit.metrics import NAMES, VARIANTS
from corefkit.metrics.base import Metrics
from corefkit.metrics.outcomes import load_tokens
from corefkit.scorers import make_options
from corefkit.scoring.listing import Listing
from corefkit.scoring.report import Report
from corefkit.scoring.run import read_sides, same_layer, score_sides
from corefkit.scoring.sides import Readable, Side


def outcomes(
    key: Readable,
    *responses: Readable,
    metrics: Metrics = tuple(VARIANTS),
    variant: Variants = (),
    tagset: str | Tagset = "auto",
    **policies: Any,
) -> Listing:
    """What became of each mention under the application scores, for one or more responses.

    `.rows()` has a dict for each mention; the options are those of `corefkit.score`. Raises
    DataError if the data cannot be scored.

    >>> listing = outcomes("examples/key.conll", "examples/careful.conll", metrics="immediate")
    >>> [r["immediate"] for r in listing.rows() if r["text"] == "The sea wall"]
    []
    """
    if not responses:
        raise TypeError("outcomes: name a response, or several, behind the key")
    for response in responses:
        if isinstance(response, str) and response in NAMES and not Path(response).exists():
            raise UsageError(f"{response} is no file; metrics are named: metrics={response!r}")
    readings = split_readings(policies)
    options = make_options(metrics, "standard", variant=variant, tagset=tagset, **policies)
    return list_outcomes(key, responses, options, readings)[0]


def list_outcomes(
    key: Readable, responses: Sequence[Readable], options: Options, readings: Readings = PLAIN_SIDES
) -> tuple[Listing, list[Incident]]:
    """The listing, and the warnings of the run; DataError where anything cannot be scored.

    Named entities are listed where the key has them, and not needed otherwise. Of a key without
    tags only immediate is listed, which does not need them.
    """
    if unfit := [m for m in options.metrics if m not in VARIANTS]:
        raise UsageError(f"{unfit[0]} has no outcomes of mentions; only {', '.join(VARIANTS)} have")
    options, readings = same_layer(options, readings)
    return list_sides(list(read_sides(key, responses, options, readings)), options)


def list_sides(sides: Sequence[Side], options: Options) -> tuple[Listing, list[Incident]]:
    """Like `list_outcomes`, of sides that are read: the key, then the responses."""
    report = _matched(sides, options)
    pairs = {s.name: s.scores.pair for s in report.systems if s.scores and s.scores.pair}
    if len(pairs) < len(report.systems):
        raise DataError(report.incidents)
    tokens = report.key.tokens
    told = report.incidents
    if set(options.applications) == set(VARIANTS) and not tokens.has("pos"):
        options = replace(options, metrics=("immediate",))
        told.append(_immediate_only(report.key.path))
    load_tokens(tokens, options, None)
    tokens.load("word")
    return Listing(pairs, options.applications), told


def _matched(sides: Sequence[Side], options: Options) -> Report:
    """All responses matched with the key, over the same documents."""
    only_matched = replace(options, metrics=("mentions",))
    responses = [side.path for side in sides[1:]]
    report = score_sides(iter(sides), responses, only_matched)
    if options.missing != "skip" or len(responses) < 2:
        return report
    known = [set(scores.counts.documents) for scores in report.scores.values()]
    common = set.intersection(*known) if known else set()
    if known and not common:
        raise UsageError("missing skip: there is no document that all responses have")
    return score_sides(iter(sides), responses, only_matched, documents=common)


def _immediate_only(path: str) -> Incident:
    return make_incident(
        "column-missing",
        "only-immediate",
        severity="warning",
        file=path,
        expected="a part of speech for each token in column 5",
    )
