"""The conformance data that is scored: English OntoNotes, 342 documents."""

import gzip
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_SHARED = Path(os.environ.get("COREFKIT_SHARED") or _ROOT.parent / "shared")
_FOLDER = _SHARED / "conformance" / "ontonotes-dev"
FORMATS = _SHARED / "conformance" / "formats"
"""Files of other formats, and the same documents in columns."""
FORMATS2 = _SHARED / "conformance" / "formats2"
"""Samples of more formats."""
COREFUD = _SHARED / "conformance" / "corefud"
"""Keys and responses in CorefUD."""
ANAPHORA = _SHARED / "conformance" / "anaphora"
"""Keys and responses in CoNLL-UA."""
LITBANK = _SHARED / "conformance" / "litbank" / "key.conll.gz"
"""A hundred novels, 2,000 words of each."""
LITBANK_RESPONSE = LITBANK.with_name("response-fair.conll.gz")
_SYSTEMS = ("good", "fair", "poor")

MISSING = "no conformance data; put shared/ beside the checkout or set COREFKIT_SHARED"


@dataclass(frozen=True)
class Files:
    """A key and four responses, the best one first."""

    key: Path
    responses: tuple[Path, ...]

    @property
    def response(self) -> Path:
        """The one that is used where one will do."""
        return self.responses[0]


def packed(scratch: Path) -> Files | None:
    """The files as they are, the fourth response a copy; None if there are none."""
    key = _FOLDER / "key.conll.gz"
    if not key.is_file():
        return None
    responses = [_FOLDER / f"response-{system}.conll.gz" for system in _SYSTEMS]
    fourth = scratch / "response-fourth.conll.gz"
    shutil.copyfile(responses[1], fourth)
    return Files(key, (*responses, fourth))


def unpacked(files: Files, scratch: Path) -> Files:
    """The same files, unpacked."""

    def unpack(file: Path) -> Path:
        target = scratch / file.name.removesuffix(".gz")
        target.write_bytes(gzip.decompress(file.read_bytes()))
        return target

    return Files(unpack(files.key), tuple(map(unpack, files.responses)))
