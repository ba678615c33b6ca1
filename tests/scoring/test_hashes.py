"""A receipt has the hashes of what was read, whatever happens to the files meanwhile."""

from hashlib import sha256
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.core.options import Options
from corefkit.plugins.engines.base import Setup
from corefkit.plugins.engines.report import score_on_engine
from corefkit.plugins.engines.run import open_engine
from corefkit.scoring.run import score_systems
from tests.support import EXAMPLES

KEY = str(EXAMPLES / "key.conll")


def test_a_response_that_is_replaced_after_reading(tmp_path: Path) -> None:
    path = tmp_path / "response.conll"
    path.write_bytes((EXAMPLES / "careful.conll").read_bytes())
    report = score_systems(KEY, [str(path)], Options(), hashed=True)
    path.write_bytes((EXAMPLES / "hasty.conll").read_bytes())
    (system,) = report.systems
    assert system.hash.sha256 == sha256((EXAMPLES / "careful.conll").read_bytes()).hexdigest()


@pytest.mark.parametrize("changed", ["key", "response"])
def test_a_file_that_an_engine_reads_must_stay_the_same(tmp_path: Path, changed: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    assert duckdb
    pytest.importorskip("pyarrow")
    paths = {name: tmp_path / f"{name}.parquet" for name in ("key", "response", "other")}
    for path, name in zip(paths.values(), ("key", "careful", "hasty"), strict=True):
        corefkit.write(corefkit.read(EXAMPLES / f"{name}.conll"), path)
    with open_engine(Setup("duckdb")) as engine:
        report = score_on_engine(
            engine, paths["key"], [paths["response"]], Options(("muc",)), Setup("duckdb")
        )
        (system,) = report.systems
        assert system.scores is not None
        hashes = report.key_hash, system.hash
        assert all(found.sha256 for found in hashes)
        paths[changed].write_bytes(paths["other"].read_bytes())
        with pytest.raises(DataError, match="it changed while it was read"):
            _ = (report.key_hash, system.hash)
