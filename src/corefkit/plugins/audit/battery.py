"""The battery: small documents on which scorers differ, and the files and lists made of them.

In the notation, a small letter is a mention of one token at the letter's place in the alphabet;
capitals are the spans in `SPANS`. Blanks separate entities, `/` separates key and response, `|`
separates documents; ∅ is a side without mentions.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil
from random import Random
from typing import NamedTuple

from corefkit.core.carriers import frozen
from corefkit.plugins.audit.behaviours import repeats
from corefkit.scoring.shrink import SmallDocument, SmallSide, filled

SPANS = {"A": (0, 2), "B": (1, 2), "C": (4, 6), "D": (4, 5), "E": (8, 8)}
"""The mentions that capitals stand for."""

FORMS = ("conll", "jsonlines", "corefud", "lists")
"""The formats in which the documents of a probe can be written."""

_ENDINGS = {"conll": "conll", "jsonlines": "jsonl", "corefud": "conllu", "lists": "json"}


@frozen
class Probe:
    """A name, a purpose, and the documents to be scored."""

    id: str
    purpose: str
    documents: tuple[SmallDocument, ...]

    @property
    def copies(self) -> bool:
        """Whether a side lists a mention twice."""
        return any(repeats(side) for document in self.documents for side in document.sides)

    @property
    def reversed(self) -> "Probe":
        """The same documents with entities and mentions in reverse order."""
        documents = (d.with_sides(map(_reversed, d.sides)) for d in self.documents)
        return replace(self, id=f"{self.id} reversed", documents=tuple(documents))


def _reversed(side: SmallSide) -> SmallSide:
    return tuple(entity[::-1] for entity in side[::-1])


_TABLE = (
    ("same", "scale; key against itself", "ab cde f / ab cde f"),
    ("paper", "the example of Pradhan et al. 2014", "abc defg / ab cd fghi"),
    ("missed", "key mentions that the response lacks, in one entity", "abcde fg / ab fg"),
    ("spurious", "response mentions that the key lacks", "ab fg / abcde fg hij"),
    ("key-singletons", "singletons of the key that the response lacks", "ab c d e / ab"),
    ("response-singletons", "singletons of the response that the key lacks", "ab / ab c d e"),
    ("both-singletons", "singletons on both sides, some alike", "abc d e f / abc d e g"),
    ("linked-singleton", "a key singleton that the response links", "abc d e / abcd e"),
    ("split-off", "a key mention that is a response singleton", "abcd ef / abc d ef"),
    ("merged", "entities put together", "ab cd efg / abcdefg"),
    ("split", "an entity taken apart", "abcdefg / ab cd efg"),
    ("alignment", "the best pair is not in the best alignment", "abcde fg / abcfg de"),
    ("alignment-order", "key entities want each other's partners", "ab cde fghi / cdef abi gh"),
    (
        "uneven",
        "a large good and a small bad document",
        "abcdefgh ij / abcdefgh ij | abc de f / ad bc",
    ),
    (
        "uneven-two",
        "documents that differ in recall and precision",
        "abcdef / ab | ab / abcdef | cd e / cd e",
    ),
    (
        "uneven-same",
        "the same mentions on both sides, no singletons",
        "abcdef gh / ab cd ef gh | ab cd ef / abcdef",
    ),
    (
        "uneven-entities",
        "documents that differ in numbers of entities",
        "abc / ab d e f | ab d e f / abc",
    ),
    ("empty-both", "a document without mentions on either side", "ab cd / ab c | ∅ / ∅"),
    ("empty-key", "a document whose key has no mention", "ab cd / ab c | ∅ / ab"),
    ("empty-response", "a document whose response has no mention", "ab cd / ab c | ab / ∅"),
    ("nothing-key", "only that", "∅ / ab c"),
    ("nothing-response", "only that", "ab c / ∅"),
    ("nothing", "nothing on either side", "∅ / ∅"),
    ("no-links", "singletons only, alike", "a b c / a b c"),
    ("no-key-links", "links in the response only", "a b c / ab c"),
    ("no-response-links", "links in the key only", "ab c / a b c"),
    ("one-entity", "no non-coreference link in the key", "abcd / ab cd"),
    ("one-mention", "no link at all", "a / a"),
    (
        "same-places",
        "two documents with the same places and other entities",
        "ab cd / ab cd | ac bd / ac bd",
    ),
    ("copy-within", "a response mention twice in one entity", "abcd ef / aaabe cdf"),
    ("copy-across", "a response mention in two entities", "abc de / abc ade"),
    ("copy-across-order", "the same, entities in the other order", "abc de / ade abc"),
    ("copy-spurious", "a response mention that the key lacks in two entities", "ab cd / abx cdx"),
    ("copy-key", "a key mention in two entities", "abc ade / abc de"),
    ("boundaries", "spans that overlap without being equal", "AC E / BD E"),
)

REVERSED = ("paper", "alignment-order", "both-singletons", "uneven-two", "random-3", "random-5")
"""The probes that are also asked with entities and mentions in reverse order."""


def parse_side(text: str) -> SmallSide:
    """The entities of one side, from letters.

    >>> parse_side("ab A")
    (((0, 0), (1, 1)), ((0, 2),))
    """
    words = text.replace("∅", "").replace("{", " ").replace("}", " ").split()
    return tuple(
        tuple(SPANS.get(letter) or _letter_span(letter) for letter in word) for word in words
    )


def _letter_span(letter: str) -> tuple[int, int]:
    return ord(letter) - ord("a"), ord(letter) - ord("a")


def parse_documents(text: str) -> tuple[SmallDocument, ...]:
    """Documents from the notation described above."""
    pairs = (document.split("/") for document in text.split("|"))
    return tuple(SmallDocument(parse_side(key), parse_side(response)) for key, response in pairs)


BATTERY = tuple(Probe(name, purpose, parse_documents(text)) for name, purpose, text in _TABLE)
"""The 35 probes."""


def documents_probe(documents: Sequence[SmallDocument]) -> Probe:
    """A probe outside the battery."""
    return Probe("example", "", tuple(documents))


def random_probes(number: int, seed: int = 0) -> list[Probe]:
    """Random probes: one to three documents each, of up to nine mentions, without copies."""
    random = Random(seed)
    return [Probe(f"random-{index}", "drawn", _drawn(random)) for index in range(number)]


def _drawn(random: Random) -> tuple[SmallDocument, ...]:
    documents = []
    for _ in range(random.randint(1, 3)):
        mentions = random.randint(2, 9)
        documents.append(
            SmallDocument(_drawn_side(random, mentions), _drawn_side(random, mentions))
        )
    return tuple(documents)


def _drawn_side(random: Random, mentions: int) -> SmallSide:
    entities: dict[int, list[tuple[int, int]]] = {}
    for number in range(mentions):
        if random.random() >= 0.15:
            entity = random.randrange(ceil(mentions / 2))
            entities.setdefault(entity, []).append((number, number))
    return filled(entities.values())


class _WrittenSide(NamedTuple):
    """One side of a document as it is written."""

    name: str
    tokens: int
    entities: SmallSide


def probe_files(documents: Sequence[SmallDocument], form: str) -> tuple[bytes, bytes]:
    """Key and response as files in one of the `FORMS`."""
    numbered = [(f"probe/d{n:02}", _tokens(d), d.sides) for n, d in enumerate(documents)]
    key, response = (
        _FILES[form]([_WrittenSide(name, tokens, sides[index]) for name, tokens, sides in numbered])
        for index in (0, 1)
    )
    return key, response


def file_names(form: str) -> tuple[str, str]:
    """The names of the files of key and response."""
    return f"key.{_ENDINGS[form]}", f"response.{_ENDINGS[form]}"


def writable(probe: Probe, form: str) -> bool:
    """Whether a form can express the probe; CorefUD cannot express repeated mentions."""
    return form != "corefud" or not probe.copies


def _tokens(document: SmallDocument) -> int:
    ends = [end for side in document.sides for entity in side for _, end in entity]
    return max(ends, default=0) + 1


def _conll(sides: Sequence[_WrittenSide]) -> bytes:
    lines = []
    for name, tokens, entities in sides:
        cells: list[list[str]] = [[] for _ in range(tokens)]
        for entity, mentions in enumerate(entities):
            for start, end in mentions:
                if start == end:
                    cells[start].append(f"({entity})")
                else:
                    cells[start].append(f"({entity}")
                    cells[end].append(f"{entity})")
        lines.append(f"#begin document ({name}); part 000")
        for index, cell in enumerate(cells):
            lines.append(f"{name}\t0\t{index}\tw{index}\t{'|'.join(cell) or '-'}")
        lines += ["", "#end document"]
    return ("\n".join(lines) + "\n").encode()


def _jsonlines(sides: Sequence[_WrittenSide]) -> bytes:
    rows = (
        {
            "doc_key": side.name,
            "sentences": [[f"w{index}" for index in range(side.tokens)]],
            "speakers": [["-"] * side.tokens],
            "clusters": side.entities,
        }
        for side in sides
    )
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _lists(sides: Sequence[_WrittenSide]) -> bytes:
    return (json.dumps({side.name: side.entities for side in sides}) + "\n").encode()


def _corefud(sides: Sequence[_WrittenSide]) -> bytes:
    import numpy as np

    from corefkit.core.corpus import Corpus
    from corefkit.formats.kit.convert import Losses, write_as

    corpus = Corpus.from_clusters({side.name: side.entities for side in sides})
    corpus = replace(corpus, tokens=np.array([side.tokens for side in sides], dtype=np.int64))
    return write_as(corpus, "probe.conllu", "conllu", Losses()).files["probe.conllu"]


_FILES = {"conll": _conll, "jsonlines": _jsonlines, "lists": _lists, "corefud": _corefud}


def documents_text(documents: Iterable[SmallDocument]) -> str:
    """Documents in one line, separated by `;`: `{ab} {c} / {abc}`."""
    return "; ".join(document.text for document in documents)
