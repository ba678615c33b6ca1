"""Reading other formats against reading the same corpora in columns."""

import gc
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import corefkit
from bench import data
from bench.annotation_files import (
    PROJECT,
    SENTENCE,
    WRITERS,
    MadeCorpus,
    made_corpus,
    write_project,
)
from bench.measure import Task, fastest
from bench.table import Row, at_most, not_measured, seconds
from corefkit.formats import read_annotators, registry

_ROUNDS = 5
_COPIES = 33
"""How often the three files of a corpus are there, each time under other names."""

_FOLDERS = (
    ("brat, LitBank", "brat/litbank", "*.ann", "conll/litbank"),
    ("WebAnno TSV, GUM", "webanno", "GUM_*.tsv", "conll/gum"),
)
"""What is measured: its title, the folder and the files, and the folder with the columns."""


_WRITTEN = (
    ("RuCoCo", "rucoco", ".json", 2, 2),
    ("KBP", "tbf", ".tbf", 6, 3),
    ("CorefAnnotator", "corefannotator", ".xmi", 11, 5),
)
"""Formats that are written from the same corpus: title, format, ending, limit, and aim."""
_MADE = (
    ("TAC EDL", "tac-edl", 4, 3),
    ("TAC queries", "tac-queries", 12, None),
    ("i2b2", "i2b2", 9, 3),
    ("link lists", "links", 7, 3),
    ("Rich ERE", "rich-ere", 9, 5),
    ("ACE", "ace", 11, 5),
    ("Glozz", "glozz", 13, 5),
    ("ANCOR TEI", "ancor-tei", 25, 5),
    ("UIMA XMI", "xmi", 9, None),
)
"""Formats that are only read: title, format, limit, and aim.

The aims are those of FORMATS2.md 0.4, which were measured beside a reader of columns of 23 ms. It
takes 13 ms today, so that each is nearly twice as far away. Expat alone, with functions that do
nothing for starts, ends and texts, takes 1.7 × (TAC queries), 2.2 × (Rich ERE), 3.5 × (ACE), 6 ×
(Glozz) and 5 × (ANCOR TEI, 7 × with namespaces) of it: the last two cannot be told by expat within
their aims at all, which is why `formats/_kit/xml_records.py` reads them, and Rich ERE and ACE, by
patterns.
The limits are what is measured on a busy machine, and keep it from growing.
"""
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
    files: list[tuple[str, Path, float, float | None]] = []
    for title, name, ending, limit, aim in _WRITTEN:
        path = scratch / f"made{ending}"
        write = registry.get_format(name).write
        assert write is not None
        path.write_bytes(write(corpus, str(path)).files[str(path)])
        files.append((title, path, limit, aim))
    for title, name, limit, goal in _MADE:
        folder = scratch / f"made {name}"
        folder.mkdir()
        files.append((title, WRITERS[name](made, folder), limit, goal))
    usual = gc.get_threshold()
    gc.set_threshold(100_000, *usual[1:])
    for title, path, most, wanted in files:
        assert corefkit.read(path).mentions == corpus.mentions
        what = f"read {title}, 12,000 mentions / read columns"
        yield _compared(what, path, columns, most, wanted)
    yield from _project(scratch, made)
    gc.set_threshold(*usual)


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


def _compared(
    name: str,
    path: Path,
    columns: Path,
    limit: float,
    aim: float | None = None,
) -> Row:
    """Processor time of reading; with an aim, the limit is what can be held today."""
    tasks: dict[str, Task] = {
        "other": lambda: corefkit.read(path),
        "columns": lambda: corefkit.read(columns),
    }
    times = fastest(tasks, _ROUNDS, clock=process_time)
    detail = f"{seconds(times['other'])} / {seconds(times['columns'])}"
    far = None if aim == limit else aim
    return at_most(name, times["other"] / times["columns"], limit, detail=detail, aim=far)
