"""What rounding adds to the proof of a support vector machine, against fractions."""

from fractions import Fraction

import numpy as np
import pytest

from infimum.certificates import (
    allow_for_rounding,
    best_offsets,
    certify_support_vectors,
)
from infimum.kernels import Gaussian, Linear, Polynomial
from infimum.objectives import HeldTiles, SupportVectorDual, kernel_tiles
from infimum.objectives._exact_sums import sums_of_products

UNIT = 2.0**-53


def exact(numbers):
    return [Fraction(float(number)) for number in numbers]


def exact_kernel(kernel, X):
    """Return the Gram matrix of a formula that fractions can follow."""
    rows = [exact(x) for x in X]
    gram = [[sum(a * b for a, b in zip(x, z, strict=True)) for z in rows] for x in rows]
    if isinstance(kernel, Polynomial):
        scale, offset = Fraction(float(kernel.scale)), Fraction(float(kernel.offset))
        gram = [[(scale * k + offset) ** kernel.degree for k in row] for row in gram]
    return gram


def exact_gap(dual, point, offsets, gram):
    """Return the primal less the dual, in fractions; for groups that keep sums of 0."""
    beta, q = exact(point), exact(dual.linear)
    low, high, ridge = exact_box(dual.low), exact_box(dual.high), exact(dual.ridge)
    places, b = dual.places, exact(offsets)[0]
    c = [Fraction(0)] * dual.n_samples
    for v, p in zip(beta, places, strict=True):
        c[p] += v
    f = [sum(k * a for k, a in zip(row, c, strict=True)) for row in gram]
    square = sum(a * s for a, s in zip(c, f, strict=True))
    losses = Fraction(0)
    for v, p in enumerate(places):
        pull = -(f[p] + q[v] + b)
        answer = pull / ridge[v] if ridge[v] else (high[v] if pull > 0 else low[v])
        answer = answer if low[v] is None else max(answer, low[v])
        answer = answer if high[v] is None else min(answer, high[v])
        losses += answer * pull - ridge[v] * answer**2 / 2
    rest = sum(v * a for v, a in zip(beta, q, strict=True))
    curved = sum(r * v * v for r, v in zip(ridge, beta, strict=True)) / 2
    return square + losses + rest + curved


def exact_box(bounds):
    return [Fraction(float(x)) if np.isfinite(x) else None for x in bounds]


def machines(rng, n):
    signs = np.tile([1.0, -1.0], n // 2)
    bounds = np.exp(rng.uniform(0.0, np.log(1e8), n))
    y = rng.standard_normal(n)
    yield SupportVectorDual.classification(signs, bounds)
    yield SupportVectorDual.classification(signs, bounds, squared=True)
    yield SupportVectorDual.regression(y, bounds, 0.1)
    yield SupportVectorDual.regression(y, bounds, 0.1, squared=True)


def balanced(dual, rng):
    """Return a point whose sum is exactly 0: pairs of equal size, powers of 2 apart."""
    point = np.zeros(len(dual.low))
    up = np.flatnonzero(dual.high > 0)
    down = np.flatnonzero(dual.low < 0)
    for i, j in zip(rng.permutation(up), rng.permutation(down), strict=False):
        room = min(dual.high[i], -dual.low[j], 1e6)
        point[i] = room * rng.random()
        point[j] = -point[i]
    return point


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1.0, 0.5)], ids=repr)
@pytest.mark.parametrize("far", [0.0, 1e5])
def test_no_gap_is_wider_than_the_proof_says(kernel, far, rng):
    tight = 0
    for _ in range(6):
        n = int(rng.choice([2, 6, 14]))
        X = rng.standard_normal((n, 3)) + far
        gram, tiles = exact_kernel(kernel, X), kernel_tiles(kernel, X)
        for dual in machines(rng, n):
            point = balanced(dual, rng)
            scores = dual.scores(tiles, point)
            offsets = best_offsets(dual, scores)
            proof = certify_support_vectors(dual, point, scores, offsets)
            careful = allow_for_rounding(proof, dual, point, scores, tiles, offsets)
            truth = exact_gap(dual, point, offsets, gram)
            said = Fraction(careful.primal) - Fraction(careful.dual)
            assert truth <= said
            tight += Fraction(proof.primal) - Fraction(proof.dual) < truth
    assert tight > 0  # without the allowance some would have been wrong


def test_a_sum_that_is_not_kept_is_charged_by_the_best_offset():
    # ½w² + |1 - w| is least at w = 1, wherever the targets are: ½.
    X, y = np.array([[0.0], [1.0]]), np.array([1e6, 1e6 + 1.0])
    dual = SupportVectorDual.regression(y, np.array([10.0, 10.0]), 0.0)
    tiles = kernel_tiles(Linear(), X)
    point = np.array([0.0, 1.0, -1.0 + 1e-6, 0.0])
    scores = dual.scores(tiles, point)
    proof = certify_support_vectors(dual, point, scores)
    assert proof.dual > 1.4
    assert allow_for_rounding(proof, dual, point, scores, tiles).dual <= 0.5


@pytest.mark.parametrize("held", [False, True])
def test_computed_scores_are_within_their_bound_of_exact_ones(held, rng):
    from infimum.certificates.support_vector_rounding import Doubt

    X = rng.standard_normal((40, 3)) + 1e3
    signs = np.tile([1.0, -1.0], 20)
    dual = SupportVectorDual.classification(signs, np.full(40, 1e6))
    point = signs * 1e6 * rng.random(40)
    coefficients = np.array(point, dtype=np.longdouble)
    rows = X.astype(np.longdouble)
    apart = ((rows[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2)
    exact_scores = np.exp(-apart * np.longdouble(0.5)) @ coefficients
    tiles = kernel_tiles(Gaussian(1.0), X)
    tiles = HeldTiles(tiles) if held else tiles
    found = dual.scores(tiles, point)
    doubt = Doubt.of(dual, point, tiles)
    wrong = np.abs(found - exact_scores).astype(float)
    assert (wrong <= doubt.errors).all()
    assert doubt.errors.max() <= 1e-11 * np.abs(point).sum()
    assert doubt.longest == 1.0


def test_sums_of_products_are_exact_to_their_last_place(rng):
    factors = rng.standard_normal(101) * 10.0 ** rng.uniform(-8, 8, 101)
    X = rng.standard_normal((101, 20)) * 10.0 ** rng.uniform(-8, 8, (101, 20))
    factors[50:100], X[50:100] = -factors[:50], X[:50]  # all but the last cancel
    X[3] *= 1.0 + UNIT
    found, errors = sums_of_products(factors, X)
    for k in range(20):
        truth = sum(a * b for a, b in zip(exact(factors), exact(X[:, k]), strict=True))
        assert abs(Fraction(found[k]) - truth) <= Fraction(errors[k])
        assert errors[k] <= 1e-15 * abs(float(truth)) + 1e-12
