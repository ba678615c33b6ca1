"""Counts written to a Parquet file, one row per document and system; `scoring` reads it."""

import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from corefkit.core.options import UsageError
from corefkit.formats.kit.writing import write_atomically
from corefkit.scoring.counts_file import SIGNATURE, import_pyarrow
from corefkit.scoring.scores import Scores


def check_place(path: str) -> None:
    """Raise UsageError where no file of counts can be written, before anything is counted."""
    import_pyarrow()
    target = Path(path).resolve()
    if target.is_dir() or not os.access(target.parent, os.W_OK):
        raise UsageError(f"counts: {path} cannot be written")


def write_counts(path: str, systems: Mapping[str, Scores]) -> None:
    """Write the counts of systems that were scored with the same options, or nothing at all."""
    if not systems:
        return
    arrow, parquet = import_pyarrow()
    tables = []
    for name, scores in systems.items():
        counts = scores.counts
        columns: dict[str, Any] = {"system": [name] * len(counts)}
        columns["document"] = list(counts.documents)
        for metric, arrays in counts.tables.items():
            columns |= {f"{metric}.{number}": array for number, array in enumerate(arrays)}
        tables.append(arrow.table(columns, metadata={SIGNATURE: scores.signature.encode()}))
    file = BytesIO()
    parquet.write_table(arrow.concat_tables(tables), file)
    write_atomically(path, file.getvalue())
