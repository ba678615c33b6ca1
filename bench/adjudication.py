"""Adjudication of two annotators against their agreement: whole processes, 100,000 tokens."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.measure import corefkit, environment, fastest, process
from bench.table import Row, at_most, seconds, without_limit
from corefkit import Corpus, adjudicate, agree, write
from corefkit.adjudication import page_data
from corefkit.render.pages.adjudication import render_adjudication_page

_ROUNDS = 5
_TOKENS, _MENTIONS, _ENTITIES, _DOCUMENTS = 100_000, 9_000, 1_800, 20


def rows(scratch: Path) -> Iterator[Row]:
    """Two annotators who dispute more than 5,000 items."""
    paths = [str(scratch / f"{name}.conll") for name in ("anna", "ben")]
    for seed, path in enumerate(paths, 2):
        write(Corpus.from_records(_records(seed)), path)
    result = adjudicate(*paths)
    items = sum(len(document.items) for document in result.draft.documents)
    assert items > 5_000, items
    env = environment(scratch)
    times = fastest(
        {
            "agree": process(corefkit("agree", *paths), env),
            "adjudicate": process(corefkit("adjudicate", *paths), env),
            "agree here": lambda: agree(*paths),
            "adjudicate here": lambda: adjudicate(*paths),
            "page": lambda: render_adjudication_page(page_data(result.draft)),
        },
        _ROUNDS,
    )
    detail = f"{seconds(times['adjudicate'])} / {seconds(times['agree'])}"
    name = f"adjudicate, {items:,} items, 100,000 tokens / agree"
    yield at_most(name, times["adjudicate"] / times["agree"], 3, detail=detail)
    here = times["adjudicate here"] / times["agree here"]
    detail = f"{seconds(times['adjudicate here'])} / {seconds(times['agree here'])}"
    yield without_limit("the same in one process, from Python", here, detail=detail)
    page = times["page"] / times["agree"]
    yield without_limit(
        "adjudicate --page, the page alone / agree", page, detail=seconds(times["page"])
    )


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
