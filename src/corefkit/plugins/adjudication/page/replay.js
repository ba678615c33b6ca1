// What follows from the decisions in a document: which mentions are kept, which blocks are joined,
// which items wait or are implied, and what contradicts what.

const OPEN = "open", DECIDED = "decided", IMPLIED = "implied", WAITING = "waiting";

// What holds before anything is decided; made once a document.
function foundation(one) {
  if (one.foundation) return one.foundation;
  const kept = new Uint8Array(one.units.length), block = new Int32Array(one.units.length).fill(-1);
  const sizes = new Int32Array(one.blocks.length), first = new Map();
  one.units.forEach((unit, place) => {
    if (unit.block === null) return;
    block[place] = unit.block;
    kept[place] = unit.state === "accepted" || (unit.item !== null && one.items[unit.item].default !== "no") ? 1 : 0;
    sizes[unit.block] += kept[place];
  });
  one.blocks.forEach((units, place) => first.set(one.units[units[0]].variants[0].span, place));
  one.foundation = { kept, block, sizes, first };
  return one.foundation;
}

// The state of a document after the entries about it, which are resolved and in order.
function replay(one, entries) {
  const base = foundation(one), last = new Map();
  for (const entry of entries) { last.delete(entry.name); last.set(entry.name, entry); }
  const state = {
    one, last, kept: base.kept.slice(), block: base.block.slice(), sizes: Array.from(base.sizes), blockNames: new Map(),
    choices: new Array(one.items.length).fill(null), spans: new Map(), extras: [], edges: [], changed: [], unused: [], conflicts: [],
  };
  for (const entry of last.values()) if (!entry.known && standing(entry)) unused(state, entry);
  decideMentions(state);
  setApart(state);
  giveSpans(state);
  decideLinks(state);
  joinBlocks(state);
  judgeItems(state);
  return state;
}

const standing = ({ entry }) => (entry.choice ?? null) !== null;
const ofKind = (state, kind) => [...state.last.values()].filter((entry) => entry.kind === kind && entry.known && standing(entry));
const idOfEntry = (state, entry) => idOf(entry.kind, state.one, entry.spans);
const unused = (state, entry) => state.unused.push(idOfEntry(state, entry));

function keep(state, unit, yes) {
  state.sizes[state.block[unit]] += yes - state.kept[unit];
  state.kept[unit] = yes;
}

// A block of its own, for a mention that was set apart, brought back or is new.
function addBlock(state, name, size) {
  state.blockNames.set(name, state.sizes.length);
  return state.sizes.push(size) - 1;
}

// Items of mentions and boundaries; accepted mentions removed, outvoted ones brought back, new ones.
function decideMentions(state) {
  const { one } = state, back = new Map();
  for (const entry of ofKind(state, "boundary")) {
    const place = one.itemOf.get(entry.name), { choice } = entry.entry;
    if (place === undefined) { unused(state, entry); continue; }
    state.choices[place] = choice;
    keep(state, one.items[place].unit, choice === "no" ? 0 : 1);
  }
  for (const entry of ofKind(state, "mention")) {
    const [span] = entry.spans, place = one.itemOf.get(entry.name), number = one.unitOf.get(span), unit = one.units[number];
    const yes = entry.entry.choice === "yes" ? 1 : 0;
    if (place !== undefined) { state.choices[place] = entry.entry.choice; keep(state, number, yes); }
    else if (unit && unit.state === "outvoted") { if (yes) { back.delete(number); back.set(number, span); } }
    else if (unit ? unit.accepted === span : yes) {
      if (unit) keep(state, number, yes);
      else state.extras.push({ name: span, unit: null, block: addBlock(state, span, 1) });
    } else unused(state, entry);
  }
  for (const [number, span] of back) state.extras.push({ name: span, unit: number, block: addBlock(state, span, 1) });
}

// Units that become blocks of their own; the first one of a block cannot.
function setApart(state) {
  const { one } = state;
  for (const entry of ofKind(state, "apart")) {
    const [span] = entry.spans, number = one.named.get(span);
    if (number === undefined || one.blocks[one.units[number].block][0] === number) unused(state, entry);
    else if (entry.entry.choice === "yes") {
      state.sizes[state.block[number]] -= state.kept[number];
      state.block[number] = addBlock(state, span, state.kept[number]);
    }
  }
}

// Other spans for mentions; the last yes for a mention counts. Two mentions with one span clash.
function giveSpans(state) {
  const { one } = state, extras = new Set(state.extras.map((extra) => extra.name)), given = new Map();
  for (const entry of ofKind(state, "span")) {
    const [name] = entry.spans;
    if (!(one.named.has(name) || extras.has(name))) unused(state, entry);
    else if (entry.entry.choice === "yes" && (extras.has(name) || state.kept[one.named.get(name)])) { given.delete(name); given.set(name, entry); }
  }
  for (const [name, entry] of given) state.spans.set(name, entry.spans[1]);
  for (const [name, entry] of given) {
    const span = entry.spans[1];
    const unit = one.unitOf.get(span);
    const other = unit !== undefined && state.kept[unit] ? one.units[unit].variants[0].span : null;
    const clash = (other !== null && other !== name && spanNow(state, unit) === span) || (extras.has(span) && span !== name && !given.has(span))
      || [...given].some(([another, { spans }]) => another !== name && spans[1] === span);
    if (clash) state.conflicts.push({ item: idOfEntry(state, entry), chain: [], what: "span" });
  }
}

// The span that the mention of a unit has now.
function spanNow(state, number) {
  const unit = state.one.units[number], first = unit.variants[0].span;
  if (state.spans.has(first)) return state.spans.get(first);
  if (unit.state !== "boundary") return unit.accepted ?? first;
  const item = state.one.items[unit.item], choice = state.choices[unit.item] ?? item.default;
  return choice === "no" ? item.options[0] : choice;
}

const blockNamed = (state, name) => state.blockNames.get(name) ?? foundation(state.one).first.get(name);

// First variants of the units that a block had before any was set apart.
const firstVariants = (state, block, name) => (
  block < state.one.blocks.length ? state.one.blocks[block].map((unit) => state.one.units[unit].variants[0].span) : [name]
);

function decideLinks(state) {
  const { one } = state, same = (a, b) => (a ?? null) === null || (a.length === b.length && a.every((span, place) => span === b[place]));
  for (const entry of ofKind(state, "link")) {
    const [a, b] = entry.spans, place = one.itemOf.get(entry.name), ends = entry.spans.map((name) => blockNamed(state, name));
    if (ends.includes(undefined) || ends[0] === ends[1] || textOrder(placesOf(one, a), placesOf(one, b)) >= 0) { unused(state, entry); continue; }
    if (
      !same(entry.entry.left, firstVariants(state, ends[0], a)) || !same(entry.entry.right, firstVariants(state, ends[1], b))
    ) { state.changed.push(idOfEntry(state, entry)); continue; }
    if (place !== undefined) state.choices[place] = entry.entry.choice;
    state.edges.push({ ends, choice: entry.entry.choice, id: idOfEntry(state, entry) });
  }
}

// Links decided yes join blocks; those of a block without a kept mention join nothing.
function joinBlocks(state) {
  const parent = Int32Array.from(state.sizes, (_, place) => place);
  const root = (block) => { while (parent[block] !== block) { parent[block] = parent[parent[block]]; block = parent[block]; } return block; };
  state.root = root;
  state.active = state.edges.filter(({ ends }) => ends.every((block) => state.sizes[block] > 0));
  for (const { ends, choice } of state.active) {
    if (choice !== "yes") continue;
    const [a, b] = ends.map(root);
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  state.apart = new Map();
  for (const edge of state.active) {
    if (edge.choice !== "no") continue;
    const [a, b] = edge.ends.map(root);
    if (a === b) state.conflicts.push({ item: edge.id, chain: chainOf(state, ...edge.ends, "yes"), what: "link" });
    else state.apart.set(pairName(a, b), edge);
  }
}

const pairName = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

// What a link between two blocks would be without a decision: "yes", "no", or null where nothing says.
function impliedBetween(state, a, b) {
  const [x, y] = [state.root(a), state.root(b)];
  if (x === y) return "yes";
  return state.apart.has(pairName(x, y)) ? "no" : null;
}

function judgeItems(state) {
  const { one } = state;
  state.implied = new Map();
  state.counts = { items: one.items.length, decided: 0, implied: 0, open: 0, waiting: 0, discuss: 0 };
  state.status = one.items.map((item, place) => {
    const status = judge(state, item, place);
    state.counts[status] += 1;
    return status;
  });
  state.marked = new Set();
  for (const entry of state.last.values()) if (entry.entry.discuss === true) state.marked.add(entry.name);
  state.counts.discuss = state.marked.size;
}

function judge(state, item, place) {
  if (item.blocks && item.blocks.some((block) => state.sizes[block] === 0)) return WAITING;
  if (state.choices[place] !== null) return DECIDED;
  const choice = item.blocks ? impliedBetween(state, ...item.blocks) : null;
  if (choice === null) return OPEN;
  state.implied.set(place, choice);
  return IMPLIED;
}

// The fewest decided links from one block to another, of equals the list of ids that sorts first;
// for "no" with one no among them.
function chainOf(state, from, to, choice) {
  const noes = choice === "no" ? 1 : 0, links = new Map();
  const add = (block, other, edge) => {
    if (!links.has(block)) links.set(block, []);
    links.get(block).push({ other, no: edge.choice === "no" ? 1 : 0, id: edge.id });
  };
  for (const edge of state.active) { const [a, b] = edge.ends; add(a, b, edge); add(b, a, edge); }
  // How far it is from each block to the end, with so many noes left to go.
  const far = new Map([[`${to} 0`, 0]]);
  let ring = [[to, 0]];
  for (let distance = 1; ring.length && !far.has(`${from} ${noes}`); distance += 1) {
    const next = [];
    for (const [block, passed] of ring) {
      for (const { other, no } of links.get(block) || []) {
        const name = `${other} ${passed + no}`;
        if (passed + no > noes || far.has(name)) continue;
        far.set(name, distance);
        next.push([other, passed + no]);
      }
    }
    ring = next;
  }
  const chain = [];
  let block = from, left = noes;
  for (let distance = far.get(`${from} ${noes}`) ?? 0; distance > 0; distance -= 1) {
    const steps = links.get(block).filter(({ other, no }) => no <= left && far.get(`${other} ${left - no}`) === distance - 1);
    const step = steps.reduce((a, b) => (a.id <= b.id ? a : b));
    chain.push(step.id);
    [block, left] = [step.other, left - step.no];
  }
  return chain;
}

const chainOfItem = (state, place) => chainOf(state, ...state.one.items[place].blocks, state.implied.get(place));

// The positions of a span, looked up where it is one of a unit.
function placesOf(one, span) {
  if (!one.chosen.has(span)) {
    const unit = one.units[one.unitOf.get(span)], variant = unit && unit.variants.find((candidate) => candidate.span === span);
    one.chosen.set(span, variant ? positionsOf(variant.parts) : readSpan(one, span));
  }
  return one.chosen.get(span);
}

// A kept mention as it stands: its name in decisions, its span and positions, unit and block.
function mentionOf(state, unit) {
  const span = spanNow(state, unit);
  return { name: state.one.units[unit].variants[0].span, span, unit, block: state.block[unit], positions: placesOf(state.one, span) };
}
const extraMention = (state, extra) => {
  const span = state.spans.get(extra.name) ?? extra.name;
  return { ...extra, span, extra: true, positions: placesOf(state.one, span) };
};

// The kept mentions of the entity that a block is in, in the order of the text.
function entityOf(state, block) {
  const root = state.root(block), found = [];
  state.cached ??= new Map();
  if (state.cached.has(root)) return state.cached.get(root);
  const add = (unit) => { if (state.kept[unit] && state.root(state.block[unit]) === root) found.push(mentionOf(state, unit)); };
  state.one.blocks.forEach(
    (units, place) => { if (state.root(place) === root) units.forEach((unit) => { if (state.block[unit] === place) add(unit); }); },
  );
  for (const name of state.blockNames.keys()) if (state.one.named.has(name)) add(state.one.named.get(name));
  for (const extra of state.extras) if (state.root(extra.block) === root) found.push(extraMention(state, extra));
  state.cached.set(root, found.sort((a, b) => textOrder(a.positions, b.positions)));
  return found;
}

// All entities with their mentions, by their first mention: the result.
function entitiesOf(state) {
  const roots = new Set();
  state.sizes.forEach((size, block) => { if (size > 0) roots.add(state.root(block)); });
  return [...roots].map((root) => entityOf(state, root)).sort((a, b) => textOrder(a[0].positions, b[0].positions));
}
