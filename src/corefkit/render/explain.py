"""Why two scorers differ, and the smallest part of files on which they do: as text and as JSON."""

from typing import Any

from corefkit.core.results import result_json
from corefkit.core.style import points
from corefkit.core.texts import count_of, visible_lines
from corefkit.render.table import Table, render_tables
from corefkit.render.views import View, columns, listing, pivot
from corefkit.scorers.signature import shorten
from corefkit.scoring.explain import Explanation, Rule
from corefkit.scoring.shrink import F1s, ShrunkFiles

_SHOWN = 5
"""How many documents and mentions of a rule the text shows; the JSON has them all."""


def render_shrunk(shrunk: ShrunkFiles, names: tuple[str, str], form: str) -> str:
    """The documents, the scores of both scorers, and the rules that make the difference.

    Rules are known where both scorers are profiles.
    """
    rules = shrunk.rules
    if form == "json":
        documents = [document._asdict() for document in shrunk.documents]
        scored = zip(names, shrunk.scores, strict=True)
        report = {
            "documents": documents,
            "scorers": [{"scorer": name, "f1": dict(f1)} for name, f1 in scored],
            "rules": None if rules is None else [rule.policy for rule in rules],
        }
        return result_json("shrunk", {**report, "trials": shrunk.trials, "minimal": shrunk.minimal})
    table = render_tables([_difference("scores", names, shrunk.scores)], "text").rstrip("\n")
    end = "no single step makes it smaller" if shrunk.minimal else "the budget was used up"
    blocks = [
        "\n".join(f"{document.name}: {document.text}" for document in shrunk.documents),
        table,
    ]
    blocks += map(_rule_text, rules or ())
    blocks.append(f"{shrunk.mentions} mentions after {shrunk.trials:,} trials; {end}")
    return visible_lines("\n\n".join(blocks)) + "\n"


def _difference(name: str, names: tuple[str, str], scores: tuple[F1s, F1s]) -> Table:
    """The F1 of both scorers, and how far they are apart."""
    first, second = scores
    rows = [
        {"metric": metric, "first": first[metric], "second": second[metric]}
        | _change("difference", second[metric] - first[metric])
        for metric in first
        if metric in second
    ]
    headings = columns("metric", metric="F1")
    headings += columns("first second", first=names[0], second=names[1], kind="score")
    return listing(name, "", rows, *headings, *columns("difference", difference="difference"))


def text_of_explanation(explanation: Explanation) -> str:
    """What `print(explanation)` shows."""
    return render_explanation(explanation, "text")


def render_explanation(explanation: Explanation, form: str) -> str:
    """The scores of both profiles, and what each rule adds to their difference."""
    if form == "json":
        return result_json(explanation.kind, explanation.to_dict())
    one, other = ({m: scores[m].f1 for m in explanation.metrics} for scores in explanation.scores)
    first, second = explanation.options
    tables = [_difference("profiles", (first.profile, second.profile), (one, other))]
    if explanation.rules:
        rows = [
            {"rule": f"{rule.policy}: {' → '.join(rule.values)}", "metric": metric}
            | _change("change", rule.effect[metric])
            for rule in explanation.rules
            for metric in explanation.metrics
        ]
        lines = columns("rule", rule="what makes the difference")
        tables.append(pivot(rows, View("rules", "", lines, columns("change", kind="change"))))
    parts = [render_tables(tables, "text").rstrip("\n")]
    parts += [_rule_text(rule) for rule in explanation.rules]
    parts += [] if explanation.rules else ["The two profiles follow the same rules."]
    parts += [f"signature: {shorten(scores.signature)}" for scores in explanation.scores]
    return visible_lines("\n\n".join(parts)) + "\n"


def _change(name: str, difference: float) -> dict[str, Any]:
    """A difference in points, with more digits if those of the style would show only zeros.

    >>> [_change("a", change)["shown"] for change in (0.25, 0.0, -0.0000123)]
    [{'a': '+25.00'}, {'a': '0'}, {'a': '-0.0012'}]
    """
    text = points(difference, signed=True)
    if abs(difference) < 1e-11:
        text = "0"
    elif not float(text):
        text = f"{100 * difference:+.2g}"
    return {name: difference, "shown": {name: text}}


def _rule_text(rule: Rule) -> str:
    lines = [f"{rule.policy}"]
    lines += [f"  {v}: {m}" for v, m in zip(rule.values, rule.meanings, strict=True)]
    if not rule.documents and not rule.mentions:
        return "\n".join([*lines, "  It makes no difference in these files."])
    lines.append(f"  {count_of(len(rule.documents), 'document')} counted differently")
    lines += [f"    {name}" for name in rule.documents[:_SHOWN]]
    lines += ["    …"] * (len(rule.documents) > _SHOWN)
    mentions = count_of(len(rule.mentions) + rule.more_mentions, "mention")
    lines.append(f"  {mentions} affected")
    for m in rule.mentions[:_SHOWN]:
        place = f"{m.file}:{m.line}" if m.file else m.side
        lines.append(f"    {place}: {m.document}, tokens {m.start} to {m.end}, entity {m.entity}")
    lines += ["    …"] * (len(rule.mentions) > _SHOWN)
    return "\n".join(lines)
