"""Files of no known format: what they contain, the nearest format, and what might help."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from corefkit.core.incidents import Collector, Incident, make_incident
from corefkit.core.texts import shorten
from corefkit.formats.kit.building import lines_of
from corefkit.formats.kit.json import decode
from corefkit.formats.kit.xml import ElementListener, walk

_NEAR = 3
"""A dialect is named as the nearest if it shares at least one field in this many."""
_LISTED_CELLS, _LISTED_ELEMENTS, _LISTED_ATTRIBUTES = 12, 5, 6


class _DialectFields(NamedTuple):
    """The fields of a JSON dialect; `clusters` is the one that unannotated input lacks."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    clusters: str | None = None


_DIALECTS = {
    "label-studio": _DialectFields(("data", "annotations"), ("id", "predictions"), "annotations"),
    "rucoco": _DialectFields(("text", "entities", "includes")),
    "doccano": _DialectFields(("text", "entities", "relations"), ("id", "Comments")),
    "preco": _DialectFields(("sentences", "mention_clusters"), ("id",), "mention_clusters"),
    "indiscrim": _DialectFields(
        ("sentences", "coref_chains"), ("id", "text", "genre", "meta_data"), "coref_chains"
    ),
    "maverick": _DialectFields(
        ("tokens", "clusters_token_offsets"),
        ("clusters_token_text", "clusters_char_offsets", "clusters_char_text"),
        "clusters_token_offsets",
    ),
    "wl-coref": _DialectFields(
        ("cased_words", "sent_id", "span_clusters"),
        (
            "document_id",
            "part_id",
            "speaker",
            "word_clusters",
            "head2span",
            "pos",
            "deprel",
            "head",
        ),
        "span_clusters",
    ),
    "allennlp": _DialectFields(
        ("document", "clusters"), ("top_spans", "antecedent_indices"), "clusters"
    ),
    "subtoken": _DialectFields(
        ("sentences", "subtoken_map", "clusters"),
        ("doc_key", "sentence_map", "speakers", "predicted_clusters"),
        "clusters",
    ),
    "e2e": _DialectFields(
        ("sentences", "clusters"),
        ("doc_key", "speakers", "predicted_clusters", "ner", "constituents"),
        "clusters",
    ),
    "lingmess": _DialectFields(("tokens", "clusters"), ("doc_key",), "clusters"),
    "fastcoref": _DialectFields(("text", "clusters"), ("clusters_strings",), "clusters"),
    "corenlp-json": _DialectFields(("sentences", "corefs"), ("docId",), "corefs"),
    "links": _DialectFields(("doc", "anaphor", "antecedent"), ("score", "start", "end")),
}
"""The JSON dialects; of two that are equally near, the first counts."""

_XML: dict[str, tuple[str, frozenset[str]]] = {
    "rich-ere": ("deft_ere", frozenset({"entity", "entity_mention", "hopper", "event_mention"})),
    "ace": ("source_file", frozenset({"entity_mention", "charseq", "extent"})),
    "tac-queries": ("kbpentlink", frozenset({"query", "docid"})),
    "glozz": ("annotations", frozenset({"unit", "characterisation", "singlePosition"})),
    "ancor-tei": ("TEI", frozenset({"spanGrp", "linkGrp"})),
    "tei": ("TEI", frozenset({"rs", "teiHeader"})),
    "mmax2": ("mmax_project", frozenset({"markables", "markable"})),
    "ecbplus": ("Document", frozenset({"Markables", "token_anchor"})),
    "corenlp-xml": ("root", frozenset({"coreference", "sentences"})),
    "corefannotator": ("XMI", frozenset({"Mention", "Entity"})),
    "xmi": ("XMI", frozenset({"Sofa", "View"})),
}
"""The root of each XML format, and elements of which two identify it."""


def describe_unknown(data: bytes, path: str) -> list[Incident] | None:
    """The incidents for JSON, XML or a table of no known format; None for other text."""
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] in (b"{", b"["):
        return _describe_json(data, path)
    if text[:1] == b"<" and not text[:15].lower().startswith((b"<!doctype html", b"<html")):
        return _describe_xml(data, path)
    table = _PlainTable.of(data)
    return None if table is None else [table.incident(path)]


def is_table(data: bytes) -> bool:
    """Whether the bytes are a table with any columns."""
    return data[:1] not in (b"{", b"[", b"<") and _PlainTable.of(data) is not None


def _describe_json(data: bytes, path: str) -> list[Incident]:
    collector = Collector(path)
    first = next(iter(decode(data, collector)), None)
    if first is None:
        return list(collector) or [_unknown(path, "JSON without a document", "", "")]
    row = first.content
    if not isinstance(row, dict):
        return [_unknown(path, f"JSON: {_kind(row)}", "", "")]
    fields = ", ".join(f"{name} ({_kind(value)})" for name, value in row.items())
    shown = shorten(f"JSON with the fields {fields}" if fields else "JSON without fields", 400)
    name, missing = nearest_dialect(row)
    nearest = f"{name}, which also has {', '.join(missing)}" if name and missing else name or ""
    clusters = clusters_field(row)
    if name and clusters is None and missing == [_DIALECTS[name].clusters]:
        return [
            make_incident(
                "clusters-missing",
                "nearest",
                at=first.line,
                file=path,
                found=shown,
                expected=f"the nearest dialect is {nearest}",
            )
        ]
    option = ""
    if clusters is not None:
        form = format_for(row, clusters)
        option = f"--format {form} --clusters {clusters}" if form else f"--clusters {clusters}"
    return [_unknown(path, shown, nearest, option)]


def _unknown(path: str, content: str, nearest: str, option: str) -> Incident:
    """The incident with the content, the nearest format and the option that might help."""
    variant = "option" if option else "near" if nearest else ""
    return make_incident(
        "format-unknown",
        variant,
        file=path,
        found=content,
        expected=f"the nearest format is {nearest}" if nearest else None,
        option=option,
    )


def _kind(value: Any) -> str:
    """The kind of a JSON value, with the length of a list."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list):
        return f"list of {len(value):,}"
    kinds = {str: "text", int: "number", float: "number", dict: "object", type(None): "null"}
    return kinds[type(value)]


def nearest_dialect(row: dict[str, Any]) -> tuple[str | None, list[str]]:
    """The JSON dialect that shares most fields, and its required fields that are missing.

    >>> nearest_dialect({"tokens": [], "clusters_offsets": [], "clusters_token_text": []})
    ('maverick', ['clusters_token_offsets'])
    """
    fields = {*row}
    best: tuple[int, int, str] = (0, 1, "")
    for name, dialect in _DIALECTS.items():
        required = {*dialect.required}
        shared, all_fields = len(fields & (required | {*dialect.optional})), len(fields | required)
        if shared * best[1] > best[0] * all_fields:
            best = shared, all_fields, name
    shared, all_fields, name = best
    if not name or _NEAR * shared < all_fields:
        return None, []
    return name, sorted({*_DIALECTS[name].required} - fields)


def clusters_field(row: dict[str, Any]) -> str | None:
    """The field that has the shape of clusters: a list of non-empty lists of pairs of integers.

    The gold that a system's file carries along is named only if there is nothing else.
    """
    found = [name for name, value in row.items() if is_clusters(value)]
    return min(found, key=lambda name: "gold" in name.lower(), default=None)


def is_clusters(value: Any) -> bool:
    """Whether a value is a list of non-empty lists of pairs or triples of integers, not empty."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(cluster, list) and cluster for cluster in value)
        and all(_is_pair(mention) for cluster in value for mention in cluster)
    )


def _is_pair(mention: Any) -> bool:
    return (
        isinstance(mention, list)
        and 2 <= len(mention) <= 3
        and all(type(n) is int for n in mention)
    )


def format_for(row: dict[str, Any], clusters: str) -> str | None:
    """The format in which the clusters of a field can be read, by the words or else the text.

    >>> format_for({"w": ["Ada", "fed", "her"], "c": [[[0, 0], [2, 2]]]}, "c")
    'lingmess'
    """
    value: Any = row.get(clusters)
    numbers = (n for cluster in value for m in cluster for n in m) if is_clusters(value) else ()
    largest = max(numbers, default=-1)
    long_enough = [(size, form) for form, size in _words(row).values() if size > largest]
    if long_enough:
        return max(long_enough, key=lambda item: item[0])[1]
    texts = (value for value in row.values() if isinstance(value, str))
    return "fastcoref" if any(len(text) >= largest for text in texts) else None


def _words(row: dict[str, Any]) -> dict[str, tuple[str, int]]:
    """The fields that hold words: name → (format with such a field, number of words)."""
    fields = {}
    for name, value in row.items():
        if not isinstance(value, list) or not value:
            continue
        if all(isinstance(word, str) for word in value):
            fields[name] = "lingmess", len(value)
        elif all(isinstance(s, list) and all(isinstance(w, str) for w in s) for s in value):
            fields[name] = "e2e", sum(map(len, value))
    return fields


def words_field(row: dict[str, Any], form: str) -> str | None:
    """The field with the most words, or with the longest text, in the shape of a JSON format."""
    if form == "fastcoref":
        texts = {name: len(value) for name, value in row.items() if isinstance(value, str)}
    else:
        texts = {name: size for name, (kind, size) in _words(row).items() if kind == form}
    return max(texts, key=texts.__getitem__) if texts else None


def guess_format(data: bytes, clusters: str) -> str | None:
    """The format in which the clusters of a field of unknown JSON can be read."""
    row = _first_row(data)
    return format_for(row, clusters) if clusters in row else None


def has_clusters(data: bytes, field: str) -> bool:
    """Whether the first document of unknown JSON has a field in the shape of clusters."""
    return is_clusters(_first_row(data).get(field))


def _first_row(data: bytes) -> dict[str, Any]:
    """The fields of the first document of JSON; none where there is no such document."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"["):
        return {}
    first = next(iter(decode(data, Collector())), None)
    return first.content if first is not None and isinstance(first.content, dict) else {}


class _Census(ElementListener):
    """Counts the elements of an XML file, and collects the names of their attributes."""

    def __init__(self) -> None:
        self.root = ""
        self.elements: Counter[str] = Counter()
        self.attributes: dict[str, set[str]] = {}

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        self.root = self.root or path[-1]
        self.elements[path[-1]] += 1
        names = self.attributes.setdefault(path[-1], set())
        names.update(name.rpartition("}")[2] for name in attributes)


def _describe_xml(data: bytes, path: str) -> list[Incident]:
    collector, census = Collector(path), _Census()
    if not walk(data, census, collector):
        return list(collector)
    order = sorted(census.elements.items(), key=lambda item: (-item[1], item[0]))
    listed = []
    for name, number in order[:_LISTED_ELEMENTS]:
        attributes = ", ".join(sorted(census.attributes[name])[:_LISTED_ATTRIBUTES])
        listed.append(f"{number:,} {name}{f' ({attributes})' if attributes else ''}")
    near = [
        name
        for name, (root, elements) in _XML.items()
        if census.root == root or len(elements & census.elements.keys()) > 1
    ]
    shown = f"XML with the root {census.root}; {', '.join(listed)}"
    return [_unknown(path, shorten(shown, 400), " or ".join(near), "")]


class _PlainTable(NamedTuple):
    """A table: the name of its delimiter, and its rows of cells."""

    delimiter: str
    rows: list[list[str]]

    @classmethod
    def of(cls, data: bytes) -> "_PlainTable | None":
        """The table in the bytes; None if they are other text."""
        if b"\x00" in data[:4096]:
            return None
        lines = [line for line in lines_of(data) if line.strip()]
        if not lines or "\ufffd" in lines[0]:
            return None
        tabs = [line.split("\t") for line in lines]
        if 2 * sum(len(row) > 1 for row in tabs) > len(tabs):
            return cls("tab", tabs)
        for delimiter, mark in (("comma", ","), ("semicolon", ";")):
            try:
                rows = list(csv.reader(lines, delimiter=mark))
            except csv.Error:
                return None
            sizes = {len(row) for row in rows}
            if len(lines) > 1 and len(sizes) == 1 and sizes != {1}:
                return cls(delimiter, rows)
        return None

    def integers(self) -> list[int]:
        """The numbers, from 1, of the columns that hold integers in all lines but the first."""
        rows = self.rows[1:]
        width = min(map(len, self.rows))
        return [n + 1 for n in range(width) if rows and all(_is_integer(row[n]) for row in rows)]

    def incident(self, path: str) -> Incident:
        """The incident that describes the table."""
        sizes = [len(row) for row in self.rows]
        cells = ", ".join(shorten(cell, 20) for cell in self.rows[0][:_LISTED_CELLS])
        integers = self.integers()
        width = str(sizes[0]) if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
        shown = f"a table of {width} columns, delimiter {self.delimiter}; the first line is {cells}"
        if integers:
            shown += f"; integers in {_columns(integers)}"
        brackets = any("(" in row[-1] or ")" in row[-1] for row in self.rows[1:])
        near = ["links"] if len(integers) > 1 else []
        near += ["conll, columns with brackets in the last one"] if brackets else []
        return _unknown(path, shorten(shown, 400), " or ".join(near), "")


def _is_integer(cell: str) -> bool:
    digits = cell.strip().removeprefix("-")
    return digits.isascii() and digits.isdigit()


def _columns(numbers: Sequence[int] | Iterable[int]) -> str:
    listed = [str(number) for number in numbers]
    return f"column{'s' if len(listed) > 1 else ''} {', '.join(listed)}"
