"""The page of a shared task: one self-contained file, no network, no other file needed to read it.

Whoever runs the task hands over a TaskPage: rankings, charts, tables, texts, and passages of the
keys with their mentions. The template beside this module lays it out.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.options import UsageError
from corefkit.core.source import MASKS
from corefkit.core.texts import is_right_to_left, visible_lines
from corefkit.corpora.inline_tags import nested
from corefkit.corpora.trees import LabelledSpan
from corefkit.formats import format_of
from corefkit.formats.columns.lines import token_lines
from corefkit.render.pages import assemble, read_part
from corefkit.render.pages.task import page_layout
from corefkit.render.pages.task.page_layout import LaneChart, RankingView, SystemFacts
from corefkit.render.table import SUFFIXES, Table

try:
    from jinja2 import Environment, StrictUndefined
except ImportError:
    reason = "the page of a task needs jinja2: pip install 'corefkit[pages]'"
    raise UsageError(reason) from None

_COLOURS = 6

_STYLES = ("shared/base.css", "task/page.css")

_SCRIPTS = ("shared/dom.js", "shared/order.js", "task/page.js")


@frozen
class ShownToken:
    """A word and the entities whose mentions begin (outer first) and end (inner first) with it."""

    word: str
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()


@frozen
class Passage:
    """A document, or as much of it as fits: sentences of tokens."""

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
        """ "rtl" where most letters are written from right to left, else "ltr".

        >>> KeyExcerpt("", "ar", (Passage("", ((ShownToken("البلدية"),),)),)).direction
        'rtl'
        """
        words = [t.word for p in self.passages for sentence in p.sentences for t in sentence]
        return "rtl" if is_right_to_left(words) else "ltr"

    @property
    def separator(self) -> str:
        """What stands between words in the language."""
        return "" if self.code.split("-", maxsplit=1)[0] in _UNSPACED else " "


@frozen
class SystemSection:
    """One system on the page: what is known of it, its place, its tables and its files.

    `official` is its official score, from 0 to 1. `reports` and `parts` are links, title and
    address: to pages of errors and to counts by document.
    """

    facts: SystemFacts
    place: int
    official: float
    tables: Sequence[Table]
    reports: Sequence[tuple[str, str]]
    parts: Sequence[tuple[str, str]]


@frozen
class Downloads:
    """Files of one kind: for each name its formats, ending and address."""

    title: str
    names: Mapping[str, Sequence[tuple[str, str]]]


@frozen
class TaskPage:
    """Everything that the page shows.

    Attributes:
        facts: what is known of the task as a whole, by name.
        cite: how to cite the task, where that is known.
        summary: how large the task is and how it is ranked, in a sentence or two.
        level, samples, seed: how differences are tested.
        rankings: the official one, then those of other tracks and settings.
        details: a table for each language and track; `genres`, `subsets` and `strata` likewise.
        zeros: a table of the score of zeros, where keys have some.
        official_pairs: the differences of official scores.
        comparisons: intervals and tables of pairs, by the name of what was compared.
        systems: the systems, the best first.
        problems: responses that are missing or broken; `problem_ids` are those of its rows.
        charts: the pictures.
        excerpts: passages of the keys.
        downloads: all files beside the page.
        files: whether the tables, figures and counts are files beside the page, to be linked to.
    """

    name: str
    description: str
    url: str
    cite: str
    facts: Mapping[str, str]
    summary: str
    level: float
    samples: int
    seed: int
    signature: str
    rankings: Sequence[RankingView]
    details: Sequence[Table]
    official_pairs: Table | None
    comparisons: Mapping[str, tuple[RankingView, Sequence[Table]]]
    genres: Sequence[Table]
    subsets: Sequence[Table]
    strata: Sequence[Table]
    zeros: Table | None
    systems: Sequence[SystemSection]
    problems: Table | None
    problem_ids: Sequence[str]
    charts: Sequence[LaneChart]
    excerpts: Sequence[KeyExcerpt]
    downloads: Sequence[Downloads]
    files: bool

    @property
    def sections(self) -> list[str]:
        """The sections that there is something in."""
        content = {
            "ranking": self.rankings,
            "pictures": self.charts,
            "details": self.details,
            "significance": self.comparisons,
            "genres": self.genres,
            "strata": self.strata,
            "subsets": self.subsets,
            "systems": self.systems,
            "problems": self.problems,
            "texts": self.excerpts,
            "cite": True,
            "downloads": self.downloads,
        }
        return [name for name, part in content.items() if part]


def render_task_page(page: TaskPage) -> str:
    """The page as HTML."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_visible, optimized=False
    )
    body = environment.from_string(read_part("task/page.html")).render(
        page=page,
        names={system.facts.name for system in page.systems},
        linked={path for kind in page.downloads for f in kind.names.values() for _, path in f},
        forms=list(SUFFIXES.values()),
        layout=page_layout,
        colour=lambda entity: sum(map(ord, entity)) % _COLOURS,
        version=__version__,
    )
    return assemble(page.name, body, _STYLES, _SCRIPTS)


def _visible(value: object) -> object:
    """What the page shows of a text: its control characters as escapes; mark-up stays."""
    plain = isinstance(value, str) and not hasattr(value, "__html__")
    return visible_lines(str(value)) if plain else value


_UNSPACED = {"zh", "ja", "th", "lo", "km", "my"}
"""Languages that are written without blanks between words."""


def passages(corpus: Corpus, most: int) -> Iterator[Passage]:
    """The first documents of a corpus that was read from files, up to `most` tokens.

    None where the words are masked or there is no column for them, and none of other formats
    than CoNLL.
    """
    left = most
    for number, name in enumerate(corpus.names):
        where = corpus._document_bytes(number)
        if where is None or left <= 0:
            return
        source, begin, end = where
        if not format_of(source).columns:
            return
        lines = list(token_lines(source.data, begin, end))
        unlike = any(len(line.fields) < 5 for line in lines)
        if unlike or all(line.fields[3] in MASKS for line in lines):
            return
        opens, closes, _ = nested(_mentions(corpus, number))
        sentences: list[list[ShownToken]] = []
        for place, line in enumerate(lines):
            if line.begins_sentence and (left <= 0 or not sentences or sentences[-1]):
                if left <= 0:
                    break
                sentences.append([])
            labels = (tuple(s.label for s in at.get(place, ())) for at in (opens, closes))
            sentences[-1].append(ShownToken(line.fields[3], *labels))
            left -= 1
        yield Passage(name, tuple(map(tuple, sentences)))


def _mentions(corpus: Corpus, document: int) -> Iterator[LabelledSpan]:
    for row in np.flatnonzero(corpus.document == document).tolist():
        label = corpus.labels[int(corpus.entity[row])]
        yield LabelledSpan(int(corpus.start[row]), int(corpus.end[row]), label)
