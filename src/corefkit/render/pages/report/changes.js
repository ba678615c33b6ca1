// The mentions whose outcome differs between two systems, what became wrong first; those with the same when asked.
const KIND_ORDER = ["breaks", "corrects", "changes", "same"], EVERYTHING = "all";
const KIND_TITLES = { breaks: "right → wrong", corrects: "wrong → right", changes: "wrong in another way", same: "the same" };
const OTHER = "(other)";
const inWords = (outcome) => outcome.split("+").map((one) => DATA.changes.words[one]).join(" + ");

// Each mention that counts for one of two systems: its row, kind, outcomes and class.
const stepLists = new Map();
function stepsOf(score, a, b) {
  const name = `${score} ${a} ${b}`;
  if (!stepLists.has(name)) {
    const { outcomes, outcome, kinds } = DATA.changes.scores[score], { classes, mentions } = DATA.changes;
    const codes = kinds[a < b ? `${a} ${b}` : `${b} ${a}`], names = DATA.changes.kinds;
    // From B to A what was a correction is a break, and the other way round.
    const swapped = { corrects: "breaks", breaks: "corrects" };
    const found = [];
    for (let row = 0; row < codes.length; row += 1) {
      if (codes[row] === "-") continue;
      const kind = names[Number(codes[row])];
      found.push({ row, kind: a < b ? kind : swapped[kind] || kind, from: outcomes[outcome[a][row]], to: outcomes[outcome[b][row]], class: classes[mentions.class[row]] });
    }
    stepLists.set(name, found);
  }
  return stepLists.get(name);
}

// The classes, the largest first.
function classesOf(steps) {
  const sizes = new Map();
  for (const step of steps) sizes.set(step.class, (sizes.get(step.class) || 0) + 1);
  return [...sizes].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).map(([label]) => label);
}

function changesView() {
  const now = where(), number = chosenSystem(), other = comparedWith(number);
  const scores = Object.keys(DATA.changes.scores), score = scores.includes(now.score) ? now.score : scores[0];
  const all = stepsOf(score, number, other), classes = classesOf(all), few = classes.slice(0, MOST_CLASSES);
  const { mentions } = DATA.changes;
  let listed = all.filter((step) => (now.kind ? now.kind === EVERYTHING || step.kind === now.kind : step.kind !== "same"));
  // Right → wrong comes before nothing → spurious.
  const whole = (step) => (inWords(step.from) === "right" || inWords(step.to) === "right" ? 0 : 1);
  listed.sort((x, y) => KIND_ORDER.indexOf(x.kind) - KIND_ORDER.indexOf(y.kind) || whole(x) - whole(y));
  if (now.step) listed = listed.filter((step) => `${step.from}>${step.to}` === now.step);
  if (now.class) listed = listed.filter((step) => (now.class === OTHER ? !few.includes(step.class) : (step.class || NONE) === now.class));
  if (now.document !== undefined) listed = listed.filter((step) => mentions.document[step.row] === Number(now.document));
  if (now.q) listed = listed.filter((step) => mentions.text[step.row].toLowerCase().includes(now.q.toLowerCase()));
  const keep = ["view", "system", "with", "score", "kind", "step", "class", "document", "q"];
  const choose = (name, title, options) => el("select", { "aria-label": title, on: { change: (event) => go({ [name]: event.target.value }, keep) } },
    el("option", { value: "" }, title), options.map(([value, text]) => el("option", { value, selected: String(now[name]) === String(value) }, text)));
  const steps = [...new Set(all.filter((step) => !KIND_ORDER.includes(now.kind) || step.kind === now.kind).map((step) => `${step.from}>${step.to}`))].sort();
  const [a, b] = [DATA.systems[number].name, DATA.systems[other].name];
  const rows = listed.map((step) => ({ step }));
  const flat = rows.map(({ step }) => flatStep(step, score, number, other));
  return [
    el("p", {}, `What ${b} does differently from ${a}, by ${scoreTitle(score)}: ${scoreSays(score)}`),
    el("div", { class: "tiles" }, KIND_ORDER.map((kind) => link(
      [el("strong", {}, all.filter((step) => step.kind === kind).length.toLocaleString("en")), ` ${KIND_TITLES[kind]}`], { view: "changes", with: other, score, kind }, { class: "tile", "aria-current": now.kind === kind ? "true" : null }))),
    el("div", { class: "tools" },
      choose("score", scoreTitle(scores[0]), scores.slice(1).map((one) => [one, scoreTitle(one)])),
      choose("kind", "what changed", [...KIND_ORDER.map((kind) => [kind, KIND_TITLES[kind]]), [EVERYTHING, "everything"]]),
      choose("step", "all changes", steps.map((step) => [step, step.split(">").map(inWords).join(" → ")])),
      choose("class", "all classes", [...classes.map((label) => [label || NONE, label || NONE]), ...(classes.length > few.length ? [[OTHER, "other"]] : [])]),
      choose("document", "all documents", DATA.documents.map((one, index) => [index, one.name])),
      el("search", {}, el("input", { type: "search", placeholder: "search in the mentions", "aria-label": "Search", value: now.q || "", on: { change: (event) => go({ q: event.target.value }, keep) } })),
      el("a", { href: address({ view: "changes" }, ["system", "with"]) }, "clear filters"),
      el("button", { type: "button", on: { click: () => download("changes.tsv", "text/tab-separated-values", asTsv(flat)) } }, "TSV"),
      el("button", { type: "button", on: { click: () => download("changes.json", "application/json", JSON.stringify(flat, null, 1)) } }, "JSON")),
    el("p", { class: "note", id: "count" }, many(listed.length, "mention")),
    listed.length ? null : el("p", {}, "There is no such mention."),
    table([
      { title: "from → to", cell: ({ step }) => `${inWords(step.from)} → ${inWords(step.to)}` },
      { title: "mention in context", class: "ctx", cell: ({ step }) => el("span", { dir: "auto" }, inSentence(step.row)), key: ({ step }) => mentions.text[step.row] },
      { title: "class", cell: ({ step }) => step.class },
      ...[["expected", () => DATA.changes.scores[score].expected], [a, () => DATA.changes.scores[score].found[number]], [b, () => DATA.changes.scores[score].found[other]]]
        .map(([title, column]) => ({ title: title === "expected" ? "antecedent" : `with ${title}`, cell: ({ step }) => said(column()[step.row]) })),
      { title: "where", cell: ({ step }) => mentionPlace(step.row), key: ({ step }) => step.row },
    ], rows, { most: 100, cards: true, label: "Changes" }),
  ];
}

const said = (row) => (row < 0 ? "none" : isolated(DATA.changes.mentions.text[row]));

// A mention with the words of its sentence around it, where the text of its document is in the page.
function inSentence(row) {
  const { document, start, end, text } = DATA.changes.mentions, one = DATA.documents[document[row]];
  const mark = el("mark", {}, isolated(text[row] || "∅"));
  if (!one.words) return [mark];
  const sentence = sentenceOf(one, Math.max(start[row], 0)), first = one.sentences[sentence], last = (one.sentences[sentence + 1] ?? one.words.length) - 1;
  const from = Math.max(first, start[row] - 10), to = Math.min(last, end[row] + 10);
  const before = start[row] > from ? textOf(one, from, start[row] - 1) + gap(one, start[row] - 1) : "", behind = to > end[row] ? gap(one, end[row]) + textOf(one, end[row] + 1, to) : "";
  return [from > first ? "… " : "", before, mark, behind, to < last ? " …" : ""];
}

function mentionPlace(row) {
  const { document, sentence } = DATA.changes.mentions, one = DATA.documents[document[row]];
  const text = `${one.name}, sentence ${sentence[row] + 1}`;
  return one.words ? link(text, { view: "document", document: document[row], sentence: sentence[row] }) : text;
}

function flatStep(step, score, number, other) {
  const { document, sentence, start, end, text } = DATA.changes.mentions, { expected, found } = DATA.changes.scores[score];
  const reads = (row) => (row < 0 ? null : text[row]);
  return { document: DATA.documents[document[step.row]].name, sentence: sentence[step.row], start: start[step.row], end: end[step.row], text: text[step.row], class: step.class,
    kind: step.kind, from: step.from, to: step.to, expected: reads(expected[step.row]), before: reads(found[number][step.row]), after: reads(found[other][step.row]) };
}
