// What can be done with words in the text, beyond the items: remove, bring back or make a mention, give
// it another span, set it apart, link it with any other.

// The kept mentions that a position is in, the inner ones first.
function keptAt(state, positions) {
  const { one } = state, rows = new Set(positions.map((position) => rowOf(one, position))), units = new Set();
  for (const row of rows) for (const [unit] of one.touching[row]) units.add(unit);
  for (const name of state.spans.keys()) if (one.named.has(name)) units.add(one.named.get(name));
  const mentions = [...units].filter((unit) => one.units[unit].block !== null && state.kept[unit]).map((unit) => mentionOf(state, unit));
  mentions.push(...state.extras.map((extra) => extraMention(state, extra)));
  return mentions.filter(
    (mention) => mention.positions.some((position) => positions.includes(position)),
  ).sort((a, b) => a.positions.length - b.positions.length);
}

// The variants here that are not kept: outvoted, removed, or not yet decided.
function lostAt(state, position) {
  const { one } = state, row = rowOf(one, position);
  return one.touching[row].filter(([unit, variant]) => placesOf(one, variant.span).includes(position)
    && (one.units[unit].block === null ? !state.extras.some((extra) => extra.name === variant.span) : !state.kept[unit]));
}

const tool = (title, handler, attributes = {}) => el("button", { type: "button", ...attributes, on: { click: handler } }, title);

function openWord(position) {
  const number = text.number, one = page.documents[number], state = page.log.states[number];
  if (page.linking) { finishLink(number, position); return; }
  const kept = keptAt(state, [position]), lost = lostAt(state, position), span = writeSpan(one, [position]);
  const isNew = one.unit === "token" && !one.unitOf.has(span) && !kept.some((mention) => mention.span === span);
  showPanel(`At ${quoted(one.zero.has(position) ? "∅" : one.points[position])}`, [
    kept.map((mention) => keptLine(one, state, mention)),
    lost.map(([unit, variant]) => lostLine(one, unit, variant)),
    kept.length || lost.length ? null : el(
      "p", { class: "note" },
      "Nobody has a mention here. Select several words with the mouse, or with Shift and the arrow keys.",
    ),
    isNew ? el("p", { class: "tools" }, tool(`Make ${quoted(textOf(one, span))} a mention`, () => makeMention(one, span))) : null,
  ]);
}

function keptLine(one, state, mention) {
  const entity = entityOf(state, mention.block), others = entity.filter(({ name }) => name !== mention.name);
  const variant = one.units[mention.unit]?.variants.find(({ span }) => span === mention.span), voters = Object.keys(variant?.votes ?? {});
  const item = mention.extra ? null : one.units[mention.unit].item;
  return el("div", { class: "line" },
    el(
      "p", {}, el("b", {}, quoted(textOf(one, mention.span, 60))), " ",
      others.length ? `with ${quoted(leadText(one, others.map(({ span }) => span)))} (${many(entity.length, "mention")})` : "alone in its entity",
      " ", voters.map((name) => person(name)),
    ),
    el("p", { class: "tools" },
      item === null ? tool("Remove", () => remove(one, mention)) : tool("Show the question", () => go(itemSubject(one, item))),
      state.spans.has(mention.name) ? tool(
        "Give back its old span",
        () => perform(one.number, spanEntries(one, mention, null), "the old span is back"),
      ) : null,
      canPart(one, state, mention) ? tool(
        "Set apart",
        () => perform(one.number, entriesToPart(page.log, one.number, mention.unit), `${textOf(one, mention.span)} is set apart`),
      ) : null,
      isApart(one, state, mention) ? tool("Put back", () => perform(
        one.number, [entryFor(page.log, subjectOf(one, "apart", [mention.name]), null)],
        `${textOf(one, mention.span)} is back in its entity`,
      )) : null,
      tool("Link to…", () => startLink(one, mention))));
}

function lostLine(one, unit, variant) {
  const { state, item } = one.units[unit];
  const voters = Object.keys(variant.votes);
  const what = { outvoted: "outvoted", accepted: "removed" }[state] ?? "not decided, or decided no";
  const canReturn = state === "outvoted" || (state === "accepted" && one.units[unit].accepted === variant.span);
  const subject = item === null ? subjectOf(one, "mention", [variant.span]) : itemSubject(one, item);
  const back = () => { go(subject); if (state === "outvoted") decide("yes"); if (state === "accepted") takeBack(); };
  return el("div", { class: "line" },
    el("p", {}, el("b", {}, quoted(textOf(one, variant.span, 60))), ` ${what} `, voters.map((name) => person(name, herEntity(one, name, variant)))),
    el("p", { class: "tools" }, canReturn ? tool("Bring back", back) : item === null ? null : tool("Show the question", () => go(subject))));
}

// What an annotator has a span in one entity with.
function herEntity(one, annotator, variant) {
  const others = annotatorsEntity(one, annotator, variant.votes[annotator]).filter(([, other]) => other.span !== variant.span);
  return others.length ? `: with ${quoted(leadText(one, others.map(([, other]) => other.span)))} (${many(others.length + 1, "mention")})` : ": alone";
}

function openWords(positions) {
  if (page.linking) { finishLink(text.number, positions[0]); return; }
  const number = text.number, one = page.documents[number], state = page.log.states[number], span = writeSpan(one, positions);
  const unit = one.units[one.unitOf.get(span)], near = keptAt(state, positions), same = near.find((mention) => mention.span === span);
  showPanel(`Chosen: ${quoted(textOf(one, span, 60))}`, [
    same ? keptLine(one, state, same) : null,
    el("p", { class: "tools" },
      same ? null : unit ? ownSpan(one, unit, span) : tool("Make it a mention", () => makeMention(one, span)),
      same ? null : near.map((mention) => tool(
        `Instead of ${quoted(textOf(one, mention.span))}`,
        () => perform(number, spanEntries(one, mention, span), "the span is changed"),
        { title: "give that mention this span" },
      ))),
  ]);
}

function makeMention(one, span) {
  const subject = subjectOf(one, "mention", [span]);
  if (perform(one.number, [entryFor(page.log, subject, "yes")], `${textOf(one, span)} is a mention`)) go(subject);
}

// A span that is already known: one that was outvoted, or a variant of a question.
function ownSpan(one, unit, span) {
  if (unit.state === "outvoted") return tool("Bring back", () => { go(subjectOf(one, "mention", [span])); decide("yes"); });
  if (unit.item !== null) return tool("Show the question", () => go(itemSubject(one, unit.item)));
  return unit.accepted === span ? tool("Bring back", () => { go(subjectOf(one, "mention", [span])); takeBack(); }) : null;
}

// Entries that give a mention a span; null, or the span that it has by itself, takes others back.
function spanEntries(one, mention, span) {
  const state = page.log.states[one.number], name = mention.name;
  const natural = mention.extra ? name : spanNow({ ...state, spans: new Map() }, mention.unit);
  if (span !== null && span !== natural) return entriesFor(page.log, subjectOf(one, "span", [name, span]), "yes");
  return [entryFor(page.log, subjectOf(one, "span", [name, state.spans.get(name)]), null)];
}

// An accepted mention is removed by a no; one that was brought back or made is taken back.
function remove(one, mention) {
  const span = mention.extra ? mention.name : one.units[mention.unit].accepted;
  perform(
    one.number, [entryFor(page.log, subjectOf(one, "mention", [span]), mention.extra ? null : "no")],
    `${textOf(one, mention.span)} is removed`,
  );
}

const isApart = (one, state, mention) => !mention.extra && mention.block >= one.blocks.length;
const canPart = (one, state, mention) => !mention.extra && !isApart(one, state, mention) && unitsOf(state, mention.block).length > 1;

function startLink(one, mention) {
  page.linking = { number: one.number, block: mention.block };
  showPanel(
    `Link ${quoted(textOf(one, mention.span, 60))} to…`,
    [el("p", {}, "Click a mention in the text, or move to it with the arrow keys and press Enter. Escape cancels.")],
  );
  say("choose the other mention in the text");
}

function finishLink(number, position) {
  const { number: own, block } = page.linking, state = page.log.states[number];
  const [mention] = keptAt(state, [position]).filter((candidate) => candidate.block !== block);
  if (number !== own) { say("a link stays within one document"); return; }
  if (!mention) { say("there is no other mention here"); return; }
  if (state.root(mention.block) === state.root(block)) { say("these two are already one entity"); return; }
  page.linking = null;
  closeWord();
  go(linkSubject(page.log, number, block, mention.block));
}

function showPanel(title, content) {
  text.panel.hidden = false;
  text.panel.replaceChildren(
    el("p", { class: "tools" }, el("b", { dir: "auto" }, title), tool("close", closeWord, { class: "quiet" })),
    ...content.flat(Infinity).filter(Boolean),
  );
}

function closeWord() {
  text.panel.hidden = true;
  text.panel.replaceChildren();
  page.linking = null;
}
