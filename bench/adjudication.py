"""Two annotators of 100,000 tokens, who dispute some seven thousand items."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from corefkit import Corpus, write

_TOKENS, _MENTIONS, _ENTITIES, _DOCUMENTS = 100_000, 9_000, 1_800, 20


def write_annotators(scratch: Path) -> tuple[Path, Path]:
    """The files of both."""
    anna, ben = (scratch / f"{name}.conll" for name in ("anna", "ben"))
    for seed, path in enumerate((anna, ben), 2):
        write(Corpus.from_records(_records(seed)), path)
    return anna, ben


def _records(seed: int) -> Iterator[dict[str, object]]:
    """The documents of one annotator, who misses, shortens and links otherwise now and then."""
    base, own = Random(1), Random(seed)
    size, mentions = _TOKENS // _DOCUMENTS, _MENTIONS // _DOCUMENTS
    entities, step = _ENTITIES // _DOCUMENTS, size // mentions
    for number in range(_DOCUMENTS):
        clusters: dict[int, list[list[int]]] = {}
        for mention in range(mentions):
            start, length = mention * step, base.randrange(1, 4)
            entity, chance = base.randrange(entities), own.random()
            if chance < 0.1:
                entity = own.randrange(entities)
            if 0.1 <= chance < 0.25:
                length = max(length - 1, 1)
            if chance < 0.93:
                clusters.setdefault(entity, []).append([start, start + length - 1])
        sentences = [[f"w{n % 997}" for n in range(20)] for _ in range(size // 20)]
        yield {"doc_key": f"d{number}", "sentences": sentences, "clusters": [*clusters.values()]}
