"""Promises: every bound that holds for a fitted classifier, all at one confidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import lgamma, log, sqrt
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import rel_entr
from sklearn.pipeline import Pipeline

from infimum.errors import DataError, InfimumError
from infimum.parameters import check_domain, opened, whole
from infimum.theory.bounds import ShatteringBound
from infimum.theory.classes import Stumps
from infimum.theory.guarantee import Guarantee, plot_guarantees
from infimum.theory.margin_bounds import margin_guarantee, rademacher_guarantee
from infimum.theory.plain_record import PlainRecord
from infimum.theory.risk_bounds import binomial_guarantee
from infimum.theory.sauer_shelah import log_sauer_shelah

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["Promises", "compression_bound", "log_tree_growth", "promises"]

_TWO = 2
_OF_DATA = ("rbf", "poly", "sigmoid")


@dataclass(frozen=True)
class Promises(PlainRecord, told=("sentence",)):
    """What is proved about the error rate of one classifier.

    Attributes
    ----------
    guarantees : tuple of Guarantee
        The tightest first. All of them hold together with probability `confidence`.
    confidence : float
    refused : dict
        Why other bounds do not apply, by name.
    """

    guarantees: tuple[Guarantee, ...]
    confidence: float
    refused: dict[str, str]

    @property
    def best(self) -> Guarantee | None:
        """The tightest bound, None if no bound applies."""
        return self.guarantees[0] if self.guarantees else None

    @property
    def vacuous(self) -> tuple[Guarantee, ...]:
        """The bounds that say nothing."""
        return tuple(each for each in self.guarantees if each.vacuous)

    @property
    def sentence(self) -> str:
        """What is promised, and what promises nothing."""
        if self.best is None or self.best.vacuous:
            tried = ", ".join(each.method for each in self.guarantees) or "none"
            return f"Nothing is promised about new rows (bounds tried: {tried})."
        empty = ", ".join(each.method for each in self.vacuous)
        rest = f" Vacuous: {empty}." if empty else ""
        return f"{self.best.sentence} It is the {self.best.method}.{rest}"

    def plot(self) -> Figure:
        """Draw what was measured, and how far each proof reaches."""
        return plot_guarantees(self.guarantees)


def promises(
    model: Any,
    X: Any,
    y: ArrayLike,
    unseen: tuple[Any, ArrayLike] | None = None,
    *,
    confidence: float = 0.95,
    comparisons: int = 1,
) -> Promises:
    """Return every bound of the error rate that applies to a fitted classifier.

    The risk of being wrong is shared among the bounds, so that all hold together and
    the best one may be chosen. A bound that chooses its own size on the data (leaves,
    support vectors, a margin) shares its part further.

    Parameters
    ----------
    model : estimator
        A fitted linear, kernel, support vector, tree or stump-boosted classifier, or a
        pipeline that ends in one; what comes before counts as fixed beforehand.
    X, y : the rows it was fitted on
    unseen : pair (X, y), optional
        Rows that it has not seen, the strongest evidence.
    comparisons : int, default=1
        Among how many models this one was chosen by the same rows.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.linear import LogisticRegression
    >>> from infimum.theory import promises
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 40_000)
    >>> X = 0.3 * rng.standard_normal((40_000, 2)) + 2.0 * y[:, None]
    >>> found = promises(LogisticRegression().fit(X, y), X, y, (X[:500], y[:500]))
    >>> [(each.method, each.vacuous) for each in found.guarantees]
    [('Clopper-Pearson', False), ('VC bound, dimension 3', False), \
('Rademacher margin bound', False)]
    """
    check_domain("The confidence of promises", confidence, opened(0, 1))
    check_domain("The comparisons of promises", comparisons, whole(1))
    last = model[-1] if isinstance(model, Pipeline) else model
    labels = np.asarray(y)
    rules = _rules(last) if len(getattr(last, "classes_", ())) == _TWO else {}
    share = comparisons * (len(rules) + (unseen is not None)) or 1
    case = _Case(model, last, X, labels, confidence, share)
    made, refused = [], {}
    if unseen is not None:
        made.append(_on_unseen_rows(case, *unseen))
    for name, rule in rules.items():
        try:
            made.append(rule(case))
        except InfimumError as reason:
            refused[name] = str(reason)
    if not rules:
        refused["training rows"] = _NO_RULE.format(type(last).__name__)
    told = [replace(each, comparisons=comparisons) for each in made]
    ordered = tuple(sorted(told, key=lambda each: each.bound))
    return Promises(ordered, confidence, refused)


_NO_RULE = (
    "{} is no linear, kernel, support vector, tree or stump-boosted classifier of two "
    "classes; only unseen rows can promise something"
)


@dataclass(frozen=True)
class _Case:
    """A model and its training rows; `share` statements share the risk."""

    model: Any
    last: Any
    X: Any
    y: Any
    confidence: float
    share: int

    @property
    def n(self) -> int:
        return len(self.y)

    @property
    def delta(self) -> float:
        return (1 - self.confidence) / self.share

    @property
    def columns(self) -> int:
        return int(self.last.n_features_in_)

    @property
    def wrong(self) -> Any:
        return np.asarray(self.model.predict(self.X)) != self.y


def _rules(last: Any) -> dict[str, Callable[[_Case], Guarantee]]:
    """Return the bounds that may apply, by what the model shows."""
    if hasattr(last, "estimator_weights_"):
        return {"voting margin": _by_votes}
    if hasattr(last, "get_n_leaves"):
        return {"leaves": _by_leaves}
    found: dict[str, Callable[[_Case], Guarantee]] = {}
    # Other machines than SVC are not the same when trained on their vectors alone.
    if type(last).__name__ == "SVC" and hasattr(last, "support_"):
        found["compression"] = _by_compression
    if hasattr(last, "dual_coef_") and getattr(last, "kernel_", None) is not None:
        found["margin"] = _by_margin
    elif hasattr(last, "coef_"):
        found |= {"VC": _by_dimension, "margin": _by_margin}
    return found


def _on_unseen_rows(case: _Case, X: Any, y: ArrayLike) -> Guarantee:
    wrong = np.asarray(case.model.predict(X)) != np.asarray(y)
    return binomial_guarantee(
        int(wrong.sum()), len(wrong), case.confidence, comparisons=case.share
    )


def _by_margin(case: _Case) -> Guarantee:
    return margin_guarantee(
        case.model, case.X, case.y, case.confidence, comparisons=case.share
    )


def _by_dimension(case: _Case) -> Guarantee:
    d = int(np.size(case.last.coef_))
    # Cover's count of half-spaces, below the power of n that the dimension gives.
    bound = ShatteringBound(lambda n: log(2.0) + log_sauer_shelah(n - 1, d))
    return _by_growth(case, bound, case.delta, f"VC bound, dimension {d + 1}")


def _by_leaves(case: _Case) -> Guarantee:
    leaves = int(case.last.get_n_leaves())
    bound = ShatteringBound(lambda n: log_tree_growth(leaves, n, case.columns))
    # Every number of leaves has its own part of δ: they sum to δ over 1, 2, …
    own = case.delta / (leaves * (leaves + 1))
    return _by_growth(case, bound, own, f"shattering bound, {leaves} leaves")


def _by_growth(
    case: _Case, bound: ShatteringBound, delta: float, method: str
) -> Guarantee:
    made = bound.guarantee(case.n, float(np.mean(case.wrong)), 1 - delta)
    return replace(made, method=method, confidence=case.confidence)


def log_tree_growth(leaves: int, n: int, columns: int) -> float:
    r"""Return the logarithm of a bound of the labellings of n points by trees.

    .. math:: N \le C_{L-1}\,(n d)^{L-1}\,2^L

    shapes (Catalan), questions and labels of a binary tree of L leaves on d columns.

    Examples
    --------
    >>> from math import exp
    >>> from infimum.theory import log_tree_growth
    >>> round(exp(log_tree_growth(3, 10, 2)))
    6400
    """
    check_domain("log_tree_growth's leaves", leaves, whole(1))
    questions = leaves - 1
    shapes = lgamma(2 * questions + 1) - 2 * lgamma(questions + 1) - log(leaves)
    return shapes + questions * log(n * columns) + leaves * log(2.0)


def _by_votes(case: _Case) -> Guarantee:
    members, weights = case.last.estimators_, np.asarray(case.last.estimator_weights_)
    if not all(_is_stump(each) for each in members):
        raise DataError("The members are not all stumps.")
    rows = case.model[:-1].transform(case.X) if case.last is not case.model else case.X
    if hasattr(rows, "tocsr") or not np.isfinite(np.asarray(rows, dtype=float)).all():
        raise DataError("Stumps on missing values or sparse rows are not counted.")
    positive = case.last.classes_[1]
    used = weights[: len(members)]
    votes = sum(
        weight * np.where(np.asarray(each.predict(rows)) == positive, 1.0, -1.0)
        for weight, each in zip(used, members, strict=True)
    )
    margins = np.where(case.y == positive, 1.0, -1.0) * votes / np.abs(used).sum()
    # A vote lies in the convex hull of stumps, which has their complexity (Massart).
    reach = sqrt(2 * log(Stumps(case.columns).growth(case.n)))
    made = rademacher_guarantee(
        margins,
        1.0,
        np.ones(case.n),
        case.confidence,
        radius=reach,
        comparisons=case.share,
    )
    return replace(made, method="voting margin bound")


def _is_stump(member: Any) -> bool:
    leaves = getattr(member, "get_n_leaves", None)
    return hasattr(member, "missing_left_") if leaves is None else leaves() <= _TWO


def _by_compression(case: _Case) -> Guarantee:
    last = case.last
    if last.kernel in _OF_DATA and not isinstance(last.gamma, Real):
        raise DataError(f"gamma={last.gamma!r} looks at all rows; give it a number.")
    if getattr(last, "class_weight", None) is not None:
        raise DataError("class_weight looks at all rows.")
    kept = np.ones(case.n, dtype=bool)
    kept[last.support_] = False
    wrong = case.wrong
    bound = compression_bound(
        case.n, int((~kept).sum()), int(wrong[kept].sum()), case.delta
    )
    estimate = float(np.mean(wrong))
    return Guarantee(
        quantity="error rate",
        method=f"compression bound, {int((~kept).sum())} support vectors",
        estimate=estimate,
        bound=max(bound, estimate),
        confidence=case.confidence,
        n=case.n,
        slack=max(bound - estimate, 0.0),
        rows="training rows",
        assumption="rows are drawn independently; the kernel is fixed beforehand",
    )


def compression_bound(n: int, kept: int, errors: int, delta: float) -> float:
    r"""Bound the error of a function that k of the n training rows determine.

    The other n - k rows are a test set for each of the :math:`\binom{n}{k}` choices,
    and the n possible numbers k share δ:

    .. math:: \mathrm{kl}\Bigl(\frac{e}{n-k} \Big\| p\Bigr) \le
        \frac{\log\bigl(n \binom{n}{k} / \delta\bigr)}{n - k}

    A support vector machine is such a function: trained on its support vectors alone
    it is the same.

    Parameters
    ----------
    n : int
    kept : int
        The rows that determine the function.
    errors : int
        Errors on the others.
    delta : float

    Examples
    --------
    >>> from infimum.theory import compression_bound
    >>> round(compression_bound(1000, 10, 0, 0.05), 4)
    0.0624

    References
    ----------
    J. Langford (2005), Tutorial on practical prediction theory for classification,
    JMLR 6.
    """
    check_domain("compression_bound's n", n, whole(1))
    check_domain("compression_bound's kept", kept, whole(0, n))
    check_domain("compression_bound's errors", errors, whole(0, n - kept))
    check_domain("compression_bound's delta", delta, opened(0, 1))
    rest = n - kept
    if errors == rest:
        return 1.0
    choices = lgamma(n + 1) - lgamma(kept + 1) - lgamma(rest + 1)
    most, seen = (log(n) + choices - log(delta)) / rest, errors / rest

    def gap(rate: float) -> float:
        return float(rel_entr(seen, rate) + rel_entr(1 - seen, 1 - rate)) - most

    top = 1 - 1e-15
    return float(brentq(gap, max(seen, 1e-300), top)) if gap(top) > 0 else 1.0
