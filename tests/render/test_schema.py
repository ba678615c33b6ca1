"""The JSON of results is what docs/results.schema.json says."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.json_schema import violations
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))
TWO_RUNS = (f"mine@1={CAREFUL}", f"mine@2={HASTY}", f"other={EXAMPLES / 'baseline.conll'}")


@pytest.mark.parametrize(
    "words",
    [
        "score careful hasty",
        "score careful --by genre",
        "score careful --by entity:size --by length -m mentions,muc,lea",
        "score careful --by link:tokens -m blanc,muc",
        "score careful --window 10,20 --by genre -m muc,blanc",
        "score careful --window 20 --by entity:kind -m muc",
        "score careful --across corpus",
        "score careful -m immediate,anchor --by class",
        "score careful --average documents -m blanc,conll",
        "score runs --by genre -m muc --agreement",
        "score runs --window 20 --by entity:size=1,2 -m muc,conll",
        "compare careful hasty --samples 99",
        "compare careful hasty --samples 99 --window 20 --by entity:size=1,2 -m muc",
        "compare runs -m muc --by length",
        "agree careful hasty",
    ],
)
def test_results(words: str) -> None:
    command, *rest = words.split()
    files: dict[str, Sequence[str | Path]] = {
        "careful": [CAREFUL],
        "hasty": [HASTY],
        "runs": TWO_RUNS,
    }
    words_and_files = [one for word in rest for one in files.get(word, [word])]
    done = run(command, KEY, *words_and_files, "-f", "json")
    content = json.loads(done.out)
    assert [*violations(content)] == []
    assert content["systems" if command == "score" else "pairs"]


def test_what_is_wrong_is_found() -> None:
    good = json.loads(run("score", KEY, CAREFUL, "--by", "genre", "-m", "muc", "-f", "json").out)
    system = good["systems"][0]
    system["parts"][0]["part"] = {}
    system["parts"][1]["scores"]["muc"]["f1"] = "0.5"
    system["parts"][2]["label"] = "nw"
    del system["parts"][3]["scores"], good["schema"]
    assert [*violations(good)] == [
        ": lacks schema",
        "/systems/0/parts/0/part: is empty",
        "/systems/0/parts/1/scores/muc: fits none of 4",
        "/systems/0/parts/2: label is unknown",
        "/systems/0/parts/3: lacks scores",
    ]
