"""Splits of a corpus into training, development and test documents.

`partition` is Algorithm 1 of the CoNLL-2012 paper, for OntoNotes ids. `draw_split` divides any
corpus by a ratio: at random, but the same on every machine, and with the documents of one source
kept together.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from corefkit.core.incidents import Collector, Incident, data_error, make_incident
from corefkit.core.names import GROUPINGS, PATTERN, document_id, pattern_grouping
from corefkit.core.options import UsageError
from corefkit.corpora.folders import place_of
from corefkit.formats import read
from corefkit.formats.conll.lines import Lines
from corefkit.formats.conllu import conllu_document_names, is_conllu
from corefkit.formats.kit.detection import detect
from corefkit.formats.kit.files import expand, load, walk
from corefkit.formats.registry import has_columns

PARTS = ("train", "development", "test")
DocumentsBySplit = dict[str, list[str]]

_WSJ = "nw/wsj"
_SECTIONS = {f"{number:02}": "train" for number in range(2, 22)}
_SECTIONS |= dict.fromkeys(("00", "01", "22", "24"), "development") | {"23": "test"}
_LARGE = 10
_NUMBER_REVERSED = re.compile(r"\D*(\d+)", re.ASCII)
_EXTENSION = re.compile(r"\.[^/]*$")


def partition(ids: Iterable[str]) -> DocumentsBySplit:
    """Part of the split → the ids of its documents, each once, sorted.

    The Wall Street Journal is split by section. A source (genre/source) with ten or more documents
    is split by the last digit of the id: 0 is development, 9 test, the others training. In a
    smaller source, ids that end in 0 are development, and the highest of the other numbers is test.

    Raises DataError where the part of an id is unknown.

    >>> partition(["wb/a/00/a_0000", "wb/a/00/a_0003", "wb/a/00/a_0007"])
    {'train': ['wb/a/00/a_0003'], 'development': ['wb/a/00/a_0000'], 'test': ['wb/a/00/a_0007']}
    """
    sources: dict[str, list[str]] = {}
    for name in sorted({document_id(name) for name in ids}):
        sources.setdefault(_source(name), []).append(name)
    by_part: DocumentsBySplit = {part: [] for part in PARTS}
    collector = Collector()
    for source, names in sources.items():
        in_journal = source.endswith(_WSJ)
        parts = _by_section(names) if in_journal else _by_number(names)
        for name in names:
            if name in parts:
                by_part[parts[name]].append(name)
                continue
            number, expected = "no number", "an id that ends in a number"
            if in_journal:
                number, expected = f"section {_section(name)}", "a section from 00 to 24"
            collector.note("split-unknown", document=name, found=number, expected=expected)
    collector.check()
    return {part: sorted(names) for part, names in by_part.items()}


def draw_split(
    ids: Iterable[str], ratio: Sequence[float], seed: int = 1, by: str | None = None
) -> DocumentsBySplit:
    """Part → documents, each once, sorted, divided at random by a ratio such as (80, 10, 10).

    Two numbers are training and test. Documents of one source (`source_of`) stay together, so the
    ratio is met as nearly as they allow; with `by` ("genre", or "re:" and a pattern with one group)
    also in each group. The draw depends only on the seed and the names: sources are ordered by size
    and by hash, so that it is the same on every platform.

    >>> names = [f"tale{number:02}" for number in range(10)]
    >>> {part: len(chosen) for part, chosen in draw_split(names, (80, 10, 10)).items()}
    {'train': 8, 'development': 1, 'test': 1}
    >>> draw_split(["a/1", "a/2", "b/1"], (50, 50), seed=3)
    {'train': ['a/1', 'a/2'], 'test': ['b/1']}
    """
    parts = ("train", "test") if len(ratio) == 2 else PARTS
    if len(ratio) not in (2, 3) or not all(share > 0 for share in ratio):
        raise UsageError("ratio must be two or three numbers above 0, such as 80/10/10")
    group_of = _grouping(by)
    groups: dict[str, dict[str, list[str]]] = {}
    for name in sorted({document_id(name) for name in ids}):
        groups.setdefault(group_of(name), {}).setdefault(source_of(name), []).append(name)
    by_part: DocumentsBySplit = {part: [] for part in parts}
    # The documents that a part lacks are carried over, so that small groups add up to the ratio.
    lacking = dict.fromkeys(parts, 0.0)
    for group in sorted(groups):
        sources = groups[group]
        size = sum(map(len, sources.values()))
        for part, share in zip(parts, ratio, strict=True):
            lacking[part] += size * share / sum(ratio)
        for source in sorted(sources, key=lambda s: (-len(sources[s]), _chance(seed, s))):
            part = max(parts, key=lambda part: lacking[part])
            by_part[part] += sources[source]
            lacking[part] -= len(sources[source])
    return {part: sorted(names) for part, names in by_part.items()}


def _chance(seed: int, source: str) -> bytes:
    return sha256(f"{seed}\0{source}".encode("utf-8", "surrogateescape")).digest()


def _grouping(by: str | None) -> Callable[[str], str]:
    if by is None:
        return lambda _: ""
    if by.startswith(PATTERN):
        return pattern_grouping(by)
    if by not in GROUPINGS:
        raise UsageError(f"by: {by!r} is not a grouping of documents; use genre or re:PATTERN")
    return GROUPINGS[by]


_PIECE = re.compile(
    r"[\W_]*(?:part|chapter|chap|act|scene|section|sec|page|episode)[\W_]*\d+$", re.IGNORECASE
)


def source_of(name: str) -> str:
    """The source of a document, from its name: its folder, or the work that it is a part of.

    >>> source_of("nw/wsj/07/wsj_0771"), source_of("Emma_chapter_12"), source_of("tale07")
    ('nw/wsj/07', 'Emma', 'tale07')
    """
    folder, _, _ = name.rpartition("/")
    return folder or _PIECE.sub("", name) or name


def _by_section(names: Sequence[str]) -> dict[str, str]:
    """The part of each document whose section is known."""
    sections = {name: _section(name) for name in names}
    return {name: _SECTIONS[section] for name, section in sections.items() if section in _SECTIONS}


def _by_number(names: Sequence[str]) -> dict[str, str]:
    """The part of each document that has a number."""
    ends = {name: _number(name.rpartition("/")[2]) for name in names}
    numbers = {name: number for name, number in ends.items() if number}
    if len(names) >= _LARGE:
        ending = {"0": "development", "9": "test"}
        return {name: ending.get(number[-1], "train") for name, number in numbers.items()}
    others = [name for name, number in numbers.items() if number[-1] != "0"]
    others.sort(key=lambda name: (_value(numbers[name]), name))
    parts = dict.fromkeys(numbers, "development") | dict.fromkeys(others, "train")
    return parts | dict.fromkeys(others[-1:], "test")


def in_two_parts(parts: Mapping[str, Iterable[str]]) -> list[Incident]:
    """An incident for each document that is in more than one part of a split.

    >>> [incident.found for incident in in_two_parts({"train": ["a", "b"], "test": ["b"]})]
    ['in train and in test']
    """
    parts_of: dict[str, list[str]] = {}
    for part, names in parts.items():
        for name in dict.fromkeys(document_id(name) for name in names):
            parts_of.setdefault(name, []).append(part)
    return [
        make_incident(
            "document-in-two-parts",
            document=name,
            found="in " + " and in ".join(listed),
            expected="each document in one part; all parts of a document stay together",
        )
        for name, listed in parts_of.items()
        if len(listed) > 1
    ]


def read_ids(path: str) -> list[str]:
    """The ids of documents in a list (one per line), a corpus, `-`, or a directory of such files.

    For a directory laid out as OntoNotes, the ids come from the names of its files, whatever their
    layers: `…/annotations/<genre>/<source>/<section>/<document>.<layer>`. Raises DataError where
    there are none.
    """
    if Path(path).is_dir() and (listed := _ids_of_tree(Path(path))):
        return listed
    ids = [name for file in expand(path) for name in _ids_of_file(file)]
    if not ids:
        expected = "a list of ids, a corpus, or a directory laid out as OntoNotes"
        raise data_error("no-ids", file=path, expected=expected)
    return ids


def _ids_of_tree(root: Path) -> list[str]:
    """The ids in the paths of a tree, with the language first if there are several."""
    listed = map(Path, walk(str(root)))
    places = [place_of(file, Path(file.anchor)) for file in listed]
    inside = [p for p in places if p.key != p.path and p.key.count("/") > 1]
    several = len({place.language for place in inside}) > 1
    root_name = root.absolute().name  # The folder above `annotations`, if paths begin with that.
    names = (f"{p.language or root_name}/{p.key}" if several else p.key for p in inside)
    return list(dict.fromkeys(_EXTENSION.sub("", name) for name in names))


def _ids_of_file(path: str) -> list[str]:
    data = load(path)
    if is_conllu(data):
        return conllu_document_names(data, path)
    if not has_columns(detect(data)):
        return list(read(path).names)
    names = Lines(data).names
    if names:
        return names
    lines = data.decode("utf-8-sig", "replace").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _source(name: str) -> str:
    """The genre and source of an id, with the language before them if it has one."""
    parts = name.split("/")
    return "/".join(parts[: 3 if len(parts) > 4 else 2] if len(parts) > 2 else parts[:-1])


def _section(name: str) -> str:
    """The section of a Wall Street Journal id: its folder, else its first two digits."""
    parts = name.split("/")
    if len(parts) > 3:
        return parts[-2]
    return _number(parts[-1])[:2]


def _number(name: str) -> str:
    """The last run of digits in a name; empty where there are none.

    >>> _number("wsj_0771.v2x"), _number("none")
    ('2', '')
    """
    match = _NUMBER_REVERSED.match(name[::-1])  # Searched from the end to avoid quadratic time.
    return match[1][::-1] if match else ""


def _value(digits: str) -> tuple[int, str]:
    """A sort key that orders digits of any length by their value."""
    significant = digits.lstrip("0")
    return len(significant), significant
