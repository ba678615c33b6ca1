// Mentions as marks in the text: numbers and colours of entities, stacked underlines, labels.
// What an underline says.
const STATES = {
  both: "in both", key: "only in the key: missed", response: "only in the response: extra",
  boundary: "wrong boundary", linked: "found, but linked wrongly",
};
const STATE_NAMES = ["both", "key", "response", "boundary"];
const MOST_LEVELS = 8;

// The mentions of one side as the page draws them: tokens, entity, state, whether it is linked wrongly.
function sideMentions(text, side, { listed, linked }) {
  const found = [], begins = new Set(listed.map((error) => error.row));
  for (const [row, state, key, response, keySpan, responseSpan] of text.m) {
    const entity = side ? response : key;
    if (entity < 0) continue;
    const [start, end, zero, parts, empties] = (side && responseSpan) || keySpan;
    const name = state === 0 && linked.has(row) ? "linked" : STATE_NAMES[state];
    found.push({ row, state: name, linked: linked.has(row), follows: name !== "both" && !begins.has(row), entity, start, end, zero, parts: parts || null, empties: empties || (zero ? [start] : []) });
  }
  return found;
}

// The errors of a document in the order of its text, and those of each of its mentions by row.
function errorsIn(system, document) {
  const text = DATA.systems[system].texts[document], positions = new Map(text.m.map(([row], index) => [row, index]));
  const listed = errorsOf(system).filter((error) => error.document === document);
  const position = (error) => positions.get(error.row) ?? 0;
  listed.sort((a, b) => position(a) - position(b) || a.type - b.type);
  const byRow = new Map(), linked = new Set();
  for (const error of listed) {
    for (const row of error.rows) {
      if (!byRow.has(row)) byRow.set(row, []);
      byRow.get(row).push(error);
      if (error.name === "conflated" || error.name === "divided") linked.add(row);
    }
  }
  return { listed, byRow, linked };
}

// A number for each entity of both sides by its first mention, the same for the two that are aligned; it is
// label and colour. Singletons that are right have neither: their numbers are below 0.
function numbers(text) {
  const partner = new Map(text.aligned.map(([key, response]) => [response, key])), back = new Map(text.aligned);
  const sizes = [new Map(), new Map()];
  for (const [, , key, response] of text.m) [key, response].forEach((entity, side) => sizes[side].set(entity, (sizes[side].get(entity) || 0) + 1));
  const maps = [new Map(), new Map()];
  let next = 1, quiet = -1;
  for (const [, state, key, response] of text.m) {
    const right = state === 0 && sizes[0].get(key) === 1 && sizes[1].get(response) === 1;
    for (const [side, entity, other] of [[0, key, back.get(key)], [1, response, partner.get(response)]]) {
      if (entity < 0 || maps[side].has(entity)) continue;
      const number = right ? quiet-- : next++;
      maps[side].set(entity, number);
      if (other !== undefined) maps[1 - side].set(other, number);
    }
  }
  return maps;
}

// Levels of underlines: the innermost next to the text, no two mentions of a token on one level. What would
// stand on a lower one than MOST_LEVELS has its label, but no line.
function layers(mentions) {
  const byToken = new Map(), levels = Array.from({ length: MOST_LEVELS }, () => []), first = new Map();
  const sorted = [...mentions].sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start);
  for (const mention of sorted) {
    const pieces = mention.parts ? runs(mention.parts) : [[Math.max(mention.start, 0), mention.end]];
    const level = levels.findIndex((taken) => pieces.every(([start, end]) => isFree(taken, start, end)));
    if (!first.has(pieces[0][0])) first.set(pieces[0][0], []);
    first.get(pieces[0][0]).push(mention);
    if (level < 0) continue;
    for (const [start, end] of pieces) {
      levels[level].splice(firstFrom(levels[level], start), 0, [start, end]);
      for (let token = start; token <= end; token += 1) {
        if (!byToken.has(token)) byToken.set(token, []);
        byToken.get(token).push({ mention, level, last: token === end });
      }
    }
  }
  // The labels before a word: the longest mention first, as brackets would stand.
  for (const listed of first.values()) listed.reverse();
  return { byToken, first };
}

function runs(tokens) {
  const found = [];
  for (const token of tokens) {
    if (found.length && found.at(-1)[1] === token - 1) found.at(-1)[1] = token;
    else found.push([token, token]);
  }
  return found;
}

// The place of the first of some sorted intervals that ends at this token or behind it.
function firstFrom(taken, token) {
  let low = 0, high = taken.length;
  while (low < high) { const middle = (low + high) >> 1; if (taken[middle][1] < token) low = middle + 1; else high = middle; }
  return low;
}

const isFree = (taken, start, end) => { const next = taken[firstFrom(taken, start)]; return !next || next[0] > end; };

// What stands between a word and the next one: nothing in Chinese and Japanese.
const UNSPACED = /[\u2e80-\u2fdf\u3001-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;
function gap(one, token) {
  if (!one.unspaced || token + 1 >= one.words.length) return " ";
  const before = [...one.words[token]].at(-1) || "", behind = [...one.words[token + 1]][0] || "";
  return UNSPACED.test(before) || UNSPACED.test(behind) ? "" : " ";
}

const textOf = (one, first, last) => {
  let text = "";
  for (let token = Math.max(first, 0); token <= last; token += 1) text += one.words[token] + (token < last ? gap(one, token) : "");
  return text;
};

function words(one, first, last, marks) {
  const nodes = [];
  const empty = (at) => (marks.zeros.get(at) || []).forEach((mention) => nodes.push(...zero(mention, marks), " "));
  if (first === 0) empty(-1);
  for (let token = first; token <= last; token += 1) {
    const here = marks.byToken.get(token) || [], space = gap(one, token);
    const levels = here.reduce((most, item) => Math.max(most, item.level + 1), 0);
    const node = el("bdi", { class: one.words[token].length > 60 ? "t long" : "t", "data-token": token, style: { "--levels": levels } }, one.words[token]);
    for (const { mention, level, last: ends } of here) node.append(underline(mention, marks, levels - 1 - level, ends || !space));
    if (here.length) Object.assign(node.dataset, named(here.reduce((a, b) => (a.level <= b.level ? a : b)).mention, marks));
    nodes.push(labelled((marks.first.get(token) || []).map((mention) => tag(mention, marks)), node), space);
    empty(token);
  }
  return nodes;
}

// A word with its labels before it, on the same line.
const labelled = (tags, node) => (tags.some(Boolean) && !node.classList.contains("long") ? el("span", { class: "labelled" }, tags, node) : [tags, node]);

const named = (mention, { side }) => ({ row: mention.row, side, entity: mention.entity });
const attributes = (mention, { side }) => ({ "data-row": mention.row, "data-side": side, "data-entity": mention.entity });
const quietly = (mention, { map }) => (map.get(mention.entity) < 0 ? " quiet" : "");

const underline = (mention, marks, below, ends) => el("span", { class: `u ${mention.state}${mention.linked ? " linked" : ""}${mention.follows ? " follows" : ""}${quietly(mention, marks)}${ends ? "" : " more"}`, ...attributes(mention, marks),
  style: { "--c": colour(marks.map.get(mention.entity)), bottom: `calc(${below} * .34rem)` } });

// An empty node: the sign of one, with underline and label as a word has.
function zero(mention, marks) {
  const sign = el("span", { class: "t", ...attributes(mention, marks), style: { "--levels": 1 } }, "∅", underline(mention, marks, 0, true));
  return [labelled([tag(mention, marks)], sign)];
}

// The label of a mention: the number of its entity; what the files call the entity is in its tooltip. A
// singleton that is right needs none.
function tag(mention, marks) {
  const number = marks.map.get(mention.entity);
  if (number < 0) return null;
  const says = `${STATES[mention.state]}${mention.linked && mention.state !== "linked" ? `, ${STATES.linked}` : ""}`;
  return el("button", { type: "button", class: "tag", ...attributes(mention, marks), title: `${entityTitle(marks, mention.entity)} · ${says}`,
    "aria-label": `entity ${number}, ${says}`, style: { "--c": colour(number) } }, number);
}

const entityTitle = ({ side, text }, entity) => `${side ? "response" : "key"} entity ${(side ? text.response : text.key)[entity]}`;

function sentenceOf(one, token) {
  let low = 0, high = one.sentences.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (one.sentences[middle] <= token) low = middle; else high = middle - 1; }
  return low;
}

// What a span reads: its words, with … where it has gaps, and ∅ for an empty node.
function readSpan(one, [start, end, zero, parts, empties]) {
  if (zero) return "∅";
  if (!parts) return textOf(one, start, end);
  const nodes = [...parts.map((token) => [token, 0]), ...empties.map((token) => [token, 1])].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return nodes.map(([token, empty], index) => `${index && token > nodes[index - 1][0] + 1 ? "… " : ""}${empty ? "∅" : one.words[token]}`).join(" ");
}

const readMention = (one, mention) => readSpan(one, [mention.start, mention.end, mention.zero, mention.parts, mention.empties]);
