"""One giant document: n mentions of one token each, in n/5 entities of very different sizes.

And many tiny ones.
"""

from pathlib import Path

import numpy as np

from corefkit.core.arrays import IntArray


def entities(mentions: int, seed: int = 2012) -> tuple[IntArray, IntArray]:
    """The entity of each mention in the key and in the response, int64 (mentions,) each.

    An entity is ⌊n/5 · u²⌋ for a uniform u: few are large, many small. The response keeps it for
    three quarters of the mentions, at random, and draws it again for the others.
    """
    random = np.random.default_rng(seed)
    most = mentions // 5

    def draw(count: int) -> IntArray:
        return np.floor(most * random.random(count) ** 2).astype(np.int64)

    key = draw(mentions)
    redrawn = random.random(mentions) >= 0.75
    response = key.copy()
    response[redrawn] = draw(int(redrawn.sum()))
    return key, response


def write_files(mentions: int, folder: Path) -> tuple[Path, Path]:
    """Key and response as CoNLL files of one document, a mention a line."""
    return _write_sides(entities(mentions), folder, f"giant-{mentions}")


def write_random(
    mentions: int, size: int | range, folder: Path, kept: float = 0.0, seed: int = 2012
) -> tuple[Path, Path]:
    """The same of random entities of one size, or of several, on both sides.

    With `kept`, the response has the entities of the key, but each in two parts: mentions stay in
    the first with this probability.
    """
    random = np.random.default_rng(seed)
    sizes = range(size, size + 1) if isinstance(size, int) else size
    key, response = (
        random.permutation(
            np.repeat(np.arange(mentions), random.choice(sizes, mentions))[:mentions]
        )
        for _ in range(2)
    )
    if kept:
        response = np.where(random.random(mentions) < kept, key, mentions + key)
    return _write_sides((key, response), folder, f"random-{mentions}-{sizes[0]}-{sizes[-1]}-{kept}")


def _write_sides(sides: tuple[IntArray, IntArray], folder: Path, name: str) -> tuple[Path, Path]:
    files = folder / f"{name}-key.conll", folder / f"{name}-response.conll"
    for file, entity in zip(files, sides, strict=True):
        lines = [f"giant\t0\t{token}\tword\t({id})\n" for token, id in enumerate(entity.tolist())]
        text = "#begin document (giant); part 000\n" + "".join(lines) + "#end document\n"
        file.write_text(text, encoding="utf-8")
    return files
