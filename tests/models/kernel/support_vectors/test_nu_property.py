"""ν is at least the share of errors and at most the share of support vectors."""

import pickle

import numpy as np
import pytest

from infimum.models.kernel import NuSVC, NuSVR
from infimum.models.novelty import OneClassSVM, SupportVectorDataDescription

KERNEL = {"gamma": 0.4, "tol": 1e-8}
MACHINES = [
    NuSVC(nu=0.4, **KERNEL),
    NuSVR(nu=0.3, **KERNEL),
    OneClassSVM(nu=0.25, **KERNEL),
    SupportVectorDataDescription(nu=0.35, **KERNEL),
]
NAMES = ["NuSVC", "NuSVR", "OneClassSVM", "SupportVectorDataDescription"]


@pytest.fixture
def samples(rng):
    X = rng.normal(size=(90, 3))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=90)


def errs(model, X, y):
    """Tell who is beyond the margin, tube or border, from what a machine predicts."""
    if isinstance(model, NuSVR):
        return np.abs(model.predict(X) - y) > model.epsilon_ + 1e-5
    if isinstance(model, NuSVC):
        return np.where(y, 1, -1) * model.decision_function(X) < 1 - 1e-5
    return model.decision_function(X) < -1e-5


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_nu_lies_between_the_shares_that_predictions_show(machine, weighted, samples):
    X, y = samples
    y = y > 0 if isinstance(machine, NuSVC) else y
    weights = np.arange(90) % 4 if weighted else np.ones(90)
    model = machine.fit(X, y, sample_weight=weights)
    found = model.nu_property_
    beyond = weights[errs(model, X, y)].sum() / weights.sum()
    supports = weights[model.support_].sum() / weights.sum()
    assert np.ravel(found.margin_errors) == pytest.approx([beyond], abs=1e-12)
    assert np.ravel(found.support_vectors) == pytest.approx([supports], abs=1e-12)
    assert np.ravel(found.nu) == pytest.approx([machine.nu])
    assert 0 < beyond <= machine.nu <= supports < 1
    assert pickle.loads(pickle.dumps(model)).nu_property_ == found


@pytest.mark.parametrize("way", ["ovo", "ovr"])
def test_every_pair_of_classes_has_its_own_shares(way, samples):
    X, target = samples
    y = np.digitize(target, [-0.5, 0.5])
    model = NuSVC(nu=0.3, multi_class=way, **KERNEL).fit(X, y)
    found = model.nu_property_
    assert found.margin_errors.shape == (3,)
    assert (found.margin_errors <= found.nu + 1e-12).all()
    assert (found.nu <= found.support_vectors + 1e-12).all()
    if way == "ovo":
        pair = y < 2
        alone = NuSVC(nu=0.3, **KERNEL).fit(X[pair], y[pair]).nu_property_
        assert found.margin_errors[0] == pytest.approx(alone.margin_errors[0])


def test_a_share_out_of_reach_is_reported_as_what_could_be_had(samples):
    X, target = samples
    y = target > np.quantile(target, 0.8)
    found = NuSVC(nu=0.9, **KERNEL).fit(X, y).nu_property_
    assert found.nu[0] == pytest.approx(2 * y.mean())
    assert found.margin_errors[0] <= found.nu[0] + 1e-12
