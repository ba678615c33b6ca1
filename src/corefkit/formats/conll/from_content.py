"""Columns for a corpus whose files have none: what is known of its tokens, and its mentions."""

from collections.abc import Iterator

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import data_error
from corefkit.data.texts import quote
from corefkit.formats.conll.cells import coreference_cells
from corefkit.formats.content import Content, contents, split_name


def content_lines(corpus: Corpus) -> Iterator[str]:
    """The lines of the file: twelve columns where speakers are known, else five.

    Entities get new numbers, in text order. Raises DataError for words that columns cannot say.
    """
    path = corpus.sources[0].path.rpartition("/")[2] if corpus.sources else "corpus"
    for number, content in enumerate(contents(corpus)):
        name = content.name if content.name is not None else f"({path}); part {number:03}"
        yield f"#begin document {' '.join(name.split())}\n"
        yield from _document(content, name)
        yield "\n#end document\n"


def _document(content: Content, name: str) -> Iterator[str]:
    document, part = split_name(name)
    document = "_".join(document.split()) or "_"
    spans = [
        (start, end, str(number))
        for number, (_, mentions) in enumerate(content.entities)
        for start, end in mentions
    ]
    cells = coreference_cells(sorted(spans, key=lambda span: (span[0], -span[1])))
    at = 0
    for sentence, words in enumerate(content.sentences):
        if sentence:
            yield "\n"
        for place, word in enumerate(words):
            if not word.strip() or any(c in word for c in "\t\n\r"):
                expected = "words without tabs and line ends"
                values = {"document": name, "found": quote(word)}
                raise data_error("cell-needs-tabs", "word", **values, expected=expected)
            row = [document, str(part), str(place), word]
            if content.speakers is not None:
                speaker = "_".join(content.speakers[at].split()) or "-"
                row += ["-", "*", "-", "-", "-", speaker, "*"]
            yield "\t".join([*row, cells.get(at, "-")]) + "\n"
            at += 1
