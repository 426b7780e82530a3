"""A risk in the auditor's terms: names, parameters and a dual point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from infimum.certificates.auditor import Audit, audit
from infimum.certificates.certificate import Certificate
from infimum.certificates.duality_gap import lower_bound
from infimum.certificates.feasibility import balance, repair
from infimum.data.designs import as_design, centred
from infimum.losses import (
    Absolute,
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Loss,
    Poisson,
    Quantile,
    Softmax,
    Squared,
    SquaredHinge,
    VectorLoss,
)
from infimum.objectives import LinearRisk
from infimum.penalties import (
    Box,
    ElasticNet,
    GroupLasso,
    Lasso,
    NonNegative,
    NoPenalty,
    Penalty,
    Ridge,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "AUDITED",
    "Values",
    "audit_kernel",
    "audit_linear",
    "described_loss",
    "described_penalty",
    "proposed_slopes",
]

#: How a certificate says that it was made by the auditor.
AUDITED = "audited, rounding counted"
#: A larger Gram matrix is not factorised to prove that it is semi-definite.
LARGEST_GRAM = 5_000
_LOSSES: dict[type[Loss | VectorLoss], str] = {
    Squared: "squared",
    Absolute: "absolute",
    Quantile: "quantile",
    Huber: "huber",
    EpsilonInsensitive: "epsilon_insensitive",
    Logistic: "logistic",
    Softmax: "softmax",
    Hinge: "hinge",
    SquaredHinge: "squared_hinge",
    Poisson: "poisson",
}
_PENALTIES: dict[type[Penalty], str] = {
    NoPenalty: "none",
    Ridge: "ridge",
    Lasso: "lasso",
    ElasticNet: "elastic_net",
    GroupLasso: "group_lasso",
    Box: "box",
}


def described_loss(loss: Loss | VectorLoss) -> dict[str, Any]:
    """Return the auditor's name and parameters of a loss."""
    return {"name": _LOSSES.get(type(loss), type(loss).__name__), **asdict(loss)}  # type: ignore[call-overload]


def described_penalty(penalty: Penalty) -> dict[str, Any]:
    """Return the auditor's name and parameters of a penalty."""
    if isinstance(penalty, NonNegative):
        return {"name": "box", "low": 0.0, "high": np.inf}
    name = _PENALTIES.get(type(penalty), type(penalty).__name__)
    return {"name": name, **asdict(penalty)}  # type: ignore[call-overload]


def audit_linear(
    X: Any,
    y: Vector,
    loss: Loss | VectorLoss,
    penalty: Penalty,
    coef: Vector,
    intercept: Any,
    *,
    weights: Vector | None = None,
    offset: Vector | None = None,
    slopes: Vector | None = None,
    tolerance: float = 1e-6,
) -> Certificate:
    """Certify coefficients of the samples as they were given, with rounding counted.

    The dual point is found in double precision on centred samples, and checked by the
    auditor on those of the user: what is stored is what is proved.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    loss, penalty : Loss or VectorLoss, Penalty
    coef, intercept : array of shape (n_features,) or (n_features, n_scores), float
        The point; an intercept of None is no intercept.
    weights, offset, slopes : array of shape (n_samples,), optional
        Weights, known parts of the scores, and slopes that may help to prove it.
    tolerance : float
        The relative gap to prove.

    Examples
    --------
    >>> from infimum.losses import Squared
    >>> from infimum.penalties import Ridge
    >>> X, y = np.array([[0.0], [1.0]]), np.array([0.0, 2.0])
    >>> proof = audit_linear(X, y, Squared(), Ridge(0.25), np.array([1.0]), 0.5)
    >>> proof.closed, proof.reason
    (True, 'audited, rounding counted')
    """
    X = (X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)).astype(np.float64)
    if weights is not None and not weights.all():  # a weight of 0 is no copy at all
        kept = np.flatnonzero(weights)
        X, y, weights = X[kept], y[kept], weights[kept]
        offset = None if offset is None else offset[..., kept]
    n, free = X.shape[0], intercept is not None
    shares = np.ones(n) / n if weights is None else weights / weights.sum()
    design, last = as_design(X), np.zeros(coef.shape[1:])
    if free:
        design, means = centred(design, shares)
        last = intercept + means @ coef
    risk = LinearRisk(design, y, loss, penalty, weights, offset, intercept=free)
    point = np.concatenate([coef, np.reshape(last, (1, *coef.shape[1:]))])
    case: dict[str, Any] = {"coef": coef, "intercept": intercept}
    case |= {} if weights is None else {"weights": weights}
    case |= {} if offset is None else {"offset": offset.T}
    found = audit(
        X,
        y,
        loss=described_loss(loss),
        penalty=described_penalty(penalty),
        slopes=proposed_slopes(risk, point, slopes),
        tolerance=tolerance * risk.scale,
        **case,
    )
    return _certificate(found, risk.scale, tolerance)


def proposed_slopes(
    risk: LinearRisk, point: Vector, slopes: Vector | None = None
) -> Vector:
    """Return feasible slopes, up to rounding, that prove much about a point."""
    tried = [] if slopes is None else [_feasible(risk, slopes)]
    if slopes is None or risk.loss.smooth:
        tried.append(_feasible(risk, risk.evaluate(point).slopes))
    return tried[0] if len(tried) == 1 else max(tried, key=partial(lower_bound, risk))


def _feasible(risk: LinearRisk, slopes: Vector) -> Vector:
    slopes = balance(risk, slopes)
    pulled = risk.design.pull_back((slopes.T * risk.weights).T)
    correlation = -np.asarray(pulled, dtype=np.float64)
    scale = risk.penalty.dual_scale(correlation)
    if scale > 0.0:
        return scale * slopes
    mended = repair(risk, slopes, correlation)
    if mended is None:
        return slopes
    return risk.penalty.dual_scale(mended[1]) * mended[0]


class Values(NamedTuple):
    """Values of a kernel between all samples and some, and how wrong they can be.

    With a `blur` g, each is within gᵢgⱼ of a kernel. Without, values between all
    samples are the data.
    """

    matrix: Matrix
    blur: Vector | None = None


def audit_kernel(
    compute: Callable[[Indices], Values],
    y: Vector,
    loss: Loss | VectorLoss,
    strength: float,
    coef: Vector,
    intercept: Any,
    *,
    weights: Vector | None = None,
    tolerance: float = 1e-6,
) -> Certificate:
    """Certify the coefficients of f = Σ cᵢ k(xᵢ, ·) by the values of a kernel.

    `compute` returns them between all samples and those with coefficients; it is not
    called for too many samples. What is minimised is the mean loss of f + b plus
    strength/2·‖f‖²; other arguments as in `audit_linear`. Slopes are those that the
    coefficients stand for, and those at the scores; the better bound counts.
    """
    n, free = len(y), intercept is not None
    if n > LARGEST_GRAM or not strength > 0.0:
        large = f"a Gram matrix of {n:,} samples is too large"
        reason = f"{AUDITED}; {large if strength else 'nothing has a price'}"
        return Certificate(np.inf, -np.inf, 1.0, tolerance, reason)
    prices = np.ones(n) / n if weights is None else weights / weights.sum()
    design, price = as_design(np.zeros((n, 1))), Ridge(strength)
    risk = LinearRisk(design, y, loss, price, weights, None, free)
    members = _used(coef)
    values = compute(members)
    members = np.arange(n) if values.blur is None else members
    scores = values.matrix @ coef[members] + (intercept if free else 0.0)
    case: dict[str, Any] = {"loss": described_loss(loss)}
    case["penalty"] = described_penalty(price)
    case |= {"intercept": intercept, "gram": True}
    case |= {} if weights is None else {"weights": weights}
    case["tolerance"] = tolerance * risk.scale
    found, stood = Audit(), (-strength * coef.T / np.where(prices > 0, prices, 1.0)).T
    for tried in (stood, loss.derivative(y, scores)):
        slopes = balance(risk, tried)
        if not np.isin(_used(slopes), members).all():
            members = np.arange(n)
            values = compute(members)
        if values.blur is not None:
            case |= {"blur": values.blur, "members": members}
        other = audit(values.matrix, y, coef=coef[members], slopes=slopes, **case)
        found = max(found, other, key=lambda each: each.lower)
        if found.verdict == "proved":
            break
    return _certificate(found, risk.scale, tolerance)


def _used(coef: Vector) -> Indices:
    """Return the samples with coefficients, at least one."""
    found = np.flatnonzero(coef.reshape(len(coef), -1).any(axis=1))
    return found if len(found) else np.zeros(1, dtype=np.int64)


def _certificate(found: Audit, scale: float, tolerance: float) -> Certificate:
    why = found.reason
    if found.verdict == "open" and not why:
        why = f"{found.slack:.1e} of the gap is rounding"
    reason = f"{AUDITED}; {why}".removesuffix("; ")
    return Certificate(found.upper, found.lower, scale, tolerance, reason)
