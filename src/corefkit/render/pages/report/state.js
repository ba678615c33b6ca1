const DATA = JSON.parse(document.getElementById("data").textContent);

// Where the reader is, in the part of the address behind "#", so that every view can be sent.
function where() {
  const text = location.hash.replace(/^#/, "");
  let entries;
  try { entries = Object.fromEntries(new URLSearchParams(text)); } catch { entries = {}; }
  return { view: "overview", system: "0", ...entries };
}

function address(changes, keep = ["system"]) {
  const now = where(), next = {};
  for (const name of keep) if (now[name] !== undefined) next[name] = now[name];
  for (const [name, value] of Object.entries(changes)) {
    if (value === "" || value === null || value === undefined) delete next[name];
    else next[name] = String(value);
  }
  return `#${new URLSearchParams(next)}`;
}

const go = (changes, keep) => { location.hash = address(changes, keep); };
const link = (text, changes, attributes = {}) => el("a", { href: address(changes), ...attributes }, text);

function chosenSystem() {
  const number = Number(where().system);
  return DATA.systems[number] ? number : 0;
}

const FIELDS = ["type", "document", "number", "kind", "text", "before", "behind", "sentence", "rows", "evidence", "keyEntities", "responseEntities", "features", "head"];

// The errors of a system as objects, made once.
const errorLists = new Map();
function errorsOf(number) {
  if (!errorLists.has(number)) {
    errorLists.set(number, DATA.systems[number].list.map((row) => {
      const error = {};
      FIELDS.forEach((name, place) => { error[name] = row[place]; });
      error.name = DATA.types[error.type];
      error.id = `${DATA.documents[error.document].name}/${error.name}/${error.number}`;
      return error;
    }));
  }
  return errorLists.get(number);
}

// What makes two errors of two systems the same: type, document and the words concerned.
const sameError = (error) => `${error.type}\u0000${error.document}\u0000${error.sentence}\u0000${error.text}`;
