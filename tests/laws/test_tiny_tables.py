"""One row, two rows, columns that say nothing: a result or one sentence, soon."""

import time
import warnings

import numpy as np
import pytest
from scipy.linalg import LinAlgWarning
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning, DataDimensionalityWarning

from infimum.errors import InfimumError
from tests.laws.estimators import ESTIMATORS, answers
from tests.models.needed_settings import NEEDED

SECONDS = 2.0
DRAW = np.abs(np.random.default_rng(0).normal(size=(12, 3)))
TABLES = {
    "one row": DRAW[:1],
    "two rows": DRAW[:2],
    "a row twice": DRAW[[0, 0]],
    "three rows": DRAW[:3],
    "a constant column": np.column_stack([DRAW[:, :2], np.ones(12)]),
    "constant columns": np.tile([1.0, 2.0, 3.0], (12, 1)),
    "all equal": np.full((12, 3), 2.5),
    "zeros": np.zeros((12, 3)),
    "equal columns": np.repeat(DRAW[:, :1], 3, axis=1),
    "one column": DRAW[:, :1],
    "one number": DRAW[:1, :1],
}
#: What has too few samples for an alarm scores all of them as infinitely usual.
ENDLESS = {"ConformalDetector"}


def targets(estimator, n):
    """Return targets that differ, and some that do not."""
    if is_regressor(estimator):
        both = np.linspace(1.0, 2.0, n), np.full(n, 1.5)
        if type(estimator).__name__.startswith("MultiTask"):
            return [np.column_stack([y, y]) for y in both]
        return both
    labels = np.arange(n) % 2
    return (labels, np.zeros(n, dtype=int)) if is_classifier(estimator) else (labels,)


def answered_or_refused(estimator, X, y):
    """Assert that there are numbers or a sentence of ours; return the seconds."""
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        warnings.simplefilter("ignore", DataDimensionalityWarning)
        warnings.filterwarnings("ignore", message="LocalOutlierFactor.n_neighbors")
        warnings.filterwarnings("ignore", message="AffinityPropagation: all samples")
        warnings.filterwarnings("ignore", message=".* has one sample only")
        warnings.filterwarnings("ignore", message=".*: y residual is constant")
        try:
            said = answers(estimator.fit(X, y), X)
        except InfimumError as refusal:
            told, said = str(refusal), {}
            assert "\n" not in told
            assert 10 < len(told) < 330
    for verb, values in said.items():
        if values.dtype.kind == "f":
            assert not np.isnan(values).any(), verb
            if verb != "score_samples" and type(estimator).__name__ not in ENDLESS:
                assert np.isfinite(values).all(), verb
    return time.process_time() - begun


@pytest.mark.parametrize("name", ESTIMATORS)
def test_tables_that_say_little_end_soon_in_a_result_or_in_one_sentence(name):
    fresh = ESTIMATORS[name](**NEEDED.get(name, {}))
    for table, X in TABLES.items():
        for y in targets(fresh, len(X)):
            seconds = answered_or_refused(clone(fresh), X, y)
            if seconds > SECONDS:  # loops may have been compiled meanwhile
                seconds = answered_or_refused(clone(fresh), X, y)
            assert seconds < SECONDS, table
