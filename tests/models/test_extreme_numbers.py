"""Numbers near the ends of floating point: a result, or one sentence."""

import importlib
import inspect
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import LinAlgWarning
from sklearn.base import BaseEstimator, is_classifier

from infimum.errors import DataError, InfimumError
from infimum.features import RBFSampler
from infimum.models.kernel import SVC, KernelRidge
from infimum.models.probabilistic import GaussianNB
from infimum.models.warnings import UncertifiedWarning
from infimum.study.features import Standardizer

#: Needs something to learn with, which decides about such numbers.
BORROWED = {"PlugInClassifier"}
ESTIMATORS = [
    getattr(room, name)()
    for room in map(
        importlib.import_module,
        [
            "infimum.models.kernel",
            "infimum.models.novelty",
            "infimum.models.probabilistic",
        ],
    )
    for name in room.__all__
    if name not in BORROWED
    and inspect.isclass(getattr(room, name))
    and issubclass(getattr(room, name), BaseEstimator)
]


def answered(estimator, X, y):
    """Return the predictions, or the words of a refusal."""
    try:
        return estimator.fit(X, y).predict(X)
    except InfimumError as refusal:
        return str(refusal)


@pytest.mark.parametrize("size", [1e-310, 1e-200, 1e200, 1e308])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_extreme_numbers_end_in_a_result_or_in_one_sentence(estimator, size, rng):
    X = np.clip(rng.normal(size=(12, 3)), -1.0, 1.0) * size
    y = np.arange(12) % 2 if is_classifier(estimator) else X[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UncertifiedWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        answer = answered(estimator, X, y)
    if isinstance(answer, str):
        assert answer.endswith(".")
        assert "\n" not in answer
    else:
        assert not np.isnan(answer).any()


@pytest.mark.parametrize(
    ("size", "kind"),
    [(1e200, np.float64), (1e20, np.float32)],
    ids=["double", "single"],
)
@pytest.mark.parametrize(
    "part", [SVC(), KernelRidge(), GaussianNB(), RBFSampler(), Standardizer()], ids=repr
)
def test_what_is_too_large_is_told_with_the_limit(part, size, kind, rng):
    X = (rng.normal(size=(12, 3)) * size).astype(kind)
    y = np.arange(12) % 2
    with pytest.raises(DataError, match=r"numbers in X up to [12]e\+.*scale them"):
        part.fit(X, y)
    part.fit(X / kind(size), y)
    answer = part.predict if hasattr(part, "predict") else part.transform
    with pytest.raises(DataError, match="takes numbers in X up to"):
        answer(X)
    if part.__sklearn_tags__().input_tags.sparse:
        with pytest.raises(DataError, match="takes numbers in X up to"):
            part.fit(sparse.csr_array(X), y)


def test_targets_too_large_are_told_as_such(rng):
    with pytest.raises(DataError, match=r"numbers in y up to 1e\+150, got 1e\+300"):
        KernelRidge().fit(rng.normal(size=(5, 2)), [0.0, 1.0, 2.0, 3.0, 1e300])
