"""corefkit corpus split: partition documents into training, development and test sets."""

from pathlib import Path

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import force_option, format_option
from corefkit.cli.output import print_message, print_notes, write_files, write_output
from corefkit.core.incidents import DataError
from corefkit.core.texts import count_of, to_json, visible


def _ratio(_: click.Context, __: click.Parameter, text: str | None) -> tuple[float, ...] | None:
    """The value of --ratio: two or three positive numbers, separated by slashes."""
    if text is None:
        return None
    try:
        shares = tuple(float(share) for share in text.split("/"))
    except ValueError:
        shares = ()
    if len(shares) not in (2, 3) or not all(0 < share < float("inf") for share in shares):
        raise click.BadParameter(f"{text!r} is not a ratio such as 80/10/10 or 80/20")
    return shares


@click.command("split", cls=CheckedCommand)
@click.argument("sources", nargs=-1, required=True, metavar="IDS-OR-DIR...")
@format_option(
    ["text", "json"], help="text: a part and an id on each line; json: a list for each part."
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    help="Write the lists train.id, development.id and test.id, and with -f json also split.json.",
)
@click.option(
    "--ratio",
    metavar="A/B/C",
    callback=_ratio,
    help="Draw parts in this ratio from any corpus, e.g. 80/10/10, or 80/20 without development.",
)
@click.option("--seed", type=int, help="With --ratio: the seed.  [default: 1]")
@click.option(
    "--by",
    metavar="GROUPING",
    help="With --ratio: keep the ratio within each group: genre, re:PATTERN.",
)
@click.option("--check", is_flag=True, help="Only check that no document is in two of the lists.")
@force_option
def command(
    sources: tuple[str, ...],
    form: str,
    output: str | None,
    ratio: tuple[float, ...] | None,
    seed: int | None,
    by: str | None,
    check: bool,
    force: bool,
) -> None:
    """Partition documents by a ratio, or as the CoNLL tasks did (Algorithm 1 of their paper).

    IDS-OR-DIR is a list of ids (one per line), a corpus in any format, `-`, or a directory laid out
    like OntoNotes. With --ratio documents are drawn at random, the same on every machine; those of
    one folder or one work stay together. Without it, OntoNotes ids decide: the Wall Street Journal
    is split by section, a source with ten or more documents by the last digit of the id; in smaller
    ones, ids that end in 0 go to development and the highest remaining number to test. All parts of
    a document stay together.

    With --check each argument is one part of an existing split; the exit status is 1 if a document
    is in two of them.

    \b
    Examples:
      corefkit corpus split corpus.jsonl --ratio 80/10/10 --seed 1 -o lists
      corefkit corpus split corpus/ -f json
      corefkit corpus split ids.txt -o lists
      corefkit corpus split --check lists/train.id lists/development.id lists/test.id
    """
    from corefkit.corpora.split import draw_split, in_two_parts, partition, read_ids

    if ratio is None and (seed is not None or by is not None):
        raise click.UsageError("--seed and --by need --ratio")
    if check:
        parts = {source: read_ids(source) for source in sources}
    elif ratio:
        names = [name for source in sources for name in read_ids(source)]
        parts = draw_split(names, ratio, 1 if seed is None else seed, by)
        print_notes(_ratio_notes(parts, ratio))
    else:
        names = [name for source in sources for name in read_ids(source)]
        parts = partition(names)
        if not any("/" in name for name in names):
            print_message(
                "note: these are not ids of OntoNotes (genre/source/…), and only their last digits "
                "decide; --ratio 80/10/10 divides any corpus"
            )
    if incidents := in_two_parts(parts):
        raise DataError(incidents)
    if check:
        documents = sum(len(set(names)) for names in parts.values())
        sizes = f"{count_of(documents, 'document')} in {count_of(len(parts), 'part')}"
        click.echo(f"{sizes}, none in two of them")
    elif output:
        _write_lists(parts, Path(output), form, sources, force=force)
    elif form == "json":
        write_output(to_json(parts), None)
    else:
        lines = [f"{part}\t{name}\n" for part, names in parts.items() for name in names]
        write_output("".join(lines), None, "tsv")


def _ratio_notes(parts: dict[str, list[str]], ratio: tuple[float, ...]) -> list[str]:
    """Notes on a ratio that does not add up to 100, and on parts without documents."""
    notes = []
    if all(share >= 1 for share in ratio) and sum(ratio) > 100:
        shares = "/".join(f"{100 * share / sum(ratio):.1f}" for share in ratio)
        notes.append(f"the ratio adds up to {sum(ratio):g}, not 100; it is {shares} per cent")
    if empty := [part for part, names in parts.items() if not names]:
        number = sum(map(len, parts.values()))
        notes.append(
            f"no documents for {' and '.join(empty)}: {number:,} are too few for this ratio "
            "(those of one folder or one work stay together)"
        )
    return notes


def _write_lists(
    parts: dict[str, list[str]], folder: Path, form: str, sources: tuple[str, ...], *, force: bool
) -> None:
    """Write one list per part, and with the form json also a file with all of them."""
    texts = {f"{part}.id": "".join(f"{n}\n" for n in names) for part, names in parts.items()}
    sizes = [len(names) for names in parts.values()]
    if form == "json":
        texts["split.json"] = to_json(parts)
        sizes.append(sum(sizes))
    written = {
        str(folder / n): text.encode("utf-8", "surrogateescape") for n, text in texts.items()
    }
    write_files(written, sources, force=force)
    for name, size in zip(written, sizes, strict=True):
        click.echo(f"{visible(name)}: {count_of(size, 'document')}")
