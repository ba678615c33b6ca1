// Where decisions are kept: in the browser's storage with every step, and in the file that is saved.

const storageName = (data) => `corefkit adjudication ${JSON.stringify([data.annotators, data.documents.map((one) => one.name)])}`;

// Lists of spans are many and alike, so each is stored once.
function pack(entries) {
  const lists = new Map();
  const number = (list) => {
    const text = list.join(" ");
    if (!lists.has(text)) lists.set(text, lists.size);
    return lists.get(text);
  };
  const packed = entries.map(
    (entry) => (Array.isArray(entry.left) && Array.isArray(entry.right) ? { ...entry, left: number(entry.left), right: number(entry.right) } : entry),
  );
  return { lists: [...lists.keys()], entries: packed };
}

function unpack({ lists, entries }) {
  const list = (number) => (lists[number] === "" ? [] : lists[number].split(" "));
  return entries.map((entry) => (typeof entry.left === "number" ? { ...entry, left: list(entry.left), right: list(entry.right) } : entry));
}

// The storage of this page; it says whether it could write, as a browser may forbid it or be full. The log
// only grows, so it is stored in pieces, of which each step writes the last one.
const PIECE = 200;

function makeKeeper(data) {
  const name = storageName(data), piece = (number) => `${name} ${number}`;
  const read = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
  const write = (key, value) => { try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; } };
  const clear = (from) => {
    try {
      for (let number = from; localStorage.getItem(piece(number)) !== null; number += 1) localStorage.removeItem(piece(number));
    } catch { /* nothing is stored then */ }
  };
  let written = 0;
  return {
    name,
    stored() {
      const head = read(name);
      const pieces = head && Number.isInteger(head.steps) ? Array.from(
        { length: Math.ceil(head.steps / PIECE) }, (_, number) => read(piece(number)),
      ) : [];
      if (!pieces.length || pieces.some((one) => !one || !Array.isArray(one.entries) || !Array.isArray(one.lists))) return null;
      return { ...head, entries: pieces.flatMap(unpack).slice(0, head.steps) };
    },
    keep(log, saved) {
      const steps = log.entries.length, actions = log.actions.slice(-PIECE);
      let done = true;
      if (written === 0) clear(0);
      for (let number = Math.floor(Math.min(written, steps) / PIECE); number * PIECE < steps; number += 1) {
        const entries = log.entries.slice(number * PIECE, (number + 1) * PIECE).map(({ entry }) => entry);
        done = write(piece(number), pack(entries)) && done;
      }
      done = write(name, { inputs: data.inputs, certain: data.certain, ask_mentions: data.ask_mentions, at: now(), saved, steps, actions }) && done;
      written = done ? steps : 0;
      return done;
    },
    // Write everything anew the next time, as another window has written in between.
    forget() { written = 0; },
    // What is not continued is not lost: it stays under another name until the next time.
    setAside() {
      const { entries, ...head } = this.stored() ?? {};
      if (entries) write(`${name} before`, { ...head, ...pack(entries) });
      try { localStorage.removeItem(name); } catch { /* nothing is stored then */ }
      clear(0);
    },
    setting: (key, otherwise) => read(`corefkit ${key}`) ?? otherwise,
    set: (key, value) => write(`corefkit ${key}`, value),
  };
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, "Z");

// The file of decisions: the same that `corefkit adjudicate --decisions` reads.
function decisionsFile(data, log, others = {}) {
  const fields = { corefkit: "adjudication", version: 1, certain: data.certain, ask_mentions: data.ask_mentions, inputs: data.inputs };
  return `${JSON.stringify({ ...others, ...fields, decisions: log.entries.map(({ entry }) => entry) }, null, 1)}\n`;
}

// How a file or a stored log differs in what it was made from.
function otherInputs(data, other) {
  const found = [], names = (inputs) => inputs.map((input) => input.annotator).join(", ");
  if (other.certain !== undefined && other.certain !== data.certain) found.push(`--certain ${other.certain}, here ${data.certain}`);
  if ((other.ask_mentions ?? null) !== data.ask_mentions) found.push(
    `--ask-mentions ${other.ask_mentions ?? "not given"}, here ${data.ask_mentions ?? "not given"}`,
  );
  if (
    Array.isArray(other.inputs) && other.inputs.length && names(other.inputs) !== names(data.inputs)
  ) found.push(`annotators ${names(other.inputs)}, here ${names(data.inputs)}`);
  return found;
}

// The annotators whose files are no longer those of a stored log.
const changedInputs = (data, inputs = []) => data.inputs.filter(
  ({ annotator, sha256 }) => inputs.some((other) => other.annotator === annotator && other.sha256 !== sha256),
).map(({ annotator }) => annotator);
