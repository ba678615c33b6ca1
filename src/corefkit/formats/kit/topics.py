"""Topics as documents (`--cross pool`), before matching, in convert, check and score.

A format whose entities span documents defines the topic of each document. The documents of a topic
are concatenated into one, and entities with the same label become one entity. Scores at several
levels of a corpus (`--across`) join documents after matching instead: `corefkit.scorers.levels`.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.document_groups import DocumentGroups, join_groups
from corefkit.core.options import UsageError
from corefkit.formats.kit.content import contents
from corefkit.formats.kit.text import with_tokens
from corefkit.formats.registry import format_of


def pool_topics(corpus: Corpus) -> Corpus:
    """The corpus with one document per topic, and with entities joined across documents.

    A topic of ECB+ is the part of a name before its first `_`; in other formats the whole corpus is
    one topic. Raises UsageError for formats whose entities do not span documents.
    """
    topic = _topic_of([corpus])
    return _Topics(topic, corpus.names, corpus.tokens).pooled(corpus)


def pool_together(
    key: Corpus, response: Corpus, documents: Container[str] | None
) -> tuple[Corpus, Corpus, set[str]]:
    """Both sides with one document per topic, and the names of the documents that were pooled.

    `documents` limits them to some of the key's; without it, documents that only the response has
    are pooled, too, if their topic is in the key. Each document begins at the same place on both
    sides. Raises UsageError if the entities of a side's format do not span documents.
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
    """The function from a document's name to its topic; UsageError if a file's format has none.

    The format of the first file decides.
    """
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
        topics = [topic(name) for name in names]
        self._names = {name: place for place, name in enumerate(dict.fromkeys(topics))}
        self._place = {n: self._names[t] for n, t in zip(names, topics, strict=True)}
        self._first: dict[str, int] = {}
        self._tokens = np.zeros(len(self._names), dtype=np.int64)
        self._order = sorted(names, key=self._place.__getitem__)
        sizes = zip(names, tokens.tolist(), strict=True)
        for name, size in sorted(sizes, key=lambda item: self._place[item[0]]):
            self._first[name] = int(self._tokens[self._place[name]])
            self._tokens[self._place[name]] += max(size, 0)

    def pooled(self, corpus: Corpus) -> Corpus:
        """The corpus with these topics as documents; entities with the same label are one."""
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
        return replace(pooled, byte=EMPTY, line=EMPTY)

    def _words(self, corpus: Corpus) -> tuple[list[str], list[int]]:
        """The words of all documents, and the lengths of their sentences, topic by topic."""
        listed = dict(zip(corpus.names, contents(corpus), strict=True))
        words = [word for name in self._order for word in listed[name].words]
        return words, [length for name in self._order for length in listed[name].lengths]
