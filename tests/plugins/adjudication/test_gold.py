"""The gold standard in the formats of the annotators: columns, zeros, characters, projects."""

import json
import shutil
from itertools import permutations
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError, adjudicate
from corefkit.plugins.adjudication import Adjudication, page_data
from tests.support import EXAMPLES, run

PROJECT = EXAMPLES / "project"


def decided(result: Adjudication, *choices: tuple[str, str]) -> dict[str, object]:
    entries = [{"item": item, "choice": choice} for item, choice in choices]
    return {"corefkit": "adjudication", "version": 1, "decisions": entries}


HEAD = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"


def conllu(*cells: str) -> str:
    """Two sentences with a zero in the first and one before the first word of the second."""
    nodes = ["1", "2", "2.1", "3", "", "0.1", "1", "2"]
    lines = ["# sent_id = s1"]
    for node, cell in zip(nodes, cells, strict=True):
        if not node:
            lines += ["", "# sent_id = s2"]
            continue
        empty = "." in node
        parent = "0\troot" if node == "1" else "1\tdep"
        head = "_\t_\t1:nsubj" if empty else f"{parent}\t_"
        misc = f"Entity={cell}" if cell else "_"
        lines.append(f"{node}\tw{node}\tl{node}\tX\t_\tA=B\t{head}\t{misc}")
    return HEAD + "\n".join(lines) + "\n\n"


ANNA = conllu(
    "(e1-person-1-)", "", "(e1-person-1-)", "(e2--1-)", "", "(e1-person-1-)", "(e2--1-", "e2)"
)
BEN = conllu(
    "(e1-person-1-)", "", "(e1-person-1-)", "(e2--1-)", "", "(e3-person-1-)", "", "(e2--1-)"
)


@pytest.fixture
def corefud(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "anna.conllu", tmp_path / "ben.conllu"]
    for path, text in zip(paths, (ANNA, BEN), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_ids_of_corefud_name_sentences_and_empty_nodes(corefud: list[Path]) -> None:
    (document,) = adjudicate(*corefud).draft.documents
    assert [item.id for item in document.items] == [
        "boundary d 2:1-2:2 2:2",
        "link d 1:1 2:0.1",
    ]
    assert document.unit_names == ("1:1", "1:2.1", "1:3", "2:0.1", "2:1-2:2")
    (data,) = page_data(adjudicate(*corefud).draft)["documents"]
    assert data["nodes"] == ["w1", "w2", "w2.1", "w3", "w0.1", "w1", "w2"]
    assert data["labels"] == ["1:1", "1:2", "1:2.1", "1:3", "2:0.1", "2:1", "2:2"]
    assert (data["zeros"], data["sentences"]) == ([2, 4], [0, 4])


def test_corefud_keeps_columns_and_what_brackets_say(corefud: list[Path], tmp_path: Path) -> None:
    draft = adjudicate(*corefud)
    log = decided(draft, ("boundary d 2:1-2:2 2:2", "2:2"), ("link d 1:1 2:0.1", "yes"))
    log["decisions"] += [  # type: ignore[operator]
        {"item": "mention d 1:2", "choice": "yes"},
        {"item": "span d 1:3 1:2.1,1:3", "choice": "yes"},
    ]
    decisions = tmp_path / "decisions.json"
    decisions.write_text(json.dumps(log))
    gold = tmp_path / "gold.conllu"
    done = run("adjudicate", *corefud, "--decisions", decisions, "-o", gold)
    assert done.status == 0, done.err
    text = gold.read_text(encoding="utf-8")
    plain = [line.split("\t")[:9] for line in text.splitlines()]
    assert plain == [line.split("\t")[:9] for line in ANNA.splitlines()]
    assert text.count("-person-") == 3
    corpus = corefkit.read(gold)
    assert (corpus.mentions, corpus.entities) == (6, 3)
    assert corefkit.score(gold, adjudicate(*corefud, decisions=log).corpus).conll == 1


def test_empty_nodes_that_no_file_has_together(corefud: list[Path], tmp_path: Path) -> None:
    """The first annotator whose file has them all lends the text; if none has, it is an error."""
    anna, ben = corefud
    without = [line for line in ANNA.splitlines(keepends=True) if not line.startswith("2.1")]
    anna.write_text("".join(without))
    result = adjudicate(
        anna,
        ben,
        certain="all",
        decisions={
            "corefkit": "adjudication",
            "version": 1,
            "certain": "all",
            "decisions": [{"item": "mention d 1:2.1", "choice": "yes"}],
        },
    )
    corefkit.write(result.corpus, tmp_path / "gold.conllu")
    assert "2.1\tw2.1" in (tmp_path / "gold.conllu").read_text()
    fewer = [line for line in BEN.splitlines(keepends=True) if not line.startswith("0.1")]
    ben.write_text("".join(fewer))
    log = {
        "corefkit": "adjudication",
        "version": 1,
        "decisions": [
            {"item": f"mention d {span}", "choice": "yes"} for span in ("1:2.1", "2:0.1")
        ],
    }
    result = adjudicate(anna, ben, decisions=log)
    with pytest.raises(DataError) as error:
        _ = result.corpus
    assert [incident.id for incident in error.value.incidents] == ["empty-nodes-differ"]
    assert "after" in str(result)


def test_a_zero_at_the_beginning_of_a_document_elsewhere(tmp_path: Path) -> None:
    """Formats without sentences: `^0.1` stands before the first token."""
    sides = [str(EXAMPLES / "picnic.conllua"), str(EXAMPLES / "picnic-system.conllua")]
    result = adjudicate(*sides)
    corefkit.write(result.corpus, tmp_path / "gold.conllua")
    assert corefkit.read(tmp_path / "gold.conllua").mentions == result.corpus.mentions


TEXT = "Ada slept. She snored, and Tom heard her."


def brat(*clusters: list[tuple[int, int]]) -> str:
    lines, links = [], []
    number = 0
    for cluster in clusters:
        names = []
        for start, end in cluster:
            number += 1
            names.append(f"T{number}")
            lines.append(f"T{number}\tMention {start} {end}\t{TEXT[start:end]}")
        links += [f"*\tCoreference {' '.join(names)}"] if len(names) > 1 else []
    return "\n".join([*lines, *links]) + "\n"


@pytest.fixture
def standoff(tmp_path: Path) -> list[str]:
    paths = []
    for name, text in (
        ("anna", brat([(0, 3), (11, 14), (37, 40)], [(27, 30)])),
        ("ben", brat([(0, 3), (11, 14)], [(27, 30)], [(37, 40)])),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tale.ann").write_text(text)
        (tmp_path / name / "tale.txt").write_text(TEXT)
        paths.append(str(tmp_path / name / "tale.ann"))
    return paths


def test_characters_and_tokens_together(standoff: list[str], tmp_path: Path) -> None:
    """Whoever counts tokens lends the text, wherever he stands."""
    carla = tmp_path / "carla.conll"
    corefkit.write(corefkit.read(standoff[0]), carla)
    for paths in permutations([*standoff, str(carla)]):
        result = adjudicate(*paths)
        assert not result.draft.documents[0].items
        corefkit.write(result.corpus, tmp_path / "gold.conll")
        assert (tmp_path / "gold.conll").read_bytes() == carla.read_bytes()


def test_characters(standoff: list[str], tmp_path: Path) -> None:
    paths = standoff
    result = adjudicate(*paths)
    (item,) = result.draft.documents[0].items
    assert item.id == "link tale 0-2 37-39"
    (data,) = page_data(result.draft)["documents"]
    assert (data["unit"], data["nodes"]) == ("character", TEXT)
    assert result.report[0].text == (
        "[Ada] slept. She snored, and Tom heard her. … Ada slept. She snored, and Tom heard [her] ."
    )
    log = tmp_path / "decisions.json"
    log.write_text(json.dumps(decided(result, (item.id, "yes"))))
    gold = tmp_path / "gold.ann"
    done = run("adjudicate", *paths, "--decisions", log, "-o", gold)
    assert done.status == 0, done.err
    assert (tmp_path / "gold.txt").read_text() == TEXT
    assert sorted(map(len, corefkit.read(gold).clusters()["gold"])) == [1, 3]


def test_a_project_as_folder_and_as_zip(tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "project"), "zip", PROJECT)
    decisions = EXAMPLES / "project-decisions.json"
    golds = []
    for number, source in enumerate((str(PROJECT), archive)):
        gold = tmp_path / f"gold{number}.conll"
        done = run("adjudicate", source, "--decisions", decisions, "-o", gold)
        assert done.status == 0, done.err
        assert "have changed" not in done.err
        golds.append(gold.read_bytes())
    assert golds[0] == golds[1]


def test_annotators_of_a_project_by_name(tmp_path: Path) -> None:
    named = [f"{PROJECT}#anna", f"{PROJECT}#ben"]
    result = adjudicate(*named)
    assert result.draft.annotators == ("anna", "ben")
    assert adjudicate(f"{PROJECT}#*").draft.annotators == ("anna", "ben", "carla")
    both = run("adjudicate", named[0], named[0])
    assert (both.status, "given twice" in both.err) == (2, True)


def test_unfinished_documents(tmp_path: Path) -> None:
    kept = adjudicate(PROJECT, unfinished="keep").draft.documents[2]
    dropped = adjudicate(PROJECT).draft.documents[2]
    assert (kept.annotators, dropped.annotators) == (("anna", "ben", "carla"), ("anna", "ben"))
    done = run("adjudicate", PROJECT, "--read", "unfinished=keep", "-f", "json")
    assert json.loads(done.out)["documents"][2]["annotators"] == ["anna", "ben", "carla"]
    assert run("adjudicate", PROJECT, "--read", "unfinished=error").status == 1


def test_changed_inputs_keep_what_fits(tmp_path: Path) -> None:
    """One annotator changes her mind about one link: only what is about it is open again."""
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder)
    letter = folder / "annotation" / "letter.txt"
    shutil.copy(letter / "ben.tsv", letter / "anna.tsv")
    decisions = EXAMPLES / "project-decisions.json"
    result = adjudicate(folder, decisions=decisions)
    assert result.undecided == 0
    assert {name.split(" ")[1] for name in result.unused} == {"letter.txt"}
    assert any("anna have changed" in note for note in result.notes)


def test_words_of_the_annotator_who_has_the_document(tmp_path: Path) -> None:
    """Of files with several documents those are cut out that the first annotator lacks."""
    whole = (EXAMPLES / "drawer.conllu").read_text(encoding="utf-8")
    other = whole.replace("drawer", "cupboard").replace("newdoc id = ", "newdoc id = other-")
    one, two = tmp_path / "one.conllu", tmp_path / "two.conllu"
    one.write_text(whole)
    two.write_text(other + whole)
    corpora = [corefkit.read(path) for path in (one, two)]
    gold = tmp_path / "gold.conllu"
    done = run("adjudicate", one, two, "-o", gold, "--draft")
    assert done.status == 0, done.err
    assert corefkit.read(gold).names == (*corpora[0].names, corpora[1].names[0])


def test_corpora_made_in_python() -> None:
    sides = [Corpus.from_clusters({"d": [[(0, 0), (2, 3)]]}) for _ in range(2)]
    result = adjudicate(*sides)
    assert result.corpus.clusters() == {"d": [[(0, 0), (2, 3)]]}
    assert page_data(result.draft)["documents"][0]["nodes"] == ["·"] * 4


def test_links_of_any_annotator_are_reported_as_not_adjudicated(tmp_path: Path) -> None:
    text = '{"text": "a b c", "entities": [[[0, 1]], [[2, 3]], [[4, 5]]], "includes": %s}'
    for name, includes in (("anna", "[[], [], []]"), ("ben", "[[1, 2], [], []]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tale.json").write_text(text % includes)
    result = adjudicate(tmp_path / "anna" / "tale.json", tmp_path / "ben" / "tale.json")
    assert [incident.message for incident in result.lost] == ["2 split links are not adjudicated"]
