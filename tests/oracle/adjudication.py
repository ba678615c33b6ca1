"""Adjudication written from FORMATS2.md section 11 alone: every pair, every path, no shortcuts.

A span is a sorted tuple of positions, an annotation a list of clusters of spans.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

Span = tuple[int, ...]
Annotation = Sequence[Sequence[Span]]
HALF = Fraction(1, 2)


def written(span: Span) -> str:
    """A span as ids have it."""
    runs: list[list[int]] = []
    for position in span:
        if runs and runs[-1][-1] == position - 1:
            runs[-1].append(position)
        else:
            runs.append([position])
    return ",".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)


def read(text: str, length: int) -> Span | None:
    """The span of a text; None where there is no such one in the document."""
    positions: list[int] = []
    for piece in text.split(","):
        ends = piece.split("-")
        if not all(end.isdecimal() for end in ends) or len(ends) > 2:
            return None
        positions += range(int(ends[0]), int(ends[-1]) + 1)
    inside = positions and positions[-1] < length
    return tuple(positions) if inside and positions == sorted(set(positions)) else None


def order(span: Span) -> tuple[int, int, Span]:
    """Text order: first node, more nodes first, the list of nodes."""
    return span[0], -len(span), span


def dice(one: Span, other: Span) -> Fraction:
    """The share of positions that two spans have in common."""
    return Fraction(2 * len({*one} & {*other}), len(one) + len(other))


class Draft:
    """One document: units, blocks, items."""

    def __init__(
        self,
        name: str,
        people: Mapping[str, Annotation],
        certain: str = "majority",
        ask: int | None = None,
        length: int = 1000,
    ) -> None:
        self.name, self.certain, self.ask, self.length = name, certain, ask, length
        self.people = [*people]
        self.entity: dict[str, dict[Span, int]] = {}
        for person, clusters in people.items():
            own = self.entity.setdefault(person, {})
            for number, cluster in enumerate(clusters):
                for span in cluster:
                    own.setdefault(span, number)
        self.units = self._units()
        self.states = [self._state(unit) for unit in self.units]
        self.asked = [n for n, (state, _) in enumerate(self.states) if state != "outvoted"]
        self.blocks, self.refused = self._blocks()
        self.items, self.outvoted = self._items()

    def voters(self, span: Span) -> list[str]:
        """Who has a span."""
        return [person for person in self.people if span in self.entity[person]]

    def _units(self) -> list[list[Span]]:
        spans = sorted({s for own in self.entity.values() for s in own}, key=order)
        groups = [[span] for span in spans]
        pairs = [
            (one, other)
            for one, other in combinations(spans, 2)
            if dice(one, other) >= HALF and not {*self.voters(one)} & {*self.voters(other)}
        ]
        pairs.sort(key=lambda pair: (-dice(*pair), order(pair[0]), order(pair[1])))
        for one, other in pairs:
            a = next(group for group in groups if one in group)
            b = next(group for group in groups if other in group)
            if a is b or not all(dice(s, t) >= HALF for s, t in product(a, b)):
                continue
            votes = [person for span in (*a, *b) for person in self.voters(span)]
            if len(votes) == len({*votes}):
                groups.remove(b)
                a += b
        units = [sorted(group, key=order) for group in groups]
        return sorted(units, key=lambda unit: order(unit[0]))

    def _state(self, unit: Sequence[Span]) -> tuple[str, Span | None]:
        n, votes = len(self.people), sum(len(self.voters(span)) for span in unit)
        for span in unit:
            own = len(self.voters(span))
            if own == n if self.certain == "all" else 2 * own > n:
                return "accepted", span
        wanted = Fraction(n, 2) if self.ask is None else self.ask
        if self.certain == "all" or votes >= wanted:
            return ("boundary" if len(unit) > 1 else "mention"), None
        return "outvoted", None

    def _entity_of(self, unit: int, person: str) -> int | None:
        for span in self.units[unit]:
            if span in self.entity[person]:
                return self.entity[person][span]
        return None

    def _signature(self, unit: int) -> tuple[int | None, ...]:
        return tuple(self._entity_of(unit, person) for person in self.people)

    def _counts(self, one: int, other: int) -> tuple[int, int]:
        both = zip(self._signature(one), self._signature(other), strict=True)
        known = [a == b for a, b in both if a is not None and b is not None]
        return sum(known), len(known) - sum(known)

    def _surely(self, one: int, other: int) -> bool:
        link, apart = self._counts(one, other)
        if link + apart == 0:
            return False
        return apart == 0 if self.certain == "all" else 2 * link > link + apart

    def _blocks(self) -> tuple[list[list[int]], list[tuple[int, int]]]:
        classes: dict[tuple[int | None, ...], int] = {}
        for unit in self.asked:
            classes.setdefault(self._signature(unit), unit)
        firsts = [*classes.values()]
        pairs = [pair for pair in combinations(firsts, 2) if self._surely(*pair)]

        def rank(pair: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
            link, apart = self._counts(*pair)
            return apart - link, -link, pair

        groups = [[first] for first in firsts]
        refused = []
        for one, other in sorted(pairs, key=rank):
            a = next(group for group in groups if one in group)
            b = next(group for group in groups if other in group)
            if a is b:
                continue
            if all(self._surely(i, j) or sum(self._counts(i, j)) == 0 for i, j in product(a, b)):
                groups.remove(b)
                a += b
            else:
                refused.append((one, other))
        blocks = [
            [unit for unit in self.asked if classes[self._signature(unit)] in group]
            for group in groups
        ]
        return sorted(blocks), refused

    def _vote(self, left: Sequence[int], right: Sequence[int], person: str) -> int:
        pairs = [
            (self._entity_of(a, person), self._entity_of(b, person)) for a in left for b in right
        ]
        known = [a == b for a, b in pairs if a is not None and b is not None]
        return 2 * sum(known) - len(known)

    def _items(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        items: list[dict[str, Any]] = []
        outvoted: list[dict[str, Any]] = []
        for unit, (state, _) in zip(self.units, self.states, strict=True):
            spans = [*map(written, unit)]
            if state == "mention":
                voters = self.voters(unit[0])
                against = [person for person in self.people if person not in voters]
                votes = {"for": voters, "against": against}
                items.append(self._item("mention", spans, ["yes", "no"], "no", votes))
            elif state == "boundary":
                by_span = {written(span): self.voters(span) for span in unit}
                default = self.default(unit)
                shown = "no" if default is None else written(default)
                items.append(self._item("boundary", spans, [*spans, "no"], shown, {"for": by_span}))
            elif state == "outvoted":
                for span in unit:
                    name = f"mention {self.name} {written(span)}"
                    outvoted.append({"id": name, "kind": "mention", "for": self.voters(span)})
        pairs = [*combinations(self.blocks, 2)]
        for left, right in sorted(pairs, key=lambda pair: (pair[1][0], pair[0][0])):
            balance = {person: self._vote(left, right, person) for person in self.people}
            own = {
                "for": [person for person in self.people if balance[person] > 0],
                "against": [person for person in self.people if balance[person] < 0],
            }
            conflict = any(
                {a in left, b in left} == {True, False}
                and {a in right, b in right} == {True, False}
                for a, b in self.refused
            )
            names = [[written(self.units[unit][0]) for unit in block] for block in (left, right)]
            spans = [names[0][0], names[1][0]]
            asked = self.certain == "all" or len(own["for"]) >= len(own["against"])
            if conflict or (own["for"] and asked):
                item = self._item("link", spans, ["yes", "no"], "no", own)
                item["kind"] = "conflict" if conflict else "link"
                items.append({**item, "left": names[0], "right": names[1]})
            elif own["for"]:
                name = f"link {self.name} {' '.join(spans)}"
                outvoted.append({"id": name, "kind": "link", **own})
        return items, outvoted

    def _item(
        self, kind: str, spans: list[str], options: list[str], default: str, votes: dict[str, Any]
    ) -> dict[str, Any]:
        return {
            "id": f"{kind} {self.name} {' '.join(spans)}",
            "kind": kind,
            "document": self.name,
            "spans": spans,
            "options": options,
            "default": default,
            **votes,
        }

    def default(self, unit: Sequence[Span]) -> Span | None:
        """What the draft has for a boundary item."""
        if 2 * sum(len(self.voters(span)) for span in unit) <= len(self.people):
            return None
        return min(unit, key=lambda span: (-len(self.voters(span)), -len(span), order(span)))


class Decided:
    """A draft after decisions, which are dicts as the file has them, all about this document."""

    def __init__(self, draft: Draft, entries: Sequence[Mapping[str, Any]]) -> None:
        self.draft = draft
        self.unused: list[str] = []
        self.changed: list[str] = []
        last: dict[str, Mapping[str, Any]] = {}
        for entry in entries:
            last.pop(entry["item"], None)
            last[entry["item"]] = entry
        self.last = {i: entry for i, entry in last.items() if entry.get("choice") is not None}
        self.decided = {*self.last}
        self.kept: dict[str, Span | None] = {}
        self.home: dict[str, str] = {}  # a mention, by name → the block, by its first name
        self._units()
        self._mentions()
        self._boundaries()
        self._apart()
        self._spans()
        self._links()

    def _of(self, kind: str) -> Iterator[tuple[str, list[str], str, Mapping[str, Any]]]:
        for name, entry in self.last.items():
            if name.split(" ")[0] == kind:
                spans = name.removeprefix(f"{kind} {self.draft.name} ").split(" ")
                yield name, spans, entry["choice"], entry

    def _drop(self, name: str) -> None:
        self.unused.append(name)
        self.decided.discard(name)

    def _units(self) -> None:
        draft = self.draft
        for block in draft.blocks:
            for unit in block:
                own = written(draft.units[unit][0])
                state, accepted = draft.states[unit]
                boundary = draft.default(draft.units[unit]) if state == "boundary" else None
                self.kept[own] = accepted or boundary
                self.home[own] = written(draft.units[block[0]][0])

    def _mentions(self) -> None:
        draft = self.draft
        added: dict[str, str] = {}
        for name, (text, *_), choice, _ in self._of("mention"):
            span = read(text, draft.length)
            place = next((n for n, unit in enumerate(draft.units) if span in unit), None)
            if span is None or (place is None and choice == "no"):
                self._drop(name)
            elif place is None:
                added[text] = text
            elif draft.states[place][0] == "outvoted":
                if choice == "yes":
                    for other in map(written, draft.units[place]):
                        added.pop(other, None)
                    added[text] = text
            elif draft.states[place][0] == "mention" or draft.states[place][1] == span:
                self.kept[written(draft.units[place][0])] = span if choice == "yes" else None
            else:
                self._drop(name)
        for text in added:
            self.kept[text] = read(text, draft.length)
            self.home[text] = text

    def _boundaries(self) -> None:
        known = {item["id"]: item for item in self.draft.items}
        for name, spans, choice, _ in self._of("boundary"):
            if name not in known:
                self._drop(name)
            else:
                self.kept[spans[0]] = None if choice == "no" else read(choice, self.draft.length)

    def _apart(self) -> None:
        self.alone: set[str] = set()
        units = {written(self.draft.units[n][0]) for block in self.draft.blocks for n in block}
        for name, (text, *_), choice, _ in self._of("apart"):
            if text not in units or self.home[text] == text:
                self._drop(name)
            elif choice == "yes":
                self.alone.add(text)
        for text in self.alone:
            self.home[text] = text

    def _spans(self) -> None:
        moved: dict[str, tuple[Span, str]] = {}
        for name, (text, new), choice, _ in self._of("span"):
            span = read(new, self.draft.length)
            if text not in self.kept or span is None:
                self._drop(name)
            elif choice == "yes":
                moved[text] = span, name
        for text, (span, _) in moved.items():
            if self.kept[text] is not None:
                self.kept[text] = span
        alive = [span for span in self.kept.values() if span is not None]
        self.conflicts = [
            name
            for text, (span, name) in moved.items()
            if self.kept[text] is not None and alive.count(span) > 1
        ]

    def members(self, block: str) -> list[str]:
        """The kept mentions of a block."""
        return [m for m, home in self.home.items() if home == block and self.kept[m] is not None]

    def _then(self, block: str) -> list[str]:
        for units in self.draft.blocks:
            names = [written(self.draft.units[unit][0]) for unit in units]
            if names[0] == block:
                return names
        return [block]

    def _links(self) -> None:
        self.links: list[tuple[str, str, str, str]] = []
        for name, (a, b), choice, entry in self._of("link"):
            spans = [read(text, self.draft.length) or (0,) for text in (a, b)]
            blocks = {*self.home.values()}
            if a not in blocks or b not in blocks or order(spans[0]) >= order(spans[1]):
                self._drop(name)
            elif any(
                entry.get(side) is not None and [*entry[side]] != self._then(block)
                for side, block in (("left", a), ("right", b))
            ):
                self.changed.append(name)
                self.decided.discard(name)
            elif self.members(a) and self.members(b):
                self.links.append((name, a, b, choice))

    def paths(self, left: str, right: str, noes: int) -> list[str] | None:
        """The shortest chain with so many noes; of several the one that sorts first."""
        waiting: list[tuple[list[str], str, int]] = [([], left, 0)]
        seen = {(left, 0)}
        while waiting:
            found = sorted(chain for chain, place, no in waiting if (place, no) == (right, noes))
            if found:
                return found[0]
            onward = []
            for chain, place, no in waiting:
                for name, a, b, choice in self.links:
                    step = no + (choice == "no")
                    if place in (a, b) and step <= noes:
                        onward.append(([*chain, name], b if place == a else a, step))
            waiting = [one for one in onward if (one[1], one[2]) not in seen]
            seen |= {(place, no) for _, place, no in waiting}
        return None

    def as_dict(self) -> dict[str, Any]:
        """What expected.json has of a document."""
        draft = self.draft
        void, implied, undecided = [], [], 0
        for item in draft.items:
            if "left" in item:
                a, b = item["spans"]
                if not self.members(a) or not self.members(b):
                    void.append(item["id"])
                    continue
                if item["id"] not in self.decided:
                    for choice in ("yes", "no"):
                        chain = self.paths(a, b, int(choice == "no"))
                        if chain is not None:
                            one = {"item": item["id"], "choice": choice, "chain": chain}
                            implied.append(one)
                            break
                    else:
                        undecided += 1
                    continue
            undecided += item["id"] not in self.decided
        for name, a, b, choice in self.links:
            if choice == "no" and self.paths(a, b, 0) is not None:
                self.conflicts.append(name)
        states: dict[str, int] = {}
        for state, _ in draft.states:
            states[state] = states.get(state, 0) + 1
        return {
            "annotators": draft.people,
            "mentions": states,
            "blocks": len(draft.blocks),
            "items": draft.items,
            "outvoted": draft.outvoted,
            "undecided": undecided,
            "void": sorted(void),
            "implied": implied,
            "unused": sorted(self.unused),
            "changed": sorted(self.changed),
            "conflicts": sorted(self.conflicts),
            "result": self.result(),
        }

    def result(self) -> list[list[Span]]:
        """The entities: blocks that yeses join."""
        blocks = sorted({*self.home.values()})
        entities, taken = [], set[str]()
        for block in blocks:
            if block in taken or not self.members(block):
                continue
            joined = [b for b in blocks if b == block or self.paths(block, b, 0) is not None]
            taken |= {*joined}
            kept = [self.kept[m] for b in joined for m in self.members(b)]
            entities.append(sorted((span for span in kept if span is not None), key=order))
        return sorted(entities)
