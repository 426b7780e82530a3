"""One warning for numbers too large for their squares, where they do harm.

Looking at every number of a table before each fit would cost a reading of it. Here a
few rows are glanced at and the arithmetic runs; only where it ends in an error, without
a proof, or in numbers that are not finite is the whole table looked at for a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from sklearn.base import ClassifierMixin, is_classifier

from infimum.data.doors import refuse_huge
from infimum.data.short_products import products_of
from infimum.errors import DataError, InfimumError, InvalidParameterError
from infimum.typing import Vector

__all__ = ["affine", "blames_numbers", "blaming_numbers", "refuse_unknown"]

Method = TypeVar("Method", bound=Callable[..., Any])


#: So many rows, evenly spread, are looked at before a fit, and no more numbers than
#: that in a wide table, but these rows at least.
FEW, MOST_NUMBERS, LEAST_ROWS = 256, 50_000, 4
#: Below so many multiplications BLAS works alone without being told.
TINY = 8192


@contextmanager
def blaming_numbers(estimator: Any, X: Any, y: Any) -> Iterator[None]:
    """Run a fit; if it fails because of numbers too large or small, say so briefly."""
    if isinstance(estimator, ClassifierMixin) or is_classifier(estimator):
        y = None  # labels are only names
    refuse_huge(estimator, _some(X), _some(y))
    try:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            yield
    except InfimumError:
        raise
    except Exception:
        refuse_huge(estimator, _numbers(X), _numbers(y))
        raise
    finite = _finite(estimator)
    proof = getattr(estimator, "certificate_", None)
    if not finite or not (proof is None or proof.closed):
        refuse_huge(estimator, _numbers(X), _numbers(y))
    if not finite:
        raise DataError(f"{type(estimator).__name__} {_trouble(estimator)}")


def blames_numbers(fit: Method) -> Method:
    """Make a method `fit` blame numbers that are too large or too small."""

    @wraps(fit)
    def guarded(estimator: Any, X: Any, y: Any, *given: Any, **named: Any) -> Any:
        with blaming_numbers(estimator, X, y):
            return fit(estimator, X, y, *given, **named)

    return guarded  # type: ignore[return-value]


def refuse_unknown(estimator: Any, given: dict[str, Any]) -> None:
    """Raise if a fit was given arguments by names that it does not know."""
    if given:
        raise InvalidParameterError(
            f"{type(estimator).__name__}.fit takes no argument {next(iter(given))!r}."
        )


def affine(estimator: Any, X: Any, coef: Vector, intercept: Any) -> Vector:
    """Return ⟨w, x⟩ + b for every sample and column of weights, or say why not."""
    if hasattr(coef, "toarray"):
        coef = coef.toarray()
    products = int(np.prod(np.shape(X))) * (len(coef) if coef.ndim > 1 else 1)
    alone = nullcontext() if products < TINY else products_of(products)
    with alone, np.errstate(over="ignore", invalid="ignore"):
        scores: Vector = np.asarray(X @ coef.T)
        scores = scores + np.asarray(intercept, dtype=scores.dtype)
    if not np.isfinite(scores).all():
        refuse_huge(estimator, X)
    return scores


def _finite(estimator: Any) -> bool:
    proof = getattr(estimator, "certificate_", None)
    numbers = [] if proof is None else [proof.primal]
    if hasattr(estimator, "coef_"):
        numbers += [estimator.coef_, estimator.intercept_]
    return all(np.isfinite(each).all() for each in numbers)


def _trouble(estimator: Any) -> str:
    """Say what is not finite: the coefficients, or only what they cost."""
    numbers = getattr(estimator, "coef_", np.nan), getattr(estimator, "intercept_", 0.0)
    if all(np.isfinite(each).all() for each in numbers):
        return (
            "found no coefficients of finite risk: what its penalty allows may be out "
            "of reach of these features, or of max_iter."
        )
    return (
        "ends in coefficients that are not finite: the numbers in X are too small "
        "beside those in y; scale the features."
    )


def _some(table: Any) -> Any:
    """Return a few finite numbers of an array: infinite ones are the door's to tell."""
    entries = table.data if hasattr(table, "indptr") else table
    if not isinstance(entries, np.ndarray) or entries.dtype.kind != "f":
        return np.zeros(0)
    entries = np.atleast_1d(entries)
    width = max(1, entries.size // max(1, len(entries)))
    rows = min(max(MOST_NUMBERS // width, LEAST_ROWS), FEW)
    few = entries[:: max(1, len(entries) // rows)]
    return few[np.isfinite(few)]


def _numbers(table: Any) -> Any:
    """Return the numbers of a table in any form; none where it has none."""
    if hasattr(table, "indptr"):
        return table
    try:
        return np.asarray(table, getattr(table, "dtype", np.float64))
    except (TypeError, ValueError):
        return np.zeros(0)
