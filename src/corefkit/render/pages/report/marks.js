// Mentions as marks in the text: colours, stacked underlines, labels, and what they read.
const STATES = ["both", "key", "response", "boundary"];

// The mentions of one side as the page draws them: tokens, entity, state.
function sideMentions(text, side) {
  const found = [];
  for (const [row, state, ours, theirs, keySpan, responseSpan] of text.m) {
    const entity = side ? theirs : ours;
    if (entity < 0) continue;
    const [start, end, zero, parts, empties] = (side && responseSpan) || keySpan;
    found.push({ row, state, entity, start, end, zero, parts: parts || null, empties: empties || (zero ? [start] : []) });
  }
  return found;
}

// Each key entity has a colour; a response entity has that of the key entity it is aligned with.
function colours(text) {
  const key = new Map(), response = new Map();
  Object.keys(text.key).forEach((entity, place) => key.set(Number(entity), place));
  for (const [ours, theirs] of text.aligned) if (key.has(ours)) response.set(theirs, key.get(ours));
  let next = key.size;
  for (const entity of Object.keys(text.response)) if (!response.has(Number(entity))) response.set(Number(entity), next++);
  return [key, response];
}

// Levels of underlines: the innermost next to the text, no two mentions of a token on one level.
function layers(mentions) {
  const byToken = new Map();
  const sorted = [...mentions].sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start);
  for (const mention of sorted) {
    const tokens = mention.parts || span(mention.start, mention.end);
    let level = 0;
    const used = new Set();
    for (const token of tokens) for (const one of byToken.get(token) || []) used.add(one.level);
    while (used.has(level)) level += 1;
    tokens.forEach((token, place) => {
      if (!byToken.has(token)) byToken.set(token, []);
      byToken.get(token).push({ mention, level, first: place === 0, last: place === tokens.length - 1 || tokens[place + 1] !== token + 1 });
    });
  }
  return byToken;
}

function span(start, end) {
  const found = [];
  for (let token = Math.max(start, 0); token <= end; token += 1) found.push(token);
  return found;
}

function words(one, first, last, drawn, zeros, side, map, text) {
  const nodes = [];
  const empty = (at) => zeros.filter((mention) => mention.empties.includes(at)).forEach((mention) => nodes.push(tag(mention, side, map, text, "∅"), " "));
  if (first === 0) empty(-1);
  for (let token = first; token <= last; token += 1) {
    const here = drawn.get(token) || [];
    const levels = here.reduce((most, item) => Math.max(most, item.level + 1), 0);
    const node = el("span", { class: one.words[token].length > 60 ? "t long" : "t", "data-token": token, style: { "--levels": levels } }, one.words[token]);
    for (const { mention, level, first: begins, last: ends } of here) {
      if (begins) nodes.push(tag(mention, side, map, text, label(text, side, mention.entity)));
      node.append(el("span", { class: `u ${STATES[mention.state]}${ends ? "" : " more"}`, "data-row": mention.row, "data-side": side, "data-entity": mention.entity,
        style: { "--c": colour(map.get(mention.entity)), bottom: `calc(${levels - 1 - level} * .28rem)` } }));
    }
    if (here.length) {
      const inner = here.reduce((a, b) => (a.level <= b.level ? a : b)).mention;
      Object.assign(node.dataset, { row: inner.row, side, entity: inner.entity });
    }
    nodes.push(node, " ");
    empty(token);
  }
  return nodes;
}

const label = (text, side, entity) => (side ? text.response : text.key)[entity];

function tag(mention, side, map, text, shown) {
  return el("button", { type: "button", class: "tag", "data-row": mention.row, "data-side": side, "data-entity": mention.entity, "aria-label": `entity ${label(text, side, mention.entity)}, ${STATES[mention.state]}`,
    style: { "--c": colour(map.get(mention.entity)) } }, shown);
}

function sentenceOf(one, token) {
  let low = 0, high = one.sentences.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (one.sentences[middle] <= token) low = middle; else high = middle - 1; }
  return low;
}

// What a span reads: its words, with … where it has gaps, and ∅ for an empty node.
function readSpan(one, [start, end, zero, parts, empties]) {
  if (zero) return "∅";
  if (!parts) return one.words.slice(Math.max(start, 0), end + 1).join(" ");
  const nodes = [...parts.map((token) => [token, 0]), ...empties.map((token) => [token, 1])].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return nodes.map(([token, empty], place) => `${place && token > nodes[place - 1][0] + 1 ? "… " : ""}${empty ? "∅" : one.words[token]}`).join(" ");
}
