"""Errors of the solvers of structured risks, and what theory promises of them."""

from itertools import product

import numpy as np

from infimum.models.sequence import CRF
from infimum.models.sequence.crf import Vocabulary
from infimum.models.structured import StructuredSVM
from infimum.solvers import BlockFrankWolfe, Bundle, OrthantWise
from infimum.study.convexity import linear_rate_bound
from infimum.study.solvers import trace

LENGTH, COUNT = 3, 20


def sequences():
    """Return rows of two numbers, and labels that depend on the first."""
    rng = np.random.default_rng(7)
    X = [rng.normal(size=(LENGTH, 2)) for _ in range(COUNT)]
    noise = [rng.normal(size=LENGTH) for _ in X]
    pairs = zip(X, noise, strict=True)
    y = [["ab"[int(u > 0)] for u in rows[:, 0] + 0.5 * e] for rows, e in pairs]
    return X, y


def block_frank_wolfe():
    X, y = sequences()
    risk = StructuredSVM(C=1.0)._risk(X, y, [], None)
    best = Bundle(1e-10).solve(risk).certificate.dual
    longest, one = 0.0, np.ones(1)
    for place, labels in product(range(COUNT), product((0, 1), repeat=LENGTH)):
        which = np.array([place])
        said = risk.problem.features([np.array(labels)], one, which)
        right = risk.problem.features([risk.problem.right[place]], one, which)
        longest = max(longest, float(np.linalg.norm(said - right)))
    runs = [
        best - trace(BlockFrankWolfe(1e-15, 20, seed=seed), risk).bounds[1:]
        for seed in range(5)
    ]
    k = np.arange(1, min(map(len, runs)) + 1)
    bend = 4.0 * longest**2 / (risk.penalty.quadratic * COUNT)
    return np.mean([run[: len(k)] for run in runs], axis=0), 2 / (k + 2) * (bend + best)


def orthant_wise():
    X, y = sequences()
    words = [[{f"w{round(row[0])}": 1.0} for row in rows] for rows in X]
    model, vocabulary, classes = CRF(c1=0.2, c2=1.0), Vocabulary(), []
    rows, codes, weights = model._read(words, y, None, vocabulary, classes)
    shape = len(vocabulary.names), len(classes)
    features = model._features(rows, codes, shape, weights)
    risk = model._risk(rows, codes, features, weights)
    solver = OrthantWise(1e-13)
    best, seen = solver.solve(risk), trace(solver, risk)
    assert best.certificate.relative_gap <= 1e-9
    # Two labellings differ by less than their counts: in LENGTH words and the moves.
    sigma = risk.penalty.elastic[1]
    L = sigma + 0.5 * (LENGTH**2 + (LENGTH - 1) ** 2)
    errors = np.minimum.accumulate(seen.values) - best.certificate.primal
    bound = [linear_rate_bound(L, sigma, errors[0], int(k)) for k in seen.numbers]
    return errors, np.array(bound)
