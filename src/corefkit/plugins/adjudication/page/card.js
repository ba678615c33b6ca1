// The item in the middle: what is asked, the passages beside each other, who says what, what follows.

const QUESTIONS = {
  mention: "Is this a mention?", boundary: "Which words are the mention?",
  link: "Are these the same?", apart: "Set apart from its entity", span: "Another span",
};
const MOST_LISTED = 40;

function showCard() {
  const card = document.getElementById("card");
  const { subject } = page;
  const focused = card.contains(document.activeElement) ? document.activeElement.dataset.control ?? "" : null;
  if (!subject) { card.replaceChildren(el("div", { class: "inside" }, emptyCard())); return; }
  card.dataset.item = idOfSubject(page.log, subject);
  const one = page.documents[subject.number];
  const parts = { mention: mentionCard, boundary: boundaryCard, link: linkCard, apart: apartCard, span: spanCard }[subject.kind](one, subject);
  card.replaceChildren(
    el("div", { class: `inside ${statusOf(page.log, subject)}` },
      el(
        "p", { class: "crumb note" },
        `${LABELS[subject.group]} · ${isolated(one.name)} · ${placeText(one, subject)}`,
        list.subjects.some(
          (other) => same(other, subject),
        ) ? ` · ${(list.at + 1).toLocaleString("en")} of ${list.subjects.length.toLocaleString("en")}` : "",
      ),
      el("h2", { tabindex: "-1", id: "question", "data-control": "question" }, QUESTIONS[subject.kind]),
      subject.group === "conflict" ? el(
        "p", { class: "note" },
        "Votes link some of these mentions and separate others, so votes alone cannot settle it.",
      ) : null,
      statusLine(one, subject), parts, noteLine(subject)),
    el("div", { class: "decide" }, refusalLine(one), choices(one, subject), el("p", { class: "steps tools" },
      keyed("Previous", "k", () => step(-1)), keyed("Next", "j", () => step(1)), keyed("Next open", "n", nextOpen),
      el(
        "button",
        {
          type: "button", "data-control": "discuss",
          "aria-pressed": String(isMarked(page.log, subject)), "aria-keyshortcuts": "d",
          on: { click: toggleDiscuss },
        },
        el("kbd", {}, "d"), "Discuss",
      ),
      (entryOf(page.log, subject)?.choice ?? null) === null ? null : el(
        "button", { type: "button", "data-control": "back", on: { click: takeBack } }, "Take back",
      ),
      goOnBox())));
  if (focused !== null) (card.querySelector(`[data-control="${focused}"]`) ?? card.querySelector("#question")).focus({ preventScroll: true });
}

// Whether the next open item is shown after each decision.
const goOnBox = () => el("label", { class: "onward" }, el("input", {
  type: "checkbox", "data-control": "go on", checked: page.advance,
  on: { change: (event) => { page.advance = event.target.checked; page.keeper.set("go on", page.advance); } },
}), "then go on");

const keyed = (title, key, handler) => el(
  "button",
  { type: "button", "data-control": title, "aria-keyshortcuts": key, on: { click: handler } },
  el("kbd", {}, key), title,
);

const emptyCard = () => [
  el("h2", { id: "question", tabindex: "-1" }, list.all.length ? "Nothing is chosen" : "Nothing is disputed"),
  el(
    "p", {},
    list.all.length
      ? "Choose an item in the list."
      : "The annotators agree on every mention and every link that is asked about. The text can still be changed: click a word.",
  ),
];

// Where a subject is: the sentences of its first words.
function placeText(one, subject) {
  const sentences = [
    ...new Set((subject.kind === "link" ? subject.spans : subject.spans.slice(0, 1)).map((span) => sentenceOf(one, placesOf(one, span)[0]) + 1)),
  ];
  return `${one.unit === "character" ? "line" : "sentence"}${sentences.length > 1 ? "s" : ""} ${sentences.join(" and ")}`;
}

// What is so far: decided, implied by a chain, waiting for others.
function statusLine(one, subject) {
  const state = page.log.states[subject.number], status = statusOf(page.log, subject), entry = entryOf(page.log, subject);
  if (status === IMPLIED) {
    const choice = state.implied.get(subject.place);
    return el(
      "div", { class: "status" },
      el("p", {}, el("b", {}, `Implied: ${choiceText(page.log, subject, choice)}. `), "It needs no decision, because of:"),
      chainList(one, chainOfItem(state, subject.place)),
    );
  }
  const clash = state.conflicts.find(({ item }) => item === idOfSubject(page.log, subject));
  if (clash) return el(
    "div", { class: "status clash" },
    el(
      "p", {}, el("b", {}, "Contradiction. "),
      clash.what === "link"
        ? "It was decided that these are two entities, but these links make them one; take one of them back:"
        : "Another mention has this span, too.",
    ),
    chainList(one, clash.chain),
  );
  if (status === WAITING) return waitingLine(one, state, subject);
  if (state.changed.includes(idOfSubject(page.log, subject))) return el(
    "p", { class: "status" }, el("b", {}, "Open again: "),
    `it was decided ${entry.choice}, but its entities have changed since then.`,
  );
  if (status === DECIDED) return el(
    "p", { class: "status" },
    el("b", {}, `Decided: ${choiceText(page.log, subject, choiceOf(page.log, subject))}`),
    entry?.by ? ` by ${isolated(entry.by)}` : "", entry?.at ? `, ${when(entry.at)}` : "",
  );
  return null;
}

const when = (at) => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
};

function waitingLine(one, state, subject) {
  const empty = subject.item.blocks.filter((block) => state.sizes[block] === 0);
  const items = empty.flatMap((block) => one.blocks[block].map((unit) => one.units[unit].item)).filter((item) => item !== null);
  const open = items.filter((item) => state.status[item] === OPEN);
  const shown = (open.length ? open : items).slice(0, 4).map((item) => itemSubject(one, item));
  return el("div", { class: "status" },
    el(
      "p", {}, el("b", {}, "Waiting. "),
      open.length ? "There is nothing to link until this is decided to be a mention:" : "It would link something that is not a mention:",
    ),
    el("ul", {}, shown.map((other) => el("li", {}, leadTo(other)))));
}

// A button that leads to another subject.
const leadTo = (subject, more = "") => el(
  "button", { type: "button", class: "lead", on: { click: () => go(subject) } },
  `${spoken(page.log, subject)}${more}`,
);

function chainList(one, chain) {
  return el("ol", { class: "chain" }, chain.map((id) => {
    const subject = subjectOfId(one, id);
    return el("li", {}, leadTo(subject, `: ${choiceText(page.log, subject, entryOf(page.log, subject)?.choice ?? null)}`));
  }));
}

// A contradiction that was refused, with the chain that causes it.
function refusalLine(one) {
  if (!page.refusal) return null;
  const { clash, choice } = page.refusal, no = clash.what === "link" ? subjectOfId(one, clash.item) : null;
  return el("div", { class: "refusal", role: "alert" },
    clash.what === "span" ? el("p", {}, el("b", {}, "Refused. "), "Another mention already has this span.")
      : same(no, page.subject) ? el("p", {}, el("b", {}, `Refused: ${choice}. `), "These links already make them one entity:")
        : el("p", {}, el("b", {}, `Refused: ${choice}. `), "It would join what was decided to be two entities: ", leadTo(no), ", by:"),
    clash.what === "link" ? chainList(one, clash.chain.filter((id) => id !== (page.subject ? idOfSubject(page.log, page.subject) : ""))) : null);
}

function choices(one, subject) {
  if (subject.kind === "apart" || subject.kind === "span") return null;
  const chosen = choiceOf(page.log, subject);
  const otherwise = defaultOf(page.log, subject);
  const titles = { link: ["Yes, one entity", "No, two"], mention: ["Yes, a mention", "No"] }[subject.kind];
  const options = optionsOf(subject), isBoundary = subject.kind === "boundary";
  return el("div", { class: `choices${isBoundary ? " many" : ""}`, role: "group", "aria-label": "Decision" }, options.map((option, place) => {
    const key = isBoundary ? (option === "no" ? "x" : place < 9 ? String(place + 1) : "") : place ? "x" : "y";
    return el(
      "button",
      {
        type: "button", class: `choice ${option === "no" ? "no" : "yes"}`, "data-control": `choice ${option}`,
        "aria-pressed": String(chosen === option), "aria-keyshortcuts": key || null, on: { click: () => decide(option) },
      },
      key ? el("kbd", {}, key) : null, el(
        "span", { dir: "auto" },
        isBoundary ? (option === "no" ? "Not a mention" : shortenInside(readText(one, placesOf(one, option)), 30)) : titles[place],
      ),
      otherwise === option ? el("small", {}, "draft") : null);
  }));
}

const noteLine = (subject) => el("label", { class: "remark" }, "Note ", el("input", {
  type: "text", "data-control": "note", value: entryOf(page.log, subject)?.note ?? "",
  placeholder: "for the other curators",
  on: {
    change: (event) => setNote(event.target.value),
    keydown: (event) => { if (event.key === "Enter" || event.key === "Escape") event.target.blur(); },
  },
}));

// Who says what: a line a person, with the colour of her lines in the text.
const votes = (rows) => el(
  "ul", { class: "votes", "aria-label": "Who says what" },
  rows.map(([name, said, sense]) => el("li", { class: sense }, person(name), " ", el("span", {}, said))),
);

function mentionCard(one, subject) {
  const state = page.log.states[subject.number], [span] = subject.spans, known = votesOf(page.log, subject), unit = one.unitOf.get(span);
  const variant = one.units[unit]?.variants.find((candidate) => candidate.span === span);
  const says = (name) => (
    known.for.includes(name) ? [name, `has it${herEntity(one, name, variant)}`, "for"] : [name, rivalText(one, unit, span, name), "against"]
  );
  return [
    el("blockquote", {}, passage(one, placesOf(one, span), { around: 24 })),
    votes(one.annotators.map(says)),
    el("p", { class: "then", id: "then" }, mentionThen(one, state, subject, unit)),
    linkOffers(one, state, subject),
  ];
}

// What somebody has who does not have a span: another one of the unit, or nothing.
function rivalText(one, unit, span, name) {
  const other = one.units[unit]?.variants.find((variant) => variant.span !== span && name in variant.votes);
  return other ? `has ${quoted(textOf(one, other.span))} instead` : "does not have it";
}

function mentionThen(one, state, subject, unit) {
  if (subject.group === "own") return choiceOf(page.log, subject) === "no"
    ? "It had been accepted and is now removed."
    : "It is a mention that nobody marked.";
  if (subject.group === "outvoted") return choiceOf(page.log, subject) === "yes"
    ? "It is back as a separate mention."
    : "Yes brings it back as a separate mention, which can then be linked.";
  const block = state.block[unit], others = unitsOf(state, block).filter((other) => other !== unit && state.kept[other]);
  const links = one.items.filter((item) => item.blocks?.includes(block)).length;
  const home = others.length
    ? `Yes adds it to ${quoted(leadText(one, others.map((other) => spanNow(state, other))))} (${many(others.length, "mention")} of the same block)`
    : "Yes makes it a separate mention";
  return `${home}${links && !others.length ? `; ${many(links, "link item")} then ${links === 1 ? "needs" : "need"} a decision` : ""}.`;
}

// A mention that is back can be linked where its annotator has it.
function linkOffers(one, state, subject) {
  const own = blockNamed(state, subject.spans[0]);
  if (subject.group !== "outvoted" && subject.group !== "own") return null;
  if (own === undefined || choiceOf(page.log, subject) !== "yes") return null;
  const buttons = offers(page.log, one.number, subject.spans[0]).filter((block) => state.root(block) !== state.root(own)).slice(0, 4).map((block) => {
    const link = linkSubject(page.log, one.number, own, block), entity = entityOf(state, block);
    return tool(
      `Link it to ${quoted(leadText(one, entity.map(({ span }) => span)))} (${many(entity.length, "mention")})`,
      () => { go(link); decide("yes"); }, { class: "offer" },
    );
  });
  const extra = state.extras.find((candidate) => candidate.name === subject.spans[0]);
  const lost = lostWith(page.log, one.number, subject.spans[0]);
  if (lost.length) buttons.push(tool(
    `Bring back the ${many(lost.length, "other")} of the same entity, too`,
    () => perform(one.number, entriesToJoin(page.log, one.number, subject.spans[0], lost), "brought back and linked"),
    { class: "offer" },
  ));
  return el(
    "p", { class: "tools" }, buttons,
    extra ? tool("Link it to another one…", () => { startLink(one, extraMention(state, extra)); showTab("text"); }) : null,
  );
}

function boundaryCard(one, subject) {
  const { item } = subject;
  const state = page.log.states[subject.number];
  const entity = entityOf(state, state.block[item.unit]).filter(({ unit }) => unit !== item.unit);
  const has = (name) => item.spans.find((span) => item.for[span]?.includes(name));
  return [
    el("div", { class: "variants" }, item.spans.map((span, place) => variantBox(one, subject, span, place))),
    votes(one.annotators.filter((name) => !has(name)).map((name) => [name, "has no mention here", "against"])),
    el(
      "p", { class: "then", id: "then" },
      entity.length
        ? `It belongs to ${quoted(leadText(one, entity.map(({ span }) => span)))} (${many(entity.length, "other mention")}).`
        : "It is the only mention of its block.",
    ),
  ];
}

// One of the spans with those who have it; a click chooses it.
const variantBox = (one, subject, span, place) => el(
  "div",
  {
    class: `variant${choiceOf(page.log, subject) === span ? " chosen" : ""}`,
    on: { click: () => { if (getSelection().isCollapsed) decide(span); } },
  },
  el("p", {}, place < 9 ? el("kbd", {}, String(place + 1)) : null, passage(one, placesOf(one, span), { around: 10 })),
  el("p", { class: "people" }, (subject.item.for[span] ?? []).map((name) => person(name))),
);

function linkCard(one, subject) {
  const state = page.log.states[subject.number], blocks = blocksOf(page.log, subject);
  if (blocks.includes(undefined)) return [
    el("p", { class: "status" }, "One of the two is no longer a mention: bringing it back or setting it apart was undone."),
  ];
  const sides = sidesOf(state, blocks), said = votesOf(page.log, subject), pair = nearest(...sides);
  const says = (name) => (
    said.for.includes(name) ? [name, "one entity", "for"] : said.against.includes(name) ? [name, "two entities", "against"] : [
      name, "has no vote: did not mark both, or is evenly split", "none",
    ]
  );
  return [
    el("div", { class: "sides" }, sides.map((mentions, side) => linkSide(one, state, blocks[side], mentions, pair[side], "lr"[side]))),
    votes(one.annotators.map(says)),
    el("p", { class: "then", id: "then" }, linkThen(state, subject, blocks, sides, said)),
  ];
}

// The mentions on both sides of a link: the whole entities; where the two are one, what each brought in.
function sidesOf(state, blocks) {
  const joined = state.root(blocks[0]) === state.root(blocks[1]);
  return blocks.map((block) => (joined ? entityOf(state, block).filter((mention) => mention.block === block) : entityOf(state, block)));
}

// The two mentions, one of each side, that are nearest to each other in the text.
function nearest(left, right) {
  let best = [left[0], right[0]], least = Infinity, other = 0;
  for (const mention of left) {
    const start = mention.positions[0];
    while (other + 1 < right.length && right[other + 1].positions[0] <= start) other += 1;
    for (const candidate of [right[other], right[other + 1]]) {
      const far = candidate ? Math.abs(candidate.positions[0] - start) : Infinity;
      if (far < least) [best, least] = [[mention, candidate], far];
    }
  }
  return best;
}

function linkSide(one, state, block, mentions, near, kind) {
  if (!mentions.length) return el(
    "div", { class: `side ${kind}` }, el("h3", {}, quoted(blockText(state, block, 40))),
    el("p", { class: "note" }, "no mention is kept"),
  );
  const shown = mentions.slice(0, MOST_LISTED), lines = el("ol", { class: "all" }, shown.map((mention) => mentionLine(one, mention, kind)));
  const more = mentions.length > MOST_LISTED ? tool(
    `Show all ${mentions.length.toLocaleString("en")}`,
    (event) => { lines.replaceChildren(...mentions.map((mention) => mentionLine(one, mention, kind))); event.target.remove(); },
  ) : null;
  return el("div", { class: `side ${kind}` },
    el("h3", { dir: "auto" }, leadText(one, mentions.map(({ span }) => span), 40), " ", el("small", {}, many(mentions.length, "mention"))),
    el("blockquote", {}, passage(one, near.positions, { kind })),
    mentions.length > 1 ? el("div", { class: "whole" }, lines, more) : null);
}

const mentionLine = (one, mention, kind) => el("li", {}, el("button",
  { type: "button", class: "lead", on: { click: () => { reveal(one.number, mention.positions[0]); showTab("text"); } } },
  el("span", { class: "no" }, String(sentenceOf(one, mention.positions[0]) + 1)), passage(one, mention.positions, { around: 4, kind })));

function linkThen(state, subject, blocks, sides, said) {
  const nobody = said.for.length ? null : el("b", {}, "Nobody linked these two. "), [a, b] = sides.map((mentions) => mentions.length);
  if (!a || !b) return [nobody, "Nothing is joined while a side has no mention."];
  if (state.root(blocks[0]) === state.root(blocks[1])) return [
    nobody, `They are one entity of ${many(entityOf(state, blocks[0]).length, "mention")}.`,
  ];
  return [nobody, `Yes joins ${a.toLocaleString("en")} with ${many(b, "mention")}.`, el("span", { id: "preview" })];
}

// How many other items a decision would settle: worked out when there is time.
function previewLater() {
  clearTimeout(page.preview);
  const { subject } = page;
  if (subject?.kind !== "link" || statusOf(page.log, subject) === WAITING || choiceOf(page.log, subject) !== null) return;
  page.preview = setTimeout(() => {
    const target = document.getElementById("preview");
    if (!target || !same(subject, page.subject)) return;
    const before = page.log.states[subject.number].counts.open;
    const own = page.log.perDocument[subject.number];
    const mine = statusOf(page.log, subject) === OPEN ? 1 : 0;
    const settled = ["yes", "no"].map((choice) => before - mine - replay(
      page.documents[subject.number],
      [...own, resolve(entryFor(page.log, subject, choice), page.documents)],
    ).counts.open);
    const parts = ["Yes", "No"].filter((_, place) => settled[place] > 0).map(
      (word) => `${word} also settles ${many(settled[word === "Yes" ? 0 : 1], "other item")}.`,
    );
    target.textContent = parts.length ? ` ${parts.join(" ")}` : "";
  }, 150);
}

const apartCard = (one, subject) => [
  el("blockquote", {}, passage(one, placesOf(one, subject.spans[0]), { around: 24 })),
  el("p", { class: "then" }, "It is a block of its own, which can be linked with any other."),
];
const spanCard = (one, subject) => subject.spans.map(
  (span, place) => el("blockquote", {}, el("p", { class: "note" }, place ? "now" : "before"), passage(one, placesOf(one, span), { around: 24 })),
);
