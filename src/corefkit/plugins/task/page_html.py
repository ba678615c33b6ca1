"""The page of a shared task: a single self-contained file.

`page` gathers what it shows: rankings, charts, tables, texts, and passages of the keys with their
mentions; the template in html/ lays it out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.options import UsageError
from corefkit.core.texts import is_right_to_left, visible_lines
from corefkit.core.tokens import Tokens
from corefkit.corpora.inline_tags import nested
from corefkit.corpora.trees import LabelledSpan
from corefkit.formats.registry import format_of
from corefkit.plugins.task import page_layout
from corefkit.plugins.task.shared_task import Entrant
from corefkit.plugins.task.tables import SUFFIXES
from corefkit.render.marked_text import sentence_starts
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


Passage = list[list[ShownToken]]
"""The beginning of a document, or all of it: sentences of tokens."""


@frozen
class KeyExcerpt:
    """The beginning of the key of a language: a heading, the code of the language, and passages,
    each under the name of its document.
    """

    title: str
    code: str
    passages: Mapping[str, Passage]

    @property
    def direction(self) -> str:
        """ "rtl" if most letters are written from right to left, otherwise "ltr".

        >>> KeyExcerpt("", "ar", {"a": [[ShownToken("البلدية")]]}).direction
        'rtl'
        """
        words = [t.word for sentences in self.passages.values() for s in sentences for t in s]
        return "rtl" if is_right_to_left(words) else "ltr"

    @property
    def separator(self) -> str:
        """The text between words: a blank, or nothing in languages without blanks."""
        return "" if self.code.split("-", maxsplit=1)[0] in _UNSPACED else " "


@frozen
class SystemSection:
    """One system on the page: facts from the manifest, its place, its tables and its error pages.

    `official` is its official score, from 0 to 1; `reports` are links (title and address).
    """

    facts: Entrant
    place: int
    official: float
    tables: Sequence[Table]
    reports: Sequence[tuple[str, str]]


def render_task_page(page: Mapping[str, Any]) -> str:
    """The page as HTML; `page` has what it shows, under the names in the template."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_visible, optimized=False
    )
    body = environment.from_string(_own_part("page.html")).render(
        page=page,
        names={system.facts.name for system in page["systems"]},
        linked={
            path for names in page["downloads"].values() for f in names.values() for _, path in f
        },
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


def passages(corpus: Corpus, most: int) -> dict[str, Passage]:
    """The first documents of a corpus by name, up to the sentence with token number `most`.

    Empty if the format is not CoNLL, if the words are masked, or if there are none.
    """
    passages: dict[str, Passage] = {}
    tokens = Tokens(corpus)
    if not all(format_of(source).columns for source in corpus.sources) or not tokens.unmasked:
        return passages
    for document, name in enumerate(corpus.names):
        if most <= 0:
            break
        opens, closes, _ = nested(_mentions(corpus, document))
        sentences: Passage = []
        starts = sentence_starts(tokens, document)
        for start, stop in pairwise([*starts, int(corpus.tokens[document])]):
            if most > 0:
                words = tokens.words(document, start, stop - 1)
                sentences.append(
                    [
                        ShownToken(word, *(_labels(spans.get(at, ())) for spans in (opens, closes)))
                        for at, word in enumerate(words, start)
                    ]
                )
            most -= stop - start
        passages[name] = sentences
    return passages


def _mentions(corpus: Corpus, document: int) -> Iterator[LabelledSpan]:
    for row in np.flatnonzero(corpus.document == document).tolist():
        label = corpus.labels[int(corpus.entity[row])]
        yield LabelledSpan(int(corpus.start[row]), int(corpus.end[row]), label)


def _labels(spans: Iterable[LabelledSpan]) -> tuple[str, ...]:
    return tuple(span.label for span in spans)
