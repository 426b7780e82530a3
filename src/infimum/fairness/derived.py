"""Derived predictors: a finished classifier made fair without opening it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.fairness.rates import group_rates
from infimum.parameters import Choice, check_domain
from infimum.typing import Mask, Vector

__all__ = ["DerivedPredictor", "derive", "derive_from_rates"]


@dataclass(frozen=True)
class DerivedPredictor(PlainRecord):
    r"""A rule that keeps or overturns a decision with probabilities by group.

    Attributes
    ----------
    keep : dict from group to (float, float)
        :math:`p_{0a}, p_{1a}`: probability of a favourable decision for members of
        group a whose decision was unfavourable, and favourable.
    error_before, error : float
        Error rate of the given decisions and of the derived ones.
    rates : dict from group to (float, float)
        True and false positive rate of the derived decisions.
    """

    keep: dict[str, tuple[float, float]]
    error_before: float
    error: float
    rates: dict[str, tuple[float, float]]

    def choose(self, chosen: ArrayLike, groups: ArrayLike, seed: int = 0) -> Mask:
        """Return the derived decisions; the seed decides for chance."""
        given = np.asarray(chosen, dtype=bool).astype(int)
        names = np.asarray(groups).astype(str)
        chances = np.empty(len(given))
        for name in np.unique(names).tolist():
            if name not in self.keep:
                raise DataError(f"No rule for group {name!r}.")
            here = names == name
            chances[here] = np.asarray(self.keep[name])[given[here]]
        return np.random.default_rng(seed).uniform(size=len(given)) < chances


def derive(
    decisions: ArrayLike,
    y: ArrayLike,
    groups: ArrayLike,
    aim: str = "separation",
    *,
    favourable: Any = 1,
) -> DerivedPredictor:
    """Make decisions fair in hindsight, knowing only decision, group and truth.

    Parameters
    ----------
    decisions, y, groups : array-like of shape (n,)
    aim : {"separation", "opportunity"}, default="separation"
        Equal true and false positive rates, or equal true positive rates only.
    favourable : label, default=1
    """
    counted = group_rates(decisions, groups, y, favourable=favourable)
    if any(not np.isfinite(_two_rates(each)).all() for each in counted):
        raise DataError("Every group needs rows that are positive and that are not.")
    rates = np.array([_two_rates(each) for each in counted])
    n = sum(each.n for each in counted)
    return derive_from_rates(
        rates[:, 0],
        rates[:, 1],
        [each.rates["base rate"].value for each in counted],
        [each.n / n for each in counted],
        aim,
        names=[each.name for each in counted],
    )


def derive_from_rates(
    true_positive_rates: ArrayLike,
    false_positive_rates: ArrayLike,
    base_rates: ArrayLike,
    sizes: ArrayLike,
    aim: str = "separation",
    *,
    names: ArrayLike | None = None,
) -> DerivedPredictor:
    r"""Solve the linear programme of the least error under equal rates.

    The derived rates are linear in the probabilities,
    :math:`\widetilde{TPR}_a = p_{1a} TPR_a + p_{0a}(1 - TPR_a)` and likewise for the
    false positives.

    Parameters
    ----------
    true_positive_rates, false_positive_rates, base_rates, sizes : one number a group
        Sizes are shares of the rows.

    Examples
    --------
    >>> from infimum.fairness import derive_from_rates
    >>> found = derive_from_rates([0.9, 0.6], [0.3, 0.2], [0.5, 0.5], [0.5, 0.5])
    >>> round(found.error_before, 3), round(found.error, 3)
    (0.25, 0.3)
    """
    check_domain("derive's aim", aim, Choice(("separation", "opportunity")))
    tpr, fpr = np.asarray(true_positive_rates, float), np.asarray(false_positive_rates)
    base, share = np.asarray(base_rates, float), np.asarray(sizes, float)
    k = len(tpr)
    # Variables: p_0a of every group, then p_1a.
    hit = np.hstack([np.diag(1 - tpr), np.diag(tpr)])
    alarm = np.hstack([np.diag(1 - fpr), np.diag(fpr)])
    cost = (share * (1 - base)) @ alarm - (share * base) @ hit
    equal = [hit[i] - hit[0] for i in range(1, k)]
    if aim == "separation":
        equal += [alarm[i] - alarm[0] for i in range(1, k)]
    found = linprog(
        cost,
        A_eq=np.array(equal) if equal else None,
        b_eq=np.zeros(len(equal)) if equal else None,
        bounds=(0, 1),
        method="highs-ds",
    )
    keep: Vector = np.clip(np.asarray(found.x), 0.0, 1.0)
    before = float(share @ (base * (1 - tpr) + (1 - base) * fpr))
    labels = [str(i) for i in range(k)] if names is None else list(np.asarray(names))
    return DerivedPredictor(
        keep={
            str(n): (float(keep[i]), float(keep[k + i])) for i, n in enumerate(labels)
        },
        error_before=before,
        error=float(share @ base + cost @ keep),
        rates={
            str(n): (float(hit[i] @ keep), float(alarm[i] @ keep))
            for i, n in enumerate(labels)
        },
    )


def _two_rates(counted: Any) -> Vector:
    names = ("true positive rate", "false positive rate")
    return np.array([counted.rates[name].value for name in names])
