"""The Perl reference scorer v8.01, bug for bug (profile conll-8.01 of the specification).

Spans become numbers, entities become lists of numbers in which copies stand as often as the
scorer sees them, and every rule is applied to these lists. What the specification leaves open:

Settled by the texts in conformance/, and by output of v8.01 that its users have published:

* The line of the version comes first; it is left out here, as in the texts. For "all", a blank
  line and "METRIC name:" precede each metric; a single metric has neither. Each metric then
  prints the lines about repeated mentions of all documents; a blank line; "====== TOTALS
  ======="; and lines of scores, each followed by 74 hyphens. blanc puts a blank line and
  "Coreference:" before its three. Recall, precision and F1 are separated by tabs.
* A refusal leaves the output standing after the eleventh line about a repeated mention, without
  the totals of that metric.
* The ratios of blanc itself are printed as (x / 1). Its F1 is the mean of the two F1, not the
  harmonic mean of its recall and precision. Only the kinds of links that the key has count, as in
  profile standard, for the corpus as a whole. (No text has a key with neither kind.)
* Scores are floating-point numbers when they are cut: n / d, then 2 * r * p / (r + p). So
  recall 3/3 and precision 3/5 have F1 74.99%, not 75%.
* bcub adds rounded numbers too: from exact sums, or from integers added up for each entity and
  divided once, two or three texts would say F1 56% and not 55.99%. Here each mention adds its
  fraction as the response entities are walked. (One fraction for each pair of entities gives the
  same texts, but in a few small documents of a hundred another percentage.)
* A removed response mention counts nowhere, not even in the size of its entity.

Settled by the figures in conformance/:

* In bcub, |R ∩ K| counts all members of R that K lists, also those that belong to a later key
  entity: the members of R that belong to K add |R ∩ K| each, which may be more than their number.
* bcub and ceafe are summed in each document from 0, then over the documents. ceafe adds
  1 - (1 - phi4) as floating-point numbers along the alignment, here in the order of the key
  entities: the fifteenth digit of one figure in annotators/ is not that of the exact sum.

Settled by nothing at hand:

* The order of the documents, which moves the last digit of sums and the lines about repeated
  mentions: here that of the key. Three of the eighteen sums of bcub and ceafe over many documents
  then differ in the fifteenth digit.
* Which of several best alignments is taken, where they add other likenesses, or in another order:
  sums may differ in the last digit, and a cut percentage then by a hundredth. See `is_tied`.
* A span twice in one response entity and not in the key: both copies stay and count in sizes,
  and blanc pairs them, a coreference link of a number with itself.
* Brackets whose id is not made of ASCII digits alone are not seen: (PER1), (12a), a-3). Neither
  is any other text. Ids are compared as text: 0 is not 00.
* Brackets that do not pair, and files without documents, are refused with a ValueError; lines,
  columns and headers are read by the rules of every profile.
* A document that the response lacks is listed without its name when every document is shown.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import TypeAlias, TypedDict

from . import conll, metrics
from .conll import Span

Chain: TypeAlias = list[int]
"""The numbers of an entity's spans, in the order of completion, copies included."""

Link: TypeAlias = tuple[int, int]
"""Two numbers, the smaller first; they may be equal."""

Ratio: TypeAlias = tuple[float, float]
Printed: TypeAlias = tuple[float, float, float]
"""Recall, precision and F1 as they are printed: in percent, cut after two digits."""

Similarity: TypeAlias = Callable[[int, int, int], Fraction]
"""Common members, size of the key entity, size of the response entity."""

METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc")
MOST_REPEATS = 10
REFUSAL = (
    "Found too many repeated mentions (> 10) in the response, so refusing to score. "
    "Please fix the output.\n"
)
RULE = "-" * 74 + "\n"
ONE_TOKEN_OPEN_OR_CLOSE = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)")
DIGITS = re.compile(r"[0-9]+")


class TooManyRepeats(Exception):  # noqa: N818 - it is a refusal, not a fault
    """More mentions are repeated than the scorer bears."""


class Counts(TypedDict):
    """One line of scores."""

    recall: Ratio
    precision: Ratio
    printed: Printed


class BlancCounts(TypedDict):
    """The three lines of blanc."""

    coreference: Counts
    noncoreference: Counts
    recall: float
    precision: float
    printed: Printed


class AllCounts(TypedDict):
    """All that the scorer counts, named as in conformance/."""

    mentions: Counts
    muc: Counts
    bcub: Counts
    ceafm: Counts
    ceafe: Counts
    blanc: BlancCounts


# Reading


@dataclass
class Document:
    """The entities of a document by first sight of their ids, mentions by completion."""

    name: str
    entities: dict[str, list[Span]]


def read(text: str) -> list[Document]:
    """The documents of a CoNLL file; ValueError if brackets do not pair."""
    blocks = conll.split_documents(text.removeprefix("\ufeff"))
    if not blocks:
        raise ValueError("no document")
    return [read_document(block) for block in blocks]


def read_document(block: conll.Block) -> Document:
    """Take the one-token mentions of a token, then what it opens, then what it closes."""
    full_widths = {
        len(line.split("\t")) for _, line in block.lines if conll.trailing_empty_fields(line) == 0
    }
    entities: dict[str, list[Span]] = {}
    starts: dict[str, list[int]] = {}
    for token, (number, line) in enumerate(block.lines):
        one_token, opened, closed = brackets(conll.coreference_cell(line, full_widths))
        for entity in one_token:
            entities.setdefault(entity, []).append((token, token))
        for entity in opened:
            entities.setdefault(entity, [])
            starts.setdefault(entity, []).append(token)
        for entity in closed:
            if not starts.get(entity):
                raise ValueError(f"line {number}: {entity}) closes what is not open")
            entities[entity].append((starts[entity].pop(), token))
    for entity, still_open in starts.items():
        if still_open:
            raise ValueError(f"document {block.name!r}: ({entity} is never closed")
    return Document(block.name, entities)


def brackets(cell: str) -> tuple[list[str], list[str], list[str]]:
    """The ids of one-token mentions, of openings and of closings, each from left to right."""
    kinds: tuple[list[str], list[str], list[str]] = ([], [], [])
    for match in ONE_TOKEN_OPEN_OR_CLOSE.finditer(cell):
        for kind, entity in zip(kinds, match.groups(), strict=True):
            if entity is not None and DIGITS.fullmatch(entity):
                kind.append(entity)
    return kinds


# Numbers instead of spans


@dataclass
class Pair:
    """A key document and the response to it; lines about spans that the key repeats, and about
    each response mention that was removed.
    """

    key: list[Chain]
    response: list[Chain]
    key_repeats: list[str]
    repeats: list[str]


def pair(key: Sequence[Document], response: Sequence[Document]) -> list[Pair]:
    """The documents of the key in order, each with the response of that name, if any."""
    responses = {document.name: document.entities for document in response}
    return [
        number(list(document.entities.values()), list(responses.get(document.name, {}).values()))
        for document in key
    ]


def number(key: list[list[Span]], response: list[list[Span]]) -> Pair:
    """Number the spans of a document and remove the repeated mentions of the response."""
    numbers: dict[Span, int] = {}
    following = 0
    key_repeats: list[str] = []
    for entity in key:
        for span in entity:
            if span in numbers:
                line = f"Repeated mention in the key: {span[0]}, {span[1]} "
                key_repeats.append(f"{line}{numbers[span]}{following}\n")
            numbers[span] = following
            following += 1
    in_key = set(numbers)

    repeats: list[str] = []
    kept: list[list[Span]] = []
    seen: set[Span] = set()
    for entity in response:
        left: list[Span] = []
        for span in entity:
            if span in in_key and span in seen:
                start, end = span
                own = numbers[span]
                repeats.append(f"Repeated mention in the response: {start}, {end} {own}{own}\n")
                continue
            if span not in numbers:
                numbers[span] = following
                following += 1
            seen.add(span)
            left.append(span)
        if left:
            kept.append(left)

    return Pair(
        [[numbers[span] for span in entity] for entity in key],
        [[numbers[span] for span in entity] for entity in kept],
        key_repeats,
        repeats,
    )


# The metrics on one document: numerator and denominator of recall, then of precision


def mentions(document: Pair) -> tuple[Ratio, Ratio]:
    """Distinct spans."""
    key = {mention for entity in document.key for mention in entity}
    response = {mention for entity in document.response for mention in entity}
    return (len(key & response), len(key)), (len(key & response), len(response))


def last_entities(key: list[Chain]) -> dict[int, int]:
    """The position of the last key entity that lists a mention."""
    return {mention: position for position, entity in enumerate(key) for mention in entity}


def muc(document: Pair) -> tuple[Ratio, Ratio]:
    """Members of response entities that a later member joins in the same key entity."""
    last = last_entities(document.key)
    joined = 0
    for entity in document.response:
        owners = [last.get(mention) for mention in entity]
        joined += sum(
            owner is not None and owner in owners[position + 1 :]
            for position, owner in enumerate(owners)
        )
    return (
        (joined, sum(len(entity) - 1 for entity in document.key)),
        (joined, sum(len(entity) - 1 for entity in document.response)),
    )


def bcub(document: Pair) -> tuple[Ratio, Ratio]:
    """What each response mention's entity shares with the last key entity that lists it."""
    last = last_entities(document.key)
    recall = precision = 0.0
    for entity in document.response:
        for mention in entity:
            if mention in last:
                owner = document.key[last[mention]]
                listed = set(owner)
                shared = sum(other in listed for other in entity)
                recall += shared / len(owner)
                precision += shared / len(entity)
    return (
        (recall, sum(len(entity) for entity in document.key)),
        (precision, sum(len(entity) for entity in document.response)),
    )


def told_apart(
    key: list[Chain], response: list[Chain]
) -> tuple[list[metrics.Entity], list[metrics.Entity]]:
    """Entities as sets in which copies stay: the second copy of 7 is (7, 1).

    A copy in the key is found wherever the response lists the mention, so there each key copy is
    given a place of its own; what the response itself repeats has no partner.
    """
    most = max((entity.count(m) for entity in key for m in entity), default=1)
    ours: list[metrics.Entity] = [
        frozenset((m, entity[:place].count(m)) for place, m in enumerate(entity)) for entity in key
    ]
    theirs: list[metrics.Entity] = [
        frozenset((m, copy) for m in entity for copy in range(most)) for entity in response
    ]
    return ours, theirs


def aligned(document: Pair, similarity: Similarity) -> float:
    """The similarities of the best alignment, added in the order of the key entities."""
    key, response = told_apart(document.key, document.response)
    size = {entity: len(chain) for entity, chain in zip(response, document.response, strict=True)}

    def likeness(one: metrics.Entity, other: metrics.Entity) -> Fraction:
        return similarity(len(one & other), len(one), size[other])

    pairs = [
        pair for group in metrics.components(key, response) for pair in best_pairs(*group, likeness)
    ]
    result = 0.0
    for entity in key:
        for one, other in pairs:
            if one is entity:
                result += 1 - (1 - float(likeness(one, other)))
    return result


def best_pairs(
    key: metrics.Entities,
    response: metrics.Entities,
    likeness: Callable[[metrics.Entity, metrics.Entity], Fraction],
) -> list[tuple[metrics.Entity, metrics.Entity]]:
    """The pairs of entities, key first, in a best alignment of entities that hang together.

    One entity of the larger side after the other finds a partner or none; of all ways so far
    that use the same partners, the best is kept. Partners that nobody later wants are forgotten.
    """
    exchanged = len(key) < len(response)
    larger, smaller = (response, key) if exchanged else (key, response)
    wanted = [{i for i, other in enumerate(smaller) if one & other} for one in larger]
    best: dict[frozenset[int], tuple[Fraction, tuple[tuple[int, int], ...]]]
    best = {frozenset(): (Fraction(0), ())}
    for position, one in enumerate(larger):
        later = {i for others in wanted[position + 1 :] for i in others}
        following: dict[frozenset[int], tuple[Fraction, tuple[tuple[int, int], ...]]] = {}
        for used, (value, pairs) in best.items():
            ways = [(used, value, pairs)]
            for i in sorted(wanted[position] - used):
                two = (smaller[i], one) if exchanged else (one, smaller[i])
                ways.append((used | {i}, value + likeness(*two), (*pairs, (position, i))))
            for now_used, now_value, now_pairs in ways:
                state = now_used & later
                if state not in following or now_value > following[state][0]:
                    following[state] = now_value, now_pairs
        best = following
    _, pairs = max(best.values(), key=lambda way: way[0])
    found = [(larger[i], smaller[j]) for i, j in pairs]
    return [(two, one) for one, two in found] if exchanged else found


def is_tied(key_text: str, response_text: str) -> bool:
    """Whether some document has best alignments for phi4 that add other likenesses, or in another
    order.
    """
    for document in pair(read(key_text), read(response_text)):
        key, response = told_apart(document.key, document.response)
        size = {one: len(chain) for one, chain in zip(response, document.response, strict=True)}
        ways: dict[frozenset[int], dict[Fraction, set[tuple[Fraction, ...]]]]
        ways = {frozenset(): {Fraction(0): {()}}}
        for one in key:
            following = {used: dict(values) for used, values in ways.items()}
            for used, values in ways.items():
                for i, other in enumerate(response):
                    if i in used or not one & other:
                        continue
                    more = phi4(len(one & other), len(one), size[other])
                    there = following.setdefault(used | {i}, {})
                    best, made = max(values.items())
                    longer = {(*way, more) for way in made}
                    there.setdefault(best + more, set()).update(longer)
            ways = {used: dict([max(values.items())]) for used, values in following.items()}
        best = max(max(values) for values in ways.values())
        if len(set[tuple[Fraction, ...]]().union(*(v.get(best, set()) for v in ways.values()))) > 1:
            return True
    return False


def phi3(common: int, key: int, response: int) -> Fraction:
    """Members of the key entity, copies included, that the response entity lists."""
    del key, response
    return Fraction(common)


def phi4(common: int, key: int, response: int) -> Fraction:
    """The same, of the members of both."""
    return Fraction(2 * common, key + response)


def ceafm(document: Pair) -> tuple[Ratio, Ratio]:
    """The best alignment for the number of common mentions."""
    best = aligned(document, phi3)
    return (
        (best, sum(len(entity) for entity in document.key)),
        (best, sum(len(entity) for entity in document.response)),
    )


def ceafe(document: Pair) -> tuple[Ratio, Ratio]:
    """The best alignment for phi4."""
    best = aligned(document, phi4)
    return (best, len(document.key)), (best, len(document.response))


def links(pairs: Iterator[tuple[int, int]]) -> set[Link]:
    """Each pair once, whatever its order."""
    return {(one, other) if one < other else (other, one) for one, other in pairs}


def coreference_links(entities: list[Chain]) -> set[Link]:
    """Pairs within entities."""
    return links(pair for entity in entities for pair in combinations(entity, 2))


def noncoreference_links(entities: list[Chain]) -> set[Link]:
    """Pairs from two entities, so also a mention with itself when both list it."""
    return links(pair for two in combinations(entities, 2) for pair in product(*two))


def coreference(document: Pair) -> tuple[Ratio, Ratio]:
    """The coreference links of blanc."""
    return common(coreference_links(document.key), coreference_links(document.response))


def noncoreference(document: Pair) -> tuple[Ratio, Ratio]:
    """The non-coreference links of blanc."""
    return common(noncoreference_links(document.key), noncoreference_links(document.response))


def common(key: set[Link], response: set[Link]) -> tuple[Ratio, Ratio]:
    """Links on both sides, of those of each."""
    return (len(key & response), len(key)), (len(key & response), len(response))


# Counts and scores of a corpus


def divide(ratio: Ratio) -> float:
    """The quotient; 0/0 is 0."""
    numerator, denominator = ratio
    return numerator / denominator if denominator else 0.0


def f1(recall: float, precision: float) -> float:
    """The harmonic mean, in this order of operations; 0 if both are 0."""
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def percent(score: float) -> float:
    """Cut, not rounded."""
    return int(score * 10000) / 100


def printed(recall: float, precision: float, f: float) -> Printed:
    """Three scores in percent."""
    return percent(recall), percent(precision), percent(f)


def total(
    documents: Sequence[Pair], score_document: Callable[[Pair], tuple[Ratio, Ratio]]
) -> Counts:
    """Sum the counts of the documents, then score."""
    recall_numerator = recall_denominator = precision_numerator = precision_denominator = 0.0
    for document in documents:
        recall, precision = score_document(document)
        recall_numerator += recall[0]
        recall_denominator += recall[1]
        precision_numerator += precision[0]
        precision_denominator += precision[1]
    recall = (recall_numerator, recall_denominator)
    precision = (precision_numerator, precision_denominator)
    r, p = divide(recall), divide(precision)
    return {"recall": recall, "precision": precision, "printed": printed(r, p, f1(r, p))}


def blanc(documents: Sequence[Pair]) -> BlancCounts:
    """The means over the kinds of links that the key has."""
    kinds = [total(documents, coreference), total(documents, noncoreference)]
    in_key = [kind for kind in kinds if kind["recall"][1]]
    recalls = [divide(kind["recall"]) for kind in in_key]
    precisions = [divide(kind["precision"]) for kind in in_key]
    f1s = [f1(r, p) for r, p in zip(recalls, precisions, strict=True)]
    recall, precision, f = mean(recalls), mean(precisions), mean(f1s)
    return {
        "coreference": kinds[0],
        "noncoreference": kinds[1],
        "recall": recall,
        "precision": precision,
        "printed": printed(recall, precision, f),
    }


def mean(values: list[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


PLAIN: Mapping[str, Callable[[Pair], tuple[Ratio, Ratio]]] = {
    "mentions": mentions,
    "muc": muc,
    "bcub": bcub,
    "ceafm": ceafm,
    "ceafe": ceafe,
}


def count(key_text: str, response_text: str) -> AllCounts:
    """All counts; TooManyRepeats where the scorer refuses when it runs a single metric."""
    documents = pair(read(key_text), read(response_text))
    if sum(len(document.repeats) for document in documents) > MOST_REPEATS:
        raise TooManyRepeats(REFUSAL)
    return {
        "mentions": total(documents, mentions),
        "muc": total(documents, muc),
        "bcub": total(documents, bcub),
        "ceafm": total(documents, ceafm),
        "ceafe": total(documents, ceafe),
        "blanc": blanc(documents),
    }


# Output


@dataclass
class Run:
    """What a run of the scorer leaves behind; stdout lacks the line of the version."""

    stdout: str
    stderr: str = ""
    status: int = 0


def run(metric: str, key_text: str, response_text: str, name: str | None = "none") -> Run:
    """scorer.pl METRIC KEY RESPONSE NAME; METRIC may be all, and without a NAME it is verbose."""
    key, response = read(key_text), read(response_text)
    if name not in (None, "none"):
        key = [document for document in key if document.name == name]
    there = {document.name: document for document in response}
    documents = pair(key, response)
    stdout = ""
    repeats_so_far = 0
    for one in METRICS if metric == "all" else (metric,):
        if metric == "all":
            stdout += f"\nMETRIC {one}:\n"
        for document, counted in zip(key, documents, strict=True):
            if name == "none":
                stdout += "".join(counted.key_repeats)
            else:
                heading = f"{document.name if name or one != 'blanc' else ''}:\n"
                stdout += heading if name else ""
                stdout += listed(document) + listed(there.get(document.name))
                stdout += "" if name else heading
                stdout += "".join(counted.key_repeats)
            for line in counted.repeats:
                stdout += line
                repeats_so_far += 1
                if repeats_so_far > MOST_REPEATS:
                    return Run(stdout, REFUSAL, 1)
            if name != "none":
                stdout += identified(counted)
                stdout += scores("", total([counted], PLAIN[one])) if one != "blanc" else ""
        stdout += totals(one, documents)
    return Run(stdout)


def listed(document: Document | None) -> str:
    """The entities of a document, as they were read."""
    name = document.name if document else ""
    lines = f"====> {name}:\nFile {name}:\n"
    for number_, spans in enumerate(document.entities.values() if document else ()):
        lines += f"Entity {number_}:" + "".join(f" ({a},{b})" for a, b in spans) + "\n"
    return lines


def identified(document: Pair) -> str:
    """How many spans there are and how many were found; what the key repeats is "invented"."""
    key = {m for entity in document.key for m in entity}
    response = {m for entity in document.response for m in entity}
    copies = sum(len(entity) for entity in document.key) - len(key)
    return (
        f"Total key mentions: {len(key)}\n"
        f"Total response mentions: {len(response)}\n"
        f"Strictly correct identified mentions: {len(key & response)}\n"
        "Partially correct identified mentions: 0\n"
        f"No identified: {len(key - response)}\n"
        f"Invented: {len(response - key) + copies}\n"
    )


def output(metric: str, key_text: str, response_text: str) -> str:
    """What a run prints on stdout, without the line of the version."""
    return run(metric, key_text, response_text).stdout


def totals(metric: str, documents: Sequence[Pair]) -> str:
    """The last block of a metric's output."""
    lines = "\n====== TOTALS =======\n"
    lines += scores("Identification of Mentions", total(documents, mentions))
    if metric != "blanc":
        return lines + scores("Coreference", total(documents, PLAIN[metric]))
    counts = blanc(documents)
    lines += "\nCoreference:\n"
    lines += scores("Coreference links", counts["coreference"])
    lines += scores("Non-coreference links", counts["noncoreference"])
    return lines + scores(
        "BLANC",
        {
            "recall": (counts["recall"], 1),
            "precision": (counts["precision"], 1),
            "printed": counts["printed"],
        },
    )


def scores(name: str, counts: Counts) -> str:
    """A line of scores and the rule below it."""
    recall, precision, f = counts["printed"]
    return (
        f"{name + ': ' if name else ''}Recall: {fraction(counts['recall'])} {recall:.15g}%"
        f"\tPrecision: {fraction(counts['precision'])} {precision:.15g}%\tF1: {f:.15g}%\n{RULE}"
    )


def fraction(ratio: Ratio) -> str:
    """A numerator and a denominator."""
    numerator, denominator = ratio
    return f"({numerator:.15g} / {denominator:.15g})"
