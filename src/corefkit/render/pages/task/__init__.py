"""The page of a shared task: one self-contained file, no network, no other file needed to read it.

Whoever runs the task hands over a TaskPage: rankings, charts, tables and texts. The template beside
this module lays it out.
"""

from collections.abc import Mapping, Sequence

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError
from corefkit.core.texts import visible_lines
from corefkit.render.pages import assemble, read_part
from corefkit.render.pages.task import layout
from corefkit.render.pages.task.layout import LaneChart, RankingView
from corefkit.render.pages.task.passages import KeyExcerpt
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
class SystemSection:
    """One system on the page: its place, what is known of it, its tables and its files.

    `official` is its official score, from 0 to 1. `reports` and `parts` are links, title and
    address: to pages of errors and to counts by document.
    """

    name: str
    place: int
    official: float
    description: str
    team: str
    paper: str
    code: str
    tables: Sequence[Table]
    reports: Sequence[tuple[str, str]]
    parts: Sequence[tuple[str, str]]
    baseline: bool = False


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
    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=_visible)
    body = environment.from_string(read_part("task/page.html")).render(
        page=page,
        names={system.name for system in page.systems},
        linked={path for kind in page.downloads for f in kind.names.values() for _, path in f},
        forms=list(SUFFIXES.values()),
        layout=layout,
        colour=lambda entity: sum(map(ord, entity)) % _COLOURS,
        version=__version__,
    )
    return assemble(page.name, body, _STYLES, _SCRIPTS)


def _visible(value: object) -> object:
    """What the page shows of a text: its control characters as escapes; mark-up stays."""
    plain = isinstance(value, str) and not hasattr(value, "__html__")
    return visible_lines(str(value)) if plain else value
