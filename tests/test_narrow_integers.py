"""Figures do not depend on the width of numpy's default integer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import corefkit
from tests import damages
from tests.support import ROOT


def _write(path: Path, documents: int, entities: int, other: bool) -> None:
    """Documents of words that are one mention each; in the other side every seventh is moved."""
    lines = []
    for document in range(documents):
        lines.append(f"#begin document (d{document}); part 000")
        for at in range(2 * entities):
            entity = (at + (other and at % 7 == 0)) % entities
            lines.append(f"d{document}\t0\t{at}\tw\t({entity})")
        lines.append("#end document")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("narrow")
    for other, name in enumerate(("key", "response")):
        _write(made / f"many.{name}.conll", 200, 2, bool(other))
        _write(made / f"long.{name}.conll", 3, 200, bool(other))
        _write(made / f"some.{name}.conll", 3, 95, bool(other))
        corpus = corefkit.read(made / f"some.{name}.conll")
        for ending in ("conllu", "conllua", "parquet"):  # in less than 2¹⁵ bytes
            corefkit.write(corpus, made / f"some.{name}.{ending}")
    (made / "few.key.jsonl").write_text(damages.jsonl(damages.key()))
    (made / "few.response.jsonl").write_text(damages.jsonl(damages.response()))
    return made


@pytest.mark.parametrize(
    "words",
    [
        "agree many.key.conll many.response.conll",
        "errors long.key.conll long.response.conll -f json",
        "score long.key.conll long.response.conll -m conll,ceafm,blanc,lea,pairs,gmd -f json",
        "score few.key.jsonl few.response.jsonl --window 20 -f json",
        "score long.key.conll long.response.conll --window 50 --by entity:size -f json",
        "score some.key.conllu some.response.conllu --profile corefud -f json",
        "score some.key.conllua some.response.conllua --profile ua -f json",
        "score some.key.parquet some.response.parquet --engine duckdb -f json",
        "compare long.key.conll long.response.conll long.key.conll -m conll --samples 50 -f json",
        "outcomes some.key.conll some.response.conll -m immediate -f json",
    ],
)
def test_figures_do_not_depend_on_the_default_integer(folder: Path, words: str) -> None:
    """With 16 bits a product wraps around at 182 times 182; with 32 bits it would at 46,341."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    wide, narrow = (
        subprocess.run(
            [sys.executable, "-m", "tests.narrow_integers", bits, *words.split()],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        for bits in ("64", "16")
    )
    assert (narrow.returncode, narrow.stdout) == (wide.returncode, wide.stdout), narrow.stderr[
        -2000:
    ]
    assert wide.returncode == 0
