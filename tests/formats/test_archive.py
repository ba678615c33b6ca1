"""Formats of the past: defects of their files, and where they are reported."""

from pathlib import Path

import pytest

import corefkit
from corefkit.formats import archive
from corefkit.formats.registry import format_names, get_format
from corefkit.formats.table import MODULES
from tests.support import run


def test_what_was_never_tried_is_said_on_the_page_of_a_format() -> None:
    """Of the formats of the past, only nuggets were compared with another reader."""
    untried = {name for name in format_names() if get_format(name).untried}
    past = {name for name, module in MODULES.items() if module.startswith("archive.")}
    assert past - untried == {"tbf"}
    assert untried < past
    for name in past:
        assert ("never tried" in run("formats", name).out) == (name in untried)
    assert "never from a file of a corpus" in str(archive.__doc__)


def test_incidents_of_concepts_are_in_the_file_of_concepts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mr. Andersen came .\n")
    (tmp_path / "a.txt.con").write_text('c="came" 1:2 1:2||t="test"\n' * 2)
    chains = tmp_path / "a.txt.chains"
    chains.write_text('c="mr. andersen" 1:0 1:1||t="coref person"\n')
    (twice,) = corefkit.read(chains).incidents
    assert (twice.id, twice.file, twice.line) == ("span-twice", str(tmp_path / "a.txt.con"), 2)


def test_mentions_without_an_id_are_no_entity(tmp_path: Path) -> None:
    path = tmp_path / "a.tab"
    line = "run\tm{0}\tRome\tD:{0}-{0}\t{1}\tGPE\tNAM\t1.0\n"
    path.write_text(line.format(1, "E1") + line.format(5, "") + line.format(9, " "))
    found = [(i.id, i.line) for i in corefkit.check(path)]
    assert found == [("entity-missing", 2), ("entity-missing", 3)]


def test_answers_to_queries_without_an_id_are_no_entity(tmp_path: Path) -> None:
    query = '<query id="Q{0}"><docid>D</docid><beg>{0}</beg><end>{0}</end></query>\n'
    queries = "".join(map(query.format, range(1, 9)))
    (path := tmp_path / "a.xml").write_text(f"<kbpentlink>\n{queries}</kbpentlink>\n")
    (tmp_path / "a.tab").write_text("Q1\tE1\tPER\nQ2\t\tPER\nQ3\t \tPER\n")
    found = [(i.id, i.line) for i in corefkit.check(path)]
    answers, unanswered = found[:2], found[2:]
    assert answers == [("entity-missing", 2), ("entity-missing", 3)]
    assert unanswered == [("entity-missing", line) for line in range(5, 10)], "in their order"


@pytest.mark.parametrize("link", ["@Coreference", "@Coreference\tR1"])
def test_a_cluster_of_nuggets_without_members(link: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tbf"
    path.write_text(f"#BeginOfDocument d\ns\td\tE1\t0,3\tw\tA\tB\n{link}\n#EndOfDocument\n")
    assert [(i.id, i.line) for i in corefkit.check(path)] == [("columns-differ", 3)]


def test_a_document_without_a_name_as_tbf(tmp_path: Path) -> None:
    """It gets one, which is said, because the file could not be read back."""
    old, new = tmp_path / "a.conll", tmp_path / "b.tbf"
    old.write_text("#begin document \na (1)\n\n#end document\n")
    done = run("convert", old, new)
    assert (done.status, "a document without one is now 'document-0'" in done.err) == (0, True)
    assert run("check", new).status == 0
    assert corefkit.read(new).names == ("document-0",)
