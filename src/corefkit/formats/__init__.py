"""Reading and writing: from the names of files to a Corpus, and back.

Other packages take from here what they need of formats; `formats._kit` belongs to the formats, and
of the others only `formats.columns`, the kernel of column files, is used elsewhere (by corpora).
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.core.options import PLAIN, PLAIN_SIDES, Reading, Readings
    from corefkit.formats._kit.convert import Losses, LossWarning, convert, reduce, write, write_as
    from corefkit.formats._kit.detection import UNREAD, describe, detect, looks_like_conllu
    from corefkit.formats._kit.files import (
        AS_THEY_ARE,
        companion_test,
        expand,
        load,
        out_of_memory,
        walk,
    )
    from corefkit.formats._kit.packing import MAX_SIZE_VARIABLE, packed, parse_size
    from corefkit.formats._kit.prefetch import Prefetch
    from corefkit.formats._kit.reading import (
        make_reading,
        read,
        read_all,
        readings_of,
        split_readings,
    )
    from corefkit.formats._kit.text import split_tokens, to_tokens
    from corefkit.formats._kit.writing import is_stream, staged, write_atomically
    from corefkit.formats.conll.writer import rewrite_columns, to_bytes, with_mentions
    from corefkit.formats.conllu import conllu_document_names
    from corefkit.formats.conllu.heads import (
        count_moved_heads,
        count_several_nodes,
        tree_heads,
        write_heads,
    )
    from corefkit.formats.conllu.text_reading import ReadBack, read_back
    from corefkit.formats.conllu.texts import to_objects, to_text
    from corefkit.formats.parquet import corpus_of_values, has_identifiers, place_values
    from corefkit.formats.registry import (
        Format,
        FormNode,
        file_figures,
        format_by_ending,
        format_names,
        format_of,
        get_format,
        is_known,
        named_in_one_way,
        parse,
    )

_HOMES = {
    "core.options": ["PLAIN", "PLAIN_SIDES", "Reading", "Readings"],
    "formats._kit.convert": ["LossWarning", "Losses", "convert", "reduce", "write", "write_as"],
    "formats._kit.detection": ["UNREAD", "describe", "detect", "looks_like_conllu"],
    "formats._kit.files": [
        *("AS_THEY_ARE", "companion_test", "expand", "load", "out_of_memory", "walk"),
    ],
    "formats._kit.packing": ["MAX_SIZE_VARIABLE", "packed", "parse_size"],
    "formats._kit.prefetch": ["Prefetch"],
    "formats._kit.writing": ["is_stream", "staged", "write_atomically"],
    "formats._kit.reading": ["make_reading", "read", "read_all", "readings_of", "split_readings"],
    "formats._kit.text": ["split_tokens", "to_tokens"],
    "formats.conll.writer": ["rewrite_columns", "to_bytes", "with_mentions"],
    "formats.conllu": ["conllu_document_names"],
    "formats.conllu.heads": [
        *("count_moved_heads", "count_several_nodes", "tree_heads", "write_heads"),
    ],
    "formats.conllu.text_reading": ["ReadBack", "read_back"],
    "formats.conllu.texts": ["to_objects", "to_text"],
    "formats.parquet": ["corpus_of_values", "has_identifiers", "place_values"],
    "formats.registry": [
        *("Format", "FormNode", "format_by_ending", "format_names", "format_of", "get_format"),
        *("file_figures", "is_known", "named_in_one_way", "parse"),
    ],
}
__all__ = [
    "AS_THEY_ARE",
    "MAX_SIZE_VARIABLE",
    "PLAIN",
    "PLAIN_SIDES",
    "UNREAD",
    "FormNode",
    "Format",
    "LossWarning",
    "Losses",
    "Prefetch",
    "ReadBack",
    "Reading",
    "Readings",
    "companion_test",
    "conllu_document_names",
    "convert",
    "corpus_of_values",
    "count_moved_heads",
    "count_several_nodes",
    "describe",
    "detect",
    "expand",
    "file_figures",
    "format_by_ending",
    "format_names",
    "format_of",
    "get_format",
    "has_identifiers",
    "is_known",
    "is_stream",
    "load",
    "looks_like_conllu",
    "make_reading",
    "named_in_one_way",
    "out_of_memory",
    "packed",
    "parse",
    "parse_size",
    "place_values",
    "read",
    "read_all",
    "read_back",
    "readings_of",
    "reduce",
    "rewrite_columns",
    "split_readings",
    "split_tokens",
    "staged",
    "to_bytes",
    "to_objects",
    "to_text",
    "to_tokens",
    "tree_heads",
    "walk",
    "with_mentions",
    "write",
    "write_as",
    "write_atomically",
    "write_heads",
]

__getattr__, __dir__ = attach(__name__, _HOMES)
