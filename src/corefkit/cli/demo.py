"""corefkit demo: the first minute, on an example corpus that the package brings along."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from corefkit.cli.commands import CheckedCommand

FILES = ("key.conll", "careful.conll", "hasty.conll")
STEPS = (
    ("How good are two systems?", "score key.conll careful.conll hasty.conll"),
    ("Is the better one better by more than luck?", "compare key.conll careful.conll hasty.conll"),
    ("What went wrong, what did it cost, and where?", "report key.conll hasty.conll careful.conll"),
)
NEXT = """
Next, in the folder {folder}:
  corefkit errors key.conll hasty.conll      the same errors in the terminal
  corefkit score key.conll hasty.conll --by genre
  corefkit check hasty.conll --against key.conll

Then put your own files in the place of these: corefkit score KEY RESPONSE.
"""


@click.command("demo", cls=CheckedCommand)
@click.argument("folder", default="corefkit-demo")
@click.option(
    "--open/--no-open",
    "shown",
    default=None,
    help="Open the report in a browser.  [default: on a terminal]",
)
def command(folder: str, shown: bool | None) -> None:
    """Score, compare and explain two systems on an example corpus, in a new FOLDER.

    The corpus goes with the package: nothing is downloaded.

    \b
    Example:
      corefkit demo
    """
    target = Path(folder)
    if target.exists():
        raise click.UsageError(f"{folder} exists already: name a new folder, corefkit demo FOLDER")
    target.mkdir(parents=True)
    for name in FILES:
        shutil.copyfile(_examples() / name, target / name)
    click.echo(f"{len(FILES)} files of an example corpus are in {folder}.")
    before = Path.cwd()
    os.chdir(target)
    try:
        for number, (question, line) in enumerate(STEPS):
            click.echo(f"\n{question}\n\n$ corefkit {line}")
            _run(f"{line} --quiet" if number else line)  # warnings of the same files: once
    finally:
        os.chdir(before)
    page = (target / "report.html").resolve()
    if sys.stdout.isatty() if shown is None else shown:
        click.launch(page.as_uri())
    click.echo(f"\nThe report is {page}: open it in a browser.")
    click.echo(NEXT.format(folder=folder), nl=False)


def _run(line: str) -> None:
    """Run a command of corefkit; leave with its status where it fails."""
    from corefkit.cli.app import corefkit

    try:
        corefkit.main(shlex.split(line), prog_name="corefkit", standalone_mode=False)
    except SystemExit as end:
        if end.code:
            raise


def _examples() -> Path:
    """The example corpus: in the installed package, or in the checkout that it is in."""
    package = Path(__file__).parents[1]
    inside = package / "examples"
    return inside if inside.is_dir() else package.parents[1] / "examples"
