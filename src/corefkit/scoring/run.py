"""Score responses against a key: read, check, prepare, count."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from corefkit.data.arrays import BoolArray
from corefkit.data.corpus import Corpus
from corefkit.data.counts import Counts, Size
from corefkit.data.groups import BREAKDOWNS
from corefkit.data.incidents import DataError, Incident, Severity, errors, make_incident
from corefkit.data.matching.pairs import Pairs
from corefkit.data.options import POLICIES, Options, Policies, Variants
from corefkit.data.spans import crossing_mentions
from corefkit.formats import PLAIN, Reading, Readings, read_all, split_readings
from corefkit.formats.choices import ReadingChoices
from corefkit.formats.files import NamedPath, path_name
from corefkit.metrics import get as get_metric
from corefkit.metrics.base import MentionMetric
from corefkit.profiles import make_options
from corefkit.profiles.counting import check_matching, count, match_sides
from corefkit.profiles.signature import signature
from corefkit.scoring.ahead import run_ahead
from corefkit.scoring.check import named, outside, pair
from corefkit.scoring.matching import make_ready
from corefkit.scoring.meeting import (
    Documents,
    left_out,
    same_names,
    same_unit,
    wanted_documents,
)
from corefkit.scoring.prepare import align, prepare
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from corefkit.data.tagsets import Tagset
    from corefkit.mentions.pair import Pair
    from corefkit.mentions.tokens import KeyTokens
    from corefkit.metrics.base import Metrics
    from corefkit.profiles.conll801_repeats import Repeat

Readable = str | PathLike[str] | Corpus
"""What can be scored: the name of a file (`.gz` too), `-`, a directory or a glob; or a Corpus."""


@dataclass(frozen=True)
class Side:
    """Key or response, ready to be scored unless there are errors among its incidents.

    `corpus` is as it was read, `scored` as the options want it; both are empty where an engine
    counted, which says how large the side is.
    """

    path: str
    corpus: Corpus
    scored: Corpus
    incidents: tuple[Incident, ...]
    counted: Size | None = None
    coverage: float | None = None
    """How much of the key its text covers, where it had to be aligned."""

    @property
    def size(self) -> Size:
        """How large the side is, as it is scored."""
        scored = self.scored
        return self.counted or Size(len(scored.names), scored.mentions, scored.entities)

    @cached_property
    def tokens(self) -> "KeyTokens":
        """The token columns, which are read when they are needed, and once."""
        from corefkit.mentions.tokens import KeyTokens

        return KeyTokens(self.scored)


@dataclass(frozen=True)
class System:
    """One response and its result; `scores` is None where it could not be scored."""

    name: str
    path: str
    scores: Scores | None
    incidents: tuple[Incident, ...] = ()
    documents: int = 0
    mentions: int = 0
    entities: int = 0
    repeats: "tuple[Repeat, ...]" = ()
    """With `--duplicates reference`: the mentions that were removed, up to the eleventh."""


@dataclass(frozen=True)
class Report:
    """The result of one run: the key, the systems in the order given, and what was noticed."""

    options: Options
    key: Side
    systems: tuple[System, ...]

    @property
    def incidents(self) -> list[Incident]:
        """All incidents: of the key, then of the systems in order."""
        return [*self.key.incidents, *(i for s in self.systems for i in s.incidents)]

    @property
    def signature(self) -> str:
        """One line that says how the scores were made; coverage in the order of the systems."""
        scores = self.scores.values()
        aligned = any(one.coverage is not None for one in scores)
        coverage = [1.0 if one.coverage is None else one.coverage for one in scores]
        return signature(self.options, coverage if aligned else ())

    @property
    def scores(self) -> dict[str, Scores]:
        """The scores of the systems that could be scored, by their names."""
        return {system.name: system.scores for system in self.systems if system.scores}


class ScoreChoices(Policies, ReadingChoices, total=False):
    """The keywords of `score` besides its own: policies, and how files are read."""


def score(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    response: Readable,
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    variant: Variants = (),
    tagset: "str | Tagset" = "auto",
    engine: Any = None,
    columns: Mapping[str, str] | None = None,
    documents: Documents = "all",
    **policies: Unpack[ScoreChoices],
) -> Scores:
    """Score a response against a key; each is a path (file, .gz, directory, glob, -) or a Corpus.

    `metrics` are names, "muc,bcub" or ["muc", "bcub"], or metrics of your own; without them all
    default ones are scored.
    `profile` and `policies` are the options of `corefkit score`, e.g. profile="conll-8.01",
    singletons="drop", duplicates="error", missing="error", extra="error".

    `variant` and `tagset` are for the application scores: "clean", "inferred=clean" or
    {"inferred": "clean"}, and the name of a tagset or one of your own.

    `engine` is "duckdb", "spark", a DuckDB connection or a Spark session: key and response are
    then Parquet files, relations, DataFrames or Arrow tables with one row a mention, and
    `columns` says what their columns are called where the names differ (docs/scale.md).

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
    if engine is not None:
        from corefkit.engines.run import Setup
        from corefkit.scoring.engines import score_on_engine

        report = score_on_engine(key, [response], options, Setup(engine, columns or {}))
    else:
        report = score_systems(key, [response], options, readings=readings, documents=documents)
    scores = report.systems[0].scores
    if scores is None:
        raise DataError(report.incidents)
    return scores


def score_systems(  # noqa: PLR0913 (as many as there are things to say)
    key: Readable,
    responses: Sequence[Readable],
    options: Options,
    *,
    only: str | None = None,
    by: str | None = None,
    readings: Readings = Readings(),  # noqa: B008 (it is frozen)
    documents: Documents = "all",
) -> Report:
    """Score several responses against one key, which is read once; `only` one document of it.

    While one response is scored the next is being read. Bad data raises nothing: the systems
    concerned have no scores, and the report holds the incidents. `by` names a break-down that
    will be asked of the scores, so that its token columns are read now, and found missing now.
    `documents` are "all", "common", a file with a list, or a collection of names.
    """
    options, readings = same_layer(options, readings)
    sides = read_sides(key, responses, options, readings)
    return score_sides(sides, responses, options, only=only, by=by, documents=documents)


def same_layer(options: Options, readings: Readings) -> tuple[Options, Readings]:
    """Options and readings that agree on the layer: whoever names one says it to the other."""
    named = readings.key.layer
    if named in POLICIES["layer"]:
        return replace(options, layer=named), readings
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
    makers = (make_key, *(make_side for _ in responses))
    how = (readings.key, *(readings.response for _ in responses))
    sources = zip(makers, (key, *responses), how, strict=True)
    return run_ahead(partial(make, source, options, way) for make, source, way in sources)


def score_sides(  # noqa: PLR0913 (as many as there are things to say)
    sides: Iterator[Side],
    responses: Sequence[Readable],
    options: Options,
    *,
    only: str | None = None,
    by: str | None = None,
    documents: Documents = "all",
) -> Report:
    """Like `score_systems`, of sides that are read: the key, then the responses."""
    check_matching(options)
    ours = next(sides)
    if only is not None:
        ours = only_document(ours, only)
    ours = _read_tokens(ours, options, by)
    if errors(ours.incidents):
        names = [path_of(r) for r in responses]
        systems = [System(n, p, None) for n, p in zip(system_names(names), names, strict=True)]
        return Report(options, ours, tuple(systems))
    options = _resolve(options, ours)
    names = system_names([path_of(r) for r in responses])
    systems = []
    for side, name in zip(sides, names, strict=True):
        if only is not None and only in side.corpus.names:
            side = only_document(side, only)  # noqa: PLW2901
        systems.append(score_response(ours, side, name, options, documents))
    return Report(options, ours, tuple(systems))


def only_document(side: Side, name: str) -> Side:
    """The side with one of its documents; an incident where it is not there."""
    if name in side.corpus.names:
        return replace(side, corpus=side.corpus.only(name), scored=side.scored.only(name))
    found = make_incident("document-unknown", name=name, file=side.path)
    return replace(side, incidents=(*side.incidents, found))


def _read_tokens(key: Side, options: Options, by: str | None) -> Side:
    """The key with the token columns that will be needed; an incident for what it lacks."""
    if errors(key.incidents) or not (options.applications or by in BREAKDOWNS):
        return key
    from corefkit.mentions.needs import load_tokens

    try:
        load_tokens(key.tokens, options, by)
    except DataError as error:
        return replace(key, incidents=(*key.incidents, *error.incidents))
    return key


def _resolve(options: Options, key: Side) -> Options:
    """The options with the tagset that was found out, so that the signature says which it was."""
    if not options.applications or options.tagset != "auto" or not key.scored.tokens.any():
        return options
    if not key.tokens.has("pos"):
        return options
    return replace(options, tagset=key.tokens.tagset.name)


def make_side(
    source: Readable,
    options: Options,
    reading: Reading = PLAIN,
    loaded: Mapping[str, bytes] | None = None,
) -> Side:
    """Read one side, check it and apply the policies to it; `loaded` are its files, if read."""
    path = path_of(source)
    try:
        if isinstance(source, Corpus):
            corpus = source
            found = [*source.incidents] if source.sources else crossing_mentions(source)
        else:
            how = replace(reading, ids=options.ids, all_columns=False)
            corpus = read_all(source, how, loaded)
            found = list(corpus.incidents)
    except DataError as error:
        nothing = Corpus.from_clusters({})
        return Side(path, nothing, nothing, error.incidents)
    if options.heads == "tree" and corpus.head is not None:
        from corefkit.formats.conllu.heads import tree_heads

        corpus = tree_heads(corpus)
    scored, told = prepare(corpus, options)
    return Side(path, corpus, scored, (*found, *named(told, corpus, path)))


def make_key(source: Readable, options: Options, reading: Reading = PLAIN) -> Side:
    """Like `make_side`, with what the reference scorer says of spans that a key repeats."""
    side = make_side(source, options, reading)
    if options.duplicates != "reference" or errors(side.incidents):
        return side
    from corefkit.profiles.conll801 import tell_key_repeats

    told = tell_key_repeats(side.scored, side.path)
    return replace(side, incidents=(*side.incidents, *told))


def score_response(
    key: Side, response: Side, name: str, options: Options, documents: Documents = "all"
) -> System:
    """Score one response; where it cannot be, the incidents say why."""
    key, response = meet(key, response, options)
    incidents = response.incidents
    chosen = None
    if options.missing == "skip" and documents == "all":
        documents = "common"
    if documents != "all" and not errors(incidents):
        chosen = wanted_documents(key.corpus, response.corpus, documents)
        key, response = among(key, response, chosen)
        incidents = (*response.incidents, *left_out(chosen, key.corpus))
    if not errors(incidents):
        compared = (
            incident
            for incident in pair(key.corpus, response.corpus, options)
            if chosen is None or incident.document not in _names(key.corpus, ~chosen)
        )
        incidents += named(compared, response.corpus, response.path)
        incidents += tuple(outside(key.corpus, response.corpus, options))
        if options.words != "ignore":
            from corefkit.scoring.words import compare_words

            grave: Severity = "error" if options.words == "error" else "warning"
            incidents += tuple(compare_words(key.corpus, response.corpus, grave))
        if options.duplicates == "corefud-1.1":
            from corefkit.scoring.empty_nodes import compare_empty_nodes

            incidents += tuple(compare_empty_nodes(key.corpus, response.corpus))
    if errors(incidents):
        return System(name, response.path, None, incidents)
    aligned, told, repeats = settle(key, response, options)
    incidents += tuple(told)
    if errors(incidents):
        return System(name, response.path, None, incidents, repeats=repeats)
    ours, theirs, told = make_ready(key.scored, aligned, (key.corpus, response.corpus), options)
    incidents += tuple(told)
    if errors(incidents):
        return System(name, response.path, None, incidents)
    matched = match_sides(ours, theirs, options)
    if {"nonreferring", "bridging"} & set(options.metrics):
        whole = key.corpus, align(response.corpus, key.corpus)
        matched = replace(matched, annotated=whole)
    make_pair = partial(_pair, key, replace(aligned, sources=()), options, matched.pairs)
    counts = count(matched, options)
    if options.applications:
        counts = count_mentions(counts, make_pair(), options.applications)
    if chosen is not None:
        counts = counts.select(chosen)
    return System(
        name,
        response.path,
        Scores(options, counts, (*key.incidents, *incidents), make_pair, response.coverage),
        incidents,
        len(set(response.corpus.names) & set(key.corpus.names)),
        aligned.mentions,
        aligned.entities,
        repeats,
    )


def meet(key: Side, response: Side, options: Options) -> tuple[Side, Side]:
    """Both sides with the same names for the same documents, and the same unit.

    What had to be done, and what could not be, stands among the incidents of the response.
    """
    if options.align == "crac" and response.corpus.sources and not errors(key.incidents):
        from corefkit.scoring.crac import as_the_task_reads

        corpus, found = as_the_task_reads(key.corpus, response.corpus)
        scored = prepare(corpus, options)[0]
        response = replace(response, corpus=corpus, scored=scored, incidents=tuple(found))
    if errors(key.incidents) or errors(response.incidents):
        return key, response
    renamed, found = same_names(key.corpus, response.corpus, options)
    if errors(found):
        return key, replace(response, incidents=(*response.incidents, *found))
    ours, theirs, told, coverage = same_unit(key.corpus, renamed, options)
    if coverage is not None:
        response = replace(response, coverage=coverage)
    if ours is not key.corpus:
        key = replace(key, corpus=ours, scored=prepare(ours, options)[0])
    if theirs is not response.corpus:
        scored = (
            replace(response.scored, names=theirs.names)
            if theirs is renamed
            else prepare(theirs, options)[0]
        )
        response = replace(response, corpus=theirs, scored=scored)
    return key, replace(response, incidents=(*response.incidents, *found, *told))


def among(key: Side, response: Side, chosen: BoolArray) -> tuple[Side, Side]:
    """Both sides without the mentions of the key's documents that are not chosen."""
    names = _names(key.corpus, chosen)

    def cut(corpus: Corpus) -> Corpus:
        kept = np.array([name in names for name in corpus.names], dtype=bool)
        return corpus.take(kept[corpus.document])

    return replace(key, scored=cut(key.scored)), replace(response, scored=cut(response.scored))


def _names(corpus: Corpus, documents: BoolArray) -> set[str]:
    return {name for name, some in zip(corpus.names, documents.tolist(), strict=True) if some}


class Settled(NamedTuple):
    """A response with the documents of the key and repeated mentions settled; what was told."""

    corpus: Corpus
    incidents: list[Incident]
    repeats: "tuple[Repeat, ...]" = ()


def settle(key: Side, response: Side, options: Options) -> Settled:
    """The response as it is compared with the key."""
    aligned = align(response.scored, key.scored)
    if options.duplicates == "corefud-1.1":
        from corefkit.profiles.corefud11 import distinct_response

        return Settled(distinct_response(aligned, options), [])
    if options.duplicates != "reference":
        return Settled(aligned, [])
    from corefkit.profiles.conll801 import remove_repeats

    return Settled(*remove_repeats(key.scored, aligned, response.path))


def count_mentions(counts: Counts, pair: "Pair", variants: Mapping[str, str]) -> Counts:
    """The counts with those of metrics over single mentions, each in its variant."""
    tables, cells = dict(counts.tables), dict(counts.cells)
    for name, variant in variants.items():
        metric = get_metric(name)
        assert isinstance(metric, MentionMetric)
        tables[name], by_class = metric.count(pair, variant)
        cells |= {name: by_class} if by_class else {}
    return Counts(counts.documents, tables, cells)


def _pair(key: Side, response: Corpus, options: Options, pairs: Pairs) -> "Pair":
    """The two sides as application scores and break-downs see them."""
    from corefkit.mentions.pair import Pair

    return Pair(key.scored, response, key.tokens, options.tagset, pairs)


_ENDING = re.compile(r"\.(conll(ua?)?|jsonl(ines)?|json|parquet)$")


def system_names(paths: Sequence[str]) -> list[str]:
    """Systems are named by their files, without `.gz` and the ending of their format.

    Where two collide they are named by their paths.

    >>> system_names(["runs/good.conll.gz", "runs/bad.conll"])
    ['good', 'bad']
    >>> system_names(["a/response.conll", "b/response.conll"])
    ['a/response.conll', 'b/response.conll']
    >>> system_names(["same.conll", "same.conll"])
    ['same.conll', 'same.conll (2)']

    A NamedPath brings its name along.
    """
    files = [path.rstrip("/").rpartition("/")[2].removesuffix(".gz") for path in paths]
    short = [
        path.name if isinstance(path, NamedPath) else _ENDING.sub("", file) or path
        for file, path in zip(files, paths, strict=True)
    ]
    long = [n if short.count(n) == 1 else p for n, p in zip(short, paths, strict=True)]
    earlier = [long[:place].count(name) for place, name in enumerate(long)]
    return [f"{n} ({e + 1})" if e else n for n, e in zip(long, earlier, strict=True)]


def path_of(source: Readable) -> str:
    """The name of a file as it was given; for a Corpus what it holds."""
    return repr(source) if isinstance(source, Corpus) else path_name(source)
