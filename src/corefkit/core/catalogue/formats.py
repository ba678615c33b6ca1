"""Incidents of reading other formats."""

from corefkit.core.catalogue.kind import ENDS, Kind, error, one_hint, one_message, warning

_MARK = "Correct the mark; --lenient drops what is broken, with a warning for each."

FORMATS: dict[str, Kind] = {
    "format-unread": error(
        "The file is in a format that corefkit recognises but does not read.",
        "The incident says what to do instead; `corefkit formats` lists what is read.",
        ("the file is in a format that corefkit knows but does not read: {title}", "{advice}"),
    ),
    "json-syntax": error(
        "The file is no JSON at this place.",
        "Write the file again; perhaps it was cut off.",
        "this is no JSON: {reason}",
    ),
    "json-shape": error(
        "A part of a JSON document is not what it should be, e.g. null where a span should be. The "
        "incident gives its path.",
        "Correct the document, or read it as another dialect with --format.",
        (
            "{path} is not what it should be",
            "null stands where a system lost a mention; leave it out",
        ),
    ),
    "clusters-missing": error(
        "A document has no field with clusters; it looks like input for prediction.",
        "Give the file that the system wrote, or name the field with --clusters.",
        {
            "": "the document has no clusters; it looks like input for prediction",
            "corenlp": (
                "the file has no coreference element; it was written without that annotator",
                "run CoreNLP with the annotator coref",
            ),
            "dialect": (
                "the rows are in no dialect of JSON that corefkit knows",
                "name the dialect: format=…",
            ),
            "heads": (
                "the document has only coref_head_clusters_N: heads, and no mentions",
                "run the pipe that finds the spans of the heads, too",
            ),
            "coreferee": (
                "the document has only doc._.coref_chains: heads, and no mentions",
                "heads=True takes the heads for mentions",
            ),
            "spacy": (
                "no document has clusters",
                "run the pipe that finds them before the documents are stored",
            ),
            **one_hint(
                "leave the task out, or name another annotator: --annotator",
                {
                    "unfinished": "the task has no finished annotation",
                    "annotator": "the task has no finished annotation of '{annotator}'",
                },
            ),
        },
    ),
    "span-empty": error(
        "A span ends before it begins.",
        "Correct the span; if all ends are one too low, read with --ends inclusive.",
        {
            **one_message("a span ends before it begins", ENDS),
            "mark": ("a mention is empty", _MARK),
        },
    ),
    "text-missing": error(
        "The annotation stands in a file of its own, and the file with the text is not there.",
        "Put the text beside the annotation, under the same name.",
        "the text of the annotation is not there",
    ),
    "mention-unknown": error(
        "A link names a mention that the file does not have.",
        "Correct the id, or remove the link.",
        {
            "": "a link names a mention that the file does not have",
            "gap": (
                "the answers are about the mentions of a GAP file, and the key is none",
                "name the GAP file as the key",
            ),
        },
    ),
    "id-twice": error(
        "Two annotations of a file have the same id.",
        "Give one of the two another id.",
        "an id is used twice",
    ),
    "annotation-shape": error(
        "A line of a brat file is no text-bound annotation, or a mark behind a word of text2text "
        "is not written as it should be. A warning with --lenient.",
        "Correct the line or the mark.",
        {
            "": "the line is no text-bound annotation",
            "markable": ("a markable cannot be read", "write the file again"),
            "word": ("the format has no way to write a word", "choose another format"),
            "two-bars": ("there are two | in a word", _MARK),
            "mark": ("a mark is not written as it should be", _MARK),
        },
    ),
    "tag-unclosed": error(
        "A mark in running text is opened and never closed. A warning with --lenient.",
        _MARK,
        {
            "": "a mark is opened and never closed",
            "coref": ("a COREF tag is never closed", "correct the tag"),
        },
    ),
    "tag-unopened": error(
        "A mark in running text is closed that is not open. A warning with --lenient.",
        _MARK,
        {
            "": "a mark is closed that is not open",
            "coref": ("a COREF tag is closed that is not open", "correct the tag"),
        },
    ),
    "entity-missing": error(
        "A mention does not say which entity it belongs to. A warning with --lenient.",
        "Add the id; --lenient drops such marks, with a warning for each.",
        {
            "": "a mention does not say which entity it belongs to",
            "coref": ("a COREF tag has no ID", "add the ID"),
        },
    ),
    "no-coreference": error(
        "The file has annotation, but none that is known to be coreference.",
        "Say what is: --relations and --mentions (brat), --layer and --types (WebAnno).",
        "the file has annotation, but none that is coreference",
    ),
    "label-unknown": error(
        "A label of a GAP file, or of answers to it, is neither TRUE nor FALSE.",
        "Correct the label.",
        "a label is neither TRUE nor FALSE",
    ),
    "number-expected": error(
        "A cell of a table should be a whole number.",
        "Write the file again; a program that knows quotes may have damaged it.",
        "a cell is no number",
    ),
    "token-number": error(
        "In columns that begin with the number of the token the numbers of a sentence do not run "
        "1, 2, 3 …, or a row that is no token, such as 21-22, has a bracket.",
        "Look for lost lines, or for a blank line that is missing at the end of a sentence.",
        {
            "": "the numbers of the tokens of a sentence do not run 1, 2, 3 …",
            "bracket": (
                "a row that is no token, such as 21-22 or 5.1, has a bracket",
                "move the bracket to a token",
            ),
        },
    ),
    "lists-differ": error(
        "A line of a WebAnno file has other numbers of relations and of their targets.",
        "Export the file again.",
        "relations and their targets are not equally many",
    ),
    "mention-gap": error(
        "The tokens of a mention of a WebAnno file do not follow one another.",
        "Annotate the whole span, or two mentions.",
        "the tokens of a mention have a gap",
    ),
    "xml-syntax": error(
        "The file is no XML at this place, or is nested too deep.",
        "Write the file again; perhaps it was cut off.",
        "this is no XML: {reason}",
    ),
    "xml-entity": error(
        "The XML file declares entities. They are not read, because they can make a small file "
        "fill the memory.",
        "Resolve the entities with another program, if you trust the file.",
        "the file declares entities, which are not read",
    ),
    "xml-wrapped": warning(
        "The TEI file is wrapped in <#root>, which is no XML. It was read without the wrapper.",
        "Nothing; other programs will refuse the file.",
        "the file is wrapped in <#root>, which is no XML; it is read without that",
    ),
    "option-unused": warning(
        "An option says how files of some formats are read, and the file is of another format: it "
        "was read as if the option had not been given.",
        "Nothing, if the option is meant for the other files; else leave it out.",
        "--{option} has no effect on this file: {title}",
    ),
    "format-differs": warning(
        "The file was read in the format that was asked for and has errors; it looks like another "
        "format.",
        "Leave out --format, or name the right one.",
        "the file was read as {wanted}, as you said, but it looks like {looks}",
    ),
    "mention-text-differs": warning(
        "The file repeats the texts of its mentions, and at the place of one there is another "
        "text. An error if that is so for more than one mention in ten.",
        "Nothing, if the text was changed afterwards: the offsets stand.",
        {
            "": "the text at a mention's place is not the one that the file repeats",
            "many": (
                "the text at a mention's place is not the one that the file repeats",
                "more than one mention in ten differs: check that the text belongs to the "
                "annotation",
            ),
        },
    ),
    "mention-without-entity": warning(
        "Mentions have the entity -1, which means none. Each is read as an entity of its own.",
        "Nothing; --singletons drop leaves them out of the score.",
        ("{number:,} mention(s) have the entity -1", "each is read as an entity of its own"),
    ),
    "layer-chosen": warning(
        "A WebAnno file has several chain layers, and none is called coreference; the first is "
        "read.",
        "Name the layer with --layer.",
        {
            "": "the file has several chain layers, and none is called coreference",
            "cas": "there are several chain layers; {layer} is read",
        },
    ),
    "ends-unsure": warning(
        "Nothing tells whether the ends of the spans in a field are included.",
        "Say it with --ends inclusive or --ends exclusive.",
        "nothing tells whether the ends of spans in '{field}' are included",
    ),
    "cross-document": warning(
        "The file names entities that occur in several documents. Each document is read by itself, "
        "so what is said across documents is lost.",
        "Nothing, if documents are what you score; see --cross of convert.",
        (
            "{number:,} entities are named over several documents; each document is read by itself",
            "what is said across documents is not scored",
        ),
    ),
}
