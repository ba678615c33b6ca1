"""Published tables for people and programs, and where a new system would stand among them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from corefkit.published import Table as Published
from corefkit.published import scorer_warning
from corefkit.render.grid import Cell, Column, Table, label, render_grid
from corefkit.scoring.run import Report

_TITLES = {"mentions": "MD", "muc": "MUC", "bcub": "B³", "ceafm": "CEAFm", "ceafe": "CEAFe"}
_TITLES |= {"blanc": "BLANC", "conll": "CoNLL", "official": "Official"}
_PARTS = {"recall": "R", "precision": "P", "f1": "F1"}


def render_published(table: Published, form: str, *, bold: bool = False) -> str:
    """A published table; JSON is that of SPEC section 8."""
    if form == "json":
        return json.dumps(table.to_dict(), indent=1, ensure_ascii=False) + "\n"
    return render_grid(published_grid(table), form, bold=bold)


def list_grid(listed: Mapping[str, Published]) -> Table:
    """The names of published results and what they are."""
    columns = [Column(n, n, number=n == "rows") for n in ("name", "rows", "scorer", "title")]
    rows = tuple(
        (label(n), Cell(len(t.rows), str(len(t.rows))), label(t.scorer), label(t.title))
        for n, t in listed.items()
    )
    return Table("published", "Published results", tuple(columns), (rows,))


def published_grid(table: Published) -> Table:
    """The rows as the paper prints them; a dagger marks those that do not add up."""
    values = {
        fact: {row.facts.get(fact) for row in table.rows}
        for fact in dict.fromkeys(f for row in table.rows for f in row.facts)
        if fact != "basis"  # how a setting was worked out: for programs
    }
    facts = [fact for fact, found in values.items() if len(found) > 1]
    common = [f"{_words(f)}: {next(iter(v))}" for f, v in values.items() if len(v) == 1]
    figures = list(dict.fromkeys(name for row in table.rows for name in row.figures))
    columns = [Column("id", "ID", number=False), Column("system", "System", number=False)]
    columns += [Column(f, _words(f), number=False) for f in facts]
    columns += [_column(name) for name in figures]
    rows = tuple(
        (
            label(row.id),
            Cell(row.system, row.system + ("†" if row.inconsistent else "")),
            *(Cell(value := row.facts.get(f), value if value is not None else "?") for f in facts),
            *(_figure(row.figures.get(name), table.decimals) for name in figures),
        )
        for row in table.rows
    )
    notes = [f"Source: {table.source}.", f"Scorer: {table.scorer}.", table.note]
    notes.append(f"All rows: {', '.join(common)}." if common else "")
    notes += [f"† {row.id}: {row.inconsistent.reason}" for row in table.rows if row.inconsistent]
    return Table(table.name, table.title, tuple(columns), (rows,), "\n".join(filter(None, notes)))


def _words(fact: str) -> str:
    return fact.replace("_", " ")


def _column(name: str) -> Column:
    group, _, part = name.partition(".")
    if not part:
        return Column(name, _TITLES.get(group, group))
    return Column(name, _PARTS.get(part, part), _TITLES.get(group, group))


def _figure(value: float | None, decimals: int) -> Cell:
    return Cell(value, "" if value is None else f"{value:.{decimals}f}")


def standing_rows(report: Report, table: Published) -> list[dict[str, Any]]:
    """Published rows and the systems of a report, by CoNLL average, in percent.

    Ours are not rounded; for places they are, as the paper's, and who is equal shares a place.
    """
    rows: list[dict[str, Any]] = [
        {"system": row.system, "published": True, **row.figures} for row in table.rows
    ]
    for system in report.systems:
        if system.scores is not None:
            figures = {f"{name}.f1": 100 * s.f1 for name, s in system.scores.items()}
            rows.append({"system": system.name, "published": False, **figures})
    shown = [round(row["conll.f1"], table.decimals) for row in rows]
    for row, value in zip(rows, shown, strict=True):
        row["place"] = 1 + sum(other > value for other in shown)
    return sorted(rows, key=lambda row: (-row["conll.f1"], row["published"]))


def standing_grid(rows: Sequence[Mapping[str, Any]], table: Published) -> Table:
    """The standings with the new systems among them, marked."""
    shown = [name for name in table.rows[0].figures if name.endswith(".f1")]
    columns = [Column("place", "Place", number=False), Column("system", "System", number=False)]
    columns += [Column(name, _TITLES[name.partition(".")[0]]) for name in shown]
    body = tuple(
        (
            Cell(row["place"], str(row["place"])),
            Cell(row["system"], row["system"] if row["published"] else f"→ {row['system']}"),
            *(_figure(row.get(name), table.decimals) for name in shown),
        )
        for row in rows
    )
    note = (
        f"F1. Source: {table.source}, scorer {table.scorer}.\n"
        "A place means something only on the same test data."
    )
    return Table("among", f"Among {table.name}", tuple(columns), (body,), note)


def add_standing(text: str, report: Report, table: Published, form: str) -> str:
    """A rendered report with the standings: below the text, or as `among` in the JSON."""
    rows = standing_rows(report, table)
    if form == "json":
        data = json.loads(text)
        data["among"] = {
            "name": table.name,
            "source": table.source,
            "scorer": table.scorer,
            "unit": "percent",
            **({"warning": warning} if (warning := scorer_warning(table)) else {}),
            "rows": rows,
        }
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return f"{text}\n{render_grid(standing_grid(rows, table), form)}"
