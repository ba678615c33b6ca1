// Progress: what is decided, implied, open, waiting and to be discussed, in all and by document.

const PARTS = ["decided", "implied", "open", "waiting"];
const COUNTS = { decided: "decided", implied: "implied", open: "open", waiting: "waiting", discuss: "to discuss" };

const noCounts = () => ({ items: 0, decided: 0, implied: 0, open: 0, waiting: 0, discuss: 0 });
function total() {
  const sum = noCounts();
  for (const { counts } of page.log.states) for (const name of Object.keys(sum)) sum[name] += counts[name];
  return sum;
}

const barOf = (counts) => el(
  "span", { class: "track", "aria-hidden": "true" },
  PARTS.map((name) => (counts[name] ? el("span", { class: name, style: { "flex-grow": counts[name] } }) : null)),
);

function showProgress() {
  const counts = total();
  const { status } = page.filters;
  const count = ([name, title]) => el(
    "button",
    {
      type: "button", class: `count ${name}`, "aria-pressed": String(status === name),
      on: { click: () => setFilter({ status: status === name ? "" : name }) },
    },
    el("b", {}, counts[name].toLocaleString("en")), ` ${title}`,
  );
  const label = `Progress by document: ${counts.open} of ${counts.items} items open`;
  document.getElementById("progress").replaceChildren(
    el("button", { type: "button", class: "bar", title: "Progress by document", "aria-label": label, on: { click: showDocuments } }, barOf(counts)),
    el("div", { class: "counts", role: "group", "aria-label": "Progress" }, Object.entries(COUNTS).map(count), clashes()),
  );
  nameDocuments();
  document.title = `${counts.open ? `${counts.open} open` : "all decided"} · ${page.title}`;
}

// Contradictions, which only files can bring in; nothing is written while there is one.
function clashes() {
  const found = page.log.states.flatMap(({ one, conflicts }) => conflicts.map(({ item }) => subjectOfId(one, item)));
  return found.length ? el(
    "button",
    { type: "button", class: "clashes", on: { click: () => { go(found[0]); showTab("card"); } } },
    many(found.length, "contradiction"),
  ) : null;
}

// The choice of documents says what is open in each.
function nameDocuments() {
  for (const option of list.controls.document.options) {
    const state = page.log.states[Number(option.value)];
    const title = option.value === "" ? null : `${state.one.name}${state.counts.open ? ` (${state.counts.open.toLocaleString("en")} open)` : ""}`;
    if (title !== null && option.textContent !== title) option.textContent = title;
  }
}

function showDocuments() {
  const names = ["items", ...Object.keys(COUNTS)];
  const heads = [el("th", { scope: "col" }, "document"), el("th"), names.map((name) => el("th", { scope: "col", class: "n" }, COUNTS[name] ?? name))];
  const cells = (counts) => [
    el("td", { class: "small" }, barOf(counts)),
    names.map((name) => el("td", { class: "n" }, counts[name].toLocaleString("en"))),
  ];
  const choose = (one) => () => { closeDialog(); setFilter({ document: String(one.number), status: "" }); };
  const row = ({ one, counts }) => el("tr", {}, el("th", { scope: "row" }, tool(isolated(one.name), choose(one), { class: "lead" })), cells(counts));
  const sum = el("tr", { class: "sum" }, el("th", { scope: "row" }, "all"), cells(total()));
  openDialog("Progress by document", [
    el("div", { class: "wrap" }, el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, page.log.states.map(row), sum))),
  ], [["Close", closeDialog]]);
}
