"""Topics as documents (`--cross pool`): before anything is matched, in convert, check and score.

A format whose entities span documents says which topic a document belongs to; the documents of a
topic become one, one after the other, and entities of one label one entity. Scores at several
levels of one corpus (`--across`) join documents after they are matched: `corefkit.scorers.levels`.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.document_groups import DocumentGroups, join_groups
from corefkit.core.options import UsageError
from corefkit.formats._kit.content import contents
from corefkit.formats._kit.text import with_tokens
from corefkit.formats.registry import format_of


def pool_topics(corpus: Corpus) -> Corpus:
    """The documents of each topic as one document, with entities over documents joined.

    A topic of ECB+ is what stands before the first `_` of a name; in other formats the corpus is
    one. Raises UsageError for formats that do not name entities over documents.
    """
    topic = _topic_of([corpus])
    return _Topics(topic, corpus.names, corpus.tokens).pooled(corpus)


def pool_together(
    key: Corpus, response: Corpus, documents: Container[str] | None
) -> tuple[Corpus, Corpus, set[str]]:
    """Both sides with the documents of each topic as one, and the documents that are in a topic.

    Documents of the response that the key lacks are part of their topic, where `documents` do not
    say which of the key are; each document begins at the same place on both sides. Raises
    UsageError where the format of a side does not name entities over documents.
    """
    topic = _topic_of([key, response])
    if documents is not None:
        names = [name for name in key.names if name in documents]
    else:
        known = {topic(name) for name in key.names}
        others = [name for name in response.names if topic(name) in known]
        names = list(dict.fromkeys((*key.names, *others)))
    number = {name: place for place, name in enumerate(names)}
    size = np.zeros(len(names) + 1, dtype=np.int64)
    for corpus in (key, response):
        place = np.array([number.get(name, -1) for name in corpus.names], dtype=np.int64)
        np.maximum.at(size, place[corpus.document], corpus.end + 1)
        np.maximum.at(size, place, corpus.tokens)
    topics = _Topics(topic, names, size[:-1])
    return topics.pooled(key), topics.pooled(response), {*names}


def _topic_of(corpora: Sequence[Corpus]) -> Callable[[str], str]:
    """The topic of a document, by the format of the first corpus; UsageError if one has none."""
    topics = []
    for corpus in corpora:
        for source in corpus.sources:
            form = format_of(source)
            if form.topic is None:
                raise UsageError(
                    f"cross: files in the format {form.name} have no entities that span "
                    "documents; use split"
                )
            topics.append(form.topic)
    if not topics:
        raise UsageError("cross: only files have entities that span documents; use split")
    return topics[0]


class _Topics:
    """The topics of some documents, and where in its topic each document begins."""

    def __init__(self, topic: Callable[[str], str], names: Sequence[str], tokens: IntArray) -> None:
        of_document = [topic(name) for name in names]
        self._names = {name: place for place, name in enumerate(dict.fromkeys(of_document))}
        self._place = {n: self._names[t] for n, t in zip(names, of_document, strict=True)}
        self._first: dict[str, int] = {}
        self._tokens = np.zeros(len(self._names), dtype=np.int64)
        self._order = sorted(names, key=self._place.__getitem__)
        for name, size in sorted(
            zip(names, tokens.tolist(), strict=True), key=lambda own: self._place[own[0]]
        ):
            self._first[name] = int(self._tokens[self._place[name]])
            self._tokens[self._place[name]] += max(size, 0)

    def pooled(self, corpus: Corpus) -> Corpus:
        """A corpus with these topics as its documents; entities of one label are one."""
        kept = np.array([name in self._place for name in corpus.names], dtype=bool)
        whole = {*corpus.names} == {*self._order} and bool((corpus.tokens >= 0).all())
        words = self._words(corpus) if whole and corpus.unit == "token" else None
        place, first = (
            np.array([known.get(name, 0) for name in corpus.names], dtype=np.int64)
            for known in (self._place, self._first)
        )
        groups = DocumentGroups(tuple(self._names), place)
        pooled = join_groups(corpus.take(kept[corpus.document]), groups, first)
        if whole:
            pooled = replace(pooled, tokens=self._tokens)
        if words is not None:
            return with_tokens(pooled, *words, "recounted")
        return replace(pooled, _byte=EMPTY, line=EMPTY)

    def _words(self, corpus: Corpus) -> tuple[list[str], list[int]]:
        """The words of all documents, and the lengths of their sentences, topic by topic."""
        listed = dict(zip(corpus.names, contents(corpus), strict=True))
        words = [word for name in self._order for word in listed[name].words]
        return words, [length for name in self._order for length in listed[name].lengths]
