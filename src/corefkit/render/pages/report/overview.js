const EXPLAINED = {
  "span": "wrong boundaries of a mention",
  "extra-entity": "an entity that the key does not have",
  "extra-mention": "a mention that the key does not have, in an entity that it has",
  "conflated": "mentions of another entity joined to this one",
  "missing-entity": "an entity that was not found at all",
  "missing-mention": "a mention that was left out of its entity",
  "divided": "a part of an entity cut off from it",
};

function overview() {
  const number = chosenSystem(), system = DATA.systems[number];
  const lost = 1 - system.f1;
  return [
    el("h2", {}, `Where ${percent(lost)} points of ${DATA.metric} are lost`),
    el("p", { class: "note" }, `F1 is ${percent(system.f1)}. The shares add up to what is missing to 100. Choose a type to read its errors.`),
    bars(system),
    examples(number),
    DATA.systems.length > 1 ? comparison(number) : null,
    el("h2", {}, "Scores"),
    scores(system),
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
    const type = DATA.types[place], share = system.shares[place];
    return el("div", { class: "bar", role: "listitem" },
      link(type, { view: "errors", type }, { class: "type" }),
      el("a", { class: "track", href: address({ view: "errors", type }), "aria-hidden": "true", tabindex: "-1" },
        el("span", { class: "fill", style: { width: `${Math.max(0, (100 * share) / most)}%` } })),
      el("span", { class: "points" }, `${percent(share)} points`),
      el("span", { class: "what" }, `${EXPLAINED[type]}: ${many(system.errors[place], "error")}; F1 ${percent(system.repaired[place])} if repaired`));
  }));
}

function inContext(error) {
  return [`${error.before} `, el("mark", {}, isolated(error.text || "∅")), ` ${error.behind}`];
}

function examples(number) {
  const system = DATA.systems[number];
  const worst = system.shares.indexOf(Math.max(...system.shares));
  const listed = errorsOf(number).filter((error) => error.type === worst).slice(0, 10);
  if (!listed.length) return el("p", {}, "There is no error: the response is the key.");
  return el("section", {},
    el("h3", {}, `What costs most: ${DATA.types[worst]}. Some of its errors:`),
    listed.map((error) => el("p", { class: "ex", dir: "auto" }, inContext(error), " ", errorLink(error, "show"))),
    el("p", {}, link(`all ${many(system.errors[worst], "error")} of this type`, { view: "errors", type: DATA.types[worst] })));
}

const errorLink = (error, text) => el("a", { href: address({ view: "errors", error: error.id, type: error.name }), class: "note" }, text);

function scores(system) {
  return table([
    { title: "metric", cell: (row) => row[0] },
    { title: "recall", number: true, cell: (row) => percent(row[1]), key: (row) => row[1] ?? -1 },
    { title: "precision", number: true, cell: (row) => percent(row[2]), key: (row) => row[2] ?? -1 },
    { title: "F1", number: true, cell: (row) => percent(row[3]), key: (row) => row[3] },
    { title: "95% interval", number: true, cell: (row) => (row[4] === null ? "one document: none" : `${percent(row[4])} – ${percent(row[5])}`), key: (row) => row[4] ?? -1 },
  ], system.scores, { label: "Scores" });
}

function documents(number) {
  const system = DATA.systems[number];
  const rows = DATA.documents.map((one, place) => ({ place, one, counts: system.documents[place] }));
  const columns = [
    { title: "document", cell: (row) => (row.one.words ? link(row.one.name, { view: "document", document: row.place }) : row.one.name), key: (row) => row.one.name },
    { title: "costs", number: true, cell: (row) => percent(row.counts[7]), key: (row) => row.counts[7] },
    { title: "tokens", number: true, cell: (row) => row.one.tokens.toLocaleString("en"), key: (row) => row.one.tokens },
    ...DATA.types.map((type, place) => ({
      title: type, number: true, key: (row) => row.counts[place],
      cell: (row) => (row.counts[place] ? link(row.counts[place], { view: "errors", type, document: row.place }) : "0"),
    })),
  ];
  const hidden = DATA.documents.filter((one) => one.tokens && !one.words).length;
  return el("div", {},
    hidden ? el("p", { class: "note" }, `The texts of ${many(DATA.documents.length - hidden, "document")} that lose most are in this page; ${many(hidden, "other")} are listed without their text (more than ${DATA.most.toLocaleString("en")} tokens in all; --documents chooses).`) : null,
    table(columns, rows, { sorted: 1, most: 25, label: "Documents" }));
}

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
    parts.push(el("details", { open: name === "kind" }, el("summary", {}, `by ${name}`), table([
      { title: name, cell: (row) => row.label || "(none)", key: (row) => row.label },
      { title: "errors", number: true, cell: (row) => link(row.total, { view: "errors", [`f.${name}`]: row.label }), key: (row) => row.total },
      ...DATA.types.map((type, place) => ({
        title: type, number: true, key: (row) => row.listed[place],
        cell: (row) => (row.listed[place] ? link(row.listed[place], { view: "errors", type, [`f.${name}`]: row.label }) : "0"),
      })),
    ], rows, { sorted: 1, most: 20, label: `Errors by ${name}` })));
  }
  return el("div", {}, parts);
}

// What another system repairs and what it breaks against the chosen one.
function comparison(number) {
  const ours = errorsOf(number), known = new Set(ours.map(sameError));
  const rows = DATA.systems.map((system, place) => ({ system, place })).filter((row) => row.place !== number).map((row) => {
    const theirs = errorsOf(row.place), there = new Set(theirs.map(sameError));
    const changes = DATA.documents.map((_, d) => [d, DATA.systems[number].documents[d][7] - row.system.documents[d][7]]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
    return { ...row, repaired: ours.filter((error) => !there.has(sameError(error))).length, broken: theirs.filter((error) => !known.has(sameError(error))).length,
      common: ours.filter((error) => there.has(sameError(error))).length, changes: changes.slice(0, 3) };
  });
  return el("section", {}, el("h2", {}, `${DATA.systems[number].name} and the others`), table([
    { title: "system", cell: (row) => link(row.system.name, { view: "overview", system: row.place }), key: (row) => row.system.name },
    { title: DATA.metric, number: true, cell: (row) => percent(row.system.f1), key: (row) => row.system.f1 },
    { title: "repairs", number: true, cell: (row) => link(row.repaired, { view: "errors", against: row.place, only: "here" }), key: (row) => row.repaired },
    { title: "breaks", number: true, cell: (row) => link(row.broken, { view: "errors", system: row.place, against: number, only: "here" }), key: (row) => row.broken },
    { title: "has too", number: true, cell: (row) => link(row.common, { view: "errors", against: row.place, only: "both" }), key: (row) => row.common },
    { title: "greatest changes", key: (row) => Math.abs(row.changes[0][1]),
      cell: (row) => row.changes.map(([place, change]) => el("div", {}, link(DATA.documents[place].name, { view: "document", document: place }), ` ${change >= 0 ? "+" : "−"}${percent(Math.abs(change))}`)) },
  ], rows, { sorted: 1, label: "Other systems" }));
}
