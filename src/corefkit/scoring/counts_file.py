"""Counts as a Parquet file, one row per document and system.

Counts add, so groups, intervals and significance tests can be computed from them, without the
mentions.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from corefkit.core.counts import Counts
from corefkit.core.incidents import data_error
from corefkit.core.options import UsageError
from corefkit.metrics import counted
from corefkit.plugins.engines.base import SpillFolder
from corefkit.plugins.engines.counting import EngineCounts
from corefkit.scorers.signature import parse_signature
from corefkit.scoring.scores import Scores

_SIGNATURE = b"corefkit.signature"


def check_place(path: str) -> None:
    """Raise UsageError where no file of counts can be written, before anything is counted."""
    _pyarrow()
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
    arrow, parquet = _pyarrow()
    writer = None
    try:
        for name, scores in systems.items():
            counts = scores.counts
            for part in counts.tables.parts() if isinstance(counts, EngineCounts) else [counts]:
                columns: dict[str, Any] = {"system": [name] * len(part)}
                columns["document"] = list(part.documents)
                for metric, arrays in part.tables.items():
                    columns |= {f"{metric}.{number}": array for number, array in enumerate(arrays)}
                rows = arrow.table(columns, metadata={_SIGNATURE: scores.signature.encode()})
                writer = writer or parquet.ParquetWriter(path, rows.schema)
                writer.write_table(rows)
    finally:
        if writer is not None:
            writer.close()


def is_counts_file(path: str) -> bool:
    """Whether this is the path of a Parquet file that `write_counts` has written."""
    if not path.endswith(".parquet"):
        return False
    try:
        _, parquet = _pyarrow()
        metadata = parquet.read_schema(path).metadata or {}
    except (OSError, ValueError, UsageError):
        return False
    return _SIGNATURE in metadata


def read_counts(path: str, names: tuple[str, ...] = ()) -> dict[str, Scores]:
    """The scores of each system in a file of counts, for the named metrics or for all it has."""
    _, parquet = _pyarrow()
    try:
        table = parquet.read_table(path)
        text = (table.schema.metadata or {})[_SIGNATURE].decode()
        options, _ = parse_signature(text)
        if lacking := set(counted(names)) - set(counted(options.metrics)):
            raise UsageError(f"{path} has no counts of {sorted(lacking)[0]}")
        options = replace(options, metrics=names or options.metrics)
        system = np.array(table.column("system").to_pylist())
        systems = {}
        for name in dict.fromkeys(system.tolist()):
            rows = table.take(np.flatnonzero(system == name))
            tables = {
                metric: tuple(
                    rows.column(column).to_numpy()
                    for column in rows.column_names
                    if column.rpartition(".")[0] == metric
                )
                for metric in counted(options.metrics)
            }
            documents = tuple(rows.column("document").to_pylist())
            systems[name] = Scores(options, Counts(documents, tables))
    except UsageError:
        raise
    except (OSError, ValueError, KeyError) as error:
        raise data_error("file-unreadable", "counts", reason=error, file=path) from None
    return systems


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("files of counts need pyarrow: pip install 'corefkit[parquet]'") from None
    return pyarrow, pyarrow.parquet
