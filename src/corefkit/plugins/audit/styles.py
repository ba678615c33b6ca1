"""How Python evaluators are called: one function per style.

The function of a style takes the evaluator, its module and the documents of a probe. It returns
metric → recall, precision and F1, or the result of the evaluator unchanged.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from inspect import signature
from typing import Any, NamedTuple

from corefkit.plugins.audit.answers import metric_named

StyleResult = Mapping[str, Any]
ProbeSide = tuple[tuple[Any, ...], ...]
"""The entities of a document, each a tuple of mentions."""

TwoSides = tuple[ProbeSide, ProbeSide]
"""Key and response of a document."""


class CallStyle(NamedTuple):
    """A way to call an evaluator.

    Attributes:
        help: the call as Python, for messages.
        call: calls an evaluator of a module with documents.
        corpus: whether it takes all documents of a probe at once, not a single one.
        free: whether the form of the result is not fixed, so the order of three numbers is unknown.
    """

    help: str
    call: Callable[[Any, Any, Sequence[TwoSides]], Any]
    corpus: bool = True
    free: bool = False


def call_style(style: str, target: Any, module: Any, documents: Sequence[TwoSides]) -> Any:
    """The result of an evaluator for the documents, as plain numbers, dicts and lists."""
    return plain(STYLES[style].call(target, module, documents))


_DEEPEST, _MOST = 8, 1000
"""The depth, and the number of values per level, to which a result is looked at."""


def plain(output: Any, depth: int = 0) -> Any:
    """The result of an evaluator as numbers, texts, dicts and lists; anything else becomes None.

    Named tuples, dataclasses and lists of (name, value) become dicts.

    >>> plain([("muc", (0.5, 1))])
    {'muc': [0.5, 1]}
    """
    if depth > _DEEPEST or isinstance(output, bool) or output is None:
        return None
    if isinstance(output, str):
        return output[:_MOST]
    if (named := _named_values(output)) is not None:
        return {str(name): plain(value, depth + 1) for name, value in list(named.items())[:_MOST]}
    if isinstance(output, list | tuple):
        return [plain(value, depth + 1) for value in output[:_MOST]]
    return _number(output, depth)


def _number(output: Any, depth: int) -> Any:
    """A number of any type, or the numbers of an array; None for anything else."""
    if isinstance(output, int) and abs(output) < 10**15:
        return int(output)
    try:
        return float(output)  # Numbers of numpy and torch, fractions, decimals.
    except (TypeError, ValueError, OverflowError, RuntimeError):
        to_list = getattr(output, "tolist", None)  # Arrays and tensors.
        return plain(to_list(), depth + 1) if callable(to_list) else None


def _named_values(output: Any) -> Mapping[Any, Any] | None:
    """Name → value, if the output has names for its values; otherwise None."""
    if isinstance(output, Mapping):
        return output
    if isinstance(output, tuple) and hasattr(output, "_asdict"):
        named: Mapping[Any, Any] = output._asdict()
        return named
    if is_dataclass(output) and not isinstance(output, type):
        return {field.name: getattr(output, field.name) for field in fields(output)}
    pairs = isinstance(output, list | tuple) and all(
        isinstance(item, list | tuple) and len(item) == 2 and isinstance(item[0], str)
        for item in output
    )
    return dict(output) if pairs and output else None


def _owner(side: Iterable[tuple[Any, ...]]) -> dict[Any, Any]:
    return {mention: entity for entity in side for mention in entity}


def _update(evaluator: Any, document: TwoSides) -> None:
    """Add a document, with the dictionaries of mentions if the method has parameters for them."""
    key, response = map(list, document)
    parameters = _count_parameters(evaluator.update)
    if parameters is not None and parameters < 4:
        sides = (key, response) if _wants_key_first(evaluator.update) else (response, key)
        evaluator.update(*sides)
    else:
        evaluator.update(response, key, _owner(response), _owner(key))


_KEY_NAMES = ("gold", "key", "target", "label", "ref", "true")


def _wants_key_first(function: Any) -> bool:
    """Whether the names of a function's first two parameters say that the first is the key.

    >>> _wants_key_first(lambda gold, predicted: None), _wants_key_first(lambda preds, gold: None)
    (True, False)
    """
    first, second = (name.lower() for name in list(signature(function).parameters)[:2])
    is_key = [any(part in name for part in _KEY_NAMES) for name in (first, second)]
    return is_key == [True, False]


def _count_parameters(function: Any) -> int | None:
    """The number of positional parameters; None where it is unknown or unlimited."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def _from_prf(values: Any) -> Any:
    """Recall, precision and F1 from the result of `get_prf`; values with names stay as they are."""
    if _named_values(values) is not None:
        return values
    precision, recall, f1 = values
    return [recall, precision, f1]


def _fed(evaluator: Any, documents: Sequence[TwoSides]) -> Any:
    """An evaluator that has seen the documents."""
    for document in documents:
        _update(evaluator, document)
    return evaluator


def _e2e(target: Any, module: Any, documents: Sequence[TwoSides]) -> Any:
    values: dict[str, Any] = {}
    single = getattr(module, "Evaluator", None)  # It takes the function of a single metric.
    if target is not single:
        evaluator = _fed(target(), documents)
        if not hasattr(evaluator, "get_prf") and (compute := _other_getter(evaluator)):
            return compute()
        values["conll"] = _from_prf(evaluator.get_prf())
        parts = _parts(getattr(evaluator, "evaluators", ()))
        values |= {name: _from_prf(part.get_prf()) for name, part in parts.items()}
    for name, function in _FUNCTIONS.items():
        metric = getattr(module, function, None)
        if name not in values and callable(single) and callable(metric):
            values[name] = _from_prf(_fed(single(metric), documents).get_prf())
    return values


_FUNCTIONS = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceafe", "lea": "lea"}
"""Metric → the name of its function in e2e-coref."""


def _other_getter(evaluator: Any) -> Callable[[], Any] | None:
    """The method that returns all figures, in classes without `get_prf`; None: there is none."""
    names = ("compute", "get_metric", "get_metrics", "get_scores", "result")
    return next((getattr(evaluator, name) for name in names if hasattr(evaluator, name)), None)


def _parts(evaluators: Any) -> dict[str, Any]:
    """Metric → evaluator, by the names in a dict, the names of their functions, or by order."""
    if isinstance(evaluators, Mapping):
        return {
            metric_named(str(name)) or str(name): evaluator
            for name, evaluator in evaluators.items()
        }
    listed = list(evaluators)
    names = [getattr(getattr(evaluator, "metric", None), "__name__", "") for evaluator in listed]
    known = {function: name for name, function in _FUNCTIONS.items()}
    if len({*names}) == len(names) and {*names} <= known.keys():
        return {known[name]: evaluator for name, evaluator in zip(names, listed, strict=True)}
    return dict(zip(("muc", "bcub", "ceafe"), listed, strict=False))


def _e2e_named(target: Any, module: Any, documents: Sequence[TwoSides]) -> StyleResult:
    evaluator = _fed(target(), documents)
    names = {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceafe", "conll": "conll2012"}
    return {metric: _from_prf(evaluator.get_prf(name)) for metric, name in names.items()}


def _checker(target: Any, module: Any, documents: Sequence[TwoSides]) -> StyleResult:
    checker = target()
    for key, response in documents:
        checker.add_predictions(list(key), list(response))
    values: dict[str, Any] = {"lea": [*_value(checker.total_lea)][::-1]}
    f1s = _value(getattr(checker, "mbc", ()))
    values |= {m: {"f1": value} for m, value in zip(("muc", "bcub", "ceafe"), f1s, strict=False)}
    if hasattr(checker, "bakeoff"):
        values["conll"] = {"f1": _value(checker.bakeoff)}
    return values


def _value(attribute: Any) -> Any:
    return attribute() if callable(attribute) else attribute


def _coval(target: Any, module: Any, documents: Sequence[TwoSides]) -> StyleResult:
    infos = {}
    for number, (key, response) in enumerate(documents):
        owners = [
            {mention: index for index, entity in enumerate(side) for mention in entity}
            for side in (key, response)
        ]
        infos[f"d{number:02}"] = (
            list(key),
            list(response),
            {mention: owners[1][mention] for mention in owners[0] if mention in owners[1]},
            {mention: owners[0][mention] for mention in owners[1] if mention in owners[0]},
        )
    names = {"mentions": "mentions", **_FUNCTIONS}
    functions = {metric: getattr(module, name, None) for metric, name in names.items()}
    return {m: [*target(infos, f, beta=1)] for m, f in functions.items() if f is not None}


def _pairs(target: Any, module: Any, documents: Sequence[TwoSides]) -> Any:
    key, response = (
        [
            tuple((number, *mention) for mention in entity)
            for number, document in enumerate(documents)
            for entity in document[index]
        ]
        for index in (0, 1)
    )
    return _with_sets(target, key, response)


def _each(target: Any, module: Any, documents: Sequence[TwoSides]) -> Any:
    key, response = documents[0]
    return _with_sets(target, list(key), list(response))


def _with_sets(target: Any, key: list[Any], response: list[Any]) -> Any:
    """The result of a function for entities as tuples; as sets if it cannot work with tuples."""
    try:
        return target(list(key), list(response))
    except (TypeError, AttributeError) as error:
        if "tuple" not in str(error):
            raise
    return target([frozenset(entity) for entity in key], [frozenset(e) for e in response])


def _corpus(target: Any, module: Any, documents: Sequence[TwoSides]) -> Any:
    keys, responses = ([list(document[number]) for document in documents] for number in (0, 1))
    return target(keys, responses)


STYLES: dict[str, CallStyle] = {
    "e2e": CallStyle("x = NAME(); x.update(r, k, m2r, m2k); x.get_prf(), x.evaluators", _e2e),
    "e2e-named": CallStyle('the same; x.get_prf("muc"), …', _e2e_named),
    "checker": CallStyle("x = NAME(); x.add_predictions(k, r); x.total_lea, x.mbc", _checker),
    "coval": CallStyle("NAME(infos, metric, beta=1)", _coval),
    "pairs": CallStyle("NAME(k, r): all documents in one list", _pairs, free=True),
    "pairs-each": CallStyle("NAME(k, r): one document", _each, corpus=False, free=True),
    "corpus": CallStyle("NAME(keys, responses): lists of documents", _corpus, free=True),
}
"""The styles by name; `pairs-each` is `pairs` with `--documents each`."""
