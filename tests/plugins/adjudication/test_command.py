"""corefkit adjudicate: what it writes, what it refuses, and what it says."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus
from tests.render.pages.support import data_of
from tests.support import EXAMPLES, Run, run

pytestmark = pytest.mark.usefixtures("own_options")

Clusters = Sequence[Sequence[tuple[int, int]]]

TALE: dict[str, Clusters] = {
    "anna": [[(0, 2), (5, 5), (9, 10)], [(7, 7), (12, 12)]],
    "ben": [[(1, 2), (5, 5)], [(7, 7)], [(9, 10)], [(12, 12)]],
}
ITEMS = ["boundary tale 0-2 1-2", "link tale 0-2 9-10", "link tale 7 12"]


def conll(documents: Mapping[str, Clusters], tokens: int = 14) -> str:
    """CoNLL columns with these mentions."""
    lines = []
    for name, clusters in documents.items():
        cells: list[list[str]] = [[] for _ in range(tokens)]
        for number, cluster in enumerate(clusters):
            for start, end in cluster:
                if start == end:
                    cells[start].append(f"({number})")
                else:
                    cells[start].append(f"({number}")
                    cells[end].append(f"{number})")
        lines.append(f"#begin document {name}")
        lines += [f"{name}\t0\t{n}\tw{n}\t{'|'.join(c) or '-'}" for n, c in enumerate(cells)]
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


def sides(folder: Path, annotators: Mapping[str, Clusters] = TALE, tokens: int = 14) -> list[str]:
    """A file per annotator of the document `tale`."""
    paths = []
    for name, clusters in annotators.items():
        path = folder / f"{name}.conll"
        path.write_text(conll({"tale": clusters}, tokens), encoding="utf-8")
        paths.append(str(path))
    return paths


def log(*choices: tuple[str, str | None], **fields: Any) -> dict[str, Any]:
    """The content of a file of decisions."""
    entries = [{"item": item, "choice": choice, "by": "cora"} for item, choice in choices]
    head = {"corefkit": "adjudication", "version": 1, "certain": "majority", "inputs": []}
    return {**head, "decisions": entries, **fields}


def saved(folder: Path, content: Any, name: str = "decisions.json") -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


ALL = [(ITEMS[0], "1-2"), (ITEMS[1], "yes"), (ITEMS[2], "no")]


def test_a_decided_gold_standard(tmp_path: Path) -> None:
    decisions, gold = saved(tmp_path, log(*ALL)), tmp_path / "gold.conll"
    done = run("adjudicate", *sides(tmp_path), "--decisions", decisions, "-o", gold)
    assert done.status == 0, done.err
    assert corefkit.read(gold).clusters() == {
        "tale": [[(1, 2), (5, 5), (9, 10)], [(7, 7)], [(12, 12)]]
    }
    assert "gold.conll: 1 document, 5 mentions, 3 entities" in done.err
    assert corefkit.score(gold, gold).conll == 1
    first = gold.read_bytes()
    command = ["adjudicate", *sides(tmp_path), "--decisions", decisions, "-o", str(gold)]
    gold.write_text("mine", encoding="utf-8")
    refused = run(*command)
    assert (refused.status, gold.read_text(encoding="utf-8")) == (2, "mine")
    assert "gold.conll already exists; --overwrite replaces it" in refused.err
    again = run(*command, "--overwrite")
    assert (again.status, gold.read_bytes()) == (0, first)


def test_undecided_items_are_an_error_and_a_draft_is_not(tmp_path: Path) -> None:
    gold = tmp_path / "gold.conll"
    refused = run("adjudicate", *sides(tmp_path), "-o", gold)
    assert refused.status == 1
    assert "3 of 3 items are undecided, boundary tale 0-2 1-2 first" in refused.err
    assert "[undecided]" in refused.err
    assert not gold.exists()
    draft = run("adjudicate", *sides(tmp_path), "-o", gold, "--draft")
    assert draft.status == 0
    assert "warning: 3 of 3 items are undecided" in draft.err
    assert corefkit.read(gold).clusters() == {
        "tale": [[(0, 2), (5, 5)], [(7, 7)], [(9, 10)], [(12, 12)]]
    }
    assert run("adjudicate", *sides(tmp_path)).status == 0


def test_a_file_on_standard_output(tmp_path: Path) -> None:
    done = run("adjudicate", *sides(tmp_path), "-o", "-", "--draft")
    assert done.out.startswith("#begin document tale\n")
    assert "Items by document" not in done.out


def test_another_format(tmp_path: Path) -> None:
    paths = sides(tmp_path)
    for name, extra in (("gold.conllu", ()), ("gold.txt", ("--to", "conllu"))):
        done = run("adjudicate", *paths, "--draft", "-o", tmp_path / name, *extra)
        assert done.status == 0, done.err
        assert "global.Entity" in (tmp_path / name).read_text()
    assert run("adjudicate", *paths, "--draft", "-o", tmp_path / "gold").status == 0
    assert (tmp_path / "gold").read_text().startswith("#begin document tale")


def test_what_a_name_without_a_format_becomes(tmp_path: Path) -> None:
    """WebAnno has a file per document, and so a folder, whatever its name."""
    gold = tmp_path / "gold.xyz"
    done = run("adjudicate", EXAMPLES / "project", "--draft", "-o", gold)
    number = len([path for path in gold.rglob("*") if path.is_file()])
    assert number > 1
    assert f"(a folder with {number} files, format webanno)\n" in done.err
    plain = run("adjudicate", *sides(tmp_path), "--draft", "-o", tmp_path / "gold.abc")
    assert "gold.abc: 1 document, 5 mentions, 4 entities (format conll)\n" in plain.err


def listed(folder: Path, *entries: tuple[str, str | None], **fields: Any) -> Run:
    decisions = saved(folder, log(*entries, **fields))
    gold = folder / "gold.conll"
    gold.unlink(missing_ok=True)
    done = run("adjudicate", *sides(folder), "--decisions", decisions, "-o", gold)
    assert done.status == 0 or not gold.exists()
    return done


def test_decisions_that_do_not_count(tmp_path: Path) -> None:
    unused = listed(tmp_path, *ALL, ("mention tale 99", "yes"), ("link story 0 1", "no"))
    assert unused.status == 0
    assert "warning: link story 0 1 refers to nothing in these annotations" in unused.err
    assert "… and 1 more of this kind" in unused.err
    assert "[decision-unused]" in unused.err
    content = log(*ALL)
    content["decisions"][1] |= {"left": ["0-2"], "right": ["9-10"]}
    changed = listed(tmp_path, decisions=content["decisions"])
    assert changed.status == 1
    assert "the blocks of link tale 0-2 9-10 have changed since it was decided" in changed.err
    assert "[decision-changed]" in changed.err
    assert "1 of 3 items are undecided" in changed.err


def test_decisions_that_contradict_each_other(tmp_path: Path) -> None:
    joined = listed(tmp_path, *ALL, ("link tale 0-2 7", "yes"), ("link tale 0-2 12", "yes"))
    assert joined.status == 1
    assert (
        'link tale 7 12 was decided "no", but other decisions join the two: '
        "link tale 0-2 7, link tale 0-2 12 [decisions-conflict]"
    ) in joined.err
    span = listed(tmp_path, *ALL, ("span tale 7 5", "yes"))
    assert span.status == 1
    assert "span tale 7 5 gives two mentions the same span" in span.err


def test_two_curators(tmp_path: Path) -> None:
    one = saved(tmp_path, log(*ALL[:2]), "one.json")
    content = log(ALL[2], (ITEMS[0], "no"), (ITEMS[0], "1-2"), (ITEMS[1], None))
    other = saved(tmp_path, content, "other.json")
    paths, gold = sides(tmp_path), tmp_path / "gold.conll"
    both = ("--decisions", one, "--decisions", other)
    assert run("adjudicate", *paths, *both, "-o", gold).status == 0
    assert corefkit.read(gold).mentions == 5
    gold.unlink()
    content["decisions"][2] |= {"choice": "0-2", "by": "dora"}
    saved(tmp_path, content, "other.json")
    refused = run("adjudicate", *paths, *both, "-o", gold)
    assert refused.status == 1
    assert f"{ITEMS[0]} was decided differently by cora and by dora" in refused.err
    assert not gold.exists()


def test_of_two_curators_who_agree_the_one_about_the_blocks_of_today_counts() -> None:
    corpora = [Corpus.from_clusters({"tale": clusters}) for clusters in TALE.values()]
    (document,) = corefkit.adjudicate(*corpora).draft.documents
    link = next(item for item in document.items if item.id == ITEMS[1])
    today, old = log(*ALL), log(*ALL)
    today["decisions"][1] |= {"left": [*link.left], "right": [*link.right]}
    old["decisions"][1] |= {"left": ["0-2"], "right": [*link.right]}
    for order in ((today, old), (old, today)):
        assert not corefkit.adjudicate(*corpora, decisions=order).changed
    assert corefkit.adjudicate(*corpora, decisions=old).changed == (ITEMS[1],)


def test_decisions_made_for_something_else(tmp_path: Path) -> None:
    people = [{"annotator": name, "sha256": None} for name in ("anna", "carla")]
    for fields, found in (
        ({"inputs": people}, "annotators anna, carla"),
        ({"certain": "all"}, "--certain all"),
        ({"ask_mentions": 2}, "--certain majority --ask-mentions 2"),
    ):
        other = listed(tmp_path, *ALL, **fields)
        assert other.status == 1
        assert "[decisions-other]" in other.err
        assert found in other.err
        decisions = saved(tmp_path, log(*ALL, **fields))
        forced = run("adjudicate", *sides(tmp_path), "--decisions", decisions, "--force")
        assert forced.status == 0


def test_inputs_that_have_changed_are_a_note(tmp_path: Path) -> None:
    people = [{"annotator": name, "sha256": "0" * 64} for name in ("anna", "ben")]
    done = listed(tmp_path, *ALL, inputs=people)
    assert done.status == 0
    assert "the annotations of anna, ben have changed since these decisions" in done.err


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ([], "$"),
        ({}, "$.corefkit"),
        (log(version=2), "$.version"),
        (log(certain="most"), "$.certain"),
        (log(ask_mentions=0), "$.ask_mentions"),
        (log(ask_mentions=True), "$.ask_mentions"),
        (log(inputs={}), "$.inputs"),
        (log(inputs=["anna"]), "$.inputs[0]"),
        (log(inputs=[{"annotator": 1}]), "$.inputs[0].annotator"),
        (log(inputs=[{"annotator": "anna", "sha256": 1}]), "$.inputs[0].sha256"),
        (log(decisions=None), "$.decisions"),
        (log(decisions=["link tale 0 1"]), "$.decisions[0]"),
        (log(decisions=[{"choice": "yes"}]), "$.decisions[0].item"),
        (log(decisions=[{"item": "link tale 0 1", "choice": 1}]), "$.decisions[0].choice"),
        (log(decisions=[{"item": "link tale 0 1", "spans": "0"}]), "$.decisions[0].spans"),
        (log(decisions=[{"item": "link tale 0 1", "left": [0]}]), "$.decisions[0].left"),
        (log(decisions=[{"item": "link tale 0 1", "right": 0}]), "$.decisions[0].right"),
        (log(decisions=[{"item": "link tale 0 1", "by": 7}]), "$.decisions[0].by"),
        (log(decisions=[{"item": "link tale 0 1", "discuss": 1}]), "$.decisions[0].discuss"),
        (log((ITEMS[0], "yes")), "$.decisions[0].choice"),
        (log((ITEMS[1], "0-2")), "$.decisions[0].choice"),
        (log(("apart tale 5", "maybe")), "$.decisions[0].choice"),
        (log(("mention tale 13", "maybe")), "$.decisions[0].choice"),
    ],
)
def test_files_that_are_not_decisions(tmp_path: Path, content: Any, path: str) -> None:
    decisions = saved(tmp_path, content)
    done = run("adjudicate", *sides(tmp_path), "--decisions", decisions)
    assert done.status == 1
    assert f"{decisions}: error: unexpected JSON at {path} of a file of decisions" in done.err
    assert "[json-shape]" in done.err


def test_files_that_are_not_json(tmp_path: Path) -> None:
    digits = '{"corefkit": ' + "1" * 5000 + "}"
    for text in ("{", '"\\ud800"', "[" * 10**5, '{"corefkit": "\udcff"}', digits):
        decisions = tmp_path / "decisions.json"
        decisions.write_text(text, encoding="utf-8", errors="surrogateescape")
        done = run("adjudicate", *sides(tmp_path), "--decisions", decisions)
        assert (done.status, "[json-syntax]" in done.err) == (1, True), text[:10]


def test_usage(tmp_path: Path) -> None:
    anna, ben = sides(tmp_path)
    other = tmp_path / "other.conll"
    other.write_text(conll({"story": [[(0, 0), (2, 2)]]}), encoding="utf-8")
    for arguments, message in (
        ((), "name at least two annotators"),
        ((anna,), "adjudication needs at least two annotators"),
        ((anna, ben, anna), "anna: the same annotator is given twice"),
        ((anna, other), "anna, other: no document has two annotators"),
        ((anna, ben, "--ask-mentions", "0"), "--ask-mentions"),
        ((anna, ben, "--report", tmp_path / "items.html"), "items.html"),
        ((anna, ben, "--draft", "-o", ben), "would be overwritten"),
        ((anna, ben, "--draft", "-o", tmp_path / "gold.conll", "--to", "tac-edl"), "tac-edl"),
    ):
        done = run("adjudicate", *arguments)
        assert (done.status, message in done.err) == (2, True), (arguments, done.err)


def test_a_broken_side_is_refused(tmp_path: Path) -> None:
    anna, ben = sides(tmp_path)
    Path(ben).write_text("#begin document tale\ntale 0 0 w0 (1\n#end document\n")
    done = run("adjudicate", anna, ben, "--draft", "-o", tmp_path / "gold.conll")
    assert (done.status, "[bracket-unclosed]" in done.err) == (1, True)
    assert not (tmp_path / "gold.conll").exists()


def test_documents_of_one_and_documents_that_do_not_fit(tmp_path: Path) -> None:
    both: Clusters = [[(0, 0), (2, 2)]]
    longer = conll({"long": both}, 15)
    one, other = tmp_path / "one.conll", tmp_path / "other.conll"
    one.write_text(conll({"a": both, "long": both, "b": both}), encoding="utf-8")
    other.write_text(longer + conll({"c": both, "a": both}), encoding="utf-8")
    gold = tmp_path / "gold.conll"
    done = run("adjudicate", one, other, "-o", gold)
    assert done.status == 0, done.err
    assert "note: 2 documents with only one annotator, taken over as marked: b, c" in done.err
    assert "[document-unfit]" in done.err
    assert corefkit.read(gold).clusters() == {name: [[*both[0]]] for name in "abc"}
    assert gold.read_text() == conll({"a": both, "b": both, "c": both})


def test_report(tmp_path: Path) -> None:
    decisions = saved(tmp_path, log(ALL[1]))
    paths = [*sides(tmp_path), "--decisions", decisions]
    done = run("adjudicate", *paths, "--report", tmp_path / "items.tsv")
    assert done.status == 0
    header, *rows = [line.split("\t") for line in (tmp_path / "items.tsv").read_text().splitlines()]
    assert header[:6] == ["document", "kind", "id", "place", "text", "options"]
    table = [dict(zip(header, row, strict=True)) for row in rows]
    assert [(row["id"], row["state"]) for row in table] == [
        (ITEMS[0], "open"),
        (ITEMS[2], "open"),
        (ITEMS[1], "decided"),
    ]
    assert table[0]["for"] == "0-2: anna; 1-2: ben"
    assert table[0]["place"] == f"{tmp_path / 'anna.conll'}:2"
    assert table[0]["text"].startswith("[w0 w1 w2] w3")
    assert (table[2]["choice"], table[2]["was"], table[2]["by"]) == ("yes", "no", "cora")
    run("adjudicate", *paths, "--report", tmp_path / "items.json")
    report = json.loads((tmp_path / "items.json").read_text())
    assert [row["id"] for row in report["items"]] == [row["id"] for row in table]
    assert report["items"][2]["for"] == ["anna"]


def test_an_outvoted_mention_that_is_brought_back_is_decided() -> None:
    annotators = {**TALE, "carla": [*TALE["anna"], [(3, 3)]]}
    corpora = [Corpus.from_clusters({"tale": clusters}) for clusters in annotators.values()]
    for decisions, state in (((), "outvoted"), (log(("mention tale 3", "yes")), "decided")):
        result = corefkit.adjudicate(*corpora, decisions=decisions)
        assert {row.state for row in result.report if row.id == "mention tale 3"} == {state}


def test_the_page_holds_items_and_decisions(tmp_path: Path) -> None:
    decisions, page = saved(tmp_path, log(ALL[1])), tmp_path / "decide.html"
    done = run("adjudicate", *sides(tmp_path), "--decisions", decisions, "--page", page)
    assert done.status == 0
    data = data_of(page.read_text(encoding="utf-8"))
    assert [item["id"] for item in data["documents"][0]["items"]] == ITEMS
    assert [entry["item"] for entry in data["decisions"]] == [ITEMS[1]]
    digest = sha256((tmp_path / "anna.conll").read_bytes()).hexdigest()
    assert data["inputs"][0] == {"annotator": "anna", "sha256": digest}


def test_json_has_every_item(tmp_path: Path) -> None:
    result = json.loads(run("adjudicate", *sides(tmp_path), "-f", "json").out)
    assert [item["id"] for item in result["documents"][0]["items"]] == ITEMS
    assert result["undecided"] == 3
    before, after = result["agreement"]["before"], result["agreement"]["after"]
    assert [(pair["a"], pair["b"]) for pair in before] == [("anna", "ben")]
    assert [(pair["a"], pair["b"]) for pair in after] == [
        ("anna", "adjudicated"),
        ("ben", "adjudicated"),
    ]
    pair = corefkit.agree(*sides(tmp_path)).pairs[0]
    assert pair.scores is not None
    assert before[0]["conll"] == pair.scores.conll


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv", "html"])
def test_the_summary_in_all_formats(tmp_path: Path, form: str) -> None:
    done = run("adjudicate", *sides(tmp_path), "-f", form)
    assert done.status == 0
    assert "tale" in done.out
    assert "anna" in done.out


def test_from_python(tmp_path: Path) -> None:
    corpora = [Corpus.from_clusters({"tale": clusters}) for clusters in TALE.values()]
    result = corefkit.adjudicate(*corpora, decisions=log(*ALL))
    assert result.undecided == 0
    assert result.corpus.clusters() == {"tale": [[(1, 2), (5, 5), (9, 10)], [(7, 7)], [(12, 12)]]}
    assert "Items by document" in str(result)
    assert repr(result).endswith(": 1 document, 0 open items)")
    assert [row.state for row in result.report] == ["decided"] * 3
    assert "Items by document" in result._repr_html_()


def test_the_result_agrees_with_itself() -> None:
    paths = [EXAMPLES / "key.conll", EXAMPLES / "careful.conll"]
    corpus = corefkit.adjudicate(*paths).corpus
    pair = corefkit.agree(corpus, corpus).pairs[0]
    assert pair.scores is not None
    assert pair.scores.conll == 1
    assert pair.alpha is not None
    assert pair.alpha.alpha() == 1


def test_tables_fit_on_a_terminal(tmp_path: Path) -> None:
    """Columns of zeros go, and long names are cut; tables for programs keep everything."""
    files = []
    for letter, source in zip("abc", ("key", "careful", "hasty"), strict=True):
        files.append(tmp_path / f"{letter * 70}.conll")
        files[-1].write_bytes((EXAMPLES / f"{source}.conll").read_bytes())
    text = run("adjudicate", *files).out
    assert max(map(len, text.splitlines())) <= 100
    assert "a" * 26 + "… – " in text
    assert "implied" not in text
    table = run("adjudicate", *files, "-f", "csv").out
    assert "implied" in table
    assert "a" * 70 in table
    short = run("adjudicate", EXAMPLES / "project").out
    assert "implied" in short, "nothing is left out where everything fits"


def test_different_tokens_are_an_error_before_anything_is_written(tmp_path: Path) -> None:
    text = "#begin document (tale); part 000\ntale 0 0 Emma (1)\n{}#end document\n"
    for name, more in (("anna", ""), ("ben", "tale 0 1 ran -\n")):
        (tmp_path / f"{name}.conll").write_text(text.format(more), encoding="utf-8")
    files = [tmp_path / "anna.conll", tmp_path / "ben.conll"]
    page, gold = tmp_path / "page.html", tmp_path / "gold.conll"
    result = run("adjudicate", *files, "--page", page, "-o", gold)
    assert result.status == 1
    assert "[nothing-shared]" in result.err and "internal error" not in result.err
    assert not page.exists() and not gold.exists()
