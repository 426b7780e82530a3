"""Features of histograms: waves of logarithms that approximate χ² kernels."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import kernel_approximation as peers
from sklearn.utils.estimator_checks import check_estimator

from infimum.errors import DataError, InvalidParameterError
from infimum.features import AdditiveChi2Sampler, SkewedChi2Sampler
from infimum.kernels import AdditiveChiSquared, SkewedChiSquared


@pytest.fixture(name="bars")
def histograms(rng):
    return rng.gamma(0.7, size=(30, 4)) * (rng.uniform(size=(30, 4)) < 0.8)


@pytest.mark.parametrize(
    "transformer",
    [
        AdditiveChi2Sampler(),
        AdditiveChi2Sampler(sample_steps=4, sample_interval=0.3),
        SkewedChi2Sampler(skewedness=100.0),
    ],
    ids=repr,
)
def test_scikit_learn_contract(transformer):
    results = check_estimator(transformer, on_skip=None)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    assert set(statuses.values()) <= {"passed", "skipped"}
    assert skipped <= {"check_array_api_input"}
    assert len(results) >= 35


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_regular_waves_are_those_of_the_peer(steps, bars):
    ours = AdditiveChi2Sampler(sample_steps=steps).fit(bars)
    peer = peers.AdditiveChi2Sampler(sample_steps=steps).fit(bars)
    expected = peer.transform(bars)
    assert ours.transform(bars) == pytest.approx(expected)
    thin = ours.transform(sparse.csr_array(bars))
    assert sparse.issparse(thin)
    assert thin.toarray() == pytest.approx(expected)
    names = ours.get_feature_names_out().tolist()
    assert names == peer.get_feature_names_out().tolist()
    single = ours.transform(bars.astype(np.float32))
    assert single.dtype == np.float32
    assert single == pytest.approx(expected, abs=1e-5)


def test_random_waves_are_those_of_the_peer(bars):
    shared = {"skewedness": 0.4, "n_components": 20, "random_state": 5}
    ours = SkewedChi2Sampler(**shared).fit_transform(bars)
    assert ours == pytest.approx(peers.SkewedChi2Sampler(**shared).fit_transform(bars))


def test_more_waves_leave_less_error(bars):
    regular = [
        AdditiveChi2Sampler(sample_steps=steps, sample_interval=step)
        for steps, step in ((1, 0.8), (3, 0.4), (9, 0.2))
    ]
    random = [
        SkewedChi2Sampler(n_components=count, random_state=0)
        for count in (30, 300, 10_000)
    ]
    kernels = AdditiveChiSquared(), SkewedChiSquared(1.0)
    for family, kernel in zip((regular, random), kernels, strict=True):
        errors = [sampler.fit(bars).error(bars).relative for sampler in family]
        assert errors[0] > errors[1] > errors[2]
        assert errors[2] < 0.02
        features = family[-1].transform(bars)
        apart = np.abs(kernel(bars) - features @ features.T)
        assert family[-1].error(bars).largest == pytest.approx(apart.max())


def test_the_skewed_kernel_is_its_product_of_fractions(bars):
    c, expected = 0.3, np.ones((30, 30))
    for x in bars.T:
        roots = np.sqrt(np.outer(x + c, x + c))
        expected *= 2 * roots / (np.add.outer(x, x) + 2 * c)
    kernel = SkewedChiSquared(c)
    assert kernel(bars) == pytest.approx(expected)
    assert kernel(sparse.csr_array(bars)) == pytest.approx(expected)
    assert kernel.diagonal(bars) == pytest.approx(np.ones(30))


def test_what_is_no_histogram_is_refused(bars):
    with pytest.raises(DataError, match="the smallest is -1"):
        AdditiveChi2Sampler().fit([[1.0, -1.0]])
    with pytest.raises(InvalidParameterError, match="known for 1, 2 and 3"):
        AdditiveChi2Sampler(sample_steps=5).fit(bars)
    for refused in (SkewedChi2Sampler().fit(bars).transform, SkewedChiSquared()):
        with pytest.raises(DataError, match=r"\(-1\).*the smallest is -1"):
            refused(-np.ones((2, 4)))
