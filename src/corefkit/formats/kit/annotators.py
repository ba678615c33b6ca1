"""Files with several annotators: who annotated what, and each annotator as a separate side.

`PATH#ANNOTATOR` names one annotator of a project, a folder, a Label Studio file or a pattern such
as `plays/{document}-{annotator}.xmi`; `#*` means all of them. If a file with exactly this name
exists, it is meant instead.
"""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from glob import glob
from typing import Any, NamedTuple, TypeVar

from corefkit.core.corpus import Corpus, concat
from corefkit.core.incidents import DataError, data_error, errors, make_incident
from corefkit.core.names import Response, path_name
from corefkit.core.options import PLAIN, Reading
from corefkit.core.texts import shorten
from corefkit.formats.options import ReadOption

UNFINISHED = ReadOption(
    "unfinished",
    "what to do with documents that an annotator has not finished.  [default: keep; drop where "
    "a gold version is made]",
    "drop",
    values=("keep", "drop", "error"),
    formats="Projects",
)

ANNOTATOR = ReadOption(
    "annotator",
    "whose annotation to read; FILE#NAME specifies it for one file.",
    "anna",
    formats="Projects, Label Studio",
    metavar="NAME",
)

Given = TypeVar("Given")
"""A path, a response with a name, or a corpus."""

CURATION = "curation"
"""The annotator who settled what the others dispute."""
EVERYONE = "*"
_MARK = "#"
_FIELDS = ("{annotator}", "{document}")
_HEAD = 1 << 16
_TASK_FIELDS = (b'"annotations"', b'"data"', b'"predictions"')
"""A field of a task of Label Studio: a long text may stand before the annotations."""


class Annotation(NamedTuple):
    """A document of one annotator, and its state; both are None if the file does not have them."""

    document: str
    annotator: str | None
    state: str | None = None


def annotator_names(annotations: Iterable[Annotation]) -> list[str]:
    """The names of the annotators, sorted, the curator last."""
    names = {a.annotator for a in annotations if a.annotator is not None}
    return sorted(names, key=lambda name: (name == CURATION, name))


def split_annotator(path: str) -> tuple[str, str | None]:
    """The path of a file, and whose annotation of it is meant; None where no one is named.

    >>> split_annotator("project.zip#anna"), split_annotator("project.zip")
    (('project.zip', 'anna'), ('project.zip', None))
    """
    if _MARK not in path or os.path.exists(path):
        return path, None
    marks = [at for at, character in enumerate(path) if character == _MARK]
    there = (at for at in reversed(marks) if os.path.exists(path[:at]))  # names may have one, too
    at = next(there, marks[-1])
    before, name = path[:at], path[at + 1 :]
    return (before, name) if before and name else (path, None)


def choose_annotator(annotations: Sequence[Annotation], reading: Reading, path: str) -> str | None:
    """The annotator that is read: the one named, else the curator, else the only one.

    A response is by an annotator: its curator counts only where there is nobody else. None where
    the file has documents without annotators. Raises DataError where there is no such annotator,
    or several and none is named.
    """
    names = annotator_names(annotations)
    given: str | None = reading.get("annotator")
    if given is not None:
        if given in names:
            return given
        raise _missing(names, given, path)
    if not names:
        return None
    others = [name for name in names if name != CURATION]
    if CURATION in names and (reading.role == "key" or not others):
        return CURATION
    if len(others) == 1:
        return others[0]
    raise _missing(names, given, path)


def _missing(names: Sequence[str], given: str | None, path: str) -> DataError:
    """The error for an unknown annotator, or for none given where there are several."""
    listed = shorten(", ".join(names), 200) or "none"
    variant, expected = ("", "one of these") if given else ("several", f"{path}#{names[0]}")
    return data_error(
        "annotator-missing",
        variant,
        annotator=given,
        file=path,
        found=f"the annotators {listed}",
        expected=expected,
    )


def refuse_several(path: str, reading: Reading) -> None:
    """Raise DataError if a file has several annotators, curators included, and none is given."""
    if path == "-" or reading.get("annotator") is not None or split_annotator(path)[1] is not None:
        return
    names = annotator_names(annotations_of(path, reading))
    if len(names) > 1:
        raise _missing(names, None, path)


def annotations_of(path: str, reading: Reading = PLAIN) -> list[Annotation]:
    """Who annotated which documents of a file, a folder or a pattern; empty if that is not known.

    Files are opened only if they may have annotators.
    """
    base, _ = split_annotator(path)
    if is_pattern(base):
        return [*pattern_files(base).values()]
    if os.path.isdir(base):
        from corefkit.formats.project import open_folder

        project = open_folder(base, reading)
        if project is None or errors(project.incidents):  # said when it is read
            return []
        return project.annotations
    return _annotations_of_file(base, reading)


def _annotations_of_file(path: str, reading: Reading) -> list[Annotation]:
    from corefkit.formats import registry
    from corefkit.formats.kit.detection import detect
    from corefkit.formats.kit.files import load

    if not os.path.isfile(path) or not _may_have_annotators(path):
        return []
    data = load(path, reading.max_size)
    name = reading.format or detect(data)
    list_annotations = registry.get_format(name).annotations if registry.is_known(name) else None
    return [] if list_annotations is None else list_annotations(data, path, reading)


def _may_have_annotators(path: str) -> bool:
    """Whether a file, unpacked, begins as an archive, or as JSON of annotations does."""
    import zlib

    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
        if head.startswith(b"\x1f\x8b"):
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD)
    except (OSError, zlib.error):  # reported when it is read
        return False
    if head.startswith(b"PK\x03\x04"):
        return True
    is_json = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{")
    return is_json and any(field in head for field in _TASK_FIELDS)


def annotator_sides(path: str, reading: Reading = PLAIN) -> list[str]:
    """The sides that a path stands for: one per annotator, without the curator, or the path itself.

    >>> annotator_sides("examples/key.conll")
    ['examples/key.conll']
    """
    base, name = split_annotator(path)
    if name not in (None, EVERYONE) or (name is None and reading.get("annotator") is not None):
        return [path]
    names = annotator_names(annotations_of(base, reading))
    people = [annotator for annotator in names if annotator != CURATION]
    if name == EVERYONE and not people:
        raise data_error("annotator-missing", "none", file=base, annotator=EVERYONE)
    return [f"{base}{_MARK}{annotator}" for annotator in people] if people else [path]


def with_annotators(
    sources: "Sequence[Given]", reading: Reading = PLAIN, *, curation: bool = False
) -> "tuple[Given | Response, ...]":
    """The sources, with one side per annotator instead of each file that has several.

    These sides are named after their annotators; with `curation`, the curator is one of them.
    """
    listed: list[Given | Response] = []
    for source in sources:
        path = path_name(source) if isinstance(source, str | os.PathLike) else ""
        try:
            sides = annotator_sides(path, reading) if path else [path]
            curated = curated_side([path], reading) if path and curation else None
        except DataError:  # said when it is read, and the others are read
            listed.append(source)
            continue
        if curated:
            sides = [*(side for side in sides if side != path), curated]
        given = f"{source.name} " if isinstance(source, Response) else ""
        for side in sides:
            name = split_annotator(side)[1]
            listed.append(Response(side, given + name) if name and side != path else source)
    return tuple(listed)


def curated_side(paths: Iterable[str], reading: Reading = PLAIN) -> str | None:
    """The side with the curation of the first file that has one; None if there is none."""
    for path in paths:
        base, name = split_annotator(path)
        if name in (None, EVERYONE) and CURATION in annotator_names(annotations_of(base, reading)):
            return f"{base}{_MARK}{CURATION}"
    return None


def read_annotators(
    path: str | os.PathLike[str], reading: Reading = PLAIN, **how: Any
) -> dict[str, Corpus]:
    """The corpus of each annotator of a file, the curator last.

    Keywords are those of `read`. Raises DataError if a member is broken, the file has no
    annotators, or none of them marked anything.
    """
    from corefkit.formats.kit.reading import read_all
    from corefkit.formats.options import make_reading

    base, _ = split_annotator(path_name(path))
    reading = make_reading(reading, **how)
    names = annotator_names(annotations_of(base, reading))
    if not names:
        raise data_error("annotator-missing", "none", file=base, annotator=EVERYONE)
    corpora = {name: read_all(f"{base}{_MARK}{name}", reading).checked() for name in names}
    if not any(corpus.mentions for corpus in corpora.values()):
        raise nothing_marked(base)
    return corpora


def nothing_marked(path: str) -> DataError:
    """What to raise where no annotator marked anything."""
    return data_error("no-coreference", "annotators", file=path)


def unknown_annotator(path: str, name: str) -> DataError:
    """The error for an annotator given for a file that has none."""
    return data_error("annotator-missing", "none", file=path, annotator=name)


def is_pattern(path: str) -> bool:
    """Whether a path has a placeholder for an annotator or a document, and is not a file."""
    return any(field in path for field in _FIELDS) and not os.path.exists(path)


def pattern_files(pattern: str) -> dict[str, Annotation]:
    """The files that match a pattern, sorted, and the document and annotator in their names.

    Placeholders match text without `/`.
    """
    expression = re.compile(_expression(pattern))
    names = pattern
    for field in _FIELDS:
        names = names.replace(field, "*")
    files = {}
    for path in sorted(glob(names)):
        match = expression.fullmatch(path)
        if match and os.path.isfile(path):
            groups = match.groupdict()
            files[path] = Annotation(groups.get("document") or "", groups.get("annotator"))
    return files


def _expression(pattern: str) -> str:
    """The regular expression of a pattern; a repeated placeholder matches the same text."""
    pieces, seen = [], set()
    for piece in re.split(r"(\{annotator\}|\{document\}|\*|\?)", pattern):
        if piece in _FIELDS:
            name = piece[1:-1]
            pieces.append(f"(?P={name})" if name in seen else f"(?P<{name}>[^/]+?)")
            seen.add(name)
        else:
            pieces.append({"*": "[^/]*", "?": "[^/]"}.get(piece, re.escape(piece)))
    return "".join(pieces)


def read_pattern(pattern: str, reading: Reading) -> Corpus:
    """The documents of one annotator, from the files that match a pattern."""
    from corefkit.formats.kit.reading import read_all

    files = pattern_files(pattern)
    if not files:
        raise data_error("file-unreadable", "no-file", reason="", file=pattern)
    chosen = choose_annotator([*files.values()], reading, pattern)
    plain = reading.with_options(annotator=None)
    corpora = []
    for path, annotation in files.items():
        if annotation.annotator != chosen:
            continue
        corpus = read_all(path, plain)
        if annotation.document and len(corpus.names) > 1:
            number = len(corpus.names)
            incident = make_incident("project-member", "documents", number=number, file=path)
            raise DataError([incident])
        if annotation.document and corpus.names:
            corpus = named(corpus, annotation.document)
        corpora.append(corpus)
    return concat(corpora)


def named(corpus: Corpus, name: str) -> Corpus:
    """The corpus of one document, with another name."""
    sources = tuple(replace(source, unnamed=frozenset()) for source in corpus.sources)
    incidents = tuple(
        replace(i, document=name) if i.document in corpus.names else i for i in corpus.incidents
    )
    return replace(corpus, names=(name,), sources=sources, incidents=incidents)
