"""spaCy: DocBin files (an extra), and documents in memory of spaCy, its pipes and Stanza.

Documents in memory are read by their attributes; no package is imported for them.
"""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Any

from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import Collector, DataError, data_error
from corefkit.core.options import Reading, UsageError
from corefkit.formats.format import IN_WORDS, Format, Look, WrittenFiles
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.files import TooLargeError, max_size
from corefkit.formats.options import CLUSTERS, ENDS, make_reading

_PREFIX = "coref_clusters_"
_EXTENSION = ("._.", "coref_clusters", None, None)
"""The key in `user_data` under which spaCy stores `doc._.coref_clusters`."""


@building.reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The documents of one file."""
    from corefkit.formats.kit.records import parse_records

    spacy = _spacy()
    try:
        _check_size(data, reading)
        box = spacy.tokens.DocBin(store_user_data=True).from_bytes(data)
        docs = [_Doc(doc) for doc in box.get_docs(spacy.vocab.Vocab())]
        rows, name = rows_of_docs(docs)
    except DataError as error:
        raise DataError([replace(incident, file=path) for incident in error.incidents]) from None
    except Exception as error:  # spaCy does not document what it raises for a broken file
        reason = (str(error) or type(error).__name__).splitlines()[0][:200]
        raise building.refused(collector, "file-unreadable", "spacy", reason=reason) from None
    if docs and not any(doc.has_clusters for doc in docs):
        groups = ", ".join(sorted({key for doc in docs for key in doc.spans})) or "none"
        expected = "span groups coref_clusters_N, or doc._.coref_clusters"
        found = f"the span groups {groups}"[:80]
        raise building.refused(
            collector, "clusters-missing", "spacy", found=found, expected=expected
        )
    return parse_records(rows, path, reading, name)


class _Doc:
    """A spaCy document whose extension `coref_clusters` need not be declared."""

    def __init__(self, doc: Any) -> None:
        self._doc = doc
        self._ = self
        self.coref_clusters = doc.user_data.get(_EXTENSION)
        grouped = any(key.startswith(_PREFIX) for key in doc.spans)
        self.has_clusters = self.coref_clusters is not None or grouped

    def __getattr__(self, name: str) -> Any:
        return getattr(self._doc, name)

    def __iter__(self) -> Any:
        return iter(self._doc)


def _check_size(data: bytes, reading: Reading) -> None:
    """Raise TooLargeError for a file that would unpack to more than is allowed."""
    most = max_size(reading.max_size)
    unpacking = zlib.decompressobj()
    size, remaining = 0, data
    while remaining and not unpacking.eof:
        size += len(unpacking.decompress(remaining, 1 << 20))
        remaining = unpacking.unconsumed_tail
        if size > most:
            raise TooLargeError(f"it unpacks to more than {most:,} bytes")


def _spacy() -> Any:
    try:
        import spacy
        import spacy.tokens
        import spacy.vocab
    except ImportError:
        raise UsageError("spaCy files need spaCy: pip install 'corefkit[spacy]'") from None
    return spacy


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """A DocBin with span groups coref_clusters_1, …, and names in user_data["doc_key"]."""
    from corefkit.formats.kit.content import contents

    spacy = _spacy()
    box = spacy.tokens.DocBin(store_user_data=True)
    vocab = spacy.vocab.Vocab()
    for content in contents(corpus):
        starts = {0, *accumulate(content.lengths)}
        flags = [number in starts for number in range(len(content.words))]
        words = [word or "_" for word in content.words]  # spaCy has no empty words
        doc = spacy.tokens.Doc(vocab, words=words, sent_starts=flags)
        if content.name is not None:
            doc.user_data["doc_key"] = content.name
        # An empty group shows that a document has no clusters, not that they are missing.
        for number, (_, spans) in enumerate(content.entities or [("", [])], 1):
            doc.spans[f"{_PREFIX}{number}"] = [doc[start : end + 1] for start, end in spans]
        box.add(doc)
    return WrittenFiles({path: box.to_bytes()}, [])


FORMAT = Format(
    "spacy",
    "spaCy DocBin",
    parse,
    write=write,
    holds=IN_WORDS | {"crossing"},
    options=(CLUSTERS, ENDS),
    looks=(Look(begins=rb"\x78"),),
    suffixes=(".spacy",),
)


_ATTRIBUTES = ("text", "sentences", "spans", "_")
"""A document has at least one of these."""


def from_spacy(docs: Iterable[Any], *, heads: bool = False) -> Corpus:
    """A corpus from spaCy or Stanza documents, or others with the same attributes.

    Clusters are the span groups `coref_clusters_N` (spacy-experimental), `doc._.coref_clusters`
    (the pipe of fastcoref, or neuralcoref) or `doc.coref` (Stanza). `doc._.coref_chains`
    (coreferee) holds only heads; with `heads` they are taken as mentions, a coordination from its
    first to its last head. Names are taken from `user_data["doc_key"]`, if it exists. Empty words
    of Stanza are empty nodes, as in a CorefUD file.
    """
    from corefkit.formats.jsonlines.reader import parse_rows

    docs = _listed(docs)
    if any(map(_is_stanza, docs)):
        documents = [_stanza_document(doc) for doc in docs]
        return building.make_corpus("spacy", b"", documents, Collector("records")).checked()
    rows, name = rows_of_docs(docs, heads=heads)
    return parse_rows(rows, make_reading(), name).checked()


def rows_of_docs(docs: Iterable[Any], *, heads: bool = False) -> tuple[list[dict[str, Any]], str]:
    """The documents as dicts, and the JSON dialect of these.

    Raises DataError if a document has only heads, UsageError if documents differ in kind.
    """
    listed = _listed(docs)
    if others := [doc for doc in listed if not any(hasattr(doc, name) for name in _ATTRIBUTES)]:
        raise TypeError(f"not a document of spaCy or Stanza: {others[0]!r:.60}")
    rows = [_row(doc, number, heads=heads) for number, doc in enumerate(listed, 1)]
    characters = {"text" in row for row in rows}
    if len(characters) > 1:
        raise UsageError("some documents have span groups and others doc._.coref_clusters")
    return rows, "fastcoref" if True in characters else "spacy"


def _listed(docs: Iterable[Any]) -> list[Any]:
    """The documents; TypeError for a single one, or something else."""
    single = isinstance(docs, (str, Mapping)) or hasattr(docs, "text")
    if single or not isinstance(docs, Iterable):
        raise TypeError(f"documents are given as a list, not {docs!r:.60}")
    return list(docs)


def _row(doc: Any, number: int, *, heads: bool) -> dict[str, Any]:
    """One document as a dict, with spans of tokens or, from fastcoref's pipe, of characters."""
    name = getattr(doc, "user_data", {}).get("doc_key")
    groups = _groups(doc)
    clusters = [[[span.start, span.end] for span in group] for group in groups]
    if not groups:
        extension = getattr(doc._, "coref_clusters", None) if hasattr(doc, "_") else None
        chains = getattr(doc._, "coref_chains", None) if hasattr(doc, "_") else None
        if extension is not None and not any(hasattr(c, "mentions") for c in extension):
            spans = [[list(span) for span in cluster] for cluster in extension]
            return {"text": doc.text, "clusters": spans, "doc_key": name}
        if extension is not None:
            clusters = [[[s.start, s.end] for s in cluster.mentions] for cluster in extension]
        elif chains is not None and heads:
            clusters = [[[min(m), max(m) + 1] for m in map(list, chain)] for chain in chains]
        elif chains is not None:
            raise _only_heads("coreferee", name or str(number))
        elif any(key.startswith("coref_head_clusters") for key in getattr(doc, "spans", {})):
            raise _only_heads("heads", name or str(number))
    return {"doc_key": name, "sentences": _sentences(doc), "clusters": clusters}


def _is_stanza(doc: Any) -> bool:
    return getattr(doc, "coref", None) is not None and hasattr(doc, "sentences")


def _stanza_document(doc: Any) -> RawDocument:
    """A Stanza document, whose mentions count words per sentence and may be empty words."""
    if not _is_stanza(doc):
        raise UsageError("some documents are from Stanza, and others are not")
    sentences = [[word.text for word in sentence.words] for sentence in doc.sentences]
    begins = [0, *accumulate(map(len, sentences))]
    mentions = [
        _stanza_mention(m, doc.sentences[m.sentence], begins[m.sentence], str(number))
        for number, chain in enumerate(doc.coref)
        for m in chain.mentions
    ]
    name = getattr(doc, "user_data", {}).get("doc_key")
    words = [word for sentence in sentences for word in sentence]
    return RawDocument(name, mentions, words=words, lengths=[*map(len, sentences)])


def _stanza_mention(mention: Any, sentence: Any, begin: int, entity: str) -> RawMention:
    """A mention; an empty word is numbered after the word before it, or before its sentence."""
    if not isinstance(mention.start_word, tuple):
        first, end = mention.start_word, mention.end_word
        if not 0 <= first < end <= len(sentence.words):
            found, expected = f"words {first} to {end}", f"a span in {len(sentence.words)} words"
            raise data_error("span-outside", "text", found=found, expected=expected)
        return RawMention(begin + first, begin + end - 1, entity)
    before, minor = mention.start_word
    minors = sorted(word.id[1] for word in sentence.empty_words if word.id[0] == before)
    number = minors.index(minor) + 1
    token = begin + before - 1
    return RawMention(token, token, entity, zero=number if before else number + BEFORE_SENTENCE)


def _groups(doc: Any) -> list[Any]:
    """The span groups coref_clusters_N, by N."""
    groups = {
        int(key.removeprefix(_PREFIX)): group
        for key, group in getattr(doc, "spans", {}).items()
        if key.startswith(_PREFIX) and _is_number(key.removeprefix(_PREFIX))
    }
    return [groups[number] for number in sorted(groups)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19


def _sentences(doc: Any) -> list[list[str]]:
    """The words by sentence; a single sentence if there are no sentence boundaries."""
    words = [token.text for token in doc]
    if not words or not doc.has_annotation("SENT_START"):
        return [words] if words else []
    starts = [n for n, token in enumerate(doc) if token.is_sent_start or n == 0]
    return [words[a:b] for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]


def _only_heads(variant: str, name: str) -> DataError:
    expected = "span groups coref_clusters_N"
    return data_error("clusters-missing", variant, document=name, expected=expected)
