"""corefkit task: run and report a shared task."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corefkit.cli.app import CommandGroup
from corefkit.cli.commands import CheckedCommand, choice_option
from corefkit.cli.options import digits_option, format_option
from corefkit.cli.output import (
    WIDTH,
    check_ending,
    fitted,
    print_incidents,
    print_message,
    print_notes,
    write_files,
)
from corefkit.core.incidents import UnwrittenError, errors
from corefkit.core.texts import count_of, visible
from corefkit.formats.kit.writing import write_atomically
from corefkit.plugins.task.manifest import read_manifest
from corefkit.render.table import Table, render_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from corefkit.core.incidents import Incident
    from corefkit.plugins.task import TaskRun
    from corefkit.plugins.task.shared_task import Slot, Task


class TaskGroup(CommandGroup):
    """The commands of this module, and those that plug-ins add."""

    command_class = CheckedCommand


@click.group("task", cls=TaskGroup)
def command() -> None:
    """Run a shared task: check responses, score, rank, test, draw and publish.

    A task is described by a manifest in TOML; `corefkit task init DIR` writes one from a folder
    of files, and `corefkit help task` explains it.

    \b
    Examples:
      corefkit task init my-task
      corefkit task check my-task/task.toml
      corefkit task run my-task/task.toml -o results
      corefkit task bundle my-task/task.toml -o bundle.zip
    """


@command.command("init")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", help="The name of the task.  [default: that of the folder]")
@click.option("--force", is_flag=True, help="Replace an existing manifest.")
@choice_option(
    "--layout", ["conll", "crac"], help="How files are named; crac: DATASET-corefud-SPLIT.conllu."
)
def init(folder: Path, name: str | None, force: bool, layout: str) -> None:
    """Write DIR/task.toml from the files in DIR.

    Looks for keys/LANGUAGE.conll, responses/SYSTEM/LANGUAGE.TRACK.SETTING.conll and
    subsets/NAME.LANGUAGE.txt (all .conll files also as .gz). A SETTING is NB, GB or GM, optionally
    followed by -gold (gold syntax in test) or -trained-gold (in training); track and setting may be
    left out (closed, NB).

    With --layout crac it looks for keys/DATASET-corefud-SPLIT.conllu and
    responses/SYSTEM/DATASET-corefud-SPLIT.conllu, or DATASET.conllu; the task then has datasets,
    and its settings are the columns of the CRAC results.
    """
    from corefkit.plugins.task.init import MANIFEST, find, manifest_text
    from corefkit.plugins.task.run import check_uploads

    target = folder / MANIFEST
    if target.exists() and not force:
        raise click.UsageError(f"{target} already exists; --force replaces it")
    title = name or folder.resolve().name
    if layout == "crac":
        from corefkit.plugins.task.init import crac_manifest, find_datasets

        datasets = find_datasets(folder)
        print_incidents(datasets.unplaced)
        text = crac_manifest(title, datasets)
    else:
        files = find(folder)
        print_incidents(files.unplaced)
        text = manifest_text(title, files)
    task = read_manifest(target, text)
    print_incidents(check_uploads(task, [*task.key_files(), *task.files()]))
    write_atomically(str(target), text.encode())
    sizes = (
        count_of(len(task.languages), task.word),
        count_of(len(task.systems), "system"),
        count_of(len(set(task.responses.values())), "response"),
        count_of(len(task.settings), "setting"),
    )
    click.echo(f"{visible(str(target))}: {', '.join(sizes)}")
    if name is None:
        print_notes([f"the task is named '{visible(title)}', as its folder is; or give --name"])


@command.command("check")
@click.argument("manifest", type=click.Path())
@click.option(
    "--for", "system", metavar="SYSTEM", help="Tell the team of SYSTEM all about its responses."
)
@format_option(["text", "json", "tsv", "csv", "markdown", "latex"], by_name=False)
def check(manifest: str, system: str | None, form: str) -> None:
    """Validate the manifest, the keys and every response; list what is missing or broken.

    The exit status is 1 if the manifest, a key or a response is broken; missing responses and
    warnings do not count. With --for, it is a text to send to the team of a system, which quotes
    no words of the keys, unless the manifest has show_texts = true.
    """
    from corefkit.plugins.task.run import (
        check_responses,
        check_subsets,
        check_uploads,
        read_keys,
    )
    from corefkit.plugins.task.tables import problems_table

    task = read_manifest(manifest)
    if system is not None:
        task = task.of_system(system)
    keys = read_keys(task)
    print_incidents([*check_uploads(task, task.key_files()), *check_subsets(task, keys)])
    incidents = check_responses(task, keys)
    if system is not None and form == "text":
        click.echo(_letter(task, system, incidents))
        sys.exit(1 if any(map(errors, incidents.values())) else 0)
    table = problems_table(task, incidents, paths=True)
    if form != "text":
        click.echo(render_table(table, form), nl=False)
    elif any(table.lines):
        click.echo(_listed_problems(table))
    broken = sum(bool(errors(listed)) for listed in incidents.values())
    warned = sum(map(bool, incidents.values())) - broken
    sent = f"{count_of(len(task.files()), 'response')} of {count_of(len(task.systems), 'system')}"
    found = f"{broken:,} broken, {len(task.missing()):,} missing"
    more = f", {warned:,} with warnings" if warned else ""
    click.echo(f"{sent}: {found}{more}", err=form != "text")
    sys.exit(1 if broken else 0)


def _letter(task: "Task", system: str, incidents: "Mapping[Slot, Sequence[Incident]]") -> str:
    """What the team of a system needs to know about its responses, without words of the keys."""
    from corefkit.plugins.task.shared_task import without_text

    lines = [f"{task.name}: the responses of {system}"]
    for slot, file in task.responses.items():
        if slot not in incidents:
            continue
        found = incidents[slot]
        if task.leads_out(file):
            found = [without_text(incident) for incident in found]
        told = [str(task.publish(incident)) for incident in found]
        lines += ["", f"{' '.join(task.describe(slot))}: {file}{'' if told else ': no problems'}"]
        lines += [fitted(text, sys.stdout) for text in told]
    for slot in task.missing():
        lines += ["", f"{' '.join(task.describe(slot))}: not sent"]
    return "\n".join(visible(line) for text in lines for line in text.split("\n"))


def _listed_problems(table: Table) -> str:
    """The table of problems as text: what each response is for, its file and what is wrong."""
    import textwrap

    names = [heading.name for heading in table.headings]
    lines = [table.title, ""]
    for line in table.lines:
        cells = dict(zip(names, table.shown(line), strict=True))
        columns = ("status", "file", "line", "column", "what")
        status, *position, message = (cells.pop(name) for name in columns)
        told = [": ".join(filter(None, (":".join(filter(None, position)), message)))]
        told += [f"{name}: {text}" for name in ("document", "hint") if (text := cells.pop(name))]
        lines.append(f"{' '.join(cells.values())}: {status}")
        for text in told:
            lines += textwrap.wrap(
                text,
                WIDTH,
                initial_indent="  ",
                subsequent_indent="    ",
                break_on_hyphens=False,
            )
    return "\n".join((*lines, ""))


@command.command("run")
@click.argument("manifest", type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write; an interrupted run continues there.",
)
@click.option(
    "--jobs", type=click.IntRange(1), help="The number of processes.  [default: all cores]"
)
@click.option("--plots/--no-plots", default=True, help="Draw plots (needs matplotlib).")
@click.option(
    "--reports",
    is_flag=True,
    help="Also write an error page for each response in the official setting; it contains the "
    "texts of the key.",
)
@click.option(
    "--allow-broken", is_flag=True, help="End with status 0 even if a response cannot be scored."
)
@digits_option
def run(
    manifest: str, output: Path, jobs: int | None, plots: bool, reports: bool, allow_broken: bool
) -> None:
    """Score all responses and write the ranking, tables, plots, significance tests and a page.

    Unchanged results of earlier runs are reused. A response that cannot be
    scored counts as not sent; everything is written, and the exit status is 1, or 0 with
    --allow-broken.

    \b
    Examples:
      corefkit task run my-task/task.toml -o results
      corefkit task run my-task/task.toml -o results --reports --allow-broken
    """
    from corefkit.plugins.task.output import write_run
    from corefkit.plugins.task.parts import PARTS, FolderInUseError, locked
    from corefkit.plugins.task.run import (
        check_subsets,
        check_uploads,
        copied_responses,
        score_task,
    )

    task = read_manifest(manifest)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwrittenError.of(error, str(output)) from None
    try:
        with locked(output):
            pages = None
            if reports:
                from corefkit.plugins.task.error_pages import ErrorPages

                pages = ErrorPages.of(task, output)
            results = score_task(task, output / PARTS, jobs, pages)
            print_incidents(check_uploads(task, task.key_files()))
            print_incidents(check_subsets(task, results.keys))
            print_incidents(dict.fromkeys(i for r in results.results.values() for i in r.incidents))
            copied = copied_responses(task, results.results, results.key_hashes)
            print_incidents(copied.values())
            pictures = _draw(results) if plots else {}
            print_incidents(pages.notes if pages else ())
            write_run(results, output, pictures, pages.written(results) if pages else {})
    except FolderInUseError as error:
        print_message(f"error: {error}; wait for it, or write somewhere else")
        sys.exit(1)
    from corefkit.plugins.task.tables import overview

    click.echo(render_table(overview(results, task.settings[task.official]), "text"))
    page = visible(str(output / "index.html"))
    click.echo(f"wrote {page} and all tables, figures and counts beside it")
    if unscored := results.unscored():
        broken = {task.responses[slot] for slot in unscored}
        number = f"{len(broken):,} of {len(task.files()):,} responses"
        counts = "counts" if len(broken) == 1 else "count"
        note = (
            "as --allow-broken allows" if allow_broken else "exit status 1; 0 with --allow-broken"
        )
        click.echo(f"{number} could not be scored and {counts} as not sent ({note})", err=True)
        sys.exit(0 if allow_broken else 1)


@command.command("bundle")
@click.argument("manifest", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default="bundle.zip",
    show_default=True,
    type=click.Path(path_type=Path),
    help="A .zip to upload, or a folder to edit first.",
)
@click.option(
    "--image", metavar="IMAGE", help="The container image to score in.  [default: Python 3.12]"
)
@click.option(
    "--start",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The date on which it opens.  [default: today]",
)
@click.option(
    "--end",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The date on which it closes.  [default: never]",
)
@click.option("--force", is_flag=True, help="Replace an existing bundle.")
def bundle(
    manifest: Path,
    output: Path,
    image: str | None,
    start: "datetime | None",
    end: "datetime | None",
    force: bool,
) -> None:
    """Write a competition bundle for Codabench.

    It contains the keys as reference data, corefkit itself as the scoring program, a leaderboard
    with the official score, and the task's page as detailed results. For a multilingual task it
    contains only the first track and the official setting.

    \b
    Examples:
      corefkit task bundle my-task/task.toml -o bundle.zip --start 2026-12-01 --end 2027-01-15
    """
    from corefkit.plugins.task.bundle import IMAGE, make_bundle, zipped
    from corefkit.plugins.task.run import read_keys

    if not output.is_dir():
        check_ending(str(output), "zip")
    task = read_manifest(manifest)
    read_keys(task)
    if output.exists() and not force:
        raise click.UsageError(f"{visible(str(output))} already exists; --force replaces it")
    if start and end and end <= start:
        raise click.UsageError("--end is not after --start")
    days = {"start": start and start.date(), "end": end and end.date()}
    content = make_bundle(task, manifest, image=image or IMAGE, **days)
    if output.suffix == ".zip":
        write_atomically(str(output), zipped(content))
    else:
        write_files({str(output / name): data for name, data in content.items()}, (), force=True)
    click.echo(f"{visible(str(output))}: {len(content)} files")


def _draw(results: "TaskRun") -> "dict[str, dict[str, bytes]]":
    from corefkit.plugins.task.figures import draw_all

    try:
        return draw_all(results)
    except ImportError:
        click.echo("no pictures: they need matplotlib; pip install 'corefkit[plots]'", err=True)
        return {}
