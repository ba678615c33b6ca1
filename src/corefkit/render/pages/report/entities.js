// Which key entities fell into which response entities; a connected group is the unit.
function entities() {
  const number = Number(where().document ?? worstShown());
  const one = DATA.documents[number], system = DATA.systems[chosenSystem()];
  const chooser = documentChooser("entities", number);
  if (!one || !one.words) return [el("p", {}, "The text of this document is not in the page."), chooser];
  const text = system.texts[number], maps = numbers(text);
  const found = groups(text);
  const wrong = found.filter((group) => !group.right);
  const shown = wrong.slice(0, 12), rest = wrong.slice(12);
  return [
    el("div", { class: "tools" }, chooser, link("its text", { view: "document", document: number })),
    el("p", { class: "note" }, `${many(found.length, "group")} of entities that share mentions; ${wrong.length} with an error, the largest first. Key entities on the left, response entities on the right; a band is what they share, a dashed end what the other side lacks.`),
    el("div", { class: "many flows" }, shown.map((group) => flow(group, one, text, maps, number))),
    rest.length ? el("details", {}, el("summary", {}, `${many(rest.length, "smaller group")}`), el("div", { class: "many flows" }, rest.slice(0, 300).map((group) => flow(group, one, text, maps, number)))) : null,
    el("p", { class: "note" }, `${many(found.length - wrong.length, "entity is", "entities are")} right.`),
  ];
}

function groups(text) {
  const parent = new Map();
  const find = (x) => { while (parent.get(x) !== x) { parent.set(x, parent.get(parent.get(x))); x = parent.get(x); } return x; };
  const add = (x) => { if (!parent.has(x)) parent.set(x, x); };
  for (const [, , key, response] of text.m) {
    if (key >= 0) add(`k${key}`);
    if (response >= 0) add(`r${response}`);
    if (key >= 0 && response >= 0) parent.set(find(`k${key}`), find(`r${response}`));
  }
  const found = new Map(), leads = text.leads.map((rows) => new Set(rows));
  for (const mention of text.m) {
    const [, state, key, response] = mention;
    const root = find(key >= 0 ? `k${key}` : `r${response}`);
    if (!found.has(root)) found.set(root, { mentions: [], cells: new Map(), key: new Map(), response: new Map(), wrong: false, leads });
    const group = found.get(root);
    group.mentions.push(mention);
    if (key >= 0) group.key.set(key, (group.key.get(key) || 0) + 1);
    if (response >= 0) group.response.set(response, (group.response.get(response) || 0) + 1);
    if (key >= 0 && response >= 0) group.cells.set(`${key} ${response}`, (group.cells.get(`${key} ${response}`) || 0) + 1);
    if (state) group.wrong = true;
  }
  return [...found.values()].map((group) => ({ ...group, right: !group.wrong && group.key.size === 1 && group.response.size === 1 }))
    .sort((a, b) => b.mentions.length - a.mentions.length);
}

// Where the two columns of bars stand, and how long names may be: wide, and on a phone.
const WIDE = { left: 300, right: 490, width: 890, letters: 20, size: 16 }, NARROW = { left: 128, right: 240, width: 380, letters: 11, size: 12 };
const MOST_BARS = 18, TALLEST = 420;

// The bars of one side, the largest first; of very many entities the small ones are one bar.
function barsOf(sizes, scale) {
  const listed = [...sizes].sort((a, b) => b[1] - a[1]), few = listed.length > MOST_BARS + 1 ? listed.slice(0, MOST_BARS) : listed;
  const bars = few.map(([entity, size]) => ({ entities: [entity], size })), rest = listed.slice(few.length);
  if (rest.length) bars.push({ entities: rest.map(([entity]) => entity), size: rest.reduce((sum, [, size]) => sum + size, 0) });
  let y = 4;
  for (const bar of bars) { Object.assign(bar, { y, height: Math.max(16, scale * bar.size), used: 0 }); y += bar.height + 8; }
  return { bars, of: new Map(bars.flatMap((bar) => bar.entities.map((entity) => [entity, bar]))), bottom: y };
}

// The bands between bars: how many mentions they share.
function bandsOf(group, sides) {
  const bands = new Map();
  for (const [cell, count] of group.cells) {
    const [a, b] = cell.split(" ").map((entity, side) => sides[side].of.get(Number(entity)));
    if (!bands.has(a)) bands.set(a, new Map());
    bands.get(a).set(b, (bands.get(a).get(b) || 0) + count);
  }
  return [...bands].flatMap(([a, others]) => [...others].map(([b, count]) => ({ a, b, count })));
}

function flow(group, one, text, maps, number) {
  const { left, right, width, letters, size } = innerWidth < 600 ? NARROW : WIDE, from = left + 12, middle = (from + right) / 2;
  const scale = Math.min(9, TALLEST / group.mentions.length), sides = [group.key, group.response].map((sizes) => barsOf(sizes, scale));
  const shade = (bar, side) => (bar.entities.length > 1 ? "gray" : colour(maps[side].get(bar.entities[0])));
  const marks = bandsOf(group, sides).map(({ a, b, count }) => {
    const [y, z] = [a, b].map((bar) => bar.y + (bar.height * bar.used) / bar.size), [h, i] = [a, b].map((bar) => (bar.height * count) / bar.size);
    a.used += count; b.used += count;
    return svg("path", { d: `M${from} ${y} C${middle} ${y} ${middle} ${z} ${right} ${z} L${right} ${z + i} C${middle} ${z + i} ${middle} ${y + h} ${from} ${y + h} Z`, fill: shade(a, 0), "fill-opacity": .35 }, svg("title", {}, many(count, "mention")));
  });
  sides.forEach(({ bars }, side) => bars.forEach((bar) => {
    const x = side ? right : left, c = shade(bar, side), solid = (bar.height * bar.used) / bar.size;
    marks.push(svg("rect", { x, y: bar.y, width: 12, height: solid, fill: c }), svg("rect", { x, y: bar.y + solid, width: 12, height: bar.height - solid, fill: "none", stroke: c, "stroke-dasharray": "3 2" }));
    const label = svg("text", { x: side ? x + 18 : x - 6, y: bar.y + Math.min(bar.height / 2 + size / 3, bar.height), "text-anchor": side ? "start" : "end", "font-size": size }, barTitle(bar, side, group, one, letters));
    const first = group.mentions.find((mention) => mention[side ? 3 : 2] === bar.entities[0]);
    marks.push(svg("a", { href: address({ view: "document", document: number, sentence: sentenceOf(one, Math.max(first[4][0], 0)), mention: first[0] }) }, label));
  }));
  const what = [group.key.size > 1 ? "conflated" : "", group.response.size > 1 ? "divided" : "", !group.response.size ? "missing" : "", !group.key.size ? "extra" : ""].filter(Boolean).join(", ") || "mentions or boundaries differ";
  const sizes = group.key.size + group.response.size > 2 ? `, ${many(group.key.size, "key entity", "key entities")}, ${many(group.response.size, "response entity", "response entities")}` : "";
  return el("figure", { class: "group" }, el("figcaption", { class: "note" }, `${many(group.mentions.length, "mention")}${sizes}: ${what}`),
    svg("svg", { class: "flow", lang: LANGUAGE ?? "", viewBox: `0 0 ${width} ${Math.max(...sides.map((side) => side.bottom)) + 2}`, role: "group", "aria-label": what }, ...marks));
}

// What the leading mention of an entity reads, its size, and how many of its mentions the other side lacks.
function barTitle(bar, side, group, one, letters) {
  const alone = bar.size - bar.used, short = letters === NARROW.letters;
  const lacking = !alone ? "" : short ? `, ${side ? "+" : "−"}${alone}` : `, ${alone} ${side ? "not in the key" : "missed"}`;
  if (bar.entities.length > 1) return `${bar.entities.length} smaller (${bar.size}${lacking})`;
  const leads = group.leads[side], mine = (mention) => mention[side ? 3 : 2] === bar.entities[0];
  const lead = group.mentions.find((mention) => mine(mention) && leads.has(mention[0]));
  const name = readSpan(one, (side && lead[5]) || lead[4]);
  return `${isolated(name.length > letters ? `${name.slice(0, letters - 1)}…` : name)} (${bar.size}${lacking})`;
}
