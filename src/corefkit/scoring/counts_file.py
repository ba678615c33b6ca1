"""Counts read from a Parquet file, one row per document and system, as engines write them.

Counts add, so groups, intervals and significance tests can be computed from them, without the
mentions.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from corefkit.core.counts import Counts
from corefkit.core.incidents import data_error
from corefkit.core.options import UsageError
from corefkit.metrics import counted
from corefkit.scorers.signature import parse_signature
from corefkit.scoring.scores import Scores

SIGNATURE = b"corefkit.signature"
"""The metadata of the file in which the signature of the scores is."""


def is_counts_file(path: str) -> bool:
    """Whether this is the path of a Parquet file that an engine has written."""
    if not path.endswith(".parquet"):
        return False
    try:
        _, parquet = import_pyarrow()
        metadata = parquet.read_schema(path).metadata or {}
    except (OSError, ValueError, UsageError):
        return False
    return SIGNATURE in metadata


def read_counts(path: str, names: tuple[str, ...] = ()) -> dict[str, Scores]:
    """The scores of each system in a file of counts, for the named metrics or for all it has."""
    _, parquet = import_pyarrow()
    try:
        table = parquet.read_table(path)
        text = (table.schema.metadata or {})[SIGNATURE].decode()
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


def import_pyarrow() -> tuple[Any, Any]:
    """The packages `pyarrow` and `pyarrow.parquet`; UsageError where they are not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("files of counts need pyarrow: pip install 'corefkit[parquet]'") from None
    return pyarrow, pyarrow.parquet
