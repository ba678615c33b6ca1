// Dialogs: help, what is kept from the last time, and files that are opened.

// A dialog; `escaped` is what Escape does, if it does more than to close it.
function openDialog(title, content, buttons, escaped = null) {
  closeDialog();
  const close = () => { if (dialog.isConnected) { dialog.remove(); escaped?.(); } };
  const button = ([name, handler], place) => el(
    "button", { type: "button", class: place ? null : "first", autofocus: place === 0, on: { click: handler } }, name,
  );
  const dialog = el("dialog", { "aria-labelledby": "dialog-title", on: { close } },
    el("h2", { id: "dialog-title" }, title), content,
    el("p", { class: "tools buttons" }, buttons.map(button)));
  document.getElementById("dialogs").append(dialog);
  dialog.showModal();
}

function closeDialog() {
  for (const dialog of document.querySelectorAll("#dialogs dialog")) { dialog.remove(); dialog.close(); }
}
const dialogIsOpen = () => Boolean(document.querySelector("#dialogs dialog"));

const KEYS = [
  ["j", "next item"], ["k", "previous item"], ["n", "next open item"],
  ["y", "yes; for spans, the one in the draft"], ["x", "no"], ["1 – 9", "the options"],
  ["d", "mark or unmark for discussion"], ["u", "undo"], ["r", "redo"], ["/", "search"],
  ["s", "save the decisions as a file"], ["o", "open a file of decisions"], ["?", "this help"],
  ["Esc", "close, stop, leave a field"],
];

function showHelp() {
  openDialog("Help", [
    el(
      "p", {},
      "The annotators disagree about these items; the rest is certain. Decide each one: the result is what they ",
      "agree on and what is decided here. Every step is kept in this browser; ",
      el("b", {}, "save"), " makes the file that ",
      el("code", {}, "corefkit adjudicate … --decisions FILE -o GOLD"), " reads.",
    ),
    el("dl", { class: "keys" }, KEYS.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el(
      "p", {},
      "In the text each annotator has a colour, and a line below every mention; the line on top is the result so far. ",
      "Click a word, or select several, to remove, add, change, set apart or link mentions beyond the items. ",
      "With the keyboard: go to the text, move with the arrow keys, select with Shift, press Enter.",
    ),
    el(
      "p", {}, el("b", {}, "Implied"), " items follow from what is decided, ",
      el("b", {}, "waiting"),
      " ones have nothing to link until a mention is decided; neither needs a decision.",
    ),
  ], [["Close", closeDialog]]);
}

const some = (ids, title) => (
  ids.length ? el(
    "details", {}, el("summary", {}, title),
    el("ul", { class: "ids" }, ids.slice(0, 200).map((id) => el("li", {}, isolated(id)))),
  ) : null
);

const whose = ({ choice, by }) => `${choice}${by ? ` (${by})` : ""}`;

// What entries would do here, in words.
function whatTheyDo(found) {
  return [
    el("ul", {}, el("li", {}, `${many(found.applied, "decision")} ${found.applied === 1 ? "applies" : "apply"}`)),
    some(found.changed, `${many(found.changed.length, "decision")} about entities that have changed (decision-changed): open again`),
    some(found.unused, `${many(found.unused.length, "decision")} about something that is not here (decision-unused)`),
    some(found.conflicts, `${many(found.conflicts.length, "decision")} that contradict others`),
    some(
      found.differing.map(
        ({ item, here, there }) => `${item}: here ${whose(here)}, there ${whose(there)}`,
      ),
      `${many(found.differing.length, "item")} decided differently here`,
    ),
  ];
}

// Decisions of the last time are offered; nothing is written before somebody has chosen. Escape continues.
function offerStored(stored) {
  page.offering = true;
  const chosen = (then) => () => { closeDialog(); page.offering = false; then(); };
  const goOn = chosen(() => takeStored(page.keeper.stored() ?? stored));
  const found = compareLogs(page.log, stored.entries), changed = changedInputs(DATA, stored.inputs), others = otherInputs(DATA, stored);
  openDialog("Continue where you stopped?", [
    el("p", {}, `This browser has kept ${many(stored.entries.length, "step")} of your work on these documents, the last one ${when(stored.at)}.`),
    changed.length ? el("p", { class: "warn" }, `The files of ${listed(changed)} have changed since.`) : null,
    others.length ? el("p", { class: "warn" }, `They were made with ${others.join("; ")}.`) : null,
    whatTheyDo(found),
  ], [
    ["Continue", goOn],
    [
      "Save as a file",
      () => download("decisions-kept.json", "application/json", decisionsFile(
        { ...DATA, inputs: stored.inputs, certain: stored.certain, ask_mentions: stored.ask_mentions },
        { entries: stored.entries.map((entry) => ({ entry })) },
      )),
    ],
    ["Start over", chosen(() => { page.keeper.setAside(); say("started afresh"); })],
  ], goOn);
}

// Continue: what the page came with, then what was stored and is not yet there.
function takeStored(stored) {
  const have = new Set(page.log.entries.map(({ entry }) => JSON.stringify(entry)));
  const isPrefix = page.log.entries.every(({ entry }, place) => JSON.stringify(entry) === JSON.stringify(stored.entries[place]));
  const rest = stored.entries.filter((entry) => !have.has(JSON.stringify(entry)));
  load(page.log, isPrefix ? stored.entries.slice(page.log.entries.length) : rest);
  if (isPrefix && Array.isArray(stored.actions)) page.log.actions = stored.actions.filter(
    (action) => Array.isArray(action) && action[1] <= page.log.entries.length,
  );
  page.saved = Math.min(stored.saved ?? 0, page.log.entries.length);
  everythingChanged(`${many(stored.entries.length, "step")} restored`);
}

function chooseFile() {
  const input = el("input", {
    type: "file", accept: ".json,application/json", id: "file", hidden: true,
    on: { change: () => { if (input.files[0]) input.files[0].text().then((content) => openFile(input.files[0].name, content)); input.remove(); } },
  });
  document.getElementById("dialogs").append(input);
  input.click();
}

// A file of decisions: refused if it is none, offered with what it would do here.
function openFile(name, content) {
  const refuse = (reason) => openDialog(
    "This file cannot be opened", [el("p", { class: "warn" }, `${isolated(name)}: ${reason}`)],
    [["Close", closeDialog]],
  );
  let data;
  try { data = JSON.parse(content.replace(/^\ufeff/, "")); } catch (error) { refuse(`it is not JSON (${error.message})`); return; }
  const shape = shapeError(data);
  if (shape) { refuse(shape); return; }
  const trial = makeLog(page.documents);
  load(trial, data.decisions);
  const wrong = choiceError(trial);
  if (wrong) { refuse(wrong); return; }
  const found = compareLogs(page.log, data.decisions);
  const others = otherInputs(DATA, data);
  const changed = changedInputs(DATA, data.inputs);
  const mine = page.log.entries.length > 0;
  const { decisions, corefkit, version, certain, ask_mentions: asked, inputs, ...unknown } = data;
  const take = (entries, keepMine) => { closeDialog(); takeFile(entries, keepMine, unknown); };
  const all = () => take(data.decisions, false);
  openDialog(`Open ${isolated(name)}`, [
    others.length ? el("p", { class: "warn" }, `It was made with ${others.join("; ")} (decisions-other).`) : null,
    changed.length ? el("p", { class: "warn" }, `The files of ${listed(changed)} have changed since.`) : null,
    whatTheyDo(found),
    mine ? el("p", { class: "note" }, "Where the two differ, Add keeps the decisions made here; Take over uses those of the file.") : null,
  ], [...(mine ? [["Add", () => take(data.decisions, true)], ["Take over", all]] : [["Open", all]]), ["Cancel", closeDialog]]);
}

function takeFile(entries, keepMine, unknown) {
  const have = new Set(page.log.entries.map(({ entry }) => JSON.stringify(entry)));
  const decided = (entry) => {
    const { number, name } = resolve(entry, page.documents);
    return number >= 0 && (lastOf(page.log, number, name)?.choice ?? null) !== null;
  };
  const wasEmpty = !page.log.entries.length, taken = entries.filter((entry) => !have.has(JSON.stringify(entry)) && !(keepMine && decided(entry)));
  load(page.log, taken);
  if (wasEmpty) page.saved = page.log.entries.length;
  page.others = { ...unknown, ...page.others };
  keepAll();
  everythingChanged(`${many(taken.length, "entry", "entries")} taken from the file`);
}
