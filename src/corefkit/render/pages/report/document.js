// Key and response of one document side by side, sentence by sentence.
let pinned = null;

function documentView() {
  const number = Number(where().document ?? worstShown());
  const one = DATA.documents[number], system = DATA.systems[chosenSystem()];
  const chooser = documentChooser("document", number);
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
  const cell = (side, place) => {
    const first = one.sentences[place], last = (one.sentences[place + 1] ?? one.words.length) - 1;
    return el("div", { class: "cell" },
      el("span", { class: "no" }, place + 1),
      one.speakers && one.speakers[place] !== "-" ? el("span", { class: "who" }, `${one.speakers[place]}:`) : null,
      words(one, first, last, drawn[side], zeros[side], side, maps[side], text));
  };
  // A sentence is drawn when it comes near the screen: a novel has many.
  const rows = one.sentences.map((_, place) => {
    const row = el("div", { class: "row", id: `s${place}`, "data-sentence": place });
    row.fill = () => {
      if (row.firstChild) return;
      row.append(cell(0, place), cell(1, place));
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
    legend(), grid, panel,
  ];
}

const legend = () => el("p", { class: "note legend" },
  [["both", "in both"], ["key", "only in the key"], ["response", "only in the response"], ["boundary", "wrong boundary"]].map(([state, title]) => el("span", {}, el("i", { class: state }), title)),
  "One colour is one entity; it is the same on both sides where the two are aligned. Point at an underline, or click to pin it.");

const documentChooser = (view, number) => el("select", { "aria-label": "Document", on: { change: (event) => go({ view, document: event.target.value }) } },
  DATA.documents.map((one, place) => (one.words ? el("option", { value: place, selected: place === number }, one.name) : null)));

const worstShown = () => DATA.documents.map((one, place) => place).filter((place) => DATA.documents[place].words)
  .sort((a, b) => DATA.systems[chosenSystem()].documents[b][7] - DATA.systems[chosenSystem()].documents[a][7])[0] ?? 0;
