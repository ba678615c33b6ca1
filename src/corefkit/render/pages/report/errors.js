// One row an error: filters, search, sorting, export; each has an address.
function errorsView() {
  const now = where(), number = chosenSystem();
  let listed = costliest(errorsOf(number));
  if (now.against !== undefined) listed = costliest(compared(number, now.against, now.only === "both"));
  if (now.type) listed = listed.filter((error) => now.type.split(",").includes(error.name));
  if (now.document !== undefined) listed = listed.filter((error) => error.document === Number(now.document));
  for (const [name, value] of BREAKDOWNS) {
    const wanted = now[`f.${name}`];
    if (wanted !== undefined) listed = listed.filter((error) => (value(error) || NONE) === wanted);
  }
  listed = inStrata(number, listed, now);
  const strata = DATA.systems[number].strata.map((one) => `s.${one.by}`);
  const keep = ["view", "system", "type", "document", "against", "only", "q", ...BREAKDOWNS.map(([name]) => `f.${name}`), ...strata];
  const search = el("search", {}, el("input", { type: "search", placeholder: "search in the text", "aria-label": "Search", value: now.q || "", on: { change: (event) => go({ q: event.target.value }, keep) } }));
  if (now.q) {
    const wanted = now.q.toLowerCase();
    listed = listed.filter((error) => `${error.before} ${error.text} ${error.behind} ${error.id}`.toLowerCase().includes(wanted));
  }
  const choose = (name, title, options) => el("select", { "aria-label": title, on: { change: (event) => go({ [name]: event.target.value }, keep) } },
    el("option", { value: "" }, title), options.map(([value, text]) => el("option", { value, selected: String(now[name]) === String(value) }, text)));
  const kinds = BREAKDOWNS.filter(([name]) => name === "kind").flatMap(([, value]) => [...new Set(errorsOf(number).map(value))].map((one) => [one, one]));
  const marked = now.error ? listed.filter((error) => error.id === now.error) : [];
  const rows = [...marked.map((error) => ({ error, class: "hit" })), ...listed.filter((error) => !marked.includes(error)).map((error) => ({ error }))];
  const filters = Object.keys(now).filter((name) => keep.includes(name) && !["view", "system"].includes(name));
  return [
    el("div", { class: "tools" },
      choose("type", "all types", typeChoices(now.type)),
      choose("f.kind", "all kinds", kinds),
      choose("document", "all documents", DATA.documents.map((one, index) => [index, one.name])),
      search,
      filters.length ? el("a", { href: address({ view: "errors" }) }, "clear filters") : null,
      el("button", { type: "button", on: { click: () => download("errors.tsv", "text/tab-separated-values", asTsv(listed.map(flat))) } }, "TSV"),
      el("button", { type: "button", on: { click: () => download("errors.json", "application/json", JSON.stringify(listed.map(flat), null, 1)) } }, "JSON")),
    el("p", { class: "note", id: "count" }, `${many(listed.length, "error")}${filters.filter((name) => name.startsWith("f.") || name.startsWith("s.")).map((name) => `, ${name.slice(2)}: ${now[name]}`).join("")}${saysAgainst(now)}`),
    listed.length ? null : el("p", {}, errorsOf(number).length ? "There is no such error." : "There is no error: the response is the key."),
    table([
      { title: "type", class: "type", cell: ({ error }) => el("a", { href: address({ view: "errors", error: error.id, type: error.name }), title: error.id }, error.name), key: ({ error }) => error.type },
      ...(hasGains(listed) ? [{ title: "gain", number: true, cell: ({ error }) => gainText(error), key: ({ error }) => error.gain }] : []),
      { title: "text in context", class: "ctx", cell: ({ error }) => el("span", {}, inContext(error)), key: ({ error }) => error.text },
      { title: "what should have been · what was", class: "why", cell: ({ error }) => el("span", {}, explained(error)), key: ({ error }) => explainedText(error) },
      { title: "kind", cell: ({ error }) => DATA.kinds[error.kind] },
      { title: "mentions", number: true, cell: ({ error }) => error.mentions },
      { title: "where", cell: ({ error }) => placeLink(error), key: ({ error }) => error.document * 1e6 + (error.sentence ?? 0) },
    ], rows, { most: 100, cards: true, label: "Errors" }),
  ];
}

const typeChoices = (chosen) => [...DATA.types, ...(chosen && chosen.includes(",") ? [chosen] : [])].map((type) => [type, type.replaceAll(",", ", ")]);

function saysAgainst({ against, only }) {
  if (against === undefined) return "";
  const other = against === "others" ? (only === "both" ? "all others" : "any other system") : DATA.systems[Number(against)]?.name;
  return other === undefined ? "" : `, ${only === "both" ? "also" : "not"} in ${other}`;
}

function placeLink(error) {
  const one = DATA.documents[error.document];
  const parts = [DATA.documents.length > 1 || error.sentence === null ? one.name : "", error.sentence === null ? "" : `sentence ${error.sentence + 1}`], text = parts.filter(Boolean).join(", ");
  return one.words ? link(text, toError(error)) : text;
}

const flat = (error) => ({ id: error.id, type: error.name, document: DATA.documents[error.document].name, sentence: error.sentence, kind: DATA.kinds[error.kind], gain: error.gain ?? null, text: error.text, before: error.before, behind: error.behind, should: error.should[2] ?? DATA.relations[error.should[0]], was: error.was[2] ?? DATA.relations[error.was[0]], mentions: error.mentions, evidence: error.evidence, key_entities: error.keyEntities, response_entities: error.responseEntities });

function asTsv(rows) {
  const names = Object.keys(rows[0] || { id: "" });
  const cell = (value) => String(Array.isArray(value) ? value.join(" ") : value ?? "").replace(/[\t\r\n]+/g, " ");
  return [names.join("\t"), ...rows.map((row) => names.map((name) => cell(row[name])).join("\t"))].join("\n") + "\n";
}
