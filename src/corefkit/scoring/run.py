"""Score responses against a key: one with `score`, several with `score_systems`.

The key is read once, and each response when it is scored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, Union, Unpack, cast

from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, Size
from corefkit.core.incidents import DataError, Incident, errors, failure_as_incident
from corefkit.core.names import path_of, system_names
from corefkit.core.options import (
    PLAIN_SIDES,
    POLICIES,
    STANDARD,
    Options,
    PiecesPolicy,
    Readings,
    ScoreChoices,
    Variants,
)
from corefkit.formats.kit.files import out_of_memory
from corefkit.formats.kit.link_lists import links_text, reading_of_links
from corefkit.formats.options import make_reading, reading_texts, split_readings, with_texts
from corefkit.metrics import BREAKDOWNS
from corefkit.metrics import get as get_metric
from corefkit.metrics.base import MentionMetric
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Comparison, Readable, Side, in_all
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.documents import Documents, choose_documents, listed_documents
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.report import Report, System, copies, surprises
from corefkit.scoring.scores import Scores, chosen_counts

if TYPE_CHECKING:
    from corefkit.core.languages import Tagset
    from corefkit.features.chains import ComparedChains
    from corefkit.metrics.base import Metrics
    from corefkit.scorers.windows import WindowChoice
    from corefkit.scoring.engines import Database, EngineTable, Setup
    from corefkit.scoring.parts import PartSize


class LanguageDocument(Protocol):
    """A document of spaCy or Stanza; `Corpus.from_spacy` describes where its clusters are."""

    @property
    def text(self) -> Any:
        """Its text."""


LanguageDocuments = LanguageDocument | Sequence[LanguageDocument]


Scorable = Union["Readable", "EngineTable", LanguageDocuments]


class NamedSides(ScoreChoices, total=False):
    """Keywords of scoring, and other names of key and response; several predictions are a list."""

    gold: Scorable
    pred: Scorable | Sequence[Scorable]
    references: Scorable
    predictions: Scorable | Sequence[Scorable]


_SIDES = {"gold": "key", "references": "key", "pred": "response", "predictions": "response"}


def score(  # noqa: PLR0913 (as many as there are options)
    key: "Scorable | None" = None,
    response: "Scorable | None" = None,
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    variant: Variants = (),
    tagset: "str | Tagset" = "auto",
    engine: "str | Database | Setup | None" = None,
    columns: Mapping[str, str] | None = None,
    documents: Documents = "all",
    window: "WindowChoice" = (),
    window_singletons: PiecesPolicy = "follow",
    **policies: Unpack[NamedSides],
) -> Scores:
    """Score a response against a key; each is a path (file, .gz, directory, glob, -) or a Corpus.

    They may also be named: gold and pred, references and predictions.

    A document of spaCy or Stanza will do as well, or a list of them: see `Corpus.from_spacy`.

    `metrics` are names, "muc,bcub" or ["muc", "bcub"], or metrics of your own; by default those of
    the profile.
    `profile` and `policies` are the options of `corefkit score`, e.g. profile="conll-8.01",
    singletons="drop", duplicates="listed", strict=True.

    `variant` and `tagset` are for the application scores: "clean", "inferred=clean" or
    {"inferred": "clean"}, and the name of a tagset or one of your own.

    `engine` is "duckdb", "spark", a DuckDB connection, a Spark session, or a Setup with limits
    (docs/cross-document.md): key and response are then Parquet files, relations, DataFrames or
    Arrow tables with one row per mention, and `columns` says what their columns are called where
    the names differ. With "auto", tables and large Parquet files go to an engine.

    `window` cuts long documents, e.g. 1500, "500,1500", "sentences:20", "paragraphs" or "re:^ACT";
    the scores then have `windows`. `window_singletons` decides whether pieces of one mention are
    dropped where singletons are (docs/strata.md).

    `across` scores entities across documents: "topic", "corpus", "all" or several of these. The
    documents of a topic, or all documents, are then scored as one; `topic` is a pattern that finds
    the topic in the name of a document (docs/cross-document.md). The scores have `levels` and
    `reaches`.

    `documents` are "all", "common" (those that both sides have), a file with one name per line, or
    a collection of names. The options of `corefkit.read` choose how files are read, e.g.
    clusters="predicted_clusters"; format=… for both sides, key_format and response_format for one.

    Raises DataError if the data cannot be scored, UsageError if an option does not exist.

    >>> from corefkit import Corpus
    >>> key = Corpus.from_clusters({"tale": [[(0, 0), (2, 3)], [(5, 5), (7, 7)]]})
    >>> response = Corpus.from_clusters({"tale": [[(0, 0), (2, 3)], [(5, 5), (8, 8)]]})
    >>> score(key, response, metrics="muc")["muc"].counts
    {'recall': [1, 2], 'precision': [1, 2]}
    """
    choices: dict[str, Any] = {**policies}
    key, (response,) = named_sides(key, () if response is None else (response,), choices)
    key, response = _as_corpus(key), _as_corpus(response)
    readings = split_readings(choices)
    options = make_options(metrics, profile, variant=variant, tagset=tagset, **choices)
    if window != ():
        from corefkit.scorers.windows import with_windows

        options = with_windows(options, window, window_singletons)
    report = None
    if engine is not None or columns or _is_table(key) or _is_table(response):
        from corefkit.scoring.engines import make_setup, report_of_engine

        setup = make_setup(engine, columns, readings)
        report = report_of_engine((key, response), options, setup, documents)
        if setup.columns:
            listed = tuple(f"{name}={column}" for name, column in setup.columns.items())
            readings = Readings(*(make_reading(reading, columns=listed) for reading in readings))
    if report is None:
        key_source, response_source = cast("Readable", key), cast("Readable", response)
        report = score_systems(
            key_source, [response_source], options, readings=readings, documents=documents
        )
    scores = report.systems[0].scores
    if scores is None:
        raise DataError(report.incidents)
    return scores


def named_sides(
    key: Any, responses: Sequence[Any], choices: dict[str, Any], *, several: bool = False
) -> tuple[Any, tuple[Any, ...]]:
    """Key and responses, which may be among the choices under other names; removes these.

    A list of predictions stands for `several` responses where there can be some.
    """
    sides = {"key": () if key is None else (key,), "response": tuple(responses)}
    for name, side in _SIDES.items():
        if (given := choices.pop(name, None)) is not None:
            if sides[side]:
                raise TypeError(f"{name}: the {side} is given twice")
            listed = several and side == "response" and isinstance(given, list | tuple)
            sides[side] = tuple(given) if listed else (given,)
    for side in ("key",) if several else ("key", "response"):
        if not sides[side]:
            raise TypeError(f"the {side} is missing: a file is named by a str or a Path")
    return sides["key"][0], sides["response"]


def _as_corpus(source: Any) -> Any:
    """Documents of spaCy or Stanza, one or a list, as a Corpus; any other source unchanged."""
    if isinstance(source, str | PathLike | Corpus) or _is_table(source):
        return source  # hasattr is true for any name where a Spark table might have a column
    listed = source if isinstance(source, list | tuple) else [source]
    documents = (hasattr(item, "sentences") or hasattr(item, "spans") for item in listed)
    return Corpus.from_spacy(listed) if listed and all(documents) else source


def _is_table(source: object) -> bool:
    return not isinstance(source, str | PathLike | Corpus) and hasattr(source, "columns")


def score_systems(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    responses: Sequence[Readable],
    options: Options,
    *,
    by: str | None = None,
    readings: Readings = PLAIN_SIDES,
    documents: Documents = "all",
    notes: bool = False,
    hashed: bool = False,
    shared: bool = False,
) -> Report:
    """Score several responses against one key, which is read once.

    Bad data raises no exception: the systems concerned have no scores, and the report holds the
    incidents. `by` names a break-down that will be needed later: its token columns are read now,
    and reported if they are missing. `documents` are "all", "common", a file with a list, or a
    collection of names. With `notes` the report can tell what defaults hide, with `hashed` it has
    the hashes of the files as read. With `shared` the "common" documents are those that all
    responses have; otherwise each response is scored on those that it has.
    """
    options, readings = reconcile(options, readings)
    sides = read_sides(key, responses, options, readings)
    how: dict[str, Any] = {"by": by, "documents": documents, "notes": notes, "hashed": hashed}
    return score_sides(sides, responses, options, **how, shared=shared)


def reconcile(options: Options, readings: Readings) -> tuple[Options, Readings]:
    """Options and readings with the same layer, and the same rule for the links of link lists.

    Where only one of the two names a layer or a rule, the other takes it over. The options also say
    what else was chosen for reading, so that it is in the signature.
    """
    if links := links_text(readings.response):
        options = replace(options, links=links)
    elif options.links:  # from a signature
        key, response = (reading_of_links(options.links, reading) for reading in readings)
        readings = Readings(key, response)
    readings = with_texts(readings, options.read)  # from a signature
    options = replace(options, read=reading_texts(readings))
    named: Any = readings.key.get("layer")
    if named in POLICIES["layer"]:
        return replace(options, layer=named), readings
    if options.layer == STANDARD["layer"]:  # a format may have other layers, or none
        return options, readings
    key, response = (
        reading.with_options(layer=reading.get("layer") or options.layer)
        for reading in (readings.key, readings.response)
    )
    return options, Readings(key, response)


def read_sides(
    key: Readable, responses: Sequence[Readable], options: Options, readings: Readings
) -> Iterator[Side]:
    """The key, then the responses, prepared; each is read when it is asked for."""
    scorer = scorer_for(options)
    scorer.check_matching()
    yield scorer.read(key, readings.key)
    for response in responses:
        yield scorer.read(response, readings.response)


def score_sides(  # noqa: PLR0913 (as many as there are options)
    sides: Iterator[Side],
    responses: Sequence[Readable],
    options: Options,
    *,
    by: str | None = None,
    documents: Documents = "all",
    notes: bool = False,
    hashed: bool = False,
    shared: bool = False,
) -> Report:
    """Like `score_systems`, for sides that have been read: the key, then the responses."""
    scorer_for(options).check_matching()
    options, listed = choose_documents(options, documents)
    key, options = _read_tokens(next(sides), options, by)
    if options.window and not errors(key.incidents):
        from corefkit.scoring.window_scores import check_key

        key = check_key(scorer_for(options), key)
    chosen = None
    if options.documents == "listed" and not errors(key.incidents):
        chosen, incidents = listed_documents(key.corpus, listed)
        key = key.with_incidents(*incidents)
    if options.across and not errors(key.incidents):
        from corefkit.scoring.level_scores import check_levels

        key = check_levels(scorer_for(options), key, chosen)
    paths = [path_of(r) for r in responses]
    names = system_names(responses)
    if errors(key.incidents):
        systems = [System(n, p, None) for n, p in zip(names, paths, strict=True)]
        return Report(options, key, tuple(systems))
    scorer = scorer_for(options)
    if shared and options.documents == "common":
        sides = iter(listed_sides := [*sides])
        key, chosen = in_all_responses(scorer, key, listed_sides)
    systems = []
    for side, name in zip(sides, names, strict=True):
        comparison = scorer.compare(key, side, chosen)
        make = noted_system if notes else score_comparison
        system = make(scorer, comparison, name)
        if hashed or len(responses) > 1:
            from corefkit.scoring.hashes import hash_files

            read = hash_files(side.path, side.corpus.sources)
            system = system._replace(known_hash=read)
        systems.append(system)
    for number, copied in copies(systems).items():
        incidents = (*systems[number].incidents, copied)
        systems[number] = systems[number]._replace(incidents=incidents)
    if options.across:
        key = _with_size(key, systems)
    return Report(options, key, tuple(systems))


def in_all_responses(
    scorer: Scorer, key: Side, responses: Sequence[Side]
) -> tuple[Side, set[str] | None]:
    """The key, with an incident for what is left out, and the documents that all responses have."""
    common = in_all([scorer.compare(key, side) for side in responses])
    if not common:  # no response can be compared
        return key, None
    documents, incidents = listed_documents(key.corpus, frozenset(common))
    return key.with_incidents(*incidents), documents


def compare_systems(
    key: Readable,
    responses: Sequence[Readable],
    options: Options,
    readings: Readings,
    *,
    shared: bool = False,
) -> dict[str, Comparison]:
    """The comparison of each system with the key; DataError where the key cannot be read.

    With `shared` the "common" documents are those that all responses have.
    """
    scorer, sides = scorer_for(options), read_sides(key, responses, options, readings)
    key_side, documents = next(sides), None
    if errors(key_side.incidents):
        raise DataError(key_side.incidents)
    if shared and options.documents == "common":
        sides = iter(listed := [*sides])
        key_side, documents = in_all_responses(scorer, key_side, listed)
    compared = (scorer.compare(key_side, side, documents) for side in sides)
    return dict(zip(system_names(responses), compared, strict=True))


def incidents_of(
    comparisons: Mapping[str, Comparison], notes: Sequence[Incident] = ()
) -> list[Incident]:
    """These notes, then the incidents of the key and of systems; DataError where one has failed."""
    key = next(iter(comparisons.values())).key_side
    incidents = [*notes, *key.incidents, *(i for c in comparisons.values() for i in c.incidents)]
    if any(comparison.failed for comparison in comparisons.values()):
        raise DataError(incidents)
    return incidents


def _with_size(key: Side, systems: Sequence[System]) -> Side:
    """The key with its size at the widest level, where an entity may span several documents."""
    scored = next((system.scores for system in systems if system.scores), None)
    if scored is None:
        return key
    return replace(key, counted=_widest_size(scored.levels[-1].key, len(key.corpus.names)))


def _widest_size(size: "PartSize", documents: int) -> Size:
    """The size of a side at its widest level, with the number of its own documents."""
    assert size.entities is not None and size.mentions is not None
    return Size(documents, size.mentions, size.entities)


def noted_system(scorer: Scorer, comparison: Comparison, name: str) -> System:
    """The scores of one response, with what the notes of a report say about it."""
    system = score_comparison(scorer, comparison, name)
    if not system.scores:
        return system
    found = surprises(scorer, comparison, system.scores)
    return system._replace(surprises=found)


def score_comparison(scorer: Scorer, comparison: Comparison, name: str) -> System:
    """The scores of one response; where it cannot be scored, the incidents say why."""
    path, nothing = comparison.response_side.path, Size(0, 0, 0)
    incidents = comparison.incidents
    if not comparison.failed:
        try:
            with failure_as_incident(path):
                return _scored(scorer, comparison, name)
        except DataError as error:
            incidents = (*incidents, *error.incidents)
        except MemoryError:
            incidents = (*incidents, *out_of_memory(path).incidents)
    return System(name, path, None, incidents, nothing, comparison.repeats)


def _scored(scorer: Scorer, comparison: Comparison, name: str) -> System:
    options, response = scorer.options, comparison.response_side
    size, noticed = comparison.size, list(comparison.incidents)
    if options.across:  # the scores are those of the widest level
        from corefkit.scoring.level_scores import score_levels

        levels, reaches, of_ids = score_levels(scorer, comparison)
        scores = replace(levels[-1].scores, levels=levels, reaches=reaches)
        size = _widest_size(levels[-1].response, size.documents)
        noticed += of_ids
    else:
        counts = count_comparison(scorer, comparison)
        if options.applications:
            chains = comparison.chains(options.tagset)
            counts = _count_mentions(counts, chains, options.applications)
        counts = chosen_counts(counts, comparison)
        scores = Scores(options, counts, comparison=comparison.without_files())
    noticed += scorer.check_matches(scores.counts, response.path)
    if options.window:
        from corefkit.scoring.window_scores import score_windows

        windows, slips = score_windows(scorer, comparison, scores.counts)
        scores = replace(scores, windows=windows)
        noticed += slips
    incidents = (*comparison.key_side.incidents, *noticed)
    scores = replace(scores, incidents=incidents, coverage=comparison.coverage)
    return System(
        name,
        response.path,
        scores,
        tuple(noticed),
        size,
        comparison.repeats,
        comparison.left_out,
        _agreeing(scorer, comparison),
    )


def _agreeing(scorer: Scorer, comparison: Comparison) -> dict[str, int] | None:
    """How many spans both sides have, and how many of these have the same labels; None where no
    labels are compared.
    """
    names, sides = scorer.options.labels, (comparison.key, comparison.response)
    if not names:
        return None
    from corefkit.matching.labels import agreeing, unlabelled
    from corefkit.scorers.kbp import agreeing_in_order

    if any(unlabelled(side, names) for side in sides):  # a profile compares them where they are
        return None
    spans, same = (agreeing_in_order if scorer.labels else agreeing)(*sides, names)
    return {"spans": spans, "agree": same}


def _count_mentions(
    counts: Counts, compared: "ComparedChains", variants: Mapping[str, str]
) -> Counts:
    """The counts with those of the application scores, each in its variant."""
    tables, by_class = dict(counts.tables), dict(counts.by_class)
    for name, variant in variants.items():
        metric = get_metric(name)
        assert isinstance(metric, MentionMetric)
        tables[name], cells = metric.count(compared, variant)
        by_class |= {name: cells} if cells else {}
    return Counts(counts.documents, tables, by_class)


def _read_tokens(key: Side, options: Options, by: str | None) -> tuple[Side, Options]:
    """The key with the token columns that will be needed, or an incident where it lacks one.

    And the options with the tagset that was detected, so that the signature names it.
    """
    if errors(key.incidents) or not (options.applications or options.by or by in BREAKDOWNS):
        return key, options
    from corefkit.metrics.outcomes import load_tokens

    try:
        load_tokens(key.tokens, options, by)
        if options.by:
            from corefkit.scoring.strata import load_strata

            key = key.with_incidents(*load_strata(key.tokens, options))
    except DataError as error:
        return key.with_incidents(*error.incidents), options
    detects_tagset = options.applications and options.tagset == "auto"
    if detects_tagset and key.scored.tokens.any() and key.tokens.known_tagset():
        options = replace(options, tagset=key.tokens.tagset.name)
    return key, options
