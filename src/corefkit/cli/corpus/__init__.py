"""corefkit corpus: commands that prepare corpora."""

import click

from corefkit.cli.app import CommandGroup

COMMANDS = {
    "Commands": {
        "split": "Partition documents into training, development and test sets.",
        "boundaries": "Write gold mention boundaries or gold mentions, without chains.",
        "heads": "Set the heads of mentions from dependency trees.",
        "layers": "Write or merge single annotation layers in OntoNotes style.",
        "skeleton": "Mask the words of a corpus, or put them back.",
        "text": "Write CorefUD files as texts for language models, and read such texts.",
    },
}
"""The commands of this package."""


@click.group("corpus", cls=CommandGroup, package=__name__, sections=COMMANDS)
def command() -> None:
    """Prepare corpora: partition documents, mask words, set heads, extract layers.

    `corefkit corpus COMMAND --help` explains a command.
    """
