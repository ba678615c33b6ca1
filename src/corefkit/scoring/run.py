"""Score responses against a key: read, check, prepare, count."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack, cast

from corefkit.data.corpus import Corpus
from corefkit.data.groups import BREAKDOWNS
from corefkit.data.incidents import DataError, errors
from corefkit.data.options import POLICIES, STANDARD, Options, Variants
from corefkit.formats.choices import PLAIN_SIDES, Readings, split_readings
from corefkit.profiles import make_options
from corefkit.profiles.counting import check_matching
from corefkit.scoring.ahead import run_ahead
from corefkit.scoring.naming import path_of, system_names
from corefkit.scoring.report import Report, System
from corefkit.scoring.response import score_response
from corefkit.scoring.scores import Scores
from corefkit.scoring.sides import Readable, Side, as_key, make_side
from corefkit.scoring.wanted import Documents, choose_documents, listed_documents

if TYPE_CHECKING:
    from corefkit.data.tables import Database, EngineName, EngineTable
    from corefkit.data.tagsets import Tagset
    from corefkit.engines.run import Setup
    from corefkit.metrics.base import Metrics
    from corefkit.scoring.choices import ScoreChoices


def score(  # noqa: PLR0913 (as many as there are options)
    key: "Readable | EngineTable",
    response: "Readable | EngineTable",
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    variant: Variants = (),
    tagset: "str | Tagset" = "auto",
    engine: "EngineName | Database | Setup | None" = None,
    columns: Mapping[str, str] | None = None,
    documents: Documents = "all",
    **policies: "Unpack[ScoreChoices]",
) -> Scores:
    """Score a response against a key; each is a path (file, .gz, directory, glob, -) or a Corpus.

    `metrics` are names, "muc,bcub" or ["muc", "bcub"], or metrics of your own; without them all
    default ones are scored.
    `profile` and `policies` are the options of `corefkit score`, e.g. profile="conll-8.01",
    singletons="drop", duplicates="error", missing="error", extra="error".

    `variant` and `tagset` are for the application scores: "clean", "inferred=clean" or
    {"inferred": "clean"}, and the name of a tagset or one of your own.

    `engine` is "duckdb", "spark", a DuckDB connection, a Spark session, or a Setup with limits
    (docs/scale.md): key and response are then Parquet files, relations, DataFrames or Arrow
    tables with one row a mention, and `columns` says what their columns are called where the
    names differ. With "auto", tables and large Parquet files go to an engine.

    `documents` are "all", "common" (those that both sides have), a file with one name a line, or
    a collection of names. How files are read can be said as in `corefkit.read`, e.g.
    clusters="predicted_clusters"; format=… for both sides, key_format and response_format for one.

    Raises DataError if the data cannot be scored, UsageError if an option does not exist.

    >>> from corefkit import Corpus
    >>> key = Corpus.from_clusters({"tale": [[(0, 0), (2, 3)], [(5, 5), (7, 7)]]})
    >>> response = Corpus.from_clusters({"tale": [[(0, 0), (2, 3)], [(5, 5), (8, 8)]]})
    >>> score(key, response, metrics="muc")["muc"].counts
    {'recall': [1, 2], 'precision': [1, 2]}
    """
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = make_options(metrics, profile, variant=variant, tagset=tagset, **choices)
    report = None
    if engine is not None or columns or _is_table(key) or _is_table(response):
        from corefkit.scoring.engines import report_of_engine

        report = report_of_engine((key, response), options, engine, columns or {}, documents)
    if report is None:
        ours, theirs = cast("Readable", key), cast("Readable", response)
        report = score_systems(ours, [theirs], options, readings=readings, documents=documents)
    scores = report.systems[0].scores
    if scores is None:
        raise DataError(report.incidents)
    return scores


def _is_table(source: object) -> bool:
    return not isinstance(source, str | PathLike | Corpus) and hasattr(source, "columns")


def score_systems(  # noqa: PLR0913 (as many as there are things to say)
    key: Readable,
    responses: Sequence[Readable],
    options: Options,
    *,
    by: str | None = None,
    readings: Readings = PLAIN_SIDES,
    documents: Documents = "all",
) -> Report:
    """Score several responses against one key, which is read once.

    While one response is scored the next is being read. Bad data raises nothing: the systems
    concerned have no scores, and the report holds the incidents. `by` names a break-down that
    will be asked of the scores, so that its token columns are read now, and found missing now.
    `documents` are "all", "common", a file with a list, or a collection of names.
    """
    options, readings = same_layer(options, readings)
    sides = read_sides(key, responses, options, readings)
    return score_sides(sides, responses, options, by=by, documents=documents)


def same_layer(options: Options, readings: Readings) -> tuple[Options, Readings]:
    """Options and readings with the same layer: the one that names it decides for the other."""
    named = readings.key.layer
    if named in POLICIES["layer"]:
        return replace(options, layer=named), readings
    if options.layer == STANDARD["layer"]:  # other formats have layers of their own, or none
        return options, readings
    key, response = (
        replace(reading, layer=reading.layer or options.layer)
        for reading in (readings.key, readings.response)
    )
    return options, Readings(key, response)


def read_sides(
    key: Readable, responses: Sequence[Readable], options: Options, readings: Readings
) -> Iterator[Side]:
    """Key and responses as the options want them; while one is used the next is being read."""
    check_matching(options)
    tasks = [partial(make_side, key, options, readings.key)]
    tasks += [partial(make_side, response, options, readings.response) for response in responses]
    return run_ahead(tasks)


def score_sides(
    sides: Iterator[Side],
    responses: Sequence[Readable],
    options: Options,
    *,
    by: str | None = None,
    documents: Documents = "all",
) -> Report:
    """Like `score_systems`, of sides that are read: the key, then the responses."""
    check_matching(options)
    options, listed = choose_documents(options, documents)
    ours, options = _read_tokens(as_key(next(sides), options), options, by)
    paths = [path_of(r) for r in responses]
    names = system_names(paths)
    if errors(ours.incidents):
        systems = [System(n, p, None) for n, p in zip(names, paths, strict=True)]
        return Report(options, ours, tuple(systems))
    chosen = None
    if options.documents == "listed":
        chosen, told = listed_documents(ours.corpus, listed)
        ours = replace(ours, incidents=(*ours.incidents, *told))
    named = zip(sides, names, strict=True)
    systems = [score_response(ours, side, name, options, chosen) for side, name in named]
    return Report(options, ours, tuple(systems))


def _read_tokens(key: Side, options: Options, by: str | None) -> tuple[Side, Options]:
    """The key with the token columns that will be needed; an incident for what it lacks.

    And the options with the tagset that was found out, so that the signature says which it was.
    """
    if errors(key.incidents) or not (options.applications or by in BREAKDOWNS):
        return key, options
    from corefkit.mentions.needs import load_tokens

    try:
        load_tokens(key.tokens, options, by)
    except DataError as error:
        return replace(key, incidents=(*key.incidents, *error.incidents)), options
    unknown = options.applications and options.tagset == "auto"
    if unknown and key.scored.tokens.any() and key.tokens.has("pos"):
        options = replace(options, tagset=key.tokens.tagset.name)
    return key, options
