"""Proxies: which columns tell the group, and what dropping the group leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.fairness.rates import GroupRates, _columns, group_rates
from infimum.models.linear import LogisticRegression
from infimum.typing import Matrix

__all__ = ["Proxy", "ProxyAudit", "association", "proxy_audit"]

_FEW_VALUES, _TOLD, _SHOWN = 2, 0.1, 3


@dataclass(frozen=True)
class Proxy(PlainRecord):
    """How much a column tells about the group: 0 is nothing, 1 is everything."""

    column: str
    association: float


@dataclass(frozen=True)
class ProxyAudit(PlainRecord, told=("sentence",)):
    """Which columns give the group away.

    Attributes
    ----------
    proxies : tuple of Proxy
        The strongest first.
    with_group, without_group : tuple of GroupRates
        How a logistic regression decides with the group among its columns and without;
        empty if no truth was given.
    """

    proxies: tuple[Proxy, ...]
    with_group: tuple[GroupRates, ...] = ()
    without_group: tuple[GroupRates, ...] = ()

    @property
    def sentence(self) -> str:
        """What the columns tell, and what dropping the group leaves."""
        told = [each for each in self.proxies if each.association > _TOLD]
        names = ", ".join(
            f"{each.column} ({each.association:.2f})" for each in told[:_SHOWN]
        )
        said = f"The group shows in {names}." if names else "No column shows the group."
        if not self.without_group:
            return said
        before, after = _spread(self.with_group), _spread(self.without_group)
        return (
            f"{said} Selection rates differ by {100 * before:.0f} points with the "
            f"group among the columns, and still by {100 * after:.0f} without it."
        )


def proxy_audit(
    X: Any,
    groups: ArrayLike,
    y: ArrayLike | None = None,
    *,
    names: Sequence[str] | None = None,
    favourable: Any = 1,
) -> ProxyAudit:
    """Measure how well each column tells the group, and what dropping the group does.

    Parameters
    ----------
    X : table, mapping or array of shape (n, d)
        The columns without the group itself; numbers or categories.
    groups : array-like of shape (n,)
    y : array-like of shape (n,), optional
        A truth to learn: then a model is fitted with and without the group.
    names : sequence of str, optional
        Names of the columns of an array.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.fairness import proxy_audit
    >>> rng = np.random.default_rng(0)
    >>> group = rng.integers(0, 2, 2000)
    >>> zip_code = np.where(rng.random(2000) < 0.9, group, 1 - group)
    >>> income = zip_code + rng.standard_normal(2000)
    >>> repaid = (income > 0.5).astype(int)
    >>> found = proxy_audit({"zip": zip_code, "income": income}, group, repaid)
    >>> [(each.column, round(each.association, 1)) for each in found.proxies]
    [('zip', 0.8), ('income', 0.4)]
    """
    table = _named(X, names)
    kinds = np.asarray(groups)
    kinds = kinds.astype(str) if kinds.dtype == object else kinds
    if not table or any(len(values) != len(kinds) for values in table.values()):
        raise DataError("proxy_audit needs columns with a value for each group label.")
    if len(np.unique(kinds)) < _FEW_VALUES:
        raise DataError("proxy_audit needs at least 2 groups.")
    found = [Proxy(name, association(values, kinds)) for name, values in table.items()]
    ordered = tuple(sorted(found, key=lambda each: -each.association))
    if y is None:
        return ProxyAudit(ordered)
    chosen, names_of, true = _columns(y, kinds, y, favourable)
    if chosen.all() or not chosen.any():
        raise DataError("proxy_audit needs a truth with two outcomes.")
    others = np.column_stack([_encoded(values) for values in table.values()])
    both = np.column_stack([others, _encoded(kinds.astype(str))])
    rates = [
        group_rates(
            LogisticRegression().fit(design, true).predict(design),
            names_of,
            true,
            favourable=True,
        )
        for design in (both, others)
    ]
    return ProxyAudit(ordered, *rates)


def association(values: ArrayLike, groups: ArrayLike) -> float:
    r"""Return how strongly a column depends on the group, from 0 to 1.

    Of numbers it is the correlation ratio, the root of the share of their variance
    that lies between groups (|correlation| for two groups); of categories Cramér's V.

    Examples
    --------
    >>> from infimum.fairness import association
    >>> association([1.0, 2.0, 1.0, 2.0], ["a", "a", "b", "b"])
    0.0
    >>> round(association(["x", "x", "y", "y"], ["a", "a", "b", "b"]), 6)
    1.0
    """
    told = np.asarray(values)
    codes = np.unique(np.asarray(groups), return_inverse=True)[1]
    if told.dtype.kind not in "biuf":
        return _cramer(told.astype(str), codes)
    numbers = told.astype(np.float64)
    known = np.isfinite(numbers)
    numbers, codes = numbers[known], codes[known]
    total = float(np.var(numbers)) if len(numbers) else 0.0
    if total == 0.0:
        return 0.0
    counts = np.bincount(codes)
    sums = np.bincount(codes, numbers - numbers.mean())
    between = float(np.sum(sums**2 / np.maximum(counts, 1)) / len(numbers))
    return float(np.sqrt(min(1.0, between / total)))


def _cramer(words: NDArray[Any], codes: NDArray[Any]) -> float:
    places = np.unique(words, return_inverse=True)[1]
    table = np.zeros((places.max() + 1, codes.max() + 1))
    np.add.at(table, (places, codes), 1.0)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(words)
    seen = expected > 0
    squared = float(np.sum((table - expected)[seen] ** 2 / expected[seen]))
    least = min(table.shape) - 1
    return float(np.sqrt(squared / (len(words) * least))) if least > 0 else 0.0


def _named(X: Any, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    if isinstance(X, Mapping):
        return {str(name): np.asarray(values) for name, values in X.items()}
    if hasattr(X, "columns"):
        return {str(name): np.asarray(X[name]) for name in X.columns}
    table = np.asarray(X)
    if table.ndim != 2:  # noqa: PLR2004
        raise DataError(f"proxy_audit needs a table, got shape {table.shape}.")
    told = [f"column {j}" for j in range(table.shape[1])] if names is None else names
    return dict(zip(told, table.T, strict=True))


def _encoded(values: NDArray[Any]) -> Matrix:
    """Return a column as standardised numbers, or a column for each category."""
    if values.dtype.kind in "biuf":
        numbers = values.astype(np.float64)
        scale = numbers.std() or 1.0
        return np.asarray((numbers - numbers.mean()) / scale)[:, None]
    words = values.astype(str)
    return np.asarray(words[:, None] == np.unique(words), dtype=np.float64)


def _spread(counted: tuple[GroupRates, ...]) -> float:
    rates = [each.rates["selection rate"].value for each in counted]
    return max(rates) - min(rates)
