"""What the norms of a network's layers prove about its error, vacuous or not."""

from dataclasses import replace
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.data.doors import check_fitted
from infimum.errors import IncompatibleError
from infimum.theory.guarantee import Guarantee
from infimum.theory.margin_bounds import rademacher_guarantee

__all__ = ["network_guarantee"]


def network_guarantee(
    model: Any,
    X: Any,
    y: ArrayLike,
    confidence: float = 0.95,
    *,
    comparisons: int = 1,
) -> Guarantee:
    r"""Bound the error rate of a network of ReLU units by its training margins.

    With a constant feature 1 that each layer hands on, biases are weights. Networks of
    L layers whose Frobenius norms have the product Λ have the Rademacher complexity

    .. math:: \hat R \le \frac{Λ(\sqrt{2 L\log 2} + 1)}{n}\sqrt{\sum_i (\|x_i\|^2 + 1)}

    which takes the place of that of a ball in `rademacher_guarantee`. Layers may be
    scaled against each other, so only the product counts. Networks of ordinary size
    have bounds far above 1; they are told as vacuous.

    Parameters
    ----------
    model : MLPClassifier
        Fitted, of two classes, with activation 'relu' or 'identity'.
    X, y : the rows the model was fitted on.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.neural import MLPClassifier
    >>> X = np.repeat([[-1.0], [1.0]], 100, axis=0)
    >>> y = np.repeat([0, 1], 100)
    >>> model = MLPClassifier((4,), solver="lbfgs", random_state=0).fit(X, y)
    >>> found = network_guarantee(model, X, y)
    >>> found.estimate, found.vacuous
    (0.0, True)

    References
    ----------
    N. Golowich, A. Rakhlin and O. Shamir (2018), Size-independent sample complexity of
    neural networks, COLT; theorem 1.
    """
    check_fitted(model, "coefs_")
    _refuse_others(model)
    rows = np.asarray(X, dtype=np.float64)
    scores, norm = rows, 1.0
    last = len(model.coefs_) - 1
    for place, (W, b) in enumerate(zip(model.coefs_, model.intercepts_, strict=True)):
        handed_on = 0.0 if place == last else 1.0
        norm *= sqrt(float(np.sum(W**2) + np.sum(b**2)) + handed_on)
        scores = scores @ W + b
        if place != last and model.activation == "relu":
            scores = np.maximum(scores, 0.0)
    signs = np.where(np.asarray(y) == model.classes_[1], 1.0, -1.0)
    found = rademacher_guarantee(
        signs * scores[:, 0],
        norm * (sqrt(2.0 * log(2.0) * len(model.coefs_)) + 1.0),
        np.sum(rows**2, axis=1) + 1.0,
        confidence,
        comparisons=comparisons,
    )
    return replace(found, method="norms of a network's layers")


def _refuse_others(model: Any) -> None:
    if len(getattr(model, "classes_", ())) != 2 or model.n_outputs_ != 1:  # noqa: PLR2004
        raise IncompatibleError(
            "network_guarantee needs a classifier of two classes; the bound has no "
            "form for more here."
        )
    if model.activation not in ("relu", "identity"):
        raise IncompatibleError(
            "network_guarantee needs activation 'relu' or 'identity', which scaling "
            f"passes through, got {model.activation!r}."
        )
