const DATA = await unpacked(document.getElementById("data"));
const LANGUAGE = DATA.language || null;

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

const FIELDS = ["type", "document", "number", "kind", "text", "before", "behind", "sentence", "rows", "evidence", "keyEntities", "responseEntities", "features", "head", "same", "should", "was", "gain"];

// The errors of a system as objects, made once.
const errorLists = new Map();
function errorsOf(number) {
  if (!errorLists.has(number)) {
    errorLists.set(number, DATA.systems[number].list.map((row) => {
      const error = {};
      FIELDS.forEach((name, index) => { error[name] = row[index]; });
      error.row = error.rows[0];
      error.mentions = error.rows.length;
      error.name = DATA.types[error.type];
      error.id = `${DATA.documents[error.document].name}/${error.name}/${error.number}`;
      return error;
    }));
  }
  return errorLists.get(number);
}

// The numbers of the errors that a system makes; an error has the same number in all systems.
const madeBy = (number) => new Set(errorsOf(number).map((error) => error.same));

// The errors of a system that another one ("others": any other one) does not make, or makes too.
function compared(number, against, both) {
  const rest = DATA.systems.map((_, index) => index).filter((index) => index !== number);
  const others = (against === "others" ? rest : [Number(against)]).filter((index) => DATA.systems[index]).map(madeBy);
  const wanted = (error) => (both ? others.every((made) => made.has(error.same)) : !others.some((made) => made.has(error.same)));
  return errorsOf(number).filter(wanted);
}
