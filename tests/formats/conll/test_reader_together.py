"""Files parsed together are what each of them is alone."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.corpus import Corpus, concat
from corefkit.core.options import Reading
from corefkit.formats import registry
from corefkit.formats.conll import reader
from corefkit.formats.conll import reader as together
from corefkit.formats.kit import reading

A = b"#begin document a\nx (1\nx 1)\n\n#end document\n"
B = b"#begin document b\nx -\nx (1)|(2)\n#end document"
TABS = b"#begin document t\nx\t(1)\n"
CRLF = b"#begin document c\r\nx (1)\r\n"

LINES = [
    *(b"x (1)", b"x\t(1)", b"x (1", b"x 1)", b"x\t", b"x -", b"", b"#end document", b"# note"),
    *(b"x\t-\t", b"x y (2)", b"\xff (2)", b"x\r(1)", b"\xef\xbb\xbf"),
]
HEADERS = [b"#begin document %d\n", b"", b"\n#begin document %d\r\n"]
texts = st.lists(st.sampled_from(LINES), max_size=5).flatmap(
    lambda lines: st.sampled_from([b"\n", b"\r\n"]).map(lambda end: end.join(lines) + end)
)
headed = st.tuples(st.sampled_from(HEADERS), texts)


def same(one: Corpus, other: Corpus) -> None:
    for field in fields(Corpus):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        if field.name == "sources":
            ours, theirs = (
                [(s.path, s.data, s.first_document, s.documents) for s in side]
                for side in (ours, theirs)
            )
        if isinstance(ours, np.ndarray):
            assert ours.tolist() == theirs.tolist(), field.name
        else:
            assert ours == theirs, field.name


def test_offsets_and_lines_count_in_each_file() -> None:
    batch = [("a", A), ("b", B), ("t", TABS), ("c", CRLF)]
    joined = together.parse_together(batch)
    assert joined is not None
    same(joined, concat([reader.parse(data, path) for path, data in batch]))
    assert [s.path for s in joined.sources] == ["a", "b", "t", "c"]


@pytest.mark.parametrize(
    "other",
    [
        b"x (1)\n" + A,
        b"#begin document n\nx -\n",
        b"#begin document b\nx (1\n",
        b"#begin document e\nx\t(1)\ny\t\n",
        A,
    ],
    ids=["no document first", "no mention", "error", "empty last column", "twice"],
)
def test_what_needs_a_file_of_its_own(other: bytes) -> None:
    assert together.parse_together([("a", A), ("b", other)]) is None


@given(st.lists(headed, min_size=2, max_size=6), st.booleans())
def test_together_is_each_alone(parts: list[tuple[bytes, bytes]], all_columns: bool) -> None:
    batch = [
        (str(n), (head % n if b"%" in head else head) + text)
        for n, (head, text) in enumerate(parts)
    ]
    how = Reading(format="conll", all_columns=all_columns)
    found = reading._parse(batch, how)
    alone = [registry.parse(data, path, how) for path, data in batch]
    same(concat(found), concat(alone))
