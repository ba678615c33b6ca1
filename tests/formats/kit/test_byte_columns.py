"""Files read in columns, all rows at once, are read as row by row: mentions, labels and incidents.

Sound files of each format are changed by a few pieces, lines and cells. Most changes make a file
unusual, so that it is left to the reader of rows; whatever is still read in columns must be equal.
"""

import json
import random
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from bench.annotation_files import (
    MadeCorpus,
    write_ace,
    write_ancor,
    write_ancor_bridging,
    write_corefannotator,
    write_glozz,
    write_glozz_bridging,
    write_i2b2,
    write_rich_ere,
    write_tac_queries,
)

from corefkit import Corpus
from corefkit.core.options import PLAIN, Reading
from corefkit.formats import glozz, registry, tac_queries
from corefkit.formats.corefannotator import column_reader, reader
from corefkit.formats.kit.byte_columns import ByteLines, UnfitError
from corefkit.formats.kit.xml import record_reader
from corefkit.formats.kit.xml.record_tables import RecordPieces, RecordTable
from tests.strategies import TIMES

WORDS = [f"w{n % 7}" for n in range(60)]
CLUSTERS = [
    [(0, 0), (8, 9), (30, 32)],
    [(3, 4), (20, 20)],
    [(41, 41)],
    [(12, 14), (50, 50), (55, 57), (58, 59)],
]
MADE = MadeCorpus(WORDS, CLUSTERS)
TBF = """#BeginOfDocument x
s\tx\tE1\t0,3\ta b\tLife_Die\tActual
s\tx\tE2\t8,9\tc\tLife_Die\tOther\tmore
# a remark
s\tx\tE3\t12,19\tdé\tConflict_Attack\tActual
@Coreference\tR1\tE1,E3
#EndOfDocument
#BeginOfDocument y
s\ty\tE1\t4,8\te\tLife_Die\tActual
s\ty\tE4\t0,2\tf\tLife_Die\tGeneric
@Coreference\tR1\tE4,E1
#EndOfDocument
"""
TBF_TOKENS = re.sub(r"(\d+),(\d+)\t", lambda m: f"t{m[1]},t{int(m[1]) + 1}\t", TBF)
TBF_PARTS = (
    TBF.replace("0,3\t", "5,7;0,3\t")
    .replace("8,9\t", "8,9;9,12\t")
    .replace("4,8\t", "4,8;13,16;20,21\t")
)
TBF_APART = re.sub(r"(\d+),(\d+)\t", lambda m: f"t{m[1]},t{m[2]},t{int(m[1]) + 1}\t", TBF)
EDL = """r\tm1\tAda\td1:0-2\tE1\tPER\tNAM\t1.0
r\tm2\tshe\td1:8-10\tE1\tPER\tPRO\t0.5\tmore
r\tm3\tOslo\td2:5-8\tNIL1\tGPE\tNAM\t.25

r\tm4\tBéa\td1:20-22\tNIL1\tPER\tNAM\t1
r\tm5\tOslo\td2:50-53\tE1\tGPE\tNAM\t1.0
"""
PIECES = ["", "\t", "\n", ",", ":", "-", "_", "0", "1", "9", "t", "#", "@", ";", " ", "\u00a0", "é"]
PIECES += ["\r\n", '"', "||", "12345678901", "E1", "x", "NIL1", "\x0b", "||c=", "-1", "1.5", "nan"]


def mutated(rng: random.Random, text: str) -> bytes:
    """The text with some pieces, cells or lines changed, doubled, exchanged or left out."""
    for _ in range(rng.randint(0, 3)):
        lines = text.split("\n")
        way = rng.randrange(5)
        if way == 0:
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(PIECES) + text[at + rng.randrange(3) :]
        elif way == 1:
            number, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[number], lines[other] = lines[other], lines[number]
            text = "\n".join(lines)
        elif way == 2:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "\n".join(lines)
        elif way == 3:
            del lines[rng.randrange(len(lines))]
            text = "\n".join(lines)
        else:
            pieces = re.findall(r"\w+|\W", text) or [""]
            number = rng.randrange(len(pieces))
            pieces[number] = rng.choice(pieces)
            text = "".join(pieces)
    data = text.encode("utf-8")
    return data.replace(b"w", b"\xff", 1) if rng.random() < 0.03 else data


def content(corpus: Corpus) -> dict[str, object]:
    """Everything that a corpus says, as values that can be compared."""
    arrays = ("tokens", "document", "start", "end", "entity", "_byte", "line", "zero", "referring")
    said: dict[str, object] = {
        name: None if getattr(corpus, name) is None else np.asarray(getattr(corpus, name)).tolist()
        for name in (*arrays, "minimum")
    }
    labels, links, parts = corpus.mention_labels, corpus.links, corpus.parts
    said["labels"] = labels and {name: labels.values(name) for name in labels.columns}
    said["distinct"] = labels and {
        name: len({*column.values}) == len(column.values) for name, column in labels.columns.items()
    }
    said["links"] = links and [links.kind.tolist(), links.source.tolist(), links.target.tolist()]
    said["parts"] = parts and [(row, parts.nodes(row)) for row in parts.row.tolist()]
    said |= {"names": corpus.names, "unit": corpus.unit, "of entities": corpus.labels}
    said["incidents"] = [incident.to_dict() for incident in corpus.incidents]
    for source in corpus.sources:
        listed = getattr(source, "listed", None)
        if listed is not None:
            sentences = None if listed.sentences is None else listed.sentences.tolist()
            said["tokens of the file"] = listed.words and list(listed.words), sentences
            said["texts"] = listed.texts
    return said


def both_ways(
    name: str,
    files: Callable[[random.Random], bytes],
    readings: list[Reading],
    monkeypatch: pytest.MonkeyPatch,
    path: str = "file",
) -> None:
    """Compare the two readings of many files; a good part must be read in columns."""
    module = import_module(f"corefkit.formats.{name.replace('-', '_')}")
    in_rows = module._parse_lines
    rng, number, by_rows = random.Random(name), 400 * TIMES, list[bytes]()

    def count(data: bytes, *others: object) -> Corpus:
        by_rows.append(data)
        corpus: Corpus = in_rows(data, *others)
        return corpus

    def refuse(data: bytes) -> ByteLines:
        del data
        raise UnfitError

    for _ in range(number):
        data, reading = files(rng), rng.choice(readings)
        with monkeypatch.context() as patch:
            patch.setattr(module, "_parse_lines", count)
            one = module.parse(data, path, reading)
        with monkeypatch.context() as patch:
            patch.setattr(ByteLines, "of", refuse)
            other = module.parse(data, path, reading)
        assert content(one) == content(other), data.decode(errors="replace")
    assert len(by_rows) < number * 0.95


@pytest.mark.parametrize(
    ("name", "sound", "readings"),
    [
        ("tac-edl", [EDL], [Reading()]),
        (
            "tbf",
            [TBF, TBF_TOKENS, TBF_PARTS, TBF_APART],
            [Reading(), Reading(unit="token"), Reading(unit="character")],
        ),
    ],
)
def test_lists(
    name: str, sound: list[str], readings: list[Reading], monkeypatch: pytest.MonkeyPatch
) -> None:
    both_ways(name, lambda rng: mutated(rng, rng.choice(sound)), readings, monkeypatch)


def test_i2b2(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write_i2b2(MADE, tmp_path)
    sound = {file: file.read_text() for file in tmp_path.iterdir()}

    def changed(rng: random.Random) -> bytes:
        for file, text in sound.items():
            file.write_bytes(mutated(rng, text) if rng.random() < 0.3 else text.encode())
        return path.read_bytes()

    both_ways("i2b2", changed, [Reading()], monkeypatch, str(path))


TAGS = re.compile(r"<[^>]*>|[^<]+")
XML_PIECES = ["", " ", "\n", "&amp;", "&", '"', ">", "é", "\U0001f600", "0", "7", "99", "#", "u1"]


def xml_mutated(rng: random.Random, text: str) -> bytes:
    """The file with some tags and texts exchanged, doubled or left out, or characters changed."""
    pieces = TAGS.findall(text)
    for _ in range(rng.randint(0, 2)):
        at, way = rng.randrange(len(pieces)), rng.randrange(4)
        if way == 0:
            pieces[at] = ""
        elif way == 1:
            pieces[at] = rng.choice(pieces)
        elif way == 2:
            value = rng.choice(re.findall(r'"[^"]*"', text))
            pieces[at] = re.sub(r'"[^"]*"', value, pieces[at], count=1)
        else:
            place = rng.randrange(len(pieces[at]) + 1)
            other = rng.choice(XML_PIECES)
            pieces[at] = pieces[at][:place] + other + pieces[at][place + rng.randrange(2) :]
    return "".join(pieces).encode()


def refused(*_: object) -> NoReturn:
    raise UnfitError


def write_annotator(corpus: MadeCorpus, folder: Path) -> Path:
    """A file of CorefAnnotator."""
    path = folder / "made.xmi"
    clusters = [[[a, b] for a, b, _ in own] for _, own in corpus.by_entity()]
    record = {"text": corpus.text, "entities": clusters, "includes": [[] for _ in clusters]}
    made = registry.get_format("rucoco").parse(json.dumps(record).encode(), "made", PLAIN)
    write = registry.get_format("corefannotator").write
    assert write is not None
    path.write_bytes(next(iter(write(made, str(path)).files.values())))
    return path


def write_every_play(corpus: MadeCorpus, folder: Path) -> Path:
    """A file of CorefAnnotator in which more mentions have flags and parts, and some no entity."""
    path = write_corefannotator(corpus, folder)
    text = path.read_text()
    text = text.replace(' Entity="11"', "", 1).replace('Entity="12"/>', 'Entity="12" Flags="8 x"/>')
    text = re.sub(
        r'begin="(\d+)" end="\d+" Entity="13"/>', r'begin="\1" end="\1" Entity="13"/>', text
    )
    path.write_text(text)
    return path


def write_made_ids(corpus: MadeCorpus, folder: Path) -> Path:
    """Glozz with relations that name units by author and date."""
    path = write_glozz_bridging(corpus, folder)
    path.write_text(path.read_text().replace('<term id="u', '<term id="eva_'))
    return path


def write_surfaces(corpus: MadeCorpus, folder: Path) -> Path:
    """The second version of CorefAnnotator, in which mentions name their surfaces."""
    path = write_corefannotator(corpus, folder)
    text = re.sub(
        r'<v1:Mention xmi:id="(\d+)" (sofa="10" begin="\d+" end="\d+")( [^>]*?)(/?)>',
        r'<v1:MentionSurface xmi:id="9\1" \2/><v1:Mention xmi:id="\1"\3 Surface="9\1"\4>',
        path.read_text(),
    )
    path.write_text(text.replace("api/v1.ecore", "api/v2.ecore"))
    return path


def write_queries(corpus: MadeCorpus, folder: Path) -> Path:
    """Queries for every span once: of several mentions the confidence would decide."""
    spans = dict.fromkeys(span for cluster in corpus.clusters for span in cluster)
    return write_tac_queries(MadeCorpus(corpus.words, [[*spans][::2], [*spans][1::2]]), folder)


def write_answers(corpus: MadeCorpus, folder: Path) -> Path:
    """Queries of two documents, whose answers have a heading and some no confidence."""
    path = write_queries(corpus, folder)
    path.write_text(re.sub(r"(w[0-3]</name><docid>)made", r"\n\1other", path.read_text()))
    answers = path.with_suffix(".tab")
    lines = answers.read_text().splitlines()[::-1]
    lines[::3] = [line.removesuffix("1.0") for line in lines[::3]]
    answers.write_text("\n".join(["query_id\tkb\ttype\tconfidence", *lines, ""]))
    return path


LONGER = MadeCorpus(WORDS, [*CLUSTERS, *([(n, n), (n + 1, n + 2)] for n in range(5, 50, 3))])
XML: list[tuple[str, Callable[[MadeCorpus, Path], Path]]] = [
    ("ace", write_ace),
    ("rich-ere", write_rich_ere),
    ("tac-queries", write_queries),
    ("tac-queries", write_answers),
    ("glozz", write_glozz),
    ("glozz", write_glozz_bridging),
    ("glozz", write_made_ids),
    ("ancor-tei", write_ancor),
    ("ancor-tei", write_ancor_bridging),
    ("corefannotator", write_annotator),
    ("corefannotator", write_every_play),
    ("corefannotator", write_surfaces),
]


@pytest.mark.parametrize(("name", "write"), XML)
def test_xml(
    name: str,
    write: Callable[[MadeCorpus, Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In columns, from lists of the same records, and from what expat tells: one corpus."""
    path = write(LONGER, tmp_path)
    sound = {file: file.read_text() for file in tmp_path.iterdir()}
    parse, rng = registry.get_format(name).parse, random.Random(write.__name__)
    number, quick = 250 * TIMES, 0
    asked = list[object]()

    def count(table: RecordTable) -> RecordPieces:
        if table._pieces is None:
            raise UnfitError
        asked.append(table)
        return table._pieces

    for _ in range(number):
        for file, text in sound.items():
            if file != path and rng.random() < 0.1:
                file.write_bytes(mutated(rng, text))
        data = xml_mutated(rng, sound[path])
        asked.clear()
        with monkeypatch.context() as patch:
            patch.setattr(RecordTable, "pieces", property(count))
            corpus = parse(data, str(path), PLAIN)
        quick += bool(asked)
        with monkeypatch.context() as patch:
            patch.setattr(RecordTable, "pieces", property(refused))
            assert content(parse(data, str(path), PLAIN)) == content(corpus), data.decode()
            for module in (record_reader, glozz, column_reader, tac_queries):
                patch.setattr(module, "find_records", refused)
            assert content(parse(data, str(path), PLAIN)) == content(corpus), data.decode()
    assert quick > number / 5


@pytest.mark.parametrize(
    ("begin", "end", "kind"),
    [(3, 3, "span-empty"), (4, 3, ""), (3, 4, None), (10**6, 10**6 + 9, ""), (10**6, 5, "")],
)
def test_units_of_glozz_without_a_place(
    begin: int, end: int, kind: str | None, tmp_path: Path
) -> None:
    """One unit of a file that is sound otherwise: it is reported, and the others are read."""
    path = write_glozz(LONGER, tmp_path)
    ends = rf'index="{begin}"/></start><end><singlePosition index="{end}"'
    pattern = r'index="\d+"/></start><end><singlePosition index="\d+"'
    path.write_text(re.sub(pattern, ends, path.read_text(), count=1))
    corpus = registry.get_format("glozz").parse(path.read_bytes(), str(path), PLAIN)
    lost = 0 if kind is None else 1
    assert [i.id for i in corpus.incidents if i.severity == "error"] == [
        kind or "span-outside"
    ] * lost
    assert corpus.mentions == LONGER.mentions - lost


def test_bridges_of_glozz_in_a_file_that_is_read_row_by_row(tmp_path: Path) -> None:
    """Its first unit is empty; a relation with one end is no bridge."""
    path = write_glozz_bridging(LONGER, tmp_path)
    text = re.sub(
        r'index="\d+"(/></start><end><singlePosition) index="\d+"',
        r'index="3"\1 index="3"',
        path.read_text(),
        count=1,
    )
    path.write_text(text.replace('<term id="u20"/><term id="u19"/>', '<term id="u20"/>'))
    links = registry.get_format("glozz").parse(path.read_bytes(), str(path), PLAIN).links
    assert links is not None
    assert (links.source.tolist(), links.target.tolist()) == ([8, 28], [7, 27])


@pytest.mark.parametrize(("name", "write"), XML)
def test_sound_xml_is_not_read_row_by_row(
    name: str,
    write: Callable[[MadeCorpus, Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write(LONGER, tmp_path)
    monkeypatch.setattr(RecordTable, "rows", property(refused))
    monkeypatch.setattr(record_reader, "walk", refused)
    monkeypatch.setattr(reader, "walk", refused)
    monkeypatch.setattr(tac_queries, "walk", refused)
    corpus = registry.get_format(name).parse(path.read_bytes(), str(path), PLAIN)
    assert corpus.mentions >= LONGER.mentions - 3


def test_queries_without_their_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, reading = write_answers(LONGER, tmp_path), Reading(ends="exclusive")
    text = path.read_text()
    longer = re.sub(r"<end>(\d+)", lambda m: f"<end>{int(m[1]) + 1}", text).encode()
    corpus = tac_queries.parse(longer, str(path), reading)
    assert content(corpus) == content(tac_queries.parse(text.encode(), str(path), PLAIN))
    shorter = tac_queries.parse(text.encode(), str(path), reading)  # some have nothing in them
    monkeypatch.setattr(tac_queries, "find_records", refused)
    assert content(tac_queries.parse(longer, str(path), reading)) == content(corpus)
    assert content(tac_queries.parse(text.encode(), str(path), reading)) == content(shorter)


@pytest.mark.parametrize(
    ("name", "text", "reading"),
    [
        ("tbf", TBF_PARTS, Reading()),
        ("tbf", TBF_APART, Reading()),
    ],
)
def test_sound_lists_are_not_read_line_by_line(
    name: str, text: str, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module(f"corefkit.formats.{name}"), "_parse_lines", refused)
    assert registry.get_format(name).parse(text.encode(), "file", reading).mentions
