"""Which copy of a repeated mention stays is one rule, for files, engines and the Evaluator."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, DataError, Evaluator, UsageError
from corefkit.core.options import DuplicatesPolicy
from corefkit.formats import LossWarning
from corefkit.scoring.scores import Scores

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,links"
Clusters = list[list[tuple[int, int]]]


def random_clusters(rng: random.Random) -> Clusters:
    """Entities of some spans, with copies within entities and across them."""
    clusters: Clusters = [[] for _ in range(rng.randint(1, 4))]
    for start in range(rng.randint(1, 7)):
        for _ in range(rng.choice((1, 1, 2, 3))):
            rng.choice(clusters).append((2 * start, 2 * start + rng.choice((0, 0, 1))))
    return [*filter(None, clusters), [(20, 20)]]  # all documents have the same length


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Key and response of 60 documents."""
    rng, folder = random.Random(39), tmp_path_factory.mktemp("copies")
    for side in ("key", "response"):
        documents = {f"d{number:02}": random_clusters(rng) for number in range(60)}
        with pytest.warns(LossWarning):
            corefkit.write(Corpus.from_clusters(documents), folder / f"{side}.conll")
    return folder / "key.conll", folder / "response.conll"


def in_order(corpus: Corpus) -> dict[str, Clusters]:
    """The entities of each document in the order of their first brackets."""
    first = np.full(corpus.entities, corpus.byte.max())
    np.minimum.at(first, corpus.entity, corpus.byte)
    documents: dict[str, Clusters] = {name: [] for name in corpus.names}
    for entity in np.argsort(first):
        rows = np.flatnonzero(corpus.entity == entity)
        spans = zip(corpus.start[rows].tolist(), corpus.end[rows].tolist(), strict=True)
        documents[corpus.names[corpus.document[rows[0]]]].append(list(spans))
    return documents


def evaluated(files: tuple[Path, Path], duplicates: DuplicatesPolicy | None) -> Scores:
    """The scores of an Evaluator, which gets the entities in the order of their first brackets."""
    key, response = (in_order(corefkit.read(file)) for file in files)
    evaluator = Evaluator(METRICS, duplicates=duplicates)
    for name, clusters in key.items():
        evaluator.update(clusters, response[name], document=name)
    return evaluator.scores()


def on_engine(files: tuple[Path, Path], **options: Any) -> Scores:
    tables = []
    for corpus in map(corefkit.read, files):
        columns = {
            "document": [corpus.names[number] for number in corpus.document.tolist()],
            "entity": [corpus.labels[number] for number in corpus.entity.tolist()],
            "start": corpus.start.tolist(),
            "end": corpus.end.tolist(),
        }
        tables.append(pa.table(columns))
    key, response = tables
    return corefkit.score(key, response, METRICS, engine="duckdb", **options)


def counted(scores: Scores) -> dict[str, Mapping[str, Any]]:
    """Document → metric → counts."""
    return {
        name: {metric: group[metric].counts for metric in group}
        for name, group in scores.by("document").items()
    }


def test_all_keep_the_same_copy(files: tuple[Path, Path]) -> None:
    first = counted(corefkit.score(*files, METRICS, duplicates="first"))
    listed = counted(corefkit.score(*files, METRICS, duplicates="listed"))
    assert counted(evaluated(files, "first")) == first
    assert counted(evaluated(files, "listed")) == listed
    assert counted(on_engine(files, duplicates="first")) == first
    with pytest.raises(UsageError, match="listed needs the mentions themselves"):
        on_engine(files, duplicates="listed")
    assert 5 < sum(first[name] != listed[name] for name in first) < 60


def first_in_text(clusters: Clusters) -> Clusters:
    """The entities without copies, as the rule says it: sorted by their spans in the text, longer
    ones first; a span that an earlier entity has is dropped."""
    listed = sorted(sorted({(start, -end) for start, end in cluster}) for cluster in clusters)
    seen: set[tuple[int, int]] = set()
    kept = []
    for spans in listed:
        kept.append([(start, -end) for start, end in spans if (start, end) not in seen])
        seen.update(spans)
    return [*filter(None, kept)]


def test_the_first_copy_in_the_text_stays(files: tuple[Path, Path]) -> None:
    """Not only do all keep the same copy: it is the one that the rule names."""
    key, response = (
        Corpus.from_clusters({name: first_in_text(found) for name, found in documents.items()})
        for documents in (in_order(corefkit.read(file)) for file in files)
    )
    expected = counted(corefkit.score(key, response, METRICS, duplicates="error"))
    assert counted(corefkit.score(*files, METRICS)) == expected


def test_each_has_its_default(files: tuple[Path, Path]) -> None:
    """Files and engines keep the copy that comes first in the text, an Evaluator that of the list
    that comes first.
    """
    first = counted(corefkit.score(*files, METRICS, duplicates="first"))
    assert counted(corefkit.score(*files, METRICS)) == first
    assert counted(on_engine(files)) == first
    found = evaluated(files, None)
    assert "|duplicates:listed|" in found.signature
    assert counted(found) == counted(corefkit.score(*files, METRICS, duplicates="listed"))


def test_all_refuse_copies_on_request(files: tuple[Path, Path]) -> None:
    for score in (corefkit.score, lambda *_, **how: on_engine(files, **how)):
        with pytest.raises(DataError):
            score(*files, METRICS, duplicates="error")
    with pytest.raises(DataError, match="span-in-two-entities"):
        evaluated(files, "error")
    evaluator = Evaluator("muc", duplicates="error").update([[(0, 0), (1, 1)]], [[(0, 0)]])
    assert len(evaluator) == 1


def _column(cell: str, folder: Path, name: str) -> Path:
    """A file of two tokens with these cells."""
    first, last = cell.split()
    path = folder / name
    path.write_text(f"#begin document x\na {first}\nb {last}\n\n#end document\n")
    return path


OF_COPIES = ["coval", "e2e", "bookcoref", "arrau", "ua", "ua-1", "corefud", "corefud-1.1", "kbp"]


@pytest.mark.parametrize("profile", OF_COPIES)
def test_a_span_with_many_copies_in_an_entity(profile: str, tmp_path: Path) -> None:
    """Pairs of all copies would need many gigabytes."""
    key, response = (
        _column(f"{'|'.join(['(1'] * n)} {'|'.join(['1)'] * n)}", tmp_path, f"{n}.conll")
        for n in (20_000, 19_990)
    )
    assert corefkit.score(key, response, "muc", profile=profile)["muc"].f1 >= 0


@pytest.mark.parametrize("profile", ["coval", "e2e", "bookcoref", "arrau", "ua", "ua-1"])
def test_a_span_in_too_many_entities(profile: str, tmp_path: Path) -> None:
    """Refused with its place and its numbers."""
    files = []
    for n in (4_000, 3_990):
        opened, closed = ("|".join(f.format(i) for i in range(n)) for f in ("({}", "{})"))
        files.append(_column(f"{opened} {closed}", tmp_path, f"{n}.conll"))
    key, response = files
    with pytest.raises(DataError) as error:
        corefkit.score(key, response, "ceafe", profile=profile)
    (incident,) = (i for i in error.value.incidents if i.severity == "error")
    assert (incident.id, incident.line, incident.file) == ("mentions-repeated", 2, str(response))
    assert "4,000 mentions in the key and 3,990 in the response" in incident.message
    assert "--profile standard" in str(incident.hint)
    assert corefkit.score(key, response, "ceafe")["ceafe"].f1 >= 0
