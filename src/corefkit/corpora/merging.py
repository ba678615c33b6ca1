"""Annotation layers merged into CoNLL files, which may have fewer words than the layers.

The files of CoNLL-2012 lack what the layers of OntoNotes count: traces, and the disfluencies of
English (EDITED). So, as in section 4.4.1 of the paper of that task, layers are mapped to the words
that remain: a span loses the words that the file lacks, and is lost where none remains. Where
words are repeated, the last copy remains, because a speaker corrects what was said before.

Propositions, senses and speakers name words by their numbers. These count the words of the file,
or with `trees` those of a `.parse` file, traces and disfluencies included.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, groupby
from typing import NamedTuple

from corefkit.core.columns import NAMES, NOTHING
from corefkit.core.incidents import Collector, DataError, Incident, data_error
from corefkit.core.names import split_name
from corefkit.core.texts import count_of, quote
from corefkit.core.tokens import BARE_TRACE, TRACE, Tokens
from corefkit.corpora.inline_tags import InlineDocument, read_inline
from corefkit.corpora.objects import documents
from corefkit.corpora.standoff import (
    LEAST_FIELDS,
    LayerLine,
    LayerSentence,
    find_roles,
    layer_lines,
    role_cells,
)
from corefkit.corpora.trees import (
    EDITED,
    LabelledSpan,
    Tree,
    escape,
    in_file,
    leaves_kept,
    parse_trees,
    plain_labels,
    select,
)
from corefkit.formats.conll.cells import coreference_cells, same_cells, star_cells
from corefkit.formats.conll.lines import ARGUMENTS
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.rewriting import Row, SentenceRows, rewrite

LEAST = 2 / 3
"""The share of the words of a layer, without traces, that must remain."""


class Merged(NamedTuple):
    """A CoNLL file with the annotation of a layer, and what could not be merged."""

    data: bytes
    incidents: tuple[Incident, ...]


def merge(  # noqa: PLR0913 (both files, their names, and what is chosen)
    data: bytes,
    layer: str,
    text: str,
    path: str = "-",
    layer_path: str = "-",
    *,
    trees: str | None = None,
    functions: bool = True,
) -> Merged:
    """The CoNLL file with the annotation of this layer in place of its own.

    `trees` is the text of a `.parse` file, by whose words propositions, senses and speakers are
    numbered. Without `functions`, the labels of constituents lose their function tags.

    Raises DataError where the layer is broken, or has other words than the file.
    """
    merger = _Merger(data, layer, path, layer_path)
    if layer == "parse":
        with in_file(layer_path, "layer-broken"):
            merger.add_trees(list(parse_trees(text)), functions)
    elif layer in ("name", "coref"):
        with in_file(layer_path, "layer-broken"):
            found = read_inline(text, "ENAMEX" if layer == "name" else "COREF")
        merger.add_spans(found)
    else:
        with in_file(layer_path, "layer-broken"):
            listed = None if trees is None else list(parse_trees(trees))
            merger.add_lines(text, listed)
    return Merged(merger.written(), merger.incidents())


@dataclass
class _Tally:
    """What is not as in the layer: words that the file lacks, and what this did to spans."""

    traces: int = 0
    words: int = 0
    moved: int = 0
    lost: int = 0
    unfolded: int = 0

    def shown(self) -> str:
        """All counts that are not 0."""
        spans = [(self.moved, "moved"), (self.lost, "lost"), (self.unfolded, "unfolded")]
        listed = [count_of(self.traces, "trace")] if self.traces else []
        listed += [count_of(self.words, "other word")] if self.words else []
        listed += [f"{number:,} {what}" for number, what in spans if number]
        return ", ".join(listed)


class _Merger:
    """The sentences of a CoNLL file, whose rows are changed; see `merge`."""

    def __init__(self, data: bytes, layer: str, path: str, layer_path: str) -> None:
        self._data, self._layer, self._path, self._layer_path = data, layer, path, layer_path
        self._sentences: list[SentenceRows] = []
        rewrite(data, self._collect, path=path)
        self._rows = [[list(row) for row in sentence.rows] for sentence in self._sentences]
        self._tally = _Tally()
        self._collector = Collector(layer_path)

    def _collect(self, sentence: SentenceRows) -> list[Row]:
        self._sentences.append(sentence)
        return sentence.rows

    def written(self) -> bytes:
        """The file with the rows as they are now; sentences without a change keep their bytes."""
        new = iter(self._rows)

        def change(sentence: SentenceRows) -> list[Row]:
            rows = next(new)
            return sentence.rows if rows == sentence.rows else rows

        return rewrite(self._data, change, path=self._path)

    def incidents(self) -> tuple[Incident, ...]:
        """What the file cannot express, and what was mapped to other words."""
        if shown := self._tally.shown():
            self._collector.note("layer-remapped", layer=self._layer, found=shown)
        return tuple(self._collector)

    # Inline layers: names and coreference.

    def add_spans(self, layers: Sequence[InlineDocument]) -> None:
        """Put names or coreference into their column."""
        column, make, nothing = -1, coreference_cells, "-"
        if self._layer == "name":
            column, make, nothing = NAMES["ne"], star_cells, "*"
            self._check_columns("ne")
        self._note_ignored(layers)
        by_document = [
            [number for number, _ in group]
            for _, group in groupby(enumerate(self._sentences), lambda item: item[1].document)
        ]
        if len(by_document) == len(layers):
            pairs = [([one], group) for one, group in zip(layers, by_document, strict=True)]
        else:  # the names of OntoNotes have no parts
            pairs = [([*layers], [*range(len(self._sentences))])]
        for group, numbers in pairs:
            rows = [(n, at) for n in numbers for at in range(len(self._rows[n]))]
            cells = make(self._spans(group, numbers))
            for token, (number, at) in enumerate(rows):
                self._set(number, at, column, cells.get(token, nothing))

    def _spans(
        self, layers: Sequence[InlineDocument], numbers: Sequence[int]
    ) -> list[LabelledSpan]:
        """The spans of the layers on the tokens of these sentences."""
        words = [word for number in numbers for word in self._words(number)]
        layer_words = [[word for sentence in one.sentences for word in sentence] for one in layers]
        kept = self._kept([*chain.from_iterable(layer_words)], words, numbers)
        before = 0
        spans: dict[LabelledSpan, None] = {}
        dropped, left = Counter[str](), Counter[str]()
        for one, listed in zip(layers, layer_words, strict=True):
            tokens = kept[before : before + len(listed)]
            rest = sum(not _is_trace(word) for word in listed)
            if sum(at >= 0 for at in tokens) < LEAST * rest:
                raise self._mismatch(numbers, listed)
            for span in one.spans:
                new = self._moved(span, tokens)
                if new is not None and new not in spans:
                    spans[new] = None
                    left[span.label] += 1
                elif all(map(_is_trace, listed[span.start : span.end + 1])):
                    dropped[span.label] += 1
                else:
                    self._tally.lost += 1
            before += len(listed)
        if self._layer == "coref" and dropped:
            self._note_dropped(dropped, left)
        return sorted(spans, key=lambda span: (span.start, -span.end))

    def _moved(self, span: LabelledSpan, kept: Sequence[int]) -> LabelledSpan | None:
        """The span on the tokens that remain; None if there are none."""
        tokens = [at for at in kept[span.start : span.end + 1] if at >= 0]
        if not tokens:
            return None
        self._tally.moved += len(tokens) <= span.end - span.start
        return LabelledSpan(tokens[0], tokens[-1], span.label)

    def _note_ignored(self, layers: Sequence[InlineDocument]) -> None:
        for one in layers:
            for line, kind in one.ignored:
                self._collector.note(
                    "layer-ignored",
                    "type" if kind else "parts",
                    type=kind,
                    at=line,
                    document=one.name,
                    expected="mentions of whole words, of type IDENT",
                )

    def _note_dropped(self, dropped: Counter[str], left: Counter[str]) -> None:
        number, single = dropped.total(), sum(left[entity] == 1 for entity in dropped)
        found = (
            f"{count_of(single, 'entity', 'entities')} with one mention left" if single else None
        )
        self._collector.note("dropped-pronoun", number=number, count=number, found=found)

    # Trees.

    def add_trees(self, trees: Sequence[Tree], functions: bool) -> None:
        """Put tags and trees into their columns."""
        self._check_columns("parse")
        for number, tree, kept in self._aligned(trees):
            reduced = select(tree, [at >= 0 for at in kept])
            if number < 0 or reduced is None:
                continue
            if not functions:
                reduced = plain_labels(reduced)
            for at, (leaf, bit) in enumerate(zip(reduced.leaves(), reduced.bits(), strict=True)):
                row = self._rows[number][at]
                if escape(row[4]) != leaf.tag:
                    row[4] = leaf.tag
                if bit != "*" or row[5] not in NOTHING:
                    row[5] = bit

    def _aligned(self, trees: Sequence[Tree]) -> Iterator[tuple[int, Tree, list[int]]]:
        """Each tree with its sentence, and the token of each leaf; −1 where the file has none."""
        number = 0
        for tree in trees:
            listed = [leaf.word for leaf in tree.leaves()]
            traces = leaves_kept(tree).count(False)
            words = self._words(number) if number < len(self._sentences) else None
            kept = None if words is None else _leaves_kept(tree, [*map(escape, words)])
            if kept is None and any(leaves_kept(tree, EDITED)):
                if words is None:
                    raise data_error("layer-mismatch", "trees", file=self._layer_path)
                flags = leaves_kept(tree)
                layer_words = [word for word, flag in zip(listed, flags, strict=True) if flag]
                raise self._mismatch([number], layer_words)
            self._tally.traces += traces
            if kept is None:
                self._tally.words += len(listed) - traces
                yield -1, tree, [-1] * len(listed)
            else:
                self._tally.words += kept.count(-1) - traces
                yield number, tree, kept
                number += 1
        if number < len(self._sentences):
            raise self._mismatch([number], [])

    # Stand-off layers: propositions, senses and speakers.

    def add_lines(self, text: str, trees: Sequence[Tree] | None) -> None:
        """Put propositions, senses or speakers into their columns."""
        self._check_columns({"prop": "ne"}.get(self._layer, self._layer))
        lines = layer_lines(text, self._numbered(trees), LEAST_FIELDS[self._layer])
        add = {"prop": self._add_roles, "sense": self._add_senses, "speaker": self._add_speakers}
        add[self._layer](lines)

    def _numbered(self, trees: Sequence[Tree] | None) -> dict[str, list[LayerSentence]]:
        """The sentences by which a layer counts, for each name that it may give a document."""
        listed = self._in_trees(trees) if trees is not None else self._in_file()
        names = {sentence.document: sentence.name for sentence in self._sentences}
        named: dict[str, list[LayerSentence]] = {}
        for document, sentence in listed:
            identity, part = split_name(names[document])
            whole = "_".join((names[document] if part is None else identity).split())
            named.setdefault(whole, []).append(sentence)
            if part is not None:
                named.setdefault(f"{whole}@{part}", []).append(sentence)
        return named

    def _in_trees(self, trees: Sequence[Tree]) -> Iterator[tuple[int, LayerSentence]]:
        """The sentences of a `.parse` file, each with the number of its document."""
        document = 0
        for number, tree, kept in self._aligned(trees):
            document = self._sentences[number].document if number >= 0 else document
            tags = [leaf.tag for leaf in tree.leaves()]
            yield document, LayerSentence(number, kept, tree.constituents(), tags)

    def _in_file(self) -> Iterator[tuple[int, LayerSentence]]:
        """The sentences of the CoNLL file itself, each with the number of its document."""
        trees = self._layer == "prop"
        listed = documents(Tokens(parse(self._data, self._path))) if trees else ()
        objects = [sentence for document in listed for sentence in document]
        for number, (sentence, rows) in enumerate(zip(self._sentences, self._rows, strict=True)):
            nodes = objects[number].constituents if trees else []
            tags = [row[4] for row in rows] if trees else []
            yield sentence.document, LayerSentence(number, [*range(len(rows))], nodes, tags)

    def _add_senses(self, lines: Iterable[LayerLine]) -> None:
        for row in chain.from_iterable(self._rows):
            row[8] = row[8] if row[8] in NOTHING else "-"
        for line in lines:
            if line.token < 0:
                self._tally.lost += 1
                continue
            row = self._rows[line.sentence.number][line.token]
            row[8] = line.fields[-1]
            if row[6] in NOTHING:
                row[6] = line.fields[3].rpartition("-")[0]

    def _add_speakers(self, lines: Iterable[LayerLine]) -> None:
        spoken: dict[int, dict[int, str]] = {}
        for line in lines:
            after = [at for at in line.sentence.kept[line.leaf :] if at >= 0]
            if after:
                spoken.setdefault(line.sentence.number, {})[after[0]] = line.fields[3]
            else:
                self._tally.lost += 1
        for number, rows in enumerate(self._rows):
            speaker = "-"
            for at, row in enumerate(rows):
                speaker = spoken.get(number, {}).get(at, speaker)
                if not {row[9], speaker} <= NOTHING:
                    row[9] = speaker

    def _add_roles(self, lines: Iterable[LayerLine]) -> None:
        found: dict[int, list[tuple[int, str, str, dict[int, str]]]] = {}
        for line in lines:
            roles = find_roles(line)
            self._tally.moved += roles.moved
            self._tally.lost += roles.lost + (line.token < 0)
            self._tally.unfolded += roles.unfolded
            lemma, _, frameset = line.fields[5].rpartition(".")
            if line.token >= 0:
                column = line.token, lemma, frameset, role_cells(roles.spans)
                found.setdefault(line.sentence.number, []).append(column)
        for number, rows in enumerate(self._rows):
            columns = sorted(found.get(number, ()), key=lambda column: column[0])
            predicates = {token: (lemma, frameset) for token, lemma, frameset, _ in columns}
            for at, row in enumerate(rows):
                if at in predicates:
                    row[6:8] = predicates[at]
                elif row[7] not in NOTHING:
                    row[7] = "-"
                cells = [cells.get(at, "*") for *_, cells in columns]
                if len(cells) == len(row) - ARGUMENTS - 1:
                    old = row[ARGUMENTS:-1]
                    cells = [b if same_cells(a, b) else a for a, b in zip(cells, old, strict=True)]
                row[ARGUMENTS:-1] = cells

    # Cells, columns and words.

    def _words(self, number: int) -> list[str]:
        return [row[3] if len(row) > 4 else "" for row in self._sentences[number].rows]

    def _set(self, number: int, at: int, column: int, cell: str) -> None:
        row = self._rows[number][at]
        if not same_cells(cell, row[column]):
            row[column] = cell

    def _check_columns(self, name: str) -> None:
        """Raise DataError unless all rows have this column, before coreference."""
        least = NAMES[name] + 2
        for sentence in self._sentences:
            for offset, row in enumerate(sentence.rows):
                if len(row) < least:
                    raise data_error(
                        "column-missing",
                        "layer",
                        name=name,
                        file=self._path,
                        at=sentence.line + offset,
                        found=f"{len(row)} columns, the last being coreference",
                        expected=f"at least {least} columns",
                    )

    def _kept(
        self, layer_words: Sequence[str], words: Sequence[str], numbers: Sequence[int]
    ) -> list[int]:
        """The token of each word of a layer, counted in these sentences; −1 where it has none."""
        kept = remaining(layer_words, words)
        if kept is None:
            raise self._mismatch(numbers, [word for word in layer_words if not _is_trace(word)])
        gone = [word for word, at in zip(layer_words, kept, strict=True) if at < 0]
        traces = sum(map(_is_trace, gone))
        self._tally.traces += traces
        self._tally.words += len(gone) - traces
        return kept

    def _mismatch(self, numbers: Sequence[int], layer_words: Sequence[str]) -> DataError:
        """The error for a layer with other words, at the first word that differs."""
        rows = [(n, at) for n in numbers for at in range(len(self._sentences[n].rows))]
        words = [word for number in numbers for word in self._words(number)]
        if self._layer == "parse":
            words = [*map(escape, words)]
        pairs = enumerate(zip(words, layer_words, strict=False))
        first = next((i for i, (a, b) in pairs if a != b), min(len(words), len(layer_words)))
        number, at = rows[min(first, len(rows) - 1)]
        sentence = self._sentences[number]
        return data_error(
            "layer-mismatch",
            here=len(words),
            there=len(layer_words),
            file=self._path,
            at=sentence.line + at,
            document=sentence.name,
            found=f"{quote(' '.join(layer_words[first : first + 5]))} in {self._layer_path}",
            expected=quote(" ".join(words[first : first + 5])),
        )


def _is_trace(word: str) -> bool:
    """Whether a word that the file lacks is a trace."""
    return word == BARE_TRACE or TRACE.fullmatch(word) is not None


def remaining(words: Sequence[str], kept: Sequence[str]) -> list[int] | None:
    """For each word its number among those that are kept, −1 for the others; None if some are new.

    Where a word is repeated, the last copy is kept.

    >>> remaining("I I saw the uh the boat".split(), "I saw the boat".split())
    [-1, 0, 1, -1, -1, 2, 3]
    """
    numbers = [-1] * len(words)
    left = len(kept)
    for at in range(len(words) - 1, -1, -1):
        if left and words[at] == kept[left - 1]:
            left -= 1
            numbers[at] = left
    return None if left else numbers


def _leaves_kept(tree: Tree, kept: Sequence[str]) -> list[int] | None:
    """The token of each leaf, −1 where it has none; None if the tree has other words.

    Traces have none; nor have disfluencies, if the sentence is otherwise the same.
    """
    words = [leaf.word for leaf in tree.leaves()]
    for labels in ((), (EDITED,)):
        flags = leaves_kept(tree, *labels)
        if [word for word, flag in zip(words, flags, strict=True) if flag] == [*kept]:
            number = count()
            return [next(number) if flag else -1 for flag in flags]
    flags = leaves_kept(tree)
    rest = [word for word, flag in zip(words, flags, strict=True) if flag]
    numbers = remaining(rest, kept)
    if numbers is None or len(kept) < LEAST * len(rest):
        return None
    found = iter(numbers)
    return [next(found) if flag else -1 for flag in flags]
