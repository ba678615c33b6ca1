"""Writing a Corpus as JSON lines."""

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Incident, make_incident
from corefkit.core.names import join_name, split_name
from corefkit.core.options import UsageError
from corefkit.formats.format import WrittenFiles
from corefkit.formats.kit.content import Content, by_sentence, contents
from corefkit.formats.kit.convert import reduce
from corefkit.formats.kit.files import refuse_output

_HOLDS = frozenset({"crossing"})


def write(corpus: Corpus, path: str, name: str) -> WrittenFiles:
    """The corpus with one line per document, and keys in the usual order of the dialect."""
    rows, incidents = records(corpus, name)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return WrittenFiles({path: lines.encode("utf-8", "surrogatepass")}, incidents)


def records(corpus: Corpus, name: str) -> tuple[list[dict[str, Any]], list[Incident]]:
    """The documents as dicts of a dialect, and what it could not express."""
    if name not in _WRITERS:
        raise UsageError(f"dialect: unknown value {name!r}; choose from {', '.join(_WRITERS)}")
    reduced, incidents = reduce(corpus, _HOLDS)
    listed = list(contents(reduced))
    if name == "maverick":
        refuse_output("Maverick JSON", sum(content.spelt_mentions for content in listed))
    if name not in _BY_SENTENCE:
        rows = [_WRITERS[name](content) for content in listed]
        return (_with_distinct_ids(rows, listed) if name == "wl-coref" else rows), incidents
    joined = [_with_whole_mentions(content) for content in listed]
    number = sum(len(a.lengths) - len(b.lengths) for a, b in zip(listed, joined, strict=True))
    if number:
        incidents.append(make_incident("sentences-joined", number=number))
    return [_WRITERS[name](content) for content in joined], incidents


_BY_SENTENCE = frozenset({"preco", "indiscrim"})
"""Dialects in which spans count tokens in a sentence, so that a mention cannot leave it."""


def _with_whole_mentions(content: Content) -> Content:
    """The document with sentences joined if a mention spans them."""
    begins = set(accumulate(content.lengths[:-1]))
    inner = sorted(begins)
    for _, spans in content.entities:
        for start, end in spans:
            at = bisect_right(inner, start)
            while at < len(inner) and inner[at] <= end:
                begins.discard(inner[at])
                at += 1
    bounds = [0, *sorted(begins), len(content.words)]
    return replace(content, lengths=[b - a for a, b in pairwise(bounds) if b > a])


def _clusters(content: Content, exclusive: bool = False) -> list[list[list[int]]]:
    return [[[start, end + exclusive] for start, end in spans] for _, spans in content.entities]


def _named(name: str, value: str | None) -> dict[str, Any]:
    return {} if value is None else {name: value}


def _e2e(content: Content) -> dict[str, Any]:
    row = {**_named("doc_key", content.name), "sentences": content.sentences}
    if content.speakers is not None:
        row["speakers"] = by_sentence(content.speakers, content.lengths)
    return {**row, "clusters": _clusters(content)}


def _wl_coref(content: Content) -> dict[str, Any]:
    row: dict[str, Any] = {}
    if content.name is not None:
        name = split_name(content.name)
        row = {"document_id": name.id}
        if name.part is not None:
            row["part_id"] = name.part_number
    row["cased_words"] = content.words
    row["sent_id"] = [n for n, length in enumerate(content.lengths) for _ in range(length)]
    if content.speakers is not None:
        row["speaker"] = content.speakers
    return {**row, "span_clusters": _clusters(content, exclusive=True)}


def _with_distinct_ids(rows: list[dict[str, Any]], listed: list[Content]) -> list[dict[str, Any]]:
    """The rows; if several would have the same id and part, with the whole name as their id."""
    ids = [(row.get("document_id", ""), row.get("part_id")) for row in rows]
    numbers = Counter(ids)
    return [
        {"document_id": content.name, **{k: v for k, v in row.items() if k not in _ID}}
        if numbers[id_and_part] > 1 and content.name not in (None, _name_of(*id_and_part))
        else row
        for row, content, id_and_part in zip(rows, listed, ids, strict=True)
    ]


_ID = ("document_id", "part_id")


def _name_of(id: str, part: int | None) -> str:
    return id if part is None else join_name(id, f"{part:03}")


def _maverick(content: Content) -> dict[str, Any]:
    row = {**_named("doc_id", content.name), "tokens": content.words}
    texts = [
        [" ".join(content.words[a : b + 1]) for a, b in spans] for _, spans in content.entities
    ]
    return {**row, "clusters_token_offsets": _clusters(content), "clusters_token_text": texts}


def _preco(content: Content) -> dict[str, Any]:
    row = {**_named("id", content.name), "sentences": content.sentences}
    return {**row, "mention_clusters": _in_sentences(content, exclusive=True)}


def _indiscrim(content: Content) -> dict[str, Any]:
    sentences = [{"tokens": [{"text": w} for w in words]} for words in content.sentences]
    row = {**_named("id", content.name), "sentences": sentences}
    return {**row, "coref_chains": _in_sentences(content)}


def _in_sentences(content: Content, exclusive: bool = False) -> list[list[list[int]]]:
    """The clusters, with spans as [sentence, start, end], counted in the sentence."""
    begins = [0, *accumulate(content.lengths)]
    sentence = [n for n, length in enumerate(content.lengths) for _ in range(length)]
    return [
        [[n := sentence[a], a - begins[n], b - begins[n] + exclusive] for a, b in spans]
        for _, spans in content.entities
    ]


_WRITERS: dict[str, Callable[[Content], dict[str, Any]]] = {
    "e2e": _e2e,
    "wl-coref": _wl_coref,
    "maverick": _maverick,
    "preco": _preco,
    "indiscrim": _indiscrim,
}
