"""The page of a shared task: a single self-contained file.

`page` gathers what it shows: rankings, charts, tables, texts, and passages of the keys with their
mentions; the template in html/ lays it out.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.columns import MASKS
from corefkit.core.corpus import Corpus
from corefkit.core.options import UsageError
from corefkit.core.texts import is_right_to_left, visible_lines
from corefkit.corpora.inline_tags import nested
from corefkit.corpora.trees import LabelledSpan
from corefkit.formats.conll.lines import token_lines
from corefkit.formats.registry import format_of
from corefkit.plugins.task import page_layout
from corefkit.plugins.task.shared_task import Entrant
from corefkit.plugins.task.tables import SUFFIXES
from corefkit.render.pages import assemble, read_part
from corefkit.render.table import Table

try:
    from jinja2 import Environment, StrictUndefined
except ImportError:
    reason = "the page of a task needs jinja2: pip install 'corefkit[pages]'"
    raise UsageError(reason) from None

_COLOURS = 6


@frozen
class ShownToken:
    """A word, and the entities of mentions that begin (outer first) and end (inner first) there."""

    word: str
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()


@frozen
class Passage:
    """The beginning of a document, or all of it: sentences of tokens."""

    document: str
    sentences: tuple[tuple[ShownToken, ...], ...]


@frozen
class KeyExcerpt:
    """The beginning of the key of a language: a heading, the code of the language, passages."""

    title: str
    code: str
    passages: tuple[Passage, ...]

    @property
    def direction(self) -> str:
        """ "rtl" if most letters are written from right to left, otherwise "ltr".

        >>> KeyExcerpt("", "ar", (Passage("", ((ShownToken("البلدية"),),)),)).direction
        'rtl'
        """
        words = [t.word for p in self.passages for sentence in p.sentences for t in sentence]
        return "rtl" if is_right_to_left(words) else "ltr"

    @property
    def separator(self) -> str:
        """The text between words: a blank, or nothing in languages without blanks."""
        return "" if self.code.split("-", maxsplit=1)[0] in _UNSPACED else " "


@frozen
class SystemSection:
    """One system on the page: facts from the manifest, its place, its tables and its files.

    `official` is its official score, from 0 to 1. `reports` and `parts` are links (title and
    address) to error pages and to counts by document.
    """

    facts: Entrant
    place: int
    official: float
    tables: Sequence[Table]
    reports: Sequence[tuple[str, str]]
    parts: Sequence[tuple[str, str]]


@frozen
class Downloads:
    """Files of one kind: for each name the suffix and address of each format."""

    title: str
    names: Mapping[str, Sequence[tuple[str, str]]]


def render_task_page(page: Mapping[str, Any]) -> str:
    """The page as HTML; `page` has what it shows, under the names in the template."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_visible, optimized=False
    )
    body = environment.from_string(_own_part("page.html")).render(
        page=page,
        names={system.facts.name for system in page["systems"]},
        linked={path for kind in page["downloads"] for f in kind.names.values() for _, path in f},
        forms=list(SUFFIXES.values()),
        layout=page_layout,
        colour=lambda entity: sum(map(ord, entity)) % _COLOURS,
        version=__version__,
    )
    styles = read_part("shared/base.css"), _own_part("page.css")
    scripts = read_part("shared/dom.js"), read_part("shared/order.js"), _own_part("page.js")
    return assemble(page["task"].name, body, styles, scripts)


def _own_part(name: str) -> str:
    return read_part(f"html/{name}", __package__)


def _visible(value: object) -> object:
    """A text with its control characters as escapes; mark-up is not changed."""
    plain = isinstance(value, str) and not hasattr(value, "__html__")
    return visible_lines(str(value)) if plain else value


_UNSPACED = {"zh", "ja", "th", "lo", "km", "my"}
"""Languages that are written without blanks between words."""


def passages(corpus: Corpus, most: int) -> Iterator[Passage]:
    """The first documents of a corpus, up to the sentence with token number `most`.

    Empty if the format is not CoNLL, if the words are masked, or if there are none.
    """
    remaining = most
    for number, name in enumerate(corpus.names):
        location = corpus.document_bytes(number)
        if location is None or remaining <= 0:
            return
        source, begin, end = location
        if not format_of(source).columns:
            return
        lines = list(token_lines(source.data, begin, end))
        if any(len(line.fields) < 5 for line in lines):
            return
        if all(line.fields[3] in MASKS for line in lines):
            return
        opens, closes, _ = nested(_mentions(corpus, number))
        sentences: list[list[ShownToken]] = []
        for index, line in enumerate(lines):
            if line.begins_sentence and (remaining <= 0 or not sentences or sentences[-1]):
                if remaining <= 0:
                    break
                sentences.append([])
            labels = (tuple(s.label for s in spans.get(index, ())) for spans in (opens, closes))
            sentences[-1].append(ShownToken(line.fields[3], *labels))
            remaining -= 1
        yield Passage(name, tuple(map(tuple, sentences)))


def _mentions(corpus: Corpus, document: int) -> Iterator[LabelledSpan]:
    for row in np.flatnonzero(corpus.document == document).tolist():
        label = corpus.labels[int(corpus.entity[row])]
        yield LabelledSpan(int(corpus.start[row]), int(corpus.end[row]), label)
