"""Files are loaded in the background for one run and no longer."""

from pathlib import Path

import pytest

from corefkit.core.incidents import DataError
from corefkit.formats._kit import files
from corefkit.formats._kit.files import Prefetch, load_prefetched


def test_bytes_are_taken_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(tmp_path / "a.conll")
    Path(name).write_text("before")
    loads: list[str] = []
    load = files.load

    def counted(name: str, most: int | None = None) -> bytes:
        loads.append(name)
        return load(name, most)

    monkeypatch.setattr(files, "load", counted)
    with Prefetch([name, name, str(tmp_path / "missing")]):
        assert load_prefetched(name) == b"before"
        assert loads == [name]
        Path(name).write_text("after")
        assert load_prefetched(name) == b"after"


def test_what_nobody_took_is_not_served_to_a_later_run(tmp_path: Path) -> None:
    name = str(tmp_path / "a.conll")
    Path(name).write_text("before")
    with Prefetch([name]) as run:
        pass
    Path(name).write_text("after")
    assert load_prefetched(name) == b"after"
    assert run.take(name) is None


def test_errors_are_raised_where_the_file_is_wanted(tmp_path: Path) -> None:
    name = str(tmp_path / "a.gz")
    Path(name).write_bytes(b"\x1f\x8b\x08 broken")
    with Prefetch([name]), pytest.raises(DataError, match="gzip"):
        load_prefetched(name)


def test_another_limit_loads_anew(tmp_path: Path) -> None:
    name = str(tmp_path / "a")
    Path(name).write_text("text")
    with Prefetch([name]):
        assert load_prefetched(name, 10) == b"text"
