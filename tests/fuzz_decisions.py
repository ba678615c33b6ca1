"""Broken and odd files of decisions, for `tests.fuzz`."""

import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from corefkit import Corpus, DataError, UsageError, adjudicate
from corefkit.plugins.adjudication import Adjudication

_PIECES = ["mention", "boundary", "link", "span", "apart", "conflict", "", "tale", "tale 0", "x y"]
_SPANS = ["0", "2", "4-5", "4-6", "0-1,3", "99", "-1", "3-1", "1,1", "", "a", "0.1", "^0.1", "1:2"]
_CHOICES: list[Any] = ["yes", "no", "4-5", "4-6", "maybe", "", None, 1, [], True]
_VALUES: list[Any] = [None, True, 0, -1, 10**30, 1.5, "", "anna", [], ["0"], {}, [[]], "\ud800"]


@cache
def sides() -> tuple[Corpus, Corpus]:
    """Two annotators of one document, who dispute a mention, a boundary and links."""
    one = [[(0, 0), (2, 2), (4, 5)], [(7, 7), (8, 8)]]
    other = [[(0, 0)], [(2, 2), (4, 6)], [(7, 7)]]
    return Corpus.from_clusters({"tale": one}), Corpus.from_clusters({"tale": other})


@cache
def items() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The ids of what is disputed, and the options."""
    listed = adjudicate(*sides()).draft.documents[0].items
    return tuple((item.id, item.options) for item in listed)


def decision_file(rng: random.Random) -> bytes:
    """A log of entries that may be sound, odd or broken; at times its bytes are broken, too."""
    entries: list[Any] = []
    for _ in range(rng.randrange(6)):
        words = [rng.choice(_PIECES), rng.choice(_PIECES[7:])]
        words += [rng.choice(_SPANS) for _ in range(rng.randrange(4))]
        item, options = rng.choice(items())
        if rng.random() < 0.4:
            item, options = " ".join(words), ("yes", "yes", "no")
        choice: Any = rng.choice(options) if rng.random() < 0.9 else rng.choice(_CHOICES)
        entry: dict[str, Any] = {"item": item, "choice": choice}
        for name in ("document", "spans", "left", "right", "by", "at", "discuss", "item", "new"):
            if rng.random() < 0.01:
                entry[name] = rng.choice(_VALUES)
        entries.append(entry if rng.random() < 0.97 else rng.choice(_VALUES))
    content: Any = {"corefkit": "adjudication", "version": 1, "decisions": entries}
    for name in ("corefkit", "version", "certain", "ask_mentions", "inputs", "decisions"):
        if rng.random() < 0.03:
            content[name] = rng.choice(_VALUES)
    data = json.dumps(content).encode()
    if rng.random() < 0.1:
        at = rng.randrange(len(data) + 1)
        data = (
            data[:at] + bytes(rng.randrange(256) for _ in range(rng.randrange(4))) + data[at + 3 :]
        )
    return data


def examine_decisions(data: bytes) -> Adjudication | None:
    """A result that is the same again, or a clear refusal."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "decisions.json")
        path.write_bytes(data)
        try:
            result = adjudicate(*sides(), decisions=path)
        except (DataError, UsageError) as error:
            assert str(error)
            return None
        again = adjudicate(*sides(), decisions=path)
    assert result.corpus.clusters() == again.corpus.clusters()
    assert result.undecided <= len(items())
    for replayed in result.replays:
        assert not {*replayed.open} & {*replayed.decided}
    if not result.conflicts:
        spans = [span for entity in result.corpus.clusters()["tale"] for span in entity]
        assert len(spans) == len({*spans})
    return result
