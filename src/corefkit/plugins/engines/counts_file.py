"""Counts written to a Parquet file, one row per document and system; `scoring` reads it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corefkit.core.options import UsageError
from corefkit.plugins.engines.base import SpillFolder
from corefkit.plugins.engines.counting import EngineCounts
from corefkit.scoring.counts_file import SIGNATURE, import_pyarrow
from corefkit.scoring.scores import Scores


def check_place(path: str) -> None:
    """Raise UsageError where no file of counts can be written, before anything is counted."""
    import_pyarrow()
    target = Path(path).resolve()
    if target.is_dir() or not os.access(target.parent, os.W_OK):
        raise UsageError(f"counts: {path} cannot be written")


def write_counts(path: str, systems: Mapping[str, Scores]) -> None:
    """Write the counts of systems that were scored with the same options.

    Counts on an engine are fetched some documents at a time. The file is written to a spill folder
    beside its place and moved when it is complete, so that no incomplete file is ever there.
    """
    if not systems:
        return
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():  # a pipe or a device
            _write(path, systems)
            return
        folder = SpillFolder(str(target.parent))
        try:
            _write(str(folder.path / "counts.parquet"), systems)
            (folder.path / "counts.parquet").replace(target)
        finally:
            folder.remove()
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None


def _write(path: str, systems: Mapping[str, Scores]) -> None:
    arrow, parquet = import_pyarrow()
    writer = None
    try:
        for name, scores in systems.items():
            counts = scores.counts
            for part in counts.tables.parts() if isinstance(counts, EngineCounts) else [counts]:
                columns: dict[str, Any] = {"system": [name] * len(part)}
                columns["document"] = list(part.documents)
                for metric, arrays in part.tables.items():
                    columns |= {f"{metric}.{number}": array for number, array in enumerate(arrays)}
                rows = arrow.table(columns, metadata={SIGNATURE: scores.signature.encode()})
                writer = writer or parquet.ParquetWriter(path, rows.schema)
                writer.write_table(rows)
    finally:
        if writer is not None:
            writer.close()
