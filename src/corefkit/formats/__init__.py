"""Reading and writing: from the names of files to a Corpus, and back.

These are the public names. Other packages of corefkit import what they need from `formats.kit`,
which all formats share, from `formats.registry`, and from the formats whose columns, trees and
texts they work on: `conll`, `conllu` and `ontonotes`.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.core.options import Reading
    from corefkit.formats.conllu.dependency_trees import tree_heads
    from corefkit.formats.conllu.model_texts import to_objects, to_text
    from corefkit.formats.conllu.text_reading import read_back
    from corefkit.formats.format import Format
    from corefkit.formats.kit.annotators import read_annotators
    from corefkit.formats.kit.convert import LossWarning, write
    from corefkit.formats.kit.reading import read

_HOMES = {
    "core.options": ["Reading"],
    "formats.conllu.dependency_trees": ["tree_heads"],
    "formats.conllu.model_texts": ["to_objects", "to_text"],
    "formats.conllu.text_reading": ["read_back"],
    "formats.format": ["Format"],
    "formats.kit.annotators": ["read_annotators"],
    "formats.kit.convert": ["LossWarning", "write"],
    "formats.kit.reading": ["read"],
}
__all__ = [
    "Format",
    "LossWarning",
    "Reading",
    "read",
    "read_annotators",
    "read_back",
    "to_objects",
    "to_text",
    "tree_heads",
    "write",
]

__getattr__, __dir__ = attach(__name__, _HOMES)
