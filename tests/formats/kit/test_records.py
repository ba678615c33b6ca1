"""Corpora from objects in memory, with the real packages where they are installed."""

from types import SimpleNamespace
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, DataError, UsageError
from tests.formats.strategies import canonical

ROW = {
    "doc_key": "tale_0",
    "sentences": [["The", "crew", "slept", "."], ["They", "snored", "."]],
    "clusters": [[[0, 1], [4, 4]]],
}


def test_a_result_of_fastcoref() -> None:
    row = {"text": "The crew slept. They snored.", "clusters": [[(0, 8), (16, 20)]]}
    corpus = Corpus.from_records([row])
    assert corpus.unit == "character"
    assert corefkit.score(Corpus.from_records([ROW]), corpus)["muc"].f1 == 1


def test_results_of_maverick_and_allennlp() -> None:
    words = ["The", "crew", "slept", ".", "They"]
    maverick = {"tokens": words, "clusters_token_offsets": [((0, 1), (4, 4))]}
    allennlp = {"document": words, "clusters": [[[0, 1], [4, 4]]], "top_spans": []}
    for row in (maverick, allennlp):
        assert Corpus.from_records([row]).clusters() == {"1": [[(0, 1), (4, 4)]]}


@pytest.mark.parametrize("dialect", ["e2e", "wl-coref", "maverick", "preco", "indiscrim"])
def test_to_records(dialect: str) -> None:
    corpus = Corpus.from_records([ROW])
    rows = corpus.to_records(dialect)
    assert canonical(Corpus.from_records(rows)) == canonical(corpus)


def test_options_without_effect_are_told() -> None:
    """As in files: records of JSON have no layers, and words of several columns neither."""
    corpus = Corpus.from_records([ROW], layer="deixis", word_column=3, ends="inclusive")
    assert [i.id for i in corpus.incidents] == ["option-unused"] * 2
    assert [i.message.partition(" ")[0] for i in corpus.incidents] == ["--read", "--read"]
    assert {i.file for i in corpus.incidents} == {"records"}


def test_what_cannot_be() -> None:
    corpus = Corpus.from_records([ROW])
    with pytest.raises(UsageError, match="dialect"):
        corpus.to_records("columns")
    with pytest.raises(UsageError, match="not a JSON dialect"):
        Corpus.from_records([ROW], format="conll")
    with pytest.raises(DataError, match="no JSON dialect"):
        Corpus.from_records([{"a": 1}])
    with pytest.raises(DataError, match="json-shape"):
        Corpus.from_records([{**ROW, "clusters": [[[0, None]]]}])
    assert Corpus.from_records([]).names == ()


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_frames(name: str) -> None:
    package = pytest.importorskip(name, reason=f"{name} is not installed")
    corpus = Corpus.from_records([ROW])
    frame = corpus.to_frame(package)
    assert list(frame.columns) == ["document", "entity", "start", "end"]
    assert canonical(Corpus.from_frame(frame)) == canonical(corpus)
    rows = frame.to_dict("records") if name == "pandas" else frame.to_dicts()
    assert rows[0] == {"document": "tale_0", "entity": "0", "start": 0, "end": 1}
    with pytest.raises(DataError, match="the columns a"):
        Corpus.from_frame(package.DataFrame({"a": [1]}))


def test_rows_of_frames() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame([ROW])
    assert canonical(Corpus.from_records(frame.to_dict("records"))) == {
        "tale_0": [[(0, 1), (4, 4)]]
    }


def test_a_dataset() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    dataset = datasets.Dataset.from_list([ROW, {**ROW, "doc_key": "tale_1"}])
    corpus = Corpus.from_records(dataset)
    assert corpus.names == ("tale_0", "tale_1")
    assert corpus.mentions == 4


def test_spacy() -> None:
    spacy = pytest.importorskip("spacy", reason="spacy is not installed")
    doc = spacy.blank("en")("The crew slept. They snored.")
    doc.spans["coref_clusters_1"] = [doc[0:2], doc[4:5]]
    doc.spans["coref_head_clusters_1"] = [doc[1:2]]
    doc.user_data["doc_key"] = "tale_0"
    assert corefkit.score(doc, [doc])["muc"].f1 == 1
    corpus = Corpus.from_spacy([doc])
    assert corpus.clusters() == {"tale_0": [[(0, 1), (4, 4)]]}
    assert corpus.column("word")[:2] == ["The", "crew"]


class Words:
    """A document that is iterated over its tokens, as spaCy's."""

    spans: dict[str, Any] = {}  # noqa: RUF012 (as spaCy has it)
    user_data: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, _: Any) -> None:
        self._ = _

    def __iter__(self) -> Any:
        return iter(SimpleNamespace(text=word) for word in ["The", "crew", "and", "Ada"])

    def has_annotation(self, name: str) -> bool:
        return False


def test_documents_of_stanza() -> None:
    def sentence(*words: str) -> SimpleNamespace:
        return SimpleNamespace(words=[SimpleNamespace(text=word) for word in words])

    def mention(sentence: int, start: Any, end: Any) -> SimpleNamespace:
        return SimpleNamespace(sentence=sentence, start_word=start, end_word=end)

    chain = SimpleNamespace(mentions=[mention(0, 0, 2), mention(1, 0, 1)])
    sentences = [sentence("The", "crew", "slept"), sentence("They", "snored")]
    doc = SimpleNamespace(sentences=sentences, coref=[chain])
    corpus = Corpus.from_spacy([doc])
    assert corpus.clusters() == {"1": [[(0, 1), (3, 3)]]}
    assert corpus.column("word")[3] == "They"
    assert corefkit.score(doc, doc)["muc"].f1 == 1
    assert corefkit.score([doc, doc], (doc, doc))["muc"].counts["recall"] == [2, 2]
    assert corefkit.score(corpus, doc)["conll"].f1 == 1


def document(**attributes: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"spans": {}, "user_data": {}, **attributes})


def test_documents_that_look_like_spacy() -> None:
    pipe = document(text="She slept", _=SimpleNamespace(coref_clusters=[[(0, 3)]]))
    assert Corpus.from_spacy([pipe]).clusters() == {"1": [[(0, 2)]]}
    span = SimpleNamespace(start=0, end=2)
    cluster = SimpleNamespace(mentions=[span, SimpleNamespace(start=3, end=4)])
    neural = Words(_=SimpleNamespace(coref_clusters=[cluster]))
    assert Corpus.from_spacy([neural]).clusters() == {"1": [[(0, 1), (3, 3)]]}
    coreferee = Words(_=SimpleNamespace(coref_chains=[[[1], [0, 3]]]))
    with pytest.raises(DataError, match="coref_chains"):
        Corpus.from_spacy([coreferee])
    assert Corpus.from_spacy([coreferee], heads=True).clusters() == {"1": [[(1, 1), (0, 3)]]}
    heads = document(spans={"coref_head_clusters_1": []}, _=SimpleNamespace())
    with pytest.raises(DataError, match="heads"):
        Corpus.from_spacy([heads])


def test_a_frame_with_mentions_of_one_column() -> None:
    """As `score` takes it: values are mentions, whatever they are."""
    package = pytest.importorskip("pandas")
    frame = package.DataFrame({"mention": ["p1", "p2", "p3"], "entity": [7, 7, 8]})
    corpus = Corpus.from_frame(frame)
    assert (corpus.mentions, corpus.labels, corpus.names) == (3, ("7", "8"), ("",))
    numbers = package.DataFrame({"document": ["a", "b"], "mention": [4, 4], "entity": [1, 1]})
    assert Corpus.from_frame(numbers).clusters() == {"a": [[(4, 4)]], "b": [[(4, 4)]]}
    other = package.DataFrame({"mention": ["p1", "p2", "p3"], "entity": [1, 2, 2]})
    ours = corefkit.score(corpus, Corpus.from_frame(other), "pairs")
    assert ours["pairs"].counts == corefkit.score(frame, other, "pairs")["pairs"].counts
    with pytest.raises(DataError, match="which mention belongs to which entity"):
        Corpus.from_frame(frame[["entity"]])


FRAMES = ("pandas", "polars")


@pytest.mark.parametrize("name", FRAMES)
def test_spans_of_a_frame_count_before_the_texts_of_mentions(name: str) -> None:
    package = pytest.importorskip(name)
    texts = {"document": ["a"] * 2, "entity": ["x"] * 2, "mention": ["her", "her"]}
    frame = package.DataFrame({**texts, "start": [0, 2], "end": [1, 2]})
    assert Corpus.from_frame(frame).clusters() == {"a": [[(0, 1), (2, 2)]]}
    assert Corpus.from_frame(package.DataFrame({**texts, "start": [0, 2]})).start[0] > 1 << 40


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("column", ["document", "mention"])
@pytest.mark.parametrize("missing", [None, float("nan"), "", "NA"])
def test_a_frame_with_missing_values(name: str, column: str, missing: Any) -> None:
    package = pytest.importorskip(name)
    if missing == "NA":
        missing = getattr(package, "NA", None)
    values: dict[str, list[Any]] = {
        "document": ["a", "a"],
        "mention": ["p1", "p2"],
        "entity": ["x", "x"],
    }
    values[column] = [1.5, missing] if isinstance(missing, float) else ["p1", missing]
    with pytest.raises(DataError, match=f"1 row has no value in the column '{column}'") as error:
        Corpus.from_frame(package.DataFrame(values))
    assert [incident.id for incident in error.value.incidents] == ["value-missing"]
