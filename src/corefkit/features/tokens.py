"""The token columns of the key, for application scores and divisions; each is read once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.brackets import BrokenBrackets, Spans, find_spans
from corefkit.core.columns import MASKS, NOTHING, Column
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Incident, data_error, make_incident
from corefkit.core.languages import (
    TAGSETS,
    Tagset,
    detect_tagset,
    language_of_path,
    language_of_words,
)
from corefkit.core.tokens import Tokens

_OPENS = re.compile(r"\(([^()*|\s]+)")
"""An opening bracket, and the class of a name."""

_UNFILLED = {
    "pos": ("no-tags", "a part of speech for each token in column 5"),
    "word": ("no-words", "words in column 4"),
    "speaker": ("no-speakers", "speakers in column 10"),
}
"""Column → the form of the incident where it is empty, and what is expected there."""

WITHOUT = {
    "pos": "If the language is given (--language), its pronouns are found by a word list. "
    "The partition metrics, immediate, and mentions by word, length, distance, entity-size, "
    "speaker, genre and document, need no tags.",
    "ne": "Only the break-down by ne needs named entities.",
    "word": "Only the break-down by word needs words.",
    "speaker": "Only the break-down by speaker needs speakers.",
}
"""Column → what can still be done where it is missing; added to the hint of the incident."""


class KeyTokens(Tokens):
    """The token columns of a key; a missing one is reported with what works without it.

    `language` is the code of the language of the texts, "auto" where it is to be detected.
    """

    def __init__(self, corpus: Corpus, errors: str = "replace", language: str = "auto") -> None:
        super().__init__(corpus, errors)
        self._language = language

    @cached_property
    def language(self) -> str | None:
        """The code of the language: as chosen, else by the names of the files, else by the words.

        None where it is not known, e.g. because words are masked.
        """
        if self._language != "auto":
            return self._language
        by_path = {language_of_path(source.path or "") for source in self.corpus.sources}
        if len(by_path) == 1 and (code := by_path.pop()):
            return code
        if not self.has("word"):
            return None
        word = self.column("word")
        frequency = np.bincount(word.code, minlength=len(word.values)).tolist()
        return language_of_words(dict(zip(word.values, frequency, strict=True)))

    @property
    def language_chosen(self) -> bool:
        """Whether the user has chosen the language."""
        return self._language != "auto"

    def known_tagset(self, chosen: "str | Tagset" = "auto") -> Tagset | None:
        """The tagset, as chosen or as detected; None where there are no tags or it is unknown."""
        if not self.has("pos"):
            return None
        if isinstance(chosen, Tagset):
            return chosen
        try:
            return self.tagset if chosen == "auto" else TAGSETS[chosen]
        except DataError:
            return None

    def _read(self, *names: str) -> list[Column]:
        try:
            return super()._read(*names)
        except DataError as error:
            missing = [name for name in names if not self._readable(name)]
            raise DataError([_explain(incident, missing) for incident in error.incidents]) from None

    def _readable(self, name: str) -> bool:
        try:
            super()._read(name)
        except DataError:
            return False
        return True

    def _check(self, name: str, column: Column) -> None:
        if name == "pos" and len(column.code) and NOTHING.issuperset(column.values):
            raise self._unfilled("pos")

    def must_have(self, *names: str) -> None:
        """Read these columns; DataError where one is missing or empty."""
        self.load(*names)
        for name in names:
            values = NOTHING | MASKS if name == "word" else NOTHING
            column = self.column(name)
            if name in _UNFILLED and len(column.code) and values.issuperset(column.values):
                raise self._unfilled(name)

    @cached_property
    def name_spans(self) -> Spans:
        """The named entities, in any of the forms that scorers accept, across sentences, too.

        DataError where brackets do not pair.
        """
        cells, corpus = self.column("ne"), self.corpus
        starred = Column(cells.code, tuple(map(_starred, cells.values)))
        document = np.repeat(np.arange(len(corpus.names)), corpus.tokens)
        spans, broken = find_spans(starred, document)
        if broken:
            raise _unpaired(broken, document, corpus)
        return spans

    def name_over(self, document: IntArray, start: IntArray, end: IntArray) -> IntArray:
        """The class of the named entity with each of these spans, −1 where there is none.

        Where two have the same tokens, the outer one counts.
        """
        inside = (start >= 0) & (end < self.corpus.tokens[document])
        first = np.where(inside, self.corpus.first_token[document] + start, -1)
        return np.append(self.name_spans.label, -1)[
            self.name_spans.over(first, first + end - start)
        ]

    @cached_property
    def headed(self) -> Corpus:
        """The key with the heads of all its mentions."""
        from corefkit.features.heads import with_heads

        return with_heads(self.corpus)

    @cached_property
    def tagset(self) -> Tagset:
        """The tagset, detected from the tags; DataError where these are of no known tagset."""
        tag = self.column("pos")
        if not len(tag.code):
            return TAGSETS["penn"]  # without tokens there are no mentions: any will do
        frequency = np.bincount(tag.code, minlength=len(tag.values)).tolist()
        tagset = detect_tagset(dict(zip(tag.values, frequency, strict=True)))
        if tagset is None:
            path, listed = self.corpus.sources[0].path, ", ".join(sorted(tag.values)[:10])
            expected = f"tags of {', '.join(TAGSETS)}"
            raise data_error("tagset-unknown", file=path, found=listed, expected=expected)
        return tagset

    def _unfilled(self, name: str) -> DataError:
        form, expected = _UNFILLED[name]
        path = self.corpus.sources[0].path
        incident = make_incident("column-missing", form, file=path, expected=expected)
        return DataError([_explain(incident, [name])])


def _explain(incident: Incident, missing: Sequence[str]) -> Incident:
    """The incident, with a hint about what can be done without the missing columns."""
    advice = [WITHOUT[name] for name in missing if name in WITHOUT]
    return replace(incident, hint=" ".join([incident.hint or "", *advice]))


def _starred(cell: str) -> str:
    """The cell in the form of the shared tasks; some files have no star, or repeat the class.

    >>> _starred("(ORG"), _starred("ORG)"), _starred("-")
    ('(ORG*', '*)', '*')
    """
    opened = "".join(f"({name}" for name in _OPENS.findall(cell))
    return f"{opened}*{')' * cell.count(')')}"


def _unpaired(broken: BrokenBrackets, document: IntArray, corpus: Corpus) -> DataError:
    """The error for the first bracket without a partner."""
    token = int(np.concatenate((broken.unopened, broken.unclosed)).min())
    alone, number = token in broken.unopened, int(document[token])
    source = corpus.source(number)
    assert source is not None  # or there would be no cells
    row = token - int(corpus.first_token[source.first_document])
    lines = source.token_lines()
    return data_error(
        "name-brackets",
        file=source.path,
        at=None if lines is None else int(lines[row]),
        document=corpus.names[number],
        found="one that closes nothing" if alone else "a bracket that is never closed",
        expected="for each opening bracket in column 11 one that closes it, in order",
    )
