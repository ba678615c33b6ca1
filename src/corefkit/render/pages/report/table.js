// A table that can be sorted. A column: {title, number, cell(row) → text or node, key(row) → value}.
function table(columns, rows, { sorted = null, descending = true, most = 200, label = "" } = {}) {
  let sortedBy = sorted, down = descending, shown = most;
  const body = el("tbody");
  const heads = columns.map((column, place) =>
    el("th", { class: column.number ? "n" : null, scope: "col" },
      el("button", { type: "button", on: { click: () => { down = sortedBy === place ? !down : Boolean(column.number); sortedBy = place; fill(); } } }, column.title)));
  const more = el("button", { type: "button", on: { click: () => { shown += 500; fill(); } } });
  const whole = el("div", {}, el("div", { class: "wrap" }, el("table", { "aria-label": label || null }, el("thead", {}, el("tr", {}, heads)), body)), el("p", { class: "note" }, more));
  function value(row) {
    const column = columns[sortedBy];
    return column.key ? column.key(row) : column.cell(row);
  }
  function fill() {
    const listed = [...rows];
    if (sortedBy !== null) {
      listed.sort((a, b) => order(value(a), value(b), down));
    }
    heads.forEach((head, place) => {
      if (place === sortedBy) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...listed.slice(0, shown).map((row) =>
      el("tr", { id: row.id || null, class: row.hit ? "hit" : null }, columns.map((column) => el("td", { class: column.number ? "n" : column.class || null }, column.cell(row))))));
    more.hidden = rows.length <= shown;
    more.textContent = `Show more of ${rows.length.toLocaleString("en")} rows`;
  }
  fill();
  return whole;
}
