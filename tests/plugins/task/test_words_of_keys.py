"""corefkit task quotes no words of a key, whatever is wrong with a response.

Every word of the keys contains SECRET; the responses have other words, so that one that is quoted
comes from a key.
"""

import json
import re
from pathlib import Path

import pytest

from corefkit.plugins.task.manifest import read_manifest
from tests.plugins.task.support import tree
from tests.support import run

SECRET, OWN = "Harbour", "vessel"


def conll(document: str, words: list[str]) -> str:
    """A document of CoNLL columns in which every second word is a mention of one entity."""
    begin = f"#begin document ({document}); part 000\n"
    rows = (
        f"{document}\t0\t{n % 4}\t{word}\t{'-' if n % 2 else '(1)'}\n" + "\n" * (n % 4 == 3)
        for n, word in enumerate(words)
    )
    return begin + "".join(rows) + "#end document\n"


def conllu(document: str, words: list[str]) -> str:
    """The same in CorefUD columns."""
    lines = [f"# newdoc id = {document}"]
    for n, word in enumerate(words):
        if n % 4 == 0:
            lines += (
                ["", f"# sent_id = {document}-{n // 4}"] if n else [f"# sent_id = {document}-0"]
            )
        entity = "_" if n % 2 else "Entity=(e1-x-1)"
        head, relation = (0, "root") if n % 4 == 0 else (1, "dep")
        lines.append(f"{n % 4 + 1}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\t{entity}")
    return "\n".join(lines) + "\n\n"


def words(stem: str) -> list[str]:
    return [f"{stem}{n}" for n in range(24)]


A, B, KEYS = words(OWN), [f"{OWN}s{n}" for n in range(24)], words(SECRET)

CONLL = {
    "lost": conll("a", A[:5] + A[6:]) + conll("b", B),
    "last-lost": conll("a", A[:-1]) + conll("b", B),
    "added": conll("a", A) + conll("b", [*B, OWN]),
    "missing": conll("a", A),
    "extra": conll("a", A) + conll("b", B) + conll("c", A),
    "none": conll("x", A) + conll("y", B),
    "words": conll("a", A) + conll("b", B),
    "bracket": conll("a", A).replace("(1)", "(1", 1) + conll("b", B),
    "cut": (conll("a", A) + conll("b", B))[:-40],
    "twice": conll("a", A) + conll("a", A),
    "copy": conll("a", KEYS) + conll("b", KEYS),
}
CONLL_KINDS = {
    *("length-differs", "document-missing", "document-extra", "no-common-document"),
    *("words-differ", "upload-broken", "document-twice", "same-file"),
}
GLOBAL = "# global.Entity = eid-etype-head\n"
COREFUD = {
    "lost": GLOBAL + conllu("a", A[:5] + A[6:]) + conllu("b", B),
    "in-sentence": GLOBAL
    + conllu("a", A).replace(f"4\t{OWN}3\t_\tX\t_\t_\t1\tdep\t_\t_\n", "")
    + conllu("b", B),
    "empty-node": GLOBAL
    + conllu("a", A).replace(
        f"2\t{OWN}1\t", f"1.1\t{OWN}\t_\tX\t_\t_\t_\t_\t0:root\t_\n2\t{OWN}1\t"
    )
    + conllu("b", B),
    "missing": GLOBAL + conllu("a", A),
    "sentence-lost": GLOBAL + conllu("a", A[:-4]) + conllu("b", B),
    "sentence-added": GLOBAL + conllu("a", [*A, *A[:4]]) + conllu("b", B),
    "sentence-named": GLOBAL + conllu("a", A).replace("id = a-1", "id = other") + conllu("b", B),
    "words": GLOBAL + conllu("a", A) + conllu("b", B),
    "copy": GLOBAL + conllu("a", KEYS) + conllu("b", KEYS),
}
COREFUD_KINDS = {
    *("length-differs", "document-missing", "sentences-missing", "sentences-extra"),
    *("sentence-differs", "words-differ", "same-file", "empty-nodes-differ"),
}


def task(folder: Path, key: str, responses: dict[str, str], form: str) -> Path:
    """A task with one key, called SECRET, and a system for each response, by the name of a file."""
    kind = "datasets" if form == "conllu" else "languages"
    place = "dev" if form == "conllu" else "dev/closed/NB"
    (folder / f"{SECRET}.{form}").write_text(key)
    manifest = f'name = "t"\n[{kind}.dev]\nkey = "{SECRET}.{form}"\n'
    for name, text in responses.items():
        file = name if "." in name else f"{name}.{form}"
        (folder / file).write_text(text)
        manifest += f'[systems.{Path(name).stem}.responses]\n"{place}" = "{file}"\n'
    if form == "conllu":
        manifest += '[scoring]\nprofile = "corefud-1.1"\n'
    path = folder / "task.toml"
    path.write_text(manifest)
    return path


KEY_WORDS = [f"{SECRET}s" if n in (5, 20) else word for n, word in enumerate(A)]
"""Those of a key most of whose text is in the responses, too."""
CHANGED = [f"other{n}" if n in (5, 20) else word for n, word in enumerate(A)]
AT = " ".join(KEY_WORDS).index(SECRET)
TEXTS = {
    "changed.md": f"[{CHANGED[0]}](#1) {' '.join(CHANGED[1:])}\n",
    "truncated.md": f"[{CHANGED[0]}](#1) {' '.join(A[1:20])}\n",
    "different.md": f"[Nobody](#1) {' '.join(B[:3])}\n",
    "added.md": f"[{CHANGED[0]}](#1) [other text](#1) {' '.join(CHANGED[1:])}\n",
    "split.json": json.dumps(
        {"text": " ".join(KEY_WORDS), "clusters": [[[0, len(OWN)], [AT + len(SECRET), AT + 8]]]}
    )
    + "\n",
}
TEXT_KINDS = {"text-changed", "text-differs", "mention-unaligned", "mention-splits-token"}


@pytest.mark.parametrize(
    ("form", "key", "responses", "kinds"),
    [
        ("conll", conll("a", KEYS) + conll("b", KEYS), CONLL, CONLL_KINDS),
        ("conllu", GLOBAL + conllu("a", KEYS) + conllu("b", KEYS), COREFUD, COREFUD_KINDS),
        ("conll", conll("a", KEY_WORDS), TEXTS, TEXT_KINDS),
    ],
)
def test_no_words_of_the_key(
    tmp_path: Path, form: str, key: str, responses: dict[str, str], kinds: set[str]
) -> None:
    """Neither a team, nor those who look at the results, are told what is in a key."""
    manifest = task(tmp_path, key, responses, form)
    systems = [Path(name).stem for name in responses]
    told = {name: run("task", "check", manifest, "--for", name).out for name in systems}
    assert [name for name, text in told.items() if SECRET in text] == []
    assert kinds - {*re.findall(r"\[([a-z-]+)\]", "".join(told.values()))} == set()
    out = tmp_path / "out"
    run("task", "run", manifest, "-o", out, "--no-plots")
    allowed = f"{SECRET}.{form}".encode()  # the path of the key in the manifest
    written = {name: text.replace(allowed, b"") for name, text in tree(out).items()}
    assert len(written) > len(responses)
    assert [name for name, text in written.items() if SECRET.encode() in text] == []


def test_a_team_is_told_where_a_token_was_lost(tmp_path: Path) -> None:
    """File, line and what stands there; not what should."""
    manifest = task(tmp_path, conll("a", KEYS) + conll("b", KEYS), CONLL, "conll")
    told = run("task", "check", manifest, "--for", "lost").out
    assert "lost.conll:2: error: the document has 24 tokens in the key and 23 in" in told
    assert f"found:    token 1: '{OWN}0'" in told
    assert "expected:" not in told


def test_parts_of_a_task_that_showed_texts(tmp_path: Path) -> None:
    """They are made again for one that does not."""
    manifest = task(tmp_path, conll("a", KEYS), {"lost": conll("a", A[1:])}, "conll")
    hidden = manifest.read_text()
    out, part = tmp_path / "out", "parts/lost/dev.closed.NB.json"
    for text, shown in ((f"show_texts = true\n{hidden}", True), (hidden, False)):
        manifest.write_text(text)
        assert read_manifest(manifest).show_texts == shown
        run("task", "run", manifest, "-o", out, "--no-plots", "--allow-broken")
        assert (SECRET in (out / part).read_text()) == shown
