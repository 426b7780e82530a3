"""Kernel machines return from a model file, and drop in for scikit-learn's."""

import numpy as np
import pytest
import sklearn.kernel_ridge

import infimum
from infimum import dropin
from infimum.dropin import kernel_ridge
from infimum.kernels import Gaussian, Spectrum
from infimum.models.kernel import (
    SVC,
    KernelFisherDiscriminant,
    KernelKMeans,
    KernelLogisticRegression,
    KernelMeanClassifier,
    KernelPerceptron,
    KernelQuantileRegressor,
    KernelRegressor,
    KernelRidge,
    KernelRidgeClassifier,
    KernelRidgeClassifierCV,
    KernelRidgeCV,
    MulticlassSVC,
    MultipleKernelLearner,
    RampSVC,
)
from infimum.models.linear import RiskMinimizer

MACHINES = [
    KernelFisherDiscriminant(),
    KernelKMeans(3, random_state=0),
    KernelLogisticRegression(kernel=Gaussian(2.0)),
    KernelMeanClassifier(),
    KernelPerceptron(),
    KernelQuantileRegressor(0.3),
    KernelRegressor("huber"),
    KernelRidge(kernel="rbf"),
    KernelRidgeCV(kernel="rbf"),
    KernelRidgeClassifier(),
    KernelRidgeClassifierCV(),
    MulticlassSVC(),
    MultipleKernelLearner(),
    RampSVC(),
    RiskMinimizer("logistic", kernel=Gaussian(1.0), strength=0.1),
    SVC(loss="squared_hinge"),
]


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: type(m).__name__)
def test_a_fitted_machine_returns_with_its_answers_and_its_proof(
    machine, tmp_path, rng
):
    X = rng.normal(size=(30, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(float)
    machine.fit(X, y)
    infimum.save(machine, tmp_path / "machine.infimum")
    loaded = infimum.load(tmp_path / "machine.infimum")
    fresh = rng.normal(size=(5, 2))
    assert loaded.predict(fresh).tolist() == machine.predict(fresh).tolist()
    if hasattr(machine, "certificate_"):
        assert loaded.certificate_ == machine.certificate_
    if hasattr(machine, "certify"):
        assert loaded.certify(X, y) == machine.certify(X, y)


def test_words_return_too(tmp_path):
    words = ["banana", "ananas", "cherry", "sherry"]
    model = KernelRidge(0.1, kernel=Spectrum(2)).fit(words, [1.0, 1.0, 0.0, 0.0])
    infimum.save(model, tmp_path / "words.infimum")
    loaded = infimum.load(tmp_path / "words.infimum")
    assert loaded.X_fit_ == words
    assert loaded.predict(["anna"]) == model.predict(["anna"])


def test_kernel_ridge_drops_in():
    assert kernel_ridge.__all__ == ["KernelRidge"]
    original = sklearn.kernel_ridge.KernelRidge
    with dropin.patch():
        assert sklearn.kernel_ridge.KernelRidge is KernelRidge
    assert sklearn.kernel_ridge.KernelRidge is original
    theirs, ours = original().get_params(), KernelRidge().get_params()
    assert theirs.items() <= ours.items()
    assert np.isclose(ours["alpha"], 1.0)
