"""Draw the packages of corefkit and which imports which: `python docs/pictures/house.py`."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "corefkit"
FLOORS = {
    "cli": "one module per command",
    "compat": "stand-ins for evaluators",
    "integrations": "spaCy, evaluate, processes",
    "receipts": "does a result come out again?",
    "task": "shared tasks",
    "render": "tables, texts, pages, plots",
    "audits": "what scorers and metrics do",
    "published": "results of papers",
    "adjudication": "drafts, decisions, gold",
    "corpora": "columns, layers, statistics",
    "stats": "bootstrap, tests, agreement",
    "scoring": "read, check, prepare, run",
    "analysis": "errors, repairs, shares",
    "engines": "DuckDB, Spark",
    "scorers": "whose rules; counting",
    "metrics": "one file per metric",
    "features": "features of mentions, heads",
    "formats": "one module per format",
    "alignment": "text that was changed",
    "matching": "one file per rule",
    "core": "corpus, pairs, overlap, counts",
}
"""The floors from the roof to the cellar: imports go down."""

_WIDTH, _HEIGHT, _GAP, _LEFT = 330, 34, 12, 20


def modules(floor: str) -> list[Path]:
    """The modules of a package."""
    return sorted((SOURCE / floor).rglob("*.py"))


def imports() -> Counter[tuple[str, str]]:
    """How many modules of one package import from another."""
    found: Counter[tuple[str, str]] = Counter()
    for floor in FLOORS:
        for file in modules(floor):
            names = {
                node.module.split(".")[1]
                for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
                if isinstance(node, ast.ImportFrom)
                and node.module
                and node.module.startswith("corefkit.")
            }
            found.update((floor, name) for name in names if name in FLOORS and name != floor)
    return found


def draw() -> str:
    """The picture as SVG."""
    place = {floor: 20 + i * (_HEIGHT + _GAP) for i, floor in enumerate(FLOORS)}
    height = 20 + len(FLOORS) * (_HEIGHT + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="760" height="{height}" fill="#fff"/>',
    ]
    right = _LEFT + _WIDTH
    for (above, below), number in sorted(imports().items()):
        top, bottom = (place[floor] + _HEIGHT / 2 for floor in (above, below))
        reach = right + 30 + (bottom - top) * 0.62
        parts.append(
            f'<path d="M{right} {top} C{reach:.0f} {top} {reach:.0f} {bottom} {right} {bottom}" '
            f'fill="none" stroke="#27698d" stroke-opacity="0.45" '
            f'stroke-width="{0.6 + number / 4:.2f}"><title>{above} → {below}: '
            f"{number}</title></path>"
        )
    for floor, what in FLOORS.items():
        y, number = place[floor], len(modules(floor))
        parts.append(
            f'<rect x="{_LEFT}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" '
            'fill="#eef4f8" stroke="#27698d"/>'
            f'<text x="{_LEFT + 10}" y="{y + 22}"><tspan font-weight="bold">{floor}</tspan> '
            f'<tspan fill="#555" font-size="12">{what} · {number}</tspan></text>'
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    (Path(__file__).parent / "house.svg").write_text(draw(), encoding="utf-8")
