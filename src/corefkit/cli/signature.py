"""corefkit signature: turn a signature back into options."""

from dataclasses import asdict

import click

from corefkit.cli.commands import CheckedGroup
from corefkit.cli.options import format_option
from corefkit.core.languages import LANGUAGES
from corefkit.core.options import DOCUMENTS, POLICIES, TAGSETS
from corefkit.core.texts import to_json
from corefkit.scorers import PROFILES


class _SignatureGroup(CheckedGroup):
    """The commands about signatures; a signature in place of a command is parsed."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command, or `parse` if there is a signature in its place."""
        is_signature = args and args[0] not in self.commands and ":" in args[0]
        return super().resolve_command(ctx, ["parse", *args] if is_signature else args)


@click.group("signature", cls=_SignatureGroup)
def command() -> None:
    """Read signatures, the lines that record how a score was computed.

    \b
    Example:
      corefkit signature 'profile:standard|version:0.1.0'
    """


@command.command("parse")
@click.argument("signature")
@format_option(["text", "json"])
def parse(signature: str, form: str) -> None:
    """Turn SIGNATURE back into the options of `corefkit score`, with what each means.

    `corefkit score KEY RESPONSE --signature SIGNATURE` runs with them.
    """
    from corefkit.scorers.signature import parse_signature

    options, version = parse_signature(signature)
    if form == "json":
        click.echo(to_json({**asdict(options), "version": version}), nl=False)
        return
    click.echo(f"--metrics {','.join(options.metrics)}")
    click.echo(f"--profile {options.profile}  ({PROFILES[options.profile].help})")
    for policy, meanings in POLICIES.items():
        if len(meanings) < 2:  # nothing to choose
            continue
        value = getattr(options, policy)
        if (policy, value) == ("duplicates", "first") and options.scorer != "standard":
            continue
        click.echo(f"--{policy} {value}  ({meanings[value]})")
    if options.defects != "usual":
        click.echo(f"--{options.defects}")
    if options.documents != "all":
        given = "FILE" if options.documents == "listed" else options.documents
        click.echo(f"--documents {given}  ({DOCUMENTS[options.documents]})")
    for by in options.by:
        click.echo(f"--by {by}")
    if options.applications:
        variants = ",".join(f"{m}={variant}" for m, variant in options.applications.items())
        click.echo(f"--variant {variants}")
        click.echo(f"--tagset {options.tagset}  ({TAGSETS[str(options.tagset)]})")
    if options.language != "auto":
        click.echo(f"--language {options.language}  ({LANGUAGES[options.language]})")
    click.echo(f"written by corefkit {version or '(unknown version)'}")
