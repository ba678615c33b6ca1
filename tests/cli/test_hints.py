"""Hints name options that the command has which shows them."""

import re
import string
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from corefkit.cli.app import corefkit
from corefkit.core.incidents import all_kinds, make_incident, options_in_hints, with_hint
from tests.support import run


def commands(
    group: click.Group, names: tuple[str, ...] = (), options: tuple[str, ...] = ()
) -> Iterator[tuple[str, frozenset[str]]]:
    """Every command, and its options with those of its groups."""
    context = click.Context(group)
    options += tuple(name for one in group.params for name in one.opts)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*names, name), options)
        else:
            own = (option for one in command.params for option in one.opts)
            yield " ".join((*names, name)), frozenset((*options, *own))


COMMANDS = dict(commands(corefkit))
TEXTS = [
    (kind, variant, says + hint)
    for kind, known in all_kinds().items()
    for variant, (says, hint) in known.texts.items()
    if "--" in hint
]
OTHER_COMMAND = re.compile(r"(?:corefkit|convert)\b[a-z ]*--[a-z-]+")
"""What is said of an option of a command that is named there."""


def options_named(hint: str) -> set[str]:
    return set(re.findall(r"--[a-z][a-z-]*", OTHER_COMMAND.sub("", hint)))


@pytest.mark.parametrize("command", COMMANDS)
def test_no_hint_names_an_option_that_the_command_lacks(command: str) -> None:
    wrong = []
    for kind, variant, texts in TEXTS:
        values = {name: 7 for _, name, _, _ in string.Formatter().parse(texts) if name}
        with options_in_hints(COMMANDS[command]):
            incident = make_incident(kind, variant, None, **values)  # type: ignore[arg-type]
            hints = [incident.hint or "", with_hint(incident, variant).hint or ""]
        if any(options_named(hint) - COMMANDS[command] for hint in hints):
            wrong.append((kind, variant, hints))
    assert wrong == []


def test_hints_outside_of_commands_name_every_option() -> None:
    hints = [
        make_incident("span-twice", "both", entity="1").hint,
        make_incident("document-missing", "refused", document="d").hint,
    ]
    assert hints == [
        "Both copies are scored, as CoVal does; --strict refuses the file",
        "Add the document; --lax counts it as one without mentions",
    ]


def test_an_option_inside_a_value_is_named_only_where_it_exists() -> None:
    option = "--read clusters=preds"
    for options, hint in ((["--read"], f"Read it with {option}"), (["--lax"], None)):
        with options_in_hints(options):
            assert make_incident("format-unknown", "option", option=option).hint == hint


def test_a_part_goes_and_the_rest_stays() -> None:
    with options_in_hints(["--lax"]):
        assert (
            make_incident("span-twice", "both", entity="1").hint
            == "Both copies are scored, as CoVal does"
        )
        assert make_incident("layer-chosen").hint is None
        refused = make_incident("document-missing", "refused", document="d")
        with options_in_hints([]):
            assert with_hint(refused, "refused").hint == "Add the document"
    assert (refused.hint or "").endswith("--lax counts it as one without mentions")


def test_what_is_given_is_not_advised(tmp_path: Path) -> None:
    """Flags, and choices with their values; other values of the same option are still advised."""
    answer = tmp_path / "a.md"
    answer.write_text("[Ann](#1) hid [the lamp.", encoding="utf-8")
    assert "--read lenient=yes drops" in run("check", answer).out
    lenient = run("check", answer, "--read", "lenient=yes").out
    assert "tag-unclosed" in lenient
    assert "--read lenient" not in lenient
    with options_in_hints(["--lax", "--strict"], ["--lax"]):
        refused = make_incident("document-missing", "refused", document="d")
        assert "--lax" not in (refused.hint or "")
    with options_in_hints(["--lax", "--strict"], ["--strict"]):
        refused = make_incident("document-missing", "refused", document="d")
        assert "--lax" in (refused.hint or "")


def test_lenient_says_nothing_of_keys(tmp_path: Path) -> None:
    """It is meant for the answers; files that it does not concern on that side are told."""
    key = tmp_path / "key.conll"
    key.write_text("#begin document (a)\na 0 0 Ann (1)\n#end document\n", encoding="utf-8")
    answer = tmp_path / "a.md"
    answer.write_text("[Ann](#1)", encoding="utf-8")
    assert "option-unused" not in run("score", key, answer, "--read", "lenient=yes").err
    told = run("score", key, key, "--read", "lenient=yes").err
    assert told.count("option-unused") == 1


def test_the_running_command_decides(tmp_path: Path) -> None:
    rows = ["a 0 0 w (1)|(1)", "a 0 1 w (1)"]
    file = tmp_path / "twice.conll"
    file.write_text("\n".join(["#begin document a", *rows, "#end document", ""]))
    assert "--strict refuses the file" in run("score", file, file).err
    assert "--strict" not in run("agree", file, file).err + run("stats", file).shown


def test_marks_of_optional_parts_are_never_shown() -> None:
    assert all("⟨" not in known.do for known in all_kinds().values())
    assert "⟨" not in run("check", "--list").out


def test_hints_begin_with_a_capital_letter_or_a_name() -> None:
    """As sentences do; the other words are options, commands, names of values."""
    names = ("--", "`", "{", "entity:", "null ", "inferred ", "heads=")
    hints = [hint.lstrip("⟨") for kind in all_kinds().values() for _, hint in kind.texts.values()]
    begun = [hint for hint in hints if hint and not hint[0].isupper()]
    assert [hint for hint in begun if not hint.startswith(names)] == []
    assert not [hint for hint in hints if re.match(r"\w+⟨", hint)], "a word alone says nothing"
