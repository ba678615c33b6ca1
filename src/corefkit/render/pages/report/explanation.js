// One error in words: its text, what should have been, and what was.
const [BELONGS_WITH, STANDS_ALONE, NO_MENTION, PUT_WITH, NOT_FOUND, FOUND_AS] = DATA.relations;

function inContext(error) {
  const { unspaced } = DATA.documents[error.document];
  const space = (one, other) => (unspaced && (UNSPACED.test(one.at(-1) || "") || UNSPACED.test(other[0] || "")) ? "" : " "), text = error.text || "∅";
  return el("span", { dir: "auto", lang: LANGUAGE }, error.before, space(error.before, text), el("mark", {}, isolated(text)), space(text, error.behind), error.behind);
}

// belongs with Ines Calder (2 sentences before) · was put with Brightwater (same sentence); `name` makes the
// node of a mention that is named, from its class, row and text.
function explained(error, name = (kind, row, text) => el("mark", { class: kind, dir: "auto", lang: LANGUAGE }, isolated(text))) {
  const mention = (kind, [, row, text, sentences, tokens]) => [" ", name(kind, row, text), ` (${distance(sentences, tokens)})`];
  const more = error.mentions > 1 ? ` together with ${many(error.mentions - 1, "more mention")}` : "";
  const { should, was } = error, [right, wrong] = [should, was].map(([relation]) => DATA.relations[relation]);
  return [
    right === BELONGS_WITH ? ["belongs with", mention("should", should)] : right === STANDS_ALONE ? "should stand alone" : right, " · ",
    wrong === PUT_WITH ? ["was put with", mention("was", was)] : wrong === FOUND_AS ? ["was found as ", name("was", -1, was[2])] : wrong === NOT_FOUND ? "was not found" : more ? "stands apart" : wrong,
    more,
  ];
}

// The same as plain text.
const explainedText = (error) => explained(error, (kind, row, text) => text).flat(Infinity).join("");

function distance(sentences, tokens) {
  if (sentences === 0) return "same sentence";
  const [number, unit] = sentences === null ? [tokens, "token"] : [sentences, "sentence"];
  return `${many(Math.abs(number), unit)} ${number < 0 ? "later" : "before"}`;
}

// The way to an error: into the text, or to its place in the list where the page does not have the text.
const toError = (error) => (DATA.documents[error.document].words ? { view: "document", document: error.document, error: error.id } : { view: "errors", error: error.id, type: error.name });
const errorLink = (error, text) => link(text, toError(error), { class: "note show" });

// Errors in the order of what their repair gains, the most first.
const costliest = (errors) => [...errors].sort((a, b) => (b.gain ?? 0) - (a.gain ?? 0));
const hasGains = (errors) => errors.some((error) => error.gain !== null && error.gain !== undefined);
const gainText = ({ gain }) => (gain === null || gain === undefined ? "" : `${gain < 0 ? "−" : "+"}${percent(Math.abs(gain), Math.abs(gain) < .001 ? Math.max(DIGITS, 3) : DIGITS)}`);
