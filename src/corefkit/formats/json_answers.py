"""Answers of language models in JSON: marked-up text in a field, or clusters of strings.

X.jsonl:
    {"doc_key": "tale", "response": "[Emma](#1) sold [her](#1) boat."}
    {"doc_key": "song", "clusters": [["Ada", "her"]], "text": "Ada said her say"}

The strings of clusters are searched for in the text of the row, or else in that of the key.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from corefkit.alignment.letters import Letters, letters_of
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, Incident, Place, errors
from corefkit.core.options import Reading, did_you_mean
from corefkit.core.source import ListedSource
from corefkit.core.texts import quote, shorten
from corefkit.core.tokens import document_text, document_words
from corefkit.formats.format import Format, Look
from corefkit.formats.kit.building import RawDocument, RawMention, make_corpus
from corefkit.formats.kit.json import JsonValue, ShapeError, decode, note_shape
from corefkit.formats.kit.model_json import (
    answer_fields,
    are_clusters,
    are_strings,
    broken_clusters,
    completed,
    has_answer,
    json_begin,
    mark_up,
    string_clusters,
    unpacked,
)
from corefkit.formats.kit.reading import broken_answer, settle_answers
from corefkit.formats.markup import LENIENT
from corefkit.formats.options import CLUSTERS, ReadOption
from corefkit.formats.registry import get_format

TEXT_FIELD = ReadOption(
    "text_field",
    "the field that contains the marked-up text.",
    "answer",
    formats="JSON answers",
    metavar="FIELD",
    responses=True,
)

NAME = "json-answers"
_NAMES = ("doc_key", "doc_id", "document_id", "custom_id", "id", "name")
_TEXT_FIELDS = ("text", "tokens", "words", "sentences")
"""The fields with the text of a document, in which the strings of clusters are searched for."""
_REPLY_FIELDS = frozenset({"choices", "object", "role", "candidates", "stop_reason"})
"""Fields of the replies of model servers: an `id` beside them is that of the reply."""
_SERVER_ID = re.compile(r"(?:chatcmpl|cmpl|gen|resp|msg|batch_req)[-_]\w{6}")
"""How model servers name a reply; no document has such a name."""

StringClusters = Sequence[Sequence[str]]


class _JsonAnswer(NamedTuple):
    """An answer, one row of a file.

    Attributes:
        name: the name of its document, if it has one.
        line: its line in the file.
        content: what the model answered.
        text: the text in which clusters are searched for, if the row has one.
        cut: the end of truncated JSON, whose complete clusters are in `content`.
    """

    name: str | None
    line: int
    content: "str | StringClusters"
    text: str | None
    cut: str = ""

    @property
    def is_bare(self) -> bool:
        """Whether the answer consists of clusters without a text."""
        return self.text is None and not isinstance(self.content, str)


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus of the answers; clusters without a text get that of the key later."""
    collector = Collector(path)
    answers = _cut_file(data, reading) or list(_answers(data, reading, collector))
    documents = settle_answers(
        (_document(answer, reading, path) for answer in answers), reading, collector
    )
    return _with_answers(make_corpus(NAME, data, documents, collector, "character"), answers)


@frozen(eq=False)
class AnswerSource(ListedSource):
    """A file of answers; `bare` maps documents to answers that are clusters without a text."""

    bare: Mapping[int, _JsonAnswer] = field(default_factory=dict)


def _with_answers(corpus: Corpus, answers: Sequence[_JsonAnswer]) -> Corpus:
    """The corpus, with a source that remembers the answers without a text."""
    (source,) = corpus.sources
    assert isinstance(source, ListedSource)
    bare = {n: answer for n, answer in enumerate(answers) if answer.is_bare}
    known = source.path, source.data, 0, len(answers), NAME, source.unnamed
    return replace(corpus, sources=(AnswerSource(*known, listed=source.listed, bare=bare),))


def _cut_file(data: bytes, reading: Reading) -> list[_JsonAnswer]:
    """The single answer of a file that is truncated JSON; empty if it is not."""
    text = data.decode("utf-8-sig", "replace").strip()
    clusters = broken_clusters(text)
    if not clusters:
        return []
    row = completed(text)
    name = _name(row) if isinstance(row, dict) else None
    return [_cut_answer(_JsonAnswer(name, 1, clusters, None), text, reading)]


def _cut_answer(answer: _JsonAnswer, text: str, reading: Reading) -> _JsonAnswer:
    """A truncated answer of clusters; without --read lenient=yes it loses all of them."""
    content = answer.content if reading.get("lenient") else []
    return answer._replace(content=content, cut=quote(text[-40:], 40))


def _answers(data: bytes, reading: Reading, collector: Collector) -> Iterator[_JsonAnswer]:
    values = _rows(data, reading, collector)
    rows = [value.content for value in values]
    named = reading.get("text_field")
    fields = [named] if named else _answer_fields(rows, reading.get("clusters"))
    if len(fields) > 1:
        collector.note("answer-field", "several", fields=", ".join(fields))
        return
    chosen = next(iter(fields), None)
    if named and rows and not any(_has(row, named) for row in rows):
        _note_unknown_field(collector, named, rows)
        return
    for value in values:
        row = value.content
        content = _at(row, chosen) if chosen else None
        if content is None and not named:
            content = string_clusters(row, reading.get("clusters"))
        if isinstance(content, str):
            content = unpacked(content)
        if content is None or not (isinstance(content, str) or are_clusters(content)):
            shown = _no_answer(row, chosen)
            if reading.role == "response" and len(values) > 1:
                collector.note("answer-broken", at=value.line, document=_name(row), found=shown)
                yield _JsonAnswer(_name(row), value.line, "", None)
            else:
                collector.note("answer-field", at=value.line, found=shown)
            continue
        cut = broken_clusters(content) if isinstance(content, str) else None
        if isinstance(content, str) and cut:
            answer = _JsonAnswer(_name(row), value.line, cut, _text(row, cut))
            yield _cut_answer(answer, content, reading)
            continue
        yield _JsonAnswer(_name(row), value.line, content, _text(row, content))


def _has(row: dict[str, Any], field: str) -> bool:
    """Whether a row has a field, perhaps within others, even if its value is null."""
    outer, _, name = field.rpartition(".")
    within = _at(row, outer) if outer else row
    return (
        field in row or _at(row, field) is not None or (isinstance(within, dict) and name in within)
    )


def _note_unknown_field(collector: Collector, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Report that no row has the field that was named."""
    names = list(dict.fromkeys(field for row in rows for field in row))
    nested = (field for row in rows for field in answer_fields(row))
    meant = did_you_mean(name, dict.fromkeys([*names, *nested]))
    shown = shorten(f"the fields {', '.join(names)}", 120)
    collector.note("answer-field", "unknown", name=quote(name), meant=meant, found=shown)


def _no_answer(row: dict[str, Any], field: str | None) -> str:
    """What a row has instead of an answer."""
    if field is None or not _has(row, field):
        shown = shorten(f"the fields {', '.join(row)}", 80)
        after = [n for n, text in row.items() if isinstance(text, str) and json_begin(text)]
        return f"{shown}; JSON begins after other text in {after[0]}" if after else shown
    value = _at(row, field)
    return f"{field} is {'null' if value is None else shorten(json.dumps(value), 60)}"


def _rows(data: bytes, reading: Reading, collector: Collector) -> list[JsonValue]:
    """The objects of a file; in a response that has some, other values are only broken answers."""
    problems = Collector(collector.file)
    rows = []
    for value in _values(data, problems):
        if isinstance(value.content, dict):
            rows.append(value)
        else:
            note_shape(problems, value.line, ShapeError("$", "an object", value.content))
    for incident in problems:
        forgiven = incident.severity == "error" and rows and reading.role == "response"
        collector.add(broken_answer([incident]) if forgiven else incident)
    return rows


def _values(data: bytes, collector: Collector) -> Iterator[JsonValue]:
    """The rows; a file that consists of clusters only is one row without a name."""
    text = data.decode("utf-8-sig", "replace").lstrip()
    bare = "" if text.startswith(("{", '"')) else unpacked(text)
    begin = json_begin(text)
    if not isinstance(bare, str):
        yield JsonValue({"clusters": bare}, 1)
    elif begin and text[begin - 1] != "\n":  # at the beginning of a line it is a row
        for incident in _json_errors(text, begin, collector.file):
            collector.add(incident)
    else:
        yield from decode(data, collector)


def _at(row: dict[str, Any], field: str) -> Any:
    """The value of a field, perhaps within others; None if it is missing.

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


def _answer_fields(rows: Sequence[dict[str, Any]], clusters: str | None) -> list[str]:
    """The fields that hold an answer in at least one row.

    JSON within other text counts only if no row has any other answer: a prompt may show an example.
    """
    found = dict.fromkeys(name for row in rows for name in answer_fields(row))
    if not found and all(string_clusters(row, clusters) is None for row in rows):
        found = dict.fromkeys(name for row in rows for name in answer_fields(row, chat=True))
    return [*found]


def _name(row: dict[str, Any]) -> str | None:
    known = [n for n in _NAMES if n != "id" or not _REPLY_FIELDS & row.keys()]
    names = (str(row[n]).strip() for n in known if isinstance(row.get(n), str | int))
    return next((name for name in names if not _SERVER_ID.match(name)), None) or None


def _text(row: dict[str, Any], content: "str | StringClusters") -> str | None:
    """The text of a row in which clusters are searched for: a text, words or sentences."""
    for name in _TEXT_FIELDS if not isinstance(content, str) else ():
        value = row.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value:
            lists = value if isinstance(value[0], list) else [value]
            return "\n".join(" ".join(map(str, words)) for words in lists)
    return None


def _document(
    answer: _JsonAnswer, reading: Reading, path: str
) -> tuple[RawDocument, list[Incident]]:
    """The document of an answer, and its incidents."""
    collector = Collector(path)
    if answer.cut:
        severity = "warning" if reading.get("lenient") else "error"
        place = Place(path, answer.line, document=answer.name, found=answer.cut)
        collector.note("json-syntax", "cut", at=place, severity=severity)
    if not isinstance(answer.content, str):
        if answer.text is None:  # `place_answers` takes that of the key
            return RawDocument(answer.name, [], answer.line, text=""), [*collector]
        return _placed(answer, answer.text, collector), [*collector]
    data = answer.content.encode("utf-8", "replace")
    form = mark_up(data)
    if form is None and (begin := json_begin(answer.content)) is not None:
        incidents = [
            replace(incident, line=answer.line, document=answer.name)
            for incident in _json_errors(answer.content, begin, path)
        ]
        return RawDocument(answer.name, [], answer.line, text=""), incidents
    corpus = get_format(form or "markdown").parse(data, path, replace(reading, role="key"))
    incidents = [
        replace(incident, line=answer.line, column=None, document=answer.name)
        for incident in corpus.incidents
    ]
    return _joined(corpus, answer), incidents


def _json_errors(content: str, begin: int, path: str | None) -> list[Incident]:
    """The errors of an answer that has JSON without clusters from a character on."""
    collector = Collector(path)
    blanks = re.sub(r"[^\n]", " ", content[:begin])
    for _ in decode(f"{blanks}{content[begin:]}".encode("utf-8", "replace"), collector):
        pass
    if not errors(collector):
        collector.note("answer-field", "json", found=quote(content[begin:], 80))
    elif begin:
        said = "the JSON begins after other text: {}".format
        return [replace(incident, message=said(incident.message)) for incident in collector]
    return [*collector]


def _joined(corpus: Corpus, answer: _JsonAnswer) -> RawDocument:
    """The document of an answer, in characters; lines that were read as documents are joined."""
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


def _placed(answer: _JsonAnswer, text: str, collector: Collector) -> RawDocument:
    """The document with the strings of an answer as mentions, at their places in a text.

    The mentions of a cluster are expected in text order: each is placed at the first free place
    after the previous one, or else at the first free place at all. Strings that could be elsewhere
    are reported; so are those that the text lacks, which are appended to it.
    """
    places = _StringPlaces(text)
    listed = [[letters_of(string).text for string in cluster] for cluster in answer.content]
    times = Counter(letters for cluster in listed for letters in cluster)
    taken: set[tuple[int, int]] = set()
    mentions: list[RawMention] = []
    extra, doubtful, absent = "", [], []
    for number, cluster in enumerate(answer.content):
        last = -1
        for string, letters in zip(cluster, listed[number], strict=True):
            if not letters:
                continue
            spans = places.of(string)
            free = [span for span in spans if span not in taken]
            span = next((s for s in free if s[0] > last), free[0] if free else None)
            in_others = any(letters in other for n, other in enumerate(listed) if n != number)
            if spans and (len(spans) > times[letters] or (in_others and len(spans) > 1)):
                doubtful.append(string)
            if span is None:
                begin = len(text) + len(extra) + 1
                extra += f"\n{string}"
                absent.append(string)
                mentions.append(
                    RawMention(begin, begin + len(string) - 1, str(number), answer.line)
                )
                continue
            taken.add(span)
            last = span[0]
            mentions.append(RawMention(*span, str(number), answer.line))
    for kind, strings in (("answer-ambiguous", doubtful), ("answer-absent", absent)):
        if strings:
            shown = ", ".join(quote(string, 30) for string in dict.fromkeys(strings))
            collector.note(
                kind,
                at=answer.line,
                document=answer.name,
                number=len(strings),
                all=sum(map(len, answer.content)),
                found=shorten(shown, 120),
            )
    return RawDocument(answer.name, mentions, answer.line, text=text + extra)


class _StringPlaces:
    """The places of strings in a text, compared without blanks, case and kinds of quotes.

    >>> _StringPlaces("Emma 's boat. She ca n't sail").of("Emma\u2019s boat")
    [(0, 11)]
    >>> _StringPlaces("There, she waits for Mr. X.").of("her")
    []
    >>> _StringPlaces("There, she waits for Mr. X.").of("Mr X")
    [(21, 25)]
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._letters = letters_of(text)

    def of(self, string: str) -> list[tuple[int, int]]:
        """The first and last character of each place of a string, in order.

        A place begins and ends at a word boundary. If there is none, punctuation is ignored.
        """
        return self._places(self._letters, letters_of(string)) or self._places(
            self._words, _without_signs(letters_of(string))
        )

    @cached_property
    def _words(self) -> Letters:
        return _without_signs(self._letters)

    def _places(self, letters: Letters, wanted: Letters) -> list[tuple[int, int]]:
        places, size = [], len(wanted)
        at = letters.text.find(wanted.text) if size else -1
        while at >= 0:
            first, last = int(letters.origin[at]), int(letters.origin[at + size - 1])
            if self._is_boundary(first) and self._is_boundary(last + 1):
                places.append((first, last))
            at = letters.text.find(wanted.text, at + 1)
        return places

    def _is_boundary(self, at: int) -> bool:
        """Whether a word may begin at a character, or end right before it."""
        around = self._text[max(at - 1, 0) : at + 1]
        return len(around) < 2 or at == 0 or not _WITHIN_WORD.fullmatch(around)


_WITHIN_WORD = re.compile(
    r"[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{2}"
)
"""Two characters of a word, in scripts that separate words by blanks."""


def _without_signs(letters: Letters) -> Letters:
    kept = np.fromiter(map(str.isalnum, letters.text), dtype=bool, count=len(letters))
    text = "".join(letter for letter, keep in zip(letters.text, kept, strict=True) if keep)
    return Letters(text, letters.origin[kept])


def place_answers(key: Corpus, answers: Corpus) -> Corpus:
    """The answers, with clusters that lack a text placed in that of the key.

    Ambiguous and absent strings are among the incidents.
    """
    bare = {
        source.first_document + number: answer
        for source in answers.sources
        if isinstance(source, AnswerSource)
        for number, answer in source.bare.items()
    }
    if not bare:
        return answers
    number = {name: index for index, name in enumerate(key.names)}
    collector = Collector(answers.path)
    documents = []
    for document, (name, rows) in enumerate(
        zip(answers.names, answers.rows_of_documents(), strict=True)
    ):
        if document in bare and name in number:
            problems = Collector(answers.path)
            made = _placed(bare[document], _text_of_key(key, number[name]), problems)
            for incident in problems:
                collector.add(replace(incident, document=name))
        else:
            text = document_text(answers, document) or ""
            line = answers.document_place(document).line or 1
            mentions = [_raw(answers, row) for row in rows.tolist()]
            made = RawDocument(name, mentions, line, text=text)
        documents.append(replace(made, name=name))
    placed = make_corpus(NAME, b"", documents, collector, "character")
    return replace(placed, incidents=(*answers.incidents, *placed.incidents))


def _raw(corpus: Corpus, row: int) -> RawMention:
    label = corpus.labels[int(corpus.entity[row])]
    return RawMention(int(corpus.start[row]), int(corpus.end[row]), label, int(corpus.line[row]))


def _text_of_key(key: Corpus, document: int) -> str:
    if key.unit == "character":
        return document_text(key, document) or ""
    return " ".join(document_words(key)[document])


def _has_clusters(row: Mapping[str, Any]) -> bool:
    return any(are_strings(row.get(name)) for name in ("clusters", "predicted_clusters"))


def _is_answer(head: bytes, row: Mapping[str, Any] | None) -> bool:
    """Whether the first bytes of a file hold an answer, and are not running text in brackets."""
    if row is None:
        return has_answer(head) and b"](#" not in head
    return has_answer(head) or bool(answer_fields(row, chat=True))


FORMAT = Format(
    name=NAME,
    title="JSON with answers of language models: mark-up in a field, or clusters of strings",
    parse=parse,
    unit="character",
    holds=frozenset({"singletons", "text", "names", "crossing"}),
    looks=(
        Look(document=_has_clusters),
        Look(head=_is_answer),
    ),
    suffixes=(".jsonl", ".json"),
    options=(LENIENT, TEXT_FIELD, CLUSTERS),
    answers=True,
    place_answers=place_answers,
)
