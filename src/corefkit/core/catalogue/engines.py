"""Incidents of the database engines."""

from corefkit.core.catalogue.kind import Kind, error, one_message

ENGINES: dict[str, Kind] = {
    "engine-failed": error(
        "A database engine stopped in the middle of the work; the incident quotes it.",
        "Give it more memory (--memory), fewer threads (--threads) or a larger disk (--spill).",
        one_message(
            "the engine {engine} stopped: {reason}",
            {
                "duckdb": "more memory (--memory 8GB) or fewer threads (--threads 1) may help; a "
                "file that cannot be read is named above",
                "spark": "see the log of the Spark session; more memory for the driver may help",
                "disk": "the disk is full: free some space or name another folder with --spill",
            },
        ),
    ),
    "value-missing": error(
        "Rows of a Parquet file or table have no document, no mention or no entity.",
        "Remove these rows, or give each a value.",
        {
            "": "{number:,} row(s) have no value in the column '{name}'",
            "side": "the {side} has {number:,} row(s) without a value in the column of the {name}",
        },
    ),
    "too-many-mentions": error(
        "A document has so many mentions that the number of their pairs does not fit into 64 bits, "
        "or all documents together have.",
        "Divide the document, or score the documents in several runs.",
        {
            "": "a document of the {side} has {number:,} mentions",
            "pairs": "the documents of the {side} have some {number:,} pairs of mentions",
        },
    ),
}
