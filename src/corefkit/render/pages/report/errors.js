// One row an error: filters, search, sorting, export; each has an address.
function errorsView() {
  const now = where(), number = chosenSystem();
  let listed = errorsOf(number);
  if (now.type) listed = listed.filter((error) => error.name === now.type);
  if (now.document !== undefined) listed = listed.filter((error) => error.document === Number(now.document));
  for (const [name, value] of BREAKDOWNS) if (now[`f.${name}`] !== undefined) listed = listed.filter((error) => value(error) === now[`f.${name}`]);
  if (now.against !== undefined && DATA.systems[Number(now.against)]) {
    const there = new Set(errorsOf(Number(now.against)).map(sameError));
    listed = listed.filter((error) => there.has(sameError(error)) === (now.only === "both"));
  }
  const keep = ["view", "system", "type", "document", "against", "only", "q", ...BREAKDOWNS.map(([name]) => `f.${name}`)];
  const search = el("search", {}, el("input", { type: "search", placeholder: "search in the text", "aria-label": "Search", value: now.q || "", on: { change: (event) => go({ q: event.target.value }, keep) } }));
  if (now.q) {
    const wanted = now.q.toLowerCase();
    listed = listed.filter((error) => `${error.before} ${error.text} ${error.behind} ${error.id}`.toLowerCase().includes(wanted));
  }
  const choose = (name, title, options) => el("select", { "aria-label": title, on: { change: (event) => go({ [name]: event.target.value }, keep) } },
    el("option", { value: "" }, title), options.map(([value, text]) => el("option", { value, selected: String(now[name]) === String(value) }, text)));
  const kinds = BREAKDOWNS.filter(([name]) => name === "kind").flatMap(([, value]) => [...new Set(errorsOf(number).map(value))].map((one) => [one, one]));
  const marked = now.error ? listed.filter((error) => error.id === now.error) : [];
  const rows = [...marked.map((error) => ({ error, hit: true })), ...listed.filter((error) => !marked.includes(error)).map((error) => ({ error }))];
  const filters = Object.keys(now).filter((name) => keep.includes(name) && !["view", "system"].includes(name));
  return [
    el("div", { class: "tools" },
      choose("type", "all types", DATA.types.map((type) => [type, type])),
      choose("f.kind", "all kinds", kinds),
      choose("document", "all documents", DATA.documents.map((one, place) => [place, one.name])),
      search,
      filters.length ? el("a", { href: address({ view: "errors" }) }, "clear filters") : null,
      el("button", { type: "button", on: { click: () => download("errors.tsv", "text/tab-separated-values", asTsv(listed)) } }, "TSV"),
      el("button", { type: "button", on: { click: () => download("errors.json", "application/json", JSON.stringify(listed.map(flat), null, 1)) } }, "JSON")),
    el("p", { class: "note", id: "count" }, `${many(listed.length, "error")}${filters.filter((name) => name.startsWith("f.")).map((name) => `, ${name.slice(2)}: ${now[name] || "(none)"}`).join("")}${now.against !== undefined && DATA.systems[Number(now.against)] ? `, ${now.only === "both" ? "also" : "not"} in ${DATA.systems[Number(now.against)].name}` : ""}`),
    table([
      { title: "type", cell: ({ error }) => el("a", { href: address({ view: "errors", error: error.id, type: error.name }), title: error.id }, error.name), key: ({ error }) => error.type },
      { title: "text in context", class: "ctx", cell: ({ error }) => el("span", { dir: "auto" }, inContext(error)), key: ({ error }) => error.text },
      { title: "kind", cell: ({ error }) => DATA.kinds[error.kind] },
      { title: "mentions", number: true, cell: ({ error }) => error.rows.length, key: ({ error }) => error.rows.length },
      { title: "evidence", cell: ({ error }) => isolated(error.evidence) },
      { title: "where", cell: ({ error }) => placeLink(error), key: ({ error }) => error.document * 1e6 + (error.sentence ?? 0) },
    ], rows, { most: 100, label: "Errors" }),
  ];
}

function placeLink(error) {
  const one = DATA.documents[error.document];
  const text = `${one.name}${error.sentence === null ? "" : `, sentence ${error.sentence + 1}`}`;
  return one.words ? link(text, { view: "document", document: error.document, sentence: error.sentence ?? 0 }) : text;
}

const flat = (error) => ({ id: error.id, type: error.name, document: DATA.documents[error.document].name, sentence: error.sentence, kind: DATA.kinds[error.kind], text: error.text, before: error.before, behind: error.behind, mentions: error.rows.length, evidence: error.evidence, key_entities: error.keyEntities, response_entities: error.responseEntities });

function asTsv(listed) {
  const rows = listed.map(flat), names = Object.keys(rows[0] || { id: "" });
  const cell = (value) => String(Array.isArray(value) ? value.join(" ") : value ?? "").replace(/[\t\r\n]+/g, " ");
  return [names.join("\t"), ...rows.map((row) => names.map((name) => cell(row[name])).join("\t"))].join("\n") + "\n";
}
