"""Outcomes of mentions: read once, computed once."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corefkit import Corpus, UsageError, outcomes
from corefkit.formats.kit import files
from corefkit.metrics import anchor, immediate, inferred
from corefkit.scoring.outcomes import Summary

EXAMPLES = Path("examples")


def test_each_file_is_read_and_each_score_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For two systems: three files, and each score of each system, whatever is asked of them."""
    calls: Counter[str] = Counter()

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: object) -> Any:
            calls[name] += 1
            return real(*args)

        return call

    monkeypatch.setattr(files, "_read", counted("read", files._read))
    monkeypatch.setattr(anchor, "align", counted("anchor", anchor.align))
    for metric in (immediate.IMMEDIATE, inferred.INFERRED):
        monkeypatch.setitem(vars(metric), "outcomes", counted(metric.name, metric.outcomes))
    key, *responses = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))
    listing = outcomes(key, *responses)
    assert sum(1 for _ in listing.rows()) == len(listing)
    assert calls == {"read": 3, "anchor": 2, "immediate": 2, "inferred": 2}


def test_responses_without_a_common_document_are_refused() -> None:
    entities = [[(0, 0), (1, 1)]]
    key = Corpus.from_clusters({"a": entities, "b": entities})
    one, other = (Corpus.from_clusters({name: entities}) for name in "ab")
    with pytest.raises(TypeError, match="give one or more responses"):
        outcomes(key)
    with pytest.raises(UsageError, match="no document that all responses have"):
        outcomes(key, one, other, metrics="immediate", documents="common")


def test_a_plus_in_a_class_is_part_of_its_name(tmp_path: Path) -> None:
    """Outcomes of one mention are joined by "+", and so are their classes."""
    key = tmp_path / "key.conll"
    key.write_bytes((EXAMPLES / "key.conll").read_bytes().replace(b"(GPE", b"(G+E"))
    listed = (outcomes(k, EXAMPLES / "careful.conll") for k in (EXAMPLES / "key.conll", key))
    plain, joined = (Summary(one, "careful", "anchor_mentions").counts for one in listed)
    assert {name.replace("GPE", "G+E"): counts for name, counts in plain.items()} == joined
    assert "G+E" in joined


def test_profiles_that_have_no_outcomes() -> None:
    files = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    how: dict[str, Any] = {"profile": "standard"}
    assert repr(outcomes(*files, **how)) == "Listing(careful: 268 mentions)"
    with pytest.raises(UsageError, match="the profile e2e does not define"):
        outcomes(*files, **(how | {"profile": "e2e"}))
