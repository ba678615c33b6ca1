"""Rows for engines, and the same mentions for memory."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from corefkit import Corpus
from tests.strategies import choice
from tests.support import CONFORMANCE, run

Rows = list[tuple[str, int, str]]
"""Document, mention, entity."""


@st.composite
def sides(draw: st.DrawFn, copies: bool = False) -> tuple[Rows, Rows]:
    """Key and response of some documents, some of one side only, some entities shared.

    A run on an engine takes as long for six documents as for one.
    """
    documents = draw(st.lists(choice(*"abcdef"), min_size=1, max_size=6, unique=True))
    found: tuple[Rows, Rows] = ([], [])
    for document in documents:
        size = draw(st.integers(0, 14))
        for rows in found:
            if draw(st.integers(0, 9)) == 0:
                continue
            for mention in range(size):
                entity = draw(st.integers(-2, 5))
                if entity >= 0:
                    rows.append((document, mention, f"e{entity}"))
            if copies and rows and draw(st.booleans()):
                _, mention, _ = draw(st.sampled_from(rows))
                rows.append((document, mention, f"e{draw(st.integers(0, 5))}"))
    return found


def table(rows: Sequence[tuple[str, int, str]]) -> pa.Table:
    return pa.table(
        {
            "document": pa.array([row[0] for row in rows], pa.string()),
            "mention": pa.array([row[1] for row in rows], pa.int64()),
            "entity": pa.array([row[2] for row in rows], pa.string()),
        }
    )


def corpus(rows: Rows) -> Corpus:
    documents: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for document, mention, entity in rows:
        documents.setdefault(document, {}).setdefault(entity, []).append((mention, mention))
    return Corpus.from_clusters({name: list(e.values()) for name, e in documents.items()})


_CROSS = "cross-document/"
CONFORMING = [
    (f"{_CROSS}key_gvc.conll.gz", f"{_CROSS}cdcr.gg.gvc.gvc.gvc.closure.0.response.conll.gz"),
    (f"{_CROSS}key_ecbp.conll.gz", f"{_CROSS}cdcr.gg.ecbp.ecbp.ecbp.predicted.0.response.conll.gz"),
    (
        f"{_CROSS}key_ecbp.conll.gz",
        f"{_CROSS}mentions.gg.ecbp.ecbp.ecbp.closure.0.response.conll.gz",
    ),
    ("ontonotes-dev/key.conll.gz", "ontonotes-dev/response-poor.conll.gz"),
]
"""Keys and responses of the conformance data: across documents, and many documents."""


def converted(names: tuple[str, str], folder: Path) -> tuple[Path, Path]:
    """Two conformance files as Parquet files."""
    files = folder / "key.parquet", folder / "response.parquet"
    for name, file in zip(names, files, strict=True):
        done = run("convert", CONFORMANCE / name, file, "--to", "parquet")
        assert done.status == 0, done.err
    return files


def numbers(scores: Mapping[str, Any]) -> dict[str, Any]:
    return {name: score.to_dict() for name, score in scores.items()}
