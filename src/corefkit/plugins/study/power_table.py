"""The output of `corefkit study power`."""

from collections.abc import Sequence

from corefkit.core.incidents import Incident
from corefkit.core.results import result_json
from corefkit.core.texts import count_of
from corefkit.plugins.study.power import Power
from corefkit.render.table import (
    DELIMITED,
    Around,
    Heading,
    Table,
    make_table,
    note_lines,
    plain_headings,
    render_table,
    render_tables,
)


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
    simulated = any(e.simulated is not None for rows in power.metrics.values() for e in rows)
    headings = [
        *plain_headings("metric"),
        Heading("documents", "documents", kind="number"),
        Heading("difference", "a − b", kind="change"),
        Heading("error", "error", kind="score"),
        Heading("power", "power", kind="score"),
        *([Heading("simulated", "simulated", kind="score")] if simulated else ()),
        Heading("detectable", "detectable", kind="score"),
        Heading("needed", "needed", kind="number"),
    ]
    blocks = [
        [
            (
                metric,
                e.documents,
                e.difference,
                e.error,
                e.power,
                *((e.simulated,) if simulated else ()),
                e.detectable,
                e.needed,
            )
            for e in rows
        ]
        for metric, rows in power.metrics.items()
    ]
    a, b = power.systems
    title = (
        f"Power of {a} − {b}, from {count_of(power.documents, 'document')}; detectable, needed: "
        f"with a power of {100 * power.power:g} % at level {power.level:g}"
    )
    return make_table("power", title, headings, blocks)


def power_tables(power: Power) -> list[Table]:
    """The table of the estimates."""
    return [power_table(power)]
