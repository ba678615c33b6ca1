"""A table of damaged files and what corefkit says to each: `python -m tests.damage_table`.

Each input is the response of `tests.damages` in one format, with one damage; every command reads
it. The verdict is one of VERDICTS, and none may be "silent": other figures than those of the file
without the damage, status 0 and no word that is not said of that file, too. Only a damage after
which the file plainly says something else (an entity less, say) may change the figures like that;
it is marked `says`. A command that shows no figures, `check`, is silent where it says nothing and
`score` has other figures. Damages that leave the bytes as they are do not count.
"""

import argparse
import gzip
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from corefkit import DataError, Evaluator
from corefkit.compat import checker, coval, e2e, official, scorch, tanl
from tests import damages
from tests.damages import ALL_WRITERS, TOKENS, WRITERS, Clusters
from tests.support import check_options_named, run

VERDICTS = ("refused", "warned", "noted", "same", "says", "silent")

COMMANDS: dict[str, tuple[str, ...]] = {
    "score": ("score", "KEY", "FILE"),
    "score, other rules": ("score", "KEY", "FILE", "--profile", "coval", "--by", "document"),
    "check": ("check", "FILE", "--against", "KEY"),
    "compare": ("compare", "KEY", "FILE", "OTHER", "-m", "conll", "--samples", "10"),
    "errors": ("errors", "KEY", "FILE", "--language", "en"),
    "outcomes": ("outcomes", "KEY", "FILE", "-m", "immediate"),
    "agree": ("agree", "KEY", "FILE", "-m", "conll"),
    "explain": ("explain", "KEY", "FILE", "--profile", "standard", "--profile", "coval"),
    "report": ("report", "KEY", "FILE", "--language", "en", "-o", "page.html"),
    "task": ("task", "run", "task.toml", "--no-plots", "-o", "results"),
    "engine": ("score", "KEY", "FILE", "--engine", "duckdb"),
}

TASK = """
name = "t"
[datasets.d]
key = "KEY"
[systems.r.responses]
d = "FILE"
[significance]
samples = 10
"""


class Damaged(NamedTuple):
    """A damaged file: its format, the damage and the bytes; `says` that it says something else."""

    ending: str
    damage: str
    data: bytes
    says: bool = False


# Damages of bytes, which any format may suffer.

TEXTS: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda data: data,
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "two byte order marks": lambda data: b"\xef\xbb\xbf" * 2 + data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "CR": lambda data: data.replace(b"\n", b"\r"),
    "some CRLF": lambda data: data.replace(b"\n", b"\r\n", 9),
    "no last line end": lambda data: data.rstrip(b"\n"),
    "blank lines behind": lambda data: data + b"\n\n\n",
    "blanks at the ends of lines": lambda data: data.replace(b"\n", b"  \n"),
    "a blank line inside": lambda data: data.replace(b"\n", b"\n\n", 5),
    "a line separator of Unicode": lambda data: data.replace(b"0w1", "\u2028".encode(), 1),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "a NUL": lambda data: data[:300] + b"\0" + data[300:],
    "Latin-1": lambda data: data.replace(b"0w1", b"\xe9w1", 1),
    "zero width": lambda data: data.replace(b"0w1", "\u200b0w1".encode(), 1),
    "cut in half": lambda data: data[: len(data) // 2],
    "cut in the last line": lambda data: data[:-7],
    "twice": lambda data: data * 2,
    "each line twice": lambda data: b"".join(line * 2 for line in data.splitlines(True)),
    "a line less": lambda data: b"".join(_without(data.splitlines(True), 3)),
    "the first line less": lambda data: b"".join(_without(data.splitlines(True), 0)),
    "lines exchanged": lambda data: b"".join(_exchanged(data.splitlines(True), 2, 3)),
    "a log before": lambda data: b"INFO loading the model\n" + data,
    "a log inside": lambda data: data.replace(b"\n", b"\nINFO step 3\n", 1),
    "a log behind": lambda data: data + b"INFO done in 3 s\n",
    "marks of git": lambda data: data.replace(b"\n", b"\n<<<<<<< HEAD\n", 1),
    "a web page": lambda _: b"<!DOCTYPE html><html><body>404</body></html>\n",
    "empty": lambda _: b"",
    "blank": lambda _: b" \n\n",
    "packed": lambda data: gzip.compress(data, mtime=0),
    "packed and cut": lambda data: gzip.compress(data, mtime=0)[:-20],
    "packed and wrong": lambda data: gzip.compress(data, mtime=0)[:-8] + b"\0" * 8,
    "upper case": lambda data: data.replace(b"doc1", b"DOC1"),
    "a blank behind a name": lambda data: data.replace(b"doc1", b"doc1 "),
}


def _without(lines: list[bytes], place: int) -> list[bytes]:
    return lines[:place] + lines[place + 1 :]


def _exchanged(lines: list[bytes], one: int, other: int) -> list[bytes]:
    if max(one, other) < len(lines):
        lines[one], lines[other] = lines[other], lines[one]
    return lines


SAYS_OF_TEXTS = {
    ("csv", "a line less"),
    ("csv", "cut in half"),
    ("csv", "cut in the last line"),
    ("links.jsonl", "a line less"),
}
"""A table with a row less is a table."""
SAYS_OF_CORPORA = {("links.jsonl", "a mention in two entities")}
"""Links join the two entities."""

# Damages of the annotation.


def _each(
    change: Callable[[int, int], tuple[int, int]], *names: str
) -> Callable[[Clusters], Clusters]:
    """The corpus with other spans in these documents, or in all."""
    return lambda corpus: {
        name: [[change(*span) for span in entity] for entity in entities]
        if not names or name in names
        else entities
        for name, entities in corpus.items()
    }


def _within(span: tuple[int, int]) -> tuple[int, int]:
    return min(max(span[0], 0), TOKENS - 1), min(max(span[1], 0), TOKENS - 1)


def _with_first(corpus: Clusters, *spans: tuple[int, int], entity: int = 0) -> Clusters:
    """The corpus with more mentions in an entity of its first document."""
    first = [list(spans_) for spans_ in corpus["doc0"]]
    first[entity] = [*first[entity], *spans]
    return {**corpus, "doc0": first}


CORPORA: dict[str, tuple[Callable[[Clusters], Clusters], bool]] = {
    "a document less": (lambda c: {n: e for n, e in c.items() if n != "doc1"}, False),
    "a document more": (lambda c: {**c, "doc9": [[(0, 0), (3, 3)]]}, False),
    "a document renamed": (lambda c: {n.replace("doc1", "zebra1"): e for n, e in c.items()}, False),
    "all documents renamed": (lambda c: {f"x{n}": e for n, e in c.items()}, False),
    "documents in another order": (lambda c: dict(reversed(c.items())), False),
    "no mention in a document": (lambda c: {**c, "doc1": []}, False),
    "no mention": (lambda c: {name: [] for name in c}, False),
    "the key": (lambda _: damages.key(), False),
    "later by one": (_each(lambda s, e: _within((s + 1, e + 1))), False),
    "earlier by one": (_each(lambda s, e: _within((s - 1, e - 1))), False),
    "later by one in a document": (_each(lambda s, e: _within((s + 1, e + 1)), "doc1"), False),
    "later by two in a document": (_each(lambda s, e: _within((s + 2, e + 2)), "doc1"), False),
    "ends exclusive": (_each(lambda s, e: _within((s, e + 1))), False),
    "ends exclusive in a document": (_each(lambda s, e: _within((s, e + 1)), "doc2"), False),
    "a mention twice": (lambda c: _with_first(c, c["doc0"][0][0]), False),
    "a mention in two entities": (lambda c: _with_first(c, c["doc0"][1][0]), False),
    "an entity twice": (lambda c: {**c, "doc0": [*c["doc0"], c["doc0"][0]]}, False),
    "crossing mentions": (lambda c: _with_first(c, (50, 54), (52, 57)), True),
    "a mention of the whole document": (lambda c: _with_first(c, (0, TOKENS - 1)), True),
    "entities in another order": (lambda c: {n: e[::-1] for n, e in c.items()}, False),
    "an entity less": (lambda c: {**c, "doc0": c["doc0"][1:]}, True),
    "singletons only": (lambda c: {n: [[s] for x in e for s in x] for n, e in c.items()}, True),
    "one entity": (lambda c: {n: [[s for x in e for s in x]] for n, e in c.items()}, True),
    "another system": (lambda _: damages.other(), True),
}
"""The change, and whether the file says it plainly."""

# Damages of one format.

GOLD_FIELDS = (
    "pred_clusters", "predictions", "predicted", "preds", "pred", "system_clusters", "output",
    "Predicted_Clusters", "coref", "clusters_pred", "model_clusters", "response", "answer", "hyp",
    "sys", "auto", "coreference", "clusters2",
)  # fmt: skip
MARKS = (
    "NA",
    "nan",
    "None",
    "null",
    "-1",
    "*",
    "-",
    "_",
    "N/A",
    "#N/A",
    "<NA>",
    "",
    "\\N",
    "?",
    ".",
)


def _rows(change: Callable[[dict[str, Any], int], Any]) -> bytes:
    """The rows of the response as JSON lines, each changed; the key's clusters are at hand."""
    key = [json.loads(line) for line in damages.jsonl(damages.key()).splitlines()]
    rows = [json.loads(line) for line in damages.jsonl(damages.response()).splitlines()]
    for number, (row, gold) in enumerate(zip(rows, key, strict=True)):
        row["gold"] = gold["clusters"]
        changed = change(row, number)
        rows[number] = row if changed is None else changed
        if isinstance(rows[number], dict):
            rows[number].pop("gold", None)
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _carried(row: dict[str, Any], field: str, value: Any) -> None:
    """The gold stays in `clusters`, and the prediction is in another field."""
    row["clusters"], row[field] = row["gold"], value


def _spans(row: dict[str, Any], change: Callable[[int, int], Any]) -> None:
    row["clusters"] = [[change(*span) for span in cluster] for cluster in row["clusters"]]


def _first_span(row: dict[str, Any], span: Any) -> None:
    row["clusters"][0][0] = span


_JSON: dict[str, Callable[[dict[str, Any], int], Any]] = {
    **{
        f"the gold and {name}": lambda row, _, name=name: _carried(row, name, row["clusters"])  # type: ignore[misc]
        for name in GOLD_FIELDS
    },
    "the gold and an object": lambda r, _: _carried(r, "out", {"clusters": r["clusters"]}),
    "the gold and names": lambda r, _: _carried(r, "out", {"a": r["clusters"][0]}),
    "predictions of three": lambda r, n: _carried(
        r, "predicted_clusters" if n != 1 else "x", r["clusters"]
    ),
    "null predicted": lambda r, n: _carried(r, "predicted_clusters", r["clusters"] if n else None),
    "null predictions": lambda r, _: _carried(r, "predicted_clusters", None),
    "gold_clusters beside": lambda r, _: r.update(gold_clusters=r["gold"]),
    "null clusters": lambda r, n: r.update(clusters=None) if n == 1 else None,
    "no clusters": lambda r, n: r.pop("clusters") and None if n == 1 else None,
    "clusters too deep": lambda r, _: r.update(clusters=[r["clusters"]]),
    "clusters too flat": lambda r, _: r.update(clusters=r["clusters"][0]),
    "clusters as text": lambda r, _: r.update(clusters=str(r["clusters"])),
    "a cluster as text": lambda r, _: r["clusters"].__setitem__(0, str(r["clusters"][0])),
    "texts as numbers": lambda r, _: _first_span(r, ["3", "4"]),
    "fractions": lambda r, _: _first_span(r, [3.5, 4.0]),
    "whole fractions": lambda r, _: _spans(r, lambda s, e: [float(s), float(e)]),
    "true": lambda r, _: _first_span(r, [True, True]),
    "a null in a span": lambda r, _: _first_span(r, [None, 4]),
    "negative": lambda r, _: _first_span(r, [-3, -1]),
    "reversed": lambda r, _: _first_span(r, [9, 7]),
    "a span of one": lambda r, _: _first_span(r, [3]),
    "a span of four": lambda r, _: _first_span(r, [3, 4, 5, 6]),
    "an object for a span": lambda r, _: _first_span(r, {"start": 3, "end": 4}),
    "outside": lambda r, _: _first_span(r, [3, TOKENS + 7]),
    "2^63": lambda r, _: _first_span(r, [3, 2**63]),
    "10^400": lambda r, _: _first_span(r, [3, 10**400]),
    "an empty cluster": lambda r, _: r["clusters"].append([]),
    "no name": lambda r, _: r.pop("doc_key") and None,
    "a name that is null": lambda r, _: r.update(doc_key=None),
    "a name that is a list": lambda r, _: r.update(doc_key=[r["doc_key"]]),
    "one name for all": lambda r, _: r.update(doc_key="doc0"),
    "no words": lambda r, _: r.pop("sentences") and None,
    "words less": lambda r, n: r["sentences"].pop() and None if n == 1 else None,
    "words in one list": lambda r, _: r.update(sentences=[w for s in r["sentences"] for w in s]),
    "a list for an object": lambda r, _: [r["doc_key"], r["clusters"]],
}


def _lines(change: Callable[[list[str]], list[str]], ending: str, only: str = "") -> bytes:
    """The response with its tokens changed, as lists of columns, in all documents or in one."""
    lines, inside = [], not only
    for line in WRITERS[ending](damages.response()).splitlines():
        if "doc" in line and line.startswith("#") and ("begin" in line or "newdoc" in line):
            inside = not only or only in line
        cells = line.split("\t")
        lines.append("\t".join(change(cells)) if len(cells) > 2 and inside else line)
    return ("\n".join(lines) + "\n").encode()


def _last(change: Callable[[str], str]) -> Callable[[list[str]], list[str]]:
    return lambda cells: [*cells[:-1], change(cells[-1])]


def _for_none(mark: str, none: str = "-") -> Callable[[str], str]:
    return lambda cell: mark if cell == none else cell


_COLUMNS: dict[str, Callable[[list[str]], list[str]]] = {
    "a column more": lambda cells: [*cells, "-"],
    "a column less": lambda cells: cells[:-1],
    "a column of blanks": lambda cells: [*cells, ""],
    "the first column less": lambda cells: cells[1:],
    "columns exchanged": lambda cells: [*cells[:-2], cells[-1], cells[-2]],
    "blanks for tabs": lambda cells: ["   ".join(cells)],
    "no openings": _last(lambda cell: cell.replace("(", "")),
    "no ends": _last(lambda cell: cell.replace(")", "")),
    "square brackets": _last(lambda cell: cell.replace("(", "[").replace(")", "]")),
    "blanks in marks": _last(lambda cell: cell.replace("(", "( ")),
    "no bars": _last(lambda cell: cell.replace("|", "")),
    "commas for bars": _last(lambda cell: cell.replace("|", ",")),
    "no annotation": _last(lambda cell: "_" if "Entity" in cell else "-"),
    "letters for numbers": _last(lambda cell: re.sub(r"(\d+)", r"x\1", cell)),
    "zeros before": _last(lambda cell: re.sub(r"(\d+)", r"0\1", cell)),
    "words changed": lambda cells: [f"{c}x" if re.fullmatch(r"\dw\d+", c) else c for c in cells],
}


def _table(change: Callable[[list[list[str]]], list[list[str]]], mark: str = ",") -> bytes:
    rows = [line.split(",") for line in damages.table(damages.response()).splitlines()]
    return "".join(mark.join(row) + "\n" for row in change(rows)).encode()


def _cells(column: int, value: Callable[[str], str], number: int = 9) -> Callable[..., Any]:
    """A change of one column in the first rows."""
    return lambda rows: [
        [*row[:column], value(row[column]), *row[column + 1 :]] if 0 < place <= number else row
        for place, row in enumerate(rows)
    ]


_TABLES: dict[str, Callable[[list[list[str]]], list[list[str]]]] = {
    **{f"the mark {mark!r}": _cells(3, lambda _, mark=mark: mark) for mark in MARKS},  # type: ignore[misc]
    "no heading": lambda rows: rows[1:],
    "heading twice": lambda rows: [rows[0], *rows],
    "other headings": lambda rows: [["doc", "a", "b", "e"], *rows[1:]],
    "columns exchanged": lambda rows: [[d, e, s, x] for d, s, e, x in rows],
    "headings exchanged": lambda rows: [[*rows[0][:1], "end", "start", "entity"], *rows[1:]],
    "a column less": lambda rows: [row[:-1] for row in rows],
    "a cell less": lambda rows: [*rows[:3], rows[3][:-1], *rows[4:]],
    "a cell more": lambda rows: [*rows[:3], [*rows[3], "x"], *rows[4:]],
    "a heading twice": lambda rows: [[*rows[0], "entity"], *([*row, row[3]] for row in rows[1:])],
    "fractions": _cells(1, lambda cell: f"{cell}.5"),
    "whole fractions": _cells(1, lambda cell: f"{cell}.0", 999),
    "negative": _cells(1, lambda cell: f"-{cell}"),
    "words for numbers": _cells(1, lambda _: "three"),
    "no start": _cells(1, lambda _: ""),
    "no document": _cells(0, lambda _: ""),
    "blanks around": _cells(3, lambda cell: f" {cell} ", 999),
    "quotes around": _cells(3, lambda cell: f'"{cell}"', 999),
    "ends before starts": _cells(2, lambda _: "0"),
    "2^63": _cells(2, lambda _: str(2**63)),
    "thousands": _cells(2, lambda cell: f'"1,{cell}"'),
}


def inputs() -> Iterator[Damaged]:
    """All damaged files."""
    sound = {ending: write(damages.response()) for ending, write in ALL_WRITERS.items()}
    for damaged in _inputs():
        if damaged.damage == "nothing" or damaged.data != sound[damaged.ending].encode():
            yield damaged


def _inputs() -> Iterator[Damaged]:
    response = damages.response()
    for ending, write in ALL_WRITERS.items():
        data = write(response).encode()
        for name, spoil in TEXTS.items():
            yield Damaged(ending, name, spoil(data), (ending, name) in SAYS_OF_TEXTS)
        for name, (change, says) in CORPORA.items():
            with suppress(DataError):  # what a format cannot express
                plain = says or (ending, name) in SAYS_OF_CORPORA
                yield Damaged(ending, name, write(change(response)).encode(), plain)
    for name, alter in _JSON.items():
        yield Damaged("jsonl", name, _rows(alter))
    for ending in ("conll", "conllu"):
        for only, where in (("", ""), ("doc1", " in a document")):
            for name, move in _COLUMNS.items():
                yield Damaged(ending, name + where, _lines(move, ending, only))
    for mark in ("*", "-", "NA", "_", "-1"):
        yield Damaged("conll", f"({mark}) for none", _lines(_last(_for_none(f"({mark})")), "conll"))
    for mark in ("*", "NA", "_", "None"):
        data = _lines(_last(_for_none(f"Entity=({mark})", "_")), "conllu", "doc1")
        yield Damaged("conllu", f"({mark}) for none in a document", data)
    for ending in ("conll", "conllu", "csv"):
        yield Damaged(ending, "beside the gold", damages.beside_the_gold(ending).encode())
    for name, turn in _TABLES.items():
        yield Damaged("csv", name, _table(turn))
    for mark in (";", "\t", "|", " "):
        yield Damaged("csv", f"delimited by {mark!r}", _table(lambda rows: rows, mark))


class Row(NamedTuple):
    """A row of the table."""

    kind: str
    damage: str
    command: str
    verdict: str
    said: str


_FIGURES = re.compile(r"\d+\.\d\d\b")
_NUMBERS = re.compile(r"\b\d+\b")
_SAYS = re.compile(r"^(?:\S+: )?(error|warning|note)\b.*$|^Error: .*$", re.MULTILINE)
_PLACE = re.compile(r":\d+(:\d+)?(?=: )")


class Said(NamedTuple):
    """What a command said: its status, its lines of errors, warnings and notes, its figures."""

    status: int
    lines: tuple[str, ...]
    figures: str


def judge(damaged: Damaged, command: str) -> Row:
    """What a command says to a damaged file. The current folder is used for the files."""
    verdict, said = _verdict(damaged, command)
    if command == "check" and verdict == "same":  # it shows no figures
        scored = _verdict(damaged, "score")[0]
        verdict = scored if scored in {"says", "silent"} else verdict
        verdict = "silent" if scored in {"refused", "warned"} else verdict
    return Row(damaged.ending, damaged.damage, command, verdict, said)


def _verdict(damaged: Damaged, command: str) -> tuple[str, str]:
    sound = _said_to_sound(damaged.ending, command)
    said = _said(damaged.ending, damaged.data, command)
    usual = {_PLACE.sub("", line) for line in sound.lines}
    told = [line for line in said.lines if _PLACE.sub("", line) not in usual]
    for word, verdict in (("rror", "refused"), ("warning", "warned"), ("note", "noted")):
        for line in told:
            if f"{word}:" in line:
                return verdict, line
    if said.status > sound.status:
        return "refused", said.lines[0] if said.lines else ""
    if said.figures == sound.figures:
        return "same", ""
    return ("says" if damaged.says else "silent"), ""


def works(ending: str, command: str) -> bool:
    """Whether a command has figures of sound files of this format, or `check` nothing to say."""
    if command == "engine":
        return ending == "csv"
    if command in {"report", "task"} and ending not in WRITERS:  # which take the longest
        return False
    said = _said_to_sound(ending, command)
    return not said.status and (command == "check" or bool(said.figures))


@cache
def _said_to_sound(ending: str, command: str) -> Said:
    return _said(ending, ALL_WRITERS[ending](damages.response()).encode(), command)


def _said(ending: str, data: bytes, command: str) -> Said:
    names = {name: f"{name.lower()}.{ending}" for name in ("KEY", "OTHER")}
    for name, corpus in (("KEY", damages.key()), ("OTHER", damages.other())):
        Path(names[name]).write_text(ALL_WRITERS[ending](corpus))
    names["FILE"] = f"r.{ending}"
    Path(names["FILE"]).write_bytes(data)
    if command == "task":
        manifest = TASK.replace("KEY", names["KEY"]).replace("FILE", names["FILE"])
        Path("task.toml").write_text(manifest)
    Path("page.html").unlink(missing_ok=True)
    words = [names.get(word, word) for word in COMMANDS[command]]
    done = run(*words)
    check_options_named(words, done.err)
    lines = tuple(match.group(0) for match in _SAYS.finditer(f"{done.err}\n{done.out}"))
    shown = done.out
    if Path("page.html").exists():
        shown = Path("page.html").read_text(encoding="utf-8")
    if done.status and not lines:
        lines = ((done.err or done.out).strip().partition("\n")[0],)
    figures = _NUMBERS if command == "outcomes" else _FIGURES
    return Said(done.status, lines, " ".join(figures.findall(shown)))


# Calls from Python.

Entities = list[list[tuple[int, int]]]


def _updated(make: Callable[[], Any], read: Callable[[Any], float]) -> Callable[[Any, Any], float]:
    def count(key: Any, response: Any) -> float:
        counting = make()
        counting.update(response, key)
        return read(counting)

    return count


PYTHON: Mapping[str, Callable[[Any, Any], float]] = {
    "Evaluator": lambda k, r: Evaluator().update(k, r).scores().conll,
    "e2e": _updated(e2e.CorefEvaluator, lambda c: float(c.get_f1())),
    "e2e.Evaluator": _updated(lambda: e2e.Evaluator(e2e.muc), lambda c: float(c.get_f1())),
    "official": _updated(
        official.OfficialCoNLL2012CorefEvaluator, lambda c: float(c.get_f1("conll2012"))
    ),
    "checker": lambda k, r: checker.ClusterChecker().add_predictions(k, r)[0],
    "tanl": lambda k, r: tanl.CorefAllMetrics().get_all_metrics([k], [r])["micro"]["average"]["f1"],
    "coval": lambda k, r: coval.get_document_evaluations((k, r), coval.lea)[2],
    "scorch": scorch.conll2012,
}


def _used_up(values: list[Any]) -> Iterator[Any]:
    iterator = iter(values)
    list(iterator)
    return iterator


CALLS: dict[str, Callable[[Entities], Any]] = {
    "nothing": lambda entities: entities,
    "tuples": lambda entities: tuple(map(tuple, entities)),
    "lists": lambda entities: [[list(span) for span in entity] for entity in entities],
    "an iterator": iter,
    "a batch": lambda entities: [entities, entities],
    "a batch of batches": lambda entities: [[entities]],
    "a tuple of documents": lambda entities: (tuple(map(tuple, entities)),),
    "an iterator that is used up": _used_up,
    "texts": lambda entities: [str(entity) for entity in entities],
    "one text": str,
    "None": lambda _: None,
    "a number": lambda _: 3,
    "numbers": lambda _: [1, 2, 3],
    "mentions": lambda entities: [span for entity in entities for span in entity],
    "a dictionary": lambda entities: dict(enumerate(entities)),
    "None in a cluster": lambda entities: [*entities[1:], None],
}


def call(name: str, damage: str) -> Row:
    """What a function of Python says where a response is given in another shape."""
    key, response = damages.key()["doc0"], damages.response()["doc0"]
    count = PYTHON[name]
    try:
        figure = count(key, CALLS[damage](response))
    except (TypeError, ValueError) as error:
        return Row("python", damage, name, "refused", str(error))
    verdict = "same" if figure == count(key, response) else "silent"
    return Row("python", damage, name, verdict, "")


def table(chosen: Callable[[int], bool] = lambda _: True) -> Iterator[Row]:
    """The rows of the inputs and calls with chosen numbers, in a folder of their own."""
    calls = [(name, damage) for name in PYTHON for damage in CALLS]
    with TemporaryDirectory() as folder, chdir(folder):
        _said_to_sound.cache_clear()
        commands = {e: [c for c in COMMANDS if works(e, c)] for e in ALL_WRITERS}
        number = 0
        for damaged in inputs():
            number += 1
            if chosen(number):
                yield from (judge(damaged, command) for command in commands[damaged.ending])
        for name, damage in calls:
            number += 1
            if chosen(number):
                yield call(name, damage)


def main() -> None:
    """Print the table, the number of each verdict, and fail if something is silent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="the share of inputs to try")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    rows = list(table(lambda _: rng.random() < given.share))
    for row in rows:
        sys.stdout.write("\t".join(row).replace("\n", " ") + "\n")
    verdicts = Counter(row.verdict for row in rows)
    tried = len({row[:2] if row.kind != "python" else row[:3] for row in rows})
    told = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in VERDICTS)
    sys.stderr.write(f"{tried} inputs, {len(rows)} verdicts: {told}\n")
    sys.exit(os.EX_DATAERR if verdicts["silent"] else 0)


if __name__ == "__main__":
    main()
