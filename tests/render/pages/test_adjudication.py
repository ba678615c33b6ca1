"""The page of adjudication in a real Chromium: its logic against the replay, and its use."""

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

from selenium import webdriver

from corefkit.adjudication import Adjudication, adjudicate, page_data
from corefkit.render.pages import read_part
from corefkit.render.pages.adjudication import LOGIC
from tests.browser import needs_chromium
from tests.strategies import TIMES
from tests.support import CONFORMANCE, needs_conformance

CASES = CONFORMANCE / "formats2" / "adjudication"
EXPECTED: dict[str, Any] = (
    json.loads((CASES / "expected.json").read_text(encoding="utf-8")) if CASES.is_dir() else {}
)
MADE = [(case, mode) for case, modes in EXPECTED.get("made", {}).items() for mode in modes]

STATES = """
const [data, files] = arguments, documents = data.documents.map(makeDocument);
const numbers = (mention) => [mention.positions[0], mention.positions.at(-1)];
const after = (list) => { const log = makeLog(documents); load(log, list); return log; };
const ids = ({ one }, wanted) => one.items.map(({ id }) => id).filter((_, n) => wanted(n));
return files.map(after).map((log) => log.states.map((state) => ({
  undecided: state.counts.open,
  void: ids(state, (n) => state.status[n] === WAITING).sort(),
  implied: [...state.implied].map(([place, choice]) =>
    ({ item: state.one.items[place].id, choice, chain: chainOfItem(state, place) })),
  unused: [...new Set(state.unused)].sort(),
  changed: [...new Set(state.changed)].sort(),
  conflicts: state.conflicts.map(({ item }) => item).sort(),
  result: entitiesOf(state).map((mentions) => mentions.map(numbers)).map(String).sort(),
})));
"""
"""What follows from each of some lists of decisions, by the page's own scripts."""


def logic(browser: webdriver.Chrome, script: str, *arguments: Any) -> Any:
    scripts = "".join(read_part(f"adjudication/{name}.js") for name in LOGIC)
    return browser.execute_script(scripts + script, *arguments)


def states(browser: webdriver.Chrome, data: Any, *decisions: Sequence[Any]) -> Any:
    return logic(browser, STATES, data, decisions)


def as_texts(entities: Iterable[list[list[int]]]) -> list[str]:
    """Entities as `String` writes them, sorted."""
    return sorted(",".join(str(n) for mention in own for n in mention) for own in entities)


def replayed(result: Adjudication) -> list[Any]:
    """The same by `corefkit.adjudication`."""
    return [
        {
            "undecided": len(one.open),
            "void": sorted(one.void),
            "implied": [{**i._asdict(), "chain": [*i.chain]} for i in one.implied],
            "unused": [*one.unused],
            "changed": [*one.changed],
            "conflicts": [conflict.item for conflict in one.conflicts],
            "result": as_texts([[m[0][0], m[-1][1]] for m in own] for own in one.entities),
        }
        for one in result.replays
    ]


def case_settings(case: str, mode: str) -> tuple[list[str], dict[str, Any], list[Any]]:
    settings, _, what = mode.partition(", ")
    certain, _, ask = settings.partition(" ask ")
    sides = sorted(map(str, (CASES / case).glob("*.conll")))
    path, decisions = CASES / case / "decisions.json", []
    if what == "decided":
        decisions = json.loads(path.read_text(encoding="utf-8"))["decisions"]
    return sides, {"certain": certain, "ask_mentions": int(ask) if ask else None}, decisions


@needs_conformance
@needs_chromium
def test_the_logic_on_made_cases(chromium: webdriver.Chrome) -> None:
    chromium.get("about:blank")
    for case, mode in MADE:
        sides, settings, decisions = case_settings(case, mode)
        data = page_data(adjudicate(*sides, **settings).draft)
        (found_states,) = states(chromium, data, decisions)
        names = [one["name"] for one in data["documents"]]
        found = dict(zip(names, found_states, strict=True))
        expected = EXPECTED["made"][case][mode]
        assert set(found) == set(expected)
        for name, fields in found.items():
            for field, value in fields.items():
                wanted = expected[name][field]
                wanted = as_texts(wanted) if field == "result" else wanted
                assert value == wanted, (case, mode, name, field)


def some_decisions(result: Adjudication, rng: random.Random, number: int) -> list[Any]:
    """Entries about items, about what is outvoted, and operations, some of them about nothing."""
    entries: list[Any] = []
    for _ in range(number):
        one = rng.choice(result.draft.documents)
        names = [*one.unit_names, "2", "3-4", "1,3", "99"]
        kind = rng.choice(["item"] * 6 + ["outvoted", "mention", "apart", "span", "link", "link"])
        choice = rng.choice(["yes", "yes", "no", "no", None])
        if kind == "item" and one.items:
            item = rng.choice(one.items)
            entry: dict[str, Any] = {"item": item.id, "choice": rng.choice([*item.options, None])}
            if item.is_link and rng.random() < 0.5:
                entry["left"] = [*item.left] if rng.random() < 0.7 else ["7"]
        elif kind == "outvoted" and one.outvoted:
            entry = {"item": rng.choice(one.outvoted).id, "choice": choice}
        else:
            kind = kind if kind in ("mention", "apart", "span") else "link"
            spans = rng.choices(names, k=1 if kind in ("mention", "apart") else 2)
            item_name = " ".join((kind, one.name, *spans))
            entry = {"item": item_name, "document": one.name, "spans": spans, "choice": choice}
        entries.append(entry)
    return entries


@needs_conformance
@needs_chromium
def test_the_logic_is_that_of_the_replay(chromium: webdriver.Chrome) -> None:
    """On random decisions, contradictions included."""
    chromium.get("about:blank")
    rng = random.Random(27)
    seen = dict.fromkeys(("void", "implied", "unused", "changed", "conflicts"), 0)
    for case in sorted({case for case, _ in MADE}):
        for certain in ("majority", "all"):
            sides = sorted(map(str, (CASES / case).glob("*.conll")))
            draft = adjudicate(*sides, certain=certain)
            data = page_data(draft.draft)
            files = [some_decisions(draft, rng, rng.randrange(1, 25)) for _ in range(4 * TIMES)]
            for entries, found in zip(files, states(chromium, data, *files), strict=True):
                file = {"corefkit": "adjudication", "version": 1, "decisions": entries}
                result = adjudicate(*sides, decisions=file, certain=certain, force=True)
                expected = replayed(result)
                assert found == expected, (case, certain, entries)
                for field in seen:
                    seen[field] += sum(bool(one[field]) for one in expected)
    assert min(seen.values()) > 3, seen
