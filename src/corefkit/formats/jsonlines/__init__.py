"""The JSON dialects of neural systems: one Format each."""

from functools import partial

from corefkit.formats.jsonlines.reader import find_links, have_ids, parse
from corefkit.formats.jsonlines.writer import write
from corefkit.formats.registry import Format

_HOLDS = frozenset({"singletons", "crossing", "words", "names"})
_SENTENCES = _HOLDS | {"sentences"}


def _format(
    name: str,
    title: str,
    holds: frozenset[str],
    *,
    written: bool = False,
    task_text: bool = False,
) -> Format:
    return Format(
        name=name,
        title=title,
        parse=partial(parse, name=name),
        write=partial(write, name=name) if written else None,
        unit="character" if name == "fastcoref" else "token",
        holds=holds,
        options=() if name == "s2e-predictions" else ("clusters", "ends"),
        suffixes=(".jsonlines", ".jsonl", ".json"),
        task_text=task_text,
        shared_ids=have_ids,
        find_links=None if name == "s2e-predictions" else partial(find_links, name=name),
    )


E2E = _format(
    "e2e", "JSON lines of e2e-coref and its descendants", _SENTENCES | {"speakers"}, written=True
)
SUBTOKEN = _format("subtoken", "JSON lines with sub-tokens (SpanBERT, coref-hoi)", _SENTENCES)
S2E = _format("s2e-predictions", "predictions of s2e-coref", _HOLDS - {"words"})
WL_COREF = _format("wl-coref", "JSON lines of wl-coref", _SENTENCES | {"speakers"}, written=True)
LINGMESS = _format("lingmess", "JSON lines of LingMess", _HOLDS)
FASTCOREF = _format(
    "fastcoref", "JSON lines of fastcoref", (_HOLDS | {"text"}) - {"names", "words"}
)
MAVERICK = _format(
    "maverick",
    "JSON of Maverick, xCoRe and text2text",
    _HOLDS | {"zeros"},
    written=True,
    task_text=True,
)
ALLENNLP = _format("allennlp", "JSON of AllenNLP", _HOLDS)
PRECO = _format("preco", "JSON lines of PreCo", _SENTENCES, written=True)
INDISCRIM = _format("indiscrim", "JSON lines of coref-data", _SENTENCES, written=True)
