"""What two tables look like when their user made a mistake, as memory says it of files."""

from collections.abc import Iterator, Sequence

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import Incident
from corefkit.plugins.engines.base import SIDES, Engine, integers, single_row
from corefkit.plugins.engines.sides import EngineSide, document_column, moved_mention, same
from corefkit.scorers.mistakes import exchanged, misplaced


def likely_mistakes(
    engine: Engine, side: EngineSide, names: Sequence[str], files: tuple[str, str]
) -> Iterator[Incident]:
    """The incidents of a response, while its mentions and `corefkit_cells` are there."""
    sizes = [
        single_row(
            engine,
            "SELECT count(*) AS entities, count(CASE WHEN size = 1 THEN 1 END) AS singletons "
            f"FROM corefkit_{one}_entities",
        )
        for one in SIDES
    ]
    of_key, of_response = (int(size["singletons"]) for size in sizes)
    yield from exchanged(*files, (of_key, of_response), int(sizes[1]["entities"]))

    def by_document(sql: str) -> IntArray:
        document, number = integers(engine.rows(sql), "document", "n")
        return np.bincount(document, number, len(names)).astype(np.int64)

    def matching(start: int, end: int) -> IntArray:
        if start == end == 0:
            document = "document" if side.named else document_column(False)
            cells = f"(SELECT {document}, n FROM corefkit_cells) AS c"
            return by_document(f"SELECT document, {_sum('n')} FROM {cells} GROUP BY document")
        moved = moved_mention(side.mentions, start, end)
        if moved is None:
            return np.zeros(len(names), dtype=np.int64)
        mentions = f"{'document, ' * side.named}{moved} AS mention"
        found = (
            f"(SELECT {document_column(side.named, of='k.')} FROM corefkit_key k "
            f"JOIN (SELECT {mentions} FROM corefkit_response) AS r "
            f"ON {same(side.named, 'k', 'r', 'mention')}) AS f"
        )
        return by_document(f"SELECT document, count(*) AS n FROM {found} GROUP BY document")

    expected, found = (
        by_document(
            f"SELECT document, {_sum('size')} FROM corefkit_{one}_entities GROUP BY document"
        )
        for one in SIDES
    )
    yield from misplaced(expected, found, matching, names, files[1])


def _sum(column: str) -> str:
    return f"CAST(sum({column}) AS BIGINT) AS n"
