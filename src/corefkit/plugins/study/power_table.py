"""The output of `corefkit study power`."""

from collections.abc import Sequence

from corefkit.core.incidents import Incident
from corefkit.core.results import result_json
from corefkit.core.texts import count_of
from corefkit.plugins.study.power import Power
from corefkit.render.table import (
    DELIMITED,
    Around,
    Table,
    note_lines,
    render_table,
    render_tables,
)
from corefkit.render.views import columns, listing


def render_power(power: Power, form: str = "text", *, incidents: Sequence[Incident] = ()) -> str:
    """The estimates in one of the table formats; JSON has everything, unrounded."""
    if form == "json":
        return result_json(power.kind, power.to_dict(), incidents)
    table = power_table(power)
    if form in DELIMITED:
        return render_table(table, form)
    notes = note_lines(power.notes, form)
    around = Around(below=notes, signature=power.signature, title="Power")
    return render_tables([table], form, around)


def power_table(power: Power) -> Table:
    """One row per metric and number of documents."""
    rows = power.rows()
    simulated = any(row["simulated"] is not None for row in rows)
    values = (
        *columns("metric"),
        *columns("documents", documents="documents", group=""),
        *columns("difference"),
        *columns("error power", kind="score"),
        *columns("simulated" * simulated, kind="score"),
        *columns("detectable", kind="score"),
        *columns("needed", kind="number"),
    )
    a, b = power.systems
    title = (
        f"Power of {a} − {b}, from {count_of(power.documents, 'document')}; detectable, needed: "
        f"with a power of {100 * power.power:g} % at level {power.level:g}"
    )
    return listing("power", title, rows, *values, block="metric", headed=False)


def power_tables(power: Power) -> list[Table]:
    """The table of the estimates."""
    return [power_table(power)]
