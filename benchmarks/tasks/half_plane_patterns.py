"""All labellings of points by half-planes: each pair once, no linear programme."""

from itertools import product

import numpy as np
from scipy.optimize import linprog

from benchmarks.task import Contender

#: Point by point, 60 points take some 150,000 linear programmes; the naive way gets so
#: many of the points only.
SOME = 20


class HalfPlanePatterns:
    """Judged by the count of points in general position: n² - n + 2, none twice."""

    title = f"All half-plane patterns, 60 points (one linprog each: {SOME} points)"
    tolerance = 1e-12

    def problem(self, *, quick):
        return np.random.default_rng(0).standard_normal((12 if quick else 60, 2))

    def contenders(self):
        yield Contender("infimum", fit_ours)
        yield Contender(f"linprog, point by point ({SOME} points)", fit_naive)

    def excess(self, problem, answer):
        n = answer.shape[1]
        different = len(np.unique(answer, axis=0))
        return abs(different / (n * n - n + 2) - 1.0) + (len(answer) - different)


def fit_ours(problem, _):
    from infimum.theory import HalfSpaces

    return HalfSpaces(2).patterns(problem)


def fit_naive(problem, _):
    points = problem[:SOME]
    found = [()]
    for place in range(1, len(points) + 1):
        longer = [(*labels, sign) for labels, sign in product(found, (-1.0, 1.0))]
        found = [labels for labels in longer if separable(points[:place], labels)]
    return np.array(found)


def separable(points, labels):
    signs = np.array(labels)
    table = -signs[:, None] * np.column_stack([points, np.ones(len(points))])
    free = [(None, None)] * 3
    return linprog(np.zeros(3), table, -np.ones(len(points)), bounds=free).status == 0


TASK = HalfPlanePatterns()
