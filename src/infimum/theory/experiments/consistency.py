"""Consistency, seen: how often the excess risk is large, for growing samples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.parameters import check_domain, positive, whole
from infimum.theory.classes import HypothesisClass
from infimum.theory.experiments._law import JointLaw
from infimum.theory.experiments.excess_risk import _empirical, _placed, _risks
from infimum.theory.intervals import clopper_pearson
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Vector

__all__ = [
    "ConsistencyCurve",
    "MemorizingClassifier",
    "Symmetrization",
    "consistency_curve",
    "symmetrization",
]


@dataclass(frozen=True)
class ConsistencyCurve(PlainRecord):
    """For each sample size, how often the excess risk exceeded `epsilon`.

    `low` and `high` are exact 95 % intervals of the true probabilities; `excess` is
    the mean excess risk.
    """

    sizes: tuple[int, ...]
    shares: Vector
    low: Vector
    high: Vector
    excess: Vector
    epsilon: float


def consistency_curve(
    learner: Callable[[Any, Any], ArrayLike],
    law: JointLaw,
    sizes: Sequence[int],
    *,
    epsilon: float = 0.05,
    best: float | None = None,
    repetitions: int = 200,
    random_state: int = 0,
) -> ConsistencyCurve:
    r"""Estimate :math:`P(R(f_n) - R^* > \varepsilon)` for growing n under a known law.

    Parameters
    ----------
    learner : callable
        Takes positions of inputs and their labels; returns a label for every input of
        the law.
    best : float, optional
        The risk to compare with; None is the Bayes risk, the best risk of a class
        gives consistency with respect to the class.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.study.probability import JointTable
    >>> from infimum.theory import consistency_curve
    >>> law = JointTable.of([0.5, 0.5], [0.3, 0.7])
    >>> def majority(places, labels):
    ...     votes = np.bincount(places, 2 * labels - 1, minlength=2)
    ...     return (votes > 0).astype(int)
    >>> found = consistency_curve(majority, law, [5, 500])
    >>> bool(found.shares[0] > 0.2), float(found.shares[1])
    (True, 0.0)
    """
    check_domain("consistency_curve's epsilon", epsilon, positive)
    check_domain("consistency_curve's repetitions", repetitions, whole(1))
    target = law.risk(law.bayes_rule()) if best is None else best
    generator = np.random.default_rng(random_state)
    found = np.array(
        [
            [law.risk(learner(*law.sample(n, generator))) for _ in range(repetitions)]
            for n in sizes
        ]
    )
    above = (found - target > epsilon).sum(axis=1)
    ends = [clopper_pearson(int(count), repetitions) for count in above]
    return ConsistencyCurve(
        sizes=tuple(int(n) for n in sizes),
        shares=above / repetitions,
        low=np.array([each.low for each in ends]),
        high=np.array([each.high for each in ends]),
        excess=found.mean(axis=1) - target,
        epsilon=epsilon,
    )


@dataclass(frozen=True)
class Symmetrization(PlainRecord, told=("holds",)):
    """Both sides of the symmetrisation lemma, by simulation.

    `deviation` is the share of samples with sup |R - R_n| > ε; `ghost` that of pairs
    of samples with sup |R_n - R'_n| > ε/2. The lemma needs n ε² ≥ 2 (`applies`).
    """

    deviation: float
    ghost: float
    applies: bool

    @property
    def holds(self) -> bool:
        """Whether deviation <= 2 ghost, as seen."""
        return self.deviation <= 2 * self.ghost


def symmetrization(
    law: JointLaw,
    hypotheses: HypothesisClass,
    n: int,
    epsilon: float,
    *,
    points: ArrayLike | None = None,
    repetitions: int = 500,
    random_state: int = 0,
) -> Symmetrization:
    """Compare a deviation from the truth with one from a second, ghost sample.

    Examples
    --------
    >>> from infimum.study.probability import JointTable
    >>> from infimum.theory import Thresholds, symmetrization
    >>> law = JointTable.of([0.1] * 10, [0.5] * 10)
    >>> symmetrization(law, Thresholds(), 100, 0.15).holds
    True
    """
    check_domain("symmetrization's n", n, whole(1))
    check_domain("symmetrization's epsilon", epsilon, positive)
    listed = hypotheses.patterns(_placed(law, points)) > 0
    true = _risks(listed, law.probabilities)
    generator = np.random.default_rng(random_state)
    far = apart = 0
    for _ in range(repetitions):
        one, two = (
            _risks(listed, _empirical(law, law.sample(n, generator))) for _ in range(2)
        )
        far += bool(np.abs(true - one).max() > epsilon)
        apart += bool(np.abs(one - two).max() > epsilon / 2)
    needed = n * epsilon * epsilon >= 2  # noqa: PLR2004
    return Symmetrization(far / repetitions, apart / repetitions, needed)


class MemorizingClassifier:
    """The learner that knows its training rows and nothing else.

    It answers `default` everywhere else, so that its training error is 0 and its true
    error that of a constant: the law of large numbers does not hold for functions that
    were chosen after the rows.

    Examples
    --------
    >>> from infimum.theory import MemorizingClassifier
    >>> MemorizingClassifier().fit([[0.7]], [1]).predict([[0.7], [0.8]]).tolist()
    [1, -1]
    """

    def __init__(self, default: Any = -1) -> None:
        self.default = default

    def fit(self, X: ArrayLike, y: ArrayLike) -> "MemorizingClassifier":
        """Remember the rows; of equal rows the last label."""
        rows = np.asarray(X, dtype=np.float64)
        keys = (row.tobytes() for row in rows.reshape(len(rows), -1))
        self.known_ = dict(zip(keys, np.asarray(y).tolist(), strict=True))
        return self

    def predict(self, X: ArrayLike) -> Any:
        """Return the remembered label, or the default."""
        rows = np.asarray(X, dtype=np.float64)
        keys = (row.tobytes() for row in rows.reshape(len(rows), -1))
        return np.array([self.known_.get(key, self.default) for key in keys])
