"""Check files: everything that is wrong with them, alone and against a key."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Unpack

from corefkit.core.incidents import Incident, errors
from corefkit.core.options import PLAIN_SIDES, Options, ReadChoices, Reading, Readings
from corefkit.formats import nothing_marked, readings_of, with_annotators
from corefkit.scorers.checks import with_path
from corefkit.scorers.comparison import Side
from corefkit.scorers.scorer import Scorer

PathName = str | PathLike[str]
_SCORER = Scorer(Options(words="compare"))


def check(
    *files: PathName, against: PathName | None = None, **how: Unpack[ReadChoices]
) -> list[Incident]:
    """All incidents of files (also `.gz`, directories, globs), and of each against a key.

    Of a file with several annotators, each of them is checked.
    Nothing is raised about files: one that cannot be read is an incident too. `how` are the
    keywords of `corefkit.read`, e.g. format="preco"; key_format is for the key alone,
    response_format for the files that are checked against it.

    >>> check("examples/hasty.conll")
    []
    >>> found = check("examples/hasty.conll", against="examples/key.conll")
    >>> [incident.id for incident in found]
    ['document-missing']
    """
    return find_incidents(files, against, readings_of(how))


def find_incidents(
    files: Sequence[PathName], against: PathName | None = None, readings: Readings = PLAIN_SIDES
) -> list[Incident]:
    """Like `check`, with the readings of both sides."""
    return check_files(files, against, readings)[0]


def check_files(
    files: Sequence[PathName], against: PathName | None = None, readings: Readings = PLAIN_SIDES
) -> tuple[list[Incident], list[Side]]:
    """Like `find_incidents`, and the files as they were read, each annotator of them."""
    key = None if against is None else _read(against, readings.key)
    incidents = [*key.incidents] if key else []
    sides = []
    reading = readings.response if key else readings.key
    for file in files:
        annotators = with_annotators([file], reading, curation=True)
        here = [_read(annotator, reading) for annotator in annotators]
        for side in here:
            incidents += side.incidents
            if key and not errors((*key.incidents, *side.incidents)):
                noticed = _SCORER.compare(key, side).incidents[len(side.incidents) :]
                incidents += with_path(noticed, side.corpus, side.path)
        if annotators != (file,) and not any(
            s.corpus.mentions or errors(s.incidents) for s in here
        ):
            incidents += nothing_marked(fspath(file)).incidents
        sides += here
    return incidents, sides


def _read(file: PathName, reading: Reading) -> Side:
    """A file with its incidents by file and line."""
    side = _SCORER.read(file, reading, whole=True)
    return replace(side, incidents=tuple(sorted(side.incidents, key=_place)))


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
