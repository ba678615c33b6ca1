"""The format of a file, detected from its content alone, and what unknown bytes look like.

The looks of all formats are rows of `formats.table`; JSON is told apart by the fields of its first
document.
"""

import re
from collections.abc import Mapping
from typing import Any

from corefkit.core.table_columns import LINKS
from corefkit.core.texts import quote, shorten
from corefkit.formats.table import LOOKS, Look

_HEAD = 4096
_SEARCHED = 1 << 16
"""How many bytes are searched for what is near the beginning of a file."""
_BOM = b"\xef\xbb\xbf"
_JSON = rb'[\[{]\s*(["\[{\]}]|\Z)'
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
"""Characters that are rare in text. An escape is not among them: ISO 2022 uses it."""
_ARCHIVE = re.compile(rb"PK\x03\x04|BZh[1-9]1AY&SY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd")
"""How archives begin that are not unpacked; their bytes could match any other pattern."""
_FENCE = (
    rb"(?sm)(?:\A\s*```[\w-]*[ \t]*\r?\n|^```json[ \t]*\r?\n(?=\s*[\[{]))(.*?)(?:^[ \t]*```|\Z)"
)
"""The fence that a language model puts around its answer, or around the JSON in it."""
CLUSTERS = (
    *("clusters", "predicted_clusters", "entities", "chains", "coreference", "coref", "groups"),
    *("answer", "answers", "response", "output", "prediction", "predictions", "completion"),
)
"""Names of fields in which language models give clusters of strings."""
_ANSWER = re.compile(
    rf'(?i)(?:\A|\\?"(?:{"|".join(CLUSTERS)})\\?"\s*:)'.encode()
    + rb'\s*\[(?:\s*\[\s*\]\s*,)*\s*\[(?:\s|\\n)*\\?"'
)
MARKED = ("markdown", "tags", "seq2seq")
"""The kinds of mark-up that a field of JSON may hold."""


def unfenced(data: bytes) -> bytes:
    r"""The data in a fence of Markdown, on the same lines; all data if there is no fence.

    >>> unfenced(b"Here it is:\n```json\n[1]\n```\n")
    b'\n\n[1]\n'
    """
    if b"```" not in data[:_SEARCHED] or not (fence := re.search(_FENCE, data)):
        return data
    return b"\n" * data.count(b"\n", 0, fence.start(1)) + fence[1]


def detect(data: bytes) -> str:
    """The name of the format of the bytes; "conll" if they look like nothing else.

    The CoNLL reader then reports what is wrong.

    >>> detect(b'{"doc_key": "nw/a_0", "sentences": [["Once"]], "clusters": []}')
    'e2e'
    """
    return recognise(data) or "conll"


def recognise(data: bytes) -> str | None:
    """The name of the format of the bytes; None if they look like none."""
    if data.startswith(b"PK\x03\x04"):
        from corefkit.formats.project import recognise_archive

        return recognise_archive(data)
    if data[:1] == b"\x78" and int.from_bytes(data[:2], "big") % 31 == 0 and _unpacks(data):
        return "spacy"
    if is_archive(data):
        return None
    text = unfenced(data).removeprefix(_BOM).lstrip()
    if text[:1] in (b"{", b"[") and re.match(_JSON, text[:_HEAD]):
        return recognise_json(text)
    cells, is_text = _first_cells(text), not _is_binary(text)
    return next((look.name for look in LOOKS if _fits(look, text, cells, is_text)), None)


def _fits(look: Look, text: bytes, cells: list[str], is_text: bool) -> bool:
    if look.marks:
        tagged = bool(look.lacks) and text.startswith(look.lacks)
        return is_text and not tagged and _is_marked(look, text)
    return (
        bool(look.begins or look.near or look.has or look.table)
        and bool(re.match(look.begins, text))
        and (look.table is None or look.table.is_complete(look.table.find(cells)))
        and (not look.near or bool(re.search(look.near, text[:_SEARCHED])))
        and all(word in text for word in look.has)
    )


def _is_marked(look: Look, text: bytes) -> bool:
    """Whether a running text has the marks of a format."""
    if look.name != "winobias":
        return bool(re.search(look.marks, text))
    # Brackets are common: the sentences of WinoBias have two pairs of them, and one is a pronoun.
    lines = text[:_SEARCHED].split(b"\n")
    bracketed = [line for line in lines if min(line.count(b"["), line.count(b"]")) > 1]
    return 2 * sum(bool(re.search(look.marks, line)) for line in bracketed) > len(bracketed)


def mark_up(text: bytes) -> str | None:
    """The format of the mark-up in an answer; None if there is none."""
    marked = (look for look in LOOKS if look.marks and look.name != "winobias")
    return next((look.name for look in marked if re.search(look.marks, text)), None)


def looks_like_conllu(data: bytes) -> bool:
    """Whether the bytes are CoNLL-U: `# global.Entity`, another of its comments, or ten columns.

    >>> looks_like_conllu(b"# newdoc id = tale"), looks_like_conllu(b"#begin document (a)")
    (True, False)
    """
    return recognise(data) == "conllu"


def _first_cells(text: bytes) -> list[str]:
    """The cells of the first line of a table."""
    line = text[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace")
    return line.split("\t" if "\t" in line else ",")


def recognise_json(text: bytes) -> str | None:
    """The dialect of JSON, by its first object; of text that cannot be decoded, by its keys."""
    first, head = _first_object(text), text[:_SEARCHED]
    if isinstance(first, dict):
        return dialect_of(first) or ("json-answers" if _has_answer(head) else None)
    if _has_answer(head):
        return "markdown" if b"](#" in head else "json-answers"
    return dialect_of({key.decode(): None for key in re.findall(rb'"([\w%]+)"\s*:', head)})


def _has_answer(head: bytes) -> bool:
    """Whether JSON holds marked-up text, or clusters of strings in a field usual for them."""
    return mark_up(head) in MARKED or bool(_ANSWER.search(head))


def _first_object(text: bytes) -> Any:
    """The first document, in a list or not; None if it cannot be decoded."""
    import json

    at = re.match(rb"\[\s*(?=\{)", text)
    begin = at.end() if at else 0
    line = text.find(b"\n", begin)  # usually there is one document per line
    for end in (line, None) if line >= 0 else (None,):
        try:
            return json.JSONDecoder().raw_decode(text[begin:end].decode("utf-8", "replace"))[0]
        except (ValueError, RecursionError):
            continue
    return None


def dialect_of(row: Mapping[str, Any]) -> str | None:
    """The dialect of a JSON document, by its fields; None if it is unknown."""
    if is_link(row):
        return "links"
    if any(are_strings(row.get(name)) for name in ("clusters", "predicted_clusters")):
        return "json-answers"
    for look in LOOKS:
        fits = bool(look.keys) and row.keys() >= {*look.keys.split()}
        if fits or (look.name == "corenlp-json" and _is_parsed(row)):
            return look.name
    return "s2e-predictions" if row and all(map(_is_prediction, row.values())) else None


def is_link(row: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a line of a link list, by its keys."""
    if ("anaphor" in row or "antecedent" in row) and not isinstance(row.get("tokens"), list):
        return True
    return {"start", "end", "antecedent_start"} <= LINKS.find(row).keys()


def are_strings(value: Any) -> bool:
    """Whether a value is a list of clusters whose first mention is a string."""
    if not isinstance(value, list) or not all(isinstance(cluster, list) for cluster in value):
        return False
    first = next((cluster[0] for cluster in value if cluster), None)
    return isinstance(first, str)


def _is_prediction(value: Any) -> bool:
    """Whether a value is a list whose first item has the shape of a cluster."""
    if not isinstance(value, list):
        return False
    first = value[0] if value else []
    return isinstance(first, list) and all(isinstance(mention, list) for mention in first)


def _is_parsed(row: Mapping[str, Any]) -> bool:
    """Whether the first sentence is an object with tokens, as CoreNLP writes it without chains."""
    sentences = row.get("sentences")
    first = sentences[0] if isinstance(sentences, list) and sentences else None
    return isinstance(first, dict) and "tokens" in first and "coref_chains" not in row


def is_archive(data: bytes) -> bool:
    """Whether the bytes are an archive; what is in it may look like text, but is not read as such.

    >>> is_archive(b"BZh91AY&SY..."), is_archive(b"#begin document (a)")
    (True, False)
    """
    return bool(_ARCHIVE.match(data))


def _is_binary(data: bytes) -> bool:
    """Whether more than one in fifty of the first bytes is a control character."""
    head = data[:_HEAD]
    return 50 * (len(head) - len(head.translate(None, _CONTROLS))) > len(head)


def _unpacks(data: bytes) -> bool:
    """Whether the bytes begin a zlib stream; the text "x " looks like its header, too."""
    import zlib

    try:
        return bool(zlib.decompressobj().decompress(data[:_HEAD], 1))
    except zlib.error:
        return False


_EMPTY, _UTF16, _PAGE, _BINARY = "an empty file", "UTF-16 text", "a web page", "binary data"
_DESCRIPTIONS: tuple[tuple[bytes, str, str], ...] = (
    (rb"\s*\Z", _EMPTY, "empty"),
    (rb"\x1f\x8b", "gzip data inside gzip data", "packed"),
    (rb"BZh", "a bzip2 archive", "packed"),
    (rb"\xfd7zXZ", "an xz archive", "packed"),
    (rb"\x28\xb5\x2f\xfd", "a Zstandard archive", "packed"),
    (rb"%PDF", "a PDF file", "binary"),
    (rb"(\xff\xfe|\xfe\xff)", _UTF16, "utf16"),
    (rb"(?s)(?:[^\x00]\x00){8}|(?:\x00[^\x00]){8}", _UTF16, "utf16"),
    (rb"(\xef\xbb\xbf)?\s*[\[{]", "JSON", ""),
    (rb"(\xef\xbb\xbf)?\s*(<!doctype html|<html)", _PAGE, "page"),
    (rb"(\xef\xbb\xbf)?\s*<", "XML or SGML", ""),
    (rb"# (newdoc|sent_id|global\.Entity|text =)", "CoNLL-U", ""),
    (rb"[^\n]*\x00", _BINARY, "binary"),
)
"""How files look that are not CoNLL columns: a pattern, a phrase, and, for files that cannot be
annotations in any format, the variant of the incident `no-document`."""


def describe(data: bytes) -> str:
    """A phrase that says what the bytes look like.

    >>> describe(b'{"clusters": []}')
    'JSON'
    >>> describe(b"Once upon a time")
    "text that starts with 'Once upon a time'"
    """
    return _described(data)[0]


def _described(data: bytes) -> tuple[str, str]:
    """A phrase, and the variant of `no-document`; "" for text that may be an annotation."""
    head = data[:_HEAD]
    if data.startswith(b"PK\x03\x04"):
        return _describe_zip(data), "archive"
    for pattern, phrase, variant in _DESCRIPTIONS:
        if re.match(pattern, head, re.IGNORECASE):
            return phrase, variant
    if _is_binary(data):
        return _BINARY, "binary"
    line = head.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    return f"text that starts with {quote(line, 40)}", ""


def missing_document(data: bytes) -> dict[str, Any]:
    """The details of the incident `no-document` for a file that has none: what it looks like."""
    looks, variant = _described(data)
    if variant == "archive":
        return {"variant": variant, "found": looks}
    if variant:
        expected = "a file in one of the formats that `corefkit formats` lists"
        place = None if data.strip() else 1
        return {"variant": variant, "at": place, "found": looks, "expected": expected}
    return {
        "found": looks,
        "expected": "a CoNLL file: '#begin document NAME', one token per line",
    }


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
