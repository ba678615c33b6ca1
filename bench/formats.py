"""Reading other formats against reading the same corpora in columns."""

import gc
import gzip
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any
from xml.parsers import expat

import corefkit
from bench import data
from bench.annotation_files import (
    PROJECT,
    RICH,
    SENTENCE,
    WRITERS,
    MadeCorpus,
    made_corpus,
    write_project,
)
from bench.measure import Task, fastest
from bench.table import Row, at_most, not_measured, seconds, without_limit
from corefkit.formats import read_annotators, registry
from corefkit.formats.kit.convert import LossWarning
from corefkit.scorers import make_options, scorer_for

_ROUNDS = 5
_COPIES = 33
"""How often the three files of a corpus are there, each time under other names."""

_FOLDERS = (
    ("brat, LitBank", "brat/litbank", "*.ann", "conll/litbank"),
    ("WebAnno TSV, GUM", "webanno", "GUM_*.tsv", "conll/gum"),
)
"""What is measured: its title, the folder and the files, and the folder with the columns."""


_WRITTEN = (
    ("RuCoCo", "rucoco", ".json", 2),
    ("KBP", "tbf", ".tbf", 3),
    ("CorefAnnotator", "corefannotator", ".xmi", 5),
)
"""Formats that are written from the same corpus: title, format, ending, and limit."""
_MADE = (
    ("TAC EDL", "tac-edl", 3),
    ("TAC queries", "tac-queries", 5),
    ("i2b2", "i2b2", 3),
    ("link lists", "links", 3),
    ("Rich ERE", "rich-ere", 5),
    ("ACE", "ace", 5),
    ("Glozz", "glozz", 5),
    ("ANCOR TEI", "ancor-tei", 5),
    ("UIMA XMI", "xmi", 9),
)
"""Formats that are only read: title, format, and limit.

The limits are those of FORMATS2.md 0.4, which gives none for TAC queries and XMI. Its unit is our
reader of columns; the page says that a plain loop over a list is 0.8 of it and expat alone, on
CorefAnnotator, 1.6. Both are measured here, too: they have not moved, so that the unit is the one
that the page means, and nothing is to be converted.
"""
_RICH: tuple[tuple[str, str, dict[str, Any], float], ...] = (
    ("CorefAnnotator with flags, groups and parts", "corefannotator", {}, 5),
    ("KBP with discontinuous places", "tbf", {}, 3),
    ("link lists, the best of several", "links", {"best": True}, 3),
    ("Glozz with bridging", "glozz", {}, 5),
    ("ANCOR TEI with bridging", "ancor-tei", {}, 5),
)
"""The same formats with what only some files have: title, format, how it is read, and limit."""
_TOKENS, _MENTIONS, _ENTITIES = 100_000, 12_000, 2_400


def rows(scratch: Path) -> Iterator[Row]:
    """All unpacked, in one process."""
    yield from _one_corpus(scratch)
    yield _json_lines(scratch)
    for title, folder, pattern, columns in _FOLDERS:
        yield _folder(scratch, title, sorted((data.FORMATS / folder).glob(pattern)), columns)


def _one_corpus(scratch: Path) -> Iterator[Row]:
    """A made corpus of 100,000 tokens and 12,000 mentions, in columns and as others write it.

    Processor time, with garbage looked for as seldom as in a command (`corefkit.cli.begin`).
    """
    made = made_corpus(_TOKENS, _MENTIONS, _ENTITIES)
    sentences = [made.words[n : n + SENTENCE] for n in range(0, _TOKENS, SENTENCE)]
    row = {"doc_key": "made", "sentences": sentences, "clusters": made.clusters}
    corpus = corefkit.Corpus.from_records([row])
    columns = scratch / "made.conll"
    corefkit.write(corpus, columns)
    files: list[tuple[str, Path, float]] = []
    for title, name, ending, limit in _WRITTEN:
        path = scratch / f"made{ending}"
        write = registry.get_format(name).write
        assert write is not None
        path.write_bytes(write(corpus, str(path)).files[str(path)])
        files.append((title, path, limit))
    for title, name, limit in _MADE:
        folder = scratch / f"made {name}"
        folder.mkdir()
        files.append((title, WRITERS[name](made, folder), limit))
    usual = gc.get_threshold()
    gc.set_threshold(100_000, *usual[1:])
    yield from _unit(scratch / "made tac-edl" / "made.tab", scratch / "made.xmi", columns)
    for title, path, most in files:
        assert corefkit.read(path).mentions == corpus.mentions
        what = f"read {title}, 12,000 mentions / read columns"
        yield _compared(what, path, columns, most)
    yield from _rich(scratch, made, columns)
    yield from _project(scratch, made)
    yield _labels(scratch / "made tac-edl" / "made.tab")
    gc.set_threshold(*usual)


def _rich(scratch: Path, made: MadeCorpus, columns: Path) -> Iterator[Row]:
    """The same mentions with flags, groups, parts, bridging or rival antecedents."""
    for title, name, how, limit in _RICH:
        folder = scratch / f"rich {name}"
        folder.mkdir()
        path = RICH[name](made, folder)
        assert corefkit.read(path, **how).mentions >= made.mentions
        yield _compared(f"read {title} / read columns", path, columns, limit, **how)
    packed = scratch / "made.xmi.gz"
    packed.write_bytes(gzip.compress((scratch / "rich corefannotator" / "made.xmi").read_bytes()))
    yield _compared("read the same CorefAnnotator, packed / read columns", packed, columns, 5)
    yield from _plays(scratch)


def _plays(scratch: Path) -> Iterator[Row]:
    """Published plays, packed as they are, one after the other: together as long as the corpus."""
    plays = sorted((data.FORMATS2 / "corefannotator").glob("*.xmi.gz"))
    if not plays:
        yield not_measured("read published plays / read columns", "no conformance data")
        return
    same = []
    for path in plays:
        same.append(scratch / f"{path.name}.conll.gz")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LossWarning)
            corefkit.write(corefkit.read(path), same[-1])
    tasks: dict[str, Task] = {
        "other": lambda: [corefkit.read(path) for path in plays],
        "columns": lambda: [corefkit.read(path) for path in same],
    }
    times = fastest(tasks, 2 * _ROUNDS, clock=process_time)
    detail = f"{seconds(times['other'])} / {seconds(times['columns'])}"
    what = f"read {len(plays)} published CorefAnnotator files / read columns, all packed"
    yield at_most(what, times["other"] / times["columns"], 5, detail=detail)


def _unit(listed: Path, annotated: Path, columns: Path) -> Iterator[Row]:
    """What needs no reader of ours, against the unit: if these move, the unit has moved."""
    tasks: dict[str, Task] = {
        "loop": lambda: _loop(listed),
        "expat": lambda: _expat(annotated),
        "columns": lambda: corefkit.read(columns),
    }
    times = fastest(tasks, 2 * _ROUNDS, clock=process_time)
    detail = {
        name: f"{seconds(time)} / {seconds(times['columns'])}" for name, time in times.items()
    }
    names = {"loop": "a plain loop over the list of TAC EDL", "expat": "expat on CorefAnnotator"}
    for name, what in names.items():
        ratio = times[name] / times["columns"]
        yield without_limit(f"{what}, alone / read columns", ratio, detail=detail[name])


def _loop(path: Path) -> list[tuple[str, int, int, int]]:
    """The mentions of a sound list, as one would read it in a script."""
    mentions, entities = [], dict[str, int]()
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            cells = line.split("\t")
            document, _, place = cells[3].rpartition(":")
            begin, end = place.split("-")
            entity = entities.setdefault(cells[4], len(entities))
            mentions.append((document, int(begin), int(end), entity))
    return mentions


def _expat(path: Path) -> None:
    """Expat with functions that do nothing for starts, ends and texts."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: None
    parser.EndElementHandler = lambda name: None
    parser.CharacterDataHandler = lambda text: None
    parser.Parse(path.read_bytes(), True)


def _project(scratch: Path, made: MadeCorpus) -> Iterator[Row]:
    """An archive of four annotations, against its members; and one annotator of the two."""
    folder = scratch / "made project"
    folder.mkdir()
    path = write_project(made, folder)
    member = folder / "made.xmi"
    tasks: dict[str, Task] = {
        "all": lambda: read_annotators(path),
        "anna": lambda: corefkit.read(f"{path}#anna"),
        "member": lambda: corefkit.read(member),
    }
    times = fastest(tasks, _ROUNDS, clock=process_time)
    for name, annotations in (("all", len(PROJECT)), ("anna", len(PROJECT) // 2)):
        ratio = times[name] / (annotations * times["member"])
        what = f"read a project, {name}: {annotations} annotations / as many files"
        detail = f"{seconds(times[name])} / {seconds(annotations * times['member'])}"
        yield at_most(what, ratio, 1.1, detail=detail)


def _labels(path: Path) -> Row:
    """Matching of mentions with the same labels, against matching; unasked, labels cost nothing."""
    corpus = corefkit.read(path)
    plain, labelled = (scorer_for(make_options(labels=labels)) for labels in ("", "type"))
    tasks: dict[str, Task] = {
        "labels": lambda: labelled.match(corpus, corpus),
        "plain": lambda: plain.match(corpus, corpus),
    }
    times = fastest(tasks, 4 * _ROUNDS, clock=process_time)
    detail = f"{seconds(times['labels'])} / {seconds(times['plain'])}"
    what = "match 12,000 mentions by labels, too / by spans"
    return at_most(what, times["labels"] / times["plain"], 1.5, detail=detail)


def _json_lines(scratch: Path) -> Row:
    """The JSON is what `corefkit convert --to e2e` writes."""
    name = "read JSON lines, OntoNotes dev / read columns"
    files = data.packed(scratch)
    if files is None:
        return not_measured(name, data.MISSING)
    columns = data.unpacked(files, scratch).key
    lines = scratch / "key.jsonlines"
    write = registry.get_format("e2e").write
    assert write is not None
    lines.write_bytes(write(corefkit.read(columns), str(lines)).files[str(lines)])
    return _compared(name, lines, columns, 2)


def _folder(scratch: Path, title: str, files: list[Path], columns: str) -> Row:
    """Real files, copied until there are as many as LitBank has, against the same in columns."""
    name = f"read {title}, {_COPIES * len(files)} files / read columns"
    if not files:
        return not_measured(name, data.MISSING)
    here, there = (scratch / f"{title} {kind}" for kind in ("files", "columns"))
    here.mkdir()
    there.mkdir()
    for file in files:
        text = file.with_suffix(".txt")
        same = (data.FORMATS / columns / f"{file.stem}.conll").read_bytes()
        for number in range(_COPIES):
            new = f"{file.stem}_{number}"
            for each in (file, *([text] if text.exists() else [])):
                shutil.copyfile(each, here / f"{new}{each.suffix}")
            renamed = same.replace(file.stem.encode(), new.encode())
            (there / f"{new}.conll").write_bytes(renamed)
    assert corefkit.read(here).mentions == corefkit.read(there).mentions
    return _compared(name, here, there, 3)


def _compared(name: str, path: Path, columns: Path, limit: float, **how: Any) -> Row:
    """Processor time of reading."""
    tasks: dict[str, Task] = {
        "other": lambda: corefkit.read(path, **how),
        "columns": lambda: corefkit.read(columns),
    }
    times = fastest(tasks, 2 * _ROUNDS, clock=process_time)
    detail = f"{seconds(times['other'])} / {seconds(times['columns'])}"
    return at_most(name, times["other"] / times["columns"], limit, detail=detail)
