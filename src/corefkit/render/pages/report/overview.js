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
    DATA.documents.some((one) => one.masked) ? el("p", { class: "banner", id: "masked" }, "The words of the key are masked, so tags stand in their place. ", el("code", {}, "corefkit corpus skeleton fill"), " puts the words back.") : null,
    system.missing ? el("p", { class: "banner", id: "missing" }, `${system.missing}.`) : null,
    system.warnings.length ? el("details", { class: "banner", id: "warnings", open: system.warnings.length < 2 }, el("summary", {}, `${many(system.warnings.length, "warning")} of reading`), el("ul", {}, system.warnings.map((text) => el("li", { dir: "auto" }, text)))) : null,
    DATA.systems.length > 1 ? systemsTable() : null,
    el("div", { class: "columns" },
      el("div", {}, lossNumbers(system), patterns(number),
        el("h2", {}, `Where ${percent(lost)} points of ${DATA.metric} are lost`),
        el("p", { class: "note" }, `F1 is ${percent(system.f1)}. The shares add up to what is missing from ${system.best < 1 ? `the ${percent(system.best)} of the key itself` : "100"}. Every bar and number leads to its errors.`),
        bars(number)),
      repairs(number)),
    examples(number),
    el("div", { class: "columns" },
      el("div", {}, el("h2", {}, "Scores"), scores(system)),
      whereGood(system)),
    DATA.systems.length > 1 ? comparison(number) : null,
    el("section", { class: "long" }, el("h2", {}, "Documents, worst first"), documents(number)),
    el("section", { class: "long" }, el("h2", {}, "Errors by…"), breakdowns(number)),
  ];
}

// As in the plots: the colours of Okabe and Ito, in the order of the systems.
const systemColour = (index) => DATA.colours[index % DATA.colours.length];

// All systems: the score with its interval, what detection and linking cost, and the type that costs most.
function systemsTable() {
  const rows = DATA.systems.map((system, index) => ({ system, index, largest: system.shares.indexOf(Math.max(...system.shares)) }));
  const to = ({ index }) => ({ view: "overview", system: index });
  const points = (title, value, types) => ({ title, number: true, cell: (row) => percent(value(row)), key: value, to: ({ index }) => toErrors({ system: index, type: types }) });
  return el("section", { id: "systems" }, table([
    { title: "system", cell: ({ system }) => system.name, to },
    points(`${DATA.metric} F1`, ({ system }) => system.f1),
    { title: "95% interval", number: true, cell: ({ system }) => (system.interval ? system.interval.map((end) => percent(end)).join(" – ") : "–"), key: ({ system }) => system.interval?.[0] ?? -1, to: ({ index }) => toErrors({ system: index }) },
    points("lost to detection", ({ system }) => system.losses.detection),
    points("lost to linking", ({ system }) => system.losses.linking),
    { title: "largest type", cell: ({ system, largest }) => `${DATA.types[largest]} ${percent(system.shares[largest])}`, key: ({ system, largest }) => system.shares[largest], to: ({ index, largest }) => toErrors({ system: index, type: DATA.types[largest] }) },
  ], rows, { label: "Systems" }));
}

// The types by their share, the largest first; below the bar of the chosen system a thin one for each other.
function bars(number) {
  const system = DATA.systems[number], others = DATA.systems.filter((_, index) => index !== number);
  const order = DATA.types.map((_, index) => index).sort((a, b) => system.shares[b] - system.shares[a]);
  const most = Math.max(...DATA.systems.flatMap((one) => one.shares), 1e-9), width = (share) => `${Math.max(0, (100 * share) / most)}%`;
  const shadeOf = (one) => systemColour(DATA.systems.indexOf(one));
  return el("div", {},
    others.length ? el("p", { class: "note legend" }, [system, ...others].map((one) => el("span", {}, el("i", { class: "key-bar", style: { "--c": shadeOf(one) } }), one === system ? one.name : link(one.name, { view: "overview", system: DATA.systems.indexOf(one) })))) : null,
    el("div", { class: "bars", role: "list", "aria-label": "Types of errors by their share of the loss" }, order.map((index) => {
      const type = DATA.types[index], share = system.shares[index], to = toErrors({ type });
      return el("div", { class: "bar", role: "listitem" },
        link(type, to, { class: "type" }),
        el("a", { class: "track", href: address(to), "aria-hidden": "true", tabindex: "-1" },
          el("span", { class: "fill", style: { width: width(share) } }),
          others.map((one) => el("span", { class: "thin", title: `${one.name}: ${percent(one.shares[index])} points`, style: { width: width(one.shares[index]), "--c": shadeOf(one) } }))),
        link(`${percent(share)} points`, to, { class: "points" }),
        el("span", { class: "what" }, `${EXPLAINED[type]}: `, link(many(system.errors[index], "error"), to, { class: "count" }), `; F1 ${percent(system.repaired[index])} if repaired`,
          others.length && others.length < 4 ? `; ${others.map((one) => `${one.name} ${percent(one.shares[index])}`).join(", ")}` : null));
    })));
}

// What detection and linking cost, and what each could reach: two numbers and two ceilings.
function lossNumbers(system) {
  const lost = system.losses;
  const lines = [
    ["detection", lost.detection, ["span", "extra-entity", "extra-mention", "missing-entity", "missing-mention"], `with perfect mentions this linking would reach ${percent(lost.perfect_mentions)}`],
    ["linking", lost.linking, ["conflated", "divided"], `with perfect linking these mentions would reach ${percent(lost.perfect_linking)}`],
  ];
  return el("div", { id: "losses", class: "tiles" }, lines.map(([name, points, types, ceiling]) => link(
    [el("strong", {}, percent(points)), ` points lost to ${name}`, el("span", { class: "what" }, ceiling)], toErrors({ type: types.join(",") }), { class: "tile", title: "The two add up to what is lost. They are not sums of the shares below: here a missing mention does not count as a divided entity, even if it leads its entity." })));
}

// The single errors whose repair gains most: where to begin.
function repairs(number) {
  const all = errorsOf(number), listed = DATA.systems[number].gains.map((index) => all[index]).filter((error) => error.gain > 0);
  if (!listed.length) return null;
  return el("section", { id: "repairs" },
    el("h2", {}, `The ${listed.length === 10 ? "ten repairs" : many(listed.length, "repair")} that gain most`),
    el("p", { class: "note" }, `Points of ${DATA.metric} if this error alone were repaired.`),
    el("ol", {}, listed.map((error) => el("li", {}, el("strong", { class: "gain" }, gainText(error)), ` ${error.name}, `, placeLink(error), " ", errorLink(error, "show"), el("p", {}, inContext(error)), el("p", { class: "why" }, explained(error))))),
    el("p", {}, link("all errors, the costliest first", toErrors())));
}

// Errors that are alike: of one type and kind, and put in the same way. The gains are of single repairs.
function patterns(number) {
  const rows = DATA.systems[number].patterns.map(([name, type, kind, was, errors, gain, words]) => ({ name, type, kind, was, errors, gain, words }));
  if (!rows.length) return null;
  const to = ({ type, kind, was }) => toErrors({ type, "f.kind": kind, "f.was": was });
  return el("section", { id: "patterns" }, el("h2", {}, "Patterns that cost most"), table([
    { title: "pattern", cell: ({ name }) => name, to },
    countColumn("errors", (row) => row.errors, to),
    { title: "gain", number: true, cell: (row) => percent(row.gain).replace("-", "−"), key: (row) => row.gain, to },
    ...(rows.some((row) => row.words) ? [{ title: "frequent words", cell: (row) => el("bdi", { lang: LANGUAGE }, row.words), key: (row) => row.words, to }] : []),
  ], rows, { most: 5, label: "Patterns" }));
}

function examples(number) {
  const system = DATA.systems[number];
  const worst = system.shares.indexOf(Math.max(...system.shares));
  const listed = costliest(errorsOf(number).filter((error) => error.type === worst)).slice(0, 10);
  if (!listed.length) return el("p", {}, "There is no error: the response is the key.");
  return el("section", { id: "examples" },
    el("h2", {}, `What costs most: ${DATA.types[worst]}. Some of its errors:`),
    el("div", { class: "many" }, listed.map(example)),
    el("p", {}, link(`all ${many(system.errors[worst], "error")} of this type`, toErrors({ type: DATA.types[worst] }))));
}

// An error with its context, what should have been, what was, and the way into the text.
const example = (error) => el("div", { class: "ex" }, el("p", {}, inContext(error)), el("p", { class: "why" }, explained(error), " ", errorLink(error, "show")));

function scores(system) {
  const figure = (title, index, types) => ({ title, number: true, cell: (row) => percent(row[index]), key: (row) => row[index] ?? -1, to: () => toErrors({ type: types && types.join(",") }) });
  return el("div", {}, table([
    { title: "metric", cell: (row) => row[0], to: () => toErrors() },
    figure("recall", 1, LOWERS.recall),
    figure("precision", 2, LOWERS.precision),
    figure("F1", 3),
    { title: "95% interval", number: true, cell: (row) => (row[4] === null ? "one document: none" : `${percent(row[4])} – ${percent(row[5])}`), key: (row) => row[4] ?? -1, to: () => toErrors() },
  ], system.scores, { label: "Scores" }),
  el("p", { class: "note" }, `${DATA.intervals}.`),
  el("p", { class: "note" }, "Recall leads to the errors that lower it (what is missing or divided), precision to what is extra or conflated, F1 to all errors; wrong spans lower both."));
}

function documents(number) {
  const system = DATA.systems[number];
  const rows = DATA.documents.map((one, index) => ({ index, one, counts: system.documents[index] }));
  const all = (row) => toErrors({ document: row.index });
  const columns = [
    { title: "document", cell: (row) => row.one.name, to: (row) => (row.one.words ? { view: "document", document: row.index } : all(row)) },
    { title: "costs", number: true, cell: (row) => percent(row.counts[7]), key: (row) => row.counts[7], to: all },
    { title: "tokens", number: true, cell: (row) => row.one.tokens.toLocaleString("en"), key: (row) => row.one.tokens, to: all },
    ...DATA.types.map((type, index) => countColumn(type, (row) => row.counts[index], (row) => toErrors({ type, document: row.index }))),
  ];
  const shown = DATA.documents.filter((one) => one.words).length, hidden = DATA.documents.filter((one) => one.tokens && !one.words).length;
  const why = DATA.chosen ? "as --shown chose" : `those that lose most, because there are more than ${DATA.most.toLocaleString("en")} tokens in all (--shown chooses)`;
  return el("div", {},
    hidden ? el("p", { class: "note" }, `The texts of ${many(shown, "document")} are in this page, ${why}; ${many(hidden, "other")} are listed without their text.`) : null,
    table(columns, rows, { sorted: 1, most: 25, label: "Documents" }));
}

const NONE = "(none)";
const wasPut = (error) => DATA.was[DATA.relations[error.was[0]]];
const BREAKDOWNS = [["kind", (error) => DATA.kinds[error.kind]], ["genre", (error) => DATA.documents[error.document].genre],
  ...DATA.features.map((name, index) => [name, (error) => error.features[index]]), ["was", wasPut], ["word", (error) => error.head]];

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
      ...DATA.types.map((type, index) => countColumn(type, (row) => row.listed[index], (row) => to(row, { type }))),
    ], rows, { sorted: 1, most: 20, label: `Errors by ${name}` })));
  }
  return el("div", {}, parts);
}
