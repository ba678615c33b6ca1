const EXPLAINED = {
  "span": "wrong boundaries of a mention",
  "extra-entity": "an entity that the key does not have",
  "extra-mention": "a mention that the key does not have, in an entity that it has",
  "conflated": "mentions of another entity joined to this one",
  "missing-entity": "an entity that was not found at all",
  "missing-mention": "a mention that was left out of its entity",
  "divided": "a part of an entity cut off from it",
};

// The types that lower recall and precision.
const LOWERS = { recall: ["span", "missing-entity", "missing-mention", "divided"], precision: ["span", "extra-entity", "extra-mention", "conflated"] };
const toErrors = (changes = {}) => ({ view: "errors", ...changes });

function overview() {
  const number = chosenSystem(), system = DATA.systems[number];
  const lost = system.best - system.f1;
  return [
    el("h2", {}, `Where ${percent(lost)} points of ${DATA.metric} are lost`),
    el("p", { class: "note" }, `F1 is ${percent(system.f1)}. The shares add up to what is missing to ${system.best < 1 ? `the ${percent(system.best)} of the key itself` : "100"}. Every bar and number leads to its errors.`),
    bars(system),
    examples(number),
    lossBars(system),
    el("h2", {}, "Scores"),
    scores(system),
    whereGood(system),
    DATA.systems.length > 1 ? comparison(number) : null,
    el("h2", {}, "Documents, worst first"),
    documents(number),
    el("h2", {}, "Errors by…"),
    breakdowns(number),
  ];
}

function bars(system) {
  const order = DATA.types.map((_, place) => place).sort((a, b) => system.shares[b] - system.shares[a]);
  const most = Math.max(...system.shares, 1e-9);
  return el("div", { class: "bars", role: "list", "aria-label": "Types of errors by their share of the loss" }, order.map((place) => {
    const type = DATA.types[place], share = system.shares[place], to = toErrors({ type });
    return el("div", { class: "bar", role: "listitem" },
      link(type, to, { class: "type" }),
      el("a", { class: "track", href: address(to), "aria-hidden": "true", tabindex: "-1" },
        el("span", { class: "fill", style: { width: `${Math.max(0, (100 * share) / most)}%` } })),
      link(`${percent(share)} points`, to, { class: "points" }),
      el("span", { class: "what" }, `${EXPLAINED[type]}: `, link(many(system.errors[place], "error"), to, { class: "count" }), `; F1 ${percent(system.repaired[place])} if repaired`));
  }));
}

function examples(number) {
  const system = DATA.systems[number];
  const worst = system.shares.indexOf(Math.max(...system.shares));
  const listed = errorsOf(number).filter((error) => error.type === worst).slice(0, 10);
  if (!listed.length) return el("p", {}, "There is no error: the response is the key.");
  return el("section", {},
    el("h3", {}, `What costs most: ${DATA.types[worst]}. Some of its errors:`),
    listed.map(example),
    el("p", {}, link(`all ${many(system.errors[worst], "error")} of this type`, toErrors({ type: DATA.types[worst] }))));
}

// An error with its context, what should have been, what was, and the way into the text.
const example = (error) => el("div", { class: "ex" }, el("p", { dir: "auto" }, inContext(error)), el("p", { class: "why" }, explained(error), " ", errorLink(error, "show")));

function scores(system) {
  const figure = (title, place, types) => ({ title, number: true, cell: (row) => percent(row[place]), key: (row) => row[place] ?? -1, to: () => toErrors({ type: types && types.join(",") }) });
  return el("div", {}, table([
    { title: "metric", cell: (row) => row[0], to: () => toErrors() },
    figure("recall", 1, LOWERS.recall),
    figure("precision", 2, LOWERS.precision),
    figure("F1", 3),
    { title: "95% interval", number: true, cell: (row) => (row[4] === null ? "one document: none" : `${percent(row[4])} – ${percent(row[5])}`), key: (row) => row[4] ?? -1, to: () => toErrors() },
  ], system.scores, { label: "Scores" }),
  el("p", { class: "note" }, "Recall leads to the errors that lower it (what is missing or divided), precision to what is extra or conflated, F1 to all errors; wrong spans lower both."));
}

function documents(number) {
  const system = DATA.systems[number];
  const rows = DATA.documents.map((one, place) => ({ place, one, counts: system.documents[place] }));
  const all = (row) => toErrors({ document: row.place });
  const columns = [
    { title: "document", cell: (row) => row.one.name, to: (row) => (row.one.words ? { view: "document", document: row.place } : all(row)) },
    { title: "costs", number: true, cell: (row) => percent(row.counts[7]), key: (row) => row.counts[7], to: all },
    { title: "tokens", number: true, cell: (row) => row.one.tokens.toLocaleString("en"), key: (row) => row.one.tokens, to: all },
    ...DATA.types.map((type, place) => countColumn(type, (row) => row.counts[place], (row) => toErrors({ type, document: row.place }))),
  ];
  const shown = DATA.documents.filter((one) => one.words).length, hidden = DATA.documents.filter((one) => one.tokens && !one.words).length;
  const why = DATA.chosen ? "as --shown chose" : `those that lose most, because there are more than ${DATA.most.toLocaleString("en")} tokens in all (--shown chooses)`;
  return el("div", {},
    hidden ? el("p", { class: "note" }, `The texts of ${many(shown, "document")} are in this page, ${why}; ${many(hidden, "other")} are listed without their text.`) : null,
    table(columns, rows, { sorted: 1, most: 25, label: "Documents" }));
}

const NONE = "(none)";
const BREAKDOWNS = [["kind", (error) => DATA.kinds[error.kind]], ["genre", (error) => DATA.documents[error.document].genre],
  ...DATA.features.map((name, place) => [name, (error) => error.features[place]]), ["word", (error) => error.head]];

function breakdowns(number) {
  const parts = [];
  for (const [name, value] of BREAKDOWNS) {
    if (name === "word") continue;
    const counts = new Map();
    for (const error of errorsOf(number)) {
      const label = value(error);
      if (!counts.has(label)) counts.set(label, new Array(DATA.types.length).fill(0));
      counts.get(label)[error.type] += 1;
    }
    if (counts.size < 2) continue;
    const rows = [...counts].map(([label, listed]) => ({ label, listed, total: listed.reduce((a, b) => a + b, 0) }));
    const to = (row, changes = {}) => toErrors({ ...changes, [`f.${name}`]: row.label || NONE });
    parts.push(el("details", { open: name === "kind" }, el("summary", {}, `by ${name}`), table([
      { title: name, cell: (row) => row.label || NONE, key: (row) => row.label, to },
      countColumn("errors", (row) => row.total, to),
      ...DATA.types.map((type, place) => countColumn(type, (row) => row.listed[place], (row) => to(row, { type }))),
    ], rows, { sorted: 1, most: 20, label: `Errors by ${name}` })));
  }
  return el("div", {}, parts);
}
