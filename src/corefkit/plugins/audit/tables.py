"""An audit of a scorer as text, as an issue report in Markdown, and as JSON."""

import html
import re
from collections.abc import Iterator, Sequence

from corefkit.core.results import result_json
from corefkit.core.texts import visible_lines
from corefkit.plugins.audit.audit_result import EXITS, Audit
from corefkit.plugins.audit.battery import documents_text, probe_files
from corefkit.plugins.audit.behaviours import COPIES, PARTS, ZEROS, Behaviour
from corefkit.plugins.audit.profile_fit import profile_text
from corefkit.plugins.audit.verdict import SmallestExample, Verdict
from corefkit.render.table import (
    Heading,
    Table,
    make_table,
    percent,
    plain_headings,
    render_table,
)

_LETTERS = ("R", "P", "F1")
_SHOWN = 8
"""How many probes are named in a list."""


def render_audit(audit: Audit, form: str = "text", invocation: str = "") -> str:
    """The report as text, markdown or json; `invocation` is the command that repeats the audit."""
    if form == "json":
        return result_json("audit", audit.to_dict())
    if form == "markdown":
        return _markdown(audit, invocation)
    return _text(audit)


def audit_tables(audit: Audit) -> list[Table]:
    """The verdict about each metric, with the smallest example."""
    return [_table(audit)]


def _text(audit: Audit) -> str:
    style = f" (style {audit.style})" if audit.style else ""
    heading = f"{audit.scorer}{style}, {_asked(audit)}; {_scales(audit)}"
    parts = [heading, render_table(_table(audit), "text").rstrip("\n")]
    parts += ["\n".join(_details(audit)), _conclusion(audit), _status(audit)]
    return visible_lines("\n\n".join(part for part in parts if part)) + "\n"


def _asked(audit: Audit) -> str:
    """How many probes were run, and how often."""
    asked = f"{audit.probes} probes"
    if audit.random:
        asked += f" and {audit.random} random ones"
    if audit.asked != "answers":
        asked += ", once" if audit.plan.once else ", twice"
    return asked


def _scales(audit: Audit) -> str:
    """The unit and digits of the figures, by metric unless they are the same for all."""
    scales = {name: _scale(v) for name, v in audit.metrics.items() if v.scale is not None}
    kinds = list(dict.fromkeys(scales.values()))
    if len(kinds) == 1:
        return kinds[0]
    listed = ((kind, [n for n, scale in scales.items() if scale == kind]) for kind in kinds)
    return "; ".join(f"{', '.join(names)}: {kind}" for kind, names in listed)


def _scale(verdict: Verdict) -> str:
    assert verdict.scale is not None
    unit = "percents" if verdict.scale.factor == 100 else "fractions"
    digits = verdict.scale.digits
    if digits is None:
        return f"{unit}, whole numbers"
    if digits > 6:
        return f"{unit}, full precision"
    return f"{unit}, {digits} digit{'s' * (digits != 1)}"


def _table(audit: Audit) -> Table:
    headings = [*plain_headings("metric", "verdict"), Heading("computes", "what it computes")]
    lines = [[name, *_found(audit, verdict)] for name, verdict in audit.metrics.items()]
    examples = [verdict.example for verdict in audit.metrics.values()]
    if any(examples):
        headings.append(Heading("example", "smallest example"))
        for line, example in zip(lines, examples, strict=True):
            line.append(_example(example) if example else "")
    return make_table("audit", "", headings, [lines])


def _found(audit: Audit, verdict: Verdict) -> tuple[str, str]:
    """The verdict about a metric, and what it computes.

    A mean of figures of which some depart is not called standard.
    """
    parts = [audit.metrics[name].verdict for name in PARTS if name in audit.metrics]
    if verdict.metric == "conll" and verdict.verdict == "standard" and {*parts} - {"standard"}:
        return "–", f"{verdict.words} above"
    return verdict.verdict, _computes(verdict)


def _computes(verdict: Verdict) -> str:
    if verdict.verdict == "standard" and verdict.metric != "conll":
        others = ["repeated mentions"] if verdict.copies not in ("first", "sorted", None) else []
        others += ["0/0"] if verdict.zero not in ("0", None) else []
        others += ["repeated mentions"] if verdict.own_copies else []
        return "as published" + (f" but for {' and '.join(others)}" if others else "")
    words = verdict.words
    if verdict.verdict == "unknown" and verdict.nearest is not None:
        words += f"; nearest: {verdict.nearest.words}"
    if verdict.either:
        words += "; or: " + "; or: ".join(behaviour.words for behaviour in verdict.either)
    return words


def _example(example: SmallestExample) -> str:
    """The documents, and the first value that differs from the standard."""
    documents = documents_text(example.documents)
    if example.observed is None:
        return f"{documents}: fails"
    for letter, ours, theirs in zip(_LETTERS, example.standard, example.observed, strict=True):
        if theirs is not None and not abs(ours - theirs) <= 5e-5:
            return f"{documents}: {letter} {percent(theirs)}, standard {percent(ours)}"
    return documents


def _details(audit: Audit) -> Iterator[str]:
    """Lines on everything else: repeated mentions, 0/0, notes, failures, order, stability."""
    known = {name: verdict for name, verdict in audit.metrics.items() if verdict.whole}
    copies = {n: COPIES[v.copies] for n, v in known.items() if v.copies}
    zeros = {n: ZEROS[v.zero] for n, v in known.items() if v.zero}
    notes = {n: v.note for n, v in audit.metrics.items() if v.note}
    for texts in (copies, zeros, notes):
        yield from _shared(texts, len(known))
    for name, verdict in audit.metrics.items():
        if verdict.epsilon:
            yield f"{name}: figures are off by up to {verdict.epsilon:.1e}, as by an epsilon"
        if verdict.verdict == "unknown" and verdict.departs_on:
            against = "the nearest" if verdict.nearest else "the standard"
            yield f"{name}: not as {against} on {_listed(verdict.departs_on)}"
        if verdict.example and verdict.verdict == "unknown":
            proved = verdict.example.proved
            size = "the smallest there is" if proved else "no single step makes it smaller"
            yield f"{name}: the example is {size}"
    yield from _failures(audit)
    for words, probes in (
        ("depends on the order of entities and mentions", audit.order),
        ("other figures the second time", audit.unstable),
        ("figures below 0, above the whole or not finite", audit.odd),
        ("not asked", audit.left_out),
    ):
        if probes:
            yield f"{words}: {_listed(probes)}"
    if audit.stopped:
        yield "three time-outs in a row: the rest was not run"


def _failures(audit: Audit) -> Iterator[str]:
    if audit.fails is None:
        return
    reason = audit.fails.reason or "no property that these probes share"
    yield f"fails on {_listed(audit.fails.probes)}: {reason}; {audit.fails.error}"
    if audit.fails.not_always:
        yield "  other probes have that and do not fail"
    if audit.style and 4 * len(audit.fails.probes) >= 3 * len(audit.observed):
        yield f"nearly all probes fail: is --style {audit.style} how the scorer is called?"


def _listed(names: Sequence[str]) -> str:
    """The names of probes, of many only the first; the JSON has them all."""
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _shared(texts: dict[str, str], metrics: int) -> Iterator[str]:
    """One line per text, with the names of its metrics unless it holds for all of them."""
    for distinct in dict.fromkeys(texts.values()):
        names = [name for name, text in texts.items() if text == distinct]
        yield distinct if len(names) == metrics else f"{', '.join(names)}: {distinct}"


def _conclusion(audit: Audit) -> str:
    """Which profile the scorer is, if any, and where its figures are not comparable."""
    if not audit.profiles:
        sentence = "This is not a profile of corefkit."
    else:
        name, options = audit.profiles[0]
        written = profile_text(name, options)
        sentence = f"This is the profile {name}. Figures of this scorer can be reproduced by\n"
        sentence += f"`corefkit score --profile {written}`."
        others = dict.fromkeys(profile for profile, _ in audit.profiles if profile != name)
        if others:
            sentence += f" On these metrics and probes so are: {', '.join(others)}."
    corpora = concerned(audit)
    if corpora:
        sentence += f"\nIts figures must not be compared with others on {'; '.join(corpora)}."
    return sentence


def concerned(audit: Audit) -> list[str]:
    """The corpora on which published figures of the scorer are not comparable."""
    corpora: list[str] = []
    for verdict in audit.metrics.values():
        if verdict.verdict not in ("standard", "no value"):
            known = None if verdict.verdict == "unknown" else verdict.whole
            corpora += _corpora(known) if known else ["any corpus"]
    if audit.fails and audit.exit:
        reason = audit.fails.reason
        corpora.append(f"any corpus with {reason}, as it fails there" if reason else "any corpus")
    return ["any corpus"] if "any corpus" in corpora else list(dict.fromkeys(corpora))


_SINGLETONS = ("own-singletons", "lost", "any", "unaligned")


def _corpora(behaviour: Behaviour) -> Iterator[str]:
    rule = behaviour.rule
    if "singletons" in rule or rule in _SINGLETONS:
        yield "any corpus with singletons in the key or in the response"
    elif rule.startswith(("twinless", "key-", "union-", "common-")):
        yield "any corpus where the mentions are not given"
    elif rule != "standard":
        yield "any corpus"
    if behaviour.average != "micro":
        yield "any corpus of several documents"
    if behaviour.exchanged:
        yield "recall and precision of any corpus"


def _status(audit: Audit) -> str:
    meaning = EXITS[audit.exit]
    if audit.plan.expect is not None and audit.exit in (0, 3):
        meaning = f"is {'' if audit.exit == 0 else 'not '}the profile {audit.plan.expect}"
    return f"exit status {audit.exit}: {meaning}"


# Markdown: an issue report


def quoted(text: str) -> str:
    """Foreign text as code that cannot end the quotation, act as HTML or mention users.

    >>> quoted("a`b <i>@me|")
    '<code>a&#96;b &lt;i&gt;&#64;me&#124;</code>'
    """
    return f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    safe = html.escape(visible_lines(text), quote=False)
    return re.sub(r"[`@|*_\[\]~#\n]", lambda match: f"&#{ord(match[0])};", safe)


def _markdown(audit: Audit, invocation: str) -> str:
    style = f", style `{audit.style}`" if audit.style else ""
    parts = [f"# What {_escaped(audit.scorer)} computes", "", "## What was run", ""]
    parts.append(f"- scorer: {quoted(audit.scorer)}{style}")
    if audit.plan.about:
        parts.append(f"- version: {quoted(audit.plan.about)}")
    parts += [f"- battery: {_asked(audit)}", f"- figures: {_scales(audit)}"]
    parts += ["", "## What was found", "", render_table(_table(audit), "markdown")]
    parts += [f"- {_escaped(detail)}" for detail in _details(audit)]
    parts += ["", html.escape(_conclusion(audit), quote=False), ""]
    for metric, verdict in audit.metrics.items():
        if verdict.example:
            parts.append(_fold(metric, verdict.example))
    parts += ["## Which published figures are concerned", ""]
    parts += [f"- {corpora}" for corpora in concerned(audit)] or ["None on clean input."]
    if invocation:
        parts += ["", "## How to repeat it", "", quoted(invocation)]
    return "\n".join([*parts, "", _status(audit)]) + "\n"


_FOLD = """\
<details><summary>{title}</summary>

{figures}

key:

```
{key}
```

response:

```
{response}
```

</details>
"""


def _fold(metric: str, example: SmallestExample) -> str:
    key, response = (side.decode().rstrip("\n") for side in probe_files(example.documents, "conll"))
    observed = example.observed or (None, None, None)
    figures = ", ".join(
        f"{letter} {'none' if theirs is None else f'{100 * theirs:.4f}'} "
        f"(standard {100 * ours:.4f})"
        for letter, ours, theirs in zip(_LETTERS, example.standard, observed, strict=True)
    )
    title = f"{metric}: {_escaped(documents_text(example.documents))}"
    return _FOLD.format(title=title, figures=figures, key=key, response=response)
