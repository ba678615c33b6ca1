"""A small corpus in four formats, and damages of its files: what people and programs do wrong.

Four documents of 60 tokens, a key and two responses. `tests/test_damages.py` tries every damage in
every format with every command.
"""

import csv
import io
import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from warnings import catch_warnings, simplefilter

import corefkit

Span = tuple[int, int]
"""The first and the last token of a mention."""
Clusters = dict[str, list[list[Span]]]
"""The entities of each document."""

TOKENS = 60
SENTENCE = 15
NAMES = ("doc0", "doc1", "doc2", "doc3")


@cache
def _drawn(seed: int, kept: float) -> Clusters:
    """The key (`kept` 1.0), or a response that loses and exchanges some of its mentions."""
    key, damage = random.Random(1), random.Random(seed)
    corpus: Clusters = {}
    for name in NAMES:
        starts = sorted(key.sample(range(0, TOKENS - 3, 3), 15))
        entities: list[list[Span]] = [[] for _ in range(6)]
        for start in starts:
            span = (start, start + key.choice((0, 0, 1, 2)))
            entity = key.randrange(5)
            if damage.random() > kept:
                entity = damage.randrange(6)
            entities[entity].append(span)
        corpus[name] = [spans for spans in entities if len(spans) > 1]
    return corpus


def key() -> Clusters:
    """The key."""
    return _drawn(0, 1.0)


def response() -> Clusters:
    """A response, usually read from the file `r`."""
    return _drawn(2, 0.8)


def other() -> Clusters:
    """Another response, usually read from the file `s`."""
    return _drawn(3, 0.6)


def words(name: str) -> list[str]:
    """The words of a document; no two documents have the same."""
    return [f"{name[-1]}w{at}" for at in range(TOKENS)]


def _brackets(entities: list[list[Span]], prefix: str = "") -> list[list[str]]:
    """The brackets at each token."""
    cells: list[list[str]] = [[] for _ in range(TOKENS)]
    for entity, spans in enumerate(entities):
        for start, end in spans:
            if start == end:
                cells[start].append(f"({prefix}{entity})")
            else:
                cells[start].append(f"({prefix}{entity}")
                cells[end].append(f"{prefix}{entity})")
    return cells


def conll(corpus: Clusters) -> str:
    """The corpus in CoNLL-2012's columns."""
    lines = []
    for name, entities in corpus.items():
        lines.append(f"#begin document ({name}); part 000")
        for at, (word, cell) in enumerate(zip(words(name), _brackets(entities), strict=True)):
            marks = "|".join(cell) or "-"
            lines.append(f"{name}\t0\t{at % SENTENCE}\t{word}\tNN\t*\t-\t-\t-\tA\t*\t{marks}")
            if at % SENTENCE == SENTENCE - 1:
                lines.append("")
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def corefud(corpus: Clusters) -> str:
    """The corpus in CorefUD's columns."""
    lines = ["# global.Entity = eid"]
    for number, (name, entities) in enumerate(corpus.items()):
        lines.append(f"# newdoc id = {name}")
        cells = _brackets(entities, f"d{number}e")
        for at, (word, cell) in enumerate(zip(words(name), cells, strict=True)):
            if at % SENTENCE == 0:
                lines.append(f"# sent_id = {name}-{at}")
            marks = "Entity=" + "".join(cell) if cell else "_"
            head = "0\troot" if at % SENTENCE == 0 else "1\tdep"
            lines.append(f"{at % SENTENCE + 1}\t{word}\t_\tNOUN\t_\t_\t{head}\t_\t{marks}")
            if at % SENTENCE == SENTENCE - 1:
                lines.append("")
    return "\n".join(lines) + "\n"


def jsonl(corpus: Clusters, field: str = "clusters") -> str:
    """The corpus in JSON lines, as e2e-coref has them."""
    rows = [
        {
            "doc_key": name,
            "sentences": [words(name)[at : at + SENTENCE] for at in range(0, TOKENS, SENTENCE)],
            field: entities,
        }
        for name, entities in corpus.items()
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(corpus: Clusters) -> str:
    """The corpus as a table of mentions."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("document", "start", "end", "entity"))
    for name, entities in corpus.items():
        for entity, spans in enumerate(entities):
            writer.writerows((name, start, end, f"e{entity}") for start, end in spans)
    return text.getvalue()


WRITERS: Mapping[str, Callable[[Clusters], str]] = {
    "conll": conll,
    "conllu": corefud,
    "jsonl": jsonl,
    "csv": table,
}
"""Ending of a file → how the corpus is written to it."""


def _converted(form: str, ending: str) -> Callable[[Clusters], str]:
    """The corpus as corefkit itself writes it; DataError for what the format cannot express."""

    def written(corpus: Clusters) -> str:
        with TemporaryDirectory() as folder:
            source, target = Path(folder) / "a.conll", Path(folder) / f"b.{ending}"
            source.write_text(conll(corpus))
            with catch_warnings():
                simplefilter("ignore")
                corefkit.write(corefkit.read(source), target, format=form)
            return target.read_text(encoding="utf-8")

    return written


ALL_WRITERS: Mapping[str, Callable[[Clusters], str]] = {
    **WRITERS,
    "conllua": _converted("conllua", "conllua"),
    "preco.jsonl": _converted("preco", "jsonl"),
    "wl.jsonl": _converted("wl-coref", "jsonl"),
    "maverick.json": _converted("maverick", "json"),
    "text2text.txt": _converted("text2text", "txt"),
    "tbf": _converted("tbf", "tbf"),
    "links.jsonl": _converted("links", "jsonl"),
}
"""These, and formats that corefkit writes."""


def beside_the_gold(ending: str) -> str:
    """The key, with what a system predicted where nothing reads it."""
    gold_text, predicted = (WRITERS[ending](corpus) for corpus in (key(), response()))
    lines = []
    for line, other in zip_longest(gold_text.splitlines(), predicted.splitlines(), fillvalue=""):
        cell = other.rpartition("\t")[2]
        if ending == "csv":
            lines.append(f"{line},{'predicted' if line.startswith('document') else 'p'}")
        elif "\t" not in line:
            lines.append(line)
        elif ending == "conll":  # a column before the last one
            before, _, gold = line.rpartition("\t")
            lines.append(f"{before}\t{cell}\t{gold}")
        else:
            gold = line if "Entity" in line else line.removesuffix("_")
            lines.append(gold + ("" if cell == "_" else "|Pred" + cell) or "_")
    return "\n".join(lines) + "\n"
