// What is shown of the entity that is pointed at or pinned: its mentions, where they are, its broken links.

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

function showPanel(panel, grid, rows, one, text, maps, chosen, sides, unpin) {
  grid.querySelector(".links")?.remove();
  panel.hidden = !chosen;
  if (!chosen) return;
  const wanted = maps[chosen.side].get(chosen.entity);
  const members = sides.map((mentions, side) => mentions.filter((mention) => maps[side].get(mention.entity) === wanted));
  const reading = (mention) => readSpan(one, [mention.start, mention.end, mention.zero, mention.parts, mention.empties]);
  const listed = (side) => el("p", {}, el("strong", {}, side ? "response: " : "key: "), members[side].length ? "" : "no entity that is aligned with it", members[side].map((mention) =>
    el("a", { class: "chip", href: address({ view: "document", document: where().document ?? worstShown(), sentence: sentenceOf(one, Math.max(mention.start, 0)), mention: mention.row }), style: { "--c": colour(wanted) } }, isolated(reading(mention).slice(0, 80)))));
  panel.replaceChildren(
    el("div", { class: "tools" }, el("strong", {}, `entity ${label(text, chosen.side, chosen.entity)}`),
      el("button", { type: "button", on: { click: unpin } }, "unpin")),
    listed(0), listed(1));
  drawLinks(grid, rows, one, text, members, panel);
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
