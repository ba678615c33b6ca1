"""What many tests need: where the conformance data is, the command line as a function."""

import ast
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from corefkit.cli.app import corefkit
from corefkit.cli.corefud_scorer import command as corefud_scorer
from corefkit.cli.scorer import command as scorer
from corefkit.cli.ua_scorer import command as ua_scorer

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SHARED = Path(os.environ.get("COREFKIT_SHARED") or ROOT.parent / "shared")
CONFORMANCE = SHARED / "conformance"

needs_conformance = pytest.mark.conformance
"""Compares with the shared corpora: `make oracles` runs it; conftest.py skips it without them."""


@cache
def syntax(file: Path) -> ast.Module:
    """The tree of a source file; some tests look at all of them."""
    return ast.parse(file.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Run:
    """What a command did."""

    status: int
    out: str
    err: str
    shown: str = ""
    """Both of them in the order that a terminal shows."""


def kinds_of(package: str) -> set[str]:
    """The kinds of incidents that a package and its modules own."""
    files = (ROOT / "src/corefkit" / package).glob("*incidents.toml")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return {line[1:-1] for line in lines if line[:1] == "[" and "." not in line}


def run(
    *arguments: str | Path,
    stdin: str | bytes | None = None,
    environment: Mapping[str, str | None] | None = None,
) -> Run:
    """Call `corefkit ARGUMENTS…` in this process; a variable that is None is not set."""
    done = _invoke(corefkit, arguments, stdin, environment)
    if checks_options:
        check_options_named(arguments, done.err)
    return done


checks_options = False
"""Whether `run` fails where a message names an option that the command does not have."""


def run_scorer(*arguments: str | Path, environment: Mapping[str, str | None] | None = None) -> Run:
    """Call `corefkit-scorer ARGUMENTS…` in this process."""
    return _invoke(scorer, arguments, None, environment)


def run_corefud_scorer(
    *arguments: str | Path, environment: Mapping[str, str | None] | None = None
) -> Run:
    """Call `corefkit-corefud-scorer ARGUMENTS…` in this process."""
    return _invoke(corefud_scorer, arguments, None, environment)


def run_ua_scorer(
    *arguments: str | Path, environment: Mapping[str, str | None] | None = None
) -> Run:
    """Call `corefkit-ua-scorer ARGUMENTS…` in this process."""
    return _invoke(ua_scorer, arguments, None, environment)


def _invoke(
    command: click.Command,
    arguments: Sequence[str | Path],
    stdin: str | bytes | None,
    environment: Mapping[str, str | None] | None,
) -> Run:
    result = CliRunner().invoke(command, [str(a) for a in arguments], input=stdin, env=environment)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Run(result.exit_code, result.stdout, result.stderr, result.output)


_OF_ANOTHER = re.compile(r"(?:corefkit|check|convert)(?: [a-z]+)* (?:[A-Z]+ )*--[a-z-]+")
"""What is said of an option of a command that is named before it."""


def check_options_named(words: Sequence[str | Path], told: str) -> None:
    """Fail where a message of `corefkit WORDS…` names an option that the command does not have.

    An option that was typed may be named, be it refused or unknown.
    """
    command: click.Command = corefkit
    known, places = _options_of(command), iter(map(str, words))
    while isinstance(command, click.Group):
        word = next((w for w in places if not w.startswith("-")), "")
        inner = command.get_command(click.Context(command), word)
        if inner is None:
            return
        command = inner
        known |= _options_of(command)
    named = {*re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", _OF_ANOTHER.sub("", told))}
    typed = {str(word).partition("=")[0] for word in words}
    lacking = named - known - typed - {"--help", "--version"}
    assert not lacking, f"{command.name} has no {', '.join(sorted(lacking))}: {told}"


def _options_of(command: click.Command) -> set[str]:
    return {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
