"""Where the words of a skeleton come from: treebank files, plain lists of tokens, CoNLL files."""

from dataclasses import dataclass
from pathlib import Path

from corefkit.data.incidents import data_error
from corefkit.formats.conll.reader import token_lines
from corefkit.formats.files import AS_THEY_ARE, load, walk
from corefkit.ontonotes.batch import TreePlace, place_of
from corefkit.ontonotes.trees import LineError, in_file, read_trees


@dataclass(frozen=True)
class Words:
    """The words of a file by sentence; a list of tokens without blank lines is one sentence.

    `whole` tells that the file does not say where sentences end.
    """

    path: str
    sentences: list[list[str]]
    whole: bool = False


def read_words(path: str, drop_edited: bool = False) -> Words:
    """The words of a `.parse` file, a file with a token on each line, or a CoNLL file.

    Empty elements such as traces are no words. DataError if the file cannot be read.
    """
    data = load(path)
    text = data.decode("utf-8-sig", AS_THEY_ARE)
    expected = "trees such as (S (NP (PRP She)) …), or one token a line"
    with in_file(path, "words-unreadable", expected):
        if "#begin document" in text or "# begin document" in text:
            return Words(path, _sentences_of_conll(data))
        if path.removesuffix(".gz").endswith(".parse") or _looks_like_trees(text):
            trees = read_trees(text, drop_edited)
            return Words(path, [[leaf.word for leaf in tree.leaves()] for tree in trees])
        sentences = _sentences_of_tokens(text)
        return Words(path, sentences, whole=len(sentences) < 2)


class WordFiles:
    """The files with words in a directory tree, found by the places of skeletons in theirs."""

    def __init__(self, root: str) -> None:
        self._base = Path(root)
        self._files: dict[str, list[tuple[TreePlace, Path]]] = {}
        self._taken: dict[Path, str | None] = {}
        for file in map(Path, walk(root)):
            if _ending(file) != "skel":
                place = place_of(file, self._base)
                self._files.setdefault(place.key, []).append((place, file))

    def find(self, place: TreePlace, skeleton: str) -> str:
        """The file for a skeleton: on the same path, else of its language, else of its key.

        Trees go before other files. DataError if there is none, or more than one.
        """
        own = place.language
        known = self._files.get(place.key, ())
        listed = [(p, f) for p, f in known if None in (own, p.language) or own == p.language]
        same = [f for p, f in listed if p.path == place.path]
        same = same or [f for p, f in listed if p.language == own] or [f for _, f in listed]
        found = [f for f in same if _ending(f) == "parse"] or same
        if not found:
            expected = f"{self._base / place.path}.parse, or another file of that name"
            raise data_error("words-missing", file=skeleton, expected=expected)
        (file, *others) = found
        if others or self._taken.setdefault(file, own) != own:
            files = " and ".join(map(str, found))
            raise data_error(
                "words-ambiguous",
                file=skeleton,
                found=files if others else f"{files}, for skeletons of two languages",
                expected="one file for each skeleton, on the same path but for the extension",
            )
        return str(file)


def _ending(file: Path) -> str | None:
    name = file.name.removesuffix(".gz")
    return next((ending for ending in ("parse", "skel") if name.endswith(ending)), None)


def _looks_like_trees(text: str) -> bool:
    """A tree has a blank between a tag and a word; a file of tokens has none but line ends."""
    return text.lstrip().startswith("(") and any(" " in line.strip() for line in text.splitlines())


def _sentences_of_conll(data: bytes) -> list[list[str]]:
    sentences: list[list[str]] = []
    for line in token_lines(data, errors=AS_THEY_ARE):
        if len(line.fields) < 5:
            raise LineError(line.number, "no-column")
        if line.begins_sentence or not sentences:
            sentences.append([])
        sentences[-1].append(line.fields[3])
    return sentences


def _sentences_of_tokens(text: str) -> list[list[str]]:
    sentences: list[list[str]] = [[]]
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip(" \t\r")
        if not word:
            sentences.append([])
        elif " " in word or "\t" in word:
            raise LineError(number, "two-tokens")
        else:
            sentences[-1].append(word)
    return [sentence for sentence in sentences if sentence]
