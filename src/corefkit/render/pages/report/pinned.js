// What is shown of the entity that is pointed at or pinned: its mentions, where they are, its broken links.

// Light an entity, and on the other side the entity of the same number.
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

// The panel at the foot: what is wrong with the mention, then the mentions of the entity on both sides.
function showPanel(view, chosen) {
  const { panel, grid, errors, sides, maps } = view;
  view.placeLinks = () => grid.querySelector(".links")?.remove();
  view.placeLinks();
  markAntecedents(view, chosen?.error);
  panel.hidden = !chosen;
  if (!chosen) return;
  const wanted = maps[chosen.side].get(chosen.entity);
  const members = sides.map((mentions, side) => mentions.filter((mention) => maps[side].get(mention.entity) === wanted));
  const names = sides.map((_, side) => [...new Set(members[side].map((mention) => mention.entity))].map((entity) => entityTitle(view.marks[side], entity))).flat();
  const wrong = chosen.error ? [chosen.error] : errors.byRow.get(chosen.row) || [];
  const why = wrong.map((error) => el("p", { class: "why" }, el("strong", {}, `${error.name}: `), explained(error, (kind, row, text) => antecedentLink(view, kind, row, text))));
  panel.replaceChildren(
    el("button", { type: "button", class: "unpin", on: { click: () => view.pin(null) } }, "unpin"), ...why,
    el("p", {}, el("strong", {}, wanted > 0 ? `entity ${wanted}` : "a singleton that is right"), el("span", { class: "note" }, ` ${names.join(" · ")}`)),
    ...[0, 1].map((side) => memberList(view, side, members[side], wanted)));
  drawLinks(view, members, chosen.error ? linksOf(chosen.error) : null);
}

// An antecedent that is named leads to its place in the text; what is pinned stays.
function antecedentLink(view, kind, row, text) {
  const mention = view.sides[kind === "was" ? 1 : 0].find((one) => one.row === row);
  if (!mention) return el("mark", { class: kind, dir: "auto", lang: LANGUAGE }, isolated(text));
  return el("button", { type: "button", class: `antecedent ${kind}`, dir: "auto", lang: LANGUAGE, on: { click: () => view.reveal(sentenceOf(view.one, Math.max(mention.start, 0))) } }, isolated(text));
}

// The link that is missing and the one that was made: side, anaphor, antecedent.
const linksOf = (error) => [error.should, error.was].map(([, row], side) => [side, error.row, row]).filter(([, , row]) => row >= 0);

// The mentions of one side, those that are wrong first, alike ones as one chip with their number.
const WRONG_FIRST = ["key", "response", "boundary", "linked", "both"], MOST_CHIPS = 60;
function memberList(view, side, members, number) {
  const chips = new Map();
  for (const mention of members) {
    const text = readMention(view.one, mention), name = `${WRONG_FIRST.indexOf(mention.state)} ${text.toLowerCase()}`;
    if (!chips.has(name)) chips.set(name, { text, state: mention.state, mentions: [] });
    chips.get(name).mentions.push(mention);
  }
  const listed = [...chips.values()].sort((a, b) => WRONG_FIRST.indexOf(a.state) - WRONG_FIRST.indexOf(b.state) || b.mentions.length - a.mentions.length);
  let last = "";
  const nodes = listed.slice(0, MOST_CHIPS).flatMap((chip) => {
    const head = chip.state === last ? null : el("span", { class: "note" }, `${CHIP_TITLES[chip.state]} `);
    last = chip.state;
    return [head, memberChip(view, side, chip, number), " "];
  });
  return el("p", {}, el("strong", {}, side ? "response: " : "key: "), members.length ? nodes : "no entity that is aligned with it",
    listed.length > MOST_CHIPS ? ` and ${listed.length - MOST_CHIPS} more` : null);
}

const CHIP_TITLES = { key: "missed", response: "extra", boundary: "wrong boundary", linked: "linked wrongly", both: "right" };

// A chip leads to its mention; one of several to the next of them each time.
function memberChip(view, side, { text, state, mentions }, number) {
  const sentence = (mention) => sentenceOf(view.one, Math.max(mention.start, 0));
  const to = address({ view: "document", document: view.number, sentence: sentence(mentions[0]), mention: mentions[0].row });
  const next = (event) => {
    event.preventDefault();
    const mention = mentions[(mentions.findIndex((one) => one.row === pinned?.row) + 1) % mentions.length];
    view.reveal(sentence(mention));
    view.pin({ side, row: mention.row, entity: mention.entity });
  };
  return el("a", { class: `chip ${state}`, href: to, dir: "auto", lang: LANGUAGE, style: { "--c": colour(number) }, on: { click: next } }, isolated(text.slice(0, 80)), mentions.length > 1 ? ` ×${mentions.length}` : "");
}

// Where in the document errors are: the denser, the stronger the colour; the chosen entity of the key above,
// of the response below.
const BINS = 160;
const stripPlace = (one, token) => { const x = (996 * Math.max(token, 0)) / Math.max(one.words.length, 1); return one.rtl ? 996 - x : x; };

function strip(view) {
  const { one, errors, text } = view, counts = new Array(BINS).fill(0);
  const starts = new Map(text.m.map(([row, , , , span]) => [row, Math.max(span[0], 0)]));
  for (const error of errors.listed) for (const row of error.rows) counts[Math.min(BINS - 1, Math.floor((BINS * starts.get(row)) / Math.max(one.words.length, 1)))] += 1;
  const most = Math.max(1, ...counts), width = 1000 / BINS;
  const bars = counts.map((count, index) => (count ? svg("rect", { class: "heat", x: width * (one.rtl ? BINS - 1 - index : index), y: 0, width, height: 26, "fill-opacity": (.12 + (.88 * count) / most).toFixed(2) }, svg("title", {}, many(count, "wrong mention"))) : null)).filter(Boolean);
  const drawn = svg("svg", { class: "strip", viewBox: "0 0 1000 26", preserveAspectRatio: "none", role: "img", "aria-label": "Where in the document errors are" }, ...bars, svg("g", { class: "lights" }));
  drawn.addEventListener("click", (event) => {
    const box = drawn.getBoundingClientRect(), part = (event.clientX - box.left) / Math.max(box.width, 1);
    view.reveal(sentenceOf(one, Math.floor((one.rtl ? 1 - part : part) * one.words.length)));
    event.stopPropagation();
  });
  return drawn;
}

function lightStrip({ grid, one, sides, maps }, chosen) {
  const wanted = chosen && maps[chosen.side].get(chosen.entity);
  const ticks = !chosen ? [] : sides.flatMap((mentions, side) => mentions.filter((mention) => maps[side].get(mention.entity) === wanted).map((mention) =>
    svg("rect", { class: "light", x: stripPlace(one, mention.start), y: side ? 14 : 1, width: 4, height: 11, fill: colour(wanted) })));
  grid.querySelector(".lights").replaceChildren(...ticks);
}

// Broken links, those of one error or all of an entity: dashed where the response lacks one of the key, dotted
// where it has one too many.
function drawLinks(view, members, links) {
  const { grid, rows, one, text, panel, sides } = view;
  const mine = (links ? sides : members).map((mentions) => new Map(mentions.map((mention) => [mention.row, mention])));
  const broken = (links || text.links).filter(([side, anaphor, antecedent]) => mine[side].has(anaphor) && mine[side].has(antecedent));
  if (!broken.length) return;
  if (!links) panel.append(el("p", { class: "note" }, `${many(broken.length, "broken link")} of this entity drawn in the text: dashed, missing in the response; dotted, made by the response only.`));
  for (const [side, ...ends] of broken) for (const row of ends) rows[sentenceOf(one, Math.max(mine[side].get(row).start, 0))].fill();
  // Sentences change their heights when they come on the screen: the links are placed anew then.
  view.placeLinks = () => {
    grid.querySelector(".links")?.remove();
    const layer = svg("svg", { class: "links", "aria-hidden": "true" }), base = grid.getBoundingClientRect();
    for (const [side, anaphor, antecedent] of broken) {
      const [from, to] = [anaphor, antecedent].map((row) => topOf(grid, base, side, mine[side].get(row)));
      if (from && to) layer.append(linkPath(side, from, to));
    }
    grid.append(layer);
  };
  view.placeLinks();
}

// The middle of the upper edge of the first word of a mention, from the corner of the grid.
function topOf(grid, base, side, mention) {
  const box = grid.querySelector(`.cell:nth-child(${side + 1}) [data-token="${Math.max(mention.start, 0)}"]`)?.getBoundingClientRect();
  return box ? [box.left - base.left + box.width / 2, box.top - base.top + 2] : null;
}

// On one line an arch above it, else a bow to the left.
function linkPath(side, [x, y], [left, top]) {
  const bend = Math.min(90, 20 + Math.abs(y - top) / 4), arch = Math.abs(y - top) < 12;
  const curve = arch ? `${x} ${y - 14} ${left} ${top - 14}` : `${x - bend} ${y - bend} ${left - bend} ${top + bend}`;
  return svg("path", { class: side ? "was" : "should", d: `M${x} ${y} C${curve} ${left} ${top}`, "stroke-dasharray": side ? "1 4" : "6 4" });
}
