"""The proof of a support vector machine is recomputed from coefficients and data."""

from copy import deepcopy

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel

from infimum.errors import DataError
from infimum.models.kernel import SVC, SVR, NuSVC, NuSVR
from infimum.models.novelty import OneClassSVM, SupportVectorDataDescription

CLASSIFIERS = [
    SVC(C=3.0, gamma=0.5, class_weight="balanced"),
    SVC(loss="squared_hinge", multi_class="ovr"),
    SVC(kernel="linear"),
    NuSVC(nu=0.3, gamma=0.5),
]
OTHERS = [
    SVR(gamma=0.5),
    SVR(loss="squared_epsilon_insensitive", gamma=0.5),
    NuSVR(nu=0.4, gamma=0.5),
    OneClassSVM(nu=0.3, gamma=0.5),
    SupportVectorDataDescription(nu=0.3, gamma=0.5),
]


def data(machine, rng, n=60):
    X = rng.normal(size=(n, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n)
    return X, (np.digitize(y, [-0.7, 0.7]) if machine in CLASSIFIERS else y)


@pytest.mark.parametrize("machine", CLASSIFIERS + OTHERS, ids=repr)
def test_the_proof_recomputed_is_the_proof_of_the_fit(machine, rng):
    X, y = data(machine, rng)
    weights = rng.integers(0, 3, size=len(y)).astype(float)
    machine.fit(X, y, sample_weight=weights)
    again, first = machine.certify(X, y, weights), machine.certificate_
    assert again.closed
    assert again.dual == pytest.approx(first.dual, rel=1e-6, abs=1e-6)
    assert again.primal == pytest.approx(first.primal, rel=1e-6, abs=1e-6)
    assert again.tolerance == first.tolerance


@pytest.mark.parametrize("machine", CLASSIFIERS + OTHERS, ids=repr)
def test_spoilt_coefficients_are_found_out(machine, rng):
    X, y = data(machine, rng)
    spoilt = deepcopy(machine.fit(X, y))
    spoilt.dual_coef_ = 0.5 * spoilt.dual_coef_
    if isinstance(machine, NuSVC):
        spoilt.intercept_ = spoilt.intercept_ + 1.0
    assert not spoilt.certify(X, y).closed


def test_the_data_need_not_be_dense_or_raw(rng):
    X, y = data(CLASSIFIERS[0], rng)
    thin = sparse.csr_array(np.where(np.abs(X) > 0.5, X, 0.0))
    assert SVC().fit(thin, y).certify(thin, y).closed
    gram = rbf_kernel(X, gamma=0.5)
    assert SVC(kernel="precomputed").fit(gram, y).certify(gram, y).closed


def test_other_samples_or_classes_are_refused(rng):
    X, y = data(CLASSIFIERS[0], rng)
    model = SVC().fit(X, y)
    with pytest.raises(DataError, match="these are others"):
        model.certify(X + 1.0, y)
    with pytest.raises(DataError, match="these are others"):
        model.certify(X[:-1], y[:-1])
    with pytest.raises(DataError, match="was fitted on the classes"):
        model.certify(X, y + 1)
    assert model.classes_.tolist() == [0, 1, 2]


def test_other_labels_are_no_proof(rng):
    X, y = data(CLASSIFIERS[0], rng)
    model = SVC().fit(X, y)
    assert not model.certify(X, np.roll(y, 1)).closed


def test_a_share_of_errors_out_of_reach_becomes_the_largest_there_is(rng):
    X, y = rng.normal(size=(40, 2)), np.repeat([0, 1], [30, 10])
    asked = NuSVC(nu=0.9).fit(X, y)
    most = NuSVC(nu=0.5).fit(X, y)  # twice the share of the smaller class
    assert asked.nu_.tolist() == most.nu_.tolist() == [0.5]
    assert NuSVC(nu=0.2).fit(X, y).nu_.tolist() == [0.2]
    assert np.array_equal(asked.dual_coef_, most.dual_coef_)
    assert asked.certify(X, y).closed


def test_weights_that_change_the_share_of_errors_are_other_data(rng):
    X = rng.normal(size=(30, 2))
    y, weights = np.repeat([0, 1], [27, 3]), rng.uniform(0.5, 2.0, 30)
    machine = NuSVC(nu=0.9, gamma=0.5).fit(X, y, weights)
    assert machine.certify(X, y, weights).closed
    weights[0] *= 3.0  # the smaller class, which nu_ depends on, stays as it is
    with pytest.raises(DataError, match="fitted at the share nu_="):
        machine.certify(X, y, weights)
