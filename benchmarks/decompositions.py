"""Seconds of factorisations, covariances and calibration beside scikit-learn's.

``python -m benchmarks.decompositions [PART ...]``: a PART is a piece of a row's name.
Both fit the same tables in one process, in turn, and the median counts. The last column
is what each has reached, ours first: an error or an objective, where lower is better.
"""

from __future__ import annotations

import importlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

__all__ = ["main", "rows"]

SIZES = {"small": (300, 10), "tall": (20_000, 30)}
COVARIANCES = (
    "EmpiricalCovariance", "ShrunkCovariance", "LedoitWolf", "OAS", "MinCovDet",
    "GraphicalLasso",
)  # fmt: skip
ROUNDS = 5
Quality = Callable[[Any, Any, Any], float]


def rows() -> Iterator[tuple[str, str, dict[str, Any], Any, Any, Quality | None]]:
    """Return name, class, parameters, samples, targets and what is told of a fit."""
    rng = np.random.default_rng(0)
    for name, (n, d) in SIZES.items():
        X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) / np.sqrt(d)
        y = X[:, 0] + 0.5 * rng.normal(size=n)
        Y = X[:, :3] @ rng.normal(size=(3, 3)) + rng.normal(size=(n, 3))
        table = np.abs(X) + 0.1
        for kind in COVARIANCES:
            yield name, f"covariance.{kind}", {}, X, None, None
        yield name, "isotonic.IsotonicRegression", {}, X[:, 0], y, None
        yield name, "calibration.CalibratedClassifierCV", {}, X, y > 0, None
        for kind in ("PLSRegression", "PLSCanonical", "CCA", "PLSSVD"):
            yield name, f"cross_decomposition.{kind}", {}, X, Y, None
        few = {"n_components": 5, "random_state": 0}
        yield name, "decomposition.FactorAnalysis", few, X, None, None
        yield name, "decomposition.FastICA", few, rng.laplace(size=(n, d)), None, None
        yield name, "decomposition.NMF", few, table, None, _error
        yield name, "decomposition.MiniBatchNMF", few, table, None, _error
        short = {**few, "max_iter": 10}
        yield name, "decomposition.SparsePCA", short, X, None, _last
        # An iteration of scikit-learn's on the tall table takes ten seconds.
        steps = short if name == "small" else {**few, "max_iter": 2}
        yield name, "decomposition.DictionaryLearning", steps, X, None, _last
        coder = {"dictionary": np.linalg.qr(rng.normal(size=(d, d)))[0]}
        yield name, "decomposition.SparseCoder", coder, X, None, None
    yield from _large(rng)


def _large(rng: Any) -> Iterator[Any]:
    for name, X in nonnegative_tables(rng):
        how = {"n_components": 10, "random_state": 0}
        yield f"10,000 x 200 {name}", "decomposition.NMF", how, X, None, _error
    for name, X in correlated_tables(rng):
        for alpha in (0.4, 0.2, 0.1, 0.05):
            how = {"alpha": alpha}
            told = f"200 features {name} {alpha}"
            yield told, "covariance.GraphicalLasso", how, X, None, _objective


def nonnegative_tables(rng: Any) -> Iterator[tuple[str, Any]]:
    """Return sums of parts under noise, sums of few parts, and noise alone."""
    n, d, k = 10_000, 200, 15
    W, H = rng.gamma(1, 1, (n, k)), rng.gamma(1, 1, (k, d))
    yield "parts", W @ H + 0.5 * rng.gamma(1, 1, (n, d))
    thin = W * (rng.random((n, k)) < 0.3), H * (rng.random((k, d)) < 0.3)
    yield "few parts", thin[0] @ thin[1] + 0.1 * rng.random((n, d))
    yield "noise", np.abs(rng.normal(size=(n, d)))


def correlated_tables(rng: Any) -> Iterator[tuple[str, Any]]:
    """Return a chain, eight factors and noise, with features of unit variance."""
    p = 200
    chain = 1.5 * np.eye(p) - 0.5 * np.eye(p, k=1) - 0.5 * np.eye(p, k=-1)
    X = rng.normal(size=(3 * p, p))
    factors = rng.normal(size=(3 * p, 8)) @ rng.normal(size=(8, p)) + 2 * X
    for name, found in (
        ("chain", X @ np.linalg.cholesky(np.linalg.inv(chain)).T),
        ("factors", factors),
        ("noise", rng.normal(size=(3 * p, p))),
    ):
        yield name, (found - found.mean(axis=0)) / found.std(axis=0)


def _error(model: Any, X: Any, y: Any) -> float:
    return float(model.reconstruction_err_)


def _last(model: Any, X: Any, y: Any) -> float:
    return float(model.error_[-1])


def _objective(model: Any, X: Any, y: Any) -> float:
    precision = model.precision_
    off = np.abs(precision).sum() - np.trace(precision)
    value = (X.T @ X / len(X) * precision).sum() + model.alpha * off
    return float(value - np.linalg.slogdet(precision)[1])


def timed(fit: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of a fit, and what was fitted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        model = fit()
        return time.perf_counter() - start, model


def to_error(how: dict[str, Any], X: Any, goal: float) -> float:
    """Return the seconds of the first of more and more iterations that reach it."""
    from infimum import NMF

    for most in (*range(10, 60, 10), *range(60, 201, 20)):
        spent, model = timed(_fit(NMF, {**how, "max_iter": most}, X, None))
        if model.reconstruction_err_ <= goal:
            return spent
    return float("inf")


def _fit(kind: Any, how: dict[str, Any], X: Any, y: Any) -> Callable[[], Any]:
    model = kind(**how)
    if kind.__name__ == "SparseCoder":
        return lambda: model.fit(X).transform(X)
    return lambda: model.fit(X) if y is None else model.fit(X, y)


def main(parts: list[str] | None = None) -> int:
    """Print a line for each row, and the geometric mean of the ratios."""
    ratios = []
    for name, kind, how, X, y, quality in rows():
        if parts and not any(part in f"{kind} {name}" for part in parts):
            continue
        room, _, called = kind.partition(".")
        seconds: list[list[float]] = [[], []]
        told = ["", ""]
        for _ in range(ROUNDS + 1):
            for side, package in enumerate(("infimum.dropin", "sklearn")):
                found = getattr(importlib.import_module(f"{package}.{room}"), called)
                spent, model = timed(_fit(found, how, X, y))
                seconds[side].append(spent)
                told[side] = f"{quality(model, X, y):.6g}" if quality else ""
            if sum(map(sum, seconds)) > 20.0:
                break
        # The first round warms up.
        ours, theirs = (float(np.median(each[1:] or each)) for each in seconds)
        ratios.append(theirs / ours)
        sys.stdout.write(
            f"{called:24} {name:28} {1e3 * ours:9.2f} ms {1e3 * theirs:9.2f} ms "
            f"{theirs / ours:7.2f}  {' '.join(told)}\n"
        )
        if name.startswith("10,000"):
            least = to_error(how, X, float(told[1]))
            sys.stdout.write(
                f"{'':24} to the peer's error: {1e3 * least:.2f} ms, "
                f"{theirs / least:.2f}\n"
            )
        sys.stdout.flush()
    mean = float(np.exp(np.log(ratios).mean()))
    sys.stdout.write(f"geometric mean {mean:.2f}, least {min(ratios):.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
