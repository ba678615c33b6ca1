"""Answers of language models in JSON: marks in a field, clusters of strings, fences."""

import json
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import DataError, Scores
from corefkit.formats.kit.detection import recognise, unfenced
from corefkit.formats.kit.model_json import broken_clusters
from tests.formats.kit.test_reading_answers import GOOD, KEY, WHOLE
from tests.support import run

ALL = {"recall": [6, 6], "precision": [6, 6]}
EMMA: list[list[str]] = [["Emma", "her"], ["boat", "it"]]
TOM: list[list[str]] = [["Tom", "his"]]
BREAKS_OFF = "the JSON breaks off"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.conll"
    path.write_text(KEY, encoding="utf-8")
    return path


def lines(tmp_path: Path, *rows: Any) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def mentions(scores: Scores) -> dict[str, list[int]]:
    counts: Any = scores["mentions"].counts
    return dict(counts)


def test_marks_in_a_field(key: Path, tmp_path: Path) -> None:
    rows = [
        {"doc_key": "a", "prompt": "Mark them.", "response": WHOLE},
        {"doc_key": "b", "prompt": "Mark them.", "response": GOOD},
    ]
    path = lines(tmp_path, *rows)
    assert mentions(corefkit.score(key, path)) == ALL
    assert mentions(corefkit.score(key, path, text_field="response")) == ALL
    assert run("score", key, path, "--read", "text-field=response").status == 0


@pytest.mark.parametrize(
    "answer", ['<coref id="1">Tom</coref> read', "<m> Tom | 1 </m> read", "[Tom](#1) read"]
)
def test_all_syntaxes(answer: str, key: Path, tmp_path: Path) -> None:
    path = lines(tmp_path, {"doc_key": "a", "out": WHOLE}, {"doc_key": "b", "out": answer})
    assert mentions(corefkit.score(key, path)) == {"recall": [5, 6], "precision": [5, 5]}


def test_a_misspelt_field_is_no_broken_answer(key: Path, tmp_path: Path) -> None:
    rows = [{"id": "a", "prompt": "?", "answer": WHOLE}, {"id": "b", "prompt": "?", "answer": GOOD}]
    with pytest.raises(DataError) as error:
        corefkit.score(key, lines(tmp_path, *rows), text_field="answr")
    (incident,) = error.value.incidents
    assert incident.message == "no row has the field 'answr'. Did you mean answer?"
    assert incident.found == "the fields id, prompt, answer"


def test_an_answer_that_is_null_or_no_text_is_shown(key: Path, tmp_path: Path) -> None:
    rows: list[Any] = [{"id": "a", "answer": WHOLE}, {"id": "b", "answer": None}]
    for name in (None, "answer"):
        broken, *_ = corefkit.score(key, lines(tmp_path, *rows), text_field=name).incidents
        assert (broken.document, broken.found) == ("b", "answer is null")
    rows = [{"id": "a", "out": {"text": WHOLE}}, {"id": "b", "out": {"text": 7}}]
    broken, *_ = corefkit.score(key, lines(tmp_path, *rows), text_field="out.text").incidents
    assert broken.found == "out.text is 7"


CUT = '{"clusters": [["Emma", "her"], ["boat", "it"], ["the sho'
CUT_LIST = '[["Emma", "her"], ["boat", "it"], ["the'


@pytest.mark.parametrize(
    "answer", [CUT, f"```json\n{CUT}", '[["Emma", "her"], ["boat", "it"], ["the']
)
def test_json_that_breaks_off_is_called_so(answer: str, key: Path, tmp_path: Path) -> None:
    """It was read as Markdown, or as no format where it was the first."""
    other = {"id": "b", "answer": json.dumps({"clusters": TOM})}
    path = lines(tmp_path, {"id": "a", "answer": answer}, other)
    scores = corefkit.score(key, path)
    broken = scores.incidents[0]
    assert (broken.id, broken.document, broken.found) == ("answer-broken", "a", BREAKS_OFF)
    assert mentions(scores) == {"recall": [2, 6], "precision": [2, 2]}
    kept = corefkit.score(key, path, lenient=True)
    assert [i.severity for i in kept.incidents if BREAKS_OFF in i.message] == ["warning"]
    assert mentions(kept) == ALL


@pytest.mark.parametrize("answer", [CUT, CUT_LIST])
def test_a_file_that_breaks_off_keeps_its_clusters(answer: str, key: Path, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "a.json").write_text(answer, encoding="utf-8")
    with pytest.raises(DataError, match=BREAKS_OFF):
        corefkit.score(key, folder / "a.json")
    (folder / "b.json").write_text(json.dumps({"clusters": TOM}), encoding="utf-8")
    scores = corefkit.score(key, folder)
    assert scores.incidents[0].found == BREAKS_OFF
    assert mentions(scores) == {"recall": [2, 6], "precision": [2, 2]}
    assert mentions(corefkit.score(key, folder, lenient=True)) == ALL


def test_what_is_not_json_in_a_field_is_called_so(key: Path, tmp_path: Path) -> None:
    rows = [{"id": "a", "answer": WHOLE}, {"id": "b", "answer": '{"clusters": [["Tom", his]]}'}]
    broken, *_ = corefkit.score(key, lines(tmp_path, *rows)).incidents
    assert (broken.document, broken.found) == ("b", "not valid JSON: Expecting value")


@pytest.mark.parametrize(
    "text", ['{"tokens": ["a"], "clusters": [[[0, 1', '{"x": 1}', "[Emma", "[["]
)
def test_what_is_no_answer_that_breaks_off(text: str) -> None:
    assert not broken_clusters(text)


def test_two_fields_with_marks_need_a_name(key: Path, tmp_path: Path) -> None:
    row = {"doc_key": "b", "few_shot": "[She](#1) ran.", "response": GOOD}
    path = lines(tmp_path, row)
    said = "several fields hold marked-up text: few_shot, response"
    with pytest.raises(DataError, match=said) as error:
        corefkit.score(key, path)
    assert [i.message for i in error.value.incidents if i.id == "answer-field"] == [said]
    scores = corefkit.score(key, path, text_field="response")
    assert mentions(scores) == {"recall": [2, 6], "precision": [2, 2]}


def test_an_answer_within_other_fields(key: Path, tmp_path: Path) -> None:
    row = {"doc_key": "b", "choices": [{"message": {"content": GOOD}}]}
    path, field = lines(tmp_path, row), "choices.0.message.content"
    assert mentions(corefkit.score(key, path, text_field=field))["recall"] == [2, 6]
    assert run("score", key, path, "--read", f"text-field={field}").status == 0
    for wrong in ("choices.1.message.content", "choices.x", "choices.0.message.content.x", "x.0"):
        assert run("score", key, path, "--read", f"text-field={wrong}").status == 1


_SERVERS: dict[str, Any] = {
    "chat completion": lambda said: {"choices": [{"message": {"role": "a", "content": said}}]},
    "batch": lambda said: {"response": {"body": {"choices": [{"message": {"content": said}}]}}},
    "blocks": lambda said: {"result": {"message": {"content": [{"type": "t", "text": said}]}}},
}


@pytest.mark.parametrize("server", _SERVERS)
@pytest.mark.parametrize("form", ["marks", "clusters", "fence"])
def test_replies_of_servers_need_no_option(
    server: str, form: str, key: Path, tmp_path: Path
) -> None:
    """The only field with an answer is found wherever it is; names are those that were given."""
    said = [WHOLE, GOOD] if form == "marks" else [json.dumps(EMMA), json.dumps({"clusters": TOM})]
    if form == "fence":
        said = [f"Sure!\n```json\n{one}\n```" for one in said]
    rows = [
        {"id": f"chatcmpl-A{n}9xQ2kLm", "custom_id": name, **_SERVERS[server](one)}
        for n, (name, one) in enumerate(zip("ba", reversed(said), strict=True))
    ]
    path = lines(tmp_path, *rows)
    assert recognise(path.read_bytes()) == "json-answers"
    assert mentions(corefkit.score(key, path)) == ALL
    for row in rows:  # without a name: by position
        del row["custom_id"]
    assert mentions(corefkit.score(key, lines(tmp_path, *reversed(rows)))) == ALL


def test_a_row_without_an_answer(key: Path, tmp_path: Path) -> None:
    rows = [{"doc_key": "a", "response": None}, {"doc_key": "b", "response": GOOD}]
    path = lines(tmp_path, *rows)
    scores = corefkit.score(key, path)
    assert mentions(scores) == {"recall": [2, 6], "precision": [2, 2]}
    assert [i.document for i in scores.incidents if i.id == "answer-broken"][:1] == ["a"]
    assert recognise(path.read_bytes()) == "json-answers"
    with pytest.raises(DataError, match="no field with marked-up text") as error:
        corefkit.score(key, lines(tmp_path, rows[0]), text_field="response")
    assert [i.id for i in error.value.incidents] == ["answer-field"]


def test_a_broken_row_does_not_stop_the_others(key: Path, tmp_path: Path) -> None:
    rows = [{"doc_key": "a", "r": "[Emma](#1) sold [her boat"}, {"doc_key": "b", "r": GOOD}]
    path = lines(tmp_path, *rows)
    assert mentions(corefkit.score(key, path)) == {"recall": [2, 6], "precision": [2, 2]}
    assert run("score", key, path).status == 1
    assert run("score", key, path, "--allow-broken").status == 0
    lenient = corefkit.score(key, path, lenient=True)
    assert mentions(lenient) == {"recall": [3, 6], "precision": [3, 3]}


def test_a_row_that_is_no_json_does_not_stop_the_others(key: Path, tmp_path: Path) -> None:
    good = json.dumps({"doc_key": "b", "r": GOOD})
    path = tmp_path / "log.jsonl"
    path.write_text(f'"rate limit"\n{good}\n', encoding="utf-8")
    assert mentions(corefkit.score(key, path, response_format="json-answers"))["recall"] == [2, 6]
    for bad in ('{"doc_key": "a", "r": "[Emma](#1) so', '"rate limit"', "[1, 2]"):
        path.write_text(f"{good}\n{bad}\n{good.replace('b', 'c', 1)}\n", encoding="utf-8")
        scores = corefkit.score(key, path)
        assert mentions(scores)["recall"] == [2, 6]
        assert [i.line for i in scores.incidents if i.id == "answer-broken"] == [2]
        shown = run("score", key, path)
        assert (shown.status, f"{path.name}:2" in shown.err) == (1, True)
        with pytest.raises(DataError):
            corefkit.read(path)


def test_where_all_rows_are_broken_nothing_is_scored(key: Path, tmp_path: Path) -> None:
    rows = [{"doc_key": "a", "r": "[Emma](#1) sold [her"}, {"doc_key": "b", "r": "[Tom](#1) [his"}]
    with pytest.raises(DataError, match="never closed") as error:
        corefkit.score(key, lines(tmp_path, *rows))
    assert [i.line for i in error.value.incidents] == [1, 2]


_PLACES: list[tuple[str, str, list[int]]] = [
    ("Emma 's boat sank ; Emma 's", "Emma\u2019s", [0, 20]),
    ("She ca n't swim", "can't", [4]),
    ("the \u201cold\u201d boat", '"OLD" boat', [4]),
    ("Mr. Okafor\tleft", "Mr Okafor", [0]),
    ("the old ferry sank", "the old ferry,", [0]),
    ("cannot , there , father", "her", []),
    ("\u738b\u5148\u751f\u8bf4\u4ed6\u6765", "\u4ed6", [4]),
    ("Stra\u00dfe und STRASSE", "strasse", [0, 11]),
]


@pytest.mark.parametrize(("text", "string", "starts"), _PLACES)
def test_strings_are_found_letter_by_letter(
    text: str, string: str, starts: list[int], tmp_path: Path
) -> None:
    """Tokens, quotes, case and signs may differ, but words are whole."""
    clusters = [[string] * max(len(starts), 1)]
    corpus = corefkit.read(lines(tmp_path, {"text": text, "clusters": clusters}))
    assert corpus.start.tolist() == (starts or [len(text) + 1])  # behind the end: nowhere
    ends = [text[a : b + 1] for a, b in zip(corpus.start, corpus.end, strict=True)]
    assert all(end == end.strip() for end in ends)


@pytest.mark.parametrize("own", [True, False])
def test_clusters_of_strings(own: bool, key: Path, tmp_path: Path) -> None:
    """In the text of the row, or in that of the key."""
    text = {"text": "Emma sold her boat and missed it."} if own else {}
    other = {"tokens": ["Tom", "read", "his", "book", "."]} if own else {}
    rows = [{"doc_key": "a", "clusters": EMMA, **text}, {"doc_key": "b", "clusters": TOM, **other}]
    scores = corefkit.score(key, lines(tmp_path, *rows))
    assert mentions(scores) == ALL
    assert scores["conll"].f1 == 1
    assert not [i for i in scores.incidents if i.id == "answer-ambiguous"]


def test_a_string_that_is_not_there_is_a_wrong_mention(key: Path, tmp_path: Path) -> None:
    rows = [{"doc_key": "b", "clusters": [[*TOM[0], "the dog"]]}]
    path = lines(tmp_path, *rows)
    assert mentions(corefkit.score(key, path)) == {"recall": [2, 6], "precision": [2, 3]}
    told = {i.id: i for i in corefkit.score(key, path).incidents if i.id != "document-missing"}
    assert set(told) == {"answer-absent", "names-rewritten"}, "the text is not said to be changed"
    assert told["answer-absent"].found == "'the dog'"
    assert told["answer-absent"].document == "(b); part 000"
    dropped = corefkit.score(key, path, unaligned="drop")
    assert mentions(dropped) == {"recall": [2, 6], "precision": [2, 2]}


def test_a_string_in_several_places_is_reported(tmp_path: Path) -> None:
    row = {"doc_key": "x", "text": "He saw him. He slept; he snored.", "clusters": [["him", "he"]]}
    corpus = corefkit.read(lines(tmp_path, row))
    assert corpus.start.tolist() == [7, 12]  # the first "he" after "him"
    (incident,) = corpus.incidents
    assert incident.id == "answer-ambiguous"
    assert incident.message.startswith("1 of 2 mentions")
    every = row | {"clusters": [["He", "he", "he"], ["him"]]}
    corpus = corefkit.read(lines(tmp_path, every))
    assert (corpus.start.tolist(), corpus.incidents) == ([0, 12, 22, 7], ())


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"clusters": [["Tom", "his"]]}\n```\n',
        'Here you are:\n\n```json\n[["Tom", "his"]]\n```\nAnything else?\n',
        '[["Tom", "his"]]',
        "```\n[Tom](#1) read [his](#1) book.\n```\n",
    ],
)
def test_fences(text: str, tmp_path: Path) -> None:
    (tmp_path / "b.conll").write_text(KEY[KEY.index("#begin document (b)") :], encoding="utf-8")
    (tmp_path / "b.md").write_text(text, encoding="utf-8")
    assert corefkit.score(tmp_path / "b.conll", tmp_path / "b.md")["muc"].f1 == 1
    inside = {"response": text}
    assert corefkit.score(tmp_path / "b.conll", lines(tmp_path, inside), text_field="response")[
        "muc"
    ].f1 == pytest.approx(1)


def test_what_is_not_a_fence() -> None:
    assert unfenced(b"a ``` b ``` c") == b"a ``` b ``` c"
    assert unfenced(b"```\n1\n2") == b"\n1\n2"
    assert recognise(b'{"text": "a b", "clusters": [[[0, 1]]]}') == "fastcoref"
    assert recognise(b'{"sentences": [["a"]], "clusters": []}') == "e2e"
    assert recognise(b'{"tokens": ["a"], "answer": "none"}') is None


def chat(text: str, **more: Any) -> dict[str, Any]:
    return {**more, "choices": [{"message": {"content": text}}]}


@pytest.mark.parametrize(
    "reply",
    [
        chat(GOOD, id="chatcmpl-1"),
        {"id": "msg_01", "role": "assistant", "content": [{"type": "text", "text": GOOD}]},
    ],
)
def test_the_id_of_a_reply_is_not_a_name(reply: dict[str, Any], key: Path, tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    for name, content in (("a", {**chat(WHOLE), "id": "x"}), ("b", reply)):
        path = tmp_path / "answers" / f"{name}.json"
        path.write_text(json.dumps(content), encoding="utf-8")
    assert mentions(corefkit.score(key, tmp_path / "answers")) == ALL


def test_an_id_without_a_reply_is_a_name(key: Path, tmp_path: Path) -> None:
    path = lines(tmp_path, {"id": "b", "out": GOOD}, {"id": "a", "out": WHOLE})
    assert mentions(corefkit.score(key, path)) == ALL


def test_a_broken_answer_is_one_incident(key: Path, tmp_path: Path) -> None:
    path = lines(tmp_path, {"doc_key": "a", "out": WHOLE}, {"doc_key": "b", "out": None})
    scores = corefkit.score(key, path)
    assert [i.document for i in scores.incidents if i.id == "answer-broken"] == ["b"]
    empty = lines(tmp_path, {"doc_key": "a", "out": WHOLE}, {"doc_key": "b", "out": ""})
    incidents = [i for i in corefkit.score(key, empty).incidents if i.id == "answer-broken"]
    assert [i.document for i in incidents] == ["(b); part 000"], (
        "what was read is compared with the key"
    )


def test_every_broken_answer_is_named(tmp_path: Path) -> None:
    text = "#begin document ({0}); part 000\n{0} 0 0 Emma (1)\n{0} 0 1 ran -\n#end document\n"
    (tmp_path / "key.conll").write_text("".join(map(text.format, "abc")), encoding="utf-8")
    answers = {"a": "[Emma](#1) ran", "b": "[Emma](#1 ran", "c": "[Emma ran"}
    path = lines(tmp_path, *({"doc_key": n, "out": said} for n, said in answers.items()))
    shown = run("score", tmp_path / "key.conll", path, "-m", "mentions").err
    assert "document: b" in shown
    assert "… and 1 more of this kind: c\n" in shown


def test_a_longer_string_of_the_same_start_stands_further_on(tmp_path: Path) -> None:
    row = {"text": "Emma Smith met Emma Smith.", "clusters": [["Emma", "Emma Smith"]]}
    assert corefkit.read(lines(tmp_path, row)).start.tolist() == [0, 15]


@pytest.mark.parametrize(("clusters", "ambiguous"), [([["he"], ["he"]], 1), ([["he", "he"]], 0)])
def test_a_string_of_two_entities_is_ambiguous(
    clusters: list[list[str]], ambiguous: int, tmp_path: Path
) -> None:
    """It stands in two places, as often as it is listed; which is whose, nobody says."""
    corpus = corefkit.read(lines(tmp_path, {"text": "He saw, he said.", "clusters": clusters}))
    assert [i.id for i in corpus.incidents] == ["answer-ambiguous"] * ambiguous


CHAT = "Sure: {}\n\nIs there [anything] else?"


@pytest.mark.parametrize("clusters", [EMMA, {"clusters": EMMA}])
@pytest.mark.parametrize("others", ["bare", "chat"])
def test_json_within_chat(clusters: Any, others: str, key: Path, tmp_path: Path) -> None:
    """The fields of such rows were not found; beside bare JSON they were read as Markdown."""
    said = json.dumps({"clusters": TOM})
    prompt = f"Answer as {json.dumps([['Ann', 'she']])}."
    rows = [
        {"id": "a", "prompt": prompt, "response": CHAT.format(json.dumps(clusters))},
        {"id": "b", "prompt": prompt, "response": said if others == "bare" else f"Sure: {said}"},
    ]
    scores = corefkit.score(key, lines(tmp_path, *rows))
    assert mentions(scores) == ALL
    assert not {"answer-broken", "answer-absent"} & {i.id for i in scores.incidents}


@pytest.mark.parametrize("clusters", [TOM, {"clusters": TOM}])
def test_a_file_of_json_within_chat(clusters: Any, tmp_path: Path) -> None:
    (tmp_path / "b.conll").write_text(KEY[KEY.index("#begin document (b)") :], encoding="utf-8")
    (tmp_path / "b.md").write_text(f"Sure: {json.dumps(clusters)}\nBye!", encoding="utf-8")
    assert corefkit.score(tmp_path / "b.conll", tmp_path / "b.md")["muc"].f1 == 1
    (tmp_path / "b.md").write_text('Sure: {"clusters": [["Tom", his]]}', encoding="utf-8")
    with pytest.raises(DataError, match="the JSON begins after other text: not valid") as error:
        corefkit.read(tmp_path / "b.md")
    assert (error.value.incidents[0].line, error.value.incidents[0].column) == (1, 29)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('Sure: {"clusters": [["Tom", his]]}', "the JSON begins after other text: not valid"),
        ('Sure: {"clusters": [["Tom", "his"], ["a', BREAKS_OFF),
        ('Sure: {"list": [["Tom", "his"]]}', "the JSON of this answer has no clusters of strings"),
        ('{"clusters": [["Tom"]]} {"clusters": [["his"]]}', "no clusters of strings"),
    ],
)
def test_json_within_chat_that_cannot_be_read(
    answer: str, told: str, key: Path, tmp_path: Path
) -> None:
    rows = [{"id": "a", "response": json.dumps(EMMA)}, {"id": "b", "response": answer}]
    scores = corefkit.score(key, lines(tmp_path, *rows))
    broken = scores.incidents[0]
    assert (broken.id, broken.document) == ("answer-broken", "b")
    assert told in str(broken.found)


def test_an_answer_without_clusters_is_not_broken(key: Path, tmp_path: Path) -> None:
    rows = [{"id": "a", "out": json.dumps(EMMA)}, {"id": "b", "out": '{"clusters": []}'}]
    scores = corefkit.score(key, lines(tmp_path, *rows))
    assert "answer-broken" not in {i.id for i in scores.incidents}
    assert mentions(scores) == {"recall": [4, 6], "precision": [4, 4]}


def test_an_example_in_a_prompt_is_no_answer(key: Path, tmp_path: Path) -> None:
    row = {"id": "b", "prompt": "Answer as " + json.dumps({"clusters": TOM}), "out": "I cannot."}
    with pytest.raises(DataError, match="no field with marked-up text") as error:
        corefkit.score(key, lines(tmp_path, row))
    assert str(error.value.incidents[0].found).endswith("; JSON begins after other text in prompt")
