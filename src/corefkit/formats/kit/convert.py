"""From one format to another: written files, and an incident for everything that is lost."""

import sys
import warnings
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from os import PathLike
from typing import Literal, NamedTuple

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Moves
from corefkit.core.incidents import DataError, Incident, data_error, make_incident
from corefkit.core.links import KINDS
from corefkit.core.mention_columns import runs_of
from corefkit.core.names import path_name
from corefkit.core.nodes import crossing_mentions, repeated_spans, zero_numbers
from corefkit.core.options import Reading, UsageError, choose
from corefkit.core.texts import count_of, shorten
from corefkit.formats import registry
from corefkit.formats.format import Format
from corefkit.formats.kit.annotators import refuse_several
from corefkit.formats.kit.files import packed
from corefkit.formats.kit.reading import read_all
from corefkit.formats.kit.writing import (
    files_of,
    is_stream,
    refuse_overwriting,
    write_atomically,
    write_together,
)


@frozen
class Losses:
    """What to do with annotations that the target format cannot express.

    Attributes:
        discontinuous: a mention with several parts becomes the span from the first to the last,
            becomes its first part, or is an error.
        zeros: empty nodes are dropped with their mentions, become tokens, or are an error.
        cross: documents stay separate, or those of a topic become one (ECB+, TAC).
    """

    discontinuous: Literal["span", "first", "error"] = "span"
    zeros: Literal["drop", "token", "error"] = "drop"
    cross: Literal["split", "pool"] = "split"

    def __post_init__(self) -> None:
        choose("discontinuous", self.discontinuous, ("span", "first", "error"))
        choose("zeros", self.zeros, ("drop", "token", "error"))
        choose("cross", self.cross, ("split", "pool"))


_USUAL = Losses()


def reduce(
    corpus: Corpus, holds: frozenset[str], losses: Losses = _USUAL
) -> tuple[Corpus, list[Incident]]:
    """The corpus reduced to what a format `holds`, and warnings with counts.

    Raises DataError for what must not be lost: crossing mentions of one entity, and whatever
    `losses` declares an error.
    """
    warned: list[Incident] = []
    if corpus.unit == "character" and "characters" not in holds:
        from corefkit.formats.kit.text import split_tokens

        corpus = split_tokens(corpus)
    if losses.zeros == "token" and "zeros" not in holds and _has_zeros(corpus):
        from corefkit.formats.kit.text import zeros_as_tokens

        corpus = zeros_as_tokens(corpus)
    for step in (_without_zeros, _without_parts, _without_layers):
        corpus, incidents = step(corpus, holds, losses)
        warned += incidents
    if "crossing" not in holds and (crossing := crossing_mentions(corpus)):
        raise DataError(crossing)
    if number := int(repeated_spans(corpus).sum()):
        warned.append(make_incident("span-in-two-entities", "written", number=number))
    return corpus, warned


def _has_zeros(corpus: Corpus) -> bool:
    inside = corpus.nodes is not None and bool(corpus.nodes.zero.any())
    return inside or bool(zero_numbers(corpus).any())


def _without_zeros(
    corpus: Corpus, holds: frozenset[str], losses: Losses
) -> tuple[Corpus, list[Incident]]:
    if "zeros" in holds:
        return corpus, []
    corpus, inside = without_zeros_inside(corpus)
    if inside and losses.zeros == "error":
        raise DataError([replace(inside[0], severity="error")])
    zero = zero_numbers(corpus) > 0
    if not zero.any():
        return replace(corpus, zero=None), inside
    lost = _lost("mention-zero", int(zero.sum()), losses.zeros)
    return replace(corpus.take(~zero), zero=None), [lost, *inside]


def _lost(kind: str, number: int, choice: str) -> Incident:
    """The warning about lost mentions; DataError if the choice is "error"."""
    if choice == "error":
        raise data_error(kind, severity="error", number=number)
    return make_incident(kind, severity="warning", number=number)


def without_zeros_inside(corpus: Corpus) -> tuple[Corpus, list[Incident]]:
    """The corpus without empty nodes inside mentions, and a warning with the number of mentions.

    Mentions of a single empty node stay; those of several empty nodes and no token are left out.
    """
    if corpus.nodes is None or not corpus.nodes.zero.any():
        return corpus, []
    moves, number = Moves(corpus), 0
    for row, nodes in corpus.nodes:
        tokens = [node for node in nodes if not node[1]]
        number += len(tokens) < len(nodes)
        moves.kept[row] = bool(tokens)
        if tokens:
            moves.start[row], moves.end[row] = tokens[0][0], tokens[-1][0]
            moves.list_nodes(row, tokens)
    return moves.made(), [make_incident("mention-zero", "inside", number=number)]


def empty_documents(number: int) -> list[Incident]:
    """A warning about documents without tokens, for formats that cannot hold them; [] for 0."""
    return [make_incident("document-empty", "left-out", number=number)] if number else []


def _without_parts(
    corpus: Corpus, holds: frozenset[str], losses: Losses
) -> tuple[Corpus, list[Incident]]:
    if corpus.nodes is None or "parts" in holds:
        return corpus, []
    lost = _lost("mention-discontinuous", len(corpus.nodes.row), losses.discontinuous)
    start, end = corpus.start.copy(), corpus.end.copy()
    for row, nodes in corpus.nodes:
        surface = [token for token, zero in nodes if not zero] or [max(nodes[0][0], 0)]
        runs = runs_of(surface)[: 1 if losses.discontinuous == "first" else None]
        start[row], end[row] = surface[0], runs[-1][1]
    return replace(corpus, start=start, end=end, nodes=None), [lost]


def _without_layers(
    corpus: Corpus, holds: frozenset[str], losses: Losses
) -> tuple[Corpus, list[Incident]]:
    warned = []
    if corpus.referring is not None and "referring" not in holds:
        number = int((~corpus.referring).sum())
        corpus = replace(corpus.take(corpus.referring), referring=None)
        warned += [make_incident("layer-dropped", "nonreferring", number=number)] if number else []
    if "links" not in holds:
        warned += links_dropped(corpus)
        corpus = replace(corpus, links=None)
    return corpus, warned + _labels_dropped(corpus, holds)


def _labels_dropped(corpus: Corpus, holds: frozenset[str]) -> list[Incident]:
    """A warning about labels and minimum spans of mentions that the format cannot express."""
    numbers = {}
    if corpus.mention_labels is not None and "labels" not in holds:
        numbers = {
            name: int(column.holds(bool).sum())
            for name, column in corpus.mention_labels.columns.items()
            if name not in holds
        }
    if corpus.minimum is not None and "minimum" not in holds:
        numbers["minimum span"] = int((corpus.minimum[:, 0] >= 0).sum())
    return features_dropped({name: number for name, number in numbers.items() if number})


def links_dropped(corpus: Corpus, written: Collection[str] = ()) -> list[Incident]:
    """A warning for each kind of link of a corpus that is not among the written kinds."""
    if corpus.links is None:
        return []
    counts = np.bincount(corpus.links.kind, minlength=len(KINDS)).tolist()
    return [
        make_incident("layer-dropped", number=number, links=kind)
        for kind, number in zip(KINDS, counts, strict=True)
        if number and kind not in written
    ]


def write(  # noqa: PLR0913 (as many as there are things to say)
    corpus: Corpus,
    path: str | PathLike[str],
    format: str | None = None,
    *,
    discontinuous: Literal["span", "first", "error"] = "span",
    zeros: Literal["drop", "token", "error"] = "drop",
    cross: Literal["split", "pool"] = "split",
) -> None:
    """Write a corpus in a format, by default the one that the ending of the path names.

    `.conll` is CoNLL, `.conllu` CorefUD, `.conllua` CoNLL-UA, `.jsonl` the JSON lines of e2e-coref,
    `.parquet` a table; docs/formats.md has all. `.gz` is packed; `-` is standard output, CoNLL if
    no format is named. Files are written completely or not at all, also where a format has several.

    A corpus that was read from files of the same format keeps all its token columns. What the
    format cannot express is a Python warning, with the number of mentions; `discontinuous`, `zeros`
    and `cross` say what becomes of it, like the options of `corefkit convert`.

    Raises UsageError if the ending does not imply a format that can be written or if a file that
    the corpus was read from would be overwritten; DataError for what must not be lost, e.g.
    crossing mentions of one entity in a format that has only brackets.
    """
    if not isinstance(corpus, Corpus):
        raise TypeError(f"only a Corpus can be written, not {corpus!r:.60}")
    name = path_name(path)
    if format is None:
        format = registry.format_of_output(name, option="format")
    made = write_as(corpus, name, format, Losses(discontinuous, zeros, cross))
    written = made.files
    refuse_overwriting([file for file in written if file != "-"], files_of(corpus))
    known = {incident.id for incident in corpus.incidents}
    for incident in made.incidents:
        if incident.id not in known:
            warnings.warn(incident.message, LossWarning, stacklevel=2)
    if "-" in written:
        sys.stdout.buffer.write(written.pop("-"))
    if set(written) == {name}:
        write_atomically(name, written[name])  # a missing folder is an error
    else:
        write_together(written, name)


class LossWarning(UserWarning):
    """Something that the format of a written file cannot express."""


def convert(  # noqa: PLR0913 (as many as there are things to say)
    source: str,
    target: str,
    to: str,
    reading: Reading,
    losses: Losses,
    *,
    loaded: Mapping[str, bytes] | None = None,
) -> "Conversion":
    """The files of the new format, and the warnings of reading and writing.

    `loaded` are the bytes of the files to read, if the caller has loaded them. Raises UsageError if
    the format is only read or an input file would be overwritten, DataError for data that cannot be
    read or must not be lost.
    """
    refuse_several(source, reading)
    corpus = read_all(source, reading, loaded).checked()
    made = write_as(corpus, target, to, losses)
    refuse_overwriting([file for file in made.files if file != "-"], [source])
    unread = [*_other_layers(corpus), *_features(corpus, registry.get_format(to))]
    return made._replace(incidents=[*corpus.incidents, *unread, *made.incidents])


class Conversion(NamedTuple):
    """A corpus in another format.

    Attributes:
        files: name → bytes.
        incidents: what the format could not express.
        documents, mentions: how many were written.
    """

    files: dict[str, bytes]
    incidents: list[Incident]
    documents: int
    mentions: int


def _features(corpus: Corpus, target: Format) -> list[Incident]:
    """A warning about layers and token columns that neither a corpus nor the target can hold."""
    numbers: Counter[str] = Counter()
    for source in corpus.sources:
        form = registry.format_of(source)
        if form.name == target.name and registry.keeps_columns(source):
            continue  # CorefUD and CoNLL-UA files keep all their columns within the format
        held = form.holds & target.holds
        unread = source.count_unread().items()
        numbers.update({name: number for name, number in unread if name not in held})
    return features_dropped(numbers)


def features_dropped(numbers: Mapping[str, int]) -> list[Incident]:
    """A warning about features of mentions or tokens that are not written: name → how many."""
    if not any(numbers.values()):
        return []
    listed = ", ".join(f"{number:,} {name}" for name, number in numbers.items())
    number = sum(numbers.values())
    return [
        make_incident("layer-dropped", "features", number=number, features=shorten(listed, 200))
    ]


def _other_layers(corpus: Corpus) -> list[Incident]:
    """A warning for each layer that is not converted but has mentions."""
    numbers: Counter[str] = Counter()
    for source in corpus.sources:
        numbers.update(source.count_layers())
    return [
        make_incident("layer-dropped", "layer", number=number, layer=layer)
        for layer, number in numbers.items()
        if number
    ]


def written_formats() -> list[str]:
    """The names of the formats that can be written."""
    return [name for name in registry.format_names() if registry.get_format(name).write]


def write_as(corpus: Corpus, target: str, to: str, losses: Losses = _USUAL) -> Conversion:
    """The corpus in a format, and what it could not express; packed if the target ends in `.gz`.

    Raises UsageError if the format is only read, or if it is several files and the target a stream.
    """
    format = registry.get_format(to)
    if format.write is None:
        raise UsageError(f"to: {to} is only read; choose from {', '.join(written_formats())}")
    holds = format.holds | ({"characters"} if format.unit == "character" else set())
    if losses.cross == "pool":
        from corefkit.formats.kit.topics import pool_topics

        corpus = pool_topics(corpus)
    reduced, incidents = reduce(corpus, frozenset(holds), losses)
    written = format.write(reduced, target)
    told = {(incident.id, incident.message) for incident in written.incidents}
    incidents = [i for i in incidents if (i.id, i.message) not in told] + written.incidents
    files = {name: packed(name, data) for name, data in written.files.items()}
    if is_stream(target) and {*files} - {target}:
        number = count_of(len(files), "file")
        raise UsageError(f"{target}: {to} would be {number}; name a file or folder to write")
    return Conversion(files, incidents, len(reduced.names), reduced.mentions - written.left_out)
