"""Application scores of files with split antecedents, which are no mentions for them."""

from pathlib import Path

import corefkit
from tests.support import run

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"
HEAD = f"# global.columns = {COLUMNS}\n# newdoc id = tale\n# sent_id = 1\n"
CELLS = {
    "Ada": "(EntityID=1|MarkableID=m1|Min=1)",
    "met": "_",
    "Bo": "(EntityID=2|MarkableID=m2|Min=3)",
    "they": "(EntityID=3|MarkableID=m3|Min=4)",
    "her": "(EntityID=1|MarkableID=m4|Min=5)",
    "him": "(EntityID=2|MarkableID=m5|Min=6)",
}
LINES = (
    "\t".join((str(i), word, *"_" * 8, cell)) for i, (word, cell) in enumerate(CELLS.items(), 1)
)
KEY = "\n".join([*LINES, "", ""])
PLURAL = "|ElementOf=3"


def test_a_plural_alone_in_its_entity_is_a_singleton(tmp_path: Path) -> None:
    """`they` has a split antecedent and no other mention: rows after it once went astray."""
    plural = KEY.replace("Min=1)", f"Min=1{PLURAL})")
    plural = plural.replace("Min=3)", f"Min=3{PLURAL})")
    for name, text in (("plain", KEY), ("plural", plural)):
        (tmp_path / f"{name}.conllua").write_text(HEAD + text, encoding="utf-8")
    for name in ("plain", "plural"):
        side = tmp_path / f"{name}.conllua"
        scores = corefkit.score(side, side, "immediate")
        assert scores["immediate"].counts == {"tp": 2, "wl": 0, "fn": 0, "fp": 0}
    sides = [tmp_path / "plural.conllua"] * 3
    done = run("outcomes", *sides, "-m", "immediate", "-f", "json")
    assert done.status == 0, done.err
