"""Evaluators that misbehave, and small ones of each style: imported by the child process only."""
# ruff: noqa: ANN001, ANN201, ANN204, T201
# mypy: ignore-errors

import os
import sys
import time


def standard(keys, responses):
    counts = [0, 0, 0, 0]
    for key, response in zip(map(once, keys), map(once, responses), strict=True):
        found = (*muc(key, owners(response)), *muc(response, owners(key)))
        counts = [a + b for a, b in zip(counts, found, strict=True)]
    recall, precision, f1 = ratios(counts)
    return {"muc": {"recall": recall, "precision": precision, "f1": f1}}


def once(side):
    seen, kept = set(), []
    for entity in side:
        kept.append([m for m in dict.fromkeys(entity) if m not in seen])
        seen.update(entity)
    return [tuple(entity) for entity in kept if entity]


def owners(side):
    return {mention: entity for entity in side for mention in entity}


def muc(clusters, owner):
    return (
        sum(len(c) - len({owner.get(m, m) for m in c}) for c in clusters),
        sum(len(c) - 1 for c in clusters),
    )


def ratios(counts):
    recall = counts[0] / counts[1] if counts[1] else 0.0
    precision = counts[2] / counts[3] if counts[3] else 0.0
    total = recall + precision
    return recall, precision, 2 * recall * precision / total if total else 0.0


def many(side):
    return sum(map(len, side)) > 6


def hangs(keys, responses):
    if many(keys[0]):
        time.sleep(60)
    return standard(keys, responses)


def always_hangs(keys, responses):
    time.sleep(60)


def deaf(keys, responses):
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def ends(keys, responses):
    if many(keys[0]):
        sys.stderr.write("the end\n")
        sys.stderr.flush()
        os._exit(3)
    return standard(keys, responses)


def exits(keys, responses):
    if not all(keys):
        sys.exit("bye")
    return standard(keys, responses)


def forks(keys, responses):
    os.fork()
    return standard(keys, responses)


def prints(keys, responses):
    print("x" * 3_000_000)
    return standard(keys, responses)


def moves(keys, responses):
    os.chdir("/")
    return standard(keys, responses)


def closes(keys, responses):
    os.closerange(3, 64)
    return standard(keys, responses)


def huge(keys, responses):
    return {f"muc_{n}": {"f1": [0.123456789] * 900} for n in range(200)}


def pair(key, response):
    found = standard([key], [response])["muc"]
    return found["precision"], found["recall"], found["f1"]


def two_names(keys, responses):
    return {"muc": {"f1": 0.5}, "micro": {"muc": 0.5}}


class Named:
    def __init__(self):
        self.keys, self.responses = [], []

    def update(self, predicted, gold, to_predicted, to_gold):
        assert all(m in to_gold for cluster in gold for m in cluster)
        self.keys.append(gold)
        self.responses.append(predicted)

    def get_prf(self, metric):
        from corefkit import Evaluator

        names = {"muc": "muc", "b_cubed": "bcub", "ceafe": "ceafe", "lea": "lea"}
        if metric == "conll2012":
            three = [self.get_prf(name) for name in ("muc", "b_cubed", "ceafe")]
            return tuple(sum(column) / 3 for column in zip(*three, strict=True))
        evaluator = Evaluator(names[metric])
        for key, response in zip(self.keys, self.responses, strict=True):
            evaluator.update(key, response)
        found = evaluator.scores()[names[metric]]
        return found.precision, found.recall, found.f1


class Checker(Named):
    def add_predictions(self, gold, predicted):
        self.keys.append(gold)
        self.responses.append(predicted)

    @property
    def total_lea(self):
        precision, recall, f1 = self.get_prf("lea")
        return f1, precision, recall

    @property
    def mbc(self):
        return [self.get_prf(name)[2] for name in ("muc", "b_cubed", "ceafe")]

    @property
    def bakeoff(self):
        return sum(self.mbc) / 3


def evaluate(infos, metric, beta=1):
    counts = [0, 0, 0, 0]
    for key, response, of_key, of_response in infos.values():
        found = (*metric(key, of_key), *metric(response, of_response))
        counts = [a + b for a, b in zip(counts, found, strict=True)]
    return ratios(counts)
