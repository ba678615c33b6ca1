// The list of subjects: filtered, searched, and drawn only where it can be seen.

const ROW = 56;
const SIGNS = { open: "○", decided: "●", implied: "◐", waiting: "◌", none: "·" };
const list = { subjects: [], at: 0, all: [] };

const GROUPS = {
  "": "all items", mention: "mentions", boundary: "boundaries", link: "links", conflict: "conflicts",
  outvoted: "outvoted", own: "my own changes",
};
const STATUSES = { "": "any state", open: "open", decided: "decided", implied: "implied", waiting: "waiting", discuss: "to discuss" };

const same = (a, b) => a && b && a.number === b.number && a.name === b.name;

// The subjects that the filters choose. The one that is shown stays among them when it is decided.
function filtered(stays) {
  const { document: chosen, kind, status, q } = page.filters;
  const documents = page.documents.filter((one) => chosen === "" || one.number === Number(chosen));
  let found = list.all;
  if (kind === "outvoted") found = documents.flatMap((one) => one.outvoted.map((_, place) => outvotedSubject(one, place)));
  else if (kind === "own") found = documents.flatMap((one) => ownSubjects(page.log, one));
  else if (status === "discuss" && kind === "") found = [
    ...found,
    ...documents.flatMap((one) => [...one.outvoted.map((_, place) => outvotedSubject(one, place)), ...ownSubjects(page.log, one)]),
  ];
  const needle = q.trim().toLocaleLowerCase();
  const isIn = (subject) => status === "" || (status === "discuss" ? isMarked(page.log, subject) : statusOf(page.log, subject) === status);
  return found.filter((subject) => (chosen === "" || subject.number === Number(chosen))
    && (kind === "" || kind === subject.group)
    && (isIn(subject) || (stays && same(subject, page.subject)))
    && (needle === "" || searchText(subject).includes(needle)));
}

// All that a subject can be found by: what its mentions read, its id, what was noted.
const searchTexts = new Map();
function searchText(subject) {
  const one = page.documents[subject.number], name = `${subject.number} ${subject.name}`;
  if (!searchTexts.has(name)) {
    const blocks = subject.kind === "link" ? blocksOf(page.log, subject).filter((block) => block < one.blocks.length) : [];
    const spans = new Set(
      [...subject.spans, ...blocks.flatMap((block) => one.blocks[block].slice(0, 200).map((unit) => one.units[unit].variants[0].span))],
    );
    searchTexts.set(
      name,
      `${[...spans].map((span) => readText(one, placesOf(one, span))).join("\n")}\n${idOfSubject(page.log, subject)}`.toLocaleLowerCase(),
    );
  }
  const entry = entryOf(page.log, subject);
  return entry ? `${searchTexts.get(name)}\n${entry.note ?? ""}\n${entry.by ?? ""}`.toLocaleLowerCase() : searchTexts.get(name);
}

// Make the texts that are searched before anybody searches, a few at a time.
function prepareSearch(from = 0) {
  list.all.slice(from, from + 200).forEach(searchText);
  if (from + 200 < list.all.length) setTimeout(() => prepareSearch(from + 200), 20);
}

function refreshList(stays = true) {
  list.subjects = filtered(stays);
  const place = list.subjects.findIndex((subject) => same(subject, page.subject));
  if (place >= 0) list.at = place;
  else list.at = Math.min(list.at, Math.max(list.subjects.length - 1, 0));
  list.count.textContent = ["outvoted", "own"].includes(page.filters.kind)
    ? `${list.subjects.length.toLocaleString("en")} ${GROUPS[page.filters.kind]}`
    : `${list.subjects.length.toLocaleString("en")} of ${many(list.all.length, "item")}`;
  list.space.style.setProperty("height", `${list.subjects.length * ROW}px`);
  list.nothing.hidden = list.subjects.length > 0;
  drawList();
}

// The rows that can be seen, and some before and after.
function drawList() {
  const { scroller, space } = list, high = scroller.clientHeight || 600;
  const from = Math.max(0, Math.floor(scroller.scrollTop / ROW) - 4), to = Math.min(list.subjects.length, from + Math.ceil(high / ROW) + 8);
  space.replaceChildren(...list.subjects.slice(from, to).map((subject, place) => listRow(subject, from + place)));
}

function listRow(subject, place) {
  const one = page.documents[subject.number];
  const status = statusOf(page.log, subject);
  const choice = choiceOf(page.log, subject);
  const state = page.log.states[subject.number];
  let shown = { [OPEN]: "open", [WAITING]: "waiting", none: "" }[status] ?? choiceText(page.log, subject, choice);
  if (status === IMPLIED) shown = `implied: ${choiceText(page.log, subject, state.implied.get(subject.place))}`;
  const texts = subjectText(page.log, subject, 28), here = same(subject, page.subject), marked = isMarked(page.log, subject);
  return el(
    "div",
    {
      class: `item ${status}${here ? " here" : ""}`, role: "option", id: `row${place}`, "aria-selected": String(here),
      "aria-posinset": place + 1, "aria-setsize": list.subjects.length, style: { top: `${place * ROW}px` },
      on: { click: () => { go(subject); showTab("card"); } },
    },
    el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[status]),
    el("span", { class: "what", dir: one.rtl ? "rtl" : "ltr" }, texts.flatMap(
      (part, number) => [number ? el("span", { class: "joint" }, JOINT[subject.kind]) : null, el("span", { class: "bit" }, isolated(part))],
    )),
    el(
      "span", { class: "note" }, LABELS[subject.group], shown ? ` · ${shown}` : null,
      marked ? el("b", { class: "flag" }, " · discuss") : null,
      tally(one, subject), page.documents.length > 1 ? ` · ${isolated(one.name)}` : null,
    ));
}

// How many are for and against, in short.
function tally(one, { item, outvoted }) {
  const known = item ?? outvoted;
  if (!known) return null;
  return Array.isArray(known.for)
    ? ` · ${known.for.length} : ${known.against?.length ?? one.annotators.length - known.for.length}`
    : ` · ${Object.values(known.for).map((names) => names.length).join(" : ")}`;
}

// Bring the row of the shown item into view.
function revealRow() {
  const { scroller } = list, top = list.at * ROW;
  if (
    top < scroller.scrollTop + ROW || top + 2 * ROW > scroller.scrollTop + scroller.clientHeight
  ) scroller.scrollTop = top - scroller.clientHeight / 2 + ROW / 2;
  drawList();
  scroller.setAttribute("aria-activedescendant", `row${list.at}`);
}

const step = (by) => { const next = list.subjects[Math.min(Math.max(list.at + by, 0), list.subjects.length - 1)]; if (next) go(next); };

function nextOpen() {
  const { subjects, at } = list;
  for (let far = 1; far <= subjects.length; far += 1) {
    const subject = subjects[(at + far) % subjects.length];
    if (statusOf(page.log, subject) === OPEN && !same(subject, page.subject)) { go(subject); return; }
  }
  const rest = total().open;
  say(rest ? `no other open item in this list; ${many(rest, "item")} open in all` : "nothing is open: all items are decided");
}

function setFilter(changes) {
  Object.assign(page.filters, changes);
  for (const [name, control] of Object.entries(list.controls)) control.value = page.filters[name];
  refreshList(false);
  list.scroller.scrollTop = 0;
  drawList();
  showProgress();
  if (!list.subjects.some((subject) => same(subject, page.subject)) && list.subjects.length) { list.at = 0; go(list.subjects[0], { quiet: true }); }
}

function makeList() {
  // Who chose with the mouse goes on with keys of the page, who chose with keys goes on choosing.
  const choose = (name) => (event) => {
    setFilter({ [name]: event.target.value });
    if (!event.target.matches(":focus-visible")) event.target.blur();
  };
  const select = (name, label, options) => el(
    "select", { "aria-label": label, on: { change: choose(name) } },
    options.map(([value, title]) => el("option", { value }, title)),
  );
  const chosen = select(
    "document", "Document",
    [["", `all ${many(page.documents.length, "document")}`], ...page.documents.map((one) => [one.number, one.name])],
  );
  const search = el("input", { type: "search", id: "search", placeholder: "Search  /", "aria-label": "Search items", "aria-keyshortcuts": "/", on: {
    input: (event) => setFilter({ q: event.target.value }),
    keydown: (event) => {
      if (event.key === "Escape") {
        event.target.value = "";
        setFilter({ q: "" });
        event.target.blur();
      }
      if (event.key === "Enter") event.target.blur();
    },
  } });
  list.all = page.documents.flatMap((one) => one.items.map((_, place) => itemSubject(one, place)));
  list.controls = {
    document: chosen, kind: select("kind", "Kind", Object.entries(GROUPS)),
    status: select("status", "State", Object.entries(STATUSES)), q: search,
  };
  list.count = el("p", { class: "note", id: "count" });
  list.space = el("div", { class: "space", role: "presentation" });
  list.nothing = el("p", { class: "note", hidden: true }, "Nothing fits these filters.");
  const arrows = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) { event.preventDefault(); step(by); }
  };
  list.scroller = el(
    "div",
    {
      class: "scroller", role: "listbox", tabindex: "0", "aria-label": "Items; j and k go to the next and the previous one",
      on: { scroll: () => requestAnimationFrame(drawList), keydown: arrows },
    },
    list.space,
  );
  document.getElementById("list").replaceChildren(
    el("div", { class: "filters" }, search, page.documents.length > 1 ? chosen : null, list.controls.kind, list.controls.status),
    list.count, list.nothing, list.scroller,
  );
}
