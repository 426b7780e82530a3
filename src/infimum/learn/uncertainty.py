"""How sure the metrics of the exam are: what other draws of the test rows would say."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import bootstrap_distribution
from infimum.learn.scoring import Predictions, measure

__all__ = ["metric_intervals"]

_RESAMPLES, _FEWEST_RESAMPLES, _ROW_BUDGET, _FEWEST_ROWS = 400, 60, 2_000_000, 5


def metric_intervals(
    y: NDArray[Any],
    said: Predictions,
    classes: NDArray[Any],
    confidence: float = 0.95,
) -> dict[str, list[float | None]]:
    """Return the bootstrap interval of every metric of the exam, by name.

    The test rows are drawn again and again from themselves; the interval leaves out
    equal shares of the metrics they give. Predictions stay as they are: this is the
    luck of the test rows alone.
    """
    if len(y) < _FEWEST_ROWS:
        return {}
    told = measure(y, said, classes)
    names = [name for name, value in told.items() if value is not None]

    def metrics(rows: NDArray[Any]) -> list[float]:
        drawn = Predictions(
            said.verdicts[rows],
            said.scores[rows],
            None if said.probabilities is None else said.probabilities[rows],
        )
        again = measure(y[rows], drawn, classes)
        return [_number(again[name]) for name in names]

    resamples = int(np.clip(_ROW_BUDGET // len(y), _FEWEST_RESAMPLES, _RESAMPLES))
    found = bootstrap_distribution(metrics, np.arange(len(y)), n_resamples=resamples)
    tail = 50 * (1 - confidence)
    # A draw without one of the classes has no area under its curve.
    known = np.isfinite(found.estimates).all(axis=1)
    if known.sum() < _FEWEST_RESAMPLES // 2:
        return {}
    ends = np.percentile(found.estimates[known], [tail, 100 - tail], axis=0)
    return {
        name: [float(low), float(high)]
        for name, low, high in zip(names, *ends, strict=True)
    }


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
