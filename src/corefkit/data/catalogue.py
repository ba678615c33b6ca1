"""Every kind of incident, with what it means and what to do: `corefkit check --list`."""

from textwrap import fill

from corefkit.data.catalogue_anaphora import ANAPHORA
from corefkit.data.catalogue_corefud import COREFUD
from corefkit.data.catalogue_formats import FORMATS
from corefkit.data.catalogue_task import TASK
from corefkit.data.catalogue_texts import TEXTS
from corefkit.data.kind import Kind

KINDS: dict[str, Kind] = {
    "file-unreadable": Kind(
        "error",
        "The file does not exist, may not be read, or its gzip data is damaged; or a directory or "
        "glob holds no file.",
        "Check the path and the permissions, or pack the file again.",
        {
            "": ("the file cannot be read: {reason}", "check the path and the permissions"),
            "counts": (
                "the file of counts cannot be read: {reason}",
                "write it again with `corefkit score --counts`",
            ),
            "parquet": ("the Parquet file cannot be read: {reason}", "write the file again"),
            "spacy": (
                "the spaCy file cannot be read: {reason}",
                "write the file again; perhaps it was cut off",
            ),
            "archive": ("the archive cannot be read: {reason}", "export it again"),
            "archive-empty": (
                "the archive cannot be read: there is no .xmi or .json in the archive",
                "export it again",
            ),
            "archive-large": (
                "the archive cannot be read: it unpacks to more than {most:,} bytes",
                "export it again",
            ),
            "no-name": (
                "the file cannot be read: the name is empty",
                "name a file; . is the current directory",
            ),
            "no-file": ("the file cannot be read: there is no file in it", "check the path"),
            "gzip": (
                "the file cannot be read: damaged gzip data ({reason})",
                "pack the file again",
            ),
            "no-key": (
                "there is no key in this folder",
                "put the keys there; responses go to responses/SYSTEM/",
            ),
        },
    ),
    "file-too-large": Kind(
        "error",
        "A packed file would unpack to more than is allowed, 2 GiB unless you say otherwise, or a "
        "file needs more memory than there is.",
        "Split the file, or raise the limit: corefkit --max-size 8G …, or COREFKIT_MAX_SIZE=8G.",
        "the file is too large to be read",
    ),
    "no-document": Kind(
        "error",
        "The file has no '#begin document' line, so it is not a CoNLL file; the incident says what "
        "it looks like instead.",
        "Convert the file, or check that it is the one you meant.",
        {
            "": "no '#begin document' line in the file",
            "sentence": "there is no sentence in the file",
            "newdoc": "no '# newdoc' line: the file {looks}",
        },
    ),
    "engine-failed": Kind(
        "error",
        "A database engine stopped in the middle of the work; the incident quotes it.",
        "Give it more memory (--memory), fewer threads (--threads) or a larger disk (--spill).",
        {
            "spark": (
                "the engine {engine} stopped: {reason}",
                "see the log of the Spark session; more memory for the driver may help",
            ),
            "duckdb": (
                "the engine {engine} stopped: {reason}",
                "more memory (--memory 8GB) or fewer threads (--threads 1) may help; a file that "
                "cannot be read is named above",
            ),
            "disk": (
                "the engine {engine} stopped: {reason}",
                "the disk is full: free some space or name another folder with --spill",
            ),
        },
    ),
    "value-missing": Kind(
        "error",
        "Rows of a Parquet file or table have no document, no mention or no entity.",
        "Remove these rows, or give each a value.",
        {
            "": "{number:,} row(s) have no value in the column {name!r}",
            "side": "the {side} has {number:,} row(s) without a value in the column of the {name}",
        },
    ),
    "too-many-mentions": Kind(
        "error",
        "A document has so many mentions that the number of their pairs does not fit into 64 bits.",
        "Divide the document.",
        "a document of the {side} has {number:,} mentions",
    ),
    "token-outside": Kind(
        "error",
        "Lines with tokens stand before the first '#begin document' or after '#end document'. They "
        "belong to no document, so their mentions would be lost.",
        "Add the missing '#begin document' line. Comments start with '#' and have no tab.",
        {
            "": "{number:,} line(s) with tokens outside any document",
            "newdoc": "a token before the first '# newdoc'",
        },
    ),
    "document-twice": Kind(
        "error",
        "Two documents of one corpus have the same name, parts included, so neither can be paired "
        "with the other side.",
        "Remove one of the two, or give it another name or part number.",
        {
            "": "the document is in the file twice",
            "file": (
                "the document is in two files of one corpus",
                "remove one of the two, or give it another name or part number; if each file is a "
                "response of its own, name the files, not their directory",
            ),
            "files": (
                "{number:,} documents are in more than one of the {files:,} files of one corpus, "
                "this one among them",
                "remove one of the two, or give it another name or part number; if each file is a "
                "response of its own, name the files, not their directory",
            ),
            "id": "two documents have the id {name}",
        },
    ),
    "carriage-return": Kind(
        "error",
        "A carriage return stands in the middle of a line of a file whose lines end with line "
        "feeds. If it is meant to end a line, the token behind it would be lost. One between two "
        "tabs or blanks, a cell of its own, loses nothing and is not told.",
        "Write all line ends alike, e.g. with tr '\\r' '\\n'.",
        "a carriage return in the middle of a line: two lines may be one here",
    ),
    "bracket-unopened": Kind(
        "error",
        "A mention is closed, '12)', that is not open at this place in the document.",
        "Add the opening bracket on an earlier line, or remove the closing one.",
        {
            "": "entity {entity} is closed here but not open",
            "markable": ("a markable goes on that did not begin", "perhaps a row was lost"),
            "sentence": "an entity is closed here but not open in the sentence",
            "nameless": "{layer}: a bracket is closed and none is open",
            "named": "{layer}: markable {name} is closed here and was never opened",
        },
    ),
    "bracket-unclosed": Kind(
        "error",
        "A mention is opened, '(12', and never closed before the document ends.",
        "Add the closing bracket on a later line, or remove the opening one.",
        {
            "": "entity {entity} is opened here and never closed",
            "sentence": "an entity is opened here and not closed in the sentence",
            "named": "{layer}: markable {name} is opened here and never closed",
            "nameless": "{layer}: a bracket is opened here and never closed",
        },
    ),
    "coreference-text": Kind(
        "error",
        "The last column holds something that is neither a bracket nor one of - _ *. Often the "
        "file has no coreference column at all, or another column was added behind it.",
        "Make coreference the last column.",
        {
            "": "the last column holds something other than coreference brackets",
            "layer": "{layer}: text outside brackets in the column {layer}",
        },
    ),
    "mentions-cross": Kind(
        "error",
        "Two mentions of one entity overlap without one being inside the other. No file can say "
        "this, because brackets of one id nest; a corpus made in Python can.",
        "Correct the spans, or put one of them into another entity.",
        {
            "": "two mentions of one entity cross",
            "conllua": (
                "two mentions cross, which is not written in CoNLL-UA",
                "choose another format, or correct the spans",
            ),
        },
    ),
    "no-common-document": Kind(
        "error",
        "Key and response have not a single document in common, so there is nothing to score. Most "
        "likely the files do not belong together, or the names are written differently. Profiles "
        "that do not compare lengths warn, and score 0.",
        "Check that the files belong together; names are compared whole, parts included.",
        "key and response have no document in common",
    ),
    "length-differs": Kind(
        "error",
        "A document has different numbers of tokens in key and response, so spans cannot be "
        "compared. The incident names the first line that departs.",
        "Use the tokenisation of the key. --lengths ignore compares spans all the same.",
        {
            "": "the document has {key:,} tokens in the key and {response:,} in the response",
            "sentence": "a sentence has {key:,} words in the key and {response:,} in the response",
        },
    ),
    "document-unknown": Kind(
        "error",
        "The document that was asked for is not in the key.",
        "Give its whole name, as it stands behind '#begin document', part included.",
        "the key has no document {name!r}",
    ),
    "mentions-repeated": Kind(
        "error",
        "The response repeats more than ten mentions of the key; the reference scorer refuses such "
        "files, and so does the profile conll-8.01.",
        "Correct the response, or score it with another profile.",
        "the reference scorer refuses a response with so many repeated mentions",
    ),
    "column-missing": Kind(
        "error",
        "Something was asked for that needs a token column which the file lacks.",
        "Use the full CoNLL-2012 format of twelve columns and more.",
        {
            "": "the file has no column {name!r}",
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
            "no-tags": ("the key has no tags: column 'pos' is empty", "Use a key with tags."),
            "no-words": (
                "the key has no words: column 'word' is empty",
                "Use a key with words: corefkit skeleton fill.",
            ),
            "no-speakers": (
                "the key has no speakers: column 'speaker' is empty",
                "Use a key with speakers.",
            ),
            "no-trees": (
                "the key has no trees: column 'parse' is empty",
                "score against a key with trees, or with --match exact",
            ),
            "only-immediate": (
                "the key has no tags, so only immediate is listed",
                "inferred and anchor need to know which mentions are nominal",
            ),
            "layer": (
                "the file has no column {name!r}",
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
                "{format} files have no column {name!r}",
                "Use a file in the CoNLL-2012 format for what needs this column.",
            ),
            "header": "the header names no column {name}",
            "row": "{number} columns; {name} is column {place}",
        },
    ),
    "tagset-unknown": Kind(
        "error",
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
    "name-brackets": Kind(
        "error",
        "The named entities in column 11 of the key do not pair: one is closed that is not open, "
        "or one is never closed.",
        "Correct the column. Scores other than anchor do not need it.",
        "the named entities of a document do not pair",
    ),
    "empty-nodes-differ": Kind(
        "error",
        "A CorefUD document has other empty nodes in the response than in the key. Only the "
        "profile corefud-1.1 minds: the scorer of 2022 and 2023 compares the forms of words and "
        "empty nodes side by side and refuses files in which two differ, an error; where the "
        "forms do not show it, it scores them.",
        "Use the empty nodes of the key, or score by the profile corefud.",
        "the document has other empty nodes than in the key",
    ),
    "head-unknown": Kind(
        "error",
        "Mentions are to be matched by their heads (--match head or partial), and the files "
        "neither declare heads nor have trees.",
        "Score with --match exact, or against a key with a parse column or with heads.",
        "--match {match} needs heads, and no mention of several tokens has one",
    ),
    "span-outside": Kind(
        "error",
        "A span reaches beyond the end of the document in the key. No file can say this; a corpus "
        "made in Python can.",
        "Correct the spans, or score against the right key.",
        {
            "": "a span reaches beyond the end of the document",
            "side": (
                "the {side} has {number:,} row(s) whose start and end are no span",
                "both ends are included and count from 0",
            ),
            "rows": (
                "{number:,} row(s) have a start and an end that are no span",
                "both ends are included and count from 0",
            ),
            "text": (
                "a span reaches beyond the document",
                "correct the span, or check that the text belongs to it",
            ),
            "inclusive": (
                "a span reaches beyond the document",
                "the ends look inclusive: read with --ends inclusive",
            ),
            "exclusive": (
                "a span reaches beyond the document",
                "the ends look exclusive: read with --ends exclusive",
            ),
        },
    ),
    "id-without-bracket": Kind(
        "warning",
        "An id stands without a bracket inside an open mention of that id, as some tools write on "
        "the middle tokens of a mention. It is ignored.",
        "Write - on the tokens inside a mention.",
        "an id without a bracket inside an open mention of that id: ignored",
    ),
    "ids-unseen": Kind(
        "warning",
        "Brackets with ids other than numbers are left out, because the profile conll-8.01 or "
        "--ids digits asks for it: the reference scorer does not see them.",
        "Number the entities, or score with another profile or --ids any.",
        "{number:,} bracket(s) with ids that are not numbers are not seen",
    ),
    "brackets-glued": Kind(
        "warning",
        "An opening bracket stands right before another one, as in (1(2, and is left out, because "
        "the profile coval or --glued last asks for it: CoVal sees only the last of them.",
        "Write | between brackets, or score with another profile or --glued all.",
        "an opening bracket stands right before another one and is not seen",
    ),
    "span-twice": Kind(
        "warning",
        "One entity has the same span twice; one copy is scored.",
        "Remove one of the two. --duplicates error refuses such files.",
        {
            "": (
                "a span is twice in entity {entity}",
                "the copy in entity {entity} is scored, the other is dropped; --duplicates error "
                "refuses the file",
            ),
            "error": (
                "a span is twice in entity {entity}",
                "remove one of the copies, or let corefkit choose: --duplicates first",
            ),
            "both": (
                "a span is twice in entity {entity}",
                "both copies are scored, as CoVal does; --duplicates error refuses the file",
            ),
            "each": (
                "a span is twice in entity {entity}",
                "as corefud-scorer, each entity keeps one copy; --duplicates error refuses the "
                "file",
            ),
        },
    ),
    "span-in-two-entities": Kind(
        "warning",
        "A span is a mention of two entities. The copy in the entity that comes first in the text "
        "is scored, the other dropped; scorers differ here.",
        "Decide for one entity. --duplicates error refuses such files.",
        {
            "": (
                "a span is in entity {entity} and in entity {other}",
                "the copy in entity {entity} is scored, the other is dropped; --duplicates error "
                "refuses the file",
            ),
            "refused": (
                "the {side} has {number:,} mention(s) more than once",
                "give each mention one entity; up to {most:,} mentions in entities with repeated "
                "ones are settled by --duplicates first",
            ),
            "settled": (
                "the {side} has {number:,} mention(s) more than once",
                "one copy of each is scored, as --duplicates first says",
            ),
            "listed": (
                "the {side} has {number:,} mention(s) more than once",
                "the first copy counts, in the order of the lists",
            ),
            "error": (
                "a span is in entity {entity} and in entity {other}",
                "remove one of the copies, or let corefkit choose: --duplicates first",
            ),
            "both": (
                "a span is in entity {entity} and in entity {other}",
                "both copies are scored, as CoVal does; --duplicates error refuses the file",
            ),
            "each": (
                "a span is in entity {entity} and in entity {other}",
                "as corefud-scorer, each entity keeps one copy; --duplicates error refuses the "
                "file",
            ),
            "written": (
                "{number:,} mentions have the span of another mention",
                "all are written; scoring keeps one copy of each span",
            ),
        },
    ),
    "mention-repeated": Kind(
        "warning",
        "The response has a key mention twice, or the key has a span twice. The profile conll-8.01 "
        "scores the first copy in the response and every copy in the key, with the message of the "
        "reference scorer.",
        "Remove one of the two.",
        {
            "key": ("{said}", "every copy is scored, as the reference scorer does"),
            "response": ("{said}", "the first copy is scored, as the reference scorer does"),
        },
    ),
    "document-missing": Kind(
        "warning",
        "The response lacks a document of the key. It is scored as if it had no mentions.",
        "Add the document. --missing error refuses such responses.",
        {
            "": (
                "the response lacks a document of the key",
                "it counts as a document without mentions; --missing error refuses it",
            ),
            "counted": (
                "{number:,} document(s) of the key are not in the response",
                "they count as empty",
            ),
            "refused": (
                "the response lacks a document of the key",
                "add the document, or let it count as one without mentions: --missing empty",
            ),
        },
    ),
    "document-extra": Kind(
        "warning",
        "The response has a document that the key lacks. It is not scored.",
        "Check the name: it is compared whole, part included. --extra error refuses it.",
        {
            "": (
                "the response has a document that the key lacks",
                "it is not scored; --extra error refuses it",
            ),
            "counted": (
                "{number:,} document(s) of the response are not in the key",
                "they are left out",
            ),
            "refused": (
                "the response has a document that the key lacks",
                "remove the document, or leave it out of the score: --extra ignore",
            ),
        },
    ),
    "words-differ": Kind(
        "warning",
        "A document has the same number of tokens in key and response but other words. Perhaps the "
        "tokenisation differs in two places that make up for each other.",
        "Check the first place named; masked words ([WORD], ___) are not compared.",
        {
            "": (
                "{number:,} token(s) of the document are other words than in the key",
                "this is the first place; the spans are compared by their token numbers all the "
                "same",
            ),
        },
    ),
    "not-utf8": Kind(
        "warning",
        "The file has bytes that are not UTF-8. Scores do not depend on words, so it is scored.",
        "Convert the file, e.g. with iconv -f latin1 -t utf-8.",
        {
            "": "the file has bytes that are not UTF-8; scores do not depend on them",
            "json": (
                "the file has bytes that are not UTF-8",
                "each was read as one character that says so",
            ),
        },
    ),
    "nul-byte": Kind(
        "warning",
        "The file has NUL bytes, which text does not have. It may be damaged, or UTF-16.",
        "Check how the file was written.",
        "the file has NUL bytes",
    ),
    "no-mention": Kind(
        "warning",
        "The file has tokens but not a single mention. Perhaps the coreference column is not the "
        "last one, or the system failed.",
        "Look at the last column of the file.",
        "there is no mention in the file",
    ),
    "document-empty": Kind(
        "warning",
        "A document has no tokens.",
        "Check whether its lines were lost.",
        "the document has no tokens",
    ),
    "document-unnamed": Kind(
        "warning",
        "A '#begin document' line has no name behind it.",
        "Write the name of the document, e.g. '#begin document (nw/a/00/a_0001); part 000'.",
        {
            "": "the document has no name",
            "id": "the document has no id",
        },
    ),
    "end-without-begin": Kind(
        "warning",
        "An '#end document' line stands where no document is open.",
        "Remove it, or add the '#begin document' line that it belongs to.",
        "no document is open here",
    ),
    "sentences-unknown": Kind(
        "warning",
        "No document of the file has a blank line, so it does not tell where sentences end. "
        "`stats` counts no sentences and no distances in sentences then.",
        "Use a file with a blank line behind each sentence.",
        "the file does not tell where sentences end, so they are not counted",
    ),
    "columns-vary": Kind(
        "warning",
        "The lines of one sentence have different numbers of columns. Scores read only the last "
        "one, but a column may be missing or a word may contain a blank.",
        "Check the first line named. Use tabs where words contain blanks.",
        "the line has {own} columns, the first of its sentence {others}",
    ),
    "comment-with-bracket": Kind(
        "warning",
        "A line inside a document starts with '#' and has no tab, so it is a comment; but it ends "
        "like a token line. If it is a token, the spans behind it are all wrong.",
        "Use tabs between the columns, or put a column before the '#'.",
        "a comment that looks like a token",
    ),
    "columns-differ": Kind(
        "error",
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
    "brackets-malformed": Kind(
        "error",
        "A parse bit, a named entity or a predicate argument is not made of brackets such as (NP*, "
        "* or *).",
        "Correct the cell, or check that the columns are those of the CoNLL-2012 format.",
        "{what}: not brackets",
    ),
    "brackets-unopened": Kind(
        "error",
        "A parse bit, a named entity or a predicate argument closes a bracket that is not open in "
        "the sentence.",
        "Add the opening bracket, or remove the closing one.",
        "{what}: a bracket is closed here but not open",
    ),
    "brackets-unclosed": Kind(
        "error",
        "A parse bit, a named entity or a predicate argument opens a bracket that the sentence "
        "never closes.",
        "Add the closing bracket before the sentence ends, or remove the opening one.",
        "{what}: a bracket is opened here and not closed in the sentence",
    ),
    "words-mismatch": Kind(
        "error",
        "A sentence of a skeleton has another number of tokens than the source of its words.",
        "Name the file the skeleton was made from; the English trees of the CoNLL tasks lack their "
        "disfluencies (--drop-edited).",
        {
            "": "sentence {sentence:,} of {own:,}: {tokens:,} tokens, but {words:,} words",
            "sentences": (
                "sentence {sentence:,} of {own:,} (the source has {theirs:,}): {tokens:,} tokens, "
                "but {words:,} words"
            ),
            "file": "the file: {tokens:,} tokens, but {words:,} words",
        },
    ),
    "word-not-masked": Kind(
        "error",
        "A word of a skeleton is not masked, and the source of the words has another one there.",
        "Name the file the skeleton was made from.",
        "a word of the skeleton is not masked, and the source has another one",
    ),
    "words-missing": Kind(
        "error",
        "There is no file with the words of a skeleton in the directory.",
        "Check the path; files belong together when their paths are the same but for the "
        "extension.",
        "there is no file with the words of the skeleton",
    ),
    "words-ambiguous": Kind(
        "error",
        "More than one file may have the words of a skeleton, or one file those of skeletons of "
        "two languages.",
        "Lay out both directories alike, languages included, or leave the other files out.",
        "it cannot be told which file has the words of the skeleton",
    ),
    "words-unreadable": Kind(
        "error",
        "A file that words are to come from is neither a treebank file nor one token a line.",
        "Correct the file, or name another one.",
        {
            "outside-tree": "{token!r} outside any tree",
            "constituent": "neither constituent nor (tag word)",
            "end": "the file ends inside a tree",
            "no-column": "there is no column for words",
            "two-tokens": "more than one token on a line",
        },
    ),
    "no-files": Kind(
        "error",
        "A directory holds no file to work on.",
        "Check the path.",
        "no file in it",
    ),
    "target-twice": Kind(
        "error",
        "Two files of a directory would be written to the same place, e.g. the layers of "
        "a.v4_gold_conll and a.v4_auto_conll.",
        "Keep one of the two in the directory, or name the files one by one.",
        "two files would be written to the same place, and one would be lost",
    ),
    "layer-unsayable": Kind(
        "error",
        "A layer cannot say a token of the file: an empty word, or in trees a blank in a word or "
        "tag, or the tag of empty elements (-NONE-), which are no words when trees are read.",
        "Change the cell, or remove the token.",
        {
            "empty": "the {what} is empty, which the layer cannot say",
            "blank": "the {what} has a blank in it, which the layer cannot say",
            "element": "the tag is that of empty elements (-NONE-), which the layer cannot say",
        },
    ),
    "layer-broken": Kind(
        "error",
        "A layer file is broken: a tree without its closing bracket, a tag that is never closed.",
        "Correct the file; `corefkit layers` writes the format that is read.",
        {
            "stray": "a single {sign}; write {escaped} for it",
            "element": "an element {name}, not {tag}",
            "unopened": "</{tag}> closes nothing",
            "no-document": "there is no <DOC> around it",
            "unclosed": "<{tag}> is never closed",
            "outside-document": "words outside any document",
            "attribute": "<{tag}> without {name}",
            "no-word": "<{tag}> around no word",
            "outside-tree": "{token!r} outside any tree",
            "constituent": "neither constituent nor (tag word)",
            "end": "the file ends inside a tree",
        },
    ),
    "layer-mismatch": Kind(
        "error",
        "A layer has other words, or more sentences, than the CoNLL file it is merged into.",
        "Merge a layer into the file it was made from.",
        {
            "": "the layer has other words: {here:,} tokens here, {there:,} there",
            "trees": "the layer has {number:,} trees more than the CoNLL file",
            "documents": "the layer has {number:,} documents more than the CoNLL file",
        },
    ),
    "cell-needs-tabs": Kind(
        "error",
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
    "split-unknown": Kind(
        "error",
        "The id of a document does not tell which part of the split it belongs to.",
        "Rename the document, or leave it out and assign it by hand.",
        "the id does not tell which part of the split the document belongs to",
    ),
    "document-in-two-parts": Kind(
        "error",
        "A document is in more than one part of a split.",
        "Remove it from one of them; all parts of a document stay together.",
        "the document is in more than one part of the split",
    ),
    "no-ids": Kind(
        "error",
        "A file or directory holds no id of a document.",
        "Name a list of ids, a CoNLL file, or a directory laid out as OntoNotes.",
        "there is no id of a document in it",
    ),
    "labels-missing": Kind(
        "error",
        "A list of disagreements has no column of labels, or no label in it.",
        "Fill in the column 'label' of the list that `corefkit agree --disagreements` writes.",
        {
            "": ("no line has a label", "labels are, e.g., {examples}"),
            "column": (
                "there is no column 'label' in the first line",
                "labels are, e.g., {examples}",
            ),
        },
    ),
    "nothing-shared": Kind(
        "error",
        "Two annotators have no document in common.",
        "Give the documents the same names in both files, parts included.",
        "{one} and {other} have no document in common that could be compared",
    ),
    "layer-ignored": Kind(
        "warning",
        "A layer file has a mention that CoNLL files cannot say: of parts of words, or of another "
        "type than IDENT. It is left out.",
        "Nothing; the CoNLL tasks left them out too.",
        {
            "type": "a mention of type {type} is left out",
            "parts": "a span of parts of words is left out",
        },
    ),
    "document-unshared": Kind(
        "warning",
        "Only one of two annotators has the document; it is left out of their agreement.",
        "Nothing, unless the other one should have it.",
        {
            "": (
                "only {one} has the document, {other} has not",
                "it is left out of the agreement of the two",
            ),
        },
    ),
    "document-unfit": Kind(
        "warning",
        "A document has different numbers of tokens in two annotations, so their spans cannot be "
        "compared; it is left out of their agreement. The incident names the first line that "
        "departs.",
        "Use one tokenisation. --lengths ignore compares spans all the same.",
        {
            "": (
                "the document has {tokens:,} tokens in {one} and {others:,} in {other}",
                "it is left out of the agreement of the two; --lengths ignore compares spans all "
                "the same",
            ),
        },
    ),
    **COREFUD,
    **ANAPHORA,
    **FORMATS,
    **TASK,
    **TEXTS,
}
"""Ids are stable: programs may rely on them."""


def catalogue_page() -> str:
    """The part of docs/incidents.md that explains every kind, errors first."""
    parts = []
    for severity, title in (("error", "Errors"), ("warning", "Warnings")):
        parts.append(f"## {title}")
        for name, kind in KINDS.items():
            if kind.severity == severity:
                do = f"*What to do:* {kind.do}"
                what, do = (fill(t, 98, break_on_hyphens=False) for t in (kind.what, do))
                messages = "\n".join(f"- `{message}`" for message in kind.messages)
                parts += [f"### {name}", what, *filter(None, [messages]), do]
    return "\n\n".join(parts) + "\n"
