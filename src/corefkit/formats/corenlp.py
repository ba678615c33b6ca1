"""CoreNLP: JSON and XML. Sentences, and tokens in a sentence, count from 1; ends are excluded.

corenlp-json, X.json:
    {"sentences": [{"tokens": [{"word": "Ada"}, {"word": "slept"}]}],
     "corefs": {"1": [{"sentNum": 1, "startIndex": 1, "endIndex": 2}]}}
corenlp-xml, X.xml:
    <root><document><sentences><sentence><tokens><token><word>Ada</word></token></tokens></sentence>
    </sentences><coreference><coreference><mention><sentence>1</sentence><start>1</start>
    <end>2</end></mention></coreference></coreference></document></root>
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError
from corefkit.core.options import Reading
from corefkit.formats.format import IN_WORDS, Format, Look
from corefkit.formats.kit.building import reader, refused, whole_number
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.json import (
    ShapeError,
    decode_one,
    field_of,
    note_no_clusters,
    shape_told,
)
from corefkit.formats.kit.tree import read_tree, text_of

_FEATURES = ("lemma", "pos", "POS", "ner", "NER", "speaker", "Speaker", "sentiment")
_OF_MENTIONS = ("type", "number", "gender", "animacy")
_NONE = frozenset({"", "O", "PER0"})
"""The values for tokens that are not part of a name, and for text that is not dialogue."""


class _SentenceDraft(Draft):
    """A document in which mentions have a sentence and tokens of it."""

    def __init__(self, name: str | None, collector: Collector, sentences: list[list[str]]) -> None:
        lengths = [*map(len, sentences)]
        words = [word for sentence in sentences for word in sentence]
        super().__init__(name, collector, words=words, lengths=lengths)
        self._ends = [0, *accumulate(lengths)]

    def place(self, numbers: Sequence[int], line: int | None, entity: str, where: str) -> None:
        """Add the mention with these numbers of its sentence, first token, and token after it."""
        sentence, start, end = numbers
        run = -1, -1
        if 1 <= sentence < len(self._ends) and start >= 1:
            before, after = self._ends[sentence - 1 : sentence + 1]
            run = before + start - 1, before + end - 1 if before + end - 1 <= after else -1
        shown = f"sentence {sentence}, tokens {start} to {end} at {where}"
        self.mention(None, [run], line, entity=entity, shown=shown)


@reader
def parse_json(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one JSON file."""
    row = decode_one(data, collector).content
    with shape_told(collector, 1):
        sentences = _sentences(row)
        if row.get("corefs") is None:
            note_no_clusters(collector, 1, ["corefs"], row)
            raise DataError(collector)
        name = None if row.get("docId") is None else str(row["docId"])
        draft = _SentenceDraft(
            name,
            collector,
            [
                [str(t.get("originalText") or t.get("word", "")) for t in tokens]
                for tokens in sentences
            ],
        )
        for tokens in sentences:
            draft.unread.update(_features(tokens, _FEATURES))
        _add_chains(draft, row)
    return corpus_of(JSON.name, data, [draft], collector)


def _sentences(row: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The tokens of each sentence."""
    listed = []
    sentences = field_of(row, "sentences", list, expected="a list of sentences")
    for number, sentence in enumerate(sentences):
        where, expected = f"$.sentences[{number}]", "a list of tokens"
        tokens = field_of(sentence, "tokens", list, where, expected)
        if not all(isinstance(t, dict) for t in tokens):
            raise ShapeError(f"{where}.tokens", expected, tokens)
        listed.append(tokens)
    return listed


def _add_chains(draft: _SentenceDraft, row: dict[str, Any]) -> None:
    corefs = field_of(row, "corefs", dict, expected="an object with a list for each chain")
    for name, mentions in corefs.items():
        if not isinstance(mentions, list):
            raise ShapeError(f'$.corefs["{name}"]', "a list of mentions", mentions)
        for number, mention in enumerate(mentions):
            where = f'$.corefs["{name}"][{number}]'
            fields = ("sentNum", "startIndex", "endIndex")
            numbers: list[Any] = [*map(mention.get, fields)] if isinstance(mention, dict) else []
            if not numbers or not all(type(n) is int for n in numbers):
                raise ShapeError(where, "a mention with sentNum, startIndex, endIndex", mention)
            draft.place(numbers, None, name, where)
        draft.unread.update(_features(mentions, _OF_MENTIONS))


def _features(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Counter[str]:
    """How many of the rows have each feature."""
    return Counter(name for row in rows for name in names if str(row.get(name, "")) not in _NONE)


@reader
def parse_xml(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one XML file."""
    tree = read_tree(data, collector)
    document = tree.root if tree.root.tag == "document" else tree.root.find("document")
    chains = None if document is None else document.find("coreference")
    if document is None or chains is None:
        expected = "root/document/coreference"
        raise refused(collector, "clusters-missing", "corenlp", at=1, expected=expected)
    sentences = [
        [text_of(token.find("word")) for token in sentence.iter("token")]
        for sentence in document.iterfind("sentences/sentence")
    ]
    draft = _SentenceDraft(text_of(document.find("docId")).strip() or None, collector, sentences)
    for number, chain in enumerate(chains.iterfind("coreference")):
        for index, mention in enumerate(chain.iterfind("mention"), 1):
            texts = (text_of(mention.find(name)).strip() for name in ("sentence", "start", "end"))
            numbers = [whole_number(text) or 0 for text in texts]
            where = f"coreference {number + 1}, mention {index}"
            draft.place(numbers, tree.line[mention], str(number), where)
    for token in document.iter("token"):
        draft.unread.update(
            e.tag for e in token if e.tag in _FEATURES and text_of(e).strip() not in _NONE
        )
    return corpus_of(XML.name, data, [draft], collector)


_HOLDS = IN_WORDS | {"crossing"}


def _is_parsed(row: Mapping[str, Any]) -> bool:
    """Whether the first sentence is an object with tokens, as it is written without chains."""
    sentences = row.get("sentences")
    first = sentences[0] if isinstance(sentences, list) and sentences else None
    return isinstance(first, dict) and "tokens" in first and "coref_chains" not in row


JSON = Format(
    "corenlp-json",
    "CoreNLP JSON",
    parse_json,
    holds=_HOLDS,
    looks=(
        Look(keys="corefs"),
        Look(document=_is_parsed),
    ),
    suffixes=(".json",),
)
XML = Format(
    "corenlp-xml",
    "CoreNLP XML",
    parse_xml,
    holds=_HOLDS - {"singletons"},
    looks=(Look(begins=rb"<", near=rb"<root\b[^>]{0,500}>\s{0,500}<document\b"),),
    suffixes=(".xml",),
)
