"""Words with marks behind them, as the CRAC tasks give texts to language models."""

from corefkit.core.corpus import BEFORE_SENTENCE, Corpus
from corefkit.core.incidents import data_error
from corefkit.core.texts import quote
from corefkit.formats._kit.content import contents
from corefkit.formats._kit.convert import empty_documents, reduce
from corefkit.formats._kit.text import EMPTY_NODE
from corefkit.formats.registry import Written


def write_text2text(corpus: Corpus, path: str) -> Written:
    """One line a document, names and sentences left out; empty nodes that are mentions are `##`."""
    plain, incidents = reduce(corpus, frozenset({"zeros"}))
    rows = plain.rows_of_documents(plain.text_order)
    lines = [
        _line(plain, content.words, own.tolist())
        for content, own in zip(contents(plain), rows, strict=True)
    ]
    said = [line for line in lines if line.strip()]
    incidents += empty_documents(len(lines) - len(said))
    return Written({path: "".join(said).encode("utf-8", "replace")}, incidents)


def _line(corpus: Corpus, words: list[str], rows: list[int]) -> str:
    """One document; mentions come longest first, so openings are nested."""
    forms = {(token, 0): _form(word) for token, word in enumerate(words)}
    opens: dict[tuple[int, int], list[str]] = {}
    closes: dict[tuple[int, int], list[str]] = {}
    number: dict[int, int] = {}
    for row in rows:
        name = f"e{number.setdefault(int(corpus.entity[row]), len(number) + 1)}"
        zero = 0 if corpus.zero is None else int(corpus.zero[row])
        first, last = (int(corpus.start[row]), zero), (int(corpus.end[row]), zero)
        if zero:
            forms[first] = EMPTY_NODE
        if first == last:
            opens.setdefault(first, []).append(f"[{name}]")
        else:
            opens.setdefault(first, []).append(f"[{name}")
            closes.setdefault(last, []).insert(0, f"{name}]")
    cells = []
    for node in sorted(forms, key=_order):
        marks = ",".join((*opens.get(node, ()), *closes.get(node, ())))
        cells.append(f"{forms[node]}|{marks}" if marks else forms[node])
    return " ".join(cells) + "\n"


def _order(node: tuple[int, int]) -> tuple[int, int, int]:
    """Empty nodes stand behind their token; all before the first token of the next sentence."""
    token, zero = node
    return token, int(zero > BEFORE_SENTENCE), zero


def _form(word: str) -> str:
    if "|" in word or word.startswith(EMPTY_NODE):
        expected = f"words without | that do not begin with {EMPTY_NODE}"
        raise data_error("annotation-shape", "word", found=quote(word), expected=expected)
    return "_".join(word.split()) or "_"
