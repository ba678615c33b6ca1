// Subjects: all that can be decided. Items are asked about; outvoted mentions and links can be
// brought back; and anything else that the curator changed in the text is hers.

const LABELS = { mention: "mention", boundary: "boundary", link: "link", conflict: "conflict", outvoted: "outvoted", own: "own change" };

function itemSubject(one, place) {
  const item = one.items[place], kind = kindOf(item.id);
  return { number: one.number, kind, group: item.kind, spans: item.spans, name: nameOf(kind, item.spans), item, place };
}

function outvotedSubject(one, place) {
  const outvoted = one.outvoted[place], kind = kindOf(outvoted.id);
  return { number: one.number, kind, group: "outvoted", spans: outvoted.spans, name: nameOf(kind, outvoted.spans), outvoted };
}

// The subject that a kind and spans of a document name.
function subjectOf(one, kind, spans) {
  const name = nameOf(kind, spans), place = one.itemOf.get(name), outvoted = one.outvotedOf.get(name);
  if (place !== undefined) return itemSubject(one, place);
  if (outvoted !== undefined) return outvotedSubject(one, outvoted);
  return { number: one.number, kind, group: "own", spans, name };
}
const subjectOfId = (one, id) => subjectOf(one, kindOf(id), id.slice(kindOf(id).length + one.name.length + 2).split(" "));
const idOfSubject = (log, subject) => idOf(subject.kind, log.documents[subject.number], subject.spans);

// What the curator changed beyond items and outvoted ones, in the order of the text.
function ownSubjects(log, one) {
  const found = [...log.states[one.number].last.values()]
    .filter(
      (entry) => entry.known && (standing(entry) || entry.entry.discuss === true) && !one.itemOf.has(entry.name) && !one.outvotedOf.has(entry.name),
    )
    .map(({ kind, spans }) => subjectOf(one, kind, spans));
  return found.sort((a, b) => textOrder(placesOf(one, a.spans[0]), placesOf(one, b.spans[0])));
}

const entryOf = (log, subject) => lastOf(log, subject.number, subject.name);
const choiceOf = (log, subject) => (subject.item ? log.states[subject.number].choices[subject.place] : entryOf(log, subject)?.choice ?? null);
const defaultOf = (log, subject) => (
  subject.item ? subject.item.default : subject.kind === "mention" && acceptedUnit(log.documents[subject.number], subject.spans[0]) ? "yes" : "no"
);
const isMarked = (log, subject) => log.states[subject.number].marked.has(subject.name);

function statusOf(log, subject) {
  if (subject.item) return log.states[subject.number].status[subject.place];
  return choiceOf(log, subject) === null ? "none" : DECIDED;
}

const optionsOf = (subject) => (subject.item ? subject.item.options : ["yes", "no"]);
const acceptedUnit = (one, span) => { const unit = one.units[one.unitOf.get(span)]; return unit && unit.accepted === span ? unit : null; };

// The blocks that a link is about; undefined where there is no such block, as nothing was brought back.
const blocksOf = (log, subject) => subject.item?.blocks ?? subject.spans.map((name) => blockNamed(log.states[subject.number], name));

// The entry that decides a subject; what was noted about it stays.
function entryFor(log, subject, choice, changes = {}) {
  const one = log.documents[subject.number], state = log.states[subject.number], before = entryOf(log, subject);
  const fields = { was: defaultOf(log, subject), note: before?.note ?? "", discuss: false, ...changes };
  if (subject.kind === "link") {
    const [left, right] = blocksOf(log, subject);
    Object.assign(fields, { left: firstVariants(state, left, subject.spans[0]), right: firstVariants(state, right, subject.spans[1]) });
  }
  return makeEntry(one, subject.kind, subject.spans, choice, fields);
}

// All entries that a decision needs: of an outvoted unit, or of a mention's spans, one yes at a time.
function entriesFor(log, subject, choice) {
  const one = log.documents[subject.number], rivals = [];
  if (choice === "yes" && (subject.kind === "mention" || subject.kind === "span")) {
    const [span] = subject.spans, unit = one.unitOf.get(span);
    for (const { kind, spans, name, entry } of log.states[subject.number].last.values()) {
      const sameUnit = kind === "mention" && unit !== undefined && one.units[unit].state === "outvoted" && one.unitOf.get(spans[0]) === unit;
      const rival = kind === subject.kind && name !== subject.name && entry.choice === "yes" && (kind === "span" ? spans[0] === span : sameUnit);
      if (rival) rivals.push(entryFor(log, subjectOf(one, kind, spans), null));
    }
  }
  return [...rivals, entryFor(log, subject, choice)];
}

// Who links two sets of units and who separates them, each by more of the pairs that she has in both.
function votesBetween(one, left, right) {
  const votes = { for: [], against: [] };
  for (const annotator of one.annotators) {
    const counts = [left, right].map((units) => {
      const found = new Map();
      for (const unit of units) for (const variant of one.units[unit].variants) if (annotator in variant.votes) found.set(
        variant.votes[annotator], (found.get(variant.votes[annotator]) || 0) + 1,
      );
      return found;
    });
    const totals = counts.map((found) => [...found.values()].reduce((a, b) => a + b, 0));
    const linked = [...counts[0]].reduce((sum, [entity, count]) => sum + count * (counts[1].get(entity) || 0), 0);
    const apart = totals[0] * totals[1] - linked;
    if (linked > apart) votes.for.push(annotator);
    if (apart > linked) votes.against.push(annotator);
  }
  return votes;
}

// The units of a block as far as annotators know them; a new mention has none.
function unitsOf(state, block) {
  const { one } = state;
  if (block < one.blocks.length) return one.blocks[block].filter((unit) => state.block[unit] === block);
  const extra = state.extras.find((candidate) => candidate.block === block);
  if (extra) return extra.unit === null ? [] : [extra.unit];
  return one.units.map((_, unit) => unit).filter((unit) => state.block[unit] === block);
}

function votesOf(log, subject) {
  const known = subject.item ?? subject.outvoted;
  if (known && subject.kind !== "link") return known;
  if (known && known.against) return known;
  const one = log.documents[subject.number], state = log.states[subject.number];
  if (subject.kind !== "link") {
    const unit = one.units[one.unitOf.get(subject.spans[0])], votes = unit?.variants.find(({ span }) => span === subject.spans[0])?.votes ?? {};
    return { for: Object.keys(votes), against: one.annotators.filter((annotator) => !(annotator in votes)) };
  }
  return votesBetween(one, ...blocksOf(log, subject).map((block) => unitsOf(state, block)));
}

// The mentions that an annotator has in one entity, as [unit, variant] in the order of the text.
function annotatorsEntity(one, annotator, entity) {
  one.entities ??= new Map();
  if (!one.entities.has(annotator)) {
    const found = new Map();
    one.units.forEach((unit, number) => unit.variants.forEach((variant) => {
      const own = variant.votes[annotator];
      if (own === undefined) return;
      if (!found.has(own)) found.set(own, []);
      found.get(own).push([number, variant]);
    }));
    one.entities.set(annotator, found);
  }
  return one.entities.get(annotator).get(entity) ?? [];
}

// Blocks that a mention could be linked to because an annotator has it in one entity with them: those
// with most of her mentions first.
function offers(log, number, span) {
  const one = log.documents[number], state = log.states[number], own = blockNamed(state, span), counts = new Map();
  const variant = one.units[one.unitOf.get(span)]?.variants.find((candidate) => candidate.span === span);
  for (const [annotator, entity] of Object.entries(variant?.votes ?? {})) {
    for (const [unit] of annotatorsEntity(one, annotator, entity)) {
      const block = state.block[unit];
      if (block >= 0 && state.sizes[block] > 0 && block !== own) counts.set(state.root(block), (counts.get(state.root(block)) || 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([block]) => block);
}

// The other outvoted spans that annotators have in one entity with an outvoted one, and that are not back.
function lostWith(log, number, span) {
  const one = log.documents[number];
  const state = log.states[number];
  const variant = one.units[one.unitOf.get(span)]?.variants.find((candidate) => candidate.span === span);
  const found = new Set();
  for (const [annotator, entity] of Object.entries(variant?.votes ?? {})) {
    for (const [unit, other] of annotatorsEntity(one, annotator, entity)) if (
      one.units[unit].state === "outvoted" && !state.extras.some((extra) => extra.unit === unit)
    ) found.add(other.span);
  }
  return [...found];
}

// Bring spans back and link each with one that is back already.
function entriesToJoin(log, number, span, others) {
  const one = log.documents[number], ordered = (a, b) => [a, b].sort((x, y) => textOrder(placesOf(one, x), placesOf(one, y)));
  const back = others.map((other) => entryFor(log, subjectOf(one, "mention", [other]), "yes"));
  return [
    ...back,
    ...others.map((other) => {
      const [left, right] = ordered(span, other);
      return makeEntry(one, "link", [left, right], "yes", { left: [left], right: [right] });
    }),
  ];
}

// The name of a block in decisions: its first unit, or the mention that is a block of its own.
function blockName(state, block) {
  if (block < state.one.blocks.length) return state.one.units[state.one.blocks[block][0]].variants[0].span;
  return [...state.blockNames].find(([, number]) => number === block)[0];
}

// The link between two blocks, the earlier one first.
function linkSubject(log, number, a, b) {
  const one = log.documents[number], names = [a, b].map((block) => blockName(log.states[number], block));
  return subjectOf(one, "link", names.sort((x, y) => textOrder(placesOf(one, x), placesOf(one, y))));
}

// To part a mention from its entity. The first of a block stays where it is: the others are set apart
// and linked with each other.
function entriesToPart(log, number, unit) {
  const one = log.documents[number], state = log.states[number], name = one.units[unit].variants[0].span;
  const block = one.blocks[one.units[unit].block], others = block.slice(1).filter((other) => state.block[other] === one.units[unit].block);
  const apart = (span) => makeEntry(one, "apart", [span], "yes");
  if (block[0] !== unit) return [apart(name)];
  const names = others.map((other) => one.units[other].variants[0].span);
  const links = names.slice(1).map((other) => makeEntry(one, "link", [names[0], other], "yes", { left: [names[0]], right: [other] }));
  return [...names.map(apart), ...links];
}
