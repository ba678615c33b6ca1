"""Key and response of different formats, brought to the same documents and the same tokens."""

from collections.abc import Collection
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from corefkit.data.arrays import BoolArray
from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident
from corefkit.data.names import Pairing, forms, pair_names
from corefkit.data.options import Options, UsageError

Documents = str | PathLike[str] | Collection[str]
"""Which documents: "all", "common", a file with one name a line, or a collection of names."""


def same_names(key: Corpus, response: Corpus, options: Options) -> tuple[Corpus, list[Incident]]:
    """The response with the names that its documents have in the key."""
    pairing = pair_names(key, response, exact=options.pair == "exact")
    found = list(pairing.incidents)
    if pairing.rewritten:
        found.append(_rewritten(response, pairing))
    if pairing.names == response.names:
        return response, found
    return replace(response, names=pairing.names), found


def same_unit(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides in tokens, where one of them counts characters and the other tokens."""
    if key.unit == response.unit:
        return key, response, []
    from corefkit.formats.characters import to_tokens

    try:
        if key.unit == "token":
            response, found = to_tokens(response, key)
        else:
            key, found = to_tokens(key, response)
    except DataError as error:
        return key, response, list(error.incidents)
    return key, response, found


def wanted_documents(key: Corpus, response: Corpus, wanted: Documents) -> BoolArray:
    """bool (documents of the key,): those that are scored."""
    if isinstance(wanted, str) and wanted == "common":
        return np.isin(np.array(key.names), np.array(response.names))
    listed = _listed(wanted)
    return np.array([name in listed or bool(forms(name) & listed) for name in key.names], bool)


def _listed(wanted: Documents) -> set[str]:
    """The names of a list, or in a file of one name a line."""
    if not isinstance(wanted, str | PathLike):
        return set(wanted)
    try:
        text = Path(fspath(wanted)).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"documents: choose all, common or a file with one name a line; {fspath(wanted)!r} "
            f"cannot be read ({error})"
        ) from None
    return {line.strip() for line in text.splitlines() if line.strip()}


def left_out(documents: BoolArray, key: Corpus) -> list[Incident]:
    """A warning that says how many documents of the key are not scored."""
    number = int((~documents).sum())
    if not number:
        return []
    first = key.names[int(np.flatnonzero(~documents)[0])]
    message = f"{number:,} of {len(documents):,} documents of the key are left out of the score"
    hint = "you asked for this with --documents"
    found = f"e.g. {first!r}"
    return [Incident("documents-left-out", "warning", message, found=found, hint=hint)]


def _rewritten(response: Corpus, pairing: Pairing) -> Incident:
    number = len(pairing.rewritten)
    theirs, ours = pairing.rewritten[0]
    return Incident(
        "names-rewritten",
        "warning",
        f"{number:,} document(s) of the response are paired with documents of the key that are "
        "written otherwise",
        file=response.sources[0].path if len(response.sources) == 1 else None,
        found=repr(theirs),
        expected=repr(ours),
        hint="this is the first of them; --pair exact pairs identical names only",
    )
