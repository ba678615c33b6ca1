"""The packages of corefkit and which imports which, as a picture; `tools/site.py` puts it there."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "corefkit"
LAYERS = {
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
"""The layers from the top to the bottom: imports go down."""

_WIDTH, _HEIGHT, _GAP, _LEFT = 330, 34, 12, 20


def modules(package: str) -> list[Path]:
    """The modules of a package."""
    return sorted((SOURCE / package).rglob("*.py"))


def imports() -> Counter[tuple[str, str]]:
    """How many modules of one package import from another."""
    found: Counter[tuple[str, str]] = Counter()
    for package in LAYERS:
        for file in modules(package):
            names = {
                node.module.split(".")[1]
                for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
                if isinstance(node, ast.ImportFrom)
                and node.module
                and node.module.startswith("corefkit.")
            }
            found.update((package, name) for name in names if name in LAYERS and name != package)
    return found


def draw() -> str:
    """The picture as SVG."""
    top_of = {package: 20 + i * (_HEIGHT + _GAP) for i, package in enumerate(LAYERS)}
    height = 20 + len(LAYERS) * (_HEIGHT + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="760" height="{height}" fill="#fff"/>',
    ]
    right = _LEFT + _WIDTH
    for (above, below), number in sorted(imports().items()):
        top, bottom = (top_of[package] + _HEIGHT / 2 for package in (above, below))
        reach = right + 30 + (bottom - top) * 0.62
        parts.append(
            f'<path d="M{right} {top} C{reach:.0f} {top} {reach:.0f} {bottom} {right} {bottom}" '
            f'fill="none" stroke="#27698d" stroke-opacity="0.45" '
            f'stroke-width="{0.6 + number / 4:.2f}"><title>{above} → {below}: '
            f"{number}</title></path>"
        )
    for package, what in LAYERS.items():
        y, number = top_of[package], len(modules(package))
        parts.append(
            f'<rect x="{_LEFT}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" '
            'fill="#eef4f8" stroke="#27698d"/>'
            f'<text x="{_LEFT + 10}" y="{y + 22}"><tspan font-weight="bold">{package}</tspan> '
            f'<tspan fill="#555" font-size="12">{what} · {number}</tspan></text>'
        )
    return "\n".join([*parts, "</svg>", ""])
