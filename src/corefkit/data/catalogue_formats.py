"""The kinds of incidents of reading, pairing and converting other formats."""

from corefkit.data.kind import Kind

FORMATS: dict[str, Kind] = {
    "format-unread": Kind(
        "error",
        "The file is in a format that corefkit recognises but does not read.",
        "The incident says what to do instead; `corefkit formats` lists what is read.",
    ),
    "format-mixed": Kind(
        "error",
        "The files of one directory or pattern are in different formats. The incident names one "
        "file of each.",
        "Name a pattern that matches the files of one format, or say which with --format.",
    ),
    "document-ambiguous": Kind(
        "error",
        "Key and response are in different formats and write the names of documents differently; "
        "by the rules for this a document could be either of two on the other side.",
        "Rename the documents, or pair identical names only with --pair exact.",
        "a document may be either of two documents of the {side}",
    ),
    "documents-unnamed": Kind(
        "error",
        "The documents of one side have no names, so they could only be paired by position, but "
        "the two sides have different numbers of documents.",
        "Give the documents names, or the same number of them on both sides.",
        "the documents of the {which} have no names, so they can be paired by position only, and "
        "the numbers of documents differ",
    ),
    "text-differs": Kind(
        "error",
        "The text of the response is not that of the key: aligned, it covers less than half of the "
        "key's characters. With --align never: the texts differ at all. The incident shows the "
        "first places.",
        "Check that the files belong together; --documents leaves documents out.",
    ),
    "json-syntax": Kind(
        "error",
        "The file is no JSON at this place.",
        "Write the file again; perhaps it was cut off.",
    ),
    "json-shape": Kind(
        "error",
        "A part of a JSON document is not what it should be, e.g. null where a span should be. "
        "The incident gives its path.",
        "Correct the document, or read it as another dialect with --format.",
    ),
    "clusters-missing": Kind(
        "error",
        "A document has no field with clusters; it looks like input for prediction.",
        "Give the file that the system wrote, or name the field with --clusters.",
    ),
    "span-empty": Kind(
        "error",
        "A span ends before it begins.",
        "Correct the span; if all ends are one too low, read with --ends inclusive.",
    ),
    "text-missing": Kind(
        "error",
        "The annotation stands in a file of its own, and the file with the text is not there.",
        "Put the text beside the annotation, under the same name.",
    ),
    "mention-unknown": Kind(
        "error",
        "A link names a mention that the file does not have.",
        "Correct the id, or remove the link.",
    ),
    "id-twice": Kind(
        "error",
        "Two annotations of a file have the same id.",
        "Give one of the two another id.",
    ),
    "annotation-shape": Kind(
        "error",
        "A line of a brat file is no text-bound annotation, or a mark behind a word of text2text "
        "is not written as it should be. A warning with --lenient.",
        "Correct the line or the mark.",
    ),
    "tag-unclosed": Kind(
        "error",
        "A mark in running text is opened and never closed. A warning with --lenient.",
        "Correct the mark, or drop what is broken with --lenient.",
    ),
    "tag-unopened": Kind(
        "error",
        "A mark in running text is closed that is not open. A warning with --lenient.",
        "Correct the mark, or drop what is broken with --lenient.",
    ),
    "entity-missing": Kind(
        "error",
        "A mention does not say which entity it belongs to. A warning with --lenient.",
        "Add the id, or drop such marks with --lenient.",
    ),
    "no-coreference": Kind(
        "error",
        "The file has annotation, but none that is known to be coreference.",
        "Say what is: --relations and --mentions (brat), --layer and --types (WebAnno).",
    ),
    "label-unknown": Kind(
        "error",
        "A label of a GAP file, or of answers to it, is neither TRUE nor FALSE.",
        "Correct the label.",
    ),
    "number-expected": Kind(
        "error",
        "A cell of a table should be a whole number.",
        "Write the file again; a program that knows quotes may have damaged it.",
    ),
    "token-number": Kind(
        "error",
        "In columns that begin with the number of the token the numbers of a sentence do not run "
        "1, 2, 3 …, or a row that is no token, such as 21-22, has a bracket.",
        "Look for lost lines, or for a blank line that is missing at the end of a sentence.",
    ),
    "lists-differ": Kind(
        "error",
        "A line of a WebAnno file has other numbers of relations and of their targets.",
        "Export the file again.",
    ),
    "mention-gap": Kind(
        "error",
        "The tokens of a mention of a WebAnno file do not follow one another.",
        "Annotate the whole span, or two mentions.",
    ),
    "xml-syntax": Kind(
        "error",
        "The file is no XML at this place, or is nested too deep.",
        "Write the file again; perhaps it was cut off.",
    ),
    "xml-entity": Kind(
        "error",
        "The XML file declares entities. They are not read, because they can make a small file "
        "fill the memory.",
        "Resolve the entities with another program, if you trust the file.",
    ),
    "xml-wrapped": Kind(
        "warning",
        "The TEI file is wrapped in <#root>, which is no XML. It was read without the wrapper.",
        "Nothing; other programs will refuse the file.",
    ),
    "format-differs": Kind(
        "warning",
        "The file was read in the format that was asked for and has errors; it looks like another "
        "format.",
        "Leave out --format, or name the right one.",
    ),
    "names-rewritten": Kind(
        "warning",
        "Key and response are in different formats and write the names of documents differently; "
        "documents were paired by the rules for this.",
        "Nothing, if the pair that is shown belongs together; --pair exact forbids it.",
        {
            "": (
                "{number:,} document(s) of the response are paired with documents of the key that "
                "are written otherwise",
                "this is the first of them; --pair exact pairs identical names only",
            ),
        },
    ),
    "documents-left-out": Kind(
        "warning",
        "Documents of the key are not scored, because --documents asked for others only.",
        "Nothing; say it where you report the figures.",
        {
            "": (
                "{number:,} of {all:,} documents of the key are left out of the score",
                "you asked for this with --documents, or with --missing skip",
            ),
        },
    ),
    "mention-text-differs": Kind(
        "warning",
        "The file repeats the texts of its mentions, and at the place of one there is another "
        "text. An error if that is so for more than one mention in ten.",
        "Nothing, if the text was changed afterwards: the offsets stand.",
    ),
    "mention-without-entity": Kind(
        "warning",
        "Mentions have the entity -1, which means none. Each is read as an entity of its own.",
        "Nothing; --singletons drop leaves them out of the score.",
    ),
    "layer-chosen": Kind(
        "warning",
        "A WebAnno file has several chain layers, and none is called coreference; the first is "
        "read.",
        "Name the layer with --layer.",
    ),
    "ends-unsure": Kind(
        "warning",
        "Nothing tells whether the ends of the spans in a field are included.",
        "Say it with --ends inclusive or --ends exclusive.",
    ),
    "mention-zero": Kind(
        "warning",
        "Mentions of empty nodes were left out, because the new format cannot say them.",
        "Choose another format, make tokens of them with --zeros token, or refuse them with "
        "--zeros error.",
    ),
    "mention-discontinuous": Kind(
        "warning",
        "Mentions of several parts became one span, because the new format cannot say them.",
        "Choose another format, or what becomes of them with --discontinuous.",
    ),
    "layer-dropped": Kind(
        "warning",
        "Annotation other than identity was left out, because the new format cannot say it.",
        "Nothing, unless you need it: then choose another format.",
    ),
    "cross-document": Kind(
        "warning",
        "The file names entities that occur in several documents. Each document is read by "
        "itself, so what is said across documents is lost.",
        "Nothing, if documents are what you score; see --cross of convert.",
    ),
    "sentences-joined": Kind(
        "warning",
        "The new format counts tokens in sentences, so sentences that one mention spans became "
        "one.",
        "Nothing, unless the sentences matter to you: then choose another format.",
    ),
    "text-changed": Kind(
        "warning",
        "The text of the response is not quite that of the key, so mentions were placed by an "
        "alignment. The incident counts the words replaced, added and dropped and shows the first "
        "places.",
        "Report the coverage with the figures; corefkit align shows all places.",
    ),
    "text-truncated": Kind(
        "warning",
        "The text of the response breaks off. The mentions of what is missing count as not found.",
        "Let the model write on, or report the coverage with the figures.",
    ),
    "mention-unaligned": Kind(
        "warning",
        "A mention of the response stands in text that the key does not have. It counts as a wrong "
        "mention.",
        "Nothing; --unaligned drop leaves such mentions out of the score.",
    ),
    "mention-splits-token": Kind(
        "warning",
        "A mention begins or ends inside a token. It was widened to whole tokens.",
        "Correct the offsets, or the tokenisation of the other side.",
    ),
}
