"""spaCy DocBin files. An extra; documents in memory need none (`Corpus.from_spacy`)."""

import zlib
from dataclasses import replace
from itertools import accumulate
from typing import Any

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, DataError
from corefkit.data.options import UsageError
from corefkit.formats import building
from corefkit.formats.packing import TooLargeError, max_size
from corefkit.formats.registry import IN_WORDS, Format, Reading, Written

_PREFIX = "coref_clusters_"
_EXTENSION = ("._.", "coref_clusters", None, None)
"""The key under which spaCy keeps `doc._.coref_clusters`."""


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The documents of one file."""
    from corefkit.formats.documents import rows_of_docs
    from corefkit.formats.records import parse_records

    found = Collector(path)
    spacy = _spacy()
    try:
        _check_size(data, reading)
        box = spacy.tokens.DocBin(store_user_data=True).from_bytes(data)
        docs = [_Doc(doc) for doc in box.get_docs(spacy.vocab.Vocab())]
    except Exception as error:  # what a broken file makes spaCy raise is not documented
        _tell_broken(found, str(error) or type(error).__name__)
        return building.nothing(found)
    try:
        rows, name = rows_of_docs(docs)
    except UsageError as error:
        _tell_broken(found, str(error))
        return building.nothing(found)
    except DataError as error:
        incidents = tuple(replace(incident, file=path) for incident in error.incidents)
        return replace(building.nothing(found), incidents=incidents)
    if docs and not any(doc.has_clusters for doc in docs):
        groups = ", ".join(sorted({key for doc in docs for key in doc.spans})) or "none"
        expected = "span groups coref_clusters_N, or doc._.coref_clusters"
        shown = f"the span groups {groups}"[:80]
        found.note("clusters-missing", "spacy", found=shown, expected=expected)
        return building.nothing(found)
    return parse_records(rows, path, reading, name)


class _Doc:
    """A spaCy document whose extension `coref_clusters` need not be declared."""

    def __init__(self, doc: Any) -> None:
        self._doc = doc
        self._ = self
        kept = doc.user_data.get(_EXTENSION)
        self.coref_clusters = kept
        self.has_clusters = kept is not None or any(k.startswith(_PREFIX) for k in doc.spans)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._doc, name)

    def __iter__(self) -> Any:
        return iter(self._doc)


def _check_size(data: bytes, reading: Reading) -> None:
    """Raise TooLargeError for a file that would unpack to more than is allowed."""
    most = max_size(reading.max_size)
    unpacking = zlib.decompressobj()
    size, rest = 0, data
    while rest and not unpacking.eof:
        size += len(unpacking.decompress(rest, 1 << 20))
        rest = unpacking.unconsumed_tail
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


def write(corpus: Corpus, path: str) -> Written:
    """A DocBin with span groups coref_clusters_1, …; names stand in user_data["doc_key"]."""
    from corefkit.formats.content import contents
    from corefkit.formats.losses import reduce

    spacy = _spacy()
    plain, incidents = reduce(corpus, frozenset({"crossing"}))
    box = spacy.tokens.DocBin(store_user_data=True)
    vocab = spacy.vocab.Vocab()
    for content in contents(plain):
        starts = {0, *accumulate(content.lengths)}
        flags = [number in starts for number in range(len(content.words))]
        words = [word or "_" for word in content.words]  # spaCy has no empty ones
        doc = spacy.tokens.Doc(vocab, words=words, sent_starts=flags)
        if content.name is not None:
            doc.user_data["doc_key"] = content.name
        # An empty group says that a document has no clusters, not that they were forgotten.
        for number, (_, spans) in enumerate(content.entities or [("", [])], 1):
            doc.spans[f"{_PREFIX}{number}"] = [doc[start : end + 1] for start, end in spans]
        box.add(doc)
    return Written({path: box.to_bytes()}, incidents)


def _tell_broken(found: Collector, reason: str) -> None:
    found.note("file-unreadable", "spacy", reason=reason.splitlines()[0][:200])


FORMAT = Format(
    "spacy",
    "spaCy DocBin",
    parse,
    write=write,
    holds=IN_WORDS | {"crossing"},
    options=("clusters", "ends"),
    suffixes=(".spacy",),
)
