// The log of decisions: what is appended, taken back and done again. Nothing is ever cut from it.

// `entries` are resolved; `undone` has what redo would do; `actions` where each action stands in the log.
function makeLog(documents) {
  const log = { documents, entries: [], actions: [], undone: [], states: [], perDocument: documents.map(() => []), elsewhere: [] };
  log.states = documents.map((one) => replay(one, []));
  return log;
}

const lastOf = (log, number, name) => log.states[number].last.get(name)?.entry ?? null;

// Add entries that come from a file or the storage, as they stand.
function load(log, entries) {
  const touched = new Set();
  for (const entry of entries) {
    const resolved = resolve(entry, log.documents);
    log.entries.push(resolved);
    if (resolved.number < 0) log.elsewhere.push(resolved.entry.item);
    else { log.perDocument[resolved.number].push(resolved); touched.add(resolved.number); }
  }
  for (const number of touched) log.states[number] = replay(log.documents[number], log.perDocument[number]);
}

// Append entries about one document unless they contradict what is decided: null, or the contradiction.
function append(log, number, entries, { force = false } = {}) {
  const resolved = entries.map((entry) => resolve(entry, log.documents)), own = log.perDocument[number];
  own.push(...resolved);
  const before = new Set(log.states[number].conflicts.map(({ item }) => item)), state = replay(log.documents[number], own);
  const clash = state.conflicts.find(({ item }) => !before.has(item));
  if (clash && !force) { own.length -= resolved.length; return clash; }
  log.entries.push(...resolved);
  log.states[number] = state;
  return null;
}

// A new action: it can be undone, and what was undone before can no longer be done again.
function act(log, number, entries) {
  const from = log.entries.length, clash = append(log, number, entries);
  if (clash) return clash;
  log.actions.push([from, log.entries.length]);
  log.undone.length = 0;
  return null;
}

// Take the last action back: each thing is again what it was before, which the log shows, too.
function undo(log, stamp) {
  const action = log.actions.pop();
  if (!action) return null;
  const done = log.entries.slice(...action), { number } = done[0];
  const entries = done.slice().reverse().map(({ entry, name }) => {
    let place = action[0] - 1;
    while (place >= 0 && !(log.entries[place].number === number && log.entries[place].name === name)) place -= 1;
    const before = log.entries[place]?.entry;
    return { ...entry, choice: null, note: "", discuss: false, ...(before || {}), ...stamp };
  });
  append(log, number, entries, { force: true });
  log.undone.push(done.map(({ entry }) => entry));
  return { number, entries: done };
}

function redo(log, stamp) {
  const entries = log.undone.pop();
  if (!entries) return null;
  const { number } = resolve(entries[0], log.documents), from = log.entries.length;
  append(log, number, entries.map((entry) => ({ ...entry, ...stamp })), { force: true });
  log.actions.push([from, log.entries.length]);
  return { number, entries: log.entries.slice(from) };
}

// An entry about something of a document; `was` is what holds without it.
function makeEntry(one, kind, spans, choice, { was = "no", left, right, note = "", discuss = false } = {}) {
  return { item: idOf(kind, one, spans), document: one.name, spans, choice, was, ...(left ? { left, right } : {}), note, discuss };
}

// What entries of another log would do here: those that apply, those about blocks that have changed,
// those about nothing that is here, and those that say something else than what is decided here.
function compareLogs(log, entries) {
  const other = makeLog(log.documents);
  load(other, entries);
  const found = { entries: entries.length, applied: 0, changed: [], unused: [...other.elsewhere], conflicts: [], differing: [] };
  other.states.forEach((state, number) => {
    found.changed.push(...state.changed);
    found.unused.push(...state.unused);
    found.conflicts.push(...state.conflicts.map(({ item }) => item));
    for (const { entry, name } of state.last.values()) {
      if (entry.choice === null) continue;
      found.applied += 1;
      const mine = lastOf(log, number, name);
      if (mine && mine.choice !== null && mine.choice !== entry.choice) found.differing.push({ item: entry.item, here: mine, there: entry });
    }
  });
  found.applied -= found.changed.length + found.unused.length - other.elsewhere.length;
  return found;
}
