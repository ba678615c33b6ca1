"""Make a shared task in the layout of CRAC from the example corpus: 12 systems, 17 datasets.

    python examples/made_up_task.py made-up
    corefkit task run made-up/task.toml -o made-up/results --allow-broken

Datasets are copies of key.conll with errors of their own, responses are the datasets with more of
them (corefkit study degrade). Names, teams and papers are made up, too. Some files were not sent,
and one is broken.
"""

import re
import subprocess
import sys
import warnings
from pathlib import Path

import corefkit

DATASETS = (
    "ca_patio", "cs_loft", "cs_stove", "cu_crypt", "de_garden-shed", "de_hall", "en_drawer",
    "en_porch", "es_balcony", "fr_cellar", "grc_stoa", "hbo_tent", "hu_kitchen", "lt_barn",
    "no_attic", "pl_hallway", "tr_terrace",
)  # fmt: skip

SYSTEMS = {
    "bittern": 0.060,
    "curlew": 0.062,
    "dipper": 0.068,
    "egret": 0.080,
    "finch": 0.082,
    "grebe": 0.084,
    "hoopoe": 0.10,
    "jackdaw": 0.14,
    "lapwing": 0.145,
    "merlin": 0.07,
    "nuthatch": 0.08,
    "sparrow": 0.30,
}
"""Each with the rate of its errors; sparrow is the baseline."""

NOT_SENT = {"merlin": ("hbo_tent", "grc_stoa", "cu_crypt"), "nuthatch": DATASETS[8:]}
BROKEN = ("lapwing", "tr_terrace")

ABOUT = """description = "Seventeen rooms, twelve birds: every text, system and paper is made up."
organisers = "The House of Examples"
licence = "MIT"
cite = \"\"\"
@misc{rooms,
  title = {Seventeen Rooms: a shared task that never was},
  author = {The House of Examples},
  year = {2026},
}
\"\"\"
"""


def main(folder: Path, copies: int = 3, documents: int = 8) -> None:
    """Write keys, responses and the manifest; `copies` of so many documents are a dataset."""
    text = (Path(__file__).parent / "key.conll").read_text(encoding="utf-8")
    text = "".join(re.findall(r"#begin.*?#end document\n", text, re.DOTALL)[:documents])
    for number, dataset in enumerate(DATASETS):
        key = make_key(text, dataset, copies, folder / "key.conll", drop=0.02 * number)
        name = f"{dataset}-corefud-test.conllu"
        write(key, folder / "keys" / name)
        for place, (system, rate) in enumerate(SYSTEMS.items()):
            if dataset in NOT_SENT.get(system, ()):
                continue
            rates = {"split": rate, "merge": rate, "drop": rate, "span": rate / 2, "invent": rate}
            response = corefkit.degrade(key, seed=place + 2, **rates).corpus
            write(response, folder / "responses" / system / name)
    system, dataset = BROKEN
    broken = folder / "responses" / system / f"{dataset}-corefud-test.conllu"
    broken.write_text(re.sub(r"Entity=\(\w+", "Entity=(", broken.read_text(), count=1))
    write_manifest(folder)


def make_key(text: str, dataset: str, copies: int, scratch: Path, drop: float) -> corefkit.Corpus:
    """The documents, so many times and each with errors of its own, without so many mentions."""
    named = (text.replace("/00/", f"/{dataset}-{copy}/") for copy in range(copies))
    scratch.parent.mkdir(parents=True, exist_ok=True)
    scratch.write_text("".join(named), encoding="utf-8")
    corpus = corefkit.read(scratch)
    scratch.unlink()
    return corefkit.degrade(corpus, drop=drop, split=0.05).corpus


def write(corpus: corefkit.Corpus, path: Path) -> None:
    """Write a corpus, and its folder if there is none; what CorefUD cannot say is left out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(action="ignore"):
        corefkit.write(corpus, path)


def write_manifest(folder: Path) -> None:
    """What `corefkit task init` makes of the files, and what it cannot know."""
    init = ["task", "init", str(folder), "--layout", "crac", "--name", "Seventeen rooms"]
    subprocess.run([sys.executable, "-m", "corefkit", *init], check=True)
    manifest = folder / "task.toml"
    lines = [manifest.read_text(encoding="utf-8").replace("[scoring]", f"{ABOUT}\n[scoring]")]
    for system in SYSTEMS:
        lines.append(f"\n[systems.{system}]\n")
        if system == "sparrow":
            lines.append('baseline = true\ndescription = "same head, same entity"\n')
            continue
        lines.append(f'team = "University of {system.capitalize()}"\n')
        lines.append(f'paper = "https://example.org/{system}.pdf"\n')
        lines.append(f'code = "https://example.org/{system}"\n')
    lines.append("\n[significance]\nsamples = 2000\n")
    manifest.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
