"""The formats that corefkit knows: each has a module and one line here, and is loaded on use."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import field, replace
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Unit
from corefkit.core.entry_points import find, installed, ours
from corefkit.core.incidents import Incident, errors, make_incident
from corefkit.core.options import Reading, UsageError
from corefkit.core.source import Source
from corefkit.formats.options import OPTIONS
from corefkit.formats.table import ANSWERS, COLUMNS, JSON, LISTS, MODULES, TABLE, UNREAD

if TYPE_CHECKING:
    from corefkit.formats.conllu.text_reading import ReadBack
    from corefkit.formats.kit.annotators import Annotation
    from corefkit.formats.kit.link_lists import LinkList

IN_WORDS = frozenset({"singletons", "words", "sentences", "names"})
IN_TEXT = frozenset({"singletons", "text", "names"})
"""What formats of tokens, and of running text, usually hold (`Format.holds`)."""


class WrittenFiles(NamedTuple):
    """The result of a writer.

    Attributes:
        files: name → bytes.
        incidents: what the format could not express.
        left_out: how many mentions were therefore left out.
    """

    files: dict[str, bytes]
    incidents: list[Incident]
    left_out: int = 0


@frozen(eq=False)
class Format:
    """A file format.

    Attributes:
        name: its name in options.
        title: its name in messages and documentation.
        parse: the bytes of one file, its path, and the reading → a Corpus, whose incidents are the
            problems of the file. It never raises for bad data.
        write: a corpus and the path to write to → the files; it does not write them to disk. None
            for a format that is only read.
        unit: the unit of its spans.
        holds: what it can express besides spans and entities: "zeros", "parts", "heads", "minimum",
            "crossing", "singletons", "words", "text", "sentences", "speakers", "names", "links",
            "referring"; "labels" for any label of mentions, or the names of single ones ("type");
            and token columns that it keeps ("LEMMA").
        suffixes: the usual endings of file names, for `convert` and for directories.
        options: the fields of Reading that it uses, besides those of all formats and of CoNLL.

    Abilities that other packages ask for, so that nobody asks for a format by its name:
        one_name: a document has a single name, so names must match in full.
        model_words: its words were written by a language model and may differ from the key's.
        answers: its files are answers of language models: among several, a bad one counts as empty.
        task_text: it is a text of the CRAC tasks, which `fill_in` of another format takes.
        layers: the layers of every file, of which one is read: the first, unless the reading names
            another.
        columns: a token is a line of CoNLL columns; a blank line ends a sentence.
        head_column: the column, from 0, with the number of each token's head.
        glued_openings: a source, and the bytes after the ids of mentions → whether each is directly
            followed by another opening bracket.
        place_answers: key and answers → the answers on the mentions of the key, for files without
            spans.
        nodes: a source → the nodes of each document, including empty ones.
        figures: a corpus of such files → counts that only this format has; None if it has none.
        count_unread: the bytes of a file that was read without errors, its path, and the reading →
            how many values it has of each feature that a Corpus cannot hold; `convert` reports
            them.
        find_links: the bytes of a file, its path, and the reading → its links with the scores of
            the system; None where it has none.
        topic: the name of a document → the topic it belongs to, for entities that span documents:
            the documents of a topic are joined by `--across topic` and `convert --cross pool`.
        shared_ids: a source → whether the file itself gives its entities ids, which may therefore
            hold across documents (`--across`); None where the reader numbers them.
        annotations: the bytes of a file, its path, and the reading → who annotated which of its
            documents; None where a file has a single annotator.
        fill_in: a text of the CRAC tasks and a file of this format → the file with its mentions.
        usual_profile: the profile with which such files are usually scored, and who uses it.
    """

    name: str
    title: str
    parse: Callable[[bytes, str, Reading], Corpus]
    write: Callable[[Corpus, str], WrittenFiles] | None = None
    unit: Unit = "token"
    holds: frozenset[str] = field(default_factory=frozenset)
    suffixes: Sequence[str] = ()
    options: Collection[str] = ()
    one_name: bool = False
    model_words: bool = False
    answers: bool = False
    task_text: bool = False
    layers: Sequence[str] = ()
    columns: bool = False
    head_column: int | None = None
    glued_openings: Callable[[Source, IntArray], BoolArray] | None = None
    place_answers: Callable[[Corpus, Corpus], Corpus] | None = None
    nodes: "Callable[[Source], list[list[FormNode]]] | None" = None
    figures: Callable[[Corpus], dict[str, int] | None] | None = None
    count_unread: Callable[[bytes, str, Reading], dict[str, int]] | None = None
    find_links: "Callable[[bytes, str, Reading], LinkList | None] | None" = None
    fill_in: "Callable[..., ReadBack] | None" = None
    annotations: "Callable[[bytes, str, Reading], list[Annotation]] | None" = None
    usual_profile: tuple[str, str] | None = None
    topic: Callable[[str], str] | None = None
    shared_ids: Callable[[Source], bool] | None = None


def are_written(source: Source) -> bool:
    """The `shared_ids` of formats whose files always give ids to entities."""
    del source
    return True


class FormNode(NamedTuple):
    """A token or an empty node: its sentence, its form, and 0 or the number of an empty node."""

    sentence: int
    form: bytes
    zero: int


def get_format(name: str) -> Format:
    """The format of this name; UsageError if it does not exist."""
    if name in MODULES:
        module, _, constant = MODULES[name].partition(":")
        form: Format = getattr(import_module(f"corefkit.{module}"), constant or "FORMAT")
        return form
    added: Format | None = find("formats", name)
    if added is None:
        raise UsageError(f"format: unknown value {name!r}; choose from {', '.join(format_names())}")
    return added


def format_of(source: Source) -> Format:
    """The format of a file; for a corpus made in Python, a format without abilities."""
    name = source.format
    return get_format(name) if name != _UNKNOWN.name and is_known(name) else _UNKNOWN


def has_columns(data: bytes, name: str | None = None) -> bool:
    """Whether bytes are CoNLL columns: by the format of that name, else by what they look like."""
    from corefkit.formats.kit.detection import detect

    name = name or detect(data)
    return is_known(name) and get_format(name).columns


def file_figures(corpus: Corpus) -> dict[str, int] | None:
    """The counts that the common format of all files defines (`Format.figures`); None if none."""
    figures = {format_of(source).figures for source in corpus.sources}
    count = figures.pop() if len(figures) == 1 else None
    return count(corpus) if count else None


def named_in_one_way(key: Corpus, response: Corpus) -> bool:
    """Whether both sides have the same format (or none), and it gives documents a single name."""
    sources = [*key.sources, *response.sources]
    same = bool(key.sources) == bool(response.sources)
    return (
        same
        and len({source.format for source in sources}) < 2
        and all(format_of(source).one_name for source in sources)
    )


def format_by_ending(path: str, option: str = "format") -> Format:
    """The format that is written to files with this ending, with or without `.gz`.

    If several formats have the ending, the first in the registry decides. Raises UsageError if
    there is none or it is only read; the message names `option` as the way to choose a format.
    """
    name = path.lower().removesuffix(".gz")
    candidates = (
        form
        for form in map(get_format, format_names())
        if any(name.endswith(suffix.lower()) for suffix in form.suffixes)
    )
    first = next(candidates, None)
    if first is not None and first.write:
        return first
    reason = "no format has such an ending"
    if first is not None:
        several = any(form.write for form in candidates)
        reason = (
            "the ending could mean several formats" if several else "such files can only be read"
        )
    forms = [get_format(known) for known in format_names()]
    deciding = {suffix: form for form in reversed(forms) for suffix in form.suffixes}
    endings = sorted(suffix for suffix, form in deciding.items() if form.write)
    written = ", ".join(form.name for form in forms if form.write)
    raise UsageError(
        f"{path}: {reason}; known endings are {' '.join(endings)}; or name the format with "
        f"{option}, one of {written}"
    )


def format_names() -> list[str]:
    """The names of all formats; those of other packages come last."""
    return [*dict.fromkeys((*MODULES, *ours("formats"), *installed("formats")))]


def is_known(name: str) -> bool:
    """Whether a format of this name exists; plug-ins are asked only if it is not of the core."""
    return name in MODULES or find("formats", name) is not None


def _parse_nothing(data: bytes, path: str, reading: Reading) -> Corpus:
    raise NotImplementedError("this is not a format of files")


_UNKNOWN = Format("none", "made in Python", _parse_nothing)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file, in the reading's format or else the detected one."""
    from corefkit.formats.kit.detection import (
        detect,
        is_archive,
        missing_document,
        recognise,
        unfenced,
    )

    data = unfenced(data)
    if not reading.format:
        has_text_field = bool(reading.get("text_field")) and data.lstrip()[:1] == b"{"
        name = ANSWERS if has_text_field else recognise(data)
        if name is None and is_archive(data):  # even one that stores texts as they are
            incident = make_incident("no-document", file=path, **missing_document(data))
            return replace(Corpus.from_clusters({}), incidents=(incident,))
        if name is None or (name == LISTS and reading.get("clusters")):
            return _parse_unknown(data, path, reading, name)
        return (
            _parse_as(get_format(name), data, path, reading)
            if is_known(name)
            else _unread(name, path)
        )
    corpus = _parse_as(get_format(reading.format), data, path, reading)
    if errors(corpus.incidents) and (looks := detect(data)) != reading.format:
        unfit = make_incident("format-differs", wanted=reading.format, looks=looks, file=path)
        return replace(corpus, incidents=(unfit, *corpus.incidents))
    return corpus


def _parse_unknown(data: bytes, path: str, reading: Reading, looks: str | None) -> Corpus:
    """The corpus in a file of no known format: JSON with a field of clusters, a table, or CoNLL.

    If it has no such field, it is read as the format that it `looks` like.
    """
    if reading.get("clusters"):
        from corefkit.formats.jsonlines.unknown import parse_unknown

        corpus = parse_unknown(data, path, reading)
        if corpus is not None:
            return with_unused(corpus, get_format(JSON), path, reading)
    if looks is not None:
        return _parse_as(get_format(looks), data, path, reading)
    from corefkit.formats.kit.unknown import describe_unknown, rows_of

    if reading.listed("columns") and rows_of(data):
        return _parse_as(get_format(TABLE), data, path, reading)
    incidents = describe_unknown(data, path) if data.strip() else None
    if incidents is None:  # the CoNLL reader reports what the bytes look like
        return _parse_as(get_format(COLUMNS), data, path, reading)
    return replace(Corpus.from_clusters({}), incidents=tuple(incidents))


def _parse_as(form: Format, data: bytes, path: str, reading: Reading) -> Corpus:
    return with_unused(form.parse(data, path, reading), form, path, reading)


def with_unused(corpus: Corpus, form: Format, path: str, reading: Reading) -> Corpus:
    """The corpus, with a warning for each given option that its format does not use."""
    unused = unused_options(reading, form.options, form.title, path)
    return replace(corpus, incidents=(*corpus.incidents, *unused)) if unused else corpus


def unused_options(
    reading: Reading, known: Collection[str], title: str, path: str
) -> list[Incident]:
    """A warning for each given option that is not among the `known` ones of what was read."""
    of_both = reading.role == "key" and reading.one_of_two
    return [
        make_incident("option-unused", option=name.replace("_", "-"), title=title, file=path)
        for name in reading.options
        if name not in known and not (of_both and OPTIONS[name].responses)
    ]


def _unread(name: str, path: str) -> Corpus:
    title, advice = UNREAD[name]
    expected = f"one of {', '.join(format_names())}"
    unread = make_incident(
        "format-unread", title=title, advice=advice, file=path, expected=expected
    )
    return replace(Corpus.from_clusters({}), incidents=(unread,))
