"""Incidents of CorefUD files."""

from corefkit.core.catalogue.kind import Kind, error, warning

COREFUD: dict[str, Kind] = {
    "columns": error(
        "A line of a CoNLL-U file has not ten columns split by tabs.",
        "Split the columns by tabs, and write _ for an empty one.",
        "{number} column(s)",
    ),
    "id-bad": error(
        "The first column of a CoNLL-U file is no id, or ids have gaps or stand in another order: "
        "words are 1, 2, 3 …, empty nodes after word 3 are 3.1, 3.2 …, and a multiword token 3-4 "
        "stands right before word 3.",
        "Number the nodes of the sentence anew.",
        "an id out of order or malformed",
    ),
    "sentence-empty": error(
        "A CoNLL-U sentence has comments, or empty nodes, but no word.",
        "Remove the blank line between its comments and its words, or the whole sentence.",
        "a sentence without words",
    ),
    "comment-misplaced": warning(
        "A comment stands among the words of a CoNLL-U sentence. It is not read.",
        "Put comments before the first word of their sentence.",
        "a comment among the words of a sentence",
    ),
    "format-old": error(
        "The file has ClusterId and MentionSpan of CorefUD 0.x instead of Entity.",
        "Convert it to CorefUD 1.x, e.g. with Udapi, or get a newer release of the data.",
        "ClusterId and MentionSpan of CorefUD 0.x; the file must be converted",
    ),
    "newdoc-missing": warning(
        "Sentences stand before the first '# newdoc'. They are a document named by its number.",
        "Write '# newdoc id = NAME' before the first sentence.",
        "sentences before the first '# newdoc'",
    ),
    "declaration-missing": error(
        "There is no '# global.Entity' before the first Entity, so what its values mean is not "
        "known.",
        "Write '# global.Entity = eid-etype-head-other', or what it is, before the first sentence.",
        "Entity without a '# global.Entity' before it",
    ),
    "declaration-differs": error(
        "A file has two '# global.Entity' that say different things.",
        "Declare the same attributes for the whole file.",
        "another declaration than before",
    ),
    "declaration-bad": error(
        "'# global.Entity' names neither eid nor GRP, or one name twice, or an empty name.",
        "Write the names of the attributes joined by hyphens, e.g. eid-etype-head-other.",
        "the declaration names no entity, or a name twice, or an empty one",
    ),
    "declaration-order": warning(
        "'# global.Entity' does not begin with eid, etype, head in this order, as CorefUD 1.x "
        "does. It is read as declared; other tools may not.",
        "Write the attributes in the usual order.",
        "eid, etype and head do not come first, in this order",
    ),
    "entity-bad": error(
        "The value of Entity holds text that is no bracket, or nothing.",
        "Write brackets such as (e1-person-1, e1) or (e1-person-1), one after the other.",
        {"": "text that is no bracket", "nothing": "Entity with nothing behind it"},
    ),
    "id-of-entity-bad": error(
        "A bracket has no id, or one with a character that ids may not have, or parts that cannot "
        "be, such as [1/1] and [3/2].",
        "Give the entity an id without any of ( ) | - [ ] < > : , = and blanks.",
        "a bracket without an id, or with one that is none",
    ),
    "attribute-twice": error(
        "A MISC cell has Entity, Bridge or SplitAnte twice.",
        "Write all brackets one after the other behind one Entity=.",
        "two {name} in one cell",
    ),
    "attributes-too-many": error(
        "An opening bracket has more values than '# global.Entity' has names, or a closing bracket "
        "has more than the id.",
        "Declare the attribute, or remove the value; a hyphen in a value must be written another "
        "way.",
        {"": "{given} values in a bracket", "closing": "a closing bracket with more than the id"},
    ),
    "entity-on-token-range": error(
        "Entity, Bridge or SplitAnte stand on a multiword token such as 3-4, which is no node.",
        "Write them on its words.",
        {
            "": "annotation on a multiword token, which is no node",
            "line": "annotation on a line that is no node",
        },
    ),
    "head-bad": error(
        "The head of a mention is not a number from 1.",
        "Write which of its nodes is the head, counted from 1; corefkit heads finds it.",
        "the head is not a number from 1",
    ),
    "head-out-of-range": error(
        "The head of a mention is a higher number than the mention has nodes.",
        "Write which of its nodes is the head, counted from 1; corefkit heads finds it.",
        "head {head} of a mention of {nodes} node(s)",
    ),
    "part-unexpected": error(
        "A part of a discontinuous mention, such as [2/2], stands without the one before it in the "
        "sentence.",
        "Write all parts in order, or number them anew.",
        "part {part} of {parts} without the one before it",
    ),
    "part-missing": error(
        "A discontinuous mention lacks its last part.",
        "Write all parts in order in one sentence, or number them anew.",
        "a mention of {parts} parts with the first {first} only",
    ),
    "parts-overlap": error(
        "Parts of one discontinuous mention share nodes.",
        "Write parts that are apart, or one mention without parts.",
        "parts of one mention share nodes",
    ),
    "part-differs": warning(
        "The parts of one mention have different attributes. The head of the last part counts, "
        "otherwise those of the first.",
        "Repeat the attributes unchanged at each part.",
        "the parts of a mention have different attributes",
    ),
    "entity-in-two-documents": warning(
        "An id occurs in two documents of a file. They are two entities to the score.",
        "Give the entities of each document ids of their own.",
        "entity {entity} is in an earlier document too: scored as another one",
    ),
    "etype-unknown": warning(
        "The type of a mention is not one of the twelve of CorefUD. Scores do not depend on it.",
        "Use person, place, organization, animal, plant, object, substance, time, number, "
        "abstract, event or other.",
        "unknown type of entity '{type}'",
    ),
    "etype-differs": warning(
        "Mentions of one entity have different types. Scores do not depend on it.",
        "Give all mentions of an entity one type.",
        "entity {entity} has mentions of two types",
    ),
    "relation-bad": error(
        "Bridge or SplitAnte cannot be read.",
        "Write Bridge=e4<e5:part,e7<e5 or SplitAnte=e1<e3,e2<e3.",
        "{name} that cannot be read: '{piece}'",
    ),
    "relation-misplaced": error(
        "Bridge or SplitAnte stand at a node where no mention of the anaphor begins.",
        "Write them at the first node of the mention they speak of.",
        "no mention of {entity} begins here",
    ),
    "relation-to-itself": error(
        "Bridge or SplitAnte relate an entity to itself.",
        "Name another entity, or remove the relation.",
        "{entity} is related to itself",
    ),
    "relation-unknown": error(
        "Bridge or SplitAnte name an entity that has no mention in the document.",
        "Correct the id, or remove the relation.",
        "{entity} has no mention in the document",
    ),
    "relation-twice": warning(
        "Bridge or SplitAnte name a pair of entities twice in one cell. It counts once.",
        "Remove one of the two.",
        "{antecedent} < {anaphor} twice",
    ),
    "antecedent-alone": warning(
        "SplitAnte names one antecedent only, where a whole has two parts at least.",
        "Name the other antecedents, or remove SplitAnte.",
        "{anaphor} has one antecedent only",
    ),
    "deps-bad": error(
        "The DEPS of a zero are malformed, or point to a node that its sentence lacks. Zeros are "
        "matched by their dependencies.",
        "Write parent:relation, several joined by |, or _.",
        "the dependencies of a zero are malformed, or point to a missing node",
    ),
    "sentences-missing": error(
        "A document has fewer sentences in the response than in the key.",
        "Use the sentences of the key.",
        "the document has {key:,} sentence(s) in the key and {response:,} in the response",
    ),
    "sentences-extra": error(
        "A document has more sentences in the response than in the key.",
        "Use the sentences of the key.",
        "the document has {key:,} sentence(s) in the key and {response:,} in the response",
    ),
    "sentence-differs": warning(
        "A sentence has another sent_id than the one at its place in the key. The profiles corefud "
        "and corefud-1.1 refuse this.",
        "Use the sentences of the key, with their sent_id.",
        "the sentence has another name than in the key",
    ),
    "mention-across-sentences": warning(
        "A mention runs over the end of a sentence, which CorefUD files cannot say. It is left out "
        "of the file that is written.",
        "Correct the mention, or the sentences.",
        "a mention over the end of a sentence cannot be said in CorefUD: left out",
    ),
}
