"""Files loaded in the background, while the modules that will parse them are still loading.

Reading and unpacking leave Python's lock alone, so a second processor does them for nothing.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from threading import Event, Thread
from typing import Self

from corefkit.formats._kit.files import load

_IN_PIECES = (".parquet", ".pq")
"""Files that are left to the library that reads them in pieces."""


class Prefetch:
    """Loads files in the background for as long as it is open.

    `with Prefetch(names): …` begins to load those of the names that are files, one after the other,
    so that this takes one processor and imports have another. `load_prefetched` takes what is
    there; what nobody has taken when the block ends is dropped, so that no later run sees it.
    """

    _open: "Prefetch | None" = None

    def __init__(self, names: Iterable[str]) -> None:
        self._loading = {
            name: _FileLoad()
            for name in dict.fromkeys(names)
            if os.path.isfile(name) and not name.endswith(_IN_PIECES)
        }

    def __enter__(self) -> Self:
        Prefetch._open = self
        if self._loading:
            Thread(target=self._load_all, args=(dict(self._loading),), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        Prefetch._open = None
        self._loading.clear()

    def _load_all(self, waiting: "dict[str, _FileLoad]") -> None:
        for name, loading in waiting.items():
            if name in self._loading:
                with suppress(Exception):
                    loading.data = load(name)
            loading.set()

    def take(self, name: str) -> bytes | None:
        """The bytes of a file, once; None where it was not loaded, or loading it failed."""
        loading = self._loading.get(name)
        if loading is None:
            return None
        loading.wait()
        self._loading.pop(name, None)
        return loading.data


class _FileLoad(Event):
    """One file that is being loaded, or waits for its turn; set when `data` is there."""

    data: bytes | None = None


def load_prefetched(name: str, max_size: int | None = None) -> bytes:
    """Like `files.load`, of a file that may be loading already; errors are raised here."""
    prefetch = Prefetch._open if max_size is None else None
    data = prefetch.take(name) if prefetch else None
    return load(name, max_size) if data is None else data
