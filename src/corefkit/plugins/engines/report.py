"""Reports of runs on an engine: the same Scores as in memory."""

from collections.abc import Sequence
from dataclasses import replace
from filecmp import cmp
from os import fspath
from pathlib import Path
from typing import Any

from corefkit.core import progress
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Size
from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.names import Response, system_names
from corefkit.core.options import PLAIN_SIDES, Options, Reading, UsageError
from corefkit.formats.kit.files import check_readable, expand, walk
from corefkit.formats.registry import get_format, unused_options
from corefkit.plugins.engines.base import TEXTS, Engine, SourceReading
from corefkit.plugins.engines.counts_file import check_place, write_counts
from corefkit.plugins.engines.run import EngineCounter, open_engine
from corefkit.scorers.checks import check_matches
from corefkit.scorers.comparison import Side
from corefkit.scorers.documents import Documents
from corefkit.scorers.mistakes import FEW, MANY
from corefkit.scoring.engines import FORMATS, EnginePlugin, Setup, is_table
from corefkit.scoring.hashes import FileStates, check_unchanged, file_states
from corefkit.scoring.report import Report, System
from corefkit.scoring.scores import Scores

LARGE = 64 << 20
"""Parquet files of this many bytes or more are scored on DuckDB unless another engine is named."""


def is_for_engine(
    setup: Setup, sources: Sequence[Any], options: Options, documents: Documents = "all"
) -> bool:
    """Whether these sources are scored on an engine.

    They are where an engine is named or handed in, where a source is a table, and where the
    sources are large Parquet files. Only in memory can some of the documents be scored: UsageError
    where an engine would have to.
    """
    if not _is_for_engine(setup, sources):
        return False
    if isinstance(documents, str) and documents == "all" and options.documents == "all":
        return True
    if setup.engine == "auto" and not any(map(is_table, sources)):
        return False
    raise UsageError("documents: an engine scores all of them; to select some, score in memory")


_READ = ("columns", "missing")
"""The options of reading that engines know."""


def _is_for_engine(setup: Setup, sources: Sequence[Any]) -> bool:
    if setup.engine == "memory":
        return False
    if setup.engine != "auto" or any(map(is_table, sources)):
        return True
    if any(reading.format or {*reading.options} - {*_READ} for reading in setup.readings):
        return False
    try:
        listed = [_parquet(source) for source in sources]
    except DataError:  # a folder that cannot be read, which is said where it is
        return False
    if not all(listed):
        return False
    paths = [path for group in listed for path in group]
    return sum(Path(path).stat().st_size for path in paths if Path(path).is_file()) >= LARGE


def score_on_engine(
    engine: Engine, key: Any, responses: Sequence[Any], options: Options, setup: Setup
) -> Report:
    """Score responses against a key on an engine; the report holds the incidents of bad data."""
    if options.window:
        raise UsageError("window: an engine counts whole documents; cut them in memory")
    if any(isinstance(source, Corpus) for source in (key, *responses)):
        raise UsageError("a Corpus is in memory, where it is scored: leave out the engine")
    for form in {reading.format for reading in setup.readings} - {None, *FORMATS}:
        raise UsageError(
            f"format {form}: engines read tables only: leave it out, or score in memory"
        )
    if setup.counts:
        check_place(setup.counts)
    paths = [_name(source) for source in responses]
    names = system_names(
        [r if isinstance(r, Response) else p for r, p in zip(responses, paths, strict=True)]
    )
    cells = [SourceReading(setup.columns, reading.listed("missing")) for reading in setup.readings]
    counter = EngineCounter(engine, options, cells[0], cells[1], _source)
    states = {name: file_states(name) for name in (_name(key), *paths)}
    try:
        size, counted = counter.count(key, responses)
        check_unchanged(_name(key), states[_name(key)])
    except DataError as error:
        failed = Side.of(_name(key), PLAIN_SIDES.key, None, *error.incidents)
        systems = [System(n, p, None) for n, p in zip(names, paths, strict=True)]
        return Report(options, failed, tuple(systems))
    systems = []
    unused = _unused(key, setup.readings.key)
    for name, path, source, response in zip(names, paths, responses, counted, strict=True):
        unused += _unused(source, setup.readings.response)
        incidents, scores = (*unused, *response.incidents, *_changed(path, states[path])), None
        unused = []
        if response.counts is not None and not errors(incidents):
            same = _same_file(key, source, size.mentions)
            incidents = (
                *(i for i in incidents if not same or i.id != "sides-exchanged"),
                *check_matches(response.counts, path),
                *same,
            )
            scores = Scores(options, response.counts, incidents)
            if not same and _is_perfect(scores, size, response.size):
                number = size.mentions
                told = make_incident("same-file", "annotation", file=path, number=number)
                scores = replace(scores, incidents=(*incidents, told))
                incidents = scores.incidents
            if options.across:
                scores = replace(scores, levels=response.levels, reaches=response.reaches)
        read = System(name, path, scores, incidents, response.size)
        systems.append(read._replace(states=states[path]))
    if setup.counts:
        progress.at("writing the counts")
        write_counts(setup.counts, {s.name: s.scores for s in systems if s.scores})
    read_key = replace(Side.of(_name(key), PLAIN_SIDES.key), counted=size)
    return Report(options, read_key, tuple(systems), states[_name(key)])


def _unused(source: Any, reading: Reading) -> list[Incident]:
    """A warning for each option of reading that means nothing to an engine, as in memory."""
    title = get_format(FORMATS[_name(source).lower().endswith(TEXTS)]).title
    return unused_options(reading, get_format("mention-table").options, title, _name(source))


def _changed(path: str, states: FileStates) -> tuple[Incident, ...]:
    """The error that files have been changed while the engine read them, if they have."""
    try:
        check_unchanged(path, states)
    except DataError as error:
        return tuple(error.incidents)
    return ()


def _source(source: Any) -> Any:
    """What an engine reads; UsageError for a file in another format."""
    if is_table(source):
        # A stream can be read only once. A frame has attributes of any name, its type does not.
        return source.read_all() if hasattr(type(source), "read_all") else source
    if not (found := _parquet(source) or _files(source, TEXTS)):
        if Path(source).is_dir():
            raise UsageError(f"{_name(source)}: there is no table in this folder")
        raise UsageError(
            f"{_name(source)}: engines read tables only, .parquet, .csv or .tsv; convert it "
            f"(corefkit convert {_name(source)} FILE.parquet), or score in memory (--engine memory)"
        )
    for name in found:
        if "://" not in name:
            check_readable(name)
    return found


def _parquet(source: Any) -> list[str]:
    """The Parquet files that a path stands for; a path with a scheme is left to the engine."""
    if is_table(source) or isinstance(source, Corpus):
        return []
    name = fspath(source)
    if "://" in name:
        return [name]
    return _files(name, (".parquet",) if Path(name).is_dir() else (".parquet", ".pq"))


def _files(source: Any, endings: tuple[str, ...]) -> list[str]:
    """The files with one of these endings that a path stands for."""
    name = fspath(source)
    listed = walk(name) if Path(name).is_dir() else expand(name)
    return [file for file in listed if file.lower().endswith(endings)]


def _same_file(key: Any, response: Any, mentions: int) -> tuple[Incident, ...]:
    """A warning, as in memory, where the same files or files of the same bytes are both sides."""
    if is_table(key) or is_table(response):
        return ()
    one, other = _source(key), _source(response)
    if one != other:
        if mentions < FEW or len(one) != len(other):
            return ()
        try:
            if not all(cmp(a, b, shallow=False) for a, b in zip(one, other, strict=True)):
                return ()
        except OSError:  # a path with a scheme
            return ()
    found = f"what is in {_name(key)}"
    return (make_incident("same-file", file=_name(response), found=found),)


def _is_perfect(scores: Scores, key: Size, response: Size) -> bool:
    """Whether the mentions and entities of a large response are those of the key, as in memory."""
    if key.mentions < MANY or key[1:] != response[1:]:
        return False
    others = [name for name in scores if name != "mentions"]
    return bool(others) and all(scores[name].f1 == 1 for name in others)


def _name(source: Any) -> str:
    return f"<{type(source).__name__}>" if is_table(source) else fspath(source)


ENGINE = EnginePlugin(is_for_engine, open_engine, score_on_engine)
"""DuckDB and Spark; the setup says which."""
