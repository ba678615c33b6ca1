"""How many words differ: the count of whole files, against a plain loop over their lines."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from corefkit.formats import read
from corefkit.scorers.checks import compare_words, count_differing_words
from tests.support import run

Documents = dict[str, list[str]]
"""The words of each document."""
MASKED = ("[WORD]", "___", "")
LONG = "a-word-of-more-than-sixty-four-bytes-which-no-window-holds-" + "x" * 90
SPECIAL = ("é", "中文", "eightbyt", "eightbytes", "[WORD]", "___", "#", "(x)", LONG)


def count_plainly(key: Documents, response: Documents) -> int:
    """The definition: documents of both sides, with as many tokens; masks are equal to all."""
    return sum(
        one != other and one not in MASKED and other not in MASKED
        for name, words in response.items()
        if len(words) == len(key.get(name, ()))
        for one, other in zip(key[name], words, strict=True)
    )


def make_documents(rng: random.Random, number: int) -> Documents:
    words = ["the", "cat", "Mary", "sat", ",", "on", "understanding", *SPECIAL]
    return {
        f"nw/d{n:03}": [rng.choice(words) for _ in range(rng.randint(1, 60))] for n in range(number)
    }


def edit(rng: random.Random, key: Documents) -> Documents:
    """Words changed anywhere; documents missing, in another order, of another length."""
    documents = {name: [*words] for name, words in key.items()}
    for _ in range(rng.choice((0, 1, 1, 5, 40))):
        words = rng.choice([*documents.values()])
        at = rng.randrange(len(words))
        changes = (f"{words[at]}x", f"{words[at][:-1]}z", rng.choice(SPECIAL), words[at])
        words[at] = rng.choice(changes)
    if rng.random() < 0.3:
        documents.pop(rng.choice([*documents]))
    if documents and rng.random() < 0.3:
        documents[rng.choice([*documents])].append("more")
    if rng.random() < 0.3:
        names = [*documents]
        rng.shuffle(names)
        documents = {name: documents[name] for name in names}
    return documents


def conll(
    documents: Documents,
    join: Callable[[list[str]], str],
    columns: int = 12,
    newline: str = "\n",
) -> str:
    lines = []
    for name, words in documents.items():
        lines.append(f"#begin document ({name}); part 000")
        for at, word in enumerate(words):
            cells = [name, "0", str(at), word, *["-"] * (columns - 5)]
            lines.append(join([*cells, "(1)" if at % 3 == 0 else "-"]))
            if at % 7 == 6:
                lines.append("")
        lines += ["", "#end document"]
    return newline.join([*lines, ""])


def by_tabs(cells: list[str]) -> str:
    return "\t".join(cells)


def by_blanks(cells: list[str]) -> str:
    return " ".join(cells)


def aligned(cells: list[str]) -> str:
    return "   ".join(cell.rjust(12) for cell in cells)


def far_apart(cells: list[str]) -> str:
    """The word does not stand in the first 64 bytes of its line, nor in the first 128."""
    return (" " * 50).join(cells)


LAYOUTS = (by_tabs, by_blanks, aligned, far_apart)


def write(rng: random.Random, folder: Path, side: str, documents: Documents) -> Path:
    """A file, or a folder of files, in any layout; packed or not."""
    packed, newline = rng.random() < 0.3, rng.choice(("\n", "\n", "\r\n"))
    join, columns = rng.choice(LAYOUTS), rng.choice((5, 12, 12, 15))
    names = [*documents]
    several = rng.random() < 0.3 and len(names) > 1
    pieces = [names[: len(names) // 2], names[len(names) // 2 :]] if several else [names]
    (folder / side).mkdir()
    for number, piece in enumerate(pieces):
        text = conll({name: documents[name] for name in piece}, join, columns, newline).encode()
        text = text if rng.random() < 0.7 else text.rstrip()
        path = folder / side / f"{number}.conll"
        if packed:
            path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(text, 1))
        else:
            path.write_bytes(text)
    return folder / side


@pytest.mark.parametrize("seed", range(60))
def test_words_are_counted_as_a_plain_loop_counts_them(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    ours = make_documents(rng, rng.choice((1, 3, 120)))
    theirs = edit(rng, ours)
    if not theirs:
        return
    key, response = (
        read(write(rng, tmp_path, side, documents))
        for side, documents in (("key", ours), ("response", theirs))
    )
    wanted = count_plainly(ours, theirs)
    assert count_differing_words(key, response) == wanted
    assert count_differing_words(response, key) == wanted
    told = [incident.document for incident in compare_words(key, response)]
    changed = {name for name in theirs if count_plainly(ours, {name: theirs[name]})}
    assert told == [name for name in response.names if plain_name(name) in changed]


def plain_name(name: str) -> str:
    """The name of a document, without the decoration that its header has."""
    return name.partition("(")[2].partition(")")[0]


def conllu(documents: Documents) -> str:
    lines = ["# global.Entity = eid-etype-head-other"]
    for name, words in documents.items():
        for at in range(0, len(words), 7):
            lines += [f"# newdoc id = {name}"] if at == 0 else []
            lines.append(f"# sent_id = {name}-{at}")
            for number, word in enumerate(words[at : at + 7], 1):
                entity = "Entity=(e1-x-1-)" if number == 1 else "_"
                cells = [number, word, "_", "X", "_", "_", number - 1, "dep", "_", entity]
                lines.append("\t".join(map(str, cells)))
            lines.append("")
    return "\n".join([*lines, ""])


def conllua(documents: Documents) -> str:
    names = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"
    lines = [f"# global.columns = {names}"]
    for name, words in documents.items():
        lines.append(f"# newdoc id = {name}")
        for number, word in enumerate(words, 1):
            entity = f"(EntityID=1|MarkableID=markable_{number})" if number % 3 == 1 else "_"
            lines.append("\t".join([str(number), word, *["_"] * 8, entity]))
        lines.append("")
    return "\n".join([*lines, ""])


def json_lines(documents: Documents) -> str:
    records = (
        {"doc_key": name, "sentences": [words], "clusters": [[[0, 0]]]}
        for name, words in documents.items()
    )
    return "".join(json.dumps(record) + "\n" for record in records)


FORMATS = {"conllu": conllu, "conllua": conllua, "jsonlines": json_lines}


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("seed", range(8))
def test_words_of_other_formats(tmp_path: Path, ending: str, seed: int) -> None:
    rng = random.Random(seed)
    ours = make_documents(rng, 150)
    theirs = edit(rng, ours)
    sides = []
    for side, documents in (("key", ours), ("response", theirs)):
        path = tmp_path / f"{side}.{ending}"
        path.write_text(FORMATS[ending](documents), encoding="utf-8")
        sides.append(read(path))
    assert sum(map(len, ours.values())) == int(sides[0].tokens.sum())
    assert count_differing_words(*sides) == count_plainly(ours, theirs)


def test_each_file_has_its_words_where_its_columns_say(tmp_path: Path) -> None:
    """One file of three columns, in which words are the second, among others of twelve."""
    ours = {"a": ["one", "two", "three"] * 9, "b": ["four", "five"]}
    theirs = {"a": ["one", "2", "three", *ours["a"][3:]], "b": ["4", "5"]}
    for side, documents in (("key", ours), ("response", theirs)):
        (tmp_path / side).mkdir()
        narrow = conll({"a": documents["a"]}, lambda cells: " ".join([*cells[2:4], cells[-1]]))
        (tmp_path / side / "a.conll").write_text(narrow)
        (tmp_path / side / "b.conll").write_text(conll({"b": documents["b"]}, by_blanks))
    sides = (read(tmp_path / side) for side in ("key", "response"))
    assert count_differing_words(*sides) == 3


def test_a_file_without_words_has_none_that_differ(tmp_path: Path) -> None:
    documents = {"a": ["one", "two", "three"]}
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(conll(documents, by_blanks))
    response.write_text(conll(documents, lambda cells: " ".join([*cells[:3], cells[-1]])))
    assert count_differing_words(read(key), read(response)) == 0


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    """Broken bytes are one character, whatever they are: they were the same text before."""
    text = conll({"d": ["a", "QQ", "b"]}, by_blanks).encode()
    sides = []
    for name, word in (("key", b"\xff\xfe"), ("response", b"\xfe\xff")):
        path = tmp_path / f"{name}.conll"
        path.write_bytes(text.replace(b"QQ", word))
        sides.append(read(path))
    assert count_differing_words(*sides) == 0


def test_a_word_at_the_end_of_a_large_file(tmp_path: Path) -> None:
    """Nothing differs in the first hundreds of kilobytes; packed or not, the note is the same."""
    documents = {f"d{n}": ["the", "cat"] * 200 for n in range(60)}
    key, response = tmp_path / "key.conll", tmp_path / "mine.conll"
    key.write_text(conll(documents, aligned))
    documents["d59"] = [*documents["d59"][:-1], "dog"]
    response.write_text(conll(documents, by_tabs))
    packed = tmp_path / "mine.conll.gz"
    packed.write_bytes(gzip.compress(response.read_bytes()))
    assert response.stat().st_size > 1 << 18
    for path in (response, packed):
        shown = run("score", key, path)
        assert "words differ from the key's: 1 in mine; check --against" in shown.err
        assert run("score", key, path, "--strict").status == 1
