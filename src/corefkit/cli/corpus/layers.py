"""corefkit corpus layers: extract single annotation layers from CoNLL files, and merge them."""

import re
from functools import partial
from pathlib import Path

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import force_option, path_option
from corefkit.cli.output import check_ending, print_incidents, write_bytes, write_each
from corefkit.formats.kit.files import AS_THEY_ARE, load

_LAYERS = ("parse", "name", "coref", "prop", "sense", "speaker")
_NUMBERED = ("prop", "sense", "speaker")


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
    help="Write FILE with this layer in place of its own.",
)
@click.option(
    "--trees",
    metavar="PARSEFILE",
    help="Propositions, senses and speakers count the words of these trees, traces included.",
)
@click.option("--no-functions", is_flag=True, help="Write NP for NP-SBJ: trees for --layer parse.")
@path_option
@force_option
def command(
    path: str,
    layer: str,
    source: str | None,
    trees: str | None,
    no_functions: bool,
    output: str | None,
    force: bool,
) -> None:
    """Write one annotation layer of FILE, a full CoNLL file, in the form that OntoNotes has.

    A directory becomes one file per layer and document, beside the CoNLL files or under PATH;
    either all are written or none. --merge does the reverse: it writes a CoNLL file with the layer
    of LAYERFILE in place of its own. Round trips lose nothing. A layer that has traces and
    disfluencies, which FILE lacks, is mapped to the words that remain, and what moved or was lost
    is counted.

    \b
    Examples:
      corefkit corpus layers key.conll --layer parse -o key.parse
      corefkit corpus layers corpus/ --layer name -o layers/
      corefkit corpus layers key.conll --layer coref --merge key.coref -o new.conll
      corefkit corpus layers a.conll --layer prop --merge a.prop --trees a.parse -o b.conll
    """
    if not Path(path).is_dir():
        check_ending(output, *(("conll",) if source else (layer, "txt")))
    if no_functions and layer != "parse":
        raise click.UsageError("--no-functions is for --layer parse")
    if trees and not (source and layer in _NUMBERED):
        raise click.UsageError("--trees is for --merge with --layer prop, sense or speaker")
    if source:
        write_bytes(_merge(path, layer, source, trees, not no_functions), output)
        return
    name = partial(re.compile(r"(\.[^.]*)?(\.gz)?$").sub, f".{layer}", count=1)
    write_each(
        path,
        output,
        "conll",
        name,
        lambda job: _layer(job.source, layer, not no_functions),
        force=force,
    )


def _layer(path: str, layer: str, functions: bool) -> bytes:
    from corefkit.core.tokens import Tokens
    from corefkit.corpora.layers import write_layer
    from corefkit.formats import read

    corpus = read(path)
    incidents = list(corpus.incidents)
    if layer == "coref" and not (corpus.zero is None and corpus.nodes is None):
        from corefkit.formats.kit.convert import reduce

        corpus, lost = reduce(corpus, frozenset({"crossing"}))
        incidents += lost
    text = "".join(write_layer(Tokens(corpus, AS_THEY_ARE), layer, functions=functions))
    print_incidents(incidents)
    return text.encode("utf-8", AS_THEY_ARE)


def _merge(path: str, layer: str, source: str, trees: str | None, functions: bool) -> bytes:
    from corefkit.corpora.merging import merge

    texts = [load(file).decode("utf-8-sig", AS_THEY_ARE) for file in (source, trees) if file]
    given = texts[1] if trees else None
    merged = merge(load(path), layer, texts[0], path, source, trees=given, functions=functions)
    print_incidents(merged.incidents)
    return merged.data
