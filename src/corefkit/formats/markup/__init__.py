"""Mark-up in running text, made by annotators or language models: Markdown, tags, and others.

markdown, X.md:
    [Ada](#1) said [[her](#1) say](#2)
tags, X.tags:
    <coref id="1">Ada</coref> said <coref id="1">her</coref> say
seq2seq, X.txt:
    <m> Ada | 1 </m> said <m> <m> her | 1 </m> say | 2 </m>
text2text, X.txt:
    Ada|[e1] said her|[e2,[e1] say|e2]
sacr, X.sacr:
    {M1 Ada} said {M2 {M1 her} say}
winobias, X.txt:
    1 [Ada] said [her] say to (Bea) .
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from corefkit.core.incidents import Incident, make_incident
from corefkit.formats.format import Format, Look
from corefkit.formats.kit.model_json import has_answer
from corefkit.formats.markup import reader, writer
from corefkit.formats.options import ReadOption

LENIENT = ReadOption(
    "lenient",
    "drop broken marks, with a warning for each.",
    "yes",
    "flag",
    formats="Mark-up",
    responses=True,
)

_HOLDS = frozenset({"singletons"})
_TEXT = _HOLDS | {"text"}
_NAMED = _TEXT | {"names"}
_WORDS = _HOLDS | {"words"}

_PRONOUN = (
    rb"(?i)\[\s{0,9}(?:s?he|him|hers?|his|they|them|theirs?|its?|(?:him|her|it)self|themsel(?:f|ves))"
    rb"\s{0,9}\]"
)

_PERSON = rb"(?i)\[\s{0,9}(?:the|an?)\s"

_of_words = partial(Format, options=(LENIENT,), suffixes=(".txt",))
_of_text = partial(_of_words, unit="character")


def _is_text(head: bytes, row: Mapping[str, Any] | None) -> bool:
    """Whether bytes that begin like JSON are a text that begins with nested mentions."""
    return row is None and b"](#" in head and has_answer(head)


def _bracketed(text: bytes) -> list[bytes]:
    """The lines with two pairs of brackets, if most have a pronoun in one; brackets are common."""
    lines = text[: 1 << 16].split(b"\n")
    bracketed = [line for line in lines if min(line.count(b"["), line.count(b"]")) > 1]
    pronouns = sum(bool(re.search(_PRONOUN, line)) for line in bracketed)
    return bracketed if 2 * pronouns > len(bracketed) else []


def _is_winobias(text: bytes) -> bool:
    """Whether lines are those of WinoBias: numbered, or each with [the person] and [a pronoun]."""
    lines = _bracketed(text)
    if not lines or any(re.search(rb"\[[^\]]*\[", line) for line in lines):
        return False
    return all(re.match(rb"\s*\d{1,9}\s", line) for line in lines) or all(
        line.count(b"[") == 2 and re.search(_PRONOUN, line) and re.search(_PERSON, line)
        for line in lines
    )


def bare_mentions(data: bytes, path: str) -> Incident | None:
    """The error for a text with mentions in brackets, but without entities."""
    if re.match(rb'\s*(?:[<{]|\[\s*[{"])', data) or not _bracketed(data):
        return None
    mention = re.search(_PRONOUN, data)
    assert mention
    line = data.count(b"\n", 0, mention.start()) + 1
    found = mention[0].decode()
    expected = f"{found}(#1)"
    return make_incident(
        "entity-missing", "brackets", at=line, file=path, found=found, expected=expected
    )


MARKDOWN = _of_text(
    "markdown",
    "running text, [mentions](#1) as Markdown links",
    reader.parse_markdown,
    writer.write_markdown,
    holds=_TEXT,
    looks=(
        Look(marks=rb"\]\(#"),
        Look(head=_is_text),
    ),
    suffixes=(".md",),
    answers=True,
)
TAGS = _of_text(
    "tags",
    'running text, <coref id="1">mentions</coref> in tags',
    reader.parse_tags,
    writer.write_tags,
    holds=_TEXT,
    looks=(Look(marks=rb"<coref\s(?:[^>]{0,500}?\s)?id\s*="),),
    suffixes=(".tags",),
    answers=True,
)
SEQ2SEQ = _of_words(
    "seq2seq",
    "words and marks of sequence models, <m> mention | 1 </m>",
    reader.parse_seq2seq,
    holds=_WORDS,
    looks=(Look(marks=rb"<m>"),),
    model_words=True,
    answers=True,
)
TEXT2TEXT = _of_words(
    "text2text",
    "words and marks of the CRAC tasks for language models, word|[e1]",
    reader.parse_text2text,
    writer.write_text2text,
    holds=_WORDS | {"zeros"},
    looks=(Look(marks=rb"\|(?:[^\s|]{0,500},)?\[e\w|\|[^\s|]{0,500}\be\w{1,99}\](?!\()"),),
    model_words=True,
    task_text=True,
    answers=True,
)
SACR = _of_text(
    "sacr",
    "SACR",
    reader.parse_sacr,
    holds=_NAMED,
    looks=(Look(lacks=rb"<", marks=rb'\{\w[^\s:{}]{0,500}(:[^\s={}]{1,500}="|\s)'),),
    suffixes=(".sacr",),
)
WINOBIAS = _of_text(
    "winobias",
    "WinoBias sentences with [one entity] and (another)",
    reader.parse_winobias,
    holds=_NAMED,
    looks=(Look(lacks=rb"<", marks=_PRONOUN, test=_is_winobias),),
)
