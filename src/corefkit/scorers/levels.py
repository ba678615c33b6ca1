"""Levels of cross-document coreference: single documents, topics, and the whole corpus.

To score entities that span documents, the documents of a topic, or all documents, are treated as
one: the meta-document of ECB+ evaluations. A mention is identified by its document and span, so
mentions are matched, and repeated spans resolved, in single documents first; then entities with the
same id in the same group are united.

`with_levels` parses what users write, `find_groups` finds the documents that belong together, and
`Comparison.joined` returns a Comparison whose documents are the groups, which metrics count like
any other. Windows do the opposite: see `scorers.windows`.

>>> parse_levels("corpus,none"), parse_levels("all")
(('none', 'corpus'), ('none', 'topic', 'corpus'))
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import among_names
from corefkit.core.columns import Column
from corefkit.core.corpus import Corpus
from corefkit.core.document_groups import DocumentGroups
from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.names import document_id
from corefkit.core.options import LEVELS, Options, UsageError, choose, compile_pattern
from corefkit.core.texts import quote, texts_of
from corefkit.formats.registry import format_of
from corefkit.metrics import get as get_metric
from corefkit.metrics.base import Average, PartitionMetric
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Side

ALL = "all"
"""The name for all levels together."""

CORPUS = "corpus"
"""The widest level, and the name of its only document."""

_LARGEST = 1 << 62


def with_levels(
    options: Options, across: str | Iterable[str] = (), topic: str | None = None
) -> Options:
    """The options with these levels; raises UsageError if something cannot be scored at them."""
    levels = parse_levels(across)
    if not levels:
        if topic:
            raise UsageError("topic needs across topic, corpus or all")
        return options
    if topic:
        compile_pattern("topic", topic)
    chosen = replace(options, across=levels, topic=topic or "")
    scorer_for(chosen).check_pairing("across")
    others = [
        m for m in options.metrics if not isinstance(get_metric(m), PartitionMetric | Average)
    ]
    if others:
        raise UsageError(
            f"across: {others[0]} is defined for single documents; choose metrics of entities, "
            "e.g. muc, bcub, ceafe, lea, pairs or conll"
        )
    return chosen


def parse_levels(across: str | Iterable[str]) -> tuple[str, ...]:
    """The levels, each once, from narrow to wide; () if only single documents are scored."""
    texts = [across] if isinstance(across, str) else texts_of("across", across)
    names = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    for name in names:
        choose("across", name, (*LEVELS, ALL))
    levels = tuple(level for level in LEVELS if level in names or ALL in names)
    return levels if levels != ("none",) else ()


def find_groups(
    options: Options, key: Side, documents: set[str] | None
) -> dict[str, DocumentGroups]:
    """The groups of documents, by level: those of topics, if known, and of the corpus, if wanted.

    A single topic is left out if only the corpus is wanted. Raises DataError as `find_topics` does.
    """
    topics = find_topics(options, key, documents)
    groups = {}
    if topics is not None and (len(topics.names) != 1 or "topic" in options.across):
        groups["topic"] = topics
    if CORPUS in options.across:
        scored = among_names(key.corpus.names, documents)
        groups[CORPUS] = DocumentGroups((CORPUS,), np.where(scored, 0, -1))
    return groups


def find_topics(options: Options, key: Side, documents: set[str] | None) -> DocumentGroups | None:
    """The topics of the documents of a key, by the pattern or by the format of its files.

    None if they are unknown and only the whole corpus is wanted. Raises DataError if topics are
    wanted but unknown, or if the pattern does not match the name of a document.
    """
    names = key.corpus.names
    scored = among_names(names, documents)
    wanted = [name for name, chosen in zip(names, scored.tolist(), strict=True) if chosen]
    known = {format_of(source).topic for source in key.corpus.sources} or {None}
    topics = topics_of_names(options, wanted, known.pop() if len(known) == 1 else None, key.path)
    if topics is None:
        return None
    column = Column.of(topics)
    of_document = np.full(len(names), -1, dtype=np.int64)
    of_document[scored] = column.code
    return DocumentGroups(column.values, of_document)


def topics_of_names(
    options: Options, names: Sequence[str], known: Callable[[str], str] | None, path: str | None
) -> list[str] | None:
    """The topic of each document, by the pattern or by what is `known` of names of a format.

    None and DataError as for `find_topics`; `path` is the file that is named then.
    """
    if not options.topic:
        if known is not None:
            return [known(name) for name in names]
        if "topic" not in options.across:
            return None
        raise DataError([make_incident("topics-unknown", file=path)])
    pattern = compile_pattern("topic", options.topic)
    topics = [_topic(pattern, name) for name in names]
    unknown = [name for name, topic in zip(names, topics, strict=True) if topic is None]
    if unknown:
        raise DataError([_unknown_topics(path, options.topic, unknown, len(names))])
    return [topic or "" for topic in topics]


def _topic(pattern: "re.Pattern[str]", name: str) -> str | None:
    """The text of the pattern's groups in a name, or of the whole match; None for no match.

    A CoNLL name such as `(12_3); part 000` is first searched without the brackets and the part.
    """
    match = pattern.search(document_id(name)) or pattern.search(name)
    if match is None:
        return None
    return "_".join(part or "" for part in match.groups()) if pattern.groups else match[0]


def _unknown_topics(
    path: str | None, pattern: str, unknown: Sequence[str], number: int
) -> Incident:
    return make_incident(
        "topics-unknown",
        "pattern",
        file=path,
        pattern=pattern,
        number=len(unknown),
        all=number,
        found=f"e.g. {quote(unknown[0])}",
    )


def check_ids(side: Side) -> list[Incident]:
    """Check whether the ids of a side can be valid across documents.

    The incident is an error if they cannot be, and a warning if most documents seem to number
    their own entities.
    """
    corpus = side.corpus
    if len(corpus.names) < 2:
        return []
    for source in corpus.sources:
        if not source.has_ids:
            title = format_of(source).title
            return [
                make_incident("ids-local", "format", severity="error", file=side.path, title=title)
            ]
    if not corpus.sources and not corpus.has_ids:
        number = len(set(corpus.document.tolist()))
        incident = make_incident("ids-local", "made", severity="error", number=number, first=0)
        return [incident] if number > 1 else []
    documents, numbered = _numbered_documents(corpus)
    for first, number in numbered.items():
        if number > 1 and 2 * number >= documents:
            path = side.path if corpus.sources else None
            return [
                make_incident("ids-local", file=path, number=number, all=documents, first=first)
            ]
    return []


_ID = re.compile(r"\D*(\d{1,18})")
MANY = 10
"""If so many documents begin their ids with the same number, gaps between ids are disregarded: an
entity in half of all documents would be remarkable."""


def _numbered_documents(corpus: Corpus) -> tuple[int, dict[int, int]]:
    """The number of documents with entities, and how many of them number theirs from 0 or 1 on.

    If there are fewer than MANY, only documents without gaps between their numbers count.
    """
    label = corpus.entity_label
    matches = [_ID.fullmatch(value) for value in label.values]
    if None in matches:
        return 0, {}
    value = np.array([int(match[1]) for match in matches if match], dtype=np.int64)[label.code]
    count = np.bincount(corpus.entity_document, minlength=len(corpus.names))
    lowest, highest = np.full_like(count, _LARGEST), np.zeros_like(count)
    np.minimum.at(lowest, corpus.entity_document, value)
    np.maximum.at(highest, corpus.entity_document, value)
    numbered = {}
    for first in (0, 1):
        begins = (lowest == first) & (count > 0)
        if begins.sum() < MANY:
            begins &= highest - lowest + 1 == count
        numbered[first] = int(begins.sum())
    return int((count > 0).sum()), numbered
