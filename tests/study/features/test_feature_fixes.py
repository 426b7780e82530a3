"""What to do when a linear model cannot see: features that fix it."""

from itertools import pairwise

import numpy as np
import pytest

from infimum.kernels import Gaussian
from infimum.models.kernel import KernelMeanClassifier
from infimum.models.linear import LinearRegression, LogisticRegression
from infimum.study.features import FeatureMap, PolynomialBasis, Standardizer


def fit_quality(features, X, y):
    Z = features.fit_transform(X)
    return LinearRegression().fit(Z, y).score(Z, y)


def identity(x):
    return x


@pytest.mark.syllabus("S3-067")
def test_feature_extraction_maps_anything_to_vectors():
    words = FeatureMap([len, lambda w: w.count("a"), lambda w: w[0] == "b"])
    Z = words.fit_transform(["banana", "plum", "berry"])
    assert Z.shape == (3, 3)
    assert Z.dtype == np.float64
    assert Z[0].tolist() == [6.0, 3.0, 1.0]
    model = LinearRegression().fit(Z, [3.0, 0.0, 0.0])
    assert model.predict(words.transform(["bananas"])).shape == (1,)


@pytest.mark.syllabus("S3-068")
def test_distance_from_normal_temperature_makes_health_monotone(rng):
    temperature = rng.uniform(34.0, 40.0, size=200)
    health = -np.abs(temperature - 37.0) + 0.1 * rng.normal(size=200)
    raw = FeatureMap([identity])
    fixed = FeatureMap([lambda t: abs(t - 37.0)], names=["fever"])
    assert fit_quality(raw, temperature, health) < 0.1
    assert fit_quality(fixed, temperature, health) > 0.95


@pytest.mark.syllabus("S3-069")
def test_more_functions_span_more(rng):
    x = rng.uniform(0.0, 4.0, size=200)
    hill = -((x - 2.0) ** 2) + 0.1 * rng.normal(size=200)
    root = np.sqrt(x) + 0.02 * rng.normal(size=200)
    line, wider = FeatureMap([identity]), FeatureMap([identity, np.square, np.sqrt])
    assert fit_quality(line, x, hill) < 0.1
    assert fit_quality(wider, x, hill) > 0.95
    assert fit_quality(wider, x, root) > fit_quality(line, x, root)
    # With the square the data choose the centre, which |x - 2| has to be told.
    powers = PolynomialBasis(2)
    assert fit_quality(powers, x[:, None], hill) > 0.95


@pytest.mark.syllabus("S3-070")
def test_the_logarithm_undoes_saturation(rng):
    price = np.exp(rng.uniform(0.0, 7.0, size=200))
    utility = np.log(1.0 + price) + 0.1 * rng.normal(size=200)
    raw, logged = FeatureMap([identity]), FeatureMap([np.log1p])
    assert fit_quality(logged, price, utility) > 0.95
    assert fit_quality(raw, price, utility) < 0.8


@pytest.mark.syllabus("S3-071")
def test_bins_follow_any_bend(rng):
    price = np.exp(rng.uniform(0.0, 7.0, size=300))
    utility = np.minimum(price, 50.0) + rng.normal(size=300)
    edges = np.quantile(price, np.linspace(0, 1, 9))
    bins = FeatureMap(
        [
            lambda p, low=low, high=high: float(low <= p < high)
            for low, high in pairwise(edges)
        ]
    )
    assert bins.fit_transform(price).sum(axis=1).max() == 1.0
    raw = fit_quality(FeatureMap([identity]), price, utility)
    assert fit_quality(bins, price, utility) > raw + 0.2


@pytest.mark.syllabus("S3-072")
def test_body_mass_index_is_an_interaction_no_sum_can_express(rng):
    height, weight = rng.uniform(1.5, 2.0, size=300), rng.uniform(45, 110, size=300)
    healthy = np.abs(weight / height**2 - 22.0) < 4.0
    people = np.column_stack([height, weight])
    index = FeatureMap([lambda p: abs(p[1] / p[0] ** 2 - 22.0)], names=["bmi"])
    raw = LogisticRegression(C=1e4).fit(people, healthy).score(people, healthy)
    Z = index.fit_transform(people)
    fixed = LogisticRegression(C=1e4).fit(Z, healthy).score(Z, healthy)
    assert fixed > 0.97 > raw


@pytest.mark.syllabus("S4A-167")
def test_standardisation_can_blow_noise_up(rng):
    def draw(n):
        y = np.arange(n) % 2
        signal = 2.0 * y[:, None] + 0.5 * rng.normal(size=(n, 1))
        return np.hstack([signal, 1e-3 * rng.normal(size=(n, 40))]), y

    (X, y), (fresh, truth) = draw(60), draw(400)
    scaler = Standardizer().fit(X)
    raw = KernelMeanClassifier(kernel=Gaussian(0.5)).fit(X, y).score(fresh, truth)
    blown = KernelMeanClassifier(kernel=Gaussian(0.5)).fit(scaler.transform(X), y)
    assert raw > 0.95
    assert blown.score(scaler.transform(fresh), truth) < raw - 0.1
