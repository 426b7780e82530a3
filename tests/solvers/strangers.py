"""Every loss and penalty that cvxpy can say, in its own words."""

from itertools import product

import cvxpy as cp
import numpy as np

from infimum import losses as ours
from infimum import penalties

GROUPS = ((0, 3), (1,))
WEIGHTS = (1.0, 0.0, 2.0, 3.0)
ROW = (1.0, 0.0, 2.0, -1.0)


def margins(y, f):
    return cp.multiply(y, f)


def right(y, f):
    return cp.sum(cp.multiply(np.eye(f.shape[1])[y.astype(int)], f), axis=1)


def softmax(y, f):
    return cp.log_sum_exp(f, axis=1) - right(y, f)


def gaussian(y, f):
    lines = [cp.quad_over_lin(f[i, 0], f[i, 1]) for i in range(len(y))]
    eta, tau = f[:, 0], f[:, 1]
    return (
        0.5 * cp.multiply(y**2, tau)
        - cp.multiply(y, eta)
        + 0.5 * cp.hstack(lines)
        - 0.5 * cp.log(tau)
    )


def multiclass(y, f):
    wrong = 1.0 - np.eye(f.shape[1])[y.astype(int)]
    rivals = [f[:, k] - right(y, f) + wrong[:, k] for k in range(f.shape[1])]
    return cp.max(cp.vstack(rivals), axis=0)


def all_rivals(y, f):
    wrong = 1.0 - np.eye(f.shape[1])[y.astype(int)]
    return sum(
        cp.multiply(wrong[:, k], cp.pos(1.0 - right(y, f) + f[:, k]))
        for k in range(f.shape[1])
    )


def pairs(y, f, total):
    k = y.shape[1]
    hinges = [
        cp.multiply(y[:, a] * (1 - y[:, b]), cp.pos(1.0 - f[:, a] + f[:, b]))
        for a, b in product(range(k), repeat=2)
        if a != b
    ]
    return sum(hinges) if total else cp.max(cp.vstack(hinges), axis=0)


def every_set(y, f):
    z = np.where(y > 0, 1.0, -1.0)
    rivals = [np.zeros(len(y))]
    for other in product((-1.0, 1.0), repeat=y.shape[1]):
        apart = z - np.array(other)
        wrong = (np.abs(apart).sum(axis=1) > 0).astype(float)
        rivals.append(wrong - cp.sum(cp.multiply(apart, f), axis=1))
    return cp.max(cp.vstack(rivals), axis=0)


def xlogx(p):
    return np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0)), 0.0)


LOSSES = [
    (ours.Absolute(), lambda y, f: cp.abs(f - y)),
    (
        ours.Binomial(),
        lambda y, f: cp.logistic(f) - cp.multiply(y, f) + xlogx(y) + xlogx(1 - y),
    ),
    (ours.EpsilonInsensitive(0.2), lambda y, f: cp.pos(cp.abs(f - y) - 0.2)),
    (ours.Exponential(), lambda y, f: cp.exp(-margins(y, f))),
    (ours.Gamma(), lambda y, f: f + cp.multiply(y, cp.exp(-f))),
    (ours.Hinge(), lambda y, f: cp.pos(1 - margins(y, f))),
    (ours.Huber(0.7), lambda y, f: 0.5 * cp.huber(f - y, 0.7)),
    (ours.Logistic(), lambda y, f: cp.logistic(-margins(y, f))),
    (ours.Novelty(0.5), lambda _, f: cp.pos(0.5 - f)),
    (ours.Perceptron(), lambda y, f: cp.pos(-margins(y, f))),
    (ours.Poisson(), lambda y, f: cp.exp(f) - cp.multiply(y, f)),
    (ours.Quantile(0.3), lambda y, f: cp.maximum(0.3 * (y - f), 0.7 * (f - y))),
    (ours.Squared(), lambda y, f: 0.5 * cp.square(f - y)),
    (
        ours.SquaredEpsilonInsensitive(0.2),
        lambda y, f: cp.square(cp.pos(cp.abs(f - y) - 0.2)),
    ),
    (ours.SquaredHinge(), lambda y, f: cp.square(cp.pos(1 - margins(y, f)))),
    (
        ours.Tweedie(1.6),
        lambda y, f: cp.exp(0.4 * f) / 0.4 + cp.multiply(y, cp.exp(-0.6 * f)) / 0.6,
    ),
    (ours.AdditiveMulticlassHinge(), all_rivals),
    (ours.AdditiveMultilabelHinge(), lambda y, f: pairs(y, f, total=True)),
    (ours.CorrelatedMultilabelHinge(), every_set),
    (ours.HeteroscedasticGaussian(), gaussian),
    (ours.MulticlassHinge(), multiclass),
    (ours.MultilabelHinge(), lambda y, f: pairs(y, f, total=False)),
    (
        ours.MultivariateSquared(),
        lambda y, f: 0.5 * cp.sum(cp.square(f - y), axis=1),
    ),
    (ours.ScaledMulticlassHinge(), multiclass),
    (ours.Softmax(), softmax),
]


def flat(w):
    return cp.vec(w, order="C")


def blocks(w):
    return sum(np.sqrt(len(g)) * cp.norm(flat(w[list(g)])) for g in GROUPS)


def jumps(w):
    return cp.sum(cp.abs(w[1:] - w[:-1]))


def sorted_l1(w):
    sizes, count = cp.abs(flat(w)), w.size
    return sum(cp.sum_largest(sizes, k) for k in range(1, count + 1)) / count


def priced(w, cost):
    return sum(price * cp.sum(cost(w[j])) for j, price in enumerate(WEIGHTS) if price)


def entropy(w):
    shares = cp.sum(w, axis=0)
    return cp.sum(-cp.entr(w)) + np.log(4) * cp.sum(w), [w >= 0, shares == 1]


def nuclear(w):
    return cp.normNuc(w) if w.ndim == 2 else cp.norm(w)


PENALTIES = [
    (penalties.Ball(0.5), lambda w: (0.0, [cp.norm(flat(w)) <= 0.5])),
    (penalties.Ball(0.5, order=1), lambda w: (0.0, [cp.sum(cp.abs(w)) <= 0.5])),
    (penalties.Box(-0.2, 0.4), lambda w: (0.0, [w >= -0.2, w <= 0.4])),
    (
        penalties.ElasticNet(0.1, 0.3),
        lambda w: (0.03 * cp.sum(cp.abs(w)) + 0.035 * cp.sum_squares(w), []),
    ),
    (
        penalties.Entropy(0.05),
        lambda w: (0.05 * entropy(w)[0], entropy(w)[1]),
    ),
    (
        penalties.FusedLasso(0.05, l1_ratio=0.3),
        lambda w: (0.015 * cp.sum(cp.abs(w)) + 0.035 * jumps(w), []),
    ),
    (
        penalties.GraphLaplacian(0.05),
        lambda w: (0.025 * cp.sum_squares(w[1:] - w[:-1]), []),
    ),
    (penalties.GroupLasso(0.05, GROUPS), lambda w: (0.05 * blocks(w), [])),
    (penalties.Lasso(0.05), lambda w: (0.05 * cp.sum(cp.abs(w)), [])),
    (
        penalties.LinearEqualities((ROW,), (0.5,)),
        lambda w: (0.0, [np.array(ROW) @ w == 0.5]),
    ),
    (penalties.NoPenalty(), lambda _: (0.0, [])),
    (penalties.NonNegative(), lambda w: (0.0, [w >= 0])),
    (penalties.NuclearNorm(0.05), lambda w: (0.05 * nuclear(w), [])),
    (
        penalties.PNorm(0.05, order=1.5),
        lambda w: (0.025 * cp.square(cp.pnorm(flat(w), 1.5)), []),
    ),
    (penalties.Ridge(0.1), lambda w: (0.05 * cp.sum_squares(w), [])),
    (
        penalties.Simplex(1.5),
        lambda w: (0.0, [w >= 0, cp.sum(w, axis=0) == 1.5]),
    ),
    (penalties.SortedL1(0.05), lambda w: (0.05 * sorted_l1(w), [])),
    (
        penalties.SparseGroupLasso(0.05, GROUPS, l1_ratio=0.3),
        lambda w: (
            0.015 * cp.sum(cp.abs(w[[0, 1, 3]])) + 0.035 * blocks(w),
            [],
        ),
    ),
    (penalties.TotalVariation(0.05), lambda w: (0.05 * jumps(w), [])),
    (
        penalties.WeightedElasticNet(0.1, WEIGHTS),
        lambda w: (0.05 * priced(w, cp.abs) + 0.025 * priced(w, cp.square), []),
    ),
    (
        penalties.WeightedLasso(0.05, WEIGHTS),
        lambda w: (0.05 * priced(w, cp.abs), []),
    ),
    (
        penalties.WeightedRidge(0.05, WEIGHTS),
        lambda w: (0.025 * priced(w, cp.square), []),
    ),
]
