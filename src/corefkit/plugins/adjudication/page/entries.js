// Entries of the log: what each is about, and whether a file of them is one.

// What may be decided, and how many spans each names; a boundary names two or more.
const SPANS_OF = { mention: 1, apart: 1, link: 2, span: 2, boundary: null };
const SPAN = /^\d[\d:.,-]*$/;

// An entry with what it is about: the number of its document (-1: none here), its kind, its spans in
// normal form, and its name, which is the same for all entries about one thing of a document. Spans
// that are none of the document stay as they are written, and `known` is false.
function resolve(entry, documents) {
  const kind = kindOf(entry.item);
  const about = Array.isArray(entry.spans) && typeof entry.document === "string" ? entry : readId(entry.item, kind, documents);
  const one = about && documents.find((candidate) => candidate.name === about.document);
  if (!one) return { entry, kind, number: -1, spans: [], name: entry.item, known: false };
  const written = about.spans.map((span) => normal(one, span)), wanted = SPANS_OF[kind];
  const known = wanted !== undefined && !written.includes(null) && (wanted === null || wanted === written.length);
  const spans = known ? written : about.spans;
  return { entry, kind, number: one.number, spans, name: nameOf(kind, spans), known };
}

// Document and spans of an id; names of documents may have blanks, spans have none.
function readId(id, kind, documents) {
  const rest = id.slice(kind.length + 1), fitting = documents.filter((one) => rest.startsWith(`${one.name} `));
  for (const one of fitting.sort((a, b) => b.name.length - a.name.length)) {
    const spans = rest.slice(one.name.length + 1).split(" ");
    if (spans.every((span) => SPAN.test(span)) && [undefined, null, spans.length].includes(SPANS_OF[kind])) return { document: one.name, spans };
  }
  return null;
}

// Why data is no file of decisions, with the path to what is wrong; "" if it is one.
function shapeError(data) {
  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const isTexts = (value) => Array.isArray(value) && value.every((text) => typeof text === "string");
  const isText = (value) => value === undefined || value === null || typeof value === "string";
  if (!isObject(data) || data.corefkit !== "adjudication") return '$.corefkit is not "adjudication"';
  if (data.version !== 1) return `$.version is ${JSON.stringify(data.version)}, not 1`;
  if (!Array.isArray(data.decisions)) return "$.decisions is not a list";
  if (
    data.inputs !== undefined && !(Array.isArray(data.inputs) && data.inputs.every((input) => isObject(input) && typeof input.annotator === "string"))
  ) return "$.inputs is not a list of annotators";
  for (const [place, entry] of data.decisions.entries()) {
    const path = `$.decisions[${place}]`;
    if (!isObject(entry)) return `${path} is not an object`;
    if (typeof entry.item !== "string" || !entry.item.includes(" ")) return `${path}.item is not the id of an item`;
    for (const name of ["choice", "document", "by", "at", "note", "was"]) if (!isText(entry[name])) return `${path}.${name} is not a text`;
    for (const name of ["spans", "left", "right"]) if (
      !(entry[name] === undefined || entry[name] === null || isTexts(entry[name]))
    ) return `${path}.${name} is not a list of spans`;
    if (entry.discuss !== undefined && typeof entry.discuss !== "boolean") return `${path}.discuss is not true or false`;
  }
  return "";
}

// The first entry whose choice is not an option; "" if there is none.
function choiceError(log) {
  for (const entry of log.entries) {
    const { kind, number, name, known, entry: { choice, item } } = entry;
    const boundary = number >= 0 && kind === "boundary" ? log.documents[number].items[log.documents[number].itemOf.get(name)] : null;
    if ((choice ?? null) === null || !known || (kind === "boundary" && !boundary)) continue;
    const options = boundary ? boundary.options : ["yes", "no"];
    if (!options.includes(choice)) return `${item}: ${JSON.stringify(choice)} is not one of ${options.join(", ")}`;
  }
  return "";
}
