"""CorefUD files as sources: their words, tags, sentences and figures, read on demand."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column, sentence_of
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Incident
from corefkit.core.links import KINDS
from corefkit.core.source import EmptyNodeTable, FormNode, HeadWord, Source
from corefkit.core.text_pieces import Sentences, TextPieces
from corefkit.formats.conll.lines import decoded_column
from corefkit.formats.conllu.nodes import MentionNodes
from corefkit.formats.conllu.rows import (
    DEPS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    SENT_ID,
    UPOS,
    ConlluFile,
    readable,
)
from corefkit.formats.kit.files import AS_THEY_ARE

_OTHER_COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS")
"""The columns between FORM and MISC."""

FIGURES = (
    "words",
    "empty_nodes",
    "multiword_tokens",
    "zeros",
    "mentions_with_empty_nodes",
    "discontinuous",
    "bridges",
    "entities_with_split_antecedent",
)
"""The counts that only CorefUD files have (`Source.figures`)."""


@frozen(eq=False)
class ConlluSource(Source):
    """A CorefUD file: its words, UPOS tags, lemmas, sentences and trees."""

    format: str = "conllu"
    has_ids: bool = True

    title: ClassVar = "CorefUD"
    numbers: ClassVar = {"word": FORM, "pos": UPOS, "lemma": LEMMA}
    declaration: ClassVar = b"# global.Entity"

    def find_column(self, number: int, errors: str) -> Column:
        """A column with a value per word; empty nodes and multiword tokens are not words."""
        file = file_of(self)
        return decoded_column(file.cells(number, file.word_rows), errors)

    def count_unread(self) -> dict[str, int]:
        """How many values each column of words and empty nodes has: name → number."""
        columns = zip(*(row.cells[LEMMA:] for row in file_of(self).nodes), strict=True)
        numbers = {
            name: sum(cell not in ("", "_") for cell in cells)
            for name, cells in zip(_OTHER_COLUMNS, columns, strict=False)
        }
        return {name: number for name, number in numbers.items() if number}

    def sentences(self) -> IntArray:
        """int64 (words,): the sentence of each word."""
        return sentence_of(file_of(self).words_of_sentence.tolist())

    def paragraphs(self) -> tuple[IntArray, IntArray] | None:
        """The document and the first word of each sentence with `# newpar`; None if none has it."""
        file = file_of(self)
        sentences = file.paragraphs[file.words_of_sentence[file.paragraphs] > 0]
        if not len(sentences):
            return None
        rows = file.word_rows[file.words_before[sentences]]
        return file.columns.document[rows], file.columns.token[rows]

    def heads(self, begin: IntArray, end: IntArray) -> IntArray:
        """The head of each span of words, by HEAD and DEPS; its first word if there is none."""
        from corefkit.formats.conllu.dependency_trees import Trees

        file = file_of(self)
        trees, words = Trees(file), [row.node for row in file.words]
        rank = {node: number for number, node in enumerate(words)}
        return _numbers(
            rank[trees.head_of(words[first : last + 1], words[first])]
            for first, last in tuples(begin, end)
        )

    def empty_nodes(self) -> EmptyNodeTable:
        """The empty nodes of all documents, in order."""
        file = file_of(self)
        rows = [file.nodes[node] for node in file.empties]
        if not rows:
            return super().empty_nodes()
        of_documents, sentences = np.unique(file.document_of_sentence, return_index=True)
        first = dict(tuples(of_documents, sentences))
        cells = [*zip(*(map(readable, row.cells) for row in rows), strict=True)]
        arcs = [deps.partition("|")[0].partition(":") for deps in cells[DEPS]]
        parent, _, relation = zip(*arcs, strict=True)
        return EmptyNodeTable(
            document=_numbers(row.document for row in rows),
            sentence=_numbers(row.sentence - first[row.document] for row in rows),
            line=_numbers(row.line + 1 for row in rows),
            parent=parent,
            relation=relation,
            before=[number.partition(".")[0] for number in cells[ID]],
            columns=cells[FORM:HEAD],
        )

    def zero_cells(self, numbers: Sequence[int]) -> dict[tuple[int, int, int], list[str]]:
        """The cells of all empty nodes, whether in mentions or not."""
        rows = (row for row in file_of(self).nodes if row.zero)
        return {(row.document, *row.place): [row.cells[at] for at in numbers] for row in rows}

    def head_word(self, tokens: Sequence[int]) -> HeadWord:
        """The head of some words by HEAD and DEPS; the first if several are possible."""
        from corefkit.formats.conllu.dependency_trees import WordTrees

        return self.once("word trees", lambda: WordTrees(file_of(self))).head_word(tokens)

    def token_lines(self) -> IntArray:
        """int64 (words,): the line of each word."""
        file = file_of(self)
        lines: IntArray = file.columns.line[file.word_rows] + 1
        return lines

    def words(self) -> TextPieces:
        """The words as pieces of the file."""
        return self.sentence_list().words

    def sentence_list(self) -> Sentences:
        """The sentences, named by their sent_id."""
        return self.once("sentences", lambda: _sentences(file_of(self), self.token_lines()))

    def nodes(self) -> list[list[FormNode]]:
        """The words and empty nodes of each document."""
        documents: list[list[FormNode]] = [[] for _ in range(self.documents)]
        file = file_of(self)
        numbers = file.sentence_numbers.tolist()
        for row in file.nodes:
            form = row.form.encode("utf-8", AS_THEY_ARE)
            documents[row.document].append(FormNode(numbers[row.sentence], form, row.zero))
        return documents

    def figures(self, corpus: Corpus) -> dict[str, int]:
        """The FIGURES of the documents of this file."""
        file, mentions = file_of(self), MentionNodes(corpus, self, file_of(self))
        part = corpus.take(np.array(mentions.rows, dtype=np.int64))
        links = part.links
        mixed = [row for row, nodes in part.nodes or () if any(zero for _, zero in nodes)]
        figures = (
            sum(file.sizes),
            len(file.empties),
            int(file.is_range.sum()),
            0 if part.head_zero is None else int((part.head_zero > 0).sum()),
            len(mixed) + (0 if part.zero is None else int((part.zero > 0).sum())),
            sum(len(mentions.runs_of(row)) > 1 for row in mentions.rows),
            0 if links is None else int((links.kind == KINDS.index("bridging-entity")).sum()),
            0
            if links is None
            else len({*links.source[links.kind == KINDS.index("split")].tolist()}),
        )
        return dict(zip(FIGURES, figures, strict=True))

    def fill_in(self, text: str, path: str) -> tuple[bytes, Sequence[Incident]]:
        """The file with the mentions of a text of the CRAC tasks; see `text_reading.read_back`."""
        from corefkit.formats.conllu.text_reading import read_back

        filled = read_back(text, self.data, unclosed="drop", path=path, file_path=self.path)
        return filled.data, filled.incidents


def _numbers(values: Iterable[int]) -> IntArray:
    return np.array([*values], dtype=np.int64)


def _sentences(file: ConlluFile, token_line: IntArray) -> Sentences:
    filled = np.flatnonzero(file.words_of_sentence)
    lines, data = file.sentence_lines[filled], np.frombuffer(file.data, np.uint8)
    sign = SENT_ID + b" ="
    names = file.start[lines] + len(sign) * file.begin_with(lines, sign)
    return Sentences(
        file.document_of_sentence[filled],
        np.append(0, np.cumsum(file.words_of_sentence[filled])),
        lines + 1,
        TextPieces(data, names, file.end[lines]),
        TextPieces(data, *file.bounds(FORM, file.word_rows)),
        token_line,
    )


def file_of(source: Source) -> ConlluFile:
    """The rows of a file, read once."""
    return source.once("file", lambda: ConlluFile(source.data, source.path))
