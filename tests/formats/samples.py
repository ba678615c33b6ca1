"""A small sound file of every format, to be broken; and what must stand beside it."""

import io
import json
import zipfile
from pathlib import Path

from corefkit import Corpus
from corefkit.formats import registry

_ROW = {"doc_key": "x", "sentences": [["a", "b"], ["c"]], "clusters": [[[0, 1], [2, 2]]]}
_JSON: dict[str, object] = {
    "subtoken": {"subtoken_map": [0, 0], "sentences": [["a", "##b"]], "clusters": [[[0, 1]]]},
    "lingmess": {"doc_key": "x", "tokens": ["a", "b"], "clusters": [[[0, 1]]]},
    "fastcoref": {"text": "a b", "clusters": [[[0, 1]]], "clusters_strings": [["a"]]},
    "allennlp": {"document": ["a", "b"], "clusters": [[[0, 1]]]},
    "corenlp-json": {
        "sentences": [{"tokens": [{"word": "a"}]}],
        "corefs": {"1": [{"sentNum": 1, "startIndex": 1, "endIndex": 2}]},
    },
    "doccano": {
        "id": 1,
        "text": "a b c",
        "entities": [
            {"id": 10, "label": "M", "start_offset": 0, "end_offset": 1},
            {"id": 11, "label": "M", "start_offset": 2, "end_offset": 3},
        ],
        "relations": [{"from_id": 11, "to_id": 10, "type": "coref"}],
    },
    "label-studio": [
        {
            "id": 7,
            "data": {"text": "a b c"},
            "annotations": [
                {
                    "completed_by": 1,
                    "was_cancelled": False,
                    "result": [
                        {"id": "m", "type": "labels", "value": {"start": 0, "end": 1, "text": "a"}},
                        {"id": "n", "type": "labels", "value": {"start": 2, "end": 3, "text": "b"}},
                        {"from_id": "n", "to_id": "m", "type": "relation", "labels": ["coref"]},
                    ],
                }
            ],
        }
    ],
    "cas-json": {
        "%TYPES": {},
        "%FEATURE_STRUCTURES": [
            {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "a b"},
            {"%ID": 2, "%TYPE": "x.CoreferenceLink", "begin": 0, "end": 1, "@next": 3},
            {"%ID": 3, "%TYPE": "x.CoreferenceLink", "begin": 2, "end": 3},
            {"%ID": 4, "%TYPE": "x.CoreferenceChain", "@first": 2},
        ],
    },
}
_XMI = (
    b'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:x="http:///x.ecore">\n'
    b'<x:CoreferenceLink xmi:id="2" begin="0" end="1" next="3"/>\n'
    b'<x:CoreferenceLink xmi:id="3" begin="2" end="3"/>\n'
    b'<x:CoreferenceChain xmi:id="4" first="2"/>\n'
    b'<x:Sofa xmi:id="1" sofaString="a b"/>\n</xmi:XMI>\n'
)
_GAP = "ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref URL"
_TEXTS: dict[str, bytes] = {
    "s2e-predictions": b'{"x": [[[0, 1]]]}\n{"x": [0, 0, 1]}\n',
    "links": b"doc\tstart\tend\tante_start\tante_end\tp\nx\t2\t2\t0\t1\t0.9\nx\t4\t4\t_\t_\t0.5\n",
    "mention-table": b"document,start,end,entity\nx,0,1,1\nx,2,2,1\n",
    "litbank-tsv": b"MENTION\tT1\t0\t0\t0\t1\ta b\tPER\tNOM\nCOREF\tT1\tx-0\n",
    "arrau": b"TOKEN MARKABLE MIN REFERENCE\na B-m=s word_1 new\nb I-m=s word_1 old\n",
    "semeval2010": b"#begin document a\n1\tb\t_\t_\t_\t_\t_\t_\t_\t_\t_\t(1\n2\tc"
    b"\t_\t_\t_\t_\t_\t_\t_\t_\t_\t1)\n",
    "corenlp-xml": b"<root><document><sentences><sentence><tokens><token><word>a</word></token>"
    b"</tokens></sentence></sentences><coreference><coreference><mention><sentence>1</sentence>"
    b"<start>1</start><end>2</end></mention></coreference></coreference></document></root>",
    "conllua": b"# global.columns = ID FORM IDENTITY\n# newdoc id = x\n"
    b"1\ta\t(EntityID=1|MarkableID=m1\n2\tb\t)\n3\tc\t(EntityID=1|MarkableID=m2)\n",
    "gap": _GAP.replace(" ", "\t").encode()
    + b"\nx-1\tAda saw Bea when she fell.\tshe\t17\tAda\t0\tTRUE\tBea\t8\tFALSE\tu\n",
    "gap-answers": b"x-1\tTRUE\tFALSE\nx-2\tFALSE\tFALSE\n",
    "ontonotes": b'<DOC DOCNO="x@1">\n<TEXT PARTNO="000">\n'
    b'<COREF ID="1" TYPE="IDENT">a b</COREF> *T*-1 '
    b'<COREF ID="1" TYPE="IDENT">c</COREF> .\n</TEXT>\n</DOC>\n',
    "muc": b'<DOC>\n<DOCNO> x </DOCNO>\n<TXT>\n<s> <COREF ID="1">a</COREF> &amp; '
    b'<COREF ID="2" REF="1" TYPE="IDENT">b</COREF> . </s>\n</TXT>\n</DOC>\n',
    "tei": b'<TEI><text><p><rs ref="#x">a <rs ref="#y #z">b</rs></rs> c '
    b'<rs ref="#x">d</rs></p></text></TEI>',
    "mmax2": b"<mmax_project><words>a_words.xml</words></mmax_project>",
    "ecbplus": b'<Document doc_name="x.xml"><token t_id="1" sentence="0">a</token>'
    b'<token t_id="2" sentence="1">b</token><Markables>'
    b'<HUMAN m_id="1"><token_anchor t_id="1"/></HUMAN>'
    b'<HUMAN m_id="2"><token_anchor t_id="2"/></HUMAN><HUMAN m_id="3"/></Markables>'
    b'<Relations><CROSS_DOC_COREF note="N1"><source m_id="1"/><source m_id="2"/>'
    b'<target m_id="3"/></CROSS_DOC_COREF></Relations></Document>',
    "ancor-tei": b'<TEI><text><u><w xml:id="w1">a</w> <w xml:id="w2">b</w></u>'
    b' <pc xml:id="w3">c</pc>'
    b'</text><standOff><spanGrp subtype="mention"><span xml:id="m1" from="#w1" to="#w2"/></spanGrp>'
    b'<spanGrp subtype="mention.discontinuous"><span xml:id="m2" target="#w3 #w1"/></spanGrp>'
    b'<linkGrp subtype="chain"><link target="#m1 #m2"/></linkGrp></standOff></TEI>',
    "glozz": b'<annotations><unit id="u1"><metadata><author>e</author>'
    b"<creation-date>1</creation-date>"
    b"</metadata><characterisation><type>M</type></characterisation><positioning><start>"
    b'<singlePosition index="0"/></start><end><singlePosition index="1"/></end>'
    b"</positioning></unit>"
    b'<unit id="u2"><characterisation><type>M</type></characterisation><positioning><start>'
    b'<singlePosition index="2"/></start><end><singlePosition index="3"/></end>'
    b"</positioning></unit>"
    b'<schema id="s"><characterisation><type>c</type></characterisation><positioning>'
    b'<embedded-unit id="e_1"/><embedded-unit id="u2"/></positioning></schema></annotations>',
    "rich-ere": b'<deft_ere doc_id="x"><entity id="e" type="PER">'
    b'<entity_mention offset="0" length="1">'
    b'<mention_text>a</mention_text></entity_mention><entity_mention offset="2" length="1">'
    b"<mention_text>b</mention_text></entity_mention></entity></deft_ere>",
    "ace": b'<source_file><document DOCID="x"><entity ID="e" TYPE="PER"><entity_mention><extent>'
    b'<charseq START="0" END="2">a b</charseq></extent><head><charseq START="2" END="2">b</charseq>'
    b"</head></entity_mention></entity></document></source_file>",
    "i2b2": b'c="a b" 1:0 1:1||c="c" 1:2 1:2||t="coref person"\n',
    "tac-edl": b"r\tM1\ta\tx:0-0\tE1\tPER\tNAM\t1.0\nr\tM2\tb\ty:2-2\tE1\tPER\tNOM\t0.5\n",
    "tac-queries": b'<kbpentlink><query id="q1"><name>a</name><docid>x</docid><beg>0</beg>'
    b"<end>0</end></query></kbpentlink>",
    "xmi": _XMI,
    "json-answers": b'{"doc_key": "x", "response": "[a [b](#2)](#1) c [d](#1)"}\n',
    "markdown": b"[a [b](#2)](#1) c [d](#1)\n",
    "tags": b'<coref id="1">a <coref id="2">b</coref></coref> c <coref id="1">d</coref>\n',
    "seq2seq": b"<m> a <m> b | 2 </m> | 1 </m> c <m> d | 1 </m>\n",
    "sacr": b'{M1:head="1" a {M2 b}} c {M1 d}\n',
    "winobias": b"1 [a] b (c) d [e] (f) .\n",
}


def _archive(project: bool) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        if project:
            archive.writestr(zipfile.ZipInfo("b.xmi"), _XMI)
        archive.writestr(zipfile.ZipInfo("TypeSystem.xml"), b"<typeSystemDescription/>")
        archive.writestr(zipfile.ZipInfo("a.xmi"), _XMI)
    return packed.getvalue()


def sample(name: str) -> bytes:
    """A sound file of the format."""
    if name in _TEXTS:
        return _TEXTS[name]
    if name in _JSON:
        return json.dumps(_JSON[name]).encode()
    if name in ("cas-zip", "project"):
        return _archive(name == "project")
    write = registry.get_format(name).write
    assert write is not None, f"{name} has no writer: give it a sample here"
    return next(iter(write(Corpus.from_records([_ROW]), "file").files.values()))


COMPANIONS = {
    "a.txt": b"a b c\n",
    "a.tokens": b"sentence_ID\tword\n0\ta\n0\tb\n1\tc\n",
    "a.ac": b"a b c",
    "a.sgm": b"<DOC>a b c</DOC>",
    "a.con": b'c="b" 1:1 1:1||t="person"\n',
    "a": b"a b c\nd\n",
    "a.tab": b"q1\tE1\tPER\t1.0\n",
    "a_words.xml": b'<words><word id="w1">a</word><word id="w2">b</word></words>',
    "a_coref_level.xml": b'<markables><markable id="m" span="w1..w2" coref_class="s"/></markables>',
}


def put_companions(folder: Path) -> None:
    """Write what belongs to the samples of some formats."""
    for name, data in COMPANIONS.items():
        (folder / name).write_bytes(data)


def path_of(name: str, folder: Path) -> str:
    """The path at which a sample finds its companions."""
    ends = {
        "booknlp": ".entities",
        "mmax2": ".mmax",
        "glozz": ".aa",
        "ace": ".apf.xml",
        "i2b2": ".chains",
        "tac-queries": ".xml",
    }
    return str(folder / f"a{ends.get(name, '.ann')}")
