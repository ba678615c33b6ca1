"""CSV and TSV with one row per mention: the columns of the Parquet table, as text.

X.csv:
    document,start,end,entity
    tale,0,1,e1
    tale,7,7,e1

The first line names the columns, see `core.table_columns`; others are ignored. A column mention
beside start and end is the text of the mention, and is ignored, too, unless --read columns names
it. A mention that is a whole number is the token with that number, as in Parquet.
"""

from dataclasses import replace

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError
from corefkit.core.options import Reading
from corefkit.core.source import Source
from corefkit.core.table_columns import MENTIONS, find_mention_columns, renamed_columns
from corefkit.formats.format import Format, Look
from corefkit.formats.kit.building import reader
from corefkit.formats.kit.mention_cells import CellColumn, corpus_of_cells
from corefkit.formats.kit.tables import table_rows
from corefkit.formats.options import COLUMNS, MISSING

NAME = "mention-table"


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The corpus in a table; its incidents are the problems of the table."""
    rows = [*table_rows(data, collector)]
    names = [cell.strip(' "') for row in rows[:1] for cell in row.cells]
    renamed = renamed_columns(reading.listed("columns"))
    columns = find_mention_columns(names, renamed, path, mention_is_text=True)
    cells = {}
    for name, column in columns.present.items():
        at = names.index(column)
        texts = CellColumn.of(
            [row.cells[at].strip() if at < len(row.cells) else "" for row in rows[1:]]
        )
        in_text = name in columns.place
        cells[name] = CellColumn(texts.code, [*map(_value, texts.values)]) if in_text else texts
    lines = [row.line for row in rows[1:]]
    corpus = corpus_of_cells(cells, collector, reading.listed("missing"), lines)
    if corpus is None:
        raise DataError(collector)
    return replace(
        corpus,
        sources=(Source(path, data, 0, len(corpus.names), NAME, has_ids=True),),
        document_byte=np.zeros(len(corpus.names), dtype=np.int64),
        incidents=tuple(collector),
    )


def _value(text: str) -> int | str:
    """A whole number if the text is one, without leading zeros; otherwise the text.

    >>> _value("17"), _value("017"), _value("3-5")
    (17, '017', '3-5')
    """
    plain = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")
    return int(text) if plain and len(text) < 19 else text


FORMAT = Format(
    name=NAME,
    title="CSV or TSV, one row per mention",
    parse=parse,
    holds=frozenset({"singletons", "crossing", "names", "zeros", "parts"}),
    looks=(Look(table=MENTIONS),),
    suffixes=(".csv",),
    options=(COLUMNS, MISSING),
    continues=True,
)
