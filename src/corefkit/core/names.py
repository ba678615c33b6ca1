"""Names: of documents, which formats write differently, of groups, of files and of systems."""

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
"""How the name of a document may be written: its id, and its part where it has one."""
_SUFFIX = r"\.(txt|xml|json|conll|tsv|ann|sacr)$"
GENRES = frozenset({"bc", "bn", "mz", "nw", "pt", "tc", "wb"})
"""A `doc_key` that is only a genre is not a name: inputs for prediction repeat it."""


class DocumentName(NamedTuple):
    """The id of a document and, in OntoNotes, which part of it this is; None: no part is named."""

    id: str
    part: str | None = None

    @property
    def part_number(self) -> int:
        """The number of the part; 0 where none is named."""
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


class Pairing(NamedTuple):
    """What the documents of a response are called in the key.

    Attributes:
        names: the names of the response's documents, rewritten where they have a partner.
        rewritten: (in the response, in the key) for each name that was rewritten.
        incidents: what keeps documents from being paired.
    """

    names: tuple[str, ...]
    rewritten: tuple[tuple[str, str], ...] = ()
    incidents: tuple[Incident, ...] = ()


def unnamed(corpus: "Corpus") -> bool:
    """Whether the corpus has documents, and not one of them has a name."""
    return bool(corpus.names) and len(corpus._unnamed) == len(corpus.names)


def file_form(name: str) -> str:
    """The name as that of a file: what stands inside a file never becomes a path.

    >>> file_form("(nw/wsj_0771); part 000")
    'nw_wsj_0771_part_000'
    """
    return re.sub(r"[^\w.-]+", "_", name).strip("._")


def forms(name: str) -> set[str]:
    """What a document of that name may be called elsewhere.

    >>> sorted(forms("(nw/wsj_0771); part 000"))
    ['(nw/wsj_0771); part 000', 'nw/wsj_0771', 'nw/wsj_0771_0', 'nw/wsj_0771_000']
    >>> sorted(forms("ge:zebra.xml"))
    ['ge/zebra', 'ge/zebra.xml', 'ge:zebra', 'ge:zebra.xml']
    """
    document = split_name(name)
    ids = {document.id, document.id.replace(":", "/", 1)}
    ids |= {re.sub(_SUFFIX, "", one) for one in ids}
    if document.part is None:
        return {name} | ids
    number = document.part_number
    numbered = {f"{one}_{n}" for one in ids for n in (number, f"{number:03}")}
    return {name} | numbered | (ids if number == 0 else set())


def pair_names(key: "Corpus", response: "Corpus", *, exact: bool = False) -> Pairing:
    """Find the partner of each document of the response: by name, else by another form of it.

    Where one side has no names at all its documents are paired by position. With `exact` only
    identical names are partners.
    """
    if key.names == response.names or exact:
        return Pairing(response.names)
    if unnamed(key) or unnamed(response):
        return _by_position(key, response)
    ours = set(key.names)
    left = [name for name in response.names if name not in ours]
    theirs = set(response.names)
    partners = _partners([name for name in key.names if name not in theirs], left)
    ambiguities = tuple(_ambiguities(partners))
    single = {name: one[0] for name, one in partners.items() if len(one) == 1}
    names = tuple(single.get(name, name) for name in response.names)
    return Pairing(names, tuple(single.items()), ambiguities)


def _partners(ours: Sequence[str], theirs: Sequence[str]) -> dict[str, list[str]]:
    """For each name of theirs that has any, ours that have a form in common with it.

    A name may also be the other one as a file name.
    """
    having: dict[str, list[str]] = {}
    for name in ours:
        for form in sorted(forms(name) | {file_form(name)}):
            having.setdefault(form, []).append(name)
    known = set(ours)
    partners = {}
    for name in theirs:
        both = {one: None for form in sorted(forms(name)) for one in having.get(form, ())}
        if file_form(name) in known:
            both[file_form(name)] = None
        if both:
            partners[name] = sorted(both)
    return partners


def _ambiguities(partners: dict[str, list[str]]) -> Iterator[Incident]:
    taken: dict[str, list[str]] = {}
    for name, ours in partners.items():
        if len(ours) > 1:
            yield _ambiguous(name, ours, "key")
        for one in ours:
            taken.setdefault(one, []).append(name)
    for name, theirs in taken.items():
        if len(theirs) > 1 and all(len(partners[one]) == 1 for one in theirs):
            yield _ambiguous(name, theirs, "response")


def _ambiguous(name: str, partners: Sequence[str], side: str) -> Incident:
    found, expected = " and ".join(map(quote, partners[:2])), "one partner for each name"
    return make_incident(
        "document-ambiguous", side=side, document=name, found=found, expected=expected
    )


def file_stem(path: str) -> str:
    """What a document without a name is called after its file.

    >>> file_stem("answers/tale.md.gz"), file_stem("tale")
    ('tale', 'tale')
    """
    file = path.removesuffix(".gz").replace("\\", "/").rpartition("/")[2]
    return file.rpartition(".")[0] or file


def _by_position(key: "Corpus", response: "Corpus") -> Pairing:
    """Documents by their positions; where one of many is answered, by the name of its file."""
    if len(key.names) == len(response.names):
        return Pairing(key.names)
    alone = len(response.names) == 1 and not unnamed(key) and bool(response.path)
    if alone:
        stem = file_stem(response.path or "")
        partners = [stem] if stem in key.names else _partners(key.names, [stem]).get(stem, [])
        if len(partners) == 1:
            return Pairing((partners[0],), ((stem, partners[0]),) if stem != partners[0] else ())
    which, other = ("key", response) if unnamed(key) else ("response", key)
    incident = make_incident(
        "documents-unnamed",
        "file" if alone else "",
        name=quote(file_form(key.names[0])) if alone else "",
        which=which,
        file=response.path if alone else other.path,
        found=f"{len(key.names):,} documents in the key, {len(response.names):,} in the response",
        expected="as many documents on both sides",
    )
    return Pairing(response.names, (), (incident,))


def document_id(name: str) -> str:
    """The id of a document, without its part.

    >>> document_id("(LuoTestCase);"), document_id("(nw/wsj/07/wsj_0771); part 000")
    ('LuoTestCase', 'nw/wsj/07/wsj_0771')
    """
    return split_name(name).id


def join_name(name: str, part: str | None) -> str:
    """The name of a document, from its id and part."""
    return name if part is None else f"({name}); part {part}"


def repeated(names: Iterable[str]) -> list[tuple[str, int, int]]:
    """Names that occur again: the name, its first place, the later place.

    >>> repeated(["a", "b", "a"])
    [('a', 0, 2)]
    """
    names = list(names)
    if len(set(names)) == len(names):  # the rule
        return []
    first: dict[str, int] = {}
    places = [(name, first.setdefault(name, place), place) for place, name in enumerate(names)]
    return [(name, one, again) for name, one, again in places if one != again]


def on_one_line(name: str) -> str:
    """The name as a line of a file can hold it.

    >>> on_one_line(" a  b\\nc")
    'a  b c'
    """
    return " ".join(filter(None, map(str.strip, re.split("[\r\n]", name))))


OTHERS = "others"
"""The group of documents that a grouping finds none for: no OntoNotes id, no match of a pattern."""


@lru_cache(1 << 12)
def genre(name: str) -> str:
    """The first part of an OntoNotes document id.

    >>> genre("(nw/wsj/07/wsj_0771); part 000")
    'nw'
    >>> genre("test_events")
    'others'
    """
    first = re.match(r"\(?\s*([^/()\s]+)/", document_id(name))
    return first[1] if first else OTHERS


def shown_groups(groups: Mapping[str, Item], by: str = "genre") -> dict[str, Item]:
    """The groups of documents as results show them: none where no document has one, others last.

    Groupings in which everything has its place, e.g. by "document" or by "word", stay as they are.

    >>> shown_groups({"others": 1, "wb": 2}), shown_groups({"others": 1})
    ({'wb': 2, 'others': 1}, {})
    """
    if by != "genre" and not by.startswith(PATTERN):
        return dict(groups)
    named = {name: group for name, group in groups.items() if name != OTHERS}
    return named | {OTHERS: groups[OTHERS]} if named and OTHERS in groups else named


PATTERN = "re:"
"""How a grouping begins that is a pattern over the names of documents."""


def pattern_grouping(text: str) -> Callable[[str], str]:
    """The grouping of `re:PATTERN`: what the one group of the pattern finds in a document's name.

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
"""What `--by` can name: functions from the name of a document to its group."""


def is_of_documents(by: str) -> bool:
    """Whether this groups documents, not mentions or entities.

    >>> is_of_documents("genre"), is_of_documents("entity:size")
    (True, False)
    """
    return by in GROUPINGS or by.startswith(PATTERN)


@frozen
class Response:
    """The file of a response, and the name of its system; where only files are wanted, its path."""

    path: str
    name: str

    def __fspath__(self) -> str:
        """The path."""
        return self.path

    __str__ = __fspath__


def split_run(name: str) -> tuple[str, str] | None:
    """The system and the run in the name that a response was given; None where it names no run.

    >>> split_run("mine@1"), split_run("mine"), split_run("@1")
    (('mine', '1'), None, None)
    """
    system, _, run = name.rpartition("@")
    return (system, run) if system and run else None


def file_name(path: str) -> str:
    """The name of a file without folders, `.gz` and the ending of its format.

    >>> file_name("out/seed1.conll.gz")
    'seed1'
    """
    last = path.rstrip("/").rpartition("/")[2].removesuffix(".gz")
    ending = next((ending for ending in _ENDINGS if last.lower().endswith(ending)), "")
    return last[: len(last) - len(ending)] or path


ResponseFile = str | Response
"""A response as command lines name it: FILE or NAME=FILE."""

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
)
"""How the names of files end, longer ones first; a test compares them with the formats."""


def path_name(path: object) -> str:
    """The name of a file as a string; TypeError where it is neither a str nor a Path."""
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
    """The name of a file as it was given; for a Corpus what it holds."""
    return path_name(source) if isinstance(source, str | os.PathLike) else repr(source)


def system_names(responses: "Sequence[str | os.PathLike[str] | Corpus]") -> list[str]:
    """Systems have the names they were given, else what tells their paths apart.

    That is the name of the file without the ending of its format; where two files are called the
    same, the folder, or the end of the path.

    >>> system_names(["runs/good.conll.gz", Response("runs/7.conll", "ours")])
    ['good', 'ours']
    >>> system_names(["output/lee/wiki.conll", "output/kim/wiki.conll"])
    ['lee', 'kim']
    >>> system_names(["a/x/dev.conll", "a/y/dev.conll", "b/x/dev.conll"])
    ['a/x/dev', 'a/y/dev', 'b/x/dev']
    >>> system_names(["same.conll", "same.conll"])
    ['same', 'same (2)']

    What all names have in common at their ends is left out where they are long:

    >>> system_names(["task-7-annotator-anna-final.conll", "task-7-annotator-ben-final.conll"])
    ['anna', 'ben']
    """
    given = {place: r.name for place, r in enumerate(responses) if isinstance(r, Response)}
    paths = [path_of(response) for response in responses]
    others = [place for place in range(len(paths)) if place not in given]
    parts = [_path_parts(paths[place]) for place in others]
    by_place = given | dict(zip(others, _shortest(parts, {*given.values()}), strict=True))
    names = [by_place[place] for place in range(len(paths))]
    earlier = [names[:place].count(name) for place, name in enumerate(names)]
    return [f"{n} ({e + 1})" if e else n for n, e in zip(names, earlier, strict=True)]


def _path_parts(path: str) -> list[str]:
    """The folders of a path, and its file without the ending; the annotator in FILE#ANNOTATOR."""
    if "#" in path and not os.path.exists(path):
        return [path.rpartition("#")[2]]
    parts = [part for part in path.split("/") if part not in ("", ".", "..")] or [path]
    return [*parts[:-1], file_name(path)]


_LONG = 24
"""Names that are longer than this lose the words that all of them begin and end with."""


def _without_common_ends(names: list[str], taken: set[str]) -> list[str]:
    """The names without the words that all have at an end, if one is long and they stay apart."""
    if len(names) < 2 or max(map(len, names)) <= _LONG:
        return names
    words = [re.split("([-_. ]+)", name) for name in names]
    first = _common(words)
    last = _common([one[first:][::-1] for one in words])
    shorter = ["".join(one[first : len(one) - last]) for one in words]
    return shorter if "" not in shorter and len({*shorter} - taken) == len(names) else names


def _common(words: list[list[str]]) -> int:
    """How many words all begin with, counted with what separates each from the next."""
    alike = takewhile(lambda column: len({*column}) == 1, zip(*words, strict=False))
    return sum(1 for _ in alike) // 2 * 2


def _shortest(paths: list[list[str]], taken: set[str]) -> list[str]:
    """For each path its last part that tells all of them apart, else so much of its end."""
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
