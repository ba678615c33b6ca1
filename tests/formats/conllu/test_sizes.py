"""What is too large is refused; what is only long takes linear time."""

import time
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.core.options import Reading
from corefkit.formats.conllu import parse

MOST = 1 << 20
TOP = "# newdoc id = a\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"


def file(word: str, entity: str) -> bytes:
    return f"{TOP}1\t{word}\t_\tNOUN\t_\t_\t0\troot\t_\tEntity={entity}\n\n".encode()


@pytest.mark.parametrize(
    ("word", "entity"), [("x" * (MOST + 1), "(e1)"), ("x", f"({'e' * (MOST + 1)})")]
)
def test_a_word_or_an_id_above_one_mebibyte_is_refused(word: str, entity: str) -> None:
    with pytest.raises(DataError, match=r"a.conllu:4.*1,048,577 bytes, more than 1 MiB"):
        parse(file(word, entity), "a.conllu", Reading()).checked()


@pytest.mark.parametrize("letter", ["e", "é"])
def test_a_cell_of_many_brackets(letter: str) -> None:
    cell = "".join(f"({letter}{n}-person-1-)" for n in range(60_000))
    begun = time.process_time()
    corpus = parse(file("x", cell), "a.conllu", Reading())
    assert corpus.mentions == 60_000
    assert time.process_time() - begun < 20
    assert corpus.byte[-1] == file("x", cell).rindex(b"(")


def test_a_large_id_of_conllua_is_refused(tmp_path: Path) -> None:
    text = f"# global.columns = ID FORM IDENTITY\n# newdoc id = a\n1\tx\t(EntityID={'7' * MOST})\n"
    (tmp_path / "a.conllua").write_text(text)
    with pytest.raises(DataError, match="more than 1 MiB"):
        corefkit.read(tmp_path / "a.conllua")
