"""Adjudication by FORMATS2.md, section 11: made cases in full, plays by counts and digests."""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from corefkit import read
from corefkit.plugins.adjudication import Adjudication, DocumentDraft, Replay, adjudicate
from tests.plugins.adjudication.support import outcome
from tests.support import CONFORMANCE, needs_conformance

CASES = CONFORMANCE / "formats2" / "adjudication"
PLAYS = CONFORMANCE / "annotators"
EXPECTED: dict[str, Any] = (
    json.loads((CASES / "expected.json").read_text(encoding="utf-8")) if CASES.is_dir() else {}
)
MADE = [(case, mode) for case, modes in EXPECTED.get("made", {}).items() for mode in modes]

pytestmark = needs_conformance


def clusters(replay: Replay) -> list[list[list[int]]]:
    return sorted([list(runs[0]) for runs in entity] for entity in replay.entities)


def as_expected(draft: DocumentDraft, replay: Replay) -> dict[str, Any]:
    return {**outcome(draft, replay), "result": clusters(replay)}


def adjudicated(case: str, mode: str) -> Adjudication:
    settings, _, what = mode.partition(", ")
    certain, _, ask = settings.partition(" ask ")
    sides = sorted(map(str, (CASES / case).glob("*.conll")))
    decisions = [CASES / case / "decisions.json"] if what == "decided" else []
    asked = int(ask) if ask else None
    return adjudicate(*sides, decisions=decisions, certain=certain, ask_mentions=asked, force=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(("case", "mode"), MADE)
def test_made_cases(case: str, mode: str) -> None:
    result = adjudicated(case, mode)
    both = zip(result.draft.documents, result.replays, strict=True)
    found = {draft.name: as_expected(draft, replay) for draft, replay in both}
    assert found == EXPECTED["made"][case][mode]


def digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def described(replay: Replay) -> list[Any]:
    result = clusters(replay)
    return [len(result), sum(map(len, result)), digest(result)]


@pytest.mark.parametrize("name", EXPECTED.get("real", {}))
def test_real_plays(name: str) -> None:
    play, *people = name.split()
    files = [PLAYS / f"{play}.{person}.conll.gz" for person in people]
    assert all(map(Path.is_file, files))
    corpora = [read(file) for file in files]
    result = adjudicate(*files)
    (draft,), (replay,) = result.draft.documents, result.replays
    chosen = [
        {"item": item.id, "document": item.document, "spans": [*item.spans], "choice": choice}
        for item in draft.items
        for choice in item.options[:1]
    ]
    log = {"corefkit": "adjudication", "version": 1, "decisions": chosen}
    (decided,) = adjudicate(*files, decisions=log).replays
    ids = [item.id.replace(corpora[0].names[0], play) for item in draft.items]
    assert EXPECTED["real"][name] == {
        "mentions": draft.states(),
        "blocks": len(draft.blocks),
        "items": dict(Counter(item.kind for item in draft.items)),
        "outvoted": len(draft.outvoted),
        "ids": digest(ids),
        "draft": described(replay),
        "first option everywhere": described(decided),
    }
