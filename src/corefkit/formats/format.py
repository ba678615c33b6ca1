"""What a format is, and how its files look: everything that the rest of the program knows of it.

The module of a format begins with a sample of its files, which the tests of all formats read, and
ends with its `Format`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Unit
from corefkit.core.incidents import Incident
from corefkit.core.options import Reading
from corefkit.core.table_columns import TableKind
from corefkit.formats.options import ReadOption

if TYPE_CHECKING:
    from corefkit.formats.kit.annotators import Annotation
    from corefkit.formats.kit.link_lists import LinkList

IN_WORDS = frozenset({"singletons", "words", "sentences", "names"})
IN_TEXT = frozenset({"singletons", "text", "names"})
"""What formats of tokens, and of running text, usually hold (`Format.holds`)."""


class Look(NamedTuple):
    """How files of a format look; a file fits if everything that is named here is there.

    Attributes:
        begins: a pattern for the first bytes; byte order mark, Markdown fence and blanks left out.
        near: a pattern in the first 64 kB.
        has: texts anywhere in the file.
        without: texts that are nowhere in the file.
        table: the kind of table whose columns the first line names.
        marks: a pattern in running text; such looks are tried last.
        lacks: how such a text does not begin.
        test: a test of all bytes, where patterns do not suffice.
        keys: the fields of the first JSON document.
        document: a test of the first JSON document.
        head: a test of the first 64 kB of JSON, and of its first document, None if it cannot be
            decoded; such looks are tried last.
    """

    begins: bytes = b""
    near: bytes = b""
    has: tuple[bytes, ...] = ()
    without: tuple[bytes, ...] = ()
    table: TableKind | None = None
    marks: bytes = b""
    lacks: bytes = b""
    test: Callable[[bytes], bool] | None = None
    keys: str = ""
    document: Callable[[Mapping[str, Any]], bool] | None = None
    head: Callable[[bytes, Mapping[str, Any] | None], bool] | None = None


LINE_BEGINS = rb"#(?<![^\n]#)"
"""A pattern for a # at the beginning of a line, which is found much faster than one with ^."""


class Companions(NamedTuple):
    """The files that belong to a file with an ending, from its folder; {} stands for its stem.

    Attributes:
        ending: the ending of the file.
        read: those that are read along with it.
        others: those that are no documents either.
    """

    ending: str
    read: tuple[str, ...]
    others: tuple[str, ...] = ()


class UnreadFormat(NamedTuple):
    """A format that is recognised but not read: its title, advice to the user, its looks."""

    name: str
    title: str
    advice: str
    looks: Sequence[Look]


class WrittenFiles(NamedTuple):
    """The result of a writer.

    Attributes:
        files: name → bytes.
        incidents: what the format could not express.
        left_out: how many mentions were therefore left out.
    """

    files: dict[str, bytes]
    incidents: list[Incident]
    left_out: int = 0


@frozen(eq=False)
class Format:
    """A file format.

    Attributes:
        name: its name in options.
        title: its name in messages and documentation.
        parse: the bytes of one file, its path, and the reading → a Corpus, whose incidents are the
            problems of the file. It never raises for bad data.
        write: a corpus that has nothing but what the format `holds`, and the path to write to → the
            files; it does not write them to disk. None for a format that is only read.
        unit: the unit of its spans.
        holds: what it can express besides spans and entities: "zeros", "parts", "heads", "minimum",
            "crossing", "singletons", "words", "text", "sentences", "speakers", "names", "links",
            "referring"; "labels" for any label of mentions, or the names of single ones ("type");
            and token columns that it keeps ("LEMMA").
        suffixes: the usual endings of file names, for `convert` and for directories.
        looks: how its files look; one of them has to fit.
        companions: the files beside them.
        options: the options of reading that it knows.

    Abilities that other packages ask for, so that nobody asks for a format by its name:
        one_name: a document has a single name, so names must match in full.
        model_words: its words were written by a language model and may differ from the key's.
        answers: its files are answers of language models: among several, a bad one counts as empty.
        task_text: it is a text of the CRAC tasks, which `fill_in` of another format takes.
        columns: a token is a line of CoNLL columns; a blank line ends a sentence.
        mixes_with: the format with whose files its own may be read as one corpus.
        place_answers: key and answers → the answers on the mentions of the key, for files without
            spans.
        find_links: the bytes of a file, its path, and the reading → its links with the scores of
            the system; None where it has none.
        topic: the name of a document → the topic it belongs to, for entities that span documents:
            the documents of a topic are joined by `--across topic` and `convert --cross pool`.
        annotations: the bytes of a file, its path, and the reading → who annotated which of its
            documents; None where a file has a single annotator.
        continues: whether a document may continue in the next file, as in tables of databases.
        untried: whether it was read from documentation and made files only, as no real file of it
            was at hand.
        usual_profile: the profile with which such files are usually scored, and who uses it.
    """

    name: str
    title: str
    parse: Callable[[bytes, str, Reading], Corpus]
    write: Callable[[Corpus, str], WrittenFiles] | None = None
    unit: Unit = "token"
    holds: frozenset[str] = field(default_factory=frozenset)
    suffixes: Sequence[str] = ()
    looks: Sequence[Look] = ()
    companions: Sequence[Companions] = ()
    options: Sequence[ReadOption] = ()
    one_name: bool = False
    model_words: bool = False
    answers: bool = False
    task_text: bool = False
    columns: bool = False
    mixes_with: str = ""
    place_answers: Callable[[Corpus, Corpus], Corpus] | None = None
    find_links: "Callable[[bytes, str, Reading], LinkList | None] | None" = None
    annotations: "Callable[[bytes, str, Reading], list[Annotation]] | None" = None
    usual_profile: tuple[str, str] | None = None
    topic: Callable[[str], str] | None = None
    continues: bool = False
    untried: bool = False
