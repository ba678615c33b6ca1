"""One giant document, from CoNLL files: processor time and memory of a whole process."""

from collections.abc import Iterator
from pathlib import Path

from bench.measure import corefkit, environment, usage
from bench.synthetic import write_files, write_random
from bench.table import Row, seconds

_MENTIONS, _RANDOM = 1_000_000, 320_000
_LIMIT = 60.0
_TIMEOUT = 600.0
_MEMORY = 4 * 2**30


def rows(scratch: Path) -> Iterator[Row]:
    """A million mentions with a quarter of them moved; many in random entities of three."""
    moved = f"score, one document of {_MENTIONS:,} mentions, a quarter of them moved"
    mixed = f"score, {_RANDOM:,} mentions in random entities of three"
    pairs = {moved: write_files(_MENTIONS, scratch), mixed: write_random(_RANDOM, 3, scratch)}
    for what, pair in pairs.items():
        used = usage(corefkit("score", *pair), environment(scratch), _TIMEOUT)
        kept = used.finished and used.processor <= _LIMIT
        yield Row(what, seconds(used.processor), f"≤ {_LIMIT:g} s", kept)
        if what == moved:
            size = f"{used.peak_bytes / 2**30:.2f} GiB"
            yield Row(f"{what}: peak memory", size, "< 4 GiB", used.peak_bytes < _MEMORY)
