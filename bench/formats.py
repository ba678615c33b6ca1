"""Reading JSON lines, brat and WebAnno against reading the same corpora in columns."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import corefkit
from bench import data
from bench.measure import fastest
from bench.table import Row, at_most, not_measured, seconds
from corefkit.formats import registry

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
_TOKENS, _MENTIONS = 100_000, 12_000


def rows(scratch: Path) -> Iterator[Row]:
    """All unpacked, in one process."""
    yield from _one_corpus(scratch)
    yield _json_lines(scratch)
    for title, folder, pattern, columns in _FOLDERS:
        yield _folder(scratch, title, sorted((data.FORMATS / folder).glob(pattern)), columns)


def _one_corpus(scratch: Path) -> Iterator[Row]:
    """A made corpus of 100,000 tokens and 12,000 mentions, in columns and as others write it."""
    sentences = [[f"w{n % 997}" for n in range(20)] for _ in range(_TOKENS // 20)]
    step = _TOKENS // _MENTIONS
    spans = [[n * step, n * step + n % 3] for n in range(_MENTIONS)]
    clusters = [spans[first::2_400] for first in range(2_400)]
    row = {"doc_key": "made", "sentences": sentences, "clusters": clusters}
    corpus = corefkit.Corpus.from_records([row])
    columns = scratch / "made.conll"
    corefkit.write(corpus, columns)
    for title, name, ending, limit in _WRITTEN:
        path = scratch / f"made{ending}"
        write = registry.get_format(name).write
        assert write is not None
        path.write_bytes(write(corpus, str(path)).files[str(path)])
        assert corefkit.read(path).mentions == corpus.mentions
        yield _compared(f"read {title}, 12,000 mentions / read columns", path, columns, limit)


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


def _compared(name: str, path: Path, columns: Path, limit: float) -> Row:
    times = fastest(
        {"other": lambda: corefkit.read(path), "columns": lambda: corefkit.read(columns)}, _ROUNDS
    )
    detail = f"{seconds(times['other'])} / {seconds(times['columns'])}"
    return at_most(name, times["other"] / times["columns"], limit, detail=detail)
