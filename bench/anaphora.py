"""Reading of CoNLL-UA files, the keys of the conformance data, against CoNLL files."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.corefud import twelve_columns
from bench.measure import fastest
from bench.table import Row, at_most, not_measured, seconds, without_limit
from corefkit.formats.conll import reader as conll
from corefkit.formats.conll import write as write_conll
from corefkit.formats.conllua import reader as conllua
from corefkit.formats.kit.convert import reduce
from corefkit.formats.kit.files import load

_ROUNDS = 5
_AT_LEAST = 0.1
_LIMIT = 3
_MISSING = "no conformance data beside the checkout"
_WHAT = "reading a real CoNLL-UA key / the same tokens in the {} columns of {}, at worst"
_FORMS = {"12": "CoNLL-2012", "5": "`convert`"}


def rows(scratch: Path) -> Iterator[Row]:
    """Every key, both layers: the one that is slowest beside its CoNLL file."""
    shared = Path(os.environ.get("COREFKIT_SHARED") or Path(__file__).parents[2] / "shared")
    files = sorted((shared / "conformance" / "anaphora").glob("*.key.conllua.gz"))
    worst = dict.fromkeys(_FORMS, (0.0, ""))
    for file in files:
        content = load(str(file))
        for layer in ("identity", "deixis"):
            times = _times(content, layer)
            for form in _FORMS:
                name = f"{file.name.removesuffix('.key.conllua.gz')}, {layer}"
                detail = f"{name}: {seconds(times['conllua'])} / {seconds(times[form])}"
                worst[form] = max(worst[form], (times["conllua"] / times[form], detail))
    for form, whose in _FORMS.items():
        what, (ratio, detail) = _WHAT.format(form, whose), worst[form]
        if not files:
            yield not_measured(what, _MISSING)
        elif form == "12":
            yield at_most(what, ratio, _LIMIT, detail=detail)
        else:
            yield without_limit(what, ratio, detail=detail)


def _times(content: bytes, layer: str) -> dict[str, float]:
    """Seconds for the file and for CoNLL files of the same tokens and, zeros apart, mentions."""
    plain, _ = reduce(conllua.parse(content, "key", layer), frozenset())
    (lean,) = write_conll(plain, "key").files.values()
    return fastest(
        {
            "conllua": partial(conllua.parse, content, "key", layer),
            "12": partial(conll.parse, twelve_columns(lean), "key"),
            "5": partial(conll.parse, lean, "key"),
        },
        _ROUNDS,
        at_least=_AT_LEAST,
    )
