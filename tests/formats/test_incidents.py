"""Every kind of incident of the formats: one tiny file that shows it, and nothing else."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import DataError, Incident
from corefkit.core.incidents import find_kind
from corefkit.formats.kit.convert import Losses, write_as
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import make_reading, option_names
from corefkit.formats.registry import format_names, get_format
from tests.core import test_incidents_kinds as conll
from tests.formats.conllua import test_incidents as conllua
from tests.support import kinds_of

FIXTURES = Path(__file__).parents[1] / "fixtures"
KEY = FIXTURES / "key.conll"

READ = {
    "format-unread.json": None,
    "format-mixed": None,
    "json-syntax.jsonlines": 2,
    "json-shape.jsonlines": 1,
    "clusters-missing.jsonlines": 1,
    "span-outside.jsonlines": 1,
    "span-empty.jsonlines": 1,
    "text-missing.ann": None,
    "mention-unknown.ann": 2,
    "id-twice.ann": 2,
    "annotation-shape.ann": 2,
    "no-coreference.ann": None,
    "mention-text-differs.ann": 11,
    "tag-unclosed.md": 1,
    "tag-unopened.tags.txt": 1,
    "entity-missing.seq2seq.txt": 1,
    "label-unknown.tsv": 2,
    "columns-differ.tsv": 2,
    "number-expected.entities": 2,
    "p-bad.tsv": 2,
    "threshold-missing.tsv": None,
    "link-to-itself.tsv": 2,
    "link-twice.tsv": 3,
    "antecedent-later.csv": 1,
    "mention-without-entity.entities": None,
    "mention-without-entity.csv": 4,
    "id-like-none.csv": 4,
    "token-number.txt": 3,
    "lists-differ.tsv": 7,
    "mention-gap.tsv": 7,
    "layer-chosen.tsv": None,
    "xml-syntax.xml": 4,
    "xml-entity.xml": 2,
    "xml-wrapped.xml": 1,
    "cross-document.xml": None,
    "link-in-two-chains.xmi": 1,
    "sofa-differs.xmi": 1,
    "type-unknown.coref": 2,
    "mention-inside-token.coref": None,
    "dropped-pronoun.coref": None,
    "entity-unknown.json": 1,
    "chain-bad.txt.chains": 1,
    "concept-bad.txt.chains": 1,
    "place-bad.xml": 2,
    "document-unclosed.tbf": 2,
    "entities-joined.tbf": None,
    "token-unknown.tei": 2,
    "format-unknown.json": None,
    "annotator-missing.zip": None,
    "annotator-unknown.zip": None,
    "annotation-unfinished.zip": None,
    "annotation-twice.json": 1,
    "project-member.zip": None,
}
"""Files that show it when they are read, and the line."""

AGAINST = (
    "document-ambiguous.jsonlines",
    "documents-unnamed.jsonlines",
    "names-rewritten.jsonlines",
    "text-differs.md",
    "text-changed.md",
    "text-truncated.md",
    "mention-unaligned.md",
    "mention-splits-token.md",
)
"""Responses that show it beside the key."""

CONVERTED = {
    "mention-zero.text2text.txt": "conll",
    "mention-discontinuous.ann": "conll",
    "layer-dropped.conllua": "conll",
    "sentences-joined.jsonlines": "preco",
}
"""Files that show it when they are written in another format."""

OTHERS = {
    "answer-absent",
    "answer-ambiguous",
    "answer-broken",
    "answer-field",
    "format-differs",
    "documents-left-out",
    "documents-unknown",
    "ends-unsure",
    "no-confidence",
    "option-unused",
}
"""Kinds that an option or several files bring about; each has a test below or in `kit`."""


def kind_of(file: str) -> str:
    return file.partition(".")[0]


def path_of(file: str) -> Path:
    return FIXTURES / "incidents" / file


def found_in(file: str, **how: Any) -> list[Incident]:
    try:
        return list(read_all(path_of(file), make_reading(**how)).incidents)
    except DataError as error:
        return list(error.incidents)


def check(found: list[Incident], file: str) -> Incident:
    (incident,) = found
    assert incident.id == kind_of(file)
    assert incident.severity == find_kind(incident.id).severity
    assert incident.message
    assert incident.hint
    return incident


def test_every_kind_has_a_file() -> None:
    there = {kind_of(file) for file in (*READ, *AGAINST, *CONVERTED)} | OTHERS
    elsewhere = {*conll.ALONE, *conllua.LINES, "file-too-large"}
    assert kinds_of("formats") | kinds_of("formats/archive") <= there | elsewhere


@pytest.mark.parametrize("file", READ)
def test_read(file: str) -> None:
    incident = check(found_in(file), file)
    assert incident.line == READ[file]
    if kind_of(file) != "format-mixed":
        assert incident.file == str(path_of(file))


@pytest.mark.parametrize("file", AGAINST)
def test_against_the_key(file: str) -> None:
    """Other incidents may come along: a text that was changed loses mentions."""
    try:
        found = corefkit.score(KEY, path_of(file), "muc").incidents
    except DataError as error:
        found = error.incidents
    told = [i for i in found if i.id == kind_of(file)]
    check(told, file)
    assert {i.id for i in found if i.severity == "error"} <= {kind_of(file)}


@pytest.mark.parametrize("file", CONVERTED)
def test_converted(file: str) -> None:
    corpus = corefkit.read(path_of(file))
    _, told, *_ = write_as(corpus, "out", CONVERTED[file], Losses())
    check(told, file)


def test_another_format_than_was_said() -> None:
    found = found_in("format-differs.jsonlines", format="conll")
    check([i for i in found if i.id == "format-differs"], "format-differs")


def test_an_option_of_another_format() -> None:
    given: dict[str, Any] = {
        "clusters": "mine",
        "ends": "inclusive",
        "layer": "deixis",
        "relations": "Coref",
        "mentions": "Person",
        "types": "IDENT",
        "text_field": "response",
        "lenient": True,
        "annotator": "ann",
        "optional": "drop",
        "unfinished": "drop",
        "unit": "token",
        "extent": "head",
        "text": "docs",
        "concepts": "concepts",
        "threshold": 0.5,
        "best": True,
        "unlinked": "drop",
    }
    assert given.keys() | {"word_column", "columns", "missing"} == {*option_names()}
    for name, value in given.items():
        incident = check(found_in("option-unused.conll", **{name: value}), "option-unused")
        assert incident.message.startswith(
            f"--read {name.replace('_', '-')} has no effect on this file: "
        )
    assert found_in("option-unused.conll", word_column=4) == []
    both = found_in("option-unused.conll", word_column=4, lenient=True)
    check(both, "option-unused")


def test_formats_declare_the_options_that_they_read() -> None:
    """What a module of formats asks of a Reading is what these say that they know."""
    known = defaultdict[str, set[str]](set)
    for name in format_names():
        # Four hand on to other readers, and in one kind of JSON there is no choice.
        if name not in ("parquet", "spacy", "s2e-predictions", "project", "json-answers"):
            form = get_format(name)
            known[getattr(form.parse, "func", form.parse).__module__].update(
                option.name for option in form.options
            )
    for module, options in known.items():
        asked = {*re.findall(r'reading\.(?:get|listed)\("(\w+)"\)', _source(module))}
        assert asked == options, module


def _source(module: str) -> str:
    """A module of formats, with those of its package and what it shares with others."""
    path = Path(corefkit.__file__).parent / "/".join(module.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = file.read_text(encoding="utf-8")
    if file.parent.name not in ("formats", "archive"):
        return "".join(one.read_text(encoding="utf-8") for one in file.parent.glob("*.py"))
    if "formats.kit.spans" in text:
        text += (file.parent / "kit" / "spans.py").read_text(encoding="utf-8")
    if "formats.kit.link_lists" in text:
        text += (file.parent / "kit" / "link_lists.py").read_text(encoding="utf-8")
    return text


def test_a_field_whose_ends_nothing_tells() -> None:
    check(found_in("ends-unsure.jsonlines", clusters="mine"), "ends-unsure")
    assert found_in("ends-unsure.jsonlines", clusters="mine", ends="inclusive") == []


def test_documents_left_out() -> None:
    key = corefkit.Corpus.from_clusters({"(a); part 000": [[(0, 0)]], "(b); part 000": []})
    listed = path_of("documents-left-out.txt")
    found = corefkit.score(key, key, "mentions", documents=listed).incidents
    check([i for i in found if i.severity == "warning"], "documents-left-out")
    listed = path_of("documents-unknown.txt")
    found = corefkit.score(key, key, "mentions", documents=listed).incidents
    check([i for i in found if i.severity == "warning"], "documents-unknown")
