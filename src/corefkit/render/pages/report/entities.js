// Which key entities fell into which response entities; a connected group is the unit.
function entities() {
  const number = Number(where().document ?? worstShown());
  const one = DATA.documents[number], system = DATA.systems[chosenSystem()];
  const chooser = el("select", { "aria-label": "Document", on: { change: (event) => go({ view: "entities", document: event.target.value }) } },
    DATA.documents.map((item, place) => (item.words ? el("option", { value: place, selected: place === number }, item.name) : null)));
  if (!one || !one.words) return [chooser];
  const text = system.texts[number], maps = colours(text);
  const found = groups(text);
  const wrong = found.filter((group) => !group.right);
  const shown = wrong.slice(0, 12), rest = wrong.slice(12);
  return [
    el("div", { class: "tools" }, chooser, link("its text", { view: "document", document: number })),
    el("p", { class: "note" }, `${many(found.length, "group")} of entities that share mentions; ${wrong.length} with an error, the largest first. Key entities on the left, response entities on the right; a band is what they share, a dashed end what the other side lacks.`),
    shown.map((group) => flow(group, one, text, maps)),
    rest.length ? el("details", {}, el("summary", {}, `${many(rest.length, "smaller group")}`), rest.slice(0, 300).map((group) => flow(group, one, text, maps))) : null,
    el("p", { class: "note" }, `${many(found.length - wrong.length, "entity", "entities")} are right.`),
  ];
}

function groups(text) {
  const parent = new Map();
  const find = (x) => { while (parent.get(x) !== x) { parent.set(x, parent.get(parent.get(x))); x = parent.get(x); } return x; };
  const add = (x) => { if (!parent.has(x)) parent.set(x, x); };
  for (const [, , ours, theirs] of text.m) {
    if (ours >= 0) add(`k${ours}`);
    if (theirs >= 0) add(`r${theirs}`);
    if (ours >= 0 && theirs >= 0) parent.set(find(`k${ours}`), find(`r${theirs}`));
  }
  const found = new Map();
  for (const mention of text.m) {
    const [, state, ours, theirs] = mention;
    const root = find(ours >= 0 ? `k${ours}` : `r${theirs}`);
    if (!found.has(root)) found.set(root, { mentions: [], cells: new Map(), key: new Map(), response: new Map(), wrong: false });
    const group = found.get(root);
    group.mentions.push(mention);
    if (ours >= 0) group.key.set(ours, (group.key.get(ours) || 0) + 1);
    if (theirs >= 0) group.response.set(theirs, (group.response.get(theirs) || 0) + 1);
    if (ours >= 0 && theirs >= 0) group.cells.set(`${ours} ${theirs}`, (group.cells.get(`${ours} ${theirs}`) || 0) + 1);
    if (state) group.wrong = true;
  }
  return [...found.values()].map((group) => ({ ...group, right: !group.wrong && group.key.size === 1 && group.response.size === 1 }))
    .sort((a, b) => b.mentions.length - a.mentions.length);
}

// Where the two columns of bars stand, and how long names may be: wide, and on a phone.
const WIDE = { left: 258, right: 490, width: 760, most: 22 }, NARROW = { left: 128, right: 240, width: 380, most: 11 };

function flow(group, one, text, maps) {
  const { left: x0, right: x1, width, most } = innerWidth < 600 ? NARROW : WIDE, middle = (x0 + x1 + 12) / 2;
  const height = (count) => Math.max(16, 9 * count);
  const place = (sizes) => { let y = 4; const found = new Map(); for (const [entity, size] of [...sizes].sort((a, b) => b[1] - a[1])) { found.set(entity, { y, size, used: 0 }); y += height(size) + 8; } return [found, y]; };
  const [left, bottom] = place(group.key), [right, other] = place(group.response);
  const reading = (entity, side) => {
    const names = group.mentions.filter((m) => m[side ? 3 : 2] === entity).map((m) => readSpan(one, (side && m[5]) || m[4]));
    const shown = [...new Set(names)].sort((a, b) => b.length - a.length)[0] || "";
    return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
  };
  const marks = [];
  for (const [cell, count] of group.cells) {
    const [ours, theirs] = cell.split(" ").map(Number), a = left.get(ours), b = right.get(theirs);
    const [y, z, h] = [a.y + (height(a.size) * a.used) / a.size, b.y + (height(b.size) * b.used) / b.size, [height(a.size) * count / a.size, height(b.size) * count / b.size]];
    a.used += count; b.used += count;
    marks.push(svg("path", { d: `M${x0 + 12} ${y} C${middle} ${y} ${middle} ${z} ${x1} ${z} L${x1} ${z + h[1]} C${middle} ${z + h[1]} ${middle} ${y + h[0]} ${x0 + 12} ${y + h[0]} Z`, fill: colour(maps[0].get(ours)), "fill-opacity": .35 }, svg("title", {}, many(count, "mention"))));
  }
  for (const [side, items, x] of [[0, left, x0], [1, right, x1]]) {
    for (const [entity, { y, size, used }] of items) {
      const c = colour(maps[side].get(entity)), h = height(size);
      marks.push(svg("rect", { x, y, width: 12, height: (h * used) / size, fill: c }), svg("rect", { x, y: y + (h * used) / size, width: 12, height: h - (h * used) / size, fill: "none", stroke: c, "stroke-dasharray": "3 2" }));
      const alone = size - used, short = most === NARROW.most;
      const lacking = !alone ? "" : short ? `, ${side ? "+" : "−"}${alone}` : `, ${alone} ${side ? "not in the key" : "missed"}`;
      const title = `${isolated(reading(entity, side))} (${size}${lacking})`;
      marks.push(svg("text", { x: side ? x + 18 : x - 6, y: y + Math.min(h / 2 + 4, h), "text-anchor": side ? "start" : "end" }, title));
    }
  }
  const what = [group.key.size > 1 ? "conflated" : "", group.response.size > 1 ? "divided" : "", !group.response.size ? "missing" : "", !group.key.size ? "extra" : ""].filter(Boolean).join(", ") || "mentions or boundaries differ";
  return el("figure", { class: "group" }, el("figcaption", { class: "note" }, `${many(group.mentions.length, "mention")}: ${what}`),
    svg("svg", { class: "flow", viewBox: `0 0 ${width} ${Math.max(bottom, other) + 2}`, role: "img" }, svg("title", {}, what), ...marks));
}
