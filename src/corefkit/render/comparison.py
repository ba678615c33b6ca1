"""What `corefkit compare` prints: intervals, tests and groups."""

import json
from collections.abc import Sequence

from corefkit._version import __version__
from corefkit.data.incidents import Incident
from corefkit.render.grid import Cell, Column, Table, figure, label, render_grid
from corefkit.stats.significance import Comparison


def render_comparison(
    comparison: Comparison,
    form: str,
    *,
    bold: bool = False,
    incidents: Sequence[Incident] = (),
) -> str:
    """The comparison in one of the formats of tables; JSON says all, unrounded."""
    if form == "json":
        whole = {"version": __version__, **comparison.to_dict()}
        whole["incidents"] = [incident.to_dict() for incident in incidents]
        return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    tables = [intervals_table(comparison)]
    if comparison.pairs:
        tables.append(pairs_table(comparison))
    if form in ("csv", "tsv"):  # one table a file: the pairs, where there are any
        return render_grid(tables[-1], form)
    if comparison.pairs:
        tables.append(groups_table(comparison))
    shown = [render_grid(table, form, bold=bold) for table in tables]
    prefix = {"text": "signature: ", "latex": "% ", "markdown": "`"}[form]
    suffix = "`" if form == "markdown" else ""
    return "\n".join([*shown, f"{prefix}{comparison.signature}{suffix}\n"])


def intervals_table(comparison: Comparison) -> Table:
    """F1 and its confidence interval, for each metric and system."""
    columns = [Column("metric", "metric", number=False), Column("system", "system", number=False)]
    columns += [Column("f1", "F1"), Column("low", "from"), Column("high", "to")]
    metrics = next(iter(comparison.systems.values()))
    blocks = [
        tuple(
            (
                label(metric),
                label(system),
                *map(figure, (found[metric].f1, *found[metric].interval)),
            )
            for system, found in comparison.systems.items()
        )
        for metric in metrics
    ]
    title = (
        f"F1 with its {100 * comparison.level:g} % confidence interval over "
        f"{comparison.documents:,} documents ({comparison.samples:,} bootstrap samples)"
    )
    return Table("intervals", title, tuple(columns), tuple(blocks))


def pairs_table(comparison: Comparison, metrics: Sequence[str] = ()) -> Table:
    """The differences between systems and their p-values, in some metrics or all."""
    words = [Column(name, name, number=False) for name in ("metric", "a", "b")]
    numbers = [
        Column("difference", "a − b"),
        Column("low", "from"),
        Column("high", "to"),
        Column("p_bootstrap", "bootstrap", "p"),
        Column("p_randomization", "randomised", "p"),
        Column("p_holm", "Holm", "p"),
        Column("wins", "wins", "documents"),
        Column("losses", "losses", "documents"),
        Column("ties", "ties", "documents"),
    ]
    blocks = []
    for metric in metrics or list(next(iter(comparison.systems.values()))):
        rows = []
        for pair in comparison.pairs:
            d = pair.metrics[metric]
            rows.append(
                (
                    *map(label, (metric, pair.a, pair.b)),
                    *map(_signed, (d.difference, *d.interval)),
                    *map(_p, (d.p_bootstrap, d.p_randomization)),
                    _p(d.p_holm, bold=d.p_holm < 1 - comparison.level),
                    *(Cell(n, str(n)) for n in (d.wins, d.losses, d.ties)),
                )
            )
        blocks.append(tuple(rows))
    best = f"significant at {1 - comparison.level:.2g} after Holm's correction"
    title = "Differences of F1: paired bootstrap and approximate randomisation over documents"
    return Table("pairs", title, tuple(words + numbers), tuple(blocks), best=best)


def groups_table(comparison: Comparison) -> Table:
    """Which systems cannot be told apart."""
    columns = (
        Column("metric", "metric", number=False),
        Column("systems", "systems", number=False),
    )
    blocks = tuple(
        tuple((label(metric), label(", ".join(group))) for group in groups)
        for metric, groups in comparison.groups.items()
    )
    return Table("groups", "Systems that cannot be told apart, best first", columns, blocks)


def _signed(value: float) -> Cell:
    return Cell(value, f"{100 * value:+.2f}")


def _p(value: float, *, bold: bool = False) -> Cell:
    return Cell(value, f"{value:.4f}", bold)
