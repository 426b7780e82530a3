"""The auditor against exact rational arithmetic: 200 small problems."""

from fractions import Fraction

import numpy as np
import pytest

from infimum.certificates.auditor import audit
from tests.certificates.rational import best, dual, fractions, risk

LOSSES = (
    {"name": "squared"},
    {"name": "absolute"},
    {"name": "hinge"},
    {"name": "quantile", "level": 0.3},
)
PENALTIES = (
    {"name": "none"},
    {"name": "ridge", "strength": 0.3},
    {"name": "lasso", "strength": 0.1},
    {"name": "elastic_net", "strength": 0.2, "l1_ratio": 0.7},
    {"name": "box", "low": -0.25, "high": 0.5},
)
DTYPES = (np.float64, np.float32)
TINY = Fraction(1, 10**300)


def drawn(seed):
    """Draw a problem: floats for the auditor, and the fractions that they are."""
    rng = np.random.default_rng(seed)
    n, d, dtype = int(rng.integers(3, 7)), int(rng.integers(1, 3)), DTYPES[seed % 2]
    loss = LOSSES[seed % 4]
    X = (rng.standard_normal((n, d)) * 10.0 ** rng.integers(-3, 4)).astype(dtype)
    y = rng.standard_normal(n) + 10.0 ** rng.integers(0, 7)
    y = np.where(np.arange(n) % 2, 1.0, -1.0) if loss["name"] == "hinge" else y
    c = 10.0 ** rng.uniform(-2, 2, n) if rng.random() < 0.5 else np.ones(n)
    o = rng.standard_normal(n) if rng.random() < 0.3 else np.zeros(n)
    floats = {"X": X, "y": y.astype(dtype), "c": c, "o": o}
    exact = {name: fractions(each) for name, each in floats.items()}
    return rng, floats, {**exact, "loss": loss, "penalty": PENALTIES[seed // 4 % 5]}


def audited(floats, case, w, b, slopes, tolerance=0.0):
    return audit(
        floats["X"],
        floats["y"],
        loss=case["loss"],
        penalty=case["penalty"],
        coef=w,
        intercept=b,
        slopes=slopes,
        weights=floats["c"],
        offset=floats["o"],
        tolerance=tolerance,
    )


def slopes_in(case, rng, size):
    """Draw slopes in the domain of the conjugate."""
    name, n = case["loss"]["name"], len(case["y"])
    if name == "squared":
        return size * rng.standard_normal(n)
    if name == "hinge":
        return -np.array([float(y) for y in case["y"]]) * rng.uniform(0, 1, n)
    return rng.uniform(-0.3, 0.7, n) if name == "quantile" else rng.uniform(-1, 1, n)


@pytest.mark.parametrize("seed", range(200))
def test_bounds_hold_at_any_point_with_any_slopes(seed):
    rng, floats, case = drawn(seed)
    case["intercept"] = bool(rng.random() < 0.6)
    w = rng.uniform(-0.25, 0.5, len(case["X"][0]))
    b = float(rng.standard_normal()) if case["intercept"] else None
    slopes = slopes_in(case, rng, 10.0 ** rng.integers(-2, 2))
    exact = risk(case, fractions(w), Fraction(b or 0.0))
    coarse = audited(floats, case, w, b, slopes, tolerance=np.inf)
    fine = audited(floats, case, w, b, slopes)
    assert exact <= Fraction(fine.upper) <= exact * (1 + Fraction(1, 10**14)) + TINY
    assert Fraction(coarse.upper) >= exact
    kinked = case["loss"]["name"] != "squared"
    curved = case["penalty"]["name"] in {"ridge", "elastic_net"}
    least = exact if kinked and curved else best(case)
    assert max(Fraction(coarse.lower), Fraction(fine.lower)) <= least <= exact


@pytest.mark.parametrize("seed", range(100))
def test_the_lower_bound_is_the_dual_value_of_the_slopes_up_to_rounding(seed):
    rng, floats, case = drawn(seed)
    case |= {"intercept": False, "penalty": PENALTIES[1]}
    slopes = slopes_in(case, rng, 10.0 ** rng.integers(-2, 2))
    w = rng.standard_normal(len(case["X"][0]))
    exact, value = dual(case, fractions(slopes)), risk(case, fractions(w), Fraction(0))
    found = audited(floats, case, w, None, slopes)
    assert Fraction(found.lower) <= max(exact, Fraction(0))
    assert Fraction(found.lower) >= exact - Fraction(1, 10**13) * (
        value - exact + abs(value)
    )


@pytest.mark.parametrize("seed", range(100))
def test_the_best_point_and_its_slopes_are_proved_best_within_a_few_ulps(seed):
    rng, floats, case = drawn(4 * seed)
    case["intercept"] = bool(rng.random() < 0.6)
    least, point = best(case, with_point=True)
    w, b = [float(each) for each in point[:-1]], float(point[-1])
    scores = [
        sum(x * each for x, each in zip(row, point[:-1], strict=True)) + point[-1]
        for row in case["X"]
    ]
    slopes = [
        float(f + o - y) for f, o, y in zip(scores, case["o"], case["y"], strict=True)
    ]
    found = audited(floats, case, w, b if case["intercept"] else None, slopes)
    assert Fraction(found.lower) <= least <= Fraction(found.upper)
    null = risk(case, [Fraction(0)] * len(w), Fraction(0))
    assert Fraction(found.upper) - Fraction(found.lower) <= Fraction(1, 10**9) * null


@pytest.mark.parametrize("seed", range(60))
def test_a_kernel_near_the_given_values_is_audited_by_the_columns_of_members(seed):
    rng = np.random.default_rng(seed)
    n, d, many = int(rng.integers(2, 7)), int(rng.integers(1, 3)), int(seed % 3)
    X = np.round(rng.standard_normal((n, d)), 3)
    y = rng.standard_normal(n) + 10.0 ** rng.integers(0, 5)
    loss = LOSSES[seed % 2]  # squared or absolute
    some = np.sort(rng.choice(n, max(1, n - many), replace=False))
    coef, slopes, near = rng.standard_normal(len(some)), np.zeros(n), 10.0**-seed
    slopes[some] = slopes_in({"loss": loss, "y": y}, rng, 1.0)[: len(some)]
    rows, strength, w = fractions(X), Fraction(1, 2), fractions(coef)
    k = [[sum(a * b for a, b in zip(x, z, strict=True)) for z in rows] for x in rows]
    blur = np.full(n, np.sqrt(1.1 * near) + 1e-7)
    K = np.array([[float(k[i][j]) for j in some] for i in range(n)])
    K = K + near * rng.uniform(-1.0, 1.0, K.shape)
    case = {"loss": loss, "penalty": {"name": "ridge", "strength": 0.5}, "gram": True}
    case |= {"intercept": None, "blur": blur, "members": some, "slopes": slopes}
    found = audit(K, y, coef=coef, **case)
    scores = [sum(w[j] * k[i][s] for j, s in enumerate(some)) for i in range(n)]
    square = sum(w[j] * scores[s] for j, s in enumerate(some))
    exact = mean_loss(loss, fractions(y), scores) + strength / 2 * square
    assert Fraction(found.lower) <= exact <= Fraction(found.upper)
    dual_point = [Fraction(s) for s in slopes.tolist()]
    value = kernel_dual(loss, fractions(y), dual_point, k, strength)
    assert Fraction(found.lower) <= max(value, Fraction(0))
    assert near > 1e-12 or Fraction(found.lower) >= value - exact / 10**5


def mean_loss(loss, y, scores):
    pairs = zip(y, scores, strict=True)
    losses = [
        (f - t) ** 2 / 2 if loss["name"] == "squared" else abs(f - t) for t, f in pairs
    ]
    return sum(losses) / len(y)


def kernel_dual(loss, y, s, k, strength):
    """Return the dual value of slopes, exactly."""
    n = len(y)
    conjugate = [
        a * t + (a * a / 2 if loss["name"] == "squared" else 0)
        for a, t in zip(s, y, strict=True)
    ]
    square = sum(s[i] * s[j] * k[i][j] for i in range(n) for j in range(n))
    return -sum(conjugate) / n - square / (2 * strength * n * n)
