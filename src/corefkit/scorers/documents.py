"""The documents of a key and a response: paired by name, converted to the same unit, chosen.

Names in different forms are paired, characters become tokens, and changed texts are aligned with
the words of the key, or put back into its file as the CRAC tasks do. The documents that are scored
are all those of the key, those that both sides have, those of either side, or those of a list.
"""

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.core.columns import MASKS
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.names import NamesInKey, forms, names_in_key
from corefkit.core.options import PLAIN, Options, UsageError
from corefkit.core.texts import quote, texts_of
from corefkit.formats.registry import format_of, named_in_one_way
from corefkit.scorers.comparison import Side

if TYPE_CHECKING:
    from corefkit.alignment.placement import PlacedCorpus


def same_names(key: Corpus, response: Corpus, options: Options) -> tuple[Corpus, list[Incident]]:
    """The response with its documents named as in the key, and what was noticed about names."""
    exact = options.refuses("names") or named_in_one_way(key, response)
    named = names_in_key(key, response, exact=exact)
    incidents = list(named.incidents)
    by_name = named.rewritten
    if not exact:
        named = _named_by_text(key, response, named)
    by_text = named.rewritten[len(by_name) :]
    for variant, rewritten in (("text", by_text), ("", by_name)):
        if rewritten:
            found, expected = map(quote, rewritten[0])
            values: dict[str, Any] = {"number": len(rewritten), "found": found}
            values |= {"file": response.path, "expected": expected}
            incidents.append(make_incident("names-rewritten", variant, **values))
    if named.names == response.names:
        return response, incidents
    return replace(response, names=named.names), incidents


def _named_by_text(key: Corpus, response: Corpus, named: NamesInKey) -> NamesInKey:
    """The names, extended by documents of both sides that have the same, unique text."""
    taken = {*named.names}
    of_key = [n for n, name in enumerate(key.names) if name not in taken]
    known = {*key.names}
    of_response = [n for n, name in enumerate(named.names) if name not in known]
    if not of_key or not of_response or key.unit != response.unit or not response.sources:
        return named
    sizes = {*key.tokens[of_key].tolist()} & {*response.tokens[of_response].tolist()} - {-1, 0}
    of_key = [n for n in of_key if int(key.tokens[n]) in sizes]
    of_response = [n for n in of_response if int(response.tokens[n]) in sizes]
    by_text = _by_text(key, of_key)
    partners = {
        numbers[0]: key.names[by_text[text][0]]
        for text, numbers in _by_text(response, of_response).items()
        if len(numbers) == 1 == len(by_text.get(text, ()))
    }
    if not partners:
        return named
    rewritten = tuple((response.names[n], name) for n, name in sorted(partners.items()))
    names = tuple(partners.get(n, name) for n, name in enumerate(named.names))
    return named._replace(names=names, rewritten=(*named.rewritten, *rewritten))


def _by_text(corpus: Corpus, documents: list[int]) -> dict[str, list[int]]:
    """These documents by their texts, without those whose text is masked or unknown."""
    from corefkit.core.tokens import document_text, document_words

    by_text: dict[str, list[int]] = {}
    try:
        words = document_words(corpus) if documents and corpus.unit == "token" else []
    except DataError:
        return by_text
    for document in documents:
        if corpus.unit == "character":
            text = document_text(corpus, document)
        else:
            masked = MASKS.issuperset(words[document])
            text = None if masked else "\n".join(words[document])
        if text is not None:
            by_text.setdefault(text, []).append(document)
    return by_text


def in_both(key: Corpus, response: Corpus) -> list[tuple[int, int]]:
    """(number in the key, number in the response) of common documents, in the response's order."""
    if key.names == response.names and len(set(key.names)) == len(key.names):  # the usual case
        return [(i, i) for i in range(len(key.names))]
    number = {name: i for i, name in enumerate(key.names)}
    return [(number[name], i) for i, name in enumerate(response.names) if name in number]


def with_documents_of(key: Corpus, response: Corpus) -> Corpus:
    """The response with exactly the documents of the key, in the order of the key."""
    if response.names == key.names:
        return response
    numbers = {old: new for new, old in in_both(key, response)}
    kept = np.isin(response.document, list(numbers))
    return response.take(kept).with_documents(key.names, numbers)


class SameUnit(NamedTuple):
    """Both sides in the same unit, and what was noticed.

    `coverage` is the share of the key's letters that the text of the response covers; None if it
    did not have to be aligned.
    """

    key: Corpus
    response: Corpus
    incidents: list[Incident]
    coverage: float | None = None


_STANDARD = Options()


def same_unit(key: Corpus, response: Corpus, options: Options = _STANDARD) -> SameUnit:
    """Both sides in tokens if one of them counts characters and the other tokens.

    If their texts differ, that of the response is aligned with the words of the key. Responses
    whose mentions have no positions get them from the key (`place_answers`).
    """
    incidents: list[Incident] = []
    try:
        answers, response = response, place_answers(key, response)
        incidents = [i for i in response.incidents if i not in answers.incidents]
        sides = _same_unit(key, response, options)
    except DataError as error:
        return SameUnit(key, response, list(error.incidents))
    return sides._replace(incidents=[*incidents, *sides.incidents])


def place_answers(key: Corpus, response: Corpus) -> Corpus:
    """The response with positions for mentions that only the key can locate, i.e. those given as
    strings or as answers to a GAP file.
    """
    placers = (format_of(source).place_answers for source in response.sources)
    placer = next(filter(None, placers), None)
    return placer(key, response) if placer else response


def _same_unit(key: Corpus, response: Corpus, options: Options) -> SameUnit:
    """Like `same_unit`, for mentions that have positions; raises DataError if it is impossible."""
    if key.unit != response.unit and _counts_nothing(response):
        unknown = np.full(len(response.names), -1, dtype=np.int64)
        return SameUnit(key, replace(response, unit=key.unit, tokens=unknown, sources=()), [])
    if key.unit != response.unit:
        return _in_tokens(key, response, options)
    if _needs_alignment(key, response, options):
        return _aligned(key, response, options)
    return SameUnit(key, response, [])


def _counts_nothing(response: Corpus) -> bool:
    """Whether the unit of a response is unknown: it has neither mentions nor text."""
    from corefkit.core.tokens import document_text

    if response.mentions:
        return False
    return not any(
        format_of(source).model_words
        or (response.unit == "character" and document_text(response, number) is not None)
        for source in response.sources
        for number in range(source.first_document, source.first_document + source.documents)
    )


def _in_tokens(key: Corpus, response: Corpus, options: Options) -> SameUnit:
    """Both sides in tokens: the one in characters is moved to the tokens of the other."""
    from corefkit.formats.kit.text import to_tokens

    if key.unit == "token":
        moved, incidents = to_tokens(response, key)
        sides = SameUnit(key, moved, incidents)
    else:
        moved, incidents = to_tokens(key, response)
        sides = SameUnit(moved, response, incidents)
    if not options.refuses("texts") and any(i.id == "text-differs" for i in incidents):
        return _aligned(key, response, options)
    return sides


def _needs_alignment(key: Corpus, response: Corpus, options: Options) -> bool:
    """Whether the texts of two corpora with the same unit differ and are to be aligned."""
    if options.refuses("texts"):
        return False
    marked = any(format_of(source).model_words for source in response.sources)
    if key.unit == "token" and not (response.sources and (marked or options.align == "characters")):
        return False
    from corefkit.core.tokens import document_text, document_words

    both = in_both(key, response)
    if key.unit == "character":
        texts = ((document_text(key, a), document_text(response, b)) for a, b in both)
        return any(None not in pair and pair[0] != pair[1] for pair in texts)
    key_words, response_words = document_words(key), document_words(response)
    return any(key_words[a] != response_words[b] for a, b in both)


def place_on_tokens(key: Corpus, response: Corpus) -> "tuple[Corpus, PlacedCorpus]":
    """The key in tokens, and the response placed on these tokens by aligning the texts.

    If the response consists of answers of language models, an answer with a different text does
    not affect the other documents.
    """
    from corefkit.alignment.placement import place

    if key.unit == "character":
        from corefkit.formats.kit.text import split_tokens

        key = split_tokens(key)
    answers = any(format_of(source).answers for source in response.sources)
    return key, place(response, key, one_by_one=answers)


def _aligned(key: Corpus, response: Corpus, options: Options) -> SameUnit:
    """Both sides in tokens, the response placed on those of the key by aligning the texts."""
    key, placed = place_on_tokens(key, response)
    moved = placed.dropped() if options.unaligned == "drop" else placed.corpus
    return SameUnit(key, moved, placed.incidents, placed.coverage)


Documents = str | PathLike[str] | Collection[str]
"""The documents to score: "all" of the key, those that both sides have in "common", the "union" of
both, a file with one name per line, or their names."""


def choose_documents(options: Options, documents: Documents) -> tuple[Options, frozenset[str]]:
    """The options with the choice of documents, and the names of the documents if they are listed.

    Options from a signature already have a choice; raises UsageError if it refers to a list that
    is not given again.
    """
    if isinstance(documents, str) and documents == "all":
        if options.documents == "listed":
            raise UsageError(
                "the signature covers only some documents: list them, with documents= or "
                "--documents FILE"
            )
        return options, frozenset()
    if isinstance(documents, str) and documents in ("common", "union"):
        return replace(options, documents=documents), frozenset()
    return replace(options, documents="listed"), _listed(documents)


def _listed(documents: Documents) -> frozenset[str]:
    """The names in a collection, or in a file with one name per line."""
    if not isinstance(documents, str | PathLike):
        return frozenset(texts_of("documents", documents))
    try:
        from pathlib import Path

        text = Path(fspath(documents)).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(
            "documents: choose all, common, union or a file with one name per line; "
            f"{fspath(documents)!r} cannot be read ({error})"
        ) from None
    return frozenset(line.strip() for line in text.splitlines() if line.strip())


def choose_of_both(
    key: Side, response: Side, documents: set[str] | None, options: Options
) -> tuple[Side, Side, set[str] | None, tuple[Incident, ...]]:
    """Both sides with the mentions of the documents that are scored, and what was left out.

    `documents` are those of the key that are listed, or None. If documents of the response alone
    are scored, too, the key gets them, without mentions.
    """
    incidents: tuple[Incident, ...] = ()
    if options.documents == "union":
        key = replace(key, corpus=with_further_documents(key.corpus, response.corpus))
        key = key.with_scored(partial(with_further_documents, response=response.corpus))
    if documents is None and options.documents == "common":
        documents, incidents = common_documents(key.corpus, response.corpus)
    if documents is not None:
        key, response = key.within(documents), response.within(documents)
    return key, response, documents, incidents


def with_further_documents(key: Corpus, response: Corpus) -> Corpus:
    """The key with the documents that only the response has, which have no mentions there."""
    known = {*key.names}
    further = tuple(name for name in response.names if name not in known)
    if not further:
        return key
    unknown = np.full(len(further), -1, dtype=np.int64)
    return replace(key, names=key.names + further, tokens=np.concatenate((key.tokens, unknown)))


def common_documents(key: Corpus, response: Corpus) -> tuple[set[str], tuple[Incident, ...]]:
    """The documents of the key that the response has, too, and an incident if it lacks some."""
    return _choice(key, {*key.names} & {*response.names})


def listed_documents(key: Corpus, listed: frozenset[str]) -> tuple[set[str], tuple[Incident, ...]]:
    """The documents of the key that are listed, and an incident if some are not.

    A name may be in any form that formats give it. Raises UsageError if no document is listed.
    """
    entries = {name: {name, *forms(name)} & listed for name in key.names}
    chosen = {name for name, entry in entries.items() if entry}
    if key.names and not chosen:
        raise UsageError(
            f"documents: the key has none of the {len(listed):,} that are listed, but e.g. "
            f"{quote(key.names[0])}"
        )
    return _choice(key, chosen, sorted(listed.difference(*entries.values())))


def _choice(
    key: Corpus, chosen: set[str], unknown: Collection[str] = ()
) -> tuple[set[str], tuple[Incident, ...]]:
    """The chosen documents, with incidents for those left out and for unknown names."""
    incidents = []
    if left_out := [name for name in key.names if name not in chosen]:
        number, total, example = len(left_out), len(key.names), f"e.g. {quote(left_out[0])}"
        incidents.append(
            make_incident("documents-left-out", number=number, all=total, found=example)
        )
    if unknown:
        example = f"e.g. {quote(next(iter(unknown)))}"
        incidents.append(make_incident("documents-unknown", number=len(unknown), found=example))
    return chosen, tuple(incidents)


def as_the_task_reads(key: Corpus, response: Corpus) -> tuple[Corpus, list[Incident]]:
    """The mentions of a text on the nodes of the key, and an incident for every repair.

    Whole words are aligned; marks on words that were replaced or added are lost. A mark that is
    closed without being open in its sentence becomes a mention of one word; a mark that is not
    closed in its sentence is left out. The defects that the reader of the text reported are
    repaired here, and reported again.

    Raises UsageError if the key is not a CorefUD file or the response not a text of the CRAC tasks.
    """
    files = [key.sources, response.sources]
    filled = None
    if all(len(sources) == 1 for sources in files):
        (key_source,), (response_source,) = files
        if format_of(response_source).task_text:
            text = response_source.data.decode("utf-8-sig", "replace")
            try:
                filled = key_source.fill_in(text, response_source.path)
            except DataError as error:
                return response, list(error.incidents)
    if filled is None:
        raise UsageError(
            "align: crac puts one text of the CRAC tasks (--response-format text2text or maverick) "
            "into one CorefUD file; see corefkit corpus text"
        )
    data, incidents = filled
    corpus = format_of(key_source).parse(data, response_source.path, PLAIN)
    return corpus, list(incidents)
