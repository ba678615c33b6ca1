"""Options of reading are declared once: in the fields of Reading."""

from typing import get_args, get_type_hints

import pytest

from corefkit.cli.options import READING_NAMES
from corefkit.core.options import PLAIN, READING_OPTIONS, Reading, ScoreChoices
from corefkit.formats import make_reading

_KINDS = {"text": str, "list": tuple, "number": int, "decimal": float, "flag": bool}


@pytest.mark.parametrize("name", READING_OPTIONS)
def test_what_is_declared_fits_the_type_of_the_field(name: str) -> None:
    option, hint = READING_OPTIONS[name], get_type_hints(Reading)[name]
    types = [t for t in (get_args(hint) or (hint,)) if t is not type(None)]
    if option.values:
        values = [value for t in types for value in get_args(t) or (t,)]
        assert tuple(values) == option.values
        assert getattr(PLAIN, name) in (None, *option.values)
    elif option.kind != "list":
        assert types == [_KINDS[option.kind]]


def test_keywords_and_command_lines_have_the_options_of_reading() -> None:
    keywords = {name for name, option in READING_OPTIONS.items() if option.keyword}
    assert keywords <= set(ScoreChoices.__annotations__)
    assert set(READING_NAMES) - {"key_format", "response_format"} <= keywords
    assert keywords - set(READING_NAMES) == {"max_size"}


@pytest.mark.parametrize("name", READING_OPTIONS)
def test_defaults_are_values(name: str) -> None:
    assert getattr(make_reading(**{name: getattr(PLAIN, name)}), name) == getattr(PLAIN, name)
