"""Add a corpus to the table of known keys: python tools/fingerprint.py CORPUS ID NAME [--split S].

The table, src/corefkit/scoring/fingerprints.json, holds hashes of the places of mentions and
nothing else. An entry with the same id is replaced.
"""

import argparse
import json
from pathlib import Path

import corefkit
from corefkit.scoring.fingerprints import LEAST_DOCUMENTS, fingerprints

TABLE = Path(__file__).parents[1] / "src" / "corefkit" / "scoring" / "fingerprints.json"
LARGEST = 200_000
"""How many bytes the table may have."""


def main() -> None:
    """Read the corpus and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", help="a file, a folder or a glob")
    parser.add_argument("id", help="a short name for programs")
    parser.add_argument("name", help="what people call it")
    parser.add_argument("--split", default="", help="train, development or test")
    parser.add_argument("--note", help="what to know before scoring against it")
    arguments = parser.parse_args()
    documents = sorted({*fingerprints(corefkit.read(arguments.corpus))})
    if len(documents) < LEAST_DOCUMENTS:
        parser.error(f"{arguments.corpus}: {len(documents)} documents with mentions are too few")
    entry = {"id": arguments.id, "name": arguments.name}
    entry |= {"split": arguments.split} if arguments.split else {}
    entry |= {"note": arguments.note} if arguments.note else {}
    entry["documents"] = "".join(documents)
    entries = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else []
    entries = [one for one in entries if one["id"] != arguments.id] + [entry]
    text = json.dumps(sorted(entries, key=lambda one: one["id"]), indent=1, ensure_ascii=False)
    if len(text) > LARGEST:
        parser.error(f"the table would have {len(text):,} bytes, more than {LARGEST:,}")
    TABLE.write_text(text + "\n", encoding="utf-8")
    print(f"{arguments.name}: {len(documents)} documents")


if __name__ == "__main__":
    main()
