"""JSON lines that are broken, or do not tell how they are meant."""

import json
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, DataError, Incident
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import make_reading
from tests.support import run

WORDS = ["Ada", "saw", "her", "."]


def refusal(path: Path, **how: Any) -> list[Incident]:
    with pytest.raises(DataError) as error:
        corefkit.read(path, format="e2e", **how)
    return list(error.value.incidents)


def write(path: Path, clusters: list[list[list[int]]], field: str = "clusters") -> Path:
    path.write_text(json.dumps({"doc_key": "a", "sentences": [WORDS], field: clusters}))
    return path


def test_json_syntax(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"doc_key": "a",\n"sentences": [["Ada"')
    (found,) = (i for i in refusal(tmp_path / "a.jsonl") if i.id == "json-syntax")
    assert found.line == 2


def test_ends_unsure(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [[[0, 1], [2, 3]]], "mine")
    told = corefkit.read(path, clusters="mine", format="e2e").incidents
    assert [(i.id, i.severity) for i in told] == [("ends-unsure", "warning")]
    assert "'mine'" in told[0].message


@pytest.mark.parametrize(
    ("spans", "kind", "hint"),
    [
        ([[0, 1], [2, 4]], "span-outside", "read with --read ends=exclusive"),
        ([[0, 0], [2, 4]], "span-outside", "check that the text belongs to it"),
        ([[0, 0], [2, 9]], "span-outside", "check that the text belongs to it"),
        ([[1, 0]], "span-empty", "check that the text belongs to it"),
    ],
)
def test_how_the_ends_look_is_said(
    spans: list[list[int]], kind: str, hint: str, tmp_path: Path
) -> None:
    """An end one behind the last token, and no mention of one token: the ends are excluded."""
    (found,) = refusal(write(tmp_path / "a.jsonl", [spans]))
    assert found.id == kind
    assert hint in str(found.hint)


def test_inclusive_ends_read_as_exclusive(tmp_path: Path) -> None:
    found = refusal(write(tmp_path / "a.jsonl", [[[0, 0], [2, 3]]]), ends="exclusive")
    assert {i.id for i in found} == {"span-empty"}
    assert "read with --read ends=inclusive" in str(found[0].hint)


ROW = {"sentences": [["a", "b"], ["c", "d"]]}
PIECES = {"subtoken_map": [0, 1, 1, 2], "sentences": [["a", "b", "##b", "c"]]}


@pytest.mark.parametrize(
    ("row", "name", "last", "past"),
    [
        (ROW, "clusters", [2, 3], [2, 4]),
        (PIECES, "clusters", [2, 3], [2, 4]),
        ({**ROW, "id": "a"}, "mention_clusters", [0, 0, 2], [0, 0, 3]),
        ({**ROW, "id": "a"}, "mention_clusters", [1, 0, 2], [2, 0, 1]),
        ({"text": "ab cd"}, "clusters", [3, 5], [3, 6]),
    ],
)
def test_spans_one_past_the_end(row: dict[str, Any], name: str, last: Any, past: Any) -> None:
    """Of the document, or of the sentence that the span names."""
    for span, fine in ((last, True), (past, False)):
        rows = [{"doc_key": "a", **row, name: [[span]]}]
        if fine:
            assert Corpus.from_records(rows).mentions == 1
            continue
        with pytest.raises(DataError) as caught:
            Corpus.from_records(rows)
        assert {i.id for i in caught.value.incidents} == {"span-outside"}


@pytest.mark.parametrize(
    ("span", "tokens"), [([1, 3], (1, 2)), ([3, 3], (2, 2)), ([1, 4], None), ([4, 4], None)]
)
def test_predictions_of_s2e_one_past_the_end(span: list[int], tokens: Any, tmp_path: Path) -> None:
    """Spans count four pieces, of three words: the last piece is 3."""
    (tmp_path / "a.json").write_text(json.dumps({"a": [[span]]}) + json.dumps({"a": [0, 1, 1, 2]}))
    if tokens:
        assert corefkit.read(tmp_path / "a.json").clusters() == {"a": [[tokens]]}
        return
    with pytest.raises(DataError) as caught:
        corefkit.read(tmp_path / "a.json")
    (found,) = caught.value.incidents
    assert (found.id, found.expected) == (
        "span-outside",
        "spans within 4 sub-tokens, counted from 0, the end included",
    )


def test_half_of_a_character_is_replaced_and_told(tmp_path: Path) -> None:
    r"""JSON can escape \ud83d without its other half; no file can hold it."""
    row = r'{"doc_key": "a\ud800",'
    row += r'"sentences": [["\ud83d\ude00", "\udc00"]], "clusters": [[[0, 0]]]}'
    (tmp_path / "a.jsonl").write_text(row)
    corpus = corefkit.read(tmp_path / "a.jsonl")
    assert corpus.names == ("a\ufffd",)
    assert [(i.id, i.line) for i in corpus.incidents] == [("not-utf8", 1)]
    for to in ("conll", "conllu", "e2e"):
        assert run("convert", tmp_path / "a.jsonl", tmp_path / f"b.{to}", "--to", to).status == 0
        assert "\U0001f600" in (tmp_path / f"b.{to}").read_text(encoding="utf-8")
    table = tmp_path / "c.csv"
    assert run("score", *[tmp_path / "a.jsonl"] * 2, "--by", "document", "-o", table).status == 0


TOKENS = ["Ada", "saw", "Bo", ",", "and", "she", "liked", "him", "."]
MENTIONS: list[list[list[int]]] = [[[0, 0], [5, 5]], [[2, 2], [7, 7]]]
TEXTS: list[Any] = [["Ada", "she"], ["Bo", "him"]]


def differing(folder: Path, texts: list[Any], more: int = 0) -> list[Incident]:
    """What is said of a Maverick file that repeats these texts, and `more` mentions without any."""
    clusters = MENTIONS + [[[1, 1], [3, 3]]] * (more // 2) + [[[4, 4]]] * (more % 2)
    row = {"doc_id": "a", "tokens": TOKENS, "clusters_token_offsets": clusters}
    row["clusters_token_text"] = texts + [None] * (len(clusters) - len(MENTIONS))
    (folder / "a.json").write_text(json.dumps(row))
    found = read_all(folder / "a.json", make_reading(format="maverick")).incidents
    return [i for i in found if i.id == "mention-text-differs"]


@pytest.mark.parametrize("cluster", [0, 1])
@pytest.mark.parametrize("place", [0, 1])
def test_repeated_texts_are_those_of_their_mentions(
    cluster: int, place: int, tmp_path: Path
) -> None:
    """One text is wrong: it is that mention that is reported, whatever stands before it."""
    assert differing(tmp_path, TEXTS) == []
    for others in (TEXTS[1 - cluster], None, ["too few"]):
        texts: list[Any] = [others, others]
        texts[cluster] = list(TEXTS[cluster])
        assert differing(tmp_path, texts) == []
        texts[cluster][place] = "nobody"
        (found,) = differing(tmp_path, texts)
        (token, _) = MENTIONS[cluster][place]
        assert found.found == f"[{token}, {token}] reads '{TOKENS[token]}'"
        assert found.expected == f"'nobody', mention {place} of cluster {cluster}"


@pytest.mark.parametrize(("mentions", "severity"), [(9, "error"), (10, "warning"), (11, "warning")])
def test_more_than_one_text_in_ten_is_an_error(
    mentions: int, severity: str, tmp_path: Path
) -> None:
    texts = [["nobody", "she"], ["Bo", "him"]]
    (found,) = differing(tmp_path, texts, mentions - 4)
    assert found.severity == severity


def test_json_that_is_nested_too_deep(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"doc_key": ' + "[" * 200_000)
    (found,) = (i for i in refusal(tmp_path / "a.jsonl") if i.id == "json-syntax")
    assert "it is nested too deeply" in found.message


SENTENCES = [["Ada", "slept"], ["She", "snored", "loudly"]]


@pytest.mark.parametrize(
    ("span", "good"),
    [
        ([0, 0, 2], True),
        ([1, 0, 3], True),
        ([1, 2, 3], True),
        ([0, 0, 3], False),  # one beyond its sentence, though not beyond the document
        ([0, 2, 3], False),
        ([1, 0, 4], False),
        ([1, -1, 1], False),
        ([2, 0, 1], False),  # there is no such sentence
        ([-1, 0, 1], False),
        ([-2, 0, 1], False),
    ],
)
def test_spans_within_sentences(span: list[int], good: bool, tmp_path: Path) -> None:
    """PreCo: sentence, start and end, which is not included."""
    row = {"id": "a", "sentences": SENTENCES, "mention_clusters": [[span, [0, 1, 2]]]}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    corpus = read_all(tmp_path / "a.jsonl", make_reading(format="preco"))
    assert [i.id for i in corpus.incidents] == ([] if good else ["span-outside"])
    if good:
        sentence, start, end = span
        first = (0, 2)[sentence]
        assert corpus.clusters() == {"a": [[(first + start, first + end - 1), (1, 1)]]}


@pytest.mark.parametrize(
    ("span", "wanted"),
    [([0, 0], (0, 0)), ([1, 3], (0, 2)), ([3, 4], (2, 3)), ([4, 5], None), ([-1, 0], None)],
)
def test_spans_of_pieces(span: list[int], wanted: tuple[int, int] | None, tmp_path: Path) -> None:
    """Five pieces of four words: the first word has two."""
    pieces = {"sentences": [["A", "##da", "saw", "her", "."]], "subtoken_map": [0, 0, 1, 2, 3]}
    row = {"doc_key": "a", "clusters": [[span, [3, 3]]], **pieces}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    corpus = read_all(tmp_path / "a.jsonl", make_reading(format="subtoken"))
    assert [i.id for i in corpus.incidents] == ([] if wanted else ["span-outside"])
    if wanted:
        assert corpus.clusters() == {"a": [[wanted, (2, 2)]]}


NINE = {"sentences": [["w"] * 9]}
GOLD, OTHER = [[[0, 1], [4, 4]], [[6, 6], [7, 7]]], [[[0, 1], [4, 4]]]


def rows(path: Path, *listed: dict[str, Any]) -> Path:
    lines = [json.dumps({"doc_key": f"d{n}", **NINE, **row}) for n, row in enumerate(listed)]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("name", ["pred_clusters", "predictions", "preds", "system_clusters"])
def test_the_gold_that_a_response_carries_along_is_not_scored(name: str, tmp_path: Path) -> None:
    key = rows(tmp_path / "key.jsonl", {"clusters": GOLD})
    path = rows(tmp_path / "a.jsonl", {"clusters": GOLD, name: OTHER})
    (told,) = refusal(path, role="response")
    assert (told.id, told.found) == ("clusters-missing", f"the fields clusters, {name}")
    assert f"--read response:clusters={name}" in (told.hint or "")
    assert corefkit.read(path).clusters() == corefkit.read(key).clusters()
    carried = rows(tmp_path / "b.jsonl", {"gold_clusters": GOLD, name: OTHER})
    with pytest.raises(DataError, match=f"--read response:clusters={name}"):
        corefkit.read(carried, role="response")


@pytest.mark.parametrize("lacking", [{}, {"predicted_clusters": None}])
def test_the_field_is_chosen_once_per_file(lacking: dict[str, Any], tmp_path: Path) -> None:
    """A document on which the system failed is not scored on its gold."""
    sound = {"clusters": GOLD, "predicted_clusters": OTHER}
    path = rows(tmp_path / "a.jsonl", sound, {"clusters": GOLD, **lacking})
    (told,) = refusal(path, role="response")
    assert (told.id, told.line, told.document) == ("clusters-missing", 2, "d1")
    assert corefkit.read(path).clusters()["d1"] == corefkit.read(path).clusters()["d0"]


def test_a_file_without_a_mention_is_told(tmp_path: Path) -> None:
    (told,) = corefkit.check(rows(tmp_path / "a.jsonl", {"clusters": []}, {"clusters": []}))
    assert (told.id, told.severity) == ("no-mention", "warning")
    assert corefkit.check(rows(tmp_path / "a.jsonl", {"clusters": []}, {"clusters": OTHER})) == []


@pytest.mark.parametrize("value", [{"clusters": OTHER}, {"a": OTHER[0]}, {"x": {"y": OTHER}}])
def test_clusters_inside_an_object_beside_the_gold(value: dict[str, Any], tmp_path: Path) -> None:
    """{"clusters": gold, "prediction": {"clusters": …}} scored the gold."""
    (told,) = refusal(rows(tmp_path / "a.jsonl", {"clusters": GOLD, "out": value}), role="response")
    assert (told.id, told.found) == ("clusters-missing", "the fields clusters, out")
    assert "predicted_clusters" in (told.hint or "")


def test_a_hint_never_names_the_gold(tmp_path: Path) -> None:
    both = {"clusters": GOLD, "gold_clusters": GOLD, "pred": OTHER}
    for row, named in ((both, "pred"), ({"clusters": OTHER, "gold_clusters": GOLD}, "clusters")):
        (told,) = refusal(rows(tmp_path / "a.jsonl", row), role="response")
        assert f"--read response:clusters={named};" in (told.hint or "")


def test_predictions_that_are_null_everywhere(tmp_path: Path) -> None:
    path = rows(tmp_path / "a.jsonl", *[{"clusters": GOLD, "predicted_clusters": None}] * 2)
    assert [told.document for told in refusal(path, role="response")] == ["d0", "d1"]


@pytest.mark.parametrize("command", ["check", "stats", "agree", "convert", "score"])
def test_several_fields_of_clusters_outside_of_responses(command: str, tmp_path: Path) -> None:
    """Where no side is the response, the gold is read, but not in silence."""
    path, plain = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    row = {"doc_key": "a", "sentences": [WORDS], "clusters": [[[0, 0], [2, 2]]]}
    path.write_text(json.dumps(row | {"preds": [[[0, 0], [1, 1]]]}))
    plain.write_text(json.dumps(row))
    more = {"agree": [plain], "score": [plain], "convert": [tmp_path / "out.conll"]}
    told = run(command, path, *more.get(command, []))
    assert "there are more in 'preds' [clusters-several]" in told.err + told.out
    told = run(command, plain, *more.get(command, []), *["--force"] * (command == "convert"))
    assert "clusters-several" not in told.err + told.out


def test_clusters_without_words(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"clusters": [[[0, 1], [4, 4]]]}\n' * 3)
    (told,) = corefkit.check(tmp_path / "a.jsonl")
    assert told.message == "the documents have clusters, and neither words nor a text"
    assert "--read clusters=clusters" in (told.hint or "")
    assert len(corefkit.read(tmp_path / "a.jsonl", clusters="clusters").names) == 3
