"""Documents of the oracle as corpora of corefkit."""

from collections.abc import Iterable, Mapping, Sequence

from corefkit import Corpus, Scores, score
from corefkit.core.incidents import errors
from corefkit.formats.conll.reader import parse
from corefkit.metrics.base import Score
from tests.oracle.applications import Counts, Document, Side, Table
from tests.oracle.conll import Span

Counted = dict[str, dict[str, int]]


def conll(documents: Sequence[Document], side: str) -> str:
    """The documents as a file with words, tags, speakers and named entities."""
    lines = []
    for number, document in enumerate(documents):
        chains: Side = document.side(getattr(document, f"{side}_chains"))
        cells: list[list[str]] = [[] for _ in document.tags]
        for label, chain in enumerate(chains.chains):
            for start, end in chain:
                if start == end:
                    cells[start].append(f"({label})")
                else:
                    cells[start].append(f"({label}")
                    cells[end].append(f"{label})")
        names = name_cells(document.names, len(document.tags))
        lines.append(f"#begin document (nw/d{number}); part 000")
        for place, tag in enumerate(document.tags):
            cell = "|".join(cells[place]) or "-"
            word = f"w{place % 3}"
            lines.append(f"d 0 {place} {word} {tag} * - - - S{place % 2} {names[place]} {cell}")
            if place % 4 == 3:
                lines.append("")
        lines.append("\n#end document")
    return "\n".join(lines) + "\n"


def name_cells(names: Mapping[Span, str], tokens: int) -> list[str]:
    """Named entities as cells; they must nest."""
    opens: list[list[str]] = [[] for _ in range(tokens)]
    closes = [0] * tokens
    for (start, end), name in sorted(names.items(), key=lambda item: (item[0][0], -item[0][1])):
        opens[start].append(f"({name}")
        closes[end] += 1
    return ["".join(o) + "*" + ")" * c for o, c in zip(opens, closes, strict=True)]


def nested(spans: Iterable[Span]) -> list[Span]:
    """Spans without those that cross an earlier one."""
    kept: list[Span] = []
    for start, end in spans:
        if not any(a < start <= b < end or start < a <= end < b for a, b in kept):
            kept.append((start, end))
    return kept


def corpora(documents: Sequence[Document]) -> tuple[Corpus, Corpus]:
    """Key and response. Mentions of one entity must nest, as in any file."""
    key = parse(conll(documents, "key").encode(), "key.conll")
    told = list(key.incidents)
    response = parse(conll(documents, "response").encode(), "response.conll")
    also = list(response.incidents)
    assert not errors([*told, *also])
    return key, response


def scores(sides: tuple[Corpus, Corpus], metric: str, variant: str = "paper") -> Scores:
    return score(*sides, metric, variant=variant, tagset="penn")


def counted(found: Score) -> Counted:
    """A score in the words of the oracle."""
    classes = {name: dict(part.counts) for name, part in (found.classes or {}).items()}
    return {**classes, "TOTAL": dict(found.counts)}


def table(expected: Table) -> Counted:
    """A table of the oracle in the same words."""
    return {n: vars(c) for n, c in [*expected.classes.items(), ("TOTAL", expected.total)]}


def values(counts: Counts) -> tuple[float, float, float]:
    recall, precision, f1 = counts.score()
    return float(recall), float(precision), float(f1)
