"""Mark-up in running text, by annotators and language models: markdown, tags, seq2seq and others.

`inline` has the syntaxes that mark spans of characters, `words` those that mark words.
"""

from corefkit.formats.markup import inline, words, writer
from corefkit.formats.registry import Format

_HOLDS = frozenset({"singletons"})
_TEXT = _HOLDS | {"text"}
_NAMED = _TEXT | {"names"}
_WORDS = _HOLDS | {"words"}

MARKDOWN = Format(
    name="markdown",
    title="running text, [mentions](#1) as Markdown links",
    parse=inline.parse_markdown,
    unit="character",
    holds=_TEXT,
    options=("lenient",),
    suffixes=(".md",),
)
TAGS = Format(
    name="tags",
    title='running text, <coref id="1">mentions</coref> in tags',
    parse=inline.parse_tags,
    unit="character",
    holds=_TEXT,
    options=("lenient",),
    suffixes=(".tags",),
)
SACR = Format(
    "sacr",
    "SACR",
    inline.parse_sacr,
    unit="character",
    holds=_NAMED,
    options=("lenient",),
    suffixes=(".sacr",),
)
WINOBIAS = Format(
    name="winobias",
    title="WinoBias sentences with [one entity] and (another)",
    parse=inline.parse_winobias,
    unit="character",
    holds=_NAMED,
    options=("lenient",),
    suffixes=(".txt",),
)
SEQ2SEQ = Format(
    name="seq2seq",
    title="words and marks of sequence models, <m> mention | 1 </m>",
    parse=words.parse_seq2seq,
    holds=_WORDS,
    options=("lenient",),
    suffixes=(".txt",),
)
TEXT2TEXT = Format(
    name="text2text",
    title="words and marks of the CRAC tasks for language models, word|[e1]",
    parse=words.parse_text2text,
    write=writer.write_text2text,
    holds=_WORDS | {"zeros"},
    options=("lenient",),
    suffixes=(".txt",),
)
