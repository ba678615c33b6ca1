"""How time grows with the input, whatever its shape: four times as much takes about four times."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from bench.measure import Task
from corefkit.corpora.disagreements import disagreements, to_tsv
from corefkit.corpora.stats import statistics
from corefkit.formats import Reading
from corefkit.formats.kit.convert import Losses, convert
from corefkit.render.pages.report import render_error_page
from corefkit.scorers import make_options
from corefkit.scoring.check import check
from corefkit.scoring.errors import find_errors
from corefkit.scoring.run import score_systems
from corefkit.stats.agreement import compare_annotators
from corefkit.stats.error_pages import error_page

TIMES = 4

Texts = tuple[str, str]
Work = Callable[[str, str], object]


def document(lines: list[str], name: str = "x", columns: str = "d 0 0 w") -> str:
    """A document with these last columns."""
    text = "".join(f"{columns} {line}\n" for line in lines)
    return f"#begin document {name}\n{text}\n#end document\n"


def check_and_score(key: str, response: str) -> None:
    """`check --against` and `score`."""
    check(response, against=key)
    score_systems(key, [response], make_options(None))


def count(key: str, response: str) -> None:
    """`stats`."""
    statistics(key)


def list_disagreements(one: str, other: str) -> None:
    """`agree --disagreements`."""
    found = compare_annotators([one, other])
    to_tsv(disagreements([(found.annotators[0], found.annotators[1])]))


def report_errors(key: str, response: str) -> None:
    """`report`."""
    render_error_page(error_page(find_errors(key, [response], make_options("conll"))))


def convert_to(form: str) -> Work:
    """`convert --to`."""

    def work(key: str, response: str) -> object:
        return convert(key, "-", form, Reading(), Losses())

    return work


def match_by(rule: str, profile: str = "standard") -> Work:
    """`score --match`."""

    def work(key: str, response: str) -> object:
        return score_systems(key, [response], make_options("conll", profile, match=rule))

    return work


def _parsed(n: int, tree: str, shift: int) -> str:
    """Nested mentions over one sentence, whose ends are so many tokens farther inside."""
    half = n // 2
    bits = {
        "flat": ["(S*", *["*"] * (n - 2), "*)"],
        "nested": ["(NP*"] * half + ["*)"] * half,
        "right": ["(NP*"] * (n - 1) + ["*" + ")" * (n - 1)],
    }[tree]
    cells = _nested_cells(n, shift)
    lines = [f"d 0 {i} word NN {bit} - - - - * {cells[i]}" for i, bit in enumerate(bits)]
    return "#begin document (x); part 000\n" + "\n".join(lines) + "\n\n#end document\n"


def _parsed_pair(tree: str, n: int) -> Texts:
    return _parsed(n, tree, 0), _parsed(n, tree, 1)


def _nested_cells(n: int, shift: int) -> list[str]:
    """Mentions of two an entity, each inside the one before it."""
    half = n // 2
    opened = [f"({i // 2}" for i in range(half - shift)] + ["-"] * shift
    closed = ["-"] * shift + [f"{i // 2})" for i in reversed(range(half - shift))]
    return opened + closed[shift:] + ["-"] * shift


def _with_heads(n: int, shift: int) -> str:
    """The same in the columns of SemEval-2010; the head of each mention is its middle."""
    lines = []
    for i, cell in enumerate(_nested_cells(n, shift)):
        head = 0 if i == n // 2 - 1 else n // 2
        cells = [str(i + 1), f"w{i}", *["_"] * 6, str(head), *["_"] * 3, cell]
        lines.append("\t".join("_" if one == "-" else one for one in cells))
    return "#begin document x\n" + "\n".join(lines) + "\n\n#end document x\n"


def _exploded_lines(further: str) -> list[str]:
    columns = f"ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY{further}"
    return [f"# global.columns = {columns}", "# newdoc id = x"]


def _exploded(n: int, shift: int) -> str:
    """The same as CoNLL-UA, with bridging."""
    lines = _exploded_lines(" BRIDGING")
    for i, cell in enumerate(_nested_cells(n, shift)):
        bridge = "_"
        if cell.startswith("("):
            features = f"EntityID={i}|MarkableID=m{i}|Min={i + 1}"
            cell = f"({features}"  # noqa: PLW2901
            bridge = f"(MarkableID=m{i}|Rel=part|MentionAnchor=m{i // 2})"
        elif cell != "-":
            cell = ")"  # noqa: PLW2901
        lines.append("\t".join([str(i + 1), "w", *["_"] * 8, "_" if cell == "-" else cell, bridge]))
    return "\n".join(lines) + "\n"


def _split(n: int, shift: int) -> str:
    """Plurals of two elements each, CoNLL-UA; of each two of them one token, and one their own."""
    lines = _exploded_lines("")
    elements = 2 * (n // 3)
    for i in range(n):
        plural = f"p{(i + shift) % elements // 2}" if i < elements else f"p{i - elements}"
        entity = f"EntityID=e{i}|MarkableID=m{i}|ElementOf={plural}"
        if i >= elements:
            entity = f"EntityID={plural}|MarkableID=m{i}"
        lines.append("\t".join([str(i + 1), "w", *["_"] * 8, f"({entity})"]))
    return "\n".join(lines) + "\n"


def _nested(n: int) -> str:
    half = n // 2
    return document([f"({i}" for i in range(half)] + [f"{i})" for i in reversed(range(half))])


def _crossing(n: int) -> str:
    half = n // 2
    return document([f"({i}" for i in range(half)] + [f"{i})" for i in range(half)])


def _crossing_pairs(n: int, shift: int) -> str:
    """Mentions of two an entity, half of the text long, each shifted against the one before it."""
    half = n // 2
    opened = [f"({i // 2}" for i in range(half - shift)] + ["-"] * shift
    closed = [f"{i // 2})" for i in range(half - shift)]
    return document([*opened, *["-"] * shift, *closed], columns="d 0 0 w NN * - - - - *")


def _many_of_one_token(n: int) -> str:
    return document(["".join(f"({i})" for i in range(n))])


def _trees(n: int, last: str = "(1)", *, speakers: bool = False) -> str:
    """One sentence of so many noun phrases, each with a copula before it, all one entity."""
    lines = []
    for i in range(n):
        begin, end = "(S" * (i == 0), ")" * (i == n - 1)
        who = f"s{i}" if speakers else "s"
        lines.append(f"d 0 {2 * i} is VBZ {begin}* - - - {who} * -")
        lines.append(f"d 0 {2 * i + 1} it PRP (NP*){end} - - - {who} * {last}")
    text = "\n".join(lines)
    return f"#begin document x\n{text}\n\n#end document\n"


def _starting_together(n: int, odd: bool) -> str:
    ids = range(int(odd), n, 2)
    return document(
        ["".join(f"({i}" for i in ids)] + [f"{i})" if i in ids else "-" for i in range(n)]
    )


SHAPES: dict[str, tuple[Work, Callable[[int], Texts]]] = {
    "unclosed": (check_and_score, lambda n: (document(["(1"] * n), document(["-"] * n))),
    "bare ids": (
        check_and_score,
        lambda n: (document(["(1", "|".join(["1"] * n), "1)"]), document(["-"] * 3)),
    ),
    "one span, many entities": (
        check_and_score,
        lambda n: (_many_of_one_token(n), document(["(1)"])),
    ),
    "chains that share spans": (
        check_and_score,
        lambda n: (
            document([f"({i})|({i + 1})" for i in range(n)]),
            document(["(1)"] * n),
        ),
    ),
    "documents of other lengths": (
        check_and_score,
        lambda n: (
            "".join(document(["-"], str(i)) for i in range(n)),
            "".join(document(["-", "-"], str(i)) for i in range(n)),
        ),
    ),
    "documents with other words": (
        check_and_score,
        lambda n: (
            "".join(document(["-"], str(i)) for i in range(n)),
            "".join(document(["-"], str(i), "d 0 0 v") for i in range(n)),
        ),
    ),
    "no document in common": (
        check_and_score,
        lambda n: (
            "".join(document(["-"], f"a{i}") for i in range(n)),
            "".join(document(["-"], f"b{i}") for i in range(n)),
        ),
    ),
    "a comment of brackets": (
        check_and_score,
        lambda n: (document(["(1)"]) + f"# a b {'(' * 10 * n}\n", document(["(1)"])),
    ),
    **{
        f"score --match mina{as_whom}, a {tree} tree": (work, partial(_parsed_pair, tree))
        for tree in ("flat", "nested", "right")
        for as_whom, work in (("", match_by("mina")), (" as coval", match_by("mina", "coval")))
    },
    "score --match semeval, nested mentions": (
        match_by("semeval"),
        lambda n: (_with_heads(n, 0), _with_heads(n, 1)),
    ),
    "CoNLL-UA, nested mentions": (
        check_and_score,
        lambda n: (_exploded(n, 0), _exploded(n, 1)),
    ),
    "CoNLL-UA, split antecedents": (
        check_and_score,
        lambda n: (_split(n, 0), _split(n, 1)),
    ),
    "convert to CorefUD, crossing mentions": (
        convert_to("conllu"),
        lambda n: (_crossing(n), ""),
    ),
    "convert to CorefUD, mentions over sentences": (
        convert_to("conllu"),
        lambda n: (_crossing(n).replace("0)\n", "0)\n\n"), ""),
    ),
    "report, crossing mentions": (
        report_errors,
        lambda n: (_crossing_pairs(n, 0), _crossing_pairs(n, 1)),
    ),
    "report, one large entity": (
        report_errors,
        lambda n: (_trees(n), _trees(n).replace("(1)", "-", n // 2)),
    ),
    "convert to CoNLL-UA, nested mentions": (convert_to("conllua"), lambda n: (_nested(n), "")),
    "stats, nested mentions": (count, lambda n: (_nested(n), "")),
    "stats, crossing mentions": (count, lambda n: (_crossing(n), "")),
    "stats, mentions of one token": (count, lambda n: (_many_of_one_token(n), "")),
    "stats, one speaker a token": (count, lambda n: (_trees(n, speakers=True), "")),
    "agree, one large entity": (list_disagreements, lambda n: (_trees(n), _trees(n, "(2)"))),
    "agree, no mention in common": (list_disagreements, lambda n: (_trees(n), _trees(n, "-"))),
    "agree, many speakers": (
        list_disagreements,
        lambda n: (_trees(n, speakers=True), _trees(n, "-", speakers=True)),
    ),
    "agree, nested mentions": (list_disagreements, lambda n: (_nested(n), _crossing(n))),
    "agree, mentions that begin together": (
        list_disagreements,
        lambda n: (_starting_together(n, False), _starting_together(n, True)),
    ),
}
"""What is done to two files, and the files, from a size."""


def write(shape: str, size: int, folder: Path) -> Task:
    """The files of a shape, written; the task reads them."""
    work, make = SHAPES[shape]
    names = []
    for side, text in zip(("key", "response"), make(size), strict=True):
        file = folder / f"{shape}-{size}-{side}.conll"
        file.write_text(text, encoding="utf-8")
        names.append(str(file))
    return partial(work, *names)


def steps(task: Task) -> int:
    """How many lines of Python the task runs: what grows too fast shows without a clock."""
    number = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal number
        number += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        task()
    finally:
        sys.settrace(before)
    return number
