// Key and response of one document side by side, sentence by sentence.
let pinned = null;
// What the keys n and p do in this view; another view has no such step.
let stepTo = null;

function documentView() {
  const number = Number(where().document ?? worstShown());
  const one = DATA.documents[number], system = DATA.systems[chosenSystem()];
  const chooser = documentChooser("document", number);
  if (!one || !one.words) return [el("p", {}, "The text of this document is not in the page."), chooser];
  const view = drawnDocument(number, one, system);
  const { grid, rows, panel, pin } = view;
  pinned = null;
  const pick = (target) => {
    const node = target.closest("[data-row]");
    return node ? { side: Number(node.dataset.side), row: Number(node.dataset.row), entity: Number(node.dataset.entity) } : null;
  };
  for (const event of ["mouseover", "focusin"]) grid.addEventListener(event, ({ target }) => { const chosen = pick(target); if (chosen && !pinned) view.lightUp(chosen); });
  grid.addEventListener("mouseout", () => { if (!pinned) view.lightUp(null); });
  grid.addEventListener("click", ({ target }) => {
    const chosen = pick(target);
    if (chosen || pinned) pin(chosen);
  });
  requestAnimationFrame(() => openAt(view));
  addEventListener("beforeprint", () => rows.forEach((row) => row.fill()), { once: true });
  return [
    el("div", { class: "tools" }, chooser, link("its errors", { view: "errors", document: number }), link("its entities", { view: "entities", document: number })),
    legend(), grid, panel,
  ];
}

// The text with its marks, and what can be done with it.
function drawnDocument(number, one, system) {
  const text = system.texts[number], maps = numbers(text), errors = errorsIn(chosenSystem(), number);
  const sides = [0, 1].map((side) => sideMentions(text, side, errors));
  const marks = sides.map((mentions, side) => ({ side, text, map: maps[side], zeros: zerosOf(mentions), ...layers(mentions.filter((mention) => !mention.zero)) }));
  const panel = el("section", { class: "panel", "aria-live": "polite", hidden: true });
  const view = { number, one, system, text, maps, errors, sides, marks, panel };
  view.lightUp = (chosen) => { light(view.grid, chosen, maps); lightStrip(view, chosen); };
  view.reveal = (sentence) => {
    view.rows.slice(Math.max(0, sentence - 5), sentence + 6).forEach((row) => row.fill());
    view.rows[sentence].scrollIntoView({ block: "center" });
  };
  view.pin = (chosen) => {
    pinned = chosen;
    view.lightUp(pinned);
    showPanel(view, pinned);
  };
  view.rows = sentenceRows(view);
  const heads = ["key", system.name].map((title) => el("div", { class: "head" }, el("span", {}, title)));
  view.grid = el("div", { class: "doc", dir: one.rtl ? "rtl" : "ltr", lang: LANGUAGE }, el("div", { class: "heads" }, heads, strip(view)), view.rows);
  heads[1].append(errorSteps(view));
  new ResizeObserver(() => view.placeLinks?.()).observe(view.grid);
  return view;
}

function zerosOf(mentions) {
  const found = new Map();
  for (const mention of mentions) for (const at of mention.empties) found.set(at, [...(found.get(at) || []), mention]);
  return found;
}

// A sentence is drawn when it comes near the screen: a novel has many.
function sentenceRows(view) {
  const { one, marks } = view;
  const cell = (side, sentence) => {
    const first = one.sentences[sentence], last = (one.sentences[sentence + 1] ?? one.words.length) - 1;
    return el("div", { class: "cell" },
      el("span", { class: "no" }, sentence + 1),
      one.speakers && one.speakers[sentence] !== "-" ? el("span", { class: "who" }, `${one.speakers[sentence]}:`) : null,
      words(one, first, last, marks[side]));
  };
  const rows = one.sentences.map((_, sentence) => {
    const row = el("div", { class: "row", id: `s${sentence}`, "data-sentence": sentence });
    row.fill = () => {
      if (row.firstChild) return;
      row.append(cell(0, sentence), cell(1, sentence));
      if (pinned) light(view.grid, pinned, view.maps);
    };
    return row;
  });
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { entry.target.fill(); watcher.unobserve(entry.target); }
  }, { rootMargin: "800px" });
  rows.forEach((row) => watcher.observe(row));
  return rows;
}

// Go where the address says: to an error, to a mention, to a sentence.
function openAt(view) {
  const now = where(), error = now.error && view.errors.listed.find((one) => one.id === now.error);
  if (error) { view.toError(error); return; }
  const row = view.rows[Number(now.sentence)], named = Number(now.mention ?? -1);
  if (now.sentence === undefined || !row) return;
  view.reveal(Number(now.sentence));
  row.classList.add("lit");
  const side = view.sides.findIndex((mentions) => mentions.some((mention) => mention.row === named));
  if (side >= 0) view.pin({ side, row: named, entity: view.sides[side].find((mention) => mention.row === named).entity });
}

// Buttons and keys to the next and to the previous error, of one type where one is chosen.
function errorSteps(view) {
  const { errors, sides, one } = view, counter = el("span", { class: "place", "aria-live": "polite" });
  let type = where().type || "", at = null;
  const listed = () => errors.listed.filter((error) => !type || type.split(",").includes(error.name));
  const mentionOf = (row) => sides.flatMap((mentions, side) => mentions.filter((mention) => mention.row === row).map((mention) => ({ mention, side })))[0];
  const count = () => { counter.textContent = at ? `${listed().indexOf(at) + 1} of ${listed().length}` : many(listed().length, "error"); };
  view.toError = (error) => {
    at = error;
    const { mention, side } = mentionOf(error.row), sentence = sentenceOf(one, Math.max(mention.start, 0));
    view.reveal(sentence);
    view.rows.forEach((row, number) => row.classList.toggle("lit", number === sentence));
    view.pin({ side, row: error.row, entity: mention.entity, error });
    history.replaceState(null, "", address({ view: "document", document: view.number, type, error: error.id }));
    count();
  };
  // Without an error the step begins at the first sentence on the screen.
  const onScreen = () => view.rows.findIndex((row) => row.getBoundingClientRect().bottom > view.grid.firstChild.getBoundingClientRect().bottom);
  const step = (by) => {
    const all = listed();
    if (!all.length) return;
    const from = at && all.includes(at) ? all.indexOf(at) + by : all.findIndex((error) => (error.sentence ?? 0) >= onScreen());
    view.toError(all.at(from < 0 || from >= all.length ? (by > 0 ? 0 : -1) : from));
  };
  stepTo = step;
  const types = DATA.types.filter((name) => errors.listed.some((error) => error.name === name));
  const chooser = el("select", { "aria-label": "Type of error", on: { change: (event) => { type = event.target.value; at = null; count(); event.target.blur(); } } },
    el("option", { value: "" }, "all errors"), typeChoices(type).filter(([name]) => name === type || types.includes(name)).map(([name, title]) => el("option", { value: name, selected: name === type }, title)));
  count();
  return el("span", { class: "steps", dir: "ltr" }, chooser,
    el("button", { type: "button", title: "previous error (key p)", on: { click: () => step(-1) } }, "previous"),
    el("button", { type: "button", title: "next error (key n)", on: { click: () => step(1) } }, "next"), counter);
}

// The two antecedents of an error in the text: where it belongs, in the key, and where it was put, in the response.
function markAntecedents({ grid, rows, one, sides }, error) {
  for (const node of grid.querySelectorAll(".t.should, .t.was, .t.at")) node.classList.remove("should", "was", "at");
  if (!error) return;
  for (const [side, kind, row] of [[0, "should", error.should[1]], [1, "was", error.was[1]], [0, "at", error.row], [1, "at", error.row]]) {
    const mention = sides[side].find((other) => other.row === row);
    if (!mention) continue;
    const sentence = sentenceOf(one, Math.max(mention.start, 0));
    rows[sentence].fill();
    for (const token of mention.parts || [mention.start, mention.end]) rows[sentenceOf(one, Math.max(token, 0))].fill();
    for (const node of grid.querySelectorAll(`.cell:nth-child(${side + 1}) .t`)) {
      const token = node.dataset.token === undefined ? null : Number(node.dataset.token);
      const mine = token === null ? Number(node.dataset.row) === row : mention.parts ? mention.parts.includes(token) : !mention.zero && mention.start <= token && token <= mention.end;
      if (mine) node.classList.add(kind);
    }
  }
}

const legend = () => el("p", { class: "note legend" },
  Object.entries(STATES).map(([state, title]) => el("span", {}, el("i", { class: `u ${state}` }), title)),
  "One number and colour is one entity, on both sides where the two are aligned. A paler line is one of several mentions of an error, which begins elsewhere. Point at a mention, or click to pin it; n and p go to the next and the previous error.");

const documentChooser = (view, number) => el("select", { "aria-label": "Document", on: { change: (event) => go({ view, document: event.target.value }) } },
  DATA.documents.map((one, index) => (one.words ? el("option", { value: index, selected: index === number }, one.name) : null)));

const worstShown = () => DATA.documents.map((one, index) => index).filter((index) => DATA.documents[index].words)
  .sort((a, b) => DATA.systems[chosenSystem()].documents[b][7] - DATA.systems[chosenSystem()].documents[a][7])[0] ?? 0;
