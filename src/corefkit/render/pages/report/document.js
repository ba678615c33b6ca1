// Key and response of one document side by side, sentence by sentence.
const STATES = ["both", "key", "response", "boundary"];
let pinned = null;

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

function documentView() {
  const number = Number(where().document ?? worstShown());
  const one = DATA.documents[number], system = DATA.systems[chosenSystem()];
  const chooser = el("select", { "aria-label": "Document", on: { change: (event) => go({ view: "document", document: event.target.value }) } },
    DATA.documents.map((item, place) => (item.words ? el("option", { value: place, selected: place === number }, item.name) : null)));
  if (!one || !one.words) return [el("p", {}, "The text of this document is not in the page."), chooser];
  const text = system.texts[number], maps = colours(text);
  const sides = [0, 1].map((side) => sideMentions(text, side));
  const drawn = sides.map((mentions) => layers(mentions.filter((mention) => !mention.zero)));
  const zeros = sides.map((mentions) => mentions.filter((mention) => mention.empties.length));
  const grid = el("div", { class: "doc", dir: one.rtl ? "rtl" : "ltr" },
    el("div", { class: "heads" }, el("div", { class: "head" }, "key"), el("div", { class: "head" }, system.name), strip(one, sides, (place) => reveal(place))));
  const lightUp = (chosen) => { light(grid, chosen, maps); lightStrip(grid, one, sides, maps, chosen); };
  const reveal = (place) => {
    rows.slice(Math.max(0, place - 5), place + 6).forEach((row) => row.fill());
    rows[place].scrollIntoView({ block: "center" });
  };
  const panel = el("section", { class: "panel", "aria-live": "polite", hidden: true });
  const rows = one.sentences.map((first, place) => {
    const row = el("div", { class: "row", id: `s${place}`, "data-sentence": place });
    row.fill = () => {
      if (row.firstChild) return;
      const last = (one.sentences[place + 1] ?? one.words.length) - 1;
      row.append(...[0, 1].map((side) => el("div", { class: "cell" },
        el("span", { class: "no" }, place + 1),
        one.speakers && one.speakers[place] !== "-" ? el("span", { class: "who" }, `${one.speakers[place]}:`) : null,
        words(one, first, last, drawn[side], zeros[side], side, maps[side], text))));
      if (pinned) light(grid, pinned, maps);
    };
    return row;
  });
  grid.append(...rows);
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { entry.target.fill(); watcher.unobserve(entry.target); }
  }, { rootMargin: "800px" });
  rows.forEach((row) => watcher.observe(row));
  pinned = null;
  const pick = (target) => {
    const node = target.closest("[data-row]");
    return node ? { side: Number(node.dataset.side), row: Number(node.dataset.row), entity: Number(node.dataset.entity) } : null;
  };
  const pin = (chosen) => {
    pinned = chosen;
    lightUp(pinned);
    showPanel(panel, grid, rows, one, text, maps, pinned, sides, () => pin(null));
  };
  grid.addEventListener("mouseover", (event) => { const chosen = pick(event.target); if (chosen && !pinned) lightUp(chosen); });
  grid.addEventListener("focusin", (event) => { const chosen = pick(event.target); if (chosen && !pinned) lightUp(chosen); });
  grid.addEventListener("mouseout", () => { if (!pinned) lightUp(null); });
  grid.addEventListener("click", (event) => {
    const chosen = pick(event.target);
    if (chosen || pinned) pin(chosen);
  });
  const wanted = where().sentence, named = Number(where().mention ?? -1);
  if (wanted !== undefined && rows[Number(wanted)]) {
    requestAnimationFrame(() => {
      reveal(Number(wanted));
      rows[Number(wanted)].classList.add("lit");
      const side = sides.findIndex((mentions) => mentions.some((mention) => mention.row === named));
      if (side >= 0) pin({ side, row: named, entity: sides[side].find((mention) => mention.row === named).entity });
    });
  }
  addEventListener("beforeprint", () => rows.forEach((row) => row.fill()), { once: true });
  return [
    el("div", { class: "tools" }, chooser, link("its errors", { view: "errors", document: number }), link("its entities", { view: "entities", document: number })),
    el("p", { class: "note legend" }, ...[["both", "in both"], ["key", "only in the key"], ["response", "only in the response"], ["boundary", "wrong boundary"]].map(([state, title]) => el("span", {}, el("i", { class: state }), title)),
      "One colour is one entity; it is the same on both sides where the two are aligned. Point at an underline, or click to pin it."),
    grid, panel,
  ];
}

const worstShown = () => DATA.documents.map((one, place) => place).filter((place) => DATA.documents[place].words)
  .sort((a, b) => DATA.systems[chosenSystem()].documents[b][7] - DATA.systems[chosenSystem()].documents[a][7])[0] ?? 0;

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

// Light an entity, and on the other side the entity of the same colour.
function light(grid, chosen, maps) {
  grid.classList.toggle("dim", Boolean(chosen));
  for (const node of grid.querySelectorAll(".on, .lit:not(.row)")) node.classList.remove("on", "lit");
  if (!chosen) return;
  const wanted = maps[chosen.side].get(chosen.entity);
  for (const node of grid.querySelectorAll("[data-row]")) {
    if (maps[Number(node.dataset.side)].get(Number(node.dataset.entity)) !== wanted) continue;
    node.classList.add("lit");
    node.style.setProperty("--c", colour(wanted));
    if (!node.classList.contains("u")) continue;
    node.parentNode.classList.add("on");
    node.parentNode.style.setProperty("--c", colour(wanted));
  }
}

function sentenceOf(one, token) {
  let low = 0, high = one.sentences.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (one.sentences[middle] <= token) low = middle; else high = middle - 1; }
  return low;
}

function showPanel(panel, grid, rows, one, text, maps, chosen, sides, unpin) {
  grid.querySelector(".links")?.remove();
  panel.hidden = !chosen;
  if (!chosen) return;
  const wanted = maps[chosen.side].get(chosen.entity);
  const members = sides.map((mentions, side) => mentions.filter((mention) => maps[side].get(mention.entity) === wanted));
  const reading = (mention) => readSpan(one, [mention.start, mention.end, mention.zero, mention.parts, mention.empties]);
  const listed = (side) => el("p", {}, el("strong", {}, side ? "response: " : "key: "), members[side].length ? "" : "no entity that is aligned with it", members[side].map((mention) =>
    el("a", { class: "chip", href: address({ view: "document", document: where().document ?? worstShown(), sentence: sentenceOf(one, Math.max(mention.start, 0)) }), style: { "--c": colour(wanted) } }, isolated(reading(mention).slice(0, 80)))));
  panel.replaceChildren(
    el("div", { class: "tools" }, el("strong", {}, `entity ${label(text, chosen.side, chosen.entity)}`),
      el("button", { type: "button", on: { click: unpin } }, "unpin")),
    listed(0), listed(1));
  drawLinks(grid, rows, one, text, members, panel);
}

// What a span reads: its words, with … where it has gaps, and ∅ for an empty node.
function readSpan(one, [start, end, zero, parts, empties]) {
  if (zero) return "∅";
  if (!parts) return one.words.slice(Math.max(start, 0), end + 1).join(" ");
  const nodes = [...parts.map((token) => [token, 0]), ...empties.map((token) => [token, 1])].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return nodes.map(([token, empty], place) => `${place && token > nodes[place - 1][0] + 1 ? "… " : ""}${empty ? "∅" : one.words[token]}`).join(" ");
}

// Where in the document mentions are: those of the key above the line, those of the response below.
const stripPlace = (one, mention) => { const x = (996 * Math.max(mention.start, 0)) / Math.max(one.words.length, 1); return one.rtl ? 996 - x : x; };

function strip(one, sides, reveal) {
  const marks = sides.map((mentions, side) => svg("path", { d: mentions.map((mention) => `M${stripPlace(one, mention).toFixed(1)} ${side ? 16 : 3}v7`).join(""), stroke: "currentColor", "stroke-width": 2, "stroke-opacity": .18 }));
  const drawn = svg("svg", { class: "strip", viewBox: "0 0 1000 26", preserveAspectRatio: "none", role: "img", "aria-label": "Where in the document mentions occur: key above, response below" },
    svg("line", { x1: 0, x2: 1000, y1: 13, y2: 13, stroke: "currentColor", "stroke-opacity": .3 }), ...marks, svg("g", { class: "lights" }));
  drawn.addEventListener("click", (event) => {
    const box = drawn.getBoundingClientRect(), part = (event.clientX - box.left) / Math.max(box.width, 1);
    reveal(sentenceOf(one, Math.floor((one.rtl ? 1 - part : part) * one.words.length)));
    event.stopPropagation();
  });
  return drawn;
}

function lightStrip(grid, one, sides, maps, chosen) {
  const wanted = chosen && maps[chosen.side].get(chosen.entity);
  const ticks = !chosen ? [] : sides.flatMap((mentions, side) => mentions.filter((mention) => maps[side].get(mention.entity) === wanted).map((mention) =>
    svg("rect", { x: stripPlace(one, mention), y: side ? 15 : 2, width: 4, height: 9, fill: colour(wanted) })));
  grid.querySelector(".lights").replaceChildren(...ticks);
}

// The broken links of this entity only: dashed where the response lacks one of the key, dotted where it has one too many.
function drawLinks(grid, rows, one, text, members, panel) {
  const mine = members.map((mentions) => new Map(mentions.map((mention) => [mention.row, mention])));
  const broken = text.links.filter(([side, anaphor, antecedent]) => mine[side].has(anaphor) && mine[side].has(antecedent));
  if (!broken.length) return;
  panel.append(el("p", { class: "note" }, `${many(broken.length, "broken link")} of this entity drawn in the text: dashed, missing in the response; dotted, made by the response only.`));
  for (const [side, ...ends] of broken) for (const row of ends) rows[sentenceOf(one, Math.max(mine[side].get(row).start, 0))].fill();
  const layer = svg("svg", { class: "links", "aria-hidden": "true" });
  grid.append(layer);
  const base = grid.getBoundingClientRect();
  const place = (side, row) => {
    const node = grid.querySelector(`[data-token="${Math.max(mine[side].get(row).start, 0)}"][data-side="${side}"], .cell:nth-child(${side + 1}) [data-token="${Math.max(mine[side].get(row).start, 0)}"]`);
    const box = node?.getBoundingClientRect();
    return box ? [box.left - base.left + box.width / 2, box.top - base.top + box.height / 2] : null;
  };
  for (const [side, anaphor, antecedent] of broken) {
    const from = place(side, anaphor), to = place(side, antecedent);
    if (!from || !to) continue;
    const bend = Math.min(90, 20 + Math.abs(from[1] - to[1]) / 4);
    layer.append(svg("path", { d: `M${from[0]} ${from[1]} C${from[0] - bend} ${from[1] - bend} ${to[0] - bend} ${to[1] + bend} ${to[0]} ${to[1]}`, "stroke-dasharray": side ? "1 4" : "6 4" }));
  }
}
