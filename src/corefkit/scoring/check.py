"""Check files: everything that is wrong with them, alone and against a key."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from typing import NamedTuple, Unpack

import numpy as np

from corefkit.core.columns import NOTHING
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.options import PLAIN_SIDES, Options, ReadChoices, Reading, Readings
from corefkit.core.tokens import Tokens, known_sentences
from corefkit.formats.kit.annotators import nothing_marked, with_annotators
from corefkit.formats.kit.files import expand
from corefkit.formats.options import readings_of
from corefkit.scorers.checks import with_path
from corefkit.scorers.comparison import Side
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.align import TextFit, align_files

PathName = str | PathLike[str]
_SCORER = Scorer(Options(), reports_words=True)
_STRICT = Scorer(Options(defects="strict"))


def check(
    *files: PathName,
    against: PathName | None = None,
    strict: bool = False,
    **how: Unpack[ReadChoices],
) -> list[Incident]:
    """All incidents of files (also `.gz`, directories, globs), and of each one against a key.

    If a file has several annotators, each of them is checked.
    With `strict`, defects that `corefkit.score` refuses with strict=True are errors.
    Files raise no exceptions: one that cannot be read is an incident too. `how` are the
    keywords of `corefkit.read`, e.g. format="preco"; key_format is for the key alone,
    response_format for the files that are checked against it.

    >>> check("examples/hasty.conll")
    []
    >>> incidents = check("examples/hasty.conll", against="examples/key.conll")
    >>> [incident.id for incident in incidents]
    ['document-missing']
    """
    return find_incidents(files, against, readings_of(how), strict=strict)


def find_incidents(
    files: Sequence[PathName],
    against: PathName | None = None,
    readings: Readings = PLAIN_SIDES,
    *,
    strict: bool = False,
) -> list[Incident]:
    """Like `check`, with the readings of both sides."""
    return check_files(files, against, readings, strict=strict).incidents


class Checked(NamedTuple):
    """What was found in files.

    Attributes:
        incidents: in the order of the files.
        sides: the files that were read, one for each annotator; the key is not one of these.
        fits: how the texts of those that differ from the key's fit it, by the path of the file.
    """

    incidents: list[Incident]
    sides: list[Side]
    fits: dict[str, TextFit]


_OTHER_TEXT = {"text-changed", "text-differs", "text-truncated", "length-differs", "words-differ"}
"""The incidents that say that a text is not that of the key."""


def check_files(
    files: Sequence[PathName],
    against: PathName | None = None,
    readings: Readings = PLAIN_SIDES,
    *,
    strict: bool = False,
) -> Checked:
    """Like `find_incidents`, with the files that were read and how well their texts fit."""
    scorer = _STRICT if strict else _SCORER
    key = None if against is None else _read(scorer, against, readings.key)
    incidents = [*key.incidents] if key else []
    sides = []
    fits: dict[str, TextFit] = {}
    reading = readings.response if key else readings.key
    for file in files:
        annotators = with_annotators([file], reading, curation=True)
        annotations = [s for annotator in annotators for s in _sides(scorer, annotator, reading)]
        for side in annotations:
            incidents += [*side.incidents, *several_speakers(Tokens(side.corpus))]
            if key and not errors((*key.incidents, *side.incidents)):
                compared = scorer.compare(key, side).incidents[len(side.incidents) :]
                incidents += with_path(compared, side.corpus, side.path)
                if _OTHER_TEXT.intersection(incident.id for incident in compared):
                    fits |= _fit(key.corpus, side)
        is_marked = any(side.corpus.mentions or errors(side.incidents) for side in annotations)
        if annotators != (file,) and not is_marked:
            incidents += nothing_marked(fspath(file)).incidents
        sides += annotations
    return Checked(incidents, sides, fits)


def _fit(key: Corpus, side: Side) -> dict[str, TextFit]:
    """How the text of a file fits the key, by its path; nothing if it cannot be aligned."""
    try:
        return {side.path: align_files(key, side.corpus)}
    except DataError:
        return {}


def _read(scorer: Scorer, file: PathName, reading: Reading) -> Side:
    """A file, its incidents sorted by file and line."""
    side = scorer.read(file, reading, whole=True)
    return replace(side, incidents=tuple(sorted(side.incidents, key=_place)))


def _sides(scorer: Scorer, path: PathName, reading: Reading) -> list[Side]:
    """What a path stands for; each of its files by itself if they cannot be read together."""
    whole = _read(scorer, path, reading)
    if whole.written.sources or not errors(whole.incidents):
        return [whole]
    try:
        files = expand(fspath(path))
    except DataError:
        return [whole]
    if len(files) == 1:
        return [whole]
    sides = [_read(scorer, file, reading) for file in files]
    told = {incident for side in sides for incident in side.incidents}
    return sides if told.issuperset(whole.incidents) else [whole, *sides]


def several_speakers(tokens: Tokens) -> list[Incident]:
    """A warning where sentences have several speakers: different cells, or a cell that lists them.

    The data of CoNLL-2012 assumes one per sentence (section 4.4.1 of its paper).
    """
    known = all(known_sentences(source) is not None for source in tokens.corpus.sources)
    if not known or not tokens.has("speaker"):
        return []
    speaker = tokens.column("speaker")
    listed = speaker.holds(lambda cell: len({*cell.split(",")} - NOTHING) > 1)
    named = ~speaker.is_any(*NOTHING)
    pairs = np.unique(np.stack((tokens.sentence, speaker.code), axis=1)[named], axis=0)
    sentences, speakers = np.unique(pairs[:, 0], return_counts=True)
    several = np.union1d(sentences[speakers > 1], tokens.sentence[listed])
    if not len(several):
        return []
    first = int(tokens.sentence_start[several[0]])
    cells = speaker.code[first : int(tokens.sentence_start[several[0] + 1])].tolist()
    names = dict.fromkeys(speaker.values[code] for code in cells)
    place, number = partial(tokens.place, first), len(several)
    found = ", ".join(names)
    return [make_incident("speakers-several", number=number, count=number, at=place, found=found)]


def _place(incident: Incident) -> tuple[str, float, int]:
    """Sorts by file and line; an incident without a line, such as a count of more, comes last."""
    line = float("inf") if incident.line is None else incident.line
    return incident.file or "", line, incident.column or 0


def summary(incidents: Sequence[Incident]) -> str:
    """How many errors and warnings there are, in one line.

    >>> summary([])
    'no errors, no warnings'
    """
    words = []
    for severity in ("error", "warning"):
        number = sum(i.count for i in incidents if i.severity == severity)
        words.append(f"{f'{number:,}' if number else 'no'} {severity}{'s' * (number != 1)}")
    return ", ".join(words)
