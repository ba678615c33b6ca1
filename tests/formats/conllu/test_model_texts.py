"""Texts for language models: those of the conformance data, and what is lost."""

import json

import pytest

from corefkit import UsageError, read
from corefkit.formats.conllu.model_texts import to_objects, to_text
from corefkit.formats.conllu.reader import parse
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

FOLDER = CONFORMANCE / "corefud" / "plaintext"


@needs_conformance
def test_plain_text_is_that_of_the_shared_task() -> None:
    expected = (FOLDER / "key.txt").read_text(encoding="utf-8")
    assert to_text(read(FOLDER / "key.conllu")) == expected
    assert run("corpus", "text", FOLDER / "key.conllu").out == expected


@needs_conformance
def test_json_says_the_same_as_that_of_the_shared_task() -> None:
    expected = json.loads((FOLDER / "key.json").read_text(encoding="utf-8"))
    assert to_objects(read(FOLDER / "key.conllu")) == expected
    assert json.loads(run("corpus", "text", FOLDER / "key.conllu", "--json").out) == expected


def test_empty_nodes_stand_behind_their_parent() -> None:
    rows = ("1\tgoes", "2\thome", "2.1\the she")
    deps = {"2.1\the she": "1:nsubj"}
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
    for row in rows:
        misc = "Entity=(e7--1)" if "." in row else "_"
        text += f"{row}\t_\t_\t_\t_\t_\t_\t{deps.get(row, '_')}\t{misc}\n"
    assert to_text(parse(text.encode(), "-")) == "goes ##he_she|[e1] home\n"


def test_the_part_with_the_head_is_kept() -> None:
    text = to_text(read(EXAMPLES / "drawer.conllu"))
    assert "The|[e2 key|e2] turned that nobody knew ." in text
    assert "Cleaned ##|[e1] it|[e2]" in text


def test_other_formats_are_refused() -> None:
    with pytest.raises(UsageError):
        to_text(read(EXAMPLES / "key.conll"))
    assert run("corpus", "text", EXAMPLES / "key.conll").status == 2
