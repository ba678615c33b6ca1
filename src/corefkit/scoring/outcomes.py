"""From files to a listing of outcomes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.languages import Tagset
from corefkit.core.names import system_names
from corefkit.core.options import (
    PLAIN_SIDES,
    Options,
    Readings,
    ScoreChoices,
    UsageError,
    Variants,
    refuse_levels,
)
from corefkit.formats import split_readings
from corefkit.metrics import NAMES, VARIANTS
from corefkit.metrics.base import Metrics
from corefkit.metrics.outcomes import load_tokens
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Comparison, Readable, Side
from corefkit.scorers.documents import listed_documents
from corefkit.scoring.listing import Listing
from corefkit.scoring.run import in_agreement, read_sides


def outcomes(
    key: Readable,
    *responses: Readable,
    metrics: Metrics | None = None,
    variant: Variants = (),
    tagset: str | Tagset = "auto",
    **policies: Unpack[ScoreChoices],
) -> Listing:
    """What became of each mention under the application scores, for one or more responses.

    `.rows()` has a dict for each mention. `metrics` are application scores, all of them unless
    some are named; the other options are those of `corefkit.score`. Raises DataError if the data
    cannot be scored.

    >>> listing = outcomes("examples/key.conll", "examples/careful.conll", metrics="immediate")
    >>> [r["immediate"] for r in listing.rows() if r["text"] == "The sea wall"]
    []
    """
    if not responses:
        raise TypeError("outcomes: give one or more responses after the key")
    for response in responses:
        if isinstance(response, str) and response in NAMES and not Path(response).exists():
            raise UsageError(
                f"{response} is not a file; metrics are passed as metrics={response!r}"
            )
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    chosen = tuple(VARIANTS) if metrics is None else metrics
    options = make_options(chosen, "standard", variant=variant, tagset=tagset, **choices)
    refuse_levels(options, "outcomes are of single documents")
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
    options, readings = in_agreement(options, readings)
    names = system_names(responses)
    sides = read_sides(key, responses, options, readings)
    comparisons, incidents = _compare_all(sides, names, options)
    listing, lacking = list_comparisons(comparisons, options)
    return listing, incidents + lacking


def _compare_all(
    sides: Iterator[Side], names: Sequence[str], options: Options
) -> tuple[dict[str, Comparison], list[Incident]]:
    """Each response compared with the key over the same documents, and what was noticed."""
    scorer = scorer_for(options)
    key, documents = scorer.describe_key(next(sides)), None
    if errors(key.incidents):
        raise DataError(key.incidents)
    responses = list(sides)
    comparisons = [scorer.compare(key, side) for side in responses]
    if options.missing == "skip" and len(responses) > 1 and (common := in_all(comparisons)):
        documents, left_out = listed_documents(key.corpus, frozenset(common))
        key = key.with_incidents(*left_out)
        comparisons = [scorer.compare(key, side, documents) for side in responses]
    incidents = [*key.incidents, *(i for one in comparisons for i in one.incidents)]
    if any(comparison.failed for comparison in comparisons):
        raise DataError(incidents)
    return dict(zip(names, comparisons, strict=True)), incidents


def in_all(comparisons: Sequence[Comparison]) -> set[str]:
    """The documents that all responses have which can be compared; UsageError where none is."""
    known = [c.documents or set() for c in comparisons if not c.failed]
    common = set.intersection(*known) if known else set()
    if known and not common:
        raise UsageError("missing skip: there is no document that all responses have")
    return common


def list_comparisons(
    comparisons: Mapping[str, Comparison], options: Options
) -> tuple[Listing, list[Incident]]:
    """The listing of responses that were compared with one key, and what it lacks."""
    key = next(iter(comparisons.values())).key_side
    tokens, incidents = key.tokens, []
    if set(options.applications) == set(VARIANTS) and not tokens.has("pos"):
        options = replace(options, metrics=("immediate",))
        incidents.append(_immediate_only(key.path))
    load_tokens(tokens, options, None)
    tokens.load("word")
    pairs = {name: comparison.pair(options.tagset) for name, comparison in comparisons.items()}
    return Listing(pairs, options.applications), incidents


def _immediate_only(path: str) -> Incident:
    return make_incident(
        "column-missing",
        "only-immediate",
        severity="warning",
        file=path,
        expected="a part of speech for each token in column 5",
    )
