"""MMAX2: a project `X.mmax`, its words in Basedata/ and its markables in Markables/.

X.mmax:
    <mmax_project><words>X_words.xml</words></mmax_project>
X_words.xml:
    <words><word id="word_1">Ada</word><word id="word_2">slept</word></words>
X_coref_level.xml:
    <markables><markable id="m1" span="word_1..word_2" coref_class="set_1"/></markables>

The other files are found by the name of the project; names inside a file never become paths.

It was never tried on a file of a corpus (see `formats.archive`).
"""

import re
from pathlib import Path
from xml.etree.ElementTree import Element

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError
from corefkit.core.options import Reading, UsageError
from corefkit.formats.format import IN_WORDS, Companions, Format, Look
from corefkit.formats.kit import files
from corefkit.formats.kit.building import note_no_coreference, reader, refused, stem
from corefkit.formats.kit.draft import Draft, Run, corpus_of
from corefkit.formats.kit.tree import XmlTree, read_tree, text_of
from corefkit.formats.options import LAYER

_LEVEL = re.compile(r"[\w-]+")
_NONE = frozenset({"", "empty", "none"})
_COREFERENCE, _SENTENCES = "coref", "sentence"
_READ = frozenset({"id", "span", "coref_class", "mmax_level"})


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one project."""
    read_tree(data, collector)
    words_file, raw = _load(path, "Basedata", "words.xml")
    if raw is None:
        raise refused(collector, "text-missing", expected=f"{words_file} beside it")
    level = reading.get("layer") or _COREFERENCE
    if not _LEVEL.fullmatch(level):
        raise UsageError(f"layer: {level!r} cannot be the name of a level")
    level_file, markables = _load(path, "Markables", f"{level}_level.xml")
    if markables is None:
        expected = f"markables of the level {level}: {level_file}"
        raise note_no_coreference(collector, "no such file", expected)
    words = read_tree(raw, collector, file=words_file)
    tree = read_tree(markables, collector, file=level_file)
    elements = [e for e in words.elements if e.tag == "word"]
    number: dict[str, int] = {}
    for index, e in enumerate(elements):
        number.setdefault(e.get("id", ""), index)
    texts, lengths = [*map(text_of, elements)], _sentences(path, number, len(elements))
    name = stem(path, ".mmax")
    draft = Draft(name, collector, words=texts, lengths=lengths, file=level_file)
    for order, (line, e) in enumerate(_markables(tree)):
        entity, span = e.get("coref_class", ""), e.get("span", "")
        if entity.lower() in _NONE:
            entity = f"markable {e.get('id', order)}"
        runs = _runs(span, number) or [(-1, -1)]
        draft.mention(None, runs, line, entity=entity, shown=span or "no span")
    for e in (*elements, *(e for _, e in _markables(tree))):
        draft.unread.update(n for n, v in e.items() if n not in _READ and v.lower() not in _NONE)
    for other in sorted(_levels(path) - {level, _SENTENCES}):
        draft.unread[f"{other} markable"] += len(_other_level(path, other))
    return corpus_of("mmax2", data, [draft], collector)


def _load(path: str, folder: str, kind: str) -> tuple[str, bytes | None]:
    """The path and the bytes of a file of the project; None if there is no such file.

    It is in its folder, whose name may be in lower case, or beside the project.
    """
    project = Path(path)
    name = f"{stem(path, '.mmax')}_{kind}"
    folders = (project.parent / part for part in (folder, folder.lower(), ""))
    return files.load_first([str(at / name) for at in folders])


def _other_level(path: str, level: str) -> list[Element]:
    """The markables of another level; none if it is missing or broken."""
    file, raw = _load(path, "Markables", f"{level}_level.xml")
    try:
        return [] if raw is None else [e for _, e in _markables(read_tree(raw, Collector(file)))]
    except DataError:
        return []


def _markables(tree: XmlTree) -> list[tuple[int, Element]]:
    return [(line, e) for line, e in tree if e.tag == "markable"]


def _runs(span: str, number: dict[str, int]) -> list[Run]:
    """The runs of words of a span such as word_3..word_5,word_8; none if it is malformed."""
    runs = []
    for part in span.split(","):
        first, _, last = part.strip().partition("..")
        if first not in number or (last or first) not in number:
            return []
        runs.append((number[first], number[last or first] + 1))
    return runs


def _sentences(path: str, number: dict[str, int], size: int) -> list[int] | None:
    """The lengths of the sentences; None if there is no such level or it has gaps."""
    level = _other_level(path, _SENTENCES)
    runs = sorted(run for e in level for run in _runs(e.get("span", ""), number))
    at = 0
    for start, end in runs:
        if start != at:
            return None
        at = end
    return [end - start for start, end in runs] if at == size else None


def _levels(path: str) -> set[str]:
    """The levels of a project for which there is a file."""
    start, end = f"{stem(path, '.mmax')}_", "_level.xml"
    folder = Path(path).parent
    folders = [folder / "Markables", folder / "markables", folder]
    names = [file.name for root in folders if root.is_dir() for file in root.iterdir()]
    levels = [name[len(start) : -len(end)] for name in names if name.startswith(start)]
    return {name for name in levels if _LEVEL.fullmatch(name) and f"{start}{name}{end}" in names}


_FOLDERS = ("Basedata", "Markables", "Schemes", "Styles", "Customizations")
_BESIDE = Companions(
    ".mmax",
    (
        *(f"{folder}{{}}_words.xml" for folder in ("Basedata/", "basedata/", "")),
        *(f"{folder}{{}}_*_level.xml" for folder in ("Markables/", "markables/", "")),
    ),
    ("common_paths.xml", *(f"{folder}/*" for folder in _FOLDERS)),
)

FORMAT = Format(
    "mmax2",
    "MMAX2",
    parse,
    holds=IN_WORDS | {"crossing", "parts"},
    options=(LAYER,),
    looks=(Look(begins=rb"<", near=rb"<mmax_project\b"),),
    companions=(_BESIDE,),
    suffixes=(".mmax",),
    untried=True,
)
