"""LitBank TSV: `.ann` with MENTION and COREF lines, beside a `.txt` with one sentence per line.

X.ann:
    MENTION	T1	0	0	0	1	the mayor	PER	NOM
    COREF	T1	mayor-3
X.txt:
    the mayor slept

The numbers are sentence and token of the first and of the last token.
"""

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import IN_WORDS, Companions, Format, Look
from corefkit.formats.kit.building import lines_of, reader, stem, text_beside, whole_number
from corefkit.formats.kit.draft import Draft, Run, corpus_of

_NUMBERS = slice(2, 6)


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one `.ann` file."""
    text = text_beside(path, ".ann", ".txt", collector)
    sentences = [line.split() for line in lines_of(text)]
    words = [word for sentence in sentences for word in sentence]
    lengths = [*map(len, sentences)]
    draft = Draft(stem(path, ".ann"), collector, words=words, lengths=lengths, inclusive=True)
    entities = []
    for line, content in enumerate(lines_of(data), 1):
        cells = content.split("\t")
        if cells[0] == "COREF" and len(cells) > 2:
            entities.append((cells[1], cells[2], line))
        elif cells[0] == "MENTION" and len(cells) > 6:
            run, shown = _run(cells, draft), " ".join(cells[_NUMBERS])
            draft.mention(cells[1], [run], line, text=cells[6], shown=shown)
            draft.call(cells[1], f"{cells[1]} alone", line)
            draft.unread["type"] += bool("".join(cells[7:8]).strip())
            draft.unread["category"] += bool("".join(cells[8:9]).strip())
    for id, entity, line in entities:
        draft.call(id, entity, line)
    return corpus_of("litbank-tsv", data, [draft], collector)


def _run(cells: list[str], draft: Draft) -> Run:
    """The first and last token of a mention in the document; −1 where there is none."""
    numbers = [n for cell in cells[_NUMBERS] if (n := whole_number(cell)) is not None]
    if len(numbers) < 4:
        return -1, -1
    return draft.token(*numbers[:2]), draft.token(*numbers[2:])


FORMAT = Format(
    name="litbank-tsv",
    title="LitBank TSV (.ann beside .txt)",
    parse=parse,
    holds=IN_WORDS | {"crossing"},
    looks=(Look(begins=rb"(MENTION|COREF|COP|APPOS)\tT"),),
    companions=(Companions(".ann", ("{}.txt",), ("*.conf",)),),
    suffixes=(".ann",),
)
