"""corefkit convert --to and corefkit formats."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus
from corefkit.formats import LossWarning, registry
from corefkit.formats.kit.convert import Losses, reduce
from tests.formats.strategies import canonical
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run


@pytest.mark.parametrize("name", ["e2e", "wl-coref", "preco", "indiscrim", "maverick"])
def test_there_and_back(name: str, tmp_path: Path) -> None:
    there, back = tmp_path / "there.jsonl.gz", tmp_path / "back.conll"
    assert run("convert", EXAMPLES / "key.conll", there, "--to", name).status == 0
    assert run("convert", there, back, "--to", "conll").status == 0
    assert canonical(corefkit.read(back)) == canonical(corefkit.read(EXAMPLES / "key.conll"))
    assert corefkit.score(EXAMPLES / "key.conll", there).conll == 1


@pytest.mark.parametrize("name", ["brat", "webanno", "booknlp"])
def test_files_of_documents_are_paired_with_what_they_were_made_of(
    name: str, tmp_path: Path
) -> None:
    assert run("convert", EXAMPLES / "key.conll", tmp_path / "there", "--to", name).status == 0
    scores = corefkit.score(EXAMPLES / "key.conll", tmp_path / "there")
    assert scores.conll == 1
    assert [i.id for i in scores.incidents] == ["names-rewritten", "same-file"]


def test_the_input_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_bytes((EXAMPLES / "key.conll").read_bytes())
    done = run("convert", path, path, "--to", "e2e")
    assert done.status == 2
    assert path.read_bytes() == (EXAMPLES / "key.conll").read_bytes()


def test_what_cannot_be(tmp_path: Path) -> None:
    key = EXAMPLES / "key.conll"
    assert "only read" in run("convert", key, tmp_path / "a", "--to", "subtoken").err
    assert run("convert", key, tmp_path / "a", "--to", "nothing").status == 2
    assert run("convert", key, "-", "--to", "e2e", "--shape", "minimal").status == 2
    crossing = tmp_path / "crossing.jsonl"
    crossing.write_text(json.dumps({"sentences": [list("abcd")], "clusters": [[[0, 2], [1, 3]]]}))
    done = run("convert", crossing, tmp_path / "b", "--to", "conll")
    assert done.status == 1
    assert "[mentions-cross]" in done.err


def test_characters_become_tokens(tmp_path: Path) -> None:
    path = tmp_path / "text.jsonl"
    row = {"text": "Ann's dog ran.\nIt fell.", "clusters": [[[0, 3]], [[0, 9], [15, 17]]]}
    path.write_text(json.dumps(row))
    out = run("convert", path, "-", "--to", "e2e").out
    assert json.loads(out) == {
        "sentences": [["Ann", "'s", "dog", "ran."], ["It", "fell."]],
        "clusters": [[[0, 2], [4, 4]], [[0, 0]]],
    }


def test_losses_are_counted() -> None:
    from dataclasses import replace

    import numpy as np

    from corefkit.core.links import Links
    from corefkit.core.mention_columns import Ragged

    plain = Corpus.from_clusters({"a": [[(0, 4), (2, 2)], [(3, 3)]]})
    rich = replace(
        plain,
        zero=np.array([0, 1, 0]),
        nodes=Ragged.of([(0, [(0, 0), (1, 0), (4, 0)])]),
        referring=np.array([True, True, False]),
        links=Links(np.array([0]), np.array([0]), np.array([1]), ("",)),
    )
    corpus, told = reduce(rich, frozenset())
    assert corpus.clusters() == {"a": [[(0, 4)]]}
    assert [i.id for i in told] == ["mention-zero", "mention-discontinuous", "layer-dropped"]
    corpus, _ = reduce(rich, frozenset(), Losses(discontinuous="first"))
    assert corpus.clusters() == {"a": [[(0, 1)]]}
    for choices in (Losses(discontinuous="error"), Losses(zeros="error")):
        with pytest.raises(corefkit.DataError):
            reduce(rich, frozenset(), choices)


def test_links_of_one_format_become_those_of_another(tmp_path: Path) -> None:
    """CorefUD bridges to entities, CoNLL-UA to mentions; both know split antecedents."""
    done = run("convert", EXAMPLES / "picnic.conllua", tmp_path / "a.conllu", "--to", "conllu")
    assert "1 non-referring mention" in done.err
    assert "links cannot be expressed" not in done.err
    assert "Bridge=4<5:part" in (tmp_path / "a.conllu").read_text()
    assert "SplitAnte=1<3,2<3" in (tmp_path / "a.conllu").read_text()
    assert "2 mentions of the layer deixis are not converted" in done.err
    assert "more of this kind" not in done.err
    bridge = (
        (EXAMPLES / "drawer.conllu")
        .read_text()
        .replace("(e2-object-1)", "(e2-object-1)|Bridge=e3<e2:part")
    )
    (tmp_path / "b.conllu").write_text(bridge)
    done = run("convert", tmp_path / "b.conllu", tmp_path / "b.conllua", "--to", "conllua")
    assert "links cannot be expressed" not in done.err
    assert "|Rel=part|MentionAnchor=m" in (tmp_path / "b.conllua").read_text()
    done = run("convert", tmp_path / "b.conllu", tmp_path / "c.conllu", "--to", "conllu")
    assert (done.err, (tmp_path / "c.conllu").read_text()) == (
        f"{tmp_path / 'c.conllu'}: 1 document, 9 mentions\n",
        bridge,
    )


def test_zeros_before_a_sentence_are_told_where_they_lose_their_place(tmp_path: Path) -> None:
    target = tmp_path / "a.conllua"
    done = run("convert", EXAMPLES / "drawer.conllu", target, "--to", "conllua")
    assert "1 zero before the first word of a sentence cannot be expressed" in done.err
    done = run("convert", target, tmp_path / "b.conllua", "--to", "conllua")
    assert done.err == f"{tmp_path / 'b.conllua'}: 1 document, 9 mentions\n"


def test_formats() -> None:
    listed = json.loads(run("formats", "-f", "json").out)
    assert [one["name"] for one in listed["formats"]] == registry.format_names()
    text = run("formats").out
    assert all(one["title"] in text for one in listed["formats"])


def test_what_is_there_is_replaced_with_force_only(tmp_path: Path) -> None:
    """As split, layers and skeleton do; with --to and without it."""
    out = tmp_path / "out.conll"
    out.write_text("precious")
    for more in ([], ["--to", "conll"]):
        done = run("convert", EXAMPLES / "key.conll", out, *more)
        assert (done.status, out.read_text()) == (2, "precious")
        assert "out.conll already exists; --force" in done.err
    assert run("convert", "", out).status == 2
    for more in ([], ["--to", "conll"]):
        assert run("convert", EXAMPLES / "key.conll", out, "--force", *more).status == 0
        assert out.read_bytes().startswith(b"#begin document")
        out.write_text("precious")
    assert run("convert", EXAMPLES / "key.conll", "/dev/null").status == 0


KEY = EXAMPLES / "key.conll"
BY_ENDING = {
    "a.conll": "conll",
    "a.v4_gold_conll": "conll",
    "a.CONLL.gz": "conll",
    "a.conllu": "conllu",
    "a.conllua": "conllua",
    "a.jsonl": "e2e",
    "a.jsonlines.gz": "e2e",
    "a.json": "e2e",
    "a.parquet": "parquet",
}


def _tale(folder: Path) -> Path:
    sentences = [["Ann", "fed", "her", "dog", "."], ["It", "slept", "."]]
    clusters = [[[0, 0], [2, 2]], [[2, 3], [5, 5]]]
    row = {"doc_key": "tale", "sentences": sentences, "clusters": clusters}
    (folder / "tale.jsonl").write_text(json.dumps(row))
    return folder / "tale.jsonl"


@pytest.mark.parametrize("name", BY_ENDING)
def test_the_ending_of_the_output_names_its_format(name: str, tmp_path: Path) -> None:
    """Both for `convert` without --to and for `corefkit.write`."""
    source = _tale(tmp_path)
    files = [tmp_path / f"{stem}.{name}" for stem in ("ending", "named", "written")]
    assert run("convert", source, files[0]).status == 0
    assert run("convert", source, files[1], "--to", BY_ENDING[name]).status == 0
    corefkit.write(corefkit.read(source), files[2])
    assert len({file.read_bytes() for file in files}) == 1
    assert canonical(corefkit.read(files[0])) == canonical(corefkit.read(source))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a.xyz", "no format has such an ending"),
        ("a", "no format has such an ending"),
        ("a.xml", "such files can only be read"),
        ("a.txt", "the ending could mean several formats"),
    ],
)
def test_other_endings_are_refused(name: str, reason: str, tmp_path: Path) -> None:
    target = tmp_path / name
    done = run("convert", KEY, target)
    assert done.status == 2
    assert reason in done.err
    assert ".jsonl" in done.err
    assert "--to" in done.err
    with pytest.raises(corefkit.UsageError, match=reason):
        corefkit.write(corefkit.read(KEY), target)
    assert not target.exists()


def test_columns_stay_as_they_are_unless_a_flavour_is_chosen(tmp_path: Path) -> None:
    assert run("convert", KEY, tmp_path / "a.conll").status == 0
    assert (tmp_path / "a.conll").read_bytes() == KEY.read_bytes()
    flavour = ("--shape", "minimal", "--separator", "tab")
    for target, *to in (("a.tsv",), ("b.tsv", "--to", "conll")):
        assert run("convert", KEY, tmp_path / target, *flavour, *to).status == 0
    assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()
    tale = _tale(tmp_path)
    assert run("convert", tale, tmp_path / "c.conll", *flavour).status == 0
    assert canonical(corefkit.read(tmp_path / "c.conll")) == canonical(corefkit.read(tale))
    assert run("convert", KEY, tmp_path / "d", *flavour, "--to", "e2e").status == 2


def test_what_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    corpus = corefkit.read(EXAMPLES / "drawer.conllu")
    with pytest.warns(LossWarning) as told:
        corefkit.write(corpus, tmp_path / "a.conll")
    texts = [str(warning.message) for warning in told]
    for lost in ("empty nodes", "1 discontinuous mention", "8 etype"):
        assert any(lost in text for text in texts), texts
    assert run("convert", EXAMPLES / "drawer.conllu", tmp_path / "b.conll").status == 0
    assert (tmp_path / "a.conll").read_bytes() == (tmp_path / "b.conll").read_bytes()
    with pytest.raises(corefkit.DataError):
        corefkit.write(corpus, tmp_path / "c.conll", zeros="error")
    with pytest.raises(corefkit.UsageError, match="zeros"):
        corefkit.write(corpus, tmp_path / "c.conll", zeros="lose")  # type: ignore[arg-type]
    with pytest.raises(corefkit.UsageError, match="only read"):
        corefkit.write(corpus, tmp_path / "c", "tei")
    corefkit.write(corefkit.read(KEY), tmp_path / "folder", "brat")
    assert sorted(path.suffix for path in (tmp_path / "folder").iterdir())[0] == ".ann"


GUM = CONFORMANCE / "formats" / "webanno" / "GUM_academic_implicature.tsv"
WEBANNO = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Referent|entity|infstat
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent


#Text=The house has a door and windows
1-1\t0-3\tThe\tplace[1]\tnew[1]\tbridge:def|bridge|coref\t1-4[2_1]|1-7[0_1]|1-3[0_1]\t
1-2\t4-9\thouse\tplace[1]\tnew[1]\t_\t_\t
1-3\t10-13\thas\t*\t_\t_\t_\t
1-4\t14-15\ta\tobject[2]\t_\tbridge:x\t1-7[0_2]\t
1-5\t16-20\tdoor\tobject[2]\t_\t_\t_\t
1-6\t21-24\tand\t_\t_\t_\t_\t
1-7\t25-32\twindows\tobject\tacc:inf\t_\t_\t
"""


def _bridges(path: Path) -> list[tuple[str, str, str]]:
    corpus = corefkit.read(path)
    links = corpus.links
    assert links is not None
    span = [f"{a}-{b}" for a, b in zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)]
    ends = zip(links.source.tolist(), links.target.tolist(), links.label, strict=True)
    return sorted((span[anaphor], span[anchor], label) for anaphor, anchor, label in ends)


def test_bridging_of_webanno_is_kept_and_features_are_told(tmp_path: Path) -> None:
    old, new = tmp_path / "a.tsv", tmp_path / "b.conllua"
    old.write_text(WEBANNO)
    bridges = [("3-4", "0-1", "def"), ("6-6", "0-1", ""), ("6-6", "3-4", "x")]
    assert _bridges(old) == bridges
    done = run("convert", old, new)
    assert new.read_text().count("MentionAnchor") == 3
    assert _bridges(new) == [bridges[0], bridges[2]]  # of one anaphor the last counts
    assert "1 bridging link has the same anaphor as another one" in done.err
    assert "cannot express: 1 type [layer-dropped]" in done.err
    assert new.read_text().count("|SemType=") == 3
    assert new.read_text().count("|infstat=") == 2
    assert done.err.count("warning") == 2
    assert done.err.endswith(f"{new}: 1 document, 4 mentions\n")
    done = run("convert", old, tmp_path / "b.conll")
    assert "3 bridging links cannot be expressed in the new format" in done.err
    assert "cannot express: 3 etype, 2 infstat [layer-dropped]" in done.err


@needs_conformance
def test_gum_loses_no_bridging_in_conllua(tmp_path: Path) -> None:
    done = run("convert", GUM, tmp_path / "b.conllua")
    assert len(_bridges(GUM)) == GUM.read_text(encoding="utf-8").count("bridge:") == 3
    assert _bridges(tmp_path / "b.conllua") == _bridges(GUM)
    text = (tmp_path / "b.conllua").read_text(encoding="utf-8")
    assert (text.count("|SemType="), text.count("|infstat=")) == (216, 216)
    assert "cannot express: 64 type [layer-dropped]" in done.err
    assert done.err.endswith("b.conllua: 1 document, 216 mentions\n")


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        ("key.conll out.conll", "out.conll: 8 documents, 265 mentions"),
        ("key.conll - --shape minimal", "standard output: 8 documents, 265 mentions"),
        ("key.conll out --to brat", "out: 8 documents, 265 mentions, 16 files"),
        ("key.conll out.jsonl", "out.jsonl: 8 documents, 265 mentions"),
    ],
)
def test_what_was_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, last: str
) -> None:
    (tmp_path / "key.conll").write_bytes((EXAMPLES / "key.conll").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert run("convert", *arguments.split()).err.splitlines()[-1] == last


def test_what_brat_files_say_besides_mentions_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ada slept. She woke.")
    lines = ["T1\tPerson 0 3\tAda", "T2\tPerson 11 14\tShe", "R1\tCoreference Arg1:T2 Arg2:T1\t"]
    lines += ["A1\tGender T1 female", "#1\tAnnotatorNotes T1\tsure", "#2\tAnnotatorNotes T2\tno"]
    (tmp_path / "a.ann").write_text("\n".join([*lines, ""]))
    done = run("convert", tmp_path / "a.ann", tmp_path / "a.jsonl")
    assert "cannot express: 1 attribute, 2 note [layer-dropped]" in done.err


def test_labels_go_round_through_three_formats(tmp_path: Path) -> None:
    """WebAnno to CoNLL-UA to CorefUD and back: types, status, bridging, each as it was."""
    (tmp_path / "a.tsv").write_text(WEBANNO)
    names = ["a.tsv", "b.conllua", "c.conllu", "d.conllua"]
    for source, target in pairwise(names):
        assert run("convert", tmp_path / source, tmp_path / target).status == 0
    first, last = ((tmp_path / name).read_text() for name in ("b.conllua", "d.conllua"))
    assert (last.count("SemType="), last.count("infstat=")) == (3, 2)
    features = [sorted(re.findall(r"(?:SemType|infstat)=[^|)]+", text)) for text in (first, last)]
    assert features[0] == features[1]
    assert "Bridge=" in (tmp_path / "c.conllu").read_text()


def test_columns_of_conllua_are_those_that_its_header_names(tmp_path: Path) -> None:
    old, new = tmp_path / "a.conllua", tmp_path / "b.conllua"
    row = "1\ta\tN\tA\t2\tdet\t(EntityID=1|MarkableID=m1)"
    header = "# global.columns = ID FORM UPOS LEMMA HEAD DEPREL IDENTITY"
    old.write_text(f"{header}\n# newdoc id = x\n{row}\n")
    run("convert", old, new)
    cells = new.read_text().splitlines()[2].split("\t")
    assert cells[:10] == ["1", "a", "A", "N", "_", "_", "2", "det", "_", "_"]
    done = run("convert", old, tmp_path / "b.conll")
    assert "cannot express: 1 LEMMA, 1 UPOS, 1 HEAD, 1 DEPREL [layer-dropped]" in done.err


def test_columns_that_are_lost_are_counted(tmp_path: Path) -> None:
    rows = ["1\tAda\tada\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=(e1)"]
    rows += ["2\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t_\t_", "", ""]
    header = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1"]
    (tmp_path / "a.conllu").write_text("\n".join([*header, *rows]))
    done = run("convert", tmp_path / "a.conllu", tmp_path / "b.conllua")
    assert "cannot express: 2 HEAD, 2 DEPREL [layer-dropped]" in done.err
    assert "Ada\tada\tPROPN\tNNP\tNumber=Sing\t_" in (tmp_path / "b.conllua").read_text()
    done = run("convert", tmp_path / "b.conllua", tmp_path / "c.conllu")
    assert done.err.count("warning") == 0
    assert "Ada\tada\tPROPN\tNNP\tNumber=Sing\t_" in (tmp_path / "c.conllu").read_text()
    done = run("convert", tmp_path / "a.conllu", tmp_path / "a.jsonl")
    assert "2 LEMMA, 2 UPOS, 2 XPOS, 1 FEATS, 2 HEAD, 2 DEPREL [layer-dropped]" in done.err


def test_mentions_that_were_left_out_are_not_counted(tmp_path: Path) -> None:
    file = tmp_path / "crossing.jsonl"
    clusters = [[[0, 2], [4, 4]], [[1, 3], [5, 5]]]
    file.write_text(json.dumps({"sentences": [list("abcdef")], "clusters": clusters}))
    done = run("convert", file, tmp_path / "out.md", "--to", "markdown")
    assert done.status == 0, done.err
    assert corefkit.read(tmp_path / "out.md").mentions == 3
    assert "out.md: 1 document, 3 mentions" in done.err


@pytest.mark.parametrize("form", ["webanno", "brat", "rucoco"])
def test_several_files_are_no_stream(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("convert", EXAMPLES / "key.conll", "-", "--to", form)
    assert (done.status, done.out, [*tmp_path.iterdir()]) == (2, "", [])
    assert "name a file or folder" in done.err
    project = EXAMPLES / "project"
    assert run("adjudicate", project, "--draft", "-o", "-").status == 2
    drafted = run("adjudicate", project, "--draft", "-o", "-", "--to", "conll")
    assert (drafted.status, drafted.out.count("#begin document")) == (0, 3)
    assert [*tmp_path.iterdir()] == []


def test_what_is_wrong_with_the_arguments(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_bytes((EXAMPLES / "key.conll").read_bytes())
    missing = run("convert", tmp_path / "missing.jsonl", key)  # not: key.conll already exists
    assert (missing.status, "missing.jsonl" in missing.err, "--force" in missing.err) == (
        1,
        True,
        False,
    )
    folder = run("convert", key, tmp_path)
    assert (folder.status, "is a directory" in folder.err) == (2, True)
    assert "OUT is empty" in run("convert", key, "").err


def test_no_document_on_standard_output_is_no_file(tmp_path: Path) -> None:
    (empty := tmp_path / "empty.json").write_text("[]\n", encoding="utf-8")
    done = run("convert", empty, "-", "--format", "wl-coref", "--to", "rucoco")
    assert (done.status, done.out) == (0, "")
    assert "standard output: 0 documents, 0 mentions" in done.err


def test_a_table_whose_columns_are_named_becomes_conll(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("doc_id,start,end,chain\na,0,1,e1\na,3,3,e1\n")
    out = tmp_path / "a.conll"
    done = run("convert", tmp_path / "a.csv", out, "--read", "columns=entity=chain")
    assert done.status == 0, done.err
    assert corefkit.read(out).clusters() == {"a": [[(0, 1), (3, 3)]]}
