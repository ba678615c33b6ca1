"""The page of a shared task: one self-contained file, no network, no other file needed to read it.

Whoever runs the task hands over a TaskPage: tables, drawings and texts. The template beside this
module lays it out.
"""

from collections.abc import Mapping, Sequence

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError
from corefkit.core.texts import visible_lines
from corefkit.render.pages import assemble, read_part
from corefkit.render.pages.task import grid
from corefkit.render.pages.task.passages import KeyExcerpt
from corefkit.render.table import SUFFIXES, Table

try:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup
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


@frozen
class TaskPage:
    """Everything that the page shows.

    Attributes:
        facts: what is known of the task as a whole, by name.
        summary: how large the task is and how it is ranked, in a sentence or two.
        setting, rank: the official setting, and the metric that ranks.
        level, samples, seed: how differences are tested.
        ranking: the ranking in the official setting; `other_settings` have tables like it.
        details: a table for each language and track; `genres` and `subsets` likewise.
        comparisons: tables of intervals and of pairs, by the name of what was compared.
        systems: the systems, the best first.
        problems: responses that are missing or broken.
        pictures: SVG drawings by name; `captions` stand below them.
        excerpts: passages of the keys.
        files: whether the tables, figures and counts are files beside the page, to be linked to.
    """

    name: str
    description: str
    url: str
    facts: Mapping[str, str]
    summary: str
    setting: str
    rank: str
    level: float
    samples: int
    seed: int
    signature: str
    ranking: Table
    other_settings: Sequence[Table]
    details: Sequence[Table]
    comparisons: Mapping[str, Sequence[Table]]
    genres: Sequence[Table]
    subsets: Sequence[Table]
    systems: Sequence[SystemSection]
    problems: Table | None
    pictures: Mapping[str, str]
    captions: Mapping[str, str]
    excerpts: Sequence[KeyExcerpt]
    files: bool

    @property
    def sections(self) -> list[str]:
        """The sections that there is something in."""
        content = {
            "ranking": self.ranking,
            "pictures": self.pictures,
            "details": self.details,
            "significance": self.comparisons,
            "genres": self.genres,
            "subsets": self.subsets,
            "systems": self.systems,
            "problems": self.problems,
            "texts": self.excerpts,
        }
        return [name for name, part in content.items() if part]


def render_task_page(page: TaskPage) -> str:
    """The page as HTML."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=_visible)
    body = environment.from_string(read_part("task/page.html")).render(
        page=page,
        names={system.name for system in page.systems},
        pictures={
            name: Markup(_inline(name, svg, page.captions[name]))
            for name, svg in page.pictures.items()
        },
        forms=list(SUFFIXES.values()),
        layout=grid,
        colour=lambda entity: sum(map(ord, entity)) % _COLOURS,
        version=__version__,
    )
    return assemble(page.name, body, _STYLES, _SCRIPTS)


def _visible(value: object) -> object:
    """What the page shows of a text: its control characters as escapes; mark-up stays."""
    plain = isinstance(value, str) and not hasattr(value, "__html__")
    return visible_lines(str(value)) if plain else value


def _inline(name: str, svg: str, caption: str) -> str:
    """An SVG file as a part of the page: no prologue, a label, and ids that are its own."""
    body = svg[svg.index("<svg") :]
    for mark in ('id="', "url(#", 'href="#'):
        body = body.replace(mark, f"{mark}{name}-")
    return body.replace("<svg ", f'<svg role="img" aria-label="{caption}" ', 1)
