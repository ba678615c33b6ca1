"""Files of no known format: what they contain, and what might help."""

import csv
from collections import Counter
from typing import Any

from corefkit.core.incidents import Collector, DataError, Incident, make_incident
from corefkit.core.options import for_side
from corefkit.core.table_columns import LINKS, MENTIONS
from corefkit.core.texts import shorten
from corefkit.formats.jsonlines.unknown import clusters_field, format_for
from corefkit.formats.kit.building import lines_of
from corefkit.formats.kit.json import decode
from corefkit.formats.kit.tree import read_tree
from corefkit.formats.registry import looks_in
from corefkit.formats.table import JSON

_HEAD = 1 << 16
"""A table is recognised by its first bytes, as a large one may fill the memory."""
_KINDS = {str: "text", int: "number", float: "number", dict: "object", type(None): "null"}


def describe_unknown(data: bytes, path: str, role: str) -> list[Incident] | None:
    """The incidents for JSON, XML or a table of no known format; None for other text."""
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] in (b"{", b"["):
        return _describe_json(data, path, role)
    if text[:1] == b"<" and not text[:15].lower().startswith((b"<!doctype html", b"<html")):
        return _describe_xml(data, path)
    table = rows_of(data)
    if table is None:
        return None
    delimiter, rows = table
    cells = ", ".join(shorten(cell, 20) for cell in rows[0][:12])
    content = f"a table of {len(rows[0])} columns, delimiter {delimiter}; the first line is {cells}"
    is_link = "antecedent_start" in LINKS.find(rows[0])
    variant, kind = ("links", LINKS) if is_link else ("table", MENTIONS)
    lacking = kind.lacking(rows[0])
    return [make_incident("format-unknown", variant, file=path, found=content, lacking=lacking)]


def _unknown(path: str, content: str, option: str = "") -> Incident:
    """The incident with the content, and an option that might help."""
    variant, found = "option" if option else "", shorten(content, 400)
    return make_incident("format-unknown", variant, file=path, found=found, option=option)


def _describe_json(data: bytes, path: str, role: str) -> list[Incident]:
    collector = Collector(path)
    first = next(iter(decode(data, collector)), None)
    if first is None:
        return list(collector) or [_unknown(path, "JSON without a document")]
    row = first.content
    if not isinstance(row, dict):
        return [_unknown(path, f"JSON: {_kind(row)}")]
    fields = ", ".join(f"{name} ({_kind(value)})" for name, value in row.items())
    content = f"JSON with the fields {fields}" if fields else "JSON without fields"
    if clusters := clusters_field(row):
        named = f"--read {for_side(role)}clusters={clusters}"
        form = format_for(row, clusters) if role == "key" else None  # --format is for both sides
        return [_unknown(path, content, f"--format {form} {named}" if form else named)]
    for name, look in looks_in(JSON):  # words without clusters
        keys = {*look.keys.split()}
        lacking = [*(keys - row.keys())]
        words = [row[key] for key in keys & row.keys()]
        if (
            len(lacking) == 1
            and "clusters" in lacking[0]
            and any(isinstance(w, list) for w in words)
        ):
            expected = f"{name} also has {lacking[0]}"
            found = shorten(content, 400)
            told = make_incident(
                "clusters-missing",
                "nearest",
                first.line,
                file=path,
                found=found,
                expected=expected,
            )
            return [told]
    return [_unknown(path, content)]


def _kind(value: Any) -> str:
    """The kind of a JSON value, with the length of a list."""
    if isinstance(value, bool):
        return "true or false"
    return f"list of {len(value):,}" if isinstance(value, list) else _KINDS[type(value)]


def _describe_xml(data: bytes, path: str) -> list[Incident]:
    collector = Collector(path)
    try:
        tree = read_tree(data, collector)
    except DataError as error:
        return list(error.incidents)
    numbers = Counter(element.tag for element in tree.elements)
    listed = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))[:5]
    elements = ", ".join(f"{number:,} {name}" for name, number in listed)
    return [_unknown(path, f"XML with the root {tree.root.tag}; {elements}")]


def rows_of(data: bytes) -> tuple[str, list[list[str]]] | None:
    """The name of the delimiter and the first rows of a table with any columns, else None."""
    head = data[:_HEAD]
    if b"\x00" in head or data[:1] in (b"{", b"[", b"<"):
        return None
    if len(data) > _HEAD and b"\n" in head:
        head = head[: head.rindex(b"\n")]
    lines = [line for line in lines_of(head) if line.strip()]
    if not lines or "\ufffd" in lines[0]:
        return None
    tabs = [line.split("\t") for line in lines]
    if 2 * sum(len(row) > 1 for row in tabs) > len(tabs):
        return "tab", tabs
    for delimiter, mark in (("comma", ","), ("semicolon", ";")):
        try:
            rows = list(csv.reader(lines, delimiter=mark))
        except csv.Error:
            return None
        sizes = {len(row) for row in rows}
        if len(lines) > 1 and len(sizes) == 1 and sizes != {1}:
            return delimiter, rows
    return None
