"""What `corefkit degrade` lists and prints: the errors that were made, and what errors cost."""

from collections.abc import Sequence
from itertools import groupby

from corefkit.core.texts import count_of, to_json
from corefkit.corpora.exchange_rates import ExchangeRates, Loss
from corefkit.corpora.known_errors import KnownError
from corefkit.render.delimited import write_rows
from corefkit.render.table import (
    DELIMITED,
    Around,
    Cell,
    CellValue,
    Heading,
    Table,
    make_table,
    percent,
    plain_headings,
    render_table,
    render_tables,
    result_json,
)


def render_known_errors(errors: Sequence[KnownError], form: str = "tsv") -> str:
    """The errors, one per line, as tsv, csv or jsonl."""
    if form == "jsonl":
        return "".join(to_json(error._asdict(), None) for error in errors)
    return write_rows([KnownError._fields, *errors], DELIMITED[form])


def render_rates(rates: ExchangeRates, form: str = "text", *, bold: bool = False) -> str:
    """What errors cost, in one of the formats of tables; JSON says all, unrounded."""
    if form == "json":
        return result_json(rates.to_dict(), ())
    if form in DELIMITED:
        return render_table(_flat_rates(rates), form)
    seeds = count_of(len(rates.seeds), "seed")
    tables = [
        _rates_table(rates, "loss", f"Loss of F1 in points, mean over {seeds}"),
        _rates_table(rates, "per_percent", "Points for each per cent of errors"),
    ]
    around = Around(signature=rates.signature, title="What errors cost")
    return render_tables(tables, form, around, bold=bold)


def _rates_table(rates: ExchangeRates, figure: str, title: str) -> Table:
    metrics = [*rates.rates[0].metrics]
    headings = [*plain_headings("operation"), Heading("rate", "rate", kind="number")]
    headings += [Heading(metric, metric, kind="score") for metric in metrics]
    lines: list[tuple[CellValue | Cell, ...]] = [
        (
            one.operation,
            Cell(float(one.rate), text=f"{100 * float(one.rate):g} %"),
            *(_loss_cell(loss, figure) for loss in one.metrics.values()),
        )
        for one in rates.rates
    ]
    blocks = [[*same] for _, same in groupby(lines, key=lambda line: line[0])]
    return make_table("rates", title, headings, blocks)


def _loss_cell(loss: Loss, figure: str) -> Cell:
    value = getattr(loss, figure)
    if figure == "loss" and loss.sd is not None:
        return Cell(value, text=f"{percent(value)} ± {percent(loss.sd)}")
    return Cell(value)


def _flat_rates(rates: ExchangeRates) -> Table:
    """For programs: one row per operation, rate and metric."""
    headings = plain_headings("operation", "rate", "metric")
    headings += plain_headings(*Loss._fields, kind="number")
    lines = [
        (one.operation, one.rate, metric, *loss)
        for one in rates.rates
        for metric, loss in one.metrics.items()
    ]
    return make_table("rates", "", headings, [lines])
