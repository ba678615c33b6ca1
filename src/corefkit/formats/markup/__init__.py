"""Mark-up in running text, made by annotators or language models: Markdown, tags, and others."""

from functools import partial

from corefkit.formats.markup import reader, writer
from corefkit.formats.registry import Format

_HOLDS = frozenset({"singletons"})
_TEXT = _HOLDS | {"text"}
_NAMED = _TEXT | {"names"}
_WORDS = _HOLDS | {"words"}

_of_words = partial(Format, options=("lenient",), suffixes=(".txt",))
_of_text = partial(_of_words, unit="character")

MARKDOWN = _of_text(
    "markdown",
    "running text, [mentions](#1) as Markdown links",
    reader.parse_markdown,
    writer.write_markdown,
    holds=_TEXT,
    suffixes=(".md",),
    answers=True,
)
TAGS = _of_text(
    "tags",
    'running text, <coref id="1">mentions</coref> in tags',
    reader.parse_tags,
    writer.write_tags,
    holds=_TEXT,
    suffixes=(".tags",),
    answers=True,
)
SACR = _of_text("sacr", "SACR", reader.parse_sacr, holds=_NAMED, suffixes=(".sacr",))
WINOBIAS = _of_text(
    "winobias",
    "WinoBias sentences with [one entity] and (another)",
    reader.parse_winobias,
    holds=_NAMED,
)
SEQ2SEQ = _of_words(
    "seq2seq",
    "words and marks of sequence models, <m> mention | 1 </m>",
    reader.parse_seq2seq,
    holds=_WORDS,
    model_words=True,
    answers=True,
)
TEXT2TEXT = _of_words(
    "text2text",
    "words and marks of the CRAC tasks for language models, word|[e1]",
    reader.parse_text2text,
    writer.write_text2text,
    holds=_WORDS | {"zeros"},
    model_words=True,
    task_text=True,
    answers=True,
)
