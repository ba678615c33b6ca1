"""ECB+: tokens, markables anchored to tokens, and relations that join markables.

X.xml:
    <Document doc_name="1_1ecb.xml"><token t_id="1" sentence="0">Ada</token>
    <token t_id="2" sentence="0">slept</token><Markables>
    <HUMAN_PART_PER m_id="1"><token_anchor t_id="1"/></HUMAN_PART_PER>
    <ACTION_STATE m_id="2"><token_anchor t_id="2"/></ACTION_STATE>
    <HUMAN_PART_PER m_id="3" TAG_DESCRIPTOR="Ada"/></Markables>
    <Relations><CROSS_DOC_COREF note="HUM1"><source m_id="1"/><target m_id="3"/></CROSS_DOC_COREF>
    </Relations></Document>
"""

from xml.etree.ElementTree import Element

from corefkit.core.columns import run_lengths
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import Reading, UsageError
from corefkit.formats.format import IN_WORDS, Format, Look
from corefkit.formats.kit.building import reader
from corefkit.formats.kit.draft import Draft, corpus_of
from corefkit.formats.kit.tree import read_tree, text_of
from corefkit.formats.options import LAYER

_LAYERS = ("events", "entities")
_RELATIONS = ("INTRA_DOC_COREF", "CROSS_DOC_COREF")


@reader
def parse(data: bytes, path: str, reading: Reading, collector: Collector) -> Corpus:
    """The document of one file: events and entities, or one of the two with `layer`."""
    layer = reading.get("layer")
    if layer not in (None, *_LAYERS):
        raise UsageError(f"layer: ECB+ has {' and '.join(_LAYERS)}, not {layer!r}")
    tree = read_tree(data, collector)
    name = next((e.get("doc_name") for e in tree.elements if e.tag == "Document"), None)
    tokens = [e for e in tree.elements if e.tag == "token"]
    number: dict[str, int] = {}
    for index, token in enumerate(tokens):
        number.setdefault(token.get("t_id", ""), index)
    words, lengths = [*map(text_of, tokens)], run_lengths(e.get("sentence", "") for e in tokens)
    draft = Draft(name, collector, words=words, lengths=lengths)
    draft.prefix = f"{name} "
    relations = [e for group in tree.root.iter("Relations") for e in group]
    names = {e.get("note", "") for e in relations if e.tag in _RELATIONS}
    for e in (markable for group in tree.root.iter("Markables") for markable in group):
        id, anchors = e.get("m_id", ""), [a.get("t_id", "") for a in e.iter("token_anchor")]
        if not anchors or layer not in (None, _layer(e)):
            draft.declare(id, tree.line[e])
        else:
            unknown = [anchor for anchor in anchors if anchor not in number]
            runs = runs_of(sorted({number[a] for a in anchors if a in number}))
            runs = [(-1, -1)] if unknown else [(first, last + 1) for first, last in runs]
            draft.mention(id, runs, tree.line[e], shown="".join(f"token {a}" for a in unknown[:1]))
        if layer in (None, _layer(e)):
            draft.unread["type"] += bool(anchors)
            draft.unread.update(n for n, v in e.items() if v.strip() and not _is_held(n, v, names))
    called: dict[str, str] = {}
    for relation in relations:
        if relation.tag not in _RELATIONS:
            draft.unread["relation"] += 1
            continue
        ids = [e.get("m_id", "") for e in relation if e.tag in ("source", "target")]
        draft.link(ids, tree.line[relation])
        known = next((id for id in ids if id in draft), None)
        if known is not None and (note := relation.get("note")):
            draft.link([called.setdefault(note, known), known], tree.line[relation])
            draft.call(known, note, tree.line[relation])
    if called:
        collector.note("cross-document", number=len(called))
    return corpus_of("ecbplus", data, [draft], collector, has_ids=True)


def _layer(markable: Element) -> str:
    return "events" if markable.tag.removeprefix("NEG_").startswith("ACTION") else "entities"


def _is_held(name: str, value: str, names: set[str]) -> bool:
    """Whether an attribute is read; the name of an instance is, if it is that of an entity."""
    return name == "m_id" or (name == "instance_id" and value in names)


def topic_of(name: str) -> str:
    """The topic of a document: the part of its name before the first `_`."""
    return name.partition("_")[0]


FORMAT = Format(
    "ecbplus",
    "ECB+ XML",
    parse,
    holds=IN_WORDS | {"crossing", "parts"},
    options=(LAYER,),
    looks=(Look(begins=rb"<", near=rb"<Document\s[^>]{0,500}?\bdoc_name="),),
    suffixes=(".xml",),
    topic=topic_of,
)
