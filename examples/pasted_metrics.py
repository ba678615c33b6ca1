"""An evaluator as systems carry it along, for `corefkit audit`: do not use it.

It has the interface of the evaluator of e2e-coref, and one of the many small changes that such
evaluators undergo: B³ leaves out singletons.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment


class CorefEvaluator:
    """Adds up the counts of documents."""

    def __init__(self):
        self.evaluators = [Evaluator(metric) for metric in (muc, b_cubed, ceafe)]

    def update(self, predicted, gold, mention_to_predicted, mention_to_gold):
        for evaluator in self.evaluators:
            evaluator.update(predicted, gold, mention_to_predicted, mention_to_gold)

    def get_prf(self):
        return tuple(np.mean([e.get_prf() for e in self.evaluators], axis=0).tolist())


class Evaluator:
    """Adds up the counts of one metric."""

    def __init__(self, metric):
        self.metric = metric
        self.counts = np.zeros(4)

    def update(self, predicted, gold, mention_to_predicted, mention_to_gold):
        if self.metric is ceafe:
            self.counts += ceafe(predicted, gold)
        else:
            precision = self.metric(predicted, mention_to_gold)
            self.counts += (*precision, *self.metric(gold, mention_to_predicted))

    def get_prf(self):
        right, of_predicted, found, of_gold = self.counts
        precision = right / of_predicted if of_predicted else 0.0
        recall = found / of_gold if of_gold else 0.0
        total = precision + recall
        return precision, recall, 2 * precision * recall / total if total else 0.0


def muc(clusters, owner):
    numerator = denominator = 0
    for cluster in clusters:
        links = [owner[mention] for mention in cluster if mention in owner]
        numerator += len(links) - len(set(links))
        denominator += len(cluster) - 1
    return numerator, denominator


def b_cubed(clusters, owner):
    numerator = denominator = 0
    for cluster in clusters:
        if len(cluster) > 1:
            homes = [owner.get(mention) for mention in cluster]
            shares = [homes.count(home) for home in homes if home is not None and len(home) > 1]
            numerator += sum(shares) / len(cluster)
            denominator += len(cluster)
    return numerator, denominator


def ceafe(clusters, gold):
    table = np.array([[phi4(other, one) for other in gold] for one in clusters])
    total = table[linear_sum_assignment(-table)].sum() if table.size else 0.0
    return total, len(clusters), total, len(gold)


def phi4(one, other):
    return 2 * sum(mention in other for mention in one) / (len(one) + len(other))
