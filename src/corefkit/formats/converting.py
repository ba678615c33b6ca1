"""From one format to another, with every loss reported."""

import os
from dataclasses import replace

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.formats import files, registry
from corefkit.formats.losses import Choices, reduce
from corefkit.formats.reading import read
from corefkit.formats.registry import Reading
from corefkit.formats.writing import packed


def convert(
    source: str, target: str, to: str, reading: Reading, choices: Choices
) -> tuple[dict[str, bytes], list[Incident]]:
    """The files of the new format (name → bytes), and the warnings of reading and writing.

    Raises UsageError where the format is only read or a file would be overwritten that is read,
    DataError for data that cannot be read or must not be lost.
    """
    corpus = read(source, reading)
    written, told = write_as(corpus, target, to, choices)
    told = [*_other_layer(corpus, source, reading), *told]
    ours = {os.path.realpath(name) for name in files.expand(source)}
    if same := [name for name in written if os.path.realpath(name) in ours]:
        raise UsageError(f"{same[0]} is what is read: write to another file")
    return written, [*corpus.incidents, *told]


def _other_layer(corpus: Corpus, source: str, reading: Reading) -> list[Incident]:
    """What a CoNLL-UA file says in the layer that is not converted."""
    if not any(one.format.name == "conllua" for one in corpus.sources):
        return []
    other = "identity" if reading.layer == "deixis" else "deixis"
    number = read(source, replace(reading, layer=other)).mentions
    return [make_incident("layer-dropped", "layer", number=number, layer=other)] if number else []


def write_as(
    corpus: Corpus, target: str, to: str, choices: Choices
) -> tuple[dict[str, bytes], list[Incident]]:
    """The files of a format, and what it could not say; packed if the target ends in `.gz`."""
    format = registry.get(to)
    if format.write is None:
        known = ", ".join(name for name in registry.names() if registry.get(name).write)
        raise UsageError(f"to: {to} is only read; choose from {known}")
    holds = format.holds | ({"characters"} if format.unit == "character" else set())
    if choices.cross == "pool":
        from corefkit.formats.recounting import pool_topics

        corpus = pool_topics(corpus)
    plain, told = reduce(corpus, frozenset(holds), choices)
    written = format.write(plain, target)
    seen = {(incident.id, incident.message) for incident in told}
    told += [i for i in written.incidents if (i.id, i.message) not in seen]
    return {name: packed(name, data) for name, data in written.files.items()}, told
