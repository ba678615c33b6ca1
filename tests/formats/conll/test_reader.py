"""Reading CoNLL: every variant of SPEC section 2, and random files against the slow reader."""

import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Incident, Place, errors
from corefkit.core.options import PLAIN, Reading
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.writer import to_bytes
from corefkit.formats.registry import parse as parse_any
from tests.oracle import conll as oracle
from tests.strategies import choice, examples

Spans = list[tuple[int, int]]


def read(text: str | bytes) -> Corpus:
    corpus = parse(text.encode() if isinstance(text, str) else text, "test.conll")
    incidents = list(corpus.incidents)
    assert not errors(incidents), incidents
    return corpus


def entities(corpus: Corpus) -> dict[str, dict[str, Spans]]:
    """Document → label → spans in text order."""
    found: dict[str, dict[str, Spans]] = {name: {} for name in corpus.names}
    for row in corpus.text_order.tolist():
        entity = int(corpus.entity[row])
        spans = found[corpus.names[int(corpus.document[row])]].setdefault(corpus.labels[entity], [])
        spans.append((int(corpus.start[row]), int(corpus.end[row])))
    return found


def tokens(*cells: str) -> str:
    return "".join(f"d 0 {i} w {cell}\n" for i, cell in enumerate(cells))


def document(*cells: str) -> str:
    return f"#begin document (d); part 000\n{tokens(*cells)}#end document\n"


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("#begin document (nw/wsj/07/wsj_0771); part 000", "(nw/wsj/07/wsj_0771); part 000"),
        ("# begin document (a); part 1", "(a); part 1"),
        ("#begin document test_events", "test_events"),
        ("#begin document(name);", "(name);"),
        ("#begin document (a);   ", "(a);"),
        ("#begin document \t x  y \r", "x  y"),
        ("#begin document", ""),
    ],
)
def test_headers(header: str, name: str) -> None:
    corpus = read(f"{header}\n\nd 0 0 w (1)\n")
    assert corpus.names == (name,)
    assert corpus.mentions == 1


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (tokens("(1", "-", "1)"), [(0, 2)]),
        (tokens("(1)", "_", "*"), [(0, 0)]),
        ("x\t(1\r\n\r\nx\t1)\r\n", [(0, 1)]),
        ("x\t-\t\nx\t(1)\t\t \nx\t-\n", [(1, 1)]),
        ("a\tb c\t(1)\n", [(0, 0)]),
        ("a\tb\t (1)\n", [(0, 0)]),
        ("a  b   (1)   \n", [(0, 0)]),
        ("(1\n-\n1)\n", [(0, 2)]),
        ("# a comment\nx (1)\n#also one (2)\n", [(0, 0)]),
        ("#\t0\t(1)\n", [(0, 0)]),
        ("x (1)", [(0, 0)]),
        ("\n\n   \nx -\n\n\nx (1)\n", [(1, 1)]),
        ("x\t-\nx (1)\n", [(1, 1)]),
    ],
)
def test_lines(text: str, spans: Spans) -> None:
    assert entities(read(f"#begin document d\n{text}"))["d"] == {"1": spans}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(1|(2)", "1)"], {"1": [(0, 1)], "2": [(0, 0)]}),
        (["(2)(1", "1)"], {"1": [(0, 1)], "2": [(0, 0)]}),
        (["(1(2", "2)1)"], {"1": [(0, 1)], "2": [(0, 1)]}),
        (["(1", "(1", "1)", "1)"], {"1": [(0, 3), (1, 2)]}),
        (["(1|(1", "1)", "1)"], {"1": [(0, 2), (0, 1)]}),
        (["(1", "1)|(1", "1)"], {"1": [(0, 2), (1, 1)]}),
        (["(1", "(1|1)", "1)"], {"1": [(0, 2), (1, 1)]}),
        (["(PER1", "PER1)|(abstract-3)"], {"PER1": [(0, 1)], "abstract-3": [(1, 1)]}),
        (["(0)", "(00)"], {"0": [(0, 0)], "00": [(1, 1)]}),
        (["(12345678901234567890)"], {"12345678901234567890": [(0, 0)]}),
        (["(é)"], {"é": [(0, 0)]}),
        (["(8", "8", "8)"], {"8": [(0, 2)]}),
    ],
)
def test_cells(cells: Sequence[str], expected: dict[str, Spans]) -> None:
    assert entities(read(document(*cells))) == {"(d); part 000": expected}


def test_litbank_leaves_the_column_empty() -> None:
    corpus = read("#begin document d\nd\t0\tHe\t_\t(1)\nd\t1\t(\t_\t\nd\t2\tran\t_\t\n")
    assert corpus.tokens.tolist() == [3]
    assert entities(corpus)["d"] == {"1": [(0, 0)]}
    silent = "#begin document e\nd\t0\tdog\t_\t\nd\t1\t)\t_\t\n"
    assert read(f"#begin document d\nd\t0\tHe\t_\t(1)\n{silent}").tokens.tolist() == [1, 2]
    narrow = read("#begin document d\nHe\t(1)\n(\t\nran\t\n#end document\n")
    assert entities(narrow)["d"] == {"1": [(0, 0)]}


def test_carriage_returns_alone_end_lines() -> None:
    corpus = read("#begin document a\rx (1)\rx -\r#end document\r")
    assert (corpus.names, corpus.tokens.tolist()) == (("a",), [2])
    assert corpus.mention_place(0) == Place("test.conll", 2, 3, "a")


def test_byte_order_mark_and_missing_end() -> None:
    corpus = read(b"\xef\xbb\xbf#begin document a\nx (1)\n#begin document b\nx -\nx (1)")
    assert corpus.names == ("a", "b")
    assert corpus.tokens.tolist() == [1, 2]
    assert corpus.start.tolist() == [0, 1]


def test_order_of_entities_and_mentions_is_that_of_the_reference_scorer() -> None:
    corpus = read(document("(5|(7", "(9)|7)", "5)|(7)"))
    assert corpus.labels == ("5", "7", "9")
    rows = zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)
    assert list(rows) == [(1, 1), (0, 1), (2, 2), (0, 2)]


def incident(text: str | bytes, kind: str) -> Incident:
    """The one incident of this kind."""
    found = list(parse(text.encode() if isinstance(text, str) else text, "test.conll").incidents)
    assert [i.id for i in found] == [kind], found
    return found[0]


def test_never_closed() -> None:
    found = incident(document("-", "(12|(3)"), "bracket-unclosed")
    assert (found.severity, found.file, found.line, found.column) == ("error", "test.conll", 3, 9)
    assert found.document == "(d); part 000"
    assert found.found == "(12"
    assert found.expected == "12) on a later line of the document, or (12) here"


def test_closed_but_not_open() -> None:
    found = incident(document("-", "12)"), "bracket-unopened")
    assert (found.line, found.column, found.found) == (3, 9, "12)")


def test_brackets_that_cannot_pair() -> None:
    found = list(parse(document("(12", "13)").encode(), "f").incidents)
    assert [(i.id, i.line) for i in found] == [("bracket-unopened", 3), ("bracket-unclosed", 2)]


def test_brackets_do_not_pair_across_documents() -> None:
    text = "#begin document a\nx (1\n#begin document b\nx 1)\n"
    found = list(parse(text.encode(), "f").incidents)
    assert [i.document for i in found] == ["b", "a"]


@pytest.mark.parametrize("cell", ["dog", "1", "(", ")", "()", "(1)|", "|(1)", "(1)||(2)", "(1)-"])
def test_other_text_in_the_column(cell: str) -> None:
    found = incident(document("-", cell), "coreference-text")
    assert (found.line, found.column, found.found) == (3, 9, cell)


def test_column_counts_characters() -> None:
    assert incident("#begin document d\nŁódź\t(1\n", "bracket-unclosed").column == 6


def test_bare_id_in_an_open_mention_is_a_warning() -> None:
    found = incident(document("(8", "8", "8)"), "id-without-bracket")
    assert (found.severity, found.line) == ("warning", 3)


def test_document_twice() -> None:
    found = incident(document("(1)") * 2, "document-twice")
    assert (found.line, found.found) == (4, "the name of line 1 again")


def test_tokens_outside() -> None:
    found = incident("x -\n" + document("(1)") + "x -\ny -\n", "token-outside")
    assert found.line == 1
    assert found.message.startswith("3 token lines")


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"", "an empty file"),
        (b"\n \n", "an empty file"),
        (b'{"clusters": []}', "JSON"),
        (b"<doc/>", "XML or SGML"),
        (b"\x00\x01", "binary data"),
        (b"# sent_id = 1\n1\tHe\n", "CorefUD"),
        (b"It was a dark night", "text that starts with 'It was a dark night'"),
    ],
)
def test_not_a_conll_file(data: bytes, looks: str) -> None:
    assert incident(data, "no-document").found == looks


@pytest.mark.parametrize(
    ("data", "looks", "advice"),
    [
        (b"", "an empty file", "written completely"),
        (b"%PDF-1.7\n\xe2\xe3\xcf\xd3", "a PDF file", "the one you meant"),
        (b"<!DOCTYPE html><title>404</title>", "a web page", "Open it in a browser"),
        (b"BZh91AY&SY", "a bzip2 archive", "Unpack it"),
        (document("(1)").encode("utf-16"), "UTF-16 text", "Save it as UTF-8"),
        (document("(1)").encode("utf-16-be"), "UTF-16 text", "Save it as UTF-8"),
        (random.Random(0).randbytes(30_000), "binary data", "the one you meant"),
    ],
)
def test_what_is_no_annotation_is_not_called_conll(data: bytes, looks: str, advice: str) -> None:
    """Random bytes have every mark of running text among them."""
    (found,) = parse_any(data, "f", PLAIN).incidents
    assert (found.id, found.found) == ("no-document", looks)
    assert "CoNLL" not in f"{found.message} {found.expected}"
    assert advice in (found.hint or "")


def test_a_zip_archive_is_never_read_as_text(tmp_path: Path) -> None:
    """Its members may be stored as they are."""
    path = tmp_path / "k.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("key.conll", document("(1)"))
    corpus = parse_any(path.read_bytes(), "k.zip", PLAIN)
    assert (corpus.names, [incident.id for incident in corpus.incidents]) == ((), ["no-document"])
    assert corpus.incidents[0].found == "a zip archive with key.conll"


def test_text_that_looks_like_the_beginning_of_packed_data() -> None:
    (incident,) = parse_any(b"x y\n", "f", PLAIN).incidents
    assert incident.found == "text that starts with 'x y'"


def test_a_mark_among_few_odd_bytes_is_read() -> None:
    """A stray NUL does not make a text binary."""
    text = "[Ada](#1) said to Grace, who had written to her, that [she](#1) would come.\x00\n"
    assert parse_any(text.encode(), "f", PLAIN).mentions == 2


def test_bytes_that_are_not_utf8() -> None:
    found = incident(b"#begin document d\nx\xff (1)\n", "not-utf8")
    assert (found.severity, found.line) == ("warning", 2)


def test_thousands_of_defects_are_grouped() -> None:
    found = list(parse(document(*["(1"] * 5000).encode(), "f").incidents)
    assert len(found) == 101
    assert found[-1].message == "… and 4,900 more of this kind in the same file"


def test_sizes_that_must_not_hurt() -> None:
    nested = read(document("(1|" * 9999 + "(1", "1)|" * 9999 + "1)"))
    assert nested.mentions == 10_000
    assert read(document(f"({'9' * 100_000})")).labels == ("9" * 100_000,)
    assert read(f"#begin document d\n{'x' * 10**6}{' ' * 10**6}(1){' ' * 10**6}\n").mentions == 1
    assert read(b"#begin document d\n\x00\x00 (\x00)\n").labels == ("\x00",)


GOOD = ["-", "-", "-", "_", "*", "(1", "1)", "(1)", "(2", "2)", "(2)", "(1|(2", "1)|2)", "(2)(1"]
ODD = ["1)(1", "(1|1)", "(PER1)", "1", "(1)|", "dog", "(", "|", "(x)", "(123456789)"]
CELLS = st.sampled_from(GOOD + ODD)
SEPARATORS = st.sampled_from([" ", "  ", "\t", "\t "])
ENDS = st.sampled_from(["\n", "\n", "\r\n", " \n", "\t\n", "\n\n", "\t \n"])


@st.composite
def files(draw: st.DrawFn) -> str:
    """Files that are odd in all the ways seen in the wild, and broken now and then."""
    parts = [draw(choice("", "\ufeff", "# comment\n", "\n"))]
    for number in range(draw(st.integers(1, 3))):
        begin = draw(choice("#begin document ", "# begin document", "#begin  document\t"))
        parts.append(f"{begin}({'a' if draw(st.integers(0, 9)) == 0 else number})\n")
        for _ in range(draw(st.integers(0, 8))):
            separator = draw(SEPARATORS)
            word = draw(choice("w", "(", "-", "#", "a b"))
            cell = draw(CELLS)
            parts.append(f"d{separator}{word}{separator}{cell}{draw(ENDS)}")
        parts.append(draw(choice("#end document\n", "#end document\n", "", "#end\n")))
    return "".join(parts)


@examples(150)
@given(files())
def test_random_files_against_the_slow_reader(text: str) -> None:
    corpus = parse(text.encode(), "random")
    incidents = list(corpus.incidents)
    try:
        expected = oracle.read(text)
    except ValueError:
        assert errors(incidents)
        return
    assert not errors(incidents)
    assert corpus.names == tuple(d.name for d in expected)
    assert corpus.tokens.tolist() == [d.tokens for d in expected]
    assert entities(corpus) == {
        d.name: {e: s for e, s in d.entities.items() if s} for d in expected
    }
    assert np.array_equal(corpus.entity_document[corpus.entity], corpus.document)


@pytest.mark.parametrize("cell", ["|(1)", "(1)|", "(1)||(2)", "|", "(1)|(", "(|1)"])
def test_a_bar_joins_two_brackets(cell: str) -> None:
    found = incident(document(cell).encode(), "coreference-text")
    assert (found.line, found.found) == (2, cell)
    # Behind and before another cell, too: what stands there is none of its business.
    found = incident(document("(7)", cell, "(7)").encode(), "coreference-text")
    assert (found.line, found.found) == (3, cell)


def test_ids_that_begin_with_nul_or_are_not_utf8_are_ids_of_their_own() -> None:
    ids = [b"1", b"\x001", b"\x00\x001", b"\xff", b"\xfe", b"\xc3\xbf", b"\x00"]
    cells = [b"(" + name + b")" for name in ids]
    data = b"#begin document d\n" + b"".join(b"x " + c + b"\n" for c in cells * 2)
    corpus = parse(data, "test.conll")
    assert corpus.entity_size.tolist() == [2] * len(ids)
    assert len(set(corpus.labels)) == len(ids)
    again = parse(to_bytes(corpus), "test.conll")
    assert (again.labels, again.entity.tolist()) == (corpus.labels, corpus.entity.tolist())


def test_names_that_are_not_utf8_are_kept() -> None:
    names = [b"a\xe9", b"a\xe8", "a\u00e9".encode()]
    data = b"".join(b"#begin document " + n + b"\nx (1)\n#end document\n" for n in names)
    corpus = parse(data, "test.conll")
    assert not errors(corpus.incidents)
    assert [name.encode("utf-8", "surrogateescape") for name in corpus.names] == names


@given(st.permutations(["(1", "(2", "(3)", "(4)", "5)", "6)"]))
def test_the_order_within_a_cell_does_not_matter(cell: list[str]) -> None:
    found = read(document("(5", "(6", "|".join(cell), "1)", "2)"))
    expected = {"1": [(2, 3)], "2": [(2, 4)], "3": [(2, 2)], "4": [(2, 2)]}
    expected |= {"5": [(0, 2)], "6": [(1, 2)]}
    assert entities(found)["(d); part 000"] == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"#begin document d\nx (1)\rx (2)\n", 2),
        (b"#begin document d\rx (1)\nx (2)\n", 1),
        (b"#begin document d\n# note\rx (1)\nx (2)\n", 2),
        (b"#begin document d\nx\t-\t\rx\t(1)\nx\t(2)\n", 2),
    ],
)
def test_a_carriage_return_in_mid_line_is_an_error(text: bytes, line: int) -> None:
    (found,) = errors(parse(text, "test.conll").incidents)
    assert (found.id, found.line) == ("carriage-return", line)


@pytest.mark.parametrize(
    "text",
    [
        b"#begin document d\r\nx (1)\r\n",
        b"#begin document d\nx (1) \r \r\n\r\n",
        b"#begin document d\nd\t0\t0\t\r\tNN\t(1)\n",
    ],
    ids=["line ends", "blanks behind the text", "a word"],
)
def test_a_carriage_return_that_loses_nothing(text: bytes) -> None:
    assert not parse(text, "test.conll").incidents


def test_columns_vary_by_256() -> None:
    data = f"#begin document d\nd 0 0 w (1)\n{'x ' * 260}-\n".encode()
    found = incident(data, "columns-vary")
    assert found.message == "the line has 261 columns, the first line of its sentence 5"
    assert found.expected == "5 columns, as in line 2"
    assert parse(data, "x", Reading(all_columns=False)).incidents == ()


def test_tabs_of_a_blank_line_are_not_columns_of_the_line_before() -> None:
    token = "d\t0\t{}\tw\t{}\n"
    lines = token.format(0, ""), token.format(1, "(1)"), "\t\n", token.format(0, "(1)")
    data = f"#begin document d\n{''.join(lines)}#end document\n".encode()
    assert "columns-vary" not in {found.id for found in parse(data, "x").incidents}


def test_names_that_are_not_utf8_are_not_said_to_be_harmless() -> None:
    data = b"#begin document (a); part 000\nx\xe5 (1)\n#end document\n"
    data += b"#begin document (sm\xe5); part 000\nx (1)\n#end document\n"
    found = incident(data, "not-utf8")
    assert (found.line, found.found) == (4, "byte 0xe5")
    assert found.message == "the name of a document contains bytes that are not UTF-8"
    assert "is not paired" in (found.hint or "")
    harmless = incident(data.replace(b"sm\xe5", "små".encode()), "not-utf8")
    assert harmless.line == 2 and "scores do not depend" in harmless.message
