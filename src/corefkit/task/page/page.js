"use strict";
(() => {
  const value = (cell) => {
    const raw = cell.dataset.v ?? cell.textContent.trim();
    const number = Number(raw);
    return raw === "" ? null : Number.isNaN(number) ? raw : number;
  };
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b));
  };
  const sort = (table, column, head) => {
    const down = head.getAttribute("aria-sort") !== "descending" && head.classList.contains("n")
      || head.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("th[aria-sort]").forEach((th) => th.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].map((row, place) => [value(row.cells[column]), place, row]);
      rows.sort(([a, i], [b, j]) => {
        if (a === null || b === null) return compare(a, b) || i - j; // blanks last either way
        return (down ? compare(b, a) : compare(a, b)) || i - j;
      });
      body.append(...rows.map(([, , row]) => row));
    }
  };
  const filter = (table, text, count) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const heads = [...table.querySelectorAll("thead tr:last-child th")].map((th) => th.textContent);
    let shown = 0, total = 0;
    for (const body of table.tBodies) {
      for (const row of body.rows) {
        // A square stands for the heading it is under: "GB" finds the rows with gold boundaries.
        const cells = [...row.cells].map((cell, i) => cell.textContent === "■" ? heads[i] : cell.textContent);
        const line = cells.join(" ").toLowerCase();
        row.hidden = !words.every((word) => line.includes(word));
        shown += !row.hidden;
        total += 1;
      }
    }
    count.textContent = words.length ? `${shown} of ${total} rows` : "";
  };
  document.querySelectorAll("table.data").forEach((table) => {
    table.querySelectorAll("thead tr:last-child th").forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, column, head));
    });
    if (table.querySelectorAll("tbody tr").length < 3) return;
    const tools = document.createElement("div");
    tools.className = "tools";
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("span");
    count.className = "count";
    count.setAttribute("aria-live", "polite");
    input.type = "search";
    input.placeholder = "system, setting, …";
    label.append("Filter rows: ", input);
    tools.append(label, count);
    input.addEventListener("input", () => filter(table, input.value, count));
    table.closest(".wrap").before(tools);
  });
  document.querySelectorAll("[data-choose]").forEach((group) => {
    const parts = [...group.querySelectorAll(":scope > [data-part]")];
    if (parts.length < 2) return;
    const bar = document.createElement("div");
    bar.className = "choose";
    const show = (chosen) => parts.forEach((part, i) => {
      part.hidden = i !== chosen;
      bar.children[i].setAttribute("aria-pressed", String(i === chosen));
    });
    parts.forEach((part, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = part.dataset.part;
      button.addEventListener("click", () => show(i));
      bar.append(button);
    });
    group.prepend(bar);
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
})();
