"""The formats that corefkit knows: each has a module in the table, and is loaded on use."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module

from corefkit.core.corpus import Corpus
from corefkit.core.entry_points import find, installed, ours
from corefkit.core.incidents import Incident, errors, make_incident
from corefkit.core.options import Reading, UsageError, did_you_mean
from corefkit.core.source import Source
from corefkit.formats.format import Companions, Format, Look, UnreadFormat
from corefkit.formats.options import ReadOption, get_option
from corefkit.formats.table import (
    ANSWERS,
    ANY_JSON,
    ANY_TABLE,
    ANYTHING,
    JSON,
    LISTS,
    MARKS,
    MODULES,
    PACKED,
    TEXTS,
)


@cache
def _defined(module: str) -> dict[str, Format | UnreadFormat]:
    """The formats that a module of ours defines, by name, in the order in which they stand."""
    values = vars(import_module(f"corefkit.formats.{module}")).values()
    return {v.name: v for v in values if isinstance(v, Format | UnreadFormat)}


def looks_in(modules: Mapping[str, object]) -> Iterator[tuple[str, Look]]:
    """The names and looks of the formats in these modules, which are loaded one by one."""
    for module in modules:
        for name, form in _defined(module).items():
            for look in form.looks:
                yield name, look


@cache
def _everything() -> dict[str, Format | UnreadFormat]:
    """All formats of ours by name, also those that are only recognised."""
    modules = dict.fromkeys((*MODULES.values(), *TEXTS, *JSON, *PACKED, *MARKS))
    return {name: form for module in modules for name, form in _defined(module).items()}


def unread_formats() -> list[UnreadFormat]:
    """The formats that are recognised but not read."""
    return [form for form in _everything().values() if isinstance(form, UnreadFormat)]


def title_of(name: str) -> str:
    """The title of a format, whether it is read or only recognised."""
    return _everything()[name].title


@cache
def all_companions() -> list[Companions]:
    """The files that belong to those of any format."""
    forms = [form for form in _everything().values() if isinstance(form, Format)]
    return list(dict.fromkeys(kind for form in forms for kind in form.companions))


def get_format(name: str) -> Format:
    """The format of this name; UsageError if it does not exist."""
    if name in MODULES:
        form = _defined(MODULES[name])[name]
        assert isinstance(form, Format)
        return form
    added: Format | None = find("formats", name)
    if added is None:
        near = did_you_mean(name, format_names()) or "."
        raise UsageError(f"format: unknown value {name!r:.60}{near} `corefkit formats` lists them")
    return added


def format_of(source: Source) -> Format:
    """The format of a file; for a corpus made in Python, a format without abilities."""
    name = source.format
    return get_format(name) if name != _UNKNOWN.name and is_known(name) else _UNKNOWN


def has_columns(name: str) -> bool:
    """Whether files of a format have CoNLL columns."""
    return is_known(name) and get_format(name).columns


def keeps_columns(source: Source) -> bool:
    """Whether a file has the columns of CoNLL-U, all of which its format keeps."""
    return "LEMMA" in format_of(source).holds


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
        for form in map(get_format, _names())
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


def format_of_output(path: str, like: Format | None = None, option: str = "--to") -> str:
    """The name of the format of a file to be written: that of the input if the path fits it.

    Otherwise it is CoNLL on a stream, or what the ending says. UsageError as `format_by_ending`.
    """
    from corefkit.formats.kit.writing import is_stream

    ending = path.lower().removesuffix(".gz")
    if like and like.write and (is_stream(path) or ending.endswith(tuple(like.suffixes))):
        return like.name
    return ANYTHING if is_stream(path) else format_by_ending(path, option).name


def format_names() -> list[str]:
    """The names of all formats; those of other packages come last."""
    return [*dict.fromkeys(_names())]


def _names() -> Iterator[str]:
    """The names of all formats; other packages are asked only for what comes after ours."""
    yield from MODULES
    yield from ours("formats")
    yield from installed("formats")


def is_known(name: str) -> bool:
    """Whether a format of this name exists; plug-ins are asked only if it is not of the core."""
    return name in MODULES or find("formats", name) is not None


def _parse_nothing(data: bytes, path: str, reading: Reading) -> Corpus:
    raise NotImplementedError("this is not a format of files")


_UNKNOWN = Format("none", "made in Python", _parse_nothing)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in the bytes of one file, in the reading's format or else the detected one."""
    from corefkit.formats.kit.detection import (
        describe,
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
    if not errors(corpus.incidents):
        return corpus
    looks = recognise(data) or ("" if describe(data) == "JSON" else ANYTHING)
    if looks not in ("", reading.format):
        unfit = make_incident("format-differs", wanted=reading.format, looks=looks, file=path)
        return replace(corpus, incidents=(unfit, *corpus.incidents))
    return corpus


def _parse_unknown(data: bytes, path: str, reading: Reading, looks: str | None) -> Corpus:
    """The corpus in a file of no known format: JSON with a field of clusters, a table, or CoNLL.

    If it has no such field, it is read as the format that it `looks` like.
    """
    if reading.get("clusters"):
        from corefkit.formats.jsonlines.reader import parse_unknown

        corpus = parse_unknown(data, path, reading)
        if corpus is not None:
            return with_unused(corpus, get_format(ANY_JSON), path, reading)
    if looks is not None:
        return _parse_as(get_format(looks), data, path, reading)
    from corefkit.formats.kit.unknown import describe_unknown, rows_of
    from corefkit.formats.markup import bare_mentions

    if reading.listed("columns") and rows_of(data):
        return _parse_as(get_format(ANY_TABLE), data, path, reading)
    unmarked = bare_mentions(data, path) or _unmarked_answer(data, path)
    incidents = (
        [unmarked]
        if unmarked
        else describe_unknown(data, path, reading.role)
        if data.strip()
        else None
    )
    if incidents is None:  # the CoNLL reader reports what the bytes look like
        return _parse_as(get_format(ANYTHING), data, path, reading)
    return replace(Corpus.from_clusters({}), incidents=tuple(incidents))


def _unmarked_answer(data: bytes, path: str) -> Incident | None:
    """The error for a text without marks that is named like an answer."""
    from corefkit.formats.kit.detection import missing_document

    name = path.lower().removesuffix(".gz")
    for form in map(get_format, dict(looks_in(MARKS))):
        if form.answers and name.endswith(tuple(form.suffixes)) and not name.endswith(".txt"):
            described = missing_document(data, form.title)
            if described.get("variant"):  # it cannot be a text
                return None
            return make_incident("no-document", "unmarked", file=path, form=form.name, **described)
    return None


def _parse_as(form: Format, data: bytes, path: str, reading: Reading) -> Corpus:
    return with_unused(form.parse(data, path, reading), form, path, reading)


def with_unused(corpus: Corpus, form: Format, path: str, reading: Reading) -> Corpus:
    """The corpus, with a warning for each given option that its format does not use."""
    unused = unused_options(reading, form.options, form.title, path)
    return replace(corpus, incidents=(*corpus.incidents, *unused)) if unused else corpus


def unused_options(
    reading: Reading, known: Sequence[ReadOption], title: str, path: str
) -> list[Incident]:
    """A warning for each given option that is not among the `known` ones of what was read."""
    of_both, names = reading.role == "key" and reading.one_of_two, {option.name for option in known}
    return [
        make_incident("option-unused", option=name.replace("_", "-"), title=title, file=path)
        for name in reading.options
        if name not in names and not (of_both and get_option(name).responses)
    ]


def _unread(name: str, path: str) -> Corpus:
    form = _everything()[name]
    assert isinstance(form, UnreadFormat)
    told = make_incident("format-unread", title=form.title, advice=form.advice, file=path)
    return replace(Corpus.from_clusters({}), incidents=(told,))
