"""The excess risk of a fitted function, split by its causes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.theory.classes import HypothesisClass
from infimum.theory.experiments._law import JointLaw
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Mask, Matrix, Vector

__all__ = ["ExcessRisk", "excess_risk", "risk_in_class", "uniform_deviation"]


@dataclass(frozen=True)
class ExcessRisk(
    PlainRecord, told=("approximation", "estimation", "optimisation", "total")
):
    """Four risks, and the three errors between them.

    Attributes
    ----------
    bayes : float
        The risk of the best function of all.
    best : float
        The risk of the best function of the class.
    fitted : float
        The true risk of the function with the least empirical risk.
    returned : float
        The true risk of the function that the optimiser returned.
    """

    bayes: float
    best: float
    fitted: float
    returned: float

    @property
    def approximation(self) -> float:
        """What the class costs: no sample size mends it."""
        return self.best - self.bayes

    @property
    def estimation(self) -> float:
        """What the finite sample costs."""
        return self.fitted - self.best

    @property
    def optimisation(self) -> float:
        """What stopping early costs; it may be negative."""
        return self.returned - self.fitted

    @property
    def total(self) -> float:
        """The excess risk: the sum of the three."""
        return self.returned - self.bayes


def excess_risk(
    law: JointLaw,
    hypotheses: HypothesisClass,
    sample: tuple[ArrayLike, ArrayLike],
    *,
    points: ArrayLike | None = None,
    returned: Any = None,
) -> ExcessRisk:
    """Split the excess risk of empirical risk minimisation, exactly.

    Parameters
    ----------
    law : JointTable
        The law of inputs and labels 0 and 1.
    hypotheses : hypothesis class
    sample : pair of arrays
        Positions of the inputs drawn and their labels, as `law.sample` returns them.
    points : array-like, optional
        Where the inputs lie, as the class sees them; None takes 0, 1, …
    returned : parameters, optional
        What an optimiser returned in place of the minimiser.

    Examples
    --------
    >>> from infimum.study.probability import JointTable
    >>> from infimum.theory import Thresholds, excess_risk
    >>> law = JointTable.of([0.25] * 4, [0.9, 0.1, 0.1, 0.9])
    >>> parts = excess_risk(law, Thresholds(), law.sample(50, 0))
    >>> round(parts.approximation, 3), round(parts.total, 3)
    (0.2, 0.2)
    """
    where = _placed(law, points)
    places, labels = (np.asarray(part, dtype=np.intp) for part in sample)
    best = risk_in_class(law, hypotheses, points)
    fitted = hypotheses.minimize(where[places], labels).parameters
    risks = [
        law.risk(hypotheses.predict(each, where) > 0)
        for each in (fitted, fitted if returned is None else returned)
    ]
    return ExcessRisk(law.risk(law.bayes_rule()), best, *risks)


def risk_in_class(
    law: JointLaw, hypotheses: HypothesisClass, points: ArrayLike | None = None
) -> float:
    """Return the least true risk in a class: both labels of each input, weighted.

    Examples
    --------
    >>> from infimum.study.probability import JointTable
    >>> from infimum.theory import Thresholds, risk_in_class
    >>> round(risk_in_class(JointTable.of([0.5, 0.5], [0.2, 0.9]), Thresholds()), 3)
    0.15
    """
    where = _placed(law, points)
    both = np.repeat([-1, 1], len(where))
    weights = law.probabilities.T.ravel()
    kept = weights > 0
    twice = np.vstack([where, where])
    return hypotheses.minimize(twice[kept], both[kept], weights[kept]).risk


def uniform_deviation(
    law: JointLaw,
    hypotheses: HypothesisClass,
    sample: tuple[ArrayLike, ArrayLike],
    *,
    points: ArrayLike | None = None,
) -> float:
    """Return the largest gap between true and empirical risk over a whole class.

    Examples
    --------
    >>> from infimum.study.probability import JointTable
    >>> from infimum.theory import Thresholds, uniform_deviation
    >>> law = JointTable.of([0.5, 0.5], [0.0, 1.0])
    >>> uniform_deviation(law, Thresholds(), ([0, 0, 0, 1], [0, 0, 0, 1]))
    0.25
    """
    listed = hypotheses.patterns(_placed(law, points)) > 0
    return _largest_gap(law, listed, _empirical(law, sample))


def _empirical(law: JointLaw, sample: tuple[ArrayLike, ArrayLike]) -> Matrix:
    """Return the law of the sample as a table of the same shape."""
    places, labels = (np.asarray(part, dtype=np.intp) for part in sample)
    counted = np.zeros_like(law.probabilities)
    np.add.at(counted, (places, labels), 1.0)
    if not len(places):
        raise DataError("An empirical risk needs at least one row.")
    return np.asarray(counted / len(places))


def _risks(listed: Mask, table: Matrix) -> Vector:
    """Return P(f(X) ≠ Y) of each labelling under a table."""
    return np.asarray(listed @ table[:, 0]) + np.asarray(~listed @ table[:, 1])


def _largest_gap(law: JointLaw, listed: Any, counted: Matrix) -> float:
    gaps = _risks(listed, law.probabilities) - _risks(listed, counted)
    return float(np.abs(gaps).max())


def _placed(law: JointLaw, points: ArrayLike | None) -> Matrix:
    m, labels = law.probabilities.shape
    given = np.arange(m) if points is None else points
    where: Matrix = np.asarray(given, dtype=np.float64)
    where = where[:, None] if where.ndim == 1 else where
    if len(where) != m or labels != 2:  # noqa: PLR2004
        raise DataError(
            f"A law of {m} inputs and {labels} labels needs {m} points and 2 labels; "
            f"got {len(where)} points."
        )
    return where
