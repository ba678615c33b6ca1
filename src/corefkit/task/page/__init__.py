"""One self-contained page: no network, no other file needed to read it."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

from corefkit._version import __version__
from corefkit.data.options import UsageError
from corefkit.data.table import Cell, Heading, Table
from corefkit.profiles.signature import signature
from corefkit.render.tables import SUFFIXES
from corefkit.stats.significance import Comparison
from corefkit.task.figures import TITLES
from corefkit.task.run import Outcome
from corefkit.task.tables import standings
from corefkit.task.texts import direction, passages, separator

try:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup
except ImportError:
    told = "the page of a task needs jinja2: pip install 'corefkit[pages]'"
    raise UsageError(told) from None

_MOST_TOKENS = 150
"""So many tokens of each key are shown; never a large part of a corpus."""
_COLOURS = 6


def render_page(
    outcome: Outcome,
    tables: Mapping[str, Table],
    compared: Mapping[tuple[str, str], Comparison],
    pictures: Mapping[str, str],
) -> str:
    """The page of a task; `tables` are all tables by name, `pictures` are SVG."""
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    template = environment.from_string(_read("page.html"))
    views = {
        "overviews": _named(tables, "overview-"),
        "details": [
            tables[name]
            for track in outcome.task.tracks
            for language in outcome.task.languages
            if (name := f"{language}-{track}") in tables
        ],
        "comparisons": [_comparison(tables, *where) for where in compared],
        "genre_tables": [
            tables[name]
            for language in outcome.task.languages
            if (name := f"by-genre-{language}") in tables
        ],
        "subsets": _named(tables, "subset-"),
        "systems": _systems(outcome, tables),
        "problems": tables.get("problems"),
        "languages": _texts(outcome),
        "pictures": {name: Markup(_inline(name, svg)) for name, svg in pictures.items()},
    }
    script = _read("page.js")
    return template.render(
        task=outcome.task,
        sections=_sections(views),
        forms=list(SUFFIXES.values()),
        titles=TITLES,
        cell_attributes=_cell_attributes,
        colour=_colour,
        css=Markup(_read("page.css")),
        js=Markup(script),
        js_hash=b64encode(sha256(script.encode()).digest()).decode(),
        version=__version__,
        signature=signature(outcome.task.options),
        **views,
    )


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _named(tables: Mapping[str, Table], prefix: str) -> list[Table]:
    return [table for name, table in tables.items() if name.startswith(prefix)]


def _sections(views: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The parts of the page that there is something in."""
    titles = {
        "ranking": ("Ranking", True),
        "pictures": ("Pictures", views["pictures"]),
        "details": ("Details", views["details"]),
        "significance": ("Significance", views["comparisons"]),
        "genres": ("Genres", views["genre_tables"]),
        "subsets": ("Subsets", views["subsets"]),
        "systems": ("Systems", True),
        "problems": ("Problems", views["problems"]),
        "texts": ("Texts", views["languages"]),
    }
    return [(anchor, title) for anchor, (title, there) in titles.items() if there]


def _comparison(tables: Mapping[str, Table], track: str, language: str) -> dict[str, Any]:
    name = f"{language}-{track}"
    first = tables[f"significance-{name}"]
    second = tables.get(f"pairs-{name}")
    return {"name": name, "title": first.title, "tables": [first, *([second] if second else [])]}


def _systems(outcome: Outcome, tables: Mapping[str, Table]) -> list[dict[str, Any]]:
    task = outcome.task
    views = []
    for place, standing in enumerate(standings(outcome), 1):
        name = standing.system
        shown = [tables[f"system-{name}"]]
        if f"genres-{name}" in tables:
            shown.append(tables[f"genres-{name}"])
        parts = [
            (where := f"{s.language}.{s.track}.{s.setting}", f"parts/{name}/{where}.json")
            for s in task.slots(system=name)
        ]
        views.append(
            {
                "name": name,
                "place": place,
                "official": f"{100 * standing.official:.2f}",
                "description": task.systems[name].description,
                "tables": shown,
                "parts": parts,
            }
        )
    return views


def _texts(outcome: Outcome) -> list[dict[str, Any]]:
    found = []
    for name, language in outcome.task.languages.items():
        shown = list(passages(outcome.keys[name].scored, _MOST_TOKENS))
        if shown:
            found.append(
                {
                    "title": language.title,
                    "code": language.code,
                    "direction": direction(shown),
                    "separator": separator(language.code),
                    "passages": shown,
                }
            )
    return found


def _cell_attributes(cell: Cell, heading: Heading) -> Markup:
    """Classes for looks; the exact value to sort by where the text is rounded."""
    kinds = {"n": heading.is_figure, "best": cell.best, "top": cell.top}
    kinds |= {"what": heading.name == "what", "who": heading.name == "system"}
    classes = " ".join(name for name, on in kinds.items() if on)
    attributes = Markup(' class="{}"').format(classes) if classes else Markup("")
    if isinstance(cell.value, float):
        attributes += Markup(' data-v="{}"').format(repr(cell.value))
    return attributes


def _inline(name: str, svg: str) -> str:
    """An SVG file as a part of the page: no prologue, a label, and ids that are its own."""
    body = svg[svg.index("<svg") :]
    for mark in ('id="', "url(#", 'href="#'):
        body = body.replace(mark, f"{mark}{name}-")
    return body.replace("<svg ", f'<svg role="img" aria-label="{TITLES[name]}" ', 1)


def _colour(entity: str) -> int:
    return sum(map(ord, entity)) % _COLOURS
