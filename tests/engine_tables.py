"""Random tables with ids of every type, in files, folders and partitions: all engines agree.

`python -m tests.engine_tables --tables 1000` compares memory with DuckDB, and with Spark where
`--spark` is given; tests/plugins/engines/test_values.py runs a few.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

import corefkit
from corefkit import DataError, Incident

Draw = Callable[[random.Random], Any]


def _texts(rng: random.Random) -> str:
    """A text that is not blank: that would be no value."""
    return rng.choice("a1-.") + "".join(
        rng.choice("ab1-.,éQ'\\ %中") for _ in range(rng.randint(0, 9))
    )


KINDS: dict[str, tuple[pa.DataType, Draw]] = {
    "int8": (pa.int8(), lambda r: r.randint(-3, 6)),
    "int32": (pa.int32(), lambda r: r.choice([r.randint(-3, 6), -(2**31), 2**31 - 1])),
    "uint16": (pa.uint16(), lambda r: r.randint(0, 9)),
    "int64": (pa.int64(), lambda r: r.choice([r.randint(-4, 9), -(2**63), 2**63 - 1, 2**62])),
    "uint64": (pa.uint64(), lambda r: r.choice([r.randint(0, 9), 2**64 - 1, 2**63, 2**62])),
    "double": (pa.float64(), lambda r: r.choice([0.0, -0.0, -1.5, 2.0, 7.1, 7.25, 1e300])),
    "float": (pa.float32(), lambda r: r.choice([0.0, -0.0, -1.5, 2.0, 7.1, 0.1])),
    "decimal": (pa.decimal128(6, 2), lambda r: Decimal(r.randint(-300, 300)) / 100),
    "string": (pa.string(), _texts),
    "large": (pa.large_string(), _texts),
    "binary": (pa.binary(), lambda r: r.choice([b"f", b"g", b"caf\xc3\xa9", b"a'b\\", b"0"])),
    "bool": (pa.bool_(), lambda r: r.random() < 0.5),
    "date": (pa.date32(), lambda r: r.randint(0, 8)),
    "timestamp": (pa.timestamp("us"), lambda r: r.randint(0, 8) * 1_500_000),
}
"""The types of values, and one by chance; some are often equal, some at the ends of their range."""

DOCUMENTS: dict[str, tuple[pa.DataType, Draw]] = {
    "text": (pa.string(), lambda r: r.choice(["a", "b", "c c", "d'e", "é", "1+1", "50%"])),
    "number": (pa.int64(), lambda r: r.randint(0, 3)),
    "bytes": (pa.binary(), lambda r: r.choice([b"f", b"g", b"caf\xc3\xa9"])),
}
NAMES = ["r.parquet", "r[1].parquet", "r?.parquet", "r*.parquet", "{a,b}.parquet", "a b.parquet"]
NAMES += ["a'b.parquet", "é.parquet", "100%.parquet", "x=1.parquet", "#1.parquet"]
LAYOUTS = ("file", "folder", "partitions", "ignored")


def write_side(rng: random.Random, folder: Path, kinds: tuple[str, str, str]) -> Path:
    """One side with documents, mentions and entities of these kinds, in one of the layouts."""
    types = DOCUMENTS[kinds[0]], KINDS[kinds[1]], KINDS[kinds[2]]
    size = rng.randint(3, 30)
    document, mention, entity = ([draw(rng) for _ in range(size)] for _, draw in types)
    columns = {
        name: pa.array(values, of)
        for name, values, (of, _) in zip(
            ("document", "mention", "entity"), (document, mention, entity), types, strict=True
        )
    }
    table = pa.table(columns)
    layout = rng.choice(LAYOUTS)
    if layout == "file":
        return _write(table, folder / rng.choice(NAMES))
    if layout == "folder":
        cut = rng.randint(1, size - 1)
        for number, part in enumerate((table.slice(0, cut), table.slice(cut))):
            _write(part, folder / "parts" / f"part {number}[1].parquet")
    elif layout == "ignored":
        _write(table, folder / "parts" / "entity=zz" / "0.parquet")
    else:
        shown = [x.decode() if isinstance(x, bytes) else str(x) for x in document]
        for name in sorted(set(shown)):
            rows = [row for row, one in enumerate(shown) if one == name]
            part = table.take(rows).drop_columns(["document"])
            _write(part, folder / "parts" / f"document={quote(name)}" / "0.parquet")
    return folder / "parts"


def _write(table: pa.Table, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path)
    return path


def answers(key: Path, response: Path, engine: Any, **policies: str) -> object:
    """All counts and the kinds of incidents; or the kinds of a refusal.

    Engines do not distinguish copies in one entity from those in two.
    """
    try:
        scores = corefkit.score(key, response, engine=engine, **policies)  # type: ignore[arg-type]
    except DataError as error:
        return _kinds(error.incidents)
    return {metric: scores[metric].counts for metric in scores}, _kinds(scores.incidents)


def _kinds(incidents: Iterable[Incident]) -> list[str]:
    joined = {"span-twice": "span-in-two-entities"}
    kinds = {joined.get(incident.id, incident.id) for incident in incidents}
    # Where no document is common, engines do not count those of each side.
    return ["no-common-document"] if "no-common-document" in kinds else sorted(kinds)


def compare(seed: int, tables: int, engines: Sequence[Any], folder: Path) -> Iterator[str]:
    """Compare that many random pairs of tables; yields what was compared."""
    rng = random.Random(seed)
    for number in range(tables):
        mention = rng.choice(list(KINDS))
        kinds = rng.choice(list(DOCUMENTS)), mention, rng.choice(list(KINDS))
        sides = []
        for side in ("key", "response"):
            rmtree(folder / side, ignore_errors=True)
            sides.append(write_side(rng, folder / side, kinds))
        policies = {"singletons": rng.choice(["keep", "drop"])}
        found = [answers(sides[0], sides[1], engine, **policies) for engine in engines]
        where = f"seed {seed}, table {number}: {kinds}, {[str(s) for s in sides]}, {policies}"
        assert all(one == found[0] for one in found), (where, found)
        yield f"{where}: {'refused' if isinstance(found[0], list) else 'scored'}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--spark", action="store_true")
    given = parser.parse_args()
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")  # the tables are tiny
    engines: list[Any] = ["memory", connection]
    if given.spark:
        from pyspark.sql import SparkSession

        from tests.plugins.engines.test_spark import for_tiny_data

        engines.append(for_tiny_data(SparkSession.builder.master("local[2]")).getOrCreate())
    with TemporaryDirectory() as folder:
        compared = list(compare(given.seed, given.tables, engines, Path(folder)))
    refused = sum(text.endswith("refused") for text in compared)
    sys.stdout.write(
        f"{len(compared):,} tables, seed {given.seed}, {len(engines)} engines: all agree; "
        f"{refused} were refused by all\n"
    )


if __name__ == "__main__":
    main()
