const VIEWS = { overview: ["Overview", overview], document: ["Document", documentView], entities: ["Entities", entities], errors: ["Errors", errorsView], ...(DATA.changes ? { changes: ["Changes", changesView] } : {}) };

function show() {
  const now = where(), view = Object.hasOwn(VIEWS, now.view) ? now.view : "overview", number = chosenSystem();
  const system = DATA.systems[number];
  document.getElementById("title").textContent = `What ${system.name} got wrong`;
  document.getElementById("about").textContent = system.about;
  document.getElementById("headline").textContent = system.headline;
  document.getElementById("foot").textContent = `corefkit ${DATA.version} · ${DATA.signature} · ${DATA.intervals}`;
  document.getElementById("nav").replaceChildren(
    ...Object.entries(VIEWS).map(([name, [title]]) => el("button", { type: "button", "aria-current": name === view ? "page" : null, on: { click: () => go({ view: name, document: name === "document" || name === "entities" ? where().document : null }) } }, title)),
    DATA.systems.length > 1 ? el("select", { "aria-label": "System", on: { change: (event) => go({ system: event.target.value }, ["view", "document"]) } }, DATA.systems.map((one, index) => el("option", { value: index, selected: index === number }, `${one.name} (${percent(one.f1)})`))) : "");
  const main = document.getElementById("main");
  stepTo = null;
  main.replaceChildren(...VIEWS[view][1]().flat(Infinity).filter(Boolean));
  main.dataset.view = view;
  main.style.setProperty("--bar", systemColour(number));
  // What sticks below the navigation must know how high it is.
  document.documentElement.style.setProperty("--nav", `${document.getElementById("nav").offsetHeight}px`);
}

// Keys: 1 to 4 (5 with several systems) choose the view; "/" goes to the search; n and p to the next and the
// previous error in the text.
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = Object.keys(VIEWS)[Number(event.key) - 1];
  if (view) go({ view });
  if (stepTo && (event.key === "n" || event.key === "p")) stepTo(event.key === "n" ? 1 : -1);
  if (event.key === "/") { const search = document.querySelector("input[type=search]"); if (search) { event.preventDefault(); search.focus(); } }
});
addEventListener("resize", () => document.documentElement.style.setProperty("--nav", `${document.getElementById("nav").offsetHeight}px`));
addEventListener("hashchange", () => { show(); if (where().sentence === undefined && !(where().view === "document" && where().error)) scrollTo(0, 0); });
show();
