// What another system does better and worse than the chosen one.
const comparedWith = (number) => {
  const wanted = Number(where().with);
  return where().with !== undefined && DATA.systems[wanted] && wanted !== number ? wanted : number ? 0 : 1;
};

function comparison(number) {
  const other = comparedWith(number), [a, b] = [DATA.systems[number].name, DATA.systems[other].name];
  const chooser = DATA.systems.length > 2 ? el("p", {}, "Compare with ", el("select", { "aria-label": "Other system", on: { change: (event) => go({ with: event.target.value }) } },
    DATA.systems.map((one, index) => (index === number ? null : el("option", { value: index, selected: index === other }, `${one.name} (${percent(one.f1)})`))))) : null;
  return el("section", { id: "comparison" },
    el("h2", {}, `What ${b} repairs and breaks compared with ${a}`), chooser,
    el("p", { class: "note" }, `${DATA.metric} F1: ${a} ${percent(DATA.systems[number].f1)}, ${b} ${percent(DATA.systems[other].f1)}.`),
    transitions(number, other),
    el("h3", {}, "Errors that only one of them makes"),
    onlyInOne(number, other),
    el("h3", {}, "Documents with the greatest change"),
    greatestChanges(number, other));
}

// Errors by type: only in the one, only in the other, in both; an error is the same if it takes the same mentions.
function onlyInOne(number, other) {
  const [a, b] = [DATA.systems[number].name, DATA.systems[other].name];
  const lists = [
    [compared(number, other, false), { system: number, against: other, only: "here" }],
    [compared(other, number, false), { system: other, against: number, only: "here" }],
    [compared(number, other, true), { system: number, against: other, only: "both" }],
  ];
  const titles = [`only ${a}`, `only ${b}`, "both"];
  if (DATA.systems.length > 2) {
    lists.push([compared(number, "others", false), { system: number, against: "others", only: "here" }], [compared(number, "others", true), { system: number, against: "others", only: "both" }]);
    titles.push(`${a} and no other`, "all systems");
  }
  const rows = [...DATA.types.map((type, index) => ({ type, counts: lists.map(([listed]) => listed.filter((error) => error.type === index).length) })),
    { type: "all", class: "sum", counts: lists.map(([listed]) => listed.length) }];
  return table([
    { title: "type", cell: (row) => row.type, to: (row) => toErrors({ type: row.type === "all" ? "" : row.type }) },
    ...titles.map((title, index) => countColumn(title, (row) => row.counts[index], (row) => toErrors({ ...lists[index][1], type: row.type === "all" ? "" : row.type }))),
  ], rows, { label: "Errors of one system", fixed: true });
}

function greatestChanges(number, other) {
  const [one, two] = [DATA.systems[number], DATA.systems[other]];
  const lists = [[number, other], [other, number]].map(([system, against]) => {
    const counts = new Array(DATA.documents.length).fill(0);
    for (const error of compared(system, against, false)) counts[error.document] += 1;
    return { system, against, counts };
  });
  const rows = DATA.documents.map((document, index) => ({ document, index, costs: [one, two].map((system) => system.documents[index][7]) }))
    .map((row) => ({ ...row, gain: row.costs[0] - row.costs[1] }));
  rows.sort((x, y) => Math.abs(y.gain) - Math.abs(x.gain));
  const costs = (system, number_, index) => ({ title: `${system.name} costs`, number: true, cell: (row) => percent(row.costs[index]), key: (row) => row.costs[index], to: (row) => toErrors({ system: number_, document: row.index }) });
  const only = (system, { system: number_, against, counts }) => countColumn(`errors only in ${system.name}`, (row) => counts[row.index], (row) => toErrors({ system: number_, against, only: "here", document: row.index }));
  return table([
    { title: "document", cell: (row) => row.document.name, to: (row) => (row.document.words ? { view: "document", document: row.index } : toErrors({ document: row.index })) },
    { title: `gain of ${two.name}`, number: true, cell: (row) => signed(row.gain), key: (row) => row.gain, to: (row) => toErrors({ against: other, only: "here", document: row.index }) },
    costs(one, number, 0), costs(two, other, 1), only(one, lists[0]), only(two, lists[1]),
  ], rows, { most: 10, label: "Documents with the greatest change" });
}

const signed = (value) => `${value < 0 ? "−" : "+"}${percent(Math.abs(value))}`;

// The transitions of outcomes: what became of each mention with the one system, and with the other.
function transitions(number, other) {
  const [a, b] = [DATA.systems[number].name, DATA.systems[other].name];
  if (!DATA.changes) return el("p", { class: "note" }, `There are no outcomes of mentions here: ${DATA.unchanged}`);
  return el("div", {},
    el("p", { class: "note" }, `What became of each mention with ${a}, and → with ${b}. Every number leads to its mentions.`),
    Object.keys(DATA.changes.scores).map((score, index) => el("details", { open: index === 0 }, el("summary", {}, `${scoreTitle(score)}: ${scoreSays(score)}`), transitionTable(score, number, other))));
}

const SCORES_SAY = {
  immediate: "is the closest antecedent right?",
  inferred: "is the closest nominal antecedent right?",
  anchor_detection: "is the anchor of each entity, its first nominal, found?",
  anchor_mentions: "are the mentions of each entity together with its anchor?",
};
const scoreTitle = (score) => score.replaceAll("_", " ");
const scoreSays = (score) => SCORES_SAY[score] || "";
const MOST_CLASSES = 8;

function transitionTable(score, number, other) {
  const steps = stepsOf(score, number, other), classes = classesOf(steps);
  const shown = classes.slice(0, MOST_CLASSES), rest = classes.slice(MOST_CLASSES);
  const rows = [];
  for (const kind of KIND_ORDER) {
    const mine = steps.filter((step) => step.kind === kind), bySteps = new Map();
    for (const step of mine) {
      const name = `${step.from}>${step.to}`;
      if (!bySteps.has(name)) bySteps.set(name, []);
      bySteps.get(name).push(step);
    }
    rows.push({ title: kind, class: "sum", kind, list: mine });
    for (const [step, list] of [...bySteps].sort((x, y) => y[1].length - x[1].length || (x[0] < y[0] ? -1 : 1))) {
      rows.push({ title: `${inWords(list[0].from)} → ${inWords(list[0].to)}`, kind, step, list });
    }
  }
  const to = (row, changes = {}) => ({ view: "changes", with: other, score, kind: row.kind, step: row.step, ...changes });
  const number_ = (row, label) => row.list.filter((step) => step.class === label).length;
  return table([
    { title: "from → to", cell: (row) => row.title, class: "step", to },
    ...shown.map((label) => countColumn(label || NONE, (row) => number_(row, label), (row) => to(row, { class: label || NONE }))),
    ...(rest.length ? [countColumn("other", (row) => row.list.filter((step) => rest.includes(step.class)).length, (row) => to(row, { class: OTHER }))] : []),
    countColumn("total", (row) => row.list.length, to),
  ], rows, { label: `Transitions, ${scoreTitle(score)}`, fixed: true });
}
