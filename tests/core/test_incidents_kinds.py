"""Every kind of incident: one tiny file and one test each, and a place in the documentation."""

import json
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError, Incident
from corefkit.core.incidents import all_kinds, find_kind
from corefkit.scoring.check import check
from tests.support import ROOT, run

KINDS = all_kinds()

FIXTURES = Path(__file__).parents[1] / "fixtures"
KEY = FIXTURES / "key.conll"

ALONE = {
    "file-unreadable": (None, None),
    "no-document": (None, None),
    "token-outside": (1, None),
    "document-twice": (4, None),
    "carriage-return": (4, 13),
    "bracket-unopened": (3, 11),
    "bracket-unclosed": (2, 11),
    "coreference-text": (3, 11),
    "id-without-bracket": (3, 11),
    "span-twice": (2, 15),
    "span-in-two-entities": (2, 15),
    "not-utf8": (2, None),
    "nul-byte": (2, None),
    "no-mention": (None, None),
    "document-empty": (1, None),
    "document-unnamed": (1, None),
    "end-without-begin": (4, None),
    "columns-vary": (3, None),
    "comment-with-bracket": (3, None),
    "end-missing": (8, None),
    "document-column": (3, None),
    "part-alike": (5, None),
}
"""Kinds that a file shows by itself, with line and column."""

AGAINST = {
    "length-differs": (4, None),
    "no-common-document": (None, None),
    "document-missing": (None, None),
    "document-extra": (8, 1),
    "words-differ": (3, None),
}
"""Kinds that show when a response is compared with the key."""


def fixture(kind: str) -> Path:
    (path,) = (FIXTURES / "incidents").glob(f"{kind}.conll*")
    return path


def the_one(found: list[Incident], kind: str) -> Incident:
    (incident,) = (i for i in found if i.id == kind)
    assert incident.severity == KINDS[kind].severity
    assert incident.message
    return incident


@pytest.mark.parametrize("kind", ALONE)
def test_alone(kind: str) -> None:
    found = check(fixture(kind))
    incident = the_one(found, kind)
    assert (incident.line, incident.column) == ALONE[kind]
    assert incident.file == str(fixture(kind))
    assert {i.id for i in found} == {kind}
    assert incident.hint


@pytest.mark.parametrize("kind", AGAINST)
def test_against_a_key(kind: str) -> None:
    incident = the_one(check(fixture(kind), against=KEY), kind)
    assert (incident.line, incident.column) == AGAINST[kind]
    assert {i.id for i in check(KEY, against=KEY)} == {"same-file"}


def test_mentions_cross() -> None:
    corpus = Corpus.from_clusters({"a": [[(0, 2), (1, 3)]]})
    with pytest.raises(DataError) as error:
        corefkit.score(corpus, corpus)
    the_one(list(error.value.incidents), "mentions-cross")


def test_mention_repeated() -> None:
    scores = corefkit.score(KEY, fixture("mention-repeated"), profile="conll-8.01")
    incident = the_one(list(scores.incidents), "mention-repeated")
    assert incident.message == "Repeated mention in the response: 0, 0 00"


def test_ids_unseen() -> None:
    path = fixture("ids-unseen")
    scores = corefkit.score(path, path, profile="conll-8.01")
    incidents = [i for i in scores.incidents if i.id == "ids-unseen"]
    assert [i.message[:10] for i in incidents] == ["2 brackets"] * 2
    assert check(path) == []


def test_brackets_glued() -> None:
    path = fixture("brackets-glued")
    scores = corefkit.score(path, path, profile="coval")
    glued = [i for i in scores.incidents if i.id == "brackets-glued"]
    assert [(i.line, i.column) for i in glued] == [(2, 11)] * 2
    assert scores["mentions"].counts["recall"] == [2, 2]
    assert corefkit.score(path, path)["mentions"].counts["recall"] == [3, 3]


def test_mentions_repeated() -> None:
    path = fixture("mentions-repeated")
    key = Corpus.from_clusters({"(a); part 000": [[(i, i)] for i in range(11)]})
    with pytest.raises(DataError) as error:
        corefkit.score(key, path, profile="conll-8.01")
    the_one(list(error.value.incidents), "mentions-repeated")


def test_column_missing() -> None:
    with pytest.raises(DataError) as error:
        corefkit.read(fixture("column-missing")).column("word")
    assert the_one(list(error.value.incidents), "column-missing").line == 2


@pytest.mark.parametrize("kind", ["tagset-unknown", "name-brackets"])
def test_tokens_that_application_scores_cannot_use(kind: str) -> None:
    with pytest.raises(DataError) as error:
        corefkit.score(fixture(kind), fixture(kind), "anchor")
    the_one(list(error.value.incidents), kind)


def test_file_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COREFKIT_MAX_SIZE", "100")
    the_one(check(fixture("file-too-large")), "file-too-large")


def test_span_outside() -> None:
    response = Corpus.from_clusters({"(a); part 000": [[(0, 0), (4, 99)]]})
    with pytest.raises(DataError) as error:
        corefkit.score(KEY, response)
    the_one(list(error.value.incidents), "span-outside")


def test_empty_nodes_differ(tmp_path: Path) -> None:
    other = fixture("empty-nodes-differ")
    key = tmp_path / "key.conllu"
    key.write_text("".join(x for x in other.open() if not x.startswith("1.1")))
    with pytest.raises(DataError) as error:
        corefkit.score(key, other, None, "corefud-1.1")
    the_one(list(error.value.incidents), "empty-nodes-differ")
    scores = corefkit.score(key, other, None, "corefud")
    assert not scores.incidents
    assert scores["muc"].counts["recall"] == [1, 1]


def test_label_missing() -> None:
    path = fixture("label-missing")
    with pytest.raises(DataError) as error:
        corefkit.score(path, path, labels="type")
    assert {i.id for i in error.value.incidents} == {"label-missing"}


def test_head_unknown() -> None:
    with pytest.raises(DataError) as error:
        corefkit.score(fixture("head-unknown"), fixture("head-unknown"), match="head")
    the_one(list(error.value.incidents), "head-unknown")


def test_every_explained_id_is_used() -> None:
    source = "".join(p.read_text() for p in (ROOT / "src").rglob("*.py"))
    assert [kind for kind in KINDS if f'"{kind}"' not in source] == []


def test_a_kind_is_found_without_the_others() -> None:
    """The first incident does not wait for the texts of all: its tables alone are parsed."""
    assert {name: find_kind(name) for name in KINDS} == KINDS
    with pytest.raises(KeyError):
        find_kind("column")


def test_the_page_lists_all_kinds() -> None:
    page = run("check", "--list", "-f", "markdown").out
    errors, warnings = page.split("\n## Warnings\n")
    for name, kind in KINDS.items():
        assert f"\n### {name}\n" in (errors if kind.severity == "error" else warnings)
        assert kind.do in " ".join(page.split())
    assert run("check", KEY, "-f", "markdown").status == 2


def test_list() -> None:
    text = run("check", "--list").out
    listed = json.loads(run("check", "--list", "-f", "json").out)["kinds"]
    assert [kind["id"] for kind in listed] == list(KINDS)
    for name, kind in KINDS.items():
        assert f"{name} ({kind.severity})\n  {kind.what}\n" in text
        assert all(f"  message: {message}\n" in text for message in kind.messages)
        assert f"  hint: {kind.do}\n" in text
