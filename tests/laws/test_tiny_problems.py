"""Every pair on the smallest and dullest tables: a result or a sentence, at once."""

import time
import warnings

import numpy as np
import pytest

from infimum import RiskMinimizer, losses, penalties
from infimum.errors import InfimumError
from infimum.losses import Loss, VectorLoss
from infimum.models.warnings import UncertifiedWarning
from infimum.penalties import LinearEqualities, Penalty
from tests.laws.parts import exported

LOSSES = [cls for kind in (Loss, VectorLoss) for cls in exported(losses, kind)]
PENALTIES = exported(penalties, Penalty)
TABLES = {
    "one row": lambda draw: draw.standard_normal((1, 3)),
    "two rows": lambda draw: draw.standard_normal((2, 3)),
    "a constant column": lambda draw: np.column_stack(
        [np.full(10, 3.0), draw.standard_normal((10, 2))]
    ),
    "equal columns": lambda draw: np.repeat(draw.standard_normal((10, 1)), 3, axis=1),
    "zeros": lambda draw: 0.0 * draw.standard_normal((10, 3)),
    "a constant target": lambda draw: draw.standard_normal((10, 3)),
    "ten rows": lambda draw: draw.standard_normal((10, 3)),
    "one column": lambda draw: draw.standard_normal((10, 1)),
}
#: The time of the processor, not of the clock: the machine may be busy. A risk without
#: a lower bound (a variance that may vanish) is followed down for longer.
MOST_SECONDS, BOTTOMLESS = 2.0, 5.0


def targets(loss, n, *, constant):
    """Return targets of the kind that a loss reads, without drawing lots."""
    i = np.zeros(n, dtype=int) if constant else np.arange(n)
    outputs = getattr(loss, "outputs", 2)
    return {
        "real": 0.5 + i,
        "sign": np.where(i % 2, 1, -1),
        "count": 1.0 + i % 3,
        "positive": 1.0 + i % 3,
        "fraction": (1.0 + i % 3) / 4.0,
        "class": i % outputs,
        "vector": np.outer(1.0 + i, np.ones(outputs)),
        "labels": (i[:, None] + np.arange(outputs)) % 2,
    }[loss.target]


def check(model, table):
    """Fit; return what is wrong with the result, the words, or the time it took."""
    X = TABLES[table](np.random.default_rng(0))
    y = targets(model.loss, len(X), constant=table == "a constant target")
    started, most = time.process_time(), MOST_SECONDS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UncertifiedWarning)
            fitted = model.fit(X, y)
        wrong = "" if np.isfinite(fitted.predict(X)).all() else "no number"
        if np.isnan(fitted.certificate_.gap):
            wrong = "no gap"
        most = MOST_SECONDS if fitted.certificate_.dual > -np.inf else BOTTOMLESS
    except InfimumError as refusal:
        words = str(refusal)
        wrong = "" if words.endswith(".") and len(words.split()) >= 5 else words
    except Exception as error:
        wrong = repr(error)
    seconds = time.process_time() - started
    return wrong or (f"took {seconds:.1f} s" if seconds > most else "")


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.__name__)
def test_every_pair_takes_any_small_table(loss):
    """With an intercept for every other pair and table, without for the others."""
    found = {}
    for i, penalty in enumerate(PENALTIES):
        for k, table in enumerate(TABLES):
            model = RiskMinimizer(loss(), penalty(), fit_intercept=(i + k) % 2 == 0)
            if wrong := check(model, table):
                found[f"{penalty.__name__}, {table}, {model.fit_intercept}"] = wrong
    assert not found


def test_equations_reach_a_column_of_zeros_from_a_start_that_misses_them():
    """A start of infinite risk is worse than any point inside, whatever the bounds."""
    draw = np.random.default_rng(0)
    X = np.column_stack([np.zeros(10), draw.standard_normal((10, 2))])
    for loss in ("absolute", "squared", "huber", "quantile"):
        model = RiskMinimizer(loss, LinearEqualities(((0.7, -1.3, 0.4),), (1.0,)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UncertifiedWarning)
            model.fit(X, np.arange(10) + 0.5)
        assert np.isfinite(model.certificate_.primal)
        assert model.coef_ @ [0.7, -1.3, 0.4] == pytest.approx(1.0)
