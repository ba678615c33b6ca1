"""Immediate antecedents, by hand: what the variant of the author's code passes over."""

from pathlib import Path

import pytest

import corefkit


@pytest.mark.parametrize(
    ("tags", "judged"),
    [
        # All but the first of the chain; "code" begins with the first nominal.
        (("PRP", "PRP", "NN", "NN"), 2),
        (("PRP", "PRP$", "NN", "NN"), 2),
        (("PRP$", "PRP", "PRP$", "NN"), 1),
        # Behind a nominal pronouns are judged, and other tags everywhere.
        (("NN", "PRP$", "PRP", "NN"), 3),
        (("PRP", "DT", "NN", "NN"), 3),
        # A chain without a nominal is passed over.
        (("PRP", "PRP$", "DT", "PRP"), 0),
    ],
)
def test_code_passes_over_pronouns_before_the_first_nominal(
    tmp_path: Path, tags: tuple[str, ...], judged: int
) -> None:
    lines = (f"d 0 {i} w{i} {tag} * - - - - * (1)" for i, tag in enumerate(tags))
    file = tmp_path / "tale.conll"
    file.write_text("#begin document (d); part 000\n" + "\n".join(lines) + "\n\n#end document\n")
    found = corefkit.score(file, file, "immediate", variant="code", tagset="penn")["immediate"]
    assert found.counts == {"tp": judged, "wl": 0, "fn": 0, "fp": 0}
    paper = corefkit.score(file, file, "immediate", tagset="penn")["immediate"]
    assert paper.counts["tp"] == 3
