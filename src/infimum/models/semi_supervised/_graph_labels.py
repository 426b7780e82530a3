"""Base of graph label models: the graph, the given values, the proof."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.models.graph._affinity import (
    admit,
    affinity,
    affinity_to,
    coinciding,
    is_given,
    without_loops,
)
from infimum.models.graph._weights import accept_weights
from infimum.models.semi_supervised._label_function import label_function
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import Choice, check_domain, nonnegative, positive, whole
from infimum.typing import Mask, Matrix

__all__ = [
    "appended",
    "check_settings",
    "fit_function",
    "keep_graph",
    "neighbours_mean",
]

HOW = Choice(("exact", "penalized", "constrained"))
WAYS = Choice(("mean", "append"))


def check_settings(model: Any) -> None:
    """Raise unless the parameters of a graph model lie in their domains."""
    owner = type(model).__name__
    check_domain(f"{owner}.how", model.how, HOW)
    check_domain(f"{owner}.strength", model.strength, positive)
    check_domain(f"{owner}.budget", model.budget, nonnegative)
    check_domain(f"{owner}.tol", model.tol, positive)
    check_domain(f"{owner}.max_iter", model.max_iter, whole(1))


def keep_graph(model: Any, X: Any) -> Any:
    """Build and keep the graph of the samples; return its weights without loops."""
    given = model.affinity == "precomputed"
    owner = type(model).__name__
    model.affinity_matrix_ = accept_weights(owner, X) if given else affinity(model, X)
    model._known = None if is_given(model) else X
    return sparse.csr_array(without_loops(model.affinity_matrix_))


def fit_function(model: Any, W: Any, known: Mask, Y: Matrix) -> Matrix:
    """Find the values at all vertices; keep what is proved of them."""
    level = model.budget if model.how == "constrained" else model.strength
    found = label_function(
        W, known, Y, model.how, float(level), float(model.tol), int(model.max_iter)
    )
    if np.isnan(found.values[found.reached]).any():
        raise DataError(
            f"{type(model).__name__}: the equations are singular in double precision, "
            "for weights differ too much from each other or from the strength "
            f"{found.strength:.3g}; raise the strength or drop weights near 0."
        )
    model.error_, model.reached_ = found.error, found.reached
    model.strength_, model.n_iter_ = float(found.strength), max(int(found.n_iter), 1)
    _warn(model, found.error[found.reached], np.abs(Y).max(initial=0.0))
    return found.values


def _warn(model: Any, errors: Any, size: float) -> None:
    owner, lost = type(model).__name__, int(np.count_nonzero(~model.reached_))
    if lost:
        warnings.warn(
            f"{owner}: no label reaches {lost} vertices (reached_).",
            UncertifiedWarning,
            stacklevel=5,
        )
    worst = float(errors.max(initial=0.0))
    # Rounding bounds what can be proved; a hundred times the tolerance is no proof.
    if worst > max(100.0 * model.tol, 1e-6) * max(size, 1e-300):
        warnings.warn(
            f"{owner}: values are proved within {worst:.3g} only; raise max_iter.",
            UncertifiedWarning,
            stacklevel=5,
        )


def neighbours_mean(model: Any, X: Any, values: Matrix, blank: float) -> Matrix:
    """Return the mean of the neighbours' values; a known sample keeps its own."""
    check_fitted(model)
    X = admit(model, X, reset=False)
    rows = affinity_to(model, X, model._known)
    rows = sparse.csr_array(rows)[:, np.flatnonzero(model.reached_)]
    totals = np.asarray(rows.sum(axis=1)).reshape(-1, 1)
    sums = np.asarray(rows @ values[model.reached_])
    out = np.full(sums.shape, blank)
    np.divide(sums, totals, out=out, where=totals > 0)
    same, own = coinciding(model, X)
    out[same] = values[own]
    return out


def appended(model: Any, X: Any) -> Any:
    """Return the samples of the fit with a new one behind them, for a fit again."""
    check_fitted(model)
    X = admit(model, X, reset=False)
    if model._known is None:
        raise DataError(
            f"{type(model).__name__}: how='append' builds the graph again, which takes "
            "samples, not weights."
        )
    stack = sparse.vstack if sparse.issparse(X) else np.vstack
    for i in range(X.shape[0]):
        yield stack([model._known, X[i : i + 1]])
