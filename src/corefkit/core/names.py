"""Names of documents: the same document is called differently in different formats.

Names of documents: an id and, in OntoNotes, a part.

Groups of documents, by their names.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corefkit.core.incidents import Incident, make_incident
from corefkit.core.options import UsageError
from corefkit.core.texts import quote

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus

_PART = re.compile(r"\((?P<conll>.*)\); part (?P<n>\d{1,9})|(?P<hub>.*)/part_(?P<m>\d{1,9})", re.S)
_SUFFIX = re.compile(r"\.(txt|xml|json|conll|tsv|ann|sacr)$")
_ONE_WAY = frozenset({"conll", "conllu", "python"})
"""Formats in which a document has one name; SPEC.md pairs them by their whole names."""
GENRES = frozenset({"bc", "bn", "mz", "nw", "pt", "tc", "wb"})
"""A `doc_key` that is only a genre is no name: inputs for prediction repeat it."""


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
    return bool(corpus.names) and len(corpus.unnamed) == len(corpus.names)


def file_form(name: str) -> str:
    """The name as that of a file: what stands inside a file never becomes a path.

    >>> file_form("(nw/wsj_0771); part 000")
    'nw_wsj_0771_part_000'
    """
    return re.sub(r"[^\w.-]+", "_", name).strip("._")


def forms(name: str) -> set[str]:
    """What a document of that name may be called elsewhere.

    >>> sorted(forms("(nw/wsj_0771); part 000"))
    ['nw/wsj_0771', 'nw/wsj_0771_0', 'nw/wsj_0771_000']
    >>> sorted(forms("ge:zebra.xml"))
    ['ge/zebra', 'ge/zebra.xml', 'ge:zebra', 'ge:zebra.xml']
    """
    part = _PART.fullmatch(name)
    if not part:
        plain = {name, name.replace(":", "/", 1)}
        return plain | {_SUFFIX.sub("", one) for one in plain}
    document, number = part["conll"] or part["hub"] or "", int(part["n"] or part["m"])
    both = {document, _SUFFIX.sub("", document)}
    numbered = {f"{one}_{n}" for one in both for n in (number, f"{number:03}")}
    return numbered | (both if number == 0 else set())


def pair_names(key: "Corpus", response: "Corpus", *, exact: bool = False) -> Pairing:
    """Find the partner of each document of the response: by name, else by another form of it.

    Where one side has no names at all its documents are paired by position. With `exact`, or
    where both sides are CoNLL (or CoNLL-U, or made in Python), only identical names are partners.
    """
    formats = _formats(key) | _formats(response)
    one_way = len(formats) == 1 and formats <= _ONE_WAY
    if key.names == response.names or exact or one_way:
        return Pairing(response.names)
    if unnamed(key) or unnamed(response):
        return _by_position(key, response)
    ours = set(key.names)
    left = [name for name in response.names if name not in ours]
    theirs = set(response.names)
    partners = _partners([name for name in key.names if name not in theirs], left)
    found = tuple(_ambiguities(partners))
    single = {name: one[0] for name, one in partners.items() if len(one) == 1}
    names = tuple(single.get(name, name) for name in response.names)
    return Pairing(names, tuple(single.items()), found)


def _formats(corpus: "Corpus") -> set[str]:
    return {source.format.name for source in corpus.sources} or {"python"}


def _partners(ours: Sequence[str], theirs: Sequence[str]) -> dict[str, list[str]]:
    """For each name of theirs that has any, ours that have a form in common with it.

    A name may also be the other one as a file name.
    """
    having: dict[str, list[str]] = {}
    for name in ours:
        for form in sorted(forms(name) | {file_form(name)}):
            having.setdefault(form, []).append(name)
    known = set(ours)
    found = {}
    for name in theirs:
        both = {one: None for form in sorted(forms(name)) for one in having.get(form, ())}
        if file_form(name) in known:
            both[file_form(name)] = None
        if both:
            found[name] = sorted(both)
    return found


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


def _by_position(key: "Corpus", response: "Corpus") -> Pairing:
    if len(key.names) == len(response.names):
        return Pairing(key.names)
    which, other = ("key", response) if unnamed(key) else ("response", key)
    found = make_incident(
        "documents-unnamed",
        which=which,
        file=other.path,
        found=f"{len(key.names):,} documents in the key, {len(response.names):,} in the response",
        expected="as many documents on both sides",
    )
    return Pairing(response.names, (), (found,))


_NAME = re.compile(r"\((.*)\); *part *(\d+)")


def split_name(name: str) -> tuple[str, str | None]:
    """The id and the part of a document's name; the part is None where there is none.

    >>> split_name("(nw/wsj/07/wsj_0771); part 000")
    ('nw/wsj/07/wsj_0771', '000')
    >>> split_name("test_events")
    ('test_events', None)
    """
    found = _NAME.fullmatch(name)
    return (found[1], found[2]) if found else (document_id(name), None)


def document_id(name: str) -> str:
    """The id of a document, without its part. Only a name in brackets has more than an id.

    >>> document_id("(LuoTestCase);"), document_id("(nw/wsj/07/wsj_0771); part 000")
    ('LuoTestCase', 'nw/wsj/07/wsj_0771')
    >>> document_id("a;b"), document_id("a part 1")
    ('a;b', 'a')
    """
    found = re.match(r"\(([^()]*)\)", name)
    return found[1] if found else re.sub(r";? *part *\d+$", "", name)


def join_name(name: str, part: str | None) -> str:
    """The name of a document, from its id and part."""
    return name if part is None else f"({name}); part {part}"


def repeated(names: Iterable[str]) -> list[tuple[str, int, int]]:
    """Names that occur again: the name, its first place, the later place.

    >>> repeated(["a", "b", "a"])
    [('a', 0, 2)]
    """
    first: dict[str, int] = {}
    places = [(name, first.setdefault(name, place), place) for place, name in enumerate(names)]
    return [(name, one, again) for name, one, again in places if one != again]


def on_one_line(name: str) -> str:
    """The name as a line of a file can hold it.

    >>> on_one_line(" a  b\\nc")
    'a  b c'
    """
    return " ".join(filter(None, map(str.strip, re.split("[\r\n]", name))))


NO_GENRE = "(none)"
"""The genre of a document whose name is not an OntoNotes id."""

_GENRE = re.compile(r"\(?\s*([^/()\s]+)/")


def genre(name: str) -> str:
    """The first part of an OntoNotes document id.

    >>> genre("(nw/wsj/07/wsj_0771); part 000")
    'nw'
    >>> genre("test_events")
    '(none)'
    """
    found = _GENRE.match(name)
    return found[1] if found else NO_GENRE


BREAKDOWNS = {
    "class": "NOUN, or the tag of the word",
    "ne": "the named entity class of the entity",
    "word": "the word, in lower case",
    "length": "the number of words",
    "distance": "how many sentences back the mention before it in its entity is",
    "entity-size": "the number of mentions of the entity",
    "speaker": "who says it",
}
"""What else `--by` can name: features of mentions, defined in corefkit.applications.features."""

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
        found = pattern.search(name)
        return found[1] if found and found[1] is not None else NO_GENRE

    return group


GROUPINGS: dict[str, Callable[[str], str]] = {"document": str, "genre": genre}
"""What `--by` can name: functions from the name of a document to its group."""
