"""Which documents are scored: all of the key, those of both sides, or those of a list."""

from collections.abc import Collection
from dataclasses import replace
from os import PathLike, fspath
from typing import NamedTuple

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Incident, make_incident
from corefkit.data.names import forms
from corefkit.data.options import Options, UsageError
from corefkit.data.texts import quote, texts_of

Documents = str | PathLike[str] | Collection[str]
"""Which documents: "all", "common", a file with one name a line, or a collection of names."""


def choose_documents(options: Options, documents: Documents) -> tuple[Options, frozenset[str]]:
    """The options that say which documents are scored, and their names where these are listed.

    Options from a signature say it already; UsageError where they say that there was a list.
    """
    if isinstance(documents, str) and documents == "all":
        if options.documents == "listed":
            raise UsageError(
                "the signature is of some documents: list them, with documents= or --documents FILE"
            )
        return options, frozenset()
    if isinstance(documents, str) and documents == "common":
        return replace(options, documents="common"), frozenset()
    return replace(options, documents="listed"), _listed(documents)


def _listed(wanted: Documents) -> frozenset[str]:
    """The names of a list, or in a file of one name a line."""
    if not isinstance(wanted, str | PathLike):
        return frozenset(texts_of("documents", wanted))
    try:
        from pathlib import Path

        text = Path(fspath(wanted)).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"documents: choose all, common or a file with one name a line; {fspath(wanted)!r} "
            f"cannot be read ({error})"
        ) from None
    return frozenset(line.strip() for line in text.splitlines() if line.strip())


class Wanted(NamedTuple):
    """The names of the documents that are scored, and what there is to tell."""

    documents: set[str]
    incidents: tuple[Incident, ...] = ()


def common_documents(key: Corpus, response: Corpus) -> Wanted:
    """The documents of the key that the response has, too."""
    return _told(key, {*key.names} & {*response.names})


def listed_documents(key: Corpus, listed: frozenset[str]) -> Wanted:
    """The documents of the key that are listed; a name may be in any form that formats give it.

    Raises UsageError where there is none.
    """
    found = {name: {name, *forms(name)} & listed for name in key.names}
    chosen = {name for name, some in found.items() if some}
    if key.names and not chosen:
        raise UsageError(
            f"documents: the key has none of the {len(listed):,} that are listed, but e.g. "
            f"{quote(key.names[0])}"
        )
    return _told(key, chosen, sorted(listed.difference(*found.values())))


def _told(key: Corpus, chosen: set[str], unknown: Collection[str] = ()) -> Wanted:
    """How many documents are not scored, and how many names of a list the key does not have."""
    incidents = []
    if left := [name for name in key.names if name not in chosen]:
        number, everything, found = len(left), len(key.names), f"e.g. {quote(left[0])}"
        incidents.append(
            make_incident("documents-left-out", number=number, all=everything, found=found)
        )
    if unknown:
        found = f"e.g. {quote(next(iter(unknown)))}"
        incidents.append(make_incident("documents-unknown", number=len(unknown), found=found))
    return Wanted(chosen, tuple(incidents))
