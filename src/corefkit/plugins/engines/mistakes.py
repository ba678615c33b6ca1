"""What two tables look like when their user made a mistake, as memory says it of files."""

from collections.abc import Iterator, Sequence

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import Incident
from corefkit.plugins.engines.base import SIDES, Engine, integers, single_row
from corefkit.plugins.engines.sides import EngineSide, moved_mention, same
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
            cells = "FROM corefkit_cells GROUP BY document"
            return by_document(f"SELECT document, {_sum('n')} {cells}")
        moved = moved_mention(side.mentions, start, end)
        if moved is None:
            return np.zeros(len(names), dtype=np.int64)
        return by_document(
            "SELECT k.document AS document, count(*) AS n FROM corefkit_key k "
            f"JOIN (SELECT document, {moved} AS mention FROM corefkit_response) AS r "
            f"ON {same('k', 'r', 'mention')} GROUP BY k.document"
        )

    expected, found = (
        by_document(
            f"SELECT document, {_sum('size')} FROM corefkit_{one}_entities GROUP BY document"
        )
        for one in SIDES
    )
    yield from misplaced(expected, found, matching, names, files[1])


def _sum(column: str) -> str:
    return f"CAST(sum({column}) AS BIGINT) AS n"
