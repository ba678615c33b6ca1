"""corefkit text: a CorefUD file as text for language models."""

import click

from corefkit.cli.output import output_option, tell, user_errors, write_output


@click.command("text")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Tokens and clusters as JSON, as in 2026.")
@output_option
def command(file: str, as_json: bool, output: str | None) -> None:
    """Write a CorefUD FILE as the CRAC shared tasks give it to language models.

    A document a line (2025): `[e1` behind a word opens a mention, `e1]` closes one, `##` is an
    empty node, which stands behind the word it depends on. With --json (2026) a list of tokens and
    clusters. Of a discontinuous mention the part with the head is kept; heads, types and relations
    are lost.

    \b
    Examples:
      corefkit text key.conllu -o key.txt
      corefkit text key.conllu --json -o key.json
    """
    from corefkit.data.texts import to_json
    from corefkit.formats import read
    from corefkit.formats.conllu.texts import to_objects, to_text

    with user_errors():
        corpus = read(file)
        tell(corpus.incidents)
        text = to_json(to_objects(corpus)) + "\n" if as_json else to_text(corpus)
    write_output(lambda bold: text, output)
