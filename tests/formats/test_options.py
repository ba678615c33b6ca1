"""What can be said about reading: keywords, --read, and the options of the command line."""

import json
from pathlib import Path

import pytest

from corefkit import UsageError
from corefkit.cli.options import READING_NAMES
from corefkit.core.options import ScoreChoices
from corefkit.formats.options import (
    KEYWORDS,
    get_option,
    make_reading,
    option_names,
    parse_options,
    split_readings,
)
from corefkit.formats.registry import format_names, get_format
from tests.support import run


def test_keywords_and_command_lines_have_the_options_of_reading() -> None:
    assert {*KEYWORDS} - {"columns"} <= set(ScoreChoices.__annotations__)
    assert {*READING_NAMES} - {"read", "key_format", "response_format"} <= {*KEYWORDS}


def test_every_option_is_known_to_a_format_and_explained_once() -> None:
    """A name has one meaning: it is declared once, where the table of formats says."""
    known = {option for name in format_names() for option in get_format(name).options}
    assert known == {*map(get_option, option_names())}


@pytest.mark.parametrize("name", option_names())
def test_the_example_of_an_option_is_a_value(name: str) -> None:
    option = get_option(name)
    readings = split_readings({"read": [f"response:{name}={option.example}"]})
    assert readings.key.get(name) is None
    assert readings.response.get(name) not in (None, ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cluster=x", "unknown option 'cluster'. Did you mean clusters?"),
        ("clusters", "has no value; write e.g. clusters=predicted_clusters"),
        ("gold:clusters=x", "a side is key or response, not 'gold'"),
        ("ends=open", "unknown value 'open'; choose from inclusive, exclusive"),
        ("threshold=high", "'high' is not a number"),
        ("word-column=0", "0 is not a positive whole number"),
        ("word-column=two", "'two' is not a positive whole number"),
        ("best=1", "choose from yes, no"),
    ],
)
def test_what_is_refused(text: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        split_readings({"read": [text]})
    assert told in str(error.value)


def test_an_option_is_given_once() -> None:
    with pytest.raises(UsageError, match="ends is given twice"):
        parse_options(["ends=inclusive", "ends=exclusive"])
    with pytest.raises(UsageError, match="ends is given twice"):
        split_readings({"read": ["ends=inclusive"], "ends": "exclusive"})


def test_lists_are_texts_or_lists_or_mappings() -> None:
    wanted = ("entity=cluster", "start=from")
    for given in ("entity=cluster,start=from", wanted, {"entity": "cluster", "start": "from"}):
        assert make_reading(columns=given).listed("columns") == wanted


def test_one_side_on_the_command_line(tmp_path: Path) -> None:
    row = {"doc_key": "d", "sentences": [["w"] * 9]}
    clusters, others = [[[0, 1], [4, 4]], [[6, 6], [7, 7]]], [[[0, 1], [4, 4]], [[6, 6], [8, 8]]]
    path = tmp_path / "both.jsonl"
    path.write_text(json.dumps({**row, "gold": clusters, "system": others}))
    sides = ("--read", "key:clusters=gold", "--read", "response:clusters=system")
    ends = ("--read", "ends=inclusive", "--metrics", "muc", "-f", "json")
    found = run("score", path, path, *sides, *ends)
    assert json.loads(found.out)["systems"][0]["scores"]["muc"]["f1"] == 0.5
    told = run("score", path, path, "--read", "clsters=gold")
    assert (told.status, "Did you mean clusters?" in told.err) == (2, True)


def test_formats_explains_options() -> None:
    told = run("formats", "links")
    assert "--read threshold=0.5" in told.out
    assert "Did you mean links?" in run("formats", "lnks").err
