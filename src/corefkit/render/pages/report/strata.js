// Where it is good: dots with intervals by strata of entities, each of which leads to its errors.
function whereGood(system) {
  if (!system.strata.length) return null;
  return el("section", { id: "strata" },
    el("h2", {}, "Where it is good"),
    el("p", { class: "note" }, `F1 of ${DATA.metric} by stratum, with 95% intervals over documents. Recall is of the key entities of a stratum, precision of the response entities. Nothing is filtered: strata are parts of one comparison. A stratum leads to the errors of its entities.`),
    system.strata.map(stratumChart));
}

function stratumChart(division) {
  const isSmall = ([, keyEntities, , entities]) => Math.max(keyEntities, entities) < FEW;
  const shown = division.rows.filter((row) => !isSmall(row)), small = division.rows.filter(isSmall);
  return el("div", {}, el("h3", {}, `By ${division.by}`), stratumBars(division, shown),
    small.length ? el("details", {}, el("summary", {}, `${many(small.length, "stratum", "strata")} of fewer than five entities`), stratumBars(division, small)) : null);
}

function stratumBars(division, rows) {
  const to = (row) => toErrors({ [`s.${division.by}`]: row[0] });
  return el("div", { class: "bars dots", role: "list", "aria-label": `F1 by ${division.by}` }, rows.map((row) => {
      const [label, keyEntities, keyMentions, entities, mentions, f1, low, high] = row;
      return el("div", { class: "stratum", role: "listitem" },
        link(label, to(row), { class: "type" }),
        el("a", { class: "track", href: address(to(row)), "aria-hidden": "true", tabindex: "-1" },
          low === null ? null : el("span", { class: "range", style: { left: `${100 * low}%`, width: `${100 * (high - low)}%` } }),
          f1 === null ? null : el("span", { class: "dot", style: { left: `${100 * f1}%` } })),
        link(f1 === null ? "–" : percent(f1), to(row), { class: "points" }),
        el("span", { class: "what" }, `key: ${many(keyEntities, "entity", "entities")}, ${many(keyMentions, "mention")}; response: ${many(entities, "entity", "entities")}, ${many(mentions, "mention")}${low === null ? "" : `; ${percent(low)} – ${percent(high)}`}`));
    }));
}

// Strata of fewer entities are folded: their F1 is a matter of chance.
const FEW = 5;

// The errors of a system whose entities are in a stratum that the address names.
function inStrata(number, listed, now) {
  const divisions = DATA.systems[number].strata.filter((one) => now[`s.${one.by}`] !== undefined);
  if (!divisions.length) return listed;
  const numberOf = new Map(errorsOf(number).map((error, at) => [error, at]));
  return divisions.reduce((left, one) => {
    const wanted = one.labels.indexOf(now[`s.${one.by}`]);
    return left.filter((error) => one.errors[numberOf.get(error)].includes(wanted));
  }, listed);
}
