"""Names of documents (which formats write differently), of groups, of files and of systems."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.incidents import Incident, Item, make_incident
from corefkit.core.options import UsageError
from corefkit.core.texts import quote

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus

_NAMES = (
    r"(?s)\((.*)\)(?:;? *part *([0-9]{1,9})|;? *)",  # (nw/wsj_0771); part 000
    r"(?s)(.*)/part_([0-9]{1,9})",  # nw/wsj_0771/part_0, as the Hub has it
    r"(?s)(.*?);? *\bpart *([0-9]{1,9})",  # wsj_0771; part 0
    r"(?s)\(([^()]*)\)().*",  # (wsj_0771) and anything else
)
"""How the name of a document may be written: groups are its id and its part, if it has one."""
_SUFFIX = r"\.(txt|xml|json|conll|tsv|ann|sacr)$"
GENRES = frozenset({"bc", "bn", "mz", "nw", "pt", "tc", "wb"})
"""OntoNotes genres. A `doc_key` that is only a genre is not a name: prediction inputs repeat it."""


class DocumentName(NamedTuple):
    """The id of a document and, in OntoNotes, its part; None if no part is named."""

    id: str
    part: str | None = None

    @property
    def part_number(self) -> int:
        """The number of the part; 0 if none is named."""
        return int(self.part or 0)


def split_name(name: str) -> DocumentName:
    """The id and the part in the name of a document, however it is written.

    >>> split_name("(nw/wsj/07/wsj_0771); part 000")
    DocumentName(id='nw/wsj/07/wsj_0771', part='000')
    >>> split_name("nw/wsj_0771/part_2"), split_name("(LuoTestCase);"), split_name("a;b")
    (DocumentName(id='nw/wsj_0771', part='2'), DocumentName(id='LuoTestCase', part=None), \
DocumentName(id='a;b', part=None))
    """
    for pattern in _NAMES:
        if match := re.fullmatch(pattern, name):
            return DocumentName(match[1], match[2] or None)
    return DocumentName(name)


class NamesInKey(NamedTuple):
    """The names that the documents of a response have in the key.

    Attributes:
        names: the names of the response's documents; those with a partner have its name.
        rewritten: (name in the response, name in the key) for each name that was changed.
        incidents: the reasons why documents could not be paired.
    """

    names: tuple[str, ...]
    rewritten: tuple[tuple[str, str], ...] = ()
    incidents: tuple[Incident, ...] = ()


def unnamed(corpus: "Corpus") -> bool:
    """Whether the corpus has documents and none of them has a name."""
    return bool(corpus.names) and len(corpus.unnamed) == len(corpus.names)


def file_form(name: str) -> str:
    """A file name made from a document name: text inside a file never becomes a path.

    >>> file_form("(nw/wsj_0771); part 000")
    'nw_wsj_0771_part_000'
    """
    return re.sub(r"[^\w.-]+", "_", name).strip("._")


def forms(name: str) -> set[str]:
    """The names that other formats may give to a document of this name.

    >>> sorted(forms("(nw/wsj_0771); part 000"))
    ['(nw/wsj_0771); part 000', 'nw/wsj_0771', 'nw/wsj_0771_0', 'nw/wsj_0771_000']
    >>> sorted(forms("ge:zebra.xml"))
    ['ge/zebra', 'ge/zebra.xml', 'ge:zebra', 'ge:zebra.xml']
    """
    document = split_name(name)
    ids = {document.id, document.id.replace(":", "/", 1)}
    ids |= {re.sub(_SUFFIX, "", form) for form in ids}
    if document.part is None:
        return {name} | ids
    number = document.part_number
    numbered = {f"{form}_{n}" for form in ids for n in (number, f"{number:03}")}
    return {name} | numbered | (ids if number == 0 else set())


def names_in_key(key: "Corpus", response: "Corpus", *, exact: bool = False) -> NamesInKey:
    """Find the partner of each document of the response, by its name or another form of it.

    If one side has no names at all, documents are paired by position. With `exact`, only documents
    with identical names are partners.
    """
    if key.names == response.names or exact:
        return NamesInKey(response.names)
    if unnamed(key) or unnamed(response):
        return _by_position(key, response)
    in_key, in_response = set(key.names), set(response.names)
    partners = _partners(
        [name for name in key.names if name not in in_response],
        [name for name in response.names if name not in in_key],
    )
    ambiguities = tuple(_ambiguities(partners))
    single = {name: listed[0] for name, listed in partners.items() if len(listed) == 1}
    names = tuple(single.get(name, name) for name in response.names)
    return NamesInKey(names, tuple(single.items()), ambiguities)


def _partners(in_key: Sequence[str], in_response: Sequence[str]) -> dict[str, list[str]]:
    """The key names that share a form with a response name, for each one that has such names.

    A name may also be the file name made from the other one.
    """
    names_of_form: dict[str, list[str]] = {}
    for name in in_key:
        for form in sorted(forms(name) | {file_form(name)}):
            names_of_form.setdefault(form, []).append(name)
    known = set(in_key)
    partners = {}
    for name in in_response:
        candidates = {key for form in forms(name) for key in names_of_form.get(form, ())}
        if file_form(name) in known:
            candidates.add(file_form(name))
        if candidates:
            partners[name] = sorted(candidates)
    return partners


def _ambiguities(partners: dict[str, list[str]]) -> Iterator[Incident]:
    taken: dict[str, list[str]] = {}
    for name, in_key in partners.items():
        if len(in_key) > 1:
            yield _ambiguous(name, in_key, "key")
        for partner in in_key:
            taken.setdefault(partner, []).append(name)
    for name, in_response in taken.items():
        if len(in_response) > 1 and all(len(partners[other]) == 1 for other in in_response):
            yield _ambiguous(name, in_response, "response")


def _ambiguous(name: str, partners: Sequence[str], side: str) -> Incident:
    found, expected = " and ".join(map(quote, partners[:2])), "one partner for each name"
    return make_incident(
        "document-ambiguous", side=side, document=name, found=found, expected=expected
    )


def file_stem(path: str) -> str:
    """The name that a document without one gets from its file.

    >>> file_stem("answers/tale.md.gz"), file_stem("tale")
    ('tale', 'tale')
    """
    file = path.removesuffix(".gz").replace("\\", "/").rpartition("/")[2]
    return file.rpartition(".")[0] or file


def _by_position(key: "Corpus", response: "Corpus") -> NamesInKey:
    """Pair documents by position; a single response document may be paired by its file name."""
    if len(key.names) == len(response.names):
        return NamesInKey(key.names)
    alone = len(response.names) == 1 and not unnamed(key) and bool(response.path)
    if alone:
        stem = file_stem(response.path or "")
        partners = [stem] if stem in key.names else _partners(key.names, [stem]).get(stem, [])
        if len(partners) == 1:
            return NamesInKey((partners[0],), ((stem, partners[0]),) if stem != partners[0] else ())
    which, named_side = ("key", response) if unnamed(key) else ("response", key)
    incident = make_incident(
        "documents-unnamed",
        "file" if alone else "",
        name=quote(file_form(key.names[0])) if alone else "",
        which=which,
        file=response.path if alone else named_side.path,
        found=f"{len(key.names):,} documents in the key, {len(response.names):,} in the response",
        expected="as many documents on both sides",
    )
    return NamesInKey(response.names, (), (incident,))


def document_id(name: str) -> str:
    """The id in the name of a document, without its part.

    >>> document_id("(LuoTestCase);"), document_id("(nw/wsj/07/wsj_0771); part 000")
    ('LuoTestCase', 'nw/wsj/07/wsj_0771')
    """
    return split_name(name).id


def join_name(name: str, part: str | None) -> str:
    """The name of a document with this id and part."""
    return name if part is None else f"({name}); part {part}"


def repeated(names: Iterable[str]) -> list[tuple[str, int, int]]:
    """(name, first position, later position) for each later occurrence of a name.

    >>> repeated(["a", "b", "a"])
    [('a', 0, 2)]
    """
    names = list(names)
    if len(set(names)) == len(names):  # the usual case
        return []
    first: dict[str, int] = {}
    firsts = [(name, first.setdefault(name, number), number) for number, name in enumerate(names)]
    return [(name, earlier, later) for name, earlier, later in firsts if earlier != later]


def on_one_line(name: str) -> str:
    """The name with line breaks replaced by blanks, for a line of a file.

    >>> on_one_line(" a  b\\nc")
    'a  b c'
    """
    return " ".join(filter(None, map(str.strip, re.split("[\r\n]", name))))


OTHERS = "others"
"""The group of documents without one: no OntoNotes id, or no match of the pattern."""


@lru_cache(1 << 12)
def genre(name: str) -> str:
    """The genre of a document: the first part of its OntoNotes id, or OTHERS.

    >>> genre("(nw/wsj/07/wsj_0771); part 000")
    'nw'
    >>> genre("test_events")
    'others'
    """
    first = re.match(r"\(?\s*([^/()\s]+)/", document_id(name))
    return first[1] if first else OTHERS


def shown_groups(groups: Mapping[str, Item], by: str = "genre") -> dict[str, Item]:
    """The groups that a result shows: OTHERS last, and nothing if it is the only group.

    Groupings without OTHERS, e.g. by "document" or by "word", are returned unchanged.

    >>> shown_groups({"others": 1, "wb": 2}), shown_groups({"others": 1})
    ({'wb': 2, 'others': 1}, {})
    """
    if by != "genre" and not by.startswith(PATTERN):
        return dict(groups)
    named = {name: group for name, group in groups.items() if name != OTHERS}
    return named | {OTHERS: groups[OTHERS]} if named and OTHERS in groups else named


PATTERN = "re:"
"""The prefix of a grouping that is a pattern over the names of documents."""


def pattern_grouping(text: str) -> Callable[[str], str]:
    """The grouping `re:PATTERN`: maps a document name to what the pattern's one group matches.

    >>> pattern_grouping("re:^GUM_([a-z]+)")("GUM_academic_art")
    'academic'
    """
    try:
        pattern = re.compile(text.removeprefix(PATTERN))
    except re.error as error:
        raise UsageError(f"by: {text!r} is not a pattern: {error}") from None
    if pattern.groups != 1:
        raise UsageError(f"by: {text!r} must have one group, in round brackets")

    def group(name: str) -> str:
        match = pattern.search(name)
        return match[1] if match and match[1] is not None else OTHERS

    return group


GROUPINGS: dict[str, Callable[[str], str]] = {"document": str, "genre": genre}
"""Groupings of documents that `--by` accepts: functions from a document name to its group."""


def is_of_documents(by: str) -> bool:
    """Whether a value of `--by` groups documents rather than mentions or entities.

    >>> is_of_documents("genre"), is_of_documents("entity:size")
    (True, False)
    """
    return by in GROUPINGS or by.startswith(PATTERN)


@frozen
class Response:
    """The file of a response and the name of its system; usable as a path."""

    path: str
    name: str

    def __fspath__(self) -> str:
        """The path."""
        return self.path

    __str__ = __fspath__


def split_run(name: str) -> tuple[str, str] | None:
    """The system and the run in the name given to a response; None if it names no run.

    >>> split_run("mine@1"), split_run("mine"), split_run("@1")
    (('mine', '1'), None, None)
    """
    system, _, run = name.rpartition("@")
    return (system, run) if system and run else None


def file_name(path: str) -> str:
    """The name of a file without folders, `.gz` and the suffix of its format.

    >>> file_name("out/seed1.conll.gz")
    'seed1'
    """
    last = path.rstrip("/").rpartition("/")[2].removesuffix(".gz")
    ending = next((ending for ending in _ENDINGS if last.lower().endswith(ending)), "")
    return last[: len(last) - len(ending)] or path


ResponseFile = str | Response
"""A response on a command line: FILE, or NAME=FILE."""

_ENDINGS = (
    ".v4_gold_conll",
    ".v4_auto_conll",
    "_conll",
    ".rich_ere.xml",
    ".apf.xml",
    ".tab.txt",
    ".conll",
    ".conllu",
    ".conllua",
    ".jsonl",
    ".jsonlines",
    ".json",
    ".parquet",
    ".pq",
    ".xml",
    ".xmi",
    ".tei",
    ".sgml",
    ".sgm",
    ".tsv",
    ".csv",
    ".tab",
    ".txt",
    ".md",
    ".tags",
    ".aa",
    ".ann",
    ".ca2",
    ".ca2z",
    ".chains",
    ".coref",
    ".entities",
    ".links",
    ".mmax",
    ".sacr",
    ".spacy",
    ".tbf",
    ".zip",
    ".resp",
    ".response",
)
"""The suffixes of file names; longer ones come before their own endings. A test compares them with
the formats; those of responses, as corpora are sent around, are in no format."""


def path_name(path: object) -> str:
    """The name of a file as a string; raises TypeError if it is neither a str nor a Path."""
    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(name, str):
        instead = (
            "; clusters are scored by Evaluator().update(key, response), or made into a corpus by "
            "Corpus.from_clusters"
            if isinstance(path, list | tuple | dict)
            else ""
        )
        raise TypeError(f"a file is named by a str or a Path, not {path!r:.60}{instead}")
    return name


def path_of(source: "str | os.PathLike[str] | Corpus") -> str:
    """The name of a file as it was given; for a Corpus, its repr."""
    return path_name(source) if isinstance(source, str | os.PathLike) else repr(source)


def system_names(responses: "Sequence[str | os.PathLike[str] | Corpus]") -> list[str]:
    """The name of each system: the one it was given, or else the part that identifies its path.

    That part is the file name without the suffix of its format. If two files have the same name,
    it is a folder, or as much of the end of the path as is needed.

    >>> system_names(["runs/good.conll.gz", Response("runs/7.conll", "ours")])
    ['good', 'ours']
    >>> system_names(["output/lee/wiki.conll", "output/kim/wiki.conll"])
    ['lee', 'kim']
    >>> system_names(["a/x/dev.conll", "a/y/dev.conll", "b/x/dev.conll"])
    ['a/x/dev', 'a/y/dev', 'b/x/dev']
    >>> system_names(["same.conll", "same.conll"])
    ['same', 'same (2)']

    If the names are long, the words that all of them begin or end with are left out:

    >>> system_names(["task-7-annotator-anna-final.conll", "task-7-annotator-ben-final.conll"])
    ['anna', 'ben']
    """
    given = {number: r.name for number, r in enumerate(responses) if isinstance(r, Response)}
    paths = [path_of(response) for response in responses]
    others = [number for number in range(len(paths)) if number not in given]
    parts = [_path_parts(paths[number]) for number in others]
    by_number = given | dict(zip(others, _shortest(parts, {*given.values()}), strict=True))
    names = [by_number[number] for number in range(len(paths))]
    earlier = [names[:number].count(name) for number, name in enumerate(names)]
    return [f"{n} ({e + 1})" if e else n for n, e in zip(names, earlier, strict=True)]


def _path_parts(path: str) -> list[str]:
    """The folders of a path, then its file name without suffix; for FILE#ANNOTATOR, ANNOTATOR."""
    if "#" in path and not os.path.exists(path):
        return [path.rpartition("#")[2]]
    parts = [part for part in path.split("/") if part not in ("", ".", "..")] or [path]
    return [*parts[:-1], file_name(path)]


_LONG = 24
"""If a name is longer than this, names lose the words that all of them begin or end with."""


def _without_common_ends(names: list[str], taken: set[str]) -> list[str]:
    """The names without common first and last words, if one is long and they remain distinct."""
    if len(names) < 2 or max(map(len, names)) <= _LONG:
        return names
    words = [re.split("([-_. ]+)", name) for name in names]
    first = _common(words)
    last = _common([parts[first:][::-1] for parts in words])
    shorter = ["".join(parts[first : len(parts) - last]) for parts in words]
    return shorter if "" not in shorter and len({*shorter} - taken) == len(names) else names


def _common(words: list[list[str]]) -> int:
    """The number of items that all lists begin with; words and separators alternate."""
    common = takewhile(lambda column: len({*column}) == 1, zip(*words, strict=False))
    return sum(1 for _ in common) // 2 * 2


def _shortest(paths: list[list[str]], taken: set[str]) -> list[str]:
    """For each path, the last part that differs between all paths, or as much of its end."""
    longest = max(map(len, paths), default=0)
    for end in range(1, longest + 1):
        level = [path[-end] if end <= len(path) else "" for path in paths]
        if "" not in level and len({*level} - taken) == len(paths):
            return _without_common_ends(level, taken)
    for end in range(2, longest + 1):
        names = ["/".join(path[-end:]) for path in paths]
        if len({*names}) == len(paths):
            return names
    return ["/".join(path) if paths.count(path) == 1 else path[-1] for path in paths]
