"""How well the text of a file fits that of a key, without any scores."""

from dataclasses import asdict
from typing import Any, ClassVar, Unpack

from corefkit.alignment.placement import PlacedCorpus
from corefkit.alignment.words import Alignment, Change
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Incident, errors
from corefkit.core.options import PLAIN_SIDES, Options, ReadChoices, Readings
from corefkit.core.results import Result
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import readings_of
from corefkit.scorers.comparison import Readable
from corefkit.scorers.documents import place_answers, place_on_tokens, same_names


@frozen
class TextDifference:
    """A place where the texts differ.

    Attributes:
        token: the number of the first token of the key that is concerned, from 0 in its document.
        key, text: the words of the key and those of the file.
        replaced, added, dropped: how many words were.
    """

    token: int
    key: str
    text: str
    replaced: int
    added: int
    dropped: int


@frozen
class LostMention:
    """A mention in text that the key does not have."""

    text: str
    entity: str
    line: int | None


@frozen
class Fit:
    """How the text of one document fits that of the key.

    Attributes:
        document: its name in the key.
        words: how many words the document has in the key.
        coverage: the share of the key's characters that the file has, from 0 to 1.
        replaced, added, dropped: how many words were.
        truncated: whether the text breaks off before the end of the document.
        mentions: how many mentions the document has in the file.
        places: where the texts differ, in text order.
        lost: the mentions that have no place in the key.
    """

    document: str
    words: int
    coverage: float
    replaced: int
    added: int
    dropped: int
    truncated: bool
    mentions: int
    places: tuple[TextDifference, ...]
    lost: tuple[LostMention, ...]


@frozen
class TextFit(Result):
    """How the texts of a file fit those of a key; `coverage` is that of all documents together."""

    kind: ClassVar[str] = "alignment"

    coverage: float
    documents: tuple[Fit, ...]
    incidents: tuple[Incident, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per document."""
        numbers = [name for name in Fit.__dataclass_fields__ if name not in ("places", "lost")]
        return [{name: getattr(fit, name) for name in numbers} for fit in self.documents]

    def to_dict(self) -> dict[str, Any]:
        """The coverage and the documents as plain values, ready for JSON; without incidents."""
        return {"coverage": self.coverage, "documents": [asdict(fit) for fit in self.documents]}


def align(key: Readable, file: Readable, **how: Unpack[ReadChoices]) -> TextFit:
    """Align the texts of a file with the words of a key, and return how well they fit.

    Both are paths or corpora. `how` are the keywords of `corefkit.read`, key_format and
    response_format. Raises DataError where a side cannot be read or has no words.
    """
    return align_files(key, file, readings_of(how))


def align_files(key: Readable, file: Readable, readings: Readings = PLAIN_SIDES) -> TextFit:
    """Like `align`, with the readings of both sides."""
    key_corpus = key if isinstance(key, Corpus) else read_all(key, readings.key).checked()
    corpus = file if isinstance(file, Corpus) else read_all(file, readings.response).checked()
    corpus, renaming = same_names(key_corpus, corpus, Options())
    if errors(renaming):
        raise DataError(renaming)
    corpus = place_answers(key_corpus, corpus)
    _, placed = place_on_tokens(key_corpus, corpus)
    lost: dict[int, list[int]] = {}
    for row in placed.lost.tolist():
        lost.setdefault(int(corpus.document[row]), []).append(row)
    fits = tuple(
        _fit(corpus, placed, number, lost.get(number, []))
        for number, name in enumerate(corpus.names)
        if name in placed.alignments
    )
    return TextFit(placed.coverage, fits, (*corpus.incidents, *renaming))


def _fit(corpus: Corpus, placed: PlacedCorpus, number: int, lost: list[int]) -> Fit:
    """The fit of one document, by its number; `lost` are the rows of its lost mentions."""
    name = corpus.names[number]
    alignment = placed.alignments[name]
    absent = {i.document for i in corpus.incidents if i.id == "answer-absent"}
    # An answer without the text was placed as strings after its end: these are no differences.
    only_strings = name in absent and alignment.is_only_longer
    places = tuple(_place(alignment, change) for change in alignment.changes if not only_strings)
    return Fit(
        document=name,
        words=len(alignment.words),
        coverage=alignment.coverage,
        replaced=sum(place.replaced for place in places),
        added=sum(place.added for place in places),
        dropped=sum(place.dropped for place in places),
        truncated=alignment.truncated,
        mentions=int((corpus.document == number).sum()),
        places=places,
        lost=tuple(_lost(corpus, row, placed.lost_texts[row]) for row in lost),
    )


def _lost(corpus: Corpus, row: int, text: str) -> LostMention:
    line = corpus.mention_place(row).line
    return LostMention(text, corpus.labels[int(corpus.entity[row])], line)


def _place(alignment: Alignment, change: Change) -> TextDifference:
    words = " ".join(alignment.words[slice(*change.words)])
    text = " ".join(alignment.text[slice(*change.characters)].split())
    return TextDifference(
        change.words[0], words, text, change.replaced, change.added, change.dropped
    )
