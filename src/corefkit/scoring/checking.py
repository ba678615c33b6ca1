"""Check files: everything that is wrong with them, alone and against a key."""

from collections.abc import Sequence
from os import PathLike, fspath

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident, errors
from corefkit.data.options import Options
from corefkit.formats import Reading, read_all
from corefkit.formats.choices import PLAIN_SIDES, Readings
from corefkit.scoring.check import named, pair
from corefkit.scoring.meeting import same_names, same_unit
from corefkit.scoring.prepare import prepare
from corefkit.scoring.words import compare_words

Readable = str | PathLike[str]
_STANDARD = Options()


def check(
    *files: Readable, against: Readable | None = None, readings: Readings = PLAIN_SIDES
) -> list[Incident]:
    """All incidents of files (also `.gz`, directories, globs), and of each against a key.

    Nothing is raised: a file that cannot be read is an incident too.

    >>> check("examples/hasty.conll")
    []
    >>> found = check("examples/hasty.conll", against="examples/key.conll")
    >>> [incident.id for incident in found]
    ['document-missing']
    """
    key, found = (None, []) if against is None else _check_one(against, readings.key)
    reading = readings.key if against is None else readings.response
    for file in files:
        corpus, own = _check_one(file, reading)
        found += own
        if key is not None and corpus is not None:
            found += named(_check_two(key, corpus), corpus, fspath(file))
    return found


check_files = check
"""What `check` was called first."""


def _check_two(key: Corpus, response: Corpus) -> list[Incident]:
    """What two corpora show side by side."""
    response, found = same_names(key, response, _STANDARD)
    if not errors(found):
        key, response, told, _ = same_unit(key, response)
        found += told
    if errors(found):
        return found
    return [*found, *pair(key, response, _STANDARD), *compare_words(key, response)]


def _check_one(file: Readable, reading: Reading) -> tuple[Corpus | None, list[Incident]]:
    """The corpus, unless it cannot be compared, and its own incidents by file and line."""
    try:
        corpus = read_all(file, reading)
        found = list(corpus.incidents)
    except DataError as error:
        return None, list(error.incidents)
    broken = bool(errors(found))
    found += named(prepare(corpus, _STANDARD)[1], corpus, fspath(file))
    return None if broken else corpus, sorted(found, key=_place)


def _place(incident: Incident) -> tuple[str, float, int]:
    """By file and line; what has no line, such as a count of further ones, comes last."""
    line = float("inf") if incident.line is None else incident.line
    return incident.file or "", line, incident.column or 0


def summary(incidents: Sequence[Incident]) -> str:
    """One line for the end.

    >>> summary([])
    'no errors, no warnings'
    """
    words = []
    for severity in ("error", "warning"):
        number = sum(i.count for i in incidents if i.severity == severity)
        words.append(f"{f'{number:,}' if number else 'no'} {severity}{'s' * (number != 1)}")
    return ", ".join(words)
