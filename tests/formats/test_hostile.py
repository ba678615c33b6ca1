"""Files that gave a wrong number in silence: each is an incident, or is read as it says."""

import io
import zipfile
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest

import corefkit
from corefkit.core.incidents import DataError
from corefkit.core.options import PLAIN
from corefkit.formats import spacy
from corefkit.formats.kit.detection import detect
from tests.formats.samples import sample
from tests.support import run

XMI = (
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
    'xmlns:c="http:///c.ecore">'
    '<cas:Sofa xmi:id="1" sofaString="Ada saw her."/>{more}'
    '<c:CorefLink xmi:id="2" sofa="1" begin="0" end="3" next="3"/>'
    '<c:CorefLink xmi:id="3" sofa="{sofa}" begin="8" end="11"/>'
    '<c:CorefChain xmi:id="{chain}" first="2"/>{chains}</xmi:XMI>'
)


def xmi(more: str = "", sofa: str = "1", chain: str = "4", chains: str = "") -> str:
    return XMI.format(more=more, sofa=sofa, chain=chain, chains=chains)


TEI = "<TEI><text><p>caf{e} <rs ref='#a'>Ada</rs> saw <rs ref='#a'>her</rs></p></text></TEI>"
CAS = (
    '{{"%TYPES": {{}}, "%FEATURE_STRUCTURES": [{{"%ID": 1, "%TYPE": "uima.cas.Sofa", '
    '"sofaString": "Ada saw her."}}, {{"%ID": {link}, "%TYPE": "c.CorefLink", "@sofa": {sofa}, '
    '"begin": 0, "end": 3}}, {{"%ID": 4, "%TYPE": "c.CorefChain", "@first": 2}}]}}'
)
OUTSIDE = '<!DOCTYPE TEI SYSTEM "tei.dtd">'
ONTONOTES = '<DOC DOCNO="a@b"><TEXT PARTNO="000">\n<COREF ID="1" TYPE="{0}">Ada</COREF> slept\n{1}'
MUC = (
    '<DOC><DOCNO>1</DOCNO><TXT><COREF ID="1">Ada</COREF> '
    '<COREF ID="2" TYPE="{0}" REF="1">she</COREF>{1}'
)


def found(text: str | bytes, path: Path, name: str = "x.txt") -> list[str]:
    file = path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [incident.id for incident in corefkit.check(file)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (xmi(chain="3"), "id-twice"),
        (xmi(chains='<c:CorefChain xmi:id="5" first="3"/>'), "link-in-two-chains"),
        (xmi(more='<cas:Sofa xmi:id="9" sofaString="He"/>', sofa="9"), "sofa-differs"),
        (CAS.format(link=2, sofa=7), "sofa-differs"),
        (CAS.format(link=4, sofa=1), "id-twice"),
        (OUTSIDE + TEI.format(e="&eacute;"), "xml-entity"),
        (OUTSIDE + xmi().replace("Ada saw", "Ad&aacute; saw"), "xml-entity"),
        (f"<!DOCTYPE TEI [<!ENTITY % x SYSTEM 'y'> %x;]>{TEI.format(e='&eacute;')}", "xml-entity"),
        (ONTONOTES.format("ident", "</TEXT></DOC>"), "type-unknown"),
        (ONTONOTES.format("IDENT", ""), "tag-unclosed"),
        (MUC.format("ident", "</TXT></DOC>"), "type-unknown"),
        (MUC.format("IDENT", ""), "tag-unclosed"),
        ("He said [sic] that [the] man slept.\n", "no-document"),
        ("a [,{x}] b [,{y}]\n", "no-document"),
        ('{"a": "[the] man saw [him]"}', "format-unknown"),
        (
            "<configuration><pattern>%d [%t] [%X{id}] [it]</pattern></configuration>",
            "format-unknown",
        ),
    ],
)
def test_what_was_read_in_silence(text: str, kind: str, tmp_path: Path) -> None:
    assert kind in found(text, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        xmi(),
        CAS.format(link=2, sofa=1),
        TEI.format(e="é"),
        OUTSIDE + TEI.format(e="&#233;&amp;"),
        ONTONOTES.format("IDENT", "</TEXT></DOC>"),
        ONTONOTES.format("APPOS", "</TEXT></DOC>"),
        MUC.format("IDENT", "</TXT></DOC>"),
        MUC.format("PART", "</TXT></DOC>"),
        "1 [The pilot] thanked the cook because [she] slept.\n",
    ],
)
def test_the_same_without_the_defect(text: str, tmp_path: Path) -> None:
    assert not set(found(text, tmp_path)) - {"no-mention"}


def test_the_attribute_id(tmp_path: Path) -> None:
    text = (
        '<coref data-id="7" id="1">Ada</coref> saw <coref title=\'an id="9"\' id="1">her</coref> '
        '<coref xml:id="3" id="1">own</coref>'
    )
    (tmp_path / "x.tags").write_text(text)
    assert len(corefkit.read(tmp_path / "x.tags").labels) == 1
    assert "entity-missing" in found(
        '<coref id="1">a</coref> <coref data-id="7">b</coref>', tmp_path
    )


def zipped(*names: str, text: str = "", packing: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        archive.writestr("TypeSystem.xml", "<x/>")
        for name in names:
            archive.writestr(name, text or xmi())
    return buffer.getvalue()


def test_all_documents_of_an_archive(tmp_path: Path) -> None:
    (tmp_path / "two.zip").write_bytes(zipped("a.xmi", "b.xmi", "__MACOSX/._a.xmi"))
    corpus = corefkit.read(tmp_path / "two.zip")
    assert corpus.names == ("a", "b")
    assert corpus.document.tolist() == [0, 0, 1, 1]
    (tmp_path / "one.zip").write_bytes(zipped("a.xmi"))
    assert corefkit.read(tmp_path / "one.zip").names == ("one.zip",)
    written = run("convert", tmp_path / "two.zip", tmp_path / "two.jsonlines", "--to", "e2e")
    assert written.status == 0
    assert len((tmp_path / "two.jsonlines").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (zipped("exportedproject1.json"), "no-document"),
        (zipped("a.xmi", "a.json"), "json-syntax"),
        (zipped("a.xmi", "b.xmi", text=xmi(chain="3")), "id-twice"),
    ],
)
def test_archives_that_are_refused(data: bytes, kind: str, tmp_path: Path) -> None:
    assert kind in found(data, tmp_path, "x.zip")


def test_several_annotators_are_not_read_as_one(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(zipped("a/anna.xmi", "a/ben.xmi", "b/anna.xmi"))
    with pytest.raises(corefkit.DataError, match="annotator-missing"):
        corefkit.read(path)


def test_other_archives_are_not_text(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("exportedproject42.json", "{Ada she} {x y}")
    data = buffer.getvalue()
    assert detect(data) == "project"
    assert found(data, tmp_path, "x.zip") == ["no-document"]
    assert "a zip archive with exportedproject42.json" in run("check", tmp_path / "x.zip").out


def test_damaged_lzma(tmp_path: Path) -> None:
    data = bytearray(zipped("a.xmi", packing=zipfile.ZIP_LZMA, text=xmi()))
    at = data.find(b"a.xmi") + len("a.xmi") + 4
    data[at : at + 40] = b"\xff" * 40
    assert found(bytes(data), tmp_path, "x.zip") == ["file-unreadable"]


def test_attributes_that_are_declared(tmp_path: Path) -> None:
    declared = f"<!DOCTYPE TEI [<!ATTLIST p n CDATA '{'a' * 10_000}'>]>"
    assert found(declared + TEI.format(e=""), tmp_path) == ["xml-entity"]
    short = "<!DOCTYPE TEI [<!ATTLIST p n CDATA 'a'>]>"
    assert found(short + TEI.format(e=""), tmp_path) == []


@pytest.mark.parametrize("blank", [b"\x0b", b"\x0c", b" \x0b ", b"\x0b\x0c"])
@pytest.mark.parametrize(
    "rows",
    [b"a 0 0 Ada (1)\n", b"1\tAda\t_\t(1)\n", b"1 Ada (1)\n", b"1 Ada _ _ _ _ _ _ _ _ _ (1)\n"],
)
def test_vertical_tabs_and_form_feeds(blank: bytes, rows: bytes, tmp_path: Path) -> None:
    for body in (blank + b"\n" + rows, rows + blank + b"\n"):
        data = b"#begin document (a); part 000\n" + body + b"\n#end document\n"
        assert "coreference-text" in found(data, tmp_path)


@pytest.mark.parametrize("cells", [12, 5])
def test_numbers_of_thousands_of_digits(cells: int, tmp_path: Path) -> None:
    row = "\t".join([*["_"] * (cells - 2), "(1)"])
    text = f"#begin document a\n1\t{row}\n{'9' * 5000}\t{row}\n\n#end document\n"
    assert "internal-error" not in found(text, tmp_path)
    kinds = {i.id for i in corefkit.check(tmp_path / "x.txt", format="semeval2010")}
    assert "token-number" in kinds


def test_a_broken_file_of_a_folder_is_what_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(TEI.format(e=""))
    (tmp_path / "b.xml").write_text(TEI.format(e="")[:-3])
    assert [i.id for i in corefkit.check(tmp_path)] == ["xml-syntax"]


@pytest.mark.parametrize("rows", [["1\t0\t0"], ["1\t5\t9", "2\t0\t0"], []])
def test_disagreements_without_tokens(rows: list[str], tmp_path: Path) -> None:
    header = "COREF\tstart_token\tend_token\tprop\tcat\ttext"
    files = [tmp_path / name / "book.entities" for name in "ab"]
    for file, own in zip(files, (rows, ["1\t1\t2"]), strict=True):
        file.parent.mkdir()
        lines = [header, *(f"{row}\tPROP\tPER\tx" for row in own), ""]
        file.write_text("\n".join(lines))
    ended = run("agree", *files, "--disagreements", tmp_path / "x.tsv")
    assert ended.status == 1
    assert f"{files[0]}: error: the corpus has no token columns [column-missing]" in ended.err


def test_a_span_of_spacy_past_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Group:
        def __iter__(self) -> None:
            raise IndexError("[E1010] the span is out of bounds")

    class Doc:
        user_data: ClassVar[dict[str, str]] = {}
        spans: ClassVar[dict[str, Group]] = {"coref_clusters_1": Group()}

    class Box:
        def __init__(self, **_: bool) -> None: ...

        def from_bytes(self, data: bytes) -> "Box":
            return self

        def get_docs(self, vocab: object) -> list[Doc]:
            return [Doc()]

    fake = SimpleNamespace(
        tokens=SimpleNamespace(DocBin=Box), vocab=SimpleNamespace(Vocab=lambda: None)
    )
    monkeypatch.setattr(spacy, "_spacy", lambda: fake)
    (incident,) = spacy.FORMAT.parse(zlib.compress(b"x"), "x.spacy", PLAIN).incidents
    assert (incident.id, incident.file) == ("file-unreadable", "x.spacy")
    assert "out of bounds" in incident.message


def test_members_without_a_name(tmp_path: Path) -> None:
    """Fuzzing damaged the length of a name; a name of nothing but "/" is none, either."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("/", "x")
        info = zipfile.ZipInfo("y")
        info.filename = ""
        archive.writestr(info, "y")
    assert found(buffer.getvalue(), tmp_path, "x.zip") == ["no-document"]


def _zipped(members: dict[str, bytes], *, encrypted: bool = False) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    whole = bytearray(packed.getvalue())
    if encrypted:  # as the flags of the first member say, there and in the directory
        whole[6] |= 1
        directory = int.from_bytes(whole[-6:-2], "little")
        whole[directory + 8] |= 1
    return bytes(whole)


@pytest.mark.parametrize("is_inner", [False, True])
def test_encrypted_members_are_named(is_inner: bool, tmp_path: Path) -> None:
    inner = _zipped({"anna.xmi": sample("xmi")}, encrypted=is_inner)
    members = {f"annotation/one.txt/{name}.zip": inner for name in ("anna", "ben")}
    path = tmp_path / "project.zip"
    path.write_bytes(_zipped(members, encrypted=not is_inner))
    with pytest.raises(DataError) as refused:
        corefkit.read(f"{path}#anna")
    (incident,) = refused.value.incidents
    name = "anna.xmi" if is_inner else "annotation/one.txt/anna.zip"
    assert incident.id == "file-unreadable"
    assert incident.message.endswith(f"{name} is encrypted; pack it without a password")


def test_archives_are_not_nested_deeper_than_two(tmp_path: Path) -> None:
    inner = _zipped({"anna.xmi": sample("xmi")})
    path = tmp_path / "project.zip"
    deep = {"annotation/one.txt/anna.zip": _zipped({"a.zip": inner})}
    path.write_bytes(_zipped({**deep, "annotation/one.txt/ben.zip": inner}))
    with pytest.raises(DataError) as refused:
        corefkit.read(f"{path}#anna")
    (incident,) = refused.value.incidents
    assert incident.id == "project-member"
    assert "a.zip is an archive, too" in str(incident)
    assert corefkit.read(f"{path}#ben").mentions == 2
