"""A format: one mention per line, its document, entity, first and last token.

tale a 0 1
tale a 4 4
tale b 2 2
"""

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.options import Reading
from corefkit.formats.format import Format, WrittenFiles
from corefkit.formats.kit.building import whole_number
from corefkit.formats.kit.draft import Draft, corpus_of


def parse(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus of one file; what is wrong with a mention is said by the draft."""
    collector = Collector(path)
    drafts: dict[str, Draft] = {}
    for at, line in enumerate(data.decode().splitlines(), 1):
        document, entity, start, end = line.split()
        draft = drafts.setdefault(document, Draft(document, collector, at, inclusive=True))
        run = whole_number(start), whole_number(end)
        placed = (-1, -1) if None in run else run
        draft.mention(None, [placed], at, entity=entity)  # type: ignore[list-item]
    return corpus_of("lines", data, [*drafts.values()], collector)


def write(corpus: Corpus, path: str) -> WrittenFiles:
    """A line per mention; entities are numbered."""
    lines = [
        f"{document} {number} {start} {end}\n"
        for document, clusters in corpus.clusters().items()
        for number, cluster in enumerate(clusters)
        for start, end in cluster
    ]
    return WrittenFiles({path: "".join(lines).encode()}, [])


FORMAT = Format("lines", "lines of harbour", parse, write, suffixes=(".lines",))
