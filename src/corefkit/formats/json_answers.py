"""Answers of language models in JSON: marked-up text in a field, or clusters of strings.

`{"doc_key": "tale", "response": "[Emma](#1) sold [her](#1) boat."}`, or
`{"doc_key": "tale", "clusters": [["Emma", "her"]]}`, whose strings are looked for in the text of
the row, else in that of the key.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, errors
from corefkit.core.options import Reading
from corefkit.core.source import ListedSource
from corefkit.core.texts import quote, shorten
from corefkit.core.tokens import document_text, document_words
from corefkit.formats._kit.building import RawDocument, RawMention, make_corpus
from corefkit.formats._kit.detection import (
    MARKED,
    TEXT_FIELDS,
    mark_up,
    marked_fields,
    string_clusters,
    unfenced,
)
from corefkit.formats._kit.json import JsonValue, ShapeError, decode, note_shape
from corefkit.formats._kit.reading import broken_answer
from corefkit.formats.registry import Format, get_format

NAME = "json-answers"
_NAMES = ("doc_key", "doc_id", "document_id", "id", "name")
_WORDS = re.compile(r"\w+|[^\w\s]")

StringClusters = Sequence[Sequence[str]]


class _JsonAnswer(NamedTuple):
    """One row: its name, its line, and what the model said."""

    name: str | None
    line: int
    said: "str | StringClusters"
    text: str | None

    @property
    def is_bare(self) -> bool:
        """Whether it is clusters without a text."""
        return self.text is None and not isinstance(self.said, str)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus of the answers; those with clusters have a text, or get one of the key."""
    found = Collector(path)
    answers = list(_answers(data, reading, found))
    several = len(answers) > 1 and reading.role == "response"
    documents = [_document(answer, reading, found, path, several=several) for answer in answers]
    return _with_answers(make_corpus(NAME, data, documents, found, "character"), answers)


@frozen(eq=False)
class AnswerSource(ListedSource):
    """A file of answers, with those that are clusters without a text, by the document."""

    bare: Mapping[int, _JsonAnswer] = field(default_factory=dict)


def _with_answers(corpus: Corpus, answers: Sequence[_JsonAnswer]) -> Corpus:
    """The corpus whose source remembers what has no place yet."""
    (source,) = corpus.sources
    assert isinstance(source, ListedSource)
    bare = {n: one for n, one in enumerate(answers) if one.is_bare}
    known = source.path, source.data, 0, len(answers), NAME, source.unnamed
    return replace(corpus, sources=(AnswerSource(*known, listed=source.listed, bare=bare),))


def _answers(data: bytes, reading: Reading, found: Collector) -> Iterator[_JsonAnswer]:
    values = list(_values(data, found))
    rows = [value.content for value in values if isinstance(value.content, dict)]
    fields = [reading.text_field] if reading.text_field else _marked_fields(rows)
    if len(fields) > 1:
        found.note("answer-field", "several", fields=", ".join(fields))
        return
    chosen = next(iter(fields), None)
    for value in values:
        row = value.content
        if not isinstance(row, dict):
            note_shape(found, value.line, ShapeError("$", "an object", row))
            continue
        said = _at(row, chosen) if chosen else None
        if said is None and not reading.text_field:
            said = string_clusters(row, reading.clusters)
        if isinstance(said, str):
            said = _unpacked(said)
        if said is None or not (isinstance(said, str) or _is_clusters(said)):
            shown = shorten(f"the fields {', '.join(row)}", 80)
            if reading.role == "response" and len(values) > 1:
                found.note("answer-broken", at=value.line, document=_name(row), found=shown)
                yield _JsonAnswer(_name(row), value.line, "", None)
            else:
                found.note("answer-field", at=value.line, found=shown)
            continue
        yield _JsonAnswer(_name(row), value.line, said, _text(row, said))


def _values(data: bytes, found: Collector) -> Iterator[JsonValue]:
    """The rows; a file that is nothing but clusters is one row without a name."""
    text = data.decode("utf-8-sig", "replace").lstrip()
    bare = _unpacked(text) if text.startswith("[") else ""
    if not isinstance(bare, str):
        yield JsonValue({"clusters": bare}, 1, 0)
    else:
        yield from decode(data, found)


def _at(row: dict[str, Any], field: str) -> Any:
    """The value of a field, perhaps within others; None where there is none.

    >>> _at({"choices": [{"message": {"content": "[Emma](#1)"}}]}, "choices.0.message.content")
    '[Emma](#1)'
    """
    if field in row:
        return row[field]
    value: Any = row
    for step in field.split("."):
        if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _marked_fields(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The fields that hold mark-up in some row."""
    return list(dict.fromkeys(name for row in rows for name in marked_fields(row)))


def _unpacked(said: str) -> "str | StringClusters":
    """The clusters that a text is, in a fence or not; any other text as it is."""
    import json

    inner = unfenced(said.encode("utf-8", "replace")).decode("utf-8", "replace").strip()
    if inner[:1] not in ("[", "{"):
        return inner
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return inner
    clusters = string_clusters(value) if isinstance(value, dict) else value
    return clusters if clusters is not None and _is_clusters(clusters) else inner


def _is_clusters(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(cluster, list) and all(isinstance(text, str) for text in cluster)
        for cluster in value
    )


def _name(row: dict[str, Any]) -> str | None:
    name = next((row[n] for n in _NAMES if isinstance(row.get(n), str | int)), None)
    return None if name is None else str(name).strip() or None


def _text(row: dict[str, Any], said: "str | StringClusters") -> str | None:
    """The text of a row in which clusters are looked for: running text, words or sentences."""
    for name in TEXT_FIELDS if not isinstance(said, str) else ():
        value = row.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value:
            lists = value if isinstance(value[0], list) else [value]
            return "\n".join(" ".join(map(str, words)) for words in lists)
    return None


def _document(
    answer: _JsonAnswer, reading: Reading, found: Collector, path: str, *, several: bool
) -> RawDocument:
    if not isinstance(answer.said, str):
        if answer.text is None:  # it gets that of the key, in `place_answers`
            return RawDocument(answer.name, [], answer.line, text="")
        return _placed(answer, answer.text, found)
    form = mark_up(answer.said.encode("utf-8", "replace"))
    corpus = get_format(form if form in MARKED else "markdown").parse(
        answer.said.encode("utf-8", "replace"), path, reading
    )
    document = _joined(corpus, answer)
    incidents = [replace(i, line=answer.line, column=None) for i in corpus.incidents]
    if several and errors(incidents):
        found.add(replace(broken_answer(errors(incidents)), document=answer.name))
        return replace(document, mentions=[])
    for incident in incidents:
        found.add(replace(incident, document=answer.name))
    return document


def _joined(corpus: Corpus, answer: _JsonAnswer) -> RawDocument:
    """The document of an answer in characters; lines that are documents are joined."""
    words = document_words(corpus) if corpus.unit == "token" else []
    texts: list[str] = []
    mentions: list[RawMention] = []
    size = 0
    for document, rows in enumerate(corpus.rows_of_documents()):
        begins, text = None, document_text(corpus, document) if not words else None
        if text is None:
            text = " ".join(words[document])
            begins = [m.start() for m in re.finditer(r"\S+", text)]
        for row in rows.tolist():
            start, end = int(corpus.start[row]), int(corpus.end[row])
            if begins is not None:
                start, end = begins[start], begins[end] + len(words[document][end]) - 1
            label = corpus.labels[int(corpus.entity[row])]
            mentions.append(RawMention(size + start, size + end, label, answer.line))
        texts.append(text)
        size += len(text) + 1
    return RawDocument(answer.name, mentions, answer.line, text="\n".join(texts))


def _placed(answer: _JsonAnswer, text: str, found: Collector) -> RawDocument:
    """Strings where they stand in a text; what is not in it follows its end, and has no place.

    The mentions of a cluster come in the order of the text: each is at the first place after the
    one before it, else at the first that no mention of this text has. Those that could stand
    elsewhere are counted and reported.
    """
    places = _StringPlaces(text)
    listed = [[_letters(string) for string in cluster] for cluster in answer.said]
    times: dict[tuple[str, ...], int] = {}
    for own in (letters for cluster in listed for letters in cluster):
        times[own] = times.get(own, 0) + 1
    taken: set[tuple[int, int]] = set()
    mentions: list[RawMention] = []
    extra, doubtful = "", []
    for number, cluster in enumerate(answer.said):
        last = -1
        for string, letters in zip(cluster, listed[number], strict=True):
            if not letters:
                continue
            spans = places.of(letters)
            free = [span for span in spans if span not in taken]
            span = next((s for s in free if s[0] > last), free[0] if free else None)
            in_others = any(letters in other for n, other in enumerate(listed) if n != number)
            if spans and (len(spans) > times[letters] or (in_others and len(spans) > 1)):
                doubtful.append(string)
            if span is None:
                begin = len(text) + len(extra) + 1
                extra += f"\n{string}"
                mentions.append(
                    RawMention(begin, begin + len(string) - 1, str(number), answer.line)
                )
                continue
            taken.add(span)
            last = span[0]
            mentions.append(RawMention(*span, str(number), answer.line))
    if doubtful:
        shown = ", ".join(quote(one, 30) for one in dict.fromkeys(doubtful))
        found.note(
            "answer-ambiguous",
            at=answer.line,
            document=answer.name,
            number=len(doubtful),
            all=sum(map(len, answer.said)),
            found=shorten(shown, 120),
        )
    return RawDocument(answer.name, mentions, answer.line, text=text + extra)


def _letters(text: str) -> tuple[str, ...]:
    """The words and signs of a text as they are compared."""
    return tuple(word.casefold() for word in _WORDS.findall(text))


class _StringPlaces:
    """Where words stand in a text."""

    def __init__(self, text: str) -> None:
        self._found = list(_WORDS.finditer(text))
        self._words = [word[0].casefold() for word in self._found]
        self._at: dict[str, list[int]] = {}
        for place, word in enumerate(self._words):
            self._at.setdefault(word, []).append(place)

    def of(self, words: tuple[str, ...]) -> list[tuple[int, int]]:
        """The first and last character of each place, in order."""
        size = len(words)
        return [
            (self._found[at].start(), self._found[at + size - 1].end() - 1)
            for at in self._at.get(words[0], ())
            if tuple(self._words[at : at + size]) == words
        ]


def place_answers(key: Corpus, answers: Corpus) -> Corpus:
    """The answers, those of clusters without a text on the text of the key; what is ambiguous is
    among the incidents.
    """
    bare = {
        source.first_document + number: answer
        for source in answers.sources
        if isinstance(source, AnswerSource)
        for number, answer in source.bare.items()
    }
    if not bare:
        return answers
    number = {name: place for place, name in enumerate(key.names)}
    found = Collector(answers.path)
    documents = []
    for document, (name, rows) in enumerate(
        zip(answers.names, answers.rows_of_documents(), strict=True)
    ):
        if document in bare and name in number:
            made = _placed(bare[document], _text_of_key(key, number[name]), found)
        else:
            text = document_text(answers, document) or ""
            made = RawDocument(name, [_raw(answers, row) for row in rows.tolist()], text=text)
        documents.append(replace(made, name=name))
    return make_corpus(NAME, b"", documents, found, "character")


def _raw(corpus: Corpus, row: int) -> RawMention:
    label = corpus.labels[int(corpus.entity[row])]
    return RawMention(int(corpus.start[row]), int(corpus.end[row]), label, int(corpus.line[row]))


def _text_of_key(key: Corpus, document: int) -> str:
    if key.unit == "character":
        return document_text(key, document) or ""
    return " ".join(document_words(key)[document])


FORMAT = Format(
    name=NAME,
    title="JSON with answers of language models: mark-up in a field, or clusters of strings",
    parse=parse,
    unit="character",
    holds=frozenset({"singletons", "text", "names", "crossing"}),
    suffixes=(".jsonl", ".json"),
    options=("lenient", "text_field", "clusters"),
    answers=True,
    place_answers=place_answers,
)
