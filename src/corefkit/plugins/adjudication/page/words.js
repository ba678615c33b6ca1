// What is said about documents and subjects: short texts, and passages with a mark in them.

const quoted = (text) => `‘${isolated(text)}’`;
const shorten = (text, most = 48) => (text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text);
// Both ends of a text, where they matter more than what is between.
const shortenInside = (text, most) => (
  text.length > most ? `${text.slice(0, Math.ceil(most * 0.55)).trimEnd()} … ${text.slice(-Math.floor(most * 0.45)).trimStart()}` : text
);
const textOf = (one, span, most) => shorten(readText(one, placesOf(one, span)), most);
const listed = (texts) => (texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`);

// The mention that says best what an entity is: what is said often, or a name, but no clause.
function leadOf(one, spans) {
  const times = new Map();
  for (const span of spans.slice(0, 200)) {
    const read = readText(one, placesOf(one, span)), name = read.toLocaleLowerCase().replace(/[^\p{L}\p{N}]+$/u, "");
    const found = times.get(name) ?? {
      span, count: 0,
      worth: (read.length > 40 ? 0.1 : 1) * (name.length > 3 ? 4 : 1) * (/^\p{Lu}/u.test(read) ? 2 : 1),
    };
    found.count += 1;
    times.set(name, found);
  }
  return [...times.values()].reduce((a, b) => (b.count * b.worth > a.count * a.worth ? b : a)).span;
}
const leadText = (one, spans, most) => textOf(one, leadOf(one, spans), most);

// What a block is called in a list, whatever is decided about it.
function blockText(state, block, most) {
  const { one } = state;
  one.leads ??= new Map();
  if (block >= one.blocks.length) return textOf(one, blockName(state, block), most);
  if (!one.leads.has(block)) one.leads.set(block, leadOf(one, one.blocks[block].map((unit) => one.units[unit].variants[0].span)));
  return textOf(one, one.leads.get(block), most);
}

// A subject in a line: what it is about.
function subjectText(log, subject, most = 40) {
  const one = log.documents[subject.number], state = log.states[subject.number];
  if (subject.kind === "link") {
    const blocks = blocksOf(log, subject);
    return blocks.map((block, side) => (block === undefined ? textOf(one, subject.spans[side], most) : blockText(state, block, most)));
  }
  if (subject.kind === "span") return subject.spans.map((span) => textOf(one, span, most));
  return [textOf(one, subject.spans[0], most)];
}

const JOINT = { link: " – ", span: " → " };
const subjectLine = (log, subject, most) => subjectText(log, subject, most).map(quoted).join(JOINT[subject.kind] ?? "");

// How a subject can be read aloud: its kind and what it is about.
const spoken = (log, subject) => `${LABELS[subject.group]} ${subjectLine(log, subject)}`;

const CHOICES = {
  link: { yes: "one entity", no: "two entities" }, mention: { yes: "a mention", no: "no mention" },
  apart: { yes: "set apart", no: "not set apart" }, span: { yes: "this span", no: "as it was" },
};
function choiceText(log, subject, choice) {
  if (choice === null) return "open";
  if (subject.kind === "boundary") return choice === "no" ? "no mention" : quoted(textOf(log.documents[subject.number], choice));
  return CHOICES[subject.kind][choice];
}

// The words around a mention, which is marked; a mention may have gaps.
function passage(one, positions, { around = 16, kind = "m" } = {}) {
  const wide = one.unit === "character" ? around * 6 : around, glue = one.unit === "character" ? "" : " ";
  const row = sentenceOf(one, positions[0]), close = sentenceOf(one, positions.at(-1));
  const from = Math.max(one.sentences[row], positions[0] - wide), to = Math.min(sentenceEnd(one, close), positions.at(-1) + 1 + wide);
  const inside = new Set(positions), nodes = [];
  let run = "", marked = false;
  const flush = () => { if (run) nodes.push(marked ? el("mark", { class: kind }, run) : run); run = ""; };
  for (let position = from; position < to; position += 1) {
    const now = inside.has(position), space = position > from ? glue : "";
    if (now !== marked) { if (!marked) run += space; flush(); if (marked) run = space; marked = now; } else run += space;
    run += one.zero.has(position) ? "∅" : one.points[position];
  }
  flush();
  return el(
    "span", { class: "passage", dir: one.rtl ? "rtl" : "ltr", lang: "" },
    from > one.sentences[row] ? "… " : null, nodes, to < sentenceEnd(one, close) ? " …" : null,
  );
}

// A person with the colour of her lines in the text.
const person = (name, more = null) => el(
  "span", { class: "person", style: { "--a": personColour(name) } },
  el("i", { "aria-hidden": "true" }), isolated(name), more === null ? null : el("span", { class: "more" }, more),
);
const personColour = (name) => {
  const place = DATA.annotators.indexOf(name);
  return place < 8 ? `var(--a${place})` : `hsl(${(place * 137.508) % 360} 60% 50%)`;
};
