// Documents, and spans of their positions: read, written, put in the order of the text.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/, LEFT_TO_RIGHT = /[A-Za-z\u00c0-\u024f\u0370-\u058f\u0900-\u1fff\u3040-\ud7ff]/;

// A document of the draft with what is looked up again and again.
function makeDocument(raw, number) {
  const points = raw.unit === "character" ? Array.from(raw.nodes) : raw.nodes;
  const one = {
    ...raw, number, points, size: points.length, zero: new Set(raw.zeros), place: null,
    unitOf: new Map(), named: new Map(), itemOf: new Map(), outvotedOf: new Map(), chosen: new Map(),
  };
  if (raw.labels) one.place = new Map(raw.labels.map((label, position) => [label, position]));
  one.units.forEach((unit, place) => {
    for (const variant of unit.variants) one.unitOf.set(variant.span, place);
    if (unit.block !== null) one.named.set(unit.variants[0].span, place);
  });
  one.items.forEach((item, place) => one.itemOf.set(nameOf(kindOf(item.id), item.spans), place));
  one.outvoted.forEach((item, place) => one.outvotedOf.set(nameOf(kindOf(item.id), item.spans), place));
  const letters = points.length > 400 ? points.slice(0, 400) : points, text = letters.join(" ");
  const times = (pattern) => (text.match(new RegExp(pattern, "g")) || []).length;
  one.rtl = times(RIGHT_TO_LEFT) > times(LEFT_TO_RIGHT);
  return one;
}

const kindOf = (id) => String(id).split(" ", 1)[0];
const nameOf = (kind, spans) => `${kind} ${spans.join(" ")}`;
const idOf = (kind, one, spans) => `${kind} ${one.name} ${spans.join(" ")}`;

// The position that a label names; -1 if there is none.
function positionOf(one, label) {
  if (one.place) return one.place.get(label) ?? -1;
  const position = /^\d+$/.test(label) ? Number(label) : -1;
  return position < one.size ? position : -1;
}

// The positions of a span as it is written ("0-2", "12-13,16", "3:12.1"); null if it is none of this
// document. A run has tokens only; an empty node is named by itself.
function readSpan(one, text) {
  const found = [];
  for (const run of String(text).split(",")) {
    const ends = run.split("-").map((label) => positionOf(one, label)), [first, last] = [ends[0], ends.at(-1)];
    if (ends.length > 2 || ends.includes(-1) || last < first || first <= (found.at(-1) ?? -1)) return null;
    for (let position = first; position <= last; position += 1) if (ends.length === 1 || !one.zero.has(position)) found.push(position);
  }
  return found.length ? found : null;
}

// Runs of tokens, as long as they can be; an empty node is a run of its own.
function runsOf(one, positions) {
  const runs = [], tokensOnly = (from, to) => { while (from < to && one.zero.has(from)) from += 1; return from === to; };
  for (const position of positions) {
    const last = runs.at(-1);
    if (last && !one.zero.has(position) && !one.zero.has(last[1]) && tokensOnly(last[1] + 1, position)) last[1] = position;
    else runs.push([position, position]);
  }
  return runs;
}

function writeSpan(one, positions) {
  const label = (position) => (one.labels ? one.labels[position] : String(position));
  return runsOf(one, positions).map(([first, last]) => (first === last ? label(first) : `${label(first)}-${label(last)}`)).join(",");
}

// A span in the form in which spans are compared; null if it is none of this document.
function normal(one, text) {
  if (one.unitOf.has(text)) return text;
  const positions = readSpan(one, text);
  return positions && writeSpan(one, positions);
}

const positionsOf = (parts) => parts.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, place) => first + place));

// The order of the text: first position, more positions first, then the list of them.
function textOrder(a, b) {
  if (a[0] !== b[0] || a.length !== b.length) return a[0] - b[0] || b.length - a.length;
  const place = a.findIndex((position, at) => position !== b[at]);
  return place < 0 ? 0 : a[place] - b[place];
}

// What a span reads: its words, with … where it has gaps, and ∅ for an empty node.
function readText(one, positions) {
  const glue = one.unit === "character" ? "" : " ";
  let text = "", before = null;
  for (const position of positions) {
    if (before !== null) text += position > before + 1 ? " … " : glue;
    text += one.zero.has(position) ? "∅" : one.points[position];
    before = position;
  }
  return text.replace(/\s+/g, " ").trim() || "∅";
}

// The number of the sentence that a position is in.
function sentenceOf(one, position) {
  let low = 0, high = one.sentences.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (one.sentences[middle] <= position) low = middle; else high = middle - 1; }
  return Math.max(low, 0);
}
const sentenceEnd = (one, number) => one.sentences[number + 1] ?? one.size;
