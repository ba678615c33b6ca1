"""corefkit layers: single annotation layers out of CoNLL files, and back."""

from pathlib import Path

import click

from corefkit.cli.output import (
    force_option,
    refuse_existing,
    standard_input_once,
    tell,
    user_errors,
    write_data,
)
from corefkit.data.texts import count_of

_LAYERS = ("parse", "name", "coref", "prop", "sense", "speaker")


@click.command("layers")
@click.argument("path", metavar="FILE")
@click.option(
    "--layer",
    type=click.Choice(_LAYERS),
    required=True,
    help="parse: bracketed trees; name: inline ENAMEX; coref: inline COREF; prop, sense, speaker: "
    "stand-off lines.",
)
@click.option(
    "--merge",
    "source",
    metavar="LAYERFILE",
    help="Write FILE with the annotation of this layer (parse, name or coref) in it.",
)
@click.option("-o", "--output", metavar="PATH", help="Where to write; a directory for a directory.")
@force_option
def command(path: str, layer: str, source: str | None, output: str | None, force: bool) -> None:
    """Write one annotation layer of FILE, a full CoNLL file, as OntoNotes has it.

    A directory becomes one file a layer and document beside the CoNLL files or under PATH, all
    written or none. With --merge the way back: a CoNLL file with the trees, names or mentions of
    LAYERFILE in place of its own; round trips lose nothing.

    \b
    Examples:
      corefkit layers key.conll --layer parse -o key.parse
      corefkit layers corpus/ --layer name -o layers/
      corefkit layers key.conll --layer coref --merge key.coref -o new.conll
    """
    standard_input_once(path, source)
    with user_errors():
        if source:
            _merge(path, layer, source, output)
        elif Path(path).is_dir():
            _write_tree(path, layer, output, force)
        else:
            _write(_layer(path, layer), output)


def _layer(path: str, layer: str) -> bytes:
    from corefkit.data.incidents import DataError, errors
    from corefkit.formats import read_all
    from corefkit.formats.files import AS_THEY_ARE
    from corefkit.ontonotes.layers import write_layer
    from corefkit.ontonotes.tokens import Tokens

    corpus = read_all(path)
    incidents = list(corpus.incidents)
    if errors(incidents):
        raise DataError(incidents)
    text = "".join(write_layer(Tokens(corpus, AS_THEY_ARE), layer))
    tell(incidents)
    return text.encode("utf-8", AS_THEY_ARE)


def _write(data: bytes, output: str | None) -> None:
    from corefkit.ontonotes.batch import write_one

    rest = write_one(output, data)
    if rest is not None:
        write_data(rest)


def _write_tree(path: str, layer: str, output: str | None, force: bool) -> None:
    import re

    from corefkit.ontonotes.batch import Staged, plan

    ending = re.compile(r"(\.[^.]*)?(\.gz)?$")
    jobs = plan(path, output, "conll", lambda name: ending.sub(f".{layer}", name, count=1))
    refuse_existing([j.target for j in jobs], (j.source for j in jobs), force=force)
    with Staged() as staged:
        for job in jobs:
            staged.write(job.target, _layer(job.source, layer))
    click.echo(f"{count_of(len(jobs), 'file')} written", err=True)


def _merge(path: str, layer: str, source: str, output: str | None) -> None:
    from corefkit.formats.files import AS_THEY_ARE, load
    from corefkit.ontonotes.layers import READABLE, ignored, merge

    if layer not in READABLE:
        raise click.UsageError(f"--merge: choose from {', '.join(READABLE)}")
    text = load(source).decode("utf-8-sig", AS_THEY_ARE)
    merged = merge(load(path), layer, text, path, source)
    tell(ignored(layer, text, source))
    _write(merged, output)
