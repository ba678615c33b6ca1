// A table. A column: {title, number, count, cell(row) → text or node, key(row) → value to sort by,
// to(row) → where the cell leads}. Every table can be sorted unless it is `fixed`; on a
// phone the rows of one of `cards` stand as blocks.
function table(columns, rows, { sorted = null, descending = true, most = 200, label = "", fixed = false, cards = false } = {}) {
  let sortedBy = sorted, down = descending, shown = most;
  const body = el("tbody");
  const sortBy = (index) => { down = sortedBy === index ? !down : Boolean(columns[index].number); sortedBy = index; fill(); };
  const heads = columns.map((column, index) =>
    el("th", { class: column.number ? "n" : null, scope: "col" },
      fixed ? column.title : el("button", { type: "button", on: { click: () => sortBy(index) } }, column.title)));
  const more = el("button", { type: "button", on: { click: () => { shown += 500; fill(); } } });
  const rest = el("p", { class: "note" }, more);
  const whole = el("div", {}, el("div", { class: "wrap" }, el("table", { "aria-label": label || null, class: cards ? "cards" : null }, el("thead", {}, el("tr", {}, heads)), body)), rest);
  const value = (row) => (columns[sortedBy].key || columns[sortedBy].cell)(row);
  const kind = (column) => (column.number ? `n${column.count ? " count" : ""}` : column.class || null);
  function cell(column, row) {
    const inside = column.cell(row), changes = column.to ? column.to(row) : null;
    return el("td", { class: kind(column) }, changes && inside !== "" ? link(inside, changes) : inside);
  }
  function fill() {
    const listed = [...rows];
    if (sortedBy !== null) listed.sort((a, b) => order(value(a), value(b), down));
    heads.forEach((head, index) => {
      if (index === sortedBy) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...listed.slice(0, shown).map((row) =>
      el("tr", { id: row.id || null, class: row.class || null }, columns.map((column) => cell(column, row)))));
    rest.hidden = rows.length <= shown;
    more.textContent = `Show more of ${rows.length.toLocaleString("en")} rows`;
  }
  fill();
  return whole;
}

// A column of counts, each of which leads to what it counts.
const countColumn = (title, number, to) => ({ title, number: true, count: true, cell: (row) => number(row).toLocaleString("en"), key: number, to });
