// The page of a task: its tables stand in it already; this sorts, filters and chooses among them.
const cellValue = (cell) => {
  const raw = cell.dataset.v ?? cell.textContent.trim();
  const number = Number(raw);
  return raw === "" ? null : Number.isNaN(number) ? raw : number;
};

function sortRows(table, column, head) {
  const was = head.getAttribute("aria-sort");
  const down = was === "ascending" || (was === null && head.classList.contains("n") && !head.classList.contains("place"));
  table.querySelectorAll("th[aria-sort]").forEach((th) => th.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].map((row) => [cellValue(row.cells[column]), row]);
    rows.sort(([a], [b]) => order(a, b, down));
    body.append(...rows.map(([, row]) => row));
  }
}

function filterRows(table, text, count) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const heads = [...table.querySelectorAll("thead tr:last-child th")].map((th) => th.textContent);
  let shown = 0, total = 0;
  for (const body of table.tBodies) {
    for (const row of body.rows) {
      // A square stands for the heading it is under, so that the heading finds its rows.
      const cells = [...row.cells].map((cell, i) => cell.textContent === "■" ? heads[i] : cell.textContent);
      const line = cells.join(" ").toLowerCase();
      row.hidden = !words.every((word) => line.includes(word));
      shown += !row.hidden;
      total += 1;
    }
  }
  count.textContent = words.length ? `${shown} of ${total} rows` : "";
}

const FILTERED = 12;  // Tables of so many rows have a field to filter them.
document.querySelectorAll("table.data").forEach((table) => {
  table.querySelectorAll("thead tr:last-child th").forEach((head, column) => {
    if (head.classList.contains("plain")) return;
    const sort = () => sortRows(table, column, head);
    head.append(el("button", { type: "button", title: `sort by ${head.textContent}`, on: { click: sort } }, [...head.childNodes]));
  });
  if (table.classList.contains("ranked") || table.querySelectorAll("tbody tr").length < FILTERED) return;
  const count = el("span", { class: "count", "aria-live": "polite" });
  const input = el("input", { type: "search", placeholder: "system, setting, …", on: { input: () => filterRows(table, input.value, count) } });
  table.closest(".wrap").before(el("div", { class: "tools" }, el("label", {}, "Filter rows: ", input), count));
});

const BUTTONS = 8;  // Of more parts one is chosen from a list.
document.querySelectorAll("[data-choose]").forEach((group) => {
  const parts = [...group.querySelectorAll(":scope > [data-part]")];
  if (parts.length < 2) return;
  const show = (chosen) => {
    parts.forEach((part, i) => { part.hidden = i !== chosen; });
    if (list) list.value = String(chosen);
    else [...bar.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === chosen)));
  };
  const names = parts.map((part) => part.dataset.part);
  const list = names.length <= BUTTONS ? null : el(
    "select", { "aria-label": "Show", on: { change: () => show(Number(list.value)) } },
    names.map((name, i) => el("option", { value: i }, name)));
  const bar = el("div", { class: "choose" }, list ?? names.map((name, i) =>
    el("button", { type: "button", on: { click: () => show(i) } }, name)));
  group.prepend(bar);
  group.classList.toggle("long", list !== null);  // so many are not all printed
  show(0);
  const reveal = () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* a lone % is no escape */ }
    const target = document.getElementById(name);
    const place = parts.indexOf(target);
    if (place >= 0) { show(place); target.scrollIntoView(); }
  };
  addEventListener("hashchange", reveal);
  reveal();
});
