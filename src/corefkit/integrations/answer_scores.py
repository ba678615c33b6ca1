"""Answers of a language model inside an evaluation framework: scored one at a time, then added up.

A framework asks one question per document, passes on one answer at a time, and wants one figure in
the end. The CoNLL average of a corpus is not the mean over its documents, so the counts of each
answer are kept; `total` adds them. An answer that cannot be read, or whose text is not that of the
key, is a failure: it counts as a document without mentions.

>>> (question,) = questions("examples/language-model/key.conll")
>>> scorer = AnswerScorer("mentions,conll")
>>> answer = scorer.score(question["key"], "[Mrs. Okafor](#1) sold [the old ferry](#2)")
>>> answer.counts["mentions"], answer.truncated, answer.failure
([2, 10, 2, 2], True, None)
>>> scorer.score(question["key"], "I cannot do that.").failure
'text-differs: the text is not that of the key: it covers 0.7 % of its characters'
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import count
from typing import Any

import numpy as np

from corefkit.alignment.placement import place
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, Number, add
from corefkit.core.incidents import DataError, errors
from corefkit.core.options import UsageError, refuse_levels
from corefkit.formats import read, registry
from corefkit.formats.options import make_reading
from corefkit.metrics.base import Metrics
from corefkit.scorers import make_options
from corefkit.scorers.comparison import Readable
from corefkit.scorers.signature import parse_signature, signature
from corefkit.scoring.run import score as score_corpora
from corefkit.scoring.scores import Scores

__all__ = ["AnswerScorer", "ScoredAnswer", "figures", "questions", "total"]

_INSTRUCTIONS = {
    "markdown": "Write each mention as a link to the number of its entity: [her](#1).",
    "tags": 'Put each mention into a tag with the number of its entity: <coref id="1">her</coref>.',
}
_GENERAL = (
    "Mentions of the same person, thing or event have the same number; mentions may nest. "
    "Answer with the whole text and nothing else: do not change, add or leave out a word."
)
_NOT_ONE = "text-differs: the answer is empty, or it has several documents"


def questions(key: Readable, format: str = "markdown") -> list[dict[str, str]]:
    """One question per document of a key: `document`, `text`, `prompt`, `gold` and `key`.

    `prompt` asks for the text with mentions marked in the format, markdown or tags. `gold` is the
    correct answer; it is empty where mentions cross, which marks cannot express. `key` is the
    document with its clusters as a line of JSON, for `AnswerScorer.score`.

    Raises DataError where the key cannot be read or has no words.
    """
    if format not in _INSTRUCTIONS:
        known = ", ".join(_INSTRUCTIONS)
        raise UsageError(f"format: there are prompts for {known}, not for {format!r}")
    corpus = key if isinstance(key, Corpus) else read(key)
    return [_question(record, format) for record in corpus.to_records("e2e")]


def _question(record: Mapping[str, Any], format: str) -> dict[str, str]:
    text = "\n".join(" ".join(words) for words in record["sentences"])
    key = {name: record[name] for name in ("doc_key", "sentences", "clusters")}
    write = registry.get_format(format).write
    assert write is not None
    written = write(Corpus.from_records([key], format="e2e"), "gold")
    complete = all(incident.id != "mentions-cross" for incident in written.incidents)
    gold = "".join(data.decode() for data in written.files.values()) if complete else ""
    return {
        "document": record["doc_key"],
        "text": text,
        "prompt": f"{_INSTRUCTIONS[format]} {_GENERAL}\n\n{text}",
        "gold": gold,
        "key": json.dumps(key, ensure_ascii=False),
    }


@frozen(eq=False)
class ScoredAnswer:
    """The record of one answer, with all that the sum and a reader of the log need.

    Attributes:
        document: the name of the document in the key.
        signature: the signature of its scores.
        counts: metric → counts, as in `Scores.counts`.
        characters: how many characters of the key are in the answer, and how many the key has.
        truncated: whether the text breaks off.
        mentions: the number of mentions in the answer; 0 for a failure.
        unaligned: the texts of mentions that have no place in the key.
        warnings: other problems, one line each.
        failure: why it counts as a document without mentions; None for an answer that was read.
    """

    document: str
    signature: str
    counts: Mapping[str, list[Number]]
    characters: tuple[int, int]
    truncated: bool
    mentions: int
    unaligned: tuple[str, ...]
    warnings: tuple[str, ...]
    failure: str | None

    @property
    def coverage(self) -> float:
        """The share of the key's characters that are in the answer."""
        aligned, characters = self.characters
        return aligned / characters if characters else 1.0

    def f1(self) -> dict[str, float]:
        """F1 of each metric in this document alone."""
        return {name: float(score.f1) for name, score in total([self]).items()}

    def to_dict(self) -> dict[str, Any]:
        """The record as a dict for a log; `from_dict` reads it."""
        return {**asdict(self), "coverage": self.coverage}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> "ScoredAnswer":
        """The record in a log; UsageError where it is not one."""
        try:
            return cls(
                document=row["document"],
                signature=row["signature"],
                counts={metric: list(numbers) for metric, numbers in row["counts"].items()},
                characters=(row["characters"][0], row["characters"][1]),
                truncated=row["truncated"],
                mentions=row["mentions"],
                unaligned=tuple(row["unaligned"]),
                warnings=tuple(row["warnings"]),
                failure=row["failure"],
            )
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise UsageError(f"this is not an answer that corefkit scored: {error!r}") from None


class AnswerScorer:
    """Scores single answers; metrics, profile and policies are those of `corefkit.score`.

    `format` is that of the answers: markdown, tags, seq2seq, text2text or json-answers. With
    `lenient`, a broken mark is dropped instead of making the answer a failure.
    """

    def __init__(
        self,
        metrics: Metrics | None = None,
        profile: str = "standard",
        *,
        format: str = "markdown",
        lenient: bool = False,
        **policies: Any,
    ) -> None:
        self.options = make_options(metrics, profile, **policies)
        refuse_levels(self.options, "answers are scored one by one")
        if needy := next(iter(self.options.applications), None):
            raise UsageError(f"{needy} needs tags, which files have: use corefkit.score")
        self._format = registry.get_format(format)
        if not self._format.answers:
            known = ", ".join(n for n in registry.format_names() if registry.get_format(n).answers)
            raise UsageError(f"format: {format!r} is not a format of answers; choose from {known}")
        self._how: dict[str, Any] = {"metrics": metrics, "profile": profile, **policies}
        self._reading = make_reading(format=format, lenient=lenient, role="response")

    def score(self, key: str | Mapping[str, Any], answer: str) -> ScoredAnswer:
        """Score the answer to one question; `key` is that of `questions`.

        Every answer is scored; DataError means that the key is wrong.
        """
        record = json.loads(key) if isinstance(key, str) else key
        key_corpus = Corpus.from_records([record], format="e2e")
        name = key_corpus.names[0]
        response = self._read(answer, key_corpus)
        failure = None if response.sources else _NOT_ONE
        try:
            if broken := errors(response.incidents):
                raise DataError(broken)
            scores = score_corpora(key_corpus, response, **self._how)
        except DataError as error:
            first = errors(error.incidents)[0]
            failure = f"{first.id}: {first.message}"
            response = response.take(np.zeros(response.mentions, dtype=bool))
            empty = Corpus.from_clusters({name: []})
            scores = score_corpora(key_corpus, empty, **self._how)  # Fails if the key is wrong.
        placed = place(response, key_corpus)
        alignment = placed.alignments[name]
        incidents = dict.fromkeys((*response.incidents, *scores.incidents))
        return ScoredAnswer(
            document=name,
            signature=signature(scores.options),
            counts={m: [c.item() for c in table] for m, table in scores.counts.tables.items()},
            characters=(len(alignment.key), int(alignment.size.sum())),
            truncated=failure is None and alignment.truncated,
            mentions=response.mentions,
            unaligned=tuple(placed.lost_texts.values()),
            warnings=tuple(
                f"{incident.id}: {incident.message}"
                for incident in incidents
                if incident.severity == "warning" and incident.id != "mention-unaligned"
            ),
            failure=failure,
        )

    def _read(self, answer: str, key: Corpus) -> Corpus:
        """The answer as a corpus of one document, with the name of that of the key.

        It has no source where the answer is not one document. Errors are among its incidents.
        """
        text = answer
        if self._format.unit == "token":
            text = " ".join(answer.split())  # In these formats a line is a document.
        corpus = registry.parse(text.encode(errors="replace"), "answer", self._reading)
        incidents = tuple(i for i in corpus.incidents if i.id != "format-differs")
        if len(corpus.names) != 1 or not answer.strip():
            empty = Corpus.from_clusters({key.names[0]: []})
            return replace(empty, unit="character", incidents=incidents)
        corpus = replace(corpus, names=key.names, incidents=incidents)
        if self._format.place_answers and not errors(incidents):
            corpus = self._format.place_answers(key, corpus)
        return replace(corpus, incidents=tuple(dict.fromkeys((*incidents, *corpus.incidents))))


def total(answers: Iterable[ScoredAnswer]) -> Scores:
    """The scores of all answers together, from the sums of their counts.

    They are those of `corefkit.score` for a folder with the same answers. Raises UsageError where
    there are no answers, or where they were scored in different ways.
    """
    listed = list(answers)
    if len(signatures := {answer.signature for answer in listed}) != 1:
        problem = (
            "were not all scored in the same way" if listed else "are missing: give at least one"
        )
        raise UsageError(f"answers to be added {problem}")
    counts = sum_counts((answer.counts for answer in listed), [a.document for a in listed])
    aligned, characters = (sum(answer.characters[side] for answer in listed) for side in (0, 1))
    coverage = aligned / characters if characters else 1.0
    return Scores(parse_signature(signatures.pop())[0], counts, coverage=coverage)


def sum_counts(
    rows: Iterable[Mapping[str, Sequence[Number]]], documents: Iterable[str] | None = None
) -> Counts:
    """The counts of answers as one table; its rows are named after documents, or numbered."""
    names = map(str, count()) if documents is None else documents
    return add(
        Counts((name,), {m: tuple(np.array([x]) for x in row) for m, row in counts.items()})
        for name, counts in zip(names, rows, strict=False)
    )


def figures(answers: Iterable[ScoredAnswer]) -> dict[str, float]:
    """The figures of all answers for a log: scores, named as in `Scores.flat`, and losses.

    `coverage` is the share of the key's characters that are in the answers; `failures` and
    `truncated` count answers, `unaligned` counts mentions.
    """
    listed = list(answers)
    scores = total(listed)
    return {
        **scores.flat(),
        "coverage": 1.0 if scores.coverage is None else scores.coverage,
        "failures": sum(answer.failure is not None for answer in listed),
        "truncated": sum(answer.truncated for answer in listed),
        "unaligned": sum(len(answer.unaligned) for answer in listed),
    }
