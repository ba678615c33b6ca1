"""How a Python evaluator is called: one function per style of the evaluators that exist.

A style takes what was named, the module it comes from and the documents of a probe, and returns
what was found by metric: triples in the order recall, precision, F1, or whatever the evaluator
returned.
"""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, NamedTuple

from corefkit.audits.rule_counts import Listed, ProbeDocument
from corefkit.core.options import UsageError

StyleResult = Mapping[str, Any]


class Style(NamedTuple):
    """How to call it, what it reads, and whether it sees all documents of a probe at once."""

    help: str
    call: Callable[[Any, Any, Sequence[ProbeDocument]], Any]
    corpus: bool = True


def call_style(style: str, target: Any, module: Any, documents: Sequence[ProbeDocument]) -> Any:
    """What an evaluator finds in the documents, as plain numbers, dicts and lists."""
    return plain(STYLES[style].call(target, module, documents))


def plain(found: Any, depth: int = 0) -> Any:
    """Numbers, dicts and lists of what an evaluator returned; anything else becomes None."""
    if depth > 8 or isinstance(found, bool) or found is None:
        return None
    if isinstance(found, Mapping):
        return {str(name): plain(value, depth + 1) for name, value in list(found.items())[:1000]}
    if isinstance(found, list | tuple):
        return [plain(value, depth + 1) for value in found[:1000]]
    if isinstance(found, int) and abs(found) < 10**15:
        return int(found)
    try:
        return float(found)  # numpy's and torch's numbers, fractions, decimals
    except (TypeError, ValueError, OverflowError):
        return None


def _owner(side: Listed) -> dict[Any, Any]:
    return {mention: entity for entity in side for mention in entity}


def _update(evaluator: Any, document: ProbeDocument) -> None:
    key, response = list(document.key), list(document.response)
    if _arguments(evaluator.update) == 2:
        evaluator.update(response, key)
    else:
        evaluator.update(response, key, _owner(document.response), _owner(document.key))


def _arguments(function: Any) -> int | None:
    """How many arguments it must be given; None where nobody knows."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def _from_prf(values: Sequence[Any]) -> list[Any]:
    precision, recall, f1 = values
    return [recall, precision, f1]


def _e2e(target: Any, module: Any, documents: Sequence[ProbeDocument]) -> StyleResult:
    found: dict[str, Any] = {}
    evaluator = target() if not _is_single(target, module) else None
    if evaluator is not None:
        for document in documents:
            _update(evaluator, document)
        found["conll"] = _from_prf(evaluator.get_prf())
        for name, one in zip(
            ("muc", "bcub", "ceafe"), getattr(evaluator, "evaluators", ()), strict=False
        ):
            found[name] = _from_prf(one.get_prf())
    single = getattr(module, "Evaluator", None)
    functions = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceafe", "lea": "lea"}
    for name, function in functions.items():
        metric = getattr(module, function, None)
        if name not in found and callable(single) and callable(metric):
            one = single(metric)
            for document in documents:
                _update(one, document)
            found[name] = _from_prf(one.get_prf())
    return found


def _is_single(target: Any, module: Any) -> bool:
    """Whether it is the Evaluator of one metric, which is made with a function."""
    return target is getattr(module, "Evaluator", None)


def _e2e_named(target: Any, module: Any, documents: Sequence[ProbeDocument]) -> StyleResult:
    evaluator = target()
    for document in documents:
        _update(evaluator, document)
    names = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceafe", "conll": "conll2012"}
    return {name: _from_prf(evaluator.get_prf(theirs)) for name, theirs in names.items()}


def _checker(target: Any, module: Any, documents: Sequence[ProbeDocument]) -> StyleResult:
    checker = target()
    for document in documents:
        checker.add_predictions(list(document.key), list(document.response))
    found: dict[str, Any] = {}
    f1, precision, recall = _value(checker.total_lea)
    found["lea"] = [recall, precision, f1]
    three = _value(getattr(checker, "mbc", ()))
    found |= {name: {"f1": one} for name, one in zip(("muc", "bcub", "ceafe"), three, strict=False)}
    if hasattr(checker, "bakeoff"):
        found["conll"] = {"f1": _value(checker.bakeoff)}
    return found


def _value(attribute: Any) -> Any:
    return attribute() if callable(attribute) else attribute


def _coval(target: Any, module: Any, documents: Sequence[ProbeDocument]) -> StyleResult:
    infos = {}
    for number, (key, response) in enumerate(documents):
        places = [
            {mention: place for place, entity in enumerate(side) for mention in entity}
            for side in (key, response)
        ]
        infos[f"d{number:02}"] = (
            list(key),
            list(response),
            {mention: places[1][mention] for mention in places[0] if mention in places[1]},
            {mention: places[0][mention] for mention in places[1] if mention in places[0]},
        )
    names = {"mentions": "mentions", "muc": "muc", "bcub": "b_cubed", "ceafe": "ceafe"}
    names |= {"lea": "lea"}
    found = {}
    for name, theirs in names.items():
        metric = getattr(module, theirs, None)
        if metric is not None:
            recall, precision, f1 = target(infos, metric, beta=1)
            found[name] = [recall, precision, f1]
    return found


def _pairs(target: Any, module: Any, documents: Sequence[ProbeDocument]) -> Any:
    key, response = (
        [
            tuple((number, *mention) for mention in entity)
            for number, document in enumerate(documents)
            for entity in document[place]
        ]
        for place in (0, 1)
    )
    return target(key, response)


def _each(target: Any, module: Any, documents: Sequence[ProbeDocument]) -> Any:
    (document,) = documents
    return target(list(document.key), list(document.response))


def _corpus(target: Any, module: Any, documents: Sequence[ProbeDocument]) -> Any:
    keys, responses = ([list(document[place]) for document in documents] for place in (0, 1))
    return target(keys, responses)


STYLES: dict[str, Style] = {
    "e2e": Style("x = NAME(); x.update(r, k, m2r, m2k); x.get_prf(), x.evaluators", _e2e),
    "e2e-named": Style('the same; x.get_prf("muc"), …', _e2e_named),
    "checker": Style("x = NAME(); x.add_predictions(k, r); x.total_lea, x.mbc", _checker),
    "coval": Style("NAME(infos, metric, beta=1)", _coval),
    "pairs": Style("NAME(k, r): all documents in one list", _pairs),
    "pairs-each": Style("NAME(k, r): one document", _each, corpus=False),
    "corpus": Style("NAME(keys, responses): lists of documents", _corpus),
}
"""The styles by name; `pairs-each` is `pairs` with `--documents each`."""


def style_named(name: str, documents: str = "all") -> str:
    """The style that was asked for; UsageError where there is none."""
    known = [style for style in STYLES if style != "pairs-each"]
    if name not in known:
        raise UsageError(f"style: unknown value {name!r}; choose from {', '.join(known)}")
    if documents == "each" and name != "pairs":
        raise UsageError("--documents each goes with --style pairs only")
    return "pairs-each" if documents == "each" else name
