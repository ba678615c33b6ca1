"""Reading and writing: from the names of files to a Corpus, and back.

Other packages import from here. `formats.kit` is private to the formats; of the subpackages only
`formats.conll`, whose columns and trees `corpora` and `features` read, is imported there.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.core.options import PLAIN as PLAIN
    from corefkit.core.options import PLAIN_SIDES as PLAIN_SIDES
    from corefkit.core.options import Reading
    from corefkit.core.options import Readings as Readings
    from corefkit.formats.conll.writer import rewrite_columns as rewrite_columns
    from corefkit.formats.conll.writer import to_bytes as to_bytes
    from corefkit.formats.conll.writer import with_mentions as with_mentions
    from corefkit.formats.conllu import conllu_document_names as conllu_document_names
    from corefkit.formats.conllu import is_conllu as is_conllu
    from corefkit.formats.conllu.dependency_trees import count_moved_heads as count_moved_heads
    from corefkit.formats.conllu.dependency_trees import count_several_nodes as count_several_nodes
    from corefkit.formats.conllu.dependency_trees import tree_heads, write_heads
    from corefkit.formats.conllu.model_texts import to_objects, to_text
    from corefkit.formats.conllu.text_reading import ReadBack, read_back
    from corefkit.formats.format import Format
    from corefkit.formats.format import FormNode as FormNode
    from corefkit.formats.kit.annotators import CURATION as CURATION
    from corefkit.formats.kit.annotators import EVERYONE as EVERYONE
    from corefkit.formats.kit.annotators import Annotation, read_annotators
    from corefkit.formats.kit.annotators import annotations_of as annotations_of
    from corefkit.formats.kit.annotators import curated_side as curated_side
    from corefkit.formats.kit.annotators import nothing_marked as nothing_marked
    from corefkit.formats.kit.annotators import split_annotator as split_annotator
    from corefkit.formats.kit.annotators import with_annotators as with_annotators
    from corefkit.formats.kit.content import take_documents as take_documents
    from corefkit.formats.kit.convert import Losses as Losses
    from corefkit.formats.kit.convert import LossWarning, convert, write
    from corefkit.formats.kit.convert import reduce as reduce
    from corefkit.formats.kit.convert import with_file_labels as with_file_labels
    from corefkit.formats.kit.convert import write_as as write_as
    from corefkit.formats.kit.detection import describe as describe
    from corefkit.formats.kit.detection import detect as detect
    from corefkit.formats.kit.files import AS_THEY_ARE as AS_THEY_ARE
    from corefkit.formats.kit.files import MAX_SIZE_VARIABLE as MAX_SIZE_VARIABLE
    from corefkit.formats.kit.files import companion_test as companion_test
    from corefkit.formats.kit.files import companions as companions
    from corefkit.formats.kit.files import expand as expand
    from corefkit.formats.kit.files import load as load
    from corefkit.formats.kit.files import max_size as max_size
    from corefkit.formats.kit.files import out_of_memory as out_of_memory
    from corefkit.formats.kit.files import packed as packed
    from corefkit.formats.kit.files import parse_size as parse_size
    from corefkit.formats.kit.files import read_stored as read_stored
    from corefkit.formats.kit.files import walk as walk
    from corefkit.formats.kit.link_lists import LinkList as LinkList
    from corefkit.formats.kit.link_lists import links_as_corpus as links_as_corpus
    from corefkit.formats.kit.link_lists import links_text as links_text
    from corefkit.formats.kit.link_lists import reading_of_links as reading_of_links
    from corefkit.formats.kit.mention_values import corpus_of_values as corpus_of_values
    from corefkit.formats.kit.mention_values import place_values as place_values
    from corefkit.formats.kit.reading import read
    from corefkit.formats.kit.reading import read_all as read_all
    from corefkit.formats.kit.reading import read_links as read_links
    from corefkit.formats.kit.text import split_tokens as split_tokens
    from corefkit.formats.kit.text import to_tokens as to_tokens
    from corefkit.formats.kit.writing import files_of as files_of
    from corefkit.formats.kit.writing import is_stream as is_stream
    from corefkit.formats.kit.writing import refuse_overwriting as refuse_overwriting
    from corefkit.formats.kit.writing import staged as staged
    from corefkit.formats.kit.writing import temporary_stem as temporary_stem
    from corefkit.formats.kit.writing import write_atomically as write_atomically
    from corefkit.formats.kit.writing import write_together as write_together
    from corefkit.formats.options import OPTIONS as OPTIONS
    from corefkit.formats.options import ReadOption as ReadOption
    from corefkit.formats.options import make_reading as make_reading
    from corefkit.formats.options import readings_of as readings_of
    from corefkit.formats.options import split_readings as split_readings
    from corefkit.formats.registry import file_figures as file_figures
    from corefkit.formats.registry import format_by_ending as format_by_ending
    from corefkit.formats.registry import format_names as format_names
    from corefkit.formats.registry import format_of as format_of
    from corefkit.formats.registry import get_format as get_format
    from corefkit.formats.registry import has_columns as has_columns
    from corefkit.formats.registry import is_known as is_known
    from corefkit.formats.registry import named_in_one_way as named_in_one_way
    from corefkit.formats.registry import parse as parse
    from corefkit.formats.registry import unread_formats as unread_formats

_HOMES = {
    "formats.kit.annotators": [
        "CURATION",
        "EVERYONE",
        "Annotation",
        "annotations_of",
        "curated_side",
        "nothing_marked",
        "read_annotators",
        "split_annotator",
        "with_annotators",
    ],
    "core.options": ["PLAIN", "PLAIN_SIDES", "Reading", "Readings"],
    "formats.kit.convert": [
        "LossWarning",
        "Losses",
        "convert",
        "reduce",
        "with_file_labels",
        "write",
        "write_as",
    ],
    "formats.kit.detection": ["describe", "detect"],
    "formats.format": ["Format", "FormNode"],
    "formats.options": ["OPTIONS", "ReadOption", "make_reading", "readings_of", "split_readings"],
    "formats.kit.content": ["take_documents"],
    "formats.kit.files": [
        "AS_THEY_ARE",
        "MAX_SIZE_VARIABLE",
        "companion_test",
        "companions",
        "expand",
        "load",
        "max_size",
        "out_of_memory",
        "packed",
        "parse_size",
        "read_stored",
        "walk",
    ],
    "formats.kit.link_lists": ["LinkList", "links_as_corpus", "links_text", "reading_of_links"],
    "formats.kit.writing": [
        "files_of",
        "is_stream",
        "refuse_overwriting",
        "staged",
        "temporary_stem",
        "write_atomically",
        "write_together",
    ],
    "formats.kit.reading": [
        "read",
        "read_all",
        "read_links",
    ],
    "formats.kit.text": ["split_tokens", "to_tokens"],
    "formats.conll.writer": ["rewrite_columns", "to_bytes", "with_mentions"],
    "formats.conllu": ["conllu_document_names", "is_conllu"],
    "formats.conllu.dependency_trees": [
        "count_moved_heads",
        "count_several_nodes",
        "tree_heads",
        "write_heads",
    ],
    "formats.conllu.text_reading": ["ReadBack", "read_back"],
    "formats.conllu.model_texts": ["to_objects", "to_text"],
    "formats.kit.mention_values": ["corpus_of_values", "place_values"],
    "formats.registry": [
        "format_by_ending",
        "format_names",
        "format_of",
        "get_format",
        "file_figures",
        "has_columns",
        "is_known",
        "named_in_one_way",
        "parse",
        "unread_formats",
    ],
}
__all__ = [
    "Annotation",
    "Format",
    "LossWarning",
    "ReadBack",
    "Reading",
    "convert",
    "read",
    "read_annotators",
    "read_back",
    "to_objects",
    "to_text",
    "tree_heads",
    "write",
    "write_heads",
]
"""The public names; the others are for other packages of corefkit and may change."""

__getattr__, __dir__ = attach(__name__, _HOMES)
