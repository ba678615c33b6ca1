"""All columns of the CoNLL-2012 format: as columns, as spans, as trees."""

import re
from pathlib import Path

import numpy as np
import pytest

import corefkit
from corefkit import DataError
from corefkit.core.tokens import Tokens
from corefkit.corpora.objects import documents, read_arguments
from corefkit.corpora.stats import statistics
from corefkit.corpora.trees import LabelledSpan
from corefkit.formats.conll.lines import token_lines
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.writer import rewrite_columns
from tests.corpora.samples import conll, figure_3
from tests.strategies import some_of
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run


def tokens_of(data: bytes) -> Tokens:
    return Tokens(parse(data, "a.conll"))


@needs_conformance
def test_figure_3() -> None:
    tokens = tokens_of(figure_3())
    (document,) = documents(tokens)
    assert (document.id, document.part) == ("nw/wsj/07/wsj_0771", "000")
    first, second = document.sentences
    assert (len(first), len(second)) == (31, 9)
    assert first.words[1:5] == ["Vandenberg", "and", "Rayburn", "are"]
    assert LabelledSpan(1, 1, "PERSON") in first.names
    assert LabelledSpan(18, 19, "PERSON") in first.names
    assert [s.label for s in first.names] == ["PERSON"] * 4 + ["NORP", "ORG", "PERSON"]
    assert [(p.lemma, p.frameset) for p in first.propositions] == [
        ("be", "01"),
        ("say", "01"),
        ("refer", "01"),
        ("cooperate", "01"),
    ]
    assert first.propositions[0].arguments == (
        LabelledSpan(1, 3, "ARG1"),
        LabelledSpan(4, 4, "V"),
        LabelledSpan(5, 7, "ARG2"),
    )
    assert [s for s in first.mentions if s.label == "8"] == [LabelledSpan(1, 3, "8")]
    assert second.mentions == [
        LabelledSpan(1, 1, "8"),
        LabelledSpan(3, 4, "6"),
        LabelledSpan(6, 6, "16"),
    ]
    assert second.tree.bits() == second.column("parse")
    assert re.sub(r"\(\S+ (?=\S+\))", "(", str(second.tree)).endswith(
        "(NP (They)) (VP (allowed) (S (NP (this) (country)) (VP (to) (VP (be) (ADJP (credible))))))"
        " (.)))"
    )
    token = first.tokens[4]
    assert token[:7] == ("are", "VBP", "(VP*", "be", "01", "1", "-")
    assert (token.ne, token.coreference) == ("*", "-")


@needs_conformance
@pytest.mark.more
def test_every_tree_of_ontonotes() -> None:
    whole = corefkit.read(CONFORMANCE / "ontonotes-dev" / "key.conll.gz").sources[0].data
    data = b"".join(some_of(re.findall(rb"(?s)#begin.*?#end document[^\n]*\n", whole), 3))
    tokens = Tokens(parse(data, "-"))
    bits, spans = tokens.column("parse").to_list(), tokens.constituents
    assert len(spans) == sum(bit.count("(") for bit in bits) == sum(b.count(")") for b in bits)
    # The outermost constituents are the sentences: every tree has as many leaves as tokens.
    top = spans.level == 0
    assert spans.first[top].tolist() == tokens.sentence_start[:-1].tolist()
    assert spans.last[top].tolist() == (tokens.sentence_start[1:] - 1).tolist()
    parent = spans.parent[~top]
    assert (spans.first[parent] <= spans.first[~top]).all()
    assert (spans.last[parent] >= spans.last[~top]).all()
    for document in list(documents(tokens))[::20]:
        for sentence in document:
            assert sentence.tree.bits() == sentence.column("parse")
            assert len(sentence.tree.leaves()) == len(sentence)
            assert sentence.tree.constituents() == sentence.constituents
    assert len(tokens.names) == sum("(" in cell for cell in tokens.column("ne").to_list())
    verbs = [span for column in read_arguments(tokens) for span in column.named("V").first.tolist()]
    assert len(verbs) == int((~tokens.column("frameset").is_any("-")).sum())


def test_objects_are_what_the_lines_say() -> None:
    data = (EXAMPLES / "key.conll").read_bytes()
    tokens = tokens_of(data)
    listed = [t for d in documents(tokens) for s in d for t in s.tokens]
    for line, token in zip(token_lines(data), listed, strict=True):
        assert [*line.fields[3:11], line.fields[-1]] == list(token)
    listed_documents = list(documents(tokens))
    assert [d.name for d in listed_documents] == list(tokens.corpus.names)
    assert sum(len(d) for d in listed_documents) == 57
    mentions = [m for d in listed_documents for s in d for m in s.mentions]
    assert len(mentions) == tokens.corpus.mentions
    spans = [s._replace(start=0) for d in listed_documents for s in d[0:2][1].names]
    assert spans
    columns = {len(line.fields) - 12 for line in token_lines(data)}
    assert max(len(s.propositions) for d in listed_documents for s in d) == max(columns)


def test_columns_of_few() -> None:
    tokens = Tokens(corefkit.read(EXAMPLES / "hasty.conll"))
    assert tokens.has("word")
    assert not tokens.has("pos")
    token = next(documents(tokens))[0].tokens[0]
    assert (token.word, token.pos, token.speaker) == ("The", None, None)
    with pytest.raises(DataError, match="no column 'parse'"):
        _ = tokens.constituents


@pytest.mark.parametrize(
    ("bits", "kind", "line"),
    [
        (["(S(NP*)", "*"], "brackets-unclosed", 2),
        (["(S*", "(NP*)", "(VP*)"], "brackets-unclosed", 2),
        (["(S*)", "*)"], "brackets-unopened", 3),
        (["(S*", "NP", "*)"], "brackets-malformed", 3),
        (["(S*", "*(NP", "*))"], "brackets-malformed", 3),
        (["(S*", "(NP", "*))"], "brackets-malformed", 3),
    ],
)
def test_broken_parse(bits: list[str], kind: str, line: int) -> None:
    data = conll([f"w NN {bit} - - - - * -" for bit in bits], ["w NN (S*) - - - - * -"])
    with pytest.raises(DataError) as caught:
        _ = tokens_of(data).constituents
    (incident,) = caught.value.incidents
    assert (incident.id, incident.file, incident.line) == (kind, "a.conll", line)
    spans, defects = tokens_of(data).spans("parse")
    assert defects
    assert spans.first.tolist() == [len(bits)], "the sound sentence is still there"


def test_names_that_never_close() -> None:
    data = conll(["w NN (S* - - - - (ORG* -", "w NN *) - - - - * -"])
    with pytest.raises(DataError, match="brackets-unclosed") as caught:
        _ = tokens_of(data).names
    assert caught.value.incidents[0].line == 2


def test_wrong_number_of_columns() -> None:
    data = conll(["w NN (S* x 01 - - * (V*) -", "w NN *) - - - - * -"])
    with pytest.raises(DataError, match="columns-differ") as caught:
        _ = read_arguments(tokens_of(data))
    assert (caught.value.incidents[0].line, caught.value.incidents[0].found) == (3, "12 columns")


def test_broken_arguments() -> None:
    data = conll(["w NN (S* x 01 - - * (V* -", "w NN *) - - - - * * -"])
    with pytest.raises(DataError, match="brackets-unclosed"):
        _ = read_arguments(tokens_of(data))


def test_comments_do_not_end_sentences() -> None:
    data = b"#begin document a\na 0 0 x -\n# aside\na 0 1 y -\n\na 0 0 z -\n"
    assert Tokens(parse(data, "a")).sentence.tolist() == [0, 0, 1]


def test_nothing() -> None:
    tokens = tokens_of(b"#begin document a\n#end document\n")
    assert len(tokens) == 0
    assert not np.any(tokens.sentence)
    assert [len(d) for d in documents(tokens)] == [0]


def test_documents_without_tokens(tmp_path: Path) -> None:
    data = b"#begin document (nw/a/00/a_0001); part 000\n\n#end document\n"
    path = tmp_path / "a.conll"
    path.write_bytes(data)
    tokens = tokens_of(data)
    assert (len(tokens.constituents), len(tokens.names), len(read_arguments(tokens))) == (0, 0, 0)
    assert statistics(tokens.corpus).counts["tokens"] == 0
    for arguments in ("stats", "corpus boundaries --kind gb", "corpus layers --layer parse"):
        assert run(*arguments.split(), path).status == 0
    for columns in ("keep", "full", "minimal"):
        assert rewrite_columns(data, columns=columns, separator="tab") == data
