"""Neighbours, trees, ensembles, streams on hostile tables: an answer or a sentence."""

import importlib
import inspect
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, is_regressor
from sklearn.exceptions import ConvergenceWarning

from infimum.models.neighbors import (
    ApproximateNeighbors,
    KNeighborsClassifier,
    NearestNeighbors,
)
from infimum.models.online import SGDClassifier, SGDRegressor
from infimum.models.trees import DecisionTreeRegressor
from tests.models.needed_settings import NEEDED

ROWS = 24
DRAW = np.random.default_rng(0).normal(size=(ROWS, 3))
BROKEN = np.arange(ROWS)[:, None] == 3
#: Committees of linear models, which decide about such numbers.
BORROWED = {
    "StackingClassifier", "StackingRegressor", "VotingClassifier", "VotingRegressor"
}  # fmt: skip
SMALL = {"n_estimators": 3, "max_iter": 9, "random_state": 0}
TABLES = {
    "denormal": 1e-310 * DRAW,
    "tiny": 1e-200 * DRAW,
    "1e154": 1e154 * DRAW,
    "1e200": 1e200 * DRAW,
    "largest": 1.7e308 * DRAW.clip(-1.0, 1.0),
    "constant and large": np.full((ROWS, 3), 1e308),
    "single and large": (1e30 * DRAW).astype(np.float32),
    "half": DRAW.astype(np.float16),
    "infinite": np.where(BROKEN, np.inf, DRAW),
    "missing": np.where(BROKEN, np.nan, DRAW),
    "no columns": DRAW[:, :0],
    "no rows": DRAW[:0],
    "numbers as objects": DRAW.astype(object),
    "words": np.full((ROWS, 2), "a"),
    "words and None": np.array([[1.0, "b", None]] * ROWS, dtype=object),
    "complex": DRAW + 1j,
    "one axis": DRAW[:, 0],
    "three axes": DRAW[:, :, None],
    "whole and large": np.full((ROWS, 3), 2**62) + np.arange(ROWS)[:, None],
    "sparse and large": sparse.csr_array(1e200 * DRAW),
    "sparse and missing": sparse.csr_array(np.where(BROKEN, np.nan, DRAW)),
}
TARGETS = {
    "1e200": 1e200 * DRAW[:, 0].clip(-1.0, 1.0),
    "largest": 1.7e308 * DRAW[:, 0].clip(-1.0, 1.0),
    "denormal": 1e-310 * DRAW[:, 0],
    "missing": np.where(BROKEN[:, 0], np.nan, DRAW[:, 0]),
    "infinite": np.where(BROKEN[:, 0], np.inf, DRAW[:, 0]),
    "words and numbers": np.array([1, "a"] * (ROWS // 2), dtype=object),
    "too few": np.arange(5.0),
    "none": None,
}


def made(kind):
    known = inspect.signature(kind).parameters
    return kind(
        **NEEDED.get(kind.__name__, {}), **{n: SMALL[n] for n in SMALL if n in known}
    )


ROOMS = [
    importlib.import_module(f"infimum.models.{name}")
    for name in ("ensembles", "neighbors", "online", "trees")
]
ESTIMATORS = [
    made(getattr(room, name))
    for room in ROOMS
    for name in room.__all__
    if name not in BORROWED
    and inspect.isclass(getattr(room, name))
    and issubclass(getattr(room, name), BaseEstimator)
    and not inspect.isabstract(getattr(room, name))
]
every_estimator = pytest.mark.parametrize(
    "estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__
)


def answered_or_refused(estimator, X, y):
    """Assert that there are finite answers, or one sentence that refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            estimator.fit(X, y)
            for verb in ("predict", "predict_proba", "decision_function", "transform"):
                if hasattr(estimator, verb):
                    _check_finite(getattr(estimator, verb)(X))
        except (ValueError, TypeError) as refusal:
            told = str(refusal)
            assert "\n" not in told
            assert 10 < len(told) < 330


def _check_finite(answer):
    values = answer.data if sparse.issparse(answer) else np.asarray(answer)
    if values.dtype.kind == "f":
        assert np.isfinite(values).all()


@every_estimator
def test_hostile_tables_end_in_an_answer_or_in_one_sentence(estimator):
    for X in TABLES.values():
        y = np.arange(X.shape[0]) % 2
        y = y.astype(float) if is_regressor(estimator) else y
        answered_or_refused(estimator, X, y)


@every_estimator
def test_hostile_targets_end_in_an_answer_or_in_one_sentence(estimator):
    for y in TARGETS.values():
        answered_or_refused(estimator, DRAW, y)


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (lambda: NearestNeighbors().fit(1e200 * DRAW), r"numbers in X up to 1e\+150"),
        (lambda: NearestNeighbors().fit(1e-200 * DRAW), "numbers in X from 1e-150 on"),
        (lambda: NearestNeighbors().fit(DRAW[:, 0]), "takes a table. Reshape your"),
        (lambda: KNeighborsClassifier().fit(1j * DRAW, DRAW[:, 0] > 0), "takes real"),
        (lambda: DecisionTreeRegressor().fit(DRAW, TARGETS["1e200"]), "numbers in y"),
        (
            lambda: NearestNeighbors().fit(TABLES["missing"]),
            "NaN: NearestNeighbors takes no missing values",
        ),
    ],
    ids=["large", "small", "one axis", "complex", "target", "missing"],
)
def test_the_sentence_says_what_is_wrong(work, sentence):
    with pytest.raises(ValueError, match=sentence):
        work()


def test_far_numbers_in_single_precision_still_have_their_neighbours():
    X = (1e30 * np.random.default_rng(1).normal(size=(500, 4))).astype(np.float32)
    model = ApproximateNeighbors(random_state=0).fit(X)
    assert model.recall_ > 0.95
    assert np.isfinite(model.kneighbors(1e25 * X.astype(float))[0]).all()


def test_scores_that_single_precision_cannot_hold_are_found_in_double():
    X, y = TABLES["single and large"], DRAW[:, 0] > 0
    single = SGDClassifier(max_iter=5, tol=None, random_state=0).fit(X, y)
    assert np.isfinite(single.decision_function(X)).all()
    with pytest.raises(ValueError, match=r"diverged|overflows"):
        SGDRegressor(random_state=0).fit(X, DRAW[:, 0])
