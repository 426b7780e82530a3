"""Counterfactual fairness: the decision one would have got in the other group."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["LinearCausalModel", "counterfactual_gap"]


@dataclass(frozen=True)
class LinearCausalModel:
    """Variables that are weighted sums of their causes plus noise of their own.

    Attributes
    ----------
    causes : mapping from variable to mapping from cause to weight
        Variables in causal order: a cause comes before its effects.

    Examples
    --------
    >>> from infimum.fairness import LinearCausalModel
    >>> causes = {"group": {}, "job": {"group": 2.0}, "pay": {"job": 3.0}}
    >>> model = LinearCausalModel(causes)
    >>> found = model.counterfactual({"group": [0], "job": [1], "pay": [5]}, "group", 1)
    >>> found["job"], found["pay"]
    (array([3.]), array([11.]))
    """

    causes: Mapping[str, Mapping[str, float]]

    def __post_init__(self) -> None:
        known: set[str] = set()
        for name, parents in self.causes.items():
            missing = set(parents) - known
            if missing:
                raise DataError(
                    f"Causes must come before their effects; {name!r} comes before "
                    f"{sorted(missing)}."
                )
            known.add(name)

    def noise(self, rows: Mapping[str, ArrayLike]) -> dict[str, Vector]:
        """Return what each variable has beyond its causes (abduction)."""
        values = {name: np.asarray(rows[name], float) for name in self.causes}
        return {
            name: values[name] - self._explained(name, values) for name in self.causes
        }

    def counterfactual(
        self, rows: Mapping[str, ArrayLike], variable: str, value: Any
    ) -> dict[str, Vector]:
        """Return the rows as they would be had a variable been different.

        The noise of every row is kept (abduction), the variable is set (action), and
        its effects are computed again (prediction).
        """
        noise = self.noise(rows)
        made: dict[str, Vector] = {}
        for name in self.causes:
            if name == variable:
                made[name] = np.broadcast_to(
                    np.asarray(value, float), noise[name].shape
                ).copy()
            else:
                made[name] = self._explained(name, made) + noise[name]
        return made

    def descendants(self, variable: str) -> set[str]:
        """Return the variables on which this one has an effect, at any distance."""
        found = {variable}
        for name, parents in self.causes.items():
            if found & {parent for parent, weight in parents.items() if weight != 0}:
                found.add(name)
        return found - {variable}

    def _explained(self, name: str, values: Mapping[str, Vector]) -> Any:
        return sum(
            weight * values[cause] for cause, weight in self.causes[name].items()
        )


def counterfactual_gap(
    model: LinearCausalModel,
    rows: Mapping[str, ArrayLike],
    predictor: Callable[[Mapping[str, Vector]], ArrayLike],
    attribute: str,
    values: tuple[float, float] = (0.0, 1.0),
) -> float:
    """Return the largest change of an answer when a row's group is exchanged.

    0 means counterfactual fairness with respect to this causal model, which has to be
    believed: other models of the same data may say otherwise.
    """
    answers = [
        np.asarray(predictor(model.counterfactual(rows, attribute, value)), float)
        for value in values
    ]
    return float(np.abs(answers[0] - answers[1]).max())
