"""Corpora → incidents. Readers check their files; here is what takes a whole corpus or two.

Where an option decides whether a defect is an error, the incident takes its severity from there.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident, make_incident
from corefkit.data.options import Options
from corefkit.data.texts import quote
from corefkit.scoring.meeting import in_both
from corefkit.scoring.sentences import compare_sentences

if TYPE_CHECKING:
    from corefkit.formats.conll.reader import TokenLine


def pair(key: Corpus, response: Corpus, options: Options) -> list[Incident]:
    """What keeps a response from being compared with the key, document by document."""
    found = Collector(response.path)
    _note_documents(found, key, response, options)
    if options.lengths == "error":
        sentences = compare_sentences(key, response, options)
        for incident in sentences or ():
            found.add(incident)
        if sentences is None:
            for one, other in in_both(key, response):
                lengths = int(key.tokens[one]), int(response.tokens[other])
                differ = min(lengths) >= 0 and lengths[0] != lengths[1]
                if differ and not found.skip("length-differs"):
                    found.add(departure(key, response, one, other))
    return list(found)


def _note_documents(found: Collector, key: Corpus, response: Corpus, options: Options) -> None:
    """Note the documents that only one side has.

    If all are, it is an error; where lengths are ignored a warning, and every score is 0.
    """
    ours, theirs = set(key.names), set(response.names)
    if not ours & theirs:
        found.note(
            "no-common-document",
            severity="warning" if options.lengths == "ignore" else "error",
            found=f"e.g. {quote(response.names[0])}" if response.names else "no document",
            expected="the documents of the key, under the same names, parts included",
        )
    refused: dict[str, Any] = {"variant": "refused", "severity": "error"}
    told = refused if options.missing == "error" else {}
    expected = "every document of the key; names are compared whole, parts included"
    for name in key.names:
        if name not in theirs:
            found.note("document-missing", **told, document=name, expected=expected)
    told = refused if options.extra == "error" else {}
    expected = "only documents of the key; names are compared whole, parts included"
    for number, name in enumerate(response.names):
        if name not in ours:
            place = response.document_place(number)
            found.note("document-extra", **told, **place, expected=expected)


def named(incidents: Iterable[Incident], corpus: Corpus, path: str) -> tuple[Incident, ...]:
    """The incidents of a corpus of several files; those of no single file get the path of all."""
    if len(corpus.sources) < 2:
        return tuple(incidents)
    return tuple(i if i.file is not None else replace(i, file=path) for i in incidents)


def departure(key: Corpus, response: Corpus, ours: int, theirs: int) -> Incident:
    """The incident of a document that has different lengths: the first place that differs."""
    expected, found = int(key.tokens[ours]), int(response.tokens[theirs])
    left, right = _tokens(key, ours), _tokens(response, theirs)
    at = _first_difference(left, right)
    place = response.document_place(theirs)
    if right:
        place["line"] = right[min(at, len(right) - 1)].number
        place.pop("column")
    where = key.document_place(ours).get("file", "the key")
    line = f", line {left[at].number:,}" if at < len(left) else ""
    return make_incident(
        "length-differs",
        key=expected,
        response=found,
        **place,
        found=f"token {at + 1:,}: {_show(right, at)}",
        expected=f"token {at + 1:,}: {_show(left, at)} ({where}{line})",
    )


def outside(key: Corpus, response: Corpus, options: Options) -> Iterator[Incident]:
    """Spans beyond the end of the key's document: possible only in a Corpus made in Python."""
    if not key.sources or response.sources or options.lengths == "ignore":
        return
    number = {name: i for i, name in enumerate(key.names)}
    tokens = [int(key.tokens[number[n]]) if n in number else -1 for n in response.names]
    limit = np.array(tokens, dtype=np.int64)[response.document]
    for row in np.flatnonzero((response.end >= limit) & (limit >= 0))[:1].tolist():
        yield make_incident(
            "span-outside",
            document=response.names[int(response.document[row])],
            found=f"tokens {int(response.start[row])} to {int(response.end[row])}, counted from 0",
            expected=f"{int(limit[row]):,} tokens, as in the key",
        )


def _tokens(corpus: Corpus, document: int) -> "list[TokenLine]":
    """The tokens of a document."""
    from corefkit.formats.conll.reader import token_lines

    source, begin, end = corpus.document_bytes(document) or (None, 0, 0)
    return [] if source is None else list(token_lines(source.data, begin, end))


def _word(token: "TokenLine") -> str | None:
    """Its word; None where there is none to compare."""
    from corefkit.data.columns import MASKS

    return token.fields[3] if len(token.fields) >= 5 and token.fields[3] not in MASKS else None


def _first_difference(left: "list[TokenLine]", right: "list[TokenLine]") -> int:
    """The first token at which words differ, else sentence beginnings, else where one ends."""
    pairs = list(zip(left, right, strict=False))
    words = [(_word(a), _word(b)) for a, b in pairs]
    differ = [None not in (one, other) and one != other for one, other in words]
    if all(None in both for both in words):
        differ = [a.begins_sentence != b.begins_sentence for a, b in pairs]
    return differ.index(True) if True in differ else len(differ)


def _show(tokens: "list[TokenLine]", at: int) -> str:
    if at >= len(tokens):
        return "the document is over"
    word = _word(tokens[at])
    begins = ", which begins a sentence" if tokens[at].begins_sentence else ""
    return (quote(word) if word is not None else "a token") + begins
