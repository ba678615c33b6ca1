// The text of a document with the mentions of each annotator as lines of colour below the words. Only
// the part around the item is drawn; it grows when the reader scrolls.

// Words stand in the order of their script, a name of two Latin words in Hebrew too; only those with
// marks that would turn their neighbours are kept apart.
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const LINE = 5, FIRST_ROWS = 9, MORE_ROWS = 12, MOST_ROWS = 70;
const text = { number: -1, from: 0, to: 0, nodes: new Map(), marks: new Map(), hidden: new Set(), focus: 0, caret: null, anchor: null };

// Rows: sentences, and pieces of sentences that are very long.
function rowsOf(one) {
  if (one.rows) return one.rows;
  const most = one.unit === "character" ? 900 : 150, rows = [];
  one.sentences.forEach((start, number) => {
    for (let from = start, end = sentenceEnd(one, number); from < end || from === start;) {
      rows.push(from);
      let to = from + most;
      if (one.unit === "character") while (to < end && to > from + most / 2 && !/\s/.test(one.points[to - 1])) to -= 1;
      from = to;
      if (from >= end) break;
    }
  });
  one.rows = rows;
  // The variants that touch each row.
  one.touching = rows.map(() => []);
  one.units.forEach((unit, number) => unit.variants.forEach((variant) => {
    const [first, last] = [variant.parts[0][0], variant.parts.at(-1)[1]].map((position) => rowOf(one, position));
    for (let row = first; row <= last; row += 1) one.touching[row].push([number, variant]);
  }));
  return rows;
}

function rowOf(one, position) {
  const rows = one.rows;
  let low = 0, high = rows.length - 1;
  while (low < high) { const middle = (low + high + 1) >> 1; if (rows[middle] <= position) low = middle; else high = middle - 1; }
  return low;
}
const rowEnd = (one, row) => one.rows[row + 1] ?? one.size;

// The mentions of the result that touch a row, as lists of positions.
function keptIn(state, row) {
  const { one } = state, first = one.rows[row], last = rowEnd(one, row) - 1, units = new Set(one.touching[row].map(([number]) => number));
  for (const name of state.spans.keys()) if (one.named.has(name)) units.add(one.named.get(name));
  const found = [...units].filter((unit) => one.units[unit].block !== null && state.kept[unit]).map((unit) => mentionOf(state, unit));
  found.push(...state.extras.map((extra) => extraMention(state, extra)));
  return found.map((mention) => mention.positions).filter((positions) => positions[0] <= last && positions.at(-1) >= first);
}

// The lines of a row: for each position those that pass below it, and how many lanes there are. The
// result comes first, then each annotator; of one person's mentions the inner one is next to the word.
function linesOf(state, row) {
  const { one } = state, below = new Map();
  const tracks = [[null, keptIn(state, row)], ...one.annotators.filter((name) => !text.hidden.has(name)).map((name) =>
    [name, one.touching[row].filter(([, variant]) => name in variant.votes).map(([, variant]) => placesOf(one, variant.span))])];
  let lane = 0;
  for (const [name, mentions] of tracks) {
    let depth = name === null ? 1 : 0;
    for (const positions of mentions.sort((a, b) => a.length - b.length || a[0] - b[0])) {
      const used = new Set(
        positions.flatMap((position) => (below.get(position) || []).filter((line) => line.name === name).map((line) => line.level)),
      );
      let level = 0;
      while (used.has(level)) level += 1;
      depth = Math.max(depth, level + 1);
      positions.forEach((position, place) => {
        if (!below.has(position)) below.set(position, []);
        below.get(position).push({ name, level, lane: lane + level, goesOn: positions[place + 1] === position + 1 });
      });
    }
    lane += depth;
  }
  return { below, lanes: lane };
}

function paint(node, lines, lanes) {
  if (!lines.length) return node;
  const shade = ({ name }) => (name === null ? "var(--ink)" : personColour(name));
  node.style.setProperty("background-image", lines.map((line) => `linear-gradient(${shade(line)}, ${shade(line)})`).join(","));
  node.style.setProperty("background-position", lines.map((line) => `0 calc(100% - ${(lanes - 1 - line.lane) * LINE}px)`).join(","));
  return node;
}

function drawRow(state, row) {
  const { one } = state, { below, lanes } = linesOf(state, row), nodes = [], end = rowEnd(one, row), characters = one.unit === "character";
  const boundaries = characters ? edgesOf(one, row) : null;
  const number = sentenceOf(one, one.rows[row]);
  let start = one.rows[row];
  if (characters) while (start < end && /\s/.test(one.points[start]) && !below.has(start)) start += 1;
  for (let position = start; position < end;) {
    let last = position, words = one.points[position];
    if (characters) {
      const blank = /\s/.test(words);
      while (last + 1 < end && !boundaries.has(last + 1) && /\s/.test(one.points[last + 1]) === blank) words += one.points[last += 1];
    }
    const lines = below.get(position) || [], isZero = one.zero.has(position);
    const node = paint(
      el("span", { class: `t${isZero ? " zero" : ""}${words.length > 60 ? " long" : ""}${TURNING.test(words) ? " apart" : ""}`, "data-p": position, "data-q": last }, isZero ? "∅" : words),
      lines, lanes,
    );
    nodes.push(node);
    text.nodes.set(position, node);
    if (!characters && position + 1 < end) {
      const onward = lines.filter((line) => line.goesOn);
      const gap = onward.length ? paint(el("span", { class: "t g" }, " "), onward, lanes) : el("span", { class: "g" }, " ");
      gap.before = position;
      nodes.push(gap);
      text.nodes.set(position + 0.5, gap);
    }
    position = last + 1;
  }
  const begins = one.sentences[number] === one.rows[row];
  return el(
    "p", { class: nodes.length ? "row" : "row blank", "data-row": row, style: { "--lanes": lanes } },
    el("span", { class: "no", "aria-hidden": "true" }, begins ? number + 1 : ""),
    el("span", { class: "words" }, nodes),
  );
}

// Where mentions begin or end in a row of characters.
function edgesOf(one, row) {
  const found = new Set();
  const add = (positions) => runsOf(one, positions).forEach(([first, last]) => { found.add(first); found.add(last + 1); });
  for (const [, variant] of one.touching[row]) variant.parts.forEach(([first, last]) => { found.add(first); found.add(last + 1); });
  const state = page.log.states[one.number];
  for (const name of [...state.spans.values(), ...state.extras.map((extra) => extra.name)]) add(placesOf(one, name));
  return found;
}

// Draw a part of the text anew: the rows around one of them.
function drawText(number, row) {
  const one = page.documents[number], rows = rowsOf(one);
  const { body } = text;
  text.number = number;
  text.from = Math.max(0, row - FIRST_ROWS);
  text.to = Math.min(rows.length, row + FIRST_ROWS + 3);
  text.nodes.clear();
  body.setAttribute("dir", one.rtl ? "rtl" : "ltr");
  text.inner.replaceChildren(...drawRows(text.from, text.to));
  showHeads(one);
}

const drawRows = (from, to) => Array.from({ length: to - from }, (_, place) => drawRow(page.log.states[text.number], from + place));

function grow(down) {
  if (text.number < 0) return;
  const one = page.documents[text.number], { body, inner } = text, before = body.scrollHeight;
  if (down && text.to < one.rows.length) {
    const to = Math.min(one.rows.length, text.to + MORE_ROWS), added = drawRows(text.to, to);
    text.to = to;
    inner.append(...added);
  } else if (!down && text.from > 0) {
    const from = Math.max(0, text.from - MORE_ROWS), added = drawRows(from, text.from), top = body.scrollTop;
    text.from = from;
    inner.prepend(...added);
    body.scrollTop = top + body.scrollHeight - before;
  } else return;
  applyMarks();
}

// Draw rows again whose mentions have changed.
function redrawRows(number, spans) {
  if (number !== text.number) return;
  const one = page.documents[number], rows = new Set();
  for (const span of spans) {
    const positions = placesOf(one, span);
    if (positions) for (let row = rowOf(one, positions[0]); row <= rowOf(one, positions.at(-1)); row += 1) rows.add(row);
  }
  for (const row of rows) {
    const old = text.inner.querySelector(`[data-row="${row}"]`);
    if (old) old.replaceWith(drawRow(page.log.states[number], row));
  }
  applyMarks();
}

// Marks: which words belong to the item, its left and right entity; capitals for what is asked about.
function setMarks(lists) {
  text.marks.clear();
  for (const [kind, mentions] of lists) for (const positions of mentions) positions.forEach((position, place) => {
    text.marks.set(position, kind);
    if (positions[place + 1] === position + 1) text.marks.set(position + 0.5, kind);
  });
}

function applyMarks() {
  for (const node of text.inner.querySelectorAll("[data-mark]")) node.removeAttribute("data-mark");
  for (const [position, node] of text.nodes) { const kind = text.marks.get(position); if (kind) node.setAttribute("data-mark", kind); }
}

// Bring a position into the middle of the text.
function reveal(number, position) {
  const one = page.documents[number];
  rowsOf(one);
  text.focus = position;
  const row = rowOf(one, position);
  if (number !== text.number || row < text.from || row >= text.to || text.to - text.from > MOST_ROWS) { drawText(number, row); applyMarks(); }
  if (row - 3 < text.from) grow(false);
  if (row + 4 > text.to) grow(true);
  const node = text.inner.querySelector(`[data-row="${row}"]`), { body } = text;
  if (node && body.clientHeight) body.scrollTop = node.offsetTop + node.offsetHeight / 2 - body.clientHeight / 2;
}

// The heads of the text: its name, whose line is which, and where in it the item's mentions are.
function showHeads(one) {
  const toggle = (name) => {
    if (!text.hidden.delete(name)) text.hidden.add(name);
    const row = rowOf(one, middlePosition());
    drawText(one.number, row);
    applyMarks();
    reveal(one.number, one.rows[row]);
  };
  const lane = (name) => el(
    "button",
    {
      type: "button", class: "lane", "aria-pressed": String(!text.hidden.has(name)), title: `show or hide the lines of ${name}`,
      style: { "--a": personColour(name) }, on: { click: () => toggle(name) },
    },
    el("i", { "aria-hidden": "true" }), isolated(name),
  );
  text.heads.replaceChildren(
    el("h2", {}, isolated(one.name)),
    el("div", { class: "lanes" }, el("span", { class: "lane result" }, el("i", { "aria-hidden": "true" }), "result"), one.annotators.map(lane)));
}

function middlePosition() {
  const top = text.body.scrollTop + text.body.clientHeight / 2;
  const row = [...text.inner.children].find((node) => node.offsetTop + node.offsetHeight >= top) ?? text.inner.firstChild;
  return row ? page.documents[text.number].rows[Number(row.dataset.row)] : 0;
}

// A strip of the whole document with the mentions of the item; a click leads there.
function showStrip(one, lists) {
  const strip = svg("svg", { class: "strip", viewBox: "0 0 1000 14", preserveAspectRatio: "none", "aria-hidden": "true" });
  const at = (position) => { const x = (1000 * position) / Math.max(one.size, 1); return one.rtl ? 1000 - x : x; };
  for (const [kind, mentions] of lists) {
    const places = new Set(mentions.map((positions) => Math.round(at(positions[0]))));
    for (const x of places) strip.append(svg(
      "rect",
      { x: x - 2, y: kind === kind.toUpperCase() ? 0 : 3, width: 4, height: kind === kind.toUpperCase() ? 14 : 8, class: `s${kind.toLowerCase()}` },
    ));
  }
  strip.addEventListener("click", (event) => {
    const box = strip.getBoundingClientRect(), share = (event.clientX - box.left) / box.width;
    reveal(one.number, Math.min(one.size - 1, Math.floor((one.rtl ? 1 - share : share) * one.size)));
  });
  text.strip.replaceChildren(strip);
}

// Words that are chosen with the mouse or with arrow keys, as positions; null where there are none.
function positionAt(node, offset) {
  const cell = (node.nodeType === 1 ? node : node.parentElement)?.closest("[data-p]");
  if (!cell) return null;
  const first = Number(cell.dataset.p), last = Number(cell.dataset.q);
  return first === last ? first : Math.min(last, first + Array.from(cell.textContent.slice(0, offset)).length);
}

function chosenWords() {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount || !text.inner.contains(selection.anchorNode)) return null;
  const range = selection.getRangeAt(0), cells = [...text.inner.querySelectorAll("[data-p]")].filter((cell) => selection.containsNode(cell, true));
  if (!cells.length) return null;
  const one = page.documents[text.number];
  let first = positionAt(range.startContainer, range.startOffset) ?? Number(cells[0].dataset.p);
  let last = positionAt(range.endContainer, Math.max(range.endOffset - 1, 0)) ?? Number(cells.at(-1).dataset.q);
  // A range that ends before a word does not have it.
  if (one.unit === "token" && range.endOffset === 0 && last > first) last -= 1;
  if (one.unit === "token" && range.startContainer.nodeType === 3 && range.startOffset === range.startContainer.length && first < last) first += 1;
  return trimmed(one, first, last);
}

// A span without blanks at its ends.
function trimmed(one, first, last) {
  const blank = (position) => one.unit === "character" && /\s/.test(one.points[position]);
  while (first < last && blank(first)) first += 1;
  while (last > first && blank(last)) last -= 1;
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

// The caret: arrow keys walk from word to word, with shift they choose words, Enter opens them.
function moveCaret(step, extend) {
  const cells = [...text.inner.querySelectorAll("[data-p]")].filter((cell) => cell.textContent.trim());
  if (!cells.length) return;
  const now = text.caret === null ? -1 : cells.findIndex((cell) => Number(cell.dataset.p) <= text.caret && Number(cell.dataset.q) >= text.caret);
  const next = now < 0 ? cells.find(
    (cell) => Number(cell.dataset.p) >= middlePosition(),
  ) ?? cells[0] : cells[Math.min(Math.max(now + step, 0), cells.length - 1)];
  if (!extend) text.anchor = null;
  else text.anchor ??= text.caret ?? Number(next.dataset.p);
  text.caret = Number(next.dataset.p);
  for (const node of text.inner.querySelectorAll(".caret, .chosen")) node.classList.remove("caret", "chosen");
  next.classList.add("caret");
  next.scrollIntoView({ block: "nearest" });
  if (text.anchor !== null) {
    const positions = caretWords();
    for (const cell of cells) if (Number(cell.dataset.q) >= positions[0] && Number(cell.dataset.p) <= positions.at(-1)) cell.classList.add("chosen");
    say(`chosen: ${readText(page.documents[text.number], positions)}`);
  } else say(sayWord(text.number, text.caret));
}

function caretWords() {
  if (text.caret === null) return null;
  const end = (position) => Number(text.nodes.get(position)?.dataset.q ?? position), other = text.anchor ?? text.caret;
  return trimmed(page.documents[text.number], Math.min(text.caret, other), Math.max(end(text.caret), end(other)));
}

// A word as a screen reader says it: with the mentions that it is in.
function sayWord(number, position) {
  const one = page.documents[number];
  const here = one.touching[rowOf(one, position)].filter(([, variant]) => placesOf(one, variant.span).includes(position));
  const parts = here.map(([, variant]) => `${textOf(one, variant.span)}: ${listed(Object.keys(variant.votes))}`);
  return `${one.zero.has(position) ? "empty node" : one.points[position]}${parts.length ? `; ${parts.join("; ")}` : ""}`;
}

function makeText() {
  text.heads = el("div", { class: "heads" });
  text.strip = el("div", { class: "strips" });
  text.inner = el("div", { class: "inner" });
  const ends = [false, true].map((down) => { const end = el("div", { class: "end" }); end.down = down; return end; });
  text.body = el(
    "div",
    {
      class: "body", tabindex: "0", role: "region",
      "aria-label": "Text of the document: arrow keys move through its words, Enter shows what can be done with one",
    },
    ends[0], text.inner, ends[1],
  );
  text.panel = el("section", { class: "word", "aria-label": "What can be done here", hidden: true });
  const watcher = new IntersectionObserver(
    (entries) => { for (const entry of entries) if (entry.isIntersecting) grow(entry.target.down); },
    { root: text.body, rootMargin: "300px" },
  );
  ends.forEach((end) => watcher.observe(end));
  text.body.addEventListener("click", (event) => {
    const words = chosenWords(), cell = event.target.closest("[data-p]");
    if (words && words.length > 1) openWords(words);
    else if (cell) openWord(positionAt(event.target, 0));
    else closeWord();
  });
  text.body.addEventListener("keydown", (event) => {
    const forward = page.documents[text.number]?.rtl ? "ArrowLeft" : "ArrowRight", back = forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === forward || event.key === back) { event.preventDefault(); moveCaret(event.key === forward ? 1 : -1, event.shiftKey); }
    if (event.key === "Enter" && text.caret !== null) {
      event.preventDefault();
      if (text.anchor === null) openWord(text.caret);
      else openWords(caretWords());
      text.panel.querySelector("button")?.focus();
    }
  });
  // A finger chooses words without a click.
  let chosen = 0;
  document.addEventListener("selectionchange", () => {
    clearTimeout(chosen);
    if (matchMedia("(pointer: coarse)").matches) chosen = setTimeout(() => { const words = chosenWords(); if (words) openWords(words); }, 500);
  });
  document.getElementById("text").replaceChildren(text.heads, text.strip, text.body, text.panel);
}
