"""Impossibility: criteria that exclude one another when base rates differ."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.fairness.disparity import _span
from infimum.fairness.rates import GroupRates
from infimum.typing import Matrix

__all__ = ["Impossibility", "impossibility", "table_gaps"]

_STATEMENTS = (
    (
        "Equal selection rates and equal error rates exclude each other for every "
        "decision that depends on the truth."
    ),
    "Equal selection rates and equal predictive values exclude each other.",
    (
        "Equal error rates and equal predictive values exclude each other for every "
        "decision that is sometimes, but not always, wrong."
    ),
)


@dataclass(frozen=True)
class Impossibility(PlainRecord, told=("sentence",)):
    """Whether base rates differ between groups, and what that makes impossible.

    Attributes
    ----------
    difference, low, high : float
        Largest difference of base rates between groups, with its interval.
    proved : bool
        Whether the data prove that base rates differ.
    statements : tuple of str
        What no decision rule can then satisfy; empty if nothing is proved. What does
        not concern the decisions counted is left out: those that are all alike ignore
        the truth, and those without an error may never err.
    """

    difference: float
    low: float
    high: float
    proved: bool
    statements: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What follows, in words."""
        if not self.proved:
            return (
                "The data do not prove that base rates differ between the groups, so "
                "no criterion is known to exclude another."
            )
        return (
            f"Base rates differ by {100 * self.difference:.1f} points (between "
            f"{100 * self.low:.1f} and {100 * self.high:.1f}), so one has to choose: "
            + " ".join(self.statements)
        )


def impossibility(
    counted: tuple[GroupRates, ...], confidence: float = 0.95
) -> Impossibility:
    """State which criteria cannot hold together for groups that were counted.

    If the truth depends on the group, no two of independence, separation and
    sufficiency hold together, apart from decisions that ignore the truth (which have
    independence and separation) and decisions that never err (which have separation
    and sufficiency; so do decisions that always err).

    Parameters
    ----------
    counted : what `group_rates` returns, with a truth.
    """
    if "base rate" not in counted[0].rates:
        raise DataError("Base rates need the truth y beside the decisions.")
    each = 1 - (1 - confidence) / len(counted)
    span = _span("base rate", counted, each)
    proved = bool(span["low"] > 0)
    return Impossibility(
        difference=span["difference"],
        low=span["low"],
        high=span["high"],
        proved=proved,
        statements=_concerning(counted) if proved else (),
    )


def _concerning(counted: tuple[GroupRates, ...]) -> tuple[str, ...]:
    """Return the statements about decisions that depend on the truth, or err."""
    n = sum(group.n for group in counted)
    chosen = sum(group.rates["selection rate"].hits for group in counted)
    wrong = sum(group.rates["error rate"].hits for group in counted)
    said = (0 < chosen < n, True, 0 < wrong < n)
    return tuple(words for words, told in zip(_STATEMENTS, said, strict=True) if told)


def table_gaps(table: ArrayLike) -> dict[str, float]:
    """Return how far a joint law of (group, decision, truth) is from each criterion.

    Parameters
    ----------
    table : array-like of shape (groups, 2, 2)
        Probabilities, by group, decision and truth.

    Returns
    -------
    dict
        The largest difference of the rates between groups for "independence",
        "separation" and "sufficiency", and of the "base rate". Conditions of
        probability 0 ask nothing.

    Examples
    --------
    Deciding by the toss of a coin is independent and separated, never sufficient:

    >>> import numpy as np
    >>> from infimum.fairness import table_gaps
    >>> base = np.array([0.2, 0.6])
    >>> toss = np.stack([(1 - base) / 4, base / 4], axis=-1)[:, None].repeat(2, axis=1)
    >>> {name: round(gap, 6) for name, gap in table_gaps(toss).items()}
    {'independence': 0.0, 'separation': 0.0, 'sufficiency': 0.4, 'base rate': 0.4}
    """
    law: Matrix = np.asarray(table, dtype=np.float64)
    if law.ndim != 3 or law.shape[1:] != (2, 2) or (law < 0).any():  # noqa: PLR2004
        raise DataError(f"table_gaps needs a law of shape (groups, 2, 2), {law.shape}.")
    by_truth = [_gap(law[:, 1, y], law[:, :, y].sum(axis=1)) for y in (0, 1)]
    by_decision = [_gap(law[:, d, 1], law[:, d, :].sum(axis=1)) for d in (0, 1)]
    everyone = law.sum(axis=(1, 2))
    return {
        "independence": _gap(law[:, 1].sum(axis=1), everyone),
        "separation": max(by_truth),
        "sufficiency": max(by_decision),
        "base rate": _gap(law[:, :, 1].sum(axis=1), everyone),
    }


def _gap(part: Matrix, whole: Matrix) -> float:
    possible = whole > 0
    if possible.sum() < 2:  # noqa: PLR2004
        return 0.0
    return float(np.ptp(part[possible] / whole[possible]))
