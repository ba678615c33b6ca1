"""One self-contained page: no network, no other file needed to read it.

Passages of the keys with their mentions, for the page of a task.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from corefkit._version import __version__
from corefkit.core.corpus import Corpus
from corefkit.core.options import UsageError
from corefkit.core.source import MASKS
from corefkit.core.texts import is_right_to_left, visible_lines
from corefkit.corpora.inline import nested
from corefkit.corpora.trees import LabelledSpan
from corefkit.formats import format_of
from corefkit.formats.columns.lines import token_lines
from corefkit.render.pages.assemble import assemble
from corefkit.render.table import SUFFIXES, Table
from corefkit.scorers.signature import signature
from corefkit.stats.significance import Comparison
from corefkit.task import grid
from corefkit.task.figures import TITLES
from corefkit.task.run import Outcome
from corefkit.task.shared_task import Slot
from corefkit.task.tables import standings

_UNSPACED = {"zh", "ja", "th", "lo", "km", "my"}
"""Languages that are written without blanks between words."""


@dataclass(frozen=True)
class ShownToken:
    """A word and the entities whose mentions begin (outer first) and end (inner first) with it."""

    word: str
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Passage:
    """A document, or as much of it as fits: sentences of tokens."""

    document: str
    sentences: tuple[tuple[ShownToken, ...], ...]


def passages(corpus: Corpus, most: int) -> Iterator[Passage]:
    """The first documents of a corpus that was read from files, up to `most` tokens.

    None where the words are masked or there is no column for them, and none of other formats
    than CoNLL.
    """
    left = most
    for number, name in enumerate(corpus.names):
        where = corpus.document_bytes(number)
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


def direction(passages: Sequence[Passage]) -> str:
    """ "rtl" where most letters are written from right to left, else "ltr".

    >>> direction([Passage("", ((ShownToken("البلدية"),),))])
    'rtl'
    """
    words = [token.word for p in passages for sentence in p.sentences for token in sentence]
    return "rtl" if is_right_to_left(words) else "ltr"


def separator(code: str) -> str:
    """What stands between words in a language."""
    return "" if code.split("-", maxsplit=1)[0] in _UNSPACED else " "


try:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup
except ImportError:
    told = "the page of a task needs jinja2: pip install 'corefkit[pages]'"
    raise UsageError(told) from None

_MOST_TOKENS = 150
"""So many tokens of each key are shown; never a large part of a corpus."""
_COLOURS = 6
_STYLES = ("shared/base.css", "task/page.css")
_SCRIPTS = ("shared/dom.js", "shared/order.js", "task/page.js")


def render_page(
    outcome: Outcome,
    tables: Mapping[str, Table],
    compared: Mapping[tuple[str, str], Comparison],
    pictures: Mapping[str, str],
    reports: Mapping[Slot, str] | None,
) -> str:
    """The page of a task; `tables` are all tables by name, `pictures` are SVG.

    `reports` are the pages of errors that it links to; for None it stands alone, links to no
    file and shows nothing of the keys.
    """
    task, files = outcome.task, reports is not None
    others = [t for t in _named(tables, "overview-") if t.name != f"overview-{task.official}"]
    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=_visible)
    source = resources.files("corefkit.render.pages").joinpath("task/page.html").read_text("utf-8")
    template = environment.from_string(source)
    sections = {
        "ranking": tables["ranking"],
        "pictures": {name: Markup(_inline(name, svg)) for name, svg in pictures.items()},
        "details": _some(tables, (f"{x}-{track}" for track in task.tracks for x in task.languages)),
        "significance": [_comparison(tables, *where) for where in compared],
        "genres": _some(tables, (f"by-genre-{x}" for x in task.languages)),
        "subsets": _named(tables, "subset-"),
        "systems": _systems(outcome, tables, reports or {}),
        "problems": tables.get("problems"),
        "texts": _texts(outcome) if files else [],
    }
    body = template.render(
        task=task,
        facts=_facts(outcome),
        sections=[name for name, content in sections.items() if content],
        other_settings=others,
        files=files,
        forms=list(SUFFIXES.values()),
        titles=TITLES,
        layout=grid,
        colour=lambda entity: sum(map(ord, entity)) % _COLOURS,
        version=__version__,
        signature=signature(task.options),
        **sections,
    )
    return assemble(task.name, body, _STYLES, _SCRIPTS)


def _facts(outcome: Outcome) -> list[tuple[str, str]]:
    """What the manifest says of the task as a whole, as far as it says anything."""
    about = outcome.task.about
    found = [("Organisers", about.organisers), ("Date", about.date), ("Licence", about.licence)]
    return [(name, value) for name, value in found if value]


def _visible(value: object) -> object:
    """What the page shows of a text: its control characters as escapes; mark-up stays."""
    plain = isinstance(value, str) and not hasattr(value, "__html__")
    return visible_lines(str(value)) if plain else value


def _named(tables: Mapping[str, Table], prefix: str) -> list[Table]:
    return [table for name, table in tables.items() if name.startswith(prefix)]


def _some(tables: Mapping[str, Table], names: Iterable[str]) -> list[Table]:
    """The tables of these names that there are."""
    return [tables[name] for name in names if name in tables]


def _comparison(tables: Mapping[str, Table], track: str, language: str) -> dict[str, Any]:
    name = f"{language}-{track}"
    shown = _some(tables, (f"significance-{name}", f"pairs-{name}"))
    return {"name": name, "title": shown[0].title, "tables": shown}


def _systems(
    outcome: Outcome, tables: Mapping[str, Table], reports: Mapping[Slot, str]
) -> list[dict[str, Any]]:
    task = outcome.task
    views = []
    for place, standing in enumerate(standings(outcome), 1):
        name = standing.system
        parts = [f"{s.language}.{s.track}.{s.setting}" for s in task.slots(system=name)]
        own = {slot: path for slot, path in reports.items() if slot.system == name}
        views.append(
            {
                "name": name,
                "place": place,
                "official": f"{100 * standing.official:.2f}",
                "about": task.systems[name],
                "reports": [
                    (f"Errors: {task.where(s.language, s.track)}", p) for s, p in own.items()
                ],
                "tables": _some(tables, (f"system-{name}", f"genres-{name}")),
                "parts": [(part, f"parts/{name}/{part}.json") for part in parts],
            }
        )
    return views


def _texts(outcome: Outcome) -> list[dict[str, Any]]:
    found = []
    for name, language in outcome.task.languages.items():
        if shown := list(passages(outcome.keys[name].scored, _MOST_TOKENS)):
            told = {"title": language.title, "code": language.code, "passages": shown}
            written = {"direction": direction(shown), "separator": separator(language.code)}
            found.append({**told, **written})
    return found


def _inline(name: str, svg: str) -> str:
    """An SVG file as a part of the page: no prologue, a label, and ids that are its own."""
    body = svg[svg.index("<svg") :]
    for mark in ('id="', "url(#", 'href="#'):
        body = body.replace(mark, f"{mark}{name}-")
    return body.replace("<svg ", f'<svg role="img" aria-label="{TITLES[name]}" ', 1)
