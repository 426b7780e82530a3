"""The auditor's exponentials and logarithms, against sixty decimal digits."""

import itertools
from decimal import Decimal, localcontext

import numpy as np
import pytest

from infimum.certificates.auditor import FORMULA, U, audit

DIGITS = 60
ULPS = 4  # of which every elementary function is assumed to be right


def decimals(array):
    """Return the numbers that floats are, in lists."""
    array = np.asarray(array, dtype=np.float64)
    return [decimals(row) for row in array] if array.ndim else Decimal(float(array))


def log(x):
    return x.ln() if x > 0 else Decimal(0)


def loss_value(name, y, f):
    if name == "poisson":
        return f[0].exp() - y * f[0]
    if name == "logistic":
        return (1 + (-y * f[0]).exp()).ln()
    return sum(each.exp() for each in f).ln() - f[int(y)]


def conjugate(name, y, s):
    if name == "poisson":
        return (s[0] + y) * (log(s[0] + y) - 1)
    if name == "logistic":
        p = -y * s[0]
        return p * log(p) + (1 - p) * log(1 - p)
    others = [each for k, each in enumerate(s) if k != int(y)]
    return sum(p * log(p) for p in [*others, 1 - sum(others)])


def exact(name, X, y, c, w, s, strength):
    """Return risk and dual value under a ridge penalty, without an intercept."""
    outputs, total = len(w[0]), sum(c)
    risk = strength / 2 * sum(each * each for row in w for each in row)
    dual = Decimal(0)
    pulled = [[Decimal(0)] * outputs for _ in w]
    for row, target, weight, slope in zip(X, y, c, s, strict=True):
        f = [sum(x * w[j][k] for j, x in enumerate(row)) for k in range(outputs)]
        risk += weight * loss_value(name, target, f) / total
        dual -= weight * conjugate(name, target, slope) / total
        moved = slope
        if name == "softmax":
            own, rest = int(target), sum(slope)
            moved = [a - rest if k == own else a for k, a in enumerate(slope)]
        for j, k in itertools.product(range(len(w)), range(outputs)):
            pulled[j][k] += weight * row[j] * moved[k] / total
    return risk, dual - sum(a * a for row in pulled for a in row) / (2 * strength)


def drawn(name, seed):
    """Draw a problem, a point, and slopes near those of the point or anywhere."""
    rng = np.random.default_rng(seed)
    n, d, outputs = int(rng.integers(2, 8)), int(rng.integers(1, 4)), 3
    outputs = outputs if name == "softmax" else 1
    X = rng.standard_normal((n, d)) * 10.0 ** rng.integers(-2, 1)
    X = X.astype(np.float32 if seed % 2 else np.float64)
    w = rng.standard_normal((d, outputs))
    f = np.clip(X @ w, -30, 30) + 0.1 * (seed % 3) * rng.standard_normal((n, outputs))
    if name == "softmax":
        y = rng.integers(0, outputs, n).astype(float)
        p = np.exp(f - f.max(axis=1, keepdims=True))
        s = p / p.sum(axis=1, keepdims=True) - np.eye(outputs)[y.astype(int)]
    elif name == "logistic":
        y = rng.choice([-1.0, 1.0], n)
        s = -y[:, None] / (1.0 + np.exp(y[:, None] * f))
    else:
        y = rng.poisson(3.0, n).astype(float)
        s = np.exp(np.minimum(f, 5.0)) - y[:, None]
    return X, y, rng.uniform(0.1, 3.0, n), w, s


@pytest.mark.parametrize("name", ["logistic", "softmax", "poisson"])
@pytest.mark.parametrize("seed", range(40))
def test_bounds_enclose_risk_and_dual_value_and_hardly_more(name, seed):
    X, y, c, w, s = drawn(name, seed)
    penalty = {"name": "ridge", "strength": 2.0}
    found = audit(
        X, y, loss={"name": name}, penalty=penalty, coef=w, intercept=None, slopes=s,
        weights=c, tolerance=np.inf if seed % 4 == 0 else 0.0,
    )  # fmt: skip
    with localcontext() as context:
        context.prec = DIGITS
        numbers = [decimals(each) for each in (X, y, c, w)]
        # Where a slope is moved by rounding, the dual value moves by rounding.
        risk, dual = exact(name, *numbers, decimals(s), Decimal(2))
        dual = max(dual, exact(name, *numbers, decimals(0.0 * s), Decimal(2))[1])
        size = abs(float(risk)) + abs(float(dual)) + float(np.abs(y).max()) + 1.0
        assert Decimal(found.upper) >= risk
        assert Decimal(found.upper) - risk <= Decimal(1e-13 * size)
        assert Decimal(found.lower) <= dual + Decimal(1e-15 * size)
        assert Decimal(found.lower) >= dual - Decimal(1e-12 * size)


@pytest.mark.parametrize("function", ["exp", "log", "log1p"])
def test_elementary_functions_are_as_exact_as_is_assumed(function):
    rng = np.random.default_rng(0)
    x = {
        "exp": np.concatenate([rng.uniform(-700, 700, 2000), rng.normal(size=2000)]),
        "log": 2.0 ** rng.uniform(-1000, 1000, 4000),
        "log1p": np.concatenate([2.0 ** rng.uniform(-60, 10, 3000), -rng.random(1000)]),
    }[function]
    x = np.concatenate(
        [x, 1.0 + rng.normal(size=1000) * 1e-8] if function == "log" else [x]
    )
    computed = getattr(np, function)(x)
    with localcontext() as context:
        context.prec = DIGITS
        for each, value in zip(x, computed, strict=True):
            truth = Decimal(float(each))
            truth = truth + 1 if function == "log1p" else truth
            truth = truth.exp() if function == "exp" else truth.ln()
            unit = Decimal(float(np.spacing(abs(value))))
            assert abs(Decimal(float(value)) - truth) <= ULPS * unit
    assert 2 * (2 * ULPS * U) <= FORMULA
