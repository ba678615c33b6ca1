const DATA = await unpacked(document.getElementById("data"));

const page = {
  documents: DATA.documents.map(makeDocument), subject: null,
  filters: { document: "", kind: "", status: "", q: "" }, refusal: null, linking: null,
  offering: false, saved: 0, others: {}, by: "", advance: false, kept: true,
};
page.title = `Adjudication of ${listed(DATA.annotators)}`;
page.keeper = makeKeeper(DATA);
page.log = makeLog(page.documents);

function say(message) { document.getElementById("said").textContent = message; }

// Show a subject: its card, its row, and its words in the middle of the text.
function go(subject, { quiet = false } = {}) {
  page.subject = subject;
  page.refusal = null;
  const place = list.subjects.findIndex((other) => same(other, subject));
  if (place >= 0) list.at = place;
  showCard();
  revealRow();
  showInText();
  previewLater();
  if (!quiet) say(`${place >= 0 ? `${place + 1} of ${list.subjects.length}: ` : ""}${spoken(page.log, subject)}, ${sayStatus(subject)}`);
  const address = `#${new URLSearchParams({ item: idOfSubject(page.log, subject) })}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

const sayStatus = (subject) => {
  const status = statusOf(page.log, subject);
  if (status === DECIDED) return `decided: ${choiceText(page.log, subject, choiceOf(page.log, subject))}`;
  return status === "none" ? "not brought back" : status;
};

// Mark the mentions of the shown item in the text: its entities, and the two next to each other.
function showInText() {
  const { subject } = page, one = page.documents[subject.number], state = page.log.states[subject.number];
  let marks, focus;
  if (subject.kind === "link" && !blocksOf(page.log, subject).includes(undefined)) {
    const blocks = blocksOf(page.log, subject);
    const sides = sidesOf(state, blocks).map(
      (found, side) => (found.length ? found : [{ positions: placesOf(one, blockName(state, blocks[side])) }]),
    );
    const pair = nearest(...sides);
    focus = (pair[1].positions[0] >= pair[0].positions[0] ? pair[1] : pair[0]).positions;
    marks = [
      ["l", sides[0].map(({ positions }) => positions)],
      ["r", sides[1].map(({ positions }) => positions)], ["L", [pair[0].positions]],
      ["R", [pair[1].positions]],
    ];
  } else {
    focus = placesOf(one, subject.spans[0]);
    const block = subject.item ? state.block[subject.item.unit] : undefined;
    const entity = block === undefined ? [] : entityOf(state, block).filter(({ unit }) => unit !== subject.item.unit);
    marks = [["m", entity.map(({ positions }) => positions)], ["M", subject.spans.map((span) => placesOf(one, span))]];
  }
  setMarks(marks);
  reveal(subject.number, focus[0]);
  applyMarks();
  showStrip(one, marks);
}

// Decide the shown subject; a contradiction is refused with what causes it.
function decide(choice) {
  const { subject } = page;
  if (!subject || !optionsOf(subject).includes(choice) || subject.kind === "apart" || subject.kind === "span") return;
  if (statusOf(page.log, subject) === WAITING) { say("this item depends on a mention: decide that one first"); return; }
  if (subject.kind === "link" && blocksOf(page.log, subject).includes(undefined)) { say("one of the two is not a mention"); return; }
  const done = perform(subject.number, entriesFor(page.log, subject, choice), `${choiceText(page.log, subject, choice)}`, choice);
  if (done && page.advance) nextOpen();
}

function takeBack() {
  const { subject } = page;
  if (subject && (entryOf(page.log, subject)?.choice ?? null) !== null) perform(
    subject.number, [entryFor(page.log, subject, null)], "taken back: open",
  );
}

function toggleDiscuss() {
  const { subject } = page;
  if (!subject) return;
  const discuss = !isMarked(page.log, subject);
  if (subject.kind === "link" && blocksOf(page.log, subject).includes(undefined)) return;
  perform(
    subject.number,
    [entryFor(page.log, subject, entryOf(page.log, subject)?.choice ?? null, { discuss })],
    discuss ? "marked for discussion" : "no longer marked",
  );
}

function setNote(note) {
  const { subject } = page, before = subject && entryOf(page.log, subject);
  if (!subject || (before?.note ?? "") === note) return;
  perform(subject.number, [entryFor(page.log, subject, before?.choice ?? null, { note, discuss: isMarked(page.log, subject) })], "noted");
}

// Add entries to the log and show what follows; whether it was done.
function perform(number, entries, said, choice = "") {
  const clash = act(page.log, number, entries.map((entry) => ({ ...entry, ...stamp() })));
  page.refusal = clash ? { clash, choice: choice === "" ? "this" : choice } : null;
  if (clash) { showCard(); say("refused: this contradicts what is decided"); return false; }
  keepAll();
  logChanged(number, page.log.entries.slice(-entries.length), `${said}; ${total().open} open`);
  return true;
}

const stamp = () => ({ by: page.by, at: now() });

// Show what has changed: the list, progress, the rows of the text with other mentions, and the card.
function logChanged(number, entries, said) {
  closeWord();
  refreshList();
  showProgress();
  showActions();
  redrawRows(number, entries.flatMap(({ kind, spans }) => (kind === "link" ? [] : spans)));
  if (page.subject) { showCard(); showInText(); previewLater(); }
  say(said);
}

function everythingChanged(said) {
  text.number = -1;
  closeWord();
  refreshList();
  showProgress();
  showActions();
  if (page.subject) go(page.subject, { quiet: true });
  say(said);
}

// Back or again: then the subject that it was about is shown.
function travel(back) {
  const done = (back ? undo : redo)(page.log, stamp());
  if (!done) { say(back ? "nothing to undo" : "nothing to redo"); return; }
  const { kind, spans } = done.entries.at(-1), subject = subjectOf(page.documents[done.number], kind, spans);
  keepAll();
  page.refusal = null;
  if (subject.item || subject.outvoted || choiceOf(page.log, subject) !== null) page.subject = subject;
  else if (same(page.subject, subject)) page.subject = list.subjects[list.at] ?? subject;
  logChanged(done.number, done.entries, "");
  revealRow();
  say(`${back ? "undone" : "redone"}: ${spoken(page.log, subject)}, ${sayStatus(subject)}; ${total().open} open`);
}

function keepAll() {
  page.kept = page.keeper.keep(page.log, page.saved);
  document.getElementById("main").dataset.unsaved = String(page.log.entries.length - page.saved);
}

function save() {
  const name = page.by ? `decisions-${page.by.replace(/[^\p{L}\p{N}]+/gu, "-")}.json` : "decisions.json";
  download(name, "application/json", decisionsFile(DATA, page.log, page.others));
  page.saved = page.log.entries.length;
  keepAll();
  showActions();
  say(`saved as ${name}`);
}

function showActions() {
  const unsaved = page.log.entries.length - page.saved;
  const button = (title, key, handler, attributes = {}) => el(
    "button", { type: "button", "aria-keyshortcuts": key, ...attributes, on: { click: handler } },
    el("kbd", {}, key), title,
  );
  document.getElementById("actions").replaceChildren(
    el("label", { class: "by" }, el("span", {}, "Curator"), el("input", {
      type: "text", id: "by", value: page.by, size: "8", placeholder: "name",
      on: {
        change: (event) => { page.by = event.target.value.trim(); page.keeper.set("curator", page.by); },
        keydown: (event) => { if (event.key === "Enter" || event.key === "Escape") event.target.blur(); },
      },
    })),
    button("Undo", "u", () => travel(true), { disabled: !page.log.actions.length, id: "undo" }),
    button("Redo", "r", () => travel(false), { disabled: !page.log.undone.length, id: "redo" }),
    button("Open", "o", chooseFile, { id: "open" }),
    button(unsaved ? `Save (${unsaved.toLocaleString("en")})` : "Save", "s", save, { id: "save", class: unsaved ? "first" : null }),
    button("Help", "?", showHelp, { id: "help" }));
  const sizes = `${many(page.documents.length, "document")}, ${many(list.all.length, "item")}`;
  document.getElementById("about").textContent = `${DATA.annotators.map(isolated).join(", ")} · ${sizes}`;
  if (!page.kept) say("this browser cannot store your work: save often");
  document.getElementById("main").dataset.unsaved = String(unsaved);
}

// On a narrow screen one part is shown at a time.
const TABS = { list: "List", card: "Item", text: "Text" };
function showTab(name) {
  document.getElementById("main").dataset.tab = name;
  document.getElementById("tabs").replaceChildren(...Object.entries(TABS).map(([key, title]) => el(
    "button",
    { type: "button", role: "tab", "aria-selected": String(key === name), "aria-controls": key, on: { click: () => showTab(key) } },
    title,
  )));
  if (name === "text" && text.number >= 0) reveal(text.number, text.focus);
  if (name === "list") revealRow();
}

// The key, as on a Latin keyboard where another script is set: Й is q there.
function latin({ key, code, shiftKey }) {
  if (key.length > 1 || /^[ -~]$/.test(key)) return key;
  if (code === "Slash") return shiftKey ? "?" : "/";
  return /^Key[A-Z]$/.test(code) ? code.at(-1).toLowerCase() : key;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === "Escape" && !dialogIsOpen()) {
    if (event.target.matches("select")) event.target.blur();
    closeWord();
    page.refusal = null;
    showCard();
    return;
  }
  if (event.target.closest("input, select, textarea, dialog")) return;
  const pressed = latin(event), number = Number(pressed), keys = {
    j: () => step(1), k: () => step(-1), n: nextOpen, y: sayYes, x: () => decide("no"),
    d: toggleDiscuss, u: () => travel(true), r: () => travel(false),
    s: save, o: chooseFile, "?": showHelp, "/": () => { showTab("list"); list.controls.q.focus(); },
  };
  if (number >= 1 && number <= 9 && page.subject) { const option = optionsOf(page.subject)[number - 1]; if (option) decide(option); return; }
  if (!Object.hasOwn(keys, pressed)) return;
  event.preventDefault();
  keys[pressed]();
}

// Yes to a question of spans is the one in the draft.
function sayYes() {
  const { subject } = page;
  if (!subject) return;
  if (subject.kind !== "boundary") decide("yes");
  else if (subject.item.default !== "no") decide(subject.item.default);
  else say(`choose one of the spans: 1 to ${subject.item.spans.length}`);
}

// Another window with the same documents has decided something: take it over.
function onStorage(event) {
  if (event.key !== page.keeper.name || event.newValue === null || page.offering) return;
  const stored = page.keeper.stored()?.entries ?? [], texts = (entries) => new Set(entries.map((entry) => JSON.stringify(entry)));
  const mine = texts(page.log.entries.map(({ entry }) => entry));
  const theirs = texts(stored);
  const news = stored.filter((entry) => !mine.has(JSON.stringify(entry)));
  if (news.length) {
    load(page.log, news);
    everythingChanged(`${many(news.length, "entry", "entries")} from another window`);
  }
  // Both wrote at once: what the other one did not know is stored again.
  if ([...mine].some((entry) => !theirs.has(entry))) { page.keeper.forget(); keepAll(); }
}

// The subject that the address names, or the first one.
function addressed() {
  const id = new URLSearchParams(location.hash.replace(/^#/, "")).get("item"), about = id && resolve({ item: id }, page.documents);
  const found = about && about.known && about.number >= 0 ? subjectOf(page.documents[about.number], about.kind, about.spans) : null;
  return found && (found.item || found.outvoted) ? found : null;
}

function start() {
  document.getElementById("title").textContent = "Adjudication";
  page.by = String(page.keeper.setting("curator", ""));
  page.advance = page.keeper.setting("go on", false) === true;
  load(page.log, DATA.decisions);
  page.saved = page.log.entries.length;
  makeList();
  makeText();
  showTab("card");
  refreshList();
  showProgress();
  showActions();
  const first = addressed() ?? list.subjects.find((subject) => statusOf(page.log, subject) === OPEN) ?? list.subjects[0];
  if (first) go(first, { quiet: true });
  else { showCard(); if (page.documents.length) { drawText(0, 0); } }
  const stored = page.keeper.stored(), have = new Set(DATA.decisions.map((entry) => JSON.stringify(entry)));
  if (stored && stored.entries.some((entry) => !have.has(JSON.stringify(entry)))) offerStored(stored);
  addEventListener("keydown", onKey);
  addEventListener("storage", onStorage);
  addEventListener("hashchange", () => { const found = addressed(); if (found && !same(found, page.subject)) go(found); });
  addEventListener("beforeunload", (event) => { if (page.log.entries.length > page.saved) { event.preventDefault(); event.returnValue = ""; } });
  setTimeout(prepareSearch, 500);
  let resized = 0;
  addEventListener(
    "resize",
    () => { cancelAnimationFrame(resized); resized = requestAnimationFrame(() => { drawList(); if (page.subject) showInText(); }); },
  );
}
start();
