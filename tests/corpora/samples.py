"""Small CoNLL files for the tests of the corpus tools, and Figure 3 of the CoNLL-2012 paper."""

import re
from collections.abc import Iterable

from tests.support import SHARED

PAPER = SHARED / "papers" / "002_67f686b0af543c8e.txt"


def conll(*sentences: Iterable[str], name: str = "(nw/a/00/a_0001); part 000") -> bytes:
    """A document of sentences, each a list of lines `word tag bit … coreference`."""
    document = name.partition(")")[0].removeprefix("(")
    blocks = [
        "".join(
            f"{document}\t0\t{i}\t" + "\t".join(line.split()) + "\n" for i, line in enumerate(s)
        )
        for s in sentences
    ]
    return (f"#begin document {name}\n" + "\n".join(blocks) + "\n#end document\n").encode()


def figure_3() -> bytes:
    """The sample of Figure 3, put back into lines from the text of the paper."""
    text = PAPER.read_text(encoding="utf-8", errors="replace")
    name = "nw/wsj/07/wsj_0771"
    figure = text[text.index(f"#begin document ({name})") : text.index("#end documentFigure 3")]
    lines, sentence = [f"#begin document ({name}); part 000"], -1
    for row in re.split(rf"{name} 0 ", figure.replace("\n", " "))[1:]:
        # The text of the paper lost a blank in one cell and ran the quotation marks together.
        cells = re.sub(r"\*(\(\d+\)\|)", r"* \1", row).split()
        if cells[0] == "0":
            sentence += 1
            lines += [""] * (sentence > 0)
        lines.append(" ".join([name, "0", *cells]))
    return "\n".join([*lines, "", "#end document", ""]).encode()
