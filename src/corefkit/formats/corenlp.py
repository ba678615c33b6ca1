"""CoreNLP: JSON and XML. Sentences, and tokens in a sentence, count from 1; ends are excluded."""

from collections import Counter
from itertools import accumulate
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.kit import building
from corefkit.formats.kit.building import RawDocument, RawMention
from corefkit.formats.kit.json import ShapeError, decode, field_of, note_no_clusters, note_shape
from corefkit.formats.kit.xml import ElementListener, walk
from corefkit.formats.registry import IN_WORDS, Format

RawChains = list[tuple[str, list[tuple[str, list[Any]]]]]
"""The id of each chain, and (path, [sentence, start, end]) of its mentions."""


def parse_json(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one JSON file."""
    collector = Collector(path)
    values = list(decode(data, collector))
    if len(values) != 1 or not isinstance(values[0].content, dict):
        if not collector.full("json-syntax") and len(values) != 1:
            note_shape(
                collector,
                1,
                ShapeError("$", "one object; several documents belong in several files"),
            )
        return building.nothing(collector)
    row = values[0].content
    try:
        sentences = _sentences(row)
        if row.get("corefs") is None:
            note_no_clusters(collector, 1, ["corefs"], row)
            return building.nothing(collector)
        chains = _chains(row)
    except ShapeError as error:
        note_shape(collector, 1, error)
        return building.nothing(collector)
    name = None if row.get("docId") is None else str(row["docId"])
    document = _document(name, sentences, chains, collector)
    return building.make_corpus(JSON.name, data, [document], collector)


def _sentences(row: dict[str, Any]) -> list[list[str]]:
    sentences = field_of(row, "sentences", list, expected="a list of sentences")
    words = []
    for number, sentence in enumerate(sentences):
        where, expected = f"$.sentences[{number}]", "a list of tokens"
        tokens = field_of(sentence, "tokens", list, where, expected)
        if not all(isinstance(t, dict) for t in tokens):
            raise ShapeError(f"{where}.tokens", expected, tokens)
        words.append([str(t.get("originalText") or t.get("word", "")) for t in tokens])
    return words


def _chains(row: dict[str, Any]) -> RawChains:
    corefs = field_of(row, "corefs", dict, expected="an object with a list for each chain")
    chains: RawChains = []
    for name, mentions in corefs.items():
        if not isinstance(mentions, list):
            raise ShapeError(f'$.corefs["{name}"]', "a list of mentions", mentions)
        chain = []
        for place, mention in enumerate(mentions):
            where = f'$.corefs["{name}"][{place}]'
            fields = ("sentNum", "startIndex", "endIndex")
            numbers = [mention.get(f) for f in fields] if isinstance(mention, dict) else []
            if not numbers or not all(type(n) is int for n in numbers):
                raise ShapeError(where, "a mention with sentNum, startIndex, endIndex", mention)
            chain.append((where, numbers))
        chains.append((name, chain))
    return chains


def _document(
    name: str | None, sentences: list[list[str]], chains: RawChains, collector: Collector
) -> RawDocument:
    lengths = [len(sentence) for sentence in sentences]
    begins = [0, *accumulate(lengths)]
    mentions = []
    for label, chain in chains:
        for where, (sentence, start, end) in chain:
            if not (
                1 <= sentence <= len(lengths) and 1 <= start < end <= lengths[sentence - 1] + 1
            ):
                shown = f"sentence {sentence}, tokens {start} to {end} at {where}"
                building.note_outside(collector, None, shown, begins[-1])
                continue
            first = begins[sentence - 1]
            mentions.append(RawMention(first + start - 1, first + end - 2, label))
    words = [word for sentence in sentences for word in sentence]
    return RawDocument(name, mentions, words=words, lengths=lengths)


def parse_xml(data: bytes, path: str, reading: Reading) -> Corpus:
    """The document of one XML file."""
    collector = Collector(path)
    reader = _CoreNlpReader()
    if not walk(data, reader, collector):
        return building.nothing(collector)
    if not reader.has_coreference:
        collector.note("clusters-missing", "corenlp", at=1, expected="root/document/coreference")
        return building.nothing(collector)
    document = _document(reader.name, reader.sentences, reader.chains, collector)
    return building.make_corpus(XML.name, data, [document], collector)


class _CoreNlpReader(ElementListener):
    """Collects words and chains, and counts features of tokens."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.sentences: list[list[str]] = []
        self.chains: RawChains = []
        self.has_coreference = False
        self.unread: Counter[str] = Counter()

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        if path[-2:] == ["sentences", "sentence"]:
            self.sentences.append([])
        elif path[-3:] == ["document", "coreference", "coreference"]:
            self.chains.append((str(len(self.chains)), []))
        elif path[-2:] == ["document", "coreference"]:
            self.has_coreference = True
        elif path[-2:] == ["coreference", "mention"] and self.chains:
            chain = self.chains[-1]
            place = f"coreference {len(self.chains)}, mention {len(chain[1]) + 1}"
            chain[1].append((place, [0, 0, 0]))

    def end(self, path: list[str], text: str) -> None:
        if path[-2:] == ["token", "word"] and self.sentences:
            self.sentences[-1].append(text)
        elif path[-2:-1] == ["token"]:
            self.unread[path[-1]] += path[-1] in _FEATURES and text.strip() not in _NONE
        elif path[-2:] == ["document", "docId"]:
            self.name = text.strip() or None
        elif path[-2:-1] == ["mention"] and self.chains and self.chains[-1][1]:
            at = {"sentence": 0, "start": 1, "end": 2}.get(path[-1])
            if at is not None and text.strip().isdecimal() and len(text) < 19:
                self.chains[-1][1][-1][1][at] = int(text)


_FEATURES = ("lemma", "pos", "POS", "ner", "NER", "speaker", "Speaker", "sentiment")
_OF_MENTIONS = ("type", "number", "gender", "animacy")
_NONE = frozenset({"", "O", "PER0"})
"""The values for tokens that are not part of a name, and for text that is not dialogue."""


def count_json(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many features of tokens, and of mentions, are not read."""
    del reading
    numbers: Counter[str] = Counter()
    for document in [value.content for value in decode(data, Collector(path))]:
        tokens = [token for sentence in document["sentences"] for token in sentence["tokens"]]
        mentions = [mention for chain in document["corefs"].values() for mention in chain]
        for listed, names in ((tokens, _FEATURES), (mentions, _OF_MENTIONS)):
            numbers.update(
                name for row in listed for name in names if str(row.get(name, "")) not in _NONE
            )
    return dict(numbers)


def count_xml(data: bytes, path: str, reading: Reading) -> dict[str, int]:
    """How many features of tokens are not read."""
    del reading
    reader = _CoreNlpReader()
    walk(data, reader, Collector(path))
    return dict(+reader.unread)


_HOLDS = IN_WORDS | {"crossing"}
JSON = Format(
    "corenlp-json",
    "CoreNLP JSON",
    parse_json,
    holds=_HOLDS,
    suffixes=(".json",),
    count_unread=count_json,
)
XML = Format(
    "corenlp-xml",
    "CoreNLP XML",
    parse_xml,
    holds=_HOLDS - {"singletons"},
    suffixes=(".xml",),
    count_unread=count_xml,
)
