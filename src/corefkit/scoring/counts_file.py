"""Counts by document as a Parquet file, one row a document and system; they add, so they suffice
for groups, intervals and tests without a single mention.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from corefkit.data.counts import Counts
from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.metrics import counted
from corefkit.profiles.signature import parse_signature
from corefkit.scoring.scores import Scores

_SIGNATURE = b"corefkit.signature"


def write_counts(path: str, systems: Mapping[str, Scores]) -> None:
    """Write the counts of systems that were scored with the same options."""
    arrow, parquet = _pyarrow()
    tables = []
    for name, scores in systems.items():
        columns: dict[str, Any] = {
            "system": [name] * len(scores.counts),
            "document": list(scores.counts.documents),
        }
        for metric, arrays in scores.counts.tables.items():
            columns |= {f"{metric}.{place}": array for place, array in enumerate(arrays)}
        tables.append(arrow.table(columns))
    signature = next(iter(systems.values())).signature if systems else ""
    whole = arrow.concat_tables(tables).replace_schema_metadata({_SIGNATURE: signature.encode()})
    try:
        parquet.write_table(whole, path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error}") from None


def is_counts_file(path: str) -> bool:
    """Whether a path is a Parquet file that `write_counts` made."""
    if not path.endswith(".parquet"):
        return False
    try:
        _, parquet = _pyarrow()
        metadata = parquet.read_schema(path).metadata or {}
    except (OSError, ValueError, UsageError):
        return False
    return _SIGNATURE in metadata


def read_counts(path: str, names: tuple[str, ...] = ()) -> dict[str, Scores]:
    """The scores of each system in a file of counts, of all its metrics or of these."""
    _, parquet = _pyarrow()
    try:
        table = parquet.read_table(path)
        text = (table.schema.metadata or {})[_SIGNATURE].decode()
        options, _ = parse_signature(text)
        if lacking := set(counted(names)) - set(counted(options.metrics)):
            raise UsageError(f"{path} has no counts of {sorted(lacking)[0]}")
        options = replace(options, metrics=names or options.metrics)
        system = np.array(table.column("system").to_pylist())
        found = {}
        for name in dict.fromkeys(system.tolist()):
            rows = np.flatnonzero(system == name)
            some = table.take(rows)
            tables = {
                metric: tuple(
                    some.column(column).to_numpy()
                    for column in some.column_names
                    if column.rpartition(".")[0] == metric
                )
                for metric in counted(options.metrics)
            }
            documents = tuple(some.column("document").to_pylist())
            found[name] = Scores(options, Counts(documents, tables))
    except UsageError:
        raise
    except (OSError, ValueError, KeyError) as error:
        raise DataError([_damaged(path, error)]) from None
    return found


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("files of counts need pyarrow: pip install 'corefkit[parquet]'") from None
    return pyarrow, pyarrow.parquet


def _damaged(path: str, error: Exception) -> Incident:
    return make_incident(
        "file-unreadable",
        "counts",
        reason=error,
        file=path,
    )
