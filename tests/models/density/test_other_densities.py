"""Histograms, discrete densities, information and detectors: references and corners."""

import numpy as np
import pytest
from sklearn.feature_selection import mutual_info_regression
from sklearn.metrics import mutual_info_score

import infimum
from infimum.errors import DataError, InvalidParameterError
from infimum.models.density import (
    ConditionalDensity,
    DensityDetector,
    DiscreteDensity,
    HistogramDensity,
    discrete_mutual_information,
    entropy,
    mutual_information,
)


def sample(n=200, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def test_histograms_are_those_of_numpy():
    X = sample(300)
    table, edges = np.histogramdd(X, bins=6, density=True)
    model = HistogramDensity(6).fit(X)
    middles = [0.5 * (side[1:] + side[:-1]) for side in edges]
    mesh = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(np.exp(model.score_samples(mesh)), table.ravel())
    assert np.isfinite(model.score(X))  # the greatest values lie in the last boxes
    inside = model.sample(500, random_state=0)
    assert np.isfinite(model.score_samples(inside)).all()


def test_histograms_weigh_copy_and_refuse():
    X, weights = sample(50, 1), np.random.default_rng(1).integers(0, 3, 50)
    weighted = HistogramDensity(5, range=(-4, 4)).fit(X, sample_weight=weights)
    copies = HistogramDensity(5, range=(-4, 4)).fit(np.repeat(X, weights, axis=0))
    assert np.array_equal(weighted.score_samples(X), copies.score_samples(X))
    flat = HistogramDensity(3).fit(np.full((4, 1), 7.0))
    assert np.exp(flat.score_samples([[7.0], [9.0]])) == pytest.approx([3.0, 0.0])
    many = HistogramDensity(1000).fit(sample(100, 12))  # 10³⁶ boxes
    assert len(many.masses_) == 100
    with pytest.raises(DataError, match="outside of the range"):
        HistogramDensity(range=(0, 1)).fit([[2.0]])
    with pytest.raises(DataError, match="lower end first"):
        HistogramDensity(range=(1, 0)).fit([[0.5]])
    with pytest.raises(InvalidParameterError, match=r"HistogramDensity.bins"):
        HistogramDensity(0).fit([[0.5]])


def test_discrete_densities_count_anything_hashable():
    estimate = DiscreteDensity.fit(["a", ("b", 1), "a"], sample_weight=[1, 2, 1])
    assert estimate.probability("a") == 0.5
    assert estimate.entropy() == pytest.approx(np.log(2))
    with pytest.raises(DataError, match="'x' is not in the support"):
        DiscreteDensity.fit("x", support="ab")
    with pytest.raises(DataError, match="a sample or a pseudo-count"):
        DiscreteDensity.fit([])
    with pytest.raises(InvalidParameterError, match="pseudo_count"):
        DiscreteDensity.fit("a", pseudo_count=-1)


@pytest.mark.parametrize("method", ["neighbors", "windows"])
@pytest.mark.parametrize("d", [1, 2])
def test_entropy_of_gaussians(method, d):
    X = 2.0 * sample(1500, d)
    truth = d * (0.5 * np.log(2 * np.pi * np.e) + np.log(2.0))
    assert entropy(X, method=method) == pytest.approx(truth, abs=0.12)


def test_entropy_of_atoms_is_refused():
    with pytest.raises(DataError, match="law with atoms"):
        entropy(np.ones((9, 1)))


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.95])
def test_mutual_information_of_correlated_gaussians(rho):
    X = sample(2000)
    y = rho * X[:, 0] + np.sqrt(1 - rho**2) * X[:, 1]
    found = mutual_information(X[:, 0], y)
    assert found == pytest.approx(-0.5 * np.log(1 - rho**2), abs=0.08)
    theirs = mutual_info_regression(X[:, [0]], y, random_state=0)[0]
    assert found == pytest.approx(theirs, abs=0.03)
    with pytest.raises(DataError, match="stand beside"):
        mutual_information(X, y[:-1])


def test_mutual_information_of_tables_is_scikit_learns():
    draw = np.random.default_rng(0)
    a, b = draw.integers(0, 3, 100), draw.integers(0, 4, 100)
    table = np.zeros((3, 4))
    np.add.at(table, (a, b), 1)
    assert discrete_mutual_information(table) == pytest.approx(mutual_info_score(a, b))
    rows = DiscreteDensity.fit(a.tolist()).entropy()
    columns = DiscreteDensity.fit(b.tolist()).entropy()
    joint = DiscreteDensity.fit(list(zip(a.tolist(), b.tolist(), strict=True)))
    assert discrete_mutual_information(table) == pytest.approx(
        rows + columns - joint.entropy()
    )
    with pytest.raises(DataError, match="counts"):
        discrete_mutual_information([[0, 0]])


def test_detectors_weigh_save_and_refuse(tmp_path):
    X, weights = sample(60), np.random.default_rng(1).integers(0, 3, 60)
    weighted = DensityDetector(bandwidth=0.5).fit(X, sample_weight=weights)
    copies = DensityDetector(bandwidth=0.5).fit(np.repeat(X, weights, axis=0))
    assert weighted.offset_ == pytest.approx(copies.offset_)
    assert np.array_equal(weighted.predict(X), copies.predict(X))
    infimum.save(weighted, tmp_path / "detector.model")
    again = infimum.load(tmp_path / "detector.model")
    assert np.array_equal(again.decision_function(X), weighted.decision_function(X))
    with pytest.raises(InvalidParameterError, match=r"DensityDetector.kernel"):
        DensityDetector(kernel="boxy").fit(X)
    with pytest.raises(InvalidParameterError, match="contamination"):
        DensityDetector(contamination=0.9).fit(X)
    one = DensityDetector().fit([[1.0]])
    assert one.predict([[1.0], [9.0]]).tolist() == [1, -1]


def test_conditional_densities_weigh_and_answer_far_away():
    X, weights = sample(50, 1), np.random.default_rng(1).integers(0, 3, 50)
    y = X[:, 0] ** 2
    weighted = ConditionalDensity(0.3, 0.2).fit(X, y, sample_weight=weights)
    copies = ConditionalDensity(0.3, 0.2).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    np.testing.assert_allclose(weighted.predict(X), copies.predict(X))
    np.testing.assert_allclose(weighted.density(X, y), copies.density(X, y))
    assert weighted.predict([[1e6]])[0] == pytest.approx(y[weights > 0][
        X[weights > 0, 0].argmax()
    ])  # fmt: skip


def test_boxes_are_told_apart_or_refused():
    far = HistogramDensity().fit(np.full((4, 1), 2.0**62))
    assert np.isfinite(far.score_samples([[2.0**62]])).all()
    assert np.isneginf(far.score_samples([[2.0**61]])).all()
    with pytest.raises(DataError, match="more than can be numbered"):
        HistogramDensity(width=1e-20).fit([[0.0], [1.0]])


def test_targets_and_weights_that_do_not_fit_get_one_sentence():
    model = ConditionalDensity().fit(sample(9), np.arange(9.0))
    with pytest.raises(DataError, match="a target for each of 9 samples"):
        model.density(sample(9), np.arange(8.0))
    with pytest.raises(DataError, match="not negative, got -1"):
        DiscreteDensity.fit("ab", sample_weight=[1, -1])
