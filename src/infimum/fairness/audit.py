"""The audit: all criteria at once, with baselines and what cannot be had together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.errors import IncompatibleError
from infimum.evaluation import CalibrationCurve, PlainRecord, calibration_curve
from infimum.fairness.disparity import Disparity, disparity
from infimum.fairness.flips import FlipAudit, flip_audit
from infimum.fairness.impossibility import Impossibility, impossibility
from infimum.fairness.proxies import ProxyAudit, proxy_audit
from infimum.fairness.rates import GroupRates, _columns, group_rates

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from plotly.graph_objects import Figure

__all__ = ["QUESTIONS", "Audit", "audit", "calibration_by_group"]

#: What measurement cannot answer; people have to.
QUESTIONS = (
    (
        "Which notion of fairness fits the decision: equal shares, equal errors, or "
        "equal meaning of a decision?"
    ),
    "How much accuracy may fairness cost, and who bears the cost?",
    "May chance decide about people where only a randomised rule is fair?",
    "Are truth and features measured alike in all groups?",
)

_ALL = (
    "demographic parity",
    "equal opportunity",
    "predictive equality",
    "equalised odds",
    "predictive parity",
    "conditional use accuracy",
)


@dataclass(frozen=True)
class Audit(PlainRecord):
    """What decisions look like from every side of group fairness.

    Attributes
    ----------
    groups : tuple of GroupRates
    disparities : tuple of Disparity
        One a criterion.
    baselines : dict
        The same criteria for two extreme rules on the same rows: "constant", which
        decides favourably always, and "attribute", which decides favourably for the
        first group only.
    impossibility : Impossibility or None
        None without a truth.
    questions : tuple of str
        What is left to people.
    overall : GroupRates or None
        The rates of all rows together: a small group hardly shows in them.
    proxies : ProxyAudit or None
        Which columns tell the group, if columns were given.
    flips : FlipAudit or None
        What a model says with only the group changed, if a model was given.
    """

    groups: tuple[GroupRates, ...]
    disparities: tuple[Disparity, ...]
    baselines: dict[str, tuple[Disparity, ...]]
    impossibility: Impossibility | None
    questions: tuple[str, ...] = QUESTIONS
    overall: GroupRates | None = None
    proxies: ProxyAudit | None = None
    flips: FlipAudit | None = None

    def __getitem__(self, criterion: str) -> Disparity:
        return next(each for each in self.disparities if each.criterion == criterion)

    def plot(self) -> Figure:
        """Draw the rates of every group with their intervals.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from infimum.theory.pictures import COLORS, blank_figure

        names = list(self.groups[0].rates)
        height = 160 + 30 * len(names) * max(1, len(self.groups) // 2)
        figure = blank_figure("rate", "", height=height)
        for place, group in enumerate(self.groups):
            rates = [group.rates[name] for name in names]
            figure.add_scatter(
                x=[rate.value for rate in rates],
                y=names,
                name=f"{group.name} ({group.n:,})",
                mode="markers",
                marker={"size": 9, "color": COLORS[place % len(COLORS)]},
                error_x={
                    "array": [rate.high - rate.value for rate in rates],
                    "arrayminus": [rate.value - rate.low for rate in rates],
                },
            )
        figure.update_layout(scattermode="group")
        return figure


def audit(
    decisions: ArrayLike,
    groups: ArrayLike,
    y: ArrayLike | None = None,
    *,
    favourable: Any = 1,
    confidence: float = 0.95,
    X: Any = None,
    model: Any = None,
    attribute: Any = None,
) -> Audit:
    """Measure decisions against every criterion, beside two extreme rules.

    No model is needed: decisions of people are audited the same way. Without a truth
    only independence can be measured.

    Parameters
    ----------
    decisions, groups, y, favourable, confidence : see `group_rates`
    X : table or array, optional
        The columns that decided: which of them tell the group?
    model : classifier with predict_proba, optional
        What does it say about the rows of X with only the group changed?
    attribute : name or position, optional
        The column of X that holds the group, which `model` needs.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.fairness import audit
    >>> rng = np.random.default_rng(0)
    >>> group = rng.choice(["a", "b"], 2000)
    >>> y = (rng.random(2000) < np.where(group == "a", 0.6, 0.3)).astype(int)
    >>> found = audit(y, group, y)
    >>> found["equalised odds"].difference, found["demographic parity"].proved
    (0.0, True)
    >>> found.impossibility.proved
    True
    """
    if model is not None and (X is None or attribute is None):
        raise IncompatibleError("audit of a model needs X and the attribute in it.")
    options = {"favourable": favourable, "confidence": confidence}
    counted = group_rates(decisions, groups, y, **options)
    _, names, _ = _columns(decisions, groups, y, favourable)
    other = "unfavourable" if favourable != "unfavourable" else "no"
    constant = np.full(len(names), favourable, dtype=object)
    by_group = np.where(names == np.unique(names)[0], constant, other)
    return Audit(
        groups=counted,
        disparities=_disparities(counted, confidence),
        baselines={
            name: _disparities(group_rates(rule, groups, y, **options), confidence)
            for name, rule in (("constant", constant), ("attribute", by_group))
        },
        impossibility=None if y is None else impossibility(counted, confidence),
        overall=group_rates(decisions, np.full(len(names), "all"), y, **options)[0],
        proxies=None if X is None else proxy_audit(_without(X, attribute), groups),
        flips=None if model is None else flip_audit(model, X, attribute),
    )


def _without(X: Any, attribute: Any) -> Any:
    if attribute is None:
        return X
    if hasattr(X, "columns"):
        return X[[name for name in X.columns if name != attribute]]
    return np.delete(np.asarray(X), attribute, axis=1)


def calibration_by_group(
    y: ArrayLike,
    probabilities: ArrayLike,
    groups: ArrayLike,
    *,
    favourable: Any = 1,
    bins: int = 10,
) -> dict[str, CalibrationCurve]:
    """Compare promised with observed frequencies within each group.

    Probabilities that are calibrated in every group mean the same for every group
    (sufficiency); the converse does not hold.

    Examples
    --------
    >>> from infimum.fairness import calibration_by_group
    >>> chances, groups = [0.5, 0.5, 1, 1], ["a", "a", "b", "b"]
    >>> found = calibration_by_group([1, 0, 1, 1], chances, groups)
    >>> {name: curve.expected_error for name, curve in found.items()}
    {'a': 0.0, 'b': 0.0}
    """
    _, names, true = _columns(probabilities, groups, y, favourable)
    promised = np.asarray(probabilities, dtype=np.float64)
    happened = np.asarray(true)
    return {
        str(name): calibration_curve(
            happened[names == name], promised[names == name], bins
        )
        for name in np.unique(names).tolist()
    }


def _disparities(
    counted: tuple[GroupRates, ...], confidence: float
) -> tuple[Disparity, ...]:
    known = _ALL if "base rate" in counted[0].rates else _ALL[:1]
    return tuple(disparity(counted, name, confidence) for name in known)
