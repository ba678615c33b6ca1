"""corefkit corpus layers: extract single annotation layers from CoNLL files, and merge them."""

import re
from functools import partial
from pathlib import Path

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import force_option, path_option
from corefkit.cli.output import check_ending, print_incidents, write_bytes, write_each
from corefkit.formats import AS_THEY_ARE, load

_LAYERS = ("parse", "name", "coref", "prop", "sense", "speaker")


@click.command("layers", cls=CheckedCommand)
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
    help="Write FILE with this layer (parse, name or coref) in place of its own.",
)
@path_option
@force_option
def command(path: str, layer: str, source: str | None, output: str | None, force: bool) -> None:
    """Write one annotation layer of FILE, a full CoNLL file, in the form that OntoNotes has.

    A directory becomes one file per layer and document, beside the CoNLL files or under PATH;
    either all are written or none. --merge does the reverse: it writes a CoNLL file with the trees,
    names or mentions of LAYERFILE in place of its own. Round trips lose nothing.

    \b
    Examples:
      corefkit corpus layers key.conll --layer parse -o key.parse
      corefkit corpus layers corpus/ --layer name -o layers/
      corefkit corpus layers key.conll --layer coref --merge key.coref -o new.conll
    """
    if not Path(path).is_dir():
        check_ending(output, *(("conll",) if source else (layer, "txt")))
    if source:
        write_bytes(_merge(path, layer, source), output)
        return
    name = partial(re.compile(r"(\.[^.]*)?(\.gz)?$").sub, f".{layer}", count=1)
    write_each(path, output, "conll", name, lambda job: _layer(job.source, layer), force=force)


def _layer(path: str, layer: str) -> bytes:
    from corefkit.core.tokens import Tokens
    from corefkit.corpora.layers import write_layer
    from corefkit.formats import read

    corpus = read(path)
    incidents = list(corpus.incidents)
    if layer == "coref" and not (corpus.zero is None and corpus.parts is None):
        from corefkit.formats import reduce

        corpus, lost = reduce(corpus, frozenset({"crossing"}))
        incidents += lost
    text = "".join(write_layer(Tokens(corpus, AS_THEY_ARE), layer))
    print_incidents(incidents)
    return text.encode("utf-8", AS_THEY_ARE)


def _merge(path: str, layer: str, source: str) -> bytes:
    from corefkit.corpora.layers import READABLE, ignored, merge

    if layer not in READABLE:
        raise click.UsageError(f"--merge: choose from {', '.join(READABLE)}")
    text = load(source).decode("utf-8-sig", AS_THEY_ARE)
    merged = merge(load(path), layer, text, path, source)
    print_incidents(ignored(layer, text, source))
    return merged
