// Where decisions are kept: in the browser's storage with every step, and in the file that is saved.

const storageName = (data) => `corefkit adjudication ${JSON.stringify([data.annotators, data.documents.map((one) => one.name)])}`;

// Lists of spans are many and alike, so each is stored once.
function pack(entries) {
  const lists = new Map(), number = (list) => { const text = list.join(" "); if (!lists.has(text)) lists.set(text, lists.size); return lists.get(text); };
  const packed = entries.map((entry) => (Array.isArray(entry.left) && Array.isArray(entry.right) ? { ...entry, left: number(entry.left), right: number(entry.right) } : entry));
  return { lists: [...lists.keys()], entries: packed };
}

function unpack({ lists, entries }) {
  const list = (number) => (lists[number] === "" ? [] : lists[number].split(" "));
  return entries.map((entry) => (typeof entry.left === "number" ? { ...entry, left: list(entry.left), right: list(entry.right) } : entry));
}

// The storage of this page; it says whether it could write, as a browser may forbid it or be full.
function makeKeeper(data) {
  const name = storageName(data);
  const read = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
  const write = (key, value) => { try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; } };
  return {
    name,
    stored() {
      const found = read(name);
      return found && Array.isArray(found.entries) && Array.isArray(found.lists) ? { ...found, entries: unpack(found) } : null;
    },
    keep(log, saved) {
      const content = { inputs: data.inputs, certain: data.certain, ask_mentions: data.ask_mentions, at: now(), saved, actions: log.actions, ...pack(log.entries.map(({ entry }) => entry)) };
      return write(name, content);
    },
    // What is not continued is not lost: it stays under another name until the next time.
    setAside() {
      try { localStorage.setItem(`${name} before`, localStorage.getItem(name)); localStorage.removeItem(name); } catch { /* nothing is stored then */ }
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
  if ((other.ask_mentions ?? null) !== data.ask_mentions) found.push(`--ask-mentions ${other.ask_mentions ?? "not given"}, here ${data.ask_mentions ?? "not given"}`);
  if (Array.isArray(other.inputs) && other.inputs.length && names(other.inputs) !== names(data.inputs)) found.push(`annotators ${names(other.inputs)}, here ${names(data.inputs)}`);
  return found;
}

// The annotators whose files are no longer those of a stored log.
const changedInputs = (data, inputs = []) => data.inputs.filter(({ annotator, sha256 }) => inputs.some((other) => other.annotator === annotator && other.sha256 !== sha256)).map(({ annotator }) => annotator);
