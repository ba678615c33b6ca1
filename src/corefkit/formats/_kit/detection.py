"""Which format a file is in, by its content alone; and what it looks like if it is in none.

A dialect of JSON shows in the keys of the first document. Formats that are recognised but not read
have a name and advice (`UNREAD`). The answers of language models are recognised wherever they stand
in an object, and in a fence of Markdown: `answer_fields`, `string_clusters` and `unfenced` serve
the reader of such answers, too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corefkit.core.texts import quote, shorten

_HEAD = 4096
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
"""Which text of `no-document` a file gets that cannot be an annotation in any format."""
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
"""Characters that text hardly has; an escape changes the characters of ISO 2022."""
_ARCHIVE = re.compile(rb"PK\x03\x04|BZh[1-9]1AY&SY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd")
"""Archives that are not unpacked: their bytes may look like anything."""
_CONLLU = (
    rb"(?:\xef\xbb\xbf)?\s*(?:#(?!\s*begin document)[^\n]*\n\s*)*?"
    rb"(?:#\s*(?:newdoc|newpar|sent_id|text\s*=|global\.Entity)|(?:1|1-\d+|0\.1)\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|\Z))"
)
_EXPLODED = rb"(?i)[(|]EntityID="
"""A bracket of CoNLL-UA, in a file that declares no columns; CorefUD has Entity= in the last."""
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
"""What the first line tells, before all other tables. Its first three cells are bounded,
since a whole file of XML may be one line."""

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
"""The root of a dialect of XML, and what must occur anywhere in the file, with a word of it: words
are found sooner than patterns."""
_BEFORE_WORD = 1000
"""A pattern begins fewer bytes before its word."""
_ANNOTATOR = rb'xmlns:([\w.-]+)\s*=\s*["\'][^"\']*/ims/coref/annotator/api(?:/v[12])?\.ecore["\']'
"""A prefix of CorefAnnotator."""

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
"""What occurs in running text. Lengths are bounded, so that no text takes quadratic time."""

_PRONOUN = (
    rb"(?i)\[\s{0,9}(?:s?he|him|hers?|his|they|them|theirs?|its?|(?:him|her|it)self|themsel(?:f|ves))"
    rb"\s{0,9}\]"
)
_BEGIN = re.compile(rb"#[ \t]*begin[ \t]+document\b")
"""It is looked for first: a pattern that begins with a character is found much sooner."""
_DOCUMENT = re.compile(rb"^#[ \t]*begin[ \t]+document\b[^\n]*", re.MULTILINE)
_TOKEN_LINE = re.compile(rb"^(?!#|[ \t\r]*$)[^\n]+", re.MULTILINE)
_JSON = rb'[\[{]\s*(["\[{\]}]|\Z)'


def describe(data: bytes) -> str:
    """One phrase on what the bytes look like.

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


def no_annotation(description: str) -> str:
    """The text of `no-document` for what `describe` says; "" where it may be a broken annotation.

    >>> no_annotation(describe(b"%PDF-1.7")), no_annotation(describe(b"Once upon a time"))
    ('binary', '')
    """
    return _NOT_TEXT.get(description, "")


def _is_binary(data: bytes) -> bool:
    """Whether more than one in fifty of the first bytes is a character that text hardly has."""
    head = data[:_HEAD]
    return 50 * (len(head) - len(head.translate(None, _CONTROLS))) > len(head)


def _describe_zip(data: bytes) -> str:
    """A zip archive with the names of its first files."""
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
    """The name of the format that the bytes are in; "conll" where they look like nothing else.

    The reader of CoNLL then says what is wrong.

    >>> detect(b'{"doc_key": "nw/a_0", "sentences": [["Once"]], "clusters": []}')
    'e2e'
    """
    return recognise(data) or "conll"


def recognise(data: bytes) -> str | None:
    """The name of the format that the bytes are in, or None where they look like none."""
    if (binary := _binary(data)) or _ARCHIVE.match(data):
        return binary
    data = unfenced(data)
    text = data.removeprefix(_BOM).lstrip()
    if text[:1] in (b"{", b"[") and re.match(_JSON, text[:_HEAD]):
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
"""The columns of a link list, in the order in which they stand where no line names them, and what
they are called."""
LINK_NAMES = {name: column for column, names in LINK_COLUMNS.items() for name in names}
LINK_NEEDED = tuple(LINK_COLUMNS)[:5]
"""All of them but the score."""
_LINK = (
    rb"(?:[^\t\n]*(?:\t\d+){2}(?:\t *(?:\d+|_?) *){2}(?:\t[^\t\n]*)?"
    rb'|(?:"(?:[^"\n]|"")*"|[^,"\t\n]*)(?:,\d+){2}(?:, *(?:\d+|_?) *){2}(?:,[^,\t\n]*)?)'
    rb"\r?(?:\n|\Z)"
)
"""A line of five or six cells, of which the second and third are numbers, the fourth and fifth too
or empty."""


def _lists_links(text: bytes) -> bool:
    """Whether the first line names the columns of a link list, or is a line of one."""
    line = text[:_HEAD].partition(b"\n")[0]
    if line.count(b"\t") < 4 and line.count(b",") < 4:
        return False
    cells = line.decode("utf-8", "replace").lower().split("\t" if b"\t" in line else ",")
    named = {LINK_NAMES.get(cell.strip(' "\r')) for cell in cells}
    return named.issuperset(LINK_NEEDED) or bool(re.match(_LINK, text[:_HEAD]))


class TableError(Exception):
    """A row of a table cannot be told from its neighbours: the line on which it begins, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


def table_rows(lines: Sequence[str], strict: bool = True) -> Iterator[list[str]]:
    """The rows of a table that are not blank; its first line shows what separates the cells.

    Between tabs, quotation marks are part of a cell. Between commas they enclose one, as in any
    CSV; TableError where, `strict`ly, one is out of place, and where a cell goes on in the next
    line.

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
    """Whether the first line names the columns of a table with one row per mention."""
    line = text[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace").rstrip("\r")
    try:
        names = {name for row in table_rows([line], strict=False) for name in column_names(row)}
    except TableError:
        return False
    return "entity" in names and ("mention" in names or {"start", "end"} <= names)


def is_link(first: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a line of a link list, by its keys."""
    if ("anaphor" in first or "antecedent" in first) and not isinstance(first.get("tokens"), list):
        return True
    return {"start", "end", "antecedent_start"} <= {LINK_NAMES.get(name.lower()) for name in first}


def _tagged(text: bytes) -> str | None:
    """The dialect of SGML or XML."""
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
    """Whether a pattern, of which a word is a part, is found in a text."""
    at = max(0, text.rfind(word) - _BEFORE_WORD) if word else 0
    search = re.compile(pattern).search
    return bool(search(text, at) or (at and search(text, 0, at + _BEFORE_WORD)))


def _unread(text: bytes) -> str | None:
    """A format that is known and not read."""

    head = text[: 4 * _HEAD]
    return next((name for name, pattern in _UNREAD_LOOKS if re.search(pattern, head)), None)


def _mark_up(text: bytes) -> str | None:
    """The syntax of mark-up that occurs in running text."""
    if _is_binary(text):  # its bytes may look like anything
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
    """Whether the bytes begin a zlib stream: "x " would be the header of one too."""
    import zlib

    try:
        zlib.decompressobj().decompress(head, 1)
    except zlib.error:
        return False
    return True


def _commented(text: bytes) -> str | None:
    """A format whose file begins with a comment that tells it."""
    if not text.startswith(b"#"):
        return None
    if text.startswith(b"#FORMAT=WebAnno TSV "):
        return "webanno" if text.startswith(b"#FORMAT=WebAnno TSV 3") else "webanno-old"
    if text.find(b"# global.", 0, 16 * _HEAD) < 0:  # ten times as fast as the pattern
        return None
    declared = re.findall(_GLOBAL, text[: 16 * _HEAD])
    return "conllu" if b"Entity" in declared else "conllua" if declared else None


def _columns(text: bytes, begin: int) -> str:
    """Columns under '#begin document': is the number of the token the first of them?"""
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
"""Each such format: its title, and what to do. A line goes when a reader comes."""

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
"""What occurs at the beginning of files of formats that only these bytes tell, and in TEI."""


_JSON_HEAD = 1 << 16
"""So many bytes are searched for keys where the file does not decode."""

_JSON_KEYS: tuple[tuple[str, frozenset[str]], ...] = (
    ("cas-json", frozenset({"%TYPES"})),
    ("corenlp-json", frozenset({"corefs"})),
    ("label-studio", frozenset({"data", "annotations"})),
    ("rucoco", frozenset({"text", "entities", "includes"})),
    ("doccano", frozenset({"text", "entities", "relations"})),
    ("preco", frozenset({"mention_clusters"})),
    ("indiscrim", frozenset({"coref_chains"})),
    ("maverick", frozenset({"clusters_token_offsets"})),
    ("wl-coref", frozenset({"cased_words"})),
    ("allennlp", frozenset({"document", "clusters"})),
    ("subtoken", frozenset({"subtoken_map", "sentences"})),
    ("e2e", frozenset({"sentences", "clusters"})),
    ("e2e", frozenset({"sentences", "predicted_clusters"})),
    ("lingmess", frozenset({"tokens", "clusters"})),
    ("fastcoref", frozenset({"text", "clusters"})),
    ("docred", frozenset({"vertexSet"})),
    ("corefi", frozenset({"tokens", "mentions"})),
)
"""The keys that tell a dialect of JSON; the first rule that fits counts."""


MARKED = ("markdown", "tags", "seq2seq")
"""The syntaxes of mark-up that a field of JSON may hold."""
TEXT_FIELDS = ("text", "tokens", "words", "sentences")
"""The fields with the text of a document, in which strings of clusters are looked for."""
_FENCE = (
    rb"(?sm)(?:\A\s*```[\w-]*[ \t]*\r?\n|^```json[ \t]*\r?\n(?=\s*[\[{]))(.*?)(?:^[ \t]*```|\Z)"
)
"""What a language model sets around its answer, or around the JSON in it."""


def unfenced(data: bytes) -> bytes:
    r"""The data in a fence of Markdown, on its lines; all of it where there is none.

    >>> unfenced(b"Here it is:\n```json\n[1]\n```\n")
    b'\n\n[1]\n'
    """
    if b"```" not in data[:_JSON_HEAD] or not (fence := re.search(_FENCE, data)):
        return data
    return b"\n" * data.count(b"\n", 0, fence.start(1)) + fence[1]


def mark_up(text: bytes) -> str | None:
    """The syntax of mark-up in an answer."""
    return next((name for name, pattern in _MARK_UP if re.search(pattern, text)), None)


def answer_fields(row: Mapping[str, Any]) -> list[str]:
    """The fields of an object that hold an answer, with dots where they are within others.

    That is marked-up text, or text that is JSON with clusters of strings, in a fence or not.

    >>> answer_fields({"id": 1, "choices": [{"message": {"content": "[Emma](#1) ran."}}]})
    ['choices.0.message.content']
    """
    return [
        ".".join(steps)
        for steps, text in _texts_within(row)
        if mark_up(text.encode("utf-8", "replace")) in MARKED
        or _are_strings(unpacked(text))
        or broken_clusters(text)
    ]


def unpacked(text: str) -> Any:
    """The clusters in a text that is JSON, in a fence or not, else the text without the fence.

    >>> unpacked('{"clusters": [["Emma", "her"]]}'), unpacked("[Emma](#1) ran.")
    ([['Emma', 'her']], '[Emma](#1) ran.')
    """
    import json

    inner = unfenced(text.encode("utf-8", "replace")).decode("utf-8", "replace").strip()
    if inner[:1] not in ("[", "{"):
        return inner
    try:
        value = json.loads(inner)
    except (ValueError, RecursionError):
        return inner
    clusters: Any = string_clusters(value) if isinstance(value, dict) else value
    return clusters if are_clusters(clusters) else inner


_JSON_TOKEN = r'(?s)"(?:[^"\\]|\\.)*+"|[\[\]{}"]'
_LONGEST_ANSWER = 1 << 20
"""JSON of more characters is not an answer that breaks off."""


def completed(text: str) -> Any:
    """The value of JSON that breaks off, up to the last list that begins or ends; None otherwise.

    >>> completed('{"id": 1, "clusters": [["Emma", "her"], ["bo')
    {'id': 1, 'clusters': [['Emma', 'her'], []]}
    """
    import json

    if text[:1] not in ("[", "{") or len(text) > _LONGEST_ANSWER:
        return None
    tokens = [(match[0], match.end()) for match in re.finditer(_JSON_TOKEN, text)]
    if not _open_brackets(token for token, _ in tokens):
        return None
    lists = [number for number, (token, _) in enumerate(tokens, 1) if token in ("[", "]")]
    kept = tokens[: lists[-1] if lists else 0]
    end = kept[-1][1] if kept else 0
    missing = "".join(reversed(_open_brackets(token for token, _ in kept) or []))
    try:
        return json.loads(text[:end] + missing)
    except (ValueError, RecursionError):
        return None


def _open_brackets(tokens: Iterable[str]) -> list[str] | None:
    """The brackets that would close what the tokens leave open; None where a wrong one closes."""
    closing: list[str] = []
    for token in tokens:
        if token in ("[", "{"):
            closing.append("]" if token == "[" else "}")
        elif token in ("]", "}") and (not closing or closing.pop() != token):
            return None
    return closing


def broken_clusters(text: str) -> list[list[str]] | None:
    """The complete clusters of strings in JSON that breaks off, in a fence or not; None: no such.

    >>> broken_clusters('```json\\n{"clusters": [["Emma", "her"], ["bo')
    [['Emma', 'her']]
    """
    value = completed(unfenced(text.encode("utf-8", "replace")).decode("utf-8", "replace").strip())
    clusters: Any = string_clusters(value) if isinstance(value, dict) else value
    if not _are_strings(clusters) or not are_clusters(clusters):
        return None
    return [cluster for cluster in clusters if cluster]


def are_clusters(value: object) -> bool:
    """Whether a value is a list of lists of texts."""
    return isinstance(value, list) and all(
        isinstance(cluster, list) and all(isinstance(text, str) for text in cluster)
        for cluster in value
    )


_DEEPEST = 12
"""So deep in an object an answer is looked for."""


def _texts_within(value: Any, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """The texts in a value of JSON, and where they are; lists of texts are words, not answers."""
    if isinstance(value, str):
        yield steps, value
    elif len(steps) < _DEEPEST and isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts_within(inner, (*steps, name))
    elif len(steps) < _DEEPEST and isinstance(value, list):
        for number, inner in enumerate(value):
            if not isinstance(inner, str):
                yield from _texts_within(inner, (*steps, str(number)))


def string_clusters(row: Mapping[str, Any], field: str | None = None) -> list[list[str]] | None:
    """The clusters of strings in an object, in this field or in one that is called like clusters.

    None where it has none: lists of sentences, tokens and speakers are lists of strings, too.
    """
    names = [name for name in row if name.lower() in _CLUSTERS] if field is None else [field]
    return next((row[n] for n in names if n in row and _are_strings(row[n])), None)


_CLUSTERS = frozenset(
    {"clusters", "predicted_clusters", "entities", "chains", "coreference", "coref", "groups"}
    | {"answer", "answers", "response", "output", "prediction", "predictions", "completion"}
)
"""What fields with clusters of strings are called."""


def _are_strings(value: Any) -> bool:
    """Whether a value is a list of clusters whose first mention is a text."""
    if not isinstance(value, list) or not all(isinstance(own, list) for own in value):
        return False
    first = next((own[0] for own in value if own), None)
    return isinstance(first, str)


def _is_answer(text: bytes) -> bool:
    """Whether JSON that does not begin with an object is a list of clusters of strings."""
    import json

    if not re.match(rb'\[\s*\[\s*"', text):
        return False
    try:
        return _are_strings(json.loads(text))
    except (ValueError, RecursionError):
        return bool(broken_clusters(text.decode("utf-8", "replace")))


def recognise_json(text: bytes) -> str | None:
    """The dialect, by the keys of the first document."""
    first = _first_object(text)
    if first is None:
        if re.search(rb"\]\(#", text):
            return "markdown"
        if _is_answer(text):
            return "json-answers"
        if broken_clusters(text[: _LONGEST_ANSWER + 1].decode("utf-8", "replace")):
            return "json-answers"
        found = re.findall(rb'"([\w%]+)"\s*:', text[:_JSON_HEAD])
        return dialect_of({key.decode(): None for key in found})
    # The first answer may be missing.
    return dialect_of(first) or ("json-answers" if mark_up(text[:_JSON_HEAD]) in MARKED else None)


def _first_object(text: bytes) -> dict[str, Any] | None:
    """The first object, in a list or not; None where it does not decode."""
    import json

    at = re.match(rb"\[\s*(?=\{)", text)
    begin = at.end() if at else 0
    for end in (text.find(b"\n", begin), None):  # one document per line is what is usual
        if end == -1:
            continue
        try:
            decoded = text[begin:end].decode("utf-8", "replace")
            value, _ = json.JSONDecoder().raw_decode(decoded)
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def dialect_of(first: dict[str, Any]) -> str | None:
    """The dialect of JSON that a document is in, by its keys; None where it is in none."""
    keys = first.keys()
    if is_link(first):
        return "links"
    if any(_are_strings(first.get(name)) for name in ("clusters", "predicted_clusters")):
        return "json-answers"
    sentences = first.get("sentences")
    for name, wanted in _JSON_KEYS:
        if wanted <= keys:
            return name
        if name == "corenlp-json" and "coref_chains" not in keys and _have_tokens(sentences):
            return name
    if first and all(_is_prediction(value) for value in first.values()):
        return "s2e-predictions"
    return "json-answers" if answer_fields(first) or string_clusters(first) else None


def _is_prediction(value: Any) -> bool:
    """Whether a value is a list of clusters, as far as its first one tells."""
    if not isinstance(value, list):
        return False
    first = value[0] if value else []
    return isinstance(first, list) and all(isinstance(mention, list) for mention in first)


def _have_tokens(sentences: Any) -> bool:
    """Whether sentences are objects with tokens."""
    return (
        isinstance(sentences, list)
        and bool(sentences)
        and isinstance(sentences[0], dict)
        and "tokens" in sentences[0]
    )
