"""The format of a file, detected from its content alone, and what unknown bytes look like.

`json_detection` tells the dialects of JSON apart. Formats that are recognised but not read have a
title and advice in `UNREAD`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from corefkit.core.texts import quote, shorten

_HEAD = 4096
SEARCHED = 1 << 16
"""How many bytes are searched for a fence, and for keys in JSON that cannot be decoded."""
_BOM = b"\xef\xbb\xbf"

_EMPTY, _UTF16, _PAGE, _BINARY = "an empty file", "UTF-16 text", "a web page", "binary data"
_DESCRIPTIONS: tuple[tuple[bytes, str], ...] = (
    (rb"\s*\Z", _EMPTY),
    (rb"\x1f\x8b", "gzip data inside gzip data"),
    (rb"BZh", "a bzip2 archive"),
    (rb"\xfd7zXZ", "an xz archive"),
    (rb"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (rb"%PDF", "a PDF file"),
    (rb"(\xff\xfe|\xfe\xff)", _UTF16),
    (rb"(?s)(?:[^\x00]\x00){8}|(?:\x00[^\x00]){8}", _UTF16),
    (rb"(\xef\xbb\xbf)?\s*[\[{]", "JSON"),
    (rb"(\xef\xbb\xbf)?\s*(<!doctype html|<html)", _PAGE),
    (rb"(\xef\xbb\xbf)?\s*<", "XML or SGML"),
    (rb"# (newdoc|sent_id|global\.Entity|text =)", "CoNLL-U"),
    (rb"[^\n]*\x00", _BINARY),
)
_NOT_TEXT = {
    _EMPTY: "empty",
    _UTF16: "utf16",
    _PAGE: "page",
    _BINARY: "binary",
    "a PDF file": "binary",
    "gzip data inside gzip data": "packed",
    "a bzip2 archive": "packed",
    "an xz archive": "packed",
    "a Zstandard archive": "packed",
}
"""The variant of the incident `no-document` for files that cannot be annotations in any format."""
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
"""Characters that are rare in text. An escape is not among them: ISO 2022 uses it."""
_ARCHIVE = re.compile(rb"PK\x03\x04|BZh[1-9]1AY&SY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd")
"""How archives begin that are not unpacked; their bytes could match any other pattern."""
_CONLLU = (
    rb"(?:\xef\xbb\xbf)?\s*(?:#(?!\s*begin document)[^\n]*\n\s*)*?"
    rb"(?:#\s*(?:newdoc|newpar|sent_id|text\s*=|global\.Entity)|(?:1|1-\d+|0\.1)\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|\Z))"
)
_EXPLODED = rb"(?i)[(|]EntityID="
"""A bracket of CoNLL-UA in a file that declares no columns; CorefUD has Entity= instead."""
_GLOBAL = rb"(?m)^# global\.(Entity|columns)"
_COLUMNS_DECLARED = rb"(?m)^#\s*global\.columns"

_FIRST_LINES: tuple[tuple[str, re.Pattern[bytes]], ...] = (
    (
        "tbf",
        re.compile(
            rb"(?:#(?!BeginOfDocument\b)[^\n]*+\n\s*+)*+(?:#BeginOfDocument\b"
            rb"|(?:[^\t\n]{0,9999}+\t){3}\d+,\d+(?:;\d+,\d+)*(?:\t[^\t\n]*+){3})"
        ),
    ),
    ("i2b2", re.compile(rb'c="[^\n]*?" \d+:\d+ \d+:\d+[ \t]*\|\|')),
    (
        "tac-edl",
        re.compile(
            rb"(?:[^\t\n]{0,9999}+\t){3}[^\t\n]{1,500}?: {0,9}\d+ {0,9}(?:-|\xe2\x80\x93)"
            rb" {0,9}\d+ {0,9}(?:\t[^\t\n]*+){3}"
        ),
    ),
)
"""Formats recognised by their first line, before all other tables. The length of its first three
cells is bounded because a whole XML file may be one line."""

_XML_FIRST: tuple[tuple[str, bytes, tuple[tuple[bytes, bytes], ...]], ...] = (
    ("rich-ere", rb"<deft_ere\b", ()),
    ("ace", rb"<source_file\b", ((b"", rb"<document\s[^>]{0,500}?\bDOCID="),)),
    ("tac-queries", rb"<kbpentlink\b", ()),
    ("glozz", rb"<annotations\b", ((b"characterisation", rb"<characterisation>"),)),
    (
        "ancor-tei",
        rb"<TEI\b",
        ((b"spanGrp ", rb"<(?:tei:)?spanGrp\b"), (b"linkGrp ", rb"<(?:tei:)?linkGrp\b")),
    ),
)
"""The root of each XML dialect, and patterns that must occur somewhere in the file, each with a
word of it to look for first: words are found faster than patterns."""
_BEFORE_WORD = 1000
"""Every pattern begins fewer than this many bytes before its word."""
_ANNOTATOR = rb'xmlns:([\w.-]+)\s*=\s*["\'][^"\']*/ims/coref/annotator/api(?:/v[12])?\.ecore["\']'
"""The declaration of a namespace of CorefAnnotator; the group is its prefix."""

_XML: tuple[tuple[str, bytes], ...] = (
    ("xmi", rb"<xmi:XMI\b"),
    ("mmax2", rb"<mmax_project\b"),
    ("ecbplus", rb"<Document\s[^>]{0,500}?\bdoc_name="),
    ("tei", rb"<TEI\b"),
    ("corenlp-xml", rb"<root\b[^>]{0,500}>\s{0,500}<document\b"),
)

_TABLES: tuple[tuple[str, bytes], ...] = (
    ("arrau", rb"TOKEN[ \t]+MARKABLE\b"),
    ("arrau", rb"\S+[ \t]+[BI]-markable_\S+=\S"),
    ("gap", rb"ID\tText\tPronoun\tPronoun-offset\b"),
    ("gap-answers", rb"(?i)[^\t\n]{1,500}\t(true|false)\t(true|false)[ \r]*(\n|\Z)"),
    ("booknlp", rb"COREF\tstart_token\tend_token\b"),
    ("booknlp-tokens", rb"paragraph_ID\tsentence_ID\b"),
    ("litbank-tsv", rb"(MENTION|COREF|COP|APPOS)\tT"),
    ("brat", rb"T\d+\t\S+ \d+ \d+"),
    ("brat", rb"(R\d+\t\S+ \S+:T\d+ \S+:T\d+|\*\t\S+ T\d+ T\d+)"),
    ("brat", rb"([EAMN]\d+\t\S+[: ][TERN]\d+|#\d+\tAnnotatorNotes )"),
)
"""How the first line of a table begins."""

_MARK_UP: tuple[tuple[str, bytes], ...] = (
    ("markdown", rb"\]\(#"),
    ("tags", rb"<coref\s(?:[^>]{0,500}?\s)?id\s*="),
    ("seq2seq", rb"<m>"),
    ("text2text", rb"\|(?:[^\s|]{0,500},)?\[e\w"),
    ("text2text", rb"\|[^\s|]{0,500}\be\w{1,99}\](?!\()"),
    ("sacr", rb'\{\w[^\s:{}]{0,500}(:[^\s={}]{1,500}="|\s)'),
)
"""Marks within running text. Lengths are bounded so that no text takes quadratic time."""

_PRONOUN = (
    rb"(?i)\[\s{0,9}(?:s?he|him|hers?|his|they|them|theirs?|its?|(?:him|her|it)self|themsel(?:f|ves))"
    rb"\s{0,9}\]"
)
_BEGIN = re.compile(rb"#[ \t]*begin[ \t]+document\b")
"""Searched for before `_DOCUMENT`: a pattern that begins with a character is much faster."""
_DOCUMENT = re.compile(rb"^#[ \t]*begin[ \t]+document\b[^\n]*", re.MULTILINE)
_TOKEN_LINE = re.compile(rb"^(?!#|[ \t\r]*$)[^\n]+", re.MULTILINE)
_JSON = rb'[\[{]\s*(["\[{\]}]|\Z)'


def describe(data: bytes) -> str:
    """A phrase that says what the bytes look like.

    >>> describe(b'{"clusters": []}')
    'JSON'
    >>> describe(b"Once upon a time")
    "text that starts with 'Once upon a time'"
    """
    head = data[:_HEAD]
    if data.startswith(b"PK\x03\x04"):
        return _describe_zip(data)
    for pattern, name in _DESCRIPTIONS:
        if re.match(pattern, head, re.IGNORECASE):
            return name
    if _is_binary(data):
        return _BINARY
    line = head.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    return f"text that starts with {quote(line, 40)}"


def is_archive(data: bytes) -> bool:
    """Whether the bytes are an archive; what is in it may look like text, but is not read as such.

    >>> is_archive(b"BZh91AY&SY..."), is_archive(b"#begin document (a)")
    (True, False)
    """
    return bool(_ARCHIVE.match(data))


def missing_document(data: bytes) -> dict[str, Any]:
    """The details of the incident `no-document` for a file that has none: what it looks like."""
    looks = describe(data)
    if data.startswith(b"PK\x03\x04"):
        return {"variant": "archive", "found": looks}
    if variant := _NOT_TEXT.get(looks):
        expected = "a file in one of the formats that `corefkit formats` lists"
        place = None if data.strip() else 1
        return {"variant": variant, "at": place, "found": looks, "expected": expected}
    return {
        "found": looks,
        "expected": "a CoNLL file: '#begin document NAME', one token per line",
    }


def _is_binary(data: bytes) -> bool:
    """Whether more than one in fifty of the first bytes is a control character."""
    head = data[:_HEAD]
    return 50 * (len(head) - len(head.translate(None, _CONTROLS))) > len(head)


def _describe_zip(data: bytes) -> str:
    """A phrase about a zip archive with the names of its first files."""
    import io
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
        return "a damaged zip archive"
    listed = ", ".join(shorten(name, 40) for name in names[:5])
    return f"a zip archive with {listed}{' …' if names[5:] else ''}"


def detect(data: bytes) -> str:
    """The name of the format of the bytes; "conll" if they look like nothing else.

    The CoNLL reader then reports what is wrong.

    >>> detect(b'{"doc_key": "nw/a_0", "sentences": [["Once"]], "clusters": []}')
    'e2e'
    """
    return recognise(data) or "conll"


def recognise(data: bytes) -> str | None:
    """The name of the format of the bytes; None if they look like none."""
    if (binary := _binary(data)) or is_archive(data):
        return binary
    data = unfenced(data)
    text = data.removeprefix(_BOM).lstrip()
    if text[:1] in (b"{", b"[") and re.match(_JSON, text[:_HEAD]):
        from corefkit.formats.kit.json_detection import recognise_json

        return recognise_json(text)
    first = (name for name, pattern in _FIRST_LINES if pattern.match(text))
    if name := next(first, None) or _commented(text):
        return name
    if looks_like_conllu(data):
        return "conllua" if re.search(_EXPLODED, data[: 16 * _HEAD]) else "conllu"
    if _BEGIN.search(text) and (header := _DOCUMENT.search(text)):
        return _columns(text, header.end())
    table = next((name for name, pattern in _TABLES if re.match(pattern, text)), None)
    table = table or ("links" if _lists_links(text) else None)
    table = table or ("mention-table" if _lists_mentions(text) else None)
    return table or _tagged(text) or _unread(text) or _mark_up(text)


LINK_COLUMNS = {
    "document": ("doc", "document", "doc_key", "doc_id"),
    "start": ("start", "anaphor_start"),
    "end": ("end", "anaphor_end"),
    "antecedent_start": ("antecedent_start", "ante_start", "ant_start"),
    "antecedent_end": ("antecedent_end", "ante_end", "ant_end"),
    "score": ("score", "probability", "p"),
}
"""The columns of a link list and the names they may have, in their order in a list without a
header."""
LINK_NAMES = {name: column for column, names in LINK_COLUMNS.items() for name in names}
LINK_NEEDED = tuple(LINK_COLUMNS)[:5]
"""The required columns: all but the score."""
_LINK = (
    rb"(?:[^\t\n]*(?:\t\d+){2}(?:\t *(?:\d+|_?) *){2}(?:\t[^\t\n]*)?"
    rb'|(?:"(?:[^"\n]|"")*"|[^,"\t\n]*)(?:,\d+){2}(?:, *(?:\d+|_?) *){2}(?:,[^,\t\n]*)?)'
    rb"\r?(?:\n|\Z)"
)
"""A line of five or six cells: the second and third are numbers, the fourth and fifth are numbers
or empty."""


def _lists_links(text: bytes) -> bool:
    """Whether the first line is the header of a link list, or one of its lines."""
    line = text[:_HEAD].partition(b"\n")[0]
    if line.count(b"\t") < 4 and line.count(b",") < 4:
        return False
    cells = line.decode("utf-8", "replace").lower().split("\t" if b"\t" in line else ",")
    named = {LINK_NAMES.get(cell.strip(' "\r')) for cell in cells}
    return named.issuperset(LINK_NEEDED) or bool(re.match(_LINK, text[:_HEAD]))


class TableError(Exception):
    """A row of a table has no clear end: the line on which it begins, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


def table_rows(lines: Sequence[str], strict: bool = True) -> Iterator[list[str]]:
    """The rows of a table that are not blank; its first line shows what separates the cells.

    In a table with tabs, quotation marks are part of a cell. In one with commas they enclose a
    cell, as in any CSV. Raises TableError if a cell continues on the next line and, with `strict`,
    if a quotation mark is out of place.

    >>> [*table_rows(['Document,"text, raw"', "a,b"])]
    [['Document', 'text, raw'], ['a', 'b']]
    """
    import csv

    tabs = "\t" in next((line for line in lines if line.strip()), "")
    rows = (
        csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=strict)
        if tabs
        else csv.reader(lines, strict=strict)
    )
    line = 0
    try:
        for row in rows:
            line += 1
            if rows.line_num > line:
                raise TableError(line, "a quoted cell runs over the end of the line")
            if any(map(str.strip, row)):
                yield row
    except csv.Error as error:
        raise TableError(line + 1, str(error)) from error


def column_names(row: Sequence[str]) -> list[str]:
    """The names of columns in the first row of a table, in lower case.

    >>> column_names(["Document", " mention"])
    ['document', 'mention']
    """
    return [cell.lower().strip(' "') for cell in row]


def _lists_mentions(text: bytes) -> bool:
    """Whether the first line is the header of a table with one row per mention."""
    line = text[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace").rstrip("\r")
    try:
        names = {name for row in table_rows([line], strict=False) for name in column_names(row)}
    except TableError:
        return False
    return "entity" in names and ("mention" in names or {"start", "end"} <= names)


def _tagged(text: bytes) -> str | None:
    """The name of the SGML or XML format; None if there is no match."""
    if b"<COREF ID=" in text:
        return "ontonotes" if b"<TEXT PARTNO=" in text else "muc"
    head = text[: 16 * _HEAD] if text.startswith(b"<") else b""
    for name, root, inside in _XML_FIRST:
        if re.search(root, head) and all(_occurs(word, pattern, text) for word, pattern in inside):
            return name
    prefixes = b"|".join(map(re.escape, re.findall(_ANNOTATOR, head)))
    if prefixes and re.search(rb"<(?:" + prefixes + rb"):(?:Mention|Meta)\b", text):
        return "corefannotator"
    found = next((name for name, pattern in _XML if re.search(pattern, head)), None)
    if found == "tei" and not re.search(rb"<(?:tei:)?rs\s", text):
        found = next((name for name, mark in _UNREAD_TEI if re.search(mark, text)), found)
    return found


def _occurs(word: bytes, pattern: bytes, text: bytes) -> bool:
    """Whether a pattern that contains a word occurs in a text."""
    at = max(0, text.rfind(word) - _BEFORE_WORD) if word else 0
    search = re.compile(pattern).search
    return bool(search(text, at) or (at and search(text, 0, at + _BEFORE_WORD)))


def _unread(text: bytes) -> str | None:
    """The name of a format that is recognised but not read."""
    head = text[: 4 * _HEAD]
    return next((name for name, pattern in _UNREAD_LOOKS if re.search(pattern, head)), None)


def _mark_up(text: bytes) -> str | None:
    """The format of a running text with mark-up."""
    if _is_binary(text):  # its bytes could match any pattern
        return None
    tagged = text.startswith(b"<")  # XML with braces or brackets in its texts
    for name, pattern in _MARK_UP:
        if not (tagged and name == "sacr") and re.search(pattern, text):
            return name
    if tagged:
        return None
    # Brackets are common: the sentences of WinoBias have two pairs of them, and one is a pronoun.
    lines = text[: 16 * _HEAD].split(b"\n")
    bracketed = [line for line in lines if min(line.count(b"["), line.count(b"]")) > 1]
    pronouns = sum(bool(re.search(_PRONOUN, line)) for line in bracketed)
    return "winobias" if bracketed and 2 * pronouns > len(bracketed) else None


def _binary(data: bytes) -> str | None:
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(b"PK\x03\x04"):
        from corefkit.formats.project import recognise_archive

        return recognise_archive(data)
    packed = data[:1] == b"\x78" and len(data) > 1 and int.from_bytes(data[:2], "big") % 31 == 0
    return "spacy" if packed and _unpacks(data[:_HEAD]) else None


def _unpacks(head: bytes) -> bool:
    """Whether the bytes begin a zlib stream; the text "x " looks like its header, too."""
    import zlib

    try:
        return bool(zlib.decompressobj().decompress(head, 1))
    except zlib.error:
        return False


def _commented(text: bytes) -> str | None:
    """The format of a file that begins with a comment that identifies it."""
    if not text.startswith(b"#"):
        return None
    if text.startswith(b"#FORMAT=WebAnno TSV "):
        return "webanno" if text.startswith(b"#FORMAT=WebAnno TSV 3") else "webanno-old"
    if text.find(b"# global.", 0, 16 * _HEAD) < 0:  # ten times as fast as the pattern
        return None
    declared = re.findall(_GLOBAL, text[: 16 * _HEAD])
    return "conllu" if b"Entity" in declared else "conllua" if declared else None


def _columns(text: bytes, begin: int) -> str:
    """ "semeval2010" if the first of the columns is the number of the token, else "conll"."""
    lines = [match for match, _ in zip(_TOKEN_LINE.finditer(text, begin), range(2), strict=False)]
    if not lines:
        return "conll"
    first, *second = [_fields(line[0]) for line in lines]
    if first[0] != b"1" or 2 < len(first) < 12:
        return "conll"
    # A document called "1" has it on its second line too.
    adjacent = len(lines) == 2 and lines[1].start() == lines[0].end() + 1
    return "conll" if adjacent and second[0][0] == b"1" else "semeval2010"


def _fields(line: bytes) -> list[bytes]:
    line = line.rstrip(b" \t\r")
    # A vertical tab or form feed belongs to its cell, as in the readers.
    return line.split(b"\t") if b"\t" in line else [cell for cell in line.split(b" ") if cell]


def looks_like_conllu(data: bytes) -> bool:
    """Whether the bytes are CoNLL-U: `# global.Entity`, another of its comments, or ten columns.

    >>> looks_like_conllu(b"# newdoc id = tale"), looks_like_conllu(b"#begin document (a)")
    (True, False)
    """
    return bool(re.match(_CONLLU, data[:_HEAD])) and not re.search(_COLUMNS_DECLARED, data[:_HEAD])


UNREAD: dict[str, tuple[str, str]] = {
    "webanno-old": ("WebAnno TSV 1 or 2", "export it again as WebAnno TSV 3"),
    "booknlp-tokens": ("BookNLP tokens", "name the .entities file beside it"),
    "docred": (
        "DocRED",
        "its vertexSet contains the mentions of entities; write clusters as JSON lines",
    ),
    "corefi": ("CoRefi JSON", "write its mentions by clustId as clusters of JSON lines"),
    "onf": ("OntoNotes .onf", "use the .coref files or the CoNLL files of the same documents"),
    "mas-xml": (
        "MAS-XML",
        "use the CoNLL or CoNLL-UA files of the corpus, e.g. Phrase Detectives",
    ),
    "knowtator": ("Knowtator-2", "use CoNLL columns, which the scripts of the CRAFT corpus write"),
    "export": ("the export format of TüBa-D/Z", "use the CoNLL columns of the corpus"),
    "catma": (
        "CATMA TEI",
        "CATMA has no entities, and exports neither CoNLL nor brat: convert its table of "
        "annotations to a link list",
    ),
    "urs": (
        "TEI with units, relations and schemas (URS, TXM)",
        "use the CoNLL, SACR or JSON files of the corpus, as there are of DEMOCRAT",
    ),
}
"""The formats that are recognised but not read: title, and advice to the user."""

_UNREAD_LOOKS: tuple[tuple[str, bytes], ...] = (
    ("onf", rb"\A(-{10,}\s{1,9})?Plain sentence:\s{0,9}\n"),
    ("export", rb"\A#(FORMAT [34]\b|BOT ORIGIN\b|BOS \d)"),
    ("mas-xml", rb"<anchor\s[^>]{0,500}?\bante="),
    ("knowtator", rb"<knowtator-project\b"),
)
_UNREAD_TEI: tuple[tuple[str, bytes], ...] = (
    ("catma", rb"[\"']CATMA_|[\"']catma://"),
    ("urs", rb"<(?:tei:)?annotationGrp\b"),
)
"""How formats that are not read are recognised in the first bytes of a file, and of TEI."""


_FENCE = (
    rb"(?sm)(?:\A\s*```[\w-]*[ \t]*\r?\n|^```json[ \t]*\r?\n(?=\s*[\[{]))(.*?)(?:^[ \t]*```|\Z)"
)
"""The fence that a language model puts around its answer, or around the JSON in it."""


def unfenced(data: bytes) -> bytes:
    r"""The data in a fence of Markdown, on the same lines; all data if there is no fence.

    >>> unfenced(b"Here it is:\n```json\n[1]\n```\n")
    b'\n\n[1]\n'
    """
    if b"```" not in data[:SEARCHED] or not (fence := re.search(_FENCE, data)):
        return data
    return b"\n" * data.count(b"\n", 0, fence.start(1)) + fence[1]


MARKED = ("markdown", "tags", "seq2seq")
"""The kinds of mark-up that a field of JSON may hold."""


def mark_up(text: bytes) -> str | None:
    """The format of the mark-up in an answer; None if there is none."""
    return next((name for name, pattern in _MARK_UP if re.search(pattern, text)), None)
