"""Published tables in all formats, and the place of new systems among published ones."""

from collections.abc import Mapping

from corefkit import metrics
from corefkit.core.results import result_json
from corefkit.plugins.published import Published
from corefkit.plugins.published.standing import PublishedStanding
from corefkit.render.table import (
    Cell,
    Heading,
    Table,
    make_table,
    plain_headings,
    render_file,
)
from corefkit.render.views import SHORT


def render_published(table: Published, form: str) -> str:
    """A published table in one of the table formats; JSON has all its data."""
    if form == "json":
        return result_json("published", table.to_dict())
    return render_file(published_table(table), form)


def render_published_list(listed: Mapping[str, Published], form: str) -> str:
    """The list of published results, in one of the table formats."""
    headings = [*plain_headings("name"), *plain_headings("rows", kind="number")]
    headings += plain_headings("scorer", "title")
    lines = [(n, len(t.rows), t.scorer, t.title) for n, t in listed.items()]
    if form == "json":
        names = [heading.name for heading in headings]
        return result_json(
            "list", {"listed": [dict(zip(names, line, strict=True)) for line in lines]}
        )
    return render_file(make_table("published", "Published results", headings, [lines]), form)


def published_table(table: Published) -> Table:
    """The rows as printed in the paper; a dagger marks those that are inconsistent."""
    values = {
        fact: {row.facts.get(fact) for row in table.rows}
        for fact in dict.fromkeys(f for row in table.rows for f in row.facts)
        if fact != "basis"  # how a setting was determined: only in JSON
    }
    facts = [fact for fact, distinct in values.items() if len(distinct) > 1]
    common = [f"{_words(f)}: {next(iter(v))}" for f, v in values.items() if len(v) == 1]
    figures = list(dict.fromkeys(name for row in table.rows for name in row.figures))
    headings = [Heading("id", "ID"), Heading("system", "System")]
    headings += [Heading(f, _words(f)) for f in facts]
    headings += [_heading(name, table.decimals) for name in figures]
    lines = []
    for row in table.rows:
        system = Cell(row.system, text=row.system + ("†" if row.inconsistent else ""))
        shown = [Cell(v, text="?" if v is None else None) for v in map(row.facts.get, facts)]
        lines.append([row.id, system, *shown, *map(row.figures.get, figures)])
    notes = [f"Source: {table.source}.", f"Scorer: {table.scorer}.", table.note]
    notes.append(f"All rows: {', '.join(common)}." if common else "")
    notes += [f"† {row.id}: {row.inconsistent.reason}" for row in table.rows if row.inconsistent]
    note = "\n".join(filter(None, notes))
    return make_table(table.name, table.title, headings, [lines], note=note)


def _words(fact: str) -> str:
    return fact.replace("_", " ")


def _heading(name: str, digits: int) -> Heading:
    part = name.partition(".")[2]
    if not part:
        return Heading(name, _title(name), "", "number", digits)
    return Heading(name, SHORT.get(part, part), _title(name), "number", digits)


def _title(figure: str) -> str:
    metric = figure.partition(".")[0]
    return metrics.get(metric).title if metrics.exists(metric) else metric.capitalize()


def render_standing(standing: PublishedStanding, form: str) -> str:
    """The standing, in one of the table formats; JSON says what is not comparable."""
    table = standing.table
    if form == "json":
        about = {"name": table.name, "source": table.source, "scorer": table.scorer}
        found = {**about, "unit": "percent", "warnings": standing.warnings, "rows": standing.rows}
        return result_json("standing", found)
    return render_file(standing_table(standing), form)


def standing_table(standing: PublishedStanding) -> Table:
    """The standing, with an arrow before the new systems."""
    table = standing.table
    figures = [name for name in table.rows[0].figures if name.endswith(".f1")]
    headings = [Heading("place", "Place"), Heading("system", "System")]
    headings += [Heading(name, _title(name), "", "number", table.decimals) for name in figures]
    lines = []
    for row in standing.rows:
        system = Cell(row["system"], text=None if row["published"] else f"→ {row['system']}")
        lines.append([Cell(row["place"], text=str(row["place"])), system, *map(row.get, figures)])
    note = f"F1. Source: {table.source}, scorer {table.scorer}.\n"
    note += "A rank means something only on the same test data."
    return make_table("standing", f"Among {table.name}", headings, [lines], note=note)
