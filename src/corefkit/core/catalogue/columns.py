"""Incidents of the columns of tokens: missing ones, and those that cannot be read."""

from corefkit.core.catalogue.kind import Kind, error, warning


def _empty(lacking: str, name: str, hint: str) -> tuple[str, str]:
    return f"the key has no {lacking}: column '{name}' is empty", hint


COLUMNS: dict[str, Kind] = {
    "column-missing": error(
        "Something was asked for that needs a token column which the file lacks.",
        "Use the full CoNLL-2012 format of twelve columns and more.",
        {
            "": "the file has no column '{name}'",
            "corpus": (
                "the corpus has no token columns",
                "Token columns exist only where a corpus is read from files that have them.",
            ),
            "heads": (
                "--match semeval needs the heads of tokens, and the key has none",
                "score files of SemEval-2010, or with another --match",
            ),
            "one-side": (
                "only the {side} has a column 'document'",
                "add the column to the other side, or name it: --columns document=…",
            ),
            "unlike": (
                "a mention of the key is {key}, one of the response {response}",
                "write both sides alike: corefkit convert --to parquet",
            ),
            "no-tags": _empty("tags", "pos", "Use a key with tags."),
            "no-words": _empty("words", "word", "Use a key with words: corefkit skeleton fill."),
            "no-speakers": _empty("speakers", "speaker", "Use a key with speakers."),
            "no-trees": _empty(
                "trees", "parse", "score against a key with trees, or with --match exact"
            ),
            "only-immediate": (
                "the key has no tags, so only immediate is listed",
                "inferred and anchor need to know which mentions are nominal",
            ),
            "layer": (
                "the file has no column '{name}'",
                "corefkit convert --columns full adds the columns that are missing",
            ),
            "word": (
                "the line has no column for the word",
                "use the CoNLL format with five columns or more",
            ),
            "table": (
                "the table does not say which mention belongs to which entity",
                "rename the columns; with an engine, --columns names them",
            ),
            "format": (
                "{format} files have no column '{name}'",
                "Use a file in the CoNLL-2012 format for what needs this column.",
            ),
            "header": "the header names no column {name}",
            "row": "{number} columns; {name} is column {place}",
        },
    ),
    "tagset-unknown": error(
        "A score for applications was asked for, and the tags of the key are from no tagset that "
        "is known, so nouns and pronouns cannot be told.",
        "Name the tagset with --tagset; from Python, pass a Tagset of your own.",
        {
            "": "the tags of the key are from no tagset that is known",
            "stats": (
                "the tags are from no tagset that is known, so mentions have no syntactic category",
                "use a file with tags of one of these",
            ),
        },
    ),
    "name-brackets": error(
        "The named entities in column 11 of the key do not pair: one is closed that is not open, "
        "or one is never closed.",
        "Correct the column. Scores other than anchor do not need it.",
        "the named entities of a document do not pair",
    ),
    "sentences-unknown": warning(
        "The file does not tell where sentences end: in CoNLL, no document has a blank line; other "
        "formats have running text, or mentions only. `stats` counts no sentences and no distances "
        "in sentences then.",
        "Use a file with sentences; in CoNLL, one with a blank line behind each.",
        "the file does not tell where sentences end, so they are not counted",
    ),
    "columns-differ": error(
        "The lines of one sentence have different numbers of columns where the predicate arguments "
        "are read or the columns are converted, so that it cannot be told which column is which.",
        "Give every line of the sentence the same columns, one for each of its predicates "
        "included.",
        {
            "": "the line has another number of columns than its sentence",
            "document": (
                "a line has another number of columns than the document",
                "write the file again",
            ),
            "too-few": (
                "the line has too few columns",
                "write the file again; the table has no quotes",
            ),
            "header": (
                "a line has fewer columns than the header declares",
                "export the file again",
            ),
        },
    ),
    "brackets-malformed": error(
        "A parse bit, a named entity or a predicate argument is not made of brackets such as (NP*, "
        "* or *).",
        "Correct the cell, or check that the columns are those of the CoNLL-2012 format.",
        "{what}: not brackets",
    ),
    "brackets-unopened": error(
        "A parse bit, a named entity or a predicate argument closes a bracket that is not open in "
        "the sentence.",
        "Add the opening bracket, or remove the closing one.",
        "{what}: a bracket is closed here but not open",
    ),
    "brackets-unclosed": error(
        "A parse bit, a named entity or a predicate argument opens a bracket that the sentence "
        "never closes.",
        "Add the closing bracket before the sentence ends, or remove the opening one.",
        "{what}: a bracket is opened here and not closed in the sentence",
    ),
    "cell-needs-tabs": error(
        "A cell is empty, has a blank in it, or makes the line look like a comment: only columns "
        "split by tabs can say that. Or a file to be masked has several blanks before words that "
        "are not aligned, which nobody could put back.",
        "Keep the tabs, or change the cell.",
        {
            "": "a cell {what}, which only columns split by tabs can say",
            "unaligned": (
                "several blanks stand before words that are not aligned: a skeleton could not "
                "restore them",
                "split the columns by tabs first: corefkit convert --separator tab",
            ),
            "word": (
                "a word is empty or has a tab or a line end in it, which columns cannot say",
                "correct the words",
            ),
        },
    ),
}
